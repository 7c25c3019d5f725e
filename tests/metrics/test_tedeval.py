"""TedEval 2012, and the compatibility with the original programs."""

from __future__ import annotations

import json
from collections import deque
from itertools import combinations, product

import numpy as np
import pytest
from command import assert_refused, run
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

from commonground import read, read_text
from commonground.corpus import Constituents, Dependencies, Functions
from commonground.corpus.functions import yield_text
from commonground.errors import InputError, UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.formats import write_text
from commonground.ground import generalize, to_functions
from commonground.ground.renumber import renumbered
from commonground.metrics.functions.tedeval import (
    METRICS,
    NodeScoring,
    share_right,
    tedeval_items,
)
from commonground.metrics.functions.tedeval_original import original_rows, original_table
from commonground.metrics.settings import Settings, preset

LOVES = "John loves Mary".split()


def tree(*nodes, words=LOVES):
    return Functions.of([(words, nodes)])


def score(*trees, **options):
    return share_right(tedeval_items(*trees, **options).counts.totals)


def delta(*trees, **options):
    totals = tedeval_items(*trees, **options).counts.totals
    return totals["gold"] + totals["system"] - totals["correct"] - totals["system_correct"]


# ── random trees ─────────────────────────────────────────────────────────────────────────────────

NAMES = st.sampled_from(["sbj", "obj", "mod", "prd"])


@st.composite
def dependency_pairs(draw, trees=2, longest=7):
    """Several random dependency trees of the same words, projective or not."""
    length = draw(st.integers(1, longest))
    words = [f"w{n}" for n in range(length)]
    return [
        Dependencies.of(
            [(words, draw(heads(length)), draw(st.lists(NAMES, min_size=length, max_size=length)))]
        )
        for _ in range(trees)
    ]


def label_sets(corpus):
    """The labelled nodes of a sentence as a set, without the root."""
    whole = yield_text(range(1, corpus.words.rows + 1))
    return {
        (y, label)
        for y, label in zip(corpus.yields, corpus.label, strict=True)
        if label and y != whole
    }


def yield_sets(corpus):
    whole = yield_text(range(1, corpus.words.rows + 1))
    return set(corpus.yields) - {whole}


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@given(dependency_pairs(trees=3), st.booleans())
def test_a_perfect_parse_scores_1_against_every_generalization(trees, labelled):
    own, *others = map(to_functions, trees)
    common = generalize(own, *others)
    assert score(own, own, common, labelled=labelled) == 1
    assert score(own, own, labelled=labelled) == 1


@given(dependency_pairs(trees=3), st.booleans())
def test_scores_are_fractions_of_1(trees, labelled):
    parse, own, other = map(to_functions, trees)
    assert 0 <= score(parse, own, generalize(own, other), labelled=labelled) <= 1


@given(dependency_pairs())
def test_with_one_gold_the_distance_is_the_symmetric_difference(trees):
    parse, gold = map(to_functions, trees)
    assert delta(parse, gold) == len(label_sets(parse) ^ label_sets(gold))
    assert delta(parse, gold, labelled=False) == len(yield_sets(parse) ^ yield_sets(gold))


@given(dependency_pairs(trees=3))
def test_the_distance_is_that_of_the_definition(trees):
    parse, own, other = map(to_functions, trees)
    common = generalize(own, other)
    for sets, labelled in ((label_sets, True), (yield_sets, False)):
        p, o, g = sets(parse), sets(own), sets(common)
        expected = len(p - g) + len(g - p) - len((p - g) & (o - g))
        assert delta(parse, own, common, labelled=labelled) == expected
        size = len(p) + len(g)
        wanted = 1 - expected / size if size else 1
        assert score(parse, own, common, labelled=labelled) == pytest.approx(wanted)


@given(dependency_pairs(), st.booleans())
def test_the_score_of_two_trees_does_not_depend_on_their_order(trees, labelled):
    one, two = map(to_functions, trees)
    assert score(one, two, labelled=labelled) == score(two, one, labelled=labelled)


