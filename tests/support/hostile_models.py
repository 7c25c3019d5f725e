"""Arrays for the kernels of parsers, taggers and aligners: most fit together, the others nearly do.

Each maker gets a generator of random numbers, so that hundreds of thousands of arrays are made
quickly; whoever wants Hypothesis draws the seed.
"""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np

from commonground.kernels import load
from commonground.kernels.constituents import layout

_ODD_NUMBERS = (-(1 << 31), -7, -1, 0, 9, 100, (1 << 31) - 1)
_ODD_WEIGHTS = (-1.0, 0.0, 1e308, 1e-308, np.inf, -np.inf, np.nan)


def spoiled(rng, columns, share=0.35):
    """Return columns, sometimes with one number or one length that is wrong."""
    columns = list(columns)
    if rng.random() < share:
        place = int(rng.integers(len(columns)))
        columns[place] = _spoiled(rng, columns[place])
    return tuple(columns)


def _spoiled(rng, column):
    if isinstance(column, tuple):
        return spoiled(rng, column, 1)
    if not isinstance(column, np.ndarray):
        return type(column)(_odd(rng, isinstance(column, float)))
    way = rng.integers(4)
    if way == 0 and len(column):
        return column[:-1].copy()
    if way == 1:
        return np.concatenate([column, column[-1:] if len(column) else np.zeros_like(column)])
    if not column.size:
        return column
    result = column.copy()
    value = _odd(rng, result.dtype.kind == "f")
    if result.dtype == np.float32:
        value = np.clip(value, -1e38, 1e38)
    if result.dtype.kind == "b":
        value = not result.flat[0]
    elif result.dtype.kind != "f":
        limits = np.iinfo(result.dtype)
        value = min(max(value, int(limits.min)), int(limits.max))
    result.flat[int(rng.integers(result.size))] = value
    return result


def _odd(rng, weight):
    choices = _ODD_WEIGHTS if weight else _ODD_NUMBERS
    return choices[int(rng.integers(len(choices)))]


def cuts(rng, most_groups=3, longest=4):
    """Return offsets of some groups."""
    lengths = rng.integers(0, longest + 1, int(rng.integers(1, most_groups + 1)))
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def numbers(rng, low, high, size, kind=np.int32):
    return rng.integers(low, max(low, high) + 1, size).astype(kind)


# ── trees ────────────────────────────────────────────────────────────────────────────────────────


def _arcs(rng):
    """Return words, arcs and their columns, in the order of heads, sides and distances."""
    words = cuts(rng)
    rows, ends = [], [0]
    for length in np.diff(words).tolist():
        for head in range(length + 1):
            far = sorted(range(1, length + 1), key=lambda m, h=head: (m > h, abs(m - h)))
            rows += [(head, m) for m in far if m != head and rng.random() < 0.8]
        ends.append(len(rows))
    pairs = np.array(rows, np.int32).reshape(-1, 2)
    score = numbers(rng, -9, 9, len(rows), np.int64)
    return words, np.array(ends, np.int64), pairs[:, 0].copy(), pairs[:, 1].copy(), score


def arcs(rng):
    return spoiled(rng, _arcs(rng))


def arcs_and_neighbours(rng):
    return spoiled(rng, _neighbours(rng))


def _neighbours(rng):
    words, ends, head, word, score = _arcs(rng)
    sizes, before = [], None
    sentence = np.repeat(np.arange(len(words) - 1), np.diff(ends)).tolist()
    for key in zip(sentence, head.tolist(), (word > head).tolist(), strict=True):
        sizes.append(sizes[-1] + 1 if key == before and key[1] else 1)
        before = key
    starts = np.cumsum([0, *sizes]).astype(np.int64)
    pair = numbers(rng, -9, 9, int(starts[-1]), np.int64)
    return words, ends, head, word, score, starts, pair


