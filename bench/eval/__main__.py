"""``make eval``: how well a model remembers through this daemon. A table, a page with pictures, JSON, and what changed.

python -m bench.eval [--scripted | --builtin | --config MEMORYD.TOML] [--only extraction,recall,…] [--cases ev01,…]
python -m bench.eval … --locomo PATH | --longmemeval PATH [--limit N]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.eval import datasets, echo, extraction, prompts, recalling, replaying, sets, wishes
from bench.eval.output import write
from bench.eval.subject import MEANING, SCRIPTED, Subject, read
from bench.report import Report
from soong_memoryd import __version__
from tests.support.daemon import BUILTIN

Json = dict[str, Any]
RESULTS = Path(__file__).resolve().parent.parent / "results" / "eval"
PARTS = ("extraction", "recall", "intent", "feedback")
SETS = {"extraction": extraction.FILES, "recall": (*recalling.STORES, *recalling.QUERIES), "intent": wishes.FILES}
BUILT_IN = Subject("builtin", "builtin", BUILTIN)
AT_ONCE = {"scripted": 2, "builtin": 2, "remote": 4}


def main() -> None:
    options = _options()
    subject, report, began = options.subject, Report(), time.perf_counter()
    print(f"{subject.label}: {MEANING[subject.kind]}")
    scratch = Path(tempfile.mkdtemp(prefix="soong-eval-"))
    try:
        parts = _public(options, report, scratch) if options.data else _own(options, report, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    made = report.as_json(time.perf_counter() - began) | {
        "model": {"label": _label(options), "kind": subject.kind, "meaning": MEANING[subject.kind]},
        "daemon": __version__,
        "prompts": {each.name: f"{each.version} ({each.fingerprint})" for each in prompts.current()},
        "sets": {} if options.data else {name: sets.state(name) for part in options.only for name in SETS.get(part, ())},
        "parts": parts,
    }
    write(made, options.out, options.against)


def _own(options: argparse.Namespace, report: Report, scratch: Path) -> Json:
    subject: Subject = options.subject
    chosen = [case for case in extraction.cases() if not options.cases or case["id"] in options.cases]
    measures: dict[str, Callable[[], Json]] = {
        "extraction": lambda: extraction.measure(report, subject, scratch, chosen, options.at_once or AT_ONCE[subject.kind]),
        "recall": lambda: recalling.measure(report, subject, scratch),
        "intent": lambda: wishes.measure(report, scratch),
        "feedback": lambda: echo.measure(report, subject, scratch),
    }
    return {part: measures[part]() for part in options.only}


def _public(options: argparse.Namespace, report: Report, scratch: Path) -> Json:
    name, histories = options.data
    return {name: replaying.measure(report, options.subject, scratch, name, histories[: options.limit])}


def _label(options: argparse.Namespace) -> str:
    return options.subject.label if not options.data else f"{options.subject.label} on {options.data[0]}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m bench.eval", description="Evaluate what is remembered.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--scripted", action="store_true", help="the scripted model: the harness and the gates (the default)")
    which.add_argument("--builtin", action="store_true", help="the embedded model")
    which.add_argument("--config", type=Path, metavar="MEMORYD.TOML", help="any configured model")
    parser.add_argument("--only", type=_parts, default=PARTS, metavar="PART,…", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--cases", type=lambda text: frozenset(text.split(",")), metavar="ID,…", help="some conversations only")
    parser.add_argument("--at-once", type=int, metavar="N", help="conversations at once")
    data = parser.add_mutually_exclusive_group()
    data.add_argument("--locomo", type=Path, metavar="PATH", help="replay a local copy of LoCoMo instead")
    data.add_argument("--longmemeval", type=Path, metavar="PATH", help="replay a local copy of LongMemEval instead")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N histories of that copy")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="DIR", help="where the report goes")
    parser.add_argument("--against", type=Path, metavar="JSON", help="compare with this report, not with the last one")
    options = parser.parse_args()
    try:
        options.subject = BUILT_IN if options.builtin else read(options.config) if options.config else SCRIPTED
        copies = [(name, path) for name in datasets.LOADERS if (path := getattr(options, name))]
        options.data = next(((name, datasets.LOADERS[name](path)) for name, path in copies), None)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return options


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - set(PARTS):
        raise argparse.ArgumentTypeError(f"no such part: {', '.join(sorted(unknown))}")
    return names


if __name__ == "__main__":
    main()
