"""The common ground: the same parse scores the same in every scheme, and knows nothing for free."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, heads

from commonground import compare, read, read_text, to_functions, transform
from commonground.corpus import Dependencies, Functions
from commonground.metrics.functions.common_phrases import phrase_counts


def dependencies(trees):
    return Dependencies.of([(["w"] * len(tree), tree, ["x"] * len(tree)) for tree in trees])


@st.composite
def analyses(draw, number):
    """Some trees of each of a few sentences, as corpora."""
    lengths = draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))
    return [dependencies([draw(heads(length)) for length in lengths]) for _ in range(number)]


def totals(golds, parses):
    trees = [to_functions(each) for each in golds]
    result = phrase_counts(trees, [(to_functions(each), place) for each, place in parses])
    return [{name: list(c.totals.values()) for name, c in each.items()} for each in result]


@settings(max_examples=examples(100))
@given(analyses(3))
def test_every_gold_standard_has_all_of_the_common_ground(golds):
    for result in totals(golds, [(gold, place) for place, gold in enumerate(golds)]):
        assert result["attached"][0] == result["unlabelled"][0] == result["attached"][1]
        assert result["noise"][0] == 0


@settings(max_examples=examples(100))
@given(analyses(4))
def test_a_score_depends_on_no_other_parse(corpora):
    one, two, parse, other = corpora
    alone = totals([one, two], [(parse, 0)])[0]
    assert totals([two, one], [(other, 0), (parse, 1)])[1] == alone


@settings(max_examples=examples(100))
@given(analyses(3))
def test_attached_is_found_and_noise_is_what_no_gold_has(corpora):
    one, two, parse = corpora
    [result] = totals([one, two], [(parse, 0)])
    trees = [to_functions(each) for each in corpora]
    nodes = [
        {
            (sentence, text)
            for sentence, text, root in zip(
                tree.nodes.sentence_of_row().tolist(), tree.yields, tree.roots, strict=True
            )
            if not root and not text.isdigit()
        }
        for tree in trees
    ]
    common = nodes[0] & nodes[1]
    assert result["attached"][0] <= result["unlabelled"][0] == len(common & nodes[2])
    assert result["coverage"][:2] == [len(common), len(nodes[0])]
    assert result["noise"][:2] == [len(nodes[2] - common - nodes[0]), len(nodes[2])]


def test_a_parse_that_knows_nothing_gets_nothing():
    gold = read("example:ud")
    flat = [np.where(np.arange(n) == 0, 0, 1).tolist() for n in np.diff(gold.offsets)]
    know_nothing = Dependencies.of(
        [(s.column("form"), head, ["x"] * len(head)) for s, head in zip(gold, flat, strict=True)]
    )
    result = compare({"ud": ("example:ud", know_nothing), "ptb": ("example:ptb", "example:ptb")})
    assert result["ud"].multiple.unlabelled.value > 0.7
    assert result["ud"].common["attached"].value == 0


RIGHT = "(NP (DT the) (NN station)) (PP-TMP (IN at) (NP (CD 9:15)))"


def test_the_same_error_costs_the_same_in_both_frameworks():
    """'At 9:15' attached to 'station': MULTIPLE charges 6.7 and 3.0 points."""
    ptb = read("example:ptb")[50:51]
    text = (
        "(S (NP-SBJ (NP (DT The) (NN night) (NN train)) (PP-DIR (IN to) (NP (NNP Lisbon)))) "
        f"(VP (VBD left) (NP {RIGHT})) (. .))"
    )
    ud = tuple(read(side)["cg-51"].alone for side in ("example:ud", "example:ud-parse"))
    comparison = compare({"ud": ud, "ptb": (ptb, read_text(text))})
    lost = {s.name: s.common["attached"].counts.totals for s in comparison.systems}
    assert lost["ud"] == lost["ptb"] == {"correct": 2, "gold": 4, "system": 4}
    multiple = {s.name: 1 - s.multiple.unlabelled.value for s in comparison.systems}
    assert multiple["ud"] > 2 * multiple["ptb"]


def with_errors(gold, share, seed):
    """A parse: some words hang on their grandmother or on a sister, so that it is still a tree."""
    generator, head = np.random.default_rng(seed), gold.head.copy()
    for start, stop in zip(gold.offsets[:-1].tolist(), gold.offsets[1:].tolist(), strict=True):
        for word in range(stop - start):
            mother = int(head[start + word]) - 1
            if mother < 0 or generator.random() > share:
                continue
            sisters = np.flatnonzero(head[start:stop] == mother + 1)
            sister = int(generator.choice(sisters))
            if sister != word and generator.random() < 0.5:
                head[start + word] = sister + 1
            elif head[start + mother] > 0:
                head[start + word] = head[start + mother]
    return Dependencies({**gold.tables, "words": gold.words.replace(head=head)})


def unchanged(gold, parse, scheme):
    """Which sentences come back from a scheme, with equally many wrong heads in both."""

    def same(one, other):
        return np.add.reduceat((one.head != other.head).astype(int), gold.offsets[:-1])

    there = [transform(side, "ud", scheme)[0] for side in (gold, parse)]
    back = [transform(side, scheme, "ud")[0] for side in there]
    kept = (same(gold, back[0]) == 0) & (same(parse, back[1]) == 0)
    kept &= same(gold, parse) == same(*there)
    rows = np.flatnonzero(kept)
    return [side.take(rows) for side in (gold, parse, *there)]


@pytest.mark.parametrize("scheme", ["sud", "lth"])
def test_a_parse_does_not_beat_itself_in_another_scheme(shared, scheme):
    gold = read(shared / "data/ewt/dev.conllu")[:900]
    gold, parse, other_gold, other_parse = unchanged(gold, with_errors(gold, 0.12, 1), scheme)
    result = compare({"ud": (gold, parse), "other": (other_gold, other_parse)})
    claims = result.test("shuffle", iterations=1000, correction="none")
    p = {metric: tested.pairs[0].corrected for (metric, _), tested in claims.pairs.items()}
    assert p["common_attached"] > 0.05
    assert p["multiple_unlabelled"] < 0.01
    # It is significant, but no larger than what one error costs more in one scheme.
    different = {metric for (metric, _), each in claims.pairs.items() if each.pairs[0].different}
    assert not different & {"common_attached", "multiple_unlabelled"}


def test_common_ground_is_the_same_in_all_versions_of_the_protocol():
    systems = {
        "ud": ("example:ud", "example:ud-parse"),
        "ptb": ("example:ptb", "example:ptb-parse"),
    }
    one, two = (compare(systems, protocol=name) for name in ("2012", "2011"))
    for name in systems:
        for kind, score in one[name].common.items():
            assert score.counts.totals == two[name].common[kind].counts.totals


def test_words_that_a_sentence_does_not_have_make_a_node_wrong_but_still_a_mother():
    words = "a b c d e".split()
    gold = Functions.of([(words, [("1-5", ""), ("1-2", ""), ("3-5", ""), ("4-5", "")])])
    parse = Functions.of([(words, [("1-5", ""), ("1-2", ""), ("3-5,9", ""), ("4-5", "")])])
    [result] = phrase_counts([gold, gold], [(parse, 0)])
    assert result["attached"].totals == {"correct": 2, "gold": 3, "system": 3}
    assert result["noise"].totals["correct"] == 1
