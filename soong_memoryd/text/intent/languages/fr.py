"""French phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = (
    r"(?:^|[,;:(—–]\s?|\s-\s|\b(?:et|mais|s'il te plaît|s'il vous plaît|stp|svp|alors|donc|ok|oui|non|bon|bien|merci"
    r"|aussi|au fait|sinon|d'accord|important|attention|note)[,:]?\s)"
)
_KEEP = (
    r"(?:retiens|retenez|souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|notes?|notez|n'oublies?"
    r"|n'oubliez|oublies? pas|garde(?:z)?|mémorise(?:z)?|sache(?:z)?|tiens compte|prends (?:bonne )?note"
    r"|prenez note|enregistre(?:z)?|sauvegarde|il faut (?:que tu (?:saches|retiennes)|retenir|savoir)"
    r"|tu dois (?:savoir|retenir)|je (?:veux|voudrais|souhaite|aimerais) que tu (?:te souviennes|retiennes|saches"
    r"|notes)|pense)"
)
_ME = (
    r"(?:je\b|j'|moi\b|mon\b|ma\b|mes\b|me\b|m'|chez moi|pour moi|nous (?:préférons|utilisons)|notre (?:équipe|boîte)"
    r"|on (?:préfère|utilise|m'))"
)
_REMEMBER = (
    r"(?:retiens|retenez|souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|n'oublies?(?: pas)?|n'oubliez pas|notes? bien"
    r"|mémorise|(?:garde|enregistre) (?:ça|ceci|cela)|garde (?:en tête|à l'esprit|en mémoire)|prends note|sache)"
    r"(?: bien| também| anche| aussi| por favor| per favore| s'il te plaît| stp| esto| isto| questo| ceci)*"
)
_IMPERATIVE = (
    r"(?:utilise[rsz]?|écri(?:s|re|vez)|réponds?|répondez|répondre|fai(?:s|re|tes)|demande[rz]?|évite[rz]?|mets"
    r"|mettre|mettez|commente[rz]?|commit\w*|emploie[rz]?|parle[rz]?|pose[rz]?|vérifie[rz]?|lance[rz]?|teste[rz]?"
    r"|garde[rz]?|donne[rz]?|explique[rz]?|préfère[rz]?|appelle-moi|tutoie-moi|tutoie|vouvoie|pousse[rz]?"
    r"|touche[rz]?|modifie[rz]?|supprime[rz]?|ajoute[rz]?|propose[rz]?|crée[rz]?|attends?|montre[rz]?|dis"
    r"|rédige[rz]?|nomme[rz]?|formate[rz]?|exécute[rz]?|installe[rz]?|privilégie[rz]?|sois|reste[rz]?|arrête[rz]?"
    r"|cesse[rz]?|pense[rz]? à|veille[rz]? à|confirme[rz]?|préviens|consulte[rz]?|documente[rz]?|place[rz]?"
    r"|termine[rz]?|commence[rz]?|cite[rz]?|suis|respecte[rz]?|résume[rz]?|traduis|passe[rz]? par|prends"
    r"|laisse[rz]?)(?:-(?:moi|le|la|les|nous|lui))?\b"
)
_HORIZON = (
    r"(?:désormais|dorénavant|à partir (?:de maintenant|d'aujourd'hui|de là|de ce moment|d'ici)|à l'avenir"
    r"|à compter (?:de|d')\s?\w+|dès (?:maintenant|à présent|aujourd'hui)|l(?:a|es) prochaines? fois"
    r"|la fois prochaine|pour la suite|pour l'avenir|par la suite|jusqu'à nouvel ordre|dans toutes (?:nos|les"
    r"|mes) (?:sessions|conversations|discussions)|une (?:bonne )?fois pour toutes"
    r"|pour (?:toutes )?les prochaines (?:fois|sessions)|dans tous mes projets)"
)
_ORDER = (
    rf"(?:{_IMPERATIVE}|ne\b|n'|je (?:veux|préfère|voudrais|souhaite|préférerais|aimerais)|toujours|jamais|pas de"
    rf"|plus (?:de|d'|jamais|aucun)|plus de|tu (?:dois|devras|peux|utilises|réponds|me|écris|ne|fais|demandes|vas)"
    rf"|il faut|merci de|tous (?:les|mes)|toutes (?:les|mes)|s'il te plaît|stp|uniquement|seulement|que du|aucun"
    rf"|en (?:français|anglais)|on (?:utilise|écrit|parle))"
)

FRENCH = Phrases(
    language="fr",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "retiens|reteni|retenez|souvien|souvenez|rappel|note|oubli|garde|mémoris|sache|tiens compte|prends|enregistr"
        "|sauvegard|désormais|dorénavant|à partir|avenir|compter de|dès maintenant|dès à présent|prochaine|la suite"
        "|nouvel ordre|dans tou|pour toutes|toujours|jamais|systématiquement|préfère|préféré|déteste|j'aime|n'aime"
        "|horreur|préférence|privilégi|mémoire|par défaut|règle|habitude|chaque fois|avant de|sans |en général|favori"
        "|j'utilise|d'habitude|plus de |conserve|arrête|aimerais|préférerais|mets |dit|tous mes|toutes mes|pense"
        "|convient"
    ),
    wishes=(
        rf"{CLAUSE}{_REMEMBER}\s?:\s*(?!(?:c'|ce|cet|cette|ces|ça|il y|ici|tu|le (?:test|fichier|deuxième|premier)|de"
        rf"|\w+er)\b)\S",
        rf"{CLAUSE}{_REMEMBER},? (?:pour|dans|en|avec) (?:tou[st]e?s?|chaque|mes|nos|la suite|l'avenir|la prochaine fois"
        rf"|toujours|plus tard)\b",
        r"^plus (?:jamais |aucun )?(?:de |d').{2,60}\b(?:jamais|s'il te plaît|stp)\b",
        rf"{CLAUSE}{_KEEP}(?:(?: pas| jamais| bien| aussi| en tête| à l'esprit| en mémoire| du fait| stp"
        rf"| s'il te plaît| pour (?:la suite|plus tard|la prochaine fois|l'avenir)))*\s?(?:,|:|que"
        rf"|qu')*\s*{_ME}(?! (?:t'ai dit|viens))",
        rf"{CLAUSE}{_KEEP}(?:(?: pas| jamais| bien| aussi| en tête| à l'esprit| en mémoire| pour (?:la suite"
        rf"|plus tard|la prochaine fois|l'avenir)))*\s?(?:,|:|que|qu')+\s*(?:(?:pour|dans|en|quand|lorsque|si|au|à"
        rf"|sur|le|après|avant|chez|les?|du)\b.{{0,50}}?[, ]){_ME}",
        rf"{CLAUSE}{_KEEP}(?:(?: pas| jamais| bien| aussi))*\s?(?:,|:|que|qu')*\s*.{{2,30}}? (?:est|sont) (?:mon|ma|mes)\b",
        rf"{CLAUSE}{_KEEP}(?:(?: pas| jamais| bien| aussi))*\s?(?:,|:|que|qu')*\s*(?:le|la|les"
        rf"|notre) .{{2,40}}(?:est|sont|se trouve\w*)?.{{0,12}}\ufffc",
        r"\b(?:ajoute\w*|mets|mettre|enregistre\w*|sauvegarde\w*|stocke\w*|garde\w*|note\w*|inscris"
        r"|retiens)\b.{0,60}?(?:\bà|\bdans|\ben|\bcomme)\s(?:ta |ma |la |mes |tes |une |mon "
        r"|ton )?(?:mémoire(?: à long terme)?|souvenirs|préférences?|profil|règle|habitude)\s*(?:[:,.!]|$|que\b"
        r"|qu')(?!.{0,20}cache)",
        r"^(?:mémoire|préférence|règle|nouvelle règle|à retenir|à noter|pour mémoire)\s?:",
        rf"{CLAUSE}(?:{_IMPERATIVE})(?: \S+){{0,6}}? (?:toujours|systématiquement)\b",
        rf"{CLAUSE}(?:toujours|systématiquement|jamais)\s(?:{_IMPERATIVE}|de\s|d'|en (?:français|anglais))",
        rf"{CLAUSE}ne? ?(?:me |m'|le |la |les |l')?\S+ (?:plus )?jamais\b(?! (?:réussi|vu|su|pu|été))",
        r"^ne jamais \w+|^plus jamais (?:de|d')",
        r"\b(?:je (?:veux|voudrais|souhaite|aimerais|préfère) (?:toujours|que tu .{0,40}(?:toujours|jamais"
        r"|systématiquement|à chaque))|(?:tu ne dois|il ne faut) (?:plus )?jamais|tu dois toujours"
        r"|tu n'as pas le droit de)\b",
        r"^(?:s'il te plaît,? |stp,? )*(?:ne|n'|pas de|pas d'|jamais|aucun).{2,70}\b(?:sans (?:me |m'|mon |ma "
        r"|que je|l'accord|validation|demander|confirmation|permission)|avant (?:de me|que j|mon|ma|d'avoir mon)"
        r"|sauf si je|tant que je)",
        r"^(?:demande|montre|préviens|consulte|dis|confirme)[- ](?:moi |avec moi |le )?.{0,30}\b(?:avant (?:de|d'"
        r"|chaque|tout)|à chaque fois)(?! (?:finir|terminer))",
        rf"{CLAUSE}(?:à )?chaque fois que (?:tu|je) .{{3,70}}?, ?{_ORDER}",
        rf"{CLAUSE}(?:quand|lorsque|si) (?:tu|je) .{{3,60}}?,? ?.{{0,20}}\b(?:toujours|systématiquement|jamais)\b",
        r"\bje (?:te |t')?(?:l'ai|l' ai|ai)? ?(?:déjà )?(?:dit|répété|demandé) (?:\S+ ){0,3}fois\b.."
        r"|\bje t'ai déjà dit de (?:ne|toujours)\b",
        r"\b(?:fais-en|prends) (?:une |l')(?:règle|habitude)\b|\bc'est la règle\b",
        rf"^(?:dans|pour) (?:tous|toutes|chaque) (?:mes |les |tes )?(?:projets?|commits?|réponses?|scripts?|tests?"
        rf"|messages? de commit|fichiers?|fonctions?|résumés?|graphiques?)\b.{{0,12}}{_ORDER}",
        r"^tous (?:les|mes|tes) (?:commits|commentaires|messages de commit|tests|docs?)\b.{0,12}\b(?:en|doivent)\b",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON}\s?[,:]?\s*(?!(?:(?:le|la|les) (?!commits?|comment|répons|message|doc|variab|noms"
        rf"|tests?)|il |elle |ça |c'est |disponible|ce |cette |nous (?:pouvons|avons)))(?:\S+\s){{0,4}}?{_ORDER}",
        rf"{_IMPERATIVE}.{{0,80}}\b{_HORIZON}",
        rf"{CLAUSE}(?:ne|n').{{1,60}}{_HORIZON}",
        rf"\b(?:je (?:veux|voudrais|souhaite|aimerais|préfère)|tu (?:dois|devras|peux))\b.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:il|elle|le|la|les|ça|c'est|pourquoi|comment|si|que|pour que|afin)\b).{{3,60}}\b{_HORIZON}\s*[.!]*$",
        rf"{CLAUSE}(?:en règle générale|par défaut|en général)\s?,? {_ORDER}",
    ),
    preferences=(
        r"\bje (?:les? |la |l')préfère (?:à|aux?|plutôt)\b",
        r"\bje (?:préfère|préférerais|privilégie|déteste|n'aime pas|n'apprécie pas|travaille (?:toujours|plutôt"
        r"|de préférence|uniquement)|veux toujours|code (?:toujours|plutôt)|n'utilise (?:jamais|que|pas)"
        r"|n'écris jamais|ne supporte pas)\b",
        r"\bj'(?:aime (?:mieux|pas|bien|les|quand|que|avoir|lire)|apprécie (?:les|quand|que)|ai horreur"
        r"|ai (?:une )?(?:nette )?préférence|utilise (?:toujours|plutôt|exclusivement|généralement|uniquement"
        r"|d'habitude|principalement)|écris (?:toujours|généralement)|ai l'habitude d)",
        r"\b(?:mon|ma|mes) (?:\w+ )?(?:préférences?|préférée?s?|favorie?s?|langue maternelle)\b.{0,40}\b(?:est|sont"
        r"|va)\b|\bm(?:on|a) \w+ (?:préférée?|favorie?) (?:est|c'est)\b",
        r"\b(?:me (?:convient|conviennent)|(?:est|sont) (?:plus|mieux) (?:\w+ )?pour moi|m'aident? (?:plus|mieux))\b",
    ),
    requests=(
        rf"\b(?:peux|pourrais|veux|pouvez|pourriez)[- ](?:tu|vous) (?:s'il te plaît |stp |bien |aussi "
        rf"|te )*(?:retenir|te souvenir|souvenir|noter|mémoriser|garder en (?:tête|mémoire)|te rappeler|rappeler"
        rf"|enregistrer)(?: bien)?\s?(?:,|:|que|qu')+\s*.{{0,40}}?{_ME}",
        r"\b(?:peux|pourrais|veux|pouvez|pourriez)[- ](?:tu|vous) (?:s'il te plaît |stp |bien |aussi |te |t'en "
        r"|en )*(?:(?:le |la |les )?(?:retenir|noter|mémoriser|garder|conserver|enregistrer|souvenir"
        r"|rappeler)) ?(?:ça|cela|ceci|ce lien|cette adresse|de ça|de cela|pour la prochaine fois"
        r"|pour plus tard)? ?\?",
        rf"\b(?:peux|pourrais|veux|pouvez|pourriez)[- ](?:tu|vous) .{{0,60}}{_HORIZON}",
        rf"{CLAUSE}{_HORIZON},? (?:peux|pourrais)[- ]tu\b",
        r"\b(?:peux|pourrais)[- ]tu .{2,60}(?:à|dans|en) (?:ta|la|ma) mémoire\s?\?",
        r"\btu (?:peux|pourrais) (?:t'en souvenir|le retenir|le noter|retenir ça|noter ça)",
    ),
    keeps=(
        rf"{CLAUSE}(?:retiens|note|garde|mémorise|enregistre|souviens[- ]toi de|conserve|sauvegarde|n'oublie pas"
        rf"|rappelle[- ]toi de|retenez|notez)(?:[- ](?:bien |aussi )?(?:ça|cela|ceci|le|la|les|ce lien"
        rf"|cette adresse|cette règle|cette info\w*|cette page|le lien|l'adresse|ce point|ce détail"
        rf"|cette préférence|l'url|cette url))(?: (?:quelque part|bien|stp|s'il te plaît|aussi|en mémoire|en tête"
        rf"|de côté|pour (?:plus tard|la suite|la prochaine fois|l'avenir|moi)))*\s*(?:[,.!:;)]|$|et\b|j')",
        r"^(?:s'il te plaît,? |oui,? |ok,? )*(?:souviens-t'en|retiens-le|note-le|retiens bien|note bien"
        r"|à retenir)\s*[.!]*$",
        r"\bmets[- ](?:ça|le|cela|ce lien) de côté\b",
    ),
    one_off=(
        r"\b(?:dans|pour|sur|avec) (?:cette|ce|cet) (?:pr|branche|commit|fichier|tâche|fonction|cas|ticket|classe"
        r"|étape|test|module|question|page|script|version|merge|composant|chapitre|histoire|bug)\b|\b(?:cette fois"
        r"|pour l'instant|pour le moment|juste (?:pour )?aujourd'hui|avant de (?:finir|terminer|merger)"
        r"|quand tu as fini|temporairement|provisoirement|pour cette)\b",
    ),
    choices=(
        r"\b(?:option|variante|proposition|version|solution|alternative|approche) ?(?:\d|[a-d]\b)?\b(?!s)|\b(?:le"
        r"|la) (?:premi[eè]re?|deuxième|seconde?|dernière?|troisième|tienne|nouvelle|vieille|ancienne)\b|\b(?:celui"
        r"|celle|ceux|celles)\b|\bj(?:e|')\s?(?:préfère|aime (?:bien|mieux)?) ?(?:cette|ce|cet|ces|ça|cela|ton"
        r"|ta)\b|\b(?:vas-y|on y va|ici,)\b",
    ),
    vetoes=(
        r"\b(?:jeu de rôle|fais (?:comme si|semblant)|juste pour (?:rire|le fun|s'amuser|jouer|rigoler)|pour rire"
        r"|dans (?:cette (?:conversation|discussion|session|histoire|partie)|ce (?:chat|fil|jeu))"
        r"|tu es (?:maintenant |désormais )?(?:un|une|le|la|mon)|joue le rôle|imagine que)\b",
        r"\b(?:il|elle|ils|chef|collègue|prof|la doc\w*|documentation|l'article|livre|mère|père|message|on|texte"
        r"|ami|tuto\w*|manuel|client)\b.{0,20}\b(?:m'a dit|a dit|dit|disait|écrit|répète|indique|recommande"
        r"|conseille|disent|m'a demandé)\b",
        r"\b(?:l'utilisateur|les utilisateurs|un utilisateur|le client|se souvenir de moi|mot de passe"
        r"|case à cocher|bouton|fonctionnalité)\b",
        r"\b(?:tu te (?:souviens|rappelles)|te souviens-tu|vous souvenez|je me souviens|je (?:ne )?me rappelle"
        r"|j'ai oublié|comment (?:faire|dit|puis|on|ça)|pourquoi|qu'est-ce (?:que|qui)|rappelle-moi)\b",
        r"\b(?:renvoie|retourne|échoue|plante|affiche|est|marche|fonctionne|reste) (?:toujours|jamais"
        r"|systématiquement)\b|\bcomme toujours\b|\bmieux vaut tard que jamais\b|\bon ne sait jamais\b"
        r"|\bjamais de la vie\b|\b(?:a|ai|ont|n'est|n'a) jamais\b|\bsi jamais\b",
    ),
    roles=(
        r"^(?:(?:désormais|à partir de maintenant|dorénavant),? )?(?:tu es (?:maintenant |désormais )?(?:un|une|le|la"
        r"|mon)|joue le rôle|imagine que|fais comme si|ignore (?:toutes|les)|ton rôle)",
    ),
    handovers=(
        r"\b(?:tradui\w*|résum\w*|reformul\w*|corrig\w*|relis|paraphras\w*)\b[^:]{0,80}:|\b(?:expliqu\w*|analys\w*"
        r"|vérifi\w*|lis|regard\w*|voici|ajout\w*|écri\w*|met\w*|insèr\w*)\b[^:]{0,60}\b(?:texte|phrase|paragraphe"
        r"|mail|e-mail|courriel|message|article|document|commentaire|readme|titre|libellé|ligne|log"
        r"|suivante?s?)\b[^:]{0,20}:",
    ),
    tags=(
        r"(?:ok|d'accord|oui|compris|hein|stp|s'il te plaît|ça marche|entendu|c'est bon|veux-tu|tu veux bien"
        r"|c'est clair)\s?\?+$",
    ),
    assents=(
        "oui|ouais|ok|d'accord|bien|bien sûr|parfait|super|merci|vas-y|exact|exactement|c'est bon|c'est ça|très bien"
        "|entendu|continue|fais-le|ça marche|nickel|génial|merci beaucoup|si"
    ),
)
