"""``check`` as treebank people expect it: the levels of the UD validator, and ``--fix``."""

from __future__ import annotations

import gzip
import io
import json
import sys
import unicodedata

import pytest
from command import assert_refused, run, write
from hypothesis import given, settings
from strategies import conllu_files

import commonground
from commonground.formats.checking.fix import fixed_bytes

SOUND = """\
# sent_id = s1
# text = Él da un café del bar.
1	Él	él	PRON	_	Case=Nom|Number=Sing	2	nsubj	2:nsubj	_
2	da	dar	VERB	_	_	0	root	0:root	_
3	un	uno	DET	_	_	4	det	4:det	_
4	café	café	NOUN	_	_	2	obj	2:obj	_
5-6	del	_	_	_	_	_	_	_	_
5	de	de	ADP	_	_	7	case	7:case	_
6	el	el	DET	_	_	7	det	7:det	_
7	bar	bar	NOUN	_	_	4	nmod	4:nmod	SpaceAfter=No
8	.	.	PUNCT	_	_	2	punct	2:punct	_

# sent_id = s2
# text = Va.
1	Va	ir	VERB	_	_	0	root	0:root	SpaceAfter=No
1.1	_	_	_	_	_	_	_	1:nsubj	_
2	.	.	PUNCT	_	_	1	punct	1:punct	_

"""

LEVEL1 = [
    ("\n# sent_id = s2", "\n\n# sent_id = s2", 13, "empty-sentence"),
    ("\t1:punct\t_\n\n", "\t1:punct\t_\n", 17, "missing-empty-line"),
    ("\t1:punct\t_\n\n", "\t1:punct\t_", 17, "missing-empty-line"),
    ("\n", "\r\n", 1, "non-unix-newline"),
    ("\t2:obj\t_\n", "\t2:obj\t_\r\n", 6, "non-unix-newline"),
    ("café\tcafé", "cafe\u0301\tcafé", 6, "unicode-normalization"),
    ("# text = Él", "# text = E\u0301l", 2, "unicode-normalization"),
    ("NOUN\t_\t_\t2", "NOUN\t_\t_ \t2", 6, "invalid-whitespace"),
    ("un\tuno", "un\tuno ", 5, "trailing-whitespace"),
    ("un\tuno", " un\tuno", 5, "leading-whitespace"),
    ("un\tuno", "un\tu  no", 5, "repeated-whitespace"),
    ("DET\t_\t_\t4", "DE T\t_\t_\t4", 5, "invalid-whitespace"),
    ("5-6\tdel", "5-6\td el", 7, "invalid-whitespace-mwt"),
    ("\t2:punct\t_\n\n#", "\t2:punct\t_\n \n#", 12, "pseudo-empty-line"),
    ("3\tun", "03\tun", 5, "invalid-word-id"),
    ("3\tun", "4\tun", 5, "word-id-sequence"),
    ("5-6", "6-5", 7, "reversed-word-interval"),
    ("1.1\t_", "1.2\t_", 16, "misplaced-empty-node"),
    ("un\tuno\tDET", "un\tuno\t", 5, "empty-column"),
    ("\t4:det\t_", "\t4:det\t_\t", 5, "number-of-columns"),
]
LEVEL2 = [
    ("bar\tbar\tNOUN", "bar\tbar\tnoun", 10, "unknown-upos"),
    ("1.1\t_\t_\t_", "1.1\t_\t_\tverb", 16, "unknown-upos"),
    ("Case=Nom", "case=Nom", 3, "invalid-feature"),
    ("Case=Nom", "Case=nom", 3, "invalid-feature"),
    ("Case=Nom", "Case", 3, "invalid-feature"),
    ("Case=Nom", "Case=Nom,Acc", 3, "unsorted-feature-values"),
    ("Case=Nom", "Case=Nom,Nom", 3, "repeated-feature-value"),
    ("Case=Nom", "Case=Acc|Case=Nom", 3, "repeated-feature"),
    ("Case=Nom|Number=Sing", "Number=Sing|Case=Nom", 3, "unsorted-features"),
    ("\tnmod\t", "\tNmod\t", 10, "invalid-deprel"),
    ("\tnmod\t", "\tadnom\t", 10, "unknown-udeprel"),
    ("4:nmod", "4:Nmod", 10, "invalid-edeprel"),
    ("4:nmod", "4:adnom", 10, "unknown-eudeprel"),
    ("4:nmod", "7:nmod", 10, "deps-self-loop"),
    ("4:nmod", "4:nmod|2:obl", 10, "unsorted-deps"),
    ("2:obj", "7:obj", 5, "unconnected-egraph"),
    ("del\t_\t_", "del\tde\t_", 7, "mwt-nonempty-field"),
    ("_\t_\t_\t1:nsubj", "_\t_\tnsubj\t1:nsubj", 16, "empty-node-nonempty-field"),
    ("# sent_id = s2\n", "", 13, "missing-sent-id"),
    ("# sent_id = s2\n", "# sent_id = s2\n# sent_id = s3\n", 14, "multiple-sent-id"),
    ("# sent_id = s2", "# sent_id = s1", 13, "non-unique-sent-id"),
    ("# sent_id = s2", "# sent_id = s 2", 13, "invalid-sent-id"),
    ("# sent_id = s2", "# sent_id = s/2/1", 13, "slash-in-sent-id"),
    ("# text = Va.\n", "", 13, "missing-text"),
    ("# text = Va.\n", "# text = \n", 14, "empty-text"),
    ("# text = Va.\n", "# text = Va. \n", 14, "text-trailing-whitespace"),
    ("# text = Va.\n", "# text = Va.\n# text = Va.\n", 15, "multiple-text"),
    ("# text = Va.\n", "# text = Va!\n", 17, "text-form-mismatch"),
    ("# text = Va.\n", "# text = Va. No\n", 14, "text-extra-chars"),
    ("root\t0:root\tSpaceAfter=No", "root\t0:root\t_", 15, "missing-spaceafter"),
    ("1:nsubj\t_", "1:nsubj\tSpaceAfter=No", 16, "spaceafter-empty-node"),
    ("7:det\t_", "7:det\tSpaceAfter=No", 9, "spaceafter-mwt-node"),
    ("7:det\t_", "7:det\tSpaceAfter=Yes", 9, "spaceafter-value"),
    ("7:det\t_", "7:det\tNoSpaceAfter=Yes", 9, "nospaceafter-yes"),
    ("7:det\t_", "7:det\tGloss=a|Gloss=b", 9, "repeated-misc"),
    ("# sent_id = s2", "# newdoc\n# newdoc\n# sent_id = s2", 14, "multiple-newdoc"),
    ("# sent_id = s2", "# parallel_id = x\n# sent_id = s2", 13, "invalid-parallel-id"),
    ("# sent_id = s2", "# parallel_id = x/1/alt2\n# sent_id = s2", 13, "parallel-id-alt"),
]
WITHOUT_GRAPH = SOUND.rpartition("# sent_id")[2].replace("0:root", "_").replace("1:punct", "_")


