"""The decoders of parsers find the best tree, as a search through all trees does."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground.kernels import load
from commonground.kernels.constituents import layout


def trees(n):
    """All trees over n words with one word under ROOT, as tuples of heads."""
    for heads in product(range(n + 1), repeat=n):
        if heads.count(0) == 1 and all(climbs(heads, word) for word in range(1, n + 1)):
            yield heads


def climbs(heads, word):
    for _ in heads:
        word = heads[word - 1]
        if word == 0:
            return True
    return False


def is_projective(heads):
    for word, head in enumerate(heads, 1):
        if not head:
            continue
        for between in range(min(word, head) + 1, max(word, head)):
            up = between
            while up not in (0, head):
                up = heads[up - 1]
            if up != head:
                return False
    return True


@st.composite
def scored_arcs(draw, longest=4):
    """A few sentences: their lengths, and for each one the scores of some arcs."""
    sentences = []
    for _ in range(draw(st.integers(1, 2))):
        n = draw(st.integers(1, longest))
        every = [(h, m) for h in range(n + 1) for m in range(1, n + 1) if h != m]
        kept = draw(st.sets(st.sampled_from(every), min_size=len(every) // 2)) | set(every[:n])
        arcs = sorted(kept, key=lambda arc: (arc[0], arc[1] > arc[0], abs(arc[1] - arc[0])))
        scores = draw(st.lists(st.integers(-9, 9), min_size=len(arcs), max_size=len(arcs)))
        sentences.append((n, arcs, scores))
    return sentences


def columns(sentences):
    words = np.cumsum([0] + [n for n, _, _ in sentences])
    arcs = np.cumsum([0] + [len(arcs) for _, arcs, _ in sentences])
    head = np.array([h for _, arcs, _ in sentences for h, _ in arcs], np.int32)
    word = np.array([m for _, arcs, _ in sentences for _, m in arcs], np.int32)
    score = np.array([s for _, _, scores in sentences for s in scores], np.int64)
    return words, arcs, head, word, score


def inner(heads, head, word):
    """The dependent of the head that is next to the word, on the way to the head; 0 is none."""
    step = 1 if head < word else -1
    results = [s for s in range(head + step, word, step) if head and heads[s - 1] == head]
    return results[-1] if results else 0


def neighbours(sentences, draw):
    """The scores of neighbouring dependents: per sentence a dictionary, and the two columns."""
    before, pair, tables = [0], [], []
    for _, arcs, _ in sentences:
        table = {}
        for h, m in arcs:
            near = [s for g, s in arcs if g == h and h and (s > h) == (m > h)]
            near = sorted((s for s in near if abs(s - h) < abs(m - h)), key=lambda s: abs(s - h))
            for s in [0, *near]:
                table[h, m, s] = draw()
                pair.append(table[h, m, s])
            before.append(len(pair))
        tables.append(table)
    return tables, np.array(before), np.array(pair, np.int64)


def best_score(sentence, value, allowed):
    """The highest value of a tree, or None where there is no tree of these arcs."""
    n, arcs, _ = sentence
    known = set(arcs)
    results = [
        value(heads)
        for heads in trees(n)
        if allowed(heads) and all((h, m) in known for m, h in enumerate(heads, 1))
    ]
    return max(results, default=None)


def agree(sentences, heads, values, allowed):
    start = 0
    for sentence, value in zip(sentences, values, strict=True):
        result = tuple(heads[start : start + sentence[0]].tolist())
        start += sentence[0]
        expected = best_score(sentence, value, allowed)
        if expected is None:
            assert set(result) == {-1}
        else:
            assert result in set(trees(sentence[0]))
            assert allowed(result)
            assert value(result) == expected


def arc_sum(sentence):
    table = dict(zip(sentence[1], sentence[2], strict=True))
    return lambda heads: sum(table[h, m] for m, h in enumerate(heads, 1))


@pytest.mark.parametrize("name", ["eisner", "_eisner"])
@given(sentences=scored_arcs())
@settings(max_examples=examples(60))
def test_eisner_finds_the_best_projective_tree(name, sentences):
    kernel = _module(name)
    heads = kernel.first_order(*columns(sentences))
    agree(sentences, heads, [arc_sum(one) for one in sentences], is_projective)


@pytest.mark.parametrize("name", ["arborescence", "_arborescence"])
@given(sentences=scored_arcs())
@settings(max_examples=examples(60))
def test_chu_liu_edmonds_finds_the_best_tree_with_one_root(name, sentences):
    kernel = _module(name)
    heads = kernel.best_trees(*columns(sentences))
    agree(sentences, heads, [arc_sum(one) for one in sentences], lambda _: True)


@pytest.mark.parametrize("name", ["eisner", "_eisner"])
@given(sentences=scored_arcs(longest=5), data=st.data())
@settings(max_examples=examples(60))
def test_second_order_finds_the_best_tree_with_scores_of_neighbours(name, sentences, data):
    kernel = _module(name)
    random = data.draw(st.randoms(use_true_random=False))
    tables, before, pair = neighbours(sentences, lambda: random.randint(-9, 9))

    def value(sentence, table):
        plain = arc_sum(sentence)

        def of(heads):
            return plain(heads) + sum(
                table[h, m, inner(heads, h, m)] for m, h in enumerate(heads, 1)
            )

        return of

    heads = kernel.second_order(*columns(sentences), before, pair)
    values = [value(one, table) for one, table in zip(sentences, tables, strict=True)]
    agree(sentences, heads, values, is_projective)


def lines(sentences, draw):
    """The scores of arcs below others: per sentence a dictionary, and the two columns."""
    above, line, tables = [0], [], []
    for _, arcs, _ in sentences:
        table = {}
        for h, m in arcs:
            for g in [g for g, w in arcs if w == h and h]:
                table[g, h, m] = draw()
                line.append(table[g, h, m])
            above.append(len(line))
        tables.append(table)
    return tables, np.array(above), np.array(line, np.int64)


def improvement(sentences, draw):
    """The arguments of the kernel, and the value of trees of each sentence."""
    pairs, before, pair = neighbours(sentences, draw)
    longer, above, line = lines(sentences, draw)
    rows = *columns(sentences), before, pair
    start = load("eisner").second_order(*rows)

    def value(sentence, pairs, longer):
        plain = arc_sum(sentence)

        def of(heads):
            beside = sum(pairs[h, m, inner(heads, h, m)] for m, h in enumerate(heads, 1))
            up = sum(longer[heads[h - 1], h, m] for m, h in enumerate(heads, 1) if h)
            return plain(heads) + beside + up

        return of

    values = [value(*each) for each in zip(sentences, pairs, longer, strict=True)]
    return (rows, (above, line), start), values


def by_sentence(sentences, heads):
    ends = np.cumsum([n for n, _, _ in sentences])[:-1]
    return [tuple(part.tolist()) for part in np.split(heads, ends)]


@pytest.mark.parametrize("name", ["reattachment", "_reattachment"])
@given(sentences=scored_arcs(longest=5), data=st.data())
@settings(max_examples=examples(60))
def test_other_heads_make_trees_with_one_root_that_are_never_worse(name, sentences, data):
    random = data.draw(st.randoms(use_true_random=False))
    arguments, values = improvement(sentences, lambda: random.randint(-9, 9))
    heads = by_sentence(sentences, _module(name).improved(*arguments))
    for sentence, value, one, start in zip(
        sentences, values, heads, by_sentence(sentences, arguments[-1]), strict=True
    ):
        if start[0] < 0:
            assert one == start
            continue
        assert one in set(trees(sentence[0]))
        assert value(one) >= value(start)
        changed = [(*one[:m], h, *one[m + 1 :]) for h, m in _others(sentence, one)]
        assert all(value(tree) <= value(one) for tree in changed if tree in set(trees(len(one))))


def _others(sentence, heads):
    return [(h, m - 1) for h, m in sentence[1] if heads[m - 1] != h]


def test_most_trees_that_are_found_are_the_best_ones(kernels):
    random = np.random.default_rng(3)
    found = best = 0
    for _ in range(40):
        n = int(random.integers(3, 6))
        every = [(h, m) for h in range(n + 1) for m in range(1, n + 1) if h != m]
        arcs = sorted(every, key=lambda arc: (arc[0], arc[1] > arc[0], abs(arc[1] - arc[0])))
        sentence = n, arcs, random.integers(-20, 20, len(arcs)).tolist()
        arguments, values = improvement([sentence], lambda: int(random.integers(-5, 5)))
        heads = tuple(load("reattachment").improved(*arguments).tolist())
        found += values[0](heads) == best_score(sentence, values[0], lambda _: True)
        best += 1
    assert found >= 0.8 * best


def test_a_start_that_is_no_tree_is_refused(kernels):
    one = np.array([0, 2]), np.array([0, 3])
    arcs = np.array([0, 1, 2], np.int32), np.array([1, 2, 1], np.int32)
    score, before, pair = np.zeros(3, np.int64), np.arange(4), np.zeros(3, np.int64)
    rows = *one, *arcs, score, before, pair
    above, line = np.array([0, 0, 2, 3]), np.zeros(3, np.int64)
    for start in ([2, 1], [0, 0], [0, 5], [1, 1]):
        with pytest.raises(ValueError, match="not a tree"):
            load("reattachment").improved(rows, (above, line), np.array(start, np.int32))


@given(sentences=scored_arcs(longest=9), data=st.data())
@settings(max_examples=examples(60))
def test_the_twins_make_the_same_changes(sentences, data):
    random = data.draw(st.randoms(use_true_random=False))
    arguments, _ = improvement(sentences, lambda: random.randint(-3, 3))
    one, two = (_module(name).improved(*arguments) for name in ("reattachment", "_reattachment"))
    assert one.tolist() == two.tolist()


@given(sentences=scored_arcs(longest=9))
def test_the_twins_find_the_same_trees(sentences):
    rows = columns(sentences)
    for name, function in (("eisner", "first_order"), ("arborescence", "best_trees")):
        one, two = (getattr(_module(n), function)(*rows) for n in (name, "_" + name))
        assert one.tolist() == two.tolist()


def _module(name):
    import importlib

    from commonground.kernels import built

    if name.startswith("_") and not built():
        pytest.skip("the kernels were not compiled")
    return importlib.import_module(f"commonground.kernels.{name}")


def test_decoders_refuse_arcs_that_leave_the_sentence(kernels):
    rows = np.array([0, 2]), np.array([0, 1]), np.array([3], np.int32), np.array([1], np.int32)
    for function in (load("eisner").first_order, load("arborescence").best_trees):
        with pytest.raises(ValueError, match="leaves its sentence"):
            function(*rows, np.array([1]))


def test_eisner_refuses_arcs_in_another_order(kernels):
    rows = np.array([0, 2]), np.array([0, 2])
    arcs = np.array([1, 0], np.int32), np.array([2, 1], np.int32)
    with pytest.raises(ValueError, match="not in order"):
        load("eisner").first_order(*rows, *arcs, np.array([1, 1]))


@st.composite
def phrases(draw, most=3, labels=2):
    """Sentences, candidates of their spans (the whole has one), and scores of all families."""
    lengths = draw(st.lists(st.integers(0, most), min_size=1, max_size=2))
    words, spans = np.cumsum([0, *lengths]), []
    for sentence, n in enumerate(lengths):
        first = int(words[sentence]) + sentence
        for i in range(n):
            for j in range(i + 1, n + 1):
                count = draw(st.integers(int((i, j) == (0, n)), 2))
                spans += [(first + i, first + j)] * count
    start, end = np.array(spans, np.int64).reshape(-1, 2).T.copy()
    nodes = layout(words, start, end)
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))

    def numbers(*shape):
        return rng.integers(-5, 6, shape).astype(np.int32)

    return (
        words,
        start,
        end,
        rng.integers(0, labels, len(start)).astype(np.int32),
        numbers(len(start)).astype(np.int64),
        numbers(len(start), labels + 1),
        numbers(len(nodes.inner_node), labels),
        numbers(int(nodes.pairs[-1]), labels),
    )


def above_in(chosen, first, last, start, end):
    """Return the candidate above each word and chosen candidate; None if they are no tree."""
    above = {}
    spans = [(place, place + 1, None) for place in range(first, last)]
    for i, j, one in spans + [(start[c], end[c], c) for c in chosen]:
        outer = []
        for other in chosen:
            a, b = start[other], end[other]
            if one == other:
                continue
            if one is not None and ((a, b) == (i, j) or a < i < b < j or i < a < j < b):
                return None
            if a <= i and j <= b:
                outer.append((b - a, other))
        above[i if one is None else ("candidate", one)] = min(outer)[1] if outer else -1
    return above


def value_of(above, columns):
    """Return what a tree is worth: its candidates, and all children of each of them."""
    words, start, end, label, score, below, inside, beside = columns
    nodes = layout(words, start, end)
    rows = list(zip(nodes.inner_place.tolist(), nodes.inner_node.tolist(), strict=True))
    total, children = 0, {}
    for node, (place, candidate) in enumerate(zip(nodes.start, nodes.candidate, strict=True)):
        parent = above.get(place if candidate < 0 else ("candidate", candidate))
        if parent is not None and candidate >= 0:
            total += score[candidate] + below[candidate, label[parent] if parent >= 0 else -1]
        if parent is not None and parent >= 0:
            children.setdefault(parent, []).append(node)
    for parent, family in children.items():
        p = label[parent]
        total += sum(inside[rows.index((start[parent], node)), p] for node in family)
        total += beside[family[0], p] + beside[len(nodes.start) + family[-1], p]
        for one, two in pairwise(family):
            place = nodes.start[two]
            following = nodes.starting[place + 1] - nodes.starting[place]
            row = nodes.pairs[place] + nodes.rank[one] * following + two - nodes.starting[place]
            total += beside[row, p]
    return total


@pytest.mark.parametrize("name", ["constituents", "_constituents"])
@given(columns=phrases())
@settings(max_examples=examples(60))
def test_the_best_tree_of_all_families_is_found(name, columns):
    """All sets of candidates that are trees are tried, for each sentence."""
    words, start, end, *_ = columns
    above_words, above = _module(name).best_trees(*columns)
    for sentence, (first, last) in enumerate(pairwise(words.tolist())):
        if first == last:
            continue
        places = first + sentence, last + sentence
        own = [c for c in range(len(start)) if places[0] <= start[c] < places[1]]
        whole = {c for c in own if (start[c], end[c]) == places}
        trees = [
            above_in(chosen, *places, start, end)
            for size in range(1, min(len(own), 2 * (last - first)) + 1)
            for chosen in combinations(own, size)
            if whole & set(chosen)
        ]
        chosen = [c for c in own if above[c] > -2]
        assert whole & set(chosen)
        result = above_in(chosen, *places, start, end)
        assert [result[place] for place in range(*places)] == above_words[first:last].tolist()
        assert all(result["candidate", c] == above[c] for c in chosen)
        assert value_of(result, columns) == max(value_of(t, columns) for t in trees if t)


@given(columns=phrases(most=6, labels=3))
def test_the_twins_find_the_same_phrases(columns):
    one, two = (_module(name).best_trees(*columns) for name in ("constituents", "_constituents"))
    assert [side.tolist() for side in one] == [side.tolist() for side in two]


@st.composite
def grammars(draw):
    """A grammar over four symbols, a sentence, and what can be its top."""
    rules = draw(
        st.lists(
            st.tuples(*[st.integers(0, 3)] * 3, st.integers(-5, 5)),
            max_size=10,
            unique_by=lambda rule: rule[:3],
        )
    )
    rules.sort(key=lambda rule: rule[0])
    words = draw(
        st.lists(
            st.dictionaries(st.integers(0, 3), st.integers(-5, 5), min_size=1, max_size=3),
            min_size=1,
            max_size=4,
        )
    )
    top = draw(st.lists(st.sampled_from([-(1 << 30), 0, 1, 2]), min_size=4, max_size=4))
    piece = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    return rules, words, top, piece


def derivations(rules, words, i, j):
    """All (symbol, score) of trees over the words from i to before j."""
    if j - i == 1:
        return list(words[i].items())
    return [
        (parent, one + two + weight)
        for k in range(i + 1, j)
        for left, one in derivations(rules, words, i, k)
        for right, two in derivations(rules, words, k, j)
        for one_child, other_child, parent, weight in rules
        if (one_child, other_child) == (left, right)
    ]


def covers(rules, words, piece, start=0):
    """All (pieces, score) of ways to cover the words."""
    if start == len(words):
        yield 0, 0
    for end in range(start + 1, len(words) + 1):
        for symbol, score in derivations(rules, words, start, end):
            if end - start == 1 or piece[symbol]:
                for count, more in covers(rules, words, piece, end):
                    yield count + 1, score + more


def score_of_nodes(nodes, rules, words):
    weights = {rule[:3]: rule[3] for rule in rules}
    total, nodes = 0, [tuple(node) for node in nodes]
    for place, (i, j, symbol) in enumerate(nodes):
        if j - i == 1:
            total += words[i][symbol]
        else:
            left = nodes[place + 1]
            right = next(node for node in nodes[place + 1 :] if node[0] == left[1] and node[1] == j)
            assert left[0] == i
            total += weights[left[2], right[2], symbol]
    return total


@pytest.mark.parametrize("name", ["grammar", "_grammar"])
@given(case=grammars())
def test_the_grammar_finds_the_best_tree_or_the_fewest_pieces(name, case):
    rules, words, top, piece = case
    starts = np.searchsorted([rule[0] for rule in rules], range(5)).astype(np.int32)
    columns = [np.array([rule[c] for rule in rules], np.int32) for c in (1, 2, 3)]
    leaves = np.cumsum([0] + [len(word) for word in words]).astype(np.int32)
    flat = [item for word in words for item in word.items()]
    symbol, score = (np.array([item[c] for item in flat], np.int32) for c in (0, 1))
    nodes = (
        _module(name)
        .best_tree(
            (starts, *columns), leaves, symbol, score, np.array(top, np.int32), np.array(piece)
        )
        .tolist()
    )
    whole = [s + top[x] for x, s in derivations(rules, words, 0, len(words)) if top[x] > -(1 << 30)]
    result = score_of_nodes(nodes, rules, words)
    if whole:
        assert nodes[0][:2] == [0, len(words)]
        assert result + top[nodes[0][2]] == max(whole)
    else:
        ends, pieces = 0, 0
        for i, j, _ in nodes:
            if i == ends:
                pieces, ends = pieces + 1, j
        assert (pieces, -result) == min((c, -s) for c, s in covers(rules, words, piece))
