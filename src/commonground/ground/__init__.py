"""The common ground: analyses as function trees, and the algebra on them."""

from commonground.ground.algebra import (
    ClashError,
    CrossingError,
    generalize,
    label_unify,
    subsumes,
    unify,
)
from commonground.ground.functions import to_functions

__all__ = [
    "ClashError",
    "CrossingError",
    "generalize",
    "label_unify",
    "subsumes",
    "to_functions",
    "unify",
]
