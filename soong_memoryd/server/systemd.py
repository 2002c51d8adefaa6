"""What a supervisor wants to hear, and the socket it may hand over.

Owns: ``sd_notify`` messages and socket activation. Must not know what the daemon does.
Without a supervisor all of it is silent.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

FIRST_FD = 3


def notify(environment: Mapping[str, str], *assignments: str) -> bool:
    """Send ``READY=1`` and the like to ``$NOTIFY_SOCKET``; True when there is one and it took the message."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address or address[0] not in "/@":
        return False
    if address[0] == "@":
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
        try:
            out.sendto("\n".join(assignments).encode(), address)
        except OSError:
            return False
    return True


def watchdog_seconds(environment: Mapping[str, str]) -> float | None:
    """How often the supervisor wants a sign of life (half its limit), None when it wants none."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    limit = environment.get("WATCHDOG_USEC", "")
    return int(limit) / 2_000_000 if limit.isdecimal() and int(limit) > 0 else None


def activated_socket(environment: Mapping[str, str]) -> socket.socket | None:
    """The listening socket that the supervisor opened for us (``LISTEN_FDS``), None when we bind our own."""
    if environment.get("LISTEN_PID") != str(os.getpid()) or environment.get("LISTEN_FDS") != "1":
        return None
    listening = socket.socket(fileno=FIRST_FD)
    os.set_inheritable(FIRST_FD, False)
    listening.setblocking(False)
    return listening
