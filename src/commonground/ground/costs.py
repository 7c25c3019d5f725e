"""What edits cost: adding, taking away and relabelling nodes, by kind, label and pair of labels.

"Every operation is assigned a cost" (Tsarfaty et al. 2011, 2012). Usually it is 1. A file says
otherwise, in TOML::

    insert = 1              # adding a node
    delete = 1              # taking one away
    relabel = 0.5           # giving a node another label (protocol of 2011)
    pairs = [["obj", "iobj", 0.25], ["nmod", "obl", 0]]   # either way

    [labels]                # adding and taking away nodes with these labels
    punct = 0
    nsubj = 2

With costs, a tree is as large as its nodes are costly. As in the papers, the normaliser is what it
costs to take away all of the parse P and to add all of the (generalized) gold tree G:

    score  =  1 − δ / (Σ delete(p) + Σ insert(g))

which is 1 − δ/(|P|+|G|) where everything costs 1. Unlabelled, nodes have no labels, and only the
costs of the kinds count. Labels are those that are compared: of the hub, where labels become those.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError, UsageError
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_utf8, shown

__all__ = ["Costs", "parse_costs", "read_costs"]

Codes = NDArray[np.int32]
Cost = float | Decimal
_KINDS = ("insert", "delete", "relabel")
_PLACES = 3
_MOST = 1000


@dataclass(frozen=True)
class Costs:
    """The costs of edits; each is at least 0 and at most 1000, with up to three decimals.

    `labels` are what adding and taking away nodes with these labels costs, `pairs` what it costs to
    make one label of the other, in either order.

    >>> costs = Costs(relabel=0.5, labels={"punct": 0}, pairs={("iobj", "obj"): 0.25})
    >>> costs.unit, costs.deleting("punct"), costs.inserting("obj")
    (100, 0, 100)
    >>> costs.relabelling("obj", "iobj"), costs.relabelling("obj", "nsubj")
    (25, 50)
    >>> costs.signature()
    'insert=1 delete=1 relabel=0.5 punct=0 iobj/obj=0.25'
    """

    insert: Cost = 1
    delete: Cost = 1
    relabel: Cost = 1
    labels: Mapping[str, Cost] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Cost] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, cost in self._all():
            if not isinstance(cost, int | float | Decimal) or isinstance(cost, bool):
                raise UsageError(f"the cost of {name} is {cost!r}; it must be a number")
            exact = _exact(cost)
            if exact.is_nan() or not 0 <= exact <= _MOST or exact != round(exact, _PLACES):
                raise UsageError(
                    f"the cost of {name} is {cost}; it can be from 0 to {_MOST}, with up to "
                    f"{_PLACES} decimals"
                )
        for pair, cost in self.pairs.items():
            if self.pairs.get((pair[1], pair[0]), cost) != cost:
                raise UsageError(f"{pair[0]} and {pair[1]} have two costs; they can have one")

    def _all(self) -> list[tuple[str, Any]]:
        """Return all costs with what they are the costs of."""
        kinds = [(name, getattr(self, name)) for name in _KINDS]
        pairs = sorted(("/".join(sorted(pair)), cost) for pair, cost in self.pairs.items())
        return [*kinds, *sorted(self.labels.items()), *dict(pairs).items()]

    @property
    def relabels(self) -> bool:
        """Whether the costs say something about relabelling."""
        return bool(self.pairs) or self.relabel != 1

    @cached_property
    def unit(self) -> int:
        """How many units a cost of 1 is, so that all costs are whole numbers of units."""
        decimals = (-int(_exact(cost).normalize().as_tuple().exponent) for _, cost in self._all())
        return int(10 ** max(0, *decimals))

    def inserting(self, label: str) -> int:
        """Return what it costs to add a node with this label, in units."""
        return self._units(self.labels.get(label, self.insert))

    def deleting(self, label: str) -> int:
        """Return what it costs to take away a node with this label, in units."""
        return self._units(self.labels.get(label, self.delete))

    def relabelling(self, old: str, new: str) -> int:
        """Return what it costs to make one label of another, in units."""
        if old == new:
            return 0
        either = self.pairs.get((old, new), self.pairs.get((new, old), self.relabel))
        return self._units(either)

    def of_nodes(self, codes: NDArray[Any], labels: Sequence[str], *, insert: bool) -> Codes:
        """Return what it costs to add (or take away) each node, in units, by its label's number."""
        each = self.inserting if insert else self.deleting
        table = np.array([each(label) for label in labels], np.int32)
        return table[codes] if len(table) else np.empty(0, np.int32)

    def of_pairs(self, labels: Sequence[str]) -> Codes:
        """Return the table of what it costs to make each label of each other one, in units."""
        table = np.full((len(labels), len(labels)), self._units(self.relabel), np.int32)
        np.fill_diagonal(table, 0)
        number = {label: place for place, label in enumerate(labels)}
        for (one, other), cost in self.pairs.items():
            if one in number and other in number and one != other:
                table[number[one], number[other]] = self._units(cost)
                table[number[other], number[one]] = self._units(cost)
        return table

    def unlabelled(self) -> Costs:
        """Return the costs of nodes without labels."""
        return Costs(self.insert, self.delete)

    def signature(self) -> str:
        """Return all costs in one line."""
        return " ".join(f"{name}={_exact(cost).normalize():f}" for name, cost in self._all())

    def _units(self, cost: Cost) -> int:
        return int(_exact(cost) * self.unit)


def _exact(cost: Cost) -> Decimal:
    return cost if isinstance(cost, Decimal) else Decimal(str(cost))


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def read_costs(path: str | os.PathLike[str]) -> Costs:
    """Read the costs of edits from a file."""
    return parse_costs(read_utf8(path, "costs in TOML are"), shown(path))


def parse_costs(text: str, path: str = "<text>") -> Costs:
    r"""Read the costs of edits.

    >>> parse_costs('relabel = 0.5\npairs = [["a", "b", 0]]\n[labels]\npunct = 0\n').signature()
    'insert=1 delete=1 relabel=0.5 punct=0 a/b=0'
    >>> parse_costs("x = 2", "c.toml")
    Traceback (most recent call last):
    commonground.errors.InputError: c.toml: 'x' is not one of insert, delete, relabel, pairs, labels
    """
    data = parse_toml(text, path, Decimal)
    known = (*_KINDS, "pairs", "labels")
    for name in data:
        if name not in known:
            raise InputError(path, 0, f"{name!r} is not one of {', '.join(known)}")
    labels = data.get("labels", {})
    if not isinstance(labels, dict):
        raise InputError(path, 0, "labels must be a table: [labels], with LABEL = COST below it")
    kinds = {name: data[name] for name in _KINDS if name in data}
    try:
        return Costs(**kinds, labels=labels, pairs=_pairs(data.get("pairs", []), path))
    except UsageError as error:
        raise InputError(path, 0, str(error)) from error


def _pairs(entries: Any, path: str) -> dict[tuple[str, str], Cost]:
    pairs: dict[tuple[str, str], Cost] = {}
    for entry in entries if isinstance(entries, list) else [entries]:
        match entry:
            case [str(one), str(other), cost]:
                if pairs.get((one, other), cost) != cost:
                    raise InputError(path, 0, f"{one} and {other} have two costs")
                pairs[one, other] = cost
            case _:
                wrong = f'{entry!r} is not a pair; write ["LABEL", "OTHER", COST]'
                raise InputError(path, 0, wrong)
    return pairs
