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

from commonground.corpus import Alignments, Corpus, Dependencies, Table
from commonground.errors import InputError, UsageError, setting
from commonground.evaluation.decoding import Count, decoded, one_of
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import join, rendered, signature
from commonground.metrics.mismatch import path_of
from commonground.plurals import number_of
from commonground.projection.correspondence import (
    COPIED,
    MISC,
    REASONS,
    Correspondence,
    misc_of,
    plain_words,
)
from commonground.projection.fragments import Filter, Fragmentation, fragmentation, kept
from commonground.projection.policies import Policies
from commonground.projection.repairs import RepairRule, repair
from commonground.projection.voting import confidence_of, guided_vote, vote

__all__ = ["COPIED", "MISC", "REASONS", "Projection", "project"]


GUIDE_WEIGHT = 0.4
"""What guides count beside all sources, unless something else is said."""

MOST_WEIGHT = 1000.0


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
    guides: Sequence[Dependencies] = (),
    guide_weight: float = GUIDE_WEIGHT,
    confidence: bool = False,
) -> Projection:
    """Project the trees of `source` to the words of `target` over their alignment.

    The result has the words of the target with projected heads and, unless `labels` is false,
    labels; `copy` names columns (upos, xpos, feats) whose values come from the source where a word
    is linked. With `further` sources and their links, a word gets the head that most sources give
    it, if these are so many `votes` (see ``voting.py``); a vote counts as much as its links are
    probable, where these tell it. `guides` are whole trees of the target's words that vote too, all
    of them together with a `guide_weight` (all sources have 1). With `confidence`, MISC says how
    sure the votes make one of each head. `rules` then mend what has no head (see
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
    if guides and votes > 1:
        raise UsageError(f"{setting('min_votes')} has no effect with guides")
    if not 0 <= guide_weight <= MOST_WEIGHT:
        raise UsageError(f"the weight of the guides is {guide_weight}; from 0 to {MOST_WEIGHT}")
    runs = [
        Correspondence(each, words, over, policies) for each, over in [(source, links), *further]
    ]
    every = [run.trees(target, labels=labels, copy=copy) for run in runs]
    trees, reason, mended = every[0], runs[0].reason, 0
    if further or votes > 1 or guides or confidence:
        led = guide_weight * len(runs) / max(len(guides), 1)
        own = [run.confidence for run in runs] + [np.full(words.rows, led)] * len(guides)
        trees = guided_vote(every, guides, own) if guides else vote(every, votes, own)
        lost = (trees.head < 0) & np.any([each.head >= 0 for each in every], axis=0)
        reason = np.where(lost, list(REASONS).index("outvoted"), reason)
        reason = np.where(trees.head >= 0, -1, reason)
        plain = target.words if isinstance(target, Dependencies) else plain_words(words)
        sure = confidence_of(trees, [*every, *guides], own) if confidence else None
        trees = trees.replace("words", misc=misc_of(plain, reason, sure))
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
            guides=f"{len(guides)} x {guide_weight:g}" if guides else "none",
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