def arcs_and_lines(rng):
    """Arcs with neighbours and with those above them, and mostly a tree of them."""
    words, ends, head, word, score, starts, pair = _neighbours(rng)
    offset = np.repeat(words[:-1], np.diff(ends))
    degree = np.bincount(offset + word, minlength=int(words[-1]) + 1)
    above = np.cumsum([0, *np.where(head > 0, degree[offset + head], 0)]).astype(np.int64)
    line = numbers(rng, -9, 9, int(above[-1]), np.int64)
    start = load("eisner").second_order(words, ends, head, word, score, starts, pair)
    rows = words, ends, head, word, score, starts, pair
    return spoiled(rng, (rows, (above, line), start))


def phrases(rng):
    words = cuts(rng)
    labels, spans = int(rng.integers(1, 4)), []
    for first, last in pairwise((words + np.arange(len(words))).tolist()):
        for start in range(first, last - 1):
            for end in range(start + 1, last):
                spans += [(start, end)] * int(rng.integers((start, end) == (first, last - 1), 3))
    start, end = np.array(spans, np.int64).reshape(-1, 2).T.copy()
    nodes = layout(words, start, end)
    sizes = (
        (len(start), labels + 1),
        (len(nodes.inner_node), labels),
        (int(nodes.pairs[-1]), labels),
    )
    columns = (
        words,
        start,
        end,
        numbers(rng, 0, labels - 1, len(start)),
        numbers(rng, -9, 9, len(start), np.int64),
        *(numbers(rng, -9, 9, rows * classes).reshape(rows, classes) for rows, classes in sizes),
    )
    return spoiled(rng, columns)


def grammar(rng):
    symbols = int(rng.integers(1, 5))
    rules = sorted(
        tuple(rng.integers(0, symbols, 3).tolist()) for _ in range(int(rng.integers(0, 8)))
    )
    starts = np.searchsorted([left for left, *_ in rules], np.arange(symbols + 1)).astype(np.int32)
    right, parent = (np.array([rule[i] for rule in rules], np.int32) for i in (1, 2))
    words = int(rng.integers(0, 6))
    leaves = np.concatenate([[0], np.cumsum(rng.integers(1, 3, words))]).astype(np.int32)
    symbol = numbers(rng, 0, symbols - 1, int(leaves[-1]))
    top = np.where(rng.random(symbols) < 0.5, -(1 << 30), numbers(rng, -9, 0, symbols))
    return spoiled(
        rng,
        (
            (starts, right, parent, numbers(rng, -9, 0, len(rules))),
            leaves,
            symbol,
            numbers(rng, -9, 0, len(symbol)),
            top.astype(np.int32),
            rng.random(symbols) < 0.7,
        ),
    )


def _valence(rng, weights):
    offsets = cuts(rng)
    lengths = np.diff(offsets)
    words = int(offsets[-1])
    sides, arcs = 2 * int(rng.integers(1, 4)) * words, int(rng.integers(1, 4)) * (lengths**2).sum()
    return spoiled(rng, (offsets, *(weights(size) for size in (words, int(arcs), sides, sides))))


def valence(rng):
    return _valence(rng, rng.random)


def logarithmic_valence(rng):
    return _valence(rng, lambda size: -rng.integers(0, 5, size).astype(np.float64))


def heads(rng):
    offsets = cuts(rng)
    lengths = np.diff(offsets)
    sides = []
    for _ in range(2):
        tops = np.repeat(lengths, lengths)
        head = (rng.random(len(tops)) * (tops + 1)).astype(np.int32)
        sides.append((head, numbers(rng, 0, 4, len(tops))))
    return spoiled(rng, (offsets, *sides, int(rng.integers(0, 6))))


def one_sentence(rng):
    words = int(rng.integers(0, 7))
    rows = np.sort(numbers(rng, 0, words - 1, 3, np.int64))
    return spoiled(rng, (np.array([0, words]), numbers(rng, 0, words, words), rows))


# ── linear models ────────────────────────────────────────────────────────────────────────────────


def _templates(rng, atoms):
    sizes = rng.integers(1, 3, int(rng.integers(1, 4)))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    return starts, numbers(rng, 0, len(atoms) - 1, int(starts[-1]))


