from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.errors import InvalidDocument
from soong_memoryd.memories import header

PIECES = st.text(alphabet="ab1 ,.'\"[]{}:#-?!&*%@|>~\\\t中，：=<`é\u3000\u00a0", max_size=8)
VALUES = st.tuples(st.sampled_from(["{}", "a{}", "'{}'", "[{}]", "[a, {}]"]), PIECES).map(lambda made: made[0].format(made[1]))
HEADERS = st.dictionaries(st.sampled_from(["id", "summary", "tags", "null", "yes"]), VALUES, min_size=1, max_size=3)


def _by_yaml(text: str) -> object:
    """The same header after a comment, which only YAML understands."""
    return header.load(f"# any\n{text}")


@given(HEADERS)
def test_what_is_read_without_yaml_is_what_yaml_reads(fields: dict[str, str]) -> None:
    text = "\n".join(f"{key}: {value}" for key, value in fields.items())
    try:
        expected = _by_yaml(text)
    except InvalidDocument as error:
        with pytest.raises(InvalidDocument) as found:
            header.load(text)
        assert found.value.code == error.code
    else:
        assert header.load(text) == expected


def test_the_form_that_the_daemon_writes_needs_no_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    written = (
        "id: mem_20261201000000_abcd0001\ncategory: feedback\nsummary: prefers tabs, 喜欢制表符（四格）\n"
        "tags: [style, 编辑器]\ncreated_at: '2026-12-01T00:00:00Z'\nsource_node_ids: []\n"
    )
    monkeypatch.setattr(header, "_LOADER", None)
    assert header.load(written) == {
        "id": "mem_20261201000000_abcd0001",
        "category": "feedback",
        "summary": "prefers tabs, 喜欢制表符（四格）",
        "tags": ["style", "编辑器"],
        "created_at": "2026-12-01T00:00:00Z",
        "source_node_ids": [],
    }
