"""Visitors who hold what they can: the owner of the page still gets answers, and nobody hears more."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from command import COMMAND, assert_refused, run, write

pytest.importorskip("uvicorn")

import uvicorn

from commonground.serve.app import application
from commonground.serve.folder import Folder
from commonground.serve.limits import Limits, limited_protocol

TOKEN = "a-token-that-nobody-knows"
EXAMPLE = Path(__file__).parents[2] / "src/commonground/example"
FILES = [
    ("gold", ("gold.conllu", (EXAMPLE / "ud.conllu").read_bytes())),
    ("parse", ("parse.conllu", (EXAMPLE / "ud-parse.conllu").read_bytes())),
]


@pytest.fixture(autouse=True)
def opened():
    """All connections of a test, which are closed after it."""
    yield _OPENED
    while _OPENED:
        _OPENED.pop().close()


_OPENED: list[socket.socket] = []


@contextmanager
def serving(folder, **limits):
    """A server in this process; its address, and its port."""
    given = Limits(**limits)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    hosts = frozenset({f"127.0.0.1:{port}"})
    app = application(Folder.at(str(folder)), TOKEN, hosts, 1_000_000, given)
    config = uvicorn.Config(
        app,
        http=limited_protocol(given),
        lifespan="off",
        log_level="error",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}", port
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


def connected(port, count, begin=b""):
    """Open connections, and send the beginning of a request on each."""
    results = []
    for _ in range(count):
        results.append(socket.create_connection(("127.0.0.1", port), timeout=5))
        if begin:
            results[-1].sendall(begin)
    _OPENED.extend(results)
    return results


def is_closed(connection, seconds):
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_where_all_places_are_taken_the_one_who_waited_longest_makes_room(tmp_path):
    with serving(tmp_path, connections=10) as (address, port):
        idle = connected(port, 30)
        assert httpx.get(f"{address}/{TOKEN}/").status_code == 200
        assert is_closed(idle[0], 1)
        assert not is_closed(idle[-1], 0.05)


def test_a_request_whose_headers_do_not_come_is_dropped_however_slowly_they_come(tmp_path):
    with serving(tmp_path, headers=0.3) as (address, port):
        idle, *slow = connected(port, 3, b"GET / HTTP/1.1\r\n")
        end = time.monotonic() + 2
        while slow and time.monotonic() < end:
            slow = [each for each in slow if not is_closed(each, 0.02)]
            for each in slow:
                with suppress(OSError):
                    each.sendall(b"x: y\r\n")
        assert not slow
        assert is_closed(idle, 1)
        assert httpx.get(f"{address}/{TOKEN}/").status_code == 200


def test_a_second_request_on_a_connection_has_no_more_time_than_the_first(tmp_path):
    with serving(tmp_path, headers=0.3) as (_, port):
        (connection,) = connected(port, 1, b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HT")
        connection.settimeout(2)
        answer = b""
        while piece := connection.recv(4096):
            answer += piece
        assert answer.startswith(b"HTTP/1.1 403")


def test_an_upload_that_pauses_is_given_up(tmp_path):
    with serving(tmp_path, silence=0.3) as (_, port):
        head = (
            f"POST /{TOKEN}/evaluate HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
            f"origin: http://127.0.0.1:{port}\r\ncontent-length: 5000\r\n"
            "content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        )
        (connection,) = connected(port, 1, head.encode())
        connection.settimeout(3)
        assert connection.recv(20).startswith(b"HTTP/1.1 408")


def test_only_so_many_uploads_are_taken_in_a_minute(tmp_path):
    with serving(tmp_path, uploads_a_minute=2) as (address, _):
        headers = {"origin": address}
        codes = [
            httpx.post(f"{address}/{TOKEN}/evaluate", headers=headers, files=FILES).status_code
            for _ in range(4)
        ]
        assert codes == [303, 303, 429, 429]
        assert httpx.get(f"{address}/{TOKEN}/").status_code == 200


def test_slow_uploads_leave_the_pages_to_the_others(tmp_path):
    with serving(tmp_path, uploads_at_once=2, silence=8) as (address, port):
        head = (
            f"POST /{TOKEN}/evaluate HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
            f"origin: http://127.0.0.1:{port}\r\ncontent-length: 5000\r\n"
            "content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        )
        connected(port, 20, head.encode())
        time.sleep(0.1)
        assert httpx.get(f"{address}/{TOKEN}/").status_code == 200
        answer = httpx.post(f"{address}/{TOKEN}/evaluate", headers={"origin": address}, files=FILES)
        assert answer.status_code == 503
        assert "try again in a moment" in answer.text


def test_no_page_names_a_folder_of_the_server(tmp_path):
    folder = tmp_path / "secret place"
    folder.mkdir()
    write(folder / "r.json", '{"request": {"verb": "evaluate"}, "systems": [{"name": 1}]}')
    with serving(folder) as (address, _):
        answer = httpx.get(f"{address}/{TOKEN}/result/r.json")
        assert answer.status_code == 422
        assert "secret place" not in answer.text
        assert "r.json" in answer.text


# ── the command ──────────────────────────────────────────────────────────────────────────────────


@contextmanager
def command(folder, files=256):
    """The server as people start it, with few files that it may open."""
    line = shlex.join([*COMMAND, "serve", str(folder), "--quiet"])
    process = subprocess.Popen(
        ["sh", "-c", f"ulimit -n {files}; exec {line}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    address = process.stdout.readline().strip()
    try:
        yield process, address, int(address.split(":")[2].split("/")[0])
    finally:
        process.terminate()
        process.communicate(timeout=10)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="limits of files")
def test_more_connections_than_files_can_be_open_and_broken_uploads_go_without_a_word(tmp_path):
    with command(tmp_path) as (process, address, port):
        connected(port, 300)
        assert httpx.get(address, timeout=10).status_code == 200
        token = address.split("/")[3]
        head = (
            f"POST /{token}/evaluate HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
            f"origin: http://127.0.0.1:{port}\r\ncontent-length: 5000\r\n"
            "content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        )
        for _ in range(60):
            connected(port, 1, head.encode())[0].close()
        assert httpx.get(address, timeout=10).status_code == 200
        process.terminate()
        assert process.stderr.read() == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_an_address_that_others_can_reach_needs_a_word(tmp_path, host):
    done = run("serve", tmp_path, "--host", host)
    assert_refused(done, f"other computers could reach {host}; --remote allows it")
