"""The ways to ask for remembering that everybody uses first."""

from __future__ import annotations

import pytest

from soong_memoryd.text.intent import explicit_wish


@pytest.mark.rule("trigger.explicit-expressions")
@pytest.mark.parametrize(
    "text",
    [
        "记住，我用的是 Arch Linux。",
        "Remember that I use Arch Linux.",
        "以后都用中文回答我。",
        "我的偏好是简短的回答。",
        "I prefer short answers.",
        "Don't forget that I am left-handed.",
        "Don’t forget: I am left-handed.",
        "Always use type hints in my Python code.",
        "Never push without asking me.",
    ],
)
def test_the_usual_expressions_are_explicit_wishes(text: str) -> None:
    assert explicit_wish(text)
    assert explicit_wish(f"Fix the failing test first.\n\n{text}")
