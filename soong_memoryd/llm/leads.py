"""How people begin a wish, and what makes it a rule: data for ``llm.wording``.

Owns: the tables, for the languages of ``text.intent``. Must not know: how they are used. Matched against case-folded text.
"""

from __future__ import annotations

# What stands before the thing to keep. A lead is cut off the summary; where nothing follows, the wish points back.
LEADS: tuple[str, ...] = (
    r"(?:please|pls|also|and|but|so|ok(?:ay)?|hey|btw|by the way|for the record|fyi),? ",
    r"(?:can|could|would|will) you (?:please )?(?=remember|note|keep|save|store)",
    r"(?:remember|memori[sz]e)(?: this| it)?(?: for (?:later|next time|the future))?(?: that|,|:| -)?(?= |$)",
    # "keep answers short" asks for short answers: these verbs count only with what they point at
    r"(?:note|save|store|keep|bear)(?: this| it| that)?"
    r"(?: in mind| down| (?:to|in) (?:your |the )?(?:long-term )?memory| for (?:later|next time|the future))"
    r"(?: that|,|:| -)?(?= |$)",
    r"(?:note that(?= )|(?:note|save|store|keep) (?:this|that|it)(?: please)?(?:,|:| -|$))",
    r"(?:don't|do not|never) forget(?: that|:|,)?(?= |$)",
    r"(?:make|take) a note(?: that| of|:|,)?(?= |$)",
    r"for (?:the )?future(?: reference)?,?",
    r"(?:as )?i(?:'ve)? (?:already )?(?:said|told you)(?: so| that| this)?(?: before| already)?(?:,|:)",
    r"我(?:早就|已经|都)?[说讲]过(?:的|了)?[,，]",
    r"请|麻烦|帮我|给我|你要|一定要|顺便|另外|还有|对了",
    r"(?:记住|记一下|记下来|记下|记得|记着|记录一下|别忘了|不要忘记|不要忘了|勿忘|保存一下|存一下|存下来|备注一下)(?:一点|一件事|这件事)?",
    r"(?:bitte |)(?:merk(?:e)? dir|vergiss nicht|denk(?:e)? daran|notier(?:e)?)(?:,? dass| bitte|:|,)?(?= |$)",
    r"(?:s'il te pla[iî]t,? )?(?:souviens-toi|retiens|n'oublie pas|rappelle-toi|note)(?: bien)?(?: que| qu'|:|,)?",
    r"(?:por favor,? )?(?:recuerda|no olvides|ten en cuenta|apunta|anota)(?: que|:|,)?(?= |$)",
    r"(?:por favor,? )?(?:lembre-se|lembra-te|lembra|lembre|n[aã]o (?:se )?esque[cç]a|guarde|anote)"
    r"(?: de)?(?: que|:|,)?(?= |$)",
    r"(?:per favore,? )?(?:ricordati|ricorda|non dimenticare|tieni a mente|annota)(?: che|:|,)?(?= |$)",
    r"(?:пожалуйста,? )?(?:запомни(?:те)?|не забудь(?:те)?|помни(?:те)?|запиши(?:те)?)(?:,? что|:|,)?(?= |$)",
    r"(?:覚えておいて|覚えて|メモして|忘れないで)(?:ください|下さい|ね)?[、:：]",
    r"(?:꼭 )?(?:기억해|잊지 ?마|메모해)(?: ?(?:줘|주세요|둬|라|세요))?[,:：]",
)

# Ends that ask to keep, where the wish comes last.
TAILS: tuple[str, ...] = (
    r"[,，、]?(?:please |and )?\b(?:remember|save|keep|note) (?:that|this|it)"
    r"(?: please| for (?:later|next time|the future)| in mind)?",
    r"[,，、]? ?(?:as )?i(?:'ve)? (?:already )?(?:said|told you)(?: so| that| this)?(?: before| already)?",
    r"[,，、]?我(?:早就|已经|都)?[说讲]过(?:的|了)",
    r"[,，、]?(?:请|你)?(?:记住|记一下|记下来|别忘了|记着)(?:这个|这点|这一点|了|哦|啊)?",
    r"(?:と|を|って|の|は)?(?:覚えて|記憶して|忘れないで|メモして)(?:おいて)?(?:ください|下さい|ね|くれ)?",
    r"(?:을|를|고|는 것)? ?(?:기억해|잊지 ?마|메모해)(?: ?(?:줘|주세요|두세요|라|세요))?",
)

