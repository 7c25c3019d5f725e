"""What has changed between two versions of a treebank: releases, branches or annotators.

Sentences are paired by id and text, however each version cuts them
(:mod:`commonground.tokens.sentences`). A sentence is unchanged, changed, added, removed, split,
merged, or has other words. Where the words are the same, every difference in a column is a change
of one *kind*: the column with the old and the new value (``deprel: obl → obl:agent``), for features
each of them (``Number: Sing → _``), and for heads the tags of the old and of the new head
(``head of case: NOUN → VERB``; ``root`` is no word). So each difference is told exactly once.

A kind that occurs ten times or more in five sentences or more is a *wave*: a decision that was
carried out, rather than single corrections. `share` is the share of the words with the old value
that were changed in this way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.corpus.deps import arcs_in
from commonground.corpus.fingerprint import fingerprint
from commonground.errors import UsageError
from commonground.evaluation.decoding import Count, decoded, one_of
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import signature
from commonground.plurals import number_of
from commonground.tokens.sentences import pair_sentences

__all__ = ["ChangeKind", "TreebankChanges", "treebank_changes"]

WAVE, WAVE_SENTENCES = 10, 5
"""From how many changes in how many sentences on a kind is a wave."""

EXAMPLES = 3
"""Maximum number of examples of each kind."""

CHANGED = ("changed", "added", "removed", "split", "merged", "resplit", "other words")
"""What can have happened to a sentence."""

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

Kind = tuple[str, str, str]
"""What was changed (a column or a feature), the old value and the new one."""


@dataclass(frozen=True, slots=True)
class ChangeKind:
    """Changes of one kind: how many, in how many sentences, of how many words with the old value.

    `examples` are sentences (their ids in the new version) with the word's place and form.
    """

    what: str
    old: str
    new: str
    changes: int
    sentences: int
    candidates: int
    examples: tuple[tuple[str, int, str], ...]

    @property
    def share(self) -> float:
        """The share of the words with the old value that were changed in this way."""
        return self.changes / self.candidates if self.candidates else 0.0

    @property
    def wave(self) -> bool:
        """Whether these are so many that a decision lies behind them."""
        return self.changes >= WAVE and self.sentences >= WAVE_SENTENCES

    def to_json(self) -> dict[str, Any]:
        """Return the kind as JSON has it."""
        examples = [
            {"sent_id": name, "word": place, "form": form} for name, place, form in self.examples
        ]
        return {
            "what": self.what, "old": self.old, "new": self.new, "changes": self.changes,
            "sentences": self.sentences, "candidates": self.candidates, "share": self.share,
            "wave": self.wave, "examples": examples,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class TreebankChanges(Result):
    """All changes between two versions: sentences by what happened to them, and kinds of changes.

    `sentences` has the ids of those that are not `unchanged`: of the old version where they were
    removed, of the new one otherwise. `words` are those that could be compared.
    """

    kind: ClassVar[str] = "changes"
    verb: ClassVar[str] = "diff"

    signature: str
    unchanged: int
    sentences: dict[str, tuple[str, ...]]
    words: int
    changed_words: int
    kinds: tuple[ChangeKind, ...]

    def __bool__(self) -> bool:
        """Tell whether anything has changed."""
        return any(self.sentences.values())

    def __repr__(self) -> str:
        return f"TreebankChanges({self.changed_words:,} of {number_of(self.words, 'word')})"

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "sentences": {
                "unchanged": self.unchanged,
                **{what: list(names) for what, names in self.sentences.items()},
            },
            "words": {"compared": self.words, "changed": self.changed_words},
            "changes": [kind.to_json() for kind in self.kinds],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the changes that JSON holds."""
        saved = decoded(data, _ChangesJson, path)
        unchanged = decoded(saved.sentences.pop("unchanged", 0), Count, path, "sentences.unchanged")
        for what in saved.sentences:
            one_of(path, "kind of sentence", what, CHANGED)
        sentences = decoded(saved.sentences, dict[str, tuple[str, ...]], path, "sentences")
        kinds = tuple(each.decoded() for each in saved.changes)
        words = saved.words
        return cls(saved.signature, unchanged, sentences, words.compared, words.changed, kinds)


class _ExampleJson(msgspec.Struct, frozen=True):
    sent_id: str
    word: Count
    form: str


class _KindJson(msgspec.Struct, frozen=True):
    what: str
    old: str
    new: str
    changes: Count
    sentences: Count
    candidates: Count
    examples: Annotated[tuple[_ExampleJson, ...], msgspec.Meta(min_length=1)]

    def decoded(self) -> ChangeKind:
        examples = tuple((each.sent_id, each.word, each.form) for each in self.examples)
        return ChangeKind(
            self.what, self.old, self.new, self.changes, self.sentences, self.candidates, examples
        )


class _WordsJson(msgspec.Struct, frozen=True):
    compared: Count
    changed: Count


class _ChangesJson(msgspec.Struct, frozen=True):
    signature: str
    sentences: dict[str, Any]
    words: _WordsJson
    changes: tuple[_KindJson, ...]


