"""Where people already are: spaCy, Hugging Face evaluate, NLTK, pre-commit, GitHub."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command import run

import commonground as cg

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "src/commonground/example"


# ── spaCy ────────────────────────────────────────────────────────────────────────────────────────

PAGE = (ROOT / "docs/integrations.md").read_text(encoding="utf-8")


def block(language):
    """Return the example of the page in a language."""
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[1]


def documents():
    """A gold standard of two sentences, and a parse that takes them for one."""
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import Doc

    vocab, words = spacy.blank("en").vocab, "I want to eat . She left .".split()
    labels = ["nsubj", "ROOT", "mark", "xcomp", "punct", "nsubj", "ROOT", "punct"]
    other = ["nsubj", "ROOT", "xcomp", "obj", "punct", "nsubj", "conj", "punct"]
    gold = Doc(vocab, words, heads=[1, 1, 3, 1, 1, 6, 6, 6], deps=labels)
    parse = Doc(vocab, words, heads=[1, 1, 1, 2, 1, 6, 1, 6], deps=other)
    return gold, parse


def test_a_scorer_is_named_in_a_config_of_spacy():
    pytest.importorskip("spacy")
    from spacy import util
    from spacy.training import Example

    nlp = util.load_model_from_config(util.Config().from_str(block("ini")), auto_fill=True)
    gold, parse = documents()
    result = nlp.get_pipe("parser").scorer([Example(parse, gold)])
    assert result["dep_uas"] == pytest.approx(3 / 6)  # spaCy leaves punctuation out
    assert result["commonground_uas"] == pytest.approx(5 / 8)
    assert result["commonground_las"] == pytest.approx(5 / 8)
    assert result["commonground_ned"] == pytest.approx(7 / 8)  # the turned edge is forgiven


@pytest.mark.long
def test_spacy_trains_a_parser_and_keeps_the_best_by_the_scorer(tmp_path):
    """A run of ``spacy train`` with the page's scorer in its config, on the example."""
    pytest.importorskip("spacy")
    from spacy import util
    from spacy.cli.train import train
    from spacy.tokens import Doc, DocBin

    vocab = util.get_lang_class("en")().vocab
    for name, part in (("train", slice(0, 20)), ("dev", slice(20, 30))):
        docs = DocBin()
        for sentence in cg.read("example:ud")[part]:
            heads = [h - 1 if h else place for place, h in enumerate(sentence.head.tolist())]
            docs.add(Doc(vocab, sentence.form, heads=heads, deps=sentence.deprel))
        docs.to_disk(tmp_path / f"{name}.spacy")
    nlp = util.load_model_from_config(util.Config().from_str(block("ini")), auto_fill=True)
    config = nlp.config.copy()
    config["paths"] |= {name: str(tmp_path / f"{name}.spacy") for name in ("train", "dev")}
    config["training"]["score_weights"] = {"commonground_las": 0.5, "commonground_ned": 0.5}
    config["training"] |= {"max_steps": 2, "eval_frequency": 1}
    (tmp_path / "config.cfg").write_text(config.to_str(), encoding="utf-8")
    train(tmp_path / "config.cfg", tmp_path / "model")
    meta = json.loads((tmp_path / "model/model-best/meta.json").read_text(encoding="utf-8"))
    assert 0 <= meta["performance"]["commonground_las"] <= 1
    assert meta["performance"]["commonground_ned"] >= meta["performance"]["commonground_las"]


def test_a_scorer_without_any_gold_tree_has_no_scores():
    spacy = pytest.importorskip("spacy")
    from spacy.training import Example

    from commonground.integrations.spacy_scorer import scores

    _, parse = documents()
    bare = spacy.tokens.Doc(parse.vocab, [token.text for token in parse])
    assert scores([Example(parse, bare)], ["las"]) == {"commonground_las": None}


# ── Hugging Face ─────────────────────────────────────────────────────────────────────────────────


