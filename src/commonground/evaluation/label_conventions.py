"""Convention or error, for labels: what of the loss of LAS is structure, names of labels, errors?

The heads of the gold standard were moved to the scheme of the parse, and labels go with them: the
label of a phrase stands on the word that heads it now, and the word below has that of the function
word that it was turned round with. Which names the parse has for these is read off the parse, from
those of the scheme that it is nearest to on, if more of them are the parse's. For all words whose
head is right in its scheme, a kind of word (its label there, then also the tags of
the word and of its head) has another name if that makes g labels right and l wrong with
g − l > 2√l and g > 1, much as for choices of heads. With

    c0  heads and labels right as they are,        n   words,
    c1  right with the heads moved,                h   heads right with the heads moved,
    c2  right with the heads moved and other names

the n − c0 that are lost are structure c1 − c0, names c2 − c1, wrong heads n − h, and wrong labels
h − c2. The four parts add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["LabelParts", "LabelledSentence", "label_parts", "right_in_own_names"]

_LEAST = 1
"""How many labels another name must make right more than."""

_LEVELS = 3
"""Kinds of words are told apart in so many steps: by labels, tags, and heads."""

Kind = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence of gold standard and parse: heads as they are and moved, labels, tags.

    Words have the numbers 1, 2, …; a head is such a number, or 0. `near_labels` are those of the
    gold standard in the scheme that the parse is nearest to, if that is another one.
    """

    gold: Sequence[int]
    moved: Sequence[int]
    parse: Sequence[int]
    gold_labels: Sequence[str]
    parse_labels: Sequence[str]
    tags: Sequence[str]
    near_labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class LabelParts:
    """What of the loss of LAS is due to what, in words: `structure` and `names` are conventions.

    Negative numbers are lost again by the move.
    """

    correct: int
    structure: int
    names: int
    wrong_heads: int
    wrong_labels: int

    @property
    def lost(self) -> int:
        """The words whose head or label is another one."""
        return self.structure + self.names + self.wrong_heads + self.wrong_labels

    @property
    def by_convention(self) -> int:
        """The words that are lost to annotation."""
        return self.structure + self.names

    def to_json(self) -> dict[str, Any]:
        """Return the parts as JSON has them."""
        return asdict(self)


@dataclass(slots=True)
class _Word:
    """A word with a right head: what it is, its own and the parse's label, and the name so far."""

    kinds: tuple[Kind, ...]
    wanted: str
    name: str
    near: str
    place: tuple[int, int] = (0, 0)


def label_parts(sentences: Iterable[LabelledSentence]) -> LabelParts:
    """Return what the loss of LAS is due to.

    *in Rome*, where the parse has *in* as the head, with names of its own; then a wrong label:

    >>> turned = LabelledSentence([2, 0], [0, 1], [0, 1], ["case", "root"], ["ROOT", "pobj"], "PN")
    >>> wrong = LabelledSentence([2, 0], [0, 1], [0, 1], ["case", "root"], ["ROOT", "x"], "PN")
    >>> label_parts([turned] * 9 + [wrong])
    LabelParts(correct=0, structure=0, names=19, wrong_heads=0, wrong_labels=1)
    """
    words: list[_Word] = []
    total = correct = 0
    for sentence in sentences:
        total += len(sentence.gold)
        correct += sum(
            here == there and one == other
            for here, there, one, other in zip(
                sentence.gold,
                sentence.parse,
                sentence.gold_labels,
                sentence.parse_labels,
                strict=True,
            )
        )
        words += _right_ones(sentence)
    moved = _right(words)
    _name(words)
    named = _right(words)
    return LabelParts(
        correct, moved - correct, named - moved, total - len(words), len(words) - named
    )


