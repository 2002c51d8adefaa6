"""soong-memoryd: the command that is the daemon, and the demo that shows one.

Owns: the command line. Must not know: anything the daemon does; it is imported only when it is to run.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence

from soong_memoryd import __version__

EXIT_USAGE, EXIT_INTERRUPTED = 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``serve`` or ``demo`` and return the exit code."""
    args = build_parser().parse_args(argv)
    try:
        return _serve(args) if args.command == "serve" else _demo(args)
    except KeyboardInterrupt:  # before the daemon serves, and so obeys signals itself: a start may wait for its disk
        return EXIT_INTERRUPTED


def _serve(args: argparse.Namespace) -> int:
    from soong_memory_client.errors import SocketPathError
    from soong_memoryd.home import Home

    try:
        home = Home.locate(os.environ, args.home, args.socket)
    except SocketPathError as error:
        print(f"soong-memoryd: {error}", file=sys.stderr)
        return EXIT_USAGE
    overrides = dict(args.set)
    if args.check_config:
        from soong_memoryd.server import config_report

        return config_report.check(home, os.environ, overrides, as_json=args.json)
    # what is made until the daemon serves stays: looking through it again and again finds no garbage. The server turns the
    # search on again when it serves, or has to wait
    gc.disable()
    from soong_memoryd.server import process

    return process.serve(home, overrides)


def _demo(args: argparse.Namespace) -> int:
    from soong_memoryd.cli.demo import run

    return run(os.environ, sys.stdout)


def build_parser() -> argparse.ArgumentParser:
    """The command line of soong-memoryd."""
    parser = argparse.ArgumentParser(
        "soong-memoryd", description="Long-term memory shared by every agent you run.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"soong-memoryd {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, dest="command")
    serve = commands.add_parser("serve", help="run the daemon in the foreground", allow_abbrev=False)
    serve.add_argument("--home", metavar="DIR", help="the agent home ($SOONG_AGENT_HOME, ~/.soong-agent)")
    serve.add_argument("--socket", metavar="PATH", help="the socket ($SOONG_MEMORYD_SOCKET)")
    serve.add_argument("--check-config", action="store_true", help="read the config, say what is wrong with it, and end")
    serve.add_argument("--json", action="store_true", help="with --check-config: every setting, its value and its origin")
    serve.add_argument(
        "--set",
        type=_setting,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="override a key of memoryd.toml, for example memory.idle_seconds=30; may be given again",
    )
    demo = "replay a coding session into a throw-away daemon and show what it keeps ($SOONG_DEMO_CONFIG: a memoryd.toml to use)"
    commands.add_parser("demo", help=demo, allow_abbrev=False)
    return parser


def _setting(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator or not key.strip():
        raise argparse.ArgumentTypeError("KEY=VALUE is expected")
    return key.strip(), value.strip()


if __name__ == "__main__":
    sys.exit(main())
