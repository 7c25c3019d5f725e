"""What the trees of one source say about the words of a target.

Where source words s and h are linked to target words t and u, and h is the head of s, u is the head
of t (direct correspondence: Hwa et al. 2005; Spreyer 2010, Figure 1). Words are not always linked
one to one; what then happens is chosen by name (see ``policies.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Alignments, Corpus, Dependencies, Strings, Table
from commonground.corpus.shape import word_depth
from commonground.errors import UsageError
from commonground.kernels import load
from commonground.parsers.confidence import CONFIDENCE, with_entry
from commonground.projection.policies import Policies

__all__ = ["COPIED", "MISC", "REASONS", "Correspondence", "misc_of", "plain_words"]

Numbers = NDArray[np.int64]
Doubles = NDArray[np.float64]

REASONS = {
    "unaligned": "the word has no link",
    "other-tag": "the word is linked only to words with another part of speech",
    "many-to-one": "the word has several links, which are not used",
    "one-to-many": "its source word has several target words, and this is not the one",
    "head-unaligned": "the head of its source word has no link",
    "no-source-head": "its source word has no head itself",
    "same-word": "its source word and the head of its source word are linked to the same word",
    "cycle": "the heads would form a cycle",
    "crossing": "its arc would cross a shorter one",
    "outvoted": "too few sources give it the same head, or others are in the way",
}
"""Why a word has no head, as MISC tells."""

MISC = "Projection"
"""The name of the entry in MISC."""

COPIED = ("upos", "xpos", "feats")
"""The columns that can be projected besides heads and labels."""

EXTRA_LABEL = "dep"
"""The label of words that hang on another one for no other reason than the alignment."""


class Correspondence:
    """What one source says: for each target word its source word, its head, or why it has none.

    Words are rows of the whole corpus; -1 is none, for heads -1 is the root and -2 none. The
    `confidence` in a head is the product of the probabilities of the links that it rests on: those
    of the word and of the word that is its head.
    """

    def __init__(
        self, source: Dependencies, words: Table, links: Alignments, policies: Policies
    ) -> None:
        self.source, self.words, self.policies = source, words, policies
        self.reason = np.full(words.rows, -1, np.int64)
        sentence = links.links.sentence_of_row()
        ours = source.offsets[sentence] + links.source
        theirs = words.offsets[sentence] + links.target
        self.ours, self.theirs, self.likely = self._used(ours, theirs, _likely(links))
        link = self._links_of_target()
        self.origin = _taken_or(self.ours, link, -1)
        link_of_source = self._links_of_source()
        self.stands = _taken_or(self.theirs, link_of_source, -1)
        self.confidence = _taken_or(self.likely, link, 1.0)
        self._stands_with = _taken_or(self.likely, link_of_source, 1.0)
        self.head = self._heads()
        self._break_cycles()
        if policies.crossing == "drop":
            self._drop_crossing()
        self.reason[self.head >= -1] = -1  # a word may lose a link and keep another

    def _because(self, reason: str, which: NDArray[np.bool_] | Numbers) -> None:
        self.reason[which] = list(REASONS).index(reason)

    def _used(
        self, ours: Numbers, theirs: Numbers, likely: Doubles
    ) -> tuple[Numbers, Numbers, Doubles]:
        """Return the links that the policies use; a word that loses all of them says why."""
        self._because("unaligned", np.bincount(theirs, minlength=self.words.rows) == 0)
        if self.policies.tags == "same":
            tags = (_tags(self.source.words, "source"), _tags(self.words, "target"))
            same = tags[0][ours] == tags[1][theirs]
            self._because("other-tag", theirs[~same])
            ours, theirs, likely = ours[same], theirs[same], likely[same]
        if self.policies.many_to_one == "drop":
            several = np.bincount(theirs, minlength=self.words.rows) > 1
            self._because("many-to-one", several)
            once = ~several[theirs]
            ours, theirs, likely = ours[once], theirs[once], likely[once]
        if self.policies.one_to_many == "drop":
            several = np.bincount(ours, minlength=self.source.words.rows) > 1
            self._because("one-to-many", theirs[several[ours]])
            once = ~several[ours]
            ours, theirs, likely = ours[once], theirs[once], likely[once]
        return ours, theirs, likely

    def _links_of_target(self) -> Numbers:
        """Return the link from each target word to the source word that it stands for."""
        depth = word_depth(self.source).astype(np.int64)
        order = {
            "top": (self.ours, np.where(depth < 0, 1 << 30, depth)[self.ours], self.theirs),
            "last": (-self.ours, self.theirs),
        }.get(self.policies.many_to_one, (self.ours, self.theirs))
        return _first(self.theirs, np.lexsort(order), self.words.rows)

    def _links_of_source(self) -> Numbers:
        """Return the link from each source word to the target word that stands for it.

        That word stands for no other source word, if there is one that does not.
        """
        foreign = self.origin[self.theirs] != self.ours
        place = -self.theirs if self.policies.one_to_many == "last" else self.theirs
        order = np.lexsort((place, foreign, self.ours))
        return _first(self.ours, order, self.source.words.rows)

    def _heads(self) -> Numbers:
        linked = self.origin >= 0
        origin = np.maximum(self.origin, 0)
        rows = np.arange(self.words.rows)
        heads = np.full(self.words.rows, -2)
        extra = linked & (self.stands[origin] != rows) if len(self.stands) else linked
        if self.policies.extra == "attach":
            heads[extra] = self.stands[origin[extra]]
            self.confidence[extra] *= self._stands_with[origin[extra]]
        else:
            self._because("one-to-many", extra)
        proper = np.flatnonzero(linked & ~extra)
        above = self._above()
        head = above[origin[proper]]
        word = np.where(head >= 0, self.stands[np.maximum(head, 0)], head) if len(head) else head
        self._because("no-source-head", proper[head == -2])
        self._because("head-unaligned", proper[(head >= 0) & (word < 0)])
        self._because("same-word", proper[(head >= 0) & (word == proper)])
        right = (head == -1) | ((head >= 0) & (word >= 0) & (word != proper))
        heads[proper[right]] = word[right]
        on_word = right & (head >= 0)
        self.confidence[proper[on_word]] *= self._stands_with[head[on_word]]
        self._neighbours(heads, linked)
        return heads

    def _above(self) -> Numbers:
        """Return the row of the head of each source word, or of the next linked one above it."""
        start = np.repeat(self.source.offsets[:-1], self.source.words.lengths)
        head = self.source.head.astype(np.int64)
        above = np.where(head > 0, start + head - 1, np.where(head == 0, -1, -2))
        if self.policies.unaligned_head == "leave":
            return above
        linked, up = above.copy(), above
        for _ in range(int(self.source.words.lengths.max(initial=0))):
            lost = linked >= 0
            lost[lost] = self.stands[linked[lost]] < 0
            if not lost.any():
                break
            linked[lost] = up[linked[lost]]
        return linked

    def _neighbours(self, rows: Numbers, linked: NDArray[np.bool_]) -> None:
        """Attach words without a link to the word beside them, if that is the policy."""
        if self.policies.unaligned == "leave":
            return
        step = -1 if self.policies.unaligned == "left" else 1
        place = self.words.row_in_sentence() + step
        inside = (place >= 0) & (place < np.repeat(self.words.lengths, self.words.lengths))
        free = np.flatnonzero(~linked & inside)
        rows[free] = free + step

    def _break_cycles(self) -> None:
        """Take the heads of words on a circle away."""
        inside = load("trees").cycles(self._columns(), self.words.offsets)
        self._because("cycle", np.asarray(inside))
        self.head[inside] = -2

    def _drop_crossing(self) -> None:
        """Drop the longer one of arcs that cross, until none cross."""
        start = np.repeat(self.words.offsets[:-1], self.words.lengths)
        for first, last in zip(self.words.offsets[:-1], self.words.offsets[1:], strict=True):
            rows = [row for row in range(first, last) if self.head[row] >= 0]
            arcs = sorted(
                rows, key=lambda row: (abs(int(self.head[row]) - row), row - int(start[row]))
            )
            taken: list[tuple[int, int]] = []
            for row in arcs:
                low, high = sorted((row, int(self.head[row])))
                if any(_cross(low, high, *other) for other in taken):
                    self.head[row] = -2
                    self._because("crossing", np.array([row]))
                else:
                    taken.append((low, high))

    def _columns(self) -> NDArray[np.int32]:
        """Return the heads as a corpus has them: from 1 in the sentence, 0 the root, -1 none."""
        start = np.repeat(self.words.offsets[:-1], self.words.lengths)
        return np.where(
            self.head >= 0, self.head - start + 1, np.where(self.head == -1, 0, -1)
        ).astype(np.int32)

    def trees(self, target: Corpus, *, labels: bool, copy: Sequence[str]) -> Dependencies:
        """Return the words of the target with their new heads and labels."""
        known, origin = self.origin >= 0, np.maximum(self.origin, 0)
        own = known & (self.head >= -1)
        if len(self.stands):
            own &= self.stands[origin] == np.arange(self.words.rows)
        columns: dict[str, Any] = {"head": self._columns()}
        attached = self.head >= -1
        extra = Strings.constant(EXTRA_LABEL if labels else "_", self.words.rows)
        chosen = _chosen(attached, extra, Strings.constant("_", self.words.rows))
        columns["deprel"] = _taken(own, origin, self.source.deprel, chosen) if labels else chosen
        words = target.words if isinstance(target, Dependencies) else plain_words(self.words)
        for name in copy:
            columns[name] = _taken(
                known, origin, self.source.words.strings(name), words.strings(name)
            )
        columns["misc"] = misc_of(words, self.reason)
        columns["deps"] = Strings.constant("_", self.words.rows)
        kept_tables = {
            name: table
            for name, table in target.tables.items()
            if name in ("tokens", "sentences", "origin")
        }
        return Dependencies({**kept_tables, "words": words.replace(**columns)})


def _tags(words: Table, side: str) -> NDArray[Any]:
    """Return the parts of speech of all words, which must be there."""
    tags = np.array(words.strings("upos").tolist()) if "upos" in words.columns else None
    if tags is None or (len(tags) and (tags == "_").all()):
        raise UsageError(f"the {side} has no parts of speech (UPOS), by which links are chosen")
    return tags


def plain_words(words: Table) -> Table:
    """Return nothing but the forms of words, and empty columns for what can be projected."""
    return Table(words.offsets, form=words.strings("form")).completed(
        **{n: Strings.constant("_", words.rows) for n in (*COPIED, "misc")}
    )


def _cross(low: int, high: int, other_low: int, other_high: int) -> bool:
    return low < other_low < high < other_high or other_low < low < other_high < high


def _likely(links: Alignments) -> Doubles:
    likely = links.probability
    return np.ones(links.links.rows) if likely is None else likely


def _first(keys: Numbers, order: Numbers, count: int) -> Numbers:
    """Return for each key the first of its rows in some order, -1 where it has none.

    >>> _first(np.array([1, 0, 1]), np.array([2, 1, 0]), 3).tolist()
    [1, 2, -1]
    """
    firsts = np.full(count, -1, np.int64)
    turned = order[::-1]
    firsts[keys[turned]] = turned  # the first one comes last, and stays
    return firsts


def _taken_or(values: NDArray[Any], rows: Numbers, otherwise: float) -> NDArray[Any]:
    """Return the values of some rows, another one where the row is -1."""
    with_other = np.append(values, np.asarray(otherwise, values.dtype))
    return with_other[rows]


def _taken(which: NDArray[np.bool_], rows: Numbers, values: Strings, otherwise: Strings) -> Strings:
    """Return a column that has the values of other rows in some places."""
    if not len(values):
        return otherwise
    return _chosen(which, values[rows], otherwise)


def _chosen(which: NDArray[np.bool_], one: Strings, other: Strings) -> Strings:
    both = Strings.concatenate([one, other])
    return Strings(
        np.where(which, both.codes[: len(one)], both.codes[len(one) :]).astype(np.int32),
        both.vocabulary,
    )


def misc_of(words: Table, reason: Numbers, confidence: Doubles | None = None) -> Strings:
    """Return MISC with the reasons of words without a head, and the confidence in other heads."""
    names = list(REASONS)
    misc = words.strings("misc").tolist()
    for row, at in enumerate(reason.tolist()):
        if at >= 0:
            misc[row] = with_entry(misc[row], MISC, names[at])
        elif confidence is not None:
            misc[row] = with_entry(misc[row], CONFIDENCE, f"{confidence[row]:.3f}")
    return Strings.of(misc)
