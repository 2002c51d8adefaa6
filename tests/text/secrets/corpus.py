"""A labelled corpus made at run time from templates and a fixed random seed: no secret-shaped text stands in the tree.

``positives()`` and ``harmless()`` give the same cases on every run.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle

from tests.text.secrets.harmless import HARMLESS
from tests.text.secrets.sentences import ISSUED, KEY_FORMS, KEYS, PASSWORD_FORMS, PASSWORDS, PINS

ALNUM = string.ascii_letters + string.digits
LOWER_HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
URL_SAFE = ALNUM + "_-"
SEED = 20261201


@dataclass(frozen=True, slots=True)
class Case:
    """One text; ``secret`` is the part that must go, None if all of it must stay."""

    text: str
    secret: str | None
    language: str
    kind: str


class Maker:
    """Random pieces from a fixed seed."""

    def __init__(self, seed: int = SEED) -> None:
        self.random = random.Random(seed)

    def some(self, length: int, alphabet: str = ALNUM) -> str:
        return "".join(self.random.choices(alphabet, k=length))

    def hex(self, length: int) -> str:
        return self.some(length, LOWER_HEX)

    def digits(self, length: int) -> str:
        return self.some(length, string.digits)

    def uuid(self) -> str:
        return "-".join(self.hex(n) for n in (8, 4, 4, 4, 12))

    def b64(self, size: int) -> str:
        return base64.b64encode(self.random.randbytes(size)).decode()

    def pin(self) -> str:
        return self.digits(self.random.choice((4, 5, 6, 8)))

    def password(self) -> str:
        style = self.random.randrange(6)
        if style == 0:
            return (
                self.some(2, string.ascii_uppercase)
                + self.some(1, "bcdfgh")
                + self.digits(1)
                + "!"
                + self.some(3, "xyzuvw")
                + "9-"
                + self.some(2, "kmnp")
            )
        if style == 1:
            return self.some(4) + "!" + self.some(5) + self.digits(1) + "-" + self.some(4)
        if style == 2:
            return (
                self.random.choice(("Sommer", "Winter", "Tiger", "Orange", "Berlin"))
                + self.digits(4)
                + self.random.choice("!#*?")
            )
        if style == 3:
            return (
                self.random.choice(("blue", "horse", "falcon", "maple")) + "-" + self.digits(3) + "#" + self.some(3, "qwrtzp")
            )
        if style == 4:
            return (
                self.some(3, string.ascii_lowercase)
                + self.digits(3)
                + self.some(3, "@#$%^&*")
                + self.some(3, string.ascii_uppercase)
            )
        return self.some(2, string.ascii_uppercase) + self.digits(2) + "@" + self.some(3, string.ascii_lowercase)

    def key(self) -> str:
        length = self.random.choice((24, 32, 40, 48))
        return (
            self.hex(self.random.choice((32, 40, 64))) if self.random.random() < 0.5 else self.digits(1) + self.some(length - 1)
        )


ISSUED_SHAPES: dict[str, Callable[[Maker], str]] = {
    "github_token": lambda m: "ghp_" + m.some(36),
    "github_pat": lambda m: "github_" + "pat_" + m.some(22) + "_" + m.some(59),
    "gitlab_token": lambda m: "glpat-" + m.some(20),
    "openai_key": lambda m: "sk-" + "proj-" + m.some(64),
    "openai_key_classic": lambda m: "sk-" + m.some(48),
    "deepseek_key": lambda m: "sk-" + m.hex(32),
    "anthropic_key": lambda m: "sk-" + "ant-api03-" + m.some(93, URL_SAFE) + "AA",
    "openrouter_key": lambda m: "sk-" + "or-v1-" + m.hex(64),
    "google_api_key": lambda m: "AIza" + m.some(35, URL_SAFE),
    "huggingface_token": lambda m: "hf_" + m.some(34, string.ascii_letters),
    "groq_key": lambda m: "gsk_" + m.some(52),
    "xai_key": lambda m: "xai-" + m.some(80),
    "replicate_token": lambda m: "r8_" + m.some(37),
    "aws_key_id": lambda m: "AKIA" + m.some(16, string.ascii_uppercase + "234567"),
    "google_oauth": lambda m: "GOCSPX-" + m.some(28, URL_SAFE),
    "alibaba_key_id": lambda m: "LTAI" + m.some(20),
    "digitalocean_token": lambda m: "dop_v1_" + m.hex(64),
    "vault_token": lambda m: "hvs." + m.some(90, URL_SAFE[:-2]),
    "databricks_token": lambda m: "dapi" + m.hex(32),
    "slack_token": lambda m: "xoxb-" + m.digits(12) + "-" + m.digits(12) + "-" + m.some(24),
    "telegram_token": lambda m: m.digits(10) + ":A" + m.some(34),
    "sendgrid_key": lambda m: "SG." + m.some(22) + "." + m.some(43),
    "mailgun_key": lambda m: "key-" + m.hex(32),
    "stripe_key": lambda m: "sk_" + "live_" + m.some(24),
    "shopify_token": lambda m: "shpat_" + m.hex(32),
    "npm_token": lambda m: "npm_" + m.some(36),
    "pypi_token": lambda m: "pypi-" + "AgEIcHlwaS5vcmc" + m.some(100, URL_SAFE[:-2]),
    "docker_token": lambda m: "dckr_" + "pat_" + m.some(27, URL_SAFE[:-2]),
    "linear_key": lambda m: "lin_" + "api_" + m.some(40),
    "notion_token": lambda m: "ntn_" + m.digits(11) + m.some(35),
    "figma_token": lambda m: "figd_" + m.some(40),
    "postman_key": lambda m: "PMAK-" + m.hex(24) + "-" + m.hex(34),
    "grafana_token": lambda m: "glsa_" + m.some(32) + "_" + m.hex(8),
    "newrelic_key": lambda m: "NRAK-" + m.some(27, UPPER),
    "airtable_token": lambda m: "pat" + m.some(14) + "." + m.hex(64),
    "jwt": lambda m: "eyJ" + m.some(33) + ".eyJ" + m.some(60) + "." + m.some(43),
}


def private_key(maker: Maker, label: str = "") -> str:
    """A block that looks like a private key in PEM."""
    head = f"{label} PRIVATE KEY".strip()
    lines = "\n".join(maker.b64(48) for _ in range(maker.random.randint(3, 20)))
    return f"-----BEGIN {head}-----\n{lines}\n-----END {head}-----"


def _sentences(table: dict[str, tuple[str, ...]], make: Callable[[], str], kind: str, each: int) -> Iterator[Case]:
    for language, templates in table.items():
        for template in templates:
            for _ in range(each):
                secret = make()
                yield Case(template.format(s=secret), secret, language, kind)


def positives(seed: int = SEED) -> list[Case]:
    """Return more than 600 texts with a secret each."""
    maker = Maker(seed)
    cases: list[Case] = []
    for kind, shape in ISSUED_SHAPES.items():
        for language in ("en", "zh"):
            for template in maker.random.sample(ISSUED[language], 3):
                secret = shape(maker)
                cases.append(Case(template.format(s=secret), secret, language, kind))
    others = {language: templates for language, templates in ISSUED.items() if language not in ("en", "zh")}
    shapes = cycle(ISSUED_SHAPES.values())
    cases += _sentences(others, lambda: next(shapes)(maker), "issued", 2)
    cases += _sentences(PASSWORDS, maker.password, "password", 3)
    cases += _sentences(KEYS, maker.key, "key", 3)
    cases += _sentences(PINS, maker.pin, "pin", 2)
    cases += _sentences({"form": PASSWORD_FORMS}, maker.password, "password_form", 3)
    cases += _sentences({"form": KEY_FORMS}, maker.key, "key_form", 3)
    for label in ("", "RSA", "EC", "OPENSSH", "ENCRYPTED"):
        block = private_key(maker, label)
        cases.append(Case(f"here is the deploy key\n{block}\nput it on the runner", block, "en", "private_key"))
        cases.append(Case(f"部署密钥：\n{block}\n放到服务器上", block, "zh", "private_key"))
    return cases


def harmless(seed: int = SEED) -> list[Case]:
    """Return more than 500 texts without a secret."""
    maker = Maker(seed + 1)
    rounds = {"en": 3, "zh": 4}
    return [
        Case(template.format(**_pieces(maker)), None, language, "harmless")
        for language, templates in HARMLESS.items()
        for template in templates
        for _ in range(rounds.get(language, 2))
    ]


def _pieces(maker: Maker) -> dict[str, str]:
    r = maker.random
    return {
        "sha": maker.hex(40),
        "short": maker.hex(8),
        "uuid": maker.uuid(),
        "digest": maker.hex(64),
        "sri": maker.b64(64),
        "n": str(r.randint(10, 8192)),
        "big": str(r.randint(10_000, 9_999_999)),
        "date": f"2026-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
        "mem": f"mem_{maker.digits(14)}_{maker.some(8, string.ascii_lowercase + string.digits)}",
        "b64": "AAAA" + maker.b64(60),
        "version": f"{r.randint(0, 20)}.{r.randint(0, 40)}.{r.randint(0, 9)}",
        "order": "-".join(maker.digits(4) for _ in range(3)),
        "hex32": maker.hex(32),
        "hex16": maker.hex(16),
        "nix": maker.some(32, string.ascii_lowercase + string.digits),
    }
