"""Parsers from outside: through stand-ins that speak the same files, and for real where they are."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import commonground as cg
from command import assert_refused, run, write
from commonground.errors import InputError, UsageError
from commonground.parsers.model_file import Stored, write_model
from commonground.parsers.outside import malt
from commonground.parsers.outside.command_line import Program, called
from commonground.parsers.outside.folder_model import pack, unpacked
from commonground.parsers.outside.places import install, jars_of
from commonground.parsers.registry import find_parser, parser_names

STAND_IN = """
import sys
verb, first, second = sys.argv[1:4]
if verb == "train":  # the "model" is how many words there were
    lines = [line for line in open(first, encoding="utf-8") if "\\t" in line]
    open(second, "w").write(str(len(lines)))
else:  # right-branching
    model, source, target = sys.argv[2:5]
    assert open(model).read().isdigit()
    with open(source, encoding="utf-8") as file, open(target, "w", encoding="utf-8") as out:
        for line in file:
            fields = line.rstrip("\\n").split("\\t")
            if len(fields) == 10 and fields[0].isdigit():
                fields[6] = str(int(fields[0]) - 1)
                fields[7] = "root" if fields[0] == "1" else "dep"
            out.write("\\t".join(fields) + "\\n")
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A program of one's own in the data folder."""
    script = write(tmp_path / "stand in.py", STAND_IN)
    write(
        tmp_path / "programs.toml",
        f"""[mine]
train = "{{python}} '{script}' train {{train}} {{model}}"
parse = "{{python}} '{script}' parse {{model}} {{input}} {{output}}"
format = "conllx"
[broken]
train = "{{python}} -c 'import sys; sys.exit(\\"no luck\\")'"
parse = "x"
[odd]
train = "{{nothing}}"
parse = "x"
""",
    )
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path))
    return tmp_path


def test_a_program_of_ones_own_is_trained_and_parses(stand_in):
    treebank = cg.read("example:ud")
    parser = cg.train(treebank, "command", settings={"program": "mine"}, gold_tags=True)
    parser.save(stand_in / "m.model")
    parse = cg.load_parser(stand_in / "m.model").parse(treebank)
    place = treebank.words.row_in_sentence()
    assert np.array_equal(parse.head, place)
    assert parse.form == treebank.form


def test_the_program_never_sees_the_trees_that_it_should_make(stand_in):
    seen = stand_in / "seen"
    copying = f"{{python}} -c 'import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2]); shutil.copy(sys.argv[1], sys.argv[3])' {{input}} {{output}} {seen}"
    with (stand_in / "programs.toml").open("a") as file:
        file.write(
            f'[copy]\ntrain = "{{python}} -c \'import sys; open(sys.argv[1], str(chr(119))).write(str(1))\' {{model}}"\nparse = "{copying}"\nformat = "conllx"\n'
        )
    treebank = cg.read("example:ud")[:3]
    cg.train(treebank, "command", settings={"program": "copy"}, gold_tags=True).parse(treebank)
    heads = [line.split("\t")[6] for line in seen.read_text().splitlines() if line]
    assert set(heads) == {"0", "1"}


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("", "has no program"),
        ("other", "has no program 'other'; it has mine, broken, odd"),
        ("broken", "failed (1): no luck"),
        ("odd", "cannot be filled in"),
    ],
)
def test_a_program_that_does_not_work_says_why(stand_in, program, message):
    with pytest.raises(UsageError) as error:
        cg.train("example:ud", "command", settings={"program": program}, gold_tags=True)
    assert message in str(error.value)


def test_no_command_is_ever_taken_from_a_model_file(tmp_path, monkeypatch):
    """A model may come from anybody; what it says must not be run."""
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path))
    evil = Stored(
        "command", {"program": "x", "parse": "touch pwned"}, {"files": np.zeros(0, np.uint8)}
    )
    write_model(
        Stored("command", {"tags": "none", "encoding": "", "log": []}, {}, {"model": evil}),
        tmp_path / "evil.model",
    )
    with pytest.raises(InputError):
        cg.load_parser(tmp_path / "evil.model")
    assert not list(tmp_path.glob("pwned"))


