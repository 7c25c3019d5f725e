"""Steps that score parses: against a gold standard, or across schemes and frameworks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonground.errors import UsageError
from commonground.experiments.steps.files import keep_grids, keep_result, request_of, treebank
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import (
    SEED,
    TABLE,
    TEXT,
    accepted,
    choice,
    each,
    share,
    whole,
)

__all__ = ["KINDS"]


_LAYOUTS = ("systems", "experiments")
"""The tables of a comparison: those of the verb, or those of Tsarfaty et al. (2011)."""


def _evaluate(values: Values, folder: Path) -> None:
    from commonground.evaluation.evaluate import evaluate

    parses = {name: treebank(path) for name, path in values["parses"].items()}
    result = evaluate(
        treebank(values["gold"]),
        parses,
        metrics=tuple(values.get("metrics", ())),
        settings=_settings(values),
    )
    tested = "test" in values and len(parses) > 1  # one alone has its scores
    shown = {"claims": result.test(values["test"], **_tests(values))} if tested else {}
    treebanks = {"gold": values["gold"], "parses": values["parses"]}
    keep_result(result, folder, request_of("evaluate", values, folder, treebanks), **shown)


def _compare(values: Values, folder: Path) -> None:
    from commonground.evaluation.compare import compare

    systems = {}
    for name, pair in values["systems"].items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise UsageError(f"the system {name} must be two steps: [gold, parse]")
        systems[name] = tuple(treebank(path) for path in pair)
    options = {name: values[name] for name in ("protocol", "subsets", "labels") if name in values}
    result = compare(systems, settings=_settings(values), **options)
    layout = values.get("layout", "systems")
    tested = "test" in values and layout == "systems" and len(systems) > 1
    shown = {"claims": result.test(values["test"], **_tests(values))} if tested else {}
    request = request_of("compare", values, folder, {"systems": values["systems"]})
    keep_result(result, folder, request, **shown)
    if layout == "experiments":
        from commonground.report.views.comparison_2011 import experiments_grid

        laid_out = experiments_grid(result, values.get("test", ""), **_tests(values))
        rest = [grid for grid in result.grids() if grid.title.startswith("Overlap")]
        keep_grids([laid_out, *rest], folder)


def _settings(values: Values) -> Any:
    return _settings_of(values.get("settings", {}))


def _settings_of(given: Values) -> Any:
    from commonground.metrics.settings import Settings, preset

    changes = dict(given)
    name = changes.pop("preset", None)
    try:
        return preset(name, **changes) if name else Settings(**changes)
    except TypeError as error:
        raise UsageError(f"settings: {error}") from error


def _tests(values: Values) -> dict[str, Any]:
    """Return the options of a test that the values ask for."""
    return {name: values[name] for name in _TEST if name in values and name != "test"}


def _find_metric(name: str) -> object:
    from commonground.metrics.registry import explained

    return explained(name)


def _find_test(name: str) -> object:
    from commonground.statistics.registry import find_test

    return find_test(name)


METRICS = each(accepted(TEXT, _find_metric))
_TEST = {
    "test": accepted(TEXT, _find_test), "iterations": whole(1),
    "correction": choice("holm", "bh", "bonferroni", "none"),
    "alternative": choice("two-sided", "greater", "less"),
    "resample": choice("sentences", "documents", "files"), "confidence": share(), "seed": SEED,
}  # fmt: skip
_SCORING = {"settings": accepted(TABLE, _settings_of), **_TEST}
_COMPARING = {
    "protocol": choice("2012", "2011", "tedeval-2.1", "tedeval-2.2"),
    "subsets": choice("few", "all"), "labels": choice("auto", "own", "hub"),
    "layout": choice(*_LAYOUTS), **_SCORING,
}  # fmt: skip


KINDS = (
    StepKind("evaluate", "Score parses against a gold standard", _evaluate, ("gold", "parses"),
             {"metrics": METRICS, **_SCORING}, version=2),
    StepKind("compare", "Compare across schemes and frameworks", _compare, ("systems",),
             _COMPARING, version=3),
)  # fmt: skip
