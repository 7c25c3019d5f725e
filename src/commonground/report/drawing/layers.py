"""Graphs in layers, from the tops downwards: which layer a node is in, its order, and its place.

1. An edge that leads back to a node on the way to it is turned for the layout. The layer of a node
   is the longest way to it; nodes with nothing below them that stand for words are in the last one.
2. An edge over several layers has a place in each of them (a *bend*). The order in a layer is that
   of the words below the nodes or, where there are none, that of the means of their neighbours,
   swept downwards and upwards a few times.
3. Across, every node wants to be at the mean of its neighbours; of all places that keep the order
   and the distances, those nearest to what is wanted are taken (by pooling neighbours).

Nothing depends on chance; sweeps are limited, so that large graphs are drawn too.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Layout", "layout"]

_SWEEPS = 8


class Layout(NamedTuple):
    """Where things are: the layer and the middle of each node and bend, and the way of each edge.

    The way of an edge is a list of nodes and bends (numbers from the number of nodes on) from above
    to below; `turned` tells which edges lead upwards, and have their way from target to source.
    """

    layer: list[int]
    middle: list[int]
    ways: list[list[int]]
    turned: list[bool]


def layout(
    widths: Sequence[int],
    edges: Sequence[tuple[int, int]],
    edge_widths: Sequence[int],
    *,
    tops: Sequence[int] = (),
    words: Sequence[int | None] = (),
    gap: int = 14,
) -> Layout:
    """Return the layout of nodes with these widths and of edges between them, loops left out.

    `words` tell where the words of nodes begin.

    >>> placed = layout([20, 20, 20], [(0, 1), (0, 2), (1, 2)], [10, 10, 10], tops=[0])
    >>> placed.layer, placed.ways
    ([0, 1, 2, 1], [[0, 1], [0, 3, 2], [1, 2]])
    """
    size = len(widths)
    turned = _turned(size, edges, tops)
    downward = [(t, s) if turn else (s, t) for (s, t), turn in zip(edges, turned, strict=True)]
    layer = _layers(size, downward)
    if any(word is not None for word in words):
        sources = {source for source, _ in downward}
        last = max(layer, default=0)
        for node, word in enumerate(words):
            if word is not None and node not in sources:
                layer[node] = last
    room = list(widths)
    ways = []
    for (source, target), needed in zip(downward, edge_widths, strict=True):
        way = [source]
        for level in range(layer[source] + 1, layer[target]):
            way.append(len(layer))
            layer.append(level)
            room.append(needed if level == layer[target] - 1 else 4)
        ways.append([*way, target])
    above: list[list[int]] = [[] for _ in layer]
    below: list[list[int]] = [[] for _ in layer]
    for way in ways:
        for one, other in itertools.pairwise(way):
            below[one].append(other)
            above[other].append(one)
    rows = _ordered(layer, above, below, _wanted(words, layer, above, below))
    return Layout(layer, _middles(rows, room, above, below, gap), ways, turned)


def _turned(size: int, edges: Sequence[tuple[int, int]], tops: Sequence[int]) -> list[bool]:
    """Tell which edges lead back to a node on the way to them, from the tops on."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    below = [False] * size
    for number, (source, target) in enumerate(edges):
        out[source].append((number, target))
        below[target] = True
    turned = [False] * len(edges)
    state = [0] * size  # 1: on the way, 2: done
    for start in (*tops, *(node for node in range(size) if not below[node]), *range(size)):
        if state[start]:
            continue
        state[start] = 1
        stack = [(start, iter(out[start]))]
        while stack:
            node, rest = stack[-1]
            for number, target in rest:
                if state[target] == 1:
                    turned[number] = True
                elif not state[target]:
                    state[target] = 1
                    stack.append((target, iter(out[target])))
                    break
            else:
                state[node] = 2
                stack.pop()
    return turned


