"""Runs the server until somebody ends it."""

from __future__ import annotations

import gc
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from commonground.errors import MissingExtraError, UsageError
from commonground.formats.storage.files import overwriting
from commonground.serve.folder import Folder

__all__ = ["serve"]

HOST = "127.0.0.1"
"""Only this computer can reach the server."""


def serve(folder: str, *, port: int, limit: int, tell: Callable[[str], None]) -> None:
    """Serve a folder with saved results, until Ctrl-C.

    `port` 0 is one that is free, `limit` how many bytes can be uploaded at once; `tell` is called
    with the address, which has a new token every time.
    """
    served = Folder.at(folder)
    try:
        import uvicorn  # noqa: PLC0415  # an extra

        from commonground.serve.app import application  # noqa: PLC0415  # needs the extra
    except ImportError as error:
        raise MissingExtraError("a local page", "serve") from error
    listening = _listening(port)
    number = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    hosts = frozenset({f"{HOST}:{number}", f"localhost:{number}"})
    config = uvicorn.Config(
        application(served, token, hosts, limit),
        log_level="error",
        access_log=False,  # it would show the token
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    try:
        tell(f"http://{HOST}:{number}/{token}/")
        with _for_long():
            uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # the server has ended by then; this is how people end it
    finally:
        listening.close()


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


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()  # who is told the address can connect at once, and waits a moment
    except OSError as error:
        found.close()
        raise UsageError(f"port {port} cannot be used: {error.strerror}") from error
    return found
