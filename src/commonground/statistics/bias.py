"""What of a difference between systems may be due to the annotation of their gold standards.

Where the same errors cost c₁ and c₂ in the gold standards of two systems that lose l₁ and l₂ of a
score, a difference of up to

    bias  =  max(l₁ · |1 − c₂/c₁|, l₂ · |1 − c₁/c₂|)

may be there though both make the same errors. The costs are measured with planted errors
(:func:`commonground.evaluation.controls.error_costs`).

Errors can only be planted where all gold standards have something, and there they cost nearly the
same on the common ground. What parsers do elsewhere adds to it: by so much the losses of one parse
differ that is written in several schemes (`REWRITTEN`). The bias is no smaller than that.
"""

from __future__ import annotations

from commonground.evaluation.result import System

__all__ = ["REWRITTEN", "bias"]

REWRITTEN = {
    "common_attached": 0.051,
    "common_unlabelled": 0.099,
    "common_labelled": 0.040,
    "relations_unlabelled": 0.08,
    "relations_labelled": 0.08,
}
"""By which share of the larger one the losses of one parse differ over eight schemes, at most, as
measured on nine treebanks; of relations over four schemes, on one (docs/validity.md)."""


def bias(one: System, other: System, metric: str) -> float:
    """Return which difference of two systems may be due to annotation alone.

    >>> from commonground import evaluate
    >>> from dataclasses import replace
    >>> [result] = evaluate("example:ud", "example:ud-parse", metrics=["uas"]).systems
    >>> one, other = (
    ...     replace(result, error_costs={"uas": cost}, gold_name=name)
    ...     for name, cost in {"a": 0.02, "b": 0.01}.items()
    ... )
    >>> round(bias(one, other, "uas") / (1 - float(result["uas"])), 2)
    1.0
    """
    if one.gold_name == other.gold_name:
        return 0.0
    lost = [1 - float(system[metric]) for system in (one, other)]
    rewritten = REWRITTEN.get(metric, 0.0) * max(lost)
    costs = [system.error_costs.get(metric, 0.0) for system in (one, other)]
    if not all(costs):
        return rewritten
    share = costs[1] / costs[0]
    return max(rewritten, lost[0] * abs(1 - share), lost[1] * abs(1 - 1 / share))