def _layers(size: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the longest way to each node; what is only above others is just above them."""
    below: list[list[int]] = [[] for _ in range(size)]
    missing = [0] * size
    for source, target in edges:
        below[source].append(target)
        missing[target] += 1
    sources = [node for node in range(size) if not missing[node]]
    layer = [0] * size
    ready = list(sources)
    while ready:
        node = ready.pop()
        for target in below[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    for node in sources:
        if below[node]:
            layer[node] = min(layer[target] for target in below[node]) - 1
    return layer


def _wanted(
    words: Sequence[int | None],
    layer: Sequence[int],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
) -> list[float] | None:
    """Return the mean place of the words below each node; None where nodes have no words."""
    if not any(word is not None for word in words):
        return None
    place: list[float | None] = [None] * len(layer)
    place[: len(words)] = [None if word is None else float(word) for word in words]
    for node in sorted(range(len(layer)), key=lambda each: -layer[each]):
        under = [known for each in below[node] if (known := place[each]) is not None]
        if place[node] is None and under:
            place[node] = sum(under) / len(under)
    for node in sorted(range(len(layer)), key=lambda each: layer[each]):
        over = [known for each in above[node] if (known := place[each]) is not None]
        if place[node] is None:
            place[node] = sum(over) / len(over) if over else 0.0
    return [each or 0.0 for each in place]


def _ordered(
    layer: Sequence[int],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    wanted: Sequence[float] | None,
) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    if wanted is not None:
        for node in sorted(range(len(layer)), key=lambda each: (wanted[each], each)):
            rows[layer[node]].append(node)
        return rows
    for node in _first_order(layer, above, below):
        rows[layer[node]].append(node)
    best, least = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(_SWEEPS):
        if not least:
            break
        down = sweep % 2 == 0
        for number in range(len(rows)) if down else range(len(rows) - 1, -1, -1):
            place = {node: at for row in rows for at, node in enumerate(row)}
            around = above if down else below

            def mean(node: int, place: dict[int, int] = place, around: object = around) -> float:
                near = around[node]  # type: ignore[index]
                return sum(place[each] for each in near) / len(near) if near else place[node]

            rows[number].sort(key=mean)
        crossings = _crossings(rows, below)
        if crossings < least:
            best, least = [list(row) for row in rows], crossings
    return best


def _first_order(
    layer: Sequence[int], above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]
) -> list[int]:
    """Return the nodes in the order in which they are reached from above."""
    seen = [False] * len(layer)
    order = []
    tops = [node for node in range(len(layer)) if not above[node]]
    stack = tops[::-1]
    while stack:
        node = stack.pop()
        if not seen[node]:
            seen[node] = True
            order.append(node)
            stack += below[node][::-1]
    return order


_MANY = 400
"""In rows with more edges, crossings are not counted."""


def _crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    place = {node: at for row in rows for at, node in enumerate(row)}
    crossings = 0
    for row in rows:
        ends = [(place[node], place[each]) for node in row for each in below[node]]
        if len(ends) <= _MANY:
            crossings += sum(
                (a - c) * (b - d) < 0 for at, (a, b) in enumerate(ends) for c, d in ends[:at]
            )
    return crossings


def _middles(
    rows: Sequence[Sequence[int]],
    room: Sequence[int],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    gap: int,
) -> list[int]:
    x = [0.0] * len(room)
    for row in rows:
        edge = 0.0
        for node in row:
            x[node] = edge + room[node] / 2
            edge += room[node] + gap
    for sweep in range(_SWEEPS):
        around = below if sweep % 2 == 0 else above
        for row in rows[::-1] if sweep % 2 == 0 else rows:
            wanted = [
                sum(x[each] for each in around[node]) / len(around[node])
                if around[node]
                else x[node]
                for node in row
            ]
            for node, place in zip(row, _kept_apart(row, wanted, room, gap), strict=True):
                x[node] = place
    left = min((x[node] - room[node] / 2 for node in range(len(room))), default=0.0)
    return [round(each - left) for each in x]


def _kept_apart(
    row: Sequence[int], wanted: Sequence[float], room: Sequence[int], gap: int
) -> list[float]:
    """Return the places nearest to those wanted that keep the order and the distances."""
    before, moved = [], 0.0
    for at, node in enumerate(row):
        if at:
            moved += (room[row[at - 1]] + room[node]) / 2 + gap
        before.append(moved)
    blocks: list[tuple[float, int]] = []  # the sum of what is wanted, and how many want it
    for want, start in zip(wanted, before, strict=True):
        total, number = want - start, 1
        while blocks and blocks[-1][0] * number >= total * blocks[-1][1]:
            more, others = blocks.pop()
            total, number = total + more, number + others
        blocks.append((total, number))
    places = [total / number for total, number in blocks for _ in range(number)]
    return [place + start for place, start in zip(places, before, strict=True)]
