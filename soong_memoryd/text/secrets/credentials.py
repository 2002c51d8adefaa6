"""Places that hold a secret by their form: key blocks, URIs with a login, headers, cookies, command lines, SQL, setups.

Owns: these forms, one row each. Must not know: issued token shapes, sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from soong_memoryd.text.secrets.rules import Rule
from soong_memoryd.text.secrets.values import (
    could_be_password,
    has_digit_and_letter,
    is_placeholder,
    is_plain_words,
    is_technical,
)

_STOCK_WORDS = frozenset(
    ["password", "pass", "pwd", "passwd", "secret", "token", "user", "username", "required", "expire", "key"]
)


def _is_value(value: str) -> bool:
    """Anything that is no placeholder and no stock word: the form itself says that a secret stands here."""
    return not is_placeholder(value) and value.lower() not in _STOCK_WORDS


def _is_credential(value: str) -> bool:
    """A value with a digit and a letter in it; for forms that prose can imitate."""
    return _is_value(value) and has_digit_and_letter(value) and not is_technical(value)


def _is_password(value: str) -> bool:
    return _is_value(value) and could_be_password(value, quoted=True)


def _is_flag_value(value: str) -> bool:
    return _is_value(value) and not is_technical(value) and not is_plain_words(value) and len(value) >= 6


def _is_cookie(value: str) -> bool:
    return any(
        len(part.partition("=")[2]) >= 8 and has_digit_and_letter(part) and not is_placeholder(part.partition("=")[2])
        for part in value.split(";")
    )


def _is_key_block(value: str) -> bool:
    return bool(re.search(r"[A-Za-z0-9+/]{16}", value))


def _form(kind: str, literals: tuple[str, ...], pattern: str, accepts: Callable[[str], bool] = _is_value) -> Rule:
    return Rule(kind, literals, re.compile(pattern), accepts)


_VALUE = r"[!#-&(-;=?-_a-~À-ɏЀ-ӿ]"

CREDENTIAL_RULES: tuple[Rule, ...] = (
    _form(
        "private_key",
        ("private key",),
        r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----)){24,16000}?-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"""|(?:(?:\\[nr]|[\s"',>|*#]){1,12}[A-Za-z0-9+/=]{16,76}){1,150})""",
        _is_key_block,
    ),
    _form("putty_key", ("private-lines:",), r"Private-Lines: [0-9]{1,3}\s(?P<secret>[A-Za-z0-9+/=\s]{24,8192})", _is_key_block),
    _form("uri_password", ("://",), r"://[^\s/:@\"'<>]{0,80}:(?P<secret>[^\s/\"'<>]{3,200})@(?=[\w.\[{$])"),
    _form(
        "uri_password", ("://",), r"://[^\s/:@\"'<>]{1,80}:(?P<secret>[^\s@\"'<>]{3,200})@(?=[\w.\-]{1,80}(?::[0-9]{1,5})?/)"
    ),
    _form("uri_token", ("://",), r"://(?P<secret>[A-Za-z0-9_\-]{20,200})@(?=[\w.])", has_digit_and_letter),
    _form("otp_secret", ("otpauth://",), r"otpauth://[^\s\"'<>]{0,200}?secret=(?P<secret>[A-Za-z2-7]{16,128})"),
    _form(
        "authorization",
        ("authorization",),
        r"""(?i)authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?"""
        r"""(?:(?:basic|bearer|token|api-?token|api-?key|digest|negotiate|splunk|ghtoken)\s{1,4})?(?:token=)?["']?"""
        r"""(?P<secret>[A-Za-z0-9._~+/=:\-]{8,4096})""",
        _is_credential,
    ),
    _form("bearer", ("bearer ",), r"(?i)(?<![a-z])bearer {1,4}(?P<secret>[A-Za-z0-9._~+/\-]{16,4096}={0,2})", _is_credential),
    _form(
        "basic_auth",
        ("basic ",),
        r"(?<![A-Za-z])[Bb]asic {1,4}(?P<secret>[A-Za-z0-9+/]{16,512}={0,2})(?![A-Za-z0-9])",
        _is_credential,
    ),
    _form(
        "cookie",
        ("cookie",),
        r"""(?i)cookie\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?P<secret>[\w.%\-]{1,80}=[^\n"']{8,4096})""",
        _is_cookie,
    ),
    _form(
        "cookie",
        ("-b ", "--cookie"),
        r"""(?<![\w\-])(?:-b|--cookie)[ =]["']?(?P<secret>[\w.%\-]{1,80}=[^\n"']{8,4096})""",
        _is_cookie,
    ),
    _form(
        "key_header",
        ("x-", "api-key", "private-token", "apikey"),
        r"""(?i)(?<![\w\-])(?:x-[a-z\-]{0,30}(?:key|token|secret|auth)|api-?key|private-token)\\?["']?\s{0,4}:\s{0,4}\\?["']?"""
        r"""(?P<secret>[A-Za-z0-9._~+/=\-]{8,1024})""",
        _is_credential,
    ),
    _form(
        "basic_login",
        ("-u", "--user", "--proxy-user"),
        r"""(?<![\w\-])(?:-u|--(?:proxy-)?user)[ =]?["']?[^\s"':=]{1,64}:(?P<secret>[^\s"']{3,200})""",
    ),
    _form(
        "flag_password",
        ("mysql", "mariadb", "sshpass"),
        r"(?:mysql|mysqldump|mariadb|sshpass|mysqladmin)(?: [^\n|;]{0,120}?)? -p ?[\"']?(?P<secret>[^\s\"']{4,200})",
        _is_password,
    ),
    _form(
        "flag_password",
        ("docker login", "podman login"),
        r"(?:docker|podman) login[^\n|;]{0,120}? -p [\"']?(?P<secret>[^\s\"']{4,200})",
        _is_password,
    ),
    _form(
        "flag_secret",
        ("--",),
        r"""(?i)(?<![\w\-])--(?!(?:next|start|starting|page|change|lock|idempotency|client-request|max|no)-)"""
        r"""(?:[a-z0-9]{1,20}-){0,4}(?:password|passwd|passphrase|secret|token|api-?key|secret-?key|access-?key|pass|pw|oauth2-bearer)"""
        rf"""[ =]{{1,2}}["']?(?P<secret>(?!-){_VALUE}{{6,512}})""",
        _is_flag_value,
    ),
    _form(
        "xml_secret",
        ("</",),
        r"(?i)<[\w.:\-]{0,40}(?:password|passwd|secret|api-?key|access-?token)>\s{0,8}(?P<secret>[^<>\n]{4,512}?)\s{0,8}</",
        _is_password,
    ),
    _form("sas_signature", ("sig=",), r"[?&]sig=(?P<secret>[A-Za-z0-9%+/]{40,120}={0,3})"),
    _form(
        "signed_url",
        ("x-amz-", "x-goog-"),
        r"(?i)x-(?:amz|goog)-(?:signature|security-token)=(?P<secret>[A-Za-z0-9%+/=_\-]{16,2048})",
    ),
    _form(
        "sql_password",
        ("identified", "password"),
        r"""(?i)(?:identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?(?:by|as)|\bpassword)"""
        r"""\s{0,4}\(?\s{0,4}'(?P<secret>[^'\s]{4,200})'""",
        _is_password,
    ),
    _form(
        "sql_password",
        ("identified by",),
        r"(?i)identified\s{1,4}by\s{1,4}(?P<secret>[A-Za-z0-9!@#%^&*_\-]{6,200})",
        _is_credential,
    ),
    _form(
        "netrc_password",
        ("machine",),
        r"machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}(?P<secret>\S{3,200})",
    ),
    _form("pgpass", (":5432:",), r"[\w.\-]{1,200}:5432:[\w*\-]{1,60}:[\w*\-]{1,60}:(?P<secret>[^\s:]{4,200})"),
    _form(
        "registry_auth",
        ("_authtoken", "_auth"),
        r"_auth(?:Token)?\s{0,4}=\s{0,4}(?P<secret>[A-Za-z0-9+/_\-]{16,400}={0,2})",
        _is_credential,
    ),
    _form("registry_auth", ('"auth"',), r'"auth"\s{0,4}:\s{0,4}"(?P<secret>[A-Za-z0-9+/]{16,800}={0,2})"', _is_credential),
    _form(
        "slack_webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/]{20,200})",
    ),
    _form("discord_webhook", ("/api/webhooks/",), r"/api/webhooks/(?P<secret>[0-9]{15,25}/[A-Za-z0-9_\-]{60,120})"),
    _form("teams_webhook", ("office.com/webhook",), r"office\.com/webhook(?:b2)?/(?P<secret>[^\s\"'<>]{40,400})"),
    _form("feishu_webhook", ("/bot/v2/hook/",), r"/bot/v2/hook/(?P<secret>[0-9a-f\-]{30,40})"),
    _form("telegram_url", ("/bot",), r"/bot(?P<secret>[0-9]{8,10}:[A-Za-z0-9_\-]{30,40})"),
)