def _rows(rng):
    """Return a table of attributes, rows with anchors and extras, templates and bits."""
    words, columns, rows = (int(rng.integers(1, 5)) for _ in range(3))
    width, more = (int(rng.integers(1, 3)) for _ in range(2))
    anchors = numbers(rng, 1, words, (rows, width))  # a word on both sides of each anchor
    atoms = [
        (-1, 0, int(rng.integers(more)))
        if rng.random() < 0.3
        else (int(rng.integers(width)), int(rng.integers(-1, 2)), int(rng.integers(columns)))
        for _ in range(int(rng.integers(1, 4)))
    ]
    table = numbers(rng, 0, 50, (words + 2, columns))
    templates = (np.array(atoms, np.int32), *_templates(rng, atoms))
    return table, anchors, numbers(rng, 0, 50, (rows, more)), templates, int(rng.integers(4, 9))


def near_features(rng):
    table, anchors, extras, templates, bits = _rows(rng)
    near = numbers(rng, -20, 20, (len(anchors), int(rng.integers(0, 4))))
    return spoiled(rng, (table, anchors, extras, near, templates, bits))


def linear_scores(rng):
    table, anchors, extras, near, templates, bits = near_features(rng)
    weights = numbers(rng, -9, 9, 1 << min(max(bits, 0), 10))
    return spoiled(rng, (weights, table, anchors, extras, near, templates, bits), 0.1)


def amounts(rng):
    size, many = int(rng.integers(1, 6)), int(rng.integers(0, 8))
    return spoiled(
        rng,
        (
            numbers(rng, 0, size - 1, many, np.int64),
            numbers(rng, -9, 9, many, np.int64),
            np.zeros(size, np.int32),
        ),
        0.2,
    )


def linear_update(rng):
    places, values, weights = amounts(rng)
    totals = np.zeros(len(weights), np.int64)
    return spoiled(rng, (weights, totals, places, values, int(rng.integers(0, 9))), 0.2)


# ── taggers and transitions ──────────────────────────────────────────────────────────────────────


def _fields(rng, rows, width):
    return rng.integers(0, 5, (rows, width)).astype(np.uint64)


def _seeded(rng, atoms):
    starts, parts = _templates(rng, atoms)
    seeds = rng.integers(1, 1 << 60, len(starts) - 1).astype(np.uint64)
    return np.array(atoms, np.int32), starts, parts, seeds


def tagging(rng):
    """Return what a learner is made with, what it goes over, and damage to its weights."""
    tags, offsets = int(rng.integers(1, 4)), cuts(rng)
    width = int(rng.integers(1, 3))
    atoms = [
        (-int(rng.integers(1, 4)), -1)
        if rng.random() < 0.3
        else (int(rng.integers(-3, 4)), int(rng.integers(width)))
        for _ in range(3)
    ]
    rows = int(offsets[-1])
    columns = (
        _fields(rng, rows, width),
        offsets,
        numbers(rng, -1, tags - 1, rows),
        rng.integers(0, len(offsets) - 1, 3).astype(np.int64),
        int(rng.integers(0, 3)),
    )
    pieces = [sorted({place, *rng.integers(0, 6, 2).tolist()}) for place in range(tags)]
    firsts = np.cumsum([0, *map(len, pieces)]).astype(np.int32)
    told = firsts, np.array([piece for each in pieces for piece in each], np.int32)
    made = spoiled(rng, (told, _seeded(rng, atoms)), 0.15)
    return made, spoiled(rng, columns, 0.25), int(rng.integers(1 << 30))


def learned_tagging(kernel, made, columns, seed):
    """Learn, spoil the weights perhaps, and tag."""
    learner = kernel.TagLearner(*made)
    told = learner.iterate(*columns)
    weights = learner.averaged()
    changed = spoiled(np.random.default_rng(seed), tuple(map(np.asarray, weights)), 0.3)
    return told, weights, kernel.TagDecoder(*made, changed).tag(*columns[:2])


