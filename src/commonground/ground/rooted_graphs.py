"""Graphs of meaning seen from their tops: who stands below whom, and which words each has.

Frameworks draw their edges in different directions: in DM and EDS a modifier points at what it
modifies (*old* -ARG1-> *dog*), in PSD and syntax it is the other way round. Comparable is what is
below what, seen from the top of the graph. So every edge leads away from the top:

1. A path from a top costs the edges that it goes against their direction, and then its steps. The
   distance of a node is the least cost of a path to it.
2. An edge is *turned* where it is the last one of a cheapest path and was gone against its
   direction. It gets the label with ``-of``, as in AMR: *dog* -ARG1-of-> *old*.
3. An edge is *primary* where it ends a cheapest path, so that its target is nowhere closer to the
   top. All others lead back to nodes that have a nearer place already (control, shared arguments of
   coordination, relative clauses): they are relations, but add nothing to yields. Edges that the
   framework itself calls remote (UCCA) are never primary.

In a part of the graph without a top, the nodes that no edge leads to are the tops. The *words* of a
node are those its anchors overlap, without punctuation beside other words. A node whose words are
more than those of another node has none (the quantifier ``udef_q`` of EDS is anchored in the whole
phrase). Nothing depends on the order or the names of nodes.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonground.corpus import Graphs, Sentence

__all__ = ["Edge", "RootedGraph", "node_tags", "rooted"]

OF = "-of"
"""What the label of a turned edge ends with."""

REMOTE = "remote"


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of a rooted graph, from a node to one below it; both are places in the sentence."""

    head: int
    dependent: int
    label: str
    primary: bool


@dataclass(frozen=True, slots=True)
class RootedGraph:
    """A graph seen from its tops; `words` are those of each node, as the bits of a number."""

    words: tuple[int, ...]
    tops: tuple[int, ...]
    edges: tuple[Edge, ...]

    @property
    def yields(self) -> list[int]:
        """The words of each node and of all that primary edges lead to, as bits.

        Cheapest paths get longer with every step, so that primary edges make no cycles.
        """
        below: list[list[int]] = [[] for _ in self.words]
        missing = [0] * len(self.words)
        for edge in self.edges:
            if edge.primary:
                below[edge.dependent].append(edge.head)
                missing[edge.head] += 1
        reached = list(self.words)
        ready = [node for node, number in enumerate(missing) if not number]
        while ready:
            node = ready.pop()
            for head in below[node]:
                reached[head] |= reached[node]
                missing[head] -= 1
                if not missing[head]:
                    ready.append(head)
        return reached

    def relations(self, kept: int) -> set[tuple[int, int, str]]:
        """Return relations between words that are `kept`: head words, dependent words, label.

        Nodes without such words are passed through: *chairman* -ARG1-of-> *of* -ARG2-> *Elsevier*
        relates *chairman* to *Elsevier* where *of* is not kept, by the first label on the way.

        >>> edges = Edge(0, 1, "ARG1-of", True), Edge(1, 2, "ARG2", True)
        >>> graph = RootedGraph((2, 4, 8), (0,), edges)
        >>> sorted(graph.relations(14)), sorted(graph.relations(10))
        ([(2, 4, 'ARG1-of'), (4, 8, 'ARG2')], [(2, 8, 'ARG1-of')])
        """
        below: dict[int, list[Edge]] = {}
        for edge in self.edges:
            below.setdefault(edge.head, []).append(edge)
        words = [each & kept for each in self.words]
        found: set[tuple[int, int, str]] = set()
        for edge in self.edges:
            if not words[edge.head]:
                continue
            todo, seen = [edge.dependent], {edge.head}
            while todo:
                node = todo.pop()
                if words[node]:
                    found.add((words[edge.head], words[node], edge.label))
                elif node not in seen:
                    seen.add(node)
                    todo += [each.dependent for each in below.get(node, ())]
        return {each for each in found if each[0] != each[1]}


