"""``--explain``: what a metric is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.cli.output import show

if TYPE_CHECKING:
    pass

__all__ = ["explain_metric"]


def explain_metric(name: str, output: str, output_format: str) -> None:
    """Show what a metric is, or a list of all."""
    from commonground.metrics.registry import explained
    from commonground.report.views.evaluation import explanation_grid

    found = explained(name)
    data = {
        "metrics": [
            {"name": m.name, "title": m.title, "of": kind, "explanation": m.explanation}
            for kind, metrics in found.items()
            for m in metrics
        ]
    }
    texts = {f"{m.name} ({m.title})\n{m.explanation}\n": m for ms in found.values() for m in ms}
    text = None if name == "all" else "\n".join(texts)
    show(output, output_format, data=data, grids=[explanation_grid(found)], text=text)