def test_a_folder_is_packed_and_unpacked_the_same_and_hostile_names_stay_inside(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_text("x")
    packed = pack(tmp_path)
    assert packed.tobytes() == pack(tmp_path).tobytes()
    with unpacked(packed) as folder:
        assert (folder / "a" / "b").read_text() == "x"


def test_no_shell_sees_a_command_line(tmp_path):
    called("{python} -c 'pass' '; touch pwned'", {}, tmp_path)
    assert not (tmp_path / "pwned").exists()


def test_what_cannot_be_called_is_told(tmp_path):
    with pytest.raises(UsageError, match="no-such-program cannot be called"):
        called("no-such-program", {}, tmp_path)


def test_every_parser_says_what_it_lacks_and_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path))
    monkeypatch.setattr(malt, "java", lambda: "/usr/bin/java")
    assert find_parser("malt").missing() == "needs MaltParser; commonground parsers install malt"
    done = run(
        "train",
        "example:ud",
        "--parser",
        "malt",
        "-o",
        tmp_path / "m",
        COMMONGROUND_DATA=str(tmp_path),
    )
    assert_refused(done, "malt")
    assert {"malt", "udpipe", "spacy", "mstparser", "berkeley", "command"} <= set(parser_names())


def test_what_cannot_be_installed_is_told():
    assert_refused(
        run("parsers", "install", "nothing"), "cannot be installed by this command; malt can"
    )


def test_a_jar_parser_asks_for_its_jar(monkeypatch):
    monkeypatch.delenv("COMMONGROUND_MSTPARSER_JAR", raising=False)
    with pytest.raises(UsageError, match="mstparser needs its jar"):
        cg.train("example:ud", "mstparser", gold_tags=True)


def test_the_command_lines_of_jars_are_those_of_their_manuals(tmp_path, monkeypatch):
    """A stand-in for Java writes down how it was called."""
    log = tmp_path / "calls"
    fake = write(
        tmp_path / "java",
        f"""#!{sys.executable}
import pathlib, sys
pathlib.Path({str(log)!r}).write_text(" ".join(sys.argv[1:]))
for word in sys.argv:
    if word.startswith("model-name:"):
        pathlib.Path(word.removeprefix("model-name:")).write_text("learned")
""",
    )
    fake.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    (tmp_path / "bin").mkdir()
    fake.rename(tmp_path / "bin" / "java")
    cg.train("example:ud", "mstparser", gold_tags=True, settings={"jar": "mst.jar"})
    words = log.read_text()
    assert words.startswith(
        "-Xmx4g -classpath mst.jar mstparser.DependencyParser train train-file:"
    )
    assert words.endswith("order:2 decode-type:proj")


@pytest.fixture(scope="session")
def installed_malt():
    """MaltParser as ``commonground parsers install malt`` puts it, in a folder of the environment."""
    if not malt.java():
        pytest.skip("there is no Java")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONGROUND_DATA", str(Path(sys.prefix) / "share" / "commonground"))
        if not jars_of("malt"):
            install("malt")
        yield


def test_maltparser_for_real(installed_malt, tmp_path):
    treebank = cg.read("example:ud")
    parser = cg.train(treebank, "malt", gold_tags=True)
    parser.save(tmp_path / "malt.model")
    parse = cg.load_parser(tmp_path / "malt.model").parse(treebank)
    assert cg.evaluate(treebank, parse)["uas"].value > 0.7


def test_udpipe_for_real(tmp_path):
    pytest.importorskip("ufal.udpipe")
    treebank = cg.read("example:ud")
    parser = cg.train(
        treebank,
        "udpipe",
        gold_tags=True,
        settings={"iterations": 2, "transition_oracle": "static", "structured_interval": 0},
    )
    parser.save(tmp_path / "udpipe.model")
    parse = cg.load_parser(tmp_path / "udpipe.model").parse(treebank)
    assert cg.evaluate(treebank, parse)["uas"].value > 0.4


@pytest.mark.filterwarnings("ignore")
def test_spacy_for_real_with_missing_heads(tmp_path):
    pytest.importorskip("spacy")
    treebank = cg.read("example:ud")
    heads = treebank.head.copy()
    heads[::5] = -1
    partial = treebank.replace("words", head=heads)
    parser = cg.train(partial, "spacy", settings={"iterations": 8, "batch": 8})
    parser.save(tmp_path / "spacy.model")
    parse = cg.load_parser(tmp_path / "spacy.model").parse(treebank)
    assert cg.evaluate(treebank, parse)["uas"].value > 0.3


def test_a_program_has_formats_of_its_own():
    assert Program("a", "b").format == "conllx"
