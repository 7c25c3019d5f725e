"""Which characters of a text are its tokens.

Each character begins a token (B), goes on with one (M), ends it (E) or is one (S), and white space
is outside (O), or inside of a token (M) in treebanks whose tokens have spaces (Vietnamese). The
best chain of these for a whole paragraph is found with Viterbi's algorithm; the tags are those of
Xue (2003), the model that of Collins (2002). Spaces separate tokens everywhere else, so the same
model serves scripts with and without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.raw_text import Surface
from commonground.parsers.chain_model import (
    ChainModel,
    ChainRows,
    learned_chains,
    menus_of,
    read_chains,
    shape_of,
)
from commonground.parsers.model_file import Stored
from commonground.parsers.parser import TrainingTask
from commonground.parsers.segmentation.characters import (
    FIELDS,
    Characters,
    Lexicon,
    characters,
    fields_of,
)

__all__ = ["Tokeniser", "load_tokeniser", "train_tokeniser"]

Places = NDArray[np.int64]

_BEGIN, _MIDDLE, _END, _SINGLE, _OUTSIDE = range(5)
_LETTER, _SPACE, _ANY_SPACE = range(3)
_MENUS = menus_of([[_BEGIN, _MIDDLE, _END, _SINGLE], [_OUTSIDE], [_MIDDLE, _OUTSIDE]])
_FOLLOWS = np.zeros((5, 5), np.bool_)
_FOLLOWS[np.ix_([_BEGIN, _MIDDLE], [_MIDDLE, _END])] = True
_FOLLOWS[np.ix_([_END, _SINGLE, _OUTSIDE], [_BEGIN, _SINGLE, _OUTSIDE])] = True

_TEMPLATES = """
0.k | -4.c | -3.c | -2.c | -1.c | 0.c | 1.c | 2.c | 3.c | 4.c
-3.c -2.c | -2.c -1.c | -1.c 0.c | 0.c 1.c | 1.c 2.c | 2.c 3.c | -1.c 1.c
-3.c -2.c -1.c | -2.c -1.c 0.c | -1.c 0.c 1.c | 0.c 1.c 2.c | 1.c 2.c 3.c
-3.c -2.c -1.c 0.c | -2.c -1.c 0.c 1.c | -1.c 0.c 1.c 2.c | 0.c 1.c 2.c 3.c | -2.c -1.c 0.c 1.c 2.c
-1.k | 1.k | -1.k 0.k | 0.k 1.k | -2.k -1.k 0.k | -1.k 0.k 1.k | 0.k 1.k 2.k | -2.k -1.k 0.k 1.k 2.k
-3.k -2.k -1.k 0.k 1.k 2.k 3.k | 0.c 1.k | -1.k 0.c | -1.k 0.c 1.k | -2.k -1.k 0.c 1.k 2.k
0.p | 0.q | -1.p 0.c | 0.u | 0.u 0.c | 0.u 0.k 1.k | 0.u -1.c 0.c
0.l | 0.e | 0.m | -1.e | 1.l | -1.e 0.l | 0.e 1.l | 0.c 0.l | 0.c 0.e | 0.l 0.e 0.m
0.u 0.g 1.g | -1.g 0.u 0.g
0.b 1.b | -1.b 0.b | -1.b 0.b 1.b | -2.b -1.b 0.b 1.b 2.b
0.x | 0.y | 0.x 0.y | 0.x 0.y 0.m | 0.x 0.m | 0.y 0.m | 0.y 1.k | 0.x -1.k
"""
_SHAPE = shape_of(_TEMPLATES, FIELDS, _FOLLOWS)


@dataclass(frozen=True)
class Tokeniser:
    """A trained tokeniser; `spaced` tells whether its tokens can have spaces in them."""

    model: ChainModel
    lexicon: Lexicon
    spaced: bool

    def spans(self, text: str) -> tuple[Places, Places, Places]:
        """Return where tokens start and stop in a text, and the number of each one's paragraph."""
        rows = characters(text)
        chains = np.array([(a, b, a, b) for a, b in rows.paragraphs], np.int64).reshape(-1, 4)
        tags = self.model.choose(
            ChainRows(fields_of(rows, self.lexicon), chains, _menu(rows, self.spaced), _MENUS)
        )
        starts, stops = _tokens(rows, tags)
        edges = np.array([a for a, _ in rows.paragraphs], np.int64)
        numbers = np.searchsorted(edges, starts, side="right") - 1
        return rows.place[starts], rows.place[stops - 1] + 1, numbers

    def store(self) -> Stored:
        """Return what a file of it holds."""
        return self.model.store("tokeniser", words=list(self.lexicon.words), spaced=self.spaced)


