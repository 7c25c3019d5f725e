"""The common ground: analyses as function trees, and the algebra on them."""

from commonground.ground.algebra import (
    ClashError,
    CrossingError,
    generalize,
    label_unify,
    subsumes,
    unify,
)
from commonground.ground.functions import functions_of

__all__ = [
    "ClashError",
    "CrossingError",
    "functions_of",
    "generalize",
    "label_unify",
    "subsumes",
    "unify",
]
