from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from soong_memoryd.errors import ConfigError
from soong_memoryd.text.secrets import SecretFinder
from soong_memoryd.text.secrets.finder import CHUNK_CHARS, OVERLAP_CHARS
from tests.text.secrets.corpus import Maker, private_key

FINDER = SecretFinder()


def github_token(seed: int = 1) -> str:
    return "ghp_" + Maker(seed).some(36)


def password(seed: int = 1) -> str:
    maker = Maker(seed)
    return f"{maker.some(4)}!{maker.some(4)}7-{maker.some(3)}"


def test_a_finding_gives_kind_level_and_place_in_the_text_as_it_came() -> None:
    token = github_token()
    [finding] = FINDER.find(f"用\u200b{token}，好吗")
    assert (finding.kind, finding.level) == ("github_token", "shaped")
    assert f"用\u200b{token}，好吗"[finding.start : finding.end] == token


def test_the_marker_names_the_kind_and_the_rest_of_the_text_stays() -> None:
    assert FINDER.redact(f"a {github_token()}, b") == "a [REDACTED:github_token], b"


def test_a_token_given_to_a_variable_is_reported_once_under_its_own_kind() -> None:
    findings = FINDER.find(f"GITHUB_TOKEN={github_token()}")
    assert [finding.kind for finding in findings] == ["github_token"]


@pytest.mark.rule("secrets.levels")
def test_a_guess_makes_the_writer_refuse_but_changes_no_text() -> None:
    unexplained = "cfg " + Maker(3).some(48)
    assert [finding.level for finding in FINDER.find(unexplained)] == ["entropy"]
    assert FINDER.redact(unexplained) == unexplained
    assert FINDER.refusal(unexplained) == "entropy"
    assert FINDER.refusal("I prefer tabs over spaces") is None


@pytest.mark.rule("secrets.evasion")
def test_invisible_and_look_alike_characters_hide_nothing() -> None:
    secret = password()
    dotted = "\u200b".join(secret)
    assert secret not in FINDER.redact(f"密码是{dotted}。").replace("\u200b", "")
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in secret)
    assert FINDER.redact(f"my password is {wide}, ok") == "my password is [REDACTED:password], ok"
    token = github_token()
    assert FINDER.redact(f"{token[:9]}\u2060{token[9:]}！") == "[REDACTED:github_token]！"


@pytest.mark.rule("secrets.known-values")
def test_a_known_value_is_found_as_it_is_and_escaped_for_json_or_a_url() -> None:
    known = 'q"w é/' + Maker(4).some(6)
    finder = SecretFinder(known_values=[known, "short"])
    for form in (known, json.dumps(known)[1:-1], json.dumps(known, ensure_ascii=False)[1:-1], quote(known, safe="")):
        assert finder.redact(f"x {form} y") == "x [REDACTED:known_value] y"
    assert finder.redact("a short walk") == "a short walk"


@pytest.mark.rule("secrets.user-patterns")
def test_a_users_patterns_add_and_allow() -> None:
    finder = SecretFinder(
        patterns=[r"ACME-[0-9]{4}", r"badge (?P<secret>[A-Z]{3})"], allow=[r"ACME-0000", r"password is demo[0-9]"]
    )
    assert finder.redact("ACME-1234 ACME-0000 badge XYZ") == "[REDACTED:custom] ACME-0000 badge [REDACTED:custom]"
    assert finder.redact("the password is demo1") == "the password is demo1"


@pytest.mark.parametrize(("key", "bad"), [("patterns", "(unclosed"), ("allow", "[z-a]"), ("patterns", "x*")])
def test_a_bad_pattern_is_an_error_that_names_its_key_and_place_and_not_itself(key: str, bad: str) -> None:
    with pytest.raises(ConfigError) as caught:
        SecretFinder(**{key: ["fine", bad]})
    assert f"[secrets] {key}[1]" in caught.value.text
    assert bad not in caught.value.text


def test_an_allowed_text_does_not_let_a_known_value_through() -> None:
    known = Maker(5).some(12)
    assert SecretFinder(allow=[r"key \S+"], known_values=[known]).redact(f"key {known}") == "key [REDACTED:known_value]"


