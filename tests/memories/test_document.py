from __future__ import annotations

import json
from datetime import datetime

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from soong_memoryd.errors import InvalidDocument
from soong_memoryd.memories.document import PROBLEMS, Document, EvidenceRef, Frontmatter, parse, serialise
from soong_memoryd.memories.schema import is_one_line
from tests.memories.builders import HEAD, head

ONE_LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=32).filter(is_one_line)
HOSTILE_SCALARS = (
    "a: b", "ends with:", "c# lang #1", "# comment", "@at", "`tick`", "%percent", "&anchor", "*alias", "!tag", "{brace",
    "[bracket",
    "- dash", "-", "? question", "> folded", "| literal", "no", "yes", "on", "off", "~", "null", "True", "0123", "1_000",
    "1:30", "0x1f",
    "1e3", ".inf", "2026-12-01", "2026-12-01T00:00:00Z", "=", "<<", "'single'", '"double"', "back\\slash", "---", "...",
    " lead", "trail ",
    "a, b", "a: {b: [c", "以后都用中文: 好的", "emoji 🎉 и кириллица", "\ufeffbom", "soft\u00adhyphen", "tab-free", "%YAML 1.2",
    "key: 'v",
)  # fmt: skip


def documents() -> st.SearchStrategy[Document]:
    moments = st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31)).map(lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ"))
    ids = st.from_regex(r"mem_20[0-9]{2}0[1-9]1[0-9]0[0-9][0-5][0-9][0-5][0-9]_[a-z0-9]{4,32}", fullmatch=True)
    refs = st.builds(EvidenceRef, node_id=ONE_LINE, kind=st.sampled_from(("tool_result", "user_message")))
    summaries = st.one_of(st.sampled_from(HOSTILE_SCALARS), ONE_LINE)
    heads = st.builds(
        Frontmatter,
        id=ids,
        category=st.sampled_from(("user", "feedback", "reference")),
        summary=summaries,
        tags=st.lists(summaries.filter(lambda tag: len(tag) <= 32), max_size=8).map(tuple),
        created_at=moments,
        updated_at=moments,
        source_session_id=st.none() | ONE_LINE,
        source_node_ids=st.lists(ONE_LINE, max_size=4).map(tuple),
        confirmed_by_node_id=st.none() | ONE_LINE,
        evidence=st.lists(refs, max_size=3).map(tuple),
    )
    bodies = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=300)
    edges = st.sampled_from(("", "\n", "\r\n", "\r", "---\n", "\n---\n", "{", "\ufeff"))
    return st.builds(Document, heads, st.tuples(edges, bodies, edges).map("".join))


def code_of(data: bytes) -> str:
    with pytest.raises(InvalidDocument) as caught:
        parse(data)
    return caught.value.code


def written(header: str, body: str = "Text.") -> bytes:
    return f"---\n{header}\n---\n\n{body}\n".encode()


MINIMAL = "id: mem_20260502080000_a1b2\ncategory: user\nsummary: Drinks tea"


@pytest.mark.rule("memory.document-round-trip")
@settings(max_examples=200, deadline=None)
@given(documents())
def test_what_is_written_reads_back_as_the_same_memory(document):
    assert parse(serialise(document)) == document


@pytest.mark.parametrize("scalar", HOSTILE_SCALARS)
def test_a_hostile_scalar_is_the_same_text_for_every_yaml_reader(scalar):
    data = serialise(Document(head(summary=scalar, tags=(scalar[:32],)), "x"))
    other_reader = yaml.safe_load(data.decode().removeprefix("---\n").removesuffix("\n---\n\nx\n"))
    assert (other_reader["summary"], other_reader["tags"]) == (scalar, [scalar[:32]])


@pytest.mark.rule("memory.frontmatter-order")
def test_fields_stand_in_the_fixed_order_and_times_are_quoted():
    confirmed = head(confirmed_by_node_id="n4", evidence=(EvidenceRef("n3", "tool_result"),))
    lines = serialise(Document(confirmed, "x")).decode().splitlines()
    keys = [line.split(":")[0] for line in lines[1:] if line and line[0].isalpha() and ":" in line]
    assert keys[:10] == [
        "id", "category", "summary", "tags", "created_at", "updated_at", "source_session_id", "source_node_ids",
        "confirmed_by_node_id", "evidence",
    ]  # fmt: skip
    assert "created_at: '2026-05-02T08:00:00Z'" in lines


