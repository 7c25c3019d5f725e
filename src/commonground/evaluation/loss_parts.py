r"""What a parse of raw text loses, and to what: segmentation, conventions, tags, errors.

Gold standard and parse have the same text, but perhaps other words and sentences. As in the CoNLL
2018 shared task, with G and S the words of the two and C those that are the same word with the same
head and label, F1 = 2C / (G + S). The G + S − 2C items that are lost are parted, in this order:

* **segmentation**: words that the other side does not have; and words whose head no tree over the
  words and sentences of the parse could have right: their gold head is no word of it, or stands in
  another sentence, or they are a second root in one sentence. Of the rest,
* **conventions**, by construction: what is right when the gold standard is moved into the scheme of
  the parse, with the parse's names of labels, less what was right before and is not after
  (:mod:`commonground.evaluation.conventions`). Names are read off other sentences than those that
  they are used for. What no construction tells is ``labels``. Where fewer than 60 % of the heads
  are right in any scheme, nothing counts as a convention;
* **tags**: errors at words where the tag of the word, of its head or of the head that it should
  have is wrong, beyond those that there would be anyway: with e errors among t such words, and e′
  among t′ others, e − t·e′/t′ (0 where that is negative). A wrong tag and a wrong head can have the
  same cause, so that right tags need not save all of it;
* **errors**: all the rest.

The parts add up to the loss. For CLAS, only words count whose label is one of content words, on
each side by its own labels; the parts are the same words'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import CommonGroundError
from commonground.evaluation.label_conventions import LabelledSentence, right_in_own_names
from commonground.metrics.dependencies.content import CONTENT
from commonground.schemes.learning.learn import Learned, learn
from commonground.schemes.learning.moving import Moving
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import tagging_of, transform
from commonground.tokens import align_words

__all__ = ["LABELS", "LossParts", "loss_parts"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

LABELS = "labels"
"""The part of conventions that no construction tells: other names of labels."""

_FEW_RIGHT = 0.6
"""Where fewer heads are right in any scheme, a bad parse may look like one in another scheme."""

_SAME_TAGS = 0.5
"""Where fewer tags are right, they are those of another tag set."""


@dataclass(frozen=True, slots=True)
class LossParts:
    """The items that a parse loses by a metric: `lost` of `items`, on both sides together.

    `conventions` are by construction. Parts are whole numbers but for tags and errors.
    """

    items: int
    lost: int
    segmentation: int
    conventions: Mapping[str, int]
    tags: float
    errors: float

    @property
    def convention(self) -> int:
        """All that is lost to conventions."""
        return sum(self.conventions.values())

    def points(self, items: float) -> float:
        """Return items as points of F1, from 0 to 100."""
        return 100 * items / self.items if self.items else 0.0

    def in_points(self) -> dict[str, float]:
        """Return the parts as points."""
        parts = {
            "segmentation": self.segmentation,
            "convention": self.convention,
            "tags": self.tags,
            "error": self.errors,
        }
        return {name: self.points(number) for name, number in parts.items()}

    def to_json(self) -> dict[str, Any]:
        """Return the parts as JSON has them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Gold standard and parse of one text, word by word of the gold standard.

    `partner` is the row of the same word in the parse, -1 without one. `head` is the head of that
    word as a row of the gold standard: -1 for the root, -2 for a word that it does not have.
    `gold_head` is the same for its own. `lost` are words whose head segmentation makes impossible.
    """

    gold: Dependencies
    system: Dependencies
    partner: Numbers
    head: Numbers
    gold_head: Numbers
    same_label: Flags
    lost: Flags

    @property
    def right(self) -> Flags:
        return (self.partner >= 0) & (self.head == self.gold_head) & self.same_label


def loss_parts(
    gold: Dependencies, system: Dependencies, *, gold_scheme: str = "ud"
) -> dict[str, LossParts]:
    """Return what a parse of a text loses by LAS and CLAS, and to what.

    >>> import commonground as cg
    >>> parts = loss_parts(cg.read("example:ud"), cg.read("example:sud"))
    >>> {name: round(points) for name, points in parts["las"].in_points().items()}
    {'segmentation': 0, 'convention': 64, 'tags': 0, 'error': 0}
    """
    pairs = _paired(gold, system)
    seen = (pairs.partner >= 0) & ~pairs.lost
    own, construction = _in_own_scheme(pairs, seen, gold_scheme)
    tagged = _wrong_tags(pairs)
    return {
        "las": _parts(pairs, seen, own, construction, tagged, content=False),
        "clas": _parts(pairs, seen, own, construction, tagged, content=True),
    }


def _base(labels: Strings) -> Strings:
    return labels.map(lambda label: label.partition(":")[0])


def _rows_of_heads(corpus: Dependencies) -> Numbers:
    """Return the row of each word's head, -1 for the root."""
    first = corpus.words.offsets[corpus.words.sentence_of_row()]
    heads = corpus.head.astype(np.int64)
    return np.where(heads > 0, first + heads - 1, -1)


