"""What a treebank says of single words: the tags of a form, those of an ending, and known stems.

A form that was seen at least twice is known by its tags. Any other is known by the tags of the
longest ending that several forms have, and all by the longest stem that they begin with: the
stretch that forms begin with and share with their lemmas. What follows the stem tells the features
of languages that put many endings one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from commonground.corpus import Strings
from commonground.parsers.atoms import Atoms, atom, shape

__all__ = ["LEXICON_FIELDS", "Lexicon", "learned_lexicon"]

LEXICON_FIELDS = ("r", "r2", "r3", "z", "a")
"""What follows the stem (all of it, its first two and three characters), the UPOS of the stem, and
the tags of the form or of its ending."""

_LONGEST_ENDING, _LONGEST_REST, _SHORTEST_STEM = 8, 10, 2
_LEAST_FORMS = 2


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tags (by number) of forms and of endings, and the UPOS of stems, all in lower case.

    An ending is left out if it says the same as the one that is shorter by a character.
    """

    classes: dict[str, str]
    endings: dict[str, str]
    stems: dict[str, str]

    def fields(self, forms: Strings) -> Atoms:
        """Return the numbers of each word, in the order of ``LEXICON_FIELDS``."""
        return _fields(forms, [self._of(form) for form in forms.vocabulary])

    def _of(self, form: str) -> tuple[str, ...]:
        lower = form.lower()
        known = self.classes.get(lower)
        if known is None:
            ending = next((e for e in _endings(lower) if e in self.endings), "")
            known = _guess(form, self.endings.get(ending, ""))
        stem = next((s for s in _beginnings(lower) if s in self.stems), "")
        return (*_rest(lower, stem, self.stems.get(stem, "?")), known)


def learned_lexicon(
    forms: Strings, tags: Iterable[int], stems: Iterable[tuple[str, str]]
) -> tuple[Lexicon, Atoms]:
    """Return the lexicon of a treebank, and what it says of the treebank's own words.

    `stems` are pairs of a lemma and a UPOS. Of a form that was seen once the lexicon says what it
    would say without it, as of one that is new.

    >>> forms = Strings.of(["evler", "evden", "kuşlar", "kuş"])
    >>> words = [("ev", "NOUN"), ("ev", "NOUN"), ("kuş", "NOUN"), ("kuş", "NOUN")]
    >>> lexicon, _ = learned_lexicon(forms, [0, 1, 0, 2], words)
    >>> lexicon.stems, lexicon.endings
    ({'ev': 'NOUN', 'kuş': 'NOUN'}, {'r': '0'})
    """
    lowered = [form.lower() for form in forms.vocabulary]
    tagged: dict[str, Counter[int]] = {}
    stemmed: dict[str, set[tuple[str, str]]] = {}
    for code, tag, (lemma, upos) in zip(forms.codes.tolist(), tags, stems, strict=True):
        lower = lowered[code]
        tagged.setdefault(lower, Counter())[tag] += 1
        stem = _shared(lower, lemma.lower())
        if len(stem) >= _SHORTEST_STEM:
            stemmed.setdefault(lower, set()).add((stem, upos))
    by_ending: dict[str, Counter[int]] = {}
    by_stem: dict[str, Counter[str]] = {}
    for lower in sorted(tagged):
        for ending in _endings(lower):
            by_ending.setdefault(ending, Counter()).update(tagged[lower].keys())
        for stem, upos in sorted(stemmed.get(lower, ())):
            by_stem.setdefault(stem, Counter())[upos] += 1
    classes = {lower: _text(each, 20) for lower, each in tagged.items() if each.total() > 1}
    lexicon = Lexicon(
        dict(sorted(classes.items())),
        _shortest(by_ending),
        {stem: _commonest(each) for stem, each in sorted(by_stem.items())},
    )

    def of(form: str, lower: str) -> tuple[str, ...]:
        if lower in classes or lower not in tagged:
            return lexicon._of(form)  # noqa: SLF001  # the lexicon is made here
        own = Counter(tagged[lower].keys())
        others = (by_ending[ending] - own for ending in _endings(lower))
        ending = next((each for each in others if each.total() >= _LEAST_FORMS), Counter())
        mine = stemmed.get(lower, set())
        for stem in _beginnings(lower):
            rest = by_stem.get(stem, Counter()) - Counter(u for s, u in mine if s == stem)
            if rest:
                return (*_rest(lower, stem, _commonest(rest)), _guess(form, _text(ending, 3)))
        return (*_rest(lower, "", "?"), _guess(form, _text(ending, 3)))

    rows = [of(*pair) for pair in zip(forms.vocabulary, lowered, strict=True)]
    return lexicon, _fields(forms, rows)


def _shared(one: str, other: str) -> str:
    """Return what two texts begin with.

    >>> _shared("evler", "evlenmek")
    'evle'
    """
    pairs = enumerate(zip(one, other, strict=False))
    return one[: next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))]


def _fields(forms: Strings, rows: list[tuple[str, ...]]) -> Atoms:
    numbers = [[atom(text) for text in row] for row in rows] or [[0] * len(LEXICON_FIELDS)]
    return np.array(numbers, np.uint64)[forms.codes]


def _endings(lower: str) -> Iterable[str]:
    """Return the endings of a form, the longest first."""
    return (lower[-length:] for length in range(min(_LONGEST_ENDING, len(lower)), 0, -1))


def _beginnings(lower: str) -> Iterable[str]:
    return (lower[:length] for length in range(len(lower), _SHORTEST_STEM - 1, -1))


def _rest(lower: str, stem: str, upos: str) -> tuple[str, ...]:
    if not stem:
        return "?", "?", "?", upos
    rest = lower[len(stem) :][:_LONGEST_REST] or "-"
    return rest, rest[:2], rest[:3], upos


def _guess(form: str, tags: str) -> str:
    return f"?{shape(form)[:2]} {tags}"


def _text(tags: Counter[int], share: int) -> str:
    """Return the commonest tags: those that so large a share have, 20 for 1/20 and 3 for 1/3."""
    common = sorted(tags.items(), key=lambda item: (-item[1], item[0]))
    return " ".join(str(tag) for tag, count in common if share * count >= tags.total())


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda text: (-counts[text], text))


def _shortest(by_ending: dict[str, Counter[int]]) -> dict[str, str]:
    """Return the tags of endings of several forms, if those without the first letter differ."""
    texts = {
        ending: _text(tags, 3)
        for ending, tags in sorted(by_ending.items())
        if tags.total() >= _LEAST_FORMS
    }
    return {ending: text for ending, text in texts.items() if texts.get(ending[1:]) != text}
