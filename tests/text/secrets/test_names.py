from __future__ import annotations

import pytest

from soong_memoryd.text.secrets.names import name_strength


@pytest.mark.parametrize(
    ("name", "strength"),
    [
        ("DB_PASSWORD", "password"),
        ("dbPassword", "password"),
        ("spring.datasource.password", "password"),
        ("userpass", "password"),
        ("client_secret", "key"),
        ("x-api-key", "key"),
        ("apiKey", "key"),
        ("AccountKey", "key"),
        ("GITHUB_TOKEN", "key"),
        ("SECRET_KEY_BASE", "key"),
        ("STRIPE_KEY", "weak"),
        ("sim_pin", "pin"),
    ],
)
def test_a_name_that_holds_a_secret_is_known(name: str, strength: str) -> None:
    assert name_strength(name) == strength


@pytest.mark.parametrize(
    "name",
    [
        "max_tokens",
        "token_limit",
        "tokenCount",
        "public_key",
        "primary_key",
        "keyboard",
        "password_min_length",
        "PASSWORD_FILE",
        "author",
        "cache_key",
        "nextPageToken",
        "idempotency_key",
        "passwordPolicy",
        "ACCESS_TOKEN_EXPIRE_MINUTES",
        "compass",
        "monkey",
        "_",
        "n",
    ],
)
def test_a_name_that_holds_none_is_left_alone(name: str) -> None:
    assert name_strength(name) is None
