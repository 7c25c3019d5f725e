"""Comparisons and agreements as they were saved, read back from their JSON.

What was saved by sentence is there by sentence again, and can be tested; of the rest there are
sums, which is all that tables look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from commonground.errors import InputError, UsageError
from commonground.evaluation.agreement import Agreement
from commonground.evaluation.alpha import Alpha
from commonground.evaluation.comparison import CompareResult, SchemeResult, Scores
from commonground.evaluation.differences import Differences
from commonground.evaluation.inventories import Translated
from commonground.evaluation.protocols import named_metrics
from commonground.evaluation.result import Score
from commonground.evaluation.saved import result_of
from commonground.metrics.confusion import ConfusionCell
from commonground.metrics.items import Counts
from commonground.metrics.registry import explained

__all__ = ["agreement_of", "comparison_of"]

Json = Mapping[str, Any]
_Restored = TypeVar("_Restored")


def comparison_of(data: Json, path: str) -> CompareResult:
    """Return the comparison that JSON holds, which was read from `path`."""
    return _whole("compare", path, lambda: _comparison(data, path))


def agreement_of(data: Json, path: str) -> Agreement:
    """Return the agreement that JSON holds, which was read from `path`."""
    return _whole("agreement", path, lambda: _agreement(data))


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
    return CompareResult(
        saved.signature,
        tuple(map(_scheme, data["systems"])),
        {_two(pair): _scores(scores) for pair, scores in data.get("overlap", {}).items()},
        tuple(data.get("skipped", ())),
        sentences,
        {name: _translated(each) for name, each in data.get("labels", {}).items()},
        tuple(map(str, data.get("remarks", ()))),
    )


def _translated(data: Json) -> Translated:
    mapping = {(row["label"], row["hub"]): int(row["count"]) for row in data["mapping"]}
    total = max(sum(mapping.values()), 1)
    return Translated(data["inventory"], round(float(data["coverage"]) * total), total, mapping)


def _two(pair: str) -> tuple[str, str]:
    one, _, other = pair.partition("+")
    return one, other


def _scheme(data: Json) -> SchemeResult:
    return SchemeResult(
        data["name"],
        data.get("gold", data["name"]),
        _scores(data["single"]),
        _scores(data["multiple"]),
        {name: _scores(scores) for name, scores in data.get("against", {}).items()},
        {
            gold: {name: _score(name, score) for name, score in scores.items()}
            for gold, scores in data.get("native", {}).items()
        },
        {
            tuple(names.split("+")): _scores(scores)
            for names, scores in data.get("subsets", {}).items()
        },
    )


def _scores(data: Json) -> Scores:
    counts, why = data["counts"], data.get("undefined", {})
    by_sentence = data.get("by_sentence", {})
    metrics = named_metrics(counts["labelled"])
    return Scores(
        *(
            Score(
                metrics["single", kind],
                _columns(by_sentence[kind]) if kind in by_sentence else _sums(counts[kind]),
                reason=why.get(kind, ""),
            )
            for kind in ("labelled", "unlabelled")
        )
    )


def _agreement(data: Json) -> Agreement:
    scores = {
        (pair["gold"], pair["other"]): {
            name: _score(name, score) for name, score in pair["metrics"].items()
        }
        for pair in data["pairs"]
    }
    metrics = tuple(score.metric for score in next(iter(scores.values()), {}).values())
    if not metrics:
        raise UsageError("it has no pairs with scores")
    return Agreement(
        str(data["signature"]),
        tuple(data["analyses"]),
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
    )


def _both(names: list[str]) -> tuple[str, str]:
    one, other = names
    return one, other


def _cell(data: Json) -> ConfusionCell:
    examples = tuple((str(sentence), int(place)) for sentence, place in data["examples"])
    return ConfusionCell(data["one"], data["other"], int(data["words"]), examples)


def _score(name: str, data: Json) -> Score:
    metric = next(iter(explained(name).values()))[0]
    return Score(metric, _sums(data["counts"]), reason=data.get("undefined", ""))


def _sums(totals: Json) -> Counts:
    return _columns({name: [total] for name, total in totals.items()})


def _columns(columns: Json) -> Counts:
    return Counts({name: np.array(column, np.int64) for name, column in columns.items()})
