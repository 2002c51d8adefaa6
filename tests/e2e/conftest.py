"""The contract's daemon, one for all tests that ask for it; a connection and a session of its own for every test."""

from __future__ import annotations

import itertools

import pytest

from tests.e2e.scene import Mind, Scene, config_for
from tests.support.daemon import DaemonProcess
from tests.support.model_server import ModelServer

_numbers = itertools.count(1)


@pytest.fixture(scope="package")
def world(tmp_path_factory):
    """``(daemon, extracting server, selecting server, what both say)``."""
    mind = Mind()
    with ModelServer(mind) as server, ModelServer(mind) as selector:
        home = tmp_path_factory.mktemp("contract") / "home"
        with DaemonProcess(home, config_for(server, selector)) as daemon:
            yield daemon, server, selector, mind


@pytest.fixture
def scene(world):
    daemon, *models = world
    with daemon.client() as line:
        yield Scene(daemon, line, *models)


@pytest.fixture
def session():
    """A session id that no other test uses."""
    return f"s{next(_numbers)}"
