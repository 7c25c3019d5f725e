"""Which chapter is made of which result, by the verb that made it.

A verb whose results have something of their own to show names its module here; all others are shown
by :mod:`anything`, which knows tables wherever they are.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
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

_KINDS = {
    "agreement": "agreement:agreement_chapter",
    "conventions": "conventions:conventions_chapter",
}
"""The kinds of results that have chapters of their own, whichever verb made them."""


def chapter_of(path: str, data: Mapping[str, Any], metric: str = "") -> Chapter:
    """Return the chapter of a result in a file."""
    request = data.get("request")
    verb = request.get("verb") if isinstance(request, Mapping) else None
    kind = data.get("kind")
    if isinstance(kind, str) and kind in _KINDS:
        return _made(_KINDS[kind])(path, data)
    if not isinstance(verb, str) or verb not in _CHAPTERS:
        return anything_chapter(path, data)
    return _made(_CHAPTERS[verb])(result_of(dict(data), path), metric)


def _made(place: str) -> Callable[..., Chapter]:
    """Return the function that makes a chapter, by its module and name."""
    module, _, function = place.partition(":")
    make: Callable[..., Chapter] = getattr(
        importlib.import_module(f"commonground.report.page.{module}"), function
    )
    return make
