"""Errors in the words of the page: the files by their names, and no options of a command line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from commonground.errors import CommonGroundError, InputError

__all__ = ["in_words"]

_OPTION = re.compile(r"(?:^|[\s(])--?[a-z][\w-]*")
_LINE = re.compile(r"\A:(\d+):")
_COMMAND = re.compile(r"NAME=FILE|evaluate GOLD|commonground [a-z]+")


def in_words(error: CommonGroundError, roles: Mapping[str, tuple[str, str]]) -> str:
    """Return what is wrong; `roles` are what the page calls files, and their names, by their paths.

    What an error advises is left out where it is about the command line.

    >>> told = InputError("up/g.conllu", 3, "44 sentences, not 46; --on-mismatch skip leaves out")
    >>> in_words(told, {"up/g.conllu": ("The gold standard", "g.conllu")})
    'The gold standard g.conllu, line 3: 44 sentences, not 46.'
    """
    message = error.message if isinstance(error, InputError) else str(error)
    message = _without_options(message)
    for path, (_, name) in sorted(roles.items(), key=lambda item: -len(item[0])):
        first, *rest = message.split(path)
        message = name.join([first, *(_LINE.sub(r", line \1:", each) for each in rest)])
    if isinstance(error, InputError):
        what, name = roles.get(error.path, ("", error.path))
        line = f", line {error.line}" if error.line else ""
        message = f"{what} {name}{line}: {message}".lstrip()
    return message if message.endswith((".", "?", "!")) else f"{message}."


def _without_options(message: str) -> str:
    clauses = message.split("; ")
    kept = [c for c in clauses if not _OPTION.search(c) and not _COMMAND.search(c)]
    return "; ".join(kept or clauses)