def load_tokeniser(stored: Stored) -> Tokeniser:
    """Make a tokeniser from what a file holds."""
    lexicon = Lexicon.of(stored.texts("words"))
    return Tokeniser(
        read_chains(stored, len(_FOLLOWS), _SHAPE), lexicon, stored.value("spaced", bool)
    )


def _menu(rows: Characters, spaced: bool) -> NDArray[np.int32]:  # noqa: FBT001  # one of its facts
    return np.where(rows.space, _ANY_SPACE if spaced else _SPACE, _LETTER).astype(np.int32)


def _tokens(rows: Characters, tags: NDArray[np.int32]) -> tuple[Places, Places]:
    """Return the rows at which tokens start and stop; a token begins and ends with no space.

    >>> rows = characters("ab c")
    >>> [rows.tolist() for rows in _tokens(rows, np.array([0, 2, 4, 3], np.int32))]
    [[0, 3], [2, 4]]
    """
    letter = ~rows.space
    inside = np.zeros(len(tags) + 1, np.bool_)  # the row goes on with the token of the one before
    inside[1:-1] = np.isin(tags[:-1], [_BEGIN, _MIDDLE]) & np.isin(tags[1:], [_MIDDLE, _END])
    space = rows.space.copy()
    space[letter] = False
    # White space in a token has to have characters of it on both sides.
    joined = np.flatnonzero(space)
    whole = inside[joined] & inside[joined + 1]
    inside[joined], inside[joined + 1] = whole, whole
    starts = np.flatnonzero(letter & ~inside[:-1])
    stops = np.flatnonzero(letter & ~inside[1:]) + 1
    return starts, stops


def train_tokeniser(
    surface: Surface, task: TrainingTask, *, iterations: int, margin: int
) -> Tokeniser:
    """Train a tokeniser on the tokens of a text, sentence by sentence."""
    rows = characters(surface.text)
    last_row = len(rows.codes) - 1
    first = np.minimum(np.searchsorted(rows.place, surface.start, side="right") - 1, last_row)
    last = np.searchsorted(rows.place, surface.stop - 1, side="right") - 1
    last = np.clip(last, first, last_row)  # nothing keeps a treebank from having an empty token
    tags = np.full(len(rows.codes), _OUTSIDE, np.int32)
    for start, stop in zip(first.tolist(), last.tolist(), strict=True):
        tags[start : stop + 1] = _MIDDLE
        tags[start], tags[stop] = _BEGIN, _END
        if start == stop:
            tags[start] = _SINGLE
    spaced = bool((rows.space & (tags != _OUTSIDE)).any())
    forms = [
        " ".join(surface.text[a:b].split())
        for a, b in zip(surface.start.tolist(), surface.stop.tolist(), strict=True)
    ]
    lexicon = Lexicon.seen(forms)
    chains = _sentence_chains(rows, surface.offsets, first, last)
    # White space at an end of a token is no example.
    outside = tags == _OUTSIDE
    good = np.where(rows.space, outside | ((tags == _MIDDLE) & spaced), ~outside)
    chains = chains[[bool(good[a:b].all()) for a, b, _, _ in chains.tolist()]]
    model = learned_chains(
        "tokeniser",
        task,
        _SHAPE,
        len(_FOLLOWS),
        ChainRows(fields_of(rows, lexicon), chains, _menu(rows, spaced), _MENUS),
        tags,
        iterations=iterations,
        margin=margin,
    )
    return Tokeniser(model, lexicon, spaced)


def _sentence_chains(rows: Characters, offsets: Places, first: Places, last: Places) -> Places:
    """Return a chain for each sentence, which looks at its whole paragraph."""
    starts = np.array([a for a, _ in rows.paragraphs], np.int64)
    chains: list[Sequence[int]] = []
    for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        if begin == end:
            continue
        start, stop = int(first[begin]), int(last[end - 1]) + 1
        place = int(np.searchsorted(starts, start, side="right")) - 1
        low, high = rows.paragraphs[place] if place >= 0 else (0, 0)
        if stop <= high:  # a sentence with a blank line in it is no example
            chains.append((start, min(stop + 1, high), low, high))
    return np.array(chains, np.int64).reshape(-1, 4)
