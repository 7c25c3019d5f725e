"""The walk of files through the rooms: each stage is passed once for each thing, in one order."""

from __future__ import annotations

import sys
from itertools import groupby

import commonground as cg
from commonground.metrics.registry import DEFAULT

STAGES = {
    "formats.storage.folders.read": "read",
    "ground.functions.to_functions": "function trees",
    "ground.units.in_common_units": "common units",
    "ground.algebra.generalize": "generalize",
    "metrics.dependencies.prepare.compared": "pair words",
    "evaluation.metric_score.of": "count",
    "metrics.functions.tedeval.agreement": "count nodes",
    "evaluation.signature.signature": "sign",
    "dispatch.perform": "look up",
    "report.views.evaluation.grids": "tables",
    "report.views.comparison.grids": "tables",
    "report.tables.render": "write",
}


def walk(work):
    """Return the stages that some work passes, each with how often in a row."""
    passed = []

    def watch(frame, event, _):
        if event == "call":
            module = frame.f_globals.get("__name__", "").removeprefix("commonground.")
            stage = STAGES.get(f"{module}.{frame.f_code.co_name}")
            if stage:
                passed.append(stage)

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return [(stage, len(list(times))) for stage, times in groupby(passed)]


def test_an_evaluation_passes_each_room_once():
    def work():
        cg.evaluate("example:ud", "example:ud-parse").grids()

    work()  # what is imported late is there then
    assert walk(work) == [
        ("read", 2),
        ("pair words", 1),
        ("count", len(DEFAULT["dependencies"])),
        ("sign", 1),
        ("look up", 1),
        ("tables", 1),
    ]


def test_a_comparison_passes_each_room_once():
    systems = {
        "ud": ("example:ud", "example:ud-parse"),
        "ptb": ("example:ptb", "example:ptb-parse"),
    }
    cg.compare(systems)
    grids = walk(lambda: cg.compare(systems).grids())
    stages = [stage for stage, _ in grids]
    assert grids[:3] == [("read", 4), ("function trees", 2), ("common units", 1)]
    times = {name: sum(count for stage, count in grids if stage == name) for name in stages}
    assert times["generalize"] == 1  # what two gold standards agree on
    asked = 2 * 3 + 1  # own, general, other; the overlap
    controls = 3 * 2 + 5 * 2  # three trees that know nothing and five kinds of errors, on each gold
    assert times["count nodes"] == 2 * (asked + controls)  # with labels and without
    assert times["read"] == 4
    assert stages[-2:] == ["look up", "tables"]
