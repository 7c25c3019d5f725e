"""Equivalent labels by name: ``ud-ptb``, ``ud-sud``, ``lth-tut`` and all other pairs.

Two labels are the same where the hub has the same relation for both, whatever stands around them.
What a label means may depend on more than that (``mod`` of SUD is many relations of UD); then the
hub itself is better than a list of equivalent labels (:mod:`commonground.ground.inventory`).
"""

from __future__ import annotations

import re

from commonground.ground.inventory import inventory_names, plain_labels

__all__ = ["equivalence_names", "named_equivalence"]

_NAME = re.compile(r"([a-z0-9]+)-([a-z0-9]+)")


def equivalence_names() -> list[str]:
    """Return the inventories that names are made of."""
    return inventory_names()


def named_equivalence(name: str) -> dict[str, str] | None:
    """Return for each label of two inventories the relation of the hub; None for another name.

    >>> same = named_equivalence("ud-ptb")
    >>> same["SBJ"], same["TMP"], same.get("nsubj", "nsubj")
    ('nsubj', 'obl', 'nsubj')
    >>> named_equivalence("labels.txt") is None
    True
    """
    match = _NAME.fullmatch(name)
    if not match or not set(match.groups()) <= set(inventory_names()):
        return None
    same: dict[str, str] = {}
    for inventory in match.groups():
        same |= plain_labels(inventory)
    return {label: hub for label, hub in same.items() if label != hub}