@given(st.lists(dependency_pairs(trees=3), min_size=1, max_size=4), st.booleans())
def test_a_corpus_has_the_sums_of_its_sentences(sentences, labelled):
    columns = [[to_functions(d) for d in result] for result in sentences]
    parse, own, other = (Functions.concatenate(column) for column in zip(*columns, strict=True))
    whole = tedeval_items(parse, own, generalize(own, other), labelled=labelled).counts
    for place, (p, o, x) in enumerate(columns):
        alone = tedeval_items(p, o, generalize(o, x), labelled=labelled).counts
        assert alone.totals == {name: column[place] for name, column in whole.columns.items()}


# ── brute force ──────────────────────────────────────────────────────────────────────────────────


@given(dependency_pairs(trees=4), st.booleans())
def test_remembered_trees_score_as_they_do_alone(trees, labelled):
    """Also after others have brought more yields and labels with them."""
    scoring = NodeScoring()
    parse, *golds = map(to_functions, trees)
    for _ in range(2):
        for own in golds:
            for gold in (None, generalize(*golds[:2]), generalize(*golds)):
                together = scoring(parse, own, gold, labelled=labelled)
                alone = tedeval_items(parse, own, gold, labelled=labelled)
                assert together.counts.to_json() == alone.counts.to_json()
                assert together.gold.correct.tolist() == alone.gold.correct.tolist()


def bracketings(first, last):
    """All sets of spans of two or more words that are trees over some words, the whole left out."""
    if last - first < 1:
        return [frozenset()]
    names = set()
    for cuts in (
        c for n in range(1, last - first + 1) for c in combinations(range(first, last), n)
    ):
        starts, ends = (first, *(cut + 1 for cut in cuts)), (*cuts, last)
        parts = [
            [frozenset()] if a == b else [inner | {(a, b)} for inner in bracketings(a, b)]
            for a, b in zip(starts, ends, strict=True)
        ]
        names |= {frozenset().union(*choice) for choice in product(*parts)}
    return sorted(names, key=sorted)


def distances_by_search(start, spans):
    """How many additions and deletions lead from a tree to each other tree, over trees only."""
    result, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        steps = [here - {node} for node in here]
        steps += [here | {span} for span in spans - here if not any(crosses(span, s) for s in here)]
        for there in steps:
            if there not in result:
                result[there] = result[here] + 1
                waiting.append(there)
    return result


def crosses(one, other):
    (a, b), (c, d) = one, other
    return a < c <= b < d or c < a <= d < b


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_the_closed_form_is_the_shortest_script_between_all_trees(length):
    """Every pair of trees of up to 5 words: breadth-first search over all scripts of edits."""
    trees = bracketings(1, length)
    spans = frozenset((a, b) for a, b in combinations(range(1, length + 1), 2)) - {(1, length)}
    words = [str(n) for n in range(length)]
    corpora = [Functions.of([(words, [(f"{a}-{b}", "x") for a, b in t])]) for t in trees]
    parses = Functions.concatenate([one for one in corpora for _ in trees])
    golds = Functions.concatenate([other for _ in trees for other in corpora])
    counts = tedeval_items(parses, golds).counts.columns
    result = counts["gold"] + counts["system"] - counts["correct"] - counts["system_correct"]
    expected = [
        away[other]
        for one in trees
        for away in [distances_by_search(one, spans)]
        for other in trees
    ]
    assert result.tolist() == expected


def scripts(one, other, labels):
    """All shortest scripts between two label sets over one word, found by search."""
    result, waiting = {one: [()]}, deque([one])
    while waiting:
        here = waiting.popleft()
        for label in labels:
            there, step = here ^ {label}, ("-" if label in here else "+", label)
            longer = [(*script, step) for script in result[here]]
            if there not in result:
                result[there] = longer
                waiting.append(there)
            elif len(result[there][0]) == len(longer[0]):
                result[there] += longer
    return {frozenset(script) for script in result[other]}


