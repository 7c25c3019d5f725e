"""Running a recipe: what is done already is taken, the rest is done, and failures are kept apart.

Steps are done level by level of their graph, those of a level at the same time. A step that fails
leaves its reason; what needs it is not done, and all else is.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from commonground import __version__
from commonground.engine import Engine, Serial
from commonground.errors import CommonGroundError
from commonground.experiments.plan import Cell, Input, Plan, Ref
from commonground.experiments.steps import find_kind
from commonground.experiments.store import Store
from commonground.formats.files import write_bytes

__all__ = ["Estimate", "Outcome", "State", "estimates", "run_experiment"]

State = Literal["kept", "done", "failed", "left out"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a cell ended: it was there already, was done now, failed, or was left out; and why."""

    cell: Cell = field(repr=False)
    state: State
    seconds: float = 0.0
    reason: str = ""


def run_experiment(
    plan: Plan,
    folder: Path,
    *,
    engine: Engine | None = None,
    watch: Callable[[Outcome], None] = lambda _: None,
) -> dict[str, Outcome]:
    """Do what a plan asks for, in a folder; return how each cell ended, by its digest."""
    store = Store(folder / "store")
    store.sweep()
    found: dict[str, Outcome] = {}
    for level in plan.levels():
        able = []
        for cell in level:
            blocked = _blocked(cell, found)
            if blocked:
                found[cell.digest] = Outcome(cell, "left out", reason=blocked)
                watch(found[cell.digest])
            else:
                able.append(cell)
        work = partial(_work, folder)
        for outcome in (engine or Serial()).map(work, able):
            found[outcome.cell.digest] = outcome
            watch(outcome)
    return found


def _blocked(cell: Cell, found: Mapping[str, Outcome]) -> str:
    """Return why a cell cannot be done, the empty string where it can."""
    for need in cell.needs:
        if isinstance(need, Cell) and found[need.digest].state in ("failed", "left out"):
            return f"{need.title} failed"
    return ""


def _work(folder: Path, cell: Cell) -> Outcome:
    """Do a cell, unless it is done."""
    store = Store(folder / "store")
    with store.lock(cell.digest):
        about = store.about(cell.digest)
        if about is not None:
            return Outcome(cell, "kept", float(about.get("seconds", 0.0)))
        begin = time.perf_counter()
        try:
            return _made(store, cell, begin)
        except (CommonGroundError, OSError, MemoryError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
        except Exception:  # noqa: BLE001  # a step may use any library; the table must stand
            _log(folder, cell, traceback.format_exc())
            reason = f"an unexpected error; see {_log_file(folder, cell)}"
    return Outcome(cell, "failed", time.perf_counter() - begin, reason)


def _made(store: Store, cell: Cell, begin: float) -> Outcome:
    kind = find_kind(cell.do)
    about: dict[str, Any] = {
        "step": cell.step,
        "axes": dict(cell.axes),
        "do": cell.do,
        "version": __version__,
    }
    with store.making(cell.digest, about) as target:
        kind.make(_given(cell.values, store), target)
        about["seconds"] = round(time.perf_counter() - begin, 3)
    return Outcome(cell, "done", time.perf_counter() - begin)


def _given(value: Any, store: Store) -> Any:
    """Return values with paths in place of what is taken from elsewhere."""
    if isinstance(value, Ref):
        target = value.target
        return Path(target.path) if isinstance(target, Input) else store.place(target.digest)
    if isinstance(value, Mapping):
        return {key: _given(each, store) for key, each in value.items()}
    if isinstance(value, list):
        return [_given(each, store) for each in value]
    return value


def _log_file(folder: Path, cell: Cell) -> Path:
    return folder / "logs" / f"{cell.step}-{cell.digest[:12]}.log"


def _log(folder: Path, cell: Cell, text: str) -> None:
    path = _log_file(folder, cell)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, [text.encode()])


# ── how long it may take ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Estimate:
    """A cell that is planned: whether it is done already, and what it may cost in seconds."""

    cell: Cell = field(repr=False)
    kept: bool
    seconds: float | None


def estimates(plan: Plan, folder: Path) -> list[Estimate]:
    """Return what is planned, with costs from earlier runs: of the same step, or of its kind."""
    store = Store(folder / "store")
    by_step: dict[str, list[float]] = {}
    by_kind: dict[str, list[float]] = {}
    for _, about in store.kept():
        seconds = about.get("seconds")
        if isinstance(seconds, int | float):
            by_step.setdefault(str(about.get("step")), []).append(float(seconds))
            by_kind.setdefault(str(about.get("do")), []).append(float(seconds))
    found = []
    for level in plan.levels():
        for cell in level:
            known = by_step.get(cell.step) or by_kind.get(cell.do) or []
            mean = sum(known) / len(known) if known else None
            found.append(Estimate(cell, store.about(cell.digest) is not None, mean))
    return found
