"""``commonground info``: what is in treebanks, and in the files of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial as bound
from typing import TYPE_CHECKING, Any

import click

import commonground
from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    partial_anyway,
    run_options,
)
from commonground.cli.output import expanded, of_each, show
from commonground.grid import Cell, Column, Grid

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.corpus.summary import Summary
    from commonground.formats.checking.describe import Description
    from commonground.parsers.model_summary import ModelSummary
    from commonground.schemes.learning.recognition import Recognition
    from commonground.schemes.nonprojectivity import Nonprojectivity
    from commonground.schemes.projectivity import Recovery


@click.command()
@click.argument("files", metavar="FILE…", type=INPUT, nargs=-1, required=True)
@format_option
@partial_anyway
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Show the N most frequent labels and tags; JSON has them all.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Show N random sentences.",
)
@click.option(
    "--nonprojectivity",
    is_flag=True,
    help="Show gap and edge degrees, nesting, level types, and how many lifted arcs can be "
    "restored.",
)
@output_options
@run_options("jobs", "seed", "quiet")
def command(
    files: Sequence[str],
    input_format: str | None,
    *,
    top: int,
    sample: int,
    nonprojectivity: bool,
    output_format: str,
    output: str,
    jobs: int,
    seed: int,
    quiet: bool,
) -> None:
    """Describe what is in treebanks and models.

    It counts sentences, words, labels and tags, measures the length of sentences and the depth of
    trees, counts non-projective sentences, and says which scheme dependencies look like. Of a model
    it tells the parser, its settings, and what it was trained on; nothing in it is run.

    \b
    Examples:
      commonground info example:ud
      commonground info example:ud example:ptb --top 3 --sample 0
      commonground info example:ptb --output-format json -o ptb.json
      commonground info example:ud --nonprojectivity
    """
    from commonground.parsers.model_mark import is_model

    work = bound(
        commonground.describe, format=input_format, partial=True, examples=sample, seed=seed
    )
    work = bound(work, further=bound(_further, nonprojectivity=nonprojectivity))
    every = expanded(files)
    models = [file for file in every if is_model(file)]
    treebanks = [file for file in every if file not in models]
    descriptions = of_each(work, treebanks, jobs=jobs, quiet=quiet)
    data = {"files": [_data(description) for description in descriptions]}
    grids = _grids(descriptions, top) if treebanks else []
    if nonprojectivity and treebanks:
        from commonground.report.views.projectivity import nonprojectivity_grids

        for entry, each in zip(data["files"], descriptions, strict=True):
            measures, recovery = each.further.measured
            entry["nonprojectivity"] = {**measures.to_json(), "recovery": recovery.to_json()}
        grids += nonprojectivity_grids({each.path: each.further.measured for each in descriptions})
    if models:
        from commonground.parsers.model_summary import summarize_model

        summaries = [summarize_model(file) for file in models]
        data["files"] += [each.as_dict() for each in summaries]
        grids.append(_side_by_side([(each.file, {"": _model(each)}) for each in summaries], []))
    show(output, output_format, data=data, grids=grids)


@dataclass(frozen=True, slots=True)
class _Further:
    """What is told beside the summary: the scheme that is recognised, and crossing arcs."""

    scheme: Recognition | None
    measured: tuple[Nonprojectivity, Recovery] | None = None

    def __add__(self, other: _Further) -> _Further:
        """Add what is told about the next sentences; the first ones told the scheme."""
        if self.measured is None or other.measured is None:
            return self
        sums = (self.measured[0] + other.measured[0], self.measured[1] + other.measured[1])
        return _Further(self.scheme, sums)


def _further(corpus: Corpus, *, nonprojectivity: bool) -> _Further:
    from commonground.schemes.learning.recognition import recognise_scheme_or_none

    begins = corpus.numbers[:1].tolist() in ([], [1])
    scheme = recognise_scheme_or_none(corpus) if begins else None
    if not nonprojectivity:
        return _Further(scheme)
    from commonground.schemes.nonprojectivity import measured

    return _Further(scheme, measured(corpus))


def _data(description: Description) -> dict[str, Any]:
    scheme = description.further.scheme
    if scheme is None or not scheme.enough:
        return description.as_dict()
    return {
        **description.as_dict(),
        "looks_like": {"scheme": scheme.nearest, "share": scheme.share},
    }


def _file(description: Description) -> dict[str, Cell]:
    scheme = description.further.scheme
    rows = {"format": Cell(description.format)}
    if scheme is not None and scheme.enough:
        rows["looks like"] = Cell(f"{scheme.nearest}, {100 * scheme.share:.0f} %")
    return rows


def _model(summary: ModelSummary) -> dict[str, Cell]:
    """Return the rows of a model."""
    built_on = f" on {', '.join(summary.built_on)}" if summary.built_on else ""
    rows = {
        "parser": Cell(summary.parser + built_on),
        "program": Cell(summary.version),
        "sentences it was trained on": Cell(summary.sentences),
        "words it was trained on": Cell(summary.words),
        "tags": Cell(summary.tags),
        "encoding of crossing arcs": Cell(summary.encoding),
        "splits plain text": Cell("yes" if summary.splits_text else None),
        "clusters of words": Cell("yes" if summary.clusters else None),
        "iterations": Cell(summary.iterations),
        "seed": Cell(summary.seed),
        **{f"--set {name}": Cell(str(value)) for name, value in summary.settings.items()},
        "megabytes in memory": Cell(summary.megabytes, decimals=1),
    }
    return {name: cell for name, cell in rows.items() if cell.value is not None}


_SIDE_BY_SIDE = 6
"""Maximum number of files with a column each; more have a row each."""


def _grids(descriptions: Sequence[Description], top: int) -> list[Grid]:
    """Return the table of a few files side by side, or a list of many and a table of them all."""
    if len(descriptions) <= _SIDE_BY_SIDE:
        return [
            _side_by_side(
                [*_columns(descriptions, top), *_together(descriptions, top)],
                _samples(descriptions),
            )
        ]
    return [_listed(descriptions), _side_by_side(_together(descriptions, top), [])]


Groups = dict[str, dict[str, Cell]]


def _columns(descriptions: Sequence[Description], top: int) -> list[tuple[str, Groups]]:
    return [
        (each.path, {"file": _file(each), **_groups(each.summary, top)}) for each in descriptions
    ]


def _together(descriptions: Sequence[Description], top: int) -> list[tuple[str, Groups]]:
    """Return a column for all files of each kind, unless there is only one."""
    kinds: dict[str, list[Summary]] = {}
    for each in descriptions:
        kinds.setdefault(each.summary.kind, []).append(each.summary)
    if len(kinds) > 1 and len(descriptions) <= _SIDE_BY_SIDE:
        return []
    return [
        ("all" if len(kinds) == 1 else f"all {kind}", _groups(sum(rest, first), top))
        for kind, (first, *rest) in kinds.items()
        if len(descriptions) > 1
    ]


def _side_by_side(columns: Sequence[tuple[str, Groups]], notes: Sequence[str]) -> Grid:
    """Return a table with a column for each file."""
    groups = dict.fromkeys(group for _, groups in columns for group in groups)
    rows: list[list[Cell | str]] = [
        [name, *(groups.get(group, {}).get(name, Cell(None)) for _, groups in columns)]
        for group in groups
        for name in dict.fromkeys(name for _, groups in columns for name in groups.get(group, {}))
    ]
    return Grid.of("", [Column(""), *(Column(path, "right") for path, _ in columns)], rows, notes)


def _listed(descriptions: Sequence[Description]) -> Grid:
    """Return a table with a row for each file."""
    every = [{**_file(each), **_figures(each.summary)} for each in descriptions]
    names = list(dict.fromkeys(name for row in every for name in row))
    rows: list[list[Cell | str]] = [
        [each.path, *(row.get(name, Cell(None)) for name in names)]
        for each, row in zip(descriptions, every, strict=True)
    ]
    columns = [Column("file"), *(Column(name, "right") for name in names)]
    return Grid.of("", columns, rows, ["Samples of the files are left out here; JSON has them."])


def _figures(summary: Summary) -> dict[str, Cell]:
    """Return what is told about one file among many."""
    groups = _groups(summary, 0)
    told = {**groups["counts"], **groups["spreads"], **groups.get("labels", {})}
    wanted = (
        *("kind", "sentences", "words", "traces", "links", "nodes", "edges"),
        *("non-projective sentences", "mean length", "labels"),
    )
    return {name: told[name] for name in wanted if name in told}


def _samples(descriptions: Sequence[Description]) -> list[str]:
    return [
        f"{each.path}:{example.line}: {example.sent_id}: {example.text}"
        for each in descriptions
        for example in each.examples
    ]


def _groups(summary: Summary, top: int) -> Groups:
    """Return the rows of a column, in groups of rows that stand together."""
    counts = {"kind": Cell(summary.kind)}
    for name, number in summary.counts.items():
        share = summary.share(name)
        counts[name] = Cell(f"{number:,} ({100 * share:.1f} %)" if share else number)
    spreads = {}
    for name, spread in summary.spreads.items():
        spreads[f"mean {name}"] = Cell(summary.mean(name), decimals=1)
        spreads[f"max {name}"] = Cell(spread.max)
    tallies = {}
    for name, tally in summary.tallies.items():
        tallies[name] = {name: Cell(len(tally))}
        for place, (text, number) in enumerate(list(tally.items())[:top], 1):
            tallies[name][f"{name} #{place}"] = Cell(f"{text} {number:,}")
    return {"counts": counts, "spreads": spreads, **tallies}
