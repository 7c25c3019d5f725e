"""From a recipe to what has to be done: a cell for each step and each value of its axes.

The axes of a step are those that it mentions and those of the steps that it takes from, less those
that it gathers.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from commonground import __version__
from commonground.errors import InputError, UsageError, setting
from commonground.experiments.recipe import Recipe, Scalar, Step
from commonground.experiments.steps import find_kind
from commonground.experiments.steps.kind import StepKind
from commonground.formats.storage.files import digest
from commonground.formats.storage.folders import files_of

__all__ = ["MatrixCell", "Plan", "RecipeInput", "planned"]

_AXIS = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


@dataclass(frozen=True)
class RecipeInput:
    """A treebank or an encoder from outside: its name, the path, and the digests of its files."""

    name: str
    path: str

    @property
    def files(self) -> list[str]:
        """The files, all of a folder, and the sentences that stand beside a gold standard."""
        treebanks = files_of(self.path)
        if Path(self.path).is_dir():
            return sorted(str(file) for file in Path(self.path).iterdir() if file.is_file())
        return [file for each in treebanks for file in (each, *_beside(each))]

    @cached_property
    def digest(self) -> str:
        """What the content is, wherever it lies."""
        parts = [digest(file) for file in self.files]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _beside(file: str) -> list[str]:
    """Return the file with the sentences of a gold standard of phenomena, where there is one."""
    path = Path(file)
    texts = path.with_suffix(".txt")
    return [str(texts)] if path.suffix == ".tsv" and texts.is_file() else []


@dataclass(frozen=True)
class MatrixCell:
    """A step for certain values of its axes.

    `values` are its own, filled in; in place of the names of steps and inputs they have
    :class:`Ref`, which say what is taken from where.
    """

    step: str
    do: str
    axes: Mapping[str, Scalar]
    values: Mapping[str, Any]
    needs: tuple[MatrixCell | RecipeInput, ...] = field(repr=False, default=())
    line: int = 0

    @cached_property
    def digest(self) -> str:
        """What the outcome depends on: the step, its values, what it takes, and the version."""
        said = {
            "version": __version__,
            "do": self.do,
            "made": find_kind(self.do).version,
            "values": _plain(self.values),
        }
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        """The step with the values of its axes."""
        inside = ", ".join(map(str, self.axes.values()))
        return f"{self.step} ({inside})" if inside else self.step


@dataclass(frozen=True)
class Ref:
    """What a value of a step stands for: another cell, or an input."""

    target: MatrixCell | RecipeInput


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it, with digests in place of what is taken from elsewhere."""
    if isinstance(value, Ref):
        return {"digest": value.target.digest}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


@dataclass(frozen=True)
class Plan:
    """All cells of a recipe, those first that others need."""

    recipe: Recipe
    cells: tuple[MatrixCell, ...]

    def of_step(self, name: str) -> list[MatrixCell]:
        """Return the cells of a step."""
        return [cell for cell in self.cells if cell.step == name]

    def foreseen(self) -> dict[str, str]:
        """Return why cells will fail here, by their titles."""
        reasons = {c.title: find_kind(c.do).foreseen(c.values) for c in self.cells}
        return {title: reason for title, reason in reasons.items() if reason}

    def levels(self) -> list[list[MatrixCell]]:
        """Return the cells in levels: each needs only cells of the levels before it."""
        level: dict[str, int] = {}
        levels: list[list[MatrixCell]] = []
        for cell in self.cells:
            needed = (level[need.digest] for need in cell.needs if isinstance(need, MatrixCell))
            place = max((number + 1 for number in needed), default=0)
            if cell.digest in level:
                continue  # two cells that make the same are done once
            level[cell.digest] = place
            while len(levels) <= place:
                levels.append([])
            levels[place].append(cell)
        return levels


def planned(recipe: Recipe, inputs: Mapping[str, str] | None = None) -> Plan:
    """Return what a recipe asks for; `inputs` are other paths than the recipe has."""
    given = dict(inputs or {})
    for name in given:
        if name not in recipe.inputs:
            known = ", ".join(recipe.inputs) or "none"
            raise UsageError(f"the recipe has no input {name!r}; it has {known}")
    paths = {**recipe.inputs, **given}
    for name, path in paths.items():
        if not path:
            raise UsageError(
                f"the recipe needs the input {name}: {setting('input', f'{name}=FILE')}"
            )
    return _Planner(recipe, {name: RecipeInput(name, path) for name, path in paths.items()}).plan()


