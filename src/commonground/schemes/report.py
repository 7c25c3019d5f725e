"""What a transformation did: instances found and changed, what could not be done, what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonground.schemes.constructions import CONSTRUCTIONS, MAY_MAKE, construction_of
from commonground.schemes.tree import Tree

__all__ = ["Losses", "Report"]


_WORDS = frozenset(name for name, entry in CONSTRUCTIONS.items() if entry.kind == "word")
"""The constructions of single words."""


@dataclass(slots=True)
class Losses:
    """What the way back does not find again, in words of so many.

    The target was read again: `heads` and `labels` are the words that get another head or another
    label than they had in the hub, `either` those that get another of the two, by construction
    (``-`` for words that make none).
    """

    words: int = 0
    heads: int = 0
    labels: int = 0
    either: Counter[str] = field(default_factory=Counter)
    sentences: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of words that are not found again."""
        return self.either.total() / self.words if self.words else 0.0

    def add(self, other: Losses) -> None:
        """Count the losses of more sentences."""
        self.words += other.words
        self.heads += other.heads
        self.labels += other.labels
        self.either += other.either
        self.sentences += other.sentences

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "words": self.words,
            "heads": self.heads,
            "labels": self.labels,
            "either": self.either.total(),
            "share": self.share,
            "by_construction": dict(sorted(self.either.items())),
            "sentences": self.sentences,
        }


def _count(tree: Tree) -> dict[str, int]:
    seen: set[tuple[str, int]] = set()
    hub, tag, feats, heads = tree.hub, tree.tag, tree.feats, tree.head
    found: dict[str, int] = {}
    for kind, label in (("relative", "acl:relcl"), ("punctuation", "punct")):
        if number := hub.count(label):
            found[kind] = number
    for word in range(len(hub)):
        if not MAY_MAKE[hub[word]]:
            continue
        head = max(heads[word], 0)
        name = construction_of(hub[word], tag[word], feats[head], feats[word], hub[head])
        if name is None:
            continue
        if name not in _WORDS:
            if (name, head) in seen:
                continue
            seen.add((name, head))
        found[name] = found.get(name, 0) + 1
    return found


@dataclass(slots=True)
class Report:
    """What a transformation from `source` to `target` did.

    `found` has the instances of each construction in the hub, `changed` those that were rewritten,
    and `failed` why others could not be, with the sentences. `unknown` counts the labels that the
    source does not have, with what each was read as, and `foreign` those in the result that the
    target does not have. `skipped` has the sentences that stay as they were, by reason; `remarks`
    is what else there is to know. Words with another head or label than before are `heads` and
    `labels`.
    """

    source: str
    target: str
    ways: Mapping[str, tuple[str, str]]
    sentences: int = 0
    words: int = 0
    heads: int = 0
    labels: int = 0
    found: Counter[str] = field(default_factory=Counter)
    failed: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)
    skipped: dict[str, list[str]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    graphs: int = 0
    losses: Losses | None = None

    def count(self, tree: Tree) -> None:
        """Count the constructions of a tree that is in the hub; parts count as one."""
        for name, number in _count(tree).items():
            self.found[name] += number

    def changed(self, construction: str) -> int:
        """Return how many instances of a construction were rewritten."""
        before, after = self.ways[construction]
        failed = (s for (name, _), s in self.failed.items() if name == construction)
        return 0 if before == after else self.found[construction] - sum(map(len, failed))

    def fail(self, construction: str, reason: str, sentences: Sequence[str]) -> None:
        """Note that instances could not be rewritten, if they were to be."""
        before, after = self.ways[construction]
        if before != after and sentences:
            self.failed.setdefault((construction, reason), []).extend(sentences)

    def skip(self, reason: str, sentences: Sequence[str]) -> None:
        """Note that sentences stay as they are."""
        if sentences:
            self.skipped.setdefault(reason, []).extend(sentences)

    def remark(self, text: str) -> None:
        """Say something, once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def label_remarks(self) -> list[str]:
        """Return what there is to say about labels that a scheme does not have.

        >>> report = Report("sud", "ud", {}, unknown=Counter({("mod:poss", "mod"): 2}))
        >>> report.label_remarks()
        ['sud does not have all labels: mod:poss is read as mod (2)']
        """
        remarks = []
        if self.unknown:
            read = [f"{a} is read as {b} ({n:,})" for (a, b), n in self.unknown.most_common()]
            remarks.append(f"{self.source} does not have all labels: {', '.join(read)}")
        if self.foreign:
            kept = [f"{label} ({count:,})" for label, count in self.foreign.most_common()]
            remarks.append(
                f"{self.target} has no label for parts of an expression, which keep that of the "
                f"hub: {', '.join(kept)}"
            )
        return remarks

    def add(self, other: Report) -> None:
        """Count what was done to more sentences."""
        self.sentences += other.sentences
        self.words += other.words
        self.heads += other.heads
        self.labels += other.labels
        self.graphs += other.graphs
        self.found += other.found
        self.unknown += other.unknown
        self.foreign += other.foreign
        for (construction, reason), ids in other.failed.items():
            self.fail(construction, reason, ids)
        for reason, ids in other.skipped.items():
            self.skip(reason, ids)
        for text in other.remarks:
            self.remark(text)
        if self.losses and other.losses:
            self.losses.add(other.losses)
        else:
            self.losses = self.losses or other.losses

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        constructions = {
            name: {
                "from": self.ways[name][0],
                "to": self.ways[name][1],
                "found": self.found[name],
                "changed": self.changed(name),
                "failed": {
                    reason: ids for (failed, reason), ids in self.failed.items() if failed == name
                },
            }
            for name in CONSTRUCTIONS
        }
        return {
            "from": self.source,
            "to": self.target,
            "sentences": self.sentences,
            "words": self.words,
            "heads": self.heads,
            "labels": self.labels,
            "constructions": constructions,
            "unknown_labels": [
                {"label": label, "read_as": meant, "words": count}
                for (label, meant), count in self.unknown.most_common()
            ],
            "graphs_dropped": self.graphs,
            "foreign_labels": dict(self.foreign.most_common()),
            "skipped": self.skipped,
            "remarks": self.remarks,
            "losses": self.losses.to_json() if self.losses else None,
        }
