"""Italian phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = (
    r"(?:^|[,;:(—–]\s?|\s-\s|\b(?:e|ma|per favore|per piacere|anche|quindi|ok|sì|no|bene|grazie|inoltre|senti"
    r"|importante|nota|perfetto|allora|vorrei che|voglio che|ah|bravo|ho bisogno che)[,:]?\s)"
)
_KEEP = (
    r"(?:ricorda(?:ti|tevi|re)?|ricordi|si ricordi|ti ricordi|tieni(?:lo)? (?:a mente|presente|conto)"
    r"|tenga (?:a mente|presente|conto)|non (?:ti )?(?:dimenticare|dimenticarti|scordare|scordarti)|memorizza"
    r"|annota(?:ti)?|segna(?:ti)?|prendi nota|prendi atto|salva(?:ti)?|sappi|devi sapere|registra|appunta(?:ti)?"
    r"|conserva|si segni)"
)
_ADD = r"(?:(?: bene| anche| sempre| per favore| mai| del fatto| per (?:la prossima|il futuro|dopo|le prossime volte)))*"
_ME = (
    r"(?:io\b|mi[oae]\b|miei\b|mi\b|me\b|a me\b|sono\b|sto\b|uso\b|utilizzo\b|preferisco\b|lavoro\b|vivo\b|abito\b"
    r"|ho\b|parlo\b|programmo\b|scrivo\b|odio\b|voglio\b|leggo\b|sviluppo\b|studio\b|faccio\b|detesto\b|vorrei\b"
    r"|non (?:uso|mangio|mi|voglio|ho|posso|sono|bevo|sopporto|lavoro|leggo)\b|sempre (?:uso|lavoro)|nel mio"
    r"|il nostro team|la nostra azienda)"
)
_REMEMBER = (
    r"(?:ricorda(?:ti)?|ricordi|tieni (?:a mente|presente|conto)|non (?:ti )?(?:dimenticare|scordare|dimenticarti|scordarti)"
    r"|memorizza|salva(?:ti)? (?:questo|ciò)|annota(?:ti)?|segna(?:ti)?|prendi nota)"
    r"(?: bien| também| anche| aussi| por favor| per favore| s'il te plaît| stp| esto| isto| questo| ceci)*"
)
_IMPERATIVE = (
    r"(?:usa(?:re)?|utilizza(?:re)?|scrivi(?:mi)?|scrivere|rispondi(?:mi)?|rispondere|fai|fare|chiedi(?:mi)?"
    r"|chiedere|evita(?:re)?|metti|mettere|commenta(?:re)?|parla(?:re|mi)?|esegui|controlla(?:re)?|mostra(?:mi)?"
    r"|mostrare|dimmi|mantieni|aggiungi|aggiungere|chiamami|dammi|dare|smetti|spiega(?:re|mi)?|conferma(?:re)?|sii"
    r"|cambia(?:re)?|tocca(?:re)?|cancella(?:re)?|elimina(?:re)?|modifica(?:re)?|crea(?:re)?|installa(?:re)?"
    r"|committa(?:re)?|pusha(?:re)?|avvisa(?:mi|re)?|consulta(?:mi|re)?|traduci|tradurre|formatta(?:re)?"
    r"|testa(?:re)?|includi|includere|comincia|inizia(?:re)?|cita(?:re)?|genera(?:re)?|preferisci|assumere"
    r"|inventare|lascia(?:re)?|termina|attieniti|proponi|aspetta|documenta(?:re)?|lancia(?:re)?)"
)
_HORIZON = (
    r"(?:d'ora in (?:poi|avanti)|da (?:ora|adesso|oggi) in (?:poi|avanti)|da oggi|d'ora innanzi|in futuro|(?:la"
    r"|dalla|per la) prossima volta|le prossime volte|per (?:il futuro|le prossime volte)|una volta per tutte"
    r"|fino a nuovo ordine|in tutte le (?:mie |nostre )?(?:sessioni|conversazioni)|in tutti i miei progetti"
    r"|da questo momento|da qui in (?:poi|avanti))"
)
_ORDER = (
    rf"(?:{_IMPERATIVE}\b|non\b|sempre\b|mai\b|preferisco|vorrei|voglio|devi|niente\b|senza\b|tutt[ie] (?:i|gli|le)"
    rf"|solo\b|soltanto|ogni volta|per favore|in (?:italiano|inglese)|nessun\w*|puoi|né\b)"
)

ITALIAN = Phrases(
    language="it",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "ricord|a mente|presente|conto|dimentic|scordar|memori|annota|segna|segni|prendi|salva|sappi|sapere|registra"
        "|appunta|conserva|d'ora|ora in|adesso in|oggi|futuro|prossim|per tutte|nuovo ordine|in tutt|momento|qui in"
        "|sempre|mai|prefer|mi piac|odio|detesto|di solito|senza |ogni volta|prima di|di default|regola|abitudine"
        "|in generale|tutti i|tutte le|per me|tieni|ogni |volte"
    ),
    wishes=(
        rf"{CLAUSE}{_REMEMBER}\s?:\s*(?!(?:quest[aeio]|quell[aeio]|qui|c'è|\w+[aei]re)\b)\S",
        rf"{CLAUSE}{_REMEMBER},? (?:per|in|con|nei|nelle) (?:tutt[iaeo]|ogni|qualsiasi|miei|mie|i miei|le mie|futur[ioae]"
        rf"|il futuro|la prossima|sempre)\b",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:che|di|:|,|questo:?)*\s*{_ME}(?! (?:detto|appena))",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:che|:|,)+\s*(?:(?:per|in|nel|nei|nelle|quando|se|al|il|la|i|le|con|di|durante"
        rf"|a|lo)\b.{{0,50}}?[, ]){_ME}",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:che|:|,)*\s*.{{2,30}}? (?:è|sono) (?:il |la |i |le )?(?:mi[oae]|miei)\b",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:che|:|,)*\s*(?:il|la|lo|i|le|l'|nostr\w+)\s?.{{2,40}}(?:è|sono|sta"
        rf"|si trova)?.{{0,12}}\ufffc",
        r"\b(?:salva\w*|aggiungi\w*|metti\w*|scrivi\w*|memorizza\w*|registra\w*|annota\w*|inserisci\w*"
        r"|segna\w*)\b.{0,60}?(?:\bin|\bnella|\balla|\btra|\bcome|\bnelle|\balle|\bnei|\bnel|\bai)\s(?:tua |mia "
        r"|tue |mie |le |la |una |un |tuoi |miei )*(?:memoria(?: a lungo termine)?|preferenz[ae]|ricordi|profilo"
        r"|regola|abitudine|note su di me)\s*(?:[:,.!]|$|che\b|per favore)(?!.{0,20}(?:cache|disco))",
        r"^(?:memoria|preferenza|regola|nuova regola|nota per te|da ricordare)\s?:",
        rf"{CLAUSE}{_IMPERATIVE}\b(?: \S+){{0,7}}? sempre\b",
        rf"{CLAUSE}sempre {_IMPERATIVE}\b",
        rf"{CLAUSE}non (?:\w+ )?{_IMPERATIVE}\b.{{0,50}}\b(?:mai|mai più)\b",
        rf"{CLAUSE}non (?:\w+ )?(?:mai"
        rf"|più) ?\w*[aei]r[ei]?\b",
        rf"{CLAUSE}mai (?:più )?{_IMPERATIVE}\b",
        r"\b(?:voglio che (?:tu )?(?:sempre|non .{0,30} mai)|voglio che .{2,50}\b(?:sempre|mai)\b|devi sempre"
        r"|non devi mai|vorrei che .{2,50}\b(?:sempre|mai)\b|non puoi mai)",
        r"^(?:per favore,? )*(?:non|mai|niente|nessun\w*).{2,70}\b(?:senza (?:chieder|il mio|la mia|avvis|mostr"
        r"|che io|conferm|permesso|autorizz|prima|consult|aver\w* chiest)\w*|prima di (?:chieder|aver|mostr"
        r"|consult)\w*|a meno che|se non te lo|finché non)",
        r"^(?:chiedi|avvisa|consulta|mostra|domanda|conferma).{0,30}\b(?:prima di (?:ogni|qualsiasi|fare|cancellare"
        r"|installare|committare|\w+[aei]re\b)|ogni volta che)(?!.{0,6}(?:finire|terminare))",
        rf"{CLAUSE}ogni volta che (?:tu |ti |io )?\w+.{{3,70}}?, ?{_ORDER}",
        r"^(?:quando|se) .{3,60}\b(?:sempre|mai)\b(?! (?:ritorna|fallisce))",
        r"\b(?:te l'ho|ti ho) (?:già )?(?:detto|chiesto|ripetuto)\b.{0,24}\b(?:volte|di (?:non|usare))\b..",
        r"\b(?:fanne|prendi|fallo diventare) (?:un'abitudine|una regola|l'abitudine)\b|\babituati a\b",
        rf"^(?:in|per|nei|nelle) (?:tutti|tutte|ogni)? ?(?:i |le |gli |miei |mie )*(?:progett\w|commit|rispost\w"
        rf"|script|test|messaggi\w? di commit|file|funzion\w|grafic\w|riassunt\w)\b.{{0,12}}{_ORDER}",
        r"^tutt[ie] (?:i|le|gli) (?:miei |mie |tuoi )?(?:commit|commenti|messaggi di commit|test|risposte"
        r"|documenti)\b.{0,12}\b(?:in|devono)\b",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON}\s?[,:]?\s*(?!(?:(?:il|la|lo|i|le) (?!commit|comment|rispost|messagg|doc|variab|nomi"
        rf"|test)|si |è |potremmo|potremo))(?:\S+\s){{0,5}}?{_ORDER}",
        rf"(?:{_IMPERATIVE}\b|^non\b).{{0,80}}\b{_HORIZON}",
        rf"\b(?:voglio|preferisco|vorrei|devi|ho bisogno)\b.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:il|la|lo|i|le|si|è|perché|come|se|che|affinché|questo)\b).{{3,60}}\b{_HORIZON}\s*[.!]*$",
        rf"{CLAUSE}(?:di default|in generale|come regola(?: generale)?|di norma"
        rf"|per impostazione predefinita)\s?,? {_ORDER}",
    ),
    preferences=(
        r"(?:^|[^\w])(?:io )?(?:sempre |anche |personalmente |in genere |di solito )*(?:preferisco|preferirei"
        r"|detesto|odio(?! (?:questo|quando questo))|non sopporto)\b",
        r"\b(?:mi piac(?:e|ciono) (?:di più|molto di più|che|le risposte|i commit|il codice|quando)|non mi piac(?:e"
        r"|ciono) (?:che|quando|le|i|gli|l'uso)|(?:è|sono) (?:meglio|più \w+) per me|mi trovo meglio)\b",
        r"\b(?:il|la|i|le) (?:mi[oae]|miei) (?:\w+ )?(?:preferit[oaie]|preferenz[ae]|lingua madre"
        r"|editor predefinito)\b.{0,40}\b(?:è|sono)\b|\bè il mio \w+ preferito\b",
        r"\b(?:di solito|sempre|normalmente|in genere|quasi sempre) (?:uso|lavoro|scrivo|programmo"
        r"|utilizzo)\b(?!.{0,50}\bma\b)|\b(?:uso|lavoro|scrivo) (?:sempre|solo|esclusivamente|di solito)\b"
        r"|\bnon uso mai\b",
    ),
    requests=(
        rf"\b(?:puoi|potresti|può|potrebbe|riesci a)(?: per favore)? (?:ricordar(?:ti|e|si)|annotar(?:ti|e)"
        rf"|memorizzare|tenere (?:a mente|presente|conto)|segnar(?:ti|e)|salvare)\s?(?:che|:|,)+\s*.{{0,40}}?{_ME}",
        r"\b(?:puoi|potresti|può|potrebbe|riesci a)(?: per favore)? (?:ricordartelo|ricordarlo|annotarlo|segnartelo"
        r"|segnarlo|salvarlo|memorizzarlo|ricordare questo|salvare (?:questo|quel link|questo link)|tenerlo a mente"
        r"|annotare questo|segnare questo)(?: (?:per|in|nella).{0,30})?\s?\?",
        rf"\b(?:puoi|potresti)\b.{{0,70}}\b{_HORIZON}",
        rf"{_HORIZON},? (?:puoi|potresti)\b",
        r"\b(?:puoi|potresti) (?:salvare|aggiungere|mettere)\w*.{0,50} (?:nella|in|alla) (?:tua |mia )?memoria\s?\?",
    ),
    keeps=(
        rf"{CLAUSE}(?:ricordalo|ricordatelo|segnatelo|segnalo|annotalo|annotatelo|salvalo|salvatelo|memorizzalo"
        rf"|non dimenticarlo|non te lo dimenticare|tienilo a mente|tienilo presente|appuntatelo"
        rf"|conservalo)(?: (?:bene|per favore|per .{{2,20}}|in memoria))?\s*(?:[,.!:;)]|$)",
        rf"{CLAUSE}(?:ricorda(?:ti)?(?: di)?|salva|tieni|annota|segna(?:ti)?|memorizza|conserva"
        rf"|non dimenticare) (?:questo|quest[oa] (?:link|indirizzo|regola|informazione|pagina|dato|url|preferenza"
        rf"|cosa|sito)|quel (?:link|sito|dato)|quell[a'] ?(?:indirizzo|pagina|url|informazione)|il link|l'indirizzo"
        rf"|ciò|quanto segue)(?: (?:per favore|in memoria|per (?:la prossima|dopo|il futuro|me|le prossime volte)"
        rf"|da parte|anche))*\s*(?:[,.!:;)]|$|e\b|che\b|perché\b)",
    ),
    one_off=(
        r"\b(?:in|per|di|con|su|nel|nella) ?(?:quest[oa]) ?(?:pr|branch|commit|file|attività|task|funzione|caso"
        r"|ticket|classe|passo|test|modulo|domanda|pagina|script|versione|modifica|componente|capitolo|storia|bug"
        r"|volta)\b|\b(?:questa volta|stavolta|per ora|per il momento|solo (?:per )?oggi|prima di (?:finire"
        r"|terminare|fare il merge)|quando (?:hai finito|finisci)|temporaneamente)\b",
    ),
    choices=(
        r"\b(?:opzione|variante|proposta|versione|soluzione|alternativa|approccio) ?(?:\d|[a-d]\b)?\b|\b(?:il|la|lo"
        r"|l') ?(?:prim[oa]|second[oa]|ultim[oa]|terz[oa]|altr[oa]|nuov[oa]|vecchi[oa])\b|\b(?:preferisco"
        r"|mi piace)(?: di più)? (?:quest[oaie]|quell[oaie]|così|la tua|il tuo)\b|\b(?:procedi|vai|vai avanti"
        r"|qui)\b",
    ),
    vetoes=(
        r"\b(?:gioco di ruolo|fai finta|fingi|immagina (?:che|di)|solo per (?:gioco|divertimento|scherzo|ridere)"
        r"|per scherzo|in questa (?:conversazione|chat|sessione|storia|partita)|in questo (?:gioco|thread)"
        r"|(?:tu )?(?:sei|sarai) (?:ora |adesso )?(?:un|una|il|la|lo|mio)|comportati come|agisci come)\b",
        r"\b(?:lui|lei|capo|collega|professor\w*|prof|documentazione|articolo|libro|madre|mamma|padre|messaggio"
        r"|testo|amic[oa]|manuale|cliente|tutorial)\b.{0,20}\b(?:ha detto|dice|diceva|scrive|ha scritto|indica"
        r"|consiglia|dicono|mi ha chiesto)\b",
        r"\b(?:l'utente|gli utenti|un utente|il cliente|ricordami|ricorda (?:la )?password|salva (?:la )?password"
        r"|checkbox|casella|pulsante|bottone|funzionalità)\b",
        r"\b(?:ti ricordi (?:di |il |la |come|cosa|quando|quel|dell|del|che)|si ricorda|mi ricordo"
        r"|non (?:mi )?ricordo|ho dimenticato|come (?:posso|si|faccio|fare)|perché (?:la|il|mi|non)|che cosa"
        r"|cosa (?:è|fa|significa|succede))\b",
        r"\b(?:ritorna|restituisce|fallisce|mostra|dà|sta|funziona|lancia|torna) (?:sempre|mai)\b|\b(?:sempre"
        r"|mai) (?:ritorna|restituisce|fallisce|null|vuoto)\b|\bcome sempre\b|\bmeglio tardi\b|\bnon si sa mai\b"
        r"|\b(?:ho|ha|hai) (?:sempre|mai)\b|\bse mai\b|\bnon (?:è|viene|ha|funziona|si|riesce|termina|arriva) mai\b",
    ),
    roles=(
        r"^(?:(?:d'ora in poi|da ora in poi),? )?(?:(?:tu )?(?:sei|sarai) (?:ora |adesso )?(?:un|una|il|la|lo|mio)"
        r"|comportati come|immagina|fai finta|fingi|ignora (?:tutte|le)|il tuo compito)\b",
    ),
    handovers=(
        r"\b(?:traduci|tradurre|riassumi|riformula|correggi|parafrasa|riscrivi)\b[^:]{0,80}:|\b(?:spiega|analizza"
        r"|controlla|leggi|guarda|ecco|aggiungi|scrivi|metti|inserisci)\b[^:]{0,60}\b(?:testo|frase|paragrafo|mail"
        r"|e-?mail|messaggio|articolo|documento|commento|readme|titolo|etichetta|riga|log|seguenti?)\b[^:]{0,20}:",
    ),
    tags=(r"(?:ok|va bene|sì|capito|d'accordo|per favore|chiaro|intesi|bene)\s?\?+$",),
    assents=(
        "sì|si|ok|va bene|bene|certo|perfetto|ottimo|grazie|grazie mille|d'accordo|esatto|corretto|procedi|vai"
        "|vai avanti|fallo|certamente|giusto|benissimo|continua|prego|per favore|bravo"
    ),
)