def test_what_is_forgiven_is_what_two_searched_scripts_share():
    """All sets of three labels over one word, as parse, own gold and generalized gold."""
    labels = ("f1", "f2", "f3")
    sets = [frozenset(s) for n in range(4) for s in combinations(labels, n)]
    for parse, own, other in product(sets, repeat=3):
        common = own & other
        (mine,), (theirs,) = scripts(parse, common, labels), scripts(own, common, labels)
        trees = [
            tree(("1", ""), *(("1", label) for label in result), words=["w", "v"])
            for result in (parse, own, common)
        ]
        assert delta(*trees) == len(mine) - len(mine & theirs)


# ── sets and spans ───────────────────────────────────────────────────────────────────────────────


@given(dependency_pairs(trees=3), st.booleans())
def test_sets_of_words_are_spans_on_projective_trees(trees, labelled):
    parse, own, other = map(to_functions, trees)
    projective = all("," not in y for corpus in (parse, own, other) for y in corpus.yields)

    def by_spans(*corpora):
        nodes = []
        for corpus in corpora:
            rows = zip(corpus.yields, corpus.label, strict=True)
            spans = [(y.replace(",", "-").split("-"), label) for y, label in rows]
            pairs = {(int(s[0]), int(s[-1]), label if labelled else "") for s, label in spans}
            whole = {p for p in pairs if p[:2] == (1, corpus.words.rows)}
            nodes.append({p for p in pairs - whole if p[2] or not labelled})
        p, o, g = nodes
        return len(p - g) + len(g - p) - len((p - g) & (o - g))

    if projective:
        common = generalize(own, other)
        assert delta(parse, own, common, labelled=labelled) == by_spans(parse, own, common)


def test_a_discontinuous_node_is_a_set_of_words():
    words = "A hearing is scheduled today".split()
    gold = tree(("1-5", "root"), ("1-2,5", "sbj"), words=words)
    assert score(tree(("1-5", "root"), ("1-2", "sbj"), words=words), gold) == 0
    assert score(gold, gold) == 1


# ── examples ─────────────────────────────────────────────────────────────────────────────────────


def test_john_loves_mary_with_a_wrong_label():
    gold = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "obj"])])
    parse = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "mod"])])
    result = evaluate(gold, parse, metrics=["tedeval", "tedeval_unlabelled"])
    assert result["tedeval"].value == pytest.approx(1 - 2 / 6)
    assert result["tedeval_unlabelled"].value == 1


def test_john_loves_mary_in_two_frameworks():
    """The dependencies lack the node over 'loves Mary', and agree on nothing but the functions."""
    gold = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "obj"])])
    other = read_text("(S (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))")
    one, two = to_functions(gold), to_functions(other)
    common = generalize(one, two)
    assert score(one, one, common) == score(two, two, common) == 1
    assert score(one, two) == pytest.approx(1 - 3 / 9)
    assert score(one, two, labelled=False) == pytest.approx(1 - 1 / 7)


def test_a_node_of_the_own_theory_is_forgiven_and_a_wrong_one_is_not():
    own = tree(("1-3", "root"), ("1", "sbj"), ("2-3", "prd"))
    other = tree(("1-3", "root"), ("1", "sbj"))
    wrong = tree(("1-3", "root"), ("1", "sbj"), ("1-2", "prd"))
    common = generalize(own, other)
    assert score(own, own, common) == 1
    assert score(wrong, own, common) == pytest.approx(1 - 1 / 3)


def test_the_root_and_nodes_without_labels_do_not_count():
    one = tree(("1-3", "root"), ("2-3", ""))
    two = tree(("1-3", "top"))
    assert score(one, two) == 1
    assert score(one, two, labelled=False) == 0


def test_labels_that_are_equivalent_are_one():
    one = tree(("1", "sub"), ("1", "sbj"), ("3", "obj"))
    two = tree(("1", "sbj"), ("3", "obj"))
    assert score(one, two) == pytest.approx(1 - 1 / 5)
    items = tedeval_items(one, two, equivalent={"sub": "sbj"})
    assert items.counts.totals["system"] == 2
    assert share_right(items.counts.totals) == 1


