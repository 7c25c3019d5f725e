"""Transformations of real treebanks: second analyses of the same words, there and back."""

from __future__ import annotations

import numpy as np
import pytest

import commonground
from commonground.corpus import Dependencies
from commonground.corpus.shape import word_depth
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform


def same(one, other):
    """Return which rows of two columns of text read the same."""
    return np.array([a == b for a, b in zip(one.tolist(), other.tolist(), strict=True)])


@pytest.fixture(scope="module")
def sequoia(shared):
    folder = shared / "data/sequoia"
    return {name: commonground.read(folder / f"{name}.conllu") for name in ("ud", "sud")}


@pytest.mark.parametrize(("source", "target"), [("ud", "sud-comp"), ("sud", "ud")])
def test_the_heads_and_labels_of_a_second_analysis_are_found(sequoia, source, target):
    """The issue asks for 97 % of heads and 90 % of labels; before, about half of the heads agree."""
    gold = sequoia[target.removesuffix("-comp")]
    assert (sequoia[source].head == gold.head).mean() < 0.53
    done, _ = transform(sequoia[source], source, target)
    assert (done.head == gold.head).mean() >= 0.98
    assert same(done.deprel, gold.deprel).mean() >= 0.98


def test_the_heads_of_the_example_are_those_written_by_hand():
    ud, sud = (commonground.read(f"example:{name}") for name in ("ud", "sud"))
    done, _ = transform(ud, "ud", "sud")
    assert done.head.tolist() == sud.head.tolist()


@pytest.fixture(scope="module")
def ewt(shared):
    """Every third sentence of a real treebank: enough to see one word in a hundred."""
    return commonground.read(shared / "data/ewt/dev.conllu")[::3]


@pytest.mark.parametrize("name", [name for name in scheme_names() if name != "ud"])
def test_the_choices_of_a_scheme_lose_less_than_two_percent_of_the_words(ewt, name):
    """Heads and labels, with the labels of UD: what the labels of a scheme lose is its own affair."""
    choices = dict(find_scheme(name).choices)
    choices.pop(
        "punctuation", None
    )  # a mark beside two phrases does not tell which one it sets off
    scheme = Scheme(name, choices=choices, comma=find_scheme(name).comma)
    there, report = transform(ewt, "ud", scheme, losses=True)
    assert (word_depth(there) > 0).all()
    assert report.losses.share < 0.02


def test_sud_loses_less_than_one_percent_of_heads_and_labels_together(ewt):
    _, report = transform(ewt, "ud", "sud", losses=True)
    assert report.losses.share < 0.01


@pytest.mark.parametrize("language", ["en", "de", "it", "sv"])
def test_heads_there_and_back_in_other_languages(shared, language):
    corpus = commonground.read(shared / f"data/pud/{language}.conllu")
    _, report = transform(corpus, "ud", "sud-comp", losses=True)
    assert report.losses.heads < 0.002 * corpus.words.rows
    assert report.losses.share < 0.025


@pytest.mark.parametrize("language", ["en", "it"])
def test_complements_of_function_words_are_told_from_objects(shared, language):
    """Both are comp:obj; a verb that stands for an adposition (*including*) is not told."""
    corpus = commonground.read(shared / f"data/pud/{language}.conllu")
    _, report = transform(corpus, "ud", "sud", losses=True)
    assert report.losses.heads < 0.0035 * corpus.words.rows


def test_heads_there_and_back_in_gum(shared):
    files = sorted((shared / "data/gum/dep").glob("*.conllu"))[::3]
    corpus = Dependencies.concatenate([commonground.read(path) for path in files])
    _, report = transform(corpus, "ud", "sud", losses=True)
    assert report.losses.share < 0.01
