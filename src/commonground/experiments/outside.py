"""What a recipe uses from outside: programs and models that it runs, and files that it reads.

A recipe may come from anybody. What it runs is told before it runs, and has to be allowed; the
recipes that come along name nothing but parsers that the user has installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import UsageError, setting
from commonground.experiments.plan import MatrixCell, Plan, RecipeInput
from commonground.experiments.recipe import is_bundled
from commonground.parsers.registry import find_parser, parser_names

__all__ = ["OutsideUse", "outside_uses", "refuse_programs", "runs_programs"]


@dataclass(frozen=True, slots=True)
class OutsideUse:
    """Something from outside that a step uses: it `runs` it, or only reads it."""

    step: str
    what: str
    name: str
    runs: bool = False


def outside_uses(plan: Plan) -> list[OutsideUse]:
    """Return what the steps of a plan use from outside, each thing once, what is run first."""
    uses = [use for cell in plan.cells for use in _uses(cell)]
    once = {(use.what, use.name): use for use in reversed(uses)}
    return sorted(once.values(), key=lambda use: (not use.runs, uses.index(use)))


def runs_programs(cell: MatrixCell) -> bool:
    """Tell whether a cell runs something from outside; what it makes is trusted as that is."""
    return any(use.runs for use in _uses(cell))


def refuse_programs(plan: Plan) -> None:
    """Refuse a plan that runs something from outside, unless its recipe comes along."""
    if is_bundled(plan.recipe):
        return
    run = [f"{use.what} {use.name}" for use in outside_uses(plan) if use.runs]
    if run:
        more = f" and {len(run) - 3} more" if len(run) > 3 else ""
        raise UsageError(
            f"the recipe {plan.recipe.path} runs {', '.join(run[:3])}{more}; "
            f"{setting('allow_programs')} allows it, and 'experiment show' lists everything"
        )


def _uses(cell: MatrixCell) -> Iterator[OutsideUse]:
    for need in cell.needs:
        if isinstance(need, RecipeInput) and not need.path.startswith("example:"):
            yield OutsideUse(cell.step, "file", need.path)
    values = dict(cell.values)
    if "parser" in values or cell.do in _TRAINING:
        chosen = values.pop("settings", {})
        parser = values.pop("parser", "arc-eager")
        yield from _parser_uses(cell.step, str(parser), chosen if isinstance(chosen, dict) else {})
    if values.get("aligner") == "eflomal":
        yield OutsideUse(cell.step, "program", "eflomal", runs=True)
    for text in _texts(values):
        if _is_path(text):
            yield OutsideUse(cell.step, "file", text)


_TRAINING = ("train", "cross-parse", "validate")


def _parser_uses(step: str, name: str, settings: Mapping[str, Any]) -> Iterator[OutsideUse]:
    """Return what a parser uses, and those that it consists of."""
    known = parser_names()
    if name not in known:
        return
    parser = find_parser(name)
    if parser.program:
        program = settings.get("program", "")
        yield OutsideUse(
            step, "program", str(program) if name == "command" else parser.program, runs=True
        )
    for key, value in settings.items():
        if key in parser.files and value:
            runs = key in ("jar", "model")
            yield OutsideUse(step, key if runs else "file", str(value), runs=runs)
        elif isinstance(value, str):
            for word in value.split():
                if word in known and word != name:
                    yield from _parser_uses(step, word, {})


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _is_path(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # no name that a file could have
        return False
