"""Everything that is wrong with a file: with its format or, when it can be read, its trees."""

from __future__ import annotations

import os
from dataclasses import dataclass

from commonground.corpus.wellformed import problems as tree_problems
from commonground.errors import InputError, Problem
from commonground.formats.files import read_bytes, shown
from commonground.formats.format import Options
from commonground.formats.registry import detect, find_format

__all__ = ["Checked", "check"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a file.

    `format` is None where it is unknown; `sentences` says how many could be read; the problems are
    in the order of the lines.
    """

    path: str
    format: str | None
    sentences: int
    problems: tuple[Problem, ...]


def check(
    path: str | os.PathLike[str],
    format: str | None = None,  # the name that all readers use
    *,
    partial: bool = False,
) -> Checked:
    """Return everything that is wrong with a file.

    `format` and `partial` are as in :func:`commonground.read`. A file that cannot be opened, or
    whose format is unknown, has that one problem.
    """
    options = Options(partial=partial)
    wanted = find_format(format) if format else None
    try:
        data = read_bytes(path)
        entry = wanted or detect(data, os.fspath(path))
    except InputError as error:
        return Checked(shown(path), None, 0, (Problem(error.line, error.message),))
    try:
        corpus = entry.read(data, shown(path), 1, options)
    except InputError:
        sentences, problems = 0, entry.problems(data, options)
    else:
        sentences, problems = len(corpus), tree_problems(corpus, partial=partial)
    ordered = sorted(problems, key=lambda problem: problem.line)
    return Checked(shown(path), entry.name, sentences, tuple(ordered))
