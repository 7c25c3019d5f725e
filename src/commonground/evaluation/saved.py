"""Results that were saved: the JSON of ``evaluate`` and ``compare``, read back.

A saved result has the counts of every sentence, so that whatever follows from counts (tests,
intervals, tables, reports) can be done without the treebanks.
"""

from __future__ import annotations

import binascii
import json
import os
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

import commonground.evaluation.reading  # noqa: F401  # signatures leave its defaults out
from commonground.errors import InputError, UsageError, quoted, setting
from commonground.evaluation.request import Request
from commonground.evaluation.result import Result, Score, System, find_kind
from commonground.formats.files import read_bytes, shown
from commonground.grid import Grid
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences

__all__ = [
    "Saved",
    "read_json",
    "read_result",
    "refuse_incomparable",
    "result_of",
    "summed_score",
]

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Saved(Result):
    """A saved result: the `path` it was read from, its systems with their scores, and the rest.

    The scores of ``compare`` are called ``single_labelled``, ``single_unlabelled``,
    ``multiple_labelled`` and ``multiple_unlabelled``. `request` is what was asked for, `command`
    how, `tests` what was tested; `data` is the whole JSON. Its tables are those of the result that
    was saved, and it can be tested and plotted as that one.
    """

    kind: ClassVar[str] = "saved"

    path: str
    verb: str
    signature: str
    systems: tuple[System, ...]
    command: str
    request: Request
    tests: tuple[Json, ...]
    data: Json = field(repr=False)

    def system(self, name: str) -> System:
        """Return a system by its name."""
        return next(system for system in self.systems if system.name == name)

    def whole(self) -> Result:
        """Return the evaluation or the comparison that was saved."""
        data = {"kind": _KINDS[self.verb], **self.data}
        return find_kind(data, self.path).from_json(data, self.path)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON that was read."""
        return dict(self.data)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = "<memory>") -> Saved:
        """Return the saved result that JSON holds."""
        return result_of(dict(data), path)

    def grids(self, **options: Any) -> list[Grid]:
        """Return the tables of the result that was saved."""
        return self.whole().grids(**options)

    def records(self) -> list[dict[str, Any]]:
        """Return the numbers of the result that was saved as flat rows."""
        return self.whole().records()

    def tested(self) -> tuple[System, ...]:
        """Return the systems with the scores that are fair to test between them."""
        return _fair(self.verb, self.systems)

    @cached_property
    def files(self) -> Mapping[str, tuple[System, ...]]:
        """The systems on each of several files, by its name; what is saved of it are sums."""
        try:
            listed = {each["name"]: each.get("pairs", []) for each in self.data["systems"]}
            names = [str(pair["name"]) for pair in next(iter(listed.values()))]
            return {
                name: tuple(
                    replace(
                        system,
                        scores=_of_pair(self.path, system, listed[system.name][place]),
                        kept=None,
                    )
                    for system in self.systems
                )
                for place, name in enumerate(names)
            }
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            message = f"its pairs of files are not as evaluate writes them: {error}"
            raise InputError(self.path, 0, message) from error


def _of_pair(path: str, system: System, pair: Json) -> dict[str, Score]:
    """Return the scores of a system on one of several files."""
    return {
        name: summed_score(path, score.metric, pair["metrics"][name])
        for name, score in system.scores.items()
    }


_KINDS = {"evaluate": "evaluation", "compare": "comparison"}
"""The kinds of the results that verbs save."""


def read_result(path: str | os.PathLike[str]) -> Saved:
    """Read what ``evaluate`` or ``compare`` wrote with ``--output-format json``.

    The file may be compressed, ``-`` is standard input.
    """
    return result_of(read_json(path), shown(path))


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a file with a JSON object, which is what results of all verbs are."""
    name = shown(path)
    data = _parsed(read_bytes(path), name)
    if not isinstance(data, dict):
        raise InputError(name, 0, "this is not a result: it is not a JSON object, {…}")
    return data


