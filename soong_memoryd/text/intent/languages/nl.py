"""Dutch phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = (
    r"(?:^|[,;:(—–]\s?|\b(?:en|maar|alsjeblieft|aub|graag|ook|dus|ok|oké|ja|nee|goed|bedankt|trouwens|belangrijk"
    r"|even)[,:]?\s)"
)
_KEEP = (
    r"(?:onthoud(?:t)?|vergeet (?:niet|nooit)|hou(?:d)? (?:er rekening mee|in gedachten)|noteer|weet|schrijf op|sla op"
    r"|bewaar|denk eraan|let op|prent in)"
)
_ME = r"(?:ik|mijn|mij|me|m'n|bij mij|voor mij|ons team)\b"
_VERB = (
    r"(?:gebruik|schrijf|antwoord|vraag|geef|maak|zet|controleer|test|praat|spreek|doe|laat|toon|leg|noem|commit|push"
    r"|verwijder|wijzig|houd|hou|vermijd|bevestig|voeg|draai|start|begin|eindig|installeer|raak|pas|stel|zeg)\b"
)
_HORIZON = (
    r"(?:vanaf (?:nu|vandaag|heden)|van nu af aan|voortaan|in (?:de toekomst|het vervolg)|(?:de )?volgende keer"
    r"|tot nader order|in alle (?:toekomstige )?(?:sessies|gesprekken|projecten)|voor de toekomst)"
)

DUTCH = Phrases(
    language="nl",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "onthoud|onthouden|vergeet|rekening|gedachten|noteer|noteren|bewaar|bewaren|sla |opslaan|denk eraan|vanaf"
        "|van nu|voortaan|toekomst|vervolg|volgende keer|nader order|in alle|altijd|nooit|liever|liefst|voorkeur"
        "|favoriet|zonder |elke keer|geheugen|standaard|haat|hekel|hou niet|prettiger"
    ),
    wishes=(
        rf"{CLAUSE}{_KEEP}(?:(?: goed| alsjeblieft| ook| even))*(?:,? dat|:|,)?\s*(?:(?:voor|in|bij|als|op"
        rf"|met)\b.{{0,40}}?[, ])?{_ME}",
        r"\b(?:sla|voeg|zet|bewaar|schrijf|neem)\b.{0,60}\b(?:in|aan|als|toe aan|op in) (?:je |jouw |mijn |het "
        r"|een )?(?:geheugen|voorkeur(?:en)?|profiel|regel|vaste regel)\b",
        rf"{CLAUSE}{_VERB}(?: \S+){{0,7}}? (?:altijd|nooit)\b",
        r"^(?:altijd|nooit) .{{2,60}}en\s*[.!]*$",
        r"\b(?:ik wil (?:altijd|nooit|dat je .{0,50}(?:altijd|nooit))|je (?:moet|mag) (?:altijd|nooit))\b",
        r"^(?!waarom|hoe).{0,60}\b(?:nooit|niet|geen|niets)\b.{1,60}\b(?:zonder (?:te vragen|mijn|het te vragen"
        r"|toestemming|overleg|eerst)|tenzij ik|voordat ik)\b",
        rf"{CLAUSE}(?:elke keer|telkens|iedere keer) (?:als|dat|wanneer) (?:je|ik) .{{3,60}}?,? {_VERB}",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON},?\s*(?!(?:werkt|is|zijn|wordt|kan|de (?:app|server"
        rf"|functie))\b)(?:\S+\s){{0,6}}?(?:{_VERB}|altijd|nooit|geen|niet|alleen|graag|ik (?:wil|heb)|je |wil ik"
        rf"|alle )",
        rf"{_VERB}.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:het|de|dat|waarom|hoe|is|zodat)\b).{{3,70}}\b{_HORIZON}\s*[.!]*$",
    ),
    preferences=(
        r"\bik (?:heb|gebruik|schrijf|werk|lees|zie|wil) (?:\S+ ){0,5}?(?:liever|het liefst|altijd|bij voorkeur)\b"
        r"|\bik (?:geef de voorkeur|prefereer|haat|houd? (?:niet )?van (?:korte|lange|duidelijke)|heb een hekel"
        r"|verkies)\b",
        r"\bmijn (?:voorkeur|favoriete|standaard)\b.{0,40}\b(?:is|gaat|zijn)\b|\bvind ik (?:prettiger|fijner)\b",
    ),
    requests=(
        rf"\b(?:kun|kan|wil|zou) (?:je|u) (?:alsjeblieft |even )*(?:onthouden|noteren|bewaren)(?:,? dat"
        rf"|:)\s*.{{0,30}}?{_ME}",
        r"\b(?:kun|kan|wil|zou) (?:je|u) (?:alsjeblieft |even )*(?:dat|dit|deze link|die link|het)(?: alsjeblieft"
        r"| even| voor (?:later|de volgende keer))* (?:onthouden|bewaren|opslaan|noteren)",
        rf"\b(?:kun|kan|wil|zou) (?:je|u) .{{2,60}}\b{_HORIZON}|\b(?:kun|kan|wil|zou) (?:je|u) {_HORIZON}",
    ),
    keeps=(
        rf"{CLAUSE}(?:onthoud|bewaar|noteer|vergeet|sla) (?:dat|dit|deze (?:link|url|pagina|regel)|die (?:link|url"
        rf"|pagina)|het adres|de link)(?: (?:alsjeblieft|goed|even|op|niet|voor (?:later|de volgende keer"
        rf"|mij)))*\s*(?:[,.!:;)]|$|en\b)",
    ),
    one_off=(
        r"\b(?:in|voor|bij|van) (?:deze|dit) (?:pr|branch|commit|bestand|taak|functie|geval|ticket|test|module|vraag"
        r"|pagina|script|versie|keer)\b|\b(?:deze keer|voorlopig|voor nu|voordat je klaar|als je klaar)\b",
    ),
    choices=(
        r"\b(?:optie|variant|voorstel|versie|oplossing) ?(?:\d|[a-d]\b)?\b|\b(?:de|het) (?:eerste|tweede|laatste|derde"
        r"|andere|oude|nieuwe)\b|\b(?:liever|voorkeur).{0,10}\b(?:deze|dit|die|dat)\b",
    ),
    vetoes=(
        r"\b(?:rollenspel|doe alsof|voor de lol|in (?:dit (?:gesprek|chat)|deze chat|deze sessie)"
        r"|je bent (?:nu )?(?:een|de|mijn))\b|\b(?:hij|zij|baas|collega|docent|documentatie|artikel|boek"
        r"|bericht)\b.{0,20}\b(?:zei|zegt|schrijft|staat|meent)\b",
        r"\b(?:de|een|elke) (?:gebruiker|klant)\w*\b|\b(?:wachtwoord onthouden|ingelogd blijven|selectievakje"
        r"|checkbox|knop)\b|\b(?:herinner je|weet je nog|ik weet nog|ik ben vergeten|hoe kan|waarom|wat doet)\b",
        r"\b(?:geeft|faalt|crasht|retourneert|werkt|is|wordt) (?:altijd|nooit)\b|\bzoals altijd\b|\bbeter laat dan nooit\b",
    ),
    roles=(r"^(?:vanaf nu )?(?:je bent|ben je|doe alsof|speel) (?:nu )?(?:een|de|mijn|alsof)\b",),
    handovers=(r"\b(?:vertaal|samenvat|vat|herschrijf|corrigeer|parafraseer)\b[^:]{0,80}:",),
    tags=(r"(?:ok|oké|goed|ja|akkoord|alsjeblieft|begrepen)\s?\?+$",),
    assents=("ja|oké|ok|goed|prima|zeker|klopt|juist|bedankt|dank je|dank je wel|graag|ga door|doe maar|perfect|top|akkoord"),
)