def test_a_sentence_of_one_word_scores_1():
    one = Dependencies.of([(["Yes"], [0], ["root"])])
    assert evaluate(one, one, metrics=["tedeval"])["tedeval"].value == 1


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_an_explanation_has_definition_source_and_example(metric):
    assert "1 − δ/(|P|+|G|)" in metric.explanation
    assert "\nFrom: Tsarfaty" in metric.explanation
    assert "\nExample: 'John loves Mary'" in metric.explanation


# ── in evaluate ──────────────────────────────────────────────────────────────────────────────────

BOTH = ["tedeval", "tedeval_unlabelled"]


def test_constituents_and_function_trees_are_scored_alike():
    gold = read_text("(S (NP-SBJ (NN John)) (VP (V loves) (NP-OBJ (NN Mary))))")
    parse = read_text("(S (NP-SBJ (NN John)) (V loves) (NP-OBJ (NN Mary)))")
    direct = evaluate(gold, parse, metrics=BOTH)
    through = evaluate(to_functions(gold), to_functions(parse))
    for name, expected in (("tedeval", 1.0), ("tedeval_unlabelled", 1 - 1 / 7)):
        assert direct[name].value == through[name].value == pytest.approx(expected)


def test_a_breakdown_by_label_has_the_functions_of_both_sides():
    gold = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "obj"])])
    parse = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "mod"])])
    result = evaluate(gold, parse, metrics=["tedeval"])
    buckets = result.systems[0].breakdown("tedeval", ["label"])
    by_name = {
        b.values[0]: (b.counts["correct"], b.counts["gold"], b.counts["system"]) for b in buckets
    }
    assert by_name == {"sbj": (1, 1, 1), "hd": (1, 1, 1), "obj": (0, 1, 0), "mod": (0, 0, 1)}


def test_punctuation_that_is_left_out_is_in_no_yield():
    words, labels = [*LOVES, "!"], ["sbj", "root", "obj", "punct"]
    gold = Dependencies.of([(words, [2, 0, 2, 2], labels)])
    parse = Dependencies.of([(words, [2, 0, 2, 3], labels)])
    kept = evaluate(gold, parse, metrics=BOTH)
    assert kept["tedeval_unlabelled"].value < 1
    left_out = evaluate(gold, parse, metrics=BOTH, settings=Settings(punctuation="unicode"))
    assert left_out["tedeval"].counts.totals["gold"] == 3
    # Mary was a head in the parse: its node over the word alone falls together with its phrase.
    assert left_out["tedeval_unlabelled"].value == 1
    assert left_out["tedeval"].value == pytest.approx(1 - 1 / 7)


def test_punctuation_is_left_out_of_constituents_too():
    gold = read_text("(S (NP-SBJ (NN John)) (VP (V loves) (NP-OBJ (NN Mary)) (. !)))")
    parse = read_text("(S (NP-SBJ (NN John)) (VP (V loves) (NP-OBJ (NN Mary))) (. !))")
    assert evaluate(gold, parse, metrics=BOTH)["tedeval_unlabelled"].value < 1
    unicode = Settings(punctuation="unicode")
    for pair in ((gold, parse), (to_functions(gold), to_functions(parse))):
        result = evaluate(*pair, metrics=BOTH, settings=unicode)
        assert result["tedeval_unlabelled"].value == 1
        assert result["tedeval_unlabelled"].counts.totals["gold"] == 4


def test_sentences_of_another_length_do_not_count():
    short = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "obj"])])
    long = Dependencies.of([("a b c d".split(), [2, 3, 4, 0], list("wxyz"))])
    settings = Settings(longest=3)
    for gold in (short + long, to_functions(short + long)):
        result = evaluate(gold, gold, metrics=["tedeval"], settings=settings)
        assert result["tedeval"].counts.columns["gold"].tolist() == [3, 0]


def test_subtypes_and_equivalent_labels_are_as_in_the_settings():
    gold = Dependencies.of([(LOVES, [2, 0, 2], ["sbj:x", "root", "obj"])])
    parse = Dependencies.of([(LOVES, [2, 0, 2], ["sbj", "root", "OBJ"])])
    settings = Settings(subtypes=False, ignore_case=True)
    assert evaluate(gold, parse, metrics=["tedeval"])["tedeval"].value < 1
    assert evaluate(gold, parse, metrics=["tedeval"], settings=settings)["tedeval"].value == 1


