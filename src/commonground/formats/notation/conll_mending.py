"""What CoNLL files have although their formats do not allow it, put right before it is read.

All of it keeps the number of lines, so that messages name the right ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.errors import Problem
from commonground.formats.notation.conll_lines import Layout

__all__ = ["arranged", "misplaced_comments", "widened"]


def widened(data: bytes, layout: Layout) -> bytes:
    r"""Return lines that end early with ``_`` in the columns that they lack.

    >>> layout = Layout(("ID", "FORM", "HEAD"), ("id", "form", "head"), least=2)
    >>> widened(b"1\tHi\n2\tyou\t0\n", layout)
    b'1\tHi\t_\n2\tyou\t0\n'
    """
    if not layout.least or b"global.columns" in data:  # as in CoNLL-U Plus
        return data
    tabs, missing = layout.least - 1, len(layout.columns) - layout.least
    short = re.compile(rb"^[0-9]+(?:\t[^\t\n]*){%d}$" % tabs, re.MULTILINE)
    return short.sub(lambda row: row[0] + b"\t_" * missing, data)


def arranged(data: bytes, layout: Layout) -> bytes:
    r"""Return a file in which comments stand before the words of their sentences.

    Comments in the midst of a sentence go to its beginning. A sentence of nothing but comments is
    none: it is left out, so that they are not taken for those of the next one.

    >>> layout = Layout(("ID",), ("id",))
    >>> arranged(b"# empty\n\n1\n# inside\n2\n\n", layout)
    b'\n\n# inside\n1\n2\n\n'
    """
    if "id" not in layout.columns or b"#" not in data:
        return data
    blocks: list[bytes] = []
    comments: list[bytes] = []
    words: list[bytes] = []
    for line in data.split(b"\n"):
        if line.strip():
            (comments if line.startswith(b"#") else words).append(line)
            continue
        blocks += [*comments, *words] if words else [b""] * len(comments)
        blocks.append(line)
        comments, words = [], []
    blocks += [*comments, *words] if words else [b""] * len(comments)
    return b"\n".join(blocks)


def misplaced_comments(data: bytes) -> Iterator[Problem]:
    r"""Find comments that :func:`arranged` puts right.

    >>> [problem.line for problem in misplaced_comments(b"# empty\n\n1\n# inside\n2\n\n")]
    [1, 4]
    """
    comment, words = 0, 0
    for number, line in enumerate([*data.split(b"\n"), b""], 1):
        if not line.strip():
            if comment and not words:
                message = "comments without words; a sentence must follow them at once"
                yield Problem(comment, message)
            comment = words = 0
        elif line.startswith(b"#"):
            comment = comment or number
            if words:
                message = "a comment inside a sentence; comments must be before its first word"
                yield Problem(number, message)
        else:
            words += 1
