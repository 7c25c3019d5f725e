"""Compiled loops, each beside its plain Python twin.

A kernel is one function over flat buffers. ``kernels/NAME.py`` is the readable version, the
fallback and the oracle of the tests; ``kernels/_NAME.pyx`` is the compiled one. Both take and
return the same values. The environment variable ``COMMONGROUND_KERNELS`` forces ``python`` or
``compiled``; without it, the compiled kernels are used where they were built.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from importlib.util import find_spec
from types import ModuleType

from commonground.errors import UsageError

__all__ = ["PROBE", "built", "in_use", "load"]

PROBE = "commonground.kernels._tabulate"
"""A kernel that is there if any was compiled."""


@cache
def built() -> bool:
    """Tell whether the kernels were compiled when commonground was installed."""
    return find_spec(PROBE) is not None


def in_use() -> str:
    """Return which kernels this process uses: ``compiled`` or ``python``."""
    choice = os.environ.get("COMMONGROUND_KERNELS", "")
    if choice not in ("", "python", "compiled"):
        raise UsageError(f"COMMONGROUND_KERNELS is {choice!r}; it can be python or compiled")
    if choice == "python":
        return "python"
    if choice == "compiled" and not built():
        raise UsageError(
            "COMMONGROUND_KERNELS=compiled, but the kernels were not compiled when commonground "
            "was installed; install it again where there is a C compiler"
        )
    return "compiled" if built() else "python"


def load(name: str) -> ModuleType:
    """Return the module with kernel `name`, compiled or plain."""
    prefix = "_" if in_use() == "compiled" else ""
    return importlib.import_module(f"commonground.kernels.{prefix}{name}")
