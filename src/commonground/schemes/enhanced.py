"""Enhanced graphs on the way to another scheme.

A graph that says no more than the tree (every word has the arc of the tree, and no other) follows
the tree to its new heads. One that adds arcs (shared subjects, conjuncts, empty nodes) was made for
the old heads, and is dropped; how many are is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.corpus import Dependencies

__all__ = ["carried", "plain_graphs"]


def plain_graphs(corpus: Dependencies) -> list[bool | None]:
    r"""Tell for each sentence whether its graph is its tree; None where it has none.

    >>> from commonground.formats import read_text
    >>> text = "1\tgo\t_\tVERB\t_\t_\t0\troot\t0:root\t_\n\n"
    >>> plain_graphs(read_text(text, "conllu"))
    [True]
    """
    deps = corpus.deps.tolist()
    own = [
        f"{head}:{label}"
        for head, label in zip(corpus.head.tolist(), corpus.deprel.tolist(), strict=True)
    ]
    offsets, empties = corpus.offsets.tolist(), corpus.empties.lengths.tolist()
    found: list[bool | None] = []
    for start, stop, more in zip(offsets, offsets[1:], empties, strict=False):
        graph = deps[start:stop]
        if not more and all(text == "_" for text in graph):
            found.append(None)
        else:
            found.append(not more and graph == own[start:stop])
    return found


def carried(
    kept: Sequence[bool | None], offsets: Sequence[int], heads: list[int], labels: list[str]
) -> list[str]:
    """Return the graphs of trees that have new heads: those of sentences that are `kept`.

    >>> carried([True, None], [0, 1, 2], [0, 0], ["root", "root"])
    ['0:root', '_']
    """
    deps = ["_"] * len(heads)
    for sentence, plain in enumerate(kept):
        for row in range(offsets[sentence], offsets[sentence + 1]) if plain else ():
            deps[row] = f"{heads[row]}:{labels[row]}"
    return deps
