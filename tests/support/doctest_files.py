"""Doctests are looked for only where there are some.

To import a module and to go through all that it names takes longer than to look for the three
characters with which an example begins, and half of the modules have none.
"""

from __future__ import annotations

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Leave out what would be collected for the examples of a file that has none."""
    collectors = yield
    if file_path.suffix != ".py" or b">>> " in file_path.read_bytes():
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]
