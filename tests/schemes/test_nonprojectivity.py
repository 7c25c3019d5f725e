"""Measures of non-projectivity against their definitions."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads as random_heads

from commonground.corpus import Dependencies
from commonground.corpus.shape import projective
from commonground.formats import read, write_text
from commonground.schemes.nonprojectivity import measures, nonprojectivity

HEARING = ("A hearing is scheduled on the issue today".split(), [2, 4, 4, 0, 7, 7, 2, 4])


def treebank(*trees):
    return Dependencies.of([(["w"] * len(tree), tree, ["x"] * len(tree)) for tree in trees])


TREES = st.lists(st.integers(1, 9).flatmap(random_heads), max_size=3)


@st.composite
def any_heads(draw):
    length = draw(st.integers(1, 8))
    return draw(st.lists(st.integers(-1, length), min_size=length, max_size=length))


# ── the definitions, word by word ────────────────────────────────────────────────────────────────


def ways(heads):
    """Return for each attached word all words on its way up, itself included."""
    names = {}
    for word in range(1, len(heads) + 1):
        way, at = [], word
        while at > 0 and at not in way:
            way.append(at)
            at = heads[at - 1]
        if at == 0:
            names[word] = way
    return names


def yields(heads):
    up = ways(heads)
    return {word: sorted(w for w in up if word in up[w]) for word in up}


def gaps(heads):
    """Return the gap of each non-projective arc, by its word."""
    up = ways(heads)
    names = {}
    for word in up:
        head = heads[word - 1]
        if head:
            between = range(min(word, head) + 1, max(word, head))
            names[word] = {w for w in between if w in up and head not in up[w]}
    return {word: gap for word, gap in names.items() if gap}


def components(nodes, heads):
    """Return how many connected pieces some words make, looking at arcs in both directions."""
    left, count = set(nodes), 0
    while left:
        count += 1
        reached = [left.pop()]
        for word in reached:
            near = {w for w in left if heads[w - 1] == word or heads[word - 1] == w}
            left -= near
            reached += near
    return count


def runs(words, attached):
    """Return how many gaps a yield has; a word that is not attached leaves none."""
    between = (range(a + 1, b) for a, b in pairwise(words))
    return sum(any(w in attached for w in gap) for gap in between)


def interleave(one, two):
    return any(
        a < b < c < d
        for x, y in ((one, two), (two, one))
        for a in x
        for c in x
        if a < c
        for b in y
        for d in y
    )


def slowly(heads):
    up, below, result = ways(heads), yields(heads), gaps(heads)
    disjoint = [(a, b) for a in up for b in up if a < b and a not in up[b] and b not in up[a]]
    return {
        "gap": max((runs(words, up) for words in below.values()), default=0),
        "edge": max((components(gap, heads) for gap in result.values()), default=0),
        "nested": not any(interleave(below[a], below[b]) for a, b in disjoint),
        "degrees": [components(result[word], heads) for word in sorted(result)],
        "types": [len(up[word]) - min(len(up[w]) for w in result[word]) for word in sorted(result)],
    }


def quickly(corpus):
    result = measures(corpus)
    sentence = corpus.words.sentence_of_row()[result.row]
    return [
        {
            "gap": result.gap_degree[place],
            "edge": result.edge_degree[place],
            "nested": result.well_nested[place],
            "degrees": result.arc_degree[sentence == place].tolist(),
            "types": result.level_type[sentence == place].tolist(),
        }
        for place in range(len(corpus))
    ]


@given(TREES)
def test_trees_are_measured_as_the_definitions_say(trees):
    assert quickly(treebank(*trees)) == [slowly(tree) for tree in trees]


@given(any_heads())
def test_what_is_not_attached_takes_no_part(heads):
    assert quickly(treebank(heads)) == [slowly(heads)]


@given(TREES)
def test_degree_0_means_projective(trees):
    corpus = treebank(*trees)
    result = measures(corpus)
    assert ((result.gap_degree == 0) == projective(corpus)).all()
    assert ((result.edge_degree == 0) == projective(corpus)).all()
    assert result.well_nested[projective(corpus)].all()


def test_a_sentence_that_is_ill_nested():
    """1 → 3 and 2 → 4 below a root at the end: the yields {1, 3} and {2, 4} interleave."""
    result = measures(treebank([5, 5, 1, 2, 0]))
    assert result.well_nested.tolist() == [False]
    assert result.gap_degree.tolist() == [1]


def test_a_yield_with_two_gaps():
    """The yield of 1 is {1, 3, 5}, the rest hangs on the root 6."""
    result = measures(treebank([6, 6, 1, 6, 1, 0]))
    assert result.gap_degree.tolist() == [2]
    assert result.edge_degree.tolist() == [2]
    assert result.level_type.tolist() == [1, 1]


def test_a_level_type_can_be_negative():
    """1 → 3 covers 2, which hangs at the end of a chain 4 → 5 → 6 → 2 below the same root."""
    result = measures(treebank([4, 6, 1, 0, 4, 5]))
    assert result.row.tolist() == [1, 2]
    assert result.level_type.tolist()[1] == -1


def test_summaries_of_parts_add_up():
    corpus = treebank([5, 5, 1, 2, 0], HEARING[1], [0], [6, 6, 1, 6, 1, 0])
    assert nonprojectivity(corpus[:2]) + nonprojectivity(corpus[2:]) == nonprojectivity(corpus)
    result = nonprojectivity(corpus)
    assert result.gap_degree == {0: 1, 1: 2, 2: 1}
    assert result.ill_nested == 1
    assert sum(result.level_type.values()) == result.arcs == 5
    assert json.loads(json.dumps(result.to_json()))["gap_degree"] == {"0": 1, "1": 2, "2": 1}


def test_nothing_has_no_degree():
    result = nonprojectivity(treebank([0])[:0])
    assert (result.sentences, result.gap_degree, result.arcs) == (0, {}, 0)


@pytest.mark.long
def test_a_long_tangled_sentence_is_measured():
    length = 3_000
    order = np.random.default_rng(1).permutation(length) + 1
    chain, branching = np.zeros((2, length), np.int64)
    chain[order[1:] - 1] = order[:-1]
    branching[order[1:] - 1] = order[np.arange(length - 1) // 2]
    result = measures(treebank(chain.tolist(), branching.tolist()))
    assert (result.gap_degree > 500).all()
    assert result.well_nested.tolist() == [True, False]


def test_real_trees_are_measured_as_the_definitions_say(shared):
    corpus = read(shared / "data" / "sequoia" / "sud.conllu")
    corpus = corpus[~projective(corpus) & (corpus.words.lengths < 30)]
    assert len(corpus) > 10
    assert quickly(corpus) == [slowly(sentence.head.tolist()) for sentence in corpus]


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────


def test_info_shows_the_measures_when_asked():
    plain = run("info", "example:ud")
    done = run("info", "example:ud", "--nonprojectivity")
    assert_silent_success(done)
    assert done.stdout.startswith(plain.stdout)
    assert "gap degree 1 (sentences)" in done.stdout
    assert "back with head+path" in done.stdout


def test_info_adds_up_several_files():
    done = run(
        "info", "example:ud", "example:ud-parse", "--nonprojectivity", "--output-format", "json"
    )
    assert_silent_success(done)
    files = json.loads(done.stdout)["files"]
    assert files[0]["nonprojectivity"]["gap_degree"] == {"0": 61, "1": 3}
    assert files[0]["nonprojectivity"]["recovery"]["shares"]["head"] == 1
    text = run("info", "example:ud", "example:ud-parse", "--nonprojectivity").stdout
    assert "all" in text.rpartition("Non-projectivity\n")[2].partition("\n")[0]


def test_info_cannot_measure_constituents():
    done = run("info", "example:ptb", "--nonprojectivity")
    assert_refused(done, "only dependencies are projective or not, and these are constituents")


def test_info_measures_standard_input():
    treebank = run("convert", "example:ud", "-", "--to", "conllu").stdout.encode()
    done = run("info", "-", "--nonprojectivity", stdin=treebank)
    assert_silent_success(done)
    assert "gap degree 1 (sentences)" in done.stdout


def test_sentences_with_a_cycle_are_counted_and_told(tmp_path):
    corpus = treebank([2, 1, 0], HEARING[1])
    assert nonprojectivity(corpus).cyclic == 1
    assert (nonprojectivity(corpus) + nonprojectivity(corpus)).to_json()["cyclic"] == 2
    source = write(tmp_path / "in.conllu", write_text(corpus, "conllu"))
    done = run("info", source, "--nonprojectivity")
    assert_silent_success(done)
    assert "sentences with a cycle" in done.stdout
    assert "sentences with a cycle" not in run("info", "example:ud", "--nonprojectivity").stdout
