"""Reading line by line: the texts of the lines, and the problems that are met on the way.

A reader of a small format is one generator. It yields what it understood and, in between, a
:class:`Problem` for what it did not. So reading and checking are the same code and cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from commonground.errors import InputError, Problem

__all__ = ["problems_among", "sound", "split_at_spaces", "text_lines"]

T = TypeVar("T")


def text_lines(data: bytes) -> tuple[list[str], list[Problem]]:
    r"""Return the lines of a file as text, and a problem for each that is not UTF-8.

    Spaces at the end of a line mean nothing; some programs write them.

    >>> text_lines(b"a\nb\xff")
    (['a', 'b�'], [Problem(line=2, message='byte 2 is not UTF-8; save the file as UTF-8')])
    """
    try:
        return [line.rstrip(" ") for line in data.decode("utf-8").split("\n")], []
    except UnicodeDecodeError:
        raw_lines = data.split(b"\n")
    wrong = []
    for number, raw in enumerate(raw_lines, 1):
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"
            wrong.append(Problem(number, message))
    return [raw.decode("utf-8", "replace").rstrip(" ") for raw in raw_lines], wrong


def split_at_spaces(text: str) -> list[str]:
    """Return the words of a line; other white space than spaces and tabs may be part of a word.

    >>> split_at_spaces("Birds  sing .")
    ['Birds', 'sing', '.']
    """
    return [word for word in text.replace("\t", " ").split(" ") if word]


def problems_among(items: Iterable[T | Problem]) -> Iterator[Problem]:
    """Return only the problems, in the order of their lines."""
    wrong = [item for item in items if isinstance(item, Problem)]
    return iter(sorted(wrong, key=lambda problem: problem.line))


def sound(items: Iterable[T | Problem], path: str, line: int) -> list[T]:
    """Return what was found, or raise the first problem; `line` is the number of the first line."""
    everything = list(items)
    wrong = next(problems_among(everything), None)
    if wrong is not None:
        raise InputError(path, line + wrong.line - 1, wrong.message)
    return [item for item in everything if not isinstance(item, Problem)]
