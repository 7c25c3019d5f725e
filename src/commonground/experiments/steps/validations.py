"""Steps that train and test on random samples, and put such runs together."""

from __future__ import annotations

import json
from pathlib import Path

from commonground.experiments.steps.comparisons import METRICS
from commonground.experiments.steps.files import keep_result, treebank
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.parsers import lacking
from commonground.experiments.steps.values import FLAG, SEED, TABLE, TEXT, choice, each, whole

__all__ = ["KINDS"]


def _validate(values: Values, folder: Path) -> None:
    from commonground.projection.training_runs import Training, validate

    systems = {
        name: tuple(treebank(path) for path in pair) for name, pair in values["systems"].items()
    }
    training = Training(
        values.get("parser", "arc-eager"),
        gold_tags=values.get("gold_tags", True),
        settings=values.get("settings", {}),
    )
    options = {
        name: values[name]
        for name in ("samples", "words", "sentences", "metrics", "tests", "seed")
        if name in values
    }
    keep_result(validate(systems, training=training, **options), folder)


def _runs(values: Values, folder: Path) -> None:
    """Keep the runs of several validations as one, and what is better than the baseline."""
    from commonground.projection.validation import Validation, together

    files = [path / "result.json" for path in values["of"].values()]
    validation = together(
        [Validation.from_json(json.loads(f.read_text("utf-8"))) for f in files],
        values.get("tests", ()),
    )
    validation = validation.renamed(values.get("names", {}))
    keep_result(validation, folder)
    if "baseline" in values:
        kept = folder / "result.json"
        data = json.loads(kept.read_text("utf-8"))
        better = {
            metric: validation.better(metric, values["baseline"]) for metric in validation.metrics
        }
        for system in data["systems"]:
            for metric, described in system["metrics"].items():
                described["better"] = system["name"] in better[metric]
        kept.write_text(json.dumps(data, indent=1), encoding="utf-8")


_TESTS = each(choice("student", "welch", "permutation", "paired", "shuffle"))
_SAMPLING = {
    "parser": TEXT, "samples": whole(2), "words": whole(1), "sentences": whole(1),
    "metrics": METRICS, "gold_tags": FLAG, "settings": TABLE, "tests": _TESTS,
    "seed": SEED,
}  # fmt: skip

KINDS = (
    StepKind("validate", "Train and test on random samples", _validate, ("systems",), _SAMPLING,
             version=3, foreseen=lacking),
    StepKind("runs", "Put the runs of validations together", _runs, ("of",),
             {"baseline": TEXT, "names": TABLE, "tests": _TESTS}, version=2),
)  # fmt: skip
