"""Systems and their scores, read back from the JSON of a saved result."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError, UsageError, quoted, setting
from commonground.evaluation.other_scheme import OtherScheme
from commonground.evaluation.result import Score, System
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences

__all__ = ["SavedFile", "saved_system", "summed_score"]

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SavedFile:
    """The file that is read: it looks values up, and refuses what is not as it should be."""

    path: str

    def refuse(self, message: str) -> NoReturn:
        """Raise an error about the file."""
        raise InputError(self.path, 0, message)

    def object(self, value: Any, what: str) -> Json:
        """Return a value that must be an object."""
        if not isinstance(value, dict):
            self.refuse(f"{what} is not an object, {{…}}")
        return value

    def list(self, data: Json, key: str, what: str) -> list[Any]:
        """Return a list of an object."""
        if not isinstance(data.get(key), list):
            self.refuse(f"{what}: it has no list {key!r}")
        return list(data[key])

    def text(self, data: Json, key: str) -> str:
        """Return a text of an object."""
        if not isinstance(data.get(key), str):
            self.refuse(f"there is no text {key!r}")
        return str(data[key])

    def texts(self, data: Json, key: str, what: str) -> tuple[str, ...]:
        """Return a list of texts of an object."""
        found = self.list(data, key, what)
        if not all(isinstance(each, str) for each in found):
            self.refuse(f"{key!r} has something that is not text")
        return tuple(found)

    def numbers(self, values: Any, what: str) -> NDArray[np.int64]:
        """Return a list of whole numbers, none of them negative."""
        ok = isinstance(values, list) and all(type(v) is int and 0 <= v < 1 << 53 for v in values)
        if not ok:
            self.refuse(f"{what} is not a list of whole numbers")
        return np.array(values, np.int64)


_NO_COUNTS = (
    "this result has no counts per sentence; evaluate and compare save them with "
    f"{setting('output_format', 'json')}"
)


def saved_system(file: SavedFile, data: Json, *, compared: bool) -> System:
    """Return a system with its counts per sentence; `compared` tells whether of ``compare``."""
    name = file.text(data, "name")
    if "sentences" not in data:
        file.refuse(_NO_COUNTS)
    ids = file.texts(data, "sentences", name)
    documents = file.texts(data, "documents", name) if "documents" in data else ()
    if documents and len(documents) != len(ids):
        file.refuse(f"{name} has {len(ids):,} sentences, but {len(documents):,} documents")
    found = _compared_scores(file, data) if compared else _evaluated_scores(file, data)
    scores = {metric.name: _score(file, metric, part, len(ids)) for metric, part in found}
    skipped = file.texts(data, "skipped", name) if "skipped" in data else ()
    noted = file.object(data.get("noted", {}), "noted")
    notes = {what: file.texts(noted, what, name) for what in noted}
    other = OtherScheme.from_json(told, file.path) if (told := data.get("other_scheme")) else None
    kept = Sentences(ids, documents)
    return System(name, scores, skipped, kept=kept, noted=notes, other_scheme=other)


def _evaluated_scores(file: SavedFile, data: Json) -> Iterator[tuple[Metric, Json]]:
    """Return the metrics of a system of ``evaluate``, with the JSON of their scores."""
    from commonground.metrics.registry import explained  # noqa: PLC0415  # it imports all metrics

    metrics = file.object(data.get("metrics"), "metrics")
    if not metrics:
        file.refuse("metrics is empty; the scores of the system are expected")
    for name, part in metrics.items():
        try:
            metric = next(iter(explained(name).values()))[0]
        except UsageError:
            file.refuse(f"there is no metric {quoted(name)}; another version may have one")
        yield metric, file.object(part, name)


def _compared_scores(file: SavedFile, data: Json) -> Iterator[tuple[Metric, Json]]:
    """Return the same for a system of ``compare``."""
    from commonground.evaluation.protocols import named_metrics  # noqa: PLC0415  # it imports much
    from commonground.metrics.functions import common_phrases  # noqa: PLC0415  # the same

    ways = ("common", "single", "multiple") if "common" in data else ("single", "multiple")
    for way in ways:
        scores = file.object(data.get(way), way)
        for kind in common_phrases.METRICS if way == "common" else ("labelled", "unlabelled"):
            counts, columns = (
                file.object(file.object(scores.get(key, {}), key).get(kind, {}), key)
                for key in ("counts", "by_sentence")
            )
            metric = named_metrics(counts)[way, kind]
            why = file.object(scores.get("undefined", {}), "undefined").get(kind, "")
            yield metric, {"counts": counts, "by_sentence": columns, "undefined": why}


def _score(file: SavedFile, metric: Metric, data: Json, sentences: int) -> Score:
    """Return a score with its counts per sentence, which add up to its counts."""
    if not data.get("by_sentence"):
        file.refuse(_NO_COUNTS)
    columns = {
        name: file.numbers(values, f"{metric.name}: {name} by_sentence")
        for name, values in file.object(data["by_sentence"], "by_sentence").items()
    }
    if any(len(column) != sentences for column in columns.values()):
        file.refuse(f"the by_sentence list of {metric.name} does not have one entry per sentence")
    score = _counted(file, metric, Counts(columns), data)
    if score.counts.totals != data.get("counts"):
        file.refuse(f"{metric.name}: the counts by_sentence do not add up to its counts")
    items = data.get("items")
    return score if items is None else replace(score, judged=(_bits(file, items, score),))


def summed_score(path: str, metric: Metric, data: Any) -> Score:
    """Return a score of which only the sums were saved; `data` is its JSON."""
    file = SavedFile(path)
    part = file.object(data, metric.name)
    sums = file.object(part.get("counts"), f"counts of {metric.name}")
    columns = {name: file.numbers([n], f"{metric.name}: [{name}]") for name, n in sums.items()}
    return _counted(file, metric, Counts(columns), part)


_OF_ALL = ("correct", "gold", "system")
"""What every metric counts."""


def _counted(file: SavedFile, metric: Metric, counts: Counts, data: Json) -> Score:
    """Return a score of counts, among which is all that is made of them."""
    lacking = [name for name in _OF_ALL if name not in counts.columns]
    score = Score(metric, counts, reason=_reason(data))
    try:
        _ = score.value
    except KeyError as error:
        lacking += error.args
    if lacking:
        file.refuse(f"{metric.name} has no counts {lacking[0]!r}")
    return score


def _reason(data: Json) -> str:
    """Return why a score is undefined, if it is."""
    found = data.get("undefined", "")
    return found if isinstance(found, str) else ""


def _bits(file: SavedFile, text: Any, score: Score) -> NDArray[np.bool_]:
    """Return which items are right, from bits in base64."""
    try:
        packed = np.frombuffer(b64decode(text, validate=True), np.uint8)
    except (TypeError, ValueError, binascii.Error):
        packed = np.zeros(0, np.uint8)
    totals = score.counts.totals
    if len(packed) != -(-totals.get("gold", 0) // 8):
        file.refuse(f"{score.metric.name}: its items are not one bit each, in base64")
    found = np.unpackbits(packed, count=totals.get("gold", 0)).astype(np.bool_)
    if int(found.sum()) != totals["correct"]:
        file.refuse(f"{score.metric.name}: its items do not agree with its counts")
    return found
