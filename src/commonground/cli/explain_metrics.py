"""``--explain``: what a metric is."""

from __future__ import annotations

from commonground.cli.output import show

__all__ = ["explain_metric"]


def explain_metric(name: str, output: str, output_format: str) -> None:
    """Show what a metric is, or a list of all."""
    from commonground.metrics.registry import explained, metric_plugins
    from commonground.report.views.evaluation import explanation_grid
    from commonground.report.views.packages import packages_of_names, with_packages

    by_kind = explained(name)
    packages = packages_of_names(metric_plugins())
    data = {
        "metrics": [
            {
                "name": m.name,
                "title": m.title,
                "of": kind,
                "explanation": m.explanation,
                **packages.get(m.name, {}),
            }
            for kind, metrics in by_kind.items()
            for m in metrics
        ]
    }
    texts = {f"{m.name} ({m.title})\n{m.explanation}\n": m for ms in by_kind.values() for m in ms}
    text = None if name == "all" else "\n".join(texts)
    grid = with_packages(explanation_grid(by_kind), metric_plugins())
    show(output, output_format, data=data, grids=[grid], text=text)