def result_of(data: dict[str, Any], name: str) -> Saved:
    """Return the result that JSON holds; `name` is that of its file."""
    what = "this is not a result of evaluate or compare"
    file = _SavedFile(name)
    systems = [file.object(each, "a system") for each in file.list(data, "systems", what)]
    if not systems:
        raise InputError(name, 0, f"{what}: it has no systems")
    compared = "multiple" in systems[0]
    found = tuple(_system(file, each, compared=compared) for each in systems)
    names = [system.name for system in found]
    if len(set(names)) < len(names):
        file.refuse("two systems have the same name")
    return Saved(
        path=name,
        verb="compare" if compared else "evaluate",
        signature=file.text(data, "signature"),
        systems=found,
        command=file.text(data, "command") if "command" in data else "",
        request=Request.from_json(file.object(data.get("request", {}), "request"), name),
        tests=tuple(
            file.object(each, "a test") for each in file.list({"tests": [], **data}, "tests", what)
        ),
        data=data,
    )


# ── several results ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Together:
    """The systems of several saved results, which can be compared, and their common signature.

    `files` has the systems on each file, if all results are about the same ones.
    """

    verb: str
    signature: str
    systems: tuple[System, ...]
    files: Mapping[str, tuple[System, ...]] = field(default_factory=dict)

    def tested(self) -> tuple[System, ...]:
        """Return the systems with the scores that are fair to test between them."""
        return _fair(self.verb, self.systems)


def _fair(verb: str, systems: tuple[System, ...]) -> tuple[System, ...]:
    """Return systems with the scores that are fair between them: of ``compare``, MULTIPLE.

    SINGLE is about another gold standard for each system.
    """
    if verb == "evaluate":
        return systems
    return tuple(
        replace(system, scores={n: s for n, s in system.scores.items() if n.startswith("multiple")})
        for system in systems
    )


_NOTED = ("lost:", "extra:", "cycles:", "rootless:", "in-training:")
_NO_MATTER = ("on-mismatch:", "realigned:", "skipped:", "mappings:", "broken:", *_NOTED)
"""Parts of signatures that say which sentences count (the sentences themselves are compared), or
how the output of each system was read."""
_OF_TESTS = "test:"
"""Where the part of a signature begins that is about tests which were made before."""


def together(results: Mapping[str, Saved], *, force: bool = False) -> Together:
    """Put the systems of saved results together; `results` are by the names to call them by.

    A system whose name is in several results is called by that of the result as well. Results whose
    signatures differ in what scores depend on are refused, unless `force` is given.
    """
    (first, *others) = results.values()
    if not force:
        for other in others:
            refuse_incomparable(first, other)
    names = [system.name for saved in results.values() for system in saved.systems]
    called = [
        _only_name(name, saved, system.name, unique=names.count(system.name) == 1)
        for name, saved in results.items()
        for system in saved.systems
    ]
    return Together(
        first.verb,
        "|".join(_ground(first.signature)),
        _renamed([saved.systems for saved in results.values()], called),
        _files_in_common(list(results.values()), called),
    )


def _renamed(groups: Iterable[Sequence[System]], names: Sequence[str]) -> tuple[System, ...]:
    systems = chain.from_iterable(groups)
    return tuple(replace(each, name=name) for each, name in zip(systems, names, strict=True))


def _files_in_common(
    results: Sequence[Saved], names: Sequence[str]
) -> dict[str, tuple[System, ...]]:
    """Return the systems on each file, if all results are about the same files."""
    first, *others = (saved.files for saved in results)
    if any(list(first) != list(other) for other in others):
        return {}
    return {
        file: _renamed([systems, *(other[file] for other in others)], names)
        for file, systems in first.items()
    }


def _only_name(result: str, saved: Saved, system: str, *, unique: bool) -> str:
    """Return what a system is called: its own name, if no other has it, or that of the result."""
    if unique and result == saved.path:
        return system
    return result if len(saved.systems) == 1 else f"{result}:{system}"


