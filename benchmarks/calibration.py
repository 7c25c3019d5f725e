"""Are the significance tests what they say? Two tables: ``python benchmarks/calibration.py``.

1,000 pairs of simulated parsers, 300 sentences each. In the first table both parsers of a pair come
from the same error process: the p-values should be uniform. KS is their distance from that, which
exceeds 0.051 once in 100 times (numbers of wins are whole numbers; there p is spread at random
between its steps first). Then comes the share of p-values up to some levels, which has a standard
error of 0.003, 0.007, 0.009 and 0.016. In the second table one parser is worse by a known amount;
the share of p ≤ 0.05, with a standard error of up to 0.016, stands beside the predicted one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from error_process import (
    CLUSTERED,
    INDEPENDENT,
    Process,
    distance_from_uniform,
    p_values,
    predicted_power,
    token_p_values,
)

__all__ = ["equal", "unequal"]

P = NDArray[np.float64]
PAIRS = 1000
LEVELS = (0.01, 0.05, 0.1, 0.5)
LUCK = {"in clusters": CLUSTERED, "independent": INDEPENDENT}


def equal() -> str:
    """Return the table of systems that are equal."""
    header = " | ".join(f"≤ {level}" for level in LEVELS)
    lines = [f"| test | counts | errors | KS | {header} |", "|---" * (4 + len(LEVELS)) + "|"]
    for counts in ("words", "brackets"):
        result = p_values(Process(1, brackets=counts == "brackets"), PAIRS, iterations=999)
        lines += [_line(test, counts, "in clusters", each) for test, each in result.items()]
    for errors, luck in LUCK.items():
        result = token_p_values(Process(2, luck=luck), PAIRS)
        lines.append(_line("mcnemar", "words", errors, result))
    return "\n".join(lines)


def _line(test: str, counts: str, errors: str, found: tuple[P, P]) -> str:
    p, spread = found
    shares = " | ".join(f"{(p <= level).mean():.3f}" for level in LEVELS)
    return f"| {test} | {counts} | {errors} | {distance_from_uniform(spread):.3f} | {shares} |"


def unequal() -> str:
    """Return the table of systems of which one is worse."""
    lines = ["| test | errors | worse by | predicted | measured |", "|---|---|---|---|---|"]
    for errors, luck in LUCK.items():
        for lost in (0.01, 0.02, 0.04):
            process = Process(3, lost=lost, luck=luck)
            result = p_values(process, PAIRS, iterations=999)
            result["mcnemar"] = token_p_values(process, PAIRS)
            for test, power in predicted_power(process).items():
                if test == "mcnemar" and luck is CLUSTERED:
                    continue  # its theory does not hold there
                measured = (result[test][0] <= 0.05).mean()
                lines.append(
                    f"| {test} | {errors} | {100 * lost:.0f} % | {power:.3f} | {measured:.3f} |"
                )
    return "\n".join(lines)


if __name__ == "__main__":
    print(equal())
    print()
    print(unequal())
