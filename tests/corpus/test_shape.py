"""Depth, projectivity, lengths and gaps, and the kernels that find them."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.corpus import Constituents, Dependencies, Relations, Strings, Table, shape
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError
from commonground.formats import read
from commonground.kernels import load

HEARING = (["A", "hearing", "is", "scheduled", "on", "the", "issue"], [2, 4, 4, 0, 7, 7, 2])
NAMES = ("cycles", "depth", "crossing")


@st.composite
def any_heads(draw):
    """The heads of a sentence: trees, cycles, several roots, unknown heads, whatever comes."""
    length = draw(st.integers(0, 9))
    lowest = draw(st.sampled_from([-1, 0]))
    return draw(st.lists(st.integers(lowest, length), min_size=length, max_size=length))


def climb(heads, word):
    """Return the words on the way up, the word included, and what ends it."""
    way = []
    while word > 0 and word not in way:
        way.append(word)
        word = heads[word - 1]
    return way, word


def slowly(heads):
    """Return what the three kernels must say about a sentence, straight from the definitions."""
    words = range(1, len(heads) + 1)
    ways = {word: climb(heads, word) for word in words}
    depth = {word: len(way) if end == 0 else -1 for word, (way, end) in ways.items()}

    def crosses(word):
        head = heads[word - 1]
        between = range(min(head, word) + 1, max(head, word))
        return (
            depth[word] > 0
            and head > 0
            and any(depth[w] > 0 and head not in ways[w][0] for w in between)
        )

    return (
        [ways[word][1] == word for word in words],
        [depth[word] for word in words],
        [crosses(word) for word in words],
    )


def buffers(sentences):
    heads = np.array([head for sentence in sentences for head in sentence], np.int32)
    return heads, offsets_of([len(sentence) for sentence in sentences])


def treebank(*sentences):
    return Dependencies.of([(forms, heads, ["_"] * len(forms)) for forms, heads in sentences])


def constituents(words, nodes, sentences=1):
    """Return `sentences` times the tree with these parents of words and of nodes."""
    return Constituents(
        {
            "words": Table(
                offsets_of([len(words)] * sentences),
                form=Strings.constant("w", len(words) * sentences),
                tag=Strings.constant("T", len(words) * sentences),
                parent=np.array(words * sentences, np.int32),
            ),
            "nodes": Table(
                offsets_of([len(nodes)] * sentences),
                label=Strings.constant("X", len(nodes) * sentences),
                parent=np.array(nodes * sentences, np.int32),
            ),
        }
    )


# ── the kernels ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("kernels")
class TestKernels:
    @given(sentences=st.lists(any_heads(), max_size=4))
    def test_they_say_what_the_definitions_say(self, sentences):
        expected = [list(chain(*column)) for column in zip(*map(slowly, sentences), strict=True)]
        results = [getattr(load("trees"), name)(*buffers(sentences)).tolist() for name in NAMES]
        assert results == (expected or [[], [], []])

    def test_types_are_those_of_the_columns(self):
        heads = buffers([[0, 1]])
        kinds = [getattr(load("trees"), name)(*heads).dtype for name in NAMES]
        assert kinds == [np.bool_, np.int32, np.bool_]

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize(
        ("heads", "offsets", "message"),
        [
            ([3], [0, 1], "no word of its sentence"),
            ([-2], [0, 1], "no word of its sentence"),
            ([0, 0], [0, 1], "offsets that do not fit their rows"),
            ([0], [0, 1, 3], "offsets that do not fit their rows"),
            ([0], [0, 2, 1], "offsets that do not fit their rows"),
        ],
    )
    def test_a_head_outside_of_the_sentence_is_refused(self, name, heads, offsets, message):
        with pytest.raises(ValueError, match=message):
            getattr(load("trees"), name)(np.array(heads, np.int32), np.array(offsets))

    def test_a_chain_of_ten_thousand_words_is_as_deep(self):
        heads, offsets = buffers([list(range(10_000))])
        trees = load("trees")
        assert trees.depth(heads, offsets).tolist() == list(range(1, 10_001))
        assert not trees.crossing(heads, offsets).any()
        assert not trees.cycles(heads, offsets).any()

    def test_a_cycle_of_ten_thousand_words_is_found_whole(self):
        heads, offsets = buffers([[10_000, *range(1, 10_000)]])
        assert load("trees").cycles(heads, offsets).all()
        assert (load("trees").depth(heads, offsets) == -1).all()

    @pytest.mark.long
    def test_a_million_words_on_one_head_are_projective(self):
        heads = np.ones(1_000_000, np.int32)
        heads[0] = 0
        assert not load("trees").crossing(heads, np.array([0, len(heads)])).any()


# ── dependencies ─────────────────────────────────────────────────────────────────────────────────


def test_an_arc_over_the_root_is_not_projective():
    result = shape.nonprojective_arcs(treebank(HEARING))
    assert result.tolist() == [False] * 6 + [True]


def test_an_arc_to_a_descendant_that_is_crossed_is_projective():
    """1 → 3 is crossed by 4 → 2, but 1 dominates all; only 4 → 2 covers a word that 4 does not."""
    corpus = treebank((["a", "b", "c", "d"], [0, 4, 1, 1]))
    assert shape.nonprojective_arcs(corpus).tolist() == [False, True, False, False]


def test_several_roots_are_projective_unless_an_arc_covers_one():
    assert shape.projective(treebank((["a", "b", "c"], [0, 0, 0]))).tolist() == [True]
    assert shape.projective(treebank((["a", "b", "c"], [3, 0, 0]))).tolist() == [False]


def test_what_is_not_attached_is_not_judged():
    corpus = treebank((["a", "b", "c", "d"], [3, -1, 0, 2]), (["a", "b", "c"], [3, 2, 0]))
    assert shape.projective(corpus).all()
    assert shape.word_depth(corpus).tolist() == [2, -1, 1, -1, 2, -1, 1]


def test_measures_of_sentences_have_one_entry_each_even_for_empty_ones():
    corpus = treebank(([], []), HEARING, ([], []), (["Hi"], [0]), (["?"], [-1]), ([], []))
    assert shape.depth(corpus).tolist() == [0, 4, 0, 1, 0, 0]
    assert shape.projective(corpus).tolist() == [True, False, True, True, True, True]


def test_nothing_at_all_has_no_shape():
    corpus = treebank(HEARING)[:0]
    assert len(shape.depth(corpus)) == len(shape.projective(corpus)) == 0


def test_the_length_of_an_arc_is_the_distance_of_its_words():
    corpus = treebank(HEARING, (["a", "b", "c"], [3, -1, 0]))
    assert shape.dependency_length(corpus).tolist() == [1, 2, 1, 0, 2, 1, 5, 2, 0, 0]


@given(st.lists(any_heads(), max_size=5), st.integers(0, 5), st.integers(0, 5))
def test_the_shape_of_a_part_is_a_part_of_the_shape(sentences, start, stop):
    corpus = treebank(*((["w"] * len(heads), heads) for heads in sentences))
    for measure in (shape.depth, shape.projective):
        assert measure(corpus[start:stop]).tolist() == measure(corpus)[start:stop].tolist()


def test_heads_may_be_any_kind_of_number_and_any_view():
    corpus = treebank(HEARING)
    heads = np.repeat(corpus.head.astype(np.int64), 2)[::2]
    assert shape.depth(corpus.replace("words", head=heads)).tolist() == [4]


def test_arcs_of_a_real_treebank_are_judged_as_the_definition_does(shared):
    corpus = read(shared / "data" / "pud" / "de.conllu")
    expected = [crosses for sentence in corpus for crosses in slowly(sentence.head.tolist())[2]]
    assert shape.nonprojective_arcs(corpus).tolist() == expected
    assert any(expected)


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


def test_the_depth_of_constituents_counts_phrases():
    corpus = constituents([1, 1, 2, 0], [-1, 0, 0], sentences=2)
    assert shape.depth(corpus).tolist() == [2, 2]
    assert shape.phrases(corpus).tolist() == [3, 3]


def test_a_phrase_with_a_gap_is_not_continuous():
    assert shape.continuous(constituents([1, 0, 1], [-1, 0])).tolist() == [False]
    assert shape.continuous(constituents([1, 1, 0], [-1, 0])).tolist() == [True]


def test_words_without_phrases_are_flat_and_continuous():
    corpus = constituents([-1, -1], [])
    assert shape.depth(corpus).tolist() == [0]
    assert shape.continuous(corpus).tolist() == [True]


def test_a_tree_five_thousand_deep_is_measured():
    corpus = constituents([4999], list(range(-1, 4999)))
    assert shape.depth(corpus).tolist() == [5000]
    assert shape.continuous(corpus).all()


def test_relations_have_no_depth():
    nothing = np.empty(0, np.int32)
    empty = Table([0], text=Strings.of([]), first=nothing, last=nothing)
    relations = Table([0], label=Strings.of([]), head=nothing, dependent=nothing)
    with pytest.raises(UsageError, match="relations are not trees"):
        shape.depth(Relations({"nodes": empty, "relations": relations}))
