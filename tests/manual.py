"""The pages that are written from the command lines and the table of settings: manual pages, completions, configuration.

Owns: their form. ``docs_current`` holds that the files in the tree are what is rendered here.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping

from soong_memoryd.cli import ctl, daemon
from soong_memoryd.cli.completion import SHELLS
from soong_memoryd.cli.exits import MEANINGS
from soong_memoryd.cli.words import Option, Word, tree
from soong_memoryd.config.table import options

DAEMON_EXITS = {
    0: "ended as asked",
    1: "ended by a second signal",
    2: "the command line is wrong",
    73: "another daemon holds this home",
    75: "wants to be started again",
    78: "the config or the state cannot be used",
}
SHARED = {"--home", "--socket", "--json", "--no-color", "--quiet", "--timeout", "--help"}
ENVIRONMENT = {
    "SOONG_AGENT_HOME": "The agent home; ~/.soong-agent when unset.",
    "SOONG_MEMORYD_SOCKET": "The socket; memoryd/memoryd.sock in the home when unset.",
    "SOONG_MEMORYD_SECTION_KEY": "Sets a key of memoryd.toml; see memoryd.toml(5).",
    "NO_COLOR": "No colour, whatever the terminal can.",
}
FILES = {
    "~/.soong-agent/memory/": "The memories, and MEMORY.md: nothing else is in here.",
    "~/.soong-agent/memoryd.toml": "Settings.",
    "~/.soong-agent/memoryd/env": "Keys for the service, NAME=value, mode 0600.",
    "~/.soong-agent/memoryd/": "The daemon's own files.",
}


def _program_page(parser: argparse.ArgumentParser, see_also: str, exits: Mapping[int, str]) -> str:
    root = tree(parser)
    name = parser.prog
    summary = root.description.rstrip(".")
    lines = [f'.TH {_roff(name).upper()} 1 "" "soong-memoryd"', ".SH NAME", rf"{_roff(name)} \- {_roff(summary)}"]
    lines += [".SH SYNOPSIS", rf"\fB{_roff(name)}\fR [\fIoptions\fR] \fIcommand\fR [\fIarguments\fR]"]
    lines += [".SH DESCRIPTION", _roff(root.description), ".SH COMMANDS"]
    for word in root.all():
        if word.path and not word.parts:
            lines += list(_command(word, name))
    lines += [".SH OPTIONS", *(line for option in root.options for line in _option(option)), ".SH EXIT STATUS"]
    lines += [line for code, meaning in exits.items() for line in (".TP", rf"\fB{int(code)}\fR", _roff(meaning))]
    for title, rows in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        lines += [f".SH {title}"]
        lines += [line for key, text in rows.items() for line in (".TP", rf"\fB{_roff(key)}\fR", _roff(text))]
    return "\n".join([*lines, ".SH SEE ALSO", see_also]) + "\n"


def _command(word: Word, program: str) -> Iterator[str]:
    yield f".SS {_roff(' '.join(word.path))}"
    yield rf"\fB{_roff(' '.join([program, *word.path]))}\fR {_roff(' '.join(map(_in_usage, _own(word, program))))}"
    yield ".PP"
    yield _roff(word.description or word.summary)
    for option in _own(word, program):
        yield from _option(option)


def _own(word: Word, program: str) -> list[Option]:
    """A command's own options: those that every command has are told once."""
    shared = SHARED if program == ctl.build_parser().prog else {"--help"}
    return [option for option in word.options if not shared & set(option.flags)]


def _in_usage(option: Option) -> str:
    return f"[{' '.join(filter(None, (option.flags[-1], option.value)))}]" if option.flags else option.value


def _option(option: Option) -> Iterator[str]:
    flags = ", ".join(option.flags)
    yield ".TP"
    yield " ".join(rf"\f{font}{_roff(text)}\fR" for font, text in (("B", flags), ("I", option.value)) if text)
    yield _roff(option.summary)


