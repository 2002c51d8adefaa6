"""English wishes to keep something, and orders that hold whenever their case comes up."""

from soong_memoryd.text.intent.languages.en_words import (
    AGENT_VERB,
    AT_HAND,
    KEEP,
    ME,
    ORDER,
    REMEMBER,
    STRONG,
    TO_AGENT,
    UNASKED,
)
from soong_memoryd.text.intent.phrases import CLAUSE

WISHES = (
    rf"{CLAUSE}(?:remember|note|keep in mind|don\'t forget)(?: that|:|,)\s*[\w -]{{2,40}}(?:is|are|lives?"
    rf"|sits?|runs?)(?: \w+)? (?:at|under|on|in)?\s?\ufffc",
    rf"{CLAUSE}{KEEP}(?: that|:|,)+\s*our [\w ]{{2,40}}(?:is|are|happens?|starts?|ends?|goes|go|runs?) "
    r"(?!.*, ?(?:so|then|and|but)\b)",
    r"^(?:please )?forget (?:what|everything|all) i (?:said|told you)\b",
    rf"{CLAUSE}forget (?:about )?(?:the|my|that) .{{2,40}}?[,;—–-] ?i(?:'ve| have)? (?:stopped|left|quit|moved|switched|gave"
    r" up|no longer|now|don't .{2,30} any ?more|am (?:no longer|now)|changed)\b",
    r"^(?:always|ever|no exceptions ever|every (?:single )?time|no exceptions|everywhere)\s*[.!]+$",
    r"^for (?:all|every|any|each) (?:of )?(?:my |your |new |future )(?:\w+ )?(?:functions?|methods?|class(?:es)?"
    r"|files?|features?|modules?|changes?|bugs?|quer(?:y|ies))\b[^?]{0,20}?,? (?:please |always |never "
    r"|you )*(?:use|write|i want|add|include|avoid|ask|run)\b",
    # a wish with a fact about the person
    rf"{CLAUSE}{KEEP}(?: (?:please|also|well|for (?:me|later|next time|the future|future \w{{1,12}})|that"
    rf"|this(?: fact| about me)?|the fact that|of the fact that|down)|[,:—–-])*\s*{ME}(?! (?:said|told|asked"
    rf"|mentioned|showed|sent|wrote|fixed|discussed|talked|did|changed|just|already))",
    rf"{CLAUSE}{KEEP}(?: that|:|,|—| -)\s*(?:[,-]\s*)?(?:for|on|in|when|whenever|if|as|during|after|before|at"
    rf"|with|from|unless|since|because|regarding|about)\b.{{0,50}}?[, ]{ME}",
    rf"{CLAUSE}{KEEP}(?: that|:|,)?\s*.{{2,40}}? (?:is|are|was) (?:my|our (?:team|company|group|boss))\b",
    rf"{CLAUSE}{KEEP}(?: that|:|,)?\s*(?:the|our|this|all) [\w ]{{2,50}}(?:is|are|lives?|sits?"
    rf"|stays?)(?: \w+)? (?:at|under|on|in|here:?)?\s?\ufffc",
    rf"{CLAUSE}(?:remember|note|keep in mind|don't forget|bear in mind)(?: that|:|,)*\s*(?:to )?(?:always|never"
    rf"|whenever|every time|not to ever|no matter what|under no circumstances)\b",
    rf"{CLAUSE}(?:remember|memori[sz]e) (?:my|me as)\b(?! (?:last|previous|mistake|question|comment|earlier"
    rf"|scroll|tests?|pr)\b)",
    r"^(?:for the record|just so you know|so (?:that )?you (?:know|remember|don't forget)|for your information"
    r"|for your memory|fyi|note to self"
    r"|you should know(?: that)?|you ought to know|heads up)[,:]?(?: that)?\s*(?:i (?:prefer|use|work|am|hate"
    r"|like|always|never|live|have)|i'm|my [\w ]{2,30} (?:is|are))\b(?!.{0,30}\b(?:going|about|working on"
    r"|pushing|seeing|getting)\b)",
    rf"\b(?:to|worth) (?:remember|remembering|keep in mind|bear in mind|note|noting|know|knowing"
    rf"|memori[sz]e)\s*[:—–-]\s*{ME}",
    r"^(?:i|i'm|i've|my|we|our)\b.{3,110}[,;—–-] ?(?:so |and )?(?:please |pls |kindly )?(?:remember"
    r"|keep (?:that |it |this )?in mind|bear (?:that |it |this )?in mind|note (?:that|it|this)"
    r"|don't forget(?: it| that| this)?|make a note(?: of (?:it|that|this))?|take note|remember (?:that|it"
    r"|this))(?:,? please| for .{2,20})?\s*[.!]*$",
    r"^(?:\w+ )?(?:note|reminder|heads[- ]up|info|fact|remark) for (?:later|next time|the future|the record"
    r"|future \w+|you to keep)\s*[:,—–-]\s*(?:i|i'm|i've|my)\b",
    rf"{CLAUSE}for (?:all )?(?:my|future) [\w ]{{2,30}}, (?:always |please )*(?:use|write|prefer|stick|default)\b",
    # a cue to remember with its scope, or with a colon before anything that is not the work at hand
    rf"{CLAUSE}{REMEMBER}(?: this| that| it)?,? (?:for|in|across|with|on) (?:all|every|each|any|future|later"
    r"|the future|next time|good|ever)\b",
    rf"{CLAUSE}(?:please )?(?:note|save|store|keep|write down|log)(?: this| that| it)? for (?:all|every|any|future|later|next)"
    r" (?:of |my |our |the )?(?!steps?\b|line\b|test\b|run\b|users?\b)\w+",
    rf"{CLAUSE}{REMEMBER}(?: this| that| it)?,? (?:(?:for|in|across|with|on) (?:my|our) [\w ]{{2,30}}[:,]|about (?:me"
    rf"|us|my (?:team|company|setup)|our (?:team|company|office|setup))\b)",
    rf"{CLAUSE}{REMEMBER}(?: that|:|,)* (?:in|for|on) (?:this|our|the) (?:repo|repository|project|codebase|company"
    r"|team|workspace)\b",
    rf"{CLAUSE}{REMEMBER}(?: this| that)?,? (?:{STRONG}|forever|long[- ]term|in (?:the )?future|next time|by default"
    rf"|as a (?:general )?rule)\b",
    rf"{CLAUSE}{REMEMBER}(?: please| well| for (?:me|later|next time))*\s?:(?<!forget:)\s*(?!{AT_HAND})\S",
    rf"{CLAUSE}(?:don't|dont|do not|never) forget:\s*(?!{AT_HAND}|the\b)\S",
    rf"{CLAUSE}{REMEMBER} (?:it|this) (?:when(?:ever)? you|while you|if you|for the rest of|as long as)\b",
    rf"{CLAUSE}(?:bookmark \ufffc|(?:save|keep|store|remember|note) \ufffc (?:for (?:me|later|next time|future)|somewhere))",
    r"\b(?:to|worth) (?:remember(?:ing)?|keep(?:ing)? in mind|bear in mind|not(?:e|ing)|know(?:ing)?"
    r"|memori[sz]e) (?:about (?:me|us|my|our)|for (?:all"
    r"|every|each|any|future|later|next)|in (?:all|every|each|any|future)|with (?:me|us))\b[\w ]{0,60}[:—–-]",
    rf"{CLAUSE}(?:(?:make|keep|take) (?:a )?(?:mental )?note|write down|jot down|memori[sz]e|store|save)(?: that"
    rf"|:) (?!{AT_HAND}"
    r"|the\b)\w",
    rf"{CLAUSE}for (?:next time|later|the future|future \w+|all (?:my|our|future) \w+),? (?:please )?{REMEMBER}\b",
    r"\b(?:remember|rember|keep in mind|don't forget|note|memori[sz]e)(?: that|:|,)*\s*(?:我|本人|私|僕|俺|나는|내가|저는"
    r"|제가)",
    r"\byou (?:keep|always|constantly) (?:forget(?:ting)?|ignor(?:e|ing)) (?:that )?(?:i|i'm|my|our)\b",
    r"^(?:(?:please|and|also|ok)[, ]+)*stop (?:using|adding|writing|saying|putting|suggesting|asking|calling me|apologi[sz]ing"
    r"|repeating) (?!the\b|this|that|it\b|these|those|them|my\b|an?\b|here|now)\w",
    # a fact about the person, and the cue after it or in the middle
    r"^(?:(?:btw|by the way|fyi|also|and|ok|hey|ps|oh|yes|no|well|so)[,:]? )*(?:i|i'm|i've|my|our)\b.{3,110}"
    rf"[,;—–-] ?(?:so |and )?(?:please |pls |plz |kindly )?(?:{REMEMBER}|keep (?:it|that|this) in mind|bear (?:it|that"
    r"|this) in mind)(?: it| that| this)?(?:,? (?:please|pls|ok|thanks))?\s*(?:[.!]*$|[,;])",
    # a place to keep it
    r"\b(?:save|add|put|store|write|record|log|file|keep|note|bookmark|stick)\b.{0,80}? (?:to|in|into|under"
    r"|among) (?:your|my) (?:own |personal )?(?:notes?|notebook|references?|bookmarks?|reading list|link list"
    r"|memory (?:file|bank)|favou?rites)\s*(?:[:,!)—–]|\.(?!\w)|$|that\b|please\b|for\b|i\b|we\b)",
    r"\b(?:save|add|put|store|commit|write|record|log|persist|remember|stick|file|keep|note|make"
    r"|create)\b.{0,80}? (?:to|in|into|as|under|among) (?:your |my |the |a |an |our )?(?:long[- ]?term |user "
    r"|persistent |global |standing |personal |general |permanent )*(?:memor(?:y|ies)|preferences?|user profile"
    r"|profile|notes about me|knowledge about me|standing (?:rule|order|instruction)|rule for (?:me|you"
    r"|next time|the future))\s*(?:[:,.!)—–-]|that\b|please|for\b|$)(?!.{0,30}\b(?:instead of|localstorage|disk"
    r"|cache|database|table|rather than)\b)",
    r"^(?:(?:please|ok|also|and)[, ]+)*(?:save|add|put|store|new|update) (?:a |an |to |in |into |your |my "
    r"|the )*(?:memory|memories|preference|memory note|memory entry|user profile)\s*[:—–-](?!\s*\d)",
    rf"{CLAUSE}update (?:your|my|the) (?:memory|memories|notes on me|notes|profile"
    r"|preferences|knowledge)\b",
    r"^(?:memory|preference|standing rule|new (?:standing )?rule|house rule|general rule|rule of thumb"
    r"|ground rule|my (?:rule|preference|one rule))\s*[:—]",
    r"\b(?:add|put|save|write|note|store|update|change|correct|fix)\b.{0,40}? ?\bwhat you (?:know|remember|have|keep|noted"
    r"|saved)"
    r"(?: down)? (?:about|on|of) (?:me|us)\b",
    r"\b(?:save|add|commit|write)(?: this| that| it)? to (?:your )?(?:long[- ]?term )?memory[:,]? (?:that|i|i'm|my|our|we)\b",
    r"^(?:just )?(?:so (?:that )?(?:it's|it is|this is|that's|you have (?:it|this)) in your (?:notes|memory)|for your (?:memory"
    r"|notes|records)|for future reference)\s*[:,—–-]\s*\S",
    rf"{CLAUSE}keep (?:this|that|it) (?:stored|saved|noted|on file)\b",
    r"\b(?:don't|dont|do not) (?:let|make) me (?:repeat|say|tell|explain)\b|\bi(?:'m| am) (?:only )?(?:telling|saying)"
    r"(?: you)? this (?:only )?once\b",
    r"^note to (?:your)?self\b.{0,40}:",
    r"\bmake (?:it|this|that) (?:a|your|the) (?:habit|rule|default|standing rule|general rule|practice|policy"
    r"|standard)\b(?! (?:in|of|for) (?:\w*lint\w*|the (?:linter|config|ci)|ci\b))",
    rf"\b{AGENT_VERB} (?:it|that|this|them|so) (?:every(?: single)? time|always|each time)\s*[.!]*$",
    rf"^(?:(?:please|also|and)[, ]+)*(?:{AGENT_VERB}|i(?:'d like| want| need) you to|no|never|don't"
    rf"|do not)\b.{{2,100}}\b(?:in|for|to"
    r"|with|on) (?:everything|anything|all|every \w+|any \w+|all (?:the )?\w+) (?:that )?you (?:write|do|give|send|make|produce"
    r"|generate|show|create)\b",
    r"^(?:please,? )?(?:every|all|each|all (?:of )?your|your|every one of your) (?:\w+ )?(?:answers?|repl(?:y|ies)"
    r"|explanations?"
    r"|commit messages?)(?: (?:of yours|you (?:write|give|send)|from you|to me))? (?:should|must|needs? to|ha(?:s|ve) to"
    r"|ought to)\b",
    rf"{CLAUSE}(?:make|get into) (?:it )?(?:a|the|it a) (?:habit|point|rule|practice) (?:of|to)\b",
    # always / never at the head of an order
    rf"{CLAUSE}(?:always|never(?: ever)?|do not ever|don't (?:you )?ever|don't always"
    rf"|never again)(?:, [\w' ]{{2,20}},)? (?:first |ever "
    rf"|again )?{ORDER}",
    rf"^(?:(?:please|and|also|ok|so|just)[, ]+)*{AGENT_VERB}\b.{{1,80}}\b(?:always|at all times"
    rf"|every single time|every time|each time|for ever|forever)\s*[.!]*$",
    r"^(?:please )?(?:always|never)[,:]? (?:in |with |no |only |the commit|commit )",
    r"^(?:please )?(?:no|don't|do not|never)\b.{2,90}\b(?:ever|ever again|anymore please|in any \w+"
    r"|under any circumstances)\s*(?:[.!,]|$)",
    r"^(?:please )?under no circumstances\b",
    r"\byou(?:'re| are) (?:not|never) (?:to|allowed to|supposed to)\b(?!.{0,12}\bbe\b)",
    r"\byou (?:must|should|may|can|shall|are to|need to|have to|will) (?:always|never|not ever)\b(?! (?:be able"
    r"|see|get)\b)",
    r"\bi (?:(?:really|always|never|do not|don't|dont|also|just|simply)[ ]+)*(?:want|expect|need"
    r"|like) you to (?:always|never|ever|only|stop|ask)\b",
    r"\bi (?:never|don't ever|do not ever|always) (?:want|expect) you to\b",
    r"\bi(?:'ve| have)? (?:already )?(?:told|asked|said to) you (?:\w+ ){0,4}(?:times|before|already|again"
    r"|not to|never to|to (?:always|never))\b(?!.{0,60}\b(?:the same question|this question)\b)",
    rf"^(?:(?:please|also|and|so|ok)[, ]+)*(?:don't|do not|dont|never|no)\b.{{2,90}}\b{UNASKED}",
    rf"^{UNASKED}[\w ]{{0,30}}, ?(?:please |always |you )*(?:don't|do not|never|no|use|write|keep|leave|answer"
    rf"|reply|ask|stick)\b",
    r"^(?:(?:please|also|and|so|ok)[, ]+)*(?:ask|check with|confirm with|tell|warn"
    r"|consult) me (?:first )?(?:before|prior to|whenever|every time|each time) (?:you (?!finish|merge this"
    r"|start on this)|every |any |each |\w+ing (?:any|anything|files|packages|dependencies|commits|to)\b)",
    r"\bstop \w+ing\b.{0,30}\b(?:every|each|all|your) (?:\w+ )?(?:answers?|repl(?:y|ies)|messages?|responses?|commits?"
    r"|explanations?|functions?|sentences?)\b",
    r"\bstop \w+ing\b.{0,60}\b(?:every time|all the time|at the end of every|in every|after every|each time"
    r"|always|for good|ever again)",
    r"^(?:(?:please|and|also)[, ]+)*no more \w+.{0,40}\b(?:in (?:your|my|commit|the (?:commit|answer|repl"
    r"|code))|please|ever|from you)\b",
    # conditions that come again
    rf"{CLAUSE}(?:after|before|with|at the end of) (?:every|each|any) (?:\w+ ){{0,2}}(?:change|edit|task|commit|answer|reply"
    r"|refactor(?:ing)?|release|push|deploy(?:ment)?|session|merge|message|file|thing|feature|fix)\b[\w ]{0,30}?"
    rf", ?{TO_AGENT}{AGENT_VERB}",
    r"^(?:please |just |you can |you may )*call me (?!when|if|back|later|at\b|on\b|in\b|crazy|an?\b|tomorrow|maybe|old"
    r"|the\b)[\w-]+",
    r"\blet's agree\b.{0,20}[:,—–-]",
    rf"{CLAUSE}(?:whenever|every time|each time|any time|anytime) (?:you"
    rf"|i(?:'m)?) .{{3,80}}?[,:] ?{TO_AGENT}{AGENT_VERB}",
    rf"{CLAUSE}(?:when(?:ever)?|if) (?:you (?:write|use|need|create|add|edit|answer|reply|commit|name|touch"
    rf"|review|explain|generate|make|install|refactor|run|give|show|cite|suggest|propose)|i (?:ask|say|tell you"
    rf"|request|paste|send|give|write|type)|in doubt|unsure|writing|reviewing|answering|explaining|generating"
    rf"|committing|coding)\b.{{0,80}}?[, ](?:always|never|i always want|i want you to always)\b",
    rf"^(?:(?:please|also|and)[, ]+)*{AGENT_VERB}\b.{{2,80}}\b(?:whenever|every time|each time"
    rf"|any time) (?:you|i (?:ask|say|request|paste))\b",
    r"^(?:for|in|with) (?:all|every|any|each) (?:of )?(?:my |the |your )?(?:new |future )?(?:\w+ )?(?:projects?"
    r"|code|commits?|commit messages?|scripts?|repos?|answers?|repl(?:y|ies)|python|javascript|typescript|rust"
    r"|go|tests?|prs?|pull requests?|chats?|sessions?|conversations?|docs?|emails?|charts?"
    r"|plots?)\b[^?]{0,30}?,? (?:please |always |never |you )*(?:use|write|i want|i prefer|i like|stick|go with"
    r"|prefer|keep|add|include|ask|avoid|don't|do not)\b",
)
