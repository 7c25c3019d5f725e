"""Losses with known truth: what was planted is what the split finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus import Strings
from commonground.evaluation.loss_parts import loss_parts
from commonground.formats.objects import as_corpus
from commonground.metrics.settings import preset

GOLD, SUD = (cg.read(f"example:{name}")[:36] for name in ("ud", "sud"))


def text_of(sentences):
    """A treebank from its lines."""
    return as_corpus(
        "\n".join(["\n".join(map("\t".join, rows)) + "\n" for rows in sentences]) + "\n"
    )


def rows_of(corpus):
    """The rows of each sentence, as lists of columns."""
    blocks = cg.write_text(corpus, "conllu").strip("\n").split("\n\n")
    return [
        [
            [*columns[:8], "_", "_"]
            for columns in (line.split("\t") for line in block.split("\n"))
            if columns[0].isdigit()
        ]
        for block in blocks
    ]


PLAIN, PLAIN_SUD = (text_of(rows_of(corpus)) for corpus in (GOLD, SUD))
"""Without multiword tokens and empty nodes, which nothing is planted in."""


def below(rows, word, top):
    """Tell whether a word of a sentence hangs below another one."""
    while word not in (0, top):
        word = int(rows[word - 1][6])
    return word == top


def merged(corpus, every=3):
    """Return a parse in which some words are written together with the one before them."""
    sentences = []
    for number, rows in enumerate(rows_of(corpus)):
        if number % every or len(rows) < 4:
            sentences.append(rows)
            continue
        joined = rows[1][1] + rows[2][1]
        number_of = {str(n): str(n if n < 3 else n - 1) for n in range(len(rows) + 1)}
        kept = [rows[0], [*rows[1][:1], joined, *rows[1][2:]], *rows[3:]]
        head = rows[2][6] if below(rows, 2, 3) else rows[1][6]
        kept[1] = [*kept[1][:6], head, *kept[1][7:]]
        sentences.append(
            [
                [str(place), *row[1:6], number_of[row[6]], *row[7:]]
                for place, row in enumerate(kept, 1)
            ]
        )
    return text_of(sentences)


def split(corpus, every=4):
    """Return a parse in which some sentences end in the middle; heads are right where they can be."""
    sentences = []
    for number, rows in enumerate(rows_of(corpus)):
        if number % every or len(rows) < 4:
            sentences.append(rows)
            continue
        cut = len(rows) // 2
        for part in (rows[:cut], rows[cut:]):
            first, last = int(part[0][0]), int(part[-1][0])
            heads = [int(row[6]) for row in part]
            inside = [first <= head <= last for head in heads]
            root = next((i for i, head in enumerate(heads) if head == 0), None)
            root = root if root is not None else inside.index(False)
            made = []
            for place, (row, head) in enumerate(zip(part, heads, strict=True)):
                own = 0 if place == root else (head - first + 1 if inside[place] else root + 1)
                label = "root" if own == 0 else row[7] if row[7] != "root" else "dep"
                made.append([str(place + 1), *row[1:6], str(own), label, *row[8:]])
            sentences.append(made)
    return text_of(sentences)


def with_wrong_labels(corpus, share, seed=0):
    """Return a parse in which a share of the labels is wrong, each in its own way."""
    random = np.random.default_rng(seed)
    labels = np.array(corpus.deprel.tolist(), object)
    names = sorted(set(labels.tolist()))
    wrong = random.random(len(labels)) < share
    other = [
        names[(names.index(label) + 1 + int(random.integers(len(names) - 1))) % len(names)]
        for label in labels[wrong]
    ]
    labels[wrong] = other
    return corpus.replace("words", deprel=Strings.of(labels.tolist()))


def points(parts):
    return {name: round(value, 1) for name, value in parts.in_points().items()}


def test_a_system_that_is_right_loses_nothing():
    for parts in loss_parts(GOLD, GOLD).values():
        assert parts.lost == parts.segmentation == parts.convention == parts.errors == 0


@pytest.mark.parametrize("plant", [merged, split])
def test_what_only_segmentation_makes_impossible_is_segmentation(plant):
    parse = plant(PLAIN)
    parts = loss_parts(PLAIN, parse)["las"]
    assert parts.points(parts.lost) > 2
    assert parts.segmentation == parts.lost
    assert parts.convention == parts.errors == 0


@pytest.mark.long
def test_a_scheme_of_its_own_is_convention_and_errors_on_top_of_it_are_errors():
    assert points(loss_parts(GOLD, SUD)["las"])["error"] < 0.5
    found = loss_parts(GOLD, with_wrong_labels(SUD, 0.1))["las"]
    assert found.in_points()["error"] == pytest.approx(10, abs=3)
    assert found.convention > 4 * found.errors


def test_scattered_errors_are_errors():
    parts = loss_parts(GOLD, with_wrong_labels(GOLD, 0.15))["las"]
    assert parts.errors == pytest.approx(parts.lost, rel=0.05)


@pytest.mark.long
def test_all_three_at_once_are_told_apart():
    parse = merged(with_wrong_labels(PLAIN_SUD, 0.08, seed=3))
    found = points(loss_parts(PLAIN, parse)["las"])
    alone = points(loss_parts(PLAIN, merged(PLAIN_SUD))["las"])
    assert found["segmentation"] == pytest.approx(alone["segmentation"], abs=2)
    assert found["error"] == pytest.approx(8, abs=3)
    assert found["convention"] > 40


def _wrong_tags(rows):
    return Strings.of(
        ["X" if wrong else tag for tag, wrong in zip(GOLD.upos.tolist(), rows, strict=True)]
    )


def test_wrong_tags_count_where_errors_go_with_them_and_not_elsewhere():
    random = np.random.default_rng(1)
    wrong = random.random(GOLD.words.rows) < 0.1
    labels = ["wrong" if w else label for label, w in zip(GOLD.deprel.tolist(), wrong, strict=True)]
    together = GOLD.replace("words", upos=_wrong_tags(wrong), deprel=Strings.of(labels))
    parts = loss_parts(GOLD, together)["las"]
    assert parts.tags == pytest.approx(parts.lost, rel=0.2)
    apart = with_wrong_labels(GOLD, 0.1).replace("words", upos=_wrong_tags(wrong))
    parts = loss_parts(GOLD, apart)["las"]
    assert parts.tags < 0.15 * parts.lost


@pytest.mark.long
def test_a_system_that_knows_nothing_has_no_convention_of_its_own():
    chain = np.maximum(GOLD.words.row_in_sentence(), 0).astype(np.int32)
    parse = GOLD.replace("words", head=chain, deprel=Strings.constant("dep", GOLD.words.rows))
    parts = loss_parts(GOLD, parse)["las"]
    assert parts.convention == parts.segmentation == 0
    assert parts.points(parts.lost) > 90


@pytest.mark.long
@given(seed=st.integers(0, 1 << 30), share=st.floats(0, 0.5))
def test_the_parts_add_up_to_the_loss_that_the_shared_task_counts(seed, share):
    gold = PLAIN[:5]
    parse = merged(with_wrong_labels(split(gold, every=5), share, seed), every=2)
    scores = cg.evaluate(gold, parse, metrics=["las", "clas"], settings=preset("conll18"))
    for metric, parts in loss_parts(gold, parse).items():
        whole = parts.segmentation + parts.convention + parts.tags + parts.errors
        assert whole == pytest.approx(parts.lost)
        assert parts.lost == parts.items - round(scores[metric].value * parts.items)
        assert min(parts.segmentation, parts.tags, parts.errors) >= 0