def _paired(gold: Dependencies, system: Dependencies) -> _Pairs:
    aligned = align_words(gold, system)
    partner = np.full(gold.words.rows, -1, np.int64)
    partner[aligned.gold] = aligned.system
    back = np.full(system.words.rows + 1, -2, np.int64)
    back[aligned.system] = aligned.gold
    gold_head, system_head = _rows_of_heads(gold), _rows_of_heads(system)
    its_head = np.append(system_head, -1)[partner]
    head = np.where(its_head < 0, -1, back[its_head])
    labels = np.array(_base(system.deprel).tolist() or [""], object)
    same = (np.array(_base(gold.deprel).tolist(), object) == labels[partner]) & (partner >= 0)
    sentence = np.append(system.words.sentence_of_row(), -1)[partner]
    apart = (gold_head >= 0) & ((partner[gold_head] < 0) | (sentence[gold_head] != sentence))
    right = (partner >= 0) & (head == gold_head) & same
    lost = (partner >= 0) & ~right & apart
    lost |= _second_roots(gold_head, sentence, (partner >= 0) & ~right, right)
    return _Pairs(gold, system, partner, head, gold_head, same, lost)


def _second_roots(gold_head: Numbers, sentence: Numbers, wrong: Flags, right: Flags) -> Flags:
    """Tell which roots of the gold standard cannot be one, as their sentence of the parse has one.

    Of k roots in one sentence of the parse, k − 1 cannot; those that are wrong, the last ones
    first.
    """
    lost = np.zeros(len(gold_head), np.bool_)
    roots = np.flatnonzero((gold_head == -1) & (wrong | right))
    by_sentence: dict[int, list[int]] = {}
    for row in roots.tolist():
        by_sentence.setdefault(int(sentence[row]), []).append(row)
    for rows in by_sentence.values():
        impossible = [row for row in reversed(rows) if wrong[row]][: len(rows) - 1]
        lost[impossible] = True
    return lost


# ── conventions ──────────────────────────────────────────────────────────────────────────────────


def _in_own_scheme(
    pairs: _Pairs, seen: Flags, gold_scheme: str
) -> tuple[Flags, NDArray[np.object_]]:
    """Tell which words are right in the parse's own scheme, and by which construction that differs.

    What segmentation has lost is taken as the gold standard has it, so that it says nothing.
    """
    right = pairs.right
    none = np.full(len(right), LABELS, object)
    gold = pairs.gold
    first = gold.words.offsets[gold.words.sentence_of_row()]
    inside = (pairs.head == -1) | (
        (pairs.head >= 0)
        & (gold.words.sentence_of_row()[pairs.head] == gold.words.sentence_of_row())
    )
    told = seen & inside
    numbers = np.where(pairs.head >= 0, pairs.head - first + 1, 0)
    heads = np.where(told, numbers, gold.head).astype(np.int32)
    sample = gold.replace("words", head=heads)
    try:
        learned = learn(sample, gold, gold_scheme)
        origin = learned.reference
        moving = Moving.of(gold, sample, origin, tagging_of(gold, origin))
        near = (
            gold if learned.nearest == origin.name else transform(gold, origin, learned.nearest)[0]
        )
    except CommonGroundError:  # unknown tags, or no trees
        return right, none
    stages = _stages(learned, moving)
    final = stages[-1]
    if (final[told] == heads[told]).sum() < _FEW_RIGHT * max(int(seen.sum()), 1):
        return right, none
    own = np.array(
        [
            flag
            for flags in right_in_own_names(_labelled(pairs, moving, told, final, heads, near))
            for flag in flags
        ],
        np.bool_,
    )
    own &= told
    return own, _constructions(learned, stages, heads)


def _stages(learned: Learned, moving: Moving) -> list[Numbers]:
    """Return the heads of the gold standard as it is, and after each move."""
    schemes: list[Scheme] = [learned.reference, *(scheme for _, scheme in learned.moves)]
    return [
        np.array(
            [head for place in range(len(moving.trees)) for head in moving.heads(scheme, place)],
            np.int64,
        )
        for scheme in schemes
    ]


