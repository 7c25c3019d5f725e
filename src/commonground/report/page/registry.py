"""Which chapter is made of which result, by the verb that made it.

A verb whose results have something of their own to show names its module here; all others are shown
by :mod:`anything`, which knows tables wherever they are.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from commonground.evaluation.saved import result_of
from commonground.report.page.anything import anything_chapter
from commonground.report.page.sections import Chapter

__all__ = ["chapter_of"]

_CHAPTERS = {
    "evaluate": "evaluation:evaluation_chapter",
    "compare": "comparison:comparison_chapter",
    "phenomena score": "phenomena:phenomena_chapter",
}
"""The verbs whose results have chapters of their own: the module and the function."""


def chapter_of(path: str, data: Mapping[str, Any], metric: str = "") -> Chapter:
    """Return the chapter of a result in a file."""
    request = data.get("request")
    verb = request.get("verb") if isinstance(request, Mapping) else None
    if verb not in _CHAPTERS:
        return anything_chapter(path, data)
    module, _, function = _CHAPTERS[verb].partition(":")
    make = getattr(importlib.import_module(f"commonground.report.page.{module}"), function)
    chapter: Chapter = make(result_of(dict(data), path), metric)
    return chapter