def treebank_changes(old: Dependencies, new: Dependencies) -> TreebankChanges:
    """Compare two versions of a treebank.

    >>> old = Dependencies.of([(["Birds", "sing"], [2, 0], ["obj", "root"])])
    >>> new = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> [kind] = treebank_changes(old, new).kinds
    >>> kind.what, kind.old, kind.new, kind.changes, kind.share
    ('deprel', 'obj', 'nsubj', 1, 1.0)
    """
    for corpus in (old, new):
        if not isinstance(corpus, Dependencies):
            raise UsageError(f"versions of dependencies can be compared, not of {corpus.kind}")
    pairs = pair_sentences([old, new], main=1)
    before, after = _side(old), _side(new)
    sentences: defaultdict[str, list[str]] = defaultdict(list)
    same: list[tuple[int, int]] = []
    for mine, theirs in zip(*pairs.groups, strict=True):
        what = _what_happened(mine, theirs, before, after)
        if what == "same words":
            same.append((mine[0], theirs[0]))
        else:
            sentences[what].append(after.ids[theirs[0]])
    sentences["removed"] += [before.ids[place] for place in pairs.alone[0]]
    sentences["added"] += [after.ids[place] for place in pairs.alone[1]]
    places = np.array(same, np.int64).reshape(-1, 2)
    collected = _Collected()
    rows_old, rows_new = _rows(old, places[:, 0]), _rows(new, places[:, 1])
    collected.compare(old, new, rows_old, rows_new)
    changed = collected.sentences | _other_comments(old, new, same)
    sentences["changed"] += [after.ids[other] for _, other in same if other in changed]
    return TreebankChanges(
        signature(golds=[fingerprint(old), fingerprint(new)], wave=(WAVE, WAVE_SENTENCES)),
        len(same) - len(sentences["changed"]),
        {what: tuple(sentences[what]) for what in CHANGED if sentences[what]},
        len(rows_new),
        len(collected.words),
        collected.kinds(after.ids),
    )


@dataclass(frozen=True)
class _Side:
    ids: list[str]
    forms: list[list[str]]


def _side(corpus: Dependencies) -> _Side:
    forms, ends = corpus.form.tolist(), corpus.offsets.tolist()
    words = [forms[first:last] for first, last in pairwise(ends)]
    return _Side(corpus.sent_id.tolist(), words)


def _what_happened(mine: Sequence[int], theirs: Sequence[int], before: _Side, after: _Side) -> str:
    if len(mine) == 1 and len(theirs) == 1:
        same = len(before.forms[mine[0]]) == len(after.forms[theirs[0]])
        return "same words" if same and _alike(before, after, mine[0], theirs[0]) else "other words"
    if len(mine) == 1:
        return "split"
    return "merged" if len(theirs) == 1 else "resplit"


def _alike(before: _Side, after: _Side, one: int, other: int) -> bool:
    """Tell whether most words are the same; a changed form is a change like any other."""
    pairs = zip(before.forms[one], after.forms[other], strict=True)
    return sum(a == b for a, b in pairs) * 2 >= len(before.forms[one])


