"""The tests between two systems, by the names that options have for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from numpy.typing import ArrayLike

from commonground.errors import UsageError, nearest
from commonground.evaluation.metric_score import Score
from commonground.statistics.bootstrap import Method, bootstrap
from commonground.statistics.claim import Alternative, Claim
from commonground.statistics.mcnemar import mcnemar
from commonground.statistics.pairing import Pairing
from commonground.statistics.ranks import sign, wilcoxon
from commonground.statistics.shuffling import shuffling

__all__ = ["TESTS", "PairedTest", "find_test"]

TESTS: dict[str, Callable[..., Claim]] = {
    "shuffle": shuffling,
    "bootstrap": bootstrap,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "mcnemar": mcnemar,
}
"""The tests by name; all but McNemar's are about sentences or documents, that one about tokens."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test with its options: `function` takes the `material` of two systems.

    Both can be sent to another process.
    """

    name: str
    function: Callable[..., Claim]

    def material(
        self, one: Score, other: Score, groups: ArrayLike | None = None
    ) -> tuple[Any, ...]:
        """Return what the test looks at: the pairing of two scores, or which tokens are right."""
        if self.name != "mcnemar":
            return (Pairing.of(one, other, groups),)
        if groups is not None:
            raise UsageError("McNemar's test compares tokens; it cannot compare documents")
        right = one.right, other.right
        if right[0] is None or right[1] is None:
            raise UsageError(
                f"McNemar's test needs a metric that counts the same tokens on both sides; "
                f"{one.metric.name} does not"
            )
        return right

    def between(self, one: Score, other: Score, groups: ArrayLike | None = None) -> Claim:
        """Test two systems' scores; `groups` has each sentence's document (see Pairing)."""
        return self.function(*self.material(one, other, groups))


def find_test(
    name: str = "shuffle",
    *,
    iterations: int = 10_000,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    method: Method = "bca",
) -> PairedTest:
    """Return a test by its name, with those of the options that it has.

    >>> from commonground import evaluate
    >>> score = evaluate("example:ud", "example:ud")["las"]
    >>> print(find_test("sign").between(score, score))
    difference +0.0000, p = 1 (sign test, two-sided, 64 sentences)
    """
    if name not in TESTS:
        near = nearest(name, TESTS)
        raise UsageError(f"there is no test {name!r}; there are {', '.join(TESTS)}{near}")
    options: dict[str, Any] = {"alternative": alternative}
    if name in ("shuffle", "bootstrap"):
        options |= {"iterations": iterations, "seed": seed}
    if name == "bootstrap":
        options |= {"confidence": confidence, "method": method}
    return PairedTest(name, partial(TESTS[name], **options))
