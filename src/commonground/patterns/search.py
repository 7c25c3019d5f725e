"""Finding a pattern in a whole corpus at once.

The nodes of a pattern are bound one after the other, beginning with the rarest. What has been found
so far is a table with a column of rows for each node that is bound; an arc or an order joins it
with the candidates for the next node. There is no loop over sentences or words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.patterns.graph import Graph, Mask, Rows, Test, graph_of
from commonground.patterns.language import (
    Arc,
    Equation,
    Order,
    Part,
    Pattern,
    parse_pattern,
)

__all__ = ["Matches", "find"]

Bound = dict[str, Rows]


@dataclass(frozen=True)
class Matches:
    """Where a pattern was found: the `sentence` of each match, and the row of each named node.

    The rows are those of the corpus's words (of constituents: phrases first, then words; of
    relations: nodes), counted in the whole corpus.
    """

    sentence: Rows
    rows: dict[str, Rows]

    def __len__(self) -> int:
        return len(self.sentence)

    @property
    def sentences(self) -> Rows:
        """The places of the sentences with a match, each once, in order."""
        return np.unique(self.sentence)


def find(pattern: Pattern | str, corpus: Corpus | Graph) -> Matches:
    """Find a pattern in a corpus; different nodes of a pattern are different nodes of the corpus.

    To search a corpus for many patterns, compute what they share once with :func:`graph_of`.

    >>> from commonground.corpus import Dependencies
    >>> birds = Dependencies.of([(["Birds", "sing", "songs"], [2, 0, 2], ["nsubj", "root", "obj"])])
    >>> result = find("V -[nsubj]-> S; V -[obj]-> O; S << O", birds)
    >>> {name: rows.tolist() for name, rows in result.rows.items()}
    {'V': [1], 'S': [0], 'O': [2]}
    >>> len(find("V -[nsubj]-> S; not { V -[obj]-> * }", birds))
    0
    """
    graph = corpus if isinstance(corpus, Graph) else graph_of(corpus)
    wanted = parse_pattern(pattern) if isinstance(pattern, str) else pattern
    matches = [_matches(part, graph, wanted.names) for part in wanted.alternatives]
    return _sorted(matches, wanted.names)


def _matches(part: Part, graph: Graph, names: Sequence[str]) -> Matches:
    bound = _extended(part, graph, {}, None)
    any_node = next(iter(bound.values()))
    return Matches(graph.sentence[any_node], {name: bound[name] for name in names})


def _sorted(matches: Sequence[Matches], names: Sequence[str]) -> Matches:
    """Put the matches of alternatives together, each once, in the order of the corpus."""
    # Matches differ in their named nodes; of a pattern without any there is one in a sentence.
    columns = [np.concatenate([each.sentence for each in matches])]
    columns += [np.concatenate([each.rows[name] for each in matches]) for name in names]
    order = np.lexsort(columns[::-1])
    columns = [column[order] for column in columns]
    if len(order):
        new = np.any([column[1:] != column[:-1] for column in columns], axis=0)
        columns = [column[np.append(True, new)] for column in columns]
    return Matches(columns[0], dict(zip(names, columns[1:], strict=True)))


def _extended(part: Part, graph: Graph, bound: Bound, origin: Rows | None) -> Bound:
    """Bind the nodes of a part in addition to those that are bound already.

    `origin`, if given, is carried along: it becomes the column ``""`` of the result.
    """
    tests = {name: _tests(name, part, graph) for name in part.nodes}
    extended = dict(bound)
    if origin is not None:
        extended[""] = origin
    for name in part.nodes:
        if name in extended:
            extended = _passing(extended, name, tests[name])
    links = list(part.links)
    waiting = [name for name in part.nodes if name not in extended]
    while True:
        links, extended = _settled(links, graph, extended)
        if not waiting:
            break
        extended, name = _next(links, graph, extended, waiting, tests)
        waiting.remove(name)
        extended = _different(extended, name)
    for inner in part.without:
        extended = _without(inner, graph, extended)
    return extended


def _tests(name: str, part: Part, graph: Graph) -> list[Test]:
    """Return what a node must pass by itself, the rarest first."""
    tests = [graph.test(condition) for condition in part.nodes[name]]
    for link in part.links:
        if isinstance(link, Arc) and link.dependent == name and link.most == 1:
            of_label = graph.label_test(link.graph, link.labels)
            tests += [of_label] if of_label is not None else []
    return sorted(tests, key=lambda test: test.count)


def _passing(bound: Bound, name: str, tests: Sequence[Test]) -> Bound:
    """Keep what binds a node to a row that passes."""
    for test in tests:
        keep = test.passed(bound[name])
        if not keep.all():
            bound = _kept(bound, keep)
    return bound


def _candidates(tests: Sequence[Test], graph: Graph) -> Rows:
    """Return all rows that a node can be."""
    if not tests:
        return np.arange(graph.size)
    rows = tests[0].rows
    for test in tests[1:]:
        rows = rows[test.passed(rows)]
    return rows


def _kept(bound: Bound, which: NDArray[np.generic]) -> Bound:
    return {name: rows[which] for name, rows in bound.items()}


def _different(bound: Bound, name: str) -> Bound:
    """Keep what binds the new node to another row than all others."""
    keep = np.ones(len(bound[name]), np.bool_)
    for other, rows in bound.items():
        if other not in (name, ""):
            keep &= rows != bound[name]
    return bound if keep.all() else _kept(bound, keep)


def _settled(
    links: Sequence[Arc | Order | Equation], graph: Graph, bound: Bound
) -> tuple[list[Arc | Order | Equation], Bound]:
    """Apply the links both of whose nodes are bound, and return the others."""
    rest: list[Arc | Order | Equation] = []
    for link in links:
        one, other = _ends(link)
        if one in bound and other in bound:
            bound = _kept(bound, _holds(link, graph, bound[one], bound[other]))
        else:
            rest.append(link)
    return rest, bound


def _ends(link: Arc | Order | Equation) -> tuple[str, str]:
    if isinstance(link, Arc):
        return link.head, link.dependent
    if isinstance(link, Order):
        return link.first, link.second
    return link.one[0], link.other[0]


def _holds(link: Arc | Order | Equation, graph: Graph, one: Rows, other: Rows) -> Mask:
    """Tell for pairs of rows whether a link holds between them."""
    if isinstance(link, Equation):
        left, right = graph.column(link.one[1])[one], graph.column(link.other[1])[other]
        if left.vocabulary != right.vocabulary:
            both = type(left).concatenate([left, right])
            left, right = both[: len(one)], both[len(one) :]
        same: Mask = left.codes == right.codes
        nothing = left.where(lambda text: text in ("_", ""))
        return (~same) if link.denied else (same & ~nothing)
    if isinstance(link, Order):
        distance = graph.first[other] - graph.last[one]
        right_order: Mask = (distance >= link.least) & (
            graph.sentence[one] == graph.sentence[other]
        )
        return right_order & (distance <= link.most) if link.most else right_order
    allowed = graph.allowed(link.graph, link.labels)
    if link.most == 1:
        return graph.arcs(link.graph).joined(one, other, allowed)
    places, above = _path(link, graph, other, up=True)
    keep = np.zeros(len(one), np.bool_)
    keep[places[above == one[places]]] = True
    return keep


def _path(link: Arc, graph: Graph, rows: Rows, *, up: bool) -> tuple[Rows, Rows]:
    """Follow a path from rows: for each end that it reaches the place in `rows`, and the end."""
    arcs, allowed = graph.arcs(link.graph), graph.allowed(link.graph, link.labels)
    places, here = np.arange(len(rows)), rows
    reached: list[tuple[Rows, Rows]] = []
    for length in range(1, link.most + 1):
        step = arcs.up(here, allowed) if up else arcs.down(here, allowed)
        places, here = places[step[0]], step[1]
        if length >= link.least:
            reached.append((places, here))
        if not len(here):
            break
    if link.most == 1 or not reached:
        return reached[0] if reached else (places[:0], here[:0])
    # Two paths of different lengths can lead to the same end.
    all_places, all_ends = (np.concatenate(each) for each in zip(*reached, strict=True))
    return np.divmod(np.unique(all_places * graph.size + all_ends), graph.size)


def _next(
    links: Sequence[Arc | Order | Equation],
    graph: Graph,
    bound: Bound,
    waiting: Sequence[str],
    tests: Mapping[str, Sequence[Test]],
) -> tuple[Bound, str]:
    """Bind one more node: the cheapest that a link leads to, or the rarest in the sentence."""

    def size(name: str) -> int:
        return tests[name][0].count if tests[name] else graph.size

    ways = [way for link in links if (way := _way(link, bound, waiting)) is not None]
    if ways:
        _, name, link = min(ways, key=lambda way: (way[0], size(way[1])))
        if isinstance(link, Arc):
            return _passing(_along_arc(link, name, graph, bound), name, tests[name]), name
        return _in_sentence(name, graph, bound, tests[name]), name
    name = min(waiting, key=size)
    if not bound:
        return {name: _candidates(tests[name], graph)}, name
    return _in_sentence(name, graph, bound, tests[name]), name


def _way(
    link: Arc | Order | Equation, bound: Bound, waiting: Sequence[str]
) -> tuple[int, str, Arc | Order | Equation] | None:
    """Return how dear it is to follow a link, and the node that it leads to."""
    one, other = _ends(link)
    if isinstance(link, Arc):
        if other in bound and one in waiting:
            return link.most, one, link
        if one in bound and other in waiting:
            return 2 * link.most, other, link
        return None
    for here, there in ((one, other), (other, one)):
        if here in bound and there in waiting:
            return 1000, there, link
    return None


def _along_arc(link: Arc, name: str, graph: Graph, bound: Bound) -> Bound:
    up = name == link.head
    begin = bound[link.dependent if up else link.head]
    places, ends = _path(link, graph, begin, up=up)
    return {**_kept(bound, places), name: ends}


def _in_sentence(name: str, graph: Graph, bound: Bound, tests: Sequence[Test]) -> Bound:
    """Bind a node to all candidates of the sentence."""
    candidates = _candidates(tests, graph)
    at = graph.sentence[candidates]
    if (np.diff(at) < 0).any():  # phrases stand before words
        order = np.argsort(at, kind="stable")
        candidates, at = candidates[order], at[order]
    anchor = next(rows for other, rows in bound.items() if other)
    here = graph.sentence[anchor]
    low = np.searchsorted(at, here, "left")
    count = np.searchsorted(at, here, "right") - low
    places = np.repeat(np.arange(len(here)), count)
    within = np.arange(len(places)) - np.repeat(np.cumsum(count) - count, count)
    return {**_kept(bound, places), name: candidates[low[places] + within]}


def _without(part: Part, graph: Graph, bound: Bound) -> Bound:
    """Drop what a part can be found for."""
    numbers = np.arange(len(next(iter(bound.values()))))
    shared = {name: rows for name, rows in bound.items() if name}
    hits = _extended(part, graph, shared, numbers)[""]
    keep = np.ones(len(numbers), np.bool_)
    keep[hits] = False
    return _kept(bound, keep)
