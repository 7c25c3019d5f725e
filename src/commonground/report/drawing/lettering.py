"""How much room a text takes, without a font.

Drawings ask for Arial, Helvetica or what is like them, whose letters all have the same widths; the
tables below have them for ASCII and some others, in thousandths of the size of the font. A letter
with marks is as wide as the letter without them, marks have no width, the characters of East Asian
scripts are square, and any other one is as wide as its script mostly is. A font that the reader has
instead may be a little wider: there is room for that between the words.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from commonground.report.visible import visible

__all__ = ["LONGEST", "shown", "width"]

LONGEST = 36
"""Maximum number of characters of a text."""

_ASCII = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
"""From the space to the tilde."""

_OTHERS = {
    **dict.fromkeys("…—™→←Æ", 1000),
    **dict.fromkeys("’‘‚", 222),
    **dict.fromkeys("“”„‹›", 333),
    **dict.fromkeys("½¼¾", 834),
    **dict.fromkeys("–«»€§", 556),
    "æ": 889,
    "œ": 944,
    "Œ": 1000,
    "ß": 611,
    "•": 350,
    "·": 278,
    "°": 400,
}

_SQUARE, _LIKELY = 1000, 600
_SCRIPTS = {"ARABIC": 520, "HEBREW": 560, "CYRILLIC": 610, "GREEK": 580, "THAI": 560}


class _Advances(dict[str, int]):
    """The widths of characters, found out when they are first asked for."""

    def __missing__(self, character: str) -> int:
        advance = self[character] = self._of(character)
        return advance

    def _of(self, character: str) -> int:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            return 0
        if unicodedata.east_asian_width(character) in "WF":
            return _SQUARE
        letter = unicodedata.normalize("NFD", character)[0]
        if letter.isascii():
            return self[letter]
        return _SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0], _LIKELY)


_ADVANCES = _Advances({**dict(zip(map(chr, range(32, 127)), _ASCII, strict=True)), **_OTHERS})


@lru_cache(maxsize=65536)
def width(text: str, size: int) -> int:
    """Return the width of a text in a font of this size, both in pixels.

    >>> width("nsubj", 10), width("nsübj", 10), width("主語", 10)
    (24, 24, 20)
    """
    return -(-sum(map(_ADVANCES.__getitem__, text)) * size // 1000)


@lru_cache(maxsize=65536)
def shown(text: str, longest: int = LONGEST) -> str:
    r"""Return a text as drawings show it: with nothing invisible in it, and of bounded length.

    >>> print(shown("a\tb"), shown("antidisestablishmentarianism", 8))
    a\tb antidis…
    """
    seen = visible(text[: longest + 1])
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}…"
