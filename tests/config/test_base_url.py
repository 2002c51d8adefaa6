"""Which endpoints may be talked to."""

from __future__ import annotations

import pytest

from soong_memoryd.config.base_url import Reach, base_url_problem, reach

ALLOWED = [
    "https://api.openai.com/v1",
    "https://models.example.com:8443/v1/",
    "https://192.168.1.20/v1",
    "https://[2001:db8::1]/v1",
    "https://xn--fiqs8s.example/v1",
    "http://127.0.0.1:11434/v1",
    "http://127.8.9.10",
    "http://localhost:8080/v1",
    "http://models.localhost/v1",
    "http://[::1]:1234/v1",
    "http://[::ffff:127.0.0.1]/v1",
]
REFUSED = [
    "",
    "models.example.com",
    "ftp://models.example.com",
    "file:///etc/passwd",
    "https://",
    "https:///v1",
    "@".join(["https://user", "models.example.com"]),
    "@".join(["https://user:word", "models.example.com"]),
    "https://models.example.com/v1?key=1",
    "https://models.example.com/v1#part",
    "https://models.example.com /v1",
    "https://models.example.com\\@elsewhere.example.com",
    "https://models.example.com:0/v1",
    "https://models.example.com:99999/v1",
    "https://[fe80::1",
    "http://models.example.com/v1",
    "http://192.168.1.20:8000/v1",
    "http://gpu-box/v1",
    "http://0.0.0.0:8000/v1",
    "http://127.1/v1",
    "http://2130706433/v1",
    "http://0x7f.0.0.1/v1",
    "https://2852039166/latest",
    "https://169.254.169.254/latest",
    "https://[::ffff:169.254.169.254]/latest",
    "https://[fe80::1]/v1",
    "https://[fd00:ec2::254]/latest",
    "https://100.100.100.200/latest",
    "https://metadata.google.internal/computeMetadata",
    "https://metadata.google.internal./computeMetadata",
    "https://224.0.0.1/v1",
    "https://ｍodels.example.com/v1",
]


@pytest.mark.rule("config.base-url")
@pytest.mark.parametrize("url", ALLOWED)
def test_https_and_loopback_are_allowed(url: str) -> None:
    assert base_url_problem(url) is None


@pytest.mark.rule("config.base-url")
@pytest.mark.parametrize("url", REFUSED)
def test_everything_else_is_refused_in_words_that_do_not_repeat_the_address(url: str) -> None:
    problem = base_url_problem(url)
    assert problem is not None
    assert not url or url not in problem


@pytest.mark.rule("config.base-url")
@pytest.mark.parametrize("url", ["http://192.168.1.20:8000/v1", "http://gpu-box/v1", "http://10.0.0.3", "http://[fd12::1]/v1"])
def test_plain_http_in_the_lan_is_allowed_on_request(url: str) -> None:
    assert base_url_problem(url) is not None
    assert base_url_problem(url, allow_insecure_http=True) is None


@pytest.mark.parametrize(
    "url", ["http://8.8.8.8/v1", "http://169.254.169.254/latest", "http://0.0.0.0/", "http://[fe80::1]/v1"]
)
def test_plain_http_to_a_public_or_link_local_address_is_never_allowed(url: str) -> None:
    assert base_url_problem(url, allow_insecure_http=True) is not None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:1/v1", Reach.LOCAL),
        ("http://localhost/v1", Reach.LOCAL),
        ("https://[::1]/v1", Reach.LOCAL),
        ("http://192.168.1.20/v1", Reach.PRIVATE),
        ("http://gpu-box:8000/v1", Reach.PRIVATE),
        ("http://gpu.home.arpa/v1", Reach.PRIVATE),
        ("https://api.openai.com/v1", Reach.PUBLIC),
        ("https://8.8.8.8/v1", Reach.PUBLIC),
        ("not a url", Reach.PUBLIC),
    ],
)
def test_how_far_an_endpoint_is(url: str, expected: Reach) -> None:
    assert reach(url) is expected
