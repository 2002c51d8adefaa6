"""The finder: one object per configuration that finds, redacts and refuses.

Owns: the order of the layers, long texts in chunks, known values, a user's own patterns. Must not know: config files,
storage, logs. Pure: the same text always gives the same findings, in time linear in its length (a user's patterns apart).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote, quote_plus

from soong_memoryd.errors import ConfigError
from soong_memoryd.text.secrets.contextual import find_contextual, is_assigned_secret, kind_of
from soong_memoryd.text.secrets.credentials import CREDENTIAL_RULES
from soong_memoryd.text.secrets.entropy import find_entropy
from soong_memoryd.text.secrets.finding import Finding, join_overlapping, marker, outside_markers
from soong_memoryd.text.secrets.folding import fold_for_scanning
from soong_memoryd.text.secrets.names import name_strength
from soong_memoryd.text.secrets.rules import TOKEN_RULES, Rule

CHUNK_CHARS = 65_536
OVERLAP_CHARS = 20_000
MARGIN_CHARS = 512
"""Longer texts are scanned in chunks; what starts or ends within a margin of an inner border is left to the neighbour that
sees it whole. No rule matches more than the overlap less two margins."""

MIN_TOKEN_CHARS = 16
MIN_KNOWN_CHARS = 8
_MAX_PASSES = 8

_CREDENTIAL_SIGN = re.compile("|".join(sorted({re.escape(literal) for rule in CREDENTIAL_RULES for literal in rule.literals})))
"""Without one of these no rule for credentials is worth a look: most short texts have none."""

Layer = Callable[[str], Iterable[Finding]]


class SecretFinder:
    """Finds secrets in text.

    ``patterns`` and ``allow`` are a user's regular expressions: what the first match is a secret (their group ``secret``, if
    they have one); what the second cover is left alone. ``known_values`` are secrets the process itself holds; those of at
    least 8 characters are found wherever they stand, also JSON- or URL-escaped. Raises ``ConfigError`` for a bad pattern.
    """

    def __init__(self, patterns: Sequence[str] = (), allow: Sequence[str] = (), known_values: Iterable[str] = ()) -> None:
        self._patterns = tuple(_compiled("patterns", index, pattern) for index, pattern in enumerate(patterns))
        self._allow = tuple(_compiled("allow", index, pattern) for index, pattern in enumerate(allow))
        forms = sorted(
            {form for value in known_values if len(value) >= MIN_KNOWN_CHARS for form in _escaped_forms(value)}, key=len
        )
        self._known = re.compile("|".join(re.escape(form) for form in reversed(forms))) if forms else None

    def find(self, text: str) -> list[Finding]:
        """Return every finding of every level in order, none overlapping; offsets are into ``text`` as given."""
        return self._scan(text, guess=True)

    def redact(self, text: str) -> str:
        """Return ``text`` with ``[REDACTED:<kind>]`` for each shaped and contextual secret; doing it again changes nothing."""
        for _ in range(_MAX_PASSES):
            findings = self._scan(text, guess=False)
            if not findings:
                break
            pieces: list[str] = []
            position = 0
            for finding in findings:
                pieces += (text[position : finding.start], marker(finding.kind))
                position = finding.end
            text = "".join(pieces) + text[position:]
        return text

    def refusal(self, text: str) -> str | None:
        """Return the kind of the first finding of any level, or None: what a memory may not contain."""
        findings = self.find(text)
        return findings[0].kind if findings else None

    def redact_value(self, value: Any) -> Any:
        """Return a JSON-like value with every string in it redacted, keys too; under a telling key the whole string goes."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, dict):
            return {self.redact_value(key): self._redact_field(str(key), item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.redact_value(item) for item in value]
        return value

    def _redact_field(self, key: str, value: Any) -> Any:
        strength = name_strength(key)
        if strength and isinstance(value, str) and is_assigned_secret(strength, value, quoted=True):
            if any(pattern.fullmatch(value) for pattern in self._allow):
                return value
            return marker(kind_of(strength))
        return self.redact_value(value)

    def _scan(self, text: str, *, guess: bool) -> list[Finding]:
        folded = fold_for_scanning(text)
        findings = list(_by_chunks(folded.text, self._layers(guess)))
        allowed = [match.span() for pattern in self._allow for match in pattern.finditer(folded.text)]
        findings = [f for f in findings if not any(start <= f.start and f.end <= end for start, end in allowed)]
        if self._known:
            findings += [Finding("known_value", *match.span(), "shaped") for match in self._known.finditer(folded.text)]
        joined = join_overlapping(outside_markers(findings, folded.text))
        spans = ((finding, *folded.original_span(finding.start, finding.end)) for finding in joined)
        return [replace(finding, start=start, end=end) for finding, start, end in spans]

    def _layers(self, guess: bool) -> Sequence[Layer]:
        layers: list[Layer] = [self._find_custom, find_shaped, find_contextual]
        return [*layers, find_entropy] if guess else layers

    def _find_custom(self, text: str) -> Iterator[Finding]:
        for pattern in self._patterns:
            group = "secret" if "secret" in pattern.groupindex else 0
            for match in pattern.finditer(text):
                if match.end(group) > match.start(group):
                    yield Finding("custom", match.start(group), match.end(group), "shaped")


def find_shaped(text: str) -> Iterator[Finding]:
    """Yield tokens of known shapes and values in telling forms; findings may overlap."""
    lowered = text.lower()
    unbroken = " ".join([word for word in lowered.split() if len(word) >= MIN_TOKEN_CHARS])
    if unbroken:
        for rule in TOKEN_RULES:
            if any(literal in unbroken for literal in rule.literals):
                yield from _matches(rule, text)
    for rule in CREDENTIAL_RULES if _CREDENTIAL_SIGN.search(lowered) else ():
        if any(literal in lowered for literal in rule.literals):
            yield from _matches(rule, text)


def _matches(rule: Rule, text: str) -> Iterator[Finding]:
    group = "secret" if "secret" in rule.pattern.groupindex else 0
    for match in rule.pattern.finditer(text):
        if rule.accepts(match[group]):
            yield Finding(rule.kind, match.start(group), match.end(group), "shaped")


def _by_chunks(text: str, layers: Sequence[Layer]) -> Iterator[Finding]:
    step = CHUNK_CHARS - OVERLAP_CHARS
    for base in range(0, max(1, len(text) - OVERLAP_CHARS), step):
        chunk = text[base : base + CHUNK_CHARS]
        inner_end = base + CHUNK_CHARS < len(text)
        for layer in layers:
            for finding in layer(chunk):
                whole_in_neighbour = finding.end - finding.start < OVERLAP_CHARS - 2 * MARGIN_CHARS and (
                    (base > 0 and finding.start < MARGIN_CHARS) or (inner_end and finding.end > CHUNK_CHARS - MARGIN_CHARS)
                )
                if not whole_in_neighbour:
                    yield replace(finding, start=finding.start + base, end=finding.end + base)


def _compiled(key: str, index: int, pattern: str) -> re.Pattern[str]:
    where = f"[secrets] {key}[{index}]"
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ConfigError(
            f"{where} is not a valid regular expression (character {error.pos})", hint="write it as a Python regular expression"
        ) from None
    if compiled.search(""):
        raise ConfigError(f"{where} matches the empty text", hint="make it match at least one character")
    return compiled


def _escaped_forms(value: str) -> set[str]:
    return {
        value,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        quote(value),
        quote(value, safe=""),
        quote_plus(value),
    }