def chains(rng):
    """Return what a learner is made with, what it goes over, and damage to its weights."""
    classes, bounds = int(rng.integers(1, 4)), cuts(rng)
    width, rows = int(rng.integers(1, 3)), int(bounds[-1])
    atoms = [(int(rng.integers(-3, 4)), int(rng.integers(width))) for _ in range(3)]
    pieces = [
        (row, row + 1 if rng.random() < 0.3 else high, low, high)
        for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        for row in range(low, high)
    ]
    starts = np.arange(0, 3 * classes + 1, classes).astype(np.int64)  # all menus have all classes
    order = rng.integers(0, max(len(pieces), 1), min(len(pieces), 3)).astype(np.int64)
    columns = (
        _fields(rng, rows, width),
        np.array(pieces, np.int64).reshape(-1, 4),
        numbers(rng, 0, 2, rows),
        (starts, np.tile(np.arange(classes), 3).astype(np.int32)),
        numbers(rng, 0, classes - 1, rows),
        order,
        int(rng.integers(0, 3)),
    )
    follows = rng.random((classes, classes)) < 0.7
    made = spoiled(rng, (classes, _seeded(rng, atoms), follows), 0.15)
    return made, spoiled(rng, columns, 0.25), int(rng.integers(1 << 30))


def learned_chains(kernel, made, columns, seed):
    """Learn, spoil the weights perhaps, and choose."""
    learner = kernel.ChainLearner(*made)
    told = learner.iterate(*columns)
    weights = learner.averaged()
    changed = spoiled(np.random.default_rng(seed), tuple(map(np.asarray, weights)), 0.3)
    return told, weights, kernel.ChainDecoder(*made, changed).choose(*columns[:4])


def sparse(rng):
    """Return how many classes there are, rows with their classes, and damage to the weights."""
    classes = int(rng.integers(1, 5))
    *rows, _ = _rows(rng)
    right = numbers(rng, -1, classes - 1, len(rows[1]))
    columns = spoiled(rng, (tuple(rows), right, int(rng.integers(-5, 6))), 0.25)
    return spoiled(rng, (classes,), 0.1)[0], columns, int(rng.integers(1 << 30))


def learned_sparse(kernel, classes, columns, seed):
    """Learn, spoil the weights perhaps, and choose."""
    rows, right, amount = columns
    learner = kernel.SparseLearner(classes)
    for _ in range(2):
        learner.tick()
        learner.add(rows, right, amount)
    weights = learner.averaged()
    changed = spoiled(np.random.default_rng(seed), tuple(map(np.asarray, weights)), 0.3)
    chosen = kernel.SparseClassifier(classes, changed).best(rows, right, 3)
    return learner.best(rows, right, amount), weights, chosen


def transitions(rng):
    """Return a system, what its learner goes over, sizes of beams, and damage to its weights."""
    system, offsets = int(rng.integers(0, 4)), cuts(rng, 2)
    kinds = np.array([0, 1, 2, 3, 2, 3, 4] if system == 3 else [0, 1, 2, 3, 2, 3], np.int32)
    kinds = kinds[(kinds != 1) | (system == 0)]
    labels = numbers(rng, 0, 1, len(kinds))
    atoms = [
        (-1, int(rng.integers(0, 2)))
        if rng.random() < 0.2
        else (int(rng.integers(0, 23)), int(rng.integers(0, 13)))
        for _ in range(4)
    ]
    rows, lengths = int(offsets[-1]), np.diff(offsets)
    heads = (rng.random(rows) * (np.repeat(lengths, lengths) + 1)).astype(np.int32)
    heads[rng.random(rows) < 0.1] = -1
    columns = (
        _fields(rng, rows, 11),
        offsets,
        heads,
        numbers(rng, -1, 2, rows),
        np.concatenate([rng.permutation(n) + 1 for n in lengths.tolist()] or [[]]).astype(np.int32),
        rng.integers(0, len(lengths), 3).astype(np.int64),
    )
    made = spoiled(rng, (system, kinds, labels, _seeded(rng, atoms), _fields(rng, 2, 11)), 0.15)
    size = int(rng.choice([1, 2, 3, 8, 0, 1025]))
    return made, spoiled(rng, columns, 0.25), size, int(rng.integers(1 << 30))


