"""Portuguese phrases, European and Brazilian."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = (
    r"(?:^|[,;:(—–]\s?|\s-\s|\b(?:e|mas|por favor|pfv|pf|também|então|ok|sim|não|bom|obrigad[oa]|além disso|olha"
    r"|importante|nota|perfeito|quero que|preciso que|gostaria que|ah|valeu|legal)[,:]?\s)"
)
_KEEP = (
    r"(?:lembr(?:e|a|es)(?:-se|-te)?|se lembre|te lembra|lembrar|(?:não|nunca) (?:se |te )?esque(?:ça|cas|ças|ce)"
    r"|não esquecer|t(?:enha|em) (?:em mente|em conta|presente)|anot(?:e|a)|guard(?:e|a)|memoriz(?:e|a)|grav(?:e|a)"
    r"|salv(?:e|a)|registr?(?:e|a)|fi(?:que|ca) sabendo|saiba|leve em conta|leva em conta|tom(?:e|a) nota|sabe"
    r"|considere)"
)
_ADD = r"(?:(?: bem| também| sempre| por favor| aí| de| disso| para (?:a próxima|o futuro|depois|mais tarde)))*"
_ME = (
    r"(?:eu\b|meus?\b|minhas?\b|me\b|mim\b|sou\b|estou\b|uso\b|prefiro\b|trabalho\b|moro\b|vivo\b|tenho\b|falo\b"
    r"|programo\b|escrevo\b|odeio\b|quero\b|preciso\b|gosto\b|leio\b|costumo\b|desenvolvo\b|estudo\b|faço\b|nasci\b"
    r"|detesto\b"
    r"|não (?:uso|como|me|quero|tenho|posso|sou|gosto|bebo|suporto|trabalho|falo|leio)\b|nunca (?:uso|trabalho"
    r"|como)|sempre (?:uso|trabalho|escrevo|quero)|nosso time|nossa equipe|a gente (?:usa|prefere))"
)
_REMEMBER = (
    r"(?:lembre(?:-se)?|lembra(?:-te)?|não (?:se |te )?esque(?:ça|ças|ce)|t(?:enha|em) (?:em mente|em conta|presente)"
    r"|anot[ea]|memoriz[ea]|grav[ea]|(?:guard[ea]|salv[ea]) (?:isso|isto)|tom[ea] nota)"
    r"(?: bien| também| anche| aussi| por favor| per favore| s'il te plaît| stp| esto| isto| questo| ceci)*"
)
_IMPERATIVE = (
    r"(?:use|usa|uses|utilize|escrev[ae]|escreva(?:s|m)?|respond[ae]s?|fa(?:ça|z|ças)|pergunte|pergunta|perguntes"
    r"|evite|evita|coloque|ponha|põe|comente|comenta|fale|fala|rode|execute|revise|verifique|verifica|mostre|mostra"
    r"|diga|diz|mantenha|mantém|adicione|adiciona|me chame|chame-me|chama-me|me trate|trata-me|pare de|para de"
    r"|deixe de|explique|explica|confirme|confirma|seja|sê|mude|toque|mexa|apague|altere|crie|cria|instale|delete"
    r"|commite|faças|peça|pede|avise|avisa|consulte|traduza|nomeie|formate|teste|inclua|comece|termine|cite|dê|dá"
    r"|gere|priorize|prefira|assuma|invente|suba|escrevas|gaste|documente|espere|edite|altere|remova|mova"
    r"|compartilhe|atualize|renomeie|reinicie|copie|publique|envie|abra|feche|ignore|pule|corte|insira|aplique"
    r"|reverta|edites|alteres)"
)
_HORIZON = (
    r"(?:(?:de|a partir de) agora em diante|(?:a partir de|de) (?:agora|hoje)(?: em diante)?|daqui (?:para|pra|por"
    r"|em) (?:a )?(?:frente|diante)|doravante|(?:no|para o|pro) futuro|futuramente|(?:d?as|nas) próximas vezes"
    r"|(?:da |na |para a |pra )?próxima(?: vez)?|de uma vez por todas|até segunda ordem|em todas as (?:minhas "
    r"|nossas )?(?:sessões|conversas)|em todos os meus projetos|desde já)"
)
_ORDER = (
    rf"(?:{_IMPERATIVE}\b|não\b|sempre\b|nunca\b|jamais\b|quero|prefiro|deve|tem que|tens de|nada de|sem\b"
    rf"|tod[oa]s (?:os|as|meus|minhas)|só\b|somente|apenas|cada vez|por favor|gostaria|em (?:português|inglês)|nem\b"
    rf"|você (?:deve|pode|vai)|pode )"
)

PORTUGUESE = Phrases(
    language="pt",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "lembr|esque|em mente|em conta|presente|anot|guard|memori|grav|salv|regist|sabendo|saiba|tome nota|toma nota"
        "|sabe|considere|em diante|a partir de|pra frente|para frente|para a frente|doravante|futur|próxima|por todas"
        "|segunda ordem|em todas|em todos|desde já|sempre|nunca|jamais|prefir|preferid|preferência|favorit|gosto|odeio"
        "|detesto|costumo|sem |toda vez|cada vez|antes de|por padrão|regra|hábito|em geral|todos os|todas as|todos meus"
        "|vezes|norma|agora|para mim|de hoje|pare de"
    ),
    wishes=(
        rf"{CLAUSE}{_REMEMBER}\s?:\s*(?!(?:est[ae]s?|ess[ae]s?|is[st]o|aqui|há|\w+[aei]r)\b)\S",
        rf"{CLAUSE}{_REMEMBER},? (?:para|em|com|nos?|nas?) (?:tod[oa]s?|cada|qualquer|meus|minhas|noss[oa]s|o futuro"
        rf"|futur[oa]s|a próxima|sempre)\b",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|de que|:|,|disto:?|disso:?|isto:?)*\s*{_ME}(?! (?:disse|falei|acabei))",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|de que|:|,)+\s*(?:(?:para|em|no|na|quando|se|ao|por|os|as|o|a|com|de"
        rf"|durante|nos|nas|pra)\b.{{0,50}}?[, ]){_ME}",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|de que|:|,)*\s*.{{2,30}}? (?:é|são|está|fica) (?:o |a |os |as )?(?:meus?"
        rf"|minhas?)\b",
        rf"{CLAUSE}{_KEEP}{_ADD}\s?(?:que|de que|:|,)*\s*(?:o|a|os|as|noss\w+) .{{2,40}}(?:é|está|estão|são|fica"
        rf"|ficam)?.{{0,12}}\ufffc",
        r"\b(?:guard\w*|adicion\w*|salv\w*|anot\w*|coloqu\w*|coloca|ponha|põe|registr?\w*|acrescent\w*|inclu\w*"
        r"|grav\w*)\b.{0,60}?(?:\bn[ao]s?|\bem|\bà|\bcomo|\bao)\s(?:tua |sua |minha |suas |minhas |tuas |uma "
        r"|um )?(?:memória(?: de longo prazo)?|memórias|lembranças|preferências?|perfil|regra|norma"
        r"|hábito)\s*(?:[:,.!]|$|que\b|por favor)(?!.{0,20}(?:cache|disco))",
        r"^(?:memória|preferência|regra|nova regra|nota para você|lembrete permanente)\s?:",
        rf"{CLAUSE}(?:sempre|nunca|jamais)\s(?:mais )?(?:me |o |a |te )?(?:{_IMPERATIVE}|volte|voltes)\b(?! (?:de "
        rf"|em )?(?:isso acontec))",
        rf"{CLAUSE}{_IMPERATIVE}\b(?: \S+){{0,8}}? sempre\b",
        rf"{CLAUSE}não (?:me )?{_IMPERATIVE}\b.{{0,50}}(?:nunca|jamais)\b",
        rf"{CLAUSE}(?:nunca mais|não volte a|não voltes a)\b",
        r"\b(?:quero que (?:você |tu )?(?:sempre|nunca)|quero que .{2,50}\b(?:sempre|nunca)\b|você (?:deve|tem que"
        r"|precisa) sempre|você nunca deve|nunca deves|deves sempre|não quero que (?:você )?(?:nunca|volte))",
        r"^(?:por favor,? )*(?:não|nunca|jamais|nada de|nenhum).{2,70}\b(?:sem (?:me |pergunt|minha|meu|a minha"
        r"|o meu|consult|avis|mostr|que eu|confirm|permiss|autoriz|pedir|falar)\w*|antes de (?:me |pergunt|consult"
        r"|mostr)\w*|a menos que|a não ser que|até (?:que )?eu)",
        r"^(?:me )?(?:pergunt|avis|consult|mostr|peç|confirm)\w*.{0,30}\b(?:antes de (?:cada|qualquer|fazer|apagar"
        r"|subir|instalar|commitar|\w+[aei]r\b)|(?:toda|cada) vez que)(?!.{0,6}(?:terminar|acabar))",
        rf"{CLAUSE}(?:toda vez que|cada vez que|sempre que) (?:você |eu |me )?\w+.{{3,70}}?, ?{_ORDER}",
        r"^(?:quando|se) .{3,60}\b(?:sempre|nunca)\b(?! (?:retorna|falha))",
        r"\bj[áa] (?:te |lhe )?(?:disse|falei|pedi|avisei)\b.{0,30}\b(?:que (?:não|nunca|sempre)|para (?:não|nunca"
        r"|sempre|usar)|vezes|pra (?:não|nunca|sempre|usar))\b",
        r"\b(?:faça|torne|faz) .{0,12}(?:um hábito|uma regra|hábito|regra)\b|\bcrie o hábito\b|\bacostume-se a\b",
        rf"^(?:em|para|nos|nas) (?:todos|todas|cada)? ?(?:os |as |meus |minhas |teus )?(?:projetos?|commits?"
        rf"|respostas?|scripts?|testes?|mensagens? de commit|arquivos?|funções|gráficos?"
        rf"|resumos)\b.{{0,12}}{_ORDER}",
        r"^tod[oa]s (?:os|as|meus|minhas) (?:meus |minhas |teus )?(?:commits|comentários|mensagens de commit|testes"
        r"|respostas|documentação)\b.{0,12}\b(?:em|devem)\b",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON}\s?[,:]?\s*(?!(?:(?:o|a|os|as) (?!commits?|coment|respost|mensag|doc|variáv|nomes"
        rf"|testes?)|se |é |está|poderíamos|vamos poder))(?:\S+\s){{0,5}}?{_ORDER}",
        rf"(?:{_IMPERATIVE}\b|^não\b).{{0,80}}\b{_HORIZON}",
        rf"\b(?:quero|prefiro|gostaria|deve|tem que|preciso)\b.{{0,80}}\b{_HORIZON}",
        rf"^(?!(?:o|a|os|as|se|é|por que|como|que|para que|isso|e quando|quando)\b).{{3,60}}\b{_HORIZON}\s*[.!]*$",
        rf"{CLAUSE}(?:por padrão|em geral|como regra(?: geral)?|via de regra)\s?,? {_ORDER}",
    ),
    preferences=(
        r"(?:^|[^\w])(?:eu )?(?:sempre |também |pessoalmente |quase sempre |em geral |realmente )*(?:prefiro"
        r"|preferiria|detesto|odeio(?! (?:isso|isto|quando isso))|não suporto)\b",
        r"\b(?:(?:eu )?gosto (?:mais|muito mais) (?:de|do|da|dos|das|que)|(?:eu )?(?:não )?gosto (?:que|quando"
        r"|de (?:respostas|código|commits|ver|ter|ler|explicações))|não gosto (?:de|que|quando|dos|das)"
        r"|funciona(?:m)? melhor (?:pra|para) mim|são melhores (?:pra|para) mim|é melhor (?:pra|para) mim)\b",
        r"\b(?:meus?|minhas?) (?:\w+ )?(?:preferid[oa]s?|favorit[oa]s?|preferências?|língua materna"
        r"|editor padrão)\b.{0,40}\b(?:é|são)\b",
        r"\b(?:costumo) (?:usar|trabalhar|escrever|programar)\b|\b(?:sempre|nunca|normalmente|geralmente"
        r"|quase sempre) (?:uso|trabalho|escrevo|quero|programo)\b(?!.{0,50}\bmas\b)|\b(?:uso|trabalho"
        r"|escrevo) (?:sempre|só|exclusivamente|apenas)\b",
    ),
    requests=(
        rf"\b(?:pode|poderia|consegue|podes|podias|dá pra)(?: você)?(?: por favor)? (?:se |te )?(?:lembrar(?:-se"
        rf"|-te)?(?: de)?|anotar|memorizar|guardar|ter em mente|salvar|gravar|registrar)\s?(?:que|de que|:"
        rf"|,)+\s*.{{0,40}}?{_ME}",
        r"\b(?:pode|poderia|consegue|podes|podias|dá pra)(?: você)?(?: por favor)? (?:se |te )?(?:lembrar(?: disso"
        r"| disto)|anotar isso|guardar (?:isso|isto|esse link|este link|essa informação)|salvar (?:isso|esse link)"
        r"|memorizar isso|anotar (?:isso|isto)|gravar isso|lembrar-te disso)(?: (?:para|em|pra|na"
        r"|por).{0,30})?\s?\?",
        rf"\b(?:pode|poderia|podes|podias)\b.{{0,70}}\b{_HORIZON}",
        rf"{_HORIZON},? (?:você )?(?:pode|poderia|podes)\b",
        r"\b(?:pode|poderia|podes) (?:guardar|adicionar|salvar|colocar)\w*.{0,50} (?:na|em|à) (?:tua|sua"
        r"|minha)? ?memória\s?\?",
    ),
    keeps=(
        rf"{CLAUSE}(?:lembr(?:e|a)(?:-se|-te)? (?:disso|disto)|guard(?:e|a) (?:isso|isto)|anot(?:e|a) (?:isso|isto"
        rf"|aí)|salv(?:e|a) isso|memoriz(?:e|a) (?:isso|isto)|grav(?:e|a) isso|não (?:se |te )?esque(?:ça"
        rf"|ças) (?:disso|disto)|registr?(?:e|a) isso)(?: (?:bem|por favor|aí|(?:para|pra) .{{2,20}}|na (?:sua "
        rf"|tua )?memória))?\s*(?:[,.!:;)]|$)",
        rf"{CLAUSE}(?:lembre-se d|guard(?:e|a)|anot(?:e|a)|salv(?:e|a)|memoriz(?:e|a)|conserv(?:e|a)|registr?(?:e"
        rf"|a)) ?(?:ess[ea]|est[ea]|o|a) (?:link|endereço|página|informação|dado|regra|url|preferência|site"
        rf"|seguinte)(?: (?:por favor|aí|na (?:sua )?memória|(?:para|pra) (?:a próxima|depois|mais tarde|o futuro"
        rf"|mim)|também))*\s*(?:[,.!:;)]|$|e\b|que\b|porque\b|vou\b)",
    ),
    one_off=(
        r"\b(?:nest[ea]|ness[ea]|dest[ea]|dess[ea]|para est[ea]|neste|pra ess[ea]) (?:pr|branch|commit|arquivo"
        r"|ficheiro|tarefa|função|caso|ticket|classe|passo|teste|módulo|pergunta|página|script|versão|mudança"
        r"|componente|capítulo|história|bug|vez)\b|\b(?:desta vez|dessa vez|por enquanto|por agora|só hoje"
        r"|antes de (?:terminar|acabar|fazer o merge)|quando (?:terminar|acabar)|temporariamente)\b",
    ),
    choices=(
        r"\b(?:opção|variante|proposta|versão|solução|alternativa|abordagem) ?(?:\d|[a-d]\b)?\b|\b(?:o"
        r"|a) (?:primeir[oa]|segund[oa]|últim[oa]|terceir[oa]|outr[oa]|nov[oa]|velh[oa]|antig[oa])\b|\b(?:prefiro"
        r"|gosto (?:mais )?d)\s?(?:est[ea]s?|ess[ea]s?|isso|assim|aquel\w+|sua|tua)\b|\b(?:pode seguir"
        r"|vai em frente|manda ver|aqui)\b",
    ),
    vetoes=(
        r"\b(?:faz de conta|finja|finge|imagine que|só por diversão|de brincadeira|é brincadeira|(?:nesta"
        r"|nessa) (?:conversa|sessão|história|partida)|neste (?:chat|fio|jogo)|(?:você|tu) (?:é|és|agora é"
        r"|será) (?:agora )?(?:uma?|o|a|meu|minha)|aja como|interpret\w+ (?:um|uma|o))\b",
        r"\b(?:ele|ela|chefe|colega|professor\w*|documentação|artigo|livro|mãe|pai|mensagem|texto|amig[oa]|manual"
        r"|cliente|tutorial|doc)\b.{0,20}\b(?:disse|diz|dizia|escreveu|indica|recomenda|aconselha|dizem|pediu|falou"
        r"|fala que)\b",
        r"\b(?:o usuário|os usuários|um usuário|o utilizador|o cliente|lembrar-?me|lembrar de mim"
        r"|lembrar (?:a )?senha|salvar (?:a )?senha|checkbox|caixa de seleção|botão|funcionalidade)\b",
        r"\b(?:você se lembra|se lembra d|te lembras|lembra (?:do|da|de quando|quando|qual|o que|como)"
        r"|eu (?:me )?lembro|me lembro|não (?:me )?lembro|esqueci|como (?:eu|se|fazer|posso|faço)|por que"
        r"|o que (?:é|faz|significa|você)|me lembre|lembra-me|lembre-me)\b",
        r"\b(?:retorna|devolve|falha|mostra|dá|está|funciona|lança) (?:sempre|nunca)\b|\b(?:sempre"
        r"|nunca) (?:retorna|devolve|falha|dá|se|é|está|funciona|mostra|lança|aparece|termina|chega|sai|vem)\b"
        r"|\bcomo sempre\b|\bantes tarde\b|\bnunca se sabe\b|\bnunca (?:consegui|vi|tive|foi)\b",
    ),
    roles=(
        r"^(?:(?:a partir de agora|de agora em diante),? )?(?:(?:você|tu) (?:é|és|agora é|será"
        r"|serás) (?:agora )?(?:uma?|o|a|meu|minha)|aja como|imagine que|faz de conta|finja|ignore (?:todas|as)"
        r"|sua tarefa)\b",
    ),
    handovers=(
        r"\b(?:traduz\w*|resum\w*|reformul\w*|corrij\w*|corrig\w*|parafras\w*|reescrev\w*)\b[^:]{0,80}:"
        r"|\b(?:expliq\w*|analis\w*|revis\w*|leia|lê|olha|aqui (?:está|vai)|adicion\w*|escrev\w*"
        r"|coloqu\w*)\b[^:]{0,60}\b(?:texto|frase|parágrafo|e-?mail|mensagem|artigo|documento|comentário|readme"
        r"|título|rótulo|linha|log|seguintes?)\b[^:]{0,20}:",
    ),
    tags=(r"(?:ok|tá|está bem|certo|sim|entendeu|entendido|combinado|por favor|beleza|tá bom|pode ser|blz)\s?\?+$",),
    assents=(
        "sim|ok|tá|tá bom|claro|bem|certo|perfeito|ótimo|obrigado|obrigada|valeu|pode ser|exato|correto|isso|isso mesmo"
        "|com certeza|está bem|beleza|continua|continue|pode seguir|vai em frente|por favor|muito bem|fixe"
    ),
)
