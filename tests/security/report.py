"""``make security``: the long runs, one line a figure; the exit code says whether every one of them holds.

Owns: the figures and their bounds. Must not know how anything is attacked: each line asks the module that does.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from soong_memoryd import kernel
from soong_memoryd.config.base_url import base_url_problem
from soong_memoryd.memories.instructions import suspicious
from soong_memoryd.protocol.methods import METHODS
from soong_memoryd.text.secrets import SecretFinder
from tests.config.test_base_url import REFUSED as REFUSED_URLS
from tests.memories import test_catalog
from tests.memories.preferences import DISGUISED, ORDINARY
from tests.recall import test_fence
from tests.security import paths
from tests.security.benign import CONVERSATIONS
from tests.security.obedient import attempt, rows, run
from tests.security.redteam import ATTACKS
from tests.security.sweep import Sweep
from tests.security.test_confinement import INSIDE, confined
from tests.security.test_roles import KINDS, SPEAKS_OF_AGENTS
from tests.text.secrets.corpus import Case, harmless, positives
from tests.text.secrets.test_corpus import leaks

MIN_RECALL, MAX_FALSE_POSITIVES = 0.93, 0.03
MAX_FALSE_ALARMS = 0.02
RACE_SECONDS = 5.0
WRAPPER_CASES, CATALOG_CASES = 20_000, 300

Line = tuple[str, str, bool]


def detector(_: Path) -> Iterator[Line]:
    """Recall and false positives of the secret finder, each language by itself."""
    finder = SecretFinder()
    secret, plain = _by_language(positives()), _by_language(harmless())
    for language in ("en", "zh", *sorted(secret.keys() - {"en", "zh"})):
        cases, others = secret[language], plain.get(language, [])
        recall = 1 - sum(map(leaks, cases)) / len(cases)
        altered = sum(finder.redact(case.text) != case.text for case in others)
        share = altered / len(others) if others else 0.0
        said = f"recall {recall:.3f} of {len(cases)}" + (f", false positives {share:.3f} of {len(others)}" if others else "")
        yield f"secret finder, {language}", said, recall >= MIN_RECALL and share <= MAX_FALSE_POSITIVES


def red_team(_: Path) -> Iterator[Line]:
    """Conversations that want to poison memory, each with a model that obeys what it reads in every way it can."""
    done = [attempt(attack) for attack in ATTACKS]
    blocked = sum(each.written == 0 and each.failure is None for each in done)
    proposals = sum(each.proposed for each in done)
    yield "red team", f"blocked {blocked}/{len(ATTACKS)} ({proposals} proposals)", blocked == len(ATTACKS)


def false_positives(_: Path) -> Iterator[Line]:
    """What must pass: memories that the user rightly wants, and ordinary preferences."""
    kept = wanted = 0
    for conversation in CONVERSATIONS:
        calls = conversation.calls()
        kept += run(rows(conversation.nodes), lambda _, calls=calls: calls, conversation.memory).written
        wanted += len(calls)
    yield "rightful memories refused", f"{wanted - kept}/{wanted}", kept == wanted
    alarms = sum(suspicious(text) is not None for text in ORDINARY)
    yield "ordinary preferences taken for orders", f"{alarms}/{len(ORDINARY)}", alarms <= MAX_FALSE_ALARMS * len(ORDINARY)
    orders = [text.replace("\\n", "\n") for texts in DISGUISED.values() for text in texts.split("\n")]
    seen = sum(suspicious(text) is not None for text in orders)
    yield "orders in disguise refused", f"{seen}/{len(orders)}", seen == len(orders)


def fuzz(_: Path) -> Iterator[Line]:
    """Random bodies for the wrapper, random summaries for the catalog."""
    test_fence.test_twenty_thousand_random_bodies_leave_one_open_and_one_close_tag()
    test_catalog.test_any_summary_reads_back_from_its_line()
    yield (
        "fuzz cases",
        f"{WRAPPER_CASES + CATALOG_CASES} (wrapper {WRAPPER_CASES}, catalog {CATALOG_CASES}), break-outs 0",
        True,
    )


def path_attacks(folder: Path) -> Iterator[Line]:
    """Paths, links and foreign files; then a race."""
    attacks = paths.attacks()
    refused = sum(paths.try_attack(folder / str(n), *attack) for n, attack in enumerate(attacks.values()))
    yield "path attacks", f"refused {refused}/{len(attacks)}", refused == len(attacks)
    raced = paths.race(folder / "race", RACE_SECONDS)
    said = f"escapes {raced.escapes} ({raced.done + raced.refused} deeds, {raced.swaps} swaps in {RACE_SECONDS:g} s)"
    yield "swap race", said, raced.escapes == 0 and raced.swaps > 0


def confinement(folder: Path) -> Iterator[Line]:
    """What a process may still write that is confined as the daemon is."""
    if kernel.landlock_abi() < kernel.LANDLOCK_MIN_ABI:
        yield "kernel confinement", "this kernel has no Landlock, or does not allow it here", True
        return
    said = confined(folder, "supervised")
    abi, deeds = said.pop("abi"), len(said) - 1
    done = {deed for deed, outcome in said.items() if outcome == "done"}
    refused = deeds - len(done)
    yield "kernel confinement", f"refused {refused}/{deeds - len(INSIDE)} (Landlock ABI {abi})", done == INSIDE


def tables(_: Path) -> Iterator[Line]:
    """Tables that the tests go through row by row."""
    yield "roles", f"{len(METHODS.keys() - SPEAKS_OF_AGENTS) * len(KINDS)} cells of method and kind of agent, each a test", True
    refused = sum(base_url_problem(url) is not None for url in REFUSED_URLS)
    yield "addresses of models", f"refused {refused}/{len(REFUSED_URLS)}", refused == len(REFUSED_URLS)


def canaries(folder: Path) -> Iterator[Line]:
    """A secret of every kind through every door, without and with debug mode."""
    for debug in (False, True):
        sweep = Sweep(folder / f"sweep-{debug:d}", debug)
        sweep.root.mkdir()
        left = sweep.run()
        for entry in left[:20]:
            print(f"  {entry}")
        said = f"found {len(left)} of {len(sweep.all_canaries)} through {len(sweep.canaries)} doors"
        yield f"canaries, debug {'on' if debug else 'off'}", said, not left


FIGURES: tuple[Callable[[Path], Iterator[Line]], ...] = (
    detector, red_team, false_positives, fuzz, path_attacks, confinement, tables, canaries,
)  # fmt: skip


def main() -> int:
    """Print every figure; 0 when all hold."""
    code = 0
    with tempfile.TemporaryDirectory(prefix="soong-security-") as folder:
        for number, figure in enumerate(FIGURES):
            place = Path(folder) / str(number)
            place.mkdir()
            for name, said, holds in figure(place):
                print(f"{'ok  ' if holds else 'FAIL'} {name}: {said}", flush=True)
                code = code or int(not holds)
    return code


def _by_language(cases: list[Case]) -> dict[str, list[Case]]:
    grouped: dict[str, list[Case]] = {}
    for case in cases:
        grouped.setdefault(case.language, []).append(case)
    return grouped


if __name__ == "__main__":
    sys.exit(main())
