"""The OpenRPC document and the reference page say what the table says."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import Draft7Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

from soong_memoryd.protocol.errors import ERRORS
from soong_memoryd.protocol.methods import METHODS
from soong_memoryd.protocol.openrpc import document, reference


@pytest.mark.rule("method.rpc-discover")
def test_the_document_holds_every_method_and_resolves_every_reference():
    made = document("1.2.3")
    assert [method["name"] for method in made["methods"]] == list(METHODS)
    assert made["info"]["version"] == "1.2.3" and set(made["components"]["errors"]) == set(ERRORS)
    for name in re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(made)):
        assert name in made["components"]["schemas"]


META_SCHEMA = Path(__file__).with_name("openrpc_meta_schema.json")  # OpenRPC 1.3, from @open-rpc/spec (Apache-2.0), as it is
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
# OpenRPC takes JSON Schema from here: draft 7, whose own name for the type of a `$ref` differs
JSON_SCHEMA_TOOLS = "https://meta.json-schema.tools"
JSON_SCHEMA = {
    "allOf": [{"$ref": DRAFT_7}],
    "definitions": {"JSONSchemaObject": {"properties": {"$ref": {"type": "string"}}}},
}


def complaints(made: Any) -> list[str]:
    """What the meta schema of OpenRPC has to say against a document."""
    schema = {**json.loads(META_SCHEMA.read_text(encoding="utf-8")), "$schema": DRAFT_7}
    known = {DRAFT_7: Draft7Validator.META_SCHEMA, JSON_SCHEMA_TOOLS: JSON_SCHEMA}
    registry: Registry[Any] = Registry().with_resources(
        (uri, Resource(contents=contents, specification=DRAFT7)) for uri, contents in known.items()
    )
    return [error.message for error in Draft7Validator(schema, registry=registry).iter_errors(made)]


@pytest.mark.rule("method.rpc-discover")
def test_the_document_is_one_by_the_meta_schema_of_openrpc():
    made = json.loads(json.dumps(document("1.2.3")))
    assert complaints(made) == []
    for spoil in (
        lambda spoiled: spoiled.pop("info"),
        lambda spoiled: spoiled["methods"][0].pop("params"),
        lambda spoiled: spoiled["methods"][0]["params"][0].update(schema={"type": "strange"}),
        lambda spoiled: spoiled["components"]["errors"]["busy"].update(code="busy"),
        lambda spoiled: spoiled.update(surprise=1),
    ):
        spoiled = copy.deepcopy(made)
        spoil(spoiled)
        assert complaints(spoiled), "a check that takes everything checks nothing"


def test_every_method_and_error_stands_in_the_reference_page():
    page = reference()
    for name in (*METHODS, *ERRORS):
        assert f"`{name}`" in page
