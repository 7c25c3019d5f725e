"""Parsers from outside: through stand-ins that speak the same files, and for real where they are."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from command import assert_refused, run, write

import commonground as cg
from commonground.errors import InputError, UsageError
from commonground.parsers.model_file import Stored, write_model
from commonground.parsers.outside import jars, malt
from commonground.parsers.outside.command_line import Program, called
from commonground.parsers.outside.folder_model import pack, unpacked
from commonground.parsers.outside.malt_features import candidates, default_features
from commonground.parsers.outside.places import install, jars_of
from commonground.parsers.parser import TrainingTask
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
    parse = cg.load_parser(stand_in / "m.model", trust=True).parse(treebank)
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
        cg.load_parser(tmp_path / "evil.model", trust=True)
    assert not list(tmp_path.glob("pwned"))


def test_a_folder_is_packed_and_unpacked_the_same_and_hostile_names_stay_inside(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_text("x")
    packed = pack(tmp_path)
    assert packed.tobytes() == pack(tmp_path).tobytes()
    with unpacked(packed) as folder:
        assert (folder / "a" / "b").read_text() == "x"


def test_no_shell_sees_a_command_line(tmp_path):
    called("{python} -c 'pass' '; touch {place}'", {"place": tmp_path / "pwned"})
    assert not (tmp_path / "pwned").exists()


def test_what_cannot_be_called_is_told():
    with pytest.raises(UsageError, match="no-such-program cannot be called"):
        called("no-such-program", {})


def test_every_parser_says_what_it_lacks_and_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path))
    monkeypatch.setattr(jars, "java", lambda: "/usr/bin/java")
    lacking = find_parser("malt").missing(malt.MaltSettings())
    assert lacking.startswith("needs MaltParser; commonground parsers install malt, or")
    assert not find_parser("malt").missing(malt.MaltSettings(jar="malt.jar"))
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


def test_a_jar_parser_asks_for_its_jar(monkeypatch, tmp_path):
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path))
    monkeypatch.setattr(jars, "java", lambda: "/usr/bin/java")
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
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path / "data"))
    jar = write(tmp_path / "mst.jar", "")
    trained = cg.train("example:ud", "mstparser", gold_tags=True, settings={"jar": str(jar)})
    words = log.read_text()
    assert words.startswith(
        f"-Xmx4g -classpath {jar.resolve()} mstparser.DependencyParser train train-file:"
    )
    assert words.endswith("order:2 decode-type:proj")
    # A model names no program; the jar that its user named is remembered.
    trained.save(tmp_path / "m.model")
    assert cg.load_parser(tmp_path / "m.model", trust=True).model.values["jar"] == str(jar)
    jar.unlink()
    with pytest.raises(InputError, match="a model of mstparser, which needs its jar"):
        cg.load_parser(tmp_path / "m.model", trust=True)


@pytest.mark.parametrize("name", ["malt", "mstparser", "berkeley"])
def test_a_jar_that_is_no_file_is_told_before_java_runs(name, monkeypatch):
    monkeypatch.setattr(jars, "java", lambda: "/usr/bin/java")
    source = "example:ptb" if name == "berkeley" else "example:ud"
    with pytest.raises(UsageError, match=f"the jar of {name}, /nonexistent, is not a file"):
        cg.train(source, name, gold_tags=True, settings={"jar": "/nonexistent"})


def test_features_of_maltparser_stay_that_help_on_held_out_sentences(tmp_path, monkeypatch):
    """The program is played by one that parses well if it sees lemmas, and badly with FEATS."""
    jar, place = tmp_path / "malt.jar", "appdata/features/liblinear/conllx/NivreEager.xml"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(place, "<featuremodels><featuremodel>\n</featuremodel></featuremodels>")
    trained = []

    class Pretended:
        def __init__(self, text):
            self.text = text

        def parse(self, corpus):
            if "FEATS" in self.text or "LEMMA" not in self.text:
                return corpus.replace("words", head=np.zeros(corpus.words.rows, np.int32))
            return corpus

    def pretend(task, features, kept=None):
        text = Path(features).read_text("utf-8")
        if "head(" in text:
            raise UsageError("malt does not know head")
        trained.append((len(task.corpus), text, kept))
        return Pretended(text)

    monkeypatch.setattr(malt, "_trained", pretend)
    treebank = cg.read("example:ud")
    settings = malt.MaltSettings(jar=str(jar), search=True)
    told = []
    find_parser("malt").train(TrainingTask(treebank, settings, watch=told.append))
    sentences, text, kept = trained[-1]
    assert kept == {"features": ["column LEMMA"]}
    assert "InputColumn(LEMMA, Stack[0])" in text
    assert "FEATS" not in text
    assert sentences == len(treebank)
    assert {size for size, *_ in trained[:-1]} == {len(treebank) - len(treebank) // 5}
    assert max(step.score for step in told) == 1
    with pytest.raises(UsageError, match="features of 'covproj' cannot be searched"):
        candidates(treebank, "covproj")
    with pytest.raises(UsageError, match="no feature model"):
        default_features(str(tmp_path / "none.jar"), "stackproj")


@pytest.fixture(scope="session")
def installed_malt():
    """MaltParser as ``commonground parsers install malt`` puts it, in a folder of the environment."""
    if not jars.java():
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
    parse = cg.load_parser(tmp_path / "malt.model", trust=True).parse(treebank)
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


# ── stand-ins for neural parsers: packages that take the same arguments and speak the same files ──

STANZA = """
import argparse, pathlib
options = argparse.ArgumentParser()
for name in "mode train_file eval_file output_file lang shorthand save_dir save_name".split():
    options.add_argument("--" + name)
