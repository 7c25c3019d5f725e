"""Projectivize trees for parsers that need it, and undo it in what they return.

Pseudo-projective parsing (Nivre & Nilsson 2005). While a tree has a non-projective arc, the
shortest one (of equally short ones the one to the leftmost word) is lifted: its word hangs on the
head of its head then. A lifted word remembers where it came from in its label, in one of three
encodings, written as MaltParser writes them (d, h and p are labels):

    encoding    the lifted word    words that it was lifted over
    head        d|h                p
    path        d|                 p%
    head+path   d|h                p%

h is the label of the head that the word had at first. A word can be both lifted and on the way of
another one (``d|h%``). The ``baseline`` lifts and leaves no trace.

To undo it, a lifted word looks for its head below the one it hangs on, breadth first, and among
sisters the nearest to it first, as MaltParser does: the first word labelled h (head), the first
word at the end of a marked way (path), or the first one labelled h at the end of a marked way, else
the first one labelled h on it (head+path). Words look before those below them, and sisters from the
outermost one inwards, those on the left first; one that finds nothing tries again when others have
moved, and in the end stays where it is.

Labels that contain ``|``, ``%`` or a backslash themselves are written with backslashes before
these, so that no label is lost or taken for a mark. Arcs on a cycle, or on and under a word without
a head, stay as they are (see :func:`commonground.kernels.trees.crossing`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import cyclic, nonprojective_arcs, word_depth
from commonground.corpus.strings import Vocabulary
from commonground.errors import UsageError

__all__ = [
    "BASELINE",
    "ENCODINGS",
    "Moves",
    "Recovery",
    "deprojectivize",
    "projectivize",
    "recovery",
]

ENCODINGS = ("head", "path", "head+path")
"""The encodings that can be undone."""

BASELINE = "baseline"
"""Lifting without a trace."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Moves:
    """What was done to a corpus: of `words`, so many `arcs` in so many `sentences` were moved.

    `left` counts the arcs that are marked as lifted, but whose head was not found, and `cyclic` the
    sentences with a cycle, where the arcs on and under it stay as they are.
    """

    words: int = 0
    arcs: int = 0
    sentences: int = 0
    left: int = 0
    cyclic: int = 0

    def __add__(self, other: Moves) -> Moves:
        return Moves(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def to_json(self) -> dict[str, int]:
        """Return the numbers as JSON has them."""
        return asdict(self)


# ── lifting ──────────────────────────────────────────────────────────────────────────────────────


def projectivize(corpus: Dependencies, encoding: str = "head") -> tuple[Dependencies, Moves]:
    """Return the corpus with projective trees, and how many arcs were lifted.

    In *A hearing is scheduled on the issue today*, the arc from *hearing* (2) to *issue* (7) covers
    the root:

    >>> words = "A hearing is scheduled on the issue today".split()
    >>> labels = "det nsubj aux root case det nmod advmod".split()
    >>> corpus = Dependencies.of([(words, [2, 4, 4, 0, 7, 7, 2, 4], labels)])
    >>> lifted, moves = projectivize(corpus, "head")
    >>> lifted.head.tolist(), lifted.deprel[6], moves.arcs
    ([2, 4, 4, 0, 7, 7, 4, 4], 'nmod|nsubj', 1)
    >>> projectivize(corpus, "path")[0].deprel.tolist()
    ['det', 'nsubj%', 'aux', 'root', 'case', 'det', 'nmod|', 'advmod']
    >>> deprojectivize(lifted, "head")[0] == corpus
    True
    """
    _known(encoding, (*ENCODINGS, BASELINE))
    head = corpus.head.astype(np.int32)
    crossing, attached = nonprojective_arcs(corpus), word_depth(corpus) > 0
    origin = np.full(len(head), -1, np.int64)
    passed = np.zeros(len(head), np.bool_)
    for start, stop in _spans(corpus, crossing):
        heads, origins, way = _lifted(
            [0, *head[start:stop].tolist()],
            (np.flatnonzero(crossing[start:stop]) + 1).tolist(),
            [True, *attached[start:stop].tolist()],
        )
        head[start:stop] = heads[1:]
        lifted = np.fromiter(origins, np.int64, len(origins)) + start - 1
        origin[lifted] = np.fromiter(origins.values(), np.int64, len(origins)) + start - 1
        passed[[start + word - 1 for word in way]] = True
    deprel = corpus.deprel
    if encoding != BASELINE:
        deprel = _marked(deprel.map(_escaped), origin, passed, encoding)
    return corpus.replace("words", head=head, deprel=deprel), _moves(corpus, origin >= 0)


def _lifted(
    heads: list[int], crossing: list[int], attached: list[bool]
) -> tuple[list[int], dict[int, int], set[int]]:
    """Return the heads of a projective tree, the lifted words' first heads, and who was passed.

    Words count from 1, and the root is 0; `crossing` are the words with a non-projective arc. When
    a word leaves its head, that one loses a subtree and nobody else does, so that only the arcs
    from this head, and the new one, can become non-projective.
    """
    below: list[set[int]] = [set() for _ in heads]
    for word in range(1, len(heads)):
        below[max(heads[word], 0)].add(word)
    roots = [word for word in below[0] if heads[word] == 0]
    top = roots[0] if len(roots) == 1 else 0  # it dominates all, so that its arcs need no look
    waiting = [(abs(heads[word] - word), word) for word in crossing]
    heapify(waiting)
    known = set(crossing)
    origins: dict[int, int] = {}
    passed: set[int] = set()
    while waiting:
        _, word = heappop(waiting)
        head = heads[word]
        above = heads[word] = heads[head]
        origins.setdefault(word, head)
        passed.add(head)
        below[head].remove(word)
        below[above].add(word)
        gone = list(_subtree(below, word))
        left = max((w for w in gone if w < head), default=0)
        right = min((w for w in gone if w > head), default=len(heads))
        broken = [w for w in below[head] if w not in known and (w < left or w > right)]
        if above != top and not _projective(heads, attached, above, word):
            broken.append(word)
        else:
            known.remove(word)
        known.update(broken)
        for each in broken:
            heappush(waiting, (abs(heads[each] - each), each))
    return heads, origins, passed


def _projective(heads: list[int], attached: list[bool], head: int, word: int) -> bool:
    """Tell whether all words strictly between a word and its head hang below the head."""
    below = {0: False, head: True}
    for between in range(min(head, word) + 1, max(head, word)):
        way, at = [], between
        while at not in below:
            way.append(at)
            at = heads[at] if attached[at] else head  # what is not attached breaks nothing
        below.update(dict.fromkeys(way, below[at]))
        if not below[between]:
            return False
    return True


def _subtree(below: list[set[int]], word: int) -> Iterator[int]:
    """Return a word and all that hangs below it."""
    words = [word]
    while words:
        word = words.pop()
        yield word
        words += below[word]


# ── lowering ─────────────────────────────────────────────────────────────────────────────────────


def deprojectivize(corpus: Dependencies, encoding: str = "head") -> tuple[Dependencies, Moves]:
    """Return the corpus with lifted words on the heads that their labels record, without marks.

    The corpus can be what :func:`projectivize` returned, or a parse by a parser trained on it.
    """
    _known(encoding, ENCODINGS)
    parts = [_parts(label) for label in corpus.deprel.vocabulary]
    plain = corpus.deprel.map(lambda label: _parts(label)[0])
    code = corpus.deprel.codes
    lifted = _flags([origin is not None for _, origin, _ in parts], code)
    passed = _flags([mark for _, _, mark in parts], code)
    head = corpus.head.astype(np.int32)
    missed = 0
    for start, stop in _spans(corpus, lifted):
        words = range(start, stop)
        heads, left = _lowered(
            [0, *head[start:stop].tolist()],
            ["", *plain[start:stop].tolist()],
            {row - start + 1: parts[code[row]][1] or "" for row in words if lifted[row]},
            {row - start + 1 for row in words if passed[row]},
            encoding,
        )
        head[start:stop] = heads[1:]
        missed += left
    moves = _moves(corpus, head != corpus.head, missed)
    return corpus.replace("words", head=head, deprel=plain), moves


def _lowered(
    heads: list[int], labels: list[str], lifted: dict[int, str], passed: set[int], encoding: str
) -> tuple[list[int], int]:
    """Return the heads after lifted words have moved down, and how many did not find where to."""
    below: list[list[int]] = [[] for _ in heads]
    for word in range(1, len(heads)):
        if heads[word] >= 0:
            below[heads[word]].append(word)

    way = None if encoding == "head" else passed
    if encoding == "path":
        labels = [""] * len(labels)  # they tell nothing
    waiting = [word for word in _top_down(below) if word in lifted]
    lost = len(lifted) - len(waiting)  # on a cycle, or below an unknown head
    for _ in range(_ATTEMPTS):
        missed = []
        for word in waiting:
            target = _target(word, heads[word], below, labels, lifted[word], way)
            if not target:
                missed.append(word)
                continue
            there = below[heads[word]]
            del there[bisect_left(there, word)]
            insort(below[target], word)
            heads[word] = target
        if len(missed) == len(waiting):
            break
        waiting = missed
    return heads, len(waiting) + lost


def _target(
    word: int,
    start: int,
    below: list[list[int]],
    labels: list[str],
    wanted: str,
    way: set[int] | None,
) -> int:
    """Return where a lifted word finds its head, 0 where it does not.

    On a marked `way`, what stands at its end comes before what does not.
    """
    second = 0
    for place in islice(_breadth_first(below, start, word, way), _FURTHEST):
        if labels[place] == wanted:
            if way is None or all(w == word or w not in way for w in below[place]):
                return place
            second = second or place
    return second


_FURTHEST = 1000
"""How many words a lifted word looks at, so that time grows with words, not with their square."""

_ATTEMPTS = 10
"""How often words look for their heads again, after others have moved."""


def _top_down(below: list[list[int]]) -> Iterator[int]:
    """Return all words, each before those below it, and these from the outermost ones inwards.

    Those before a word come first.

    >>> list(_top_down([[2], [], [1, 3, 4], [], []]))
    [2, 1, 4, 3]
    """
    stack = [*below[0]]
    while stack:
        word = stack.pop()
        yield word
        middle = bisect_left(below[word], word)
        stack += below[word][middle:]
        stack += reversed(below[word][:middle])


def _breadth_first(
    below: list[list[int]], start: int, avoid: int, among: set[int] | None = None
) -> Iterator[int]:
    """Return the words below one, level by level; of sisters, those nearest to `avoid` come first.

    The word to `avoid` and all below it are left out, and so is what is not in `among` with all
    below it.

    >>> list(_breadth_first([[2], [], [1, 3, 5], [], [], [4]], 2, 4))
    [3, 5, 1]
    """
    queue = deque([start])
    while queue:
        for word in _outward(below[queue.popleft()], avoid):
            if word != avoid and (among is None or word in among):
                yield word
                queue.append(word)


def _outward(words: list[int], centre: int) -> Iterator[int]:
    """Return words, which stand in order, from the nearest to a place to the furthest one."""
    right = bisect_left(words, centre)
    left = right - 1
    while left >= 0 or right < len(words):
        if right == len(words) or (left >= 0 and centre - words[left] <= words[right] - centre):
            yield words[left]
            left -= 1
        else:
            yield words[right]
            right += 1


# ── labels ───────────────────────────────────────────────────────────────────────────────────────

_SPECIAL = re.compile(r"[\\|%]")
_ESCAPE = re.compile(r"\\([\\|%])")
_MARKED = re.compile(r"((?:\\.|[^\\|%])*)(?:\|((?:\\.|[^\\|%])*))?(%?)", re.DOTALL)


def _escaped(label: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", label)


def _parts(label: str) -> tuple[str, str | None, bool]:
    r"""Return a label without marks, the label of the first head (None: not lifted), and the ``%``.

    >>> _parts("nmod|nsubj%"), _parts("a\\|b"), _parts("x|")
    (('nmod', 'nsubj', True), ('a|b', None, False), ('x', '', False))

    What no encoding writes is no mark:

    >>> _parts("a|b|c")
    ('a|b|c', None, False)
    """
    match = _MARKED.fullmatch(label)
    if match is None:
        return label, None, False
    own, origin, mark = match.groups()
    plain = _ESCAPE.sub(r"\1", own)
    return plain, None if origin is None else _ESCAPE.sub(r"\1", origin), bool(mark)


def _marked(labels: Strings, origin: Rows, passed: NDArray[np.bool_], encoding: str) -> Strings:
    """Return labels with the marks of an encoding; `origin` has the rows of first heads."""
    way = passed if encoding != "head" else np.zeros_like(passed)
    vocabulary = Vocabulary(zip(labels.vocabulary, range(len(labels.vocabulary)), strict=True))
    codes = labels.codes.copy()
    for row in np.flatnonzero((origin >= 0) | way).tolist():
        text = labels[row]
        if origin[row] >= 0:
            text += "|" if encoding == "path" else f"|{labels[origin[row]]}"
        codes[row] = vocabulary[f"{text}%" if way[row] else text]
    return Strings(codes, tuple(vocabulary))


# ── what it is good for ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Recovery:
    """How many arcs of a corpus were lifted, and how many of them each encoding brought back.

    `harmed` counts the arcs that were not lifted, but changed on the way back.
    """

    lifted: int
    recovered: dict[str, int]
    harmed: dict[str, int]

    def __add__(self, other: Recovery) -> Recovery:
        return Recovery(
            self.lifted + other.lifted,
            {name: number + other.recovered[name] for name, number in self.recovered.items()},
            {name: number + other.harmed[name] for name, number in self.harmed.items()},
        )

    def share(self, encoding: str) -> float:
        """Return the share of lifted arcs that an encoding brings back; 1 where there is none."""
        return self.recovered[encoding] / self.lifted if self.lifted else 1.0

    def to_json(self) -> dict[str, Any]:
        """Return the numbers and shares as JSON has them."""
        shares = {encoding: self.share(encoding) for encoding in self.recovered}
        return {**asdict(self), "shares": shares}


def recovery(corpus: Dependencies) -> Recovery:
    """Projectivize a corpus with each encoding, undo it, and count what comes back.

    >>> words, labels = ["a", "b", "c", "d"], ["x", "root", "y", "z"]
    >>> recovery(Dependencies.of([(words, [4, 0, 2, 2], labels)])).recovered
    {'head': 1, 'path': 1, 'head+path': 1}
    """
    lifted = np.zeros(corpus.words.rows, np.bool_)
    recovered, harmed = {}, {}
    for encoding in ENCODINGS:
        projective, _ = projectivize(corpus, encoding)
        back, _ = deprojectivize(projective, encoding)
        lifted = projective.head != corpus.head
        same = back.head == corpus.head
        recovered[encoding] = int((lifted & same).sum())
        harmed[encoding] = int((~lifted & ~same).sum())
    return Recovery(int(lifted.sum()), recovered, harmed)


# ── columns ──────────────────────────────────────────────────────────────────────────────────────


def _known(encoding: str, names: tuple[str, ...]) -> None:
    if encoding == BASELINE and BASELINE not in names:
        raise UsageError("the baseline records nothing that could be undone")
    if encoding not in names:
        raise UsageError(f"there is no encoding {encoding!r}; there are {', '.join(names)}")


def _spans(corpus: Dependencies, rows: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Return the first row of each sentence that has one of some rows, and where it ends."""
    sentences = np.unique(corpus.words.sentence_of_row()[rows])
    return zip(
        corpus.offsets[sentences].tolist(), corpus.offsets[sentences + 1].tolist(), strict=True
    )


def _flags(truth: list[bool], code: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.array(truth, np.bool_)[code] if truth else np.zeros(len(code), np.bool_)


def _moves(corpus: Dependencies, moved: NDArray[np.bool_], left: int = 0) -> Moves:
    sentences = np.unique(corpus.words.sentence_of_row()[moved])
    circles = int(cyclic(corpus).sum())
    return Moves(corpus.words.rows, int(moved.sum()), len(sentences), left, circles)
