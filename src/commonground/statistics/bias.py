"""What of a difference between systems may be due to the annotation of their gold standards.

Where the same errors cost c₁ and c₂ in the gold standards of two systems that lose l₁ and l₂ of a
score, a difference of up to

    bias  =  max(l₁ · |1 − c₂/c₁|, l₂ · |1 − c₁/c₂|)

may be there though both make the same errors. The costs are measured with planted errors
(:func:`commonground.evaluation.controls.error_costs`).
"""

from __future__ import annotations

from commonground.evaluation.result import System

__all__ = ["bias"]


def bias(one: System, other: System, metric: str) -> float:
    """Return which difference of two systems may be due to annotation alone.

    >>> from commonground import evaluate
    >>> from dataclasses import replace
    >>> [result] = evaluate("example:ud", "example:ud-parse", metrics=["uas"]).systems
    >>> one, other = (replace(result, error_costs={"uas": cost}) for cost in (0.02, 0.01))
    >>> round(bias(one, other, "uas") / (1 - float(result["uas"])), 2)
    1.0
    """
    costs = [system.error_costs.get(metric, 0.0) for system in (one, other)]
    if not all(costs):
        return 0.0
    lost = [1 - float(system[metric]) for system in (one, other)]
    return max(lost[0] * abs(1 - costs[1] / costs[0]), lost[1] * abs(1 - costs[0] / costs[1]))
