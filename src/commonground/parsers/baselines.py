"""What a parser has to beat: baselines as parsers like any other.

``right-branching``, ``left-branching``, ``nearest`` and ``random`` look at positions only
(:mod:`commonground.parsers.dmv.baselines`). ``frequent-head`` hangs each word on the nearest word,
on the usual side, with the tag that words of its own tag hang on most often; where that closes a
cycle or nothing fits, it hangs on the root. Labels are the most frequent ones of each tag. As for
the unsupervised parsers, punctuation hangs on its neighbour.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.parsers.dmv.baselines import BASELINES, baseline_heads, random_tree
from commonground.parsers.dmv.symbols import COLUMNS, heads_with_punctuation, tag_column, tags_in
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Parser, TrainingTask
from commonground.random import stream
from commonground.schemes.structures import punctuation

__all__ = ["PARSERS", "BaselineModel", "baseline_parses", "better_branching"]

Heads = NDArray[np.int32]
Seen = TypeVar("Seen", str, tuple[int, str])

FREQUENT_HEAD = "frequent-head"
ROOT = ""
"""The tag of the root, which no word has."""


@dataclass(frozen=True, slots=True)
class BaselineSettings:
    """The settings of a baseline: none."""


@dataclass(frozen=True)
class BaselineModel:
    """A baseline with what it has seen: the usual label and head of each tag in a `column`.

    `labels` has the most frequent label of a tag, for roots that of the tag ``""``. `usual` has the
    side (−1 before, 1 after) and the tag of the most frequent head; the root has the tag ``""``.
    """

    name: str
    column: str
    labels: Mapping[str, str]
    usual: Mapping[str, tuple[int, str]]
    seed: int = 0

    def parse(self, corpus: Dependencies, /) -> Dependencies:
        """Return the corpus with the trees of the baseline."""
        rows = np.flatnonzero(~punctuation(corpus))
        inside = np.bincount(corpus.words.sentence_of_row()[rows], minlength=len(corpus))
        offsets = np.concatenate([[0], np.cumsum(inside)]).astype(np.int64)
        tags = corpus.words.strings(self.column).tolist()
        heads = self._heads(corpus, [tags[row] for row in rows.tolist()], rows, offsets)
        heads = heads_with_punctuation(corpus, rows, heads)
        other = self.labels.get(ROOT, "root")
        labels = (
            self.labels.get(tag, "dep") if head else other
            for tag, head in zip(tags, heads.tolist(), strict=True)
        )
        return corpus.replace("words", head=heads, deprel=Strings.of(labels))

    def _heads(
        self,
        corpus: Dependencies,
        tags: Sequence[str],
        rows: NDArray[np.int64],
        offsets: NDArray[np.int64],
    ) -> Heads:
        """Return the heads of the words that are no punctuation, among these."""
        sentences = [(int(a), int(b)) for a, b in itertools.pairwise(offsets)]
        if self.name == FREQUENT_HEAD:
            trees = [frequent_heads(tags[first:last], self.usual) for first, last in sentences]
        elif self.name in _DRAWN:
            # Drawn by the words, so that a sentence has the same tree wherever it stands.
            forms = corpus.form.tolist()
            words = [" ".join(forms[row] for row in rows[a:b].tolist()) for a, b in sentences]
            trees = [
                _DRAWN[self.name](last - first, stream(self.seed, self.name, crc32(text.encode())))
                for (first, last), text in zip(sentences, words, strict=True)
            ]
        else:
            return baseline_heads(self.name, offsets)
        return np.array([head for tree in trees for head in tree], np.int32)

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        usual = {tag: [side, head] for tag, (side, head) in self.usual.items()}
        metadata = {"column": self.column, "labels": dict(self.labels), "usual": usual}
        return Stored(self.name, {**metadata, "seed": self.seed})


def frequent_heads(tags: Sequence[str], usual: Mapping[str, tuple[int, str]]) -> list[int]:
    """Return the heads of a sentence in which each word hangs where its tag usually does.

    >>> frequent_heads(["DET", "NOUN", "VERB"], {"DET": (1, "NOUN"), "NOUN": (1, "VERB")})
    [2, 3, 0]
    """
    heads = [_nearest(tags, at, *usual.get(tag, (0, ROOT))) for at, tag in enumerate(tags)]
    if not heads:
        return heads
    root = heads.index(0) + 1 if 0 in heads else 1
    for word in range(1, len(heads) + 1):
        heads[word - 1] = 0 if word == root else heads[word - 1] or root
    for word in range(1, len(heads) + 1):
        above, at = {word}, heads[word - 1]
        while at and at not in above:
            above.add(at)
            at = heads[at - 1]
        if at:  # a cycle: it is cut at the word where it was found
            heads[at - 1] = root
    return heads


def _nearest(tags: Sequence[str], at: int, side: int, tag: str) -> int:
    """Return the nearest word of a tag on a side of a word, as a head; 0 where there is none."""
    places = range(at - 1, -1, -1) if side < 0 else range(at + 1, len(tags))
    return next((place + 1 for place in places if tags[place] == tag), 0) if side else 0


def _nearest_neighbours(length: int, random: np.random.Generator) -> list[int]:
    root = int(random.integers(length)) if length else 0
    return [0 if at == root else at + 2 if at < root else at for at in range(length)]


_DRAWN = {"random": random_tree, "nearest": _nearest_neighbours}
"""The baselines that draw a tree for each sentence."""


def _train(name: str, task: TrainingTask) -> BaselineModel:
    """Return a baseline with the labels and heads that the tags of a treebank usually have."""
    corpus: Dependencies = task.corpus
    # Branching needs no tags: of words alone, labels are those of all words.
    column = tag_column(corpus) if name == FREQUENT_HEAD else tags_in(corpus) or COLUMNS[0]
    tags, labels = corpus.words.strings(column).tolist(), corpus.deprel.tolist()
    first = corpus.offsets[corpus.words.sentence_of_row()].tolist()
    seen_labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen_heads: defaultdict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
    for row, head in enumerate(corpus.head.tolist()):
        if head < 0:  # a partial tree
            continue
        above = first[row] + head - 1
        seen_labels[tags[row] if head else ROOT][labels[row]] += 1
        side = 0 if not head else 1 if above > row else -1
        seen_heads[tags[row]][side, tags[above] if head else ROOT] += 1
    return BaselineModel(
        name, column, _most_frequent(seen_labels), _most_frequent(seen_heads), task.seed
    )


def _most_frequent(counts: Mapping[str, Counter[Seen]]) -> dict[str, Seen]:
    """Return what is most frequent for each tag; of several, the first in order."""
    return {
        tag: min(seen.items(), key=lambda item: (-item[1], item[0]))[0]
        for tag, seen in sorted(counts.items())
    }


def better_branching(gold: Dependencies, parsed: Dependencies) -> tuple[str, float, float] | None:
    """Return a branching baseline with more right heads than a parse: its name, its share, theirs.

    Punctuation does not count, nor do words without a head.

    >>> gold = Dependencies.of([(["a", "b", "c"], [0, 1, 2], ["_"] * 3)])
    >>> better_branching(gold, gold) is None
    True
    >>> wrong = Dependencies.of([(["a", "b", "c"], [2, 3, 0], ["_"] * 3)])
    >>> better_branching(gold, wrong)
    ('right-branching', 1.0, 0.0)
    """
    counted = ~punctuation(gold) & (gold.head >= 0)
    if not counted.any():
        return None
    own = float((parsed.head == gold.head)[counted].mean())
    shares = {}
    for name in ("right-branching", "left-branching"):
        tree = BaselineModel(name, "upos", {}, {}).parse(gold)
        shares[name] = float((tree.head == gold.head)[counted].mean())
    best = max(shares, key=lambda name: shares[name])
    return (best, shares[best], own) if shares[best] > own else None


def baseline_parses(gold: Dependencies) -> dict[str, Dependencies]:
    """Return what the baselines make of a gold standard, whose usual heads and labels they know.

    >>> gold = Dependencies.of([(["a", "b"], [0, 1], ["root", "x"])])
    >>> baseline_parses(gold)["left-branching"].head.tolist()
    [2, 0]
    """
    task = TrainingTask(gold, BaselineSettings())
    names = [
        "right-branching",
        "left-branching",
        "nearest",
        *([FREQUENT_HEAD] * bool(tags_in(gold))),
    ]
    return {name: _train(name, task).parse(gold) for name in names}


def _load(stored: Stored) -> BaselineModel:
    labels, usual = stored.value("labels", dict), stored.value("usual", dict)
    sides = {tag: tuple(pair) for tag, pair in usual.items() if _is_side(pair)}
    if len(sides) < len(usual) or not all(isinstance(label, str) for label in labels.values()):
        raise ModelError(f"the labels or heads of its {stored.parser} model are not right")
    column, seed = stored.value("column", str), stored.value("seed", int)
    if column not in ("xpos", "upos"):
        raise ModelError(f"its {stored.parser} model names the column {column!r:.40}")
    return BaselineModel(stored.parser, column, labels, sides, seed)


def _is_side(pair: object) -> bool:
    """Tell whether a value is a side and a tag."""
    match pair:
        case [int(side), str()]:
            return side in (-1, 0, 1)
    return False


_TITLES = {
    "right-branching": "a baseline: every word hangs on the word before it",
    "left-branching": "a baseline: every word hangs on the word after it",
    "nearest": "a baseline: a root is drawn, every other word hangs on its neighbour on that side",
    "random": "a baseline: a tree drawn from all projective trees",
    FREQUENT_HEAD: "a baseline: the nearest word of the tag that a word's tag most often hangs on",
}

PARSERS = {
    name: Parser(
        name=name,
        title=_TITLES[name],
        corpus=Dependencies,
        settings=BaselineSettings,
        train=partial(_train, name),
        load=_load,
        partial=True,
    )
    for name in (*BASELINES, FREQUENT_HEAD)
}
