"""Transition systems: their oracles against brute force, and both twins against each other."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground import kernels
from commonground.corpus import Dependencies
from commonground.corpus.shape import cyclic, nonprojective_arcs
from commonground.errors import UsageError
from commonground.kernels import perceptron, transition_features
from commonground.kernels.transition_state import SYSTEMS, State
from commonground.parsers.parser import TrainingTask
from commonground.parsers.registry import find_parser
from commonground.parsers.transition import _order, word_fields
from commonground.parsers.transition_features import FIELDS, PLACES, STATE_FIELDS, templates

DYNAMIC = ("arc-eager", "arc-hybrid")


def trees(words, *, projective=True):
    """All trees over so many words: tuples of heads, 0 is the root."""
    heads = [[h for h in range(words + 1) if h != word] for word in range(1, words + 1)]
    for tree in product(*heads):
        corpus = Dependencies.of([(["w"] * words, list(tree), ["x"] * words)])
        if tree.count(0) != 1 or cyclic(corpus)[0]:
            continue
        if not projective or not nonprojective_arcs(corpus).any():
            yield tree


def partial_trees(words):
    """All trees in which any heads are missing."""
    which = list(product((False, True), repeat=words))
    by_name = {
        tuple(head if keep else -1 for head, keep in zip(tree, kept, strict=True))
        for tree in trees(words)
        for kept in which
    }
    return sorted(by_name)


def costs_after(system, heads, labels, done, classes=1, order=None):
    words = len(heads)
    padded = np.array([-1, *(h or words + 1 for h in heads), -1], np.int32)
    named = np.array([-1, *labels, -1], np.int32)
    places = np.array(order or range(words + 2), np.int32)
    return kernels.load("transitions").transition_costs(
        SYSTEMS.index(system),
        padded,
        named,
        places,
        np.array(done or np.empty((0, 2)), np.int32).reshape(-1, 2),
        classes,
    )


def replayed(system, words, done):
    state = State(SYSTEMS.index(system), words)
    for kind, label in done:
        state.apply(kind, label)
    return state


def loss(state, heads, labels):
    """How many annotated words have another head or label in a finished state."""
    wrong = 0
    for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
        result = state.head[word] if state.head[word] != state.root else 0
        wrong += head >= 0 and (result, state.label[word] - 1) != (head, label)
    return wrong


def key(state):
    return (*state.stack, -1, *state.buffer, -1, *state.head, -1, *state.label)


def check_against_brute_force(system, heads, labels, classes):
    """The cost of each transition is by how much it raises the least loss that can be reached."""
    memory = {}

    def least(done):
        state = replayed(system, len(heads), done)
        if key(state) not in memory:
            if state.done():
                memory[key(state)] = loss(state, heads, labels)
            else:
                told = costs_after(system, heads, labels, done, classes)
                after = {(k, lab): least((*done, (k, lab))) for k, lab, _ in told}
                best = memory[key(state)] = min(after.values())
                for kind, label, cost in told:
                    assert cost == after[kind, label] - best, (heads, done, kind, label)
        return memory[key(state)]

    assert least(()) == 0


@pytest.mark.parametrize("system", DYNAMIC)
def test_the_dynamic_oracle_tells_the_least_loss_that_can_be_reached(kernels, system):
    for words in (1, 2, 3):
        for heads in trees(words):
            check_against_brute_force(system, heads, [0] * words, 1)


@pytest.mark.parametrize("system", DYNAMIC)
def test_the_dynamic_oracle_counts_wrong_labels(kernels, system):
    for heads in trees(2):
        for labels in product((0, 1), repeat=2):
            check_against_brute_force(system, heads, labels, 2)


@pytest.mark.parametrize("system", DYNAMIC)
def test_a_head_that_is_not_annotated_costs_nothing(kernels, system):
    for heads in partial_trees(3):
        check_against_brute_force(system, heads, [0] * 3, 1)


@pytest.mark.parametrize("system", DYNAMIC)
def test_the_dynamic_oracle_on_longer_sentences(system):
    drawn = list(trees(4))
    for heads in drawn[::9]:
        check_against_brute_force(system, heads, [0] * 4, 1)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_following_the_oracle_gives_the_gold_tree(kernels, system, words):
    for heads in trees(words, projective=system != "swap"):
        corpus = Dependencies.of([(["w"] * words, list(heads), ["x"] * words)])
        order = [0, *_order(corpus).tolist(), words + 1]
        done = []
        while told := costs_after(system, heads, [0] * words, done, order=order):
            free = [(kind, label) for kind, label, cost in told if cost == 0]
            assert free
            done.append(free[0])
        assert loss(replayed(system, words, done), heads, [0] * words) == 0


def test_both_twins_tell_the_same_costs(monkeypatch):
    if not kernels.built():
        pytest.skip("the kernels were not compiled")
    random = np.random.default_rng(1)
    for system in SYSTEMS:
        for _ in range(30):
            words = int(random.integers(1, 9))
            heads = [int(h) for h in random.integers(-1, words + 1, words)]
            labels = [int(each) for each in random.integers(0, 3, words)]
            done = []
            while True:
                told = []
                for name in ("python", "compiled"):
                    monkeypatch.setenv("COMMONGROUND_KERNELS", name)
                    told.append(costs_after(system, heads, labels, done, 3))
                assert told[0] == told[1]
                if not told[0]:
                    break
                kind, label, _ = told[0][int(random.integers(len(told[0])))]
                done.append((kind, label))
                if len(done) > 100:
                    break


def test_what_is_not_possible_has_no_costs(kernels):
    assert costs_after("arc-eager", [0], [0], [(1, 0)]) is None


# ── learning and parsing ─────────────────────────────────────────────────────────────────────────


@cache
def sample(name="example:ud"):
    import commonground

    return commonground.read(name)


def trained(system, corpus, seed=0, **changes):
    parser = find_parser(system)
    return parser.train(TrainingTask(corpus, parser.settings(**changes), seed=seed))


@pytest.mark.parametrize("system", SYSTEMS)
def test_both_twins_make_the_same_model_and_the_same_trees(system, monkeypatch):
    if not kernels.built():
        pytest.skip("the kernels were not compiled")
    corpus = sample()[:3]
    models = []
    for name in ("python", "compiled"):
        monkeypatch.setenv("COMMONGROUND_KERNELS", name)
        models.append(trained(system, corpus, iterations=3))
    plain, compiled = models
    for one, other in zip(plain.weights, compiled.weights, strict=True):
        assert np.array_equal(one, other)
    monkeypatch.setenv("COMMONGROUND_KERNELS", "python")
    assert plain.parse(sample()[4:6]) == compiled.parse(sample()[4:6])


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_parser_learns_its_training_corpus_by_heart(system):
    corpus = sample()
    parsed = trained(system, corpus, iterations=8).parse(corpus)
    assert (parsed.head == corpus.head).mean() > 0.95


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_parse_is_a_tree_with_one_root(system):
    corpus = sample()
    parsed = trained(system, corpus[:8], iterations=1).parse(corpus)
    roots = np.add.reduceat(parsed.head == 0, corpus.offsets[:-1])
    assert (roots == 1).all()
    assert not cyclic(parsed).any()
    if system != "swap":
        assert not nonprojective_arcs(parsed).any()


def test_swap_learns_trees_that_are_not_projective():
    words, heads = "A hearing is scheduled on the issue today".split(), [2, 4, 4, 0, 7, 7, 2, 4]
    corpus = Dependencies.of([(words, heads, ["x"] * 8)])
    assert trained("swap", corpus, iterations=20).parse(corpus).head.tolist() == heads


def test_another_seed_makes_another_model():
    one, other = (trained("arc-eager", sample(), seed=seed, iterations=2) for seed in (0, 1))
    assert not np.array_equal(one.weights[3], other.weights[3])


@given(st.data())
@settings(max_examples=examples(8))
def test_parses_do_not_depend_on_the_sentences_around(data):
    corpus = sample()
    model = _two_iterations()
    start = data.draw(st.integers(0, len(corpus) - 1))
    stop = data.draw(st.integers(start, len(corpus)))
    assert model.parse(corpus[start:stop]) == model.parse(corpus)[start:stop]


@cache
def _two_iterations():
    return trained("arc-eager", sample(), iterations=2)


def test_templates_name_what_the_kernels_know():
    assert len(PLACES) == transition_features.PLACES
    assert len(FIELDS) == transition_features.WORD_FIELDS
    assert len(STATE_FIELDS) == transition_features.STATE_FIELDS
    for system in SYSTEMS:
        lists = templates(system)
        assert len({tuple(each) for each in lists}) == len(lists)


@pytest.mark.parametrize("name", ["fields", "offsets", "heads", "sentences"])
def test_columns_that_do_not_fit_together_are_refused(kernels, name):
    from commonground.parsers.transition import _actions, _system

    corpus = sample()[:2]
    columns = {
        "fields": word_fields(corpus),
        "offsets": corpus.offsets,
        "heads": corpus.head.astype(np.int32),
        "labels": np.zeros(corpus.words.rows, np.int32),
        "order": np.zeros(corpus.words.rows, np.int32),
        "sentences": np.arange(2),
    }
    wrong = {
        "fields": columns["fields"][:-1],
        "offsets": columns["offsets"][:-1],
        "heads": columns["heads"] + 1000,
        "sentences": np.array([7]),
    }
    from commonground.kernels import load

    learner = load("transitions").TransitionLearner(
        *_system("arc-eager", _actions("arc-eager", corpus))
    )
    with pytest.raises(ValueError, match="do not fit together"):
        learner.iterate(*{**columns, name: wrong[name]}.values(), 1, 0.0, 0)


def test_weights_that_do_not_fit_together_are_refused():
    keys = np.array([2, 1], np.uint64)
    cells = np.zeros(2, np.uint16)
    with pytest.raises(ValueError, match="do not fit together"):
        perceptron.checked_weights((keys, cells + 1, cells, cells.astype(np.int16)), 3)


@pytest.mark.long
@pytest.mark.parametrize("system", ["arc-eager", "arc-hybrid", "arc-standard"])
def test_both_twins_make_the_same_model_with_a_beam(system, monkeypatch):
    if not kernels.built():
        pytest.skip("the kernels were not compiled")
    models = []
    for name in ("python", "compiled"):
        monkeypatch.setenv("COMMONGROUND_KERNELS", name)
        models.append(trained(system, sample()[:2], iterations=2, beam=3))
    plain, compiled = models
    for one, other in zip(plain.weights, compiled.weights, strict=True):
        assert np.array_equal(one, other)
    assert plain.parse(sample()[4:5]) == compiled.parse(sample()[4:5])


@pytest.mark.long
def test_a_parser_with_a_beam_learns_its_training_corpus_by_heart():
    parsed = trained("arc-eager", sample(), iterations=8, beam=4).parse(sample())
    assert (parsed.head == sample().head).mean() > 0.95
    assert (np.add.reduceat(parsed.head == 0, sample().offsets[:-1]) == 1).all()


def test_a_beam_is_refused_where_it_makes_no_sense():
    partial = sample().replace("words", head=np.full(sample().words.rows, -1, np.int32))
    with pytest.raises(UsageError, match="swap has no beam"):
        trained("swap", sample(), beam=2)
    with pytest.raises(UsageError, match="whole trees without weights are needed"):
        trained("arc-eager", partial, beam=2)
