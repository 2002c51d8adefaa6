"""Spanish phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = (
    r"(?:^|[,;:(—–¡¿]\s?|\s-\s|\b(?:y|pero|por favor|porfa|también|así que|ok|vale|sí|no|bueno|bien|gracias|además|oye"
    r"|mira|importante|nota|perfecto|entonces|quiero que|necesito que|me gustaría que|ah)[,:]?\s)"
)
_KEEP = (
    r"(?:recuerda|recuerde|recuerdes|recordá|acuérdate|acordate|acuérdese|te acuerdes|(?:no|nunca) (?:te "
    r"|se )?olvid(?:es|e)|ten(?:ga|gas)?|tené|apunta(?:te)?|apuntes|anota(?:te)?|anotes|memoriza|memorices|guarda"
    r"|guardes|toma nota|grábate|que sepas|sepas|debes saber|tienes que (?:saber|recordar)|para que (?:lo )?sepas"
    r"|registra)"
)
_ADD = (
    r"(?:(?: bien| también| siempre| por favor| de| en (?:cuenta|mente)| presente| para (?:la próxima|el futuro|después"
    r"|más tarde)))*"
)
_ME = (
    r"(?:yo\b|mis?\b|me\b|a mí|soy\b|estoy\b|uso\b|utilizo\b|prefiero\b|trabajo\b|vivo\b|tengo\b|hablo\b|programo\b"
    r"|escribo\b|odio\b|quiero\b|necesito\b|leo\b|llevo\b|suelo\b|desarrollo\b|estudio\b|hago\b|nací\b|detesto\b"
    r"|no (?:uso|como|me|quiero|tengo|puedo|soy|trabajo|soporto|bebo|hablo|leo)\b|nunca (?:uso|trabajo|como)"
    r"|siempre (?:uso|trabajo|escribo|quiero)|nuestro equipo|en mi\b|nosotros)"
)
_REMEMBER = (
    r"(?:recuerda|recuerde|recordá|(?:no|nunca) (?:te |se )?olvid(?:es|e)|ten(?:ga|é)? (?:en cuenta|presente|en mente)"
    r"|apunta(?:te)?|anota(?:te)?|memoriza|grábate|guarda(?:te)? (?:esto|eso)|toma nota)"
    r"(?: bien| também| anche| aussi| por favor| per favore| s'il te plaît| stp| esto| isto| questo| ceci)*"
)
_IMPERATIVE = (
    r"(?:usa|uses|utiliza|utilices|escribe|escribas|escribí|responde|respondas|respondé|contesta|contestes|haz"
    r"|hagas|hacé|pregunta\w*|preguntes|evita|pon|pongas|comenta|comentes|habla|hables|háblame|ejecuta|ejecutes"
    r"|revisa|comprueba|muéstrame|muestra|dime|mantén|añade|añadas|agrega|llámame|tutéame|trátame|deja de|explica"
    r"|expliques|confirma|confirmes|sé|seas|cambies|toques|borres|elimines|subas|modifiques|crees|crea|instales"
    r"|instala|hagáis|commitees|ejecutá|usá|pide|pidas|avísame|consulta|consultes|traduce|nombra|formatea|prueba"
    r"|incluye|incluyas|empieces|empieza|termina|cita|da|des|dame|genera|prioriza|prefiere|asumas|supongas|inventes"
    r"|menciones|pruebes|espera|documenta|\w{3,14}(?:áme|éme|íme|áma|ame|eme|ime|alo|elo)|haga|hágalo)"
)
_HORIZON = (
    r"(?:a partir de (?:ahora|hoy|este momento|aquí|ya)|de (?:ahora|hoy|aquí) en (?:adelante|más)|desde (?:ahora"
    r"|hoy|ya)|en (?:el futuro|adelante|lo sucesivo|futuras (?:sesiones|ocasiones|respuestas|conversaciones))"
    r"|(?:para )?las? próximas? (?:vez|veces|ocasión)|para la próxima|para el futuro|de una vez por todas"
    r"|hasta nuevo aviso|en todas (?:las|mis|nuestras) (?:sesiones|conversaciones)|en todos mis proyectos)"
)
_ORDER = (
    rf"(?:{_IMPERATIVE}\b|no\b|siempre\b|nunca\b|jamás\b|quiero|prefiero|debes|tienes que|nada de|sin\b|todos (?:los"
    rf"|mis)|todas (?:las|mis)|solo\b|sólo\b|únicamente|cada vez|por favor|hay que|me gustaría|en (?:español|inglés)"
    rf"|ni\b|puedes|mejor)"
)

SPANISH = Phrases(
    language="es",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "recuerd|recorda|acuérd|acuerd|acordate|olvid|cuenta|presente|en mente|apunt|anota|anote|memori|guarda|guarde"
        "|toma nota|grábate|sepas|saber|registra|a partir de|en adelante|en más|desde ahora|desde hoy|desde ya|futur"
        "|sucesivo|próxima|por todas|nuevo aviso|siempre|nunca|jamás|prefier|preferid|preferencia|favorit|me gusta|odio"
        "|detesto|suelo|sin |cada vez|antes de|por defecto|norma|regla|hábito|costumbre|en general|todos los|todas las"
        "|todos mis|todas mis|me resulta|conserva|veces|vuelvas|deja de"
    ),
    wishes=(
        rf"{CLAUSE}{_REMEMBER}\s?:\s*(?!(?:est[aeo]s?|es[aeo]s?|aquí|hay|\w+[aei]r)\b)\S",
        rf"{CLAUSE}{_REMEMBER},? (?:para|en|con) (?:tod[oa]s?|cada|cualquier|mis|nuestr[oa]s|el futuro|futur[oa]s|la próxima"
        rf"|siempre)\b",
        rf"{CLAUSE}(?:nunca|jamás) (?:me |lo |la |los )?(?!antes|veces|menos|ambas|todas|otras|estas|quieres|puedes"
        rf"|estas)\w{{2,12}}[ae]s\b",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|:|,|esto:?)*\s*{_ME}(?! (?:dije|acaba))",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|:|,)+\s*(?:(?:para|en|cuando|si|al|por|los|las|el|la|con|de"
        rf"|durante)\b.{{0,50}}?[, ]){_ME}",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|:|,)*\s*.{{2,30}}? (?:es|son|está) (?:mi|mis)\b",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|:|,)*\s*(?:el|la|los|las|nuestr\w+) .{{2,40}}(?:es|está|están"
        rf"|son)?.{{0,12}}\ufffc",
        r"\b(?:guarda\w*|añad\w*|agreg\w*|apunt\w*|mete\w*|pon\w*|anota\w*|registra\w*"
        r"|almacena\w*)\b.{0,60}?(?:\ben|\ba|\bcomo|\bentre)\s(?:tu |mi |la |tus |mis |una "
        r"|un )?(?:memoria(?: a largo plazo)?|recuerdos?|preferencias?|perfil|regla|norma|costumbre)\s*(?:[:,.!]|$"
        r"|que\b|por favor)(?!.{0,20}(?:caché|disco))",
        r"^(?:memoria|preferencia|regla|nueva regla|norma|nota para ti)\s?:",
        rf"{CLAUSE}(?:siempre|nunca|jam[áa]s)\s(?:me |lo |la |te )?(?:{_IMPERATIVE}|vuelvas)\b",
        rf"{CLAUSE}{_IMPERATIVE}\b(?: \S+){{0,8}}? siempre\b",
        rf"{CLAUSE}no (?:me )?{_IMPERATIVE}\b.{{0,50}}(?:nunca|jamás)\b",
        rf"{CLAUSE}(?:no vuelvas a|nunca (?:más|vuelvas))\b",
        r"\b(?:quiero que (?:siempre|nunca|tú siempre)|quiero que .{2,50}\b(?:siempre|nunca)\b"
        r"|no quiero que (?:nunca|vuelvas)|debes (?:siempre|responder siempre)|nunca debes|siempre debes"
        r"|no debes .{0,20}nunca|no tienes permitido)",
        r"^(?:por favor,? )*(?:no|nunca|jamás|nada de|ningún).{2,70}\b(?:sin (?:pregunt|mi |consult|avis|mostr"
        r"|que yo|confirm|permiso|pedir)\w*|antes de (?:pregunt|consult|mostr)\w*|a menos que|salvo que"
        r"|hasta que (?:yo )?(?:lo|te))",
        r"^(?:pregúnt|avís|consúlt|muéstr|pídeme|confirma)\w*.{0,30}\b(?:antes de (?:cada|cualquier|hacer|borrar"
        r"|subir|instalar|modificar|\w+ar\b)|cada vez que)(?!.{0,6}(?:terminar|acabar))",
        rf"{CLAUSE}(?:cada vez que|siempre que) (?:te |me )?\w+.{{3,70}}?, ?{_ORDER}",
        r"^(?:cuando|si) .{3,60}\b(?:siempre|nunca)\b(?! (?:devuelve|falla))",
        r"\bte (?:lo )?(?:he|había)? ?(?:dicho|dije|repetido|pedido) (?:\w+ ){0,3}veces\b..|\bya te (?:dije"
        r"|he dicho) (?:\w+ ){0,2}que (?:no|nunca|siempre|uses)\b",
        r"\b(?:haz(?:lo)?|conviértelo|tómalo) .{0,10}(?:un hábito|una regla|una costumbre|como (?:norma|regla"
        r"|costumbre))|\bacostúmbrate a\b",
        rf"^(?:en|para) (?:todos|todas|cada) (?:los |las |mis |tus )?(?:proyectos?|commits?|respuestas?|scripts?"
        rf"|tests?|mensajes? de commit|archivos?|funciones|gráfic\w+|resúmenes)\b.{{0,12}}{_ORDER}",
        r"^tod[oa]s (?:los|las|mis|tus) (?:commits|comentarios|mensajes de commit|tests|respuestas"
        r"|documentación)\b.{0,12}\b(?:en|deben)\b",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON}\s?[,:]?\s*(?!(?:(?:el|la|los|las) (?!commits?|coment|respuest|mensaj|doc|variab"
        rf"|nombres|tests?)|se |es |está|podríamos|podremos))(?:\S+\s){{0,5}}?{_ORDER}",
        rf"(?:{_IMPERATIVE}\b|^no\b).{{0,80}}\b{_HORIZON}",
        rf"\b(?:quiero|prefiero|me gustaría|debes|tienes que|necesito)\b.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:el|la|los|las|se|es|por qué|cómo|si|que|para que|esto)\b).{{3,60}}\b{_HORIZON}\s*[.!]*$",
        rf"{CLAUSE}(?:por defecto|en general|como (?:norma|regla)(?: general)?|por norma|por regla general)\s?,? {_ORDER}",
    ),
    preferences=(
        r"(?:^|[^\w])(?:yo )?(?:siempre |también |personalmente |casi siempre |en general )*(?:prefiero|preferiría"
        r"|detesto|odio(?! (?:esto|eso|cuando esto))|no soporto)\b",
        r"\b(?:me gustan? (?:más|mucho más|que|las respuestas|los commits|el código)|no me gustan? (?:que|los|las"
        r"|el uso|cuando|nada)|me resulta(?:n)? más|me vienen? mejor|me va(?:n)? mejor)\b",
        r"\bmis? (?:\w+ )?(?:preferid[oa]s?|favorit[oa]s?|preferencias?|lengua materna"
        r"|editor de siempre)\b.{0,40}\b(?:es|son)\b",
        r"\b(?:suelo|acostumbro a?) (?:usar|trabajar|escribir|utilizar|programar)\b|\b(?:siempre|nunca|normalmente"
        r"|generalmente|casi siempre) (?:uso|trabajo|escribo|utilizo|quiero|programo)\b(?!.{0,50}\bpero\b)|\b(?:uso"
        r"|trabajo|escribo) (?:siempre|solo|exclusivamente)\b",
    ),
    requests=(
        rf"\b(?:puedes|podrías|puede|podría|quieres|podés)(?: por favor)? (?:recordar|acordarte(?: de)?|anotar"
        rf"|apuntar|memorizar|tener (?:en cuenta|presente)|guardar)\s?(?:que|:|,)+\s*.{{0,40}}?{_ME}",
        r"\b(?:puedes|podrías|puede|podría|quieres|podés)(?: por favor)? (?:recordarlo|anotarlo|apuntarlo|guardarlo"
        r"|memorizarlo|recordar (?:esto|eso|este dato)|guardar (?:esto|eso|ese enlace|este enlace|este link)"
        r"|anotar (?:esto|eso)|acordarte de (?:esto|eso))(?: (?:para|en|por).{0,30})?\s?\?",
        rf"\b(?:puedes|podrías|podés)\b.{{0,70}}\b{_HORIZON}",
        rf"{_HORIZON},? ¿?(?:puedes|podrías|podés)\b",
        r"\b(?:puedes|podrías) (?:guardar|añadir|agregar|meter|poner)\w*.{0,50} (?:en|a) (?:tu|la) memoria\s?\?",
    ),
    keeps=(
        rf"{CLAUSE}(?:recuérdalo|guárdalo|apúntalo|apúntatelo|anótalo|memorízalo|recordalo|anotalo|guardalo"
        rf"|no lo olvides|que no se te olvide|consérvalo|tenlo en cuenta|tenlo presente|regístralo)(?: (?:bien"
        rf"|por favor|para .{{2,20}}|en (?:tu )?memoria))?\s*(?:[,.!:;)]|$)",
        rf"{CLAUSE}(?:recuerda|guarda|apunta|anota|memoriza|conserva|guárdame|no olvides"
        rf"|registra) (?:bien )?(?:esto|eso|ese (?:enlace|link|dato|url)|este (?:enlace|link|dato)"
        rf"|esta (?:dirección|regla|información|página|preferencia|url)|esa (?:dirección|página|url|información)"
        rf"|el enlace|el link|la dirección|lo siguiente)(?: (?:por favor|en (?:tu )?memoria|para (?:la próxima"
        rf"|después|más tarde|el futuro|luego|mí)|también))*\s*(?:[,.!:;)]|$|y\b|que\b|porque\b)",
    ),
    one_off=(
        r"\b(?:en|para|de|con) est[ea] (?:pr|rama|commit|archivo|tarea|función|caso|ticket|clase|paso|test|módulo"
        r"|pregunta|página|script|versión|cambio|componente|capítulo|historia|bug|vez)\b|\b(?:esta vez|por ahora"
        r"|de momento|por el momento|solo por hoy|antes de (?:terminar|acabar|hacer merge)|cuando (?:termines"
        r"|acabes)|temporalmente)\b",
    ),
    choices=(
        r"\b(?:opción|variante|propuesta|versión|solución|alternativa|enfoque) ?(?:\d|[a-d]\b)?\b|\b(?:el|la"
        r"|lo) (?:primer[oa]?|segund[oa]|últim[oa]|tercer[oa]?|otr[oa]|nuev[oa]|viej[oa])\b|\b(?:prefiero"
        r"|me gustan?)(?: más)? (?:est[eao]s?|es[eao]s?|tu|así|aquell\w+)\b|\b(?:adelante|dale|aquí)\b",
    ),
    vetoes=(
        r"\b(?:juego de rol|haz como si|finge|imagina que|(?:solo|es) por diversión|de broma"
        r"|en (?:esta (?:conversación|charla|sesión|historia|partida)|este (?:chat|hilo|juego))|(?:eres|serás"
        r"|actúa como) (?:ahora )?(?:una?|el|la|mi)|actúa como|hazte pasar)\b",
        r"\b(?:él|ella|jef[ea]|colega|compañer[oa]|profesor\w*|documentación|artículo|libro|madre|padre|mensaje"
        r"|texto|amig[oa]|manual|cliente|tutorial|la gente|doc|mamá)\b.{0,20}\b(?:dijo|dice|decía|escribió|indica"
        r"|recomienda|aconseja|dicen|pone|me pidió)\b",
        r"\b(?:el usuario|los usuarios|un usuario|el cliente|recordarme en|recordar contraseña|recuérdame en este"
        r"|contraseña|casilla|botón|checkbox|funcionalidad)\b",
        r"\b(?:te acuerdas|se acuerda|recuerdas (?:qué|lo|cómo|el|la|cuando)|me acuerdo|recuerdo|no recuerdo|olvidé"
        r"|se me olvidó|cómo (?:puedo|se|hago|hacer)|por qué|qué (?:hace|es|significa|pasa)|recuérdame (?:mañana"
        r"|que|en|a las|dentro|hacer|\w+ar))\b",
        r"\b(?:devuelve|retorna|falla|muestra|da|es|está|funciona|lanza) (?:siempre|nunca)\b|\b(?:siempre"
        r"|nunca) (?:devuelve|retorna|falla|da|se|es|está|funciona|muestra|lanza|aparece|termina|llega|sale)\b"
        r"|\bcomo siempre\b|\bmás vale tarde\b|\bnunca se sabe\b|\bnunca (?:he|ha|había)\b|\bsiempre y cuando\b",
    ),
    roles=(
        r"^(?:(?:a partir de ahora|desde ahora),? )?(?:eres (?:una?|el|la|mi)|serás|actúa como|imagina que|haz como si"
        r"|finge|ignora (?:todas|las)|tu tarea)\b",
    ),
    handovers=(
        r"\b(?:traduc\w*|resum\w*|reformul\w*|corrig\w*|corrij\w*|parafras\w*|reescrib\w*)\b[^:]{0,80}:"
        r"|\b(?:explic\w*|analiz\w*|revis\w*|lee|mira|aquí (?:está|tienes)|añad\w*|agreg\w*|escrib\w*"
        r"|pon\w*)\b[^:]{0,60}\b(?:texto|frase|párrafo|correo|mail|email|mensaje|artículo|documento|comentario"
        r"|readme|título|etiqueta|línea|log|siguientes?)\b[^:]{0,20}:",
    ),
    tags=(r"(?:ok|vale|sí|entendido|de acuerdo|por favor|bien|está bien|te parece|estamos|de acuerdo)\s?\?+$",),
    assents=(
        "sí|si|ok|vale|claro|bien|de acuerdo|perfecto|genial|gracias|adelante|dale|exacto|correcto|hazlo|por supuesto"
        "|muy bien|está bien|eso es|continúa|sigue|bueno|muchas gracias|por favor"
    ),
)
