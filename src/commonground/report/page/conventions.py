"""The chapter about conventions and errors: the answer, the waterfall, the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from commonground.evaluation.conventions import Conventions
from commonground.report.page.figures import made
from commonground.report.page.sections import Block, Chapter, Figure, Section, TableBlock, Text

__all__ = ["chapter"]

_TRUST = (
    "The gold standard was transformed towards the parse, with the choices read off the heads of "
    "the parse. A systematic error that looks like a choice counts as a convention; check in the "
    "table whether the choices are plausible."
)


def chapter(result: Conventions, metric: str = "") -> Chapter:
    """Return what is to be seen about a result of ``evaluate --conventions``."""
    del metric
    blocks: list[Block] = [Text(f"{result.sentence()}."), *_figure(result)]
    blocks += [*map(TableBlock, result.grids()), Text(_TRUST, notice=True)]
    return Chapter(
        "Convention or error",
        (Section("Where heads were lost", tuple(blocks)),),
        facts={
            "File": PurePath(result.origin.path).name,
            "Words": f"{result.words:,}",
            "Nearest scheme": f"{result.nearest}, {100 * result.share:.1f} % of the heads",
        },
        signature=result.signature,
        command=result.origin.command,
    )


def _figure(conventions: Conventions) -> Iterator[Figure]:
    from commonground.report.plots.waterfall import waterfall  # noqa: PLC0415  # slow to import

    yield from made("From UAS to 100: conventions, then errors", lambda: waterfall(conventions))
