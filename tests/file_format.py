"""``docs/file-format.md``: what a memory file, its name and the catalog look like, from the tables and limits of the code.

Owns: the page's words and the two examples, which are read and rendered by the code before they are printed.
"""

from __future__ import annotations

from dataclasses import fields

from soong_memoryd.memories import catalog
from soong_memoryd.memories.document import parse, serialise
from soong_memoryd.memories.index import FileStamp, index_files
from soong_memoryd.memories.naming import MAX_FILE_NAME_BYTES, MAX_NAME_BYTES, NAME_PROBLEMS, file_name
from soong_memoryd.memories.schema import (
    CATEGORIES,
    MANUAL,
    MAX_BODY_BYTES,
    MAX_CALLER_ID_CHARS,
    MAX_FILE_BYTES,
    MAX_HEADER_BYTES,
    MAX_SUMMARY_CHARS,
    MAX_TAG_CHARS,
    MAX_TAGS,
    Document,
    EvidenceRef,
    Frontmatter,
)

WRITTEN = Document(
    Frontmatter(
        id="mem_20261201101502_k3f2ab9x",
        category="reference",
        summary="团队的发布清单：https://wiki.example.com/release",
        tags=("发布", "checklist"),
        created_at="2026-12-01T10:15:02Z",
        updated_at="2026-12-01T10:15:02Z",
        source_session_id="claude-code:7f3a",
        source_node_ids=("p1:u",),
        confirmed_by_node_id="p1:u",
        evidence=(EvidenceRef("p1:t2", "tool_result"),),
    ),
    "The release checklist of the team: https://wiki.example.com/release",
)
WRITTEN_NAME = file_name("release-checklist", WRITTEN.frontmatter.created_at, WRITTEN.frontmatter.id)

BY_HAND = """\
---
id: mem_20261201110000_hand
category: feedback
summary: Answer in Chinese, keep code comments in English.
---

Answer in Chinese, keep code comments in English.
"""
BY_HAND_NAME = "answer-in-chinese.md"

ID = "`mem_<YYYYMMDDHHMMSS>_<4 to 32 of a-z0-9>`, a moment that exists"
TIME = "RFC 3339; a date, an offset or a space instead of `T` are understood"
CALLER_ID = f"one line, at most {MAX_CALLER_ID_CHARS} characters"
FIELDS: dict[str, tuple[str, str, str]] = {  # field -> what it says, what it may be, what a file without it means
    "id": ("the identity, whatever the file is called", ID, "no memory"),
    "category": ("the folder that the file lies in", ", ".join(f"`{name}`" for name in CATEGORIES), "no memory"),
    "summary": ("the line in the catalog", f"one line, at most {MAX_SUMMARY_CHARS} characters", "no memory"),
    "tags": ("words to find it by", f"at most {MAX_TAGS}, each one line of at most {MAX_TAG_CHARS} characters", "none"),
    "created_at": ("when it was learned", TIME, "the moment in the id"),
    "updated_at": ("when it was changed last", "the same", "`created_at`"),
    "source_session_id": ("where it was said", CALLER_ID, f"written by hand, shown as `{MANUAL}`"),
    "source_node_ids": ("the messages that prove it, all of one session", f"each {CALLER_ID}", "none"),
    "confirmed_by_node_id": ("the message in which the user asked to keep what somebody else said", CALLER_ID, "not needed"),
    "evidence": ("what was confirmed: `{node_id, kind}` each", f"each {CALLER_ID}", "none"),
}  # fmt: skip


