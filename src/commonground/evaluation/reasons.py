"""Why a submission lost points for something else than its trees.

A submission whose sentences are missing, have other words, or are no trees scores low, whatever its
parser can do. A board shows this beside the scores, or nobody understands them.

>>> from commonground.evaluation.result import System
>>> list(reasons(System("mine", {}, noted={"missing": ("s1", "s2"), "cycles": ("s3",)}), "ta", 5))
[Reason('mine', 'ta', 'missing', 2 of 5), Reason('mine', 'ta', 'cyclic', 1 of 5)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from commonground.evaluation.notes import listed
from commonground.evaluation.result import System
from commonground.evaluation.scores import Broken, Evaluation

__all__ = ["KINDS", "Reason", "all_reasons", "in_short", "reasons"]

KINDS = {
    "broken": "The file could not be scored.",
    "missing": "Sentences are missing, and count as wrong.",
    "retokenised": "Sentences have different words, and count as wrong.",
    "missing or retokenised": "Sentences are missing or have different words, and count as wrong.",
    "cyclic": "Sentences have a cycle, and were scored as they are.",
    "rootless": "Sentences have a cycle and no root, and were scored as they are.",
    "repaired": "Sentences had defects, and were repaired before they were scored.",
    "left out": "Sentences do not count, as their words or trees cannot be compared.",
    "cut otherwise": "Sentences have other boundaries, and were put together.",
    "added": "Sentences that the gold standard does not have do not count.",
}
"""What can be wrong with a submission, and what is done about it; the gravest first."""

_NOTED = {
    "missing": "missing",
    "retokenised": "retokenised",
    "lost": "missing or retokenised",
    "cycles": "cyclic",
    "rootless": "rootless",
    "joined": "cut otherwise",
    "extra": "added",
}
"""The kinds that are noted about sentences, by the name that they have there."""


@dataclass(frozen=True, slots=True, repr=False)
class Reason:
    """What happened to so many sentences `of` a submission: one of :data:`KINDS`, and which."""

    system: str
    treebank: str
    kind: str
    sentences: int
    of: int
    which: str = ""

    def __repr__(self) -> str:
        head = ", ".join(map(repr, (self.system, self.treebank, self.kind)))
        return f"Reason({head}, {self.sentences} of {self.of})"

    @property
    def short(self) -> str:
        """What happened, in a few words."""
        if self.kind == "broken":
            return self.which or "broken"
        of = f" of {self.of:,}" if self.of and self.kind != "added" else ""
        return f"{self.sentences:,}{of} {self.kind}"


def reasons(system: System, treebank: str = "", total: int = 0) -> Iterator[Reason]:
    """Return what happened to the sentences of a system on a treebank that has so many."""
    noted = {kind: system.noted.get(name, ()) for name, kind in _NOTED.items()}
    noted["left out"] = system.skipped
    for kind in KINDS:
        repairs = system.repairs if kind == "repaired" else None
        if repairs and repairs.defects:
            which = repairs.told()
            yield Reason(system.name, treebank, kind, repairs.flawed, repairs.sentences, which)
        elif ids := noted.get(kind):
            yield Reason(system.name, treebank, kind, len(ids), total, listed(ids))


def all_reasons(evaluation: Evaluation) -> list[Reason]:
    """Return what happened to all systems of an evaluation, on each of its treebanks."""
    parts = {name: pair.systems for name, pair in evaluation.pairs.items()} or {
        "": evaluation.systems
    }
    found = [_broken(each) for each in evaluation.broken]
    whole = {(each.system, each.file) for each in evaluation.broken}
    for treebank, systems in parts.items():
        for system in systems:
            if (system.name, treebank) not in whole:
                found += reasons(system, treebank, _sentences(system))
    return found


def _broken(each: Broken) -> Reason:
    return Reason(each.system, each.file, "broken", 0, 0, each.reason)


def _sentences(system: System) -> int:
    """Return how many sentences the counts of a system are about, with those left out.

    It is 0 where there are only sums, which look like the counts of one sentence.
    """
    score = next(iter(system.scores.values()), None)
    columns = score.counts.columns if score else {}
    counted = len(next(iter(columns.values()), ()))
    return counted + len(system.skipped) if counted > 1 else 0


def in_short(found: Sequence[Reason], treebanks: int = 1) -> str:
    """Return in a few words what happened to one system.

    >>> in_short([Reason("a", "ta", "missing", 145, 150), Reason("a", "vi", "cyclic", 2, 80)], 2)
    '145 of 150 missing (ta); 2 of 80 cyclic (vi)'
    """
    shown = [_placed(each, treebanks) for each in _gravest(found)[:_SHOWN]]
    more = len(found) - len(shown)
    return "; ".join(shown) + (f"; {more} more" if more > 0 else "")


_SHOWN = 3


def _gravest(found: Iterable[Reason]) -> list[Reason]:
    order = {kind: place for place, kind in enumerate(KINDS)}
    return sorted(found, key=lambda each: (order[each.kind], -each.sentences))


def _placed(reason: Reason, treebanks: int) -> str:
    short = "broken" if reason.kind == "broken" else reason.short
    return f"{short} ({reason.treebank})" if treebanks > 1 and reason.treebank else short
