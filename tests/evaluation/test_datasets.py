"""The two public sets in files of their shape, written here: nothing of theirs is in the repository."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from bench.eval import datasets
from bench.eval.replaying import measure
from bench.eval.subject import SCRIPTED
from bench.report import Report

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "I moved to Oslo in spring because of my new job."}],
            "session_2_date_time": "9:30 am on 2 June, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "My dog is called Biscuit.", "blip_caption": "a brown dog"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."},
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
        },
        "qa": [
            {"question": "What is the dog called?", "answer": "Biscuit", "evidence": ["D1:1"], "category": 4},
            {"question": "Where did Bo move?", "answer": "Oslo", "evidence": ["D2:1"], "category": 2},
            {"question": "Who said lovely and has a dog?", "answer": "both", "evidence": ["D1:1; D1:2"], "category": 1},
            {"question": "Never mentioned?", "adversarial_answer": "x", "evidence": [], "category": 5},
        ],
        "event_summary": {},
        "observation": {},
        "session_summary": {},
    }
]
LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "When is my gym class?",
        "answer": "Monday",
        "question_date": "2023/05/30 (Tue) 10:00",
        "haystack_session_ids": ["s2", "answer_1"],
        "haystack_dates": ["2023/05/21 (Sun) 00:51", "2023/05/20 (Sat) 15:08"],
        "haystack_sessions": [
            [{"role": "user", "content": "Tell me about knitting patterns."}, {"role": "assistant", "content": "Sure."}],
            [
                {"role": "user", "content": "My gym class is on Mondays.", "has_answer": True},
                {"role": "assistant", "content": "Noted.", "has_answer": False},
            ],
        ],
        "answer_session_ids": ["answer_1"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "multi-session",
        "question": "When is my violin class?",
        "answer": "never said",
        "haystack_session_ids": ["s3"],
        "haystack_dates": ["2023/05/21 (Sun) 00:51"],
        "haystack_sessions": [[{"role": "user", "content": "Hello there."}]],
        "answer_session_ids": ["s3"],
    },
]


def written(directory: Path, name: str, rows: Any) -> Path:
    path = directory / name
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_locomo_is_read_once_for_each_speaker(tmp_path: Path) -> None:
    ann, bo = datasets.locomo(written(tmp_path, "locomo10.json", LOCOMO))
    assert [talk.session_id for talk in ann.talks] == ["session_1", "session_2"]
    assert [talk.at for talk in ann.talks] == ["2023-05-08T13:56:00Z", "2023-06-02T09:30:00Z"]
    assert [turn.role for turn in ann.talks[0].turns] == ["user", "assistant"]
    assert [turn.role for turn in bo.talks[0].turns] == ["assistant", "user"]
    assert ann.talks[0].turns[0].text == "My dog is called Biscuit.\n[shares a picture: a brown dog]"
    assert [(q.text, q.session_ids) for q in ann.asked] == [("What is the dog called?", {"session_1"})]
    assert [(q.kind, q.turn_ids) for q in bo.asked] == [("category 2", {"D2:1"})]
    assert ann.left_out == {"no evidence named": 1, "evidence of both speakers": 1}
    assert bo.left_out == {}


def test_longmemeval_is_read_in_order_of_time_and_without_abstentions(tmp_path: Path) -> None:
    written(tmp_path, "longmemeval_s.json", LONGMEMEVAL)
    first, second = datasets.longmemeval(tmp_path)  # a directory is as good
    assert [talk.session_id for talk in first.talks] == ["answer_1", "s2"]
    (question,) = first.asked
    assert (question.turn_ids, question.session_ids, question.kind) == ({"answer_1:0"}, {"answer_1"}, "single-session-user")
    assert second.asked == ()
    assert sum(second.left_out.values()) == 1


@pytest.mark.parametrize("load", datasets.LOADERS.values())
def test_a_file_of_another_shape_is_named(tmp_path: Path, load: Any) -> None:
    with pytest.raises(ValueError, match="has not the shape of"):
        load(written(tmp_path, "x.json", [{"something": "else"}]))


def test_a_replay_finds_the_session_that_a_memory_came_from(tmp_path: Path) -> None:
    histories = datasets.longmemeval(written(tmp_path, "l.json", LONGMEMEVAL))
    report = Report()
    with tempfile.TemporaryDirectory(prefix="smd-") as scratch:  # a socket's path is short, tmp_path is not
        part = measure(report, SCRIPTED, Path(scratch), "longmemeval", histories)
    (answer,) = part["answers"]
    assert (answer["kept_sessions"], answer["found_sessions"], answer["found_turns"]) == (1.0, 1.0, 1.0)
    assert part["counts"] == {"histories": 2, "sessions": 2, "memories": 2, "user turns": 2}
    assert any("Not measured" in note for note in report.notes)
