"""Are the tests what they say? p-values of systems that are equal, and of systems that are not.

Small versions of ``benchmarks/calibration.py``, with fixed seeds. Where systems are equal, p-values
are uniform (those that come from whole numbers: when spread between their steps). The distance of
Kolmogorov and Smirnov from that stays below what is exceeded once in 1,000 times, 1.95/√pairs, and
the p-values below some levels are no more than what is exceeded once in 10,000 times. Where systems
differ by a known amount, a test finds it as often as predicted, within three standard errors.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from error_process import (
    CLUSTERED,
    INDEPENDENT,
    TESTS,
    Process,
    distance_from_uniform,
    p_values,
    predicted_power,
    token_p_values,
)

PAIRS = 250
BOUND = 1.95 / np.sqrt(PAIRS)


def within_levels(p):
    """Tell whether no more p-values lie below some levels than chance allows once in 10,000 times."""
    levels = np.array([0.01, 0.05, 0.1, 0.2, 0.5])
    result = (p[:, None] <= levels).sum(axis=0)
    return (scipy.stats.binom.sf(result - 1, len(p), levels) > 1e-4).all()


def as_predicted(p, power, uncertain=1.0):
    """Tell whether as many p-values are below 0.05 as predicted, within 3 standard errors."""
    error = np.sqrt(uncertain * power * (1 - power) / len(p))
    return abs((p <= 0.05).mean() - power) < 3 * error


@pytest.fixture(scope="module", params=[False, True], ids=["words", "brackets"])
def equal(request):
    return p_values(Process(1, brackets=request.param), PAIRS)


@pytest.fixture(scope="module")
def different():
    return p_values(Process(3, lost=0.03), PAIRS)


@pytest.fixture(scope="module")
def predicted():
    return predicted_power(Process(3, lost=0.03))


@pytest.mark.parametrize("test", TESTS)
def test_p_is_uniform_for_two_halves_of_the_same_process(equal, test):
    p, spread = equal[test]
    assert distance_from_uniform(spread) < BOUND
    assert within_levels(p)


def test_mcnemar_is_uniform_where_errors_are_independent():
    p, spread = token_p_values(Process(2, luck=INDEPENDENT), PAIRS)
    assert distance_from_uniform(spread) < BOUND
    assert within_levels(p)


def test_mcnemar_finds_too_much_where_errors_come_in_clusters():
    p, _ = token_p_values(Process(2, luck=CLUSTERED), PAIRS)
    assert (p <= 0.05).mean() > 0.1


@pytest.mark.parametrize("test", ["shuffling", "bootstrap", "sign"])
def test_a_known_difference_is_found_as_often_as_predicted(different, predicted, test):
    assert 0.3 < predicted[test] < 0.9
    assert as_predicted(different[test][0], predicted[test])


def test_wilcoxon_finds_a_known_difference_as_often_as_that_of_scipy(different):
    """On other pairs of the same process, so the prediction has an error of the same size."""
    other = Process(4, lost=0.03)
    results = []
    for _ in range(PAIRS):
        one, two = other.pairing().by_unit()
        results.append(scipy.stats.wilcoxon(np.round(one - two, 9), method="approx").pvalue)
    assert as_predicted(different["wilcoxon"][0], (np.array(results) <= 0.05).mean(), uncertain=2)


def test_mcnemar_finds_a_known_difference_as_often_as_predicted():
    process = Process(5, lost=0.02, luck=INDEPENDENT)
    power = predicted_power(process)["mcnemar"]
    assert 0.3 < power < 0.9
    assert as_predicted(token_p_values(process, PAIRS)[0], power)
