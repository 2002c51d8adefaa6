"""Checks of what the daemon needs to think: its config, its models, and keys that a service can see.

Owns: these findings. Must not know: providers. No model is called here; ``config check`` does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soong_memoryd.cli.checkup.facts import Facts, Finding

CHECK_STEP = "soong-memoryctl config check"
BROKEN_STATES = frozenset({"failing", "paused"})


def config(facts: Facts) -> Iterator[Finding]:
    """The config can be used."""
    if facts.report is None:
        yield Finding("config", "fail", "the daemon's program cannot be run by this command line", "soong-memoryd --version")
    elif facts.report["problem"]:
        yield Finding("config", "fail", facts.report["problem"], f"edit {facts.home / 'memoryd.toml'}")
    elif facts.report["warnings"]:
        for warning in facts.report["warnings"]:
            yield Finding("config", "note", warning)
    elif not (path := facts.home / "memoryd.toml").exists():
        text = f"there is no {path}: without a model, what is said is recorded and waits"
        yield Finding("config", "note", text, "soong-memoryctl config init --provider builtin")
    else:
        yield Finding("config", "ok", str(path))


def health(facts: Facts) -> Iterator[Finding]:
    """Each use has a model whose last call went well."""
    for model in facts.status["models"] if facts.status is not None else ():
        name = " ".join(part for part in (model["provider"], model["name"]) if part)
        if model["state"] == "missing":
            step = "soong-memoryctl config set model.provider PROVIDER"
            yield Finding("model", "note", f"{model['use']}: none is configured", step)
        elif model["state"] in BROKEN_STATES:
            error = model.get("error")
            why = error.get("text") or error.get("code") if isinstance(error, dict) else error
            yield Finding("model", "fail", f"{model['use']}: {name} {model['state']} ({why})", CHECK_STEP)
        else:
            yield Finding("model", "ok", f"{model['use']}: {name} {model['state']}", "")


def keys(facts: Facts) -> Iterator[Finding]:
    """A key that this shell has is one that the daemon can see as well. Names only: no value is looked at."""
    if facts.report is None or facts.report["problem"]:
        return
    for key in {row["variable"]: row for row in facts.report["keys"] if row["variable"]}.values():
        yield _key(facts, key)


def _key(facts: Facts, key: dict[str, Any]) -> Finding:
    name = key["variable"]
    if name in _names_in(facts.state_dir / "env"):
        return Finding("key", "ok", f"{name} stands in memoryd/env")
    if facts.status is not None and name in _names_of_process(facts):
        return Finding("key", "ok", f"{name} is set in the daemon")
    if facts.env.get(name):
        where = "in the daemon" if facts.status is not None else "in memoryd/env, where a service looks"
        return Finding("key", "fail", f"{name} is set in this shell, but not {where}", f"soong-memoryctl config env {name}")
    if key["needed"]:
        return Finding("key", "fail", f"{name} is set nowhere", f"export {name}=…, then: soong-memoryctl config env {name}")
    return Finding("key", "ok", f"{name} is not set, and this endpoint needs no key")


def _names_in(path: Path) -> set[str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return set()
    return {line.strip().removeprefix("export ").partition("=")[0].strip() for line in lines}


def _names_of_process(facts: Facts) -> set[str]:
    assert facts.status is not None
    try:
        data = (facts.proc / str(facts.status["pid"]) / "environ").read_bytes()
    except OSError:
        return set()
    return {pair.partition(b"=")[0].decode("utf-8", "replace") for pair in data.split(b"\0")}
