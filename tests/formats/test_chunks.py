"""Files read in chunks: what is told about them is what is told about the whole."""

from __future__ import annotations

import pytest
from graph_samples import GRAPH_SAMPLES

from commonground.cli.verbs.info import _further
from commonground.formats import read, read_chunks
from commonground.formats.checking import check as checking
from commonground.formats.checking import describe as describing

SIZES = [1, 300, 1 << 22]


def test_a_description_does_not_depend_on_the_size_of_chunks(tmp_path, monkeypatch):
    path = tmp_path / "a.conllu"
    path.write_bytes(b"".join(read_bytes("example:ud") for _ in range(2)))

    def told(size):
        monkeypatch.setattr(describing, "SMALL", size)
        work = describing.describe(path, examples=4, seed=3, further=measured)
        return work.as_dict(), work.further.measured

    assert told(SIZES[0]) == told(SIZES[1]) == told(SIZES[2])


def measured(corpus):
    return _further(corpus, nonprojectivity=True)


def read_bytes(name):
    with checking.open_bytes(name) as file:
        return file.read()


def graphs(name, *, times=3):
    """Return a file with the graphs of a sample several times; it begins like one file."""
    text = GRAPH_SAMPLES[name]
    start = "#SDP 2015\n" if name == "sdp" else ""
    return start + times * text.removeprefix(start)


@pytest.mark.parametrize("name", ["mrp", "sdp", "amr", "eds"])
def test_what_is_wrong_with_graphs_does_not_depend_on_the_size_of_chunks(
    name, tmp_path, monkeypatch
):
    path = tmp_path / f"a.{name}"
    path.write_text(graphs(name), encoding="utf-8")
    results = []
    for size in SIZES:
        monkeypatch.setattr(checking, "SMALL", size)
        results.append(checking.check(path))
    assert results[0].sentences == len(read(path)) > 0
    assert results[0].problems
    assert "is also that of another graph" in results[0].problems[0].message
    assert results[0] == results[1] == results[2]
    assert results[0] == checking.checked(
        path.read_bytes(), str(path), checking.find_format(name), checking.FormatOptions()
    )


BROKEN = {"mrp": '{"id": "9"\n', "sdp": "#9\n1\tx\n\n", "amr": "(a / \n\n"}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_graph_is_told_with_its_line_wherever_chunks_begin(name, tmp_path, monkeypatch):
    path = tmp_path / f"a.{name}"
    once = graphs(name, times=2)
    rest = once.removeprefix("#SDP 2015\n")
    path.write_text(f"{once}{BROKEN[name]}{rest}{BROKEN[name]}", encoding="utf-8")
    results = []
    for size in SIZES:
        monkeypatch.setattr(checking, "SMALL", size)
        results.append(checking.check(path))
    assert results[0].sentences == 0
    assert len({problem.line for problem in results[0].problems}) == 2
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le-with-mark"])
def test_chunks_of_utf_16_are_the_whole(size, encoding, tmp_path):
    path = tmp_path / "a.conllu"
    text = read_bytes("example:ud").decode("utf-8")
    if encoding == "utf-16":
        path.write_bytes(text.encode("utf-16"))
    else:
        path.write_bytes(b"\xff\xfe" + text.replace("\n", "\r\n").encode("utf-16-le"))
    pieces = list(read_chunks(path, size=size))
    whole = read("example:ud")
    assert type(whole).concatenate(pieces) == whole


def test_sentences_of_chunks_are_numbered_through(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("(S (NP a) (V b))\n" * 20, encoding="utf-8")
    pieces = list(read_chunks(path, size=40))
    assert len(pieces) > 2
    numbers = [name for piece in pieces for name in piece.sent_id.tolist()]
    assert numbers == [str(place) for place in range(1, 21)]
