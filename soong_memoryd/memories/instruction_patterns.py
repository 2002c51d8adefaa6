"""How memories that are orders in disguise look: data for ``instructions``.

Owns: the patterns, by rule. Must not know: how texts are prepared for them. They are matched against folded text: lower
case, one space, no invisible characters. Every repetition is bounded, so that no text makes them slow.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SAFETY = r"safety (?:rules?|checks?|guidelines?|polic(?:y|ies)|filters?|measures?)"
_ORDERS = rf"(?:instructions?|directives?|prompts?|guardrails?|system (?:prompts?|messages?|rules?)|{_SAFETY})"
_WHOSE = (
    r"(?:previous|prior|above|earlier|preceding|all|any|every|your|my|other|system|initial|original|former|existing|these|those"
    r"|the|its|their|user)"
)
_USER = r"(?:the )?(?:user|human|owner)"
_SECRETS = (
    r"(?:api[ _-]?keys?|credentials?|passwords?|passphrases?|secrets|(?:access|auth|session|api|bearer) tokens?|cookies"
    r"|ssh keys?|private keys?|env(?:ironment)? variables|\.env\b|conversations?|chat history|transcripts?|memories"
    r"|memory files?)"
)
_AWAY = (
    r"(?:https?://|webhook|pastebin|\b(?:external|remote|attacker|our|my) (?:server|endpoint|url|address)\b"
    r"|[\w.+-]{1,64}@[\w-]{1,64}\.\w)"
)
_WHEN = r"\b(?:when|whenever|if|once|as soon as|(?:every|each|next) time)\b"
_ASSERT = r"(?:say|claim|state|insist|pretend|deny|assert|promote|(?:answer|reply|respond) that)"
_ZH_WHEN = r"(?:每当|只要|如果|一旦|当|要是)"
_ZH_ORDERS = r"(?:指令|提示词|指示|设定|系统提示|安全(?:规则|检查|限制|策略)|系统(?:规则|消息))"
_ZH_SECRETS = r"(?:密钥|密码|口令|凭证|凭据|令牌|私钥|环境变量|聊天记录|对话|记忆|cookie|token|api ?key)"
_ZH_NOT = r"(?:不要|别|不得|不能|切勿|禁止|无需|不必)"

# Overriding what an agent was told.
_OVERRIDE = (
    r"\b(?:ignore|disregard|forget|override|overrule|bypass|circumvent)\b"
    rf"(?: \w+){{0,3}}? {_WHOSE}(?: \w+){{0,2}}? {_ORDERS}\b",
    rf"\b(?:ignore|disregard|bypass|circumvent) {_SAFETY}",
    rf"\b(?:new|updated|real|actual) {_ORDERS} ?:",
    rf"\b(?:do not|don't|never) (?:follow|obey)\b(?: [\w']+){{0,3}}? {_WHOSE}(?: [\w']+){{0,2}}? {_ORDERS}\b",
    r"\bignor(?:a|e|iere?|ez|er|ar)\b(?: \w+){0,4} (?:instrucciones|instructions|anweisungen|instruções|istruzioni)\b",
    r"(?:игнорируй|забудь|не обращай внимания на)\w*(?: \w+){0,4} (?:инструкци|указани)",
    rf"(?:忽略|无视|忘记|忘掉|不要理会|不用理会|不理会|绕过|抛开|推翻).{{0,10}}{_ZH_ORDERS}",
    r"(?:以前|これまで|上記|すべて|全て)の.{0,6}(?:指示|命令|プロンプト).{0,4}(?:無視|忘れ)",
    r"(?:이전|위의|앞의|모든).{0,8}(?:지시|명령|프롬프트|지침).{0,6}(?:무시|잊)",
)
# Speaking as somebody who has authority, or opening a tag that does.
_ROLE = (
    r"(?:^|\n)\W{0,4}(?:system|assistant|developer|human)\W{0,3}: ?(?:you\b|ignore|disregard|from now on|new instruction"
    r"|always|never|do not|don't|must|the user|remember|execute|override)",
    r"(?:^|\n)\W{0,4}(?:系统|助手|开发者)(?:消息|提示|指令)?: ?(?:你|忽略|从现在|必须|请|不要)",
    r"[<‹⟨❮ᐸ〈] ?[/\\]? ?(?:system(?:-reminder)?|assistant|developer|memory|tool_(?:call|result|use)s?|function_calls?"
    r"|instructions?)\b[^>\n]{0,200}>",
    r"<\|[^|\n]{1,40}\|>|\[/?inst\]|<</?sys>>",
    r"(?:^|\n)\W{0,4}#{1,6} ?(?:system|instructions?)(?: prompt| message| override) ?:?(?:\n|$)",
    r"\b(?:begin|end) (?:of )?system (?:prompt|message)\b",
)
_PERSONA = (
    r"\byou are now (?:an? )?(?:dan\b|unrestricted|uncensored|jailbroken|in (?:developer|god|debug|admin) mode|free from)",
    r"\b(?:developer|god|dan|jailbreak) mode (?:is )?(?:now )?(?:enabled|activated)\b",
    r"\b(?:you have|act (?:as if|like) you have) no (?:restrictions|limitations|rules|guidelines)\b",
    r"你现在是.{0,12}(?:不受限制|没有限制|无限制|越狱|开发者模式)",
)
# Keeping things from the user.
_CONCEALMENT = (
    r"\b(?:do not|don't|never|must not|should not|avoid|without)\b(?: \w+){0,2} (?:tell|inform|notify|alert|warn)(?:ing)?"
    rf" {_USER}\b",
    r"\b(?:do not|don't|never|without)\b(?: \w+){0,2} (?:reveal|mention|disclose|show|say)(?:ing)? (?:this|it|that|these)"
    rf"\b(?: \w+){{0,3}} to (?:{_USER}|anyone)\b",
    rf"\b(?:do not|don't|never) let {_USER} (?:know|see|notice|find out)\b",
    rf"\bwithout {_USER}(?:'s|’s)? (?:knowledge|consent|noticing|knowing)\b",
    rf"\b(?:hide|conceal|keep) (?:this|it|that|these)(?: \w+){{0,3}} from {_USER}\b",
    r"\b(?:secretly|covertly|silently|quietly) (?:send|upload|post|forward|copy|add|insert|install|run|execute|change|collect"
    r"|record|exfiltrate)\b",
    rf"{_ZH_NOT}(?:让用户(?:知道|发现|看到)|(?:告诉|告知|通知|提醒|透露给|泄露给)(?:用户|主人|使用者))",
    r"对用户(?:保密|隐瞒)|(?:瞒着|背着)(?:用户|主人)|向用户隐瞒",
    r"(?:偷偷|悄悄|暗中|秘密)地?(?:发送|上传|转发|执行|运行|安装|添加|插入|修改|收集|记录)",
)
# Waiting for a cue to act on, or for a question to answer with a planted line.
_TRIGGER = (
    rf"{_WHEN}.{{0,40}}\basks?(?:ed)?\b.{{0,80}}?(?:, |then |always ){_ASSERT}\b",
    rf"{_WHEN}.{{0,40}}\basks?(?:ed)?\b.{{0,20}}\b(?:about|for)(?: [\w-]+){{1,6}} {_ASSERT}\b",
    rf"{_WHEN} (?:the user|they|he|she|someone) (?:says?|types?|writes?|replies|answers?|thanks?|confirms?)\b.{{0,60}}?"
    r",? (?:then )?(?:remember|save|delete|send|upload|forward|post)\b",
    rf"{_ZH_WHEN}.{{0,10}}(?:问到|问起|问及|询问|问你).{{0,30}}(?:就说|回答说|声称|谎称|假装|否认|宣称)",
    rf"{_ZH_WHEN}.{{0,8}}(?:用户|对方|有人)(?:说|回复|输入|回答|提到).{{0,20}}(?:就|则|请|便)"
    r".{0,10}(?:记住|保存|删除|发送|上传|转发)",
)
# Running what comes from elsewhere.
_SHELL = (
    r"\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n]{0,300}\| ?(?:sudo )?(?:(?:ba|z|da|k|c|fi)?sh|python[0-9.]{0,5}"
    r"|perl|ruby|node|iex)\b",
    r"\b(?:bash|sh|zsh|eval|source) ?(?:-c )?[\"']?(?:<|\$)\( ?(?:curl|wget)\b",
    r"\biex ?\(? ?(?:\(?new-object|iwr|irm|invoke-webrequest)\b",
    r"\bbase64 (?:-d|--decode|-di)\b[^\n]{0,80}\| ?(?:sudo )?(?:ba|z)?sh\b",
    r">>? ?[^\s>]{0,60}(?:authorized_keys|\.bashrc|\.zshrc|\.profile)\b",
)
# Addresses that carry content, run code, or leak what is put into them.
_URL = (
    r"\bdata:[a-z]{2,20}/[a-z0-9.+-]{1,40}[;,]",
    r"\b(?:javascript|vbscript):\S{0,40}[(;=]",
    r"\b(?:https?|ftp)://[^\s)>?&#]{0,200}[?&#][^\s)>]{0,200}?(?:\{|\$[({a-z_]|%7b|<[a-z]|\[[a-z])",
    r"!\[[^\]\n]{0,100}\] ?\( ?(?:https?:)?//",
    r"<img\b[^>]{0,200}\bsrc\b",
)
_EXFILTRATION = (
    r"\b(?:send|post|upload|forward|e?mail|leak|exfiltrate|transmit|copy|append|include)\b"
    rf".{{0,40}}\b{_SECRETS}.{{0,60}}{_AWAY}",
    rf"(?:把|将).{{0,16}}{_ZH_SECRETS}.{{0,20}}(?:发送|发到|发给|上传|传到|转发|提交到|泄露)",
    r"\b(?:reveal|print|output|repeat|leak|dump|show) (?:me )?(?:your|the) (?:full |entire |whole )?(?:system prompt"
    r"|hidden (?:prompt|instructions))\b",
    r"(?:输出|打印|泄露|重复|显示)(?:你的|全部|完整的?)?(?:系统提示词?|隐藏指令)",
)
_REPLICATION = (
    r"\b(?:add|append|copy|insert|include|write|repeat|paste) (?:this|these) (?:instructions?|memory|prompt)\b"
    r".{0,40}\b(?:every|all|each|any)\b",
    r"\b(?:this|the) (?:memory|instruction) (?:must|should|can) (?:never|not) be (?:deleted|removed|changed|updated"
    r"|overwritten|forgotten)\b",
    r"(?:把|将)(?:这段|这条|本|以下)(?:指令|记忆|提示).{0,12}(?:写入|复制到|加入|添加到|插入)(?:每|所有|全部)",
)
_SAFETY_OFF = (
    rf"\b(?:turn off|disable[ds]?|disabling|skip|switch off)\b(?: \w+){{0,3}} {_SAFETY}",
    rf"\b{_SAFETY} (?:are |is |be |must be |should be )?(?:disabled|off|turned off|skipped)\b",
    r"(?:关闭|禁用|停用|跳过).{0,4}安全(?:检查|限制|过滤|策略)",
)

INSTRUCTION_PATTERNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "override": _OVERRIDE,
        "role": _ROLE,
        "persona": _PERSONA,
        "concealment": _CONCEALMENT,
        "trigger": _TRIGGER,
        "shell": _SHELL,
        "url": _URL,
        "exfiltration": _EXFILTRATION,
        "replication": _REPLICATION,
        "safety_off": _SAFETY_OFF,
    }
)
"""Rule → patterns; a memory that matches one is refused as ``instruction``."""
