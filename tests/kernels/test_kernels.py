"""Kernels given arrays that fit nothing: both twins give the same answer, or the same error."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hostile_arrays import ENTRIES
from hostile_models import CALLS
from hypothesis import given
from hypothesis import strategies as st

from commonground.kernels import built, checks
from commonground.kernels.patterns import BELOW, CANDIDATES, MATCH, PASSES, WITHOUT, Steps

pytestmark = pytest.mark.skipif(not built(), reason="the kernels were not compiled")


def outcome(module, function, arguments):
    """What a kernel returns or refuses, in a shape that can be compared."""
    kernel = import_module(f"commonground.kernels.{module}")
    special = CALLS.get((module.removeprefix("_"), function))
    try:
        with np.errstate(all="ignore"):
            call = special or (lambda kernel, *given: getattr(kernel, function)(*given))
            result = call(kernel, *arguments)
    except UnicodeDecodeError:  # each twin meets its own broken character first
        return "not UTF-8"
    except (ValueError, TypeError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"
    return plain(result)


def plain(found):
    if isinstance(found, np.ndarray):
        return [None if each != each else each for each in found.ravel().tolist()], found.shape  # noqa: PLR0124
    return [plain(part) for part in found] if isinstance(found, tuple | list) else found


@pytest.mark.parametrize(("module", "function"), ENTRIES)
@given(data=st.data())
def test_the_twins_answer_or_refuse_alike(module, function, data):
    arguments = data.draw(ENTRIES[module, function])
    one, two = (outcome(name, function, arguments) for name in (module, f"_{module}"))
    assert one == two


@pytest.mark.parametrize(
    ("module", "function", "arguments", "message"),
    [
        ("spans", "extents", ([0, 9], [0], [1], [0, 1], [-1]), "offsets that do not fit their rows"),
        ("spans", "extents", ([0, 1], [5], [1], [0, 1], [-1]), "a parent that is no node of its sentence"),
        ("spans", "extents", ([0, 1], [0], [1], [0, 1], [0]), "a node that stands before its parent"),
        ("spans", "matches", (([0, 1], [0], [-7]), ([0, 1], [0], [0]), [[1]]), "a label below 0"),
        ("spans", "matches", (([0, 2], [1, 0], [0, 0]), ([0, 0], [], []), [[1]]), "places that do not ascend"),
        ("lineages", "distances", (([0], [0], [0], [1], [0], [1]), ([0], [0], [-1], [1], [0], [1]), [[1]]), "a node that stands before its parent"),
        ("pairing", "pair_words", (([0, 1], [1], [True], [0]), ([0], [1], [True], [0])), "columns of different lengths"),
        ("trees", "depth", ([3], [0, 1]), "a head that is no word of its sentence"),
        ("trees", "depth", ([0], []), "offsets that do not fit their rows"),
        ("trees", "depth", ([1 << 33], [0, 1]), "a number that does not fit its column"),
        ("tree_distance", "distances", (([0, 1], [1], [7]), ([0, 1], [1], [0])), "a leftmost leaf that is not below its node"),
        ("tree_distance", "distances", (([0, 1], [1], [0]), ([0, 1], [1], [0]), 1, 1 << 40), "costs that are below 0, or too high"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(module, function, arguments, message):
    for name in (module, f"_{module}"):
        assert outcome(name, function, arguments) == f"ValueError: {message}"


@pytest.mark.parametrize(
    "program",
    [
        [[PASSES, 0, 0, 0, 0, 0, 0]],  # no node yet, and no match
        [[CANDIDATES, 0, 7, 0, 0, 0, 0], [MATCH, 0, 0, 1, 0, 0, 0]],  # an unknown test
        [[CANDIDATES, 0, 0, 0, 0, 0, 0], [MATCH, 0, 0, 2, 0, 0, 0]],  # a node that is not bound
        [[CANDIDATES, 0, 0, 0, 0, 0, 0], [BELOW, 0, 0, -1, 1, 99, 0], [MATCH, 0, 0, 1, 0, 0, 0]],
        [[CANDIDATES, 0, 0, 0, 0, 0, 0], [WITHOUT, 9, 0, 0, 0, 0, 0], [MATCH, 0, 0, 1, 0, 0, 0]],
    ],
)
def test_steps_that_cannot_be_gone_are_refused(program):
    with pytest.raises(ValueError, match="steps that lead nowhere"):
        Steps(program, [0, 1], [2], [0], 0)


def test_a_multiword_token_of_very_many_words_is_refused():
    rows = np.zeros(20_000, np.int64)
    side = (rows, rows + 5, rows == 0, rows)
    for name in ("pairing", "_pairing"):
        assert outcome(name, "pair_words", (side, side)) == f"ValueError: {checks.TOO_MANY_WORDS}"


FOLDER = Path(import_module("commonground.kernels").__file__).parent


COMPILED = sorted(path.stem for path in FOLDER.glob("_*.pyx"))


def twins(name):
    """The compiled module of a kernel, and the plain one."""
    return tuple(import_module(f"commonground.kernels.{each}") for each in (name, name[1:]))


def in_stub(name):
    """The names that the stub of a compiled kernel takes over from its plain twin."""
    stub = (FOLDER / f"{name}.pyi").read_text(encoding="utf-8")
    return set(
        re.findall(
            rf"^from commonground\.kernels\.{name[1:]} import (\w+) as \1$", stub, re.MULTILINE
        )
    )


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


def public(thing):
    return [name for name in vars(thing) if not name.startswith("_")]


@pytest.mark.parametrize("name", COMPILED)
def test_the_stub_of_a_kernel_names_what_is_compiled(name):
    module, _ = twins(name)
    own = (
        each
        for each in public(module)
        if getattr(getattr(module, each), "__module__", "") == module.__name__
    )
    assert in_stub(name) == set(own)


@pytest.mark.parametrize("name", COMPILED)
def test_twins_take_the_same_arguments_as_the_stub_says(name):
    for entry in in_stub(name):
        one, two = (getattr(twin, entry) for twin in twins(name))
        if not inspect.isclass(one):
            assert parameters(one) == parameters(two), entry
            continue
        for method in public(one):
            assert parameters(getattr(one, method)) == parameters(getattr(two, method)), method


@pytest.mark.parametrize("name", COMPILED)
def test_every_function_of_a_kernel_is_given_hostile_arrays(name):
    entries = {function for module, function in ENTRIES if f"_{module}" == name}
    functions = {
        entry for entry in in_stub(name) if inspect.isroutine(getattr(twins(name)[0], entry))
    }
    assert entries
    assert functions <= entries