def test_other_words_make_other_yields_when_realigned():
    gold = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "neg", "root"])])
    parse = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    settings = Settings(on_mismatch="realign")
    counts = evaluate(gold, parse, metrics=["tedeval"], settings=settings)["tedeval"].counts
    # The head 'go' is the same; 'cannot' is no gold word, and so the parse's root is a node.
    assert counts.totals["correct"] == counts.totals["system_correct"] == 1
    assert (counts.totals["gold"], counts.totals["system"]) == (3, 3)
    same = evaluate(gold, gold, metrics=["tedeval"], settings=settings)
    assert same["tedeval"].value == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(on_mismatch="realign"), "realigned"),
        (Settings(punctuation="tag"), "tags"),
    ],
)
def test_function_trees_refuse_what_they_cannot_do(settings, message):
    with pytest.raises(UsageError, match=message):
        evaluate(tree(("1", "x")), tree(("1", "x")), settings=settings)


def test_function_trees_of_other_words_fail_or_are_skipped():
    one, two = tree(("1", "x")), tree(("1", "x"), words=["a", "b", "c"])
    with pytest.raises(InputError, match="as word 1"):
        evaluate(one, two)
    skipped = evaluate(one + one, two + one, settings=Settings(on_mismatch="skip"))
    assert skipped.systems[0].skipped == ("1",)


def test_words_can_move_to_another_sentence():
    """A parse of two sentences as one: its root has words that the first sentence lacks."""
    parse = tree(("1-3", "root"), ("1", "x"), ("3", "y"), words=["a", "b", "c"])
    gold = Functions.of([(["a", "b"], []), (["c"], [])])
    moved = renumbered(parse, gold, np.array([0, 0, 1]), np.array([1, 2, 1]))
    assert moved.nodes.lengths.tolist() == [2, 1]
    assert moved[0].column("label", "nodes") == ["root", "x"]
    assert moved[0].column("yields", "nodes")[0] not in ("1-2", "1")


# ── the original programs ────────────────────────────────────────────────────────────────────────


def trees_of(labels, arcs=(2, 0, 2), words=LOVES):
    return Dependencies.of([(words, list(arcs), list(labels))])


def test_the_nodes_of_the_original_are_the_words_too():
    gold = trees_of(["sbj", "root", "obj"])
    (row,) = original_rows(trees_of(["sbj", "root", "mod"]), gold)
    assert (row.parse_nodes, row.gold_nodes, row.distance, row.normaliser) == (7, 7, 2, 12)
    (row,) = original_rows(trees_of(["sbj", "root", "mod"]), gold, version="2.1")
    assert row.normaliser == 6


def test_some_punctuation_is_no_node_of_the_original():
    arcs, labels = [0, 1, 1, 1], ["root", "punct", "punct", "x"]
    gold = trees_of(labels, arcs, ["a", "--", ";", "b"])
    (row,) = original_rows(gold, gold)
    assert row.parse_nodes == 5 + 2


def test_a_label_of_the_original_has_no_case():
    (row,) = original_rows(trees_of(["SBJ", "Root", "obj"]), trees_of(["sbj", "root", "OBJ"]))
    assert row.exact_gold
    assert row.score == 1


def test_the_original_generalizes_labels_to_none():
    gold, other = trees_of(["sbj", "root", "obj"]), trees_of(["sub", "root", "obj"])
    (row,) = original_rows(gold, gold, other)
    assert (row.gen_nodes, row.distance, row.gold_distance, row.cost) == (7, 2, 2, 0)
    assert row.exact_gen
    assert row.score == 1


def test_unlabelled_the_original_has_labelled_sizes():
    gold, parse = trees_of(["sbj", "root", "obj"]), trees_of(["x", "y", "root"], (3, 3, 0))
    (row,) = original_rows(parse, gold, labelled=False)
    assert row.distance == 0
    assert row.normaliser == original_rows(parse, gold)[0].normaliser == 12


