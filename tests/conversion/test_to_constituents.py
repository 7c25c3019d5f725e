"""Dependency trees as brackets."""

from __future__ import annotations

import numpy as np
import pytest
import strategies
from hypothesis import given

import commonground as cg
from commonground.errors import InputError, UsageError

CAT = """\
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tsat\tsit\tVERB\tVBD\t_\t0\troot\t_\t_
4\ton\ton\tADP\tIN\t_\t6\tcase\t_\t_
5\tthe\tthe\tDET\tDT\t_\t6\tdet\t_\t_
6\tmat\tmat\tNOUN\tNN\t_\t3\tobl\t_\t_
7\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""


def brackets(text):
    result, moves = cg.to_constituents(cg.read_text(text))
    return cg.write_text(result, "brackets").strip(), moves


def test_a_word_with_dependents_heads_a_flat_phrase():
    text, moves = brackets(CAT)
    assert text == (
        "(S (NP-nsubj (DT The) (NN cat)) (VBD sat) (NP-obl (IN on) (DT the) (NN mat)) (. .))"
    )
    assert moves.arcs == 0


def test_a_treebank_without_universal_tags_has_categories_too():
    text, _ = brackets(CAT.replace("NOUN", "_"))
    assert "(NP-nsubj" in text


def test_a_treebank_without_tags_of_its_own_has_the_universal_ones():
    lines = [line.split("\t") for line in CAT.strip().split("\n")]
    plain = "".join("\t".join([*line[:4], "_", *line[5:]]) + "\n" for line in lines) + "\n"
    assert "(DET The) (NOUN cat)" in brackets(plain)[0]


def test_an_arc_that_crosses_others_is_lifted_and_counted():
    crossing = CAT.replace("\t6\tdet", "\t2\tdet")
    text, moves = brackets(crossing)
    assert (moves.arcs, moves.sentences) == (2, 1)  # on, shorter than the, and the
    assert text.count("(") == text.count(")")


def test_a_circle_and_a_partial_tree_are_refused():
    circle = cg.Dependencies.of([(["a", "b", "c"], [2, 1, 0], ["x", "x", "root"])])
    with pytest.raises(InputError, match=r"<memory>.*: sentence 1 has a cycle; trees are needed"):
        cg.to_constituents(circle)
    partial = cg.Dependencies.of([(["a", "b"], [0, -1], ["root", "_"])])
    with pytest.raises(UsageError, match="a word without a head"):
        cg.to_constituents(partial)


def test_comments_are_kept_and_an_empty_treebank_is_one():
    whole = cg.read("example:ud")
    result, _ = cg.to_constituents(whole)
    assert result.sent_id == whole.sent_id
    assert len(cg.to_constituents(whole[:0])[0]) == 0


@given(data=strategies.conllu_files())
def test_each_phrase_is_what_its_head_dominates(data):
    corpus = cg.read_text(data, "conllu")
    result, moves = cg.to_constituents(corpus)
    assert result.form == corpus.form
    assert result.nodes.rows <= corpus.words.rows
    if not moves.arcs:
        for place in range(len(corpus)):
            assert yields(result[place]) == subtrees(corpus[place].head)


def yields(sentence):
    """The words below each phrase, as sets."""
    parents = sentence.column("parent", "nodes").tolist()
    results = [set() for _ in parents]
    for word, top in enumerate(sentence.column("parent").tolist(), 1):
        parent = top
        while parent >= 0:
            results[parent].add(word)
            parent = parents[parent]
    return {frozenset(words) for words in results}


def subtrees(heads):
    """The words that each word with dependents, or without a head, dominates."""
    names = {}
    for word in range(1, len(heads) + 1):
        above = word
        while above:
            names.setdefault(above, set()).add(word)
            above = int(heads[above - 1])
    return {
        frozenset(words)
        for word, words in names.items()
        if len(words) > 1 or np.asarray(heads)[word - 1] == 0
    }