def _labelled(
    pairs: _Pairs,
    moving: Moving,
    told: Flags,
    final: Numbers,
    heads: NDArray[np.int32],
    near: Dependencies,
) -> list[LabelledSentence]:
    """Return the sentences with labels; a word that says nothing has no head in the parse."""
    gold = pairs.gold
    labels = np.array([*_base(pairs.system.deprel).tolist(), "_"], object)[pairs.partner].tolist()
    columns = [
        _base(gold.deprel).tolist(),
        labels,
        gold.upos.tolist(),
        _base(near.deprel).tolist(),
    ]
    parse = np.where(told, heads, -1).tolist()
    moved = final.tolist()
    return [
        LabelledSentence(
            moving.plain[place],
            moved[start:stop],
            parse[start:stop],
            *(column[start:stop] for column in columns),
        )
        for place, (start, stop) in enumerate(pairwise(gold.offsets.tolist()))
    ]


def _constructions(
    learned: Learned, stages: list[Numbers], heads: NDArray[np.int32]
) -> NDArray[np.object_]:
    """Return for each word the last move that made its head right or wrong."""
    names = np.full(len(heads), LABELS, object)
    rights = [stage == heads for stage in stages]
    for (name, _), (before, after) in zip(learned.moves, pairwise(rights), strict=True):
        names[before != after] = name
    names[rights[0] == rights[-1]] = LABELS
    return names


# ── tags ─────────────────────────────────────────────────────────────────────────────────────────


def _wrong_tags(pairs: _Pairs) -> Flags:
    """Tell of each word whether its tag, or that of its head in gold standard or parse, is wrong.

    No word is, where the parse has no tags or those of another set.
    """
    theirs = np.array([*pairs.system.upos.tolist(), ""], object)[pairs.partner]
    wrong = (np.array(pairs.gold.upos.tolist(), object) != theirs) & (pairs.partner >= 0)
    if not (pairs.partner >= 0).any() or wrong.mean() > 1 - _SAME_TAGS:
        return np.zeros(len(wrong), np.bool_)
    padded = np.append(wrong, False)
    above = padded[np.where(pairs.head >= 0, pairs.head, -1)]
    return wrong | above | padded[np.where(pairs.gold_head >= 0, pairs.gold_head, -1)]


# ── the parts ────────────────────────────────────────────────────────────────────────────────────


def _parts(
    pairs: _Pairs,
    seen: Flags,
    own: Flags,
    construction: NDArray[np.object_],
    tagged: Flags,
    *,
    content: bool,
) -> LossParts:
    """Return the parts of a loss; a pair of words counts on each side."""
    gold, system = (_counted(side, content=content) for side in (pairs.gold, pairs.system))
    has = pairs.partner >= 0
    weight = gold + np.where(has, np.append(system, 0)[pairs.partner], 0)
    right = pairs.right
    alone = int(system.sum() - np.append(system, 0)[pairs.partner[has]].sum())
    segmentation = alone + int(weight[~has].sum()) + int(weight[pairs.lost].sum())
    change = np.where(seen, own.astype(np.int64) - right.astype(np.int64), 0) * weight
    named: Counter[str] = Counter()
    for name in sorted(set(construction[change != 0].tolist())):
        named[name] = int(change[construction == name].sum())
    wrong = seen & ~own
    errors = int(weight[wrong].sum())
    tags = _excess(weight, seen, wrong, tagged)
    return LossParts(
        items=int(gold.sum() + system.sum()),
        lost=int(gold.sum() + system.sum() - weight[right].sum()),
        segmentation=segmentation,
        conventions={name: number for name, number in named.most_common() if number},
        tags=tags,
        errors=errors - tags,
    )


def _counted(corpus: Dependencies, *, content: bool) -> Numbers:
    if not content:
        return np.ones(corpus.words.rows, np.int64)
    labels = _base(corpus.deprel).tolist()
    return np.array([label in CONTENT for label in labels], np.int64)


def _excess(weight: Numbers, seen: Flags, wrong: Flags, tagged: Flags) -> float:
    """Return the errors at wrong tags beyond those that there would be anyway."""
    many, few = (float(weight[seen & flags].sum()) for flags in (tagged, ~tagged))
    errors, others = (float(weight[wrong & flags].sum()) for flags in (tagged, ~tagged))
    return max(errors - many * others / few, 0.0) if few else 0.0
