"""What an aligner is set to, and what it has learnt, which can be saved and used for new text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError, UsageError, quoted
from commonground.formats.notation.line_reader import text_lines
from commonground.formats.storage.files import read_bytes, shown, write_bytes

__all__ = ["AlignerSettings", "AlignmentModel", "read_model", "write_model"]

_HEADING = "# commonground alignment model 1"


@dataclass(frozen=True, slots=True)
class AlignerSettings:
    """How sentence pairs are aligned; the numbers were chosen on nine pairs of languages.

    `prefix`: words are the same when so many letters at their beginning are, in lower case (0: all
    letters); on the side of the target it is `target_prefix`, if given. `lexical_rounds` of IBM
    model 1 and `rounds` of the hidden Markov model are made, the latter counting what both
    directions agree on. `smoothing` is added to the count of every pair of words, `alike` to that
    of words that are spelt the same. `empty` is the probability of the empty word, `reach` the
    longest jump that is told from longer ones. Pairs with more than `longest` words on a side are
    not aligned.
    """

    prefix: int = 4
    target_prefix: int = -1
    lexical_rounds: int = 8
    rounds: int = 2
    smoothing: float = 3e-5
    alike: float = 2.0
    empty: float = 0.1
    reach: int = 20
    longest: int = 1000

    def __post_init__(self) -> None:
        if self.target_prefix == -1:
            object.__setattr__(self, "target_prefix", self.prefix)
        for name in ("prefix", "target_prefix", "lexical_rounds", "rounds", "alike"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is {getattr(self, name)}; 0 or more is needed")
        if not self.smoothing > 0 or not 0 < self.empty < 1 or self.reach < 1 or self.longest < 1:
            raise UsageError(
                "smoothing, reach and longest are more than 0, and empty is between 0 and 1"
            )

    def key(self, word: str) -> str:
        """Return what words of the source are told apart by.

        >>> AlignerSettings().key("Sentences"), AlignerSettings(prefix=0).key("Sentences")
        ('sent', 'sentences')
        """
        return word.lower()[: self.prefix or None]

    def target_key(self, word: str) -> str:
        """Return what words of the target are told apart by."""
        return word.lower()[: self.target_prefix or None]


@dataclass(frozen=True, eq=False)
class AlignmentModel:
    """What was learnt: expected numbers of links, and of jumps from one link to the next.

    `source` and `target` are the words as they are told apart; `pairs` are a source word, a target
    word (as places in these) and the expected `links` between the two. `unlinked` are the expected
    numbers of target words, and of source words, without a link; `jumps` those of jumps from one
    link to the next, along the source and along the target.
    """

    settings: AlignerSettings
    source: Sequence[str]
    target: Sequence[str]
    pairs: NDArray[np.int32]
    links: NDArray[np.float64]
    unlinked: tuple[NDArray[np.float64], NDArray[np.float64]]
    jumps: tuple[NDArray[np.float64], NDArray[np.float64]]

    def probability(self, source: str, target: str) -> float:
        """Return how likely a source word becomes this target word, 0 where that was never seen."""
        ours = _place(self.source, self.settings.key(source))
        theirs = _place(self.target, self.settings.target_key(target))
        same = self.pairs[:, 0] == ours
        total = float(self.links[same].sum())
        return float(self.links[same & (self.pairs[:, 1] == theirs)].sum()) / total if total else 0


def _place(words: Sequence[str], word: str) -> int:
    return words.index(word) if word in words else -1


LEAST = 0.01
"""Fewer expected links than this are not kept."""


def write_model(model: AlignmentModel, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, which is text: kind of entry, words and number, a tab between."""
    write_bytes(path, (f"{line}\n".encode() for line in _lines(model)))


