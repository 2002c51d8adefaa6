"""English fragments that several phrases share."""

START = (
    r"(?:^|[,;:(—–]\s?|\s-{1,2}\s|\b(?:do(?= (?:remember|note|keep|bear))|and|also|but|please|pls|plz|ok|okay|so"
    r"|then|hey|hi|yes|yeah|yep|no|nope|well"
    r"|again|just|oh|btw|kindly"
    r"|fyi|alright|great|thanks|thx|good|perfect|wait|stop|hmm|right|listen|reminder|note|important|ps|feedback"
    r"|correction|rule"
    r"|you should|you must|you need to|you have to|you can|you (?:might|may) want to|make sure (?:you|to)|be sure to|try to"
    r"|i (?:want|need"
    r"|expect|ask|'d like|would like)"
    r" you to|i'd (?:like|love) you to|i'd appreciate it if you|it's important (?:that you|to)|let's|remember to"
    r"|now)[,:]?\s)"
)
REMEMBER = (
    r"(?:remember|rember|remeber|rememeber|remmember|memori[sz]e|keep in mind|bear in mind|(?:make|keep) a (?:mental )?note"
    r"|take note|retain|(?:don't|do not|dont|never) (?:ever )?forget)"
)
KEEP = (
    r"(?:remember|rember|remeber|rememeber|remmember|(?:make|take) (?:a )?(?:mental |quick )?note|note(?: down)?"
    r"|keep in mind|bear in mind|(?:don't"
    r"|do not|never|dont) (?:ever )?forget"
    r"|memori[sz]e|jot (?:this |it )?down|write down|store|save|record|keep (?:a )?(?:mental )?(?:note|record)|(?:put"
    r"|have) (?:it )?on record|know|be aware"
    r"|be advised|learn|mind|remembered|noted|kept in mind|saved|stored)"
)
ME = (
    r"(?:i|i'm|im|i've|i'd|i'll|my|mine|we (?:always|never|prefer|usually|use)|we(?:'re| are) (?:a (?:\w+ )?(?:team|company"
    r"|startup|agency)|based)|our (?:team|company|office"
    r"|standup|boss|group|wiki))\b"
)

