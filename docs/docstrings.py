"""Docstrings as the pages of the reference want them: examples as code, names without roles."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:func|class|mod|meth|attr|data):`~?([^`]+)`")
_EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> |\s*$).*\n?)*)+", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Rewrites each docstring before it is rendered."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = rewritten(obj.docstring.value)


def rewritten(text: str) -> str:
    r"""Return a docstring with its examples as code and its names without roles.

    >>> rewritten("Sum; see :func:`add`.\n\n>>> 1 + 1\n2").splitlines()
    ['Sum; see `add`.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    plain = _ROLE.sub(r"`\1`", text)
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", plain).rstrip("\n")
