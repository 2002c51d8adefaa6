"""What a scan reports, and how overlapping reports become one.

Owns: the value ``Finding``, the three levels and the marker that stands for a redacted secret.
Must not know: how anything is found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

Level = Literal["shaped", "contextual", "entropy"]
STRENGTH: dict[Level, int] = {"shaped": 0, "contextual": 1, "entropy": 2}
"""Lower is surer. The first two are redacted before anything is stored; the last only makes the Memory Writer refuse."""

MARKER = re.compile(r"\[REDACTED:[a-z0-9_]{1,40}\]")


@dataclass(frozen=True, slots=True)
class Finding:
    """One secret: ``text[start:end]`` of the text that was scanned; it never carries the secret itself."""

    kind: str
    start: int
    end: int
    level: Level


def marker(kind: str) -> str:
    """Return what is written in place of a secret of this kind."""
    return f"[REDACTED:{kind}]"


def join_overlapping(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order, those that overlap joined into their union under the surest one's kind and level."""
    joined: list[Finding] = []
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):
        if not joined or finding.start >= joined[-1].end:
            joined.append(finding)
            continue
        last = joined[-1]
        surest = min(last, finding, key=lambda f: STRENGTH[f.level])
        joined[-1] = replace(surest, start=last.start, end=max(last.end, finding.end))
    return joined


def outside_markers(findings: Iterable[Finding], text: str) -> Iterator[Finding]:
    """Yield what of the findings is no marker already: a marker inside a secret must not save what stands around it."""
    spans = [match.span() for match in MARKER.finditer(text)]
    ends = [end for _, end in spans]
    for finding in findings:
        position = finding.start
        index = bisect_right(ends, finding.start)
        while index < len(spans) and spans[index][0] < finding.end:
            start, end = spans[index]
            if _says_something(text[position:start]):
                yield replace(finding, start=position, end=start)
            position, index = end, index + 1
        if _says_something(text[position : finding.end]):
            yield replace(finding, start=position)


def _says_something(piece: str) -> bool:
    return any(character.isalnum() for character in piece)
