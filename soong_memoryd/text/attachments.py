"""What a client or a harness puts into a message between tags: documents, files, tool output, reminders.

Owns: the names of such tags and where an attachment begins and ends. Must not know prose, quotes, wishes. Linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

GAP = "\x00"
"""Stands for every character of a removed block in masked texts, which keep their length."""

FENCE = re.compile(r"[ \t]{0,12}(?:[-*][ \t]{1,4})?(`{3,}|~{3,})")
"""The start of a line that opens or closes a code fence."""

_NAMES = (
    r"documents?|document_content|files?|file_contents?|paste[ds]?|pasted[-_]text|attachments?|attached[-_]files?|tool[-_]results?"
    r"|function[-_]results?|system[-_]reminder|system|context|quote|blockquote|source|transcript|conversation|email|page|web[-_]?page"
    r"|article|code|pre|output|stdout|stderr|logs?|search[-_]results?|local-command-\w{1,20}|command-\w{1,20}|bash-\w{1,20}"
    r"|ide[-_]\w{1,30}|task-notification|user-prompt-submit-hook|memory|memories|instructions|prompt|selection|snippet|diff"
)
_TAG = re.compile(rf"<(/?)({_NAMES})(?=[\s/>])", re.IGNORECASE)
_MAX_TAG_CHARS = 500


@dataclass(frozen=True, slots=True)
class _Tag:
    start: int
    end: int
    closes: bool
    bare: bool


def mask_attachments(text: str) -> str:
    """``text`` in the same length with ``GAP`` in place of attachments, tags included.

    A tag inside a code fence opens nothing. An attachment that is never closed goes on to the end, unless its tag is bare
    and stands inside a line: then it is a placeholder ("git add <file>").
    """
    if "<" not in text:
        return text
    line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
    by_name: dict[str, list[_Tag]] = defaultdict(list)
    opening: list[tuple[str, int]] = []
    for name, tag in _tags(text):
        if not tag.closes:
            opening.append((name, len(by_name[name])))
        by_name[name].append(tag)

    pieces: list[str] = []
    position = line = 0
    fence = ""
    for name, place in opening:
        tag = by_name[name][place]
        if tag.start < position:
            continue
        tag_line = bisect_right(line_starts, tag.start) - 1
        for start, stop in zip(line_starts[line:tag_line], line_starts[line + 1 : tag_line + 1], strict=True):
            fence = next_fence(fence, text[start:stop])
        line = max(line, tag_line)
        if fence:
            continue
        end = _end(by_name[name], place)
        if end is None and tag.bare and text[line_starts[tag_line] : tag.start].strip():
            continue
        end = len(text) if end is None else end
        pieces += (text[position : tag.start], GAP * (end - tag.start))
        position = end
        line = bisect_right(line_starts, end) - 1
    return "".join((*pieces, text[position:]))


def next_fence(fence: str, line: str) -> str:
    """The fence that is open after ``line`` ("" for none), when ``fence`` was open before it."""
    found = FENCE.match(line)
    if not found:
        return fence
    rest = line[found.end() :]
    if not fence:
        # what opens and closes on one line is inline code in disguise
        return "" if found[1] in rest else found[1]
    closes = found[1][0] == fence[0] and len(found[1]) >= len(fence) and not rest.strip()
    return "" if closes else fence


def _tags(text: str) -> list[tuple[str, _Tag]]:
    tags: list[tuple[str, _Tag]] = []
    for found in _TAG.finditer(text):
        end = text.find(">", found.end(), found.end() + _MAX_TAG_CHARS) + 1 or found.end()
        tags.append((found[2].lower(), _Tag(found.start(), end, bool(found[1]), end == found.end() + 1)))
    return tags


def _end(tags: list[_Tag], place: int) -> int | None:
    """Where the attachment opened by ``tags[place]`` ends, all of one name; None when it is never closed.

    More closing tags than opening ones belong to it, up to the next opening one: its content cannot end it early.
    """
    depth = 0
    end: int | None = None
    for index in range(place, len(tags)):
        tag = tags[index]
        if tag.closes:
            depth = max(depth - 1, 0)
            end = tag.end if depth == 0 else end
        elif end is not None and depth == 0:
            break
        else:
            depth += 1
    return end
