"""``--style``: the layouts of other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import (
    flag_of,
)
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.evaluation.pairs import Pair
    from commonground.evaluation.scores import Evaluation
    from commonground.metrics.constituents.evalb_output import Printed
    from commonground.metrics.settings import Settings

__all__ = [
    "STYLES",
    "evalb_printed",
    "in_style",
    "refuse_what_has_no_place",
]

STYLES = {"conll18": "conll18", "eval07": "conll07", "evalb": "evalb-new"}
"""The layouts of other programs, and the presets that go with them unless another one is given."""


def refuse_what_has_no_place(
    style: str, pairs: Sequence[Pair], context: click.Context, output_format: str
) -> None:
    """Raise an error where something is asked for that a layout has no place for."""
    options = context.params
    if len({pair.system for pair in pairs}) > 1 or (style == "evalb" and len(pairs) > 1):
        raise UsageError(f"--style {style} takes one parse; give one")
    without = (
        "metrics",
        "rank_by",
        "on_error",
        "by",
        "confusions",
        "sentences",
        "tests",
        "confidence",
        "method",
        "power",
    )
    lengths = ("shortest", "longest") if style == "evalb" else ()
    refused = [name for name in without if options[name]]
    refused += [name for name in lengths if options[name] is not None]
    refused += ["output_format"] if output_format != "text" else []
    if refused:
        raise UsageError(
            f"{flag_of(context.command, refused[0])} has no effect on the layout of --style {style}"
        )


def evalb_printed(pair: Pair, settings: Settings, options: Mapping[str, Any]) -> Printed:
    """Return the scores of brackets as evalb prints them."""
    from commonground import Constituents, read
    from commonground.metrics.constituents.evalb_output import evalb_printed

    if settings.evalb is None:
        raise UsageError("--style evalb needs --preset evalb-collins or evalb-new, or --evalb-prm")
    gold, parse = (read(path, options["input_format"]) for path in (pair.gold, pair.parse))
    for path, corpus in ((pair.gold, gold), (pair.parse, parse)):
        if not isinstance(corpus, Constituents):
            raise UsageError(f"evalb scores constituents, but {path} has {corpus.kind}")
    assert isinstance(gold, Constituents)
    assert isinstance(parse, Constituents)
    return evalb_printed(gold, parse, settings.evalb)


def in_style(style: str, evaluation: Evaluation) -> str:
    """Return the scores of dependencies as another scorer prints them."""
    from commonground.report.views import scorers

    layout = {"conll18": scorers.conll18, "eval07": scorers.eval07}[style]
    return layout(evaluation.systems[0])