def changed(old, new):
    assert old in SOUND
    return SOUND.replace(old, new) if old == "\n" else SOUND.replace(old, new, 1)


def found(path, text, **options):
    path.write_bytes(text.encode())
    return commonground.check(path, **options).problems


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.conllu"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_sound_file_has_no_problem_at_any_level(level, path):
    if level > 2:
        pytest.importorskip("udtools")
    assert found(path, SOUND, ud=level) == ()


@pytest.mark.parametrize(("old", "new", "line", "rule"), LEVEL1)
def test_what_level_1_forbids_is_found_on_its_line(old, new, line, rule, path):
    assert (line, rule) in {(p.line, p.rule) for p in found(path, changed(old, new))}


@pytest.mark.parametrize(("old", "new", "line", "rule"), LEVEL2)
def test_what_level_2_forbids_is_found_on_its_line(old, new, line, rule, path):
    assert (line, rule) in {(p.line, p.rule) for p in found(path, changed(old, new), ud=2)}


def test_one_mistake_is_told_once(path):
    for old, new, _, rule in LEVEL2:
        if rule != "deps-self-loop":  # which disconnects the graph as well
            problems = found(path, changed(old, new), ud=2)
            assert len(problems) == 1, (rule, problems)


def test_an_enhanced_graph_is_given_to_all_sentences_or_to_none(path):
    second = "# sent_id" + WITHOUT_GRAPH.replace("1.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\t_\n", "")
    problems = found(path, SOUND + second.replace("s2", "s3"), ud=2)
    assert [(p.line, p.rule) for p in problems] == [(21, "edeps-only-sometimes")]


