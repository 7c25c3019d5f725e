"""A trial with a gold standard: scores from raw text, and what each system loses to what."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec

from commonground.corpus import Dependencies
from commonground.corpus.raw_text import surface
from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import decoded
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.loss_parts import LossParts, loss_parts
from commonground.evaluation.result import MEMORY, Result, System
from commonground.evaluation.scores import Evaluation
from commonground.formats.objects import as_corpus
from commonground.metrics.settings import preset
from commonground.trials.running import Cost, run_systems

__all__ = ["METRICS", "Trial", "TriedSystem", "trial", "trial_of"]

METRICS = ("words", "sentences", "upos", "uas", "las", "clas", "mlas", "blex")

_OTHER_ORDER = 1e-9


@dataclass(frozen=True, slots=True)
class TriedSystem:
    """What is known of a system beside its scores: its `losses` by LAS and CLAS, and its cost.

    The cost is another one each time, and is left out where results have to be the same.
    """

    name: str
    description: str
    losses: Mapping[str, LossParts]
    cost: Cost | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "name": self.name,
            "description": self.description,
            "losses": {metric: parts.to_json() for metric, parts in self.losses.items()},
            **({"cost": self.cost.to_json()} if self.cost else {}),
        }


@dataclass(frozen=True, repr=False)
class Trial(Result):
    """Several systems on the raw text of a gold standard: their scores, and why they differ."""

    kind: ClassVar[str] = "trial"
    verb: ClassVar[str] = "trial"

    evaluation: Evaluation
    tried: tuple[TriedSystem, ...]
    claims: Any = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """What the scores depend on."""
        return self.evaluation.signature

    def tested(self) -> tuple[System, ...]:
        """Return the systems with their scores."""
        return self.evaluation.systems

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each system and metric."""
        return self.evaluation.records()

    def explanation(self) -> list[str]:
        """Return, of the best two by LAS, what parts of a loss their difference is made of."""
        scores = {
            system.name: {name: 100 * (system[name].value or 0.0) for name in ("las", "clas")}
            for system in self.evaluation.systems
        }
        if len(scores) < 2:
            return []
        first, second = sorted(scores, key=lambda name: -scores[name]["las"])[:2]
        losses = {each.name: each.losses for each in self.tried}
        lines = []
        for metric in ("las", "clas"):
            ahead = scores[first][metric] - scores[second][metric]
            one, two = (losses[name][metric].in_points() for name in (first, second))
            parts = ", ".join(f"{name} {two[name] - one[name]:+.1f}" for name in one)
            title = metric.upper()
            if metric == "las":
                lines.append(f"{first} is {ahead:.1f} {title} ahead of {second}: {parts}.")
            elif ahead < -_OTHER_ORDER:
                lines.append(
                    f"By {title}, the order is the other way round ({ahead:+.1f}): {parts}."
                )
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return the trial as JSON has it."""
        return {**self.evaluation.to_json(), **self._own_json()}

    def json_in_parts(self, **options: Any) -> dict[str, Any]:
        """Return the same with what there is of each sentence in parts."""
        return {**self.evaluation.json_in_parts(**options), **self._own_json()}

    def _own_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "tried": [each.to_json() for each in self.tried],
            "explanation": self.explanation(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the trial that JSON holds."""
        saved = decoded(data, _TrialJson, path)
        evaluation = Evaluation.from_json({**data, "kind": Evaluation.kind}, path)
        names = [system.name for system in evaluation.systems]
        if [each.name for each in saved.tried] != names:
            raise InputError(path, 0, "tried: these are not the systems that have scores")
        for system in evaluation.systems:
            if not {"las", "clas"} <= set(system.scores):
                raise InputError(path, 0, f"systems: {system.name} has no LAS or CLAS")
        for each in saved.tried:
            if set(each.losses) != {"las", "clas"}:
                raise InputError(path, 0, "tried.losses: those of las and clas are expected")
        return cls(evaluation, saved.tried)

    def __repr__(self) -> str:
        return "\n".join([repr(self.evaluation), *self.explanation()])


class _TrialJson(msgspec.Struct, frozen=True):
    tried: tuple[TriedSystem, ...]


def trial(
    gold: Any,
    systems: Mapping[str, str],
    *,
    gold_scheme: str = "ud",
    trust: bool = False,
    timing: bool = True,
    watch: Callable[[int], None] = lambda _: None,
) -> Trial:
    """Give the raw text of a gold standard to systems, score them, and say what each loses to what.

    Systems are model files or names, as :func:`commonground.load_system` has them; each runs in a
    process of its own. `gold_scheme` is the scheme of the gold standard; with `timing`, time and
    memory are measured, which differ from run to run.
    """
    reference = as_corpus(gold)
    if not isinstance(reference, Dependencies):
        raise UsageError(f"a trial is of dependencies, and these are {reference.kind}")
    if not systems:
        raise UsageError("there is no system to try; give at least one")
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "gold.txt"
        text.write_bytes(surface(reference).text.encode())
        parsed = run_systems(text, systems, trust=trust, watch=watch)
    made = trial_of(
        reference, {name: each.corpus for name, each in parsed.items()}, gold_scheme=gold_scheme
    )
    tried = tuple(
        replace(
            each,
            description=parsed[each.name].description,
            cost=parsed[each.name].cost if timing else None,
        )
        for each in made.tried
    )
    return replace(made, tried=tried)


def trial_of(
    gold: Dependencies, parses: Mapping[str, Dependencies], *, gold_scheme: str = "ud"
) -> Trial:
    """Return the trial of systems whose parses of the text of a gold standard are there already.

    >>> import commonground as cg
    >>> gold = cg.read("example:ud")
    >>> result = trial_of(gold, {"a": cg.read("example:ud-parse"), "b": cg.read("example:sud")})
    >>> print(result.explanation()[0])
    a is 59.1 LAS ahead of b: segmentation +0.0, convention +64.0, tags +0.0, error -5.0.
    """
    evaluation = evaluate(
        gold, parses, metrics=METRICS, settings=preset("conll18"), check_scheme=False
    )
    tried = tuple(
        TriedSystem(name, name, loss_parts(gold, parse, gold_scheme=gold_scheme))
        for name, parse in parses.items()
    )
    return Trial(evaluation, tried)