def right_in_own_names(sentences: Iterable[LabelledSentence], folds: int = 5) -> list[list[bool]]:
    """Tell of each word whether head and label are right in the scheme, and the names, of a parse.

    Which names these are is read off the sentences of the other `folds`, so that a wrong label does
    not become right by itself.

    >>> turned = LabelledSentence([2, 0], [0, 1], [0, 1], ["case", "root"], ["ROOT", "pobj"], "PN")
    >>> wrong = LabelledSentence([2, 0], [0, 1], [0, 1], ["case", "root"], ["ROOT", "x"], "PN")
    >>> right_in_own_names([turned] * 9 + [wrong])[-2:]
    [[True, True], [True, False]]
    """
    words: list[_Word] = []
    right: list[list[bool]] = []
    for number, sentence in enumerate(sentences):
        right.append([False] * len(sentence.gold))
        for word in _right_ones(sentence):
            word.place = number, word.place[1]
            words.append(word)
    _name(words, folds)
    for word in words:
        sentence_number, place = word.place
        right[sentence_number][place] = word.name == word.wanted
    return right


def _name(words: Sequence[_Word], folds: int = 1) -> None:
    """Give each kind of word the name that the parse has for it."""
    if sum(word.near == word.wanted for word in words) > _right(words):
        for word in words:
            word.name = word.near
            word.kinds = tuple((*kind, word.near) for kind in word.kinds)
    for level in range(_LEVELS):
        _rename(words, level, folds)


def _right(words: Iterable[_Word]) -> int:
    return sum(word.name == word.wanted for word in words)


def _right_ones(sentence: LabelledSentence) -> Iterator[_Word]:
    """Return the words whose head in the parse is that of the moved gold standard."""
    labels, tags = sentence.gold_labels, sentence.tags
    for place, (head, wanted) in enumerate(zip(sentence.moved, sentence.parse, strict=True)):
        if head == wanted:
            way, label = _label(sentence, place + 1)
            tag, above = tags[place], tags[head - 1] if head else "ROOT"
            side = "left" if place + 1 < head else "right"
            kinds = (
                (way, label),
                (way, label, labels[place], tag),
                (way, label, labels[place], tag, above, side),
            )
            near = sentence.near_labels[place] if sentence.near_labels else label
            yield _Word(kinds, sentence.parse_labels[place], label, near, (0, place))


def _label(sentence: LabelledSentence, word: int) -> tuple[str, str]:
    """Return the label that a word has in the moved tree, and what has become of it.

    A word that was raised above its head has the label of the phrase; one that was lowered has the
    label of the word above it, which was its dependent.
    """
    gold, moved, labels = sentence.gold, sentence.moved, sentence.gold_labels
    if gold[word - 1] == moved[word - 1]:
        return "same", labels[word - 1]
    carrier = word
    for _ in range(len(gold)):  # no more than there are words, also where heads form a cycle
        above = gold[carrier - 1]
        if not above or not _is_below(above, word, moved):
            break
        carrier = above
    if carrier != word:
        return "raised", labels[carrier - 1]
    over = moved[word - 1]
    if over and gold[over - 1] == word:
        return "lowered", labels[over - 1]
    return "moved", labels[word - 1]


def _is_below(word: int, top: int, heads: Sequence[int]) -> bool:
    for _ in range(len(heads)):
        if word == top:
            return True
        if not word:
            return False
        word = heads[word - 1]
    return False


def _rename(words: Sequence[_Word], level: int, folds: int = 1) -> None:
    """Give each kind of word the name that most of the parse's labels are, if that is no chance.

    With several folds, the labels of the other ones tell it.
    """
    groups: dict[Kind, list[_Word]] = {}
    for word in words:
        groups.setdefault(word.kinds[level], []).append(word)
    for group in groups.values():
        names = [_name_of(_others(group, fold, folds)) for fold in range(folds)]
        for word in group:
            word.name = names[word.place[0] % folds] or word.name


def _others(group: Sequence[_Word], fold: int, folds: int) -> Sequence[_Word]:
    return group if folds == 1 else [word for word in group if word.place[0] % folds != fold]


def _name_of(group: Sequence[_Word]) -> str:
    """Return another name for a kind of word, "" where it keeps its own."""
    if not group:
        return ""
    name, _ = Counter(word.wanted for word in group).most_common(1)[0]
    gained = sum(word.wanted == name != word.name for word in group)
    lost = sum(word.wanted == word.name != name for word in group)
    return name if gained > _LEAST and gained - lost > 2 * lost**0.5 else ""
