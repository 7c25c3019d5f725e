"""The weights of a perceptron (``kernels/perceptron.py``) as a model file holds them."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from commonground.kernels.perceptron import Weights
from commonground.parsers.model_file import Stored

__all__ = ["read_weights", "weight_arrays"]


def weight_arrays(
    weights: Weights, prefix: str = "", *, classes: str = "actions"
) -> dict[str, NDArray[Any]]:
    """Return weights as arrays for a file; a file with several weights has a `prefix` for each."""
    return {
        f"{prefix}keys": weights[0],
        f"{prefix}lengths": weights[1],
        f"{prefix}{classes}": weights[2],
        f"{prefix}weights": weights[3],
    }


def read_weights(stored: Stored, prefix: str = "", *, classes: str = "actions") -> Weights:
    """Return the weights that a file holds."""
    return (
        stored.array(f"{prefix}keys", "u8"),
        stored.array(f"{prefix}lengths", "u2"),
        stored.array(f"{prefix}{classes}", "u2"),
        stored.array(f"{prefix}weights", "i2"),
    )