def refuse_incomparable(one: Saved, other: Saved) -> None:
    """Raise an error where scores of two results cannot be compared, and say why."""
    if one.verb != other.verb:
        raise UsageError(f"{one.path} is a result of {one.verb}, {other.path} of {other.verb}")
    for here, there in zip_longest(_ground(one.signature), _ground(other.signature)):
        if here != there:
            raise UsageError(
                f"the scores are not comparable: {one.path} has {quoted(str(here), 80)}, "
                f"{other.path} has {quoted(str(there), 80)}; {setting('force')} compares them "
                "anyway"
            )


def _ground(signature: str) -> list[str]:
    """Return the parts of a signature that decide what scores mean."""
    parts = signature.split("|")
    tests = [place for place, part in enumerate(parts) if part.startswith(_OF_TESTS)]
    return [
        part
        for part in parts[: tests[0] if tests else None]
        if not part.startswith(_NO_MATTER) or part == "on-mismatch:realign"
    ]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def _parsed(content: bytes, path: str) -> Any:
    try:
        return json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(path, line, "not UTF-8, which JSON is written in") from error
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        if not content.lstrip().startswith(b"{"):  # no damaged result, but another kind of file
            message = (
                "not a saved result; evaluate, compare and others write one with "
                f"{setting('output_format', 'json')}"
            )
        raise InputError(path, error.lineno, message) from error
    except (RecursionError, ValueError) as error:  # too deep, or a number of too many digits
        raise InputError(path, 0, "this JSON is not a result") from error


@dataclass(frozen=True, slots=True)
class _SavedFile:
    """The file that is read: it looks values up, and refuses what is not as it should be."""

    path: str

    def refuse(self, message: str) -> NoReturn:
        raise InputError(self.path, 0, message)

    def object(self, value: Any, what: str) -> Json:
        if not isinstance(value, dict):
            self.refuse(f"{what} is not an object, {{…}}")
        return value

    def list(self, data: Json, key: str, what: str) -> list[Any]:
        if not isinstance(data.get(key), list):
            self.refuse(f"{what}: it has no list {key!r}")
        return list(data[key])

    def text(self, data: Json, key: str) -> str:
        if not isinstance(data.get(key), str):
            self.refuse(f"there is no text {key!r}")
        return str(data[key])

    def texts(self, data: Json, key: str, what: str) -> tuple[str, ...]:
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


def _system(file: _SavedFile, data: Json, *, compared: bool) -> System:
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
    return System(name, scores, skipped, kept=Sentences(ids, documents), noted=notes)


def _evaluated_scores(file: _SavedFile, data: Json) -> Iterator[tuple[Metric, Json]]:
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


def _compared_scores(file: _SavedFile, data: Json) -> Iterator[tuple[Metric, Json]]:
    """Return the same for a system of ``compare``."""
    from commonground.evaluation.protocols import named_metrics  # noqa: PLC0415  # it imports much

    for way in ("single", "multiple"):
        scores = file.object(data.get(way), way)
        for kind in ("labelled", "unlabelled"):
            counts, columns = (
                file.object(file.object(scores.get(key, {}), key).get(kind, {}), key)
                for key in ("counts", "by_sentence")
            )
            metric = named_metrics(counts)[way, kind]
            why = file.object(scores.get("undefined", {}), "undefined").get(kind, "")
            yield metric, {"counts": counts, "by_sentence": columns, "undefined": why}


def _score(file: _SavedFile, metric: Metric, data: Json, sentences: int) -> Score:
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
    file = _SavedFile(path)
    part = file.object(data, metric.name)
    sums = file.object(part.get("counts"), f"counts of {metric.name}")
    columns = {name: file.numbers([n], f"{metric.name}: [{name}]") for name, n in sums.items()}
    return _counted(file, metric, Counts(columns), part)


_OF_ALL = ("correct", "gold", "system")
"""What every metric counts."""


def _counted(file: _SavedFile, metric: Metric, counts: Counts, data: Json) -> Score:
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


def _bits(file: _SavedFile, text: Any, score: Score) -> NDArray[np.bool_]:
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
