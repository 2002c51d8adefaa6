"""Any bytes in any chunks become values or faults, never another error."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soong_memoryd.protocol.framing import MAX_DEPTH, Fault, Framer, Line, read_line, write_line

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def feed(data: bytes, sizes, max_bytes=10_000):
    framer, items = Framer(max_bytes), []
    while data:
        size = next(sizes)
        items += framer.feed(data[:size])
        data = data[size:]
    return items


def forever(sizes):
    while True:
        yield from sizes


@given(st.binary(max_size=300), st.lists(st.integers(1, 40), min_size=1, max_size=5))
@pytest.mark.rule("framing.any-bytes")
def test_any_chunking_of_any_bytes_gives_the_same_items(data, sizes):
    assert feed(data, forever(sizes)) == feed(data, forever([len(data) or 1]))


@given(json_values)
def test_what_is_written_is_read_back(value):
    line = write_line(value)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert read_line(line[:-1]) == Line(value)


@pytest.mark.rule("framing.refused", "error.parse_error")
@pytest.mark.parametrize(
    "line",
    [
        b"\xff{}",
        b"\xef\xbb\xbf{}",
        b'{"a":1,"a":2}',
        b'{"a":NaN}',
        b"[Infinity]",
        b"[-Infinity]",
        b"[1e999]",
        b'["\\ud800"]',
        b'{"\\udfff": 1}',
        b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
        b"[" * 100_000,
        b"{",
        b"nonsense",
        b"[" + b"9" * 5000 + b"]",
        b"'single'",
        b"{} {}",
    ],
    ids=range(16),
)
def test_what_is_not_strict_json_is_a_parse_error(line):
    fault = read_line(line)
    assert isinstance(fault, Fault) and fault.code == "parse_error" and not fault.close


@pytest.mark.parametrize(
    "line", [b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, '["\\ud83d\\ude00", "记住"]'.encode(), b'["\\\\ud800"]', b"  {}\r"]
)
def test_what_is_strict_json_is_read(line):
    assert read_line(line) == Line(json.loads(line))


@pytest.mark.rule("framing.empty-line")
def test_empty_lines_are_ignored():
    assert feed(b"\n \t\r\n\n{}\n", forever([3])) == [Line({})]


@pytest.mark.rule("framing.line-limit")
def test_an_over_long_line_is_answered_once_and_the_stream_is_lost():
    items = feed(b"{}\n" + b"x" * 200 + b"\n{}\n", forever([7]), max_bytes=100)
    assert items == [Line({}), Fault("message_too_large", "a line is over 100 bytes", close=True)]


def test_a_complete_over_long_line_in_one_chunk_is_refused_too():
    assert [type(item) for item in Framer(10).feed(b"x" * 11 + b"\n{}\n")] == [Fault]


@pytest.mark.rule("framing.bounded")
def test_never_more_than_the_limit_of_an_unfinished_line_is_kept():
    framer = Framer(1000)
    for _ in range(100):
        list(framer.feed(b"x" * 100))
    assert len(framer._buffer) <= 1000


@pytest.mark.rule("errors.no-echo")
def test_no_fault_repeats_what_was_sent():
    for line in (b'{"secret-key":1,"secret-key":2}', b"secret-key", b'["secret-key\\ud800"]'):
        assert "secret-key" not in read_line(line).text
