"""German phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = (
    r"(?:^|[,;:(—–]\s?|\s-\s|\b(?:und|aber|bitte|also|ok|okay|ja|nein|so|gut|super|danke|ach|übrigens|außerdem|noch was"
    r"|stopp?|hey|hallo|nochmal|doch|dann|wichtig|hinweis|achtung)[,:]?\s)"
)
_KEEP = (
    r"(?:merk(?:e|t)? (?:dir|euch)|merken sie sich|notier(?:e|en sie)?(?: dir| sich)?|behalt(?:e|en sie)?|denk(?:e"
    r"|t|en sie)? (?:bitte |immer |auch |stets |künftig |in zukunft )*(?:dran|daran)"
    r"|vergiss (?:bitte |auch |mir )*(?:nicht|nie)|vergessen sie (?:bitte )?(?:nicht|nie)|nicht vergessen"
    r"|erinnere dich(?: bitte)?(?: daran| dran)?|speicher(?:e|n sie)?(?: dir(?: ab)?)?|schreib(?:e)? (?:dir )?auf"
    r"|nimm zur kenntnis|halte? fest|berücksichtige|du sollst dir merken|du sollst wissen|ich (?:möchte"
    r"|will), dass du (?:dir merkst|weißt)|zur info|du musst wissen|merken|wisse|beachte)"
)
_REMEMBER = (
    r"(?:merk(?:e|t)? (?:dir|euch)|merken sie sich|behalt(?:e)?|denk(?:e|t)? (?:bitte |immer )*(?:dran|daran)"
    r"|vergiss (?:bitte )?nicht|nicht vergessen)(?: bitte| mal| auch| gut| einfach| noch| folgendes| das)*"
)
_ME = (
    r"(?:ich|mein\w{0,2}|mir|mich|bei mir|für mich|wir (?:immer|nie|bevorzugen"
    r"|(?:\S{1,20} ){0,3}(?:nutzen|benutzen|verwenden|arbeiten|einsetzen))|unser (?:team|chef))\b"
)
_IMPERATIVE = (
    r"(?:antworte|schreibe?|nutze?|verwende|benutze?|frage?|nimm|mach(?:e)?|lass(?:e)?|gib|sage?|committe|committen"
    r"|teste|prüfe?|erkläre?|halte?|zeige?|füge?|formatiere?|führe?|starte|pushe?"
    r"|bestätige|vermeide|rede|sprich|duze?|nenne?|denke?|achte|kommentiere?|lösche?|ändere|arbeite|setze?|bleibe?"
    r"|warte|hole?|fasse?|lege?|liefere?|stelle?|bevorzuge|übersetze?|baue?|packe?|höre?|begründe|verzichte|kürze?"
    r"|siez\w*|sieze?|nummeriere|dokumentiere|installiere|rufe?)\b"
)
_HORIZON = (
    r"(?:ab (?:jetzt|sofort|heute|nun|hier|dem nächsten mal|morgen)|von (?:jetzt|nun|heute) an|(?:in"
    r"|für die) zukunft|zukünftig|künftig|fortan|(?:beim |das )?nächste[ns]? mal|bis auf weiteres|dauerhaft"
    r"|in allen (?:zukünftigen |künftigen |meinen )?(?:projekten|sitzungen|chats|gesprächen)|von hier an"
    r"|für alle (?:zukünftigen|künftigen)|ein für alle ?mal|in jeder sitzung)"
)
_ORDER = (
    rf"(?:{_IMPERATIVE}|bitte\b|immer\b|nie\b|niemals\b|nicht mehr|kein\w*|nur (?:noch|auf|mit|in)|nur\b"
    rf"|ich (?:möchte|will|bevorzuge|hätte|mag|brauche|erwarte)|auf (?:deutsch|englisch)|du (?:sollst|darfst|musst"
    rf"|kannst)|sollst du|darfst du|musst du|alle \w+ (?:auf|in|mit)|ohne\b|keine\b|stets\b|lieber\b|erst\b"
    rf"|zuerst\b|statt\b|nicht\b|will ich|möchte ich|gilt|[a-z]+en\s*[.!]*$)"
)

GERMAN = Phrases(
    language="de",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "merk|notier|behalt|denk|vergiss|vergessen|erinner|speicher|schreib|kenntnis|halt|wissen|zur info|wisse|beachte"
        "|berücksichtig|ab jetzt|ab sofort|ab heute|ab nun|ab hier|ab dem|an,|von jetzt an|von nun an|von heute an"
        "|zukunft|künftig|fortan|mal|weiteres|dauerhaft|immer|nie|stets|grundsätzlich|generell|standardmäßig|jedes mal"
        "|bevorzug|lieber|vorlieb|präferenz|lieblings|mag |hasse|ohne |vor jedem|bevor du|jeder |allen |gewohn|regel"
        "|kann ich nicht leiden|ich finde|ziehe|am liebsten|mir ist|mir sind|leichter|aufhör|hör auf|heb |bookmark"
        "|wenn du|alle "
        "|gewöhn|ab morgen"
    ),
    wishes=(
        rf"{CLAUSE}merke? dir(?: bitte| auch| mal| gut)*, ?(?:dass )?(?:unser\w*|alle|jede\w*|mein\w*)\b",
        r"^(?:(?:übrigens|ach|also|und)[, ]+)*(?:ich|mein\w*|wir|unser\w*)\b.{3,110}[,;—–-] ?(?:bitte |das |auch )*(?:merken"
        r"|merke? (?:dir|es dir)(?: das)?|nicht vergessen|vergiss (?:das|es) nicht|(?:das )?im hinterkopf behalten)\s*[.!]*$",
        rf"{CLAUSE}(?:behalte?|halte?|haben? ?) (?:bitte |auch )*im (?:hinterkopf|kopf|gedächtnis),? dass\b",
        rf"{CLAUSE}{_REMEMBER}\s?:\s*(?!(?:dies\w*|das|hier|es|du|wir|den|im|in (?:der|diese\w))\b)\S",
        rf"{CLAUSE}{_REMEMBER},? (?:für|bei|in|zu) (?:all\w*|jede\w*|mein\w*|unser\w*|künftige\w*|später|die zukunft"
        r"|nächstes mal)\b",
        rf"{CLAUSE}{_KEEP}(?:(?: bitte| auch| mal| gut| im (?:hinterkopf|kopf|gedächtnis)| für (?:später"
        rf"|die zukunft|nächstes mal)|,|:|-|–| dass"
        rf"| folgendes))*\s*{_ME}(?! (?:eben|gerade|vorhin|gestern) )",
        rf"{CLAUSE}{_KEEP}(?:(?: bitte| auch| mal| gut| im (?:hinterkopf|kopf|gedächtnis)| für (?:später"
        rf"|die zukunft|nächstes mal)))*(?:, dass|:"
        rf"|,)\s*(?:(?:in|bei|für|wenn|auf|zu|an|mit|beim|im|am|vor|nach)\b.{{0,50}}?|[\w\ufffc ]{{1,30}} )\b{_ME}",
        rf"{CLAUSE}{_KEEP}(?:(?: bitte| auch| mal))*(?:, dass|:|,)?\s*(?:das|der|die|unser\w*) [\w -]{{2,50}}(?:ist"
        rf"|sind|liegt|liegen|steht|stehen)?.{{0,12}}\ufffc",
        r"\b(?:speicher\w*|füg\w*|schreib\w*|nimm|pack\w*|leg\w*|übernimm|merk\w*|trag\w*|notier\w*|aufnehmen"
        r"|steck\w*|halt\w*)\b.{0,70}?\b(?:ins?|zum?|zur|als|im|unter|in)\b (?:dein\w{0,2} |mein\w{0,2} |die |das "
        r"|den |der |eine? )?(?:langzeit)?-?(?:gedächtnis|erinnerung(?:en)?|memory|präferenz(?:en)?|vorlieben?"
        r"|nutzerprofil|profil|notizen über mich|regel|standardregel|gewohnheit)\b",
        r"^(?:erinnerung|merke|regel|präferenz|vorliebe|neue regel|grundregel|notiz an dich)\s*:",
        rf"{CLAUSE}(?:bitte )?{_IMPERATIVE}(?: \S+){{0,8}}? (?:immer|nie|niemals|stets|grundsätzlich"
        rf"|jedes mal)\b(?! (?:noch|wieder derselbe))",
        r"^(?:bitte |also |und )*(?:immer|nie|niemals|stets|grundsätzlich|generell|nie wieder) (?!(?:noch|mehr als"
        r"|wird|ist|war|gibt|kommt)\b).{2,80}(?:en|ern|eln)\s*(?:[.!,]|$)",
        r"\bdu (?:sollst|darfst|musst|kannst) (?:\w+ ){0,3}?(?:immer|nie|niemals|stets|nicht ohne|grundsätzlich)\b",
        r"\bich (?:möchte|will|erwarte|wünsche mir)(?: nicht| nie| immer)?, dass du (?:\S+ ){0,10}?(?:immer|nie"
        r"|niemals|stets|jedes mal|grundsätzlich|nur noch|nicht mehr)\b",
        r"^(?!wie|warum|was).{0,80}\b(?:nie|niemals|nicht|kein\w{0,2})\b.{1,60}\b(?:ohne (?:zu fragen|rückfrage"
        r"|rücksprache|nachzufragen|mich|mein\w*|vorher|meine)|bevor (?:ich|du mich|du mir|du nachgefragt)"
        r"|es sei denn,? ich|außer ich|wenn ich (?:es )?nicht)\b",
        r"^(?:bitte )?(?:ohne (?:meine|mein|rückfrage|rücksprache|mich)|bevor ich).{0,50}\b(?:nie|niemals|nicht"
        r"|kein\w{0,2}|nichts)\b",
        r"^(?:bitte )?(?:frag|zeig|sag|gib|prüf|teste?|bestätig)\w* .{0,30}\b(?:bevor du|vor jedem|vor jeder"
        r"|jedes mal,? (?:bevor|wenn)|immer (?:bevor|wenn|vor))\b(?!.{0,20}(?:diesen|fertig))",
        rf"{CLAUSE}(?:jedes mal|immer),? wenn (?:du|ich) .{{3,80}}?, ?(?:bitte |dann )*{_IMPERATIVE}",
        r"\b(?:habe?|hatte) (?:ich )?(?:dir|es dir)? ?(?:doch |schon |bereits |ich )*(?:mehrfach|mehrmals|oft"
        r"|hundertmal|x-?mal|zigmal|tausendmal|schon) gesagt\b.{2,80}\b(?:nicht|nie|kein\w*|immer|sollst)\b",
        r"\b(?:gewöhn\w* dir (?:an|ab)|mach (?:es |dir )*(?:das )?(?:zur|zum) (?:regel|gewohnheit|standard))",
        rf"^(?:in|bei|für) (?:allen?|jede[mrns]?) (?:meine[rn] )?(?:\w+ )?(?:projekt\w*|commit\w*|antwort\w*|code"
        rf"|skript\w*|test\w*|datei\w*|funktion\w*|frage\w*|chat\w*|zusammenfassung\w*"
        rf"|diagramm\w*) .{{0,10}}{_ORDER}",
        r"^(?:alle|sämtliche) (?:meine )?(?:commits?|commit-nachrichten|kommentare|antworten|tests|variablen\w*"
        r"|dokumentation\w*|dateinamen)\b.{0,10}(?:immer|auf|bitte|in)\b",
        r"^(?:bitte )?(?:nie|niemals|keine?) .{2,60}\b(?:mehr|wieder|jemals)\s*[.!]*$",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON},?:?\s*(?!(?:funktioniert|ist|sind|wird|werden|könnte|kann|läuft|gibt|die (?:app"
        rf"|funktion)|der (?:server|nutzer)|soll(?:en)? (?:die|der|das|es|wir))\b)(?:\S+\s){{0,6}}?{_ORDER}",
        rf"{_IMPERATIVE}\b.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:es|das|die|der|sie|wir|warum|wie|was|damit|wenn|ist|wird|kann|könnte"
        rf"|vielleicht)\b).{{1,100}}\b{_HORIZON}\b.{{0,60}}(?:immer|nie|niemals|bitte|nur|keine?|nicht|en\s*[.!]*$)",
        rf"\b(?:ich (?:möchte|will|hätte|erwarte)|du (?:sollst|darfst|musst)|möchte ich|sollst du)\b.{{0,80}}\b{_HORIZON}",
        rf"^.{{3,80}}\b{_HORIZON}(?:,? bitte)?\s*[.!]*$(?<!wird)",
        rf"{CLAUSE}(?:grundsätzlich|generell|standardmäßig|im allgemeinen),? (?:bitte )?(?:{_IMPERATIVE}|keine?"
        rf"|möchte ich|will ich|bevorzuge ich|nur)",
    ),
    preferences=(
        r"\bich finde .{2,50}\b(?:besser|angenehmer|übersichtlicher|lesbarer|praktischer|klarer) als\b",
        r"\bich (?:bevorzuge|favorisiere)\b|\bbevorzuge ich\b|\bich (?:ziehe|zieh) .{1,50} vor\b|\bziehe ich .{0,40}vor\b",
        r"\bich (?:mag|hab(?:e)?|hätte|lese|schreibe|nutze|benutze|verwende|arbeite|sehe|will|nehme|programmiere"
        r"|möchte|trinke|code) (?:\S+ ){0,5}?(?:lieber|am liebsten)\b|\b(?:lieber|am liebsten) (?:mag|hab(?:e)?"
        r"|lese|schreibe|nutze|benutze|verwende|arbeite|nehme|programmiere|trinke) ich\b",
        r"\bich (?:mag|liebe|hasse|kann|schätze) (?:keine?\w*|es(?: nicht| gar nicht)?,? wenn|kurze|knappe"
        r"|ausführliche|kleine|lange|klare|einfache|emojis|.{1,30} nicht (?:leiden|ausstehen))\b",
        r"\bich (?:schreibe|nutze|benutze|verwende|arbeite|will|möchte|programmiere|trinke|esse"
        r"|lese) (?:\S+ ){0,3}?(?:immer|nie|niemals|grundsätzlich|ausschließlich|normalerweise|meistens|meist"
        r"|generell|standardmäßig|nur mit|nur noch)\b(?!.{0,50}\b(?:aber|fehler)\b)",
        r"\b(?:mir (?:ist|sind|wäre|gefällt|gefallen|liegt|liegen)) .{1,50}(?:lieber|besser|am liebsten)\b|\b(?:ist"
        r"|sind|wäre|wären) mir (?:\w+ ){0,2}?lieber\b|\bgefallen mir besser\b",
        r"\bmein\w{0,2} (?:\w+ )?(?:bevorzugte\w*|lieblings\w+|präferenz|vorliebe|standard-?(?:editor|sprache"
        r"|shell)|muttersprache|stil)\b.{0,40}\b(?:ist|sind)\b|\b(?:ist|sind) mein\w{0,2} lieblings",
        r"\bkomme ich besser (?:klar|zurecht)|\bkann ich besser (?:lesen|verstehen)|\bhelfen mir (?:mehr|am meisten)\b",
    ),
    requests=(
        r"\b(?:kannst|könntest|würdest|magst|kann|können|könnten) (?:du|sie) (?:dir |sich )?(?:bitte |mal |auch "
        r"|das |es )*(?:das|dies|es|bitte|diesen link|die adresse|den link)?\s?(?:bitte |mal |für (?:später"
        r"|die zukunft|nächstes mal) )*(?:merken|notieren|aufschreiben|speichern|behalten)\b(?! (?:wie|was|wo"
        r"|wann))",
        rf"\b(?:kannst|könntest|würdest|magst) du (?:dir )?(?:bitte |mal |auch )*(?:merken|notieren|daran denken"
        rf"|im kopf behalten|im hinterkopf behalten)(?:,? dass|:|,)\s*.{{0,30}}?{_ME}",
        rf"\b(?:kannst|könntest|würdest) du (?:bitte |mal |mir )*{_HORIZON}\b...",
        rf"\b(?:kannst|könntest|würdest) du (?:bitte |mal |mir )*.{{3,60}}\b{_HORIZON}\b",
        r"\b(?:kannst|könntest|würdest) du .{2,60}(?:ins? (?:dein )?gedächtnis|als (?:präferenz|vorliebe|regel)"
        r"|in dein\w* (?:gedächtnis|notizen|memory)) (?:speichern|aufnehmen|merken|ablegen|übernehmen|schreiben)",
    ),
    keeps=(
        rf"{CLAUSE}(?:merk(?:e)? dir|merken sie sich|speicher(?:e)?(?: dir)?|notier(?:e)?(?: dir)?|behalt(?:e)?"
        rf"|heb(?:e)?|vergiss|schreib(?:e)? dir|halt(?:e)?|bookmarke?) (?:bitte |mal |dir |mir )*(?:das|dies|es"
        rf"|diese[nsr]?|den|die|folgendes)(?: (?:link|adresse|regel|seite|url|info|hinweis|tatsache|fakt"
        rf"|hier))?(?: (?:bitte|mal|gut|auch|ab|auf|fest|im kopf|im hinterkopf|nicht|für (?:später|die zukunft"
        rf"|nächstes mal|mich|das nächste mal)))*\s*(?:[,.!:;)]|$|und\b)",
        r"(?:^|[,.!]\s?|bitte )(?:das|dies|den link|die adresse|die seite|die url)(?: bitte| mal| gut| auch"
        r"| für (?:später|mich))* (?:merken|notieren|aufschreiben|speichern|abspeichern|behalten|aufheben"
        r"|festhalten)\s*[.!]*$",
        r"^(?:bitte |ja,? |ok,? |gut,? )*(?:merk(?:e)?(?:'s)? dir(?:'s)?|merk's dir"
        r"|notier(?:e)?'?s?(?: dir)?)(?: bitte)?\s*[.!]*$",
    ),
    one_off=(
        r"\b(?:in|für|bei|zu|an) diese[mnrs]? (?:pr|pull request|branch|commit|datei|fall|aufgabe|ticket|funktion"
        r"|modul|test|klasse|schritt|frage|änderung|release|merge|seite|skript|komponente|kapitel|absatz|geschichte"
        r"|projektphase|fehler|bug)\b|\b(?:diesmal|dieses mal|nur jetzt|fürs erste|vorerst|erstmal|erst mal"
        r"|vorläufig|ausnahmsweise|nur heute|bevor du fertig|wenn du fertig|danach)\b",
    ),
    choices=(
        r"\b(?:option|variante|vorschlag|version|entwurf|lösung|alternative|ansatz) ?(?:\d|[a-d]\b|eins|zwei)?\b"
        r"|\b(?:die|das|den|der) (?:erste|zweite|dritte|letzte|obere|untere|linke|rechte|alte|neue)[nrs]?\b"
        r"|\b(?:diese[snrm]?|dein\w* (?:vorschlag|idee)|hier|mach weiter|los)\b",
    ),
    vetoes=(
        r"\b(?:rollenspiel|spiele? (?:einen?|die rolle|den)|tu so als|nur (?:zum|aus) spaß|stell dir vor|tue so"
        r"|in diesem (?:chat|gespräch|thread|spiel)|in dieser (?:unterhaltung|sitzung|session|geschichte)"
        r"|du bist (?:jetzt |ab jetzt |nun )?(?:ein|der|die|mein)|bist du (?:ein|mein|der|die)\b)",
        r"\b(?:er|sie|chef|kollege|kollegin|lehrer|doku|dokumentation|anleitung|mutter|vater|artikel|buch|meldung"
        r"|readme|man|linter|freund|handbuch|kunde|text|fehlermeldung)\b.{0,30}\b(?:sagt|sagte|meint|meinte"
        r"|schreibt|schrieb|gesagt|steht|empfiehlt|lautet)\b",
        r"\b(?:de[rnm]|die|ein\w*|jede[rn]?|alle) (?:nutzer|benutzer|kunde|user|anwender|besucher)\w*\b"
        r"|\b(?:angemeldet bleiben|passwort (?:merken|speichern)|checkbox|kontrollkästchen|button|schaltfläche"
        r"|feature)\b",
        r"\b(?:weißt du noch|erinnerst du dich|kannst du dich (?:noch )?erinnern|ich erinnere mich"
        r"|ich (?:habe )?(?:vergessen|weiß nicht)|wie (?:kann|mache|bringe|heißt|geht|soll)|warum|wieso|weshalb"
        r"|was (?:ist|macht|bedeutet|passiert)|hast du dir .{0,30}gemerkt)\b",
        r"\b(?:immer|nie|niemals)\b.{0,20}\b(?:aufgerufen|null|undefined|fehlschlägt|fehler|zurückgegeben|angezeigt"
        r"|abstürzt|hängt|leer)\b|\b(?:gibt|liefert|wirft|schlägt|stürzt) (?:immer|nie|jedes mal)\b|\bwie immer\b"
        r"|\bnie im leben\b|\bbesser spät als nie\b",
    ),
    roles=(
        r"^(?:du bist (?:jetzt |ab jetzt |nun |ab sofort )?(?:ein|der|die|mein)|ab (?:jetzt|sofort) bist du"
        r"|spiele? (?:einen?|die rolle)|stell dir vor|tu so|ignoriere (?:alle|deine)|deine aufgabe)",
    ),
    handovers=(
        r"\b(?:übersetz\w*|fass\w*|formulier\w*|korrigier\w*|korrekturles\w*|zusammenfass\w*|umformulier\w*"
        r"|lektorier\w*|paraphrasier\w*)\b[^:]{0,80}:|\b(?:erklär\w*|analysier\w*|prüf\w*|lies|schau|kommentier\w*"
        r"|hier ist|hier sind|füg\w*|schreib\w*|ergänz\w*|setz\w*)\b[^:]{0,60}\b(?:text|satz|absatz|mail|e-mail"
        r"|nachricht|notiz|artikel|dokument|kommentar|readme|titel|label|zeile|log|meldung"
        r"|folgende\w*)\b[^:]{0,20}:",
    ),
    tags=(
        r"(?:ok|okay|ja|oder|gut|bitte|klar|verstanden|einverstanden|alles klar|in ordnung|geht das"
        r"|machst du das)\s?\?+$",
    ),
    assents=(
        "ja|jo|jep|jawohl|ok|okay|gut|klar|genau|richtig|stimmt|passt|danke|vielen dank|super|prima|einverstanden"
        "|mach das|mach weiter|weiter|bitte|gerne|gern|natürlich|in ordnung|alles klar|sicher|perfekt|toll|los"
    ),
)
