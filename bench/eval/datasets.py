"""Readers of two public sets from a local copy: LoCoMo and LongMemEval. Nothing of theirs is in this repository.

Owns: their file formats and what becomes of them here. Must not know the daemon or scores. Pure but for reading the path.
Formats: snap-research/locomo ``data/locomo10.json`` (in ``locomo10.zip`` there), xiaowu0162/LongMemEval ``longmemeval_s.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

Json = dict[str, Any]
_SESSION = re.compile(r"session_(\d+)\Z")
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Turn:
    """``turn_id`` is unique within its history; ``role`` is user or assistant."""

    turn_id: str
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """One session; ``at`` is RFC 3339 UTC, empty if the file's date could not be read (times there have no zone)."""

    session_id: str
    at: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the turns or, where the file names none, the sessions that hold its answer."""

    question_id: str
    kind: str
    text: str
    turn_ids: frozenset[str]
    session_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class History:
    """What one user said over time, and what is asked about it; ``left_out``: why questions are not asked, with counts."""

    history_id: str
    talks: tuple[Talk, ...]
    asked: tuple[Asked, ...]
    left_out: Mapping[str, int]


def locomo(path: Path) -> list[History]:
    """Each conversation twice, once with each of the two speakers as the user: a memory is one user's.

    A question is asked of the speaker who said all of its evidence. ValueError: the file has another shape.
    """
    rows = _rows(path, "locomo10.json")
    try:
        return [history for row in rows for history in _both_sides(row)]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path} has not the shape of LoCoMo: {type(error).__name__} {error}") from None


def longmemeval(path: Path) -> list[History]:
    """Each question with the sessions of its own haystack. ValueError: the file has another shape."""
    rows = _rows(path, "longmemeval_s.json")
    try:
        return [_haystack(row) for row in rows]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path} has not the shape of LongMemEval: {type(error).__name__} {error}") from None


LOADERS: Mapping[str, Callable[[Path], list[History]]] = MappingProxyType({"locomo": locomo, "longmemeval": longmemeval})


def _rows(path: Path, usual: str) -> list[Json]:
    rows = json.loads((path / usual if path.is_dir() else path).read_text(encoding="utf-8"))
    return rows if isinstance(rows, list) else [rows]


def _both_sides(row: Json) -> Iterator[History]:
    talk: Json = row["conversation"]
    numbers = sorted(int(found[1]) for key, value in talk.items() if (found := _SESSION.match(key)) and isinstance(value, list))
    speakers = {turn["dia_id"]: turn["speaker"] for number in numbers for turn in talk[f"session_{number}"]}
    asked: dict[str, list[Asked]] = {talk["speaker_a"]: [], talk["speaker_b"]: []}
    left_out = {"no evidence named": 0, "evidence of both speakers": 0}
    for number, question in enumerate(row["qa"]):
        named = frozenset(found for said in question.get("evidence") or () for found in _TURN.findall(str(said)))
        evidence = named & speakers.keys()
        owners = {speakers[turn] for turn in evidence}
        if len(owners) == 1:
            sessions = frozenset(f"session_{turn[1:].partition(':')[0]}" for turn in evidence)
            kind = f"category {question['category']}"
            asked[owners.pop()].append(Asked(f"{row['sample_id']}-q{number}", kind, question["question"], evidence, sessions))
        else:
            left_out["evidence of both speakers" if owners else "no evidence named"] += 1
    for side, (user, questions) in zip("ab", asked.items(), strict=False):
        talks = tuple(_talk(talk, number, user) for number in numbers)
        yield History(f"{row['sample_id']}-{side}", talks, tuple(questions), left_out if side == "a" else {})


def _talk(talk: Json, number: int, user: str) -> Talk:
    said = tuple(_spoken(turn, user) for turn in talk[f"session_{number}"])
    return Talk(f"session_{number}", _moment(talk.get(f"session_{number}_date_time", "")), said)


def _spoken(turn: Json, user: str) -> Turn:
    seen = f"\n[shares a picture: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return Turn(turn["dia_id"], "user" if turn["speaker"] == user else "assistant", turn.get("text", "") + seen)


def _haystack(row: Json) -> History:
    talks, evidence = [], set()
    dates = row.get("haystack_dates") or [""] * len(row["haystack_sessions"])
    for session_id, date, said in zip(row["haystack_session_ids"], dates, row["haystack_sessions"], strict=True):
        turns = tuple(Turn(f"{session_id}:{at}", turn["role"], turn["content"]) for at, turn in enumerate(said))
        evidence |= {f"{session_id}:{at}" for at, turn in enumerate(said) if turn.get("has_answer")}
        talks.append(Talk(session_id, _moment(date), turns))
    talks.sort(key=lambda talk: talk.at)
    question_id = row["question_id"]
    abstention = question_id.endswith("_abs")
    asked = Asked(question_id, row["question_type"], row["question"], frozenset(evidence), frozenset(row["answer_session_ids"]))
    left_out = {"abstention: there is no evidence to find": int(abstention)}
    return History(question_id, tuple(talks), () if abstention else (asked,), left_out)


def _moment(said: str) -> str:
    """``1:56 pm on 8 May, 2023`` and ``2023/05/20 (Sat) 02:21`` as RFC 3339, taken as UTC."""
    plain = re.sub(r"\s*\(\w+\)\s*", " ", said).strip()
    for form in ("%I:%M %p on %d %B, %Y", "%Y/%m/%d %H:%M", "%Y/%m/%d"):
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except ValueError:
            continue
    return ""
