"""The scheme of a treebank is recognised by its own heads, tags and labels."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, assert_silent_success, run

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.schemes.learning.evidence import evidence
from commonground.schemes.learning.recognition import recognise_scheme, recognise_scheme_or_none
from commonground.schemes.library import scheme_names
from commonground.schemes.tag_set import recognise
from commonground.schemes.transform import transform

UD = cg.read("example:ud")


def tree(text, heads):
    """Return a sentence of words with tags: ``in/ADP Rome/PROPN``."""
    words, tags = zip(*(each.rsplit("/", 1) for each in text.split()), strict=True)
    corpus = Dependencies.of([(words, heads, ["_"] * len(words))])
    return corpus.replace("words", upos=Strings.of(tags))


def seen(text, heads):
    corpus = tree(text, heads)
    return dict(evidence(corpus, recognise(corpus)))


@pytest.mark.parametrize("scheme", scheme_names())
def test_a_treebank_that_was_moved_into_a_scheme_is_recognised(scheme):
    result = recognise_scheme(transform(UD, "ud", scheme)[0])
    assert result.nearest == scheme
    assert result.share > 0.9
    assert result.looks() == f"looks like {scheme}, {100 * result.share:.0f} %"


@pytest.mark.parametrize("scheme", ["ud", "sud", "prague", "tut", "stanford", "lth"])
def test_labels_that_nobody_knows_leave_the_choices_to_tell(scheme):
    moved = transform(UD, "ud", scheme)[0]
    nameless = moved.replace("words", deprel=moved.deprel.map(lambda _: "?"))
    result = recognise_scheme(nameless)
    assert result.nearest == scheme
    assert result.choices == recognise_scheme(moved).choices


def test_a_treebank_in_a_scheme_of_its_own_is_recognised(shared):
    sud = cg.read(shared / "data/sequoia/sud.conllu")[:200]
    tut = cg.read(shared / "data/partut/it.tut.conll")[:200]
    assert (recognise_scheme(sud).nearest, recognise_scheme(tut).nearest) == ("sud", "tut")


COORDINATIONS = {
    "conjunction": ([2, 0, 2], "tea/NOUN and/CCONJ milk/NOUN"),
    "chain-conjunction": ([0, 1, 2], "tea/NOUN and/CCONJ milk/NOUN"),
    "first-flat chain-flat": ([0, 1, 1], "tea/NOUN and/CCONJ milk/NOUN"),
    "first chain": ([0, 3, 1], "tea/NOUN and/CCONJ milk/NOUN"),
    "first-flat": ([0, 1, 1, 1, 1], "tea/NOUN ,/PUNCT milk/NOUN and/CCONJ rum/NOUN"),
    "chain-flat": ([0, 1, 1, 3, 3], "tea/NOUN ,/PUNCT milk/NOUN and/CCONJ rum/NOUN"),
    "last last-flat": ([3, 3, 0], "tea/NOUN and/CCONJ milk/NOUN"),
    "first": ([0, 3, 1, 5, 1], "tea/NOUN ,/PUNCT milk/NOUN and/CCONJ rum/NOUN"),
    "chain": ([0, 3, 1, 5, 3], "tea/NOUN ,/PUNCT milk/NOUN and/CCONJ rum/NOUN"),
}


@pytest.mark.parametrize("ways", COORDINATIONS)
def test_conjuncts_tell_their_way_as_far_as_they_can(ways):
    heads, text = COORDINATIONS[ways]
    assert seen(text, heads)["coordination", tuple(ways.split())] == 1


@pytest.mark.parametrize(
    ("construction", "text", "content", "function"),
    [
        ("adposition", "go/VERB to/ADP Rome/PROPN", [0, 3, 1], [0, 1, 2]),
        ("determiner", "see/VERB the/DET city/NOUN", [0, 3, 1], [0, 1, 2]),
        ("auxiliary", "she/PRON has/AUX come/VERB", [3, 3, 0], [2, 0, 2]),
        ("copula", "she/PRON is/AUX old/ADJ", [3, 3, 0], [2, 0, 2]),
        ("subordinator", "say/VERB that/SCONJ she/PRON came/VERB", [0, 4, 4, 1], [0, 1, 4, 2]),
        ("infinitive", "want/VERB to/PART go/VERB", [0, 3, 1], [0, 1, 2]),
        ("opening", "And/CCONJ she/PRON came/VERB", [3, 3, 0], [0, 3, 1]),
    ],
)
def test_function_words_tell_who_heads_whom(construction, text, content, function):
    assert seen(text, content) == {(construction, ("content",)): 1}
    assert seen(text, function) == {(construction, ("function",)): 1}


def test_a_comma_hangs_on_what_it_sets_off_or_above_it():
    text = "She/PRON left/VERB ,/PUNCT saying/VERB nothing/NOUN"
    assert ("punctuation", ("inside",)) in seen(text, [2, 0, 4, 2, 4])
    assert ("punctuation", ("outside", "commas-outside")) in seen(text, [2, 0, 2, 2, 4])


def test_a_cycle_is_no_evidence():
    assert not seen("to/ADP Rome/PROPN", [2, 1])


def test_little_evidence_is_not_enough():
    result = recognise_scheme(tree("go/VERB to/ADP Rome/PROPN", [0, 1, 2]))
    assert not result.enough
    assert result.looks() == "too little evidence to say what it looks like: 1 of 40"


def test_unknown_tags_are_refused_or_tell_nothing():
    odd = tree("a/q1 b/q2", [0, 1])
    with pytest.raises(UsageError, match="belong to no known tag set"):
        recognise_scheme(odd)
    assert recognise_scheme_or_none(odd) is None
    assert recognise_scheme_or_none(cg.read("example:ptb")) is None


def test_the_commands_tell_what_a_file_looks_like():
    done = run("schemes", "learn", "example:sud", "--output-format", "json")
    assert_silent_success(done)
    data = json.loads(done.stdout)
    assert (data["nearest"], data["enough"]) == ("sud", True)
    assert data["choices"]["adposition"] == "function"
    assert data["choices"]["apposition"] is None
    assert data["evidence"]["adposition"]["function"] == data["pieces"]["adposition"]
    done = run("info", "example:sud", "--output-format", "json")
    assert json.loads(done.stdout)["files"][0]["looks_like"]["scheme"] == "sud"


def test_options_that_do_not_belong_together_are_refused():
    assert_refused(
        run("schemes", "learn", "example:sud", "--from", "ud"), "has no effect without --against"
    )
    refused = run("schemes", "learn", "example:sud", "--against", "example:ud", "--tags", "ud")
    assert_refused(refused, "--tagset has no effect")
    assert_refused(run("schemes", "learn", "example:ptb"), "FILE must have dependencies")
