"""Probable errors: planted ones are found, reasons are true, proposals and patches fit."""

from __future__ import annotations

import numpy as np
import pytest
from command import run

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.engine import Serial
from commonground.formats.patch import apply_patch, parse_patch
from commonground.proofreading.arc_columns import ArcColumns
from commonground.proofreading.cross_parses import cross_parses
from commonground.proofreading.evidence import collect
from commonground.proofreading.history import later_analysis
from commonground.proofreading.implications import violations
from commonground.proofreading.nuclei import variation
from commonground.proofreading.ranking import learned_further, usual_weights
from commonground.proofreading.suspects import annotation_errors


@pytest.fixture(scope="module")
def example() -> Dependencies:
    """The example four times, as a treebank in which things come again."""
    corpus = cg.read("example:ud")
    return Dependencies.concatenate([corpus] * 4)


@pytest.fixture(scope="module")
def planted(example: Dependencies) -> tuple[Dependencies, np.ndarray]:
    """The same with every fortieth label wrong, and which these are."""
    labels = example.deprel.tolist()
    wrong = np.arange(7, len(labels), 40)
    for row in wrong.tolist():
        labels[row] = "obj" if labels[row] != "obj" else "nsubj"
    return example.replace("words", deprel=Strings.of(labels)), wrong


@pytest.fixture(scope="module")
def evidence(planted):
    return collect(planted[0], cross_parses(planted[0], Serial(), count=2))


@pytest.mark.long
def test_planted_errors_come_first_and_a_shuffled_ranking_does_not_find_them(
    planted, evidence
) -> None:
    _, wrong = planted
    model = usual_weights().doubt
    score = model.probability(evidence.names, evidence.table)
    most = 2 * len(wrong)
    first = np.argsort(-score, kind="stable")[:most]
    shuffled = np.random.default_rng(1).permutation(len(score))[:most]
    assert np.isin(wrong, first).mean() > 0.8
    assert np.isin(wrong, shuffled).mean() < 0.2


@pytest.mark.long
def test_each_kind_of_evidence_speaks_against_planted_errors_on_average(planted, evidence) -> None:
    _, wrong = planted
    mean = evidence.table.mean(axis=0)
    of_wrong = evidence.table[wrong].mean(axis=0)
    for name in ("parsers", "label by tags", "nuclei of forms", "implications"):
        assert of_wrong[evidence.names.index(name)] > 2 * mean[evidence.names.index(name)], name


def test_the_same_words_with_another_arc_are_a_variation_of_the_rarer_one(planted) -> None:
    corpus, wrong = planted
    seen = variation(ArcColumns(corpus))
    doubted = np.flatnonzero(seen.doubt > 0)
    assert np.isin(doubted, wrong).mean() > 0.5
    for row in np.intersect1d(doubted, wrong).tolist():
        assert seen.majority[row] > seen.alike[row] + 1


def test_an_implication_is_followed_by_as_many_words_as_it_says(planted) -> None:
    corpus, _ = planted
    columns = ArcColumns(corpus)
    violated = violations(columns)
    for row in np.flatnonzero(violated.strength > 0)[:20].tolist():
        assert violated.followers[row] >= 20
        assert violated.violators[row] * 25 <= violated.followers[row] + violated.violators[row]
        assert " have " in violated.text(columns, row)


def test_a_treebank_and_itself_have_no_history(example) -> None:
    history = later_analysis(example[:20], example[:20])
    assert history.known.all()
    assert not history.changed.any()
    assert not history.wave.any()


@pytest.mark.long
def test_a_history_of_its_own_makes_such_changes_more_doubtful(planted, evidence, example) -> None:
    history = later_analysis(planted[0], example)
    assert np.flatnonzero(history.changed).tolist() == planted[1].tolist()
    usual = usual_weights().doubt
    own = learned_further(usual, evidence, history)
    before, after = (
        model.probability(evidence.names, evidence.table)[planted[1]].mean()
        for model in (usual, own)
    )
    assert after > before


@pytest.mark.long
def test_the_same_seed_gives_the_same_list_whatever_the_jobs() -> None:
    one, two = (cg.annotation_errors("example:ud", top=9, folds=2, jobs=n) for n in (1, 2))
    assert one == two
    assert one.to_json() == cg.AnnotationErrors.from_json(one.to_json()).to_json()


@pytest.mark.long
def test_only_changed_sentences_are_looked_at_if_an_older_version_is_given(example) -> None:
    corpus = example[:64]
    labels = corpus.deprel.tolist()
    wrong = int(corpus.offsets[5])
    labels[wrong] = "obj" if labels[wrong] != "obj" else "nsubj"
    damaged = corpus.replace("words", deprel=Strings.of(labels))
    found = annotation_errors(damaged, changed_since=corpus, top=500)
    assert (found.sentences, len(found)) == (1, found.words)
    assert {each.sentence for each in found.suspects} == {corpus.sent_id[5]}
    assert all(each.doubt >= 0.05 for each in annotation_errors(
        damaged, changed_since=corpus, doubt=0.05).suspects)  # fmt: skip
    none = annotation_errors(corpus, changed_since=corpus)
    assert (none.sentences, none.words, none.suspects) == (0, 0, ())


def test_folds_of_some_sentences_are_no_larger_than_those_of_all(example) -> None:
    only = np.zeros(len(example), np.bool_)
    only[10:14] = True
    parses = cross_parses(example, Serial(), count=6, only=only)
    words = np.repeat(only, example.words.lengths)
    assert (parses.head[words] >= 0).all()
    assert (parses.head[~words] == -1).all()


@pytest.mark.long
def test_the_patch_is_carried_out_leaves_trees_and_can_be_undone(tmp_path) -> None:
    made = run(
        "errors", "example:ud", "--top", 60, "--folds", 2, "--patch", tmp_path / "p",
        "--sheet", tmp_path / "s.tsv", "--page", tmp_path / "r.html", "-q",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert len((tmp_path / "s.tsv").read_text().splitlines()) == 61
    assert "Content-Security-Policy" in (tmp_path / "r.html").read_text()
    out, back = tmp_path / "out.conllu", tmp_path / "back.conllu"
    assert run("apply", tmp_path / "p", "example:ud", "-o", out).returncode == 0
    assert run("check", out).returncode == 0
    assert run("apply", tmp_path / "p", out, "--reverse", "-o", back).returncode == 0
    assert cg.read(back) == cg.read("example:ud")
    assert cg.read(out) != cg.read("example:ud")
    refused = run("apply", tmp_path / "p", out)
    assert refused.returncode == 2
    assert "; the patch is for '" in refused.stderr


@pytest.mark.long
def test_sentences_without_ids_are_named_by_their_place() -> None:
    text = "1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n2\t!\t!\tPUNCT\t_\t_\t1\tobj\t_\t_\n\n"
    file = text * 3 + text.replace("obj", "punct")
    errors = annotation_errors(cg.read_text(file), top=4, folds=2)
    assert {each.sentence for each in errors.suspects} <= {"#1", "#2", "#3", "#4"}
    patch = parse_patch(errors.patch().text())
    assert apply_patch(file.encode(), patch)[1] == []


def test_what_cannot_be_looked_at_is_told() -> None:
    one = run("errors", "example:ptb")
    assert one.returncode == 2
    assert "dependencies" in one.stderr
