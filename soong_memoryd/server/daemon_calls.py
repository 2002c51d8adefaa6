"""What is asked of the daemon itself: status, verify, config, reload, stop, discovery, subscriptions.

Owns: the translation between params and the daemon's life. Must not know the socket.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from soong_memoryd import __version__
from soong_memoryd.memories.store import MemoryStore
from soong_memoryd.memories.verify import Problem
from soong_memoryd.protocol import models as m
from soong_memoryd.protocol.openrpc import document
from soong_memoryd.server.agent_calls import Handler
from soong_memoryd.server.dispatch import Served
from soong_memoryd.server.feed import Feed


class Life(Protocol):
    """The daemon as its own calls see it (``app.Daemon``)."""

    async def status(self) -> m.StatusResult:
        """Everything on one screen."""
        ...

    async def check_models(self) -> list[dict[str, Any]]:
        """One tiny call per profile."""
        ...

    async def reload(self) -> None:
        """Read the config again; ``ConfigError`` leaves everything as it was."""
        ...

    def stop(self) -> None:
        """Begin to drain."""
        ...


class Subscriber(Protocol):
    """A connection that events can be sent to."""

    async def notify(self, message: dict[str, Any]) -> None:
        """Send one notification."""
        ...

    async def follow(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a subscription for as long as the connection lives; it takes the place of an earlier one."""
        ...

    async def unfollow(self) -> None:
        """End the subscription, if there is one."""
        ...


class DaemonCalls:
    """The handlers of the methods about the daemon."""

    def __init__(self, life: Life, store: MemoryStore, feed: Feed) -> None:
        self._life = life
        self._store = store
        self._feed = feed

    def table(self) -> dict[str, Handler]:
        """Method name → handler."""
        return {
            "daemon.status": self.status,
            "daemon.verify": self.verify,
            "daemon.repair": self.repair,
            "config.check": self.config_check,
            "daemon.reload": self.reload,
            "daemon.stop": self.stop,
            "rpc.discover": self.discover,
        }

    async def status(self, _: m.Empty) -> Served:
        """How the daemon is."""
        return Served(await self._life.status())

    async def verify(self, _: m.Empty) -> Served:
        """What is wrong with the data."""
        return Served(_problems(await self._store.verify()))

    async def repair(self, params: m.DaemonRepair) -> Served:
        """Mend what the codes name."""
        return Served(_problems(await self._store.repair(params.codes)))

    async def config_check(self, _: m.Empty) -> Served:
        """One tiny call per model profile."""
        return Served(m.ConfigCheckResult(profiles=await self._life.check_models()))

    async def reload(self, _: m.Empty) -> Served:
        """Read the config again."""
        await self._life.reload()
        return Served(m.EmptyResult())

    async def stop(self, _: m.Empty) -> Served:
        """Drain and exit."""
        self._life.stop()
        return Served(m.EmptyResult())

    async def discover(self, _: m.Empty) -> Served:
        """The OpenRPC document."""
        return Served(document(__version__))

    async def subscribe(self, params: m.EventsSubscribe, subscriber: Subscriber) -> Served:
        """``events.subscribe``: everything after ``after`` (or from now on) is sent to this connection, after the answer."""
        await subscriber.unfollow()  # before ``last``: else what happens meanwhile would come twice
        last = await self._feed.last()
        after = last if params.after is None else params.after

        async def follow() -> None:
            await subscriber.follow(lambda: self._feed.follow(after, subscriber.notify))

        return Served(m.EventsSubscribeResult(last=last), on_delivered=follow)


def _problems(found: Sequence[Problem]) -> m.ProblemsResult:
    """``path`` and ``memory_id`` only where there is one, ``mended`` only where something was."""
    rows = [{key: value for key, value in asdict(problem).items() if value is not None} for problem in found]
    return m.ProblemsResult(
        problems=[row if row["mended"] else {k: v for k, v in row.items() if k != "mended"} for row in rows]
    )
