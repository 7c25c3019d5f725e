"""Parses that segment the text in another way: they pay for it, and nobody else does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, heads

from commonground import compare, evaluate, read_text
from commonground.corpus import Dependencies
from commonground.metrics.settings import Settings

TEXT = "abcdefgh"
HEBREW = """\
1-3	bbit	_	_	_	_	_	_	_	_
1	b	_	ADP	_	_	3	case	_	_
2	h	_	DET	_	_	3	det	_	_
3	bit	_	NOUN	_	_	5	obl	_	_
4	gdwl	_	ADJ	_	_	3	amod	_	_
5	gr	_	VERB	_	_	0	root	_	_
6-7	hild	_	_	_	_	_	_	_	_
6	h	_	DET	_	_	7	det	_	_
7	ild	_	NOUN	_	_	5	nsubj	_	_

"""
"""'In the big house lives the child.'"""

WHOLE = Dependencies.of(
    [("bbit gdwl gr hild".split(), [0, 1, 1, 1], ["root", "dep", "dep", "dep"])]
)
"""A parse that splits no token and hangs everything on the first."""


@st.composite
def parses(draw):
    """A random tree over a random segmentation of one text."""
    cuts = sorted(draw(st.sets(st.integers(1, len(TEXT) - 1), min_size=1)))
    words = [TEXT[a:b] for a, b in zip([0, *cuts], [*cuts, len(TEXT)], strict=True)]
    labels = draw(st.lists(st.sampled_from("xy"), min_size=len(words), max_size=len(words)))
    return Dependencies.of([(words, draw(heads(len(words))), labels)])


def scores(system):
    names = {"single": system.single.both, "multiple": system.multiple.both, "own": system.common}
    return {way: {kind: s.counts.totals for kind, s in each.items()} for way, each in names.items()}


@settings(max_examples=examples(100))
@given(parses(), parses(), parses(), parses())
def test_a_score_is_the_same_whoever_else_is_there(gold, other_gold, parse, other):
    systems = {"one": (gold, parse), "two": (other_gold, other_gold)}
    alone = compare(systems, labels="own")["one"]
    among = compare({**systems, "three": (gold, other), "four": (other_gold, other)}, labels="own")
    assert scores(alone) == scores(among["one"])


@settings(max_examples=examples(100))
@given(parses(), parses(), parses())
def test_single_is_what_evaluate_says(gold, other_gold, parse):
    comparison = compare({"one": (gold, parse), "two": (other_gold, other_gold)}, labels="own")[
        "one"
    ]
    alone = evaluate(
        gold,
        parse,
        metrics=["tedeval", "tedeval_unlabelled", "words"],
        settings=Settings(on_mismatch="realign"),
    )
    assert comparison.single.labelled.counts.totals == alone["tedeval"].counts.totals
    assert comparison.single.unlabelled.counts.totals == alone["tedeval_unlabelled"].counts.totals
    assert (comparison.words.value if comparison.words else 1) == alone["words"].value


def test_a_parse_that_splits_nothing_is_below_any_that_does():
    gold = read_text(HEBREW, "conllu")
    segmented = read_text(HEBREW.replace("\t3\tamod", "\t5\tobl").replace("3\tdet", "5\tdet"))
    alone = compare({"segmented": (gold, segmented), "gold": (gold, gold)})
    comparison = compare(
        {"segmented": (gold, segmented), "gold": (gold, gold), "whole": (gold, WHOLE)}
    )
    assert scores(comparison["segmented"]) == scores(alone["segmented"])
    for kind in ("single", "multiple"):
        whole, better = (
            getattr(comparison[name], kind).unlabelled for name in ("whole", "segmented")
        )
        assert whole.value < 0.5 < better.value
    assert comparison["whole"].common["attached"].value == 0
    assert comparison["whole"].words.value == 2 * 2 / (7 + 4)
    table = comparison.tables()
    assert "Words" in table
    again = type(comparison).from_json(comparison.to_json())
    assert again["whole"].words.value == comparison["whole"].words.value


def test_a_word_that_is_a_whole_unit_of_the_gold_standards_is_that_unit():
    """French 'du' is two words in one gold standard and one in the other: both are right."""
    two = read_text(
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t3\tcase\t_\t_\n"
        "2\tle\t_\tDET\t_\t_\t3\tdet\t_\t_\n3\tpain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    one = Dependencies.of([(["du", "pain"], [2, 0], ["case", "root"])])
    comparison = compare({"split": (two, one), "joined": (one, one)}, labels="own")
    assert comparison["split"].multiple.unlabelled.value == 1
    assert comparison["split"].single.unlabelled.value < 1