def _rows(corpus: Dependencies, sentences: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of the words of some sentences, one after the other."""
    first, lengths = corpus.offsets[:-1][sentences], corpus.words.lengths[sentences]
    starts = np.repeat(first - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
    rows: NDArray[np.int64] = starts + np.arange(int(lengths.sum()))
    return rows


def _other_comments(
    old: Dependencies, new: Dependencies, same: Sequence[tuple[int, int]]
) -> set[int]:
    """Return the sentences, of the new version, whose comments, tokens or empty nodes differ."""
    before, after = old.comments.tolist(), new.comments.tolist()
    changed = {other for one, other in same if before[one] != after[other]}
    for name in ("tokens", "empties"):
        tables = [corpus.tables.get(name) for corpus in (old, new)]
        if any(tables):
            changed |= {other for one, other in same if old[one].alone != new[other].alone}
            break
    return changed


class _Collected:
    """Changes by kind, as they are found."""

    def __init__(self) -> None:
        self.count: Counter[Kind] = Counter()
        self.within: defaultdict[Kind, set[int]] = defaultdict(set)
        self.examples: defaultdict[Kind, list[tuple[int, int, str]]] = defaultdict(list)
        self.candidates: Counter[tuple[str, str]] = Counter()
        self.words: set[int] = set()
        self.sentences: set[int] = set()

    def compare(
        self,
        old: Dependencies,
        new: Dependencies,
        rows_old: NDArray[np.int64],
        rows_new: NDArray[np.int64],
    ) -> None:
        """Compare words with the same places in paired sentences."""
        sentence = new.words.sentence_of_row()[rows_new].tolist()
        place = (new.words.row_in_sentence()[rows_new] + 1).tolist()
        forms = new.form[rows_new].tolist()
        for name in COLUMNS:
            if name == "head":
                values = [_heads(old, rows_old), _heads(new, rows_new)]
                differ = (old.head[rows_old] != new.head[rows_new]).tolist()
            else:
                values = [
                    corpus.words.strings(name)[rows].tolist()
                    for corpus, rows in ((old, rows_old), (new, rows_new))
                ]
                differ = [a != b for a, b in zip(*values, strict=True)]
                if not all(map(_is_used, values)):
                    values = [[_ANY if v != "_" else v for v in column] for column in values]
            for at in np.flatnonzero(differ).tolist():
                self.words.add(at)
                self.sentences.add(sentence[at])
                for kind in _kinds(name, values[0][at], values[1][at]):
                    self.count[kind] += 1
                    self.within[kind].add(sentence[at])
                    if len(self.examples[kind]) < EXAMPLES:
                        self.examples[kind].append((sentence[at], place[at], forms[at]))
            self._count_candidates(name, values[0])

    def _count_candidates(self, name: str, values: Sequence[str]) -> None:
        """Count how many words have each old value that was changed somewhere."""
        wanted = {(what, old) for what, old, _ in self.count}
        features = {what for what, _ in wanted}
        for value, count in Counter(values).items():
            for held in _held(name, value, features) & wanted:
                self.candidates[held] += count

    def kinds(self, ids: Sequence[str]) -> tuple[ChangeKind, ...]:
        """Return the kinds, the most frequent first."""
        ranked = sorted(self.count.items(), key=lambda item: (-item[1], item[0]))
        return tuple(
            ChangeKind(
                what, old, new, count, len(self.within[what, old, new]),
                max(count, self.candidates[what, old]),
                tuple((ids[s], place, form) for s, place, form in self.examples[what, old, new]),
            )
            for (what, old, new), count in ranked
        )  # fmt: skip


_LISTS = ("feats", "misc")
_OTHER_HEADS = " (other heads)"
_ANY = "(any)"
"""Stands for all values of a column that one of the versions does not have at all."""


def _heads(corpus: Dependencies, rows: NDArray[np.int64]) -> list[str]:
    """Return the label of each word and the tag of its head; ``root`` where there is no head."""
    first = np.repeat(corpus.offsets[:-1], corpus.words.lengths)[rows]
    head = corpus.head[rows]
    tags = corpus.words.strings("upos").tolist()
    above = [
        tags[row] if number > 0 else "root" if number == 0 else "_"
        for row, number in zip((first + head - 1).tolist(), head.tolist(), strict=True)
    ]
    labels = corpus.deprel[rows].tolist()
    return [f"{label} {tag}" for label, tag in zip(labels, above, strict=True)]


def _is_used(values: Sequence[str]) -> bool:
    """Tell whether a column says anything."""
    return any(value != "_" for value in values)


def _held(name: str, value: str, features: set[str]) -> set[tuple[str, str]]:
    """Return what a word with some value has, in the terms of kinds of changes."""
    if name == "head":
        return {(_title(name, value), value.partition(" ")[2])}
    if value == _ANY or name not in (*_LISTS, "deps"):
        return {(name, value)}
    if name == "deps":
        return {(name, _labels(value))}
    entries = _entries(name, value)
    of_column = (each for each in features if each.startswith("misc.") == (name == "misc"))
    return {(feature, entries.get(feature, "_")) for feature in of_column}


def _title(name: str, value: str) -> str:
    return f"head of {value.partition(' ')[0]}" if name == "head" else name


def _kinds(name: str, old: str, new: str) -> Iterator[Kind]:
    """Return the kinds of one difference in a column."""
    if name == "head":
        yield _title(name, old), old.partition(" ")[2], new.partition(" ")[2]
    elif _ANY in (old, new):
        yield name, old, new
    elif name in _LISTS:
        before, after = _entries(name, old), _entries(name, new)
        any_entry = False
        for key in sorted(before.keys() | after.keys()):
            one, other = before.get(key, "_"), after.get(key, "_")
            if one != other:
                any_entry = True
                yield key, one, other
        if not any_entry:
            yield name, "(in one order)", "(in another order)"
    elif name == "deps":
        yield name, _labels(old), f"{_labels(new)}{_OTHER_HEADS * (_labels(old) == _labels(new))}"
    else:
        yield name, old, new


def _labels(text: str) -> str:
    """Return the labels of the arcs of an enhanced graph, without their heads.

    >>> _labels("3:nsubj|5:nsubj:xsubj"), _labels("_")
    ('nsubj+nsubj:xsubj', '_')
    """
    return "+".join(arc.label for arc in arcs_in(text) if arc) or "_"


def _entries(name: str, text: str) -> dict[str, str]:
    """Return the features of a text, or the entries of MISC, as patterns call them.

    >>> _entries("feats", "Number=Sing"), _entries("misc", "SpaceAfter=No")
    ({'Number': 'Sing'}, {'misc.SpaceAfter': 'No'})
    """
    if text in ("", "_"):
        return {}
    prefix = "misc." if name == "misc" else ""
    pairs = (entry.partition("=") for entry in text.split("|"))
    return {f"{prefix}{key}": value or "(set)" for key, _, value in pairs}