def _roff(text: str) -> str:
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    escaped = "".join(char if char.isascii() else rf"\[u{ord(char):04X}]" for char in escaped)
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def ctl_page() -> str:
    """``man/soong-memoryctl.1``."""
    return _program_page(ctl.build_parser(), r"\fBsoong\-memoryd\fR(1), \fBmemoryd.toml\fR(5)", MEANINGS)


def daemon_page() -> str:
    """``man/soong-memoryd.1``."""
    return _program_page(daemon.build_parser(), r"\fBsoong\-memoryctl\fR(1), \fBmemoryd.toml\fR(5)", DAEMON_EXITS)


def config_page() -> str:
    """``man/memoryd.toml.5``."""
    lines = ['.TH MEMORYD.TOML 5 "" "soong-memoryd"', ".SH NAME", r"memoryd.toml \- settings of soong\-memoryd"]
    lines += [".SH DESCRIPTION", "A TOML file in the agent home. Flags win over variables, variables over this file, this file"]
    lines += ["over an agent's own config.toml, that over the defaults."]
    section = ""
    for option in options():
        if option.key.partition(".")[0] != section:
            section = option.key.partition(".")[0]
            lines.append(f".SH [{section.upper()}]")
        lines += [".TP", rf"\fB{_roff(option.key)}\fR", _roff(option.description)]
        if option.default is not None:
            lines += [".br", f"Default: {_roff(_plain(option.default))}"]
        if option.variable:
            lines += [".br", f"Variable: {_roff(option.variable)}"]
    return "\n".join([*lines, ".SH SEE ALSO", r"\fBsoong\-memoryctl\fR(1), \fBsoong\-memoryd\fR(1)"]) + "\n"


def configuration() -> str:
    """``docs/configuration.md``."""
    lines = [
        "# Configuration",
        "",
        "Generated from `soong_memoryd/config/schema.py` by `make docs`; do not edit.",
        "",
        "Settings stand in `memoryd.toml` in the agent home (`$SOONG_AGENT_HOME`, `~/.soong-agent`), mode 0600. Flags",
        "(`soong-memoryd serve --set KEY=VALUE`) win over variables, variables over `memoryd.toml`, that over an agent's own",
        "`config.toml`, that over the defaults. An unknown key is an error.",
        "",
        "```",
        "soong-memoryctl config init --provider ollama --model qwen3:14b   # a file to begin with",
        "soong-memoryctl config set memory.idle_seconds 300                # comments stay",
        "soong-memoryctl config show --origin                              # what is in effect, and who says so",
        "soong-memoryctl config env OPENAI_API_KEY                         # a service does not see your shell's variables",
        "soong-memoryctl config check                                      # one tiny call per model, made by the daemon",
        "```",
        "",
        "A dash in the column of variables: only a file may say where text is sent, and with whose key.",
        "`[model_profiles.NAME]` takes the keys of `[model]` and inherits what it leaves out.",
    ]
    section = ""
    for option in options():
        table, _, name = option.key.partition(".")
        if table != section:
            section = table
            lines += ["", f"## [{section}]", "", "| key | default | what it does | variable |", "|---|---|---|---|"]
        default = "" if option.default is None else f"`{_plain(option.default)}`"
        variable = f"`{option.variable}`" if option.variable else "–"
        lines.append(f"| `{name}` | {default} | {option.description.replace('|', '/')} | {variable} |")
    return "\n".join(lines) + "\n"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=list)


def _completion(shell: str) -> Callable[[], str]:
    return lambda: SHELLS[shell](tree(ctl.build_parser()))


PAGES: dict[str, Callable[[], str]] = {
    "docs/configuration.md": configuration,
    "man/soong-memoryctl.1": ctl_page,
    "man/soong-memoryd.1": daemon_page,
    "man/memoryd.toml.5": config_page,
    "completions/soong-memoryctl.bash": _completion("bash"),
    "completions/_soong-memoryctl": _completion("zsh"),
    "completions/soong-memoryctl.fish": _completion("fish"),
}
