"""Multiword expressions: what is one, which are paired, and what cannot be read."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.errors import InputError
from commonground.metrics.dependencies.multiword import best_pairs

SETS = st.lists(st.frozensets(st.integers(1, 6), min_size=1).map(sorted).map(tuple), max_size=4)


def cupt(*codes):
    lines = ["# global.columns = ID FORM HEAD DEPREL PARSEME:MWE"]
    lines += [f"{n}\tw{n}\t{n - 1}\tdep\t{code}" for n, code in enumerate(codes, 1)]
    return cg.read_text("\n".join([*lines, "", ""]), "conllup")


def score(gold, parse, metric):
    return cg.evaluate(gold, parse, metrics=[metric])[metric].value


def test_an_expression_is_the_set_of_its_words_whatever_its_number_and_category():
    gold = cupt("1:VID", "*", "1;2:IAV", "2")
    assert score(gold, cupt("7", "_", "3;7:LVC.full", "3"), "mwe") == 1
    assert score(gold, cupt("1", "1", "1;2", "2"), "mwe") == 0.5
    assert score(gold, cupt("1", "1", "1;2", "2"), "mwe_tokens") == 8 / 9


def test_expressions_with_the_same_words_are_one():
    assert score(cupt("1;2", "1;2"), cupt("1", "1"), "mwe") == 1


def test_without_the_column_there_is_none():
    plain = cg.read("example:ud")
    assert score(plain, plain, "mwe") is None  # undefined


def test_a_code_that_is_none_is_told_with_its_line():
    with pytest.raises(InputError, match=r":3: PARSEME:MWE is .VID.; a number"):
        score(cupt("1", "VID"), cupt("1", "VID"), "mwe")


@given(SETS, SETS)
def test_no_pairing_shares_more_words(gold, system):
    shared = np.array([[len({*a} & {*b}) for b in system] for a in gold]).reshape(
        len(gold), len(system)
    )
    small, large = sorted(shared.shape)
    matrix = shared if shared.shape[0] == small else shared.T
    most = max(
        sum(matrix[row, column] for row, column in enumerate(order))
        for order in permutations(range(large), small)
    )
    pairs = best_pairs(gold, system)
    assert sum(shared[one, two] for one, two in pairs) == most
    assert all(len({pair[side] for pair in pairs}) == len(pairs) for side in (0, 1))
