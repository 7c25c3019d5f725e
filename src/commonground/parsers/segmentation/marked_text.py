r"""What a treebank says of its text: the marks in MISC, and the comments of its sentences.

MISC says what stands between tokens (``SpaceAfter=No``, ``SpacesAfter=\n\n``; the rules are in
``corpus/raw_text.py``), ``TokenRange=17:21`` which characters of the text a token has, and
``# newpar`` where paragraphs begin. A sentence is called after its paragraph and its place there,
``# sent_id = p3-s1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.raw_text import escaped_spaces

__all__ = ["MarkedTokens", "marked_tokens"]

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MarkedTokens:
    """The tokens of a text: their forms, the white space after each, and what MISC says."""

    forms: list[str]
    spaces: list[str]
    misc: list[str]

    def comments(self, offsets: Places, bounds: Places, paragraph: int) -> list[str]:
        """Return the comments of sentences, which begin at the tokens `offsets`.

        Paragraphs begin at the tokens `bounds`; `paragraph` is how many stand before.
        """
        first = set(bounds.tolist())
        number, place, comments = paragraph, 0, []
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            begins = start in first
            number, place = (number + 1, 1) if begins else (number, place + 1)
            text = "".join(
                form + (" " if space else "")
                for form, space in zip(self.forms[start:stop], self.spaces[start:stop], strict=True)
            )
            lines = ["# newpar"] if begins else []
            lines += [f"# sent_id = p{number}-s{place}", f"# text = {text.strip()}"]
            comments.append("\n".join(lines))
        return comments


def marked_tokens(
    text: str, starts: Sequence[int], stops: Sequence[int], character: int = 0
) -> MarkedTokens:
    r"""Return the tokens of a text, `character` characters of which stand before it.

    >>> marked_tokens("No.\n\n", [0, 2], [2, 3]).misc
    ['SpaceAfter=No|TokenRange=0:2', 'SpacesAfter=\\n\\n|TokenRange=2:3']
    """
    written = [text[a:b] for a, b in zip(starts, stops, strict=True)]
    forms = [" ".join(form.split()) if _odd(form) else form for form in written]
    following = [*starts[1:], len(text)]
    spaces = [text[a:b] for a, b in zip(stops, following, strict=True)]
    misc = [
        _misc(form, raw, space, character + a, character + b)
        for form, raw, space, a, b in zip(forms, written, spaces, starts, stops, strict=True)
    ]
    if starts and starts[0]:
        misc[0] = f"SpacesBefore={escaped_spaces(text[: starts[0]])}|{misc[0]}"
    return MarkedTokens(forms, spaces, misc)


def _odd(form: str) -> bool:
    return not form.isalnum() and " ".join(form.split()) != form


def _misc(form: str, raw: str, space: str, start: int, stop: int) -> str:
    marks = [f"TokenRange={start}:{stop}"]
    if form != raw:
        marks.insert(0, f"SpacesInToken={escaped_spaces(raw)}")
    if not space:
        marks.insert(0, "SpaceAfter=No")
    elif space != " ":
        marks.insert(0, f"SpacesAfter={escaped_spaces(space)}")
    return "|".join(marks)
