"""Common units for analyses that cut the same text into different words.

Function trees can be compared when their yields are sets of the same things. Where gold standard
and parse, or two treebanks, have other words (multiword tokens, Hebrew and Arabic segments, raw
text), each sentence is cut into common units: the finest segmentation all of whose boundaries are
boundaries between words on every side. Each word lies in one unit, and a node covers the units of
its words; a node that ends inside of a unit is widened to the whole unit, so it may fall together
with another one, whose labels are then added to its own.

Where a boundary lies is told by the characters of the text, in any case, without white space and
``_`` (compounds have it for a space), with the brackets that ``-LRB-`` stands for. Words are
anchored in the characters where they spell their token: *don't* as *do* and *n't*. Where they do
not (French *du* as *de* and *le*, Hebrew *ba* as *b* and *ha*), boundaries between the words of
such a token are those after words that all sides have in common there, from the left, then from the
right. So if one side has *du* as one word, *du* is one unit; if all have *de* and *le*, these are
two.

The units depend on the set of corpora, not on their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies, Functions, Strings, Table
from commonground.corpus.functions import canonical, parse_yield
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.errors import InputError, UsageError, going_on, setting
from commonground.ground.functions import to_functions
from commonground.tokens.spans import without_spaces
from commonground.tokens.spelling import meant

__all__ = [
    "CommonUnits",
    "Mismatch",
    "SentenceSide",
    "cut_sentence",
    "differing",
    "in_common_units",
    "side_of",
    "text_mismatch",
]

Numbers = NDArray[np.int64]
Mismatch = Literal["fail", "skip", "realign"]


@dataclass(frozen=True, slots=True)
class CommonUnits:
    """Function trees of several corpora over the same units, and which sentences they are.

    `realigned` are sentences (of the corpora) whose characters differ, so that words were paired by
    their forms or places; `skipped` are those that were left out. `numbers` are the units of all
    words of each corpus, from 1 in each sentence, 0 where a sentence is left out.
    """

    trees: tuple[Functions, ...]
    kept: Numbers
    realigned: Numbers
    skipped: Numbers
    numbers: tuple[Numbers, ...] = ()


def in_common_units(
    corpora: Sequence[Corpus],
    trees: Sequence[Functions] | None = None,
    *,
    on_mismatch: Mismatch = "fail",
) -> CommonUnits:
    """Return the function trees of corpora of the same sentences with yields of common units.

    `trees` are the function trees of the corpora, if they are not those of :func:`to_functions`. A
    sentence whose characters differ between the corpora is an :class:`InputError`, or is left out
    (``skip``), or its words are paired (``realign``): place by place where there are equally many;
    else by those that all sides have once, in the same order. What lies between them is a unit, or
    part of the next one if a side has nothing there. A sentence is left out where fewer than half
    of the words of a side find a partner.

    >>> one = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "neg", "root"])])
    >>> two = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    >>> for tree in in_common_units([one, two]).trees:
    ...     print(tree.form.tolist(), list(zip(tree.yields, tree.label)))
    ['cannot', 'go'] [('1-2', 'root'), ('1', 'aux'), ('1', 'neg'), ('2', 'hd')]
    ['cannot', 'go'] [('1-2', 'root'), ('1', 'aux'), ('2', 'hd')]
    """
    if not corpora:
        raise UsageError("at least one corpus is needed")
    converted = [to_functions(corpus) for corpus in corpora] if trees is None else list(trees)
    if len({len(corpus) for corpus in corpora}) > 1:
        counts = " and ".join(f"{len(corpus):,}" for corpus in corpora)
        raise UsageError(f"the corpora must have the same sentences, but they have {counts}")
    cuts: dict[int, _Cut] = {}
    realigned, skipped = [], []
    for sentence in np.flatnonzero(differing(converted)).tolist():
        sides = [side_of(*pair, sentence) for pair in zip(corpora, converted, strict=True)]
        bounds, alike = cut_sentence(sides, on_mismatch)
        if not bounds and on_mismatch == "fail":
            raise text_mismatch(corpora, sides, sentence)
        if not bounds:
            skipped.append(sentence)
            continue
        if not alike:
            realigned.append(sentence)
        cuts[sentence] = _Cut(bounds)
        cuts[sentence].name(sides)
    kept = np.setdiff1d(np.arange(len(converted[0])), skipped)
    numbers = tuple(_numbers(tree, cuts, side, skipped) for side, tree in enumerate(converted))
    if cuts:
        words = _words(converted[0], cuts)
        converted = [_moved(tree, cuts, side, words) for side, tree in enumerate(converted)]
    if skipped:
        converted = [tree.take(kept) for tree in converted]
    return CommonUnits(
        tuple(converted), kept, np.array(realigned, np.int64), np.array(skipped, np.int64), numbers
    )


def _numbers(tree: Functions, cuts: dict[int, _Cut], side: int, skipped: Sequence[int]) -> Numbers:
    """Return the unit of each word of a corpus."""
    numbers = tree.words.row_in_sentence() + 1
    for sentence in (*cuts, *skipped):
        words = slice(*tree.words.offsets[sentence : sentence + 2].tolist())
        numbers[words] = cuts[sentence].units(side) if sentence in cuts else 0
    return numbers


def cut_sentence(sides: Sequence[SentenceSide], on_mismatch: Mismatch) -> tuple[list[Bounds], bool]:
    """Return the boundaries that all sides of a sentence share, and whether their texts are alike.

    There are none where the texts differ and must not, or cannot, be realigned.
    """
    if len({side.text for side in sides}) == 1:
        return list(_shared_bounds(sides)), True
    return _paired_bounds(sides) if on_mismatch == "realign" else [], False


def differing(trees: Sequence[Functions]) -> NDArray[np.bool_]:
    """Tell which sentences do not have the same words everywhere."""
    alike = np.ones(len(trees[0]), np.bool_)
    for other in trees[1:]:
        vocabulary = Vocabulary()
        one, two = (tree.form.codes_in(vocabulary) for tree in (trees[0], other))
        alike &= trees[0].words.lengths == other.words.lengths
        rows, other_rows = (np.repeat(alike, tree.words.lengths) for tree in (trees[0], other))
        differ = one[rows] != two[other_rows]
        alike[trees[0].words.sentence_of_row()[rows][differ]] = False
    return ~alike


# ── one sentence ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class SentenceSide:
    """A sentence as one corpus cuts it: its words, and its tokens, each with its first word."""

    words: list[str]
    tokens: list[tuple[int, str]]

    @cached_property
    def forms(self) -> list[str]:
        """The words as they are compared."""
        return list(map(_plain, self.words))

    @cached_property
    def text(self) -> str:
        """The characters of the sentence, as they are compared."""
        return "".join(_plain(text) for _, text in self.tokens)

    @cached_property
    def bounds(self) -> dict[int, int]:
        """The boundaries between words that are known: number of characters to number of words."""
        boundaries, characters = {0: 0}, 0
        for first, (stop, text) in self.stops.items():
            forms, token = self.forms[first:stop], _plain(text)
            if "".join(forms) == token:
                ends = accumulate(map(len, forms))
                boundaries |= {characters + end: first + n for n, end in enumerate(ends, 1)}
            characters += len(token)
            boundaries[characters] = stop
        return boundaries

    @cached_property
    def stops(self) -> dict[int, tuple[int, str]]:
        """The first word behind each token, and its text, by its first word."""
        firsts = [first for first, _ in self.tokens] + [len(self.words)]
        return {
            first: (stop, text) for (first, text), stop in zip(self.tokens, firsts[1:], strict=True)
        }

    def surface(self, start: int, stop: int) -> str:
        """Return what some words look like in the text: tokens that are among them as a whole."""
        pieces, place = [], start
        while place < stop:
            after, text = self.stops.get(place, (stop + 1, ""))
            whole = after <= stop
            pieces.append(text if whole else self.words[place])
            place = after if whole else place + 1
        return "".join(pieces)


def side_of(corpus: Corpus, tree: Functions, sentence: int) -> SentenceSide:
    """Return a sentence of a corpus, whose function trees are given too."""
    words: list[str] = tree[sentence].column("form")
    tokens = dict(enumerate(words))
    if isinstance(corpus, Dependencies):
        columns = (corpus[sentence].column(name, "tokens") for name in ("first", "last", "form"))
        for first, last, form in zip(*columns, strict=True):
            for inside in range(first, last):
                del tokens[inside]
            tokens[int(first) - 1] = form
    return SentenceSide(words, sorted(tokens.items()))


def _plain(form: str) -> str:
    return without_spaces(meant(form)).replace("_", "").lower() or form or "_"


Bounds = tuple[int, ...]
"""A boundary: how many words are before it on each side."""


def _shared_bounds(sides: Sequence[SentenceSide]) -> Iterator[Bounds]:
    """Return the boundaries that all sides share, in a sentence with the same characters."""
    characters = sorted(set.intersection(*(set(side.bounds) for side in sides)))
    starts = [tuple(side.bounds[place] for side in sides) for place in characters]
    yield starts[0]
    for start, stop in pairwise(starts):
        yield from _inner_bounds(sides, start, stop)
        yield stop


def _inner_bounds(sides: Sequence[SentenceSide], start: Bounds, stop: Bounds) -> Iterator[Bounds]:
    """Return the boundaries after words that all sides have in common at one end of a stretch."""
    stretches = [side.forms[a:b] for side, a, b in zip(sides, start, stop, strict=True)]
    fewest = min(map(len, stretches))
    if fewest < 2:
        return
    same = all(stretch == stretches[0] for stretch in stretches)
    # What is between the two ends must not be empty on one side only.
    left = _in_common(stretches, fewest - 1)
    backwards = [stretch[::-1] for stretch in stretches]
    right = 0 if same else _in_common(backwards, fewest - 1 - left)
    for number in range(1, left + 1):
        yield tuple(place + number for place in start)
    for number in range(right, 0, -1):
        yield tuple(place - number for place in stop)


def _in_common(stretches: Sequence[Sequence[str]], most: int) -> int:
    """Return how many words (at most so many) all stretches begin with."""
    for number, words in enumerate(zip(*stretches, strict=False)):
        if number == most or len(set(words)) > 1:
            return number
    return most


def _paired_bounds(sides: Sequence[SentenceSide]) -> list[Bounds]:
    """Return boundaries of a sentence with other characters on each side, or nothing."""
    lengths = {len(side.words) for side in sides}
    if len(lengths) == 1:
        return [(place,) * len(sides) for place in range(lengths.pop() + 1)]
    places = [_once(side.forms) for side in sides]
    shared = sorted(set.intersection(*map(set, places)), key=places[0].__getitem__)
    paired = _in_order([tuple(by_form[form] for by_form in places) for form in shared])
    if 2 * len(paired) < max(lengths):
        return []
    bounds = [(0,) * len(sides)]
    for pair in paired:
        after = tuple(place + 1 for place in pair)
        bounds += [pair] if _before(bounds[-1], pair) else []
        bounds += [after]
    ends = tuple(len(side.words) for side in sides)
    if not _before(bounds[-1], ends):  # on one side nothing follows the last pair
        bounds.pop()
    return [*bounds, ends]


def _once(forms: Sequence[str]) -> dict[str, int]:
    """Return where the words stand that are there only once."""
    times = Counter(forms)
    return {form: place for place, form in enumerate(forms) if times[form] == 1}


def _in_order(pairs: Sequence[Bounds]) -> list[Bounds]:
    """Return the pairs that are in the same order with all other ones, on every side.

    >>> _in_order([(0, 0), (1, 3), (2, 2), (3, 4)])
    [(0, 0), (3, 4)]
    """
    fits = []
    for places in zip(*pairs, strict=True):
        highest = accumulate(places, max)  # up to each place
        lowest = reversed(list(accumulate(reversed(places), min)))  # from each place on
        fits.append([a == b for a, b in zip(highest, lowest, strict=True)])
    return [pair for pair, fit in zip(pairs, zip(*fits, strict=True), strict=True) if all(fit)]


def _before(one: Bounds, other: Bounds) -> bool:
    """Tell whether one boundary is before another on every side."""
    return all(a < b for a, b in zip(one, other, strict=True))


@dataclass
class _Cut:
    """The units of a sentence: their boundaries, and what they look like."""

    bounds: list[Bounds]
    forms: list[str] | None = None

    def name(self, sides: Sequence[SentenceSide]) -> None:
        """Give each unit the form that it has on all sides, or the first in the alphabet."""
        self.forms = [
            min(side.surface(a, b) for side, a, b in zip(sides, start, stop, strict=True))
            for start, stop in pairwise(self.bounds)
        ]

    def units(self, side: int) -> list[int]:
        """Return the unit of each word of a side, from 1."""
        stretches = pairwise(bound[side] for bound in self.bounds)
        return [number for number, (a, b) in enumerate(stretches, 1) for _ in range(b - a)]


# ── whole corpora ────────────────────────────────────────────────────────────────────────────────


def _words(tree: Functions, cuts: dict[int, _Cut]) -> Table:
    """Return the units of all sentences."""
    forms = [
        cuts[place].forms or [] if place in cuts else sentence.column("form")
        for place, sentence in enumerate(tree)
    ]
    return Table(
        offsets_of([len(of_sentence) for of_sentence in forms]),
        form=Strings.of(form for of_sentence in forms for form in of_sentence),
    )


def _moved(tree: Functions, cuts: dict[int, _Cut], side: int, words: Table) -> Functions:
    """Return a tree over units."""
    yields = tree.yields.tolist()
    offsets = tree.nodes.offsets.tolist()
    for sentence, cut in cuts.items():
        units = cut.units(side)
        for row in range(*offsets[sentence : sentence + 2]):
            yields[row] = _in_units(yields[row], units)
    nodes = tree.nodes.replace(yields=Strings.of(yields))
    return Functions({**tree.tables, "words": words, "nodes": canonical(nodes)})


def _in_units(text: str, units: Sequence[int]) -> str:
    """Return a yield of words as a yield of units.

    >>> _in_units("2-3,5", [1, 1, 2, 2, 3])
    '1-3'
    """
    stretches: list[list[int]] = []
    for first, last in parse_yield(text):
        start, stop = units[first - 1], units[last - 1]
        if stretches and start <= stretches[-1][1] + 1:
            stretches[-1][1] = stop
        else:
            stretches.append([start, stop])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in stretches)


def text_mismatch(
    corpora: Sequence[Corpus], sides: Sequence[SentenceSide], sentence: int
) -> InputError:
    """Return the error that the texts of a sentence differ."""
    other = next(n for n, side in enumerate(sides) if side.text != sides[0].text)
    one, two = sides[0].text, sides[other].text
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), None)
    at = min(len(one), len(two)) if at is None else at
    origin = corpora[0].tables["origin"]
    place = f"{origin.strings('path')[sentence]}:{origin.numbers('line')[sentence]}"
    places = corpora[other].tables["origin"]
    return InputError(
        places.strings("path")[sentence],
        int(places.numbers("line")[sentence]),
        f"the sentence {going_on(two[at:], one[at:], place)}; "
        f"{setting('on_mismatch', 'skip')} leaves such sentences out, realign pairs their words",
    )
