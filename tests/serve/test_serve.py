"""The local page: what it shows, and everything that it refuses."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest
from command import COMMAND, assert_refused, run, write

import commonground as cg
from commonground.cli import main
from commonground.serve import upload
from commonground.serve.app import application
from commonground.serve.folder import Folder, safe_name
from commonground.serve.limits import Limits
from commonground.serve.page_cache import PageCache

TOKEN = "a-token-that-nobody-knows"
HOST = "127.0.0.1:8123"
EXAMPLE = Path(__file__).parents[2] / "src/commonground/example"
GOLD, PARSE = EXAMPLE / "ud.conllu", EXAMPLE / "ud-parse.conllu"
LIMIT = 1_000_000

pytestmark = pytest.mark.usefixtures("module_without_plots")


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A saved result."""
    path = tmp_path_factory.mktemp("saved") / "result.json"
    arguments = ("evaluate", "example:ud", "example:ud-parse", "--output-format", "json")
    assert main([*arguments, "-o", str(path)]) == 0
    return path


@pytest.fixture
def folder(tmp_path, result):
    """A folder with a result, beside something that must not be seen."""
    served = tmp_path / "served"
    served.mkdir()
    shutil.copy(result, served)
    write(served / "notes.json", '{"nothing": "that is a result"}')
    write(served / "secret.txt", "secret")
    write(tmp_path / "outside.json", '{"signature": "outside"}')
    return served


@pytest.fixture
def client(folder):
    return Client(application(Folder.at(str(folder)), TOKEN, frozenset({HOST}), LIMIT))


class Client:
    """Asks the application, without a server between."""

    def __init__(self, app):
        self.transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    def request(self, method, path, **options):
        async def ask():
            base = f"http://{HOST}"
            async with httpx.AsyncClient(transport=self.transport, base_url=base) as browser:
                return await browser.request(method, path, **options)

        return asyncio.run(ask())

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, headers=None, **options):
        headers = {"origin": f"http://{HOST}"} | (headers or {})
        return self.request("POST", path, headers=headers, **options)


def sent(client, gold=None, parses=None, **fields):
    """Send files to be evaluated."""
    files = [("gold", ("gold.conllu", gold if gold is not None else GOLD.read_bytes()))]
    files += [("parse", each) for each in parses or [("parse.conllu", PARSE.read_bytes())]]
    return client.post(f"/{TOKEN}/evaluate", files=files, data=fields)


