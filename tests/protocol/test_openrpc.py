"""The OpenRPC document and the reference page say what the table says."""

from __future__ import annotations

import json
import re

import pytest

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


def test_every_method_and_error_stands_in_the_reference_page():
    page = reference()
    for name in (*METHODS, *ERRORS):
        assert f"`{name}`" in page
