from __future__ import annotations

import pytest

from soong_memoryd.memories.schema import PROBLEMS, check_body, check_summary, check_tags, is_one_line, read_time, time_order


@pytest.mark.parametrize(
    "text",
    ["a\nb", "a\rb", "a\x0bb", "a\x0cb", "a\x1cb", "a\x85b", "a\u2028b", "a\u2029b", "a\tb", "a\0", "\ud800", "", " \u3000"],
)
def test_every_kind_of_line_break_and_control_character_ends_a_line(text):
    assert not is_one_line(text)


def test_one_line_may_hold_any_script_and_emoji():
    assert is_one_line("中文 العربية می‌خواهم 👨‍👩‍👧 a < b")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "20261201",
        "2026-12",
        "2026-12-01T25:00:00Z",
        "2026-02-30",
        "2026-W01-1",
        "２026-12-01",
        "2026-12-01T10:00",
        "0001-01-01T00:00:00+10:00",
    ],
)
def test_what_is_no_time_is_none(text):
    assert read_time(text) is None


@pytest.mark.parametrize("time", ["2026-12-01T10:00:00Z", "2026-12-01T10:00:00.5Z", "0001-01-01T00:00:00Z"])
def test_a_time_in_the_stored_form_stays_as_it_is(time):
    assert read_time(time) == time


def test_times_sort_as_they_pass():
    times = ["2026-12-01T10:00:00Z", "2026-12-01T10:00:00.5Z", "2026-12-01T10:00:01Z", "2027-01-01T00:00:00Z"]
    assert sorted([times[2], times[0], times[3], times[1]], key=time_order) == times


def test_problems_have_codes_that_the_table_explains():
    codes = [check_summary(""), check_summary("x" * 201), check_tags([""]), check_body("\0"), check_body("x" * 8193)]
    assert codes == ["summary", "summary_long", "tags", "body", "body_long"]
    assert set(codes) < set(PROBLEMS)
