"""What people look at: tables, drawings, plots and pages.

``commonground.report(result)`` makes a page: the package is its own function, as people write it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Report(ModuleType):
    """The room itself, which can be called."""

    def __call__(self, *results: Any, title: str = "", metric: str = "") -> Any:
        """Return a page about results; see :func:`commonground.report.page.make.report`."""
        from commonground.report.page.make import report  # noqa: PLC0415  # seldom asked for

        return report(*results, title=title, metric=metric)


sys.modules[__name__].__class__ = _Report
