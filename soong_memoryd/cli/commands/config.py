"""``config``: what is set, where it comes from, changing it, and handing keys to a daemon that does not see this shell.

Owns: how settings are shown and changed. Must not know: which settings there are (the daemon's program says).
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from soong_memory_client.paths import STATE_DIRECTORY
from soong_memoryd.cli import daemon_config, toml_text
from soong_memoryd.cli.command import Command, group
from soong_memoryd.cli.commands.checks import CHECK
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.daemon_config import FILE
from soong_memoryd.cli.exits import CliError, Exit
from soong_memoryd.cli.private_file import make_private_directory, read_text, replace_text
from soong_memoryd.cli.render import Style, printable, table

SHOW_STEP = "soong-memoryctl config show"
RELOAD_STEP = "take it up: soong-memoryctl reload"
UNFIT_IN_ENV = frozenset("\"'\\$`# \t")


def _configure_show(parser: ArgumentParser) -> None:
    parser.add_argument("--origin", action="store_true", help="where each value comes from: file and line, variable, default")
    parser.add_argument("--changed", action="store_true", help="only what somebody set")


def _show(console: Console, args: Namespace) -> dict[str, Any]:
    report = daemon_config.usable(console.home, console.env)
    settings = [row for row in report["settings"] if not args.changed or row["origin"] != "default"]
    if not args.origin:
        settings = [{"key": row["key"], "value": row["value"]} for row in settings]
    return {"settings": settings, "warnings": report["warnings"]}


def _show_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    has_origin = any("origin" in row for row in data["settings"])
    header = ("KEY", "ORIGIN", "VALUE") if has_origin else ("KEY", "VALUE")
    rows = [(row["key"], *([row["origin"]] if has_origin else []), _said(row["value"])) for row in data["settings"]]
    yield from table(header, rows, style) if rows else ["nothing is set: every value is its default"]
    for warning in data["warnings"]:
        yield style.paint(f"note: {printable(warning)}", "yellow")


def _said(value: Any) -> str:
    return value if isinstance(value, str) else "-" if value is None else json.dumps(value, ensure_ascii=False)


def _configure_set(parser: ArgumentParser) -> None:
    parser.add_argument("key", help="for example memory.idle_seconds, or model_profiles.small.name")
    parser.add_argument("value", help="a number, true, false, text, or any TOML value")


def _set(console: Console, args: Namespace) -> dict[str, Any]:
    path = tuple(args.key.split("."))
    if len(path) < 2 or not all(path):
        raise CliError(Exit.USAGE, "a key is SECTION.NAME, for example memory.idle_seconds", SHOW_STEP)
    old = read_text(console.home / FILE)
    refused: dict[str, Any] | None = None
    for value in dict.fromkeys((toml_text.literal(args.value), toml_text.quoted(args.value))):  # 5 may be meant as text
        try:
            new = toml_text.set_key(old, path, value)
        except ValueError:
            raise CliError(Exit.FAILED, f"{FILE} is not TOML, or has the key in a place of its own", _edit(console)) from None
        answer = daemon_config.report_of_text(new, console.home, console.env)
        if not answer["problem"]:
            _replace(console, new)
            origin = next((row["origin"] for row in answer["settings"] if row["key"] == args.key), FILE)
            return {"key": args.key, "value": value, "origin": origin}
        refused = refused or answer
    assert refused is not None
    problem = daemon_config.problem_text(refused)
    needed, is_missing, _ = problem.partition(" is missing")  # the key that is set asks for another one, which comes first
    step = f"first soong-memoryctl config set {needed} VALUE, then the same again" if is_missing else SHOW_STEP
    raise CliError(Exit.USAGE, problem, step)


def _set_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"{data['key']} = {printable(data['value'])}  ({data['origin']})"
    if data["origin"].split(":")[0] != FILE:
        yield style.paint(f"it has no effect while {printable(data['origin'])} sets it as well", "yellow")
    yield style.paint(RELOAD_STEP, "dim")


def _configure_env(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="a variable of this shell, for example OPENAI_API_KEY")
    parser.add_argument("--remove", action="store_true", help="take its line out again")


def _env(console: Console, args: Namespace) -> dict[str, Any]:
    if not args.name.isidentifier() or not args.name.isascii():
        raise CliError(Exit.USAGE, "that is not the name of a variable", "soong-memoryctl config env OPENAI_API_KEY")
    path = console.home / STATE_DIRECTORY / "env"
    lines = read_text(path).splitlines()
    kept = [line for line in lines if line.removeprefix("export ").partition("=")[0].strip() != args.name]
    added = [] if args.remove else [f"{args.name}={_fit(args.name, console.env.get(args.name, ''))}"]
    make_private_directory(path.parent)
    replace_text(path, "".join(f"{line}\n" for line in [*kept, *added]))
    return {"name": args.name, "path": str(path), "replaced": len(kept) < len(lines), "removed": args.remove}


def _fit(name: str, value: str) -> str:
    if not value:
        raise CliError(Exit.USAGE, f"{name} is not set in this shell", f"export {name}=…, then the same again")
    if UNFIT_IN_ENV & set(value) or not value.isprintable():
        raise CliError(
            Exit.USAGE, f"{name} holds characters that a line of variables cannot", "put it into a file: model.api_key_file"
        )
    return value


def _env_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"{data['name']} {'taken out of' if data['removed'] else 'written to'} {printable(data['path'])} (0600)"
    yield style.paint("try it: soong-memoryctl config check", "dim")


def _configure_init(parser: ArgumentParser) -> None:
    parser.add_argument("--provider", help="a provider preset, openai-compatible, or builtin (no network)")
    parser.add_argument("--model", metavar="NAME", help="the model's name at the provider")
    parser.add_argument("--base-url", metavar="URL", help="the endpoint, for openai-compatible")
    parser.add_argument("--key-env", metavar="VARIABLE", help="the variable that holds the key")


def _init(console: Console, args: Namespace) -> dict[str, Any]:
    path = console.home / FILE
    if path.exists():
        raise CliError(Exit.CONFLICT, f"{path} is there already", "soong-memoryctl config show --origin")
    given = {"provider": args.provider, "name": args.model, "base_url": args.base_url, "api_key_env": args.key_env}
    known = daemon_config.report_of_text("", console.home, console.env)
    if known["problem"]:
        raise daemon_config.unusable(known, console.home)
    text = template(known["options"], {f"model.{key}": value for key, value in given.items() if value})
    answer = daemon_config.report_of_text(text, console.home, console.env)
    if answer["problem"]:
        raise CliError(Exit.USAGE, daemon_config.problem_text(answer), "soong-memoryctl config init --help")
    make_private_directory(console.home)
    replace_text(path, text)
    return {"path": str(path), "options": len(known["options"]), "model": args.provider}


def template(options: list[dict[str, Any]], values: dict[str, str]) -> str:
    """A memoryd.toml with every option and its default as a comment, and ``values`` set. Pure."""
    lines = ["# Settings of soong-memoryd. Every line that begins with # shows a default.", ""]
    section = ""
    for option in options:
        table_name, _, name = option["key"].partition(".")
        if table_name != section:
            section = table_name
            lines += ["", f"[{section}]"] if section != "model" or values else ["", f"# [{section}]"]
        if option["key"] in values:
            lines.append(f"{name} = {toml_text.quoted(values[option['key']])}")
        else:
            default = "…" if option["default"] is None else json.dumps(option["default"], ensure_ascii=False)
            lines.append(f"# {name} = {default}  # {option['description']}")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _init_view(data: dict[str, Any], style: Style) -> Iterator[str]:
    yield f"written: {printable(data['path'])} (0600)"
    if data["model"] is None:
        yield style.paint("name a model in it, then: soong-memoryctl reload", "dim")
    else:
        yield style.paint("start the daemon (soong-memoryd serve), or let it read this: soong-memoryctl reload", "dim")


def _replace(console: Console, text: str) -> None:
    make_private_directory(console.home)
    replace_text(console.home / FILE, text)


def _edit(console: Console) -> str:
    return f"edit {console.home / FILE}"


SHOW = Command("show", "every setting and its value", "read-only", _show, _show_view, _configure_show)
SET = Command("set", "set a key in memoryd.toml; comments stay", "changes memoryd.toml", _set, _set_view, _configure_set)
ENV = Command("env", "hand a variable of this shell to the daemon", "changes memoryd/env", _env, _env_view, _configure_env)
INIT = Command("init", "write a memoryd.toml to begin with", "makes memoryd.toml", _init, _init_view, _configure_init)
CONFIG = group("config", "settings: look at, change, try", "see its commands", SHOW, CHECK, SET, ENV, INIT)