@pytest.mark.long
def test_the_validator_itself_finds_the_same_rules():
    """Every mistake of these tables is one for the UD validator, under the same name."""
    validator = pytest.importorskip("udtools.validator")
    state = pytest.importorskip("udtools.state")
    for level, cases in ((1, LEVEL1), (2, LEVEL2)):
        judge = validator.Validator(lang="ud", level=level, output=None)
        for old, new, _, rule in cases:
            its = state.State()
            text = changed(old, new)
            judge.validate_file_handle(io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"), its)
            assert rule in {i.testid for i in its.error_tracker}, (rule, new)


def test_higher_levels_are_those_of_the_validator(path):
    pytest.importorskip("udtools")
    text = SOUND.replace("2\tnsubj\t2:nsubj", "2\troot\t2:nsubj")
    problems = found(path, text, ud=3)
    assert [(p.line, p.rule) for p in problems] == [(3, "root-is-not-0")]
    text = SOUND.replace("Case=Nom", "Blue=Red")
    assert {p.rule for p in found(path, text, ud=5, lang="es")} == {"feature-unknown"}


def test_levels_4_and_5_need_a_language(path):
    path.write_text(SOUND)
    done = run("check", path, "--ud", "4")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "commonground: --ud 4 needs the language, such as --lang en\n"
    assert "not know the language 'tlh'" in run("check", path, "--ud", "4", "--lang", "tlh").stderr


def test_without_the_validator_its_install_command_is_told(path, monkeypatch):
    from commonground.formats.checking import validator

    validator._validator.cache_clear()
    monkeypatch.setitem(sys.modules, "udtools.validator", None)
    path.write_text(SOUND)
    done = run("check", path, "--ud", "3")
    assert done.returncode == 2
    assert "pip install 'commonground[ud]'" in done.stderr


def test_the_level_is_for_conllu(path):
    path.write_text(SOUND)
    assert "for CoNLL-U" in run("check", path, "--ud", "2", "--format", "brackets").stderr
    assert "no effect" in run("check", path, "--lang", "en").stderr


def test_the_example_holds_to_level_1():
    assert commonground.check("example:ud").problems == ()


# ── --fix ────────────────────────────────────────────────────────────────────────────────────────

MESSY = (
    "\ufeff"
    + SOUND.replace("Case=Nom|Number=Sing", "Number=Sing|Case=Nom,Acc")
    .replace("4:nmod", "4:nmod|2:obl")
    .replace("café\tcafé", "cafe\u0301 \tcafé")
    .replace("\n\n# sent", "\n \n\n# sent")
    .rstrip("\n")
).replace("\n", "\r\n")


def test_fix_mends_what_is_mechanical_and_tells_it(path):
    path.write_bytes(MESSY.encode())
    before = run("check", path, "--ud", "2")
    assert before.returncode == 2
    assert "--fix repairs" in before.stdout.splitlines()[-1]
    done = run("check", path, "--ud", "2", "--fix")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{path}: fixed 1 line, from line 3: features in alphabetical order\n" in done.stdout
    assert f"{path}: fixed 17 lines, from line 1: line ends: LF\n" in done.stdout
    wanted = SOUND.replace("Nom|", "Acc,Nom|").replace("4:nmod", "2:obl|4:nmod")
    assert path.read_text() == wanted


def test_a_mended_file_is_not_touched_again(path):
    path.write_text(SOUND)
    before = path.stat().st_mtime_ns
    assert run("check", path, "--fix").stdout == "no problems in 1 file\n"
    assert path.stat().st_mtime_ns == before


def test_what_needs_a_decision_stays_and_is_told(path):
    path.write_text(MESSY.replace("2\tnsubj", "9\tnsubj").replace("\r\n", "\n"))
    done = run("check", path, "--fix")
    assert done.returncode == 2
    assert "HEAD is 9" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 problem in 1 of 1 file"


def test_fix_changes_all_files_or_none(tmp_path):
    good = tmp_path / "a.conllu"
    good.write_bytes(MESSY.encode())
    other = write(tmp_path / "b.mrg", "(S (X a))")
    done = run("check", good, other, "--fix")
    assert done.returncode == 2
    assert "only CoNLL-U files can be repaired" in done.stderr
    assert good.read_bytes() == MESSY.encode()


def test_a_packed_file_stays_packed(tmp_path):
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(MESSY.encode()))
    run("check", path, "--fix")
    assert gzip.decompress(path.read_bytes()).decode().startswith("# sent_id = s1\n")


@pytest.mark.parametrize("name", ["-", "example:ud"])
def test_only_files_are_mended(name):
    done = run("check", name, "--fix", stdin=SOUND.encode())
    assert (done.returncode, done.stdout) == (2, "")


def test_json_tells_rules_and_changes(path):
    path.write_bytes(MESSY.encode())
    told = json.loads(run("check", path, "--output-format", "json").stdout)
    rules = {problem["rule"]: problem["fixable"] for problem in told["files"][0]["problems"]}
    assert rules["unicode-normalization"] is True
    told = json.loads(run("check", path, "--fix", "--output-format", "json").stdout)
    assert told["problems"] == 0
    assert told["fixed"][0]["changes"][0] == {"what": "no byte order mark", "lines": 1, "first": 1}


@settings(max_examples=20)
@given(conllu_files())
def test_fixing_twice_is_fixing_once_and_keeps_what_is_said(text):
    once, _ = fixed_bytes(text.encode())
    assert fixed_bytes(once) == (once, ())
    assert unicodedata.is_normalized("NFC", once.decode())
    before, after = (commonground.read_text(t, "conllu") for t in (text, once.decode()))
    assert (before.head == after.head).all()
    assert len(before) == len(after)


def test_a_forgotten_level_is_asked_for():
    assert_refused(run("check", "--ud", "example:ud"), "not a level; write --ud 2, or another")
