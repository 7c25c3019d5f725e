r"""Relations as lines of text, which the expressions of mappings are about.

- ``gr``: ``(ncsubj passed_4 Act_1 _)``, positions from 0, as C&C prints them;
- ``typed``: ``nsubj(passed-5, act-2)``, positions from 1, as the Stanford parser does;
- ``enju``: twelve columns between tabs, positions from 0;
- ``parc``: ``subj(pass~3, act~5)``, numbers that are no positions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from commonground.corpus import Relations
from commonground.formats.codecs.grammatical_relations import SUBJECTS, WITH_SUBTYPE

__all__ = ["BASES", "PRINTERS", "lines_of"]

BASES = {"gr": 0, "typed": 1, "enju": 0, "parc": None}
"""From which number each way of printing counts the words; None: it does not."""

Node = tuple[str, int, str, str]
"""The text of a node, its place from 0 (-1: none), its lemma and its tag."""


def _gr(label: str, head: Node | None, dependent: Node | None, subtype: str, value: str) -> str:
    """Print a grammatical relation.

    >>> _gr("ncsubj", ("passed", 4, "_", "_"), ("Act", 1, "_", "_"), "_", "_")
    '(ncsubj passed_4 Act_1 _)'
    """
    slots = [label]
    if label in WITH_SUBTYPE or subtype != "_":
        slots.append(subtype)
    slots += [
        f"{each[0]}_{each[1]}" if each[1] >= 0 else each[0] for each in (head, dependent) if each
    ]
    if label in SUBJECTS or value != "_":
        slots.append(value)
    return f"({' '.join(slots)})"


def _typed(label: str, head: Node | None, dependent: Node | None, subtype: str, value: str) -> str:
    del subtype, value
    words = ", ".join(f"{each[0]}-{each[1] + 1}" for each in (head, dependent) if each)
    return f"{label}({words})"


def _enju(label: str, head: Node | None, dependent: Node | None, subtype: str, value: str) -> str:
    del value

    def columns(node: Node | None) -> list[str]:
        text, place, lemma, tag = node or ("_", -1, "_", "_")
        return [text, lemma, tag, tag, str(place)]

    return "\t".join([*columns(head), subtype, label, *columns(dependent)])


def _parc(label: str, head: Node | None, dependent: Node | None, subtype: str, value: str) -> str:
    del subtype
    words = [f"{each[0]}~{each[1]}" for each in (head, dependent) if each]
    return f"{label}({', '.join([*words, *([value] if value != '_' else [])])})"


PRINTERS: dict[str, Callable[..., str]] = {
    "gr": _gr,
    "typed": _typed,
    "enju": _enju,
    "parc": _parc,
}


def lines_of(corpus: Relations, place: int, style: str) -> list[tuple[int, int, str]]:
    """Return the relations of a sentence: the rows of head and dependent (or -1), and the line."""
    nodes, relations = corpus.nodes, corpus.relations
    start, stop = (int(nodes.offsets[place + i]) for i in (0, 1))
    first, last = (int(relations.offsets[place + i]) for i in (0, 1))
    known = _nodes(corpus, start, stop, style)

    def node(number: int) -> Node | None:
        return known[number] if number >= 0 else None

    lines = []
    for row in range(first, last):
        head, dependent = int(corpus.head[row]), int(corpus.dependent[row])
        line = PRINTERS[style](
            corpus.label[row],
            node(head),
            node(dependent),
            relations.strings("subtype")[row],
            relations.strings("value")[row],
        )
        lines.append(
            (start + head if head >= 0 else -1, start + dependent if dependent >= 0 else -1, line)
        )
    return lines


def _nodes(corpus: Relations, start: int, stop: int, style: str) -> list[Node]:
    nodes = corpus.nodes

    def column(name: str, instead: Any) -> list[Any]:
        if name not in nodes:
            return [instead] * (stop - start)
        values = nodes.columns[name][start:stop]
        return values.tolist()

    places = column("number", -1) if style == "parc" else [one - 1 for one in column("first", 0)]
    columns = (column("text", "_"), places, column("lemma", "_"), column("tag", "_"))
    return [tuple(each) for each in zip(*columns, strict=True)]
