"""The evaluation sets are as large and as mixed as they claim, and speak of what is there."""

from __future__ import annotations

from collections import Counter

from bench.eval import extraction, recalling, sets
from soong_memoryd.memories.naming import is_memory_id

KINDS_WANTED = {"false_memory", "conflict", "update", "duplicate", "secret", "save_that", "implicit", "explicit", "one_off"}


def test_the_conversations_cover_both_languages_and_every_kind_of_trap() -> None:
    cases = extraction.cases()
    assert len(cases) >= 60
    assert len({case["id"] for case in cases}) == len(cases)
    languages = Counter(case["lang"][0] for case in cases)
    assert min(languages["en"], languages["zh"]) >= 30
    tags = {tag for case in cases for tag in case["tags"]}
    assert tags >= KINDS_WANTED
    assert {"assistant_invents", "page", "paste", "tool", "sub_agent", "synthetic", "chatter", "correction"} <= tags


def test_what_a_conversation_expects_is_about_its_own_nodes_and_memories() -> None:
    for case in extraction.cases():
        nodes = {node["id"] for node in case["nodes"]}
        known = {memory["id"] for memory in case["existing_memories"]}
        for expected in case["gold"]["expected"]:
            named = {*expected["source_node_ids_any_of"], *expected.get("confirm_node_ids", ())}
            assert named <= nodes, case["id"]
            assert {expected["target_id"]} <= known if "target_id" in expected else "new" in expected["op_any_of"], case["id"]


def test_the_recall_questions_name_memories_of_the_store() -> None:
    memories = sets.rows(*recalling.STORES)
    ids = {memory["id"] for memory in memories}
    assert len(ids) == len(memories) >= 200
    assert all(is_memory_id(memory_id) for memory_id in ids)
    queries = sets.rows(*recalling.QUERIES)
    assert len({query["id"] for query in queries}) == len(queries) >= 60
    for query in queries:
        judged = [set(query[name]) for name in ("relevant", "acceptable", "must_not")]
        assert set().union(*judged) <= ids, query["id"]
        assert sum(map(len, judged)) == len(set().union(*judged)), query["id"]
    assert min(Counter(query["lang"] for query in queries)[lang] for lang in ("en", "zh")) >= 40