def test_the_module_is_loaded_by_evaluate(tmp_path):
    """In a process of its own: it needs a folder for its files, and much time to be imported."""
    pytest.importorskip("evaluate")
    lines = f"""{block("py")}
trees = ["(S (NP (D a) (N b)) (V c))"]
print(scores.compute(predictions=trees, references=trees)["parseval_f1"])
print("preset:none" in found["signature"])
"""
    environment = os.environ | {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", lines],
        capture_output=True,
        text=True,
        cwd=EXAMPLE,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["1.0 1.0", "1.0", "True"]


# ── NLTK ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["example:ud", "example:ptb"])
def test_a_treebank_goes_to_nltk_and_back(name):
    pytest.importorskip("nltk")
    there = cg.to_nltk(name)
    back = cg.evaluate(name, there)
    assert all(score.value == 1 for score in back.systems[0].scores.values() if score.value)
    assert len(there) == len(cg.read(name))


def test_dependency_graphs_of_nltk_are_scored():
    pytest.importorskip("nltk")
    result = cg.evaluate(cg.to_nltk("example:ud"), cg.to_nltk("example:ud-parse"), metrics=["las"])
    assert round(100 * result["las"].value, 2) == 94.81


def test_what_nltk_does_not_have_is_refused():
    with pytest.raises(cg.UsageError, match="NLTK has trees and dependency graphs"):
        cg.to_nltk(
            cg.Alignments.of([])
            if hasattr(cg.Alignments, "of")
            else cg.read_text("0-0\n", "pharaoh")
        )


# ── treebank repositories ────────────────────────────────────────────────────────────────────────

ROW = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
SOUND = f"# sent_id = 1\n# text = Hi\n{ROW}"


def test_the_page_shows_hooks_and_inputs_that_there_are():
    yaml = pytest.importorskip("yaml")
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    inputs = set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
    first, second = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    assert {hook["id"] for repo in first["repos"] for hook in repo["hooks"]} == hooks
    assert all(
        set(step.get("with", {})) <= inputs
        for step in second["steps"]
        if step["uses"].startswith("OWNER/commonground")
    )


def test_the_hooks_are_commands_that_work(tmp_path):
    yaml = pytest.importorskip("yaml")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    known = ["commonground-check", "commonground-fix", "commonground-errors"]
    assert [hook["id"] for hook in hooks] == known
    path = tmp_path / "a.conllu"
    for hook in hooks[:2]:
        assert re.search(hook["files"], "de_gsd-ud-dev.conllu")
        path.write_text(ROW.rstrip("\n"))
        name, *words = hook["entry"].split()
        assert name == "commonground"
        assert run(*words, path).returncode == (0 if "--fix" in words else 2)


def action(step, folder, **inputs):
    """Run a step of the action as GitHub does, with its inputs."""
    yaml = pytest.importorskip("yaml")
    described = yaml.safe_load((ROOT / "action.yml").read_text())
    given = {name: each["default"] for name, each in described["inputs"].items()} | {
        name.replace("_", "-"): value for name, value in inputs.items()
    }
    result = next(each for each in described["runs"]["steps"] if each["name"] == step)
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], value)
        for name, value in result["env"].items()
    }
    assert all(name == "PACKAGE" or "${{" not in result["run"] for name in environment)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", result["run"]],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ
        | environment
        | {"PATH": path, "GITHUB_STEP_SUMMARY": f"{folder}/summary.md", "RUNNER_TEMP": str(folder)},
        check=False,
    )


def test_the_action_checks_all_treebanks_of_a_repository(tmp_path):
    (tmp_path / "not here").mkdir()
    (tmp_path / "not here/a.conllu").write_text(SOUND)
    (tmp_path / "b.conllu").write_text(ROW)
    done = action("Check", tmp_path)
    assert (done.returncode, done.stdout) == (0, "no problems in 2 files\n")
    done = action("Check", tmp_path, ud="2", files="b.conllu")
    assert done.returncode == 2
    assert "b.conllu:1: the sentence has no # sent_id" in done.stdout


@pytest.fixture
def repository(tmp_path):
    """A repository of the example, of which two sentences were then damaged."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]

    def git(*words):
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    file = tmp_path / "a b-ud-dev.conllu"
    text = (EXAMPLE / "ud.conllu").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    sentences = text.split("\n\n")
    for place in (3, 4):
        sentences[place] = sentences[place].replace("\tnsubj\t", "\tdet\t")
    file.write_text("\n\n".join(sentences), encoding="utf-8")
    return tmp_path


def test_the_action_says_what_has_changed_since_the_base_branch(repository):
    done = action("Changes", repository, base="main")
    assert done.returncode == 0, done.stderr
    summary = (repository / "summary.md").read_text()
    assert summary.startswith("## a b-ud-dev.conllu\n")
    assert re.search(r"\| deprel +\| nsubj +\| det", summary)


@pytest.mark.long
def test_the_action_looks_for_errors_in_changed_sentences_only(repository):
    done = action("Errors", repository, base="main", doubt="0.1")
    assert done.returncode == 0, done.stderr
    summary = (repository / "summary.md").read_text()
    assert summary.startswith("## Probable errors in a b-ud-dev.conllu\n")
    rows = [line.split("|")[1:5] for line in summary.splitlines() if line.startswith("| cg-")]
    assert {row[0].strip() for row in rows} <= {"cg-04", "cg-05"}
    assert any(row[3].strip().startswith("det of") for row in rows)


@pytest.mark.long
def test_the_hook_shows_errors_in_changed_sentences_and_does_not_fail(repository):
    yaml = pytest.importorskip("yaml")
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[2]
    files = [str(repository / "a b-ud-dev.conllu")]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [*shlex.split(hook["entry"]), *files], capture_output=True, text=True, check=False,
        cwd=repository, env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "to look at, the most doubtful first" in done.stdout
    assert set(re.findall(r"^cg-\d\d", done.stdout, re.MULTILINE)) <= {"cg-04", "cg-05"}


def test_the_action_fails_where_a_parse_scores_less_than_it_must(tmp_path):
    files = {"gold": "example:ud", "parse": "example:ud-parse"}
    assert action("Evaluate", tmp_path, **files, fail_under="las=0.9").returncode == 0
    assert (
        "| LAS" in (tmp_path / "summary.md").read_text()
        or "LAS |" in (tmp_path / "summary.md").read_text()
    )
    assert action("Evaluate", tmp_path, **files, fail_under="las=0.99").returncode == 1
