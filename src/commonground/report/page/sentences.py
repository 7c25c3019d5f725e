"""The sentences of a report: which are the worst, where systems disagree, and all their numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.report.material.material import Material, Wanted
from commonground.report.page.sections import Example, Scale

__all__ = ["disagreements", "mistakes", "most_mistaken", "scales", "worst"]

Numbers = NDArray[np.float64]

SHOWN = 20
"""Number of worst sentences shown, and of those where systems disagree most."""


def mistakes(material: Material, metric: str) -> NDArray[np.float64]:
    """Return how many items each system has wrong in each sentence, NaN where it has no counts.

    Wrong are gold items that are not found and the parse's items that are not right; where both
    sides have the same words, a wrong word is both, and counted once.
    """
    wrong = np.full((len(material.ids), len(material.systems)), np.nan)
    for number, system in enumerate(material.systems):
        columns = system[metric].counts.columns
        right = columns.get("correct")
        if right is None:  # the distance of 2011 has costs
            errors = columns["cost"].astype(float)
        elif np.array_equal(columns["gold"], columns["system"]):
            errors = (columns["gold"] - right).astype(float)
        else:
            both = columns.get("system_correct", right)
            errors = (columns["gold"] - right + columns["system"] - both).astype(float)
        wrong[material.places(system), number] = errors
    return wrong


def worst(material: Material, metric: str) -> dict[int, list[Example]]:
    """Return the sentences with the most mistakes of each system, by its place.

    The score of a corpus is made of sums, so that these sentences cost it most.
    """
    errors = mistakes(material, metric)
    title = material.systems[0][metric].metric.title
    by_system = {}
    for number, system in enumerate(material.systems):
        scores = scores_of(material, metric)[:, number]
        chosen = _highest(errors[:, number], SHOWN)
        scale = system[metric].metric.scale
        by_system[number] = [
            Example(
                place,
                (number,),
                remark=f"{int(errors[place, number]):,} wrong, {title} {scale * scores[place]:.1f}",
            )
            for place in chosen
        ]
    return by_system


def disagreements(material: Material, metric: str) -> list[Example]:
    """Return the sentences where the numbers of mistakes of systems are farthest apart."""
    errors = mistakes(material, metric)
    known = ~np.isnan(errors).any(axis=1)
    apart = np.where(
        known, np.nan_to_num(errors).max(axis=1) - np.nan_to_num(errors).min(axis=1), 0
    )
    names = [system.name for system in material.systems]
    return [
        Example(
            place,
            remark="wrong: "
            + ", ".join(f"{name} {int(n)}" for name, n in zip(names, errors[place], strict=True)),
        )
        for place in _highest(apart, SHOWN)
    ]


def _highest(values: Numbers, count: int) -> list[int]:
    """Return the places of the highest values above 0, the first of equal ones first."""
    known = np.nan_to_num(values)
    order = np.argsort(-known, kind="stable")[:count]
    return [int(place) for place in order if known[place] > 0]


def scores_of(material: Material, metric: str) -> Numbers:
    """Return the score of each sentence by each system, NaN where there is none."""
    values = np.full((len(material.ids), len(material.systems)), np.nan)
    for number, system in enumerate(material.systems):
        values[material.places(system), number] = system[metric].by_sentence()
    return values


def scales(material: Material, metric: str) -> list[Scale]:
    """Return the numbers that the list of all sentences has."""
    shown = material.systems[0][metric].metric
    values = scores_of(material, metric) * shown.scale
    errors = mistakes(material, metric)
    lengths = _lengths(material, metric)
    numbers = [Scale("items", [int(n) for n in lengths])] if lengths is not None else []
    several = len(material.systems) > 1
    for number, system in enumerate(material.systems):
        of = f"{system.name}: " if several else ""
        numbers += [
            Scale(f"{of}wrong", _known(errors[:, number])),
            Scale(f"{of}{shown.title}", _known(values[:, number]), 1, listed=not several),
        ]
    return numbers


def _lengths(material: Material, metric: str) -> Numbers | None:
    """Return how many gold items each sentence has."""
    lengths = np.zeros(len(material.ids))
    for system in material.systems:
        gold = system[metric].counts.columns.get("gold")
        if gold is None:
            return None
        lengths[material.places(system)] = gold
    return lengths


def _known(values: Numbers) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def most_mistaken(material: Material, metric: str) -> list[Wanted]:
    """Return the sentences with mistakes of each system, those with the most first."""
    errors = np.nan_to_num(mistakes(material, metric))
    order = np.argsort(-errors.max(axis=1), kind="stable")
    systems = range(errors.shape[1])
    return [(int(place), s) for place in order for s in systems if errors[place, s] > 0]
