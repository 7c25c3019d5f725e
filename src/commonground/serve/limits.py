"""What visitors may take of the server: connections, time to send, work at once, uploads.

A connection that has sent no whole request costs an attacker nothing and the owner a place. So
there are only so many places, each is lost after some seconds without a request, and where all are
taken, the visitor who has waited longest without asking for anything makes room for the next one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Limits", "Rate", "limited_protocol"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; all times are in seconds.

    So many `connections` are open at once. A request's headers must come within `headers`, its body
    within `body`, with no pause longer than `silence`. So many requests are worked `at_once`,
    uploads among them `uploads_at_once`; `uploads_a_minute` are taken, and an answer may take
    `answer`.
    """

    connections: int = 1024
    headers: float = 10.0
    silence: float = 10.0
    body: float = 300.0
    answer: float = 300.0
    at_once: int = 8
    uploads_at_once: int = 2
    uploads_a_minute: int = 60

    def fitting(self) -> Limits:
        """Return limits for as many files as this process may open; a quarter is kept free."""
        return replace(self, connections=max(8, min(self.connections, _open_files() // 2)))


def _open_files() -> int:
    """Return how many files may be open, after asking for more than most systems give at first."""
    try:
        import resource  # noqa: PLC0415  # not everywhere
    except ImportError:
        return 2048
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(hard, 4096)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 4096 if soft == resource.RLIM_INFINITY else soft


@dataclass
class Rate:
    """How often something may happen in a minute."""

    most: int
    _times: deque[float] = field(default_factory=deque)

    def allows(self, now: float) -> bool:
        """Tell whether it may happen now, and note that it does.

        >>> rate = Rate(2)
        >>> [rate.allows(second) for second in (0, 1, 2, 60.5)]
        [True, True, False, True]
        """
        while self._times and self._times[0] <= now - 60:
            self._times.popleft()
        if len(self._times) >= self.most:
            return False
        self._times.append(now)
        return True


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 with a limit on connections, and on the time that a request's headers take."""

    limits = Limits()
    idle: ClassVar[dict[LimitedProtocol, None]] = {}
    """The connections that wait for a request, those first that do so longest."""
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait; where there are too many, the one that has waited longest goes."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.limits.connections:
            oldest = next(iter(self.idle))
            oldest.stop_waiting()  # its place is free from now on, and not only when it is closed
            self.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.stop_waiting()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Handle what has come; with a whole request, the waiting is over."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self.stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        self.stop_waiting()
        self.idle[self] = None
        self.deadline = self.loop.call_later(self.limits.headers, self.transport.abort)

    def stop_waiting(self) -> None:
        """Have a request, or none any more."""
        self.idle.pop(self, None)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def limited_protocol(limits: Limits) -> type[H11Protocol]:
    """Return how a server speaks HTTP/1.1 with these limits on its connections."""
    return type("Limited", (LimitedProtocol,), {"limits": limits, "idle": {}})
