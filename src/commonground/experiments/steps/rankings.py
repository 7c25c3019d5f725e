"""Steps that rank systems which were tested on different texts, and compare such rankings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from commonground.errors import UsageError
from commonground.experiments.steps.files import at_place, keep_grids
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import SEED, TEXT, whole
from commonground.grid import Cell, Column, Grid

__all__ = ["KINDS"]


def _rank(values: Values, folder: Path) -> None:
    """Keep the systems of validations in the order of their scores, with intervals of the ranks.

    With `longest`, only sentences of at most so many items count (words, for attachment). With a
    `place`, the scores are those that stand there in other results, without intervals.
    """
    systems = _plain(values) if "place" in values else _ranked(values)
    (folder / "result.json").write_text(json.dumps({"systems": systems}, indent=1), "utf-8")
    keep_grids([_grid(systems)], folder)


def _ranked(values: Values) -> list[dict[str, Any]]:
    from dataclasses import asdict

    from commonground.projection.validation import Validation
    from commonground.statistics.rank_intervals import rank_intervals

    metric, longest = values.get("metric", "uas"), values.get("longest")
    scores = {}
    for path in values["of"].values():
        validation = Validation.from_json(_read(path))
        runs = len(next(iter(validation.scores.values()))[metric])
        for name in validation.scores:
            scores[name] = validation.score(name, metric)
            if longest:
                gold = scores[name].counts.columns["gold"]
                short = (gold <= runs * longest).nonzero()[0]
                if not len(short):
                    raise UsageError(f"no sentence of {name} has at most {longest} words")
                scores[name] = scores[name].only(short)
    return [asdict(each) for each in rank_intervals(scores, seed=values.get("seed", 0))]


def _plain(values: Values) -> list[dict[str, Any]]:
    scores = {name: _at(_read(path), values["place"]) for name, path in values["of"].items()}
    order = sorted(scores, key=lambda name: -scores[name])
    return [{"name": n, "score": scores[n], "rank": at} for at, n in enumerate(order, 1)]


def _read(path: Path) -> Any:
    return json.loads((path / "result.json").read_text("utf-8"))


def _at(data: Any, place: str) -> float:
    score = at_place(data, place.split("."))
    if not isinstance(score, int | float):
        raise UsageError(f"there is no score at {place}")
    return float(score)


def _grid(systems: list[dict[str, Any]]) -> Grid:
    rows = []
    for each in systems:
        around, ranks = each.get("interval"), each.get("ranks")
        between = f"{ranks[0]}–{ranks[1]}" if ranks else str(each["rank"])
        shown = (100 * around[0], 100 * around[1]) if around else None
        rows.append([between, each["name"], Cell(100 * each["score"], interval=shown)])
    columns = [Column("rank"), Column("system"), Column("score", "right", 2)]
    intervals = bool(systems and "ranks" in systems[0])
    notes = ["Ranks and scores at 95 %, from sentences drawn again."] if intervals else []
    return Grid.of("", columns, rows, notes)


def _compare_ranks(values: Values, folder: Path) -> None:
    """Keep how far scores spread under several conditions, and how alike the rankings are."""
    import numpy as np

    by_condition = {
        name: {each["name"]: each["score"] for each in _read(path)["systems"]}
        for name, path in values["of"].items()
    }
    first = next(iter(by_condition.values()))
    rows, conditions = [], []
    for name, scores in by_condition.items():
        shared = [system for system in first if system in scores]
        column = np.array([scores[system] for system in shared])
        tau = _kendall([first[system] for system in shared], column.tolist())
        spread = float(column.std(ddof=1)) if len(column) > 1 else 0.0
        described = {
            "name": name, "systems": len(shared), "mean": float(column.mean()), "sd": spread,
            "lowest": float(column.min()), "highest": float(column.max()), "tau": tau,
        }  # fmt: skip
        conditions.append(described)
        numbers = (100 * described[key] for key in ("mean", "sd", "lowest", "highest"))
        rows.append([name, len(shared), *numbers, tau])
    (folder / "result.json").write_text(json.dumps({"conditions": conditions}, indent=1), "utf-8")
    columns = [
        Column("condition"), Column("systems", "right"),
        *(Column(title, "right", 2) for title in ("mean", "sd", "lowest", "highest", "τ")),
    ]  # fmt: skip
    note = "sd: between systems; τ: Kendall's, with the ranking of the first condition."
    keep_grids([Grid.of("", columns, rows, [note])], folder)


def _kendall(one: list[float], other: list[float]) -> float | None:
    """Return Kendall's τ (b) of two lists of scores, None where one of them does not vary.

    >>> _kendall([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    import numpy as np

    signs = [np.sign(np.subtract.outer(each, each)) for each in (np.array(one), np.array(other))]
    both = np.sqrt((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    return float((signs[0] * signs[1]).sum() / both) if both else None


KINDS = (
    StepKind("rank", "Rank systems of different texts", _rank, ("of",),
             {"metric": TEXT, "longest": whole(1), "place": TEXT, "seed": SEED}),
    StepKind("compare-ranks", "Compare rankings", _compare_ranks, ("of",)),
)  # fmt: skip