def page() -> str:
    """``docs/file-format.md``."""
    assert set(FIELDS) == {field.name for field in fields(Frontmatter)}, "every field has its row"
    hand = parse(BY_HAND.encode())
    paths = [f"{WRITTEN.frontmatter.category}/{WRITTEN_NAME}", f"{hand.frontmatter.category}/{BY_HAND_NAME}"]
    contents = [serialise(WRITTEN), BY_HAND.encode()]
    folders = ", ".join(f"`{name}/`" for name in CATEGORIES)
    stamp = FileStamp(0, 0, 0, 0)
    snapshot = index_files([(path, data, stamp) for path, data in zip(paths, contents, strict=True)], 4000)
    assert snapshot.invalid == () and catalog.is_catalog(snapshot.catalog.text)
    return f"""\
# File format

Generated from `soong_memoryd/memories/` by `make docs` (`tests/file_format.py`); do not edit.

`memory/` holds one Markdown file for each memory, in a folder for each category ({folders}), and
`MEMORY.md`. Names that begin with a dot belong to others (`.git`, `.stfolder`, an editor) and are passed over; everything
else is named by `verify` as `foreign_file` and left alone.

## One memory

`memory/{paths[0]}`:

```markdown
{contents[0].decode().rstrip()}
```

Frontmatter between two `---` lines, a blank line, the body. UTF-8, at most {MAX_FILE_BYTES >> 10} KiB, of that the header
{MAX_HEADER_BYTES >> 10} KiB and the body {MAX_BODY_BYTES >> 10} KiB. What the body means is its own affair:
it is kept byte for byte.

| field | says | may be | without it |
|---|---|---|---|
{_rows()}

The header is YAML, read in one way only: every value is a text (`no` is not false, `0123` not 83), anchors, aliases and
tags are refused, and so are keys that are not in this table and keys that stand twice. Put a value in quotes when it has
a `:` or `#` in it.

## By hand

Three fields are enough. Any plain name that ends in `.md` will do, as long as it lies in the folder of its category:

`memory/{paths[1]}`:

```markdown
{BY_HAND.rstrip()}
```

An id of your own, for example:

```
echo mem_$(date -u +%Y%m%d%H%M%S)_$(od -An -N4 -tx1 /dev/urandom | tr -d ' ')
```

The daemon has it within a second, while it runs or when it starts. `soong-memoryctl verify` says what is wrong with a
file, with the codes in [troubleshooting](troubleshooting.md#why-a-file-is-not-a-memory). It lists a memory by hand as
`missing_sources`: that is a remark, nothing has to be done about it. The daemon never changes your file unless a
conversation changes the fact; then it writes the canonical form above and keeps yours as a version (`history`, `undo`).

## Names

The daemon writes `<name>-<YYYYMMDD>-<id>.md`; the day is that of `created_at` in UTC. A model chooses the name, in any
script, at most {MAX_NAME_BYTES} bytes. Otherwise it is refused, in these words:

{_names()}

A file of yours may be called otherwise: letters, marks and digits of any script, `- _ . + ,` and inner spaces, at most
{MAX_FILE_NAME_BYTES} bytes. If the name ends in an id, it must be the one in the file (`id_mismatch`). Two files whose
names some file system takes for one (case, Unicode form) are never made. Of two files with one id the lower path counts;
the other is named (`duplicate_id`) and left alone.

## The catalog

`MEMORY.md` is rendered from the files, newest first, and goes into the agents' system prompts:

```
{snapshot.catalog.text.rstrip()}
```

A line is `` - `id` [category] summary (path) ``; what a summary holds that could pass for another line is escaped. At
most `memory.catalog_max_tokens`: older ones are left out, and recall still finds them. Do not edit it: what you write
there is kept in `memoryd/conflicts/` and the catalog rendered again. Do not put it under git either ([several
machines](several-machines.md)).

## What may be relied on

Fields may be added in a later version, behind those that are there; the meaning of these does not change. A version that
meets a field that it does not know says `unknown_key` and leaves the file alone. Everything else in `memoryd/` is the
daemon's own and may change with any version.
"""


def _rows() -> str:
    return "\n".join(f"| `{name}` | {' | '.join(cells)} |" for name, cells in FIELDS.items())


def _names() -> str:
    return "\n".join(f"- {text};" for text in NAME_PROBLEMS.values()).removesuffix(";") + "."
