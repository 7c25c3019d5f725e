"""The search gets a name for screen readers, which the theme leaves out."""

from __future__ import annotations

from typing import Any


def on_post_page(output: str, **_: Any) -> str:
    """Name the dialog of the search.

    >>> on_post_page('<div class="md-search" role="dialog">')
    '<div class="md-search" role="dialog" aria-label="Search">'
    """
    return output.replace(' role="dialog">', ' role="dialog" aria-label="Search">', 1)
