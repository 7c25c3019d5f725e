"""Enhanced graphs on the way to another scheme.

A graph that says no more than the tree (every word has the arc of the tree, and no other) follows
the tree to its new heads. What a graph in the hub may add without being lost are the arcs that
follow from the tree: what is said of a first conjunct is said of the others, on either end of an
arc, and the subject of an open complement is one of the dependents of the verb above it. These are
made anew: :func:`added` finds them in the hub, :func:`moved` writes them in the shape of the
target. All other graphs (empty nodes, relative words, other arcs) are dropped, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from commonground.corpus import Dependencies
from commonground.corpus.deps import arcs_in
from commonground.schemes.labels import has_label
from commonground.schemes.scheme import Scheme
from commonground.schemes.tree import Tree

__all__ = ["Added", "Graph", "added", "graphs_of", "moved", "plain", "remade_in"]

Graph = tuple[str, ...]
"""The arcs to each word; none at all where a graph has empty nodes."""

_SUBJECTS = ("nsubj", "csubj")
_REMADE = ("first", "first-flat", "chain", "chain-flat")
"""The ways of coordination in which a conjunct stands for its own phrase."""


@dataclass(frozen=True, slots=True)
class Added:
    """An arc of a graph that the tree has not: from `head` to `word`.

    `like` is the word whose label it has: another conjunct, or the word itself; 0: it is a subject.
    """

    word: int
    head: int
    like: int


def graphs_of(corpus: Dependencies) -> list[Graph | None]:
    r"""Return the graph of each sentence, a text for each word; None where it has none.

    One with empty nodes has no texts.

    >>> from commonground.formats import read_text
    >>> graphs_of(read_text("1\tgo\t_\tVERB\t_\t_\t0\troot\t0:root\t_\n\n", "conllu"))
    [('0:root',)]
    """
    deps, offsets = corpus.deps.tolist(), corpus.offsets.tolist()
    graphs: list[Graph | None] = []
    empties = corpus.empties.lengths.tolist()
    for start, stop, more in zip(offsets, offsets[1:], empties, strict=False):
        graph = tuple(deps[start:stop])
        there = graph.count("_") < len(graph)
        graphs.append(() if more else graph if there else None)
    return graphs


def plain(graph: Graph, heads: Sequence[int], labels: Sequence[str]) -> bool:
    """Tell whether a graph is the tree.

    >>> plain(("2:case", "0:root"), [2, 0], ["case", "root"])
    True
    """
    if len(graph) != len(heads):
        return False
    for text, head, label in zip(graph, heads, labels, strict=True):
        if text != f"{head}:{label}":
            return False
    return True


def remade_in(scheme: Scheme) -> bool:
    """Tell whether a scheme has the shape in which added arcs can be made anew."""
    return scheme.way("coordination") in _REMADE and not scheme.joint


def added(tree: Tree, graph: Graph) -> list[Added] | None:
    """Return the arcs that a graph adds to a tree in the hub; None where some follow from nothing.

    >>> tree = Tree([2, 0, 2], ["nsubj", "root", "conj"], ["NOUN", "VERB", "VERB"])
    >>> added(tree, ("2:nsubj|3:nsubj", "0:root", "2:conj:and"))
    [Added(word=1, head=3, like=1)]
    >>> added(tree, ("2:nsubj", "0:root", "0:root|2:conj")) is None
    True
    """
    arcs: list[Added] = []
    if not graph:
        return None
    for word, text in enumerate(graph, 1):
        parts = _arcs(text)
        if len(parts) == 1 and _is_own(tree, word, *parts[0]):
            continue
        for own in parts:
            if _is_own(tree, word, *own):
                break
        else:
            return None
        for head, label in parts:
            if (head, label) != own:
                like = _follows(tree, word, head, label)
                if like is None:
                    return None
                arcs.append(Added(word, head, like))
    return arcs


def _is_own(tree: Tree, word: int, head: int, label: str) -> bool:
    """Tell whether an arc is that of the tree; its label may say more: ``nmod:of``."""
    own = tree.hub[word]
    return head == tree.head[word] and (label == own or label.startswith(f"{own}:"))


@lru_cache(maxsize=65536)
def _arcs(text: str) -> tuple[tuple[int, str], ...]:
    """Return the arcs to a word, heads and labels; none where some lead from empty nodes.

    >>> _arcs("2:nsubj|3:nsubj"), _arcs("2:nsubj|3.1:nsubj"), _arcs("_")
    (((2, 'nsubj'), (3, 'nsubj')), (), ())
    """
    arcs = arcs_in(text)
    of_words = [(arc.major, arc.label) for arc in arcs if arc and not arc.minor]
    return tuple(of_words) if len(of_words) == len(arcs) else ()


def _follows(tree: Tree, word: int, head: int, label: str) -> int | None:
    """Return the word whose label an added arc has, 0 for a subject; None: it follows from none."""
    heads, hub = tree.head, tree.hub
    if head <= 0 or head >= len(heads):
        return None
    above = heads[head] if hub[head] == "conj" else head  # the head, or its first conjunct
    first = heads[word] if hub[word] == "conj" else word
    for like in (word, first):
        same = has_label(label, (hub[like].partition(":")[0],))
        if same and heads[like] in (head, above) and (like, head) != (word, heads[word]):
            return like
    if has_label(label, _SUBJECTS) and has_label(hub[above], ("xcomp",)):
        return 0
    return None


def moved(tree: Tree, arcs: Sequence[Added], scheme: Scheme) -> list[str]:
    """Return the graph of a tree that was realised in a scheme: its own arcs, and those added.

    >>> tree = Tree([2, 0, 2], ["subj", "root", "conj"], ["NOUN", "VERB", "VERB"])
    >>> moved(tree, [Added(1, 3, 1)], Scheme("mine"))
    ['2:subj|3:subj', '0:root', '2:conj']
    """
    over = {below: function for function, below in tree.turned.items()}

    def top(word: int, tags: Sequence[str] = ()) -> int:
        """Return what heads the phrase of a word: the last of its function words."""
        while word in over and (not tags or tree.tag[over[word]] in tags):
            word = over[word]
        return word

    several: dict[int, dict[int, str]] = {}
    for arc in arcs:
        word, like = top(arc.word), top(arc.like) if arc.like else 0
        label = tree.label[like] if like else scheme.writing.plain("nsubj")
        subject = not like or has_label(tree.hub[like], _SUBJECTS)
        head = top(arc.head, ("AUX",) if subject else ("-",))
        if head != word:
            several.setdefault(word, {tree.head[word]: tree.label[word]}).setdefault(head, label)
    graph = [f"{head}:{label}" for head, label in zip(tree.head[1:], tree.label[1:], strict=True)]
    for word, own in several.items():
        graph[word - 1] = "|".join(f"{head}:{label}" for head, label in sorted(own.items()))
    return graph
