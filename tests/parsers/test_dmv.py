"""The dependency model with valence: what it computes, what it learns, and what flips do."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from command import assert_refused, run, write
from hypothesis import given, settings
from hypothesis import strategies as st
from projective_trees import all_trees
from strategies import examples

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError, UsageError
from commonground.parsers.dmv.baselines import BASELINES, baseline_heads
from commonground.parsers.dmv.curriculum import baby_steps, leapfrog
from commonground.parsers.dmv.decode import decoded
from commonground.parsers.dmv.flips import EPSILON, PUBLISHED, Edge, ParameterFlips, flipped
from commonground.parsers.dmv.grammar import PLAIN, Grammar, Valences, tree_probability
from commonground.parsers.dmv.grammar_text import grammar_of, text_of
from commonground.parsers.dmv.initial import INITIAL, initial_grammar
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.learn import learn, learn_from_best_trees
from commonground.parsers.dmv.log_linear import Features, learn_log_linear
from commonground.parsers.dmv.logistic_normal import learn_logistic_normal
from commonground.parsers.dmv.parser import DmvModel, train
from commonground.parsers.dmv.settings import VARIANTS, DmvSettings
from commonground.parsers.dmv.sparsity import KindsOfEdges, bounded_sums, learn_sparsely
from commonground.parsers.dmv.studies import flip_model, found_flips, learnability
from commonground.parsers.dmv.supervised import counted, heads_without_punctuation
from commonground.parsers.dmv.symbols import Alphabet, Symbols
from commonground.parsers.parser import TrainingTask


@pytest.fixture(scope="module")
def example():
    return cg.read("example:ud")


RICHER = Valences(3, 4)


def random_grammar(seed, tags=("A", "B", "C"), valences=PLAIN):
    random = np.random.default_rng(seed)
    count = len(tags)
    return Grammar(
        tuple(tags),
        random.dirichlet(np.ones(count)),
        random.uniform(0.1, 0.9, (count, 2, valences.stop)),
        random.dirichlet(np.ones(count), (count, 2, valences.child)),
    )


def symbols_of(*sentences, tags=("A", "B", "C")):
    codes = [tags.index(tag) for sentence in sentences for tag in sentence]
    offsets = np.concatenate([[0], np.cumsum([len(s) for s in sentences])]).astype(np.int64)
    places = np.arange(len(codes))
    return Symbols(
        tuple(tags), np.array(codes, np.int32), offsets, places, np.arange(len(sentences))
    )


def test_the_probability_of_figure_2_2_is_the_product_written_out_by_hand():
    tags = ["PRP", "VBP", "TO", "VB"]
    grammar = random_grammar(1, tags)
    root, stop, attach = grammar.root, grammar.stop, grammar.attach[:, :, 0]
    prp, vbp, to, vb = range(4)
    left, right, none, some = 0, 1, 0, 1
    by_hand = (
        root[vbp]
        * (1 - stop[vbp, left, none])
        * attach[vbp, left, prp]
        * stop[vbp, left, some]
        * (1 - stop[vbp, right, none])
        * attach[vbp, right, vb]
        * stop[vbp, right, some]
        * stop[prp, left, none]
        * stop[prp, right, none]
        * (1 - stop[vb, left, none])
        * attach[vb, left, to]
        * stop[vb, left, some]
        * stop[vb, right, none]
        * stop[to, left, none]
        * stop[to, right, none]
    )
    assert tree_probability(grammar, tags, [2, 0, 4, 2]) == pytest.approx(by_hand, rel=1e-12)


def test_valences_count_the_dependents_that_are_there_already():
    grammar = random_grammar(1, "ABC", Valences(3, 2))
    (root, stop, attach), go = (grammar.root, grammar.stop, grammar.attach), 1 - grammar.stop
    a, b, c = range(3)
    leaves = stop[b, 0, 0] * stop[b, 1, 0] * stop[c, 0, 0] * stop[c, 1, 0]
    left = go[a, 0, 0] * attach[a, 0, 0, b] * go[a, 0, 1] * attach[a, 0, 1, c]
    left *= go[a, 0, 2] * attach[a, 0, 1, b] * stop[a, 0, 2]
    by_hand = root[a] * left * leaves * stop[b, 0, 0] * stop[b, 1, 0] * stop[a, 1, 0]
    assert tree_probability(grammar, list("BCBA"), [4, 4, 4, 0]) == pytest.approx(by_hand)


@pytest.mark.parametrize("valences", [PLAIN, RICHER], ids=str)
@pytest.mark.parametrize("text", ["A", "AB", "CAB", "ABCA", "BBACB"])
def test_expected_counts_are_those_of_all_trees(kernels, text, valences):
    grammar, symbols = random_grammar(2, valences=valences), symbols_of(text)
    layout = GrammarLayout(symbols, valences)
    expected = layout.expected(grammar, np.array([0.7]))
    probability = {
        heads: tree_probability(grammar, list(text), list(heads)) for heads in all_trees(len(text))
    }
    total = sum(probability.values())
    assert expected.likelihood == pytest.approx(math.log(total))
    by_hand = sum(
        p / total * layout.tree_counts(np.array(heads, np.int32)).attach
        for heads, p in probability.items()
    )
    assert expected.counts.attach == pytest.approx(by_hand, abs=1e-12)
    stops = sum(
        p / total * layout.tree_counts(np.array(heads, np.int32)).stop
        for heads, p in probability.items()
    )
    assert expected.counts.stop == pytest.approx(stops, abs=1e-12)


@pytest.mark.parametrize("valences", [PLAIN, RICHER], ids=str)
@pytest.mark.parametrize("text", ["AB", "CAB", "ABCA", "BBACB"])
def test_decoders_find_the_best_of_all_trees(kernels, text, valences):
    grammar = random_grammar(3, valences=valences)
    layout = GrammarLayout(symbols_of(text), valences, unknown=True)
    trees = all_trees(len(text))
    probability = [tree_probability(grammar, list(text), list(heads)) for heads in trees]
    assert tuple(decoded(layout, grammar)) == trees[int(np.argmax(probability))]
    matching = [
        sum(
            p
            for other, p in zip(trees, probability, strict=True)
            for a, b in zip(heads, other, strict=True)
            if a == b
        )
        for heads in trees
    ]
    assert tuple(decoded(layout, grammar, "mbr")) == trees[int(np.argmax(matching))]


@settings(max_examples=examples(15))
@given(
    st.lists(st.text("ABC", min_size=1, max_size=6), min_size=1, max_size=6),
    st.integers(0, 99),
    st.sampled_from([PLAIN, RICHER]),
)
def test_the_likelihood_never_falls_under_em(sentences, seed, valences):
    layout = GrammarLayout(symbols_of(*sentences), valences)
    result = learn(layout, random_grammar(seed, valences=valences), iterations=8, tolerance=0)
    assert all(
        b >= a - 1e-9 * max(1, abs(a))
        for a, b in zip(result.likelihoods, result.likelihoods[1:], strict=False)
    )


@pytest.mark.parametrize(("families", "valences"), [("none", PLAIN), ("both", Valences(2, 2))])
def test_the_variational_bound_never_falls(example, families, valences):
    symbols = Symbols.of(example, Alphabet("upos"), longest=10)
    layout = GrammarLayout(symbols, valences)
    result = learn_logistic_normal(
        layout, initial_grammar(layout), families=families, iterations=8, tolerance=-1.0
    )
    assert len(result.likelihoods) == 8
    assert (np.diff(result.likelihoods) >= -1e-7).all()
    assert result.grammar.attach.sum(-1) == pytest.approx(1)


@pytest.mark.parametrize("valences", [PLAIN, RICHER], ids=str)
def test_features_raise_the_likelihood_and_their_gradient_is_that_of_differences(valences):
    tags = ("NN", "NNS", "VB")
    symbols = symbols_of(["NN", "VB"], ["NNS", "VB", "NN"], ["VB"], tags=tags)
    layout = GrammarLayout(symbols, valences)
    result = learn_log_linear(layout, initial_grammar(layout), penalty=0.1, iterations=20)
    assert (np.diff(result.likelihoods) >= 0).all()
    assert result.grammar.attach.sum(-1) == pytest.approx(1)
    features = Features(tags, valences)
    stop, child = valences
    assert features.size == (3 + 6 * stop + 18 * child) + (2 + 4 * stop + 8 * child)
    weights = np.random.default_rng(0).normal(0, 0.3, features.size)

    def likelihood(at):
        grammar = features.grammar(at)
        return layout.expected(grammar, layout.scale(grammar))

    expected = likelihood(weights)
    gradient = features.gradient(expected.counts, features.grammar(weights))
    for place in (0, 5, 20, 34, 40, 50):
        step = 1e-5 * np.eye(features.size)[place]
        risen = likelihood(weights + step).likelihood - likelihood(weights - step).likelihood
        assert gradient[place] == pytest.approx(risen / 2e-5, abs=1e-6)


@pytest.mark.parametrize("valences", [PLAIN, Valences(3, 2)], ids=str)
def test_sparse_posteriors_are_those_of_em_at_no_cost_and_use_fewer_kinds_of_edges_at_some(
    example, valences
):
    layout = GrammarLayout(Symbols.of(example, Alphabet("upos"), longest=10), valences)
    start = initial_grammar(layout)
    plain = learn(layout, start, iterations=5, smoothing=0.1, tolerance=0)
    free = learn_sparsely(layout, start, penalty=0.0, iterations=5, smoothing=0.1, tolerance=0)
    assert free.grammar.attach == pytest.approx(plain.grammar.attach)
    kinds = KindsOfEdges(layout, 5.0)
    before = kinds.used(start)
    kinds.expect(start)
    assert kinds.used(start) < 0.9 * before


@settings(max_examples=examples(50))
@given(
    st.lists(st.tuples(st.floats(-2, 5), st.integers(0, 3)), min_size=1, max_size=20),
    st.floats(0.1, 4),
)
def test_sums_are_brought_back_to_the_nearest_allowed_numbers(pairs, most):
    values, kind = np.array([v for v, _ in pairs]), np.array([k for _, k in pairs], np.int64)
    result = bounded_sums(values, kind, most)
    assert (result >= 0).all()
    for each in set(kind.tolist()):
        own, before = result[kind == each], np.maximum(values[kind == each], 0)
        assert own.sum() <= most + 1e-9
        if before.sum() <= most:
            assert own == pytest.approx(before)
        else:
            assert own.sum() == pytest.approx(most)
            lowered = (before - own)[own > 0]
            assert lowered == pytest.approx(np.full(len(lowered), lowered[0]))


def test_a_share_of_each_dependent_is_that_of_all_heads():
    layout = GrammarLayout(symbols_of("AB", "CB", "ABC"), RICHER)
    counts = layout.expected(random_grammar(5, valences=RICHER), np.zeros(3)).counts
    plain, mixed = counts.grammar(tuple("ABC"), 0.1), counts.grammar(tuple("ABC"), 0.1, 0.25)
    assert mixed.attach.sum(-1) == pytest.approx(1)
    assert np.array_equal(mixed.stop, plain.stop)
    shared = (mixed.attach - 0.75 * plain.attach) / 0.25
    assert shared == pytest.approx(np.broadcast_to(shared[:1], shared.shape))
    everywhere = counts.attach.sum(0) + 0.1
    assert shared[0] == pytest.approx(everywhere / everywhere.sum(-1, keepdims=True))


@pytest.mark.parametrize("valences", [PLAIN, RICHER], ids=str)
@pytest.mark.parametrize("how", INITIAL)
def test_every_start_is_a_grammar(example, how, valences):
    layout = GrammarLayout(Symbols.of(example, Alphabet("upos"), longest=10), valences)
    grammar = initial_grammar(layout, how, seed=5)
    assert grammar.root.sum() == pytest.approx(1)
    assert grammar.attach.sum(-1) == pytest.approx(1)
    assert ((grammar.stop >= 0) & (grammar.stop <= 1)).all()


def test_long_sentences_stay_within_what_numbers_can_say():
    text = "ABC" * 60
    layout = GrammarLayout(symbols_of(text))
    grammar = random_grammar(4)
    expected = layout.expected(grammar, layout.scale(grammar))
    assert -2000 < expected.likelihood < -180
    assert expected.counts.root.sum() == pytest.approx(1)


def test_viterbi_em_ends_when_the_trees_stay(example):
    layout = GrammarLayout(Symbols.of(example, Alphabet("upos"), longest=10))
    result = learn_from_best_trees(layout, initial_grammar(layout))
    assert len(result.likelihoods) < 60


def test_baby_steps_begin_without_a_start_and_leapfrog_mixes_two_grammars(example):
    symbols = Symbols.of(example, Alphabet("upos"))
    steps = baby_steps(symbols, 8, 0.1)
    assert steps.grammar.root.sum() == pytest.approx(1)
    leap = leapfrog(symbols, 18, 0.1)
    assert len(leap.likelihoods) > len(steps.likelihoods)


def test_the_supervised_grammar_counts_the_trees():
    gold = Dependencies.of([("I want to eat .".split(), [2, 0, 4, 2, 2], ["_"] * 5)])
    gold = gold.replace("words", xpos=Strings.of(["PRP", "VBP", "TO", "VB", "."]))
    symbols = Symbols.of(gold, Alphabet("xpos"))
    assert heads_without_punctuation(gold, symbols).tolist() == [2, 0, 4, 2]
    grammar = counted(gold, symbols, smoothing=0)
    want, to, eat = (grammar.code(tag) for tag in ("VBP", "TO", "VB"))
    assert grammar.root[want] == 1
    assert grammar.attach[want, 1, 0, eat] == 1
    assert grammar.attach[eat, 0, 0, to] == 1
    assert grammar.stop[eat, 0].tolist() == [0, 1]


# ── text ─────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4))
def test_a_model_is_read_as_it_was_written_byte_for_byte(seed, stop, child):
    grammar = random_grammar(seed, valences=Valences(stop, child))
    text = text_of(grammar, {"column": "xpos"})
    again, given_settings = grammar_of(text, "m.dmv")
    assert text_of(again, given_settings) == text
    assert np.array_equal(again.attach, grammar.attach)
    assert np.array_equal(again.stop, grammar.stop)


def test_a_file_of_klein_and_mannings_model_has_no_valences_and_is_read_as_before():
    lines = ["# commonground dmv 1", "tag\tA", "root\tA\t1.0", "stop\tA\tleft\tsome\t0.25"]
    grammar, _ = grammar_of("\n".join([*lines, "attach\tA\tright\tA\t0.5"]), "m.dmv")
    assert grammar.valences == PLAIN
    assert grammar.stop[0].tolist() == [[0, 0.25], [0, 0]]
    assert grammar.attach[0].tolist() == [[[0]], [[0.5]]]
    assert "valence" not in text_of(grammar, {})


def test_a_model_can_be_looked_up_by_eye():
    text = text_of(random_grammar(1, ("TO", "VB")), {})
    assert any(line.startswith("attach\tTO\tright\tVB\t0.") for line in text.split("\n"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["# commonground dmv 1", "setting\tcolumn\tu@pos"],
            "m.dmv:2: 'u@pos' is not xpos or upos",
        ),
        (["# commonground dmv 1", "setting\tcolour\tred"], "m.dmv:2: 'colour' is not column or"),
        (["junk"], "m.dmv:1: not a DMV model"),
        (["# commonground dmv 1", "tag\tA", "root\tA"], "m.dmv:3: a line is"),
        (["# commonground dmv 1", "root\tA\t1"], "m.dmv:2: the tag 'A' has no line"),
        (["# commonground dmv 1", "tag\tA", "root\tA\t2"], "m.dmv:3: '2' is not a probability"),
        (["# commonground dmv 1", "tag\tA", "root\tA\tnan"], "m.dmv:3: 'nan' is not a probability"),
        (["# commonground dmv 1", "tag\tA", "tag\tA"], "m.dmv:3: the tag 'A' is there twice"),
        (["# commonground dmv 1", "tag\tA", "stop\tA\tup\tnone\t1"], "m.dmv:3: 'up' is not left"),
        (["# commonground dmv 1", "tag\tA", "root\tA\t1", "root\tA\t1"], "m.dmv:4: this prob"),
        (["# commonground dmv 1"], "m.dmv: the model has no tags"),
        (["# commonground dmv 1", "setting\tstop_valence\t0"], "m.dmv:2: '0' is not 1 or 2"),
        (["# commonground dmv 1", "setting\tstop_valence\t10"], "m.dmv:2: '10' is not 1 or 2"),
        (
            ["# commonground dmv 1", "tag\tA", "root\tA\t1", "setting\tchild_valence\t2"],
            "m.dmv:4: child_valence must come before all probabilities",
        ),
        (
            [
                "# commonground dmv 1",
                "setting\tstop_valence\t3",
                "tag\tA",
                "stop\tA\tleft\tsome\t1",
            ],
            "m.dmv:4: 'some' is not 0 or 1 or 2",
        ),
        (
            [
                "# commonground dmv 1",
                "setting\tchild_valence\t2",
                "tag\tA",
                "attach\tA\tleft\tA\t1",
            ],
            "m.dmv:4: a line is",
        ),
    ],
)
def test_a_damaged_model_is_refused_with_its_line(lines, message):
    with pytest.raises(InputError) as error:
        grammar_of("\n".join(lines), "m.dmv")
    assert str(error.value).startswith(message)


# ── flips ────────────────────────────────────────────────────────────────────────────────────────


def test_a_flip_sets_the_parameters_of_the_thesis():
    grammar = random_grammar(5, ("TO", "VB"))
    parsed = flipped(grammar, ParameterFlips.parse(["TO->VB"]))
    to, vb, left, right = 0, 1, 0, 1
    assert parsed.attach[to, right, 0, vb] == EPSILON
    assert parsed.attach[vb, left, 0, to] == 1 - EPSILON
    assert np.array_equal(parsed.stop, grammar.stop)
    stubborn = flipped(grammar, ParameterFlips.parse(["TO->VB"]), prevails=lambda *_: True)
    assert stubborn.stop[vb, left, 0] == EPSILON
    assert stubborn.stop[to, right, 0] == 1 - EPSILON
    mirrored = flipped(grammar, ParameterFlips.parse(["TO<-VB"]), prevails=lambda *_: True)
    assert mirrored.attach[vb, left, 0, to] == EPSILON
    assert mirrored.attach[to, right, 0, vb] == 1 - EPSILON
    assert mirrored.stop[to, right, 0] == EPSILON
    assert mirrored.stop[vb, left, 0] == 1 - EPSILON


def test_a_flip_turns_an_edge_for_all_child_valences():
    grammar = random_grammar(5, ("TO", "VB"), RICHER)
    turned = flipped(grammar, ParameterFlips.parse(["TO->VB"]), prevails=lambda *_: True)
    assert (turned.attach[0, 1, :, 1] == EPSILON).all()
    assert (turned.attach[1, 0, :, 0] == 1 - EPSILON).all()
    assert (turned.attach != grammar.attach).sum() == 2 * RICHER.child
    assert (turned.stop != grammar.stop).sum() == 2


def test_forbidding_only_lowers():
    grammar = random_grammar(6, ("IN", "DT"))
    parsed = flipped(grammar, ParameterFlips.parse([], ["IN->DT"]), epsilon=1e-3)
    changed = parsed.attach != grammar.attach
    assert changed.sum() == 1
    assert parsed.attach[0, 1, 0, 1] == 1e-3


def test_a_flip_turns_the_edge_of_what_is_parsed():
    text = Dependencies.of([(["to", "eat"], [0, 1], ["_", "_"])] * 3)
    text = text.replace("words", xpos=Strings.of(["TO", "VB"] * 3))
    model = train(TrainingTask(text, DmvSettings(variant="supervised")))
    assert model.parse(text).head.tolist() == [0, 1] * 3
    turned = flip_model(model, ParameterFlips.parse(["TO->VB"]), text)
    assert turned.parse(text).head.tolist() == [2, 0] * 3


def test_a_tag_the_model_does_not_know_is_refused_by_name():
    with pytest.raises(UsageError, match="the model has no tag 'XY'; it has A B C"):
        flipped(random_grammar(1), ParameterFlips.parse(["XY->A"]))
    with pytest.raises(UsageError, match="'AB' is not an edge"):
        Edge.parse("AB")


def test_the_sets_of_the_thesis_are_there():
    assert {name: len(f.edges) + len(f.forbidden) for name, f in PUBLISHED.items()} == {
        "km04": 5,
        "cs09": 8,
        "saj10a": 5,
    }


def test_candidates_find_the_edge_that_a_gold_standard_turns():
    tags = Strings.of(["TO", "VB", "NN"] * 4)
    learned_from = Dependencies.of([(["to", "eat", "it"], [0, 1, 2], ["_"] * 3)] * 4)
    gold = Dependencies.of([(["to", "eat", "it"], [2, 0, 2], ["_"] * 3)] * 4)
    model = train(
        TrainingTask(learned_from.replace("words", xpos=tags), DmvSettings(variant="supervised"))
    )
    flips = found_flips(model, gold.replace("words", xpos=tags))
    assert [str(edge) for edge in flips.edges] == ["TO->VB"]


def test_a_flipped_model_is_learnable_as_its_own_annotation(example):
    result = learnability(example, example, PUBLISHED["km04"], "determiner")
    assert 0.3 < result.own.attachment <= 1
    assert 0.3 < result.gold.attachment <= 1


# ── the parser ───────────────────────────────────────────────────────────────────────────────────


def test_the_start_of_smith_is_that_of_a_calculation_by_hand():
    grammar = initial_grammar(GrammarLayout(symbols_of("AB", tags="AB"), Valences(3, 2)), "smith06")
    a, b, left, right = 0, 1, 0, 1
    # A has half a dependent on the right, and 0.1 is added: 0.6 is the least that any tag allows.
    first = 0.9 * 0.6
    stops = [(1.1 - first) / 1.2, *[(first + 0.1) / (0.5 + 0.2)] * 2]
    assert grammar.stop[a, right] == pytest.approx(stops)
    assert grammar.stop[b, left] == pytest.approx(stops)
    assert grammar.stop[a, left] == pytest.approx([1.1 / 1.2, 0.5, 0.5])
    assert grammar.attach[a, right] == pytest.approx(np.array([[0.1 / 0.7, 0.6 / 0.7]] * 2))
    assert grammar.root == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_learns_and_parses_every_sentence(example, variant):
    model = train(TrainingTask(example, DmvSettings(variant=variant, max_length=8, iterations=5)))
    parse = model.parse(example)
    assert len(parse) == len(example)
    roots = np.bincount(parse.words.sentence_of_row()[parse.head == 0], minlength=len(parse))
    assert (roots == 1).all()
    assert DmvModel.of_text(model.text(), "m").text() == model.text()


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"stop_valence": 10}, "stop_valence is 10; it must be 1 to 9"),
        ({"backoff": 1.5}, "backoff is 1.5; it must be 0 to 1"),
        ({"variant": "leapfrog", "child_valence": 2}, "leapfrog has a stop_valence of 2 and"),
        ({"variant": "cs09", "backoff": 0.5}, "cs09 has no backoff"),
    ],
)
def test_settings_that_mean_nothing_are_refused(chosen, message):
    with pytest.raises(ValueError, match=message):
        DmvSettings(**chosen)


def test_the_same_seed_makes_the_same_model(example):
    chosen = DmvSettings(start="random", restarts=2, iterations=3)
    one, two = (train(TrainingTask(example, chosen, seed=3)).text() for _ in range(2))
    assert one == two != train(TrainingTask(example, chosen, seed=4)).text()


def test_frequent_words_stand_for_themselves(example):
    model = train(TrainingTask(example, DmvSettings(frequent=20, iterations=2)))
    assert "the/DT" in model.grammar.tags
    assert (
        model.parse(example).head.tolist()
        == DmvModel.of_text(model.text(), "m").parse(example).head.tolist()
    )


def test_tags_that_were_not_seen_are_parsed_too(example):
    model = train(TrainingTask(example[:5], DmvSettings(iterations=2, max_length=40)))
    assert (model.parse(example).head >= 0).all()


def test_a_treebank_without_tags_is_refused():
    bare = Dependencies.of([(["a", "b"], [0, 1], ["_", "_"])])
    with pytest.raises(UsageError, match="the treebank has no tags"):
        train(TrainingTask(bare, DmvSettings()))
    some = bare.replace("words", xpos=Strings.of(["A", "_"]))
    with pytest.raises(UsageError, match="1 word has no tag in the column xpos"):
        train(TrainingTask(some, DmvSettings()))


def test_sentences_of_punctuation_only_and_of_one_word_have_a_tree(example):
    model = train(TrainingTask(example, DmvSettings(iterations=1)))
    odd = Dependencies.of([([".", "!"], [0, 1], ["_"] * 2), (["Yes"], [0], ["_"])])
    odd = odd.replace("words", xpos=Strings.of([".", ".", "UH"]))
    assert model.parse(odd).head.tolist() == [0, 1, 0]


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_are_trees(name):
    offsets = np.array([0, 1, 4, 10], np.int64)
    heads = baseline_heads(name, offsets, seed=2)
    for first, last in itertools.pairwise(offsets):
        assert tuple(heads[first:last].tolist()) in set(all_trees(int(last - first)))


@pytest.mark.long
def test_random_trees_are_all_equally_probable():
    offsets = np.arange(0, 3 * 7001, 3)
    heads = baseline_heads("random", offsets, seed=1).reshape(-1, 3)
    trees, counts = np.unique(heads, axis=0, return_counts=True)
    assert len(trees) == 7 == len(all_trees(3))
    assert counts.min() > 850
    assert counts.max() < 1150


# ── the measure ──────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6), st.floats(0, 1))
def test_ned_in_disputed_structures_lies_between_attachment_and_ned(seed, share):
    gold = cg.read("example:ud")
    random = np.random.default_rng(seed)
    wrong = random.random(gold.words.rows) < share
    lengths = np.repeat(gold.words.lengths, gold.words.lengths)
    heads = np.where(wrong, random.integers(0, lengths + 1), gold.head).astype(np.int32)
    parse = gold.replace("words", head=heads)
    result = cg.evaluate(gold, parse, metrics=["uas", "ned_disputed", "ned"])
    assert result["uas"].value <= result["ned_disputed"].value <= result["ned"].value


def test_a_flip_of_what_is_disputed_is_forgiven_and_another_one_is_not():
    gold = cg.read("example:ud")
    infinitives, _ = cg.flip(gold, "ud:infinitive")
    adjectives, _ = cg.flip(gold, "label=amod")
    forgiven = cg.evaluate(gold, infinitives, metrics=["uas", "ned_disputed"])
    assert forgiven["ned_disputed"].value == 1 > forgiven["uas"].value
    punished = cg.evaluate(gold, adjectives, metrics=["ned_disputed", "ned"])
    assert punished["ned_disputed"].value < punished["ned"].value


def test_the_mark_of_what_is_disputed_can_be_written(tmp_path):
    done = run("structures", "example:ud", "--mark", tmp_path / "m.conllu")
    assert done.returncode == 0, done.stderr
    marked = cg.read(tmp_path / "m.conllu")
    where = marked.misc.where(lambda text: "Disputed=" in text)
    assert where.sum() > 200
    assert marked.head.tolist() == cg.read("example:ud").head.tolist()
    assert run("check", tmp_path / "m.conllu").returncode == 0


def test_a_model_with_richer_valences_is_trained_flipped_and_parses(tmp_path):
    model, turned, parse = tmp_path / "m", tmp_path / "turned", tmp_path / "p.conllu"
    chosen = [f"--set={name}_valence=3" for name in ("stop", "child")]
    chosen += ["--variant", "gggtp10", "--set", "iterations=2", "--tag-column", "upos"]
    done = run("train", "example:ud", "--parser", "dmv", *chosen, "-o", model)
    assert done.returncode == 0, done.stderr
    assert "setting\tchild_valence\t3" in model.read_text()
    done = run("dmv", "flip", model, "--edge", "DET->NOUN", "--on", "example:ud", "-o", turned)
    assert done.returncode == 0, done.stderr
    assert turned.read_text() != model.read_text()
    assert run("dmv", "candidates", turned, "example:ud").returncode == 0
    assert run("parse", turned, "example:ud", parse).returncode == 0
    assert run("check", parse).returncode == 0


def test_bad_input_is_one_clear_line_each(tmp_path):
    model = tmp_path / "dmv.model"
    assert run("train", "example:ud", "--parser", "dmv", "-o", model).returncode == 0
    assert_refused(
        run("dmv", "flip", model, "--edge", "QQ->VB", "-o", tmp_path / "x"), "no tag 'QQ'"
    )
    assert_refused(run("dmv", "flip", model, "-o", tmp_path / "x"), "there is nothing to flip")
    write(model, model.read_text().replace("root\t", "rot\t", 1))
    assert_refused(run("parse", model, "example:ud", tmp_path / "x"), "dmv.model:")
    assert_refused(run("train", "example:ud", "--parser", "dmv", "--variant", "km05", "-o", model),
                   "there is no variant 'km05'")  # fmt: skip
    assert not (tmp_path / "x").exists()