@pytest.mark.rule("secrets.deep")
def test_deep_redaction_reaches_values_keys_and_fields_with_telling_names() -> None:
    token, secret = github_token(), password()
    value = {
        "a": [f"see {token}", {"password": secret, "apiKey": Maker(6).hex(32)}],
        token: 1,
        "n": 3,
        "ok": None,
        "tokens": "5",
    }
    assert FINDER.redact_value(value) == {
        "a": ["see [REDACTED:github_token]", {"password": "[REDACTED:password]", "apiKey": "[REDACTED:key]"}],
        "[REDACTED:github_token]": 1,
        "n": 3,
        "ok": None,
        "tokens": "5",
    }


@pytest.mark.parametrize("step", [-3000, -600, -520, -40, -20, -1, 0, 1, 20, 40, 520, 600])
@pytest.mark.parametrize("border", [CHUNK_CHARS, CHUNK_CHARS - OVERLAP_CHARS])
def test_no_secret_is_lost_or_cut_at_the_border_of_a_chunk(border: int, step: int) -> None:
    filler = "lorem ipsum " * (2 * CHUNK_CHARS // 12)
    for secret, sentence in (
        (github_token(), "{}"),
        (password(), "my password is {}"),
        (private_key(Maker(8)), "key:\n{}\n"),
    ):
        at = border + step
        text = f"{filler[:at]} {sentence.format(secret)} {filler[at:]}"
        redacted = FINDER.redact(text)
        assert secret not in redacted
        assert redacted.count("[REDACTED:") == 1
        assert redacted.replace("[REDACTED:", "").startswith(filler[:at])
        assert redacted.endswith(f" {filler[at:]}")


def test_a_private_key_goes_whole_even_without_its_end() -> None:
    block = private_key(Maker(9))
    assert FINDER.redact(f"a\n{block}\nb") == "a\n[REDACTED:private_key]\nb"
    assert Maker(9).b64(48)[:20] not in FINDER.redact(block.partition("-----END")[0])


@pytest.mark.parametrize(
    "value",
    ["<your key>", "$DB_PASSWORD", "${X}", "{{ vault.x }}", "xxxxxxxx", "changeme", "********", "...", "your_api_key_here"],
)
def test_placeholders_stay(value: str) -> None:
    for template in ("password={}", "API_KEY={}", 'token: "{}"', "my password is {}", "密码是{}", "Authorization: Bearer {}"):
        text = template.format(value)
        assert FINDER.redact(text) == text


def test_a_documentation_example_of_a_key_id_stays() -> None:
    text = "use AKIA" + "IOSFODNN7" + "EXAMPLE here"
    assert FINDER.redact(text) == text


@pytest.mark.parametrize(
    ("noun", "kind"),
    [("recovery codes", "code"), ("恢复码", "code"), ("seed phrase", "seed_phrase"), ("助记词", "seed_phrase")],
)
def test_code_lists_and_seed_phrases_are_found_by_their_noun(noun: str, kind: str) -> None:
    words = "apple brick candle dragon eagle forest garden hammer island jungle kitten lemon"
    value = "k3f9-x8d2-p0q1" if kind == "code" else words
    assert FINDER.redact(f"{noun}: {value}") == f"{noun}: [REDACTED:{kind}]"


def test_an_empty_text_has_no_findings() -> None:
    assert FINDER.find("") == []
    assert FINDER.redact("") == ""


def test_a_marker_inside_a_secret_does_not_save_the_rest_of_it() -> None:
    block = private_key(Maker(10))
    forged = block[:70] + "[REDACTED:x]" + block[70:]
    redacted = FINDER.redact(f"a\n{forged}\nb")
    assert not any(line in redacted for line in block.splitlines()[1:-1])
    assert FINDER.redact(redacted) == redacted


def test_an_allowed_value_stays_in_a_field_with_a_telling_name() -> None:
    finder = SecretFinder(allow=["demo[0-9]{4}"])
    assert finder.redact_value({"password": "demo1234"}) == {"password": "demo1234"}
