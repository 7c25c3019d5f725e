"""Every verb that saves a result: file, real class, and the tables that the verb printed."""

from __future__ import annotations

import json
import sys

import pytest
from command import assert_silent_success, run, write

import commonground as cg
from commonground.evaluation.saved import document, read_json
from commonground.report.page.make import report_html
from commonground.report.plots.kinds import plot
from commonground.report.plots.registry import PLOTS as ALL_PLOTS
from commonground.report.tables import render
from commonground.streamed_json import json_text, whole
from commonground.trials.disagreement import disagreement_of

UD, PARSE, SUD = "ud.conllu", "ud-parse.conllu", "sud.conllu"
PTB, PTB_PARSE = "ptb.mrg", "ptb-parse.mrg"
TESTS = ["--test", "shuffle,sign", "--confidence", "0.9", "--iterations", "50"]
SHOWN_AS = {
    "--targets": {"targets": True},
    "--mean": {"mean": True},
    "--sentences": {"sentences": True},
}
"""Options that only say what of a result is shown, and how a result is asked for it."""


def annotated(result, system):
    """The sheet of a trial, as one of the systems would annotate it."""
    blocks = []
    for unit in result.chosen:
        rows = [line for line in unit.parses[system].split("\n") if not line.startswith("#")]
        blocks.append(f"# unit = {unit.unit}\n" + "\n".join(rows))
    return "".join(blocks)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files that the verbs of this module read."""
    place = tmp_path_factory.mktemp("verbs")
    for name in (UD, PARSE, SUD, PTB, PTB_PARSE):
        cg.write(cg.read(f"example:{name.partition('.')[0]}")[:12], place / name)
    for name, file in (("gold", UD), ("parse", PARSE), ("best", UD)):
        (place / name).mkdir()
        corpus = cg.read(place / file)
        cg.write(corpus[:7], place / name / "one.conllu")
        cg.write(corpus[7:], place / name / "two.conllu")
    parses = {"a": place / PARSE, "b": place / UD}
    cg.write_result(cg.evaluate(place / UD, parses, metrics=["uas", "las"]), place / "both.json")
    parses = {"a": place / "parse", "b": place / "best"}
    cg.write_result(cg.evaluate(place / "gold", parses, metrics=["las"]), place / "files.json")
    for side in ("right", "left"):
        cg.train(place / UD, f"{side}-branching").save(place / f"{side}.model")
    write(place / "ud.txt", cg.raw_text(cg.read(place / UD)))
    parses = {"a": cg.read(place / PARSE), "b": cg.read(place / UD)}
    without_gold = disagreement_of(parses, annotate=4)
    cg.write_result(without_gold, place / "without-gold.json")
    (place / "sheet.conllu").write_text(annotated(without_gold, "b"), encoding="utf-8")
    write(place / "links.align", "0-0 1-1\n" * 12)
    return place


LINES = f"""
evaluate: evaluate {UD} a={PARSE} b={UD}
evaluate one: evaluate {UD} {PARSE} --metrics las,feats --confidence 0.9
evaluate tested: evaluate {UD} a={PARSE} b={UD} --metrics las {" ".join(TESTS)}
evaluate power: evaluate {UD} {PARSE} --metrics las --power --iterations 9
evaluate by: evaluate {UD} a={PARSE} --by deprel --by upos,direction --confusion label
evaluate sentences: evaluate {UD} {PARSE} --metrics las --sentences
evaluate files: evaluate gold a=parse b=best --metrics las {" ".join(TESTS)}
evaluate broken: evaluate {UD} a={PARSE} b={PTB} --on-error skip
evaluate constituents: evaluate {PTB} {PTB_PARSE} --metrics all
conventions: evaluate {UD} {SUD} --conventions
conventions several: evaluate {UD} a={SUD} b={PARSE} --conventions
compare: compare ud={UD}:{PARSE} ptb={PTB}:{PTB_PARSE}
compare tested: compare a={UD}:{PARSE} b={UD}:{UD} --mean --test-rows {" ".join(TESTS)}
compare 2011: compare a={UD}:{PARSE} b={SUD}:{SUD} --protocol 2011
agreement: agreement a={UD} b={PARSE} --by deprel --label-pairs
test: test both.json {" ".join(TESTS)}
test files: test files.json --iterations 50
test none: test both.json --test none
test runs: test --runs nl=69.21:0.58:10 it=66.44:0.29:10 --test student
phenomena score: phenomena score example:phenomena a=example:phenomena-ud b=example:phenomena-ud \
--mapping a=ud --mapping b=ud-enhanced --targets --test sign
validate: validate {UD} {UD} --words 20 --samples 2 --set iterations=1
project: project {UD} {UD} links.align out.conllu --all --report --no-project-labels
diff: diff {UD} {PARSE}
trial: trial {UD} --with a=right.model --no-timing
trial text: trial ud.txt --with a=right.model --with b=left.model --annotate 3
trial annotated: trial without-gold.json --annotated sheet.conllu
errors: errors {UD} --top 5 --folds 2
search: search {UD} V-[obj]->N --by N.upos
overlap: overlap {UD} {PARSE}
"""
VERBS = {
    name: line.split()
    for name, _, line in (each.partition(": ") for each in LINES.strip().splitlines())
}
"""Commands whose results are saved."""

SLOW = (
    "trial",
    "trial text",
    "evaluate power",
    "conventions",
    "conventions several",
    "phenomena score",
)
NAMES = [pytest.param(name, marks=pytest.mark.long) if name in SLOW else name for name in VERBS]

KINDS_OF_VERBS = {
    "evaluate": "Evaluation",
    "conventions": "Conventions",
    "conventions several": "ConventionsBySystem",
    "compare": "CompareResult",
    "agreement": "Agreement",
    "test": "Claims",
    "test none": "Evaluation",
    "test runs": "RunClaims",
    "phenomena score": "Phenomena",
    "validate": "Validation",
    "project": "Projection",
    "diff": "TreebankChanges",
    "trial": "Trial",
    "trial text": "Disagreement",
    "trial annotated": "Decision",
    "errors": "AnnotationErrors",
    "search": "SearchResult",
    "overlap": "Overlap",
}
PLOTS = {
    "Evaluation": ("length", "distance", "depth", "pairs", "differences", "power"),
    "CompareResult": ("agreement", "length", "pairs", "differences", "power"),
    "Agreement": ("agreement",),
    "Conventions": ("waterfall",),
    "ConventionsBySystem": (),
    "Claims": ("pairs",),
    "RunClaims": ("runs", "pairs"),
    "Phenomena": ("phenomena", "pairs", "length", "differences", "power"),
    "Validation": ("runs",),
    "Projection": (),
    "TreebankChanges": (),
    "Disagreement": (),
    "Decision": (),
    "Trial": ("length", "pairs", "differences", "power"),
    "AnnotationErrors": (),
    "SearchResult": ("matches",),
    "Overlap": (),
}
"""What can be plotted of the results of each class; the first plot of each is made."""


@pytest.fixture(scope="module")
def saved(folder):
    """Return what a verb printed and the file that it saved; each is made once."""
    known = {}

    def made(name):
        if name not in known:
            line = VERBS[name]
            printed = run(*line, cwd=folder)
            path = folder / f"{name.replace(' ', '-')}.json"
            done = run(*line, "--output-format", "json", "-o", path, cwd=folder)
            assert_silent_success(done)
            known[name] = printed.stdout, path
        return known[name]

    return made


def class_of(name):
    """Return the name of the class that the result of a command has."""
    return KINDS_OF_VERBS.get(name) or KINDS_OF_VERBS[name.split()[0]]


def test_every_kind_of_result_is_saved_by_a_verb():
    assert {class_of(name) for name in VERBS} == set(cg.RESULTS.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_result_is_read_back_and_shows_what_the_verb_printed(name, saved):
    printed, path = saved(name)
    result = cg.read_result(path)
    assert type(result).__name__ == class_of(name)
    options = {k: v for flag in VERBS[name] for k, v in SHOWN_AS.get(flag, {}).items()}
    if "--sentences" in VERBS[name]:  # the file has no texts: they are those of the gold standard
        gold = cg.read(path.parent / result.request.gold)
        options["texts"] = {sentence.sent_id: sentence.text for sentence in gold}
    grids = result.grids(**options)
    assert printed in (result.tables(**options), render(grids, "text"))  # a signature may be short
    assert VERBS[name][0] == result.request.verb.split()[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_document_that_is_read_and_written_again_is_the_same(name, saved):
    _, path = saved(name)
    scores = {"scores": True} if "--sentences" in VERBS[name] else {}
    again = document(cg.read_result(path), **scores)
    assert json.loads(json_text(whole(again))) == read_json(path)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_result_has_a_page_with_the_tables_of_its_kind(name, saved, folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    _, path = saved(name)
    html = report_html([path])
    assert "corrected_p" not in html
    for grid in cg.read_result(path).grids()[:1]:
        shown = {cell for row in grid.rows for cell in (row[0].value,) if isinstance(cell, str)}
        assert any(text.split(" (")[0] in html for text in shown)


@pytest.mark.parametrize("name", ["evaluate", "compare", "phenomena score", "evaluate files"])
def test_a_saved_result_with_systems_can_be_tested(name, saved, folder):
    _, path = saved(name)
    done = run("test", path, "--iterations", "20", "--on-mismatch", "skip", cwd=folder)
    if class_of(name) == "Phenomena" and done.returncode:
        pytest.fail(done.stderr)
    assert_silent_success(done)
    assert "Differences between systems" in done.stdout


@pytest.mark.parametrize("name", ["test", "test runs", "agreement", "conventions", "validate"])
def test_a_result_without_counts_is_refused_by_test(name, saved, folder):
    _, path = saved(name)
    done = run("test", path, cwd=folder)
    assert done.returncode == 2
    assert "has no systems to test" in done.stderr


@pytest.mark.parametrize("name", KINDS_OF_VERBS)
def test_a_result_is_plotted_from_its_file_and_from_memory(name, saved, folder, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    _, path = saved(name)
    result = cg.read_result(path)
    monkeypatch.setattr(type(result), "to_json", None)  # nothing is written to be drawn
    for kind in PLOTS[class_of(name)][:1]:
        assert result.plot(kind).axes
    for kind in set(ALL_PLOTS) - set(PLOTS[class_of(name)]) - {"confusion"}:
        with pytest.raises(cg.CommonGroundError):
            plot(result, kind)
