"""The aligner eflomal (Östling & Tiedemann 2016), where it is installed.

It is a program of its own under another licence, called through its Python package. It draws its
random numbers from the operating system, so that two runs differ a little.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.alignment.bitext import Bitext
from commonground.corpus import Table
from commonground.errors import MissingExtraError

__all__ = ["LONGEST", "eflomal_links"]

_SPACE = "\N{SYMBOL FOR SPACE}"
LONGEST = 1000
"""eflomal refuses sentences of 1,024 words and more."""


def eflomal_links(bitext: Bitext) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return for each target word the place of its source word, and the other way round."""
    kept = np.flatnonzero(
        ~bitext.with_empty_side
        & (bitext.source.lengths <= LONGEST)
        & (bitext.target.lengths <= LONGEST)
    )
    source, target = bitext.source.take(kept), bitext.target.take(kept)
    if not len(kept):
        return _spread(bitext.target, kept, []), _spread(bitext.source, kept, [])
    with tempfile.TemporaryDirectory() as folder:
        forward, backward = Path(folder, "forward"), Path(folder, "backward")
        _aligner().align(
            list(_lines(source)),
            list(_lines(target)),
            links_filename_fwd=str(forward),
            links_filename_rev=str(backward),
            quiet=True,
        )
        ahead = [_links(line, 1, 0) for line in forward.read_text().splitlines()]
        back = [_links(line, 0, 1) for line in backward.read_text().splitlines()]
    return _spread(bitext.target, kept, ahead), _spread(bitext.source, kept, back)


def _aligner() -> Any:
    try:
        from eflomal import Aligner  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the aligner eflomal", "align") from error
    return Aligner()


def _lines(words: Table) -> Iterator[str]:
    """Return the sentences as text; a space inside of a word must not cut it."""
    forms = words.strings("form").map(
        lambda form: "".join(form.replace(" ", _SPACE).split()) or "_"
    )
    texts, ends = forms.tolist(), words.offsets.tolist()
    return (" ".join(texts[start:end]) + "\n" for start, end in pairwise(ends))


def _links(line: str, own: int, other: int) -> dict[int, int]:
    links = (tuple(map(int, link.split("-"))) for link in line.split())
    return {link[own]: link[other] for link in links}


def _spread(
    words: Table, kept: NDArray[np.int64], links: list[dict[int, int]]
) -> NDArray[np.int32]:
    """Return the links of all words, of which only some sentences were aligned."""
    every = np.full(words.rows, -1, np.int32)
    for start, here in zip(words.offsets[kept].tolist(), links, strict=True):
        for place, other in here.items():
            every[start + place] = other
    return every
