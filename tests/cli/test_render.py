"""Layout on a terminal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from soong_memoryd.cli.render import (
    Style,
    clip,
    display_width,
    duration,
    parse_time,
    plural,
    printable,
    short_count,
    table,
    tally,
)

NOW = datetime(2026, 12, 1, 14, 39, tzinfo=UTC)


def style(columns: int | None = None, *, colour: bool = False) -> Style:
    return Style(colour=colour, columns=columns, now=NOW, zone=UTC)


@pytest.mark.rule("cli.cjk-width")
@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("用 uv", 5), ("ｆｕｌｌ", 8), ("é", 1), ("e\u0301", 1), ("😀", 2), ("", 0)]
)
def test_wide_characters_take_two_columns_and_combining_ones_none(text: str, columns: int) -> None:
    assert display_width(text) == columns


@pytest.mark.rule("cli.cjk-width")
@pytest.mark.parametrize("columns", range(2, 12))
def test_a_cut_text_never_takes_more_columns_than_there_are(columns: int) -> None:
    assert display_width(clip("记住 remember 以后", columns)) <= columns
    assert clip("记住", 4) == "记住"
    assert clip("记住了", 5) == "记住…"


@pytest.mark.rule("cli.cjk-width")
def test_columns_line_up_in_any_script_and_only_a_terminal_cuts_the_last() -> None:
    rows = [("记住", "一个很长很长的摘要"), ("a", "short")]
    assert table(("N", "SUMMARY"), rows, style()) == ["N     SUMMARY", "记住  一个很长很长的摘要", "a     short"]
    assert table(("N", "SUMMARY"), rows, style(20))[1] == "记住  一个很长很长…"


@pytest.mark.rule("cli.no-terminal-control")
@pytest.mark.parametrize("char", ["\x1b", "\x00", "\x9b", "\u202e", "\u200b", "\u2028", "\ud83d", "\x7f"])
def test_nothing_a_terminal_would_obey_or_a_reader_could_not_see_is_printed(char: str) -> None:
    assert printable(f"a{char}b") == "a\N{REPLACEMENT CHARACTER}b"
    assert printable("a\r\n\tb") == "a   b"
    assert printable("记住 é 😀") == "记住 é 😀"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0s"),
        (-5, "0s"),
        (59.9, "59s"),
        (72, "1m 12s"),
        (3600, "1h"),
        (3605, "1h"),
        (90_061, "1d 1h"),
        (86_400 * 3 + 14_400, "3d 4h"),
    ],
)
def test_a_duration_has_at_most_two_neighbouring_units(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_times_are_the_readers_and_what_is_no_time_is_a_dash() -> None:
    berlin = Style(colour=False, columns=None, now=NOW, zone=timezone(timedelta(hours=1)))
    assert berlin.moment("2026-12-01T14:39:00Z") == "2026-12-01 15:39"
    assert (berlin.clock("2026-12-01T14:39:07Z"), berlin.clock(None)) == ("15:39:07", "-")
    assert (berlin.ago("2026-12-01T13:38:00Z"), berlin.until("2026-12-01T14:38:00Z")) == ("1h 1m ago", "now")
    assert (berlin.moment("soon"), berlin.ago(None), berlin.until("")) == ("-", "-", "-")
    assert parse_time("2026-12-01T14:39:00") == NOW


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0"), (999, "999"), (1000, "1.0k"), (18_240, "18.2k"), (999_949, "999.9k"), (999_950, "1.0M")]
)
def test_large_counts_are_short(count: int, shown: str) -> None:
    assert short_count(count) == shown


def test_one_is_singular() -> None:
    assert (plural(1, "file"), plural(2, "file"), plural(0, "memory", "memories")) == ("1 file", "2 files", "0 memories")


def test_what_jobs_did_is_counted_over_all_of_them() -> None:
    first = {"created": ["m"], "duplicates": [{"memory_id": "m"}], "conflicts": [{}, {}], "usage": {"calls": 1}}
    assert tally([first]) == "1 created, 2 conflicts, 1 duplicate"
    assert tally([first, {"created": ["n"], "duplicates": [{}], "ignored": None}]) == "2 created, 2 conflicts, 2 duplicates"
    assert tally([{}]) == tally([]) == "nothing to keep"


@pytest.mark.rule("cli.no-color")
def test_colour_is_only_where_it_is_wanted() -> None:
    assert style(colour=True).paint("ok", "green") == "\x1b[32mok\x1b[0m"
    assert style(colour=True).paint("", "green") == ""
    assert style().paint("ok", "green") == "ok"
