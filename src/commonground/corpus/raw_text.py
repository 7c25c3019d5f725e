r"""The text that a treebank was made from: its tokens and what stands between them.

CoNLL-U tells it in several places. A token (a word, or a multiword token) is followed by a space,
unless MISC has ``SpaceAfter=No`` or ``SpacesAfter=…``; ``# newdoc`` and ``# newpar`` begin after a
blank line; and ``# text`` has the sentence itself, which is believed where MISC tells something
else. ``SpacesBefore`` is what stands before the first token, ``SpacesInToken`` how a token is
written that has other white space in it than single spaces. In these, ``\s`` is a space, ``\t``,
``\n`` and ``\r`` are what they are elsewhere, ``\p`` is a bar, ``\\`` a backslash, and ``\u00A0``
any other character.

>>> from commonground.formats import read
>>> raw_text(read("example:ud"))[:69]
'Martha Quill kept the old lighthouse on Gull Island for thirty years.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.dependencies import Dependencies

__all__ = ["Surface", "escaped_spaces", "is_space", "raw_text", "spaces", "surface"]

PARAGRAPH = "\n\n"
"""What stands between paragraphs where nothing tells more."""

_BEGINS = re.compile(r"^#\s*new(?:doc|par)\b", re.MULTILINE)
_TEXT = re.compile(r"^#\s*text\s*=\s?(.*)$", re.MULTILINE)
_SIGNS = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}
_SIGN_OF = {character: f"\\{sign}" for sign, character in _SIGNS.items()}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Surface:
    """The raw text of a treebank, and where in it its tokens are.

    A token has the characters from `start` to before `stop`, and stands for the rows of words from
    `first` to before `last`; sentence s has the tokens from ``offsets[s]`` on. `told` says whether
    anything in the treebank tells of its text at all.
    """

    text: str
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    offsets: NDArray[np.int64]
    told: bool


def raw_text(corpus: Dependencies) -> str:
    """Return the text of a treebank: its tokens with what stands between them."""
    return surface(corpus).text


def is_space(character: str) -> bool:
    """Tell whether a character is white space, or the mark at the beginning of some files."""
    return character.isspace() or character == "\ufeff"


def spaces(value: str) -> str:
    r"""Return what a value such as that of SpacesAfter stands for.

    >>> spaces(r"\s\n\u00A0")
    ' \n\xa0'
    """
    return _ESCAPE.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _SIGNS.get(match[2], match[0]), value
    )


def escaped_spaces(text: str) -> str:
    r"""Return a text as SpacesAfter, SpacesBefore and SpacesInToken have it.

    >>> escaped_spaces(" \n\xa0"), spaces(escaped_spaces("a \\u0020 | b"))
    ('\\s\\n\\u00A0', 'a \\u0020 | b')
    """
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character in _SIGN_OF:
        return _SIGN_OF[character]
    return f"\\u{ord(character):04X}" if is_space(character) else character


def surface(corpus: Dependencies) -> Surface:
    """Return the text of a treebank, and where its tokens are."""
    parts: list[str] = []
    place = 0
    starts, stops, firsts, lasts, offsets = [], [], [], [], [0]
    comments = corpus.comments.tolist()
    begins = [bool(_BEGINS.search(block)) for block in comments]
    told = False
    for sentence, tokens in enumerate(_tokens(corpus)):
        text = _TEXT.search(comments[sentence])
        said = None if text is None else text[1].strip()
        told = told or said is not None or any(token.marked for token in tokens)
        gaps = _gaps(tokens, said)
        if tokens:
            last = sentence + 1 == len(comments)
            if not tokens[-1].marked and not last and begins[sentence + 1]:
                gaps[-1] = PARAGRAPH
            parts.append(tokens[0].before)
            place += len(tokens[0].before)
        for token, gap in zip(tokens, gaps, strict=True):
            starts.append(place)
            stops.append(place + len(token.text))
            firsts.append(token.first)
            lasts.append(token.last)
            parts += [token.text, gap]
            place += len(token.text) + len(gap)
        offsets.append(len(starts))
    return Surface(
        "".join(parts),
        np.array(starts, np.int64),
        np.array(stops, np.int64),
        np.array(firsts, np.int64),
        np.array(lasts, np.int64),
        np.array(offsets, np.int64),
        told,
    )


@dataclass(frozen=True, slots=True)
class _Token:
    """A token: how it is written, what MISC says of the space around it, and its rows of words."""

    text: str
    before: str
    after: str
    marked: bool
    first: int
    last: int


def _tokens(corpus: Dependencies) -> Iterator[list[_Token]]:
    """Return the tokens of each sentence."""
    words, ranges = corpus.words, corpus.tokens
    forms, misc = words.strings("form").tolist(), words.strings("misc").tolist()
    firsts, lasts = ranges.numbers("first").tolist(), ranges.numbers("last").tolist()
    own_forms, own_misc = ranges.strings("form").tolist(), ranges.strings("misc").tolist()
    for sentence in range(len(corpus)):
        start, stop = int(words.offsets[sentence]), int(words.offsets[sentence + 1])
        rows = range(int(ranges.offsets[sentence]), int(ranges.offsets[sentence + 1]))
        ahead = {start + firsts[row] - 1: row for row in rows}
        spans, at = [], start
        while at < stop:
            row = ahead.get(at)
            if row is None:
                spans.append(_token(forms[at], misc[at], at, at + 1))
            else:
                end = min(max(start + lasts[row], at + 1), stop)
                spans.append(_token(own_forms[row], own_misc[row], at, end))
            at = spans[-1].last
        yield spans


def _token(form: str, misc: str, first: int, last: int) -> _Token:
    if misc == "_":
        return _Token(form, "", " ", marked=False, first=first, last=last)
    pairs = dict(pair.partition("=")[::2] for pair in misc.split("|"))
    marked = "SpacesAfter" in pairs or pairs.get("SpaceAfter") == "No"
    after = " "
    if marked:
        after = spaces(pairs["SpacesAfter"]) if "SpacesAfter" in pairs else ""
    text = spaces(pairs.get("SpacesInToken", ""))
    if text.split() != form.split():  # it is about another token
        text = form
    return _Token(text, spaces(pairs.get("SpacesBefore", "")), after, marked, first, last)


def _gaps(tokens: Sequence[_Token], said: str | None) -> list[str]:
    """Return what stands after each token: as MISC has it, unless `# text` has it otherwise."""
    gaps = [token.after for token in tokens]
    if said is None or not tokens:
        return gaps
    plain = "".join(token.text + gap for token, gap in zip(tokens, gaps, strict=True))
    if plain.strip() == said:
        return gaps
    seen, at = [], 0
    for token in tokens:
        if not said.startswith(token.text, at):
            return gaps  # it is another text
        end = at = at + len(token.text)
        while at < len(said) and is_space(said[at]):
            at += 1
        seen.append(said[end:at])
    if at < len(said):
        return gaps
    # White space that `# text` has but once may be told in full by MISC.
    fuller = [
        token.after if token.marked and token.after and gap else gap
        for token, gap in zip(tokens, seen, strict=True)
    ]
    return [*fuller[:-1], gaps[-1]]
