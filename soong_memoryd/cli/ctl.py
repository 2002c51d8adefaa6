"""soong-memoryctl: from a command line to an exit code.

Owns: parsing, the choice between human and JSON output, and turning every failure into one sentence, the command that
helps and an exit code. Must not know: any one command. Starts in the time of a small script: standard library only.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, NoReturn, TextIO

from soong_memory_client.client import MemoryClient
from soong_memory_client.errors import MemoryClientError
from soong_memory_client.paths import home_path, socket_path
from soong_memoryd import __version__
from soong_memoryd.cli.command import Command
from soong_memoryd.cli.commands import PLACES, all_commands, command
from soong_memoryd.cli.console import Console
from soong_memoryd.cli.exits import MEANINGS, CliError, Exit, cli_error
from soong_memoryd.cli.render import Style, printable

JSON_SCHEMA = 1
TIMEOUT_SECONDS = 30.0


def script() -> int:
    """The installed command."""
    _open_closed_streams()
    code = main()
    gc.freeze()  # else the interpreter looks through everything once more before it ends, for a tenth of the whole time
    return code


def _open_closed_streams() -> None:
    """Nobody reads or writes a stream that was closed (``>&-``); left closed, its number goes to the next file or socket."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  open as long as the process


def main(
    argv: Sequence[str] | None = None,
    *,
    env: Mapping[str, str] | None = None,
    out: TextIO | None = None,
    err: TextIO | None = None,
    stdin: TextIO | None = None,
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> int:
    """Run one command and return its exit code; streams, environment and present are the process's unless given."""
    out, err, stdin = out or sys.stdout, err or sys.stderr, stdin or sys.stdin
    variables = os.environ if env is None else env
    typed = sys.argv[1:] if argv is None else argv
    try:
        args = build_parser(typed[0] if typed else "").parse_args(typed)
    except CliError as error:
        return _fail(error, err, as_json="--json" in typed)
    chosen: Command = args.chosen
    style = Style(colour=_colour(out, variables, args), columns=_columns(out), now=now or datetime.now(UTC), zone=zone)
    try:
        with _client(args, variables) as client:
            home = home_path(variables, args.home)
            console = Console(client, home, style, out, err, stdin, variables, args.json, args.quiet, args.timeout)
            return _execute(chosen, console, args)
    except MemoryClientError as error:
        return _fail(cli_error(error, chosen.not_found_step), err, as_json=args.json)
    except CliError as error:
        return _fail(error, err, as_json=args.json)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        _give_up(out)
        return Exit.OK
    except OSError as error:  # a full disk behind `>`, a directory that nobody may read
        _give_up(out)
        return _fail(_cannot(error), err, as_json=args.json)


def _give_up(out: TextIO) -> None:
    """Let what was not written yet go: it would fail again when the interpreter ends."""
    if out is sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def _cannot(error: OSError) -> CliError:
    what, why = error.filename or "the output", error.strerror or type(error).__name__
    return CliError(Exit.FAILED, f"{what}: {why}", f"ls -ld {what}" if error.filename else "df -h .")


def _execute(command: Command, console: Console, args: argparse.Namespace) -> int:
    stream = command.stream(console, args) if command.stream else None
    if stream is not None:
        for data in stream:
            _print(command, console, data)
        return Exit.OK
    data = command.run(console, args)
    _print(command, console, data)
    return command.exit_code(data)


def _print(command: Command, console: Console, data: Any) -> None:
    if console.json:
        console.out.write(json.dumps({"schema": JSON_SCHEMA, "data": data}, ensure_ascii=False) + "\n")
    else:
        for line in command.view(data, console.style):
            console.out.write(line + "\n")
    console.out.flush()


def _fail(error: CliError, err: TextIO, *, as_json: bool) -> int:
    if as_json:
        body = {"code": error.exit_code.name.lower(), "text": error.text, "next": error.next_step}
        err.write(json.dumps({"schema": JSON_SCHEMA, "error": body}, ensure_ascii=False) + "\n")
    else:
        err.write(f"soong-memoryctl: {printable(error.text)}\n  try: {printable(error.next_step)}\n")
    return error.exit_code


def _client(args: argparse.Namespace, env: Mapping[str, str]) -> MemoryClient:
    path = socket_path(env, args.home, args.socket)
    return MemoryClient("soong-memoryctl", socket=path, timeout_seconds=args.timeout, outbox=False)


def _colour(out: TextIO, env: Mapping[str, str], args: argparse.Namespace) -> bool:
    return out.isatty() and not args.no_color and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def _columns(out: TextIO) -> int | None:
    try:
        return os.get_terminal_size(out.fileno()).columns if out.isatty() else None
    except (OSError, ValueError):
        return None


def build_parser(first: str = "") -> argparse.ArgumentParser:
    """The whole command line, or, when the word it begins with is a command, as much as that one needs.

    Options may stand before or after the command.
    """
    epilog = "exit codes: " + ", ".join(f"{code.value} {meaning}" for code, meaning in MEANINGS.items())
    parser = _Parser("soong-memoryctl", description="Look at and steer the memories that your agents share.", epilog=epilog)
    parser.add_argument("--version", action="version", version=f"soong-memoryctl {__version__}")
    _global_options(parser, suppressed=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    for row in [command(first)] if first in PLACES else all_commands():
        _add(commands, row)
    return parser


def _add(commands: Any, row: Command) -> None:
    described = f"{row.summary}. Effect: {row.effect}."
    sub = commands.add_parser(row.name, help=row.summary, description=described)
    row.configure(sub)
    _global_options(sub, suppressed=True)
    if row.parts:
        parts = sub.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
        for part in row.parts:
            _add(parts, part)
    else:
        sub.set_defaults(chosen=row)


def _global_options(parser: argparse.ArgumentParser, *, suppressed: bool) -> None:
    def default(value: Any) -> Any:
        return argparse.SUPPRESS if suppressed else value

    options = parser.add_argument_group("options of every command")
    options.add_argument("--home", metavar="DIR", default=default(None), help="the agent home ($SOONG_AGENT_HOME)")
    options.add_argument("--socket", metavar="PATH", default=default(None), help="the daemon's socket ($SOONG_MEMORYD_SOCKET)")
    options.add_argument("--json", action="store_true", default=default(False), help='print {"schema": 1, "data": …}')
    options.add_argument("--no-color", action="store_true", default=default(False), help="no colour (also: NO_COLOR=1)")
    options.add_argument("-q", "--quiet", action="store_true", default=default(False), help="no notes on stderr")
    options.add_argument(
        "--timeout", type=float, metavar="SECONDS", default=default(TIMEOUT_SECONDS), help="how long to wait (default: 30)"
    )


class _Formatter(argparse.HelpFormatter):
    """As wide as the terminal. Left to itself it asks shutil, which loads three compressors for every command."""

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        asked = int(columns) if columns.isdecimal() else 0
        super().__init__(prog, width=(asked or _columns(sys.stdout) or 80) - 2)


class _Parser(argparse.ArgumentParser):
    """Names the nearest command when one is mistyped; a mistake is told as every other failure."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, allow_abbrev=False, formatter_class=_Formatter, **options)

    def error(self, message: str) -> NoReturn:
        raise CliError(Exit.USAGE, message, f"{self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError:
            import difflib  # only a mistyped word pays for it

            near = difflib.get_close_matches(str(value), list(action.choices or []), 1)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(map(str, action.choices or []))}"
            raise argparse.ArgumentError(action, hint) from None


if __name__ == "__main__":
    sys.exit(script())
