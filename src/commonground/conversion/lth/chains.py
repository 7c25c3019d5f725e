"""Coordinations as chains: each conjunct hangs on the one before, by way of the conjunction.

In *tea , milk and bread*, *milk* hangs on *tea* (COORD), *and* on *milk* (COORD) and *bread* on
*and* (CONJ), as in the work of Mel'čuk. It is made of the analysis in which all of them hang on the
first conjunct.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.conversion.forest import Items

__all__ = ["chain", "name_conjunctions"]


def chain(head: Items, labels: list[str]) -> None:
    """Make chains of the conjuncts in all sentences; `head` is a word, negative for the root."""
    tops = np.unique(head[[i for i, label in enumerate(labels) if label == "COORD"]])
    dependents = np.flatnonzero(np.isin(head, tops) & (head >= 0))
    order = dependents[np.argsort(head[dependents], kind="stable")]
    borders = np.flatnonzero(np.diff(head[order])) + 1
    for group in np.split(order, borders):
        if len(group):
            _chain(int(head[group[0]]), group.tolist(), head, labels)
    name_conjunctions(head, labels)


def _chain(top: int, dependents: Sequence[int], head: Items, labels: list[str]) -> None:
    """Make a chain of the conjuncts that hang on one word and follow it."""
    last, link, marks = top, -1, []
    for word in dependents:
        if word < top:
            continue
        if labels[word] == "P":
            marks.append(word)
        elif labels[word] == "CC":
            link = word
        elif labels[word] == "COORD":
            before = last if link < 0 else link
            for mark in marks:
                holder = last if link < 0 or mark < link else link
                head[mark] = holder
            if link >= 0:
                head[link], labels[link] = last, "COORD"
                labels[word] = "CONJ"
            head[word], last, link = before, word, -1
            marks = []


def name_conjunctions(head: Items, labels: list[str]) -> None:
    """Give the conjunctions that join nothing a label: DEP, or COORD where something precedes."""
    seen: set[int] = set()
    for word in np.argsort(head, kind="stable").tolist():
        if labels[word] == "P":
            continue
        if labels[word] == "CC":
            labels[word] = "COORD" if int(head[word]) in seen else "DEP"
        else:
            seen.add(int(head[word]))
