"""Arrays for each entry of the kernels: some fit together, some nearly, some not at all."""

from __future__ import annotations

import numpy as np
from hostile_models import MAKERS
from hypothesis import strategies as st

from commonground.kernels.contents import LARGE
from commonground.kernels.patterns import (
    ABOVE,
    BELOW,
    CANDIDATES,
    IN_SENTENCE,
    MATCH,
    ORDER,
    PASSES,
    PATH,
    SAME,
    WITHOUT,
    Steps,
)

ODD = st.sampled_from([-(1 << 31), -7, -2, 9, 100, (1 << 31) - 1])


@st.composite
def numbers(draw, low, high, length, kind=np.int64):
    """A column of `length` numbers from `low` to `high`; one in eight has something wrong.

    Where more were wrong, hardly any array would get past the checks.
    """
    wrong = draw(st.integers(0, 31))
    size = max(0, length + {0: -1, 1: 1}.get(wrong, 0))
    usual = st.integers(low, max(low, high))
    values = draw(st.lists(usual, min_size=size, max_size=size))
    if wrong in (2, 3) and values:
        values[draw(st.integers(0, size - 1))] = draw(ODD)
    return np.array(values, kind)


def offsets(rows, groups):
    """Where groups of rows begin; sometimes nowhere."""
    cuts = st.lists(st.integers(0, rows), min_size=groups - 1, max_size=groups - 1)
    good = cuts.map(lambda places: np.array([0, *sorted(places), rows], np.int64))
    return st.one_of(*[good] * 9, numbers(0, rows, groups + 1))


@st.composite
def looked_up(draw, *kinds, totals=False):
    """Values and codes, most of which have a value; with `totals`, what they are added to."""
    size, rows = draw(st.integers(0, 4)), draw(st.integers(0, 6))
    kind = draw(st.sampled_from(kinds or (np.int64, np.int32, np.uint8, np.float64, np.int16)))
    values = np.arange(7, 7 + size).astype(kind)
    if draw(st.integers(0, 9)) == 0:
        values = values.astype(np.bool_)
    if draw(st.integers(0, 5)) == 0:
        values = np.repeat(values, 2)[::2]  # not one after the other
    codes = draw(numbers(0, size - 1, rows, draw(st.sampled_from([np.int32, np.int64]))))
    if not totals:
        return values, codes
    return np.arange(rows, dtype=draw(st.sampled_from([np.uint64] * 9 + [np.int64]))), values, codes


def totals(rows):
    """Numbers of eight bytes, most of them without a sign; they are large."""
    kinds = st.sampled_from([np.uint64] * 9 + [np.int64])
    return kinds.map(lambda kind: np.arange(rows, dtype=kind) * kind(0x123456789ABCDEF))


@st.composite
def multiples(draw):
    """Totals, what is added to them, and how often."""
    rows = draw(st.integers(0, 6))
    kind = draw(st.sampled_from([np.int32, np.int64, np.int64, np.int16]))
    added = draw(numbers(-1, 5, rows, np.int64)).astype(kind)
    return draw(totals(rows)), added, draw(st.sampled_from([0, 1, 7, (1 << 64) - 1]))


def flags(length):
    return st.lists(st.booleans(), min_size=length, max_size=length).map(
        lambda values: np.array(values, np.bool_)
    )


def square():
    sizes = st.sampled_from([(0, 0), (2, 2), (3, 3), (3, 3), (2, 3)])
    return sizes.flatmap(lambda shape: flags(shape[0] * shape[1]).map(lambda f: f.reshape(shape)))


@st.composite
def parents(draw, length, kind=np.int64):
    """Mostly the parent of each node, which stands before it."""
    results = [draw(st.integers(-1, node - 1)) for node in range(length)]
    if results and draw(st.integers(0, 5)) == 0:
        results[draw(st.integers(0, length - 1))] = draw(st.integers(-3, length + 2))
    return np.array(results, kind)


