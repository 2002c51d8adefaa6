"""One self-contained HTML file: style, script and data in it, nothing fetched, nothing run but our own script.

Owns: embedding and the content security policy. Must not know: what the data means. Pure but for reading its own parts.
Data is JSON with ``<``, ``>`` and ``&`` escaped, in a block that browsers do not run; the script puts it on the page with
``textContent`` alone. The policy allows this style and this script by their hashes and nothing else, so that a memory that
gets past both still cannot run, load or send anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(data: dict[str, Any]) -> str:
    """The file's text."""
    style, script = (_HERE / "page.css").read_text("utf-8"), (_HERE / "page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    parts = {"POLICY": policy, "STYLE": style, "DATA": embedded(data), "SCRIPT": script}
    before, *pieces = (_HERE / "page.html").read_text("utf-8").split("@@")
    named = zip(pieces[::2], pieces[1::2], strict=True)
    return before + "".join(parts[name] + text for name, text in named)


def embedded(data: Any) -> str:
    """JSON that no HTML parser can be led out of."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return "".join(_ESCAPES.get(char, char) for char in text)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
