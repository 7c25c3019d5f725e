"""Treebanks that are folders or patterns, in the library as in the commands."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run

import commonground as cg
from commonground.errors import InputError, UsageError

TREE = (
    '<?xml version="1.0"?>\n<alpino_ds version="1.3">\n'
    '<node begin="0" cat="top" end="1" id="0" rel="top">\n'
    '<node begin="0" end="1" id="1" lemma="ja" pos="tag" rel="--" word="{}"/></node>\n'
    "<sentence>{}</sentence></alpino_ds>"
)


@pytest.fixture
def folder(tmp_path):
    """Five files of ten sentences, the last one without an empty line at its end."""
    corpus = cg.read("example:ud")
    for number in range(5):
        cg.write(corpus[10 * number : 10 * number + 10], tmp_path / f"{number}.conllu")
    last = tmp_path / "1.conllu"
    last.write_text(last.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    return tmp_path


def test_a_folder_is_one_corpus_that_knows_where_its_sentences_come_from(folder):
    corpus = cg.read(folder)
    parts = [cg.read(folder / f"{number}.conllu") for number in range(5)]
    assert corpus == cg.read("example:ud")[:50]
    paths, lines = corpus.tables["origin"].strings("path").tolist(), corpus.lines.tolist()
    assert paths == [str(folder / f"{number}.conllu") for number in range(5) for _ in range(10)]
    assert lines == [line for part in parts for line in part.lines.tolist()]


def test_a_pattern_is_the_files_that_fit(folder):
    assert len(cg.read(str(folder / "[01].conllu"))) == 20
    with pytest.raises(InputError, match="there are no such files"):
        cg.read(str(folder / "*.mrg"))


def test_files_of_one_tree_are_one_corpus(tmp_path):
    for number in range(300):
        (tmp_path / f"{number:03}.xml").write_text(TREE.format(number, number), encoding="utf-8")
    corpus = cg.read(tmp_path)
    assert [tree.column("form") for tree in corpus[298:300]] == [["298"], ["299"]]
    assert corpus.tables["origin"].strings("path")[299] == str(tmp_path / "299.xml")
    assert set(corpus.lines.tolist()) == {corpus.lines.tolist()[0]}


def test_an_error_is_about_its_file(folder):
    (folder / "3.conllu").write_text("1\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"3\.conllu:1: "):
        cg.read(folder)


def test_files_of_several_kinds_are_no_treebank(folder):
    (folder / "9.mrg").write_text("(S (N a))", encoding="utf-8")
    with pytest.raises(UsageError, match="files of several kinds: constituents and dependencies"):
        cg.read(folder)


def test_folders_are_evaluated_file_by_file(folder):
    result = cg.evaluate(folder, {"same": folder}, by="deprel", jobs=1)
    assert list(result.pairs) == ["0", "1", "2", "3", "4"]
    assert result["las"].value == 1
    assert result.breakdown("deprel")["same"]
    assert result.to_pandas()["file"].tolist().count("all") == 5


def test_check_and_info_take_folders(folder):
    done = run("check", folder)
    assert "1.conllu:174: no blank line after the last sentence" in done.stdout
    assert "1 problem in 1 of 5 files" in done.stdout
    data = json.loads(run("info", folder / "[01].conllu", "--output-format", "json").stdout)
    assert len(data["files"]) == 2
    assert_refused(run("check", folder / "none*"), "there are no such files")


def test_several_parses_are_arguments_or_a_mapping():
    result = cg.evaluate("example:ud", "example:ud-parse", {"best": "example:ud"}, metrics="las")
    assert [system.name for system in result.systems] == ["example:ud-parse", "best"]
    with pytest.raises(UsageError, match="there is no parse to score"):
        cg.evaluate("example:ud")


def test_breakdowns_and_confusions_are_those_of_the_command():
    result = cg.evaluate("example:ud", "example:ud-parse", by=["deprel", "upos,direction"])
    done = run(
        *("evaluate", "example:ud", "example:ud-parse", "--by", "deprel"),
        *("--by", "upos,direction", "--output-format", "json"),
    )
    assert result.to_json()["breakdowns"] == json.loads(done.stdout)["breakdowns"]
    las = result.breakdown("deprel", "las")["example:ud-parse"]
    assert las == result.breakdowns["example:ud-parse", ("deprel",), "las"]