# Words without a subject of their own: a wish that holds no others points back.
_POINTERS = """
remember note save store keep memory mind forget memorise memorize that this it these those them thing things link url page rule
fact point info information one above last again already important please always future later next now time day
way general generally same
记 住 记住 这 那 这个 那个 这点 这条 这些 下来 一下 存 保存 链接 重要 规则 覚えて 記憶 기억해 줘
merk notiere wichtig souviens retiens recuerda lembra ricorda запомни запиши
"""
POINTERS = frozenset(_POINTERS.split())

# They tell the agent how to work. Without one of them a sentence is about the person.
RULES: tuple[str, ...] = (
    r"\b(?:always|never|don't|do not|stop|avoid|make sure|ensure|must(?:n't)?|should(?:n't)?|from now on|going forward"
    r"|in (?:the )?future|instead of|by default|whenever|every time|no more)\b|^no\b",
    r"^(?:use|write|answer|reply|respond|call|run|ask|show|put|keep|format|name|prefix|commit|push|test|explain|translate)\b",
    r"以后|今后|从现在起|从今往后|总是|一律|永远|不要|不准|不许|别(?!人|的)|必须|务必|一定要|都要|都用|都写|尽量|禁止|请用|默认",
    r"先.{1,12}再",
    r"今後|これから|必ず|常に|いつも|しないで|絶対",
    r"앞으로|항상|절대|반드시|하지 ?마|말아",
    r"\b(?:immer|nie|niemals|ab jetzt|ab sofort|künftig|in zukunft|keine?n?|sollst|musst)\b",
    r"\b(?:toujours|jamais|désormais|desormais|dorénavant|dorenavant|à partir de maintenant|ne .{1,30} pas)\b",
    r"\b(?:siempre|nunca|jamás|de ahora en adelante|a partir de ahora|sempre|mai|d'ora in poi|a partir de agora)\b",
    r"\b(?:всегда|никогда|впредь|с этого момента|отныне|не надо|не нужно)\b",
)

# The person speaks about the person, even where a word of RULES follows ("I always …", 我一直…).
ABOUT_SELF: tuple[str, ...] = (
    r"^(?:i|i'm|i've|i'd|my|mine|we|we're|our)\b",
    r"^(?:我|我们|本人|咱)(?!要你|想让你|希望你)",
    r"^(?:私|僕|俺|저는|제|나는|내)",
    r"^(?:ich|mein(?:e|er)?|wir|unser(?:e)?|je|mon|ma|mes|nous|yo|mi|mis|soy|tengo|eu|meu|minha|sou|io|mio|mia|sono)\b",
    r"^j'|^(?:я|мой|моя|мне|у меня)\b",
)
TO_THE_AGENT: tuple[str, ...] = (
    r"^i (?:want|need|expect|would like|'d like) you\b|^i'd (?:like|prefer) you\b|^(?:i|we) (?:don't|do not|never) want\b",
    r"^我(?:希望|想|要|需要)你|^我不(?:希望|想|要)(?:你|看到)",
)

# About the code at hand, not about the person: it would be wrong in every other project.
PROJECT: tuple[str, ...] = (
    r"\b(?:this|the|our) (?:\w+ )?(?:repo|repository|project|codebase|code base|monorepo)\b",
    r"(?:这个?|本|该)(?:仓库|项目|代码库|工程)",
    r"この(?:リポジトリ|プロジェクト|コードベース)",
    r"이 (?:저장소|프로젝트|레포|코드베이스)",
    r"\b(?:diese[smrn]?|unser(?:em|er)?) (?:repo|repository|projekt|codebasis)\b",
    r"\b(?:ce|notre) (?:dépôt|depot|projet|repo)\b",
    r"\b(?:este|nuestro|neste|deste|nosso) (?:repo|repositorio|repositório|proyecto|projeto)\b"
    r"|\b(?:questo|nostro) (?:repo|repository|progetto)\b",
    r"\b(?:этом|этого|этот) (?:репозитори\w+|проект\w*)",
)

NEGATIONS: tuple[str, ...] = (
    r"\b(?:not|no|never|don't|doesn't|isn't|aren't|won't|can't|cannot|without|avoid|stop|nor|instead)\b",
    r"不|没|别|勿|禁止|ない|なく|ません|안 |못 |않|마라",
    r"\b(?:nicht|kein\w*|nie|niemals|ne|pas|jamais|sin|nunca|não|nao|non|mai|не|нет|никогда)\b",
)
