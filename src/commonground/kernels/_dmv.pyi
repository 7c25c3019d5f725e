from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.float64]

def posteriors(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> tuple[Weights, Weights, Weights, Weights, Weights]: ...
def best_trees(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> tuple[Weights, NDArray[np.int32]]: ...
