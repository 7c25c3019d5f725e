"""Sentences of several annotations of one text, side by side.

A sentence that all files have, with the same id (or the same words, where it has none) and the same
text, is compared with itself. Between two such sentences the files may be cut otherwise, or have
other sentences: that is a stretch, which is compared as a whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.formats.patch import SentenceLines

__all__ = ["Stretch", "aligned", "keys", "words_of"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What stands at one place of each file: one sentence in all, or a run of them.

    `name` is what the sentence is called in the first file that has one, or the sentence before it.
    """

    name: str
    sides: tuple[list[SentenceLines], ...]
    paired: bool


def words_of(sentence: SentenceLines) -> list[list[str]]:
    """Return the lines of a sentence that are no comments, as fields."""
    return [line.split("\t") for line in sentence.bare if not line.startswith("#")]


def keys(sentences: Sequence[SentenceLines]) -> list[str]:
    """Return what sentences are known by: unique ids, or their forms and how often they came."""
    ids = Counter(each.name for each in sentences)
    again: Counter[str] = Counter()
    made = []
    for each in sentences:
        key = each.name if each.name and ids[each.name] == 1 else f"\t{' '.join(_forms(each))}"
        again[key] += 1
        made.append(f"{key} {again[key]}" if again[key] > 1 else key)
    return made


def _forms(sentence: SentenceLines) -> list[str]:
    return [row[1] for row in words_of(sentence) if len(row) > 1 and row[0].isdigit()]


def aligned(files: Sequence[Sequence[SentenceLines]]) -> Iterator[Stretch]:
    r"""Return the sentences of all files, in order; each sentence is there exactly once.

    >>> from commonground.formats.patch import sentences_of
    >>> one = list(sentences_of(["# sent_id = a", "1\tGo", "", "# sent_id = b", "1\tno", ""]))
    >>> two = list(sentences_of(["# sent_id = a", "1\tGo", "", "# sent_id = c", "1\tNo", ""]))
    >>> [(each.name, each.paired) for each in aligned([one, two])]
    [('a', True), ('b', False)]
    """
    known = [keys(sentences) for sentences in files]
    at = [{key: place for place, key in enumerate(each)} for each in known]
    anchors = [
        places
        for key in known[0]
        if all(key in each for each in at)
        and _same_text([files[side][at[side][key]] for side in range(len(files))])
        for places in [[each[key] for each in at]]
    ]
    for side in range(1, len(files)):
        anchors = _increasing(anchors, side)
    start = [0] * len(files)
    before = ""
    names = _names(files[0])
    for anchor in [*anchors, [len(each) for each in files]]:
        between = tuple(list(each[a:b]) for each, a, b in zip(files, start, anchor, strict=True))
        if any(between):
            name = names[start[0]] if between[0] else f"after {before}"
            yield Stretch(name, between, paired=False)
        if anchor[0] < len(files[0]):
            one = tuple([each[place]] for each, place in zip(files, anchor, strict=True))
            before = names[anchor[0]]
            yield Stretch(before, one, paired=True)
        start = [place + 1 for place in anchor]


def _names(sentences: Sequence[SentenceLines]) -> list[str]:
    """Return what sentences are called: by unique ids, or ``#12`` by their places."""
    ids = Counter(each.name for each in sentences)
    return [
        each.name
        if ids[each.name] == 1 and each.name and not each.name.startswith(("#", "after "))
        else f"#{place}"
        for place, each in enumerate(sentences, 1)
    ]


def _same_text(sentences: Sequence[SentenceLines]) -> bool:
    """Tell whether sentences are the same text: the same characters, or most words the same."""
    forms = [_forms(each) for each in sentences]
    if len({"".join(each) for each in forms}) == 1:
        return True
    first = forms[0]
    return all(
        len(each) == len(first)
        and 2 * sum(a == b for a, b in zip(each, first, strict=True)) >= len(first)
        for each in forms
    )


def _increasing(anchors: Sequence[list[int]], side: int) -> list[list[int]]:
    """Return the most anchors whose places rise on this side, too."""
    ends: list[int] = []
    last: list[int] = []  # the anchor at the end of the best row of each length
    previous: list[int] = []
    for number, anchor in enumerate(anchors):
        length = bisect_left(ends, anchor[side])
        ends[length : length + 1] = [anchor[side]]
        last[length : length + 1] = [number]
        previous.append(last[length - 1] if length else -1)
    chosen = []
    number = last[-1] if last else -1
    while number >= 0:
        chosen.append(anchors[number])
        number = previous[number]
    return chosen[::-1]
