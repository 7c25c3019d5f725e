"""The web application: what the server answers, and to whom."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonground.errors import CommonGroundError
from commonground.report.page.make import report_html
from commonground.serve.folder import Folder
from commonground.serve.limits import Limits, Rate
from commonground.serve.page_cache import PageCache
from commonground.serve.pages import MOST_SYSTEMS, combined_page, error_page, index_page
from commonground.serve.reviews import MOST_BYTES, Reviews
from commonground.serve.upload import Schemes, Sent, Upload, evaluated
from commonground.serve.words import in_words

__all__ = ["application"]

Answer = TypeVar("Answer")

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""No other page may embed these, and none may learn their address, which has the token."""

_MOST_PARSES = 50


def application(
    folder: Folder, token: str, hosts: frozenset[str], limit: int, limits: Limits | None = None
) -> ASGIApp:
    """Return the application that serves a folder under ``/TOKEN/`` to requests for these hosts.

    `limit` is how many bytes can be uploaded at once; `limits` are those of visitors otherwise.
    """
    reports = PageCache(lambda path: report_html([path]))
    work = _Work(limits or Limits())
    in_time = work.in_time

    async def index(_: Request) -> Response:
        return HTMLResponse(await in_time(index_page, folder, limit))

    async def result(request: Request) -> Response:
        return HTMLResponse(await in_time(reports.page, _found(folder, request)))

    async def evaluate(request: Request) -> Response:
        sent = await work.received(request, limit)
        path = await in_time(evaluated, folder, sent)
        return RedirectResponse(f"result/{path.relative_to(folder.path).as_posix()}", 303)

    async def test(request: Request) -> Response:
        names = request.query_params.getlist("result")
        if not 1 < len(set(names)) <= _MOST_PARSES:
            raise HTTPException(400, "Tick two or more results to test them together.")
        paths = {name: folder.find(name) for name in names}
        chosen = {name: path for name, path in paths.items() if path is not None}
        if len(chosen) < len(paths):
            raise HTTPException(404, "One of these results is not in this folder any more.")
        return HTMLResponse(await in_time(combined_page, chosen))

    under = f"/{token}"
    return Starlette(
        routes=[
            Route(f"{under}/", index),
            Route(f"{under}/result/{{name:path}}", result),
            *_review_routes(under, folder, work, min(limit, MOST_BYTES)),
            Route(f"{under}/test", test),
            Route(f"{under}/evaluate", evaluate, methods=["POST"]),
        ],
        middleware=[Middleware(_Guard, token=token, hosts=hosts)],
        exception_handlers={
            HTTPException: _refusal(under, folder),
            CommonGroundError: _refusal(under, folder),
            Exception: _refusal(under, folder),
        },
    )


def _found(folder: Folder, request: Request) -> Path:
    path = folder.find(request.path_params["name"])
    if path is None:
        raise HTTPException(404, "There is no such result in this folder.")
    return path


def _review_routes(under: str, folder: Folder, work: _Work, limit: int) -> list[Route]:
    """Return what answers to pages on which people decide about results."""
    reviews = Reviews()

    async def review(request: Request) -> Response:
        path = _found(folder, request)
        if "decisions" in request.query_params:
            return JSONResponse(await work.in_time(reviews.decisions, path))
        return HTMLResponse(await work.in_time(reviews.page, path))

    async def decide(request: Request) -> Response:
        path = _found(folder, request)
        sent = await work.sent(request, limit)
        await work.in_time(reviews.decide, path, sent)
        return Response(status_code=204)

    address = f"{under}/review/{{name:path}}"
    return [Route(address, review), Route(address, decide, methods=["POST"])]


class _Work:
    """What is done for visitors, within limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rate = Rate(limits.uploads_a_minute)
        self.sending = asyncio.Semaphore(limits.uploads_at_once)
        self.working = asyncio.Semaphore(limits.at_once)

    async def in_time(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Return what a function returns, in a thread, unless it takes too long."""
        try:
            async with asyncio.timeout(self.limits.answer), self.working:
                call = partial(function, *arguments)
                return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
        except TimeoutError:
            raise HTTPException(
                503, f"It took longer than {self.limits.answer:g} seconds."
            ) from None

    async def received(self, request: Request, limit: int) -> Sent | Schemes:
        """Return what was sent, if it comes in time, and neither too often nor with too many."""
        if not self.rate.allows(time.monotonic()):
            most = self.limits.uploads_a_minute
            raise HTTPException(429, f"At most {most} uploads are taken in a minute.")
        if self.sending.locked():
            raise HTTPException(503, "Others are sending files just now; try again in a moment.")
        try:
            async with self.sending, asyncio.timeout(self.limits.body):
                return await _form(request, limit, self.limits.silence)
        except TimeoutError:
            raise HTTPException(408, "It took too long to send.") from None
        except ClientDisconnect:  # nobody is there to be told
            raise HTTPException(400, "The upload was broken off.") from None

    async def sent(self, request: Request, limit: int) -> bytes:
        """Return what was sent, if it comes in time and is not too much."""
        try:
            async with asyncio.timeout(self.limits.body):
                pieces = _limited(request, limit, self.limits.silence)
                return b"".join([each async for each in pieces])
        except TimeoutError:
            raise HTTPException(408, "It took too long to send.") from None
        except ClientDisconnect:  # nobody is there to be told
            raise HTTPException(400, "It was broken off.") from None


