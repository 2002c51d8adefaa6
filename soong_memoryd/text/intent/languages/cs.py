"""Czech phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = r"(?:^|[,;:(—–]\s?|\b(?:a|ale|prosím|taky|také|takže|ok|ano|jo|ne|dobře|díky|důležité|mimochodem)[,:]?\s)"
_KEEP = (
    r"(?:zapamatuj(?: si)?|pamatuj(?: si)?|nezapomeň|nezapomínej|měj na paměti|vezmi v úvahu|poznamenej si|zapiš si"
    r"|ulož si|věz|ber v potaz)"
)
_ME = (
    r"(?:já|mě|mně|mi|mnou|můj|moje|má|mí|mého|mojí|mým|jsem|mám|používám|preferuji|pracuji|pracuju|bydlím|píšu|chci"
    r"|nejím|nechci|nepoužívám|nemám|programuju|náš tým)\b"
)
_VERB = (
    r"(?:používej|piš|odpovídej|dělej|ptej se|kontroluj|přidávej|mluv|spouštěj|commituj|pushuj|ukazuj|vysvětluj"
    r"|komentuj|potvrzuj|oslovuj|říkej|dodržuj|drž se|dávej|testuj|instaluj|zeptej se|začínej|formátuj|nepoužívej|nepiš"
    r"|nedělej|necommituj|nepushuj|neměň|nemaž|nesahej|nepřidávej|neříkej|vyhni se|vyhýbej se|uváděj)\b"
)
_HORIZON = (
    r"(?:od (?:teď|nynějška|této chvíle|dneška|teďka)|ode dneška|v budoucnu|do budoucna|příště|napříště|nadále"
    r"|až do odvolání|ve všech (?:relacích|projektech|konverzacích)|jednou provždy|už nikdy)"
)

CZECH = Phrases(
    language="cs",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "pamatuj|pamatov|zapomeň|zapomín|na paměti|v úvahu|poznamen|zapiš|zapsat|ulož|věz|v potaz|od teď|od nyn|od této"
        "|od dne|ode dne|budoucn|příště|nadále|odvolání|všech|provždy|vždy|nikdy|radši|raději|prefer|oblíben|nesnáším"
        "|mám rád|bez |pokaždé|paměti|výchoz|nemám rád"
    ),
    wishes=(
        rf"{CLAUSE}{_KEEP}(?:(?: prosím| dobře| taky))*(?:,? že|:|,)?\s*(?:[\w-]+ ){{0,4}}{_ME}",
        r"\b(?:ulož|přidej|zapiš|vlož|zařaď)\b.{0,60}\b(?:do|jako|k) (?:své |svojí |tvé |moje |mých |mé )?(?:paměti"
        r"|preferenc\w+|profilu|pravidlo)\b",
        rf"{CLAUSE}(?:vždy(?:cky)?|nikdy)\s(?:\w+ ){{0,2}}?{_VERB}",
        rf"{CLAUSE}{_VERB}(?: \S+){{0,6}}? (?:vždy(?:cky)?"
        rf"|nikdy)\b",
        r"\b(?:chci,? abys (?:\S+ ){0,4}(?:vždy|nikdy)|musíš vždy|nesmíš nikdy|nikdy nesmíš)\b",
        r"^(?:ne\w+|nikdy|žádné)\b.{2,60}\b(?:bez (?:mého|ptaní|souhlasu|potvrzení|zeptání|dotazu)|dokud (?:ti )?ne"
        r"|aniž|než se (?:mě )?zeptáš)",
        rf"{CLAUSE}(?:pokaždé|vždy),? když .{{3,60}}?, ?(?:tak )?{_VERB}",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON},?:?\s*(?!(?:to|server|aplikace|funkce|bude|může)\b)(?:\S+\s){{0,5}}?(?:{_VERB}|vždy"
        rf"|nikdy|chci|jen|pouze|bez|česky|anglicky|prosím|mi )",
        rf"{_VERB}.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:to|on|ona|proč|jak|aby)\b).{{3,70}}\b{_HORIZON}\s*[.!]*$",
    ),
    preferences=(
        r"\b(?:preferuji|preferuju|upřednostňuji|nesnáším|nemám rád\w?,? když|mám radši|mám raději|radši mám"
        r"|dávám přednost|raději (?:používám|píšu|mám))\b|\b(?:vždy|obvykle|většinou) (?:používám|píšu|pracuji"
        r"|pracuju)\b|\bmám rád\w? (?:krátk|stručn|podrobn|jednoduch|když)|\b(?:můj|moje) (?:\S+ )?(?:preferenc\w+"
        r"|oblíben\w+)\b.{0,30}\b(?:je|jsou)\b",
    ),
    requests=(
        rf"\b(?:můžeš|mohl\w? bys|mohl) (?:si |prosím )*(?:zapamatovat|pamatovat|poznamenat|zapsat)(?: si)?(?:,? že"
        rf"|:|,)\s*.{{0,30}}?{_ME}",
        r"\b(?:můžeš|mohl\w? bys) (?:si |prosím |to |tenhle odkaz )*(?:zapamatovat|pamatovat|uložit|zapsat"
        r"|poznamenat)(?: to| tenhle odkaz| na (?:příště|později))*\s?\?",
        rf"\b(?:můžeš|mohl\w? bys) .{{0,60}}\b{_HORIZON}",
    ),
    keeps=(
        rf"{CLAUSE}(?:zapamatuj|pamatuj|ulož|zapiš|poznamenej|nezapomeň)(?: si)? (?:to|tohle|tento (?:odkaz|údaj)"
        rf"|ten odkaz|tenhle odkaz|tuhle (?:adresu|stránku)|na to)(?: (?:prosím|na (?:příště|později)"
        rf"|dobře))*\s*(?:[,.!:;)]|$|a\b)",
    ),
    one_off=(
        r"\b(?:v|pro|na|do) t(?:omto|éto|omhle|éhle|ento|uto|ohoto|om|ěchto) (?:pr|větvi|commit\w*|soubor\w*|úkol\w*"
        r"|funkc\w+|případ\w*|tiket\w*|test\w*|modul\w*|otáz\w+|strán\w+|skript\w*|verz\w+)\b|\b(?:tentokrát|zatím"
        r"|prozatím|jen dnes|než skončíš|až skončíš)\b",
    ),
    choices=(
        r"\b(?:možnost|variant\w+|verz\w+|návrh\w*|řešení) ?(?:\d|[a-d]\b)?\b|\b(?:první|druh[áéýou]\w?|poslední|třetí"
        r"|nov[áéý]|star[áéý])\b|\b(?:preferuji|radši) (?:t[ou]|tuhle|tento|ten)\b",
    ),
    vetoes=(
        r"\b(?:předstírej|hraj (?:si|roli)|jen pro (?:zábavu|legraci|srandu)|v (?:tomto|této|tomhle) (?:chatu"
        r"|konverzaci|rozhovoru|relaci|vláknu)|jsi (?:teď )?(?:pirát|rytíř))\b|\b(?:on|ona|šéf|kolega|učitel"
        r"|dokumentace|článek|kniha|zpráva)\b.{0,20}\b(?:řekl\w?|říká|píše|doporučuje)\b",
        r"\b(?:uživatel\w*|zákazní\w+|zapamatovat (?:si )?(?:mě|heslo)|checkbox|zaškrtávací|tlačítk\w+)\b"
        r"|\bpamatuješ\b|\b(?:ne)?pamatuju? si\b|\bzapomněl\w?\b|\b(?:jak (?:můžu|mám|udělat)|proč|co (?:dělá|je"
        r"|znamená)|připomeň)\b",
        r"\b(?:vždy(?:cky)?|nikdy) (?:vrací|nevrací|padá|je|ukazuje|nefunguje|selže)\b|\b(?:vrací|padá"
        r"|vždy viditeln\w+)\b|\bjako vždy\b|\blepší pozdě\b",
    ),
    roles=(r"^(?:od teď )?(?:jsi (?:teď )?(?:pirát|rytíř|\w+ asistent|expert)|předstírej|hraj roli)",),
    handovers=(r"\b(?:přelož|shrň|oprav|přepiš|přeformuluj|parafrázuj)\b[^:]{0,80}:",),
    tags=(r"(?:ok|dobře|ano|jo|prosím|jasné|platí|rozumíš)\s?\?+$",),
    assents=("ano|jo|ok|dobře|jasně|jasné|určitě|souhlasím|díky|děkuji|děkuju|super|skvěle|pokračuj|přesně|správně|samozřejmě"),
)
