"""Where the tokens of another program's output stand in the text that it was given.

Pipelines give words back, not always the white space between them. Their tokens are found in the
text again, one after the other, whatever the white space; so all systems say in the same way where
their words come from (``segmentation/marked_text.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.corpus.raw_text import is_space, surface
from commonground.errors import UsageError, quoted
from commonground.formats.storage.raw_pieces import RawPiece
from commonground.parsers.segmentation.marked_text import marked_tokens

__all__ = ["placed"]


def placed(corpus: Dependencies, piece: RawPiece, system: str) -> Dependencies:
    r"""Return the output of a system with what it says of the text; changed text is refused.

    >>> corpus = Dependencies.of([(["Hi", "!"], [0, 1], ["root", "punct"])])
    >>> result = placed(corpus, RawPiece("a.txt", "Hi!\n"), "mine")
    >>> result.misc.tolist()
    ['SpaceAfter=No|TokenRange=0:2', 'SpacesAfter=\\n|TokenRange=2:3']
    >>> print(result.comments[0])
    # newpar
    # sent_id = p1-s1
    # text = Hi!
    """
    corpus = corpus[corpus.words.lengths > 0]
    tokens = surface(corpus)
    if not len(tokens.start):
        return Dependencies.of([])
    text = piece.text
    forms = [
        tokens.text[a:b] for a, b in zip(tokens.start.tolist(), tokens.stop.tolist(), strict=True)
    ]
    starts, stops = _places(forms, text, piece, system)
    marked = marked_tokens(text, starts, stops, piece.character)
    begins = [True, *(space.count("\n") > 1 for space in marked.spaces[:-1])]
    comments = marked.comments(
        tokens.offsets, np.flatnonzero(np.array(begins)).astype(np.int64), piece.paragraph
    )
    misc = np.full(corpus.words.rows, "_", object)
    single = tokens.last - tokens.first == 1
    misc[tokens.first[single]] = np.array(marked.misc, object)[single]
    several = np.array(marked.misc, object)[~single].tolist()
    corpus = corpus.replace("words", misc=Strings.of(misc.tolist()), deps=_none(corpus.words.rows))
    corpus = corpus.replace("tokens", misc=Strings.of(several))
    corpus = corpus.replace("sentences", comments=Strings.of(comments))
    return corpus.replace("origin", path=Strings.constant(piece.path, len(corpus)))


def _none(rows: int) -> Strings:
    return Strings.constant("_", rows)


def _places(
    forms: Sequence[str], text: str, piece: RawPiece, system: str
) -> tuple[list[int], list[int]]:
    """Return where each token starts and stops."""
    starts, stops, at = [], [], 0
    for form in forms:
        while at < len(text) and is_space(text[at]):
            at += 1
        starts.append(at)
        if text.startswith(form, at):
            at += len(form)
        else:
            at = _after(form, text, at, piece, system)
        stops.append(at)
    if rest := text[at:].strip().strip("\ufeff"):
        raise UsageError(_lost(system, piece, rest, at))
    return starts, stops


def _after(form: str, text: str, at: int, piece: RawPiece, system: str) -> int:
    """Return where a token stops that has other white space in it than its form."""
    start = at
    for character in form:
        if is_space(character):
            continue
        while at < len(text) and is_space(text[at]):
            at += 1
        if at >= len(text) or text[at] != character:
            where = f"character {piece.character + start} of {piece.path}"
            raise UsageError(
                f"{system} has changed the text: it has {quoted(form, 30)}, but at {where} stands "
                f"{quoted(text[start : start + 30], 30)}"
            )
        at += 1
    return at


def _lost(system: str, piece: RawPiece, rest: str, at: int) -> str:
    return (
        f"{system} has lost text: nothing of its output stands for {quoted(rest, 30)}, at "
        f"character {piece.character + at} of {piece.path}"
    )