class _Planner:
    def __init__(self, recipe: Recipe, inputs: Mapping[str, RecipeInput]) -> None:
        self.recipe, self.inputs = recipe, inputs
        self.axes: dict[str, tuple[str, ...]] = {}
        self.made: dict[tuple[str, tuple[tuple[str, Scalar], ...]], MatrixCell] = {}
        self.order: list[MatrixCell] = []

    def plan(self) -> Plan:
        for name in self.recipe.steps:
            self._find_axes(name, ())
        for name, step in self.recipe.steps.items():
            for combination in self._combinations(self.axes[name]):
                self._cell(step, combination)
        return Plan(self.recipe, tuple(self.order))

    # ── which axes ───────────────────────────────────────────────────────────────────────────────

    def _find_axes(self, name: str, above: tuple[str, ...]) -> tuple[str, ...]:
        step = self.recipe.steps[name]
        if name in above:
            circle = " → ".join((*above, name))
            raise InputError(self.recipe.path, step.line, f"steps in a circle: {circle}")
        if name not in self.axes:
            self._refuse_names(step)
            mentioned = dict.fromkeys(self._mentioned(step))
            for taken in self._taken(step):
                mentioned |= dict.fromkeys(self._find_axes(taken, (*above, name)))
            self._refuse_gathering(step, mentioned)
            self._refuse_gathered_alone(step)
            self.axes[name] = tuple(axis for axis in mentioned if axis not in step.gather)
        return self.axes[name]

    def _kind(self, step: Step) -> StepKind:
        try:
            return find_kind(step.do)
        except UsageError as error:
            raise InputError(self.recipe.path, step.line_of("do"), str(error)) from error

    def _refuse_names(self, step: Step) -> None:
        """Refuse values that this kind of step does not have, and the lack of one that it needs."""
        kind = self._kind(step)
        unknown = sorted(set(step.values) - set(kind.values))
        if unknown:
            known = ", ".join(kind.values)
            raise InputError(
                self.recipe.path,
                step.line_of(unknown[0]),
                f"{step.do} has no {unknown[0]!r}; it has {known}",
            )
        missing = [name for name in kind.required if name not in step.values]
        if missing:
            raise InputError(self.recipe.path, step.line, f"{step.do} needs {missing[0]!r}")

    def _refuse_gathering(self, step: Step, axes: Collection[str]) -> None:
        """Refuse to gather what a step does not depend on, or what is not on the axis."""
        for axis, values in step.where.items():
            unknown = [value for value in values if value not in self.recipe.matrix.get(axis, ())]
            if axis not in step.gather or unknown:
                raise InputError(
                    self.recipe.path,
                    step.line,
                    f"where is about an axis that {step.name} gathers, and some of its values",
                )
        for axis in step.gather:
            if axis not in axes:
                message = f"{step.name} gathers {axis}, on which it does not depend"
                raise InputError(self.recipe.path, step.line, message)

    def _refuse_gathered_alone(self, step: Step) -> None:
        """Refuse a value that differs by a gathered axis: only a table has a place for each."""
        kind = self._kind(step)
        for name, value in step.values.items():
            if isinstance(value, Mapping):
                continue
            axes = {axis for text in _texts(value) for axis, _ in _AXIS.findall(text)}
            if name in kind.taken:
                taken = set(self._names(value)) & self.recipe.steps.keys()
                axes |= {axis for each in taken for axis in self.axes[each]}
            for axis in step.gather:
                if axis in axes:
                    message = (
                        f"{step.name} gathers {axis}, by which its {name!r} differs; a table has "
                        f'something for each: {name} = {{ "{{{axis}}}" = … }}'
                    )
                    raise InputError(self.recipe.path, step.line, message)

    def _mentioned(self, step: Step) -> Iterator[str]:
        for text in _texts(step.values):
            for axis, said in _AXIS.findall(text):
                known = self.recipe.matrix.get(axis, ())
                lacking = [v for v in known if said and said not in self._said(axis, v)]
                if lacking:
                    raise InputError(
                        self.recipe.path, step.line, f"{axis} {lacking[0]} has no {said}"
                    )
                if axis not in self.recipe.matrix:
                    raise InputError(
                        self.recipe.path, step.line, f"there is no axis {axis!r} in [matrix]"
                    )
                yield axis

    def _said(self, axis: str, value: Scalar) -> Mapping[str, Any]:
        return self.recipe.said.get((axis, value), {})

    def _fill(self, value: Any, here: Mapping[str, Scalar]) -> Any:
        """Return a value with those of the axes in place of what stands in braces.

        A text that is nothing but an axis becomes its value, which may be a number.
        """
        if isinstance(value, str):
            whole = _AXIS.fullmatch(value)
            if whole and whole[1] in here:
                return self._worth(whole, here)
            return _AXIS.sub(
                lambda match: str(self._worth(match, here)) if match[1] in here else match[0], value
            )
        if isinstance(value, Mapping):
            return {str(self._fill(k, here)): self._fill(each, here) for k, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._fill(each, here) for each in value]
        return value

    def _worth(self, match: re.Match[str], here: Mapping[str, Scalar]) -> Any:
        axis, said = match[1], match[2]
        return self._said(axis, here[axis])[said] if said else here[axis]

    def _taken(self, step: Step) -> Iterator[str]:
        kind = self._kind(step)
        for name in kind.taken:
            value = step.values.get(name, ())
            if not _is_taken(value):
                message = (
                    f"{name!r} of {step.name} must be the name of an input or a step, a list of "
                    "names, or a table of these"
                )
                raise InputError(self.recipe.path, step.line, message)
            for text in self._names(value):
                if text in self.recipe.steps:
                    yield text
                elif text not in self.inputs:
                    known = ", ".join([*self.inputs, *self.recipe.steps])
                    raise InputError(
                        self.recipe.path,
                        step.line,
                        f"{step.name} takes {text!r}, which is neither an input nor a step; "
                        f"there are {known}",
                    )

    def _names(self, value: Any) -> Iterator[str]:
        """Return all names in a value; one with axes in braces stands for all of their values."""
        for text in _texts(value, keys=False):
            axes = tuple(dict.fromkeys(axis for axis, _ in _AXIS.findall(text)))
            for here in self._combinations(axes):
                yield str(self._fill(text, here))

    # ── cells ────────────────────────────────────────────────────────────────────────────────────

    def _combinations(self, axes: tuple[str, ...]) -> Iterator[dict[str, Scalar]]:
        for values in product(*(self.recipe.matrix[axis] for axis in axes)):
            yield dict(zip(axes, values, strict=True))

    def _cell(self, step: Step, here: Mapping[str, Scalar]) -> MatrixCell:
        own = {axis: here[axis] for axis in self.axes[step.name]}
        key = step.name, tuple(own.items())
        if key not in self.made:
            needs: dict[str, MatrixCell | RecipeInput] = {}
            values = self._filled(step, own, needs)
            self._refuse_values(step, values)
            cell = MatrixCell(step.name, step.do, own, values, tuple(needs.values()), step.line)
            self.made[key] = cell
            self.order.append(cell)
        return self.made[key]

    def _refuse_values(self, step: Step, values: Mapping[str, Any]) -> None:
        """Refuse values that are not what the kind of step says, before anything is done."""
        for name, wanted in self._kind(step).options.items():
            if name in values and (problem := wanted.problem(values[name])):
                place = self.recipe.path, step.line_of(name)
                raise InputError(*place, f"{name!r} of {step.name}: {problem}")

    def _filled(
        self, step: Step, here: Mapping[str, Scalar], needs: dict[str, MatrixCell | RecipeInput]
    ) -> dict[str, Any]:
        """Return the values of a step for some values of its axes."""
        kind = self._kind(step)
        filled: dict[str, Any] = {}
        for name, value in step.values.items():
            taken = name in kind.taken
            if taken and isinstance(value, Mapping):
                filled[name] = {
                    str(self._fill(key, all_here)): self._taken_value(each, all_here, needs)
                    for key, each in value.items()
                    for all_here in self._gathered(step, here)
                }
            elif taken:
                filled[name] = self._taken_value(value, here, needs)
            elif isinstance(value, Mapping):
                filled[name] = {
                    str(self._fill(key, all_here)): self._fill(each, all_here)
                    for key, each in value.items()
                    for all_here in self._gathered(step, here)
                }
            else:
                filled[name] = self._fill(value, here)
        return filled

    def _gathered(self, step: Step, here: Mapping[str, Scalar]) -> Iterator[dict[str, Scalar]]:
        for gathered in self._combinations(step.gather):
            if all(gathered[axis] in values for axis, values in step.where.items()):
                yield {**here, **gathered}

    def _taken_value(
        self, value: Any, here: Mapping[str, Scalar], needs: dict[str, MatrixCell | RecipeInput]
    ) -> Any:
        if isinstance(value, list | tuple):
            return [self._taken_value(each, here, needs) for each in value]
        name = str(self._fill(value, here))
        target: MatrixCell | RecipeInput = (
            self.inputs[name] if name in self.inputs else self._cell(self.recipe.steps[name], here)
        )
        needs[target.digest] = target
        return Ref(target)


def _is_taken(value: Any) -> bool:
    """Tell whether a value names what is taken from elsewhere: texts, in lists or in a table."""
    if isinstance(value, Mapping):
        value = list(value.values())
    texts = [value]
    while texts:
        each = texts.pop()
        if isinstance(each, list | tuple):
            texts += each
        elif not isinstance(each, str):
            return False
    return True


def _texts(value: Any, *, keys: bool = True) -> Iterator[str]:
    """Return all texts in a value, with `keys` those of tables too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value if keys else ()
        for each in value.values():
            yield from _texts(each, keys=keys)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each, keys=keys)
