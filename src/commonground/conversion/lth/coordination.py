"""Which phrases are coordinations, and where their first conjunct ends."""

from __future__ import annotations

import numpy as np

from commonground.conversion.forest import Flags, Items
from commonground.conversion.lth.draft import Draft

__all__ = ["conjunction_inside", "coordinated", "ends"]

_NOMINAL = ("NP", "NX", "NML", "NAC")


def conjunction_inside(draft: Draft) -> Flags:
    """Tell which phrases have a conjunction that is neither their first nor their last child.

    *Either* and *neither* are none, and punctuation before the first word does not count.
    """
    place, count, above = draft.children.place, draft.children.count, np.maximum(draft.parent, 0)
    start = draft.first_place(~draft.punctuation)
    conjunction = draft.is_a("CC", "CONJP") & ~draft.reads("either", "neither")
    inside = conjunction & (place > start[above]) & (place < count[above] - 1)
    return draft.any_child(inside)


def coordinated(draft: Draft) -> Flags:
    """Tell which phrases are coordinations.

    They are all UCP, all with a conjunction inside, and two kinds without any: phrases of one kind
    after each other with a comma or a colon, and lists of at least three noun phrases with commas,
    which are no appositions with time or place.
    """
    nominal = draft.is_a(*_NOMINAL)
    coordinations = draft.is_a("UCP") | conjunction_inside(draft)
    coordinations |= _alike(draft) & ~nominal
    coordinations |= _listed(draft) & nominal
    return coordinations & draft.phrase


def _alike(draft: Draft) -> Flags:
    """Tell which phrases are made of phrases of one kind, with a comma or colon among them."""
    phrase, place = draft.phrase, draft.children.place
    kind = draft.category.map(lambda name: "S" if name in ("SINV", "SQ", "SBARQ") else name).codes
    kind = kind.astype(np.int64)
    below = np.flatnonzero(phrase & (draft.parent >= 0))
    least = np.full(len(phrase), np.iinfo(np.int64).max)
    most = np.full(len(phrase), -1, np.int64)
    np.minimum.at(least, draft.parent[below], kind[below])
    np.maximum.at(most, draft.parent[below], kind[below])
    comma = draft.is_a(",", ":") & ~phrase
    ends_so = phrase & comma[np.maximum(draft.last_word, 0)]
    separated = draft.any_child((comma & (place > 0)) | ends_so)
    other = ~phrase & ~draft.punctuation & ~draft.is_a("RB", "UH", "IN", "CC", "-NONE-")
    several = draft.count_children(phrase) > 1
    return separated & several & (least == most) & ~draft.any_child(other)


def _listed(draft: Draft) -> Flags:
    comma = draft.any_child(draft.is_a(",") & ~draft.phrase)
    circumstance = draft.any_child(draft.has("TMP", "LOC"))
    age = draft.any_child(draft.is_a("CD")) & (draft.children.count == 1)
    return comma & ~circumstance & (draft.count_children(draft.is_a(*_NOMINAL) & ~age) > 2)


def ends(draft: Draft, coordination: Flags) -> Items:
    """Return before which child of a coordination its first conjunct ends.

    For other phrases this is behind their last child, and for a flat noun phrase as well in which
    nobody knows what the conjunction joins.
    """
    children = draft.children
    place, above = children.place, np.maximum(draft.parent, 0)
    leading = draft.punctuation | draft.function.where(bool)
    start = draft.first_place(~leading)
    border = draft.is_a("CC", "CONJP", ",", ":") & (place > start[above])
    end = np.minimum(draft.first_place(border), children.count)
    flat = ~draft.any_child(draft.phrase) & ~draft.delimited
    end = np.where(flat & draft.is_a("NP", "NX", "NML"), children.count, end)
    end = np.where(~draft.any_child(draft.phrase) & (children.count == 3), 1, end)
    return np.where(coordination, end, children.count)
