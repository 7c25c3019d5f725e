"""PARSEVAL on trees that are small enough to count by hand, and on random ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_pairs import expected, pairs, trees_of

from commonground import InputError, UsageError, read_text
from commonground.corpus.labels import split_label
from commonground.evaluation.evaluate import evaluate
from commonground.kernels import built, load
from commonground.metrics.constituents.brackets import ROOTS
from commonground.metrics.constituents.parseval import METRICS, labelled, unlabelled
from commonground.metrics.constituents.prepare import compared
from commonground.metrics.items import Items
from commonground.metrics.settings import Settings

NAMES = tuple(metric.name for metric in METRICS)


def trees(text, format="brackets"):
    return read_text(text, format=format)


def scores(gold, parse, **settings):
    result = evaluate(trees(gold), trees(parse), metrics=NAMES, settings=Settings(**settings))
    return {name: score.value for name, score in result.systems[0].scores.items()}


def totals(gold, parse, **settings):
    pair, _ = compared(trees(gold), trees(parse), Settings(**settings))
    result = labelled(pair).counts.totals
    return result["correct"], result["gold"], result["system"]


CAT = "(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog))))"


# ── by hand ──────────────────────────────────────────────────────────────────────────────────────


def test_the_example_of_the_explanations(kernels):
    result = scores(CAT, "(S (NP (D the) (N cat) (V saw)) (NP (D a) (N dog)))")
    assert result["parseval_precision"] == pytest.approx(2 / 3)
    assert result["parseval_recall"] == 0.5
    assert result["parseval_f1"] == pytest.approx(4 / 7)
    assert result["crossing_brackets"] == 1
    assert result["no_crossing"] == 0
    assert result["two_or_less_crossing"] == 1
    assert result["parseval_exact_match"] == 0
    assert result["tagging"] == 1


def test_a_wrong_label_is_wrong_only_with_labels(kernels):
    result = scores(CAT, CAT.replace("VP", "XP"))
    assert (result["parseval_f1"], result["parseval_unlabelled_f1"]) == (0.75, 1)
    assert (result["parseval_exact_match"], result["parseval_unlabelled_exact_match"]) == (0, 1)


def test_brackets_count_as_often_as_they_are_there(kernels):
    assert totals("(S (NP (NP (N dogs))))", "(S (NP (N dogs)))") == (2, 3, 2)
    assert totals("(S (NP (N dogs)))", "(S (NP (NP (N dogs))))") == (2, 2, 3)


def test_the_order_of_a_unary_chain_does_not_matter(kernels):
    assert totals("(S (X (Y (N a))))", "(Y (S (X (N a))))") == (3, 3, 3)


@pytest.mark.parametrize("root", ["TOP", "ROOT", "S1", "VROOT", ""])
def test_the_root_does_not_count(root):
    assert totals(f"({root} {CAT})", f"(TOP {CAT})") == (4, 4, 4)


def test_functions_count_only_when_they_are_kept():
    gold, parse = "(S (NP-SBJ-1 (N a)) (V b))", "(S (NP (N a)) (V b))"
    assert totals(gold, parse) == (2, 2, 2)
    assert totals(gold, parse, functions=True) == (1, 2, 2)


def test_tags_are_cut_at_their_functions_too():
    assert scores("(S (N-X a))", "(S (N a))")["tagging"] == 1
    assert scores("(S (N-X a))", "(S (N a))", functions=True)["tagging"] == 0


def test_traces_and_phrases_of_traces_do_not_count():
    gold = "(S (NP (-NONE- *)) (VP (V go) (NP (-NONE- *T*-1) (N home))))"
    assert totals(gold, "(S (VP (V go) (NP (N home))))") == (3, 3, 3)


def test_the_gold_standard_decides_what_punctuation_is():
    gold, parse = "(S (NP (N a) (, ,)) (V b))", "(S (NP (N a)) (X ,) (V b))"
    assert totals(gold, parse) == (1, 2, 2)
    assert totals(gold, parse, punctuation="tag") == (2, 2, 2)
    assert totals(gold, parse, punctuation="unicode") == (2, 2, 2)


def test_labels_can_be_declared_equal_and_compared_without_case():
    gold, parse = "(S (ADVP (N a)) (V b))", "(s (PRT (N a)) (V b))"
    assert totals(gold, parse) == (0, 2, 2)
    assert totals(gold, parse, ignore_case=True, equivalent={"prt": "advp"}) == (2, 2, 2)


def test_sentences_can_be_chosen_by_length():
    gold = "(S (A (N a)) (, ,))\n(S (A (N a)) (B (N b)))"
    assert totals(gold, gold, longest=1, punctuation="tag") == (2, 2, 2)
    assert totals(gold, gold, shortest=2, punctuation="tag") == (3, 3, 3)
    assert scores(gold, gold, longest=0)["parseval_f1"] is None


def test_two_crossing_brackets_are_two_or_less_and_three_are_not():
    gold = "(S (A (N a) (N b)) (A (N c) (N d)) (A (N e) (N f)) (A (N g) (N h)))"
    two = "(S (N a) (B (N b) (N c)) (N d) (N e) (B (N f) (N g)) (N h))"
    three = "(S (N a) (B (N b) (N c)) (B (N d) (N e)) (B (N f) (N g)) (N h))"
    assert scores(gold, two)["crossing_brackets"] == 2
    assert scores(gold, two)["two_or_less_crossing"] == 1
    assert scores(gold, three)["two_or_less_crossing"] == 0


def test_a_discontinuous_phrase_is_a_set_of_words(kernels):
    gold = trees("(S (VP (W 0=what) (V 2=do)) (NP (N 1=you)))", "discbracket")
    narrow = trees("(S (VP (W 0=what)) (VP (V 2=do)) (NP (N 1=you)))", "discbracket")
    flat = trees("(S (VP (W 0=what) (N 1=you) (V 2=do)))", "discbracket")
    assert evaluate(gold, gold)["parseval_f1"].value == 1
    assert evaluate(gold, narrow)["parseval_f1"].counts.totals["correct"] == 2
    assert evaluate(gold, flat)["parseval_f1"].counts.totals["correct"] == 1
    assert evaluate(gold, flat)["crossing_brackets"].value == 0


def test_discontinuous_phrases_cross_only_when_they_share_words(kernels):
    gold = trees("(S (A (N 0=a) (N 2=c)) (B (N 1=b) (N 3=d)))", "discbracket")
    other = trees("(S (A (N 0=a) (N 3=d)) (B (N 1=b)) (C (N 2=c)))", "discbracket")
    assert evaluate(gold, gold)["crossing_brackets"].value == 0
    assert evaluate(gold, other)["crossing_brackets"].value == 1


@pytest.mark.parametrize("tag", ["-NONE-", "N"])
def test_scattered_phrases_are_found_whatever_does_not_count_of_them(kernels, tag):
    """The order of the phrases is that of their first words, also of those that are left out."""
    text = f"(S (TOP ({tag} 0=a) (X (N 3=d))) (Y (N 1=b) (N 2=c)))"
    gold = trees(text, "discbracket")
    other = trees("(S (N 0=a) (Y (N 1=b) (N 2=c)) (X (N 3=d)))", "discbracket")
    other = other.replace("words", tag=gold.tag)
    for one, two in ((gold, other), (other, gold)):
        assert evaluate(one, two)["parseval_f1"].counts.totals["correct"] == 3


# ── what does not fit ────────────────────────────────────────────────────────────────────────────


def test_other_words_are_an_error_that_names_the_word_and_both_lines():
    with pytest.raises(InputError) as caught:
        evaluate(trees(f"{CAT}\n{CAT}"), trees(f"{CAT}\n{CAT.replace('dog', 'pig')}"))
    assert caught.value.line == 2
    assert "'pig' as word 5, the gold standard has 'dog'" in str(caught.value)


def test_sentences_with_other_words_can_be_skipped():
    gold, parse = trees(f"{CAT}\n{CAT}"), trees(f"{CAT}\n(S (N x))")
    result = evaluate(gold, parse, settings=Settings(on_mismatch="skip"))
    assert result["parseval_f1"].counts.totals["gold"] == 4
    assert result.systems[0].skipped == ("2",)
    assert "skipped:1" in result.signature


def test_as_many_sentences_are_needed():
    with pytest.raises(InputError, match="2 sentences, but the gold standard"):
        evaluate(trees(CAT), trees(f"{CAT}\n{CAT}"))


def test_constituents_cannot_be_realigned():
    with pytest.raises(UsageError, match="fail or skip"):
        evaluate(trees(CAT), trees(CAT), settings=Settings(on_mismatch="realign"))


def test_nothing_against_nothing_is_perfect():
    pair, _ = compared(trees(CAT)[:0], trees(CAT)[:0], Settings())
    for metric in METRICS:
        assert metric.formula(metric.items(pair).counts.totals) == metric.higher_is_better


def test_deep_and_long_trees_are_compared(kernels):
    deep = "(S " * 5000 + "(N a)" + ")" * 5000
    wide = "(S " + "(NP (D the) (N dog))" * 5000 + ")"
    assert totals(deep, deep) == (5000, 5000, 5000)
    assert totals(wide, wide) == (5001, 5001, 5001)


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["python", "compiled"])
@given(pair=pairs())
def test_brackets_are_counted_as_the_slow_way_counts_them(kind, pair):
    if kind == "compiled" and not built():
        pytest.skip("the kernels were not compiled")
    gold, system = pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONGROUND_KERNELS", kind)
        result = evaluate(gold, system, metrics=NAMES)
    columns = result["parseval_f1"].counts.columns
    counted = zip(
        columns["correct"].tolist(),
        columns["gold"].tolist(),
        columns["system"].tolist(),
        result["crossing_brackets"].counts.columns["crossing"].tolist(),
        strict=True,
    )
    rules = {
        "label": lambda text: split_label(text).category,
        "counts": lambda text: split_label(text).category not in ROOTS,
        "kept": lambda tag: tag != "-NONE-",
    }
    for one, two, numbers in zip(trees_of(gold), trees_of(system), counted, strict=True):
        assert numbers == expected(one, two, **rules)


@given(pairs())
def test_a_treebank_against_itself_is_perfect(pair):
    gold, _ = pair
    result = evaluate(gold, gold, metrics=("all",)).systems[0].scores
    assert {name: score.value for name, score in result.items()} == {
        name: None if score.undefined else float(score.metric.higher_is_better)
        for name, score in result.items()
    }


@given(pairs())
def test_no_more_is_correct_than_either_side_has_and_labels_only_take_away(pair):
    comparison, _ = compared(*pair, Settings())
    one, two = labelled(comparison).counts.columns, unlabelled(comparison).counts.columns
    for columns in (one, two):
        assert (columns["correct"] >= 0).all()
        assert (columns["correct"] <= np.minimum(columns["gold"], columns["system"])).all()
    assert (one["correct"] <= two["correct"]).all()


@given(pairs(least=1))
def test_as_many_brackets_are_correct_on_both_sides(pair):
    items = labelled(compared(*pair, Settings())[0])
    assert items.gold.correct.sum() == items.system.correct.sum()


@given(pairs(), st.randoms())
def test_the_order_of_the_sentences_does_not_matter(pair, random):
    gold, system = pair
    order = list(range(len(gold)))
    random.shuffle(order)
    order = np.array(order, np.int64)
    one = evaluate(gold, system, metrics=("all",)).systems[0].scores
    two = evaluate(gold[order], system[order], metrics=("all",)).systems[0].scores
    assert {n: s.counts.totals for n, s in one.items()} == {
        n: s.counts.totals for n, s in two.items()
    }


# ── kernels ──────────────────────────────────────────────────────────────────────────────────────

BRACKETS = st.lists(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=6), min_size=2, max_size=2
)


def side(rows):
    ordered = sorted(rows, key=lambda row: row[0])
    columns = np.array(ordered, np.int64).reshape(-1, 2)
    return np.array([0, len(rows)]), columns[:, 0].copy(), columns[:, 1].copy()


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(BRACKETS, st.lists(st.booleans(), min_size=3, max_size=3))
def test_compiled_and_plain_matching_agree(rows, related):
    one, two = map(side, rows)
    alike = np.eye(3, dtype=np.bool_)
    alike[[0, 0, 1], [1, 2, 2]] = alike[[1, 2, 2], [0, 0, 1]] = related
    results = [
        [flags.tolist() for flags in kernel.matches(one, two, alike)] for kernel in both("spans")
    ]
    assert results[0] == results[1]


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(BRACKETS)
def test_compiled_and_plain_crossings_agree(rows):
    one, two = (side([(a, a + b) for a, b in result]) for result in rows)
    plain, compiled = (kernel.crossings(one, two).tolist() for kernel in both("spans"))
    assert plain == compiled


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(pairs(scattered=True), st.data())
def test_compiled_and_plain_extents_agree(pair, data):
    words, nodes = pair[0].words, pair[0].nodes
    times = data.draw(st.lists(st.integers(0, 2), min_size=words.rows, max_size=words.rows))
    results = [
        [
            column.tolist()
            for column in kernel.extents(
                words.offsets,
                words.numbers("parent"),
                np.array(times, np.int64),
                nodes.offsets,
                nodes.numbers("parent"),
            )
        ]
        for kernel in both("spans")
    ]
    assert results[0] == results[1]


def tree_of(corpus, times, labels):
    words, nodes = corpus.words, corpus.nodes
    parents = words.numbers("parent"), nodes.numbers("parent")
    return words.offsets, parents[0], times, nodes.offsets, parents[1], labels


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(pairs(scattered=True), st.data())
def test_compiled_and_plain_shared_brackets_agree(pair, data):
    def column(low, high, rows):
        numbers = st.lists(st.integers(low, high), min_size=rows, max_size=rows)
        return np.array(data.draw(numbers), np.int64)

    sides = [
        tree_of(side, column(0, 2, side.words.rows), column(-1, 3, side.nodes.rows))
        for side in pair
    ]
    scored = column(0, 3, len(pair[0])) > 0
    alike = np.array([[True, False, True], [False, True, False], [True, False, True]])
    plain, compiled = (
        kernel.shared_brackets(*sides, scored, alike) for kernel in both("bracketing")
    )
    assert (plain is None and compiled is None) or plain.tolist() == compiled.tolist()


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=5), max_size=6))
def test_compiled_and_plain_shared_words_agree(sentences):
    def words(some):
        rows = np.array([row for one in some for row in one], np.int64).reshape(-1, 2)
        offsets = np.cumsum([0, *map(len, some)])
        return offsets, rows[:, 0].copy(), rows[:, 1].astype(np.int32)

    half = len(sentences) // 2
    sides = words(sentences[:half]), words(sentences[half : 2 * half])
    alike = np.array([[True, True], [True, True]])
    plain, compiled = (
        [result.tolist() for result in kernel.shared_words(*sides, alike)]
        for kernel in both("bracketing")
    )
    assert plain == compiled


@given(pairs(scattered=True), st.sampled_from([None, 3]))
def test_what_is_counted_at_once_is_what_the_items_are(pair, longest):
    comparison, _ = compared(*pair, Settings(longest=longest))
    for metric in METRICS:
        result = metric.items(comparison)
        made = Items(result.gold, result.system, result.sentences, result.table, result.further)
        assert made.counts.to_json() == result.counts.to_json(), metric.name
    rows = comparison.system_brackets.sentence[comparison.crossing]
    crossing = np.bincount(rows, minlength=len(comparison.gold))
    assert comparison.crossings.tolist() == crossing.tolist()


def both(name):
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("python", "compiled"):
            patch.setenv("COMMONGROUND_KERNELS", kind)
            yield load(name)


@pytest.mark.parametrize(
    ("above", "up"), [([1], [-1]), ([-2], [-1]), ([0], [0]), ([0, 1], [1, -1]), ([0], [-2])]
)
def test_parents_that_are_no_nodes_are_refused(kernels, above, up):
    offsets = np.array([0, len(above)]), np.array([0, len(up)])
    columns = np.array(above, np.int32), np.ones(len(above), np.int64), np.array(up, np.int32)
    with pytest.raises(ValueError, match=r"a parent that is no node|before its parent"):
        load("spans").extents(offsets[0], columns[0], columns[1], offsets[1], columns[2])
