"""Guesses: long random strings that nothing else explains. They never change a text; the Memory Writer refuses on them.

Owns: which unexplained strings are suspicious. Must not know: token kinds, sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from soong_memoryd.text.secrets.finding import Finding
from soong_memoryd.text.secrets.values import is_issued, is_placeholder, looks_random, shannon_bits

_CANDIDATE = re.compile(r"(?<![A-Za-z0-9+/_=\-])[A-Za-z0-9+/_\-]{20,512}={0,2}")
_HEX = re.compile(r"[0-9a-fA-F]{32,128}")
_EXPLAINED = re.compile(
    r"(?i)sha-?[0-9]{1,3}|md5|commit|revert|checksum|hash|digest|integrity|fingerprint|etag|rev(?:ision)?|blob|tree|traceparent|uuid"
    r"|/nix/store|base64,|public|ssh-(?:rsa|ed25519)|ecdsa-|https?://|mem_|node_"
)
_KEYWORD = re.compile(
    r"(?i)key|token|secret|passw|pwd|credential|bearer|cookie|密码|密钥|私钥|令牌|口令|パスワード|비밀번호|пароль"
)
_BEFORE = 48


def find_entropy(text: str) -> Iterator[Finding]:
    """Yield random-looking strings of 20 and more characters: without an explanation, or hex beside a telling word."""
    if not any(len(word) >= 20 for word in text.split()):
        return
    for match in _CANDIDATE.finditer(text):
        value, context = match[0], text[max(0, match.start() - _BEFORE) : match.start()]
        if _EXPLAINED.search(context) or is_placeholder(value) or not is_issued(value) or value.count("/") > len(value) // 12:
            continue
        told = _KEYWORD.search(context)
        if _HEX.fullmatch(value):
            suspicious = bool(told) and shannon_bits(value) >= 3.0
        else:
            suspicious = looks_random(value) and (bool(told) or (len(value) >= 28 and shannon_bits(value) >= 4.2))
        if suspicious:
            yield Finding("entropy", match.start(), match.end(), "entropy")