options.add_argument("--max_steps", type=int)
options.add_argument("--seed", type=int)
options.add_argument("--no_pretrain", action="store_true")
options.add_argument("--no_checkpoint", action="store_true")
given = options.parse_args()
assert given.no_pretrain and given.shorthand == given.lang + "_treebank"
model = pathlib.Path(given.save_dir) / given.save_name
if given.mode == "train":
    assert pathlib.Path(given.eval_file).exists() and given.max_steps == 7 and given.seed == 3
    model.write_text(str(len(pathlib.Path(given.train_file).read_text())))
else:
    assert model.read_text().isdigit()
    with open(given.output_file, "w") as out:
        for line in open(given.eval_file):
            fields = line.split("\\t")
            if len(fields) == 10 and fields[0].isdigit():
                fields[6:8] = str(int(fields[0]) - 1), "root" if fields[0] == "1" else "dep"
            out.write("\\t".join(fields))
"""

SUPAR = """
import argparse, pathlib, re, sys
options = argparse.ArgumentParser()
verbs = options.add_subparsers(dest="mode")
learn, predict = verbs.add_parser("train"), verbs.add_parser("predict")
learn.add_argument("--feat", nargs="+")
learn.add_argument("--build", action="store_true")
for name in ("train", "dev", "test", "embed"):
    learn.add_argument("--" + name)
for name in ("data", "pred"):
    predict.add_argument("--" + name)
for verb in (learn, predict):
    for name in ("device", "path", "seed", "conf"):
        verb.add_argument("--" + name)
given = options.parse_args()
model = pathlib.Path(given.path)
if given.mode == "train":
    assert given.embed == "" and given.device == "-1" and given.build
    model.write_text("learned")
else:
    text = pathlib.Path(given.data).read_text()
    if "CON" in __file__:
        assert "(NP" not in text  # the trees are not to be seen
        text = re.sub(r"^\\(TOP ", "(S ", text, flags=re.M)
    pathlib.Path(given.pred).write_text(text)
"""

BENEPAR = """
from dataclasses import dataclass
@dataclass
class InputSentence:
    words: list
    tags: list
    escaped_words: list
class Parser:
    def __init__(self, name):
        if name != "good":
            raise LookupError(name)
    def parse_sents(self, sentences):
        for each in sentences:
            words = " ".join(f"({t} {w})" for t, w in zip(each.tags, each.escaped_words))
            yield f"(TOP (S (NP {words})))"
"""

BLLIP = """
from types import SimpleNamespace
class RerankingParser:
    @classmethod
    def from_unified_model_dir(cls, place):
        return cls()
    def parse_tagged(self, words, tags):
        if len(words) > 20:
            raise ValueError("a tag that the model does not know")
        return self.parse(words, tags)
    def parse(self, words, tags=None):
        if len(words) > 25:
            return []
        inner = " ".join(f"({(tags or {}).get(at, ['X'])[0]} {w})" for at, w in enumerate(words))
        return [SimpleNamespace(ptb_parse=f"(S1 (S {inner}))")]
