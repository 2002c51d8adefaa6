"""How much of a node's text a job shows, and in which form.

Owns: the limits per kind and the cutting of long texts. Must not know: windows, labels, fences. Pure.
"""

from __future__ import annotations

from soong_memoryd.state.rows import NodeRow
from soong_memoryd.text.tokens import estimate_tokens
from soong_memoryd.text.typed import STAND_IN, typed_text

ALL = None
SHOWN_TOKENS: dict[tuple[str, str], int | None] = {  # (kind, origin) -> most tokens; the origin "" stands for any other
    ("user_message", "typed"): ALL,
    ("user_message", ""): 80,
    ("assistant_message", ""): 300,
    ("tool_result", ""): 120,
    ("memory_context", ""): 40,
    ("other", ""): 60,
}
PASTE_MARK = "[pasted text left out]"
SCANNED_TOKENS = 400  # a message that was examined before, or may not be examined, only explains


def shown_text(row: NodeRow) -> str | None:
    """A node as context: cut to the limit of its kind. None for what is never shown in place (compact summaries, nothing)."""
    text = source_text(row)
    if not text or row.kind == "compact_summary":
        return None
    limit = SHOWN_TOKENS.get((row.kind, row.origin), SHOWN_TOKENS.get((row.kind, ""), 0))
    return cut(text, SCANNED_TOKENS if limit is ALL else limit)


def source_text(row: NodeRow) -> str:
    """What of a node may be read at all: of a tool its summary and artifact refs, of recalled memories their ids."""
    if row.kind == "tool_result":
        return "\n".join(part for part in (row.summary or "", *row.artifact_refs) if part)
    if row.kind == "memory_context":  # recalled text must not come back as something new
        ids = row.metadata.get("recalled_memory_ids")
        return "recalled: " + ", ".join(str(known) for known in ids) if isinstance(ids, list) and ids else ""
    return row.text


def cut(text: str, max_tokens: int) -> str:
    """``text``, or its beginning and end around a marker so that about ``max_tokens`` remain.

    Of a text that is too long, pastes and fences go first: what a person wrote is what may hold a wish.
    """
    if estimate_tokens(text) <= max_tokens:
        return text
    typed = typed_text(text).replace(STAND_IN, PASTE_MARK)
    if typed.replace(PASTE_MARK, "").strip() and estimate_tokens(typed) <= max_tokens:
        return typed
    kept_chars = len(text)
    while True:
        kept_chars = max(0, kept_chars * max_tokens * 9 // (10 * max(1, estimate_tokens(_ends(text, kept_chars)))))
        shorter = _ends(text, kept_chars)
        if kept_chars == 0 or estimate_tokens(shorter) <= max_tokens:
            return shorter


def _ends(text: str, kept_chars: int) -> str:
    if kept_chars >= len(text):
        return text
    head, tail = kept_chars * 2 // 3, kept_chars - kept_chars * 2 // 3
    return f"{text[:head]}\n[{len(text) - kept_chars} characters left out]\n{text[len(text) - tail :]}"