POINT = (
    r"(?:this|that|it|these|those|the following|something|one thing|(?:a |these )?(?:few |two |three )?(?:things"
    r"|facts|rules|preferences|points)|what i (?:just )?said)"
    r"(?: (?:one|fact|rule|about me|please|for (?:me|later|good|ever|next time|future \w{1,12}|the (?:future"
    r"|next time|record|next \w{1,12}))"
    r"|forever|too|as well|permanently|from now on|in (?:the )?future|now|well|down|as a (?:preference|rule|memory)"
    r"|next time|okay|ok))*\s*(?:[:,.!)—–]|$)"
)
AT_HAND = (
    r"(?:this|that|these|those|it|it's|its|there|here|we|we're|we've|you|you're|to|what|how|why|where|when (?:we|i|you)"
    r"|the (?:last|previous|other|first|second|third|deadline|id|endpoint|function|method|parameter|return|response"
    r"|file|column|field|variable|client|parser|loop|output|input|tests?)|all the|our (?:discussion|chat|talk))\b"
)
"""What a reminder for the work at hand speaks of."""
AGENT_VERB = (
    r"(?:use|using|write|run|ask|commit|push|answer|reply|respond|check|test|explain|show (?:me|the (?:diff|code|plan|sql"
    r"|commands?|output))|put|prefer|add|create"
    r"|update|regenerate|rerun|re-run|refresh|sync|notify|delete|remove|touch|edit|change"
    r"|suggest|start|stop|tell me|give|keep|make|format|include|avoid|read|confirm|assume|do|sign|mention"
    r"|apologi[sz]e|translate|name|leave|review"
    r"|verify|install|call me|address me|speak|talk|follow|cite|quote|link|summari[sz]e|propose|offer|default to"
    r"|go with|pick|choose|stick (?:to|with)|be (?:brief|concise|honest|terse|direct|polite|explicit|careful|critical|blunt"
    r"|specific)"
    r"|double-check|document|comment|indent|wrap|squash|rebase|force[- ]push|merge|deploy|modify|rewrite|refactor"
    r"|overwrite|wait|let me|work"
    r"|end|begin|finish|open with|close with|generate|output|print|return to me|send me|provide|present|say|treat"
    r"|handle|try|skip|omit|state|list"
    r"|guess|invent|bump|hard-?code|execute|pin|prefix|validate|lint|build|plan|consult|remind me|lead with|spell"
    r"|convert|describe|think)\b"
)
STRONG = (
    r"(?:from now on(?:wards?)?|from here on(?: out| in)?|from this (?:point|moment|day)(?: on(?:wards?)?"
    r"| forwards?)?|from today(?: on(?:wards?)?| forwards?)?"
    r"|going forwards?|moving forwards?|henceforth|in all future \w{1,20}|(?:for|in) (?:all )?future (?:reference"
    r"|sessions?|tasks?|work|chats?|conversations?|projects?|replies|answers)"
    r"|for the future|starting (?:now|today|next time)|until further notice|hereafter|across all (?:sessions"
    r"|projects|chats)|in (?:every|all) (?:my )?(?:sessions?|chats?|conversations?|projects?|repos?)"
    r"|every session|for good|permanently)"
)
WEAK = (
    r"(?:in (?:the )?future|next time(?: around)?|for next time|the next time|by default|as a (?:general "
    r"|standing )?rule(?: of thumb)?|in general|generally|any ?time(?! (?:you|i|we|the|it)\b)|at all times"
    r"|as of (?:now|today)|as a standing rule|when in doubt|if i (?:don't|do not|didn't) (?:say|tell you|specify|ask"
    r"|mention)(?: otherwise| anything| for it| it)?|unless i (?:say|ask|tell you)(?: otherwise| so| for \w+"
    r"| you to| me)?"
    r"|every (?:single )?time(?! (?:you|i|we|the|it)\b))"
)
TO_AGENT = (
    r"(?:(?:please|always|never|don't|do not|dont|no|only|just|also|first|kindly|instead|rather|to|and|simply"
    r"|you(?: should| must| can| need to| have to| may| are to|'ll| will)?)[ ,]+)*"
)
SUBJECT = (
    r"(?:it|its|it's|this|that|that's|the (?!commit|answer|repl|response|comment|code|language|default|docs?\b"
    r"|tests?\b)|they|he|she|there|which|a |an |users?|customers?|(?:all|every) (?:requests?|users?|responses?"
    r"|clients?|calls?|endpoints?|rows?|events?|pages?|services?|orders?)"
    r"|we (?:will|can|could|might|may|need|won't)|i (?:can|could|might|may|will be able|get|see|can't)|what|how|is "
    r"|are |does |do (?:i|we|you|they)|will |when the)"
)
UNASKED = (
    r"(?:unless i(?:'ve)? (?:say|said|ask|asked|tell|told|explicitly|specifically|approve|confirm)\w*"
    r"|without (?:asking|my|me|telling|checking|showing|confirming|explicit|first asking|permission|approval)"
    r"|before (?:asking|checking with|showing|consulting|telling) me|until i(?:'ve)? (?:approve|confirm|say so|ok|sign))"
)
ORDER = (
    r"(?!\w*[^s\W]s\b|\w+(?:ed|ing|ly)\b|(?:mind|say never|been|seen|had|did|was|got|saw|heard|knew|thought|happy"
    r"|glad|ready|good|nice|great|fun|lovely|wrong|right|busy|hard|easy|possible|worth|interesting|nothing|enough|here"
    r"|there|on|off|in|at|up|so|too|more|less|better|late|again|and|or|but|true|false|null|undefined|void|mine"
    r"|yours|be|have|work|fail"
    r"|happen|remember|visible|open|closed|the|a|an|my|your|that|this|it|i|we|you|they|to|of|for|with|from|as|if"
    r"|when|is|are|will"
    r"|stream|render|display|return(?! to me)|redirect|scroll|hide|load|fetch|highlight|collapse|expand|trigger|fire|emit"
    r"|show(?! me)|call(?! (?:me|the user))|throw|crash|block|expire|exceed|see|get)\b)[a-z][a-z-]{1,}\b"
)
