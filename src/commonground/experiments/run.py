"""Running a recipe: what is done already is taken, the rest is done, and failures are kept apart.

All steps whose needs are there are done at the same time, then those that need these, and so on. A
step that fails leaves its reason; what needs it is not done, and all else is. A step over several
systems is done with those that are there. Several runs, on one machine or on several that share the
folder, take different steps: one that another run is at work on is left to it, and its outcome is
taken when it is there.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from commonground import __version__
from commonground.engine import Engine, Serial
from commonground.errors import CommonGroundError
from commonground.experiments.code import code_digest
from commonground.experiments.lease import Lease, Watcher
from commonground.experiments.outside import refuse_programs, runs_programs
from commonground.experiments.plan import MatrixCell, Plan, RecipeInput, Ref
from commonground.experiments.steps import find_kind
from commonground.experiments.store import LostLeaseError, Store
from commonground.formats.storage.files import write_bytes
from commonground.plurals import number_of

__all__ = ["CellOutcome", "Estimate", "State", "estimates", "mixture", "run_experiment"]

State = Literal["kept", "done", "failed", "left out"]


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """How a cell ended: it was there already, was done now, failed, or was left out; and why.

    `lacking` are the systems that it was done without, with the reason of each; what was made
    instead is then kept under another `digest`. `other_code` tells that what was there was made by
    other code of the same version.
    """

    cell: MatrixCell = field(repr=False)
    state: State
    seconds: float = 0.0
    reason: str = ""
    lacking: Mapping[str, str] = field(default_factory=dict)
    made: MatrixCell | None = field(default=None, repr=False)
    other_code: bool = False

    @property
    def digest(self) -> str:
        """Where the outcome is kept."""
        return (self.made or self.cell).digest


def mixture(outcomes: Mapping[str, CellOutcome]) -> str:
    """Say how many outcomes were made by other code of this version; nothing where none was."""
    count = sum(outcome.other_code for outcome in outcomes.values())
    told = number_of(len(outcomes), "step was", "steps were")
    return f"{count:,} of {told} made by other code of version {__version__}" if count else ""


def run_experiment(
    plan: Plan,
    folder: Path,
    *,
    engine: Engine | None = None,
    watch: Callable[[CellOutcome], None] = lambda _: None,
    allow_programs: bool = False,
) -> dict[str, CellOutcome]:
    """Do what a plan asks for, in a folder; return how each cell ended, by its digest.

    A recipe that does not come along, and that runs programs from outside, is refused unless
    `allow_programs` says that it may.
    """
    if not allow_programs:
        refuse_programs(plan)
    store = Store(folder / "store")
    store.sweep()
    outcomes: dict[str, CellOutcome] = {}
    planned = {cell.digest: cell for level in plan.levels() for cell in level}
    watcher = Watcher()
    while ready := [cell for cell in planned.values() if _is_ready(cell, outcomes)]:
        able: dict[str, tuple[MatrixCell, Mapping[str, str]]] = {}  # by the digest that is planned
        for cell in ready:
            made, lacking = _possible(cell, outcomes)
            if made is None:
                reason = next(iter(lacking.values()))
                outcomes[cell.digest] = CellOutcome(cell, "left out", reason=reason)
                watch(outcomes[cell.digest])
            else:
                able[cell.digest] = made, lacking
        work = partial(_work, folder)
        tasks = (
            (made, watcher.expired(store.lease_file(made.digest))) for made, _ in able.values()
        )
        ended = (engine or Serial()).map(work, tasks)
        others = True  # all that could be done is being done by others
        for digest, outcome in zip(able, ended, strict=True):
            if outcome is None:
                continue
            others = False
            outcomes[digest] = replace(
                outcome, cell=planned[digest], made=outcome.cell, lacking=able[digest][1]
            )
            watch(outcomes[digest])
        if able and others:
            time.sleep(_GLANCE)
    return {digest: outcomes[digest] for digest in planned}


_GLANCE = 0.2
"""Seconds between two looks at whether another run has ended its steps."""


def _is_ready(cell: MatrixCell, outcomes: Mapping[str, CellOutcome]) -> bool:
    """Tell whether a cell is still to be done, and everything is there that it needs."""
    return cell.digest not in outcomes and all(
        need.digest in outcomes for need in cell.needs if isinstance(need, MatrixCell)
    )


def _possible(
    cell: MatrixCell, outcomes: Mapping[str, CellOutcome]
) -> tuple[MatrixCell | None, dict[str, str]]:
    """Return a cell as it can be done: without systems that failed, and why; None if it cannot.

    Systems are the entries of a table that is taken (``parses``, ``systems``, ``outputs``).
    """
    failed = {
        need.digest: _told(outcomes[need.digest])
        for need in cell.needs
        if isinstance(need, MatrixCell) and outcomes[need.digest].state in ("failed", "left out")
    }
    others = {
        need.digest: outcome.made
        for need in cell.needs
        if isinstance(need, MatrixCell)
        and (outcome := outcomes[need.digest]).made is not None
        and outcome.digest != need.digest
    }
    if not failed and not others:
        return cell, {}
    values = dict(cell.values)
    lacking: dict[str, str] = {}
    for name in find_kind(cell.do).taken:
        if isinstance(values.get(name), Mapping):
            reasons = {key: _why(each, failed) for key, each in values[name].items()}
            lacking |= {key: reason for key, reason in reasons.items() if reason}
            values[name] = {key: e for key, e in values[name].items() if not reasons[key]}
            if not values[name]:
                return None, lacking
    hopeless = _why(values, failed)
    if hopeless:
        return None, {"": hopeless}
    needs = tuple(need for need in cell.needs if need.digest not in failed)
    return replace(cell, values=_instead(values, others), needs=needs), lacking


def _told(outcome: CellOutcome) -> str:
    """Return what failed, and why; of what was left out the reason tells that already."""
    if outcome.state == "left out":
        return outcome.reason
    return f"{outcome.cell.title} failed: {outcome.reason}"


def _why(value: Any, failed: Mapping[str, str]) -> str:
    """Return why a value cannot be had, the empty string where it can."""
    if isinstance(value, Ref):
        return failed.get(value.target.digest, "")
    parts = value.values() if isinstance(value, Mapping) else value
    each = (_why(part, failed) for part in parts) if isinstance(value, Mapping | list) else ()
    return next(filter(None, each), "")


def _instead(value: Any, others: Mapping[str, MatrixCell]) -> Any:
    """Return values with what was made in the place of what was planned."""
    if isinstance(value, Ref):
        return Ref(others.get(value.target.digest, value.target))
    if isinstance(value, Mapping):
        return {key: _instead(each, others) for key, each in value.items()}
    if isinstance(value, list):
        return [_instead(each, others) for each in value]
    return value


def _work(folder: Path, task: tuple[MatrixCell, str]) -> CellOutcome | None:
    """Do a cell, unless it is done; None if another run is at work on it.

    With the cell comes the owner of its lease, if that has run out.
    """
    cell, expired = task
    store = Store(folder / "store")
    if kept := _kept(store, cell):
        return kept
    with store.lease(cell.digest, expired) as lease:
        if lease is None:
            return None
        if kept := _kept(store, cell):  # by the one who had the lease before
            return kept
        begin = time.perf_counter()
        try:
            return _made(store, cell, begin, lease)
        except LostLeaseError:
            return None
        except (CommonGroundError, OSError, MemoryError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
        except Exception as error:  # noqa: BLE001  # a step may use any library; tables must stand
            _log(folder, cell, traceback.format_exc())
            said = " ".join(f"{type(error).__name__}: {error}".split())
            reason = f"an unexpected error, {said}; see {_log_file(folder, cell)}"
    return CellOutcome(cell, "failed", time.perf_counter() - begin, reason)


def _kept(store: Store, cell: MatrixCell) -> CellOutcome | None:
    """Return the outcome of a cell that is done already."""
    about = store.about(cell.digest)
    if about is None:
        return None
    other = about.get("code") != code_digest()
    return CellOutcome(cell, "kept", float(about.get("seconds", 0.0)), other_code=other)


def _made(store: Store, cell: MatrixCell, begin: float, lease: Lease) -> CellOutcome:
    kind = find_kind(cell.do)
    about: dict[str, Any] = {
        "step": cell.step,
        "axes": dict(cell.axes),
        "do": cell.do,
        "version": __version__,
        "code": code_digest(),
    }
    with store.making(cell.digest, about, lease) as target:
        # What a step that was allowed to run a program has made is trusted as that program is;
        # an outcome that somebody else has put there in place of another one is not.
        makers = [need for need in cell.needs if isinstance(need, MatrixCell)]
        trusted = {"trusted": True} if any(map(runs_programs, makers)) else {}
        kind.make({**_given(cell.values, store), **trusted}, target)
        about["seconds"] = round(time.perf_counter() - begin, 3)
    return CellOutcome(cell, "done", time.perf_counter() - begin)


def _given(value: Any, store: Store) -> Any:
    """Return values with paths in place of what is taken from elsewhere."""
    if isinstance(value, Ref):
        target = value.target
        return Path(target.path) if isinstance(target, RecipeInput) else store.place(target.digest)
    if isinstance(value, Mapping):
        return {key: _given(each, store) for key, each in value.items()}
    if isinstance(value, list):
        return [_given(each, store) for each in value]
    return value


def _log_file(folder: Path, cell: MatrixCell) -> Path:
    return folder / "logs" / f"{cell.step}-{cell.digest[:12]}.log"


def _log(folder: Path, cell: MatrixCell, text: str) -> None:
    path = _log_file(folder, cell)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, [text.encode()])


# ── how long it may take ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Estimate:
    """A cell that is planned: whether it is done already, and its seconds: spent, or expected."""

    cell: MatrixCell = field(repr=False)
    kept: bool
    seconds: float | None


def estimates(plan: Plan, folder: Path) -> list[Estimate]:
    """Return what is planned, with what it cost, or else the mean of its step or of its kind."""
    store = Store(folder / "store")
    by_step: dict[str, list[float]] = {}
    by_kind: dict[str, list[float]] = {}
    for _, about in store.kept():
        seconds = about.get("seconds")
        if isinstance(seconds, int | float):
            by_step.setdefault(str(about.get("step")), []).append(float(seconds))
            by_kind.setdefault(str(about.get("do")), []).append(float(seconds))
    costs = []
    for level in plan.levels():
        for cell in level:
            known = by_step.get(cell.step) or by_kind.get(cell.do) or []
            mean = sum(known) / len(known) if known else None
            own = store.about(cell.digest)
            seconds = mean if own is None else own.get("seconds", mean)
            costs.append(Estimate(cell, own is not None, seconds))
    return costs
