"""Memory files whose header soong-agent wrote by hand, given one that can be read. Pure but for ``mend``.

Owns: its way of writing a header (``key: value`` and ``  - item``, nothing quoted, ids made from file names), and what becomes
of it. Must not know: which files need it (the daemon says so), YAML.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

KEPT_DIRECTORY = "memoryd/soong-agent"
TEXTS = ("id", "category", "summary", "created_at", "updated_at", "source_session_id")
LISTS = ("tags", "source_node_ids")
_ID = re.compile(r"mem_\d{14}_[a-z0-9]{4,32}")
_LINE = re.compile(r"([a-z_]+):(?: (.*))?")
_ITEM = re.compile(r"  - (.*)")


def mended(text: str, path: str, written_at: datetime) -> str | None:
    """The same memory with a header that can be read, its body untouched; None when this is no file of soong-agent.

    ``path`` is relative to ``memory/``; ``written_at`` stands in for a time that is missing.
    """
    if not text.startswith("---\n") or "\n---\n" not in text[3:]:
        return None
    head, body = text[4:].split("\n---\n", 1)
    fields = _read(head)
    if fields is None or fields.get("category", path.partition("/")[0]) != path.partition("/")[0]:
        return None
    created = _time(fields.get("created_at")) or written_at
    memory_id = str(fields.get("id", ""))
    if not _ID.fullmatch(memory_id):
        digest = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()
        memory_id = f"mem_{created.astimezone(UTC):%Y%m%d%H%M%S}_{digest[:8]}"
    lines = []
    known = {**fields, "id": memory_id, "category": path.partition("/")[0], "created_at": _rfc3339(created)}
    known["updated_at"] = _rfc3339(_time(fields.get("updated_at")) or created)
    for key in (*TEXTS[:3], "tags", *TEXTS[3:], "source_node_ids"):
        value = known.get(key) or ([] if key in LISTS else "")
        if value or key == "tags":
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")  # JSON strings are YAML's quoted ones
    return "---\n" + "\n".join(lines) + "\n---\n" + ("" if body.startswith("\n") else "\n") + body


def mend(home: Path, path: str) -> bool:
    """Mend one file below ``memory/``, keeping what it was in ``memoryd/soong-agent/``; False when it is left alone."""
    file, kept = home / "memory" / path, home / KEPT_DIRECTORY / path
    if file.is_symlink() or not file.is_file():
        return False
    data = file.read_bytes()
    try:
        text = mended(data.decode("utf-8"), path, datetime.fromtimestamp(file.stat().st_mtime, UTC))
    except UnicodeDecodeError:
        return False
    if text is None:
        return False
    for directory in (home / "memoryd", home / KEPT_DIRECTORY, kept.parent):
        directory.mkdir(mode=0o700, exist_ok=True)
    if not kept.exists():
        _write(kept, data)
    fresh = kept.with_name(kept.name + ".new")
    _write(fresh, text.encode("utf-8"))
    os.replace(fresh, file)
    return True


def _read(head: str) -> Mapping[str, str | list[str]] | None:
    """The keys of a header; None when a line is not of soong-agent's making: it might mean anything."""
    fields: dict[str, str | list[str]] = {}
    items: list[str] | None = None
    for line in head.split("\n"):
        if (item := _ITEM.fullmatch(line)) and items is not None:
            items.append(item[1])
            continue
        found = _LINE.fullmatch(line)
        if found is None or found[1] in fields or found[1] not in (*TEXTS, *LISTS):
            return None
        items = [] if found[1] in LISTS else None
        fields[found[1]] = items if items is not None else (found[2] or "").strip()
        if items is not None and found[2] and found[2].strip() != "[]":
            return None
    return {key: "" if value == "None" else value for key, value in fields.items()}


def _time(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _rfc3339(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _write(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(fd)
