"""The words with which people name a secret, and the words that link it to its value, per language.

Owns: this data. Must not know: how it is matched. Each entry is a regular expression, matched without regard to case.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """What one language contributes.

    ``passwords`` take short and wordy values, ``pins`` digits, ``keys`` only what looks issued. ``links`` stand between noun
    and value ("is"), ``backlinks`` between value and noun ("as the"), ``about`` opens what may stand between ("for the …").
    ``spaced``: words are set apart by spaces, so that nouns need borders; ``compounds`` may follow letters nevertheless.
    """

    code: str
    passwords: tuple[str, ...]
    pins: tuple[str, ...]
    keys: tuple[str, ...]
    links: tuple[str, ...]
    backlinks: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    spaced: bool = True
    compounds: tuple[str, ...] = ()


LANGUAGES: tuple[Language, ...] = (
    Language(
        "en",
        ("pass ?words?", "pass ?phrases?", "passwd", "passcode", "pswd", "pwd", "pw", "p/w", "p[a4@][s5$]{2}w[o0]rd", "pass"),
        (
            "pin(?: ?(?:code|number))?",
            "(?:door|gate|alarm|safe|lock|access|security|verification|unlock|entry|backup|one-time|otp|2fa|mfa|sms) ?codes?",
            "otp",
            "cvv2?",
        ),
        (
            "(?:api|access|secret|auth|private|encryption|signing|license|master|account|service|deploy|client|app|webhook|admin"
            "|wi-?fi|shared|storage|hmac|session|bearer|refresh|bot|personal access|secret access)"
            "[ _-](?:access )?(?:keys?|tokens?|secrets?|cookie)",
            "(?:my|our|his|her|their) (?:[a-z0-9]{1,20} ){0,2}(?:key|cookie)",
            "api[ _-]?keys?",
            "tokens?",
            "secret",
            "jwt",
        ),
        ("is", "are", "was", "to", "reads", "equals", "stays", "remains"),
        ("is", "as", "was", "for", "being"),
        ("for", "of", "to", "on", "in", "at", "from", "that", "we", "i", "you"),
    ),
    Language(
        "zh",
        ("密码", "密碼", "口令", "暗号", "暗號", "密令", "通行码"),
        ("验证码", "驗證碼", "pin ?码", "门禁码", "开门码", "动态码"),
        ("密钥", "密鑰", "秘钥", "私钥", "私鑰", "密匙", "金鑰", "令牌", "權杖", "凭证", "恢复码"),
        (
            "是",
            "为",
            "為",
            "改成了?",
            "改为",
            "改為",
            "换成了?",
            "設為",
            "设成了?",
            "设为",
            "设置为",
            "设置成",
            "设的是",
            "就是",
            "叫",
            "用的是?",
            "填",
        ),
        ("是", "作为", "作為", "当作?", "做", "作", "就是"),
        spaced=False,
    ),
    Language(
        "ja",
        ("パスワード", "合言葉", "パス(?=[はをが:：])"),
        ("暗証番号", "認証コード"),
        ("api ?キー", "アクセスキー", "シークレット(?:キー)?", "秘密鍵", "トークン", "鍵"),
        ("は", "が", "を", "＝"),
        ("が", "は", "を"),
        spaced=False,
    ),
    Language(
        "ko",
        ("비밀번호", "비번", "패스워드", "암호"),
        ("핀 ?번호", "인증 ?번호", "인증 ?코드"),
        ("api ?키", "액세스 ?키", "시크릿(?: ?키)?", "비밀 ?키", "토큰", "키"),
        ("는", "은", "가", "이", "를", "을"),
        ("가", "이", "은", "는", "를", "을"),
        spaced=False,
    ),
    Language(
        "de",
        ("passphrase", "losung"),
        ("pin-?code", "(?:tür|zugangs|sicherheits|bestätigungs)code"),
        ("(?:api|zugriffs|geheim)-?schlüssel", "(?:api|zugriffs|zugangs)-?token", "schlüssel", "geheimnis"),
        ("lautet", "ist", "heißt", "heisst", "wäre", "bleibt", "auf"),
        ("ist", "als"),
        ("für", "fürs", "von", "vom", "zu", "zum", "zur", "auf", "im", "in", "des", "der"),
        compounds=("passworts?", "kennworts?"),
    ),
    Language(
        "fr",
        ("mots? de passe", "mdp", "phrase secrète"),
        ("code (?:pin|secret|d['’]accès|de la porte)",),
        ("clé (?:d['’])?(?:api|secrète|privée|accès)", "clé", "jeton(?: d['’]accès)?"),
        ("est", "c['’]est", "sera", "devient", "reste", "en"),
        ("est", "comme"),
        ("pour", "de", "du", "des", "sur", "d['’]"),
    ),
    Language(
        "es",
        ("contraseñas?", "contrasenas?", "clave de acceso", "clave"),
        ("código (?:pin|de acceso|de seguridad|de la puerta)",),
        ("clave (?:de )?(?:la )?(?:api|secreta|privada)", "token de acceso", "credencial"),
        ("es", "será", "sigue siendo", "queda", "a"),
        ("es", "como"),
        ("para", "de", "del", "en", "al"),
    ),
    Language(
        "pt",
        ("senhas?", "palavra-passe"),
        ("código (?:pin|de acesso|da porta)",),
        ("chave (?:de |da )?(?:api|secreta|privada|acesso)", "token de acesso", "chave"),
        ("é", "e", "será", "continua", "para"),
        ("é", "como"),
        ("para", "de", "do", "da", "dos", "no", "na"),
    ),
    Language(
        "it",
        ("parola d['’]ordine", "parola chiave", "passkey"),
        ("codice (?:pin|di accesso|della porta)",),
        ("chiave (?:di )?(?:api|segreta|privata|accesso)", "chiave"),
        ("è", "e['’]", "sarà", "resta", "in"),
        ("è", "come"),
        ("per", "di", "del", "della", "dell['’]", "sul", "al"),
    ),
    Language(
        "ru",
        ("парол(?:ь|я|ем|и|ю)", "пасс?ворд"),
        ("пин(?:-?код)?", "код (?:доступа|двери|подтверждения)"),
        ("ключ(?: api| доступа)?", "api[- ]ключ", "токен(?: доступа)?", "секрет(?:ный ключ)?"),
        ("это", "теперь", "такой", "на", "будет"),
        ("это", "как"),
        ("от", "для", "к", "на", "базы", "сервера"),
    ),
)

LOGINS: tuple[str, ...] = (
    *(
        "logins?",
        "(?:basic |digest )?auth",
        "vpn",
        "wi-?fi",
        "wlan",
        "creds?",
        "credentials?",
        "accounts?",
        "user(?:name)? ?(?:/|and|&|\\+) ?pass(?:word)?",
        "id ?/ ?pw",
        "zugangsdaten",
        "identifiants",
    ),
    *(
        "credenciales",
        "credenciais",
        "credenziali",
        "логин(?: ?(?:/|и) ?пароль)?",
        "账号密码",
        "帐号密码",
        "用户名密码",
        "账密",
        "账号",
        "帐号",
    ),
    *("アカウント", "ログイン", "계정", "아이디"),
)
"""Nouns after which a user name and a password stand together: ``admin / …``, ``root:…``."""

CODE_LISTS: tuple[str, ...] = (
    r"(?:recovery|backup|activation|licen[sc]e|scratch|restore|wiederherstellungs|secours) ?-?(?:codes?|keys?|schlüssel)",
    *(
        "codes? de (?:secours|récupération)",
        "códigos? de (?:recuperación|recuperação)",
        "恢复码",
        "备用码",
        "激活码",
        "リカバリーコード",
        "복구 ?코드",
    ),
)
"""Nouns after which groups such as ``k3f9-x8d2`` stand."""

SEED_PHRASES: tuple[str, ...] = (
    "seed ?phrase",
    "mnemonic(?: phrase)?",
    "recovery phrase",
    "助记词",
    "助記詞",
    "ニーモニック",
    "니모닉",
    "сид-?фраза",
)
"""Nouns after which a dozen ordinary words are a key."""

STEMS: tuple[str, ...] = tuple(
    stem
    for line in (
        "pass pw pswd p4ss p@ss secret token key cred auth pin cookie session otp 2fa login code código codice cvv jwt phrase",
        "mnemonic sid p/w account vpn wifi wi-fi wlan recovery backup licen",
        "kennwort schlüssel zugangs geheim losung mdp clé jeton identifiants contrase clave senha chave parola chiave",
        "парол ворд пин ключ токен секрет код логин сид",
        "密 口令 令牌 权杖 權杖 验证码 驗證碼 鑰 钥 暗号 暗號 码 助记词 助記詞 凭证 账号 帐号 账密 备用 激活",
        "パス キー 暗証 番号 トークン シークレット 鍵 合言葉 コード アカウント ログイン リカバリー ニーモニック",
        "비밀 비번 패스 암호 키 시크릿 토큰 번호 인증 아이디 계정 복구 니모닉",
    )
    for stem in line.split()
)
"""Lower-case pieces of which at least one stands in every noun above and in every secret name."""