def learned_transitions(kernel, made, columns, size, seed):
    """Learn with a beam or without one, spoil the weights perhaps, and parse."""
    learner = kernel.TransitionLearner(*made)
    if size == 1:
        told = learner.iterate(*columns, 1, 0.5, seed)
    else:
        told = learner.iterate_beam(*columns, size)
    weights = learner.averaged()
    changed = spoiled(np.random.default_rng(seed), tuple(map(np.asarray, weights)), 0.3)
    decoder = kernel.TransitionDecoder(*made, changed)
    return told, weights, decoder.parse(*columns[:2], 1, size)


def costs(rng):
    """Return a sentence, and transitions that were made; most of them are possible."""
    words = int(rng.integers(0, 5))
    heads = numbers(rng, -1, words + 1, words + 2)
    kinds = rng.choice([0, 0, 0, 1, 2, 3, 4], int(rng.integers(0, 5)))
    done = np.stack([kinds, kinds * 0], axis=1).astype(np.int32)
    order = np.concatenate([[0], rng.permutation(words) + 1, [words + 1]]).astype(np.int32)
    columns = (int(rng.integers(0, 4)), heads, numbers(rng, -1, 2, words + 2), order, done, 2)
    return spoiled(rng, columns)


# ── word alignment ───────────────────────────────────────────────────────────────────────────────


def sentence_pairs(rng):
    groups = int(rng.integers(1, 4))
    ours, theirs = (
        np.concatenate([[0], np.cumsum(rng.integers(0, 4, groups))]).astype(np.int64)
        for _ in range(2)
    )
    types = int(rng.integers(1, 4))
    words = numbers(rng, 0, types - 1, int(ours[-1])), numbers(rng, 0, 3, int(theirs[-1]))
    return spoiled(rng, (words[0], ours, words[1], theirs, types))


def _cells(rng):
    """Return heights, widths, where cells and words begin, and a range of sentences."""
    groups = int(rng.integers(1, 4))
    heights, widths = rng.integers(0, 4, groups), rng.integers(0, 4, groups)
    offsets, ends = (
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        for sizes in (heights, heights * widths)
    )
    first, last = sorted(rng.integers(0, groups + 1, 2).tolist())
    return offsets, ends, first, last


def expectations(rng):
    offsets, ends, first, last = _cells(rng)
    pairs, words = (int(rng.integers(1, 5)) for _ in range(2))
    jumps = rng.random(5) + 0.1 if rng.random() < 0.6 else None
    columns = (
        (numbers(rng, 0, pairs - 1, int(ends[-1])), ends),
        numbers(rng, 0, words - 1, int(offsets[-1])),
        offsets,
        rng.random(pairs).astype(np.float32),
        rng.random(words).astype(np.float32),
        np.zeros(0) if jumps is None else jumps,
        float(rng.random() * 0.5),
        bool(rng.random() < 0.5),
        first,
        last,
        np.zeros(int(ends[last] - ends[first]), np.float32),
        np.zeros(int(offsets[last] - offsets[first]), np.float32),
        np.zeros(5),
    )
    results = list(spoiled(rng, columns))
    for place in (3, 4):  # what is no probability makes no sense, but no harm either
        results[place] = np.abs(np.nan_to_num(results[place]))
    results[5] = results[5] if len(results[5]) else None
    return tuple(results)


def expected(kernel, *columns):
    """Return what is filled in, rounded: the order of the sums is that of the loops."""
    kept = [np.copy(column) if isinstance(column, np.ndarray) else column for column in columns]
    total = kernel.expected(*kept)
    return [_rounded(part) for part in (total, *kept[-3:])]


def _rounded(values):
    return np.nan_to_num(np.asarray(values, np.float64), nan=7, posinf=8, neginf=9).round(4) + 0.0


def counted(rng):
    size, many = int(rng.integers(1, 5)), int(rng.integers(0, 7))
    cells, values = numbers(rng, 0, size - 1, many), rng.integers(0, 4, many).astype(np.float32)
    return spoiled(rng, (np.zeros(size, np.float32), cells, values))


def shared_out(rng):
    kinds, many = int(rng.integers(1, 4)), int(rng.integers(0, 7))
    columns = (
        rng.integers(0, 4, many).astype(np.float32),
        numbers(rng, 0, kinds - 1, many),
        kinds,
        float(rng.integers(0, 2)),
        np.zeros(many, np.float32),
    )
    return spoiled(rng, columns)


