"""Which part of a message its sender typed.

Owns: telling typed words from what came along with them (fences, quotes, attachments, transcripts, mail, logs, diffs, shell
sessions). Must not know what the words mean. Everything here is linear in the text: one pass over the lines, bounded patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from soong_memoryd.text.attachments import FENCE, GAP, mask_attachments, next_fence
from soong_memoryd.text.pastes import is_machine_line, is_prompt_line, starts_mail, starts_transcript

STAND_IN = "\ufffc"
"""Stands for every character of a removed part of a line (code, quotation, address), and for a removed block in texts."""
MAX_PARAGRAPH_CHARS = 1500

_QUOTED_LINE = re.compile(r"[ \t]*(?:>|＞|&gt;)")
_INLINE = re.compile(
    r"(`{1,2})[^`\n]{1,400}\1"
    r'|"[^"\n]{1,600}"|(?<!\w)\'(?=\S)(?:[^\'\n]|\'(?=\w)){1,300}\'(?!\w)'
    r"|“[^”]{1,600}”|„[^“”\n]{1,600}[“”]|‘[^’\n]{1,300}’(?!\w)|«[^»]{1,600}»|»[^«»\n]{1,300}«|‹[^›\n]{1,300}›"
    r"|「[^」]{1,600}」|『[^』]{1,600}』|《[^》\n]{1,300}》|〈[^〉\n]{1,300}〉|【[^】\n]{1,100}】"
    r"|(?:https?|ftp|file|ssh)://[\x21-\x7e]{1,2000}(?<![,;.!?:)])|www\.[\x21-\x7e]{1,500}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}"
)
_PARAGRAPH_END = re.compile(r"\n[ \t\r\f\v]*\n|\x00+")
_GAPS = re.compile(r"\x00[\x00\s]*")
_MANY_BLANK_LINES = re.compile(r"\n\s*\n")


def typed_text(text: str) -> str:
    """What a person typed: no code fences, block quotes, attachments, pasted mail or transcripts, no very long paragraphs.

    Inline code and quotation marks stay. A removed block leaves a line with ``STAND_IN``, so that words from both of its
    sides never read as one quotation.
    """
    return _collapse(mask_blocks(text))


def typed_prose(text: str) -> str:
    """What a person said in their own words: ``typed_text`` without log, diff, shell, table and code lines.

    Inline code, quotations and addresses are one ``STAND_IN`` each.
    """
    return re.sub(f"{STAND_IN}+", STAND_IN, _collapse(mask_prose(text)))


def mask_blocks(text: str) -> str:
    """``text`` in the same length, with ``GAP`` in place of each character that ``typed_text`` drops."""
    lines = mask_attachments(text.replace(GAP, " ")).splitlines(keepends=True)
    return _mask_long_paragraphs("".join(_mask_lines(lines)))


def mask_prose(text: str) -> str:
    """``text`` in the same length, with ``GAP`` or ``STAND_IN`` in place of each character that is not the person'"
    "s prose."""
    blocks = mask_blocks(text)
    is_diff = "\n@@ " in text or "diff --git " in text
    lines = blocks.splitlines(keepends=True)
    prose = "".join(_mask_machine_lines(lines, is_diff))
    return _INLINE.sub(lambda found: STAND_IN * len(found.group()), prose)


def _mask_machine_lines(lines: list[str], is_diff: bool) -> Iterator[str]:
    in_output = False
    for line in lines:
        in_output = is_prompt_line(line) or (in_output and bool(line.strip()))
        yield GAP * len(line) if in_output or is_machine_line(line, is_diff) else line


def _collapse(masked: str) -> str:
    joined = f"\n{STAND_IN}\n".join(piece.rstrip() for piece in _GAPS.split(masked))
    return _MANY_BLANK_LINES.sub("\n\n", joined).strip()


def _mask_lines(lines: list[str]) -> Iterator[str]:
    """Without fences and block quotes, and without all that follows the head of a mail or the first turn of a transcript."""
    fence = ""
    for index, line in enumerate(lines):
        if not fence and line.strip() and (starts_mail(lines, index) or starts_transcript(lines, index)):
            yield from (GAP * len(rest) for rest in lines[index:])
            return
        fenced = bool(fence) or FENCE.match(line) is not None
        fence = next_fence(fence, line)
        yield GAP * len(line) if fenced or _QUOTED_LINE.match(line) else line


def _mask_long_paragraphs(masked: str) -> str:
    """Nobody types a paragraph of more than ``MAX_PARAGRAPH_CHARS`` in one go."""
    pieces: list[str] = []
    start = 0
    for boundary in [*_PARAGRAPH_END.finditer(masked), None]:
        end = boundary.start() if boundary else len(masked)
        paragraph = masked[start:end]
        pieces.append(GAP * len(paragraph) if len(paragraph) > MAX_PARAGRAPH_CHARS else paragraph)
        if boundary:
            pieces.append(boundary.group())
            start = boundary.end()
    return "".join(pieces)