def test_unlabelled_the_original_has_one_node_over_the_sentence():
    gold, parse = trees_of(["sbj", "top", "obj"]), trees_of(["sbj", "root", "obj"])
    assert original_rows(parse, gold)[0].gold_nodes == 8
    (row,) = original_rows(parse, gold, labelled=False)
    assert (row.gold_nodes, row.distance, row.normaliser) == (7, 0, 12)


def test_one_word_that_is_no_node_scores_1():
    gold = trees_of(["root"], [0], ["--"])
    (row,) = original_rows(gold, gold)
    assert (row.normaliser, row.score) == (0, 1)


@pytest.mark.parametrize("version", ["2.1", "2.2"])
@given(pair=dependency_pairs(), labelled=st.booleans())
def test_a_preset_scores_as_the_rows_say(version, pair, labelled):
    parse, gold = pair
    (row,) = original_rows(parse, gold, labelled=labelled, version=version)
    result = evaluate(gold, parse, settings=preset(f"tedeval-{version}"))
    name = "tedeval" if labelled else "tedeval_unlabelled"
    assert result[name].value == pytest.approx(row.score)


def test_presets_compute_tedeval_when_nothing_is_asked_for():
    gold = trees_of(["sbj", "root", "obj"])
    result = evaluate(gold, gold, settings=preset("tedeval-2.2"))
    assert list(result.systems[0].scores) == BOTH
    assert "preset:tedeval-2.2" in result.signature


@pytest.mark.parametrize(
    "change", [{"punctuation": "unicode"}, {"longest": 3}, {"on_mismatch": "realign"}]
)
def test_presets_refuse_what_the_original_cannot_do(change):
    gold = trees_of(["sbj", "root", "obj"])
    with pytest.raises(UsageError, match=r"TedEval 2\.2"):
        evaluate(gold, gold, settings=preset("tedeval-2.2", **change))


def test_presets_are_about_dependencies():
    with pytest.raises(UsageError, match="scores only dependencies"):
        evaluate(tree(("1", "x")), tree(("1", "x")), settings=preset("tedeval-2.1"))


def test_rows_of_other_words_are_an_error():
    with pytest.raises(InputError):
        original_rows(trees_of(["root"], [0], ["a"]), trees_of(["root"], [0], ["b"]))


def test_an_empty_corpus_has_an_empty_table():
    empty = Dependencies.of([])
    assert original_table(original_rows(empty, empty)).count("\n") == 1
    assert evaluate(empty, empty, metrics=BOTH)["tedeval"].value == 1


# ── real data ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "labelled"), [("labelled", True), ("unlabelled", False)])
def test_tedeval_2_2_said_the_same_about_a_single_gold(shared, name, labelled):
    folder = shared / "golden" / "tedeval"
    gold, parse = (read(folder / f"single.{side}.conll") for side in ("gold", "sys"))
    expected = (folder / f"single.{name}.tsv").read_text(encoding="utf-8")
    assert original_table(original_rows(parse, gold, labelled=labelled)) == expected


@pytest.mark.parametrize(("name", "labelled"), [("labeled", True), ("unlabeled", False)])
@pytest.mark.parametrize(("own", "other"), [(1, 2), (2, 1)])
def test_tedeval_2_2_said_the_same_about_two_schemes(shared, name, labelled, own, other):
    folder = shared / "golden" / "tedeval"
    files = (f"pair.{side}.conll" for side in (f"p{own}", f"g{own}", f"g{other}"))
    rows = original_rows(*(read(folder / file) for file in files), labelled=labelled)
    expected = (folder / f"pair.{name}{own}.tsv").read_text(encoding="utf-8")
    assert original_table(rows) == expected


