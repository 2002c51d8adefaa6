"""What stands where a secret could stand and is none: placeholders, technical terms, names, paths.

Owns: these patterns, as data. Must not know: who asks. All are meant for ``fullmatch`` unless said otherwise.
"""

from __future__ import annotations

import re

FILLER = re.compile(
    r"(?i)x{6}|\*{3}|\.{3}|…|0{10}|1{10}|1234567890abc|EXAMPLE$|REDACTED|your[-_]?|placeholder|changeme|dummy[-_]?token"
)
"""Searched for in a token of a known shape: what documentation writes into it."""

STAND_IN = re.compile(r"(?i)x{6}|\*{4}|changeme|REDACTED|your[-_]|_here\b")
"""Searched for in any value."""

PLACEHOLDER = re.compile(
    r"""(?ix)
    [x*.•·#_\-?…]{1,200}                                             # xxxx, ****, …
    | [<{\[(«].{0,400}                                               # <your key>, {{x}}, [REDACTED:…]
    | \$(?:[a-z_]\w{0,80}|[{(].{0,400}) | %(?:\w{1,80}%|[sdr@])      # $VAR, ${X}, $(command), %VAR%, %s
    | (?:your|my|the|some|any|insert|enter|change|replace|put|fake|dummy|example|sample|test|placeholder|redacted|todo|tbd)
      (?:[-_ .]?(?:own|new|real|secret|super|strong|api|access|auth|client|db|database|user|pass(?:word|wd)?|key|token
        |value|here|me|this|it|with|in|string)){1,6}[0-9!]{0,3}
    | (?:example|sample|placeholder|redacted|changeme|change[-_]?it|secret|password|passwd|token|none|null|nil|true|false
        |undefined|required|optional|empty|unset|string|str|int|bool|bytes|any|object|varchar|text|hidden|masked|removed
        |omitted)[0-9]{0,1}[!?]{0,2}
    | (?-i:[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8})              # NAME_OF_A_VARIABLE
    | (?:os|process|config|self|this|request|req|settings|secrets|vault|env|environ|args|kwargs|params|props|ctx|data|user
        |row|import|vars|var|local|input|credentials|options|opts|form|body|event|state|session|app|getenv|getpass)
      [.\[(].{0,400}                                                 # os.environ[…], config.password
    | [a-z_][\w.]{0,60}[(\[].{0,400}                                 # call(…, index[…
    | (?:https?|file|s3|gs|arn|vault|op|ref|env|urn)://?.{0,400} | (?:arn|vault|secretsmanager|ssm|env|file):.{0,400}
    | (?:/|~/|\.{1,2}/).{0,400}                                      # a path
    """
)

TECHNICAL = re.compile(
    r"""(?ix)
    [0-9]{4}-[0-9]{2}-[0-9]{2}[T ].{1,30}                            # a time
    | v?[0-9]{1,8}(?:[.\-+_][0-9a-z]{1,40}){1,8}                     # versions, dates, order numbers
    | [~^<>=]{1,2}v?[0-9].{0,40}
    | [0-9]{1,12}(?:[.,][0-9]{1,6})?[ ]?(?:[kmgb]|[kmg]i?b|ms|s|sec|min|h|d|w|px|pt|r?em|%|x|bits?|bytes?|chars?|tokens?|days?
        |st|nd|rd|th)
    | argon2(?:id?|d)?|sha-?[0-9]{1,3}(?:[-/_][0-9]{1,3})?|md5|crc32|hmac(?:-sha[0-9]{1,3})?|b?scrypt|bcrypt|pbkdf2.{0,20}
    | a?es-?[0-9]{1,3}(?:[-_](?:gcm|cbc|ctr|xts|kw))?|rsa-?[0-9]{0,4}|ssh-(?:rsa|ed25519|dss)|ed25519|x25519|secp256[kr]1
    | p-?(?:256|384|521)|[hrep]s(?:256|384|512)|x\.?509|rot13|totp|hotp|2fa|mfa|u2f|fido2|oidc|saml2?|oauth2?(?:[.\-]?0)?
    | base(?:16|32|58|64)(?:url)?|utf-?(?:8|16|32)|http[s23]?(?:/[0-9.]{1,4})?|k8s|i18n|l10n|s3|web3|h26[45]|bip-?39
    | 1password|keepass(?:xc)?2?|auth0|log4j2?|rfc-?[0-9]{3,5}|cve-[0-9-]{6,12}
    """
)
MEMORY_ID = re.compile(r"(?:mem|node|run|job|evt|sess)[_-][A-Za-z0-9_\-]{1,80}")
MAIL = re.compile(r"[\w.+\-]{1,64}@[\w\-]{1,60}(?:\.[\w\-]{1,60}){1,5}")
FILE = re.compile(
    r"[\w@%+~.\-]{0,80}(?:[/\\][\w@%+~.\-]{1,80}){0,12}\.[a-z][a-z0-9]{0,5}|[\w@.\-]{1,40}(?:/[a-z_][\w@.\-]{1,60}){1,12}/?"
)
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{7,512}")
WORDS = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ]{1,60}(?:['’._/\\:\-][A-Za-zÀ-ɏЀ-ӿ]{1,60}){0,12}")
SLUG = re.compile(r"[a-z]{2,40}(?:[-_.][a-z]{1,40}|[-_.]v?[0-9]{1,4}){1,10}")
FIELD_PAIR = re.compile(r".{0,400}\w=\w.{0,400}|[\w\-.]{1,40}[:,;|][\w\-.]{1,60}")

ORDINARY_WORDS = frozenset(
    word
    for line in (
        "long short strong weak required stored incorrect wrong correct expired masked shown hidden saved managed rotated",
        "encrypted hashed always never needed missing invalid valid empty optional unknown private public important different",
        "budget count limit field reset policy prompt based rotation expiry lifetime handling login username security rules",
        "endpoint under text value string number boolean integer object admin",
    )
    for word in line.split()
)
"""Words in quotes after "the password is" that describe it."""
