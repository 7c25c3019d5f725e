"""A word that several annotators see differently, as decisions make it, column by column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from commonground.formats.disagreement import Choice
from commonground.formats.patch import COLUMNS

__all__ = ["decided_fields"]

Ask = Callable[[str, Sequence[str]], Choice]
"""Asks about a column, with the value of each annotator."""

_FEATS, _HEAD, _DEPREL, _DEPS, _MISC = (
    COLUMNS.index(name) for name in ("FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
)
_PLAIN = tuple(COLUMNS.index(name) for name in ("FORM", "LEMMA", "UPOS", "XPOS"))


def decided_fields(ask: Ask, rows: Sequence[list[str]]) -> list[str]:
    """Return the columns of a word, of which each annotator has one of the rows.

    >>> rows = ["1 a a X _ _ 2 obj _ _".split(), "1 a a Y _ _ 2 obl _ _".split()]
    >>> " ".join(decided_fields(lambda column, values: Choice(column == "UPOS"), rows))
    '1 a a Y _ _ 2 obj _ _'
    """
    return _Word(ask, rows).fields()


class _Word:
    """One word of all annotators."""

    def __init__(self, ask: Ask, rows: Sequence[list[str]]) -> None:
        self._ask = ask
        self.rows = rows

    def fields(self) -> list[str]:
        fields = list(self.rows[0])
        for place in _PLAIN:
            fields[place] = self._text(place)
        fields[_FEATS] = self._list(_FEATS)
        fields[_HEAD], fields[_DEPREL], fields[_DEPS] = self._arcs()
        fields[_MISC] = self._list(_MISC)
        return fields

    def _text(self, place: int) -> str:
        values = [row[place] for row in self.rows]
        if len(set(values)) == 1:
            return values[0]
        return _answer(self._ask(COLUMNS[place], values), values)

    def _list(self, place: int) -> str:
        """Return FEATS or MISC, entry by entry where nothing else differs."""
        texts = [row[place] for row in self.rows]
        lists = [_entries(text) for text in texts]
        whole = any(each is None for each in lists)
        sides = [each or {} for each in lists]
        names = sorted({name for each in sides for name in each}, key=str.casefold)
        differing = [name for name in names if len({side.get(name, "_") for side in sides}) > 1]
        if len(set(texts)) == 1 or whole or not differing:
            return self._text(place)
        chosen = dict(sides[0])
        wanted: Counter[int] = Counter()
        for name in differing:
            values = [side.get(name, "_") for side in sides]
            choice = self._ask(f"{COLUMNS[place]} {name}", values)
            wanted[choice.annotator] += choice.annotator >= 0
            chosen[name] = _entry(name, _answer(choice, values))
        chosen = {name: entry for name, entry in chosen.items() if entry != "_"}
        likest = [side for side, _ in wanted.most_common()]
        for side in (*likest, *range(len(sides))):
            if sides[side] == chosen:
                return texts[side]
        order = list(sides[likest[0]] if likest else sides[0])
        if order == sorted(order, key=str.casefold) and place == _FEATS:
            return "|".join(chosen[name] for name in sorted(chosen, key=str.casefold)) or "_"
        order += [name for name in chosen if name not in order]
        return "|".join(chosen[name] for name in order if name in chosen) or "_"

    def _arcs(self) -> tuple[str, str, str]:
        """Return the head, its label, and the enhanced arcs."""
        heads = [row[_HEAD] for row in self.rows]
        labels = [row[_DEPREL] for row in self.rows]
        graphs = [row[_DEPS] for row in self.rows]
        head, label, side = heads[0], labels[0], 0
        column = _arc_column(heads, labels)
        if column:
            values = {"HEAD": heads, "DEPREL": labels}.get(
                column, [f"{one}:{two}" for one, two in zip(heads, labels, strict=True)]
            )
            choice = self._ask(column, values)
            side = choice.annotator
            if side >= 0:
                head, label = heads[side], labels[side]
            else:
                head, label = _arc(choice.value, head, label)
        if len(set(graphs)) == 1:
            return head, label, graphs[0]
        rests = [_rest(row) for row in self.rows]
        if column and None not in rests and all(rest == rests[0] for rest in rests):
            if side >= 0:
                return head, label, graphs[side]
            edges = sorted({*(rests[0] or ()), f"{head}:{label}"}, key=_edge_order)
            return head, label, "|".join(edges)
        return head, label, _answer(self._ask("DEPS", graphs), graphs)


def _answer(choice: Choice, values: Sequence[str]) -> str:
    return values[choice.annotator] if choice.annotator >= 0 else choice.value


def _arc_column(heads: Sequence[str], labels: Sequence[str]) -> str:
    names = [
        name
        for name, values in (("HEAD", heads), ("DEPREL", labels))
        if any(value != values[0] for value in values)
    ]
    return ":".join(names)


def _arc(text: str, head: str, label: str) -> tuple[str, str]:
    """Return the arc that a value names: ``3``, ``nsubj`` or ``3:nsubj``.

    >>> _arc("3", "1", "obj"), _arc("nsubj:pass", "1", "obj"), _arc("3:nsubj:pass", "1", "obj")
    (('3', 'obj'), ('1', 'nsubj:pass'), ('3', 'nsubj:pass'))
    """
    number, colon, rest = text.partition(":")
    if not number.isdigit():
        return head, text
    return number, rest if colon else label


def _rest(row: Sequence[str]) -> tuple[str, ...] | None:
    """Return the enhanced arcs without that of the tree; None where it is not among them."""
    edges = row[_DEPS].split("|")
    own = f"{row[_HEAD]}:{row[_DEPREL]}"
    return tuple(edge for edge in edges if edge != own) if edges.count(own) == 1 else None


def _edge_order(edge: str) -> tuple[list[int], str]:
    head, _, label = edge.partition(":")
    return [int(part) for part in head.split(".")], label


def _entries(text: str) -> dict[str, str] | None:
    """Return the entries of FEATS or MISC by their names; None where a name comes twice.

    >>> _entries("Case=Nom|Flag"), _entries("_"), _entries("Case=Nom|Case=Acc")
    ({'Case': 'Case=Nom', 'Flag': 'Flag'}, {}, None)
    """
    entries = [] if text == "_" else text.split("|")
    named = {entry.partition("=")[0]: entry for entry in entries}
    return named if len(named) == len(entries) and all(named) else None


def _entry(name: str, value: str) -> str:
    """Return an entry of which only the value may have been given."""
    return value if value == "_" or value.partition("=")[0] == name else f"{name}={value}"
