"""What must not change a score, and what must change it in a known way: laws over all metrics."""

from __future__ import annotations

import numpy as np
import pytest
from graph_samples import TWO_GRAPHS

from commonground import read, read_text
from commonground.corpus import Dependencies
from commonground.evaluation.evaluate import evaluate
from commonground.formats import write_text
from commonground.ground import to_functions
from commonground.metrics.registry import _MODULES, explained

PAIRS = {
    "dependencies": ("example:ud", "example:ud-parse"),
    "constituents": ("example:ptb", "example:ptb-parse"),
}


TEXTS = {
    "alignments": ("pharaoh", "0-0 1-1\n0-1\n0-0 2-1\n", "0-0 1-0\n0-1 1-1\n2-1\n"),
    "graphs": ("mrp", TWO_GRAPHS, TWO_GRAPHS.replace('"sing', '"song')),
    "relations": (
        "stanford",
        "nsubj(a-2, b-1)\n\nobj(c-1, d-2)\ndet(d-2, e-3)\n",
        "nsubj(a-2, b-1)\nobj(a-2, b-1)\n\nobj(c-1, d-2)\n",
    ),
}


@pytest.fixture(params=sorted(_MODULES))
def pair(request):
    """A gold standard and a parse of each kind of corpus that has metrics."""
    kind = request.param
    if kind in TEXTS:
        name, *texts = TEXTS[kind]
        return tuple(read_text(text, name) for text in texts)
    if kind == "functions":
        return tuple(to_functions(read(path)) for path in PAIRS["dependencies"])
    return tuple(read(path) for path in PAIRS[kind])


def totals(gold, parse):
    """The sums of all counts of all metrics."""
    result = evaluate(gold, parse, metrics=("all",))
    return {name: dict(score.counts.totals) for name, score in result.systems[0].scores.items()}


def values(gold, parse):
    result = evaluate(gold, parse, metrics=("all",))
    return {name: score.value for name, score in result.systems[0].scores.items()}


def sign_of(name):
    """1 for a metric whose best score is the highest one, −1 for one of mistakes."""
    return next(iter(explained(name).values()))[0].sign


def test_the_order_of_the_sentences_is_no_matter(pair):
    gold, parse = pair
    order = np.arange(len(gold))[::-1]
    assert totals(gold.take(order), parse.take(order)) == totals(gold, parse)


def test_counts_of_parts_add_up_to_those_of_the_whole(pair):
    gold, parse = pair
    half = len(gold) // 2
    whole = totals(gold, parse)
    parts = [totals(gold[:half], parse[:half]), totals(gold[half:], parse[half:])]
    for metric, counts in whole.items():
        for name, number in counts.items():
            assert sum(part[metric][name] for part in parts) == number, (metric, name)


def test_no_score_falls_when_a_right_sentence_is_added(pair):
    gold, parse = pair
    before = values(gold, parse)
    kind = type(gold)
    more = values(kind.concatenate([gold, gold[:1]]), kind.concatenate([parse, gold[:1]]))
    for name, value in before.items():
        if value is not None:
            assert sign_of(name) * (more[name] - value) >= -1e-12, name


KNOW_LABELS = {"ned_disputed", "clas", "mlas", "blex"}
"""The metrics that know the labels of Universal Dependencies."""


def test_other_names_of_the_labels_are_no_matter():
    gold, parse = (read(path) for path in PAIRS["dependencies"])

    def renamed(corpus):
        return corpus.replace("words", deprel=corpus.deprel.map(lambda text: f"x{text}"))

    before, after = values(gold, parse), values(renamed(gold), renamed(parse))
    changed = {name for name, value in before.items() if after[name] != value}
    assert changed <= KNOW_LABELS


def mirrored(corpus):
    """The sentences from right to left, with the same arcs."""
    results = []
    for sentence in corpus:
        forms, labels = sentence.column("form"), sentence.column("deprel")
        heads, length = sentence.column("head").tolist(), len(sentence)
        turned = [0 if head == 0 else length + 1 - head for head in heads]
        results.append((forms[::-1], turned[::-1], labels[::-1]))
    return Dependencies.of(results)


def test_a_mirrored_tree_scores_the_same():
    gold, parse = (read(path) for path in PAIRS["dependencies"])
    before, after = values(gold, parse), values(mirrored(gold), mirrored(parse))
    changed = {name for name, value in before.items() if after[name] != value}
    graphs = {"elas", "eulas", "mslas", "ms_las", "ms_feats"}  # empty nodes are not mirrored here
    assert changed <= graphs


def test_filters_leave_out_the_same_words_on_both_sides(pair):
    gold, parse = pair
    for metric, counts in totals(gold, parse).items():
        if {"correct", "gold", "system"} <= set(counts):
            assert 0 <= counts["correct"] <= min(counts["gold"], counts["system"]), metric


@pytest.mark.parametrize("name", ["conllu", "conllup", "conllx", "conll2008", "conll2009"])
def test_there_and_back_no_score_has_changed(name):
    gold, parse = (read(path) for path in PAIRS["dependencies"])
    back = [read_text(write_text(corpus, name), name) for corpus in (gold, parse)]
    same = ("uas", "las", "la", "undirected", "ned")
    before, after = values(gold, parse), values(*back)
    assert {metric: after[metric] for metric in same} == {metric: before[metric] for metric in same}


@pytest.mark.parametrize("name", ["brackets", "discbracket", "export", "tigerxml"])
def test_there_and_back_no_phrase_has_changed(name):
    gold, parse = (read(path) for path in PAIRS["constituents"])
    if name in ("export", "tigerxml"):  # they keep an edge beside the label
        gold = read_text(write_text(gold, name), name)
        parse = read_text(write_text(parse, name), name)
    back = [read_text(write_text(corpus, name), name) for corpus in (gold, parse)]
    assert values(*back) == values(gold, parse)


@pytest.mark.parametrize("scheme", ["ud", "sud", "stanford", "conll07"])
def test_a_transformation_to_its_own_scheme_changes_nothing(scheme):
    from commonground.schemes.library import find_scheme
    from commonground.schemes.transform import transform

    corpus = read("example:ud")
    chosen = find_scheme(scheme)
    first = corpus if scheme == "ud" else transform(corpus, find_scheme("ud"), chosen)[0]
    again, *_ = transform(first, chosen, chosen)
    assert again.head.tolist() == first.head.tolist()
    assert again.deprel.tolist() == first.deprel.tolist()
