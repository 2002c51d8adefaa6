"""Words that say nothing about a subject, and words that say little: data for ``text.terms``.

Owns: the lists. Must not know: how they are used.
"""

from __future__ import annotations

_ENGLISH = """
a about above after again against all also am an and any are aren't as at be because been before being below between both
but by can cannot can't could did do does doesn't doing don't down during each either else etc few for from further had has
have having he her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like may
me might more most much must my myself no nor not now of off on once one only or other our ours out over own per please same
shall she should so some such than that that's the their them then there there's these they this those through to too under
until up upon us very was we we're were what what's when where where's which while who whom whose why will with would yes
yet you your yours yourself hi hello hey ok okay thanks thank tell know
"""
_OTHER_LATIN = """
der das dem des ein eine einen einem einer und oder aber nicht ist sind wie was wo wer wann warum ich du er sie wir ihr mein
dein mir mich dir dich mit von zu zum zur auf aus bei nach für fur im ins als auch noch bitte kann soll le la les un une de
et ou mais est sont je tu il elle nous vous mon ma mes ton ta dans sur avec par que qui quoi quel quelle ce cette ces pas ne
se si el los las una unos y o pero es yo mi mis sus en con por para como cual donde cuando al del lo no as um uma e mas eu
meu minha seu sua em na nos nas com qual onde quando ao da do gli uno ed sono mio mia nel nella di che chi dove alla
"""  # German, French, Spanish, Portuguese, Italian; without what is a word of its own in English (die, son, comment)
_RUSSIAN = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня о из ему где
кто когда это мой моя для
"""
STOP_WORDS = frozenset(f"{_ENGLISH} {_OTHER_LATIN} {_RUSSIAN}".split())

# They occur in questions and notes about anything; alone they prove no relation.
_COMMON = """
use using user users used new old make made making get got getting go goes going set do thing things way ways need needs
want wants work works working project projects good better best first last next time times day days today year add added
change changed help show give take put find look see think say said start started stop end keep kept lot bit part kind type
two three own never always everything something anything nothing every without within instead different example really still
even right left big small large whole problem question answer word words line lines side point case try trying back come
comes came ask asks asked allow wanted setup explain service services prefer prefers like likes live lives list page link
write create open check read prepare
"""
COMMON_WORDS = frozenset(_COMMON.split())

# The same in Chinese.
_COMMON_PIECES = """
写 做 放 放在 放到 存到 看看 查看 打开 创建 新建 添加 增加 修改 整理 准备 设置 解释 推荐 喜欢 想要 开始 今年 今天 时间 每次 每天
平时 一次 一段 一份 一篇 一句 工作 项目 问题 新的 最好 不同 例子 地方 东西 部分 内容
"""
COMMON_PIECES = frozenset(_COMMON_PIECES.split())

# Chinese and Japanese function words: where they stand, a run of characters falls apart.
_JOINED = """
为什么 怎么样 有没有 是不是 能不能 可不可以 什么 怎么 怎样 如何 哪里 哪儿 哪个 哪些 这个 那个 这些 那些 这里 那里 这样
一个 一些 一下 一点 一种 一律 我们 你们 他们 自己 帮我 帮忙 告诉 应该 可以 需要 必须 不要 不能 关于 对于 以及 还是 或者
并且 因为 所以 如果 但是 然后 现在 之后 之前 以后 以前 的时候 时候 已经 正在 用户 使用 有关 进行 所有 全部 请 谁 的 了
是 在 把 给 和 与 或 及 我 你 您 他 她 它 们 这 那 吗 呢 吧 啊 呀 就 都 也 还 很 会 要 能 被 让 向 从 到 对 为 着 过 个
些 下 之 其 用 不 ください について という ですか です ます から まで より これ それ どこ なに の は が を に で と も
へ や
"""
STOP_PIECES = frozenset(_JOINED.split())
