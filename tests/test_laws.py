"""What must not change a score, and what must change it in a known way: laws over all metrics."""

from __future__ import annotations

import numpy as np
import pytest

from commonground import read, read_text
from commonground.corpus import Dependencies
from commonground.evaluation.evaluate import evaluate
from commonground.formats import write_text

PAIRS = {
    "dependencies": ("example:ud", "example:ud-parse"),
    "constituents": ("example:ptb", "example:ptb-parse"),
}


@pytest.fixture(params=PAIRS)
def pair(request):
    return tuple(read(path) for path in PAIRS[request.param])


def totals(gold, parse):
    """The sums of all counts of all metrics."""
    found = evaluate(gold, parse, metrics=("all",))
    return {name: dict(score.counts.totals) for name, score in found.systems[0].scores.items()}


def values(gold, parse):
    found = evaluate(gold, parse, metrics=("all",))
    return {name: score.value for name, score in found.systems[0].scores.items()}


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
        if value is not None and not name.startswith("crossing"):
            assert more[name] >= value - 1e-12, name


def test_other_names_of_the_labels_are_no_matter():
    gold, parse = (read(path) for path in PAIRS["dependencies"])

    def renamed(corpus):
        return corpus.replace("words", deprel=corpus.deprel.map(lambda text: f"x{text}"))

    same = {
        "uas",
        "las",
        "la",
        "undirected",
        "ned",
        "upos",
        "words",
        "tedeval",
        "tedeval_unlabelled",
    }
    before, after = values(gold, parse), values(renamed(gold), renamed(parse))
    assert {name: after[name] for name in same} == {name: before[name] for name in same}


def mirrored(corpus):
    """The sentences from right to left, with the same arcs."""
    found = []
    for sentence in corpus:
        forms, labels = sentence.column("form"), sentence.column("deprel")
        heads, length = sentence.column("head").tolist(), len(sentence)
        turned = [0 if head == 0 else length + 1 - head for head in heads]
        found.append((forms[::-1], turned[::-1], labels[::-1]))
    return Dependencies.of(found)


def test_a_mirrored_tree_scores_the_same():
    gold, parse = (read(path) for path in PAIRS["dependencies"])
    same = ("uas", "las", "la", "undirected", "ned", "tedeval", "tedeval_unlabelled")
    before, after = values(gold, parse), values(mirrored(gold), mirrored(parse))
    assert {name: after[name] for name in same} == {name: before[name] for name in same}


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
