"""Runs the server until somebody ends it."""

from __future__ import annotations

import gc
import ipaddress
import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from commonground.errors import MissingExtraError, UsageError, setting
from commonground.formats.storage.files import overwriting
from commonground.serve.folder import Folder

__all__ = ["serve"]

HOST = "127.0.0.1"
"""Only this computer can reach the server, unless another address is given."""

_ACCEPTED, _QUEUED = 64, 1024
"""Maximum number of connections that are accepted in one go, and that wait to be accepted."""


def serve(
    folder: str,
    *,
    port: int,
    limit: int,
    tell: Callable[[str], None],
    host: str = HOST,
    remote: bool = False,
    names: Sequence[str] = (),
    uploads: int = 60,
) -> None:
    """Serve a folder with saved results, until Ctrl-C.

    `port` 0 is one that is free, `limit` how many bytes can be uploaded at once, and `uploads` how
    often in a minute; `tell` is called with the address, which has a new token every time. A `host`
    that other computers can reach needs `remote`; `names` are those under which they reach it, if
    a proxy stands before it.
    """
    served = Folder.at(folder)
    if not remote and not _is_loopback(host):
        raise UsageError(
            f"other computers could reach {host}; {setting('remote')} allows it, behind a proxy "
            "that encrypts"
        )
    try:
        import uvicorn  # noqa: PLC0415  # an extra

        from commonground.serve.app import application  # noqa: PLC0415  # needs the extra
        from commonground.serve.limits import Limits, limited_protocol  # noqa: PLC0415  # the same
    except ImportError as error:
        raise MissingExtraError("a local page", "serve") from error
    listening = _listening(host, port)
    number = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    shown = f"[{host}]" if ":" in host else host
    hosts = frozenset({f"{shown}:{number}", f"localhost:{number}", *names})
    limits = Limits(uploads_a_minute=uploads).fitting()
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # one line for each connection refused
    config = uvicorn.Config(
        application(served, token, hosts, limit, limits),
        http=limited_protocol(limits),
        backlog=_ACCEPTED,
        timeout_keep_alive=5,
        log_level="error",
        access_log=False,  # it would show the token
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    try:
        tell(f"http://{shown}:{number}/{token}/")
        with _for_long():
            _server(uvicorn, config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # the server has ended by then; this is how people end it
    finally:
        listening.close()


def _server(uvicorn: Any, config: Any) -> Any:
    """Return a server that accepts few connections in one go, but lets many wait for that."""

    class Queued(uvicorn.Server):  # type: ignore[misc]  # of an extra
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            for each in sockets or ():
                each.listen(_QUEUED)  # asyncio has one number for both

    return Queued(config)


def _is_loopback(host: str) -> bool:
    """Tell whether an address is reached from this computer only.

    >>> [_is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def _for_long() -> Iterator[None]:
    """Work as a process that does not end soon: look for cycles, and note no file that is read.

    A command does the other way round: it ends before cycles are worth looking for, and must not
    write what it has read. Uploads get a new folder each.
    """
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as Python does
    try:
        with overwriting():
            yield
    finally:
        gc.set_threshold(*before)


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let two servers have one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_QUEUED)  # who is told the address can connect at once, and waits a moment
    except OSError as error:
        listener.close()
        place = f"port {port}" if host == HOST else f"{host}, port {port}"
        raise UsageError(f"{place} cannot be used: {error.strerror}") from error
    return listener
