"""Judging one identifier: does a variable, key, header, flag or parameter of this name hold a secret?

Owns: the words that make a name secret or plainly harmless. Must not know: values, sentences.
"""

from __future__ import annotations

import re
from typing import Literal

Strength = Literal["password", "pin", "key", "weak"]
"""How much a name says: ``password`` and ``pin`` take short values, ``key`` issued ones, ``weak`` only long random ones."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS = re.compile(r"[A-Z]{1,40}(?![a-z])|[A-Z]?[a-z]{1,60}|[0-9]{1,20}")
_PASSWORDS = _words(
    """
    password passwords passwd pass passphrase passcode pwd pw psw pswd passwort kennwort contrasena senha mdp
    motdepasse userpass dbpass
    """
)
_PINS = _words(
    """
    pin otp cvv cvc
    """
)
_KEYS = _words(
    """
    secret secrets token credential credentials creds cred apikey sessionid phpsessid jsessionid authorization
    """
)
_KEY_QUALIFIERS = _words(
    """
    api access secret private encryption signing sign master account storage license licence service deploy client
    shared auth app webhook hmac aes jwt session cipher crypto wifi wpa activation admin subscription instrumentation
    functions host
    """
)
_RUN_TOGETHER: tuple[tuple[str, Strength], ...] = (
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
    ("passwort", "password"),
    ("pincode", "pin"),
    ("apikey", "key"),
    ("secretkey", "key"),
    ("accesskey", "key"),
    ("privatekey", "key"),
    ("accountkey", "key"),
    ("authkey", "key"),
    ("clientsecret", "key"),
    ("accesstoken", "key"),
    ("authtoken", "key"),
    ("sessiontoken", "key"),
)
_HARMLESS = _words(
    """
    public pub url uri id ids name names file filename path dir env field fields length len size count counts budget
    limit limits max min maximum minimum total type types ttl expiry expires expire expiration timeout seconds days
    author primary foreign index idx keyboard keyword keywords hotkey monkey tokenizer tokens version alias aliases
    pair store bucket schema issuer page next lock change starting prev previous continuation cursor cache partition
    sort shard idempotency dedupe hash hashed digest checksum fingerprint policy rule rules prompt reset hint label
    title column row class style icon regex pattern format header param prefix suffix enabled required rotation manager
    provider ref reference arn location source endpoint input output button confirm confirmation strength usage window
    rate per every cost price design syntax special stop pad bos eos unk mask sep num n
    """
)


def is_harmless_phrase(words: str) -> bool:
    """Whether one of these words says that the key, token or password meant is no secret (``public key``, ``token limit``)."""
    return not _HARMLESS.isdisjoint(part.lower() for part in _PARTS.findall(words))


def name_strength(name: str) -> Strength | None:
    """Return what kind of secret ``name`` (``DB_PASSWORD``, ``clientSecret``, ``x-api-key``) holds, or None."""
    parts = [part.lower() for part in _PARTS.findall(name)]
    if not parts or not _HARMLESS.isdisjoint(parts):
        return None
    if not _PASSWORDS.isdisjoint(parts):
        return "password"
    joined = "".join(part for part in parts if not part.isdigit())
    for ending, strength in _RUN_TOGETHER:
        if joined.endswith(ending):
            return strength
    if not _PINS.isdisjoint(parts):
        return "pin"
    if not _KEYS.isdisjoint(parts):
        return "key"
    if "key" in parts:
        return "key" if not _KEY_QUALIFIERS.isdisjoint(parts) else "weak"
    return "weak" if parts[-1] in ("auth", "sig", "signature", "cookie", "session", "sid", "jwt", "bearer") else None
