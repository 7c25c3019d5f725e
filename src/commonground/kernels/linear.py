"""Score rows with a linear model whose features are hashed from templates.

This is the plain twin of ``_linear.pyx``. A row is anything that a parser has to score: an arc, two
neighbouring dependents, a span. It has a few `anchors`, which are rows of a table of `attributes`
(codes of a word's form, tag, …), and a few `extras`, numbers of its own (a distance). An atom
(anchor, offset, column) is the attribute in this column of the word so many rows after the anchor;
(-1, 0, column) is an extra. A template is a few atoms whose values are hashed together:

    h₀ = (template + 1)·P,   hᵢ₊₁ = x xor (x >> 29) where x = (hᵢ xor valueᵢ)·P   (mod 2⁶⁴)

with P = 0x9E3779B97F4A7C15; the highest `bits` bits of (h·P) say where its weights begin. A row has
for each template as many features as it has numbers `near`; these choose among 16 neighbouring
weights, which the computer fetches together. Everything is a whole number: the sums are exact, and
do not depend on the machine or on the order of summation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["add", "hashes_of", "near_features", "scores", "squared"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]
Templates = tuple[Codes, Codes, Codes]
"""The atoms (three columns), where the atoms of each template begin in the list, and the list."""

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def near_features(
    attributes: Codes,
    anchors: Codes,
    extras: Codes,
    near: Codes,
    templates: Templates,
    bits: int,
) -> Numbers:
    """Return the places of the features of each row, template by template, number by number.

    >>> table = np.array([[7], [8]], np.int32)
    >>> template = np.array([[0, 1, 0]], np.int32), np.array([0, 1]), np.array([0])
    >>> row = np.array([[0]], np.int32), np.empty((1, 0), np.int32), np.array([[0, 5]], np.int32)
    >>> near_features(table, *row, template, 8).tolist()
    [[170, 175]]
    """
    if bits < 4:
        raise ValueError("a table of neighbouring weights has 4 bits or more")
    mixed = hashes_of(attributes, anchors, extras, templates, bits)
    if len(near) != len(anchors):
        raise ValueError("the columns differ in length")
    line = (mixed >> np.uint64(64 - bits)).astype(np.int64) & ~15
    turn = ((mixed >> np.uint64(20)) & np.uint64(15)).astype(np.int64)
    places = line[:, :, None] + ((turn[:, :, None] + near[:, None, :]) & 15)
    return places.reshape(len(anchors), mixed.shape[1] * near.shape[1])


def hashes_of(
    attributes: Codes, anchors: Codes, extras: Codes, templates: Templates, bits: int
) -> NDArray[np.uint64]:
    """Return the hash of each row and template."""
    _checked(attributes, anchors, extras, templates, bits)
    atoms, starts, parts = templates
    values = np.empty((len(anchors), len(atoms)), np.uint64)
    for number, (anchor, offset, column) in enumerate(atoms.tolist()):
        attribute = (
            extras[:, column] if anchor < 0 else attributes[anchors[:, anchor] + offset, column]
        )
        values[:, number] = attribute.astype(np.uint32)
    hashes = np.empty((len(anchors), len(starts) - 1), np.uint64)
    with np.errstate(over="ignore"):
        for template in range(len(starts) - 1):
            mixed = np.full(len(anchors), np.uint64(template + 1) * _PRIME)
            for part in parts[starts[template] : starts[template + 1]].tolist():
                mixed = (mixed ^ values[:, part]) * _PRIME
                mixed ^= mixed >> _SHIFT
            hashes[:, template] = mixed * _PRIME
    return hashes


def scores(
    weights: Codes | NDArray[np.int16],
    attributes: Codes,
    anchors: Codes,
    extras: Codes,
    near: Codes,
    templates: Templates,
    bits: int,
) -> Numbers:
    """Return the score of each row: the sum of the weights of its features.

    >>> table, weights = np.array([[7], [8]], np.int32), np.arange(256, dtype=np.int32)
    >>> template = np.array([[0, 1, 0]], np.int32), np.array([0, 1]), np.array([0])
    >>> row = np.array([[0]], np.int32), np.empty((1, 0), np.int32), np.array([[0, 5]], np.int32)
    >>> scores(weights, table, *row, template, 8).tolist()
    [345]
    """
    places = near_features(attributes, anchors, extras, near, templates, bits)
    _long_enough(weights, bits)
    return weights[places].sum(axis=1, dtype=np.int64)


def squared(places: Numbers, amounts: Numbers, scratch: Codes) -> int:
    """Return the squared length of the vector with these amounts at these places, added up.

    `scratch` is a table of zeros, and one again in the end.

    >>> squared(np.array([1, 2, 2]), np.array([3, 1, 1]), np.zeros(4, np.int32))
    13
    """
    _inside(places, amounts, scratch)
    np.add.at(scratch, places, amounts.astype(np.int32))
    total = int((amounts * scratch[places].astype(np.int64)).sum())
    scratch[places] = 0
    return total


def add(weights: Codes, totals: Numbers, places: Numbers, amounts: Numbers, moment: int) -> None:
    """Add amounts to the weights, and each one `moment` times to the totals.

    >>> weights, totals = np.zeros(2, np.int32), np.zeros(2, np.int64)
    >>> add(weights, totals, np.array([1, 1]), np.array([2, 3]), 10)
    >>> weights.tolist(), totals.tolist()
    ([0, 5], [0, 50])
    """
    _inside(places, amounts, weights)
    _inside(places, amounts, totals)
    np.add.at(weights, places, amounts.astype(np.int32))
    np.add.at(totals, places, amounts * moment)


def _inside(places: Numbers, amounts: Numbers, table: NDArray[np.signedinteger]) -> None:
    if len(places) != len(amounts):
        raise ValueError("the columns differ in length")
    if len(places) and not 0 <= places.min() <= places.max() < len(table):
        raise ValueError("a place outside of the table")


def _checked(
    attributes: Codes, anchors: Codes, extras: Codes, templates: Templates, bits: int
) -> None:
    """Refuse what would read outside of the tables."""
    atoms, starts, parts = (np.asarray(column) for column in templates)
    if not 1 <= bits <= 30:
        raise ValueError("a table of weights has from 1 to 30 bits")
    if len(extras) != len(anchors):
        raise ValueError("the columns differ in length")
    whole = len(starts) > 0 and starts[0] == 0 and starts[-1] == len(parts)
    if not whole or (np.diff(starts) < 0).any():
        raise ValueError("templates that do not cover their atoms")
    if len(parts) and not 0 <= parts.min() <= parts.max() < len(atoms):
        raise ValueError("a template with an unknown atom")
    for anchor, offset, column in atoms.tolist():
        if anchor >= anchors.shape[1] or (anchor < 0 and not 0 <= column < extras.shape[1]):
            raise ValueError("an atom of an unknown anchor or extra")
        if anchor < 0:
            continue
        if not 0 <= column < attributes.shape[1]:
            raise ValueError("an atom of an unknown attribute")
        rows = anchors[:, anchor]
        if len(rows) and not 0 <= rows.min() + offset <= rows.max() + offset < len(attributes):
            raise ValueError("an atom outside of the text")


def _long_enough(weights: NDArray[np.signedinteger], bits: int) -> None:
    if len(weights) < 1 << bits:
        raise ValueError("too few weights")
