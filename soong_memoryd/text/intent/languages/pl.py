"""Polish phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = r"(?:^|[,;:(—–]\s?|\b(?:i|a|ale|proszę|też|także|więc|ok|tak|nie|dobrze|dzięki|ważne|przy okazji)[,:]?\s)"
_KEEP = (
    r"(?:zapamiętaj|pamiętaj|nie zapomnij|nie zapominaj|miej na uwadze|weź pod uwagę|zanotuj|zapisz(?: sobie)?|wiedz"
    r"|odnotuj)"
)
_ME = (
    r"(?:ja|mnie|mi|mną|mój|moja|moje|moi|mojego|mojej|moim|jestem|mam|używam|wolę|pracuję|mieszkam|lubię|piszę|chcę"
    r"|nie (?:jem|lubię|używam|chcę|mogę|piję)|korzystam|nasz zespół)\b"
)
_VERB = (
    r"(?:używaj|pisz|odpowiadaj|rób|pytaj|sprawdzaj|dodawaj|mów|uruchamiaj|commituj|pushuj|pokazuj|wyjaśniaj|komentuj"
    r"|unikaj|potwierdzaj|zwracaj się|nazywaj|stosuj|trzymaj|dawaj|zmieniaj|usuwaj|dotykaj|twórz|testuj|instaluj"
    r"|zapytaj|podawaj|zaczynaj|kończ|korzystaj|formatuj)\b"
)
_HORIZON = (
    r"(?:od (?:teraz|dzisiaj|dziś|tej pory|tego momentu)|w przyszłości|na przyszłość|następnym razem|odtąd|do odwołania"
    r"|we wszystkich (?:sesjach|projektach|rozmowach)|raz na zawsze|nigdy więcej)"
)

POLISH = Phrases(
    language="pl",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "pamięta|zapamięta|zapomin|zapomnij|na uwadze|pod uwagę|zanotuj|zapisz|zapisać|wiedz|odnotuj|od teraz|od dzi"
        "|od tej|od tego|przyszło|następnym|odtąd|odwołania|wszystkich|zawsze|nigdy|wolę|preferuj|ulubion|lubię"
        "|nienawidzę|bez |za każdym|pamięci|domyślnie|zachowaj|nie cierpię"
    ),
    wishes=(
        rf"{CLAUSE}{_KEEP}(?:(?: proszę| dobrze| też| sobie))*(?:,? że|:|,)?\s*(?:[\w-]+ ){{0,4}}{_ME}",
        r"\b(?:zapisz|dodaj|zachowaj|wpisz|wrzuć)\b.{0,60}\b(?:w|do|jako) (?:swojej |twojej |mojej |moją |moich "
        r"|swoją )?(?:pamięci|preferencj\w+|profilu|zasad[ęy]|regułę)\b",
        rf"{CLAUSE}(?:zawsze|nigdy nie)\s(?:\w+ )?{_VERB}",
        rf"{CLAUSE}{_VERB}(?: \S+){{0,6}}? zawsze\b",
        r"\b(?:chcę,? żebyś (?:\S+ ){0,4}(?:zawsze|nigdy)|musisz zawsze|nie wolno ci)\b",
        r"^(?:nie|nigdy|żadnych)\b.{2,60}\b(?:bez (?:pytania|mojej|mojego|zgody|potwierdzenia|uzgodnienia)"
        r"|dopóki (?:ja )?nie|zanim (?:mnie|ja|nie zapytasz))",
        rf"{CLAUSE}(?:za każdym razem,? (?:gdy|kiedy)|zawsze,? (?:gdy|kiedy)) .{{3,60}}?, ?{_VERB}",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON},?:?\s*(?!(?:to|serwer|aplikacja|funkcja|będzie"
        rf"|może)\b)(?:nie )?(?:\S+\s){{0,5}}?(?:{_VERB}|zawsze|nigdy|chcę|wolę|tylko|bez|po polsku|po angielsku"
        rf"|proszę)",
        rf"{_VERB}.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:to|on|ona|dlaczego|jak|czy|żeby)\b).{{3,70}}\b{_HORIZON}\s*[.!]*$",
    ),
    preferences=(
        r"\b(?:wolę|wolałbym|wolałabym|preferuję|nienawidzę|nie znoszę|nie cierpię)\b|\b(?:zawsze|zwykle"
        r"|zazwyczaj) (?:używam|piszę|pracuję|korzystam)\b|\b(?:bardziej )?lubię (?:krótk|zwięzł|szczegół|gdy|kiedy"
        r"|prost|bardziej)|\bmoj[aeą] (?:\S+ )?(?:preferencj\w+|ulubion\w+)|\bmój ulubion\w+ \S+ to\b",
    ),
    requests=(
        rf"\b(?:możesz|mógłbyś|czy możesz|mogłabyś) (?:proszę )?(?:zapamiętać|zanotować|zapisać|pamiętać)(?:,? że|:"
        rf"|,)\s*.{{0,30}}?{_ME}",
        r"\b(?:możesz|mógłbyś|mogłabyś) (?:proszę )?(?:to |ten link )?(?:zapamiętać|zapisać|zanotować)(?: to"
        r"| ten link| sobie| na (?:przyszłość|później))*\s?\?",
        rf"\b(?:możesz|mógłbyś|mogłabyś) .{{0,60}}\b{_HORIZON}",
    ),
    keeps=(
        rf"{CLAUSE}(?:zapamiętaj|zapisz|zanotuj|zachowaj|nie zapomnij) (?:to|sobie to|ten (?:link|adres|fakt)"
        rf"|tę (?:stronę|zasadę)|o tym)(?: (?:proszę|sobie|na (?:przyszłość|później)|dobrze))*\s*(?:[,.!:;)]|$|i\b)",
    ),
    one_off=(
        r"\b(?:w|dla|na|do) t(?:ym|ej|ego|en|ę) (?:pr|branch\w*|gałęzi|commi\w+|plik\w*|zadani\w+|funkcj\w+|przypadk\w+"
        r"|tickec\w*|test\w*|module|pytani\w+|stroni\w+|skrypci\w*|wersji)\b|\b(?:tym razem|na razie|chwilowo"
        r"|tylko dziś|zanim skończysz|jak skończysz)\b",
    ),
    choices=(
        r"\b(?:opcj\w+|wariant\w*|wersj\w+|propozycj\w+|rozwiązani\w+) ?(?:\d|[a-d]\b)?\b|\b(?:pierwsz|drug|ostatni"
        r"|trzeci|now|star)\w{1,3}\b|\bwolę (?:t[eęoąa]|ten|tamt\w+|twoj\w+)\b",
    ),
    vetoes=(
        r"\b(?:udawaj|odgrywaj|dla zabawy|dla żartu|w tej (?:rozmowie|sesji)|w tym (?:czacie|wątku)"
        r"|jesteś (?:teraz )?(?:piratem|\w+em|\w+ą))\b|\b(?:on|ona|szef|kolega|nauczyciel|dokumentacja|artykuł"
        r"|książka|wiadomość)\b.{0,20}\b(?:powiedział\w?|mówi|pisze|zaleca)\b",
        r"\b(?:użytkownik\w*|klient\w*|zapamiętaj mnie|zapamiętaj hasło|checkbox|pole wyboru|przycisk)\b"
        r"|\b(?:czy )?pamiętasz\b|\b(?:nie )?pamiętam\b|\bzapomniał\w+\b|\b(?:jak (?:mogę|zrobić)|dlaczego"
        r"|co (?:robi|to)|przypomnij)\b",
        r"\b(?:zawsze|nigdy nie) (?:zwraca|działa|pada|pokazuje|jest|wywołuje)\w*\b|\b(?:zwraca|pokazuje) (?:zawsze"
        r"|nigdy)\b|\bjak zawsze\b|\blepiej późno\b",
    ),
    roles=(r"^(?:od teraz )?(?:jesteś (?:teraz )?\w+|udawaj|odgrywaj|wciel się)\b",),
    handovers=(r"\b(?:przetłumacz|streść|podsumuj|popraw|przeredaguj|sparafrazuj)\b[^:]{0,80}:",),
    tags=(r"(?:ok|dobrze|tak|proszę|jasne|zgoda|rozumiesz)\s?\?+$",),
    assents=(
        "tak|ok|dobrze|jasne|pewnie|oczywiście|zgoda|dzięki|dziękuję|super|świetnie|kontynuuj|dalej|racja|dokładnie"
        "|zgadza się|no"
    ),
)
