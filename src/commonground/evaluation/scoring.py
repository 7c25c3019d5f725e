"""Score one parse against one gold standard: the step that every evaluation is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.evaluation.not_trees import not_trees, without_cycles
from commonground.evaluation.notes import facts_of
from commonground.evaluation.paired_sentences import PairedSentences, compared
from commonground.evaluation.read_options import ReadOptions
from commonground.evaluation.result import System
from commonground.evaluation.signature import signature
from commonground.formats.registry import format_packages
from commonground.metrics.metric import Metric
from commonground.metrics.registry import find_metrics, packages_of
from commonground.metrics.settings import Settings

__all__ = ["scored", "signature_of"]


def scored(
    name: str,
    gold: Corpus,
    system: Corpus,
    metrics: Sequence[str | Metric],
    settings: Settings,
    *,
    lost: bool | NDArray[np.bool_] = False,
) -> System:
    """Return a parse with some name and its scores.

    A parse that is `lost` has nothing right, whatever it holds, nor have sentences that are.
    """
    if type(gold) is not type(system):
        raise UsageError(
            f"{name} has {system.kind}, but the gold standard has {gold.kind}; 'commonground "
            "compare NAME=GOLD:PARSE …' compares parses of several frameworks, each with its "
            "gold standard"
        )
    if settings.evalb and gold.kind != "constituents":
        raise UsageError(f"evalb scores constituents, but the gold standard has {gold.kind}")
    _refuse_other_framework(name, gold, system)
    settings.refuse_unused(gold.kind)
    wanted = find_metrics(gold.kind, metrics)
    gold, system = _numbered(gold), _numbered(system)
    whole = gold
    circles: tuple[str, ...] = ()
    if not settings.trees:  # which refuses them, too
        gold, system, circles = without_cycles(gold, system, settings)
    both = compared(gold, system, settings)
    gone = _gone(both, lost)
    return System(
        name,
        {m.name: Score.of(m, both.pair, gone) for m in wanted},
        (*circles, *both.skipped),
        both.pair,
        whole,
        noted={**_noted(both, system), **_in_training(both.pair.gold, settings)},
    )


def _refuse_other_framework(name: str, gold: Corpus, system: Corpus) -> None:
    """Refuse graphs of another framework, whose nodes and labels are other things."""
    if gold.kind != "graphs":
        return
    theirs, ours = (set(each.metadata("framework").tolist()) - {""} for each in (system, gold))
    if theirs and ours and theirs.isdisjoint(ours):
        raise UsageError(
            f"{name} has graphs of the framework {_listed(theirs)}, but the gold standard of "
            f"{_listed(ours)}; 'commonground compare NAME=GOLD:PARSE …' compares parses of several "
            "frameworks, each with its gold standard"
        )


def _listed(names: set[str]) -> str:
    return " and ".join(sorted(names))


def _gone(both: PairedSentences, lost: bool | NDArray[np.bool_]) -> NDArray[np.bool_] | None:  # noqa: FBT001  # as above
    """Return the sentences in which nothing is right, if there are any."""
    if isinstance(lost, bool):
        return np.ones(len(both.pair.gold), np.bool_) if lost else both.lost
    if len(lost) != len(both.pair.gold):
        raise UsageError("sentences were left out or put together, so they have other numbers")
    return lost if both.lost is None else lost | both.lost


def _in_training(gold: Corpus, settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the sentences of a gold standard that stand in the training data, too."""
    if settings.training is None:
        return {}
    both = settings.training.whole(gold)
    return {"in-training": tuple(gold.sent_id[both].tolist())} if both.any() else {}


def _noted(both: PairedSentences, system: Corpus) -> dict[str, tuple[str, ...]]:
    """Return what is to be known about the sentences of a parse."""
    gold = both.pair.gold
    lost = () if both.lost is None else tuple(gold.sent_id[both.lost].tolist())
    missing = frozenset(both.missing)
    notes = {
        "missing": tuple(sent_id for sent_id in lost if sent_id in missing),
        "retokenised": tuple(sent_id for sent_id in lost if sent_id not in missing),
        "extra": both.extra,
        "joined": both.joined,
        **_other_words(both.pair),
        **({} if both.pair.settings.trees and system is both.pair.system else not_trees(system)),
    }
    return {what: ids for what, ids in notes.items() if ids}


def _other_words(pair: Any) -> dict[str, tuple[str, ...]]:
    """Return the sentences that were scored although their words have other forms."""
    if not (pair.settings.any_forms and isinstance(pair.gold, Dependencies)):
        return {}
    from commonground.metrics.dependencies.prepare import differing_sentences  # noqa: PLC0415  # loaded with its kind

    different = differing_sentences(pair.gold, pair.system)
    return {"other-words": tuple(pair.gold.sent_id[different].tolist())}


def _numbered(corpus: Corpus) -> Corpus:
    """Return a corpus whose sentences are numbered; those of a piece of a file are already."""
    return corpus if "number" in corpus.tables["origin"] else corpus.numbered()


def signature_of(
    settings: Settings,
    systems: Sequence[System],
    reading: ReadOptions | None = None,
    *,
    golds: Sequence[int] = (),
    treebanks: Iterable[Any] = (),
    **facts: object,
) -> str:
    """Return what the numbers depend on besides the parses, in one line.

    Metrics, and formats of the `treebanks`, that come from other packages are named with them.
    """
    reading = reading or ReadOptions()
    skipped = ",".join(str(len(system.skipped)) for system in systems)
    noted = facts_of([system.noted for system in systems])
    metrics = [score.metric for system in systems for score in system.scores.values()]
    packages = [*packages_of(metrics), *format_packages(treebanks, reading.format)]
    repaired = [system.repairs.fact() for system in systems if system.repairs]
    defects = {"defects": ",".join(repaired)} if repaired else {}
    facts = {"skipped": skipped, **noted, **defects, **facts}
    return signature(settings, reading, golds=golds, packages=packages, **facts)