def test_optional_fields_are_left_out_when_there_is_nothing_to_say():
    text = serialise(Document(HEAD, "x")).decode()
    assert "confirmed_by_node_id" not in text
    assert "evidence" not in text


@pytest.mark.rule("memory.hand-written")
def test_a_memory_written_by_hand_needs_id_category_and_summary_only():
    found = parse(written(MINIMAL)).frontmatter
    assert found == Frontmatter(
        "mem_20260502080000_a1b2", "user", "Drinks tea", (), "2026-05-02T08:00:00Z", "2026-05-02T08:00:00Z"
    )
    assert found.shown()["source_session_id"] == "manual"
    assert found.shown()["source_node_ids"] == []


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-12-01", "2026-12-01T00:00:00Z"),
        ("2026-12-01 10:00:00", "2026-12-01T10:00:00Z"),
        ("2026-12-01T10:00:00+08:00", "2026-12-01T02:00:00Z"),
        ("2026-12-01T10:00:00.250Z", "2026-12-01T10:00:00.250Z"),
    ],
)
def test_times_as_people_write_them_are_understood(text, time):
    assert parse(written(f"{MINIMAL}\ncreated_at: {text}")).frontmatter.created_at == time


def test_json_values_are_yaml_values():
    fields = {"summary": 'Says "no": <never>', "tags": ["no", "1:30", "0123"], "source_node_ids": ["n1"]}
    header = "id: mem_20260502080000_a1b2\ncategory: user\n" + "\n".join(f"{k}: {json.dumps(v)}" for k, v in fields.items())
    found = parse(written(header)).frontmatter
    assert (found.summary, found.tags, found.source_node_ids) == (fields["summary"], ("no", "1:30", "0123"), ("n1",))


def test_a_byte_order_mark_and_crlf_are_understood():
    data = b"\xef\xbb\xbf" + written(MINIMAL + "\ntags:\n- a\n- b", "First.\nSecond.").replace(b"\n", b"\r\n")
    found = parse(data)
    assert found.frontmatter.tags == ("a", "b")
    assert found.body == "First.\r\nSecond."


@pytest.mark.rule("memory.body-bytes")
@pytest.mark.parametrize(("rest", "body"), [
    ("\n\nText\n", "Text"), ("\nText", "Text"), ("\n\n\n  Text  \n\n", "\n  Text  \n"), ("\n", ""), ("", ""),
    ("\n\n--- rule\n---\n", "--- rule\n---"),
])  # fmt: skip
def test_a_body_loses_only_the_blank_line_before_and_the_newline_after_it(rest, body):
    assert parse(f"---\n{MINIMAL}\n---{rest}".encode()).body == body


