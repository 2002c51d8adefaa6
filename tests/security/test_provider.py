"""Where a conversation and a key may travel: one endpoint, by one road."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.daemon import DaemonProcess, remote
from tests.support.model_server import ModelServer, calls

FINISH = {"ignored": [], "duplicates": []}
SAID = "Remember: I like my tea without sugar, my lucky word is xylophone."
KEY = "-".join(("the", "key", "of", "the", "provider"))


class Elsewhere:
    """A server that nobody should talk to: it keeps what it is sent."""

    def __init__(self):
        self.seen = []


@contextmanager
def listening(answer):
    elsewhere = Elsewhere()

    class Handler(BaseHTTPRequestHandler):
        def _take(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            elsewhere.seen.append((self.command, self.path, dict(self.headers), body))
            answer(self)

        do_POST = do_GET = do_CONNECT = _take  # noqa: N815  the names that the base class looks for

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    elsewhere.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield elsewhere
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def refuse(handler):
    handler.send_response(502)
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def redirecting(status, target):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def extract_once(daemon, client):
    client.call("session.open", session_id="s")
    client.call("context.append", session_id="s", nodes=[{"node_id": "n", "kind": "user_message", "text": SAID}])
    client.call("extraction.trigger", session_id="s", wait=True)
    return client.call("events.list", session_id="s")["events"]


@pytest.mark.rule("security.provider-redirect")
def test_a_redirect_to_another_host_is_not_followed(tmp_path):
    statuses = [301, 302, 303, 307, 308]
    with listening(refuse) as elsewhere:
        target = f"{elsewhere.url}/v1/chat/completions"
        with listening(lambda handler: redirecting(statuses[len(first.seen) % 5], target)(handler)) as first:
            with DaemonProcess(tmp_path / "home", remote(f"{first.url}/v1")) as daemon, daemon.client() as client:
                for _ in range(10):
                    failed = extract_once(daemon, client)[-1]
                    if len(first.seen) >= len(statuses):
                        break
    assert failed["type"] == "memory_extraction_failed"
    assert len(first.seen) >= len(statuses) and elsewhere.seen == []


@pytest.mark.rule("security.provider-environment")
def test_neither_a_proxy_nor_an_address_nor_a_key_is_taken_from_the_environment(tmp_path):
    with ModelServer(calls(("finish", FINISH))) as server, listening(refuse) as proxy:
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
        environment = dict.fromkeys(names, proxy.url) | {
            "OPENAI_BASE_URL": proxy.url,
            "OPENAI_API_KEY": "another-key-in-the-environment",
            "OPENAI_ORG_ID": "somebody",
            "NO_PROXY": "",
            "SOONG_TEST_KEY": KEY,
        }
        with DaemonProcess(tmp_path / "home", remote(server.base_url), **environment) as daemon, daemon.client() as client:
            assert extract_once(daemon, client)[-1]["type"] == "memory_extraction_completed"
        assert proxy.seen == []
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        assert "somebody" not in json.dumps(server.headers)
        assert KEY not in daemon.log() + json.dumps(server.requests)


@pytest.mark.rule("security.provider-consent")
def test_chats_of_a_local_model_do_not_go_to_a_remote_one_without_consent(tmp_path):
    local = '[model]\nprovider = "openai-compatible"\nbase_url = "http://127.0.0.1:9/v1"\nname = "local"\n'
    far = '[model_profiles.far]\nbase_url = "https://models.example.test/v1"\nname = "far"\napi_key_env = "SOONG_TEST_KEY"\n'
    refused = DaemonProcess(tmp_path / "refused", f'{local}{far}[memory]\nextract_model_profile = "far"\n')
    assert refused.run_to_end() == 78
    assert "allow_remote_model" in refused.output
    agreed = DaemonProcess(
        tmp_path / "agreed", f'{local}{far}[memory]\nextract_model_profile = "far"\nallow_remote_model = true\n'
    )
    with agreed, agreed.client() as client:
        assert client.call("daemon.status")["models"][0]["name"] == "far"


@pytest.mark.rule("security.provider-words")
def test_what_a_provider_says_goes_no_further_than_a_code(tmp_path):
    faults = ["http_400", "http_401", "http_500", "html", "bad_json", "reset", "array_error_body"]
    with ModelServer(calls(("finish", FINISH))) as server:
        with DaemonProcess(tmp_path / "home", remote(server.base_url), SOONG_TEST_KEY=KEY) as daemon, daemon.client() as client:
            for fault in faults:
                server.queue(fault, fault, fault)
                extract_once(daemon, client)
            assert server.calls >= len(faults)
            seen = json.dumps([client.call("events.list", limit=1000), client.call("daemon.status")]) + daemon.log()
    for said in ("request is not valid", "invalid api key", "internal error", "sign in", "Function calling", KEY, "xylophone"):
        assert said not in seen
