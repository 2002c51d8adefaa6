"""The hook of every harness, as it is typed into the harness's settings.

    python3 -I -S /abs/soong_memory_hook.py (claude-code | codex | codex-notify | gemini) [--home DIR] [--socket PATH]

Owns: never standing in the user's way. It ends within 250 ms, with exit code 0, prints the catalog or nothing, and never
starts a daemon. Must not know: events. Python compiles the file that it is started with every time and what that imports
only once: so this file is short, and the rest is in soong_memory_hook_events, which lies beside it. soong_memory_client
lies beside this file when installed and in ``../python`` in a checkout.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

OFF_VARIABLE = "SOONG_MEMORYD_HOOK"  # "off" for runs of an agent that a program starts
LIMIT_SECONDS = 0.2  # of the 250 ms; the interpreter has used the rest


def main(argv: list[str]) -> None:
    """Run as a hook: never late, silent but for the catalog; a memory must not stand in anyone's way."""
    signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS)
    if os.environ.get(OFF_VARIABLE) == "off":
        return
    gc.disable()  # a tenth of a second makes no garbage worth the search
    try:
        from soong_memory_hook_events import answer

        if output := answer(argv, sys.stdin.buffer):
            print(output, flush=True)
    except Exception:  # noqa: S110 - fails open: an error here is not the user's
        pass


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - a plugin takes the python3 that it finds, and an old one stays silent too
        sys.exit(0)
    _HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path += [_HERE, os.path.join(os.path.dirname(_HERE), "python")]  # -I and -S leave both out; last: shadows nothing
    main(sys.argv[1:])
    os._exit(0)  # taking the interpreter down takes as long as half of the work, and the alarm would kill it there
