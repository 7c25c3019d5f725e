r"""Word alignments as the decoder Pharaoh, Moses, fast_align and most others write them.

A sentence pair a line, its links separated by spaces: ``0-0 1-2`` links the first words of source
and target, and the second with the third. A link that is only possible is ``3p4``, or ``3?4`` in
some gold files; it is written as ``3p4``. ``0-0:0.93`` is a link with its probability; in a file
that has any, it is 1 where there is none. A blank line is a pair without links. Positions count
from 0; nothing in a file tells whether its author counted from 1, as some gold standards do.

The format has neither words nor comments.

>>> from commonground.formats import read_text
>>> corpus = read_text("0-0 1p2\n\n", "pharaoh")
>>> len(corpus), corpus.source.tolist(), corpus.target.tolist()
(2, [0, 1], [0, 2])
>>> corpus.links.numbers("sure").tolist()
[1, 0]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from commonground.corpus import Alignments, Table
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, FormatOptions, line_cut
from commonground.formats.notation.line_reader import problems_among, sound, text_lines

__all__ = ["FORMAT"]

Links = list[tuple[int, int, int, float | None]]

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})(?::(0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?))?")
_CHUNK = 5000


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file has alignments: there is nothing but links."""
    tokens = start.split()
    return 0.9 if tokens and all(map(_LINK.fullmatch, tokens)) else 0.0


def _find(data: bytes) -> Iterator[Links | Problem]:
    """Find the links of each pair, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    if not lines[-1].strip():  # what follows the last newline
        lines.pop()
    for number, line in enumerate(lines, 1):
        links: Links = []
        for token in line.split():
            link = _LINK.fullmatch(token)
            if link:
                likely = None if link[4] is None else float(link[4])
                links.append((int(link[1]), int(link[3]), int(link[2] == "-"), likely))
            else:
                yield Problem(number, f"{quoted(token)}; a link such as 0-0 or 3p4 is expected")
        yield links


def read(data: bytes, path: str, line: int, _: FormatOptions) -> Alignments:
    """Read a whole file."""
    pairs = sound(_find(data), path, line)
    found = [link for links in pairs for link in links]
    columns = np.array([link[:3] for link in found], np.int32).reshape(-1, 3)
    names = ("source", "target", "sure")
    links = Table(
        np.cumsum([0, *map(len, pairs)]),
        **{name: columns[:, place] for place, name in enumerate(names)},
    )
    if any(likely is not None for *_, likely in found):
        told = [1.0 if likely is None else likely for *_, likely in found]
        links = links.replace(probability=np.array(told))
    return Alignments({"links": links}, path=path, lines=np.arange(line, line + len(pairs)))


def problems(data: bytes, _: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    return problems_among(_find(data))


def write(corpus: Alignments) -> Iterator[bytes]:
    """Return the bytes of a file, some thousand pairs at a time."""
    for chunk in corpus.chunks(_CHUNK):
        columns = (chunk.source, chunk.target, chunk.links.numbers("sure"))
        links = [
            f"{source}{'-' if sure else 'p'}{target}"
            for source, target, sure in zip(*(column.tolist() for column in columns), strict=True)
        ]
        if (likely := chunk.probability) is not None:
            links = [f"{link}:{_short(one)}" for link, one in zip(links, likely, strict=True)]
        spans = pairwise(chunk.links.offsets.tolist())
        yield "".join(" ".join(links[first:last]) + "\n" for first, last in spans).encode()


def _short(probability: float) -> str:
    return f"{probability:.6f}".rstrip("0").rstrip(".")


FORMAT = Format(
    name="pharaoh",
    title="Pharaoh (word alignments)",
    corpus=Alignments,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=line_cut,
    write=write,
    aliases=("moses", "talp"),
)