def likeliest(rng):
    offsets, ends, first, last = _cells(rng)
    columns = (
        ends,
        offsets,
        bool(rng.random() < 0.5),
        first,
        last,
        rng.random(int(ends[last] - ends[first])).astype(np.float32),
        rng.random(int(offsets[last] - offsets[first])).astype(np.float32),
    )
    result = spoiled(rng, columns)
    return *result[:5], *map(np.nan_to_num, result[5:])


def two_directions(rng):
    groups = int(rng.integers(1, 4))
    ours, theirs = rng.integers(0, 4, groups), rng.integers(0, 4, groups)

    def links(own, other):
        tops = np.repeat(other, own)
        return (rng.random(len(tops)) * (tops + 1)).astype(np.int32) - 1

    ends = [np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64) for sizes in (theirs, ours)]
    way = int(rng.integers(0, 5))
    return spoiled(rng, (links(theirs, ours), ends[0], links(ours, theirs), ends[1], way))


# ── all of them ──────────────────────────────────────────────────────────────────────────────────


def in_place(function, *changed):
    """Return a call of a function that changes some of its arguments, which are returned too."""

    def called(kernel, *arguments):
        kept = [np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments]
        result = getattr(kernel, function)(*kept)
        return result, *(kept[place] for place in changed)

    return called


def rounded(function):
    """Return a call of a function whose floating-point results are compared by a few digits."""

    def called(kernel, *arguments):
        return [_rounded(part) for part in getattr(kernel, function)(*arguments)]

    return called


MAKERS = {
    ("arborescence", "best_trees"): arcs,
    ("eisner", "first_order"): arcs,
    ("eisner", "second_order"): arcs_and_neighbours,
    ("reattachment", "improved"): arcs_and_lines,
    ("constituents", "best_trees"): phrases,
    ("grammar", "best_tree"): grammar,
    ("dmv", "posteriors"): valence,
    ("dmv", "best_trees"): logarithmic_valence,
    ("subtrees", "node_counts"): heads,
    ("subtrees", "yield_texts"): one_sentence,
    ("linear", "near_features"): near_features,
    ("linear", "scores"): linear_scores,
    ("linear", "squared"): amounts,
    ("linear", "add"): linear_update,
    ("sparse", "SparseLearner"): sparse,
    ("tagging", "TagLearner"): tagging,
    ("chains", "ChainLearner"): chains,
    ("transitions", "TransitionLearner"): transitions,
    ("transitions", "transition_costs"): costs,
    ("word_alignment", "number_pairs"): sentence_pairs,
    ("word_alignment", "expected"): expectations,
    ("word_alignment", "add"): counted,
    ("word_alignment", "shares"): shared_out,
    ("word_alignment", "best"): likeliest,
    ("word_alignment", "symmetrise"): two_directions,
}
"""What makes the arguments of each entry of each kernel."""


def of_file(kernel, content, size, before):
    """The next bytes of a file that holds so many, and what comes then."""
    file = io.BufferedReader(io.BytesIO(content))
    return kernel.contents(file, size, before), file.read(3)


def of_held(kernel, held, place):
    """Both parts of the last of some bytes, and the others; who lent them still has them."""
    lent = list(held)
    return kernel.parted(lent, place), lent, held


CALLS = {
    ("contents", "contents"): of_file,
    ("contents", "parted"): of_held,
    ("columns", "add_multiples"): in_place("add_multiples", 0),
    ("columns", "add_taken"): in_place("add_taken", 0),
    ("dmv", "posteriors"): rounded("posteriors"),
    ("linear", "squared"): in_place("squared", 2),
    ("linear", "add"): in_place("add", 0, 1),
    ("sparse", "SparseLearner"): learned_sparse,
    ("tagging", "TagLearner"): learned_tagging,
    ("chains", "ChainLearner"): learned_chains,
    ("transitions", "TransitionLearner"): learned_transitions,
    ("word_alignment", "expected"): expected,
    ("word_alignment", "add"): in_place("add", 0),
    ("word_alignment", "shares"): in_place("shares", 4),
}
"""How an entry is called, where that is more than a call."""
