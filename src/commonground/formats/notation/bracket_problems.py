"""What is wrong with brackets: a slow reader that tells where, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from commonground.errors import Problem, quoted
from commonground.formats.notation.failed_parses import FAILED
from commonground.plurals import number_of

__all__ = ["bracket_problems", "encoding_problems", "first_problems", "problems"]

_PIECE = re.compile(rb"[()]|[^\t\n\v\f\r ()]+")
_PIECE_OR_ASIDE = re.compile(rb"^((?:#|<|\*x\*)[^\n]*)|" + _PIECE.pattern, re.MULTILINE)


def problems(data: bytes) -> Iterator[Problem]:
    """Find everything that is wrong with the brackets of a file."""
    wrong = [*encoding_problems(data), *bracket_problems(data)]
    yield from sorted(wrong, key=lambda problem: problem.line)


_LARGE = 1 << 20


def first_problems(data: bytes) -> Iterator[Problem]:
    """Find the first problems; of a large file the first of each kind, as all of it takes long.

    There a tree without its last bracket, which begins before them, is told after its problems.
    """
    if len(data) < _LARGE:
        yield from problems(data)
        return
    kinds = (encoding_problems(data), bracket_problems(data))
    wrong = [problem for kind in kinds for problem in islice(kind, 1)]
    yield from sorted(wrong, key=lambda problem: problem.line)


def encoding_problems(data: bytes) -> Iterator[Problem]:
    """Find the lines that are not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    else:
        return
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            yield Problem(
                number,
                f"byte {error.start + 1} is not UTF-8; save the file as UTF-8 (is it in Latin-1?)",
            )


def bracket_problems(  # noqa: C901  # one case for each piece
    data: bytes,
) -> Iterator[Problem]:
    """Find brackets that do not match or hold no word, and what stands outside of the trees.

    A sentence without a parse, such as ``(())``, is no problem.
    """
    stack: list[int] = []  # the lines of the open brackets, negative for the first on its line
    texts: list[bytes] | None = None  # what follows an opening bracket, up to the next bracket
    spaced, line, place, outside, comment = False, 1, 0, 0, 0
    while match := (_PIECE if stack else _PIECE_OR_ASIDE).search(data, place):
        line += data.count(b"\n", place, match.start())
        begins = match.start() == 0 or data[match.start() - 1 : match.start()] == b"\n"
        place, piece = match.end(), match[0]
        failed = None if stack else FAILED.match(data, match.start())
        if failed and begins:
            place, comment = failed.end(), 0
        elif piece == b"(":
            stack.append(-line if begins else line)
            texts, spaced, comment = [], data[place : place + 1].isspace(), 0
        elif piece == b")":
            if not stack:
                yield Problem(line, "a closing bracket too many; no bracket is open here")
            elif texts is not None and len(texts) + spaced < 2:
                yield _empty(abs(stack[-1]), texts)
            texts = None
            del stack[-1:]
        elif texts is not None:
            texts.append(piece)
        elif match.lastindex:
            comment = comment or (line if piece.startswith(b"#") else 0)
        elif not stack and outside != line:
            outside = line
            text = quoted(piece.decode("utf-8", "replace"))
            yield Problem(line, f"{text} is outside of the trees; a tree begins with a bracket (")
    yield from _open_problems(stack)
    if comment:
        yield Problem(comment, "comments without a tree; a tree must follow them")


def _empty(line: int, texts: list[bytes]) -> Problem:
    if not texts:
        return Problem(line, "a bracket with nothing in it; a label and words are expected")
    label = quoted(texts[0].decode("utf-8", "replace"))
    return Problem(line, f"the phrase {label} has no words; a word looks like (NN dog)")


def _open_problems(stack: list[int]) -> Iterator[Problem]:
    """Tell which trees are open; one that follows another in a file is inside of it now."""
    starts = [i for i, line in enumerate(stack) if i == 0 or line < 0]
    for start, stop in pairwise([*starts, len(stack)]):
        count = stop - start
        number = number_of(count, "closing bracket is", "closing brackets are") + " missing"
        yield Problem(abs(stack[start]), f"the tree that begins here is not closed; {number}")
