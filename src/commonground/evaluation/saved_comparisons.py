"""Comparisons and agreements as they were saved, read back from their JSON.

What was saved by sentence is there by sentence again, and can be tested; of the rest there are
sums, which is all that tables look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any, TypeVar

from commonground.errors import InputError, UsageError
from commonground.evaluation.agreement import Agreement
from commonground.evaluation.alpha import Alpha
from commonground.evaluation.comparison_result import CompareResult, SchemeResult, Scores
from commonground.evaluation.differences import Differences
from commonground.evaluation.inventories import Translated
from commonground.evaluation.protocols import named_metrics
from commonground.evaluation.result import Score, System
from commonground.evaluation.saved import result_of
from commonground.evaluation.saved_scores import summed_score
from commonground.metrics.confusion import ConfusionCell
from commonground.metrics.registry import explained

__all__ = ["agreement_of", "comparison_of"]

Json = Mapping[str, Any]
_Restored = TypeVar("_Restored")


def comparison_of(data: Json, path: str) -> CompareResult:
    """Return the comparison that JSON holds, which was read from `path`."""
    return _whole("compare", path, lambda: _comparison(data, path))


def agreement_of(data: Json, path: str) -> Agreement:
    """Return the agreement that JSON holds, which was read from `path`."""
    return _whole("agreement", path, lambda: _agreement(data, path))


def _whole(verb: str, path: str, restore: Callable[[], _Restored]) -> _Restored:
    """Return what is restored, and refuse what is not as the verb writes it."""
    try:
        return restore()
    except (KeyError, TypeError, AttributeError, ValueError, UsageError) as error:
        raise InputError(path, 0, f"this is not a whole result of {verb}: {error}") from error


def _comparison(data: Json, path: str) -> CompareResult:
    saved = result_of(dict(data), path)
    sentences = saved.systems[0].sentences
    if saved.verb != "compare" or sentences is None:
        raise UsageError("its systems have no score MULTIPLE")
    systems = tuple(
        _scheme(each, system, path)
        for each, system in zip(data["systems"], saved.systems, strict=True)
    )
    golds = {system.gold for system in systems}
    for system in systems:
        if lacking := sorted(golds - {system.gold} - system.against.keys()):
            raise UsageError(f"{system.name} has no scores against {lacking[0]!r}")
    return CompareResult(
        saved.signature,
        systems,
        {_two(pair): _scores(scores, path) for pair, scores in data.get("overlap", {}).items()},
        tuple(data.get("skipped", ())),
        sentences,
        {name: _translated(each) for name, each in data.get("labels", {}).items()},
        tuple(map(str, data.get("remarks", ()))),
    )


def _translated(data: Json) -> Translated:
    mapping = {(str(row["label"]), str(row["hub"])): int(row["count"]) for row in data["mapping"]}
    total = max(sum(mapping.values()), 1)
    accuracy = data.get("held_out_accuracy")
    return Translated(
        str(data["inventory"]),
        round(float(data["coverage"]) * total),
        total,
        mapping,
        str(data.get("learned_from", "")),
        None if accuracy is None else float(accuracy),
    )


def _two(pair: str) -> tuple[str, str]:
    one, _, other = pair.partition("+")
    return one, other


def _scheme(data: Json, system: System, path: str) -> SchemeResult:
    return SchemeResult(
        system.name,
        str(data.get("gold", system.name)),
        _both_of(system, "single"),
        _both_of(system, "multiple"),
        {name: _scores(scores, path) for name, scores in data.get("against", {}).items()},
        {
            gold: {name: _score(name, score, path) for name, score in scores.items()}
            for gold, scores in data.get("native", {}).items()
        },
        {
            tuple(names.split("+")): _scores(scores, path)
            for names, scores in data.get("subsets", {}).items()
        },
        {
            kind: score
            for name, score in system.scores.items()
            for way, _, kind in [name.partition("_")]
            if way == "common"
        },
        _score("words", data["words"], path) if "words" in data else None,
    )


def _scores(data: Json, path: str) -> Scores:
    """Return both scores of which only the sums were saved."""
    counts, why = data["counts"], data.get("undefined", {})
    metrics = named_metrics(counts["labelled"])
    return Scores(
        *(
            summed_score(
                path,
                metrics["single", kind],
                {"counts": counts[kind], "undefined": why.get(kind, "")},
            )
            for kind in ("labelled", "unlabelled")
        )
    )


def _both_of(system: System, way: str) -> Scores:
    """Return both scores by sentence, as they were read already."""
    metrics = named_metrics(system[f"{way}_labelled"].counts.columns)
    return Scores(
        *(
            replace(system[f"{way}_{kind}"], metric=metrics["single", kind])
            for kind in ("labelled", "unlabelled")
        )
    )


def _agreement(data: Json, path: str) -> Agreement:
    scores = {
        (str(pair["gold"]), str(pair["other"])): {
            name: _score(name, score, path) for name, score in pair["metrics"].items()
        }
        for pair in data["pairs"]
    }
    metrics = tuple(score.metric for score in next(iter(scores.values()), {}).values())
    if not metrics:
        raise UsageError("it has no pairs with scores")
    names = [str(name) for name in data["analyses"]]
    if set(scores) != set(permutations(names, 2)):
        raise UsageError("its pairs are not all pairs of its analyses")
    if len({tuple(each) for each in scores.values()}) > 1:
        raise UsageError("its pairs do not have the same metrics")
    return Agreement(
        str(data["signature"]),
        tuple(names),
        metrics,
        scores,
        {
            _both(each["analyses"]): (
                Alpha.from_json(each["labelled"]),
                Alpha.from_json(each["unlabelled"]),
            )
            for each in data.get("alpha", ())
        },
        tuple(map(Differences.from_json, data.get("differences", ()))),
        {
            (each["one"], each["other"]): [_cell(cell) for cell in each["cells"]]
            for each in data.get("confusions", ())
        },
        tuple(map(str, data.get("inventories", ()))),
        {
            _both(each["analyses"]): tuple(map(str, each["sentences"]))
            for each in data.get("left_out", ())
        },
    )


def _both(names: list[str]) -> tuple[str, str]:
    one, other = names
    return one, other


def _cell(data: Json) -> ConfusionCell:
    examples = tuple((str(sentence), int(place)) for sentence, place in data["examples"])
    return ConfusionCell(data["one"], data["other"], int(data["words"]), examples)


def _score(name: str, data: Json, path: str) -> Score:
    return summed_score(path, next(iter(explained(name).values()))[0], data)