@st.composite
def extents(draw):
    words, nodes, groups = draw(st.integers(0, 6)), draw(st.integers(0, 5)), draw(st.integers(1, 2))
    node_at = draw(offsets(nodes, groups))
    up = draw(parents(nodes, np.int32))
    if groups == 2 and len(node_at) == 3:  # counted in their sentences
        up = np.where(np.arange(nodes) >= node_at[1], np.maximum(up - node_at[1], -1), up)
    above = draw(numbers(-1, nodes // groups - 1, words, np.int32))
    times = draw(numbers(0, 2, words))
    return draw(offsets(words, groups)), above, times, node_at, up.astype(np.int32)


@st.composite
def brackets(draw, groups, *, ascending):
    rows = draw(st.integers(0, 6))
    one, two = draw(numbers(0, 4, rows)), draw(numbers(0, 5, rows))
    if ascending and draw(st.integers(0, 4)):
        one = np.sort(one)
    return draw(offsets(rows, groups)), one, two


@st.composite
def matches(draw):
    groups = draw(st.integers(1, 2))
    sides = [draw(brackets(groups, ascending=True)) for _ in range(2)]
    return *sides, draw(square())


@st.composite
def crossings(draw):
    groups = draw(st.integers(1, 2))
    return tuple(draw(brackets(groups, ascending=True)) for _ in range(2))


@st.composite
def labelled_trees(draw):
    sides = []
    for _ in range(2):
        tree = draw(extents())
        sides.append((*tree, draw(numbers(-1, 3, len(tree[4])))))
    return *sides, draw(flags(len(sides[0][0]) - 1)), draw(square())


@st.composite
def counted_words(draw):
    groups = draw(st.integers(1, 2))
    sides = []
    for _ in range(2):
        rows = draw(st.integers(0, 5))
        columns = draw(numbers(0, 2, rows)), draw(numbers(0, 4, rows, np.int32))
        sides.append((draw(offsets(rows, groups)), *columns))
    return *sides, draw(square())


@st.composite
def lineages(draw):
    words = draw(st.integers(0, 5))
    sides = []
    for _ in range(2):
        nodes = draw(st.integers(0, 5))
        columns = [draw(numbers(-1, 4, nodes)) for _ in range(3)]
        above = draw(numbers(-1, nodes - 1, words))
        sides.append((above, draw(numbers(0, 3, words)), draw(parents(nodes)), *columns))
    return *sides, draw(square())


@st.composite
def words(draw):
    count = draw(st.integers(0, 7))
    start = np.sort(draw(numbers(0, 9, count)))
    length = draw(numbers(0, 3, count))
    end = start + length if len(start) == len(length) else length
    return start, end, draw(flags(count)), draw(numbers(0, 3, count))


@st.composite
def neighbours(draw):
    """Which words stand beside each other, as a rule the same pairs from both sides."""
    count, many = draw(st.integers(1, 5)), draw(st.integers(0, 6))
    one, two = draw(numbers(0, count - 1, many)), draw(numbers(0, count - 1, many))
    times = draw(numbers(0, 3, many, np.int32))
    sides = []
    for first, second in ((one, two), (two, one)):
        usual = len(one) == len(two) == len(times) and len(one) and min(*one, *two) >= 0
        if not usual or max(*one, *two) >= count:
            sides.append((draw(offsets(len(second), count)), second, times))
            continue
        order = np.lexsort((second, first))
        starts = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=count))])
        sides.append((starts, second[order], times[order]))
    return *sides, draw(numbers(0, 4, count, np.int32)), draw(st.integers(-1, 4))


@st.composite
def counts_of_pairs(draw):
    size = draw(st.integers(0, 4))
    wide = size + (draw(st.integers(0, 5)) == 0)
    table = np.zeros((size, wide), np.int64)
    for row in range(size):
        table[row] = draw(st.lists(st.integers(0, 9), min_size=wide, max_size=wide))
    if table.size and draw(st.integers(0, 5)) == 0:
        table[0, 0] = draw(st.sampled_from([-1, 1 << 31]))
    return table, draw(st.integers(-1, 5))


