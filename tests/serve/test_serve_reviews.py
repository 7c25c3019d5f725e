"""What is decided on the local page is kept in a sheet beside the result, which `apply` reads."""

from __future__ import annotations

import json
import shutil
import threading

import pytest
from command import run
from test_serve import EXAMPLE, HOST, LIMIT, TOKEN, Client

from commonground.serve.app import application
from commonground.serve.folder import Folder
from commonground.serve.reviews import MOST_BYTES

ERRORS, AGREEMENT = f"/{TOKEN}/review/errors.json", f"/{TOKEN}/review/agreement.json"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A result of errors, one of two annotators, and one that nobody decides about."""
    folder = tmp_path_factory.mktemp("made")
    one, two = "one.conllu", "two.conllu"
    shutil.copy(EXAMPLE / "ud.conllu", folder / one)
    shutil.copy(EXAMPLE / "ud-parse.conllu", folder / two)
    agreement = ("agreement", f"ann={one}", f"ben={two}", "--metrics", "uas", "--no-alpha")
    for name, arguments in {
        "errors.json": ("errors", one, "--folds", "2", "--top", "5"),
        "agreement.json": agreement,
        "evaluation.json": ("evaluate", one, two),
    }.items():
        saved = run(*arguments, "--quiet", "--output-format", "json", "-o", name, cwd=folder)
        assert saved.returncode == 0
    return folder


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "served")


@pytest.fixture
def client(folder):
    return Client(application(Folder.at(str(folder)), TOKEN, frozenset({HOST}), LIMIT))


def keys(folder, result):
    """The keys of the questions about a result, from a sheet without decisions."""
    from commonground.evaluation.saved import read_result
    from commonground.report.page import agreement, errors

    saved = read_result(folder / result)
    return (errors if result == "errors.json" else agreement).review(saved).keys


def rows(file):
    return [line.split("\t") for line in file.read_text().splitlines()]


def test_decisions_about_errors_are_kept_and_applied(client, folder, tmp_path):
    first, second, *_ = keys(folder, "errors.json")
    assert client.get(f"{ERRORS}?decisions").json() == {}
    assert client.post(ERRORS, json={first: "accept"}).status_code == 204
    assert client.post(ERRORS, json={second: "reject"}).status_code == 204
    assert client.get(f"{ERRORS}?decisions").json() == {first: "accept", second: "reject"}
    sheet = folder / "errors.decisions.tsv"
    assert [row[0] for row in rows(sheet)] == ["decision", "accept", "reject", "", "", ""]
    out = tmp_path / "mended.conllu"
    assert run("apply", sheet, folder / "one.conllu", "-o", out).returncode == 0
    before, after = (folder / "one.conllu").read_text(), out.read_text()
    changed = [a for a, b in zip(before.split("\n"), after.split("\n"), strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0].split("\t")[0] == first.split("\t")[1]


def test_a_decision_is_changed_and_taken_back(client, folder):
    first, *_ = keys(folder, "errors.json")
    for decision in ("accept", "skip", ""):
        assert client.post(ERRORS, json={first: decision}).status_code == 204
        kept = {first: decision} if decision else {}
        assert client.get(f"{ERRORS}?decisions").json() == kept


def test_decisions_about_annotators_make_one_file(client, folder, tmp_path):
    asked = keys(folder, "agreement.json")
    decided = dict.fromkeys(asked, "ben") | {asked[1]: "=2:dislocated"}
    assert client.post(AGREEMENT, json=decided).status_code == 204
    assert client.get(f"{AGREEMENT}?decisions").json() == decided
    files = (f"ann={folder / 'one.conllu'}", f"ben={folder / 'two.conllu'}")
    out, sheet = tmp_path / "gold.conllu", folder / "agreement.decisions.tsv"
    assert run("apply", sheet, *files, "-o", out).returncode == 0
    ben, gold = (folder / "two.conllu").read_text(), out.read_text()
    changed = [b for a, b in zip(ben.split("\n"), gold.split("\n"), strict=True) if a != b]
    assert len(changed) == 1
    assert "dislocated" in changed[0]


def test_a_value_of_ones_own_must_be_one(client, folder):
    line, arc, *_ = keys(folder, "agreement.json")
    assert "decided for an annotator" in client.post(AGREEMENT, json={line: "=x"}).text
    assert "is no arc" in client.post(AGREEMENT, json={arc: "=nsubj"}).text
    assert not (folder / "agreement.decisions.tsv").exists()


def test_the_list_says_what_can_be_decided_about(client):
    page = client.get(f"/{TOKEN}/").text
    assert 'href="review/errors.json"' in page
    assert 'href="review/agreement.json"' in page
    assert 'href="review/evaluation.json"' not in page
    assert "connect-src 'self'" in client.get(ERRORS).text


def test_those_who_decide_at_the_same_time_lose_nothing(client, folder):
    asked = keys(folder, "agreement.json")
    threads = [
        threading.Thread(target=client.post, args=(AGREEMENT,), kwargs={"json": {key: "ann"}})
        for key in asked[:8]
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert client.get(f"{AGREEMENT}?decisions").json() == dict.fromkeys(asked[:8], "ann")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b'{"cg-01\\t99\\t1\\tx": "accept"}', "not on this page"),
        (b'{"KEY": "perhaps"}', "is no decision here; accept, reject, skip are"),
        (b'{"KEY": "=an own value"}', "is no decision here"),
        (b'{"KEY": 1}', "these are no decisions"),
        (b"[" * 100_000, "these are no decisions"),
        (b"\xff", "these are no decisions"),
        (b"", "these are no decisions"),
    ],
)
def test_what_nobody_can_decide_is_refused_and_not_kept(client, folder, sent, words):
    key = json.dumps(keys(folder, "errors.json")[0])[1:-1].encode()
    answer = client.post(ERRORS, content=sent.replace(b"KEY", key))
    assert answer.status_code == 422
    assert words in answer.text
    assert not (folder / "errors.decisions.tsv").exists()


def test_decisions_come_from_these_pages_and_are_small(client, folder):
    headers = {"sec-fetch-site": "cross-site"}
    assert client.post(ERRORS, headers=headers, json={}).status_code == 403
    assert client.post(ERRORS, content=b" " * (min(LIMIT, MOST_BYTES) + 1)).status_code == 413
    assert client.post(f"/{TOKEN}/review/../one.conllu", json={}).status_code in (404, 405)
    assert client.get(f"/{TOKEN}/review/evaluation.json").status_code == 422


def test_a_link_or_the_decisions_of_another_result_are_not_written_over(client, folder, tmp_path):
    first, *_ = keys(folder, "errors.json")
    sheet, elsewhere = folder / "errors.decisions.tsv", tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    sheet.symlink_to(elsewhere)
    assert client.post(ERRORS, json={first: "accept"}).status_code == 422
    assert elsewhere.read_text() == "mine"
    sheet.unlink()
    titles = "decision\tsentence\tword\tform\thead\tdeprel\tnew head\tnew deprel\n"
    sheet.write_text(f"{titles}accept\tz\t1\tx\t0\troot\t2\tobj\n")
    answer = client.post(ERRORS, json={first: "accept"})
    assert answer.status_code == 422
    assert "of another result" in answer.text
    assert "accept\tz" in sheet.read_text()


def test_a_treebank_that_has_changed_is_told(client, folder):
    (folder / "one.conllu").write_text((EXAMPLE / "ud-parse.conllu").read_text())
    answer = client.get(ERRORS)
    assert answer.status_code == 422
    assert "run errors again" in answer.text