def _lines(model: AlignmentModel) -> Iterator[str]:
    yield _HEADING
    yield from (f"setting\t{name}\t{value!r}" for name, value in asdict(model.settings).items())
    for kind, jumps in zip(("source-jump", "target-jump"), model.jumps, strict=True):
        reach = len(jumps) // 2
        yield from (f"{kind}\t{at - reach}\t{number:.4f}" for at, number in enumerate(jumps))
    sides = (("unlinked-target", model.target), ("unlinked-source", model.source))
    for (kind, words), numbers in zip(sides, model.unlinked, strict=True):
        yield from (
            f"{kind}\t{word}\t{number:.4f}"
            for word, number in zip(words, numbers.tolist(), strict=True)
            if number >= LEAST
        )
    for (one, two), number in zip(model.pairs.tolist(), model.links.tolist(), strict=True):
        if number >= LEAST:
            yield f"link\t{model.source[one]}\t{model.target[two]}\t{number:.4f}"


def read_model(path: str | os.PathLike[str]) -> AlignmentModel:
    """Read a model from a file."""
    lines, wrong = text_lines(read_bytes(path))
    if lines[0] != _HEADING:
        message = f"this is not an alignment model; its first line would be {_HEADING!r}"
        raise InputError(shown(path), 1, message)
    if wrong:
        raise InputError(shown(path), wrong[0].line, wrong[0].message)
    entries = _Entries()
    for number, line in enumerate(lines[1:], 2):
        if line:
            try:
                entries.take(line.split("\t"))
            except (ValueError, KeyError, IndexError):
                message = f"{quoted(line)}; this is not an entry of a model"
                raise InputError(shown(path), number, message) from None
    return entries.model(shown(path))


class _Entries:
    """The entries of a file, one after the other."""

    def __init__(self) -> None:
        self.settings: dict[str, float] = {}
        self.words: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.pairs: list[tuple[int, int]] = []
        self.links: list[float] = []
        self.single: dict[str, dict[str, float]] = {
            kind: {}
            for kind in ("source-jump", "target-jump", "unlinked-target", "unlinked-source")
        }

    def take(self, entry: Sequence[str]) -> None:
        kind, *words, text = entry
        number = float(text)
        if not 0 <= number < 1e15:
            raise ValueError(text)
        if kind == "link":
            one, two = words
            self.pairs.append((self._number(0, one), self._number(1, two)))
            self.links.append(number)
        elif kind == "setting":
            self.settings[words[0]] = number
        else:
            (word,) = words
            if kind.startswith("unlinked"):
                self._number(int(kind == "unlinked-target"), word)
            self.single[kind][word] = number

    def _number(self, side: int, word: str) -> int:
        return self.words[side].setdefault(word, len(self.words[side]))

    def model(self, path: str) -> AlignmentModel:
        if "prefix" in self.settings:  # which was that of both sides
            self.settings.setdefault("target_prefix", self.settings["prefix"])
        kinds = {name: type(value) for name, value in asdict(AlignerSettings()).items()}
        if set(self.settings) != set(kinds):
            raise InputError(path, 0, f"a model has the settings {', '.join(kinds)}")
        settings = AlignerSettings(
            **{name: kinds[name](value) for name, value in self.settings.items()}
        )
        reach = range(-settings.reach, settings.reach + 1)
        along = (self.single["source-jump"], self.single["target-jump"])
        if any(set(jumps) != set(map(str, reach)) for jumps in along):
            raise InputError(path, 0, f"a model has the jumps from {reach[0]} to {reach[-1]}")
        return AlignmentModel(
            settings,
            tuple(self.words[0]),
            tuple(self.words[1]),
            np.array(self.pairs, np.int32).reshape(-1, 2),
            np.array(self.links, np.float64),
            (
                _numbers(self.single["unlinked-target"], self.words[1]),
                _numbers(self.single["unlinked-source"], self.words[0]),
            ),
            (_numbers(along[0], map(str, reach)), _numbers(along[1], map(str, reach))),
        )


def _numbers(by_word: Mapping[str, float], words: Iterable[str]) -> NDArray[np.float64]:
    return np.array([by_word.get(word, 0.0) for word in words], np.float64)
