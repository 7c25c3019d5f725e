"""Leaks between splits: sentences that stand in both, word by word or nearly."""

from __future__ import annotations

import json
from itertools import pairwise

from command import assert_refused, run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.tokens.near_duplicates import RUN, duplicates

SENTENCES = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9), max_size=12)


def runs(words):
    size = min(RUN, len(words))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


@given(SENTENCES, SENTENCES)
def test_the_same_sentences_are_all_found(sentences, others):
    there = {tuple(words) for words in others}
    leaks = duplicates(sentences, others)
    assert [bool(leak and leak.exact) for leak in leaks] == [tuple(w) in there for w in sentences]


@given(SENTENCES, SENTENCES)
def test_what_is_told_is_as_similar_as_it_says(sentences, others):
    for words, leak in zip(sentences, duplicates(sentences, others, 0.5), strict=True):
        if leak and not leak.exact:
            one, other = runs(words), runs(others[leak.place])
            assert min(len(one & other) / len(one | other), 0.999) == leak.similarity >= 0.5


def test_planted_near_duplicates_are_found():
    """A word changed at the end of a long sentence leaves nearly all of its runs as they are."""
    corpus = cg.read("example:ud")
    ends = corpus.offsets.tolist()
    forms = corpus.form.tolist()
    long = [forms[a:b] for a, b in pairwise(ends) if b - a >= 12]
    planted = [[*words[:-1], "PLANTED"] for words in long]
    leaks = duplicates(planted, long)
    assert all(leak and leak.place == number for number, leak in enumerate(leaks))
    assert not any(duplicates([words[::-1] for words in long], long))


def test_the_command_counts_and_writes_what_is_left(tmp_path):
    treebank = cg.read("example:ud")
    cg.write(treebank[:50], tmp_path / "train.conllu")
    cg.write(treebank[40:], tmp_path / "test.conllu")
    line = ("overlap", "train.conllu", "test.conllu", "--output-format", "json")
    done = run(*line, "--save-as", "clean.conllu", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert sum(each["exact"] for each in told["duplicates"]) == 10
    assert cg.read(tmp_path / "clean.conllu").sent_id.tolist() == treebank[50:].sent_id.tolist()
    assert_refused(run("overlap", "example:ud"), "two treebanks are needed")