def written(folder):
    """All files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# ── what it shows ────────────────────────────────────────────────────────────────────────────────


def test_the_results_of_the_folder_are_listed(client):
    page = client.get(f"/{TOKEN}/").text
    assert 'href="result/result.json"' in page
    assert "commonground evaluate example:ud example:ud-parse" in page
    assert "notes.json" not in page
    assert "secret" not in page


def test_a_result_is_shown_as_its_report(client):
    answer = client.get(f"/{TOKEN}/result/result.json")
    assert answer.status_code == 200
    assert "94.81" in answer.text
    assert "LAS by label" in answer.text


def test_uploaded_files_are_evaluated_and_kept_in_a_folder_of_their_own(client, folder, tmp_path):
    before = written(tmp_path)
    answer = sent(client)
    assert answer.status_code == 303
    new = sorted(set(written(tmp_path)) - set(before))
    assert [Path(name).name for name in new] == [
        "gold.conllu",
        "parse.conllu",
        "parse.json",
    ]
    assert all(name.startswith("served/uploads/upload-") for name in new)
    report = client.get(f"/{TOKEN}/{answer.headers['location']}")
    assert "94.81" in report.text
    assert "LAS by label" in report.text


def test_several_parses_and_a_preset_can_be_sent(client, folder):
    parses = [("mine.conllu", PARSE.read_bytes()), ("mine.conllu", GOLD.read_bytes())]
    answer = sent(client, parses=parses, preset="conll18")
    data = json.loads((folder / answer.headers["location"].removeprefix("result/")).read_text())
    assert [system["name"] for system in data["systems"]] == ["mine", "mine (2)"]
    assert "preset:conll18" in data["signature"]


def test_the_saved_result_of_an_upload_is_one_that_report_reads(client, folder, tmp_path):
    answer = sent(client)
    path = folder / answer.headers["location"].removeprefix("result/")
    done = run("report", path, "-o", tmp_path / "r.html")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_list_tells_systems_scores_intervals_and_dates(client, folder):
    sent(client, parses=[("mine.conllu", PARSE.read_bytes()), ("best.conllu", GOLD.read_bytes())])
    text = client.get(f"/{TOKEN}/").text.partition("All results, the newest first")[2]
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in text.split("<tr>")[2:]]
    assert [(row[1], row[2], row[3], row[5]) for row in rows] == [
        ("mine", "LAS", "94.81", "gold.conllu"),
        ("best", "LAS", "100.00", "gold.conllu"),
        ("example:ud-parse", "LAS", "94.81", "example:ud"),
    ]
    low, high = map(float, rows[0][4].split(" – "))
    assert 92 < low < 94.81 < high < 97
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", rows[0][6])


def test_systems_on_the_same_gold_standard_are_ranked_in_the_words_of_the_board(client, folder):
    for name, parse in (("good", "example:ud"), ("mine", "example:ud-parse")):
        done = run("evaluate", "example:ud", f"{name}={parse}", "-q", "-o", folder / f"{name}.json")
        assert done.returncode == 0
    text = client.get(f"/{TOKEN}/").text
    board = text.partition("Leaderboard</h2>")[2].partition("All results, the newest first")[0]
    assert "On example:ud (shares in per cent)" in board
    assert board.index('<a href="result/good.json">') < board.index('<a href="result/mine.json">')
    assert "systems that do not differ significantly share ranks" in board
    assert "good is the best of 3" in board


def test_the_list_tells_where_a_score_is_of_several_files_together(client, folder, tmp_path):
    for side, corpus in (("gold", cg.read(GOLD)), ("mine", cg.read(PARSE))):
        (tmp_path / side).mkdir(exist_ok=True)
        cg.write(corpus[:30], tmp_path / side / "one.conllu")
        cg.write(corpus[30:], tmp_path / side / "two.conllu")
    done = run("evaluate", tmp_path / "gold", tmp_path / "mine", "-o", folder / "files.json")
    assert done.returncode == 0, done.stderr
    assert "LAS, micro average" in client.get(f"/{TOKEN}/").text


def together(client, *names):
    return client.get(f"/{TOKEN}/test", params=[("result", name) for name in names])


def test_two_results_are_tested_together(client):
    names = [
        sent(client, parses=[(f"{name}.conllu", file.read_bytes())]).headers["location"]
        for name, file in (("mine", PARSE), ("best", GOLD))
    ]
    answer = together(client, *(name.removeprefix("result/") for name in names))
    assert answer.status_code == 200
    assert "<h1>mine and best tested together</h1>" in answer.text
    assert "significant" in answer.text


def test_results_that_cannot_be_tested_together_are_told_why(client, folder):
    other = sent(client, gold=PARSE.read_bytes(), preset="conllx").headers["location"]
    answer = together(client, "result.json", other.removeprefix("result/"))
    assert answer.status_code == 422
    assert "not comparable: result.json has" in answer.text
    assert "--" not in re.sub(
        r"<(script|style).*?</(script|style)>", "", answer.text, flags=re.DOTALL
    )
    assert str(folder) not in answer.text
    assert together(client, "result.json").status_code == 400
    assert together(client, "result.json", "../outside.json").status_code == 404


def test_systems_of_other_schemes_are_compared_under_the_names_of_their_files(client, folder):
    files = [
        ("gold1", ("ud.conllu", GOLD.read_bytes())),
        ("parse1", ("arcs.conllu", PARSE.read_bytes())),
        ("gold2", ("ptb.mrg", (EXAMPLE / "ptb.mrg").read_bytes())),
        ("parse2", ("phrases.mrg", (EXAMPLE / "ptb-parse.mrg").read_bytes())),
    ]
    answer = client.post(f"/{TOKEN}/evaluate", files=files, data={"schemes": "yes"})
    assert answer.status_code == 303
    path = folder / answer.headers["location"].removeprefix("result/")
    assert path.name == "arcs-phrases.json"
    data = json.loads(path.read_text())
    assert [system["name"] for system in data["systems"]] == ["arcs", "phrases"]
    assert client.get(f"/{TOKEN}/{answer.headers['location']}").status_code == 200
    missing = client.post(f"/{TOKEN}/evaluate", files=files[:3], data={"schemes": "yes"})
    assert missing.status_code == 400


def test_sentences_that_do_not_fit_can_be_left_out(client):
    text = PARSE.read_text().replace("\tA\t", "\tThe\t", 1)
    parses = [("other.conllu", text.encode())]
    refused = sent(client, parses=parses)
    assert refused.status_code == 422
    assert "--on-mismatch" not in refused.text
    assert sent(client, parses=parses, **{"on-mismatch": "skip"}).status_code == 303
    assert sent(client, parses=parses, **{"on-mismatch": "x"}).status_code == 422


# ── what it refuses ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path", ["/", "/x/", "/result/result.json", f"/{TOKEN[:-1]}/", f"/{TOKEN}x/"]
)
def test_without_the_token_there_is_nothing(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "result" not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8123", "127.0.0.1", "localhost:1", ""]
)
def test_another_host_is_refused(client, host):
    answer = client.get(f"/{TOKEN}/", headers={"host": host})
    assert answer.status_code == 403
    assert "result" not in answer.text


def test_what_another_page_sends_is_refused(client, folder):
    answer = client.post(f"/{TOKEN}/evaluate", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "name",
    [
        "../outside.json", "..%2foutside.json", "%2e%2e/outside.json", "secret.txt", "none.json",
        "uploads/../../outside.json", "//etc/passwd", "%00.json", "link.json", "a" * 5000 + ".json",
    ],
)  # fmt: skip
def test_nothing_outside_the_folder_can_be_seen(client, folder, name):
    (folder / "link.json").symlink_to(folder.parent / "outside.json")
    answer = client.get(f"/{TOKEN}/result/{name}")
    assert answer.status_code == 404
    assert "outside" not in answer.text


@pytest.mark.parametrize(
    "name",
    [
        "../../../evil.conllu",
        "/etc/evil",
        "..\\..\\evil",
        ".hidden",
        "",
        "a" * 300,
        "\x00\n",
        "\u202eevil",
    ],
)
def test_no_name_leads_out_of_the_folder_of_uploads(folder, tmp_path, name):
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", safe_name(name))
    before = written(tmp_path)
    file = upload.Upload(name, GOLD.read_bytes())
    upload.evaluated(Folder.at(str(folder)), upload.Sent(file, (file,)))
    new = set(written(tmp_path)) - set(before)
    assert len(new) == 3
    assert all(path.startswith("served/uploads/upload-") for path in new)


def test_what_is_too_large_is_refused_and_not_kept(client, folder):
    before = written(folder)
    answer = sent(client, gold=b"x" * (LIMIT + 1))
    assert answer.status_code == 413
    assert "At most 1 MB" in answer.text
    assert written(folder) == before


def test_a_length_that_is_not_told_is_counted(client, folder):
    async def pieces():
        yield b'--b\r\nContent-Disposition: form-data; name="gold"; filename="g"\r\n\r\n'
        for _ in range(LIMIT // 1000 + 2):
            yield b"x" * 1000

    headers = {"content-type": "multipart/form-data; boundary=b"}
    before = written(folder)
    answer = client.post(f"/{TOKEN}/evaluate", content=pieces(), headers=headers)
    assert answer.status_code == 413
    assert written(folder) == before


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (b"1\tA\n", "The gold standard gold.conllu, line 1: 2 columns; 10 are expected"),
        (b"\xff\xfe\x00", "The gold standard gold.conllu"),
        (b"", "The gold standard gold.conllu: it has no sentences"),
        (b"\x1f\x8b\x08\x00packed", "it is compressed; unpack it first"),
        (b"(S (NP x))", "has dependencies, but the gold standard has constituents"),
    ],
)
def test_bad_files_are_told_in_the_page_and_not_kept(client, folder, gold, message):
    answer = sent(client, gold=gold)
    assert answer.status_code == 422
    assert message in answer.text
    assert "Traceback" not in answer.text
    assert str(folder) not in answer.text
    assert not list(folder.glob("uploads/*"))


def test_an_unknown_preset_is_told(client):
    answer = sent(client, preset="<b>nothing")
    assert answer.status_code == 422
    assert "there is no preset &#39;&lt;b&gt;nothing&#39;" in answer.text


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "multipart/form-data; boundary=b"),
        (b"--b", "multipart/form-data"),
        (b"--b\r\nContent-Disposition: form-data\r\n\r\n", "multipart/form-data; boundary=b"),
        (b"a=b", "application/x-www-form-urlencoded"),
        (b"\x00", ""),
    ],
)
def test_a_broken_form_is_told(client, content, kind):
    answer = client.post(f"/{TOKEN}/evaluate", content=content, headers={"content-type": kind})
    assert answer.status_code == 400
    assert "Traceback" not in answer.text


def test_a_report_is_made_once_while_its_files_are_as_they_were(client, folder, monkeypatch):
    made = []
    monkeypatch.setattr(
        "commonground.serve.app.report_html", lambda paths: made.append(paths) or ""
    )
    write(folder / "gold.conllu", "")
    request = {"inputs": {"gold.conllu": "", "example:ud": ""}}
    write(folder / "mine.json", json.dumps({"request": request, "signature": ""}))
    for _ in range(3):
        assert client.get(f"/{TOKEN}/result/mine.json").status_code == 200
    assert len(made) == 1
    write(folder / "gold.conllu", "# changed")
    client.get(f"/{TOKEN}/result/mine.json")
    assert len(made) == 2


def test_only_so_many_pages_are_kept(tmp_path):
    made = []
    kept = PageCache(lambda path: made.append(path.name) or "x" * 40, most=100)
    paths = [write(tmp_path / name, "{}") for name in ("a.json", "b.json", "c.json")]
    for path in (*paths, paths[2], paths[0]):
        kept.page(path)
    assert made == ["a.json", "b.json", "c.json", "a.json"]


def test_a_failure_of_the_program_tells_no_details(client, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("commonground.serve.app.report_html", broken)
    answer = client.get(f"/{TOKEN}/result/result.json")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Something went wrong" in answer.text


def test_a_result_that_cannot_be_read_is_told(client, folder):
    write(folder / "broken.json", '{"request": {"verb": "evaluate"}')
    answer = client.get(f"/{TOKEN}/result/broken.json")
    assert answer.status_code == 422
    assert "not JSON" in answer.text


def test_uploads_do_not_follow_a_link(client, folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (folder / "uploads").symlink_to(tmp_path / "elsewhere")
    assert sent(client).status_code == 422
    assert not written(tmp_path / "elsewhere")


def test_no_page_can_be_embedded_kept_or_traced(client):
    for path in ("", "result/result.json", "result/none.json"):
        headers = client.get(f"/{TOKEN}/{path}").headers
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_only_what_is_meant_to_be_sent_is_taken(client):
    origin = {"origin": f"http://{HOST}"}
    assert client.request("DELETE", f"/{TOKEN}/", headers=origin).status_code == 405
    assert client.get(f"/{TOKEN}/evaluate").status_code == 405


# ── the command ──────────────────────────────────────────────────────────────────────────────────


def test_the_command_tells_its_address_and_ends_cleanly(folder):
    process = subprocess.Popen(
        [*COMMAND, "serve", folder, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", address)
        with httpx.Client(transport=httpx.HTTPTransport(retries=5)) as browser:
            assert "result.json" in browser.get(address).text
            wrong = address.rpartition("/")[0].swapcase() + "/"  # a token has letters of both kinds
            assert browser.get(wrong.replace("HTTP", "http", 1)).status_code == 404
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (0, "")


def test_without_the_extra_it_is_told_what_to_install(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", str(folder)]) == 2
    assert "pip install 'commonground[serve]'" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    assert_refused(run("serve", tmp_path / "none"), "there is no such folder")


def test_a_port_that_is_taken_is_refused(folder):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert_refused(run("serve", folder, "--port", port), f"port {port} cannot be used")


@pytest.mark.parametrize("origin", ["", "null", "http://example.org", "https://127.0.0.1:8123"])
def test_a_request_to_change_something_comes_from_these_pages(client, folder, origin):
    before = written(folder)
    answer = client.post(f"/{TOKEN}/evaluate", headers={"origin": origin}, files=[("gold", b"x")])
    assert answer.status_code == 403
    assert written(folder) == before


def test_an_answer_that_takes_too_long_is_given_up(folder, monkeypatch):
    from commonground.serve import app

    served = application(
        Folder.at(str(folder)), TOKEN, frozenset({HOST}), LIMIT, Limits(answer=0.2)
    )
    monkeypatch.setattr(app, "index_page", lambda *_: threading.Event().wait(3))
    answer = Client(served).get(f"/{TOKEN}/")
    assert answer.status_code == 503
    assert "longer than" in answer.text
