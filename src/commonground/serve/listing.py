"""What the list of results tells about each: systems, their main score, and its interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePath

from commonground.errors import CommonGroundError
from commonground.evaluation.main_metric import chosen_metric
from commonground.evaluation.result import Result, System
from commonground.evaluation.saved import read_result
from commonground.report.material.claims import asked_again
from commonground.serve.folder import Listed
from commonground.statistics.claims import Claims
from commonground.statistics.testing import significance_tests

__all__ = ["ListedResult", "rows"]

_MOST_BYTES = 20_000_000
"""A larger result is listed without its scores."""


@dataclass(frozen=True, slots=True)
class ListedResult:
    """A system of a result, with its main score; `metric` is empty where there is none."""

    system: str
    metric: str = ""
    score: str = ""
    interval: str = ""
    gold: str = ""


def rows(folder: Path, listed: Listed) -> tuple[ListedResult, ...]:
    """Return the systems of a result; a result of another verb is one row that tells the verb."""
    path = folder / listed.name
    status = path.stat()
    if status.st_size > _MOST_BYTES:
        return (ListedResult(PurePath(listed.name).stem),)
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(512)
def _read(path: Path, _time: int, _size: int) -> tuple[ListedResult, ...]:
    """Return the rows of a file; whoever asks tells its time and size, so that it is read once."""
    try:
        result = read_result(path)
        systems = result.scored()
        main = chosen_metric(systems, str(path))
    except CommonGroundError:  # a result of another verb, or what its own page will tell about
        return (ListedResult(path.stem),)
    claims = _claims(result, systems, main)
    return tuple(_row(result, system, main, claims) for system in systems)


def _claims(result: Result, systems: tuple[System, ...], main: str) -> Claims | None:
    asked = replace(asked_again(result.request, len(systems)), tests=(), intervals=True)
    try:
        return significance_tests(systems, asked, metrics=[main], skip=True, same_gold=False)
    except CommonGroundError:  # a score that is undefined has no interval
        return None


def _row(result: Result, system: System, main: str, claims: Claims | None) -> ListedResult:
    score = system[main]
    scale = score.metric.scale
    interval = claims.intervals.get((system.name, main)) if claims else None
    request = result.request
    gold = request.gold or (request.systems or {}).get(system.name, ("",))[0]
    return ListedResult(
        system.name,
        f"{score.metric.title}, micro average" if result.files else score.metric.title,
        "undefined" if score.value is None else f"{scale * score.value:.2f}",
        f"{scale * interval.low:.2f} – {scale * interval.high:.2f}" if interval else "",
        PurePath(gold).name,
    )