class _Guard:
    """Answers only requests to this computer by its own name, and to the address with the token.

    A page elsewhere can make a browser send requests here, even under a name of its own that leads
    to this computer (DNS rebinding); it knows neither the token nor can it choose the Host. What
    changes something must come from one of these pages, too.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self.app = app
        self.token = token
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        first = scope["path"].split("/")[1]
        foreign = not _from_here(headers)
        if headers.get("host", "") not in self.hosts:
            refusal = Response("This server does not answer to this address.", 403, _HEADERS)
            await refusal(scope, receive, send)
        elif not secrets.compare_digest(first.encode(), self.token.encode()):
            await Response("There is nothing at this address.", 404, _HEADERS)(scope, receive, send)
        elif foreign and scope["method"] not in ("GET", "HEAD"):
            await Response("This request came from another page.", 403, _HEADERS)(
                scope, receive, send
            )
        else:
            await self.app(scope, receive, _with_headers(send))


def _from_here(headers: Headers) -> bool:
    """Tell whether one of these pages has sent a request: the browser says so, or its Origin."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("none", "same-origin")
    return headers.get("origin") == f"http://{headers.get('host', '')}"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *extra]}
        await send(message)

    return sending


def _refusal(under: str, folder: Folder) -> Callable[[Request, Exception], Response]:
    """Return what makes a page of an error; errors of the program itself tell no details.

    No page tells where the folder is.
    """

    def page(_: Request, error: Exception) -> Response:
        status, title = 500, "Something went wrong"
        message = "The program failed; see the terminal that it runs in."
        if isinstance(error, HTTPException):
            status, title, message = error.status_code, "Not found", error.detail
            title = _TITLES.get(status, "It cannot be done")
        elif isinstance(error, CommonGroundError):
            status, title, message = 422, "It cannot be done", in_words(error, {})
            message = message.replace(f"{folder.path}{os.sep}", "").replace(str(folder.path), ".")
        return HTMLResponse(error_page(title, message, f"{under}/"), status)

    return page


_TITLES = {
    404: "Not found",
    405: "Not found",
    408: "Too slow",
    413: "Too large",
    429: "Too many",
    503: "Too slow",
}


# ── uploads ──────────────────────────────────────────────────────────────────────────────────────


async def _limited(request: Request, limit: int, silence: float) -> AsyncGenerator[bytes, None]:
    """Return what is sent piece by piece, unless it is too large or pauses for too long."""
    too_large = HTTPException(413, f"At most {limit / 1e6:,.0f} MB can be sent at once.")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise too_large
    received, chunks = 0, request.stream()
    while True:
        async with asyncio.timeout(silence):
            chunk = await anext(chunks, None)
        if chunk is None:
            return
        received += len(chunk)
        if received > limit:
            raise too_large
        yield chunk


async def _form(request: Request, limit: int, silence: float) -> Sent | Schemes:
    """Return what was sent to be evaluated or compared.

    Everything stays in memory until it is known to be small enough; nothing is written elsewhere.
    `silence` is the maximum number of seconds between two pieces.
    """
    chunks = _limited(request, limit, silence)
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(400, "A form with files is expected.")
    parser = MultiPartParser(request.headers, chunks, max_files=_MOST_PARSES + 1, max_fields=10)
    parser.spool_max_size = limit + 1  # never spooled to a file
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise HTTPException(400, f"The form cannot be read: {error.message}") from error
    files = {
        name: [
            Upload(each.filename, await each.read())
            for each in form.getlist(name)
            if isinstance(each, UploadFile) and each.filename
        ]
        for name in dict.fromkeys(form)
    }
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    await form.close()
    return _schemes(files) if "schemes" in fields else _sent(files, fields)


def _sent(files: Mapping[str, list[Upload]], fields: Mapping[str, str]) -> Sent:
    golds, parses = files.get("gold", []), files.get("parse", [])
    if len(golds) != 1 or not parses:
        raise HTTPException(400, "One gold standard and at least one parse are needed.")
    preset, mismatch = fields.get("preset", ""), fields.get("on-mismatch", "")
    return Sent(golds[0], tuple(parses), preset, mismatch)


def _schemes(files: Mapping[str, list[Upload]]) -> Schemes:
    sides = [(files.get(f"gold{n}", []), files.get(f"parse{n}", [])) for n in MOST_SYSTEMS]
    given = [(gold, parse) for gold, parse in sides if gold or parse]
    if len(given) < 2 or any(len(gold) != 1 or len(parse) != 1 for gold, parse in given):
        raise HTTPException(400, "Two or more systems are needed, each with its two files.")
    return Schemes(tuple((gold[0], parse[0]) for gold, parse in given))
