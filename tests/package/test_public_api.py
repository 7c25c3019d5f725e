"""What ``import commonground`` gives, and what it costs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import commonground


def modules_after(code):
    """The modules that a fresh Python has loaded after some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("name", commonground.__all__)
def test_every_public_name_is_there_and_documented(name):
    value = getattr(commonground, name)
    assert isinstance(value, str) or value.__doc__


def test_the_public_names_are_where_they_are_said_to_be():
    stub = Path(commonground.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    named = re.findall(r"(\w+) as (\w+)", stub)
    assert [one for one, _ in named] == [other for _, other in named]
    assert sorted(one for one, _ in named) == sorted(set(commonground.__all__) - {"__version__"})
    assert dir(commonground) == sorted(commonground.__all__)


def test_importing_costs_nothing():
    assert not modules_after("import commonground") & {"numpy", "click", "rich", "msgspec"}


def test_the_api_needs_nothing_heavier_than_numpy():
    loaded = modules_after(
        "import commonground as cg\n"
        "cg.read_text('1\\tHi\\thi\\tINTJ\\tUH\\t_\\t0\\troot\\t_\\t_\\n')\n"
    )
    assert "numpy" in loaded
    heavy = {"click", "rich", "pandas", "polars", "pyarrow", "zstandard", "matplotlib", "scipy"}
    assert not loaded & heavy


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        commonground.nothing  # noqa: B018  # the attribute is the test


def test_the_example_can_be_read_by_name():
    dependencies, constituents = commonground.read("example:ud"), commonground.read("example:ptb")
    assert len(dependencies) == len(constituents) > 10
    assert isinstance(dependencies, commonground.Dependencies)
    assert isinstance(constituents, commonground.Constituents)


@pytest.mark.parametrize(("former", "name"), commonground.FORMER.items())
def test_a_former_name_still_works_with_a_warning(former, name):
    with pytest.warns(
        DeprecationWarning, match=f"commonground.{former} is now commonground.{name}"
    ):
        assert getattr(commonground, former) is getattr(commonground, name)
    assert former not in dir(commonground)
