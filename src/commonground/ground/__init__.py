"""The common ground: analyses as function trees, and the algebra on them."""

from commonground.ground.algebra import Crossing, generalize, label_unify, subsumes, unify
from commonground.ground.functions import functions_of

__all__ = ["Crossing", "functions_of", "generalize", "label_unify", "subsumes", "unify"]