@pytest.mark.rule("memory.strict-loader")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"plain text\n", "no_header"),
        (b"", "no_header"),
        (b'{\n"id": "x"\n}\nbody', "no_header"),
        (b"+++\nid = 1\n+++\n", "no_header"),
        (b"\n" + written(MINIMAL), "no_header"),
        (f"---\r{MINIMAL}\r---\r".encode(), "no_header"),
        (f"---\n{MINIMAL}\n".encode(), "header_open"),
        (b"---\n---\n\nText", "mapping"),
        (written("- a\n- b"), "mapping"),
        (written("just words"), "mapping"),
        (written(MINIMAL + "\n? [a, b]\n: c"), "mapping"),
        (written("a: &x 1\nb: *x"), "alias"),
        (written(MINIMAL + "\ntags: &t [a]"), "alias"),
        (written(MINIMAL + "\ntags: !!python/object:os.system [a]"), "tag"),
        (written(MINIMAL + "\ntags: !!binary aGk="), "tag"),
        (written(MINIMAL + "\nsummary: twice"), "duplicate_key"),
        (written(MINIMAL + "\nmood: good"), "unknown_key"),
        (written(MINIMAL + "\n<<: {tags: [a]}"), "unknown_key"),
        (written(MINIMAL + "\ntags: [[[[[a]]]]]"), "nesting"),
        (written("x: " + "[" * 400), "nesting"),
        (written(MINIMAL + "\ntags: [a"), "yaml"),
        (written("id: mem_20260502080000_a1b2\ncategory: user\nsummary: tea: green"), "yaml"),
        (written("id: mem_20260502080000_a1b2\ncategory: user\nsummary: @home"), "yaml"),
        (written(MINIMAL + "\n\ttags: [a]"), "yaml"),
        (written(MINIMAL + "\ntags: a, b"), "tags"),
        (written(MINIMAL + "\ntags: [a, {b: c}]"), "tags"),
        (written(MINIMAL + "\ntags: [" + ", ".join("abcdefghi") + "]"), "tags"),
        (written(MINIMAL + "\ntags: [" + "x" * 33 + "]"), "tags"),
        (written(MINIMAL + "\nsource_node_ids: n1"), "sources"),
        (written(MINIMAL + "\nsource_session_id: [a]"), "sources"),
        (written(MINIMAL + "\nsource_node_ids: [" + "n" * 201 + "]"), "sources"),
        (written(MINIMAL + "\nevidence: [{node_id: n1}]"), "evidence"),
        (written(MINIMAL + "\nevidence: n1"), "evidence"),
        (written(MINIMAL + "\ncreated_at: yesterday"), "time"),
        (written(MINIMAL + "\ncreated_at: 2026-13-01"), "time"),
        (written(MINIMAL.replace("a1b2", "A1B2")), "id"),
        (written(MINIMAL.replace("mem_20260502080000", "mem_20261502080000")), "id"),
        (written(MINIMAL.replace("mem_20260502080000", "mem_２0260502080000")), "id"),
        (written("category: user\nsummary: x"), "id"),
        (written(MINIMAL.replace("user", "project")), "category"),
        (written("id: mem_20260502080000_a1b2\nsummary: x"), "category"),
        (written("id: mem_20260502080000_a1b2\ncategory: user"), "summary"),
        (written("id: mem_20260502080000_a1b2\ncategory: user\nsummary: |\n  two\n  lines"), "summary"),
        (written('id: mem_20260502080000_a1b2\ncategory: user\nsummary: "a\\u2028- b"'), "summary"),
        (written('id: mem_20260502080000_a1b2\ncategory: user\nsummary: "a\\x85b"'), "summary"),
        (written("id: mem_20260502080000_a1b2\ncategory: user\nsummary: " + "x" * 201), "summary_long"),
        (written(MINIMAL, "字" * 2731), "body_long"),
        (written(MINIMAL, "a\0b"), "nul"),
        (written(MINIMAL, "x" * 70_000), "file_long"),
        (written(MINIMAL + "\n# " + "x" * 17_000), "header_long"),
        (written(MINIMAL).replace(b"Text", b"\xff\xfe"), "encoding"),
    ],
)
def test_what_is_no_memory_has_a_coded_problem(data, code):
    assert code_of(data) == code


def test_the_text_of_a_problem_never_repeats_the_file():
    with pytest.raises(InvalidDocument) as caught:
        parse(written("id: mem_20260502080000_a1b2\ncategory: user\nsummary: @canary-value"))
    assert caught.value.text == PROBLEMS["yaml"]
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.rule("memory.limits")
@pytest.mark.parametrize(
    ("document", "code"),
    [
        (Document(head(summary="x" * 201), ""), "summary_long"),
        (Document(head(summary="a\nid: forged"), ""), "summary"),
        (Document(head(summary=" "), ""), "summary"),
        (Document(head(tags=tuple("abcdefghi")), ""), "tags"),
        (Document(head(tags=("a\u2028b",)), ""), "tags"),
        (Document(HEAD, "x" * 8193), "body_long"),
        (Document(HEAD, "a\0"), "body"),
        (Document(HEAD, "\ud800"), "body"),
        (Document(head(created_at="2026-05-02"), ""), "time"),
        (Document(head(id="mem_1_a"), ""), "id"),
    ],
)
def test_what_breaks_a_limit_is_refused_and_never_trimmed(document, code):
    with pytest.raises(InvalidDocument) as caught:
        serialise(document)
    assert caught.value.code == code


def test_exactly_the_limits_are_accepted():
    document = Document(head(summary="字" * 200, tags=("x" * 32,) * 8), "x" * 8192)
    assert parse(serialise(document)) == document
