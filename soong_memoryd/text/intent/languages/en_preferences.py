"""English ways to say what a person generally wants."""

from soong_memoryd.text.intent.phrases import CLAUSE

PREFERENCES = (
    r"\bi(?:\'m| am) (?:someone|a person|the kind of \w+|one of those \w+) who (?:always |really "
    r"|usually )?(?:prefers?|likes?|hates?|needs?|wants?|learns?|works?|dislikes?)\b",
    r"\bi (?:really |absolutely |also |generally )*(?:hate|dislike|don\'t (?:really )?like|do not like|love"
    r"|like|appreciate) (?!the |this |that |these |those |your )(?:\w+ )?(?:explanations?|examples?|analogies"
    r"|diagrams?|answers?|code|comments?|docs|commits?|functions?|summaries|plans?|reviews?|error messages"
    r"|tests?|orms?|frameworks?|classes|abstractions|dependencies|names)\b",
    r"^(?:generally|in general|usually|personally|normally|in principle|typically),? i (?:really |always "
    r"|never )?(?:don\'t |do not )?(?:like|love|hate|want|use|prefer|avoid|write|favou?r)\b(?! (?:this|that"
    r"|it)\b)",
    r"\bi (?:work|learn|think|read|focus|understand things?) (?:best|better|faster|fastest) (?:with|from|when"
    r"|if|by|in)\b",
    r"\bi(?:\'d| would) (?:always |much |usually |generally )+rather\b(?! (?:not do|keep (?:it|this)|do this))",
    r"\bi (?:really |absolutely |just )*(?:can\'t stand|cannot stand)(?! (?:this|that|it\b|him|her|you|these"
    r"|those|waiting))\b",
    r"\bi (?:(?:really|strongly|generally|usually|always|much|also|personally|actually|do|still|typically"
    r"|normally|definitely|would|kind of|would much|greatly|very much|tend to|just|mostly"
    r"|certainly)[ ]+)*(?:prefer|favou?r)\b(?! to (?:do this|keep (?:it|this)|leave|wait|see|merge|ship|fix"
    r"|start|finish|skip|discuss|think|hold)\b)",
    r"\bi'd (?:much |really |always |generally )*prefer\b(?! to (?:do this|keep (?:it|this)|leave|wait|see"
    r"|merge|ship|fix|start|finish|skip|discuss|think|hold)\b)",
    rf"{CLAUSE}prefer \S.{{0,60}}? (?:over|to|instead of|rather than)\b",
    r"\b(?:is|are) my (?:strong |personal |general |clear |usual )*preferences?\b",
    r"\bmy (?:\w+ )?(?:preference|preferred \w+|favou?rite (?:\w+ )?(?:language|editor|tool|framework|stack"
    r"|shell|theme|library|style|font|format|drink|color|colour|food|way)|go-to \w+|usual \w+|native language"
    r"|mother tongue|pronouns|coding style|default (?:editor|language|shell|browser|stack"
    r"|choice))(?: \w+){0,4} (?:is|are)\b",
    r"\bi (?:(?:almost|nearly|basically) )?(?:always|never|usually|generally|normally|typically|mostly"
    r"|exclusively|only ever|rarely) (?:want|prefer|use|write|work|code|like|read|deploy|expect|keep|name"
    r"|format|go with|put|indent|commit|squash|rebase|speak|sign)\b(?!.{0,80}\b(?:but|error|fails?|failing"
    r"|crash|broken|doesn't work)\b)",
    r"\bi only (?:ever )?(?:use|work with|write|speak|code|want .{2,40} (?:when|if) i ask)\b",
    r"\bi (?:really |absolutely |just |also )*(?:hate|dislike|can't stand|cannot stand|don't (?:really )?like"
    r"|do not like|love|like|appreciate|enjoy) (?:it )?(?:when|if) (?:you|people|answers|variables?|names|functions|comments"
    r"|commits|lines|code|explanations"
    r"|things|someone|assistants)\b",
    r"\bi (?:really |absolutely |also )*(?:hate|dislike|can't stand|cannot stand|don't (?:really )?like"
    r"|do not like|love|like|want|need) (?:my|all my|having my|your) (?:\w+ )?(?:code|answers?|repl(?:y|ies)"
    r"|commits?|commit messages|explanations?|responses?|docs|functions|tests|summaries|variables|comments"
    r"|charts|reviews|names|scripts|prs|imports|reports|lists|diffs)\b(?!.{0,30}\b(?:now|today|this time)\b)",
    r"\bi (?:really |absolutely |also |generally )*(?:hate|dislike|can't stand|don't (?:really )?like"
    r"|do not like|love|like|want|appreciate) (?:short|concise|long|brief|detailed|plain|simple|verbose|terse"
    r"|bullet|emojis?|emoticons|tabs|spaces|tables|type hints|dark mode|step[- ]by[- ]step|semicolons"
    r"|one-liners|abbreviations|small commits|conventional commits|early returns|jargon|filler|direct"
    r"|unsolicited|exclamation|to (?:see|have|get|keep|be|write|use|work|read|review) (?:my|your|the diff|code"
    r"|a plan|tests|everything|all)\b)",
    r"\bi(?:'d| would) (?:like|love|want|prefer) (?:all |my |your |every |each )+(?:\w+ )?(?:answers?|repl(?:y"
    r"|ies)|responses?|commits?|commit messages?|code|comments|explanations?|summaries|docs|reviews)\b",
    r"\bi (?:always |never |don't |do not )*(?:want|like|need|expect|prefer) .{2,80}\b(?:in|for|on|with|at"
    r"|after|before) (?:all|every|any|each|everything)(?: of)?(?: my| the| your)? ?(?:\w+ )?(?:code|file"
    r"|answers?|repl(?:y|ies)|commits?|function|scripts?|projects?|response|pr|chart|plot|session|chat"
    r"|conversation|message|i ask|you (?:write|send|make|do|generate))",
    r"\b(?:suits? me|works? (?:best|better) for me|is (?:best|better|easier|easiest) for me|are (?:best|better"
    r"|easier|easiest) for me|fits? me|helps? me (?:most|best|more))\b",
    r"\bi(?:'d| would) rather .{3,90}\b(?:in general|generally|as a rule|usually|every time|always)\b",
    r"\bi(?:'m| am) (?:really |generally |just )?(?:not|no) (?:a )?(?:big |huge |great )?fan of (?!this|that|it\b|the\b"
    r"|these|your)\w",
    r"\bi (?:use|write|prefer|avoid|choose) .{2,40}\b(?:wherever|whenever) (?:i can|possible)\b",
    r"\bmy (?:\w+ )?favou?rite (?!part|bit|thing|moment|line|joke|bug|one\b|movie|song)(?:[\w-]+ ){1,3}(?:is"
    r"|are)\b(?! (?:broken"
    r"|failing|not|down|missing|gone|still|the (?:first|second)))",
    r"\bi (?:\w+ )?(?:like|prefer|expect) to (?:see|review|read|approve|check|get|have|know) .{2,60} (?:before|after"
    r"|whenever|when) you\b",
    r"\bi tend to (?:prefer|like|use|work|write|read)\b",
    r"\bi(?:'d| would) rather (?:you|have you|not have you|always|never|read|see|get|use|have (?:short|long"
    r"|fewer|more|your))\b(?!.{0,40}\b(?:it|this) (?:now|here)\b)",
    r"\bi(?:'m| am) (?:more of )?(?:a|an) \w+ (?:person|guy|fan),? (?:not|so|rather)\b",
    r"\bi don't (?:ever )?(?:want|need) (?:\w+ )?(?:emojis?|comments|summaries|bullet points|explanations"
    r"|apologies|docstrings|disclaimers|pleasantries|a summary|recaps?) (?:in|at|after|with|when|unless)\b",
)