def rooted(sentence: Sentence[Graphs]) -> RootedGraph:
    """Return the graph of a sentence, which has words, seen from its tops."""
    size = len(sentence.column("top", "nodes"))
    columns = (sentence.column(name, "edges") for name in ("source", "target", "label"))
    edges = [(int(s), int(t), label) for s, t, label in zip(*columns, strict=True)]
    attributes = (sentence.column(name, "attributes") for name in ("edge", "name"))
    remote = {int(edge) for edge, name in zip(*attributes, strict=True) if name == REMOTE}
    near = [(s, t) for at, (s, t, _) in enumerate(edges) if at not in remote and s != t]
    tops = [node for node, top in enumerate(sentence.column("top", "nodes").tolist()) if top]
    tops, distance = _distances(size, tops, near)
    turned_edges = []
    for at, (source, target, label) in enumerate(edges):
        if source == target:
            continue
        (a, b), (c, d) = distance[source], distance[target]
        if at in remote:
            turned_edges.append(Edge(source, target, label, primary=False))
        elif (a, b) == (c + 1, d + 1):
            turned_edges.append(Edge(target, source, f"{label}{OF}", primary=True))
        else:
            turned_edges.append(Edge(source, target, label, primary=(c, d) == (a, b + 1)))
    return RootedGraph(tuple(_own_words(sentence, size)), tuple(tops), tuple(turned_edges))


_PREDICATE = re.compile("_.*_([a-z])(?:_|$)")


def node_tags(sentence: Sentence[Graphs]) -> list[str]:
    """Return the part of speech of each node, the empty string where nothing tells it.

    It is the property ``pos`` (DM, PSD), or the letter in the predicates of EDS, ``_old_a_1``.
    """
    names = sentence.column("label", "nodes")
    matches = [_PREDICATE.match(name) for name in names]
    tags = [match[1] if match else "" for match in matches]
    columns = (sentence.column(name, "properties") for name in ("node", "name", "value"))
    for node, name, value in zip(*columns, strict=True):
        if name == "pos":
            tags[int(node)] = value
    return tags


Distance = tuple[int, int]


def _distances(
    size: int, tops: Sequence[int], edges: Sequence[tuple[int, int]]
) -> tuple[list[int], list[Distance]]:
    """Return all tops, and how far each node is from the nearest: edges against, and steps.

    >>> _distances(4, [0], [(0, 1), (2, 1), (3, 2)])
    ([0], [(0, 0), (0, 1), (1, 2), (2, 3)])
    """
    ways: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    below = [False] * size
    for source, target in edges:
        ways[source].append((0, target))
        ways[target].append((1, source))
        below[target] = True
    distance: list[Distance | None] = [None] * size
    roots: list[int] = []
    # Tops first; then, for parts that no top is in, what is below nothing; then what is left, all
    # of which is on or below cycles.
    for starts in (tops, [node for node in range(size) if not below[node]], range(size)):
        fresh = [node for node in starts if distance[node] is None]
        roots += fresh
        waiting: list[tuple[Distance, int]] = [((0, 0), node) for node in fresh]
        while waiting:
            (against, steps), node = heapq.heappop(waiting)
            if distance[node] is not None:
                continue
            distance[node] = (against, steps)
            for turn, other in ways[node]:
                if distance[other] is None:
                    heapq.heappush(waiting, ((against + turn, steps + 1), other))
    return roots, [each or (0, 0) for each in distance]


def _own_words(sentence: Sentence[Graphs], size: int) -> list[int]:
    """Return the words that each node stands for itself, as bits from 1."""
    starts, ends = (sentence.column(name, "words").tolist() for name in ("start", "end"))
    plain = [any(map(str.isalnum, form)) for form in sentence.column("form", "words")]
    places = list(zip(starts, ends, plain, strict=True))
    wide = [0] * size
    columns = (sentence.column(name, "anchors").tolist() for name in ("node", "start", "end"))
    for node, start, end in zip(*columns, strict=True):
        wide[node] |= _overlapped(places, start, end)
    distinct = sorted({each for each in wide if each}, key=int.bit_count)
    phrases = {
        outer
        for at, outer in enumerate(distinct)
        if any(not inner & ~outer for inner in distinct[:at])
    }
    return [0 if each in phrases else each for each in wide]


def _overlapped(places: Sequence[tuple[int, int, bool]], start: int, end: int) -> int:
    """Return the words that a stretch of text overlaps, without punctuation beside other words."""
    inside = [
        (1 << number, plain)
        for number, (first, last, plain) in enumerate(places, 1)
        if first < end and start < last
    ]
    some = any(plain for _, plain in inside)
    return sum(bit for bit, plain in inside if plain or not some)
