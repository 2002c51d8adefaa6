"""Requests, notifications and batches: each call is served or refused alone, and refusals echo nothing."""

from __future__ import annotations

import pytest

from soong_memoryd.protocol.envelope import Call, Refused, read_message
from soong_memoryd.protocol.errors import ERRORS, error_object
from soong_memoryd.protocol.methods import MAX_BATCH, METHODS

OPEN = {"jsonrpc": "2.0", "id": 1, "method": "session.open", "params": {"session_id": "s"}}


def only(value):
    message = read_message(value)
    assert len(message.calls) == 1
    return message.calls[0]


@pytest.mark.rule("envelope.valid")
@pytest.mark.parametrize("call_id", [1, "a", None, 1.5])
def test_a_request_keeps_its_id(call_id):
    call = only({**OPEN, "id": call_id})
    assert isinstance(call, Call) and call.id == call_id and not call.notification


@pytest.mark.rule("envelope.refused", "error.invalid_request", "error.method_not_found", "error.invalid_params")
@pytest.mark.parametrize(
    ("value", "code"),
    [
        (1, "invalid_request"),
        ("x", "invalid_request"),
        ({}, "invalid_request"),
        ({**OPEN, "jsonrpc": "1.0"}, "invalid_request"),
        ({**OPEN, "id": True}, "invalid_request"),
        ({**OPEN, "id": {}}, "invalid_request"),
        ({**OPEN, "method": ["session.open"]}, "invalid_request"),
        ({**OPEN, "method": "memory.write"}, "method_not_found"),
        ({**OPEN, "params": ["s"]}, "invalid_params"),
        ({**OPEN, "params": {}}, "invalid_params"),
        ({**OPEN, "params": {"session_id": 5}}, "invalid_params"),
        ({**OPEN, "params": {"session_id": "s", "colour": "blue"}}, "invalid_params"),
        ({**OPEN, "params": {"session_id": "line\nbreak"}}, "invalid_params"),
        ({**OPEN, "params": {"session_id": "x" * 201}}, "invalid_params"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, "invalid_request"),
        ([], "invalid_request"),
        ([OPEN] * (MAX_BATCH + 1), "invalid_request"),
    ],
)
def test_what_is_not_a_valid_call_is_refused_with_its_code(value, code):
    refused = only(value)
    assert isinstance(refused, Refused) and refused.error.code == code


@pytest.mark.rule("envelope.unknown-params")
def test_an_unknown_parameter_is_named_and_its_value_is_not():
    refused = only({**OPEN, "params": {"session_id": "s", "colour": "blue-ish"}})
    told = error_object(refused.error)
    assert told["data"]["field"] == "colour" and "blue-ish" not in repr(told)


def test_the_place_of_a_bad_node_is_named():
    params = {"session_id": "s", "nodes": [{"node_id": "a", "kind": "other"}, {"node_id": "b", "kind": "no such kind"}]}
    refused = only({**OPEN, "method": "context.append", "params": params})
    assert (refused.error.field, refused.error.index) == ("nodes.1.kind", 1)


@pytest.mark.rule("envelope.null-is-left-out")
def test_null_means_left_out():
    call = only({**OPEN, "params": {"session_id": "s", "title": None, "agent_id": None}})
    assert call.params.agent_id == "main" and call.params.title is None
    assert only({**OPEN, "params": {"session_id": None}}).error.field == "session_id"


@pytest.mark.rule("envelope.batch")
def test_each_element_of_a_batch_succeeds_or_fails_alone():
    message = read_message([OPEN, {"jsonrpc": "2.0", "id": 2, "method": "nope"}, 5])
    assert message.batch and [type(call) for call in message.calls] == [Call, Refused, Refused]
    assert [call.id for call in message.calls] == [1, 2, None]


@pytest.mark.rule("envelope.notifications")
def test_only_the_marked_methods_may_be_notifications():
    marked = {name for name, method in METHODS.items() if method.notification}
    assert marked == {"session.close", "context.append", "context.rewind", "run.started", "run.completed"}
    for name in METHODS:
        served = only({"jsonrpc": "2.0", "method": name, "params": {}})
        assert served.notification
        if isinstance(served, Refused) and name not in marked:
            assert served.error.code == "method_not_found"


@pytest.mark.rule("errors.table")
def test_every_error_of_the_table_has_a_number_of_its_own():
    numbers = [spec.number for spec in ERRORS.values()]
    assert len(set(numbers)) == len(numbers)
    assert {code for code, spec in ERRORS.items() if spec.retryable} == {"busy", "storage_full", "shutting_down"}
