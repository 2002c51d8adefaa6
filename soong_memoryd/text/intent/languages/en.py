"""English phrases."""

from soong_memoryd.text.intent.languages.en_preferences import PREFERENCES
from soong_memoryd.text.intent.languages.en_wishes import WISHES
from soong_memoryd.text.intent.languages.en_words import AGENT_VERB, POINT, REMEMBER, START, STRONG, SUBJECT, TO_AGENT, WEAK
from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

ENGLISH = Phrases(
    language="en",
    clause_starts=START,
    hints=(
        "remember|rember|remeber|rememeber|retain|note|mind|forget|memor|jot|write"
        "|store|save|record|keep|know|aware|now on|here on|forward|future"
        "|henceforth|hereafter|next time|always|never|every|whenever|any time|prefer|favo|by default|rule|habit|unless"
        "|without|before|ever|like|love|hate|want|suit|for me|rather|usually|stand|starting"
        "|further notice|permanent|for good|told you|all times|bookmark|learn|each time|i only|in general|generally"
        "|this point|this moment|from today|as of|one thing|i tend|normally|typically|again|for all|in all|for any|each"
        "|circumstances|exception|jot|i work best|can't stand|cannot stand|learn best|no more|must|allowed|not to"
        "|otherwise|call me|agree"
    ),
    wishes=WISHES,
    rules=(
        rf"{CLAUSE}(?:{STRONG})\s?[,:;—–-]*\s*(?!{SUBJECT})\S",
        rf"{CLAUSE}(?:{WEAK})\s?[,:;—–-]*\s*{TO_AGENT}(?:{AGENT_VERB}|i(?:'d)? (?:always |would "
        rf"|really )*(?:prefer|like|want|need|expect)|let's|let me)",
        r"\bas of (?:now|today),? (?:please|no|always|never|don't|use|(?:we|i) (?!have|are|am|got|can|will|need|see|don't|still"
        r"|get|know)\w+)",
        rf"{CLAUSE}(?:{WEAK}),? (?:so )?please \w",
        rf"{CLAUSE}(?:as a (?:general )?rule|(?:for |the )?next time|in (?:the )?future)\s?[,:;—–-]*\s*(?:please "
        r"|just )*(?:no(?! (?:one|body|longer|idea|problem|doubt))|never|don't|do not|dont|avoid|only|less|fewer) \w",
        rf"^(?!{SUBJECT}|why|if|because|so that|when\b|does|did|would"
        rf"|since).{{2,160}}?\b(?:{STRONG})\s*(?:[,.!;:)—–]|please|ok|thanks|pls|$)",
        rf"{CLAUSE}{TO_AGENT}{AGENT_VERB}\b.{{1,120}}?\b(?:in (?:the )?future|next time|by default"
        rf"|as a (?:general )?rule|in general|unless i (?:say|ask|tell you)(?: otherwise| so| for \w+| you to"
        rf"| me)?)\s*(?:[,.!;:)—–]|please"
        rf"|ok|thanks|pls|$)",
        rf"\byou (?:should|must|can|need to|have to|are to)\b.{{2,100}}\b(?:{STRONG})",
    ),
    preferences=PREFERENCES,
    requests=(
        rf"\b(?:can|could|would|will) (?:you|u) (?:please |kindly |just |also )*(?:{REMEMBER}|note|save|store"
        rf"|write down)\b.{{0,60}}?"
        r"\b(?:for (?:next time|later|the future|all|every|future)|in (?:the )?future|going forward|from now on|that our)\b",
        r"\b(?:can|could|would|will) you (?:please |kindly |just |also )*(?:jot down|write down|keep a note"
        r"|make a note|put down)(?: that|:|,)*\s*(?:i|i\'m|i\'ve|my)\b",
        r"\b(?:can|could|would|will|may i ask|would you mind|is it possible for|do you mind|mind"
        r"|want) ?(?:you |u |ya )?(?:please |kindly |maybe |just |also |try to |to )*(?:remember(?:ing)?|note|mak(?:e"
        r"|ing) (?:a )?note|tak(?:e|ing) note|keep(?:ing)? in mind|bear(?:ing)? in mind|memori[sz]e|know|stor(?:e"
        r"|ing)|sav(?:e|ing)|record)(?: (?:please|of|also|for (?:me|later|next time|the future|future \w+)|that"
        r"|this(?: fact)?|the fact that|down)|[,:])*\s*(?:i|i'm|im|i've|i'd|my)\b(?! (?:said|told|asked|mentioned"
        r"|last|previous|just))",
        r"\b(?:can|could|would|will) you (?:please |kindly |just |also )*(?:remember|save|store|keep|note(?: down)?"
        r"|memori[sz]e|write down|bookmark|keep a note of|make a note of) (?:this|that|it|these|those)(?: (?:link"
        r"|fact|url|address|preference|rule|down|in mind|for (?:me|later|next time|future \w+|the (?:future"
        r"|next time))|as a preference|please|permanently|in (?:your )?memory|to (?:your )?memory))*\s*[?,.:]",
        r"\b(?:can|could|would|will) you (?:please |kindly |just |also )*(?:save|add|put|store|write|record"
        r"|commit)\b.{1,80} (?:to|in|into|as) (?:your |my |the |a )?(?:long[- ]term |user "
        r"|persistent )*(?:memor(?:y|ies)|preferences?|profile|notes about me)\s*\?",
        rf"\b(?:can|could|would) you (?:please |kindly |just |also )*(?:always|never|stop always"
        rf"|{STRONG},?) {AGENT_VERB}",
        rf"\b(?:can|could|would|will) you (?!still|be able).{{2,120}}\b(?:{STRONG})\b",
        rf"{CLAUSE}(?:{STRONG}|in (?:the )?future|next time),? (?:can|could|would|will) you (?:please |just "
        rf"|always |not |never )*{AGENT_VERB}",
        rf"^(?:{STRONG}),? (?:let's|please|always|never|use|write|answer|reply)\b.{{2,120}}\b(?:ok|okay|alright"
        rf"|yes|right|please|deal|understood|got it)\s?\?",
    ),
    keeps=(
        r"^(?:this|that|it|the same|same) (?:also )?(?:applies|goes|holds|counts) (?:for|to) (?:all|every|any|each|future)\b",
        rf"{CLAUSE}(?:remember|save|keep|store|record|bookmark|memori[sz]e|don't forget|do not forget"
        rf"|note(?: down)?|make (?:a )?note of|take note of|write down|jot down|hold on to|hang on to"
        rf"|keep (?:a )?(?:note|record) of|log|keep in mind) {POINT}(?!\s*\S{{0,3}}\s*\ufffc?(?:to|in|into"
        rf"|as) (?:the )?(?:file|disk|readme))",
        rf"{CLAUSE}(?:remember|save|keep|store|record|bookmark|note(?: down)?|write down|jot down|hold on to"
        rf"|hang on to|make (?:a )?note of|take note of|file) (?:this|that|the|those|these|both) (?:wiki |doc "
        rf"|docs |first |second |last |other )?(?:links?|url|urls|address|addresses|page|pages|bookmark|fact|facts"
        rf"|info|information|detail|details|preference|preferences|reference|rule|lesson|insight|tip|site|contact"
        rf"|location|path|name|names|number|date|nickname|setup|one|convention|doc|docs|documentation page)(?: (?:please"
        rf"|for (?:me|later|next time"
        rf"|future \w+|the future)|somewhere|too|in (?:your )?memory|down|handy|around))*\s*(?:[,.!;?)—–]|and\b|$"
        rf"|i'll|i will|because|since|so)",
        rf"{CLAUSE}(?:write|note|jot|put|get|mark|take) (?:this|that|it|these|those) down(?! (?:in|to|into|on"
        rf"|as) (?!(?:your |my )?(?:memory|notes)))\b",
        rf"{CLAUSE}keep (?:this|that|it|these|those)(?: (?:one|fact|info))? (?:in mind|in memory|for (?:later"
        rf"|next time|future \w+|the future)|on record|handy)\b(?! (?:when|while|as) (?:you|we))",
        r"\b(?:can|could|would|will) you (?:please |kindly |just |also )*(?:remember|save|keep|note|store|bookmark"
        r"|write down|memori[sz]e) (?:this|that|it|these|those)(?: (?:link|url|page|address|one|fact|down|please"
        r"|in mind|for (?:me|later|next time|future \w+|the (?:future|next time))))*\s*\?",
        rf"{CLAUSE}(?:save|keep|store|bookmark|note(?: down)?) (?:this|that|the|those|these) (?:\w+ ){{0,3}}?(?:links?"
        r"|urls?|pages?|address(?:es)?|site|one) (?:(?:to|in|into|under|among) (?:my|your) \w+|(?:to|for|of) (?:the|our|my)"
        r" (?!readme|docs?\b|file|changelog|csv)[\w -]{2,40}|for (?:me|later|next time|future \w+))\s*(?:[:,!;)—–]|\.(?!\w)|$)",
        r"\bworth (?:remembering|keeping|saving|noting down|keeping in mind)\s*(?:[,.!]|$|when(?:ever)? you|for (?:later|next"
        r" time|future))",
        r"^(?:that|this|which)(?:'s| is) (?:something )?(?:for you )?(?:to remember|to keep|worth remembering"
        r"|one to remember|a keeper)\b",
    ),
    one_off=(
        r"\b(?:in|for|inside|within) this (?!project|repo|codebase|company|team|house|machine|laptop|computer"
        r"|account|workspace|country|city|order|way|style|format|language|regard)\w+",
        r"\bnever (?:use|call) (?:this|that) (?:function|method|class|one|variable|helper|module)\b",
        r"\b(?:in|for|on|of|with|into|to|from|during) this (?:pr|pull request|mr|commit|branch|task|ticket|issue"
        r"|change|changeset|file|function|class|test|module|case|one|step|release|run|round|feature|fix"
        r"|refactor(?:ing)?|migration|question|script|review|email|sprint|page|screen|component|document|demo"
        r"|exercise|problem|message|chapter|example|method|query|table|section|patch|assignment|puzzle|build"
        r"|deploy(?:ment)?|debug\w*|experiment|story|draft|paragraph|slide|presentation|essay|poem|article|bug|quiz"
        r"|line|loop|plan|iteration)\b",
        r"\b(?:this time|just (?:this )?once|only (?:this )?once|for now|right now|for the moment|at the moment"
        r"|for the time being|before you (?:finish|merge|close|submit|are done|leave|end)|before (?:merging"
        r"|closing) (?:this|the)|temporarily|until i(?:'m| am) back|while i(?:'m| am)|for today|as a one-off"
        r"|one-off|tonight's|when you're done|when (?:you are )?done|after that|once (?:it's|that's|you're) done"
        r"|in the meantime|here,? then)\b",
    ),
    choices=(
        r"\b(?:prefer|favou?r|like|rather|want|love|preference|preferred)\b.{0,20}\b(?:option|variant|alternative"
        r"|choice|plan(?! (?:before|first|after))|approach|design|version|proposal|solution|idea|layout|mockup"
        r"|draft) ?(?:#?\d|[a-f]\b|one|two"
        r"|three|first|second)?\b(?!s\b)",
        r"\b(?:prefer|favou?r|like|love|hate|rather|want)(?: more| better)? (?:the (?:first|second|third|last"
        r"|latter|former|other|old|new|previous|current|left|right|original|one|way (?:you|this|it)|name|look|color"
        r"|colour|idea|fix|result|output|dark one|light one)|this|that|it\b(?! (?:when|if))|these|those"
        r"|your (?:first|second|idea|suggestion|version|approach|proposal|fix|solution)|[a-d]\b(?! )|#?\d|one of"
        r"|neither|both|number \d|if we)\b",
        r"\b(?:prefer|favou?r|like|rather|want|love)\b.{0,30}\bof (?:these|those|the|both|your) (?:two|three|four|options)\b",
        r"\bprefer not to\b(?! (?:have|use|see|get|write|add|be|receive|read))",
        r"\b(?:here|go ahead|let's (?:go|do|use|keep|try)|do that|in this (?:case|situation)|today|this afternoon"
        r"|for this|ship it)\b",
        r"\bi want (?:to|a|an|the|some|it|this) ",
    ),
    vetoes=(
        r"\b(?:in|for|during|throughout|rest of) (?:the rest of )?(?:this|the current|our) (?:chat|conversation"
        r"|session|thread|game|role-?play|story|scenario|discussion|interview|simulation|exercise)\b",
        r"\b(?:just for fun|for fun|just kidding|just joking|only a game|just a game|role-?play|pretend|let's play"
        r"|play (?:the role|a game)|in character|you(?:'re| are|'ll be| will be| will act)(?: now"
        r"| going to be)? (?:a|an|my (?:\w+ )?(?:assistant|girlfriend|boyfriend|teacher|tutor)|the (?:narrator"
        r"|dungeon)|acting|dan)\b|act (?:as|like)|talk like|speak like a|imagine)\b",
        r"\b(?:he|she|they|docs?|documentation|readme|manual|articles?|posts?|page|guide|boss|teacher|mom|mum"
        r"|mother|dad|linter|book|error(?: message)?|message|it|comments?|text|colleague|friend|reviewers?|prompt"
        r"|song|quote|tutorial|manager|coworker|copilot|chatgpt|claude|agent|bot|assistant|website|site|spec|rule"
        r"|policy|rfc|someone|people|everyone|client|customer|model|blog|author|warning|banner|popup|tooltip|label"
        r"|button)s? (?:\w+ )?(?:says?|said|saying|told|tells|states?|reads?|wrote|writes|recommends?|suggests?"
        r"|warns?|advises?|insists?|reminds?|reminded|asks|asked|keeps? saying|shows|mentions|claims)\b",
        r"\b(?:remember|save|keep|don't forget)[ -](?:(?:my|their|the|user|login|last|your|this) ){0,2}(?:me"
        r"|signed in|logged in|password|login|choice|selection|device|user|username|credentials|email|browser"
        r"|position|filter|state"
        r"|setting|card)s?\b.{0,25}\b(?:checkbox|check box|option|button|toggle|feature|box|cookie|token|field"
        r"|functionality|flag|login|log-in|sign-in|page|screen|dialog|modal|form|popup|switch|tick|label)\b",
        r"\b(?:the|a|an|each|every|all|our|any) (?:end )?(?:users?|customers?|clients?|visitors?|players?"
        r"|admins?)(?:'s|')? (?:\w+ )?(?:can|must|should|will|may|might|has|have|is|are|to|who|clicks?|opens?|logs?"
        r"|always|never|wants?|prefers?|sees?|needs?|gets?)\b",
        r"\bhow (?:do|can|would|should|to|does)\b|\bwhat (?:does|do|is|did|happens|would)\b|\bwhy (?:does|do|is|did"
        r"|are|was|would|isn't|doesn't)\b|\b(?:do|did|don't|didn't|does) you (?:still |even |really )?(?:remember"
        r"|recall|know|forget|have)\b",
        r"\b(?:i|we) (?:don't |still |do |can't |cannot |vaguely |just |only |clearly )*(?:remember|recall)\b"
        r"|^(?:(?:sorry|oh|oops),? )?(?:i|we) (?:always |almost |never )?for(?:got|get)\b",
        r"\b(?:do|did|does|was|is|are|were|has|have|should|will|would) (?:it|this|that|they|he|she|the|i|we"
        r"|there)\b.{0,120}\?",
        r"\b(?<!worth )(?:remember(?:s|ed|ing)?) (?:back|when|how|what|where|all the|the (?:time|good|days|last|bug|issue"
        r"|error|thing|file|function)|that (?:bug|time|issue|error|function|file|thing|one time|script|conversation"
        r"|day)|we (?:talked|discussed|did|had|fixed))\b",
        r"\b(?:never|always) (?:been|seen|works?|worked|fails?|returns?|called|used|read|gets?|happens?|renders?"
        r"|loads?|crash\w*|throws?|true|false|null|on\b|there\b)",
        r"\b(?:never mind|as always|now or never|like always|better late than never|bright side|never say never"
        r"|always happy"
        r"|you never know|thank you as always|happy as always|almost never|hardly ever|if ever|than ever"
        r"|for ever and)\b",
        r"\buntil (?:the|this|all|these|it|that) [\w ]{0,20}(?:pass|passes|is|are|works?|done|fixed|merged|green)\b"
        r"|\bso that (?:going forward|in (?:the )?future|from now on|next time)\b|\bin case\b",
        r"\b(?:function|method|class|variable|endpoint|hook|composable|decorator|macro|struct|enum) \w{1,30} ?\(",
    ),
    roles=(
        r"^(?:you(?:'re| are| will be| will act) (?:now |going to be |acting as )?(?:a|an|the|my|our|dan)\b"
        r"|you are (?:\w+, )?(?:a|an) |act as |pretend |imagine (?:you|that you)|ignore (?:all|previous|your|any)"
        r"|your (?:task|role|job) is\b|let's (?:play|role)|from now on,? (?:you(?:'re| are| will be"
        r"| will act)(?: going to)?|act|pretend|behave|play) (?:a|an|as|the|my|like|to be|dan)\b|in this (?:thread"
        r"|chat|conversation|game|session|scenario)\b|task:|instructions:|system:|as a (?:sub-?agent|senior"
        r"|expert))",
    ),
    handovers=(
        r"\b(?:translat\w+|summari[sz]e|proofread|rephrase|reword|rewrite|paraphrase|tl;?dr|spell-?check"
        r"|transcribe)\b[^:]{0,80}:",
        r"\b(?:explain|analy[sz]e|review|polish|improve|shorten|correct|check|fix|parse|classify|convert|label"
        r"|critique|comment on|reply to|respond to|look at|consider|read|edit|format|debug|grade|evaluate"
        r"|evaluating|here(?:'s| is| are)|below is|is from|got|received|found|saw|comes from)\b[^:]{0,60}\b(?:this"
        r"|these|those|the following|following|below|text|sentences?|paragraphs?|e-?mails?|mails?|letters?|notes?"
        r"|messages?|snippet|documents?|articles?|quotes?|passage|prompts?|comments?|tweets?|posts?|lyrics|poem"
        r"|others|feedback|log|output|error|readme|spec|review|docs|page|file|config|lines?)\b[^:]{0,30}:",
        r"\b(?:fix|correct|check|improve|mend) (?:the |my |its )?(?:\w+ )?(?:grammar|spelling|wording|style|tone|typos?|english"
        r"|punctuation)\b[^:]{0,30}:",
        r"^(?:what does this mean|for example|e\.g\.|example|quote|from the docs|the (?:docs?|readme|article|prompt"
        r"|text|error|log|e-?mail|letter) (?:says?|reads?|is))[^:]{0,30}:",
        r"\b(?:add|put|write|insert|include|use|set|change|append|with)\b[^:]{0,50}\b(?:comment|line|text|label"
        r"|message|heading|title|tooltip|readme|banner|docstring|changelog|sentence|string|caption|placeholder|copy"
        r"|hint|file|note to the (?:readme|docs))\b[^:]{0,30}:",
    ),
    tags=(
        r"[,.;!—-]? ?(?:ok|okay|alright|all right|right|please|pls|got it|understood|deal|yes|fine|clear"
        r"|can you do that|could you do that|would you|will you|is that ok|sounds good|agreed|cool|yeah|hear me"
        r"|remember)\s?\?+$",
    ),
    assents=(
        "yes|yep|yeah|yup|y|ok|okay|k|sure|fine|right|correct|exactly|go|ahead|do|it|please|thanks|thank|you|thx|great"
        "|good|perfect|cool|nice|awesome|sounds|alright|that's|that|works|looks|lgtm|agreed|approved|confirmed|continue"
        "|proceed|carry|on|no|problem|got|understood|absolutely|definitely|of|course"
    ),
)