"""


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Packages of these names, here and in the processes that are called."""
    folder = tmp_path / "packages"
    sources = {
        "stanza/models/parser.py": STANZA,
        "supar/cmds/biaffine_dep.py": SUPAR,
        "supar/cmds/crf_con.py": SUPAR.replace('"CON" in __file__', "True"),
        "benepar.py": BENEPAR,
        "bllipparser.py": BLLIP,
    }
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(folder / name, text)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    yield folder
    for name in ("benepar", "bllipparser"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "settings"), [("stanza", {"steps": 7, "language": "en"}), ("supar", {})]
)
def test_neural_parsers_of_dependencies_are_called_as_they_want(packages, tmp_path, name, settings):
    treebank = cg.read("example:ud")
    parser = cg.train(treebank, name, gold_tags=True, settings=settings, seed=3)
    parser.save(tmp_path / "m.model")
    parse = cg.load_parser(tmp_path / "m.model", trust=True).parse(treebank)
    assert parse.form == treebank.form
    assert parse.head[0] in (0, 1)


def test_supar_parses_constituents_too_and_sees_no_tree(packages, tmp_path):
    treebank = cg.read("example:ptb")
    parser = cg.train(treebank, "supar", gold_tags=True)
    parser.save(tmp_path / "m.model")
    parse = cg.load_parser(tmp_path / "m.model", trust=True).parse(treebank)
    assert set(parse.label.tolist()) == {"S"}
    assert len(parse) == len(treebank)


def test_what_supar_writes_is_of_the_kind_that_it_has_learnt(packages, tmp_path):
    def parsed(model, *place):
        environment = {"PYTHONPATH": str(packages)}
        return run("parse", tmp_path / model, "example:ud", *place, "--trust", **environment)

    cg.train("example:ud", "supar", gold_tags=True).save(tmp_path / "dependencies")
    done = parsed("dependencies", "-", "--target-format", "conllu")
    assert done.returncode == 0
    assert "\tMartha\t" in done.stdout
    cg.train("example:ptb", "supar", gold_tags=True).save(tmp_path / "constituents")
    assert parsed("constituents", tmp_path / "trees.mrg").returncode == 0
    assert cg.read(tmp_path / "trees.mrg").label.tolist()[0] == "S"
    done = parsed("constituents", "-", "--target-format", "conllu")
    assert_refused(done, "cannot hold constituents; --target-format brackets can")
    with pytest.raises(UsageError, match="has constituents, but supar is for dependencies"):
        cg.load_parser(tmp_path / "dependencies", trust=True).parse("example:ptb")


def test_a_method_of_supar_that_does_not_fit_is_refused(packages):
    with pytest.raises(UsageError, match="crf_con is for constituents"):
        cg.train("example:ud", "supar", gold_tags=True, settings={"method": "crf_con"})
    with pytest.raises(UsageError, match="there is no method"):
        cg.train("example:ud", "supar", gold_tags=True, settings={"method": "x"})


@pytest.mark.parametrize(("name", "top"), [("benepar", "TOP"), ("bllip", "S1")])
def test_parsers_with_a_model_from_elsewhere_parse_every_sentence(packages, tmp_path, name, top):
    treebank = cg.read("example:ptb")
    place = "good" if name == "benepar" else str(tmp_path)
    cg.train(treebank, name, settings={"model": place}).save(tmp_path / "m.model")
    parse = cg.load_parser(tmp_path / "m.model", trust=True).parse(treebank)
    assert len(parse) == len(treebank)
    assert top in parse.label.tolist()
    assert parse.words.rows == int((~treebank.traces).sum())


@pytest.mark.parametrize("name", ["benepar", "bllip"])
def test_a_model_that_is_not_there_is_told(packages, tmp_path, name):
    with pytest.raises(UsageError, match="does not learn from a treebank; it needs a model"):
        cg.train("example:ptb", name)
    parser = cg.train("example:ptb", name, settings={"model": str(tmp_path / "none")})
    with pytest.raises(UsageError, match=r"has no model|is not a folder"):
        parser.parse("example:ptb")


@pytest.mark.parametrize("name", ["stanza", "supar", "benepar", "bllip"])
def test_a_package_that_is_not_there_is_told_with_the_command_that_installs_it(name):
    wanted = f"needs a package; pip install 'commonground[{name}]' (in a checkout: "
    if not find_parser(name).missing(find_parser(name).settings()):
        pytest.skip("it is installed")
    assert find_parser(name).missing(find_parser(name).settings()).startswith(wanted)
    source = "example:ud" if name == "stanza" else "example:ptb"
    with pytest.raises(UsageError, match="needs a package"):
        cg.train(source, name, settings={"model": "x"} if name in ("benepar", "bllip") else {})
