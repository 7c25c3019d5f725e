"""Project trees from one language to another over word alignments.

Direct correspondence (Hwa et al. 2005; Spreyer 2010, Figure 1): where source words s and h are
linked to target words t and u, and h is the head of s, u is the head of t. Words are not always
linked one to one; what then happens is chosen by name (see ``policies.py``). A target word that
gets no head says why in MISC: ``Projection=unaligned``, for example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Alignments, Corpus, Dependencies, Strings, Table
from commonground.corpus.shape import word_depth
from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import Count, decoded, one_of
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import join, rendered, signature
from commonground.kernels import load
from commonground.metrics.mismatch import path_of
from commonground.plurals import number_of
from commonground.projection.fragments import Filter, Fragmentation, fragmentation, kept
from commonground.projection.policies import Policies
from commonground.projection.repairs import RepairRule, repair
from commonground.projection.voting import vote

__all__ = ["COPIED", "MISC", "REASONS", "Projection", "project"]

Numbers = NDArray[np.int64]

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


@dataclass(frozen=True, repr=False)
class Projection(Result):
    """Projected trees: all of them, those that the filter keeps, and why words have no head.

    `reasons` counts the words without a head by the reason, `repaired` those that rules gave one;
    `before` and `after` tell how fragmented the trees are without and with the filter; `empty`
    pairs have no words on a side.
    """

    kind: ClassVar[str] = "projection"
    verb: ClassVar[str] = "project"

    signature: str
    before: Fragmentation
    after: Fragmentation
    reasons: Mapping[str, int]
    empty: int = 0
    repaired: int = 0
    trees: Dependencies | None = field(default=None, compare=False)
    kept: NDArray[np.bool_] | None = field(default=None, compare=False)

    @property
    def filtered(self) -> Dependencies:
        """The trees that the filter keeps."""
        assert self.trees is not None, "a result that was read from a file has no trees"
        assert self.kept is not None
        return self.trees.take(self.kept)

    @property
    def coverage(self) -> float | None:
        """The share of words that have a head."""
        return self.before.heads / self.before.words if self.before.words else None

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "coverage": self.coverage,
            "without_words": self.empty,
            "repaired": self.repaired,
            "reasons": dict(self.reasons),
            "before": self.before.to_json(),
            "after": self.after.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Projection:
        """Return the result that JSON holds; it has no trees."""
        saved = decoded(data, _ProjectionJson, path)
        for name in saved.reasons:
            one_of(path, "reason", name, REASONS)
        return cls(
            saved.signature,
            saved.before,
            saved.after,
            saved.reasons,
            saved.without_words,
            saved.repaired,
        )

    def __repr__(self) -> str:
        share = "none" if self.coverage is None else f"{100 * self.coverage:.1f} %"
        return f"Projection({number_of(self.before.words, 'word')}, {share} of them with a head)"


class _ProjectionJson(msgspec.Struct, frozen=True):
    signature: str
    before: Fragmentation
    after: Fragmentation
    reasons: dict[str, Count]
    without_words: Count
    repaired: Count


def project(  # noqa: PLR0913  # options, by name
    source: Dependencies,
    target: Corpus,
    links: Alignments,
    *,
    policies: Policies | None = None,
    labels: bool = True,
    copy: Sequence[str] = (),
    chosen: Filter | None = None,
    rules: Sequence[RepairRule] = (),
    scheme: str = "ud",
    further: Sequence[tuple[Dependencies, Alignments]] = (),
    votes: int = 1,
) -> Projection:
    """Project the trees of `source` to the words of `target` over their alignment.

    The result has the words of the target with projected heads and, unless `labels` is false,
    labels; `copy` names columns (upos, xpos, feats) whose values come from the source where a word
    is linked. With `further` sources and their links, a word gets the head that most sources give
    it, if these are so many `votes` (see ``voting.py``). `rules` then mend what has no head (see
    ``repairs.py``), in trees of a `scheme`. `chosen` says which trees are complete enough (see
    :class:`Filter`).

    >>> from commonground.formats import read_text
    >>> english = Dependencies.of([(["the", "birds", "sing"], [2, 3, 0], ["det", "nsubj", "root"])])
    >>> german = Dependencies.of([(["Vögel", "singen", "gern"], [0, 0, 0], ["_"] * 3)])
    >>> result = project(english, german, read_text("1-0 2-1", "pharaoh"))
    >>> result.trees.head.tolist(), result.trees.deprel.tolist(), result.reasons["unaligned"]
    ([2, 0, -1], ['nsubj', 'root', '_'], 1)
    """
    policies = policies or Policies()
    unknown = sorted(set(copy) - set(COPIED))
    if unknown:
        raise UsageError(f"{unknown[0]} is not projected; {', '.join(COPIED)} can be")
    words = _checked(source, target, links)
    for another in further:
        _checked(another[0], target, another[1])
    run = _ProjectionRun(source, words, links, policies)
    trees, mended = run.trees(target, labels=labels, copy=copy), 0
    reason = run.reason
    if further or votes > 1:
        others = [_ProjectionRun(each, words, over, policies) for each, over in further]
        every = [trees, *(each.trees(target, labels=labels, copy=copy) for each in others)]
        trees = vote(every, votes)
        lost = (trees.head < 0) & np.any([each.head >= 0 for each in every], axis=0)
        reason = np.where(lost, list(REASONS).index("outvoted"), reason)
        reason = np.where(trees.head >= 0, -1, reason)
        plain = target.words if isinstance(target, Dependencies) else _plain(words)
        trees = trees.replace("words", misc=_misc(plain, reason))
    projected = trees.head >= 0
    if rules:
        trees, mended = repair(trees, rules, scheme)
    keep = kept(trees, chosen)
    counts = np.bincount(reason[~projected & (trees.head < 0)], minlength=len(REASONS)).tolist()
    lengths = (source.words.lengths == 0) | (words.lengths == 0)
    return Projection(
        signature(
            policies,
            chosen or Filter(),
            labels="projected" if labels else "none",
            copied=tuple(copy),
            repairs=_digest(rules),
            scheme=scheme,
            sources=1 + len(further),
            votes=votes,
        ),
        fragmentation(trees),
        fragmentation(trees.take(keep)),
        dict(zip(REASONS, counts, strict=True)),
        int(lengths.sum()),
        mended,
        trees,
        keep,
    )


def _digest(rules: Sequence[RepairRule]) -> str:
    """Return how many rules there are, and a checksum of what they say."""
    said = "".join(join(rendered(rule)) for rule in rules)
    return f"{len(rules)} #{crc32(said.encode()):08x}" if rules else "none"


def _checked(source: Dependencies, target: Corpus, links: Alignments) -> Table:
    """Return the words of the target; refuse what does not fit together, with its line."""
    if not isinstance(source, Dependencies) or not isinstance(links, Alignments):
        raise UsageError(
            f"dependencies are projected over alignments, not {source.kind} over {links.kind}"
        )
    words = target.tables.get("words")
    if words is None:
        raise UsageError(f"the target has {target.kind}, which are not divided into words")
    for corpus, what in ((target, "target"), (links, "alignment")):
        if len(corpus) != len(source):
            raise InputError(
                path_of(corpus),
                0,
                f"the {what} has {number_of(len(corpus), 'sentence')}, but the source "
                f"({path_of(source)}) has {len(source):,}; each sentence needs its translation and "
                "its links",
            )
    sentence = links.links.sentence_of_row()
    for side, table in (("source", source.words), ("target", words)):
        place = links.links.numbers(side)
        wrong = np.flatnonzero((place < 0) | (place >= table.lengths[sentence]))
        if len(wrong):
            row = int(wrong[0])
            at = int(sentence[row])
            raise InputError(
                path_of(links),
                int(links.lines[at]),
                f"link {links.source[row]}-{links.target[row]}; sentence {at + 1} has "
                f"{number_of(int(table.lengths[at]), f'{side} word')}, counted from 0",
            )
    return words


class _ProjectionRun:
    """One corpus on its way: for each target word its source word, its head, or the reason why not.

    Words are rows of the whole corpus; -1 is none, for heads -1 is the root and -2 none.
    """

    def __init__(
        self, source: Dependencies, words: Table, links: Alignments, policies: Policies
    ) -> None:
        self.source, self.words, self.policies = source, words, policies
        self.reason = np.full(words.rows, -1, np.int64)
        sentence = links.links.sentence_of_row()
        ours = source.offsets[sentence] + links.source
        theirs = words.offsets[sentence] + links.target
        self.ours, self.theirs = self._used(ours, theirs)
        self.origin = self._origin()
        self.stands = self._stands()
        self.head = self._heads()
        self._break_cycles()
        if policies.crossing == "drop":
            self._drop_crossing()
        self.reason[self.head >= -1] = -1  # a word may lose a link and keep another

    def _because(self, reason: str, which: NDArray[np.bool_] | Numbers) -> None:
        self.reason[which] = list(REASONS).index(reason)

    def _used(self, ours: Numbers, theirs: Numbers) -> tuple[Numbers, Numbers]:
        """Return the links that the policies use; a word that loses all of them says why."""
        self._because("unaligned", np.bincount(theirs, minlength=self.words.rows) == 0)
        if self.policies.tags == "same":
            tags = (_tags(self.source.words, "source"), _tags(self.words, "target"))
            same = tags[0][ours] == tags[1][theirs]
            self._because("other-tag", theirs[~same])
            ours, theirs = ours[same], theirs[same]
        if self.policies.many_to_one == "drop":
            several = np.bincount(theirs, minlength=self.words.rows) > 1
            self._because("many-to-one", several)
            ours, theirs = ours[~several[theirs]], theirs[~several[theirs]]
        if self.policies.one_to_many == "drop":
            several = np.bincount(ours, minlength=self.source.words.rows) > 1
            self._because("one-to-many", theirs[several[ours]])
            ours, theirs = ours[~several[ours]], theirs[~several[ours]]
        return ours, theirs

    def _origin(self) -> Numbers:
        """Return the source word that each target word stands for."""
        depth = word_depth(self.source).astype(np.int64)
        order = {
            "top": (self.ours, np.where(depth < 0, 1 << 30, depth)[self.ours], self.theirs),
            "last": (-self.ours, self.theirs),
        }.get(self.policies.many_to_one, (self.ours, self.theirs))
        return _first(self.theirs, self.ours, np.lexsort(order), self.words.rows)

    def _stands(self) -> Numbers:
        """Return the target word that stands for each source word.

        It is one that stands for no other source word, if there is one.
        """
        foreign = self.origin[self.theirs] != self.ours
        place = -self.theirs if self.policies.one_to_many == "last" else self.theirs
        order = np.lexsort((place, foreign, self.ours))
        return _first(self.ours, self.theirs, order, self.source.words.rows)

    def _heads(self) -> Numbers:
        linked = self.origin >= 0
        origin = np.maximum(self.origin, 0)
        rows = np.arange(self.words.rows)
        heads = np.full(self.words.rows, -2)
        extra = linked & (self.stands[origin] != rows) if len(self.stands) else linked
        if self.policies.extra == "attach":
            heads[extra] = self.stands[origin[extra]]
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
        words = target.words if isinstance(target, Dependencies) else _plain(self.words)
        for name in copy:
            columns[name] = _taken(
                known, origin, self.source.words.strings(name), words.strings(name)
            )
        columns["misc"] = _misc(words, self.reason)
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


def _plain(words: Table) -> Table:
    return Table(words.offsets, form=words.strings("form")).completed(
        **{n: Strings.constant("_", words.rows) for n in (*COPIED, "misc")}
    )


def _cross(low: int, high: int, other_low: int, other_high: int) -> bool:
    return low < other_low < high < other_high or other_low < low < other_high < high


def _first(keys: Numbers, values: Numbers, order: Numbers, count: int) -> Numbers:
    """Return for each key the value of the first of its rows in some order, -1 where it has none.

    >>> _first(np.array([1, 0, 1]), np.array([7, 8, 9]), np.array([2, 1, 0]), 3).tolist()
    [8, 9, -1]
    """
    firsts = np.full(count, -1, np.int64)
    turned = order[::-1]
    firsts[keys[turned]] = values[turned]  # the first one comes last, and stays
    return firsts


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


def _misc(words: Table, reason: Numbers) -> Strings:
    """Return MISC with the reasons of words without a head."""
    texts = [f"{MISC}={name}" for name in REASONS]
    misc = words.strings("misc").tolist()
    for row in np.flatnonzero(reason >= 0).tolist():
        text = texts[int(reason[row])]
        misc[row] = text if misc[row] in ("_", "") else f"{misc[row]}|{text}"
    return Strings.of(misc)