@st.composite
def heads(draw):
    count, groups = draw(st.integers(0, 8)), draw(st.integers(1, 3))
    return draw(numbers(-1, count // groups, count, np.int32)), draw(offsets(count, groups))


@st.composite
def postorder(draw, groups):
    """Trees in postorder: of each node its leftmost leaf, counted in the tree."""
    sizes = draw(st.lists(st.integers(0, 5), min_size=groups, max_size=groups))
    leftmost = []
    for size in sizes:
        subtrees = []
        for node in range(size):
            begin = node
            for _ in range(draw(st.integers(0, len(subtrees)))):
                begin = subtrees.pop()
            subtrees.append(begin)
            leftmost.append(begin)
    if leftmost and draw(st.integers(0, 5)) == 0:
        leftmost[draw(st.integers(0, len(leftmost) - 1))] = draw(st.integers(-1, 7))
    at = np.cumsum([0, *sizes])
    at = at if draw(st.integers(0, 6)) else draw(offsets(len(leftmost), groups))
    return at, draw(numbers(-1, 4, len(leftmost), np.int32)), np.array(leftmost, np.int32)


@st.composite
def pairs_of_trees(draw):
    groups = draw(st.integers(1, 2))
    other = draw(st.sampled_from([groups, groups, groups, groups + 1]))
    costs = draw(st.integers(-1, 3)), draw(st.sampled_from([0, 1, 1, 1, 2, -1, 1 << 30]))
    return draw(postorder(groups)), draw(postorder(other)), *costs


@st.composite
def weighted_trees(draw):
    one, two, *_ = draw(pairs_of_trees())
    lengths = [len(side[1]) + (draw(st.integers(0, 6)) == 0) for side in (one, two)]
    lowest = draw(st.sampled_from([0, 0, 0, -1]))
    delete, insert = (draw(numbers(lowest, 4, length, np.int32)) for length in lengths)
    rows, columns = draw(st.sampled_from([(5, 5), (5, 5), (5, 5), (4, 4), (0, 0), (5, 4)]))
    change = draw(numbers(lowest, 4, rows * columns, np.int32))
    whole = len(change) == rows * columns
    return one, two, (delete, insert, change.reshape(rows, columns) if whole else change)


@st.composite
def graph(draw, groups):
    nodes, edges = draw(st.integers(0, 6)), draw(st.integers(0, 5))
    node_at = draw(offsets(nodes, groups))
    features = draw(st.lists(st.sets(st.integers(0, 3)), min_size=nodes, max_size=nodes))
    feature_at = np.cumsum([0, *map(len, features)])
    feature = np.array([code for each in features for code in sorted(each)], np.int32)
    ends = [draw(numbers(0, max(nodes // groups - 1, 0), edges, np.int32)) for _ in range(2)]
    return (
        node_at,
        feature_at,
        feature,
        draw(offsets(edges, groups)),
        *ends,
        draw(numbers(0, 2, edges, np.int32)),
    )


@st.composite
def pairs_of_graphs(draw):
    groups = draw(st.integers(1, 2))
    weights = draw(numbers(0, 3, 4, np.int32)), draw(numbers(0, 3, 3, np.int32))
    return draw(graph(groups)), draw(graph(groups)), weights, draw(st.sampled_from([1, 1 << 20]))


@st.composite
def phrases(draw):
    """Yields by size, and trees of one or two sentences over up to four words."""
    stretches = [(a, b) for size in range(4) for a in range(1, 5 - size) for b in [a + size]]
    count = draw(st.integers(0, len(stretches)))
    yields = (
        draw(offsets(count, count))
        if count and draw(st.integers(0, 9)) == 0
        else np.arange(count + 1),
        np.array([a for a, _ in stretches[:count]], np.int64),
        np.array([b for _, b in stretches[:count]], np.int64),
    )
    groups = draw(st.integers(1, 2))

    @st.composite
    def tree(draw):
        codes = [sorted(draw(st.sets(st.integers(0, max(count - 1, 0))))) for _ in range(groups)]
        if not count:
            codes = [[]] * groups
        at = np.cumsum([0, *map(len, codes)])
        return draw(st.sampled_from([at, at, at, at, at + 1])), np.array(
            [code for each in codes for code in each], np.int64
        )

    trees = [draw(tree()) for _ in range(4)]
    lengths = draw(numbers(4, 4, groups))
    return yields, lengths, trees[0], trees[1:3], trees[3:]


@st.composite
def shuffles(draw):
    units, columns, iterations = (draw(st.integers(0, most)) for most in (40, 3, 5))
    usual = st.integers(-9, 9) | st.sampled_from([1 << 30, -(1 << 31), 1 << 62])
    cells = draw(st.lists(usual, min_size=units * columns, max_size=units * columns))
    rows = max(0, -(-units // 8) - draw(st.sampled_from([0, 0, 0, 1])))
    bits = draw(st.binary(min_size=rows * iterations, max_size=rows * iterations))
    apart = np.array(cells, np.int64).reshape(units, columns)
    return apart, np.frombuffer(bits, np.uint8).reshape(rows, iterations)


@st.composite
def graphs_and_steps(draw):
    """Small trees with arcs across sentences, columns, and steps, whatever they may be looking for."""
    rows, texts = draw(st.integers(0, 6)), draw(st.integers(1, 3))
    column = numbers(0, texts - 1, rows, np.int32)
    flags = [np.array(draw(st.lists(st.sampled_from([0, 1, 2]), min_size=2 * texts, max_size=2 * texts)), np.uint8).reshape(texts, 2) for _ in range(3)]  # fmt: skip
    arcs = draw(st.integers(0, 5))
    graph = draw(numbers(0, rows - 1, arcs if rows else 0)), draw(numbers(0, rows - 1, arcs if rows else 0))  # fmt: skip
    columns = [(draw(column), flags[0]), (draw(column), flags[1]), (draw(numbers(0, texts - 1, len(graph[0]), np.int32)), flags[2])]  # fmt: skip
    nodes = draw(numbers(0, 2, rows)), draw(numbers(0, 4, rows)), draw(numbers(0, 4, rows))
    tree = draw(numbers(-1, rows - 1, rows)), None

    pairs = [(draw(column), draw(column))]
    return draw(steps()), nodes, [tree, graph], columns, pairs, _ask


def _ask(column, test, code):
    return (column + test + code) % 2


@st.composite
def steps(draw):
    """Steps that can be gone, of one pattern or two."""
    program, patterns = [], draw(st.integers(1, 2))
    for pattern in range(patterns):
        part, bound = _bindings(draw, 0)
        for _ in range(draw(st.integers(0, 1))):
            inner, _ = _bindings(draw, bound)
            part += [(WITHOUT, len(inner), 0, 0, 0, 0, 0), *inner]
        program += [*part, (MATCH, pattern, 0, draw(st.integers(0, 1)), 0, 0, 0)]
    return Steps(program, [0], [2, 2, 2], [1, 2], 1)


def _bindings(draw, bound):
    part = []
    for _ in range(draw(st.integers(1, 3))):
        one, other = (draw(st.integers(0, max(bound - 1, 0))) for _ in range(2))
        column, test, most = (draw(st.integers(0, 1)) for _ in range(3))
        some = draw(st.integers(-1, 1))
        path = (one, column, some, 1, 1 + most)
        choices = [
            *[(what, *path, other) for what in (BELOW, ABOVE, PATH)],
            (IN_SENTENCE, one, 0, 0, 0, 0, 0),
            (PASSES, one, column, test, 0, 0, 0),
            (ORDER, one, other, 0, 1, most, 0),
            (SAME, one, other, 0, test, 0, 0),
        ]
        part.append(draw(st.sampled_from(choices)) if bound else (CANDIDATES, min(some, 0), test, 0, 0, 0, 0))  # fmt: skip
        bound += part[-1][0] in (CANDIDATES, IN_SENTENCE, BELOW, ABOVE)
    return part, bound


NEWLINES = st.lists(st.sampled_from([b"\n", b"\n\n", b"1\tHi", b"x" * 64]), max_size=20).map(
    b"".join
)

LINES = st.lists(st.sampled_from([b"1\ta", b"2\tb", b"", b"# x", b"1\t", b"\t", b"1\ta\tb", b"\xff\ty", b"a"]), max_size=8)  # fmt: skip
TREES = st.lists(st.sampled_from([b"(", b")", b"(S", b"(NN dog)", b" dog", b"\n", b"# c\n", b"<x>", b"*x*", b"( a)", b"\xc3", b"(NP averylongword)", b" "]), max_size=14)  # fmt: skip

ENTRIES = {
    ("spans", "extents"): extents(),
    ("spans", "matches"): matches(),
    ("spans", "crossings"): crossings(),
    ("bracketing", "shared_brackets"): labelled_trees(),
    ("bracketing", "shared_words"): counted_words(),
    ("lineages", "distances"): lineages(),
    ("phrases", "attached"): phrases(),
    ("pairing", "pair_words"): st.tuples(words(), words()),
    ("clustering", "exchanged"): neighbours(),
    ("clustering", "merged"): counts_of_pairs(),
    ("trees", "cycles"): heads(),
    ("trees", "depth"): heads(),
    ("trees", "crossing"): heads(),
    ("tree_distance", "distances"): pairs_of_trees(),
    ("tree_distance", "mappings"): pairs_of_trees(),
    ("tree_distance", "weighted_distances"): weighted_trees(),
    ("tree_distance", "weighted_mappings"): weighted_trees(),
    ("graph_matching", "best_pairs"): pairs_of_graphs(),
    ("swapping", "sums"): shuffles(),
    ("columns", "taken"): looked_up(),
    ("columns", "add_taken"): looked_up(np.uint64, totals=True),
    ("columns", "add_multiples"): multiples(),
    ("columns", "mixed_sums"): st.integers(0, 6).flatmap(
        lambda rows: st.tuples(totals(rows), offsets(rows, 2))
    ),
    ("columns", "counted"): st.integers(0, 6).flatmap(
        lambda rows: st.tuples(st.one_of(flags(rows), numbers(0, 1, rows)), offsets(rows, 2))
    ),
    ("columns", "in_both"): st.tuples(
        *[
            st.integers(0, 6)
            .flatmap(lambda rows: numbers(0, 5, rows))
            .flatmap(lambda column: st.sampled_from([column, np.sort(column), np.sort(column)]))
            for _ in range(2)
        ]
    ),
    ("contents", "contents"): st.tuples(
        st.one_of(st.binary(max_size=20), st.just(b"trees" * (LARGE // 4))),
        st.sampled_from([-1, 0, 7, LARGE - 1, LARGE, LARGE + 3]),
        st.sampled_from([b"", b"before"]),
    ),
    ("patterns", "found"): graphs_and_steps(),
    ("contents", "blank_lines"): st.tuples(NEWLINES),
    ("contents", "lines"): st.tuples(NEWLINES),
    ("contents", "parted"): st.tuples(
        st.lists(st.one_of(st.binary(max_size=9), st.just(bytes(LARGE))), max_size=2),
        st.sampled_from([-1, 0, 1, 3, 9, LARGE - 1, LARGE, LARGE + 1]),
    ),
    ("tabulate", "tabulate"): st.tuples(
        LINES.map(b"\n".join),
        st.sampled_from([2, 2, 2, 1, 0, 65]),
        st.booleans(),
        st.booleans(),
        st.sampled_from([None, None, (True, False), (False, False), (True,), 3]),
    ),
    ("brackets", "brackets"): st.tuples(TREES.map(b"".join)),
}
ENTRIES |= {
    entry: st.integers(0, 1 << 60).map(lambda seed, make=make: make(np.random.default_rng(seed)))
    for entry, make in MAKERS.items()
}
"""The arguments of each entry of each kernel."""
