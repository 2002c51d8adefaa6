"""Client of soong-memoryd: typed calls over its Unix socket, with an outbox for the times when it does not answer.

Owns: the names other programs import. Must not know: anything but the standard library.
Names are loaded when first used: a short-lived hook does not pay for ``asyncio``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from soong_memory_client.aio import AsyncMemoryClient
    from soong_memory_client.client import MemoryClient
    from soong_memory_client.errors import (
        DaemonUnavailable,
        DeadlineExceeded,
        MemoryClientError,
        OutboxFull,
        RpcError,
        SocketPathError,
        UntrustedServer,
    )
    from soong_memory_client.outbox import Outbox

__all__ = [
    "AsyncMemoryClient",
    "DaemonUnavailable",
    "DeadlineExceeded",
    "MemoryClient",
    "MemoryClientError",
    "Outbox",
    "OutboxFull",
    "RpcError",
    "SocketPathError",
    "UntrustedServer",
]

_MODULES = {"AsyncMemoryClient": "aio", "MemoryClient": "client", "Outbox": "outbox"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)