@pytest.mark.parametrize("version", ["2.1", "2.2"])
@pytest.mark.parametrize("name", ["labelled", "unlabelled"])
@pytest.mark.parametrize(
    ("table", "files"),
    [("single", "p1 g1"), ("pair1", "p1 g1 g2"), ("pair2", "p2 g2 g1")],
)
def test_both_versions_said_the_same_where_the_root_has_another_label(
    shared, table, files, name, version
):
    folder = shared / "golden" / "tedeval"
    corpora = [read(folder / f"other-root.{file}.conll") for file in files.split()]
    rows = original_rows(*corpora, labelled=name == "labelled", version=version)
    expected = (folder / f"other-root.{table}.{version}.{name}.tsv").read_text(encoding="utf-8")
    assert original_table(rows) == expected


@pytest.mark.parametrize("version", ["2.1", "2.2"])
@pytest.mark.parametrize("name", ["labelled", "unlabelled"])
def test_the_command_tells_of_pairs_what_both_versions_did(shared, name, version):
    """Every row of both experiments, as printed, and the scores of a comparison are theirs."""
    folder = shared / "golden" / "tedeval"
    files = [[f"{folder}/other-root.{side}{i}.conll" for side in "gp"] for i in (1, 2)]
    line = ["compare", *(f"{n}={g}:{p}" for n, (g, p) in zip("ab", files, strict=True))]
    line += ["--preset", f"tedeval-{version}"]
    told = run(*line, "--rows", name, "--output-format", "tsv").stdout.splitlines()
    systems = json.loads(run(*line, "--output-format", "json").stdout)["systems"]
    for number, system in enumerate("ab"):
        expected = folder / f"other-root.pair{number + 1}.{version}.{name}.tsv"
        rows = expected.read_text(encoding="utf-8").splitlines()
        assert [row.partition("\t")[2] for row in told if row[:1] in "s" + system] == rows
        counts = systems[number]["multiple"]["by_sentence"][name]
        parts = zip(
            *(counts[key] for key in ("gold", "system", "correct", "system_correct")), strict=False
        )
        scores = [(c + s) / (g + p) if g + p else 1 for g, p, c, s in parts]
        assert [f"{score:.4f}" for score in scores] == [row.split("\t")[2] for row in rows[1:]]


def test_trees_on_which_version_2_2_aborts_are_told(tmp_path):
    crossing = trees_of(["a", "root", "b", "c"], [3, 0, 2, 1], ["w", "x", "y", "z"])
    path = tmp_path / "crossing.conllu"
    path.write_text(write_text(crossing, "conllu"), encoding="utf-8")
    pairs = [f"{name}={path}:{path}" for name in "ab"]
    for line in (["evaluate", path, path], ["compare", *pairs]):
        assert "TedEval 2.2 aborts" in run(*line, "--preset", "tedeval-2.2").stdout
        assert "aborts" not in run(*line, "--preset", "tedeval-2.1").stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rows", "labelled"], "only the presets tedeval-2.1 and tedeval-2.2 have rows"),
        (["--preset", "tedeval-2.2", "--labels", "hub"], "compares labels as they are"),
        (["--preset", "tedeval-2.1", "--on-mismatch", "skip"], "needs the same words"),
        (["--preset", "tedeval-2.1", "--enhanced"], "knows neither enhanced graphs"),
    ],
)
def test_pairs_refuse_what_the_original_cannot_do(options, message):
    systems = ["a=example:ud:example:ud", "b=example:sud:example:sud"]
    assert_refused(run("compare", *systems, *options), message)


def test_pairs_of_the_original_are_dependencies():
    systems = ["a=example:ud:example:ud", "b=example:ptb:example:ptb"]
    done = run("compare", *systems, "--preset", "tedeval-2.2")
    assert_refused(done, "tedeval-2.2 compares dependencies only")


def test_gum_scores_1_against_itself_and_its_generalization(shared):
    folder = shared / "data" / "gum"
    dep = Dependencies.concatenate([read(path) for path in sorted((folder / "dep").iterdir())[:5]])
    con = Constituents.concatenate(
        [read(path) for path in sorted((folder / "const").iterdir())[:5]]
    )
    one, two = to_functions(dep), to_functions(con)
    common = generalize(one, two)
    assert score(one, one, common) == score(two, two, common) == 1
    overlap = score(one, two, labelled=False)
    assert 0 < overlap == score(two, one, labelled=False) < 1
