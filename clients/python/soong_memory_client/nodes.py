"""Building a node that the daemon takes: text cut to the limits, and the cut said in its metadata.

Owns: the limits of a node's text and of one call. Must not know: harnesses, sockets. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from soong_memory_client.wire import MAX_LINE_BYTES, encode

MAX_TEXT_BYTES = 256 * 1024
MAX_BATCH_BYTES = MAX_LINE_BYTES - 16 * 1024  # what is left of a line after method, ids and a long session id
MAX_BATCH_NODES = 64
CUT_MARK = "\n[cut]"


def build_node(node_id: str, kind: str, text: str, **fields: Any) -> dict[str, Any]:
    """A node with its text cut to the limit; fields that are None are left out.

    A cut is said in ``metadata`` as ``{"cut": true, "original_bytes": n}``.
    """
    node: dict[str, Any] = {"node_id": node_id, "kind": kind}
    node.update({name: value for name, value in fields.items() if value not in (None, [], {})})
    return fit_node(node, text)


def fit_node(node: dict[str, Any], text: str) -> dict[str, Any]:
    """``node`` with as much of ``text`` as a node may have and one line can carry."""
    data = text.encode("utf-8", "replace")
    limit_bytes = MAX_TEXT_BYTES
    while True:
        if len(data) <= limit_bytes:
            fitted = {**node, "text": data.decode("utf-8")}
        else:
            kept = data[: limit_bytes - len(CUT_MARK)].decode("utf-8", "ignore")
            metadata = {**node.get("metadata", {}), "cut": True, "original_bytes": len(data)}
            fitted = {**node, "text": kept + CUT_MARK, "metadata": metadata}
        # control characters grow sixfold as JSON: cut again rather than send a line that is refused
        if len(encode(fitted)) <= MAX_BATCH_BYTES or limit_bytes <= len(CUT_MARK) * 2:
            return fitted
        limit_bytes //= 2


def batches(nodes: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Consecutive nodes in groups that fit into one call each."""
    group: list[dict[str, Any]] = []
    size_bytes = 0
    for node in nodes:
        node_bytes = len(encode(node))
        if group and (len(group) == MAX_BATCH_NODES or size_bytes + node_bytes > MAX_BATCH_BYTES):
            yield group
            group, size_bytes = [], 0
        group.append(node)
        size_bytes += node_bytes
    if group:
        yield group
