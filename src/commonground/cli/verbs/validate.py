"""``commonground validate``: how far the scores of a parser spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from commonground.cli.options import (
    INPUT,
    named,
    output_options,
    renamed_option,
    run_options,
)
from commonground.cli.output import expanded, progress
from commonground.cli.results import show_result
from commonground.cli.significance import parts
from commonground.errors import UsageError


@click.command()
@click.argument("treebank", metavar="TRAIN", type=INPUT)
@click.argument("test", metavar="[TEST]", type=INPUT, required=False)
@click.option("--name", metavar="NAME", help="The name of the system; by default its file name.")
@renamed_option(
    "--system",
    "others",
    former=["--against"],
    metavar="NAME=TRAIN[:TEST]",
    multiple=True,
    help="Another system to compare with, with its own TEST if given.",
)
@click.option(
    "--parser", default="arc-eager", show_default=True, metavar="NAME", help="The parser."
)
@click.option(
    "--samples",
    type=click.IntRange(min=2),
    default=10,
    show_default=True,
    metavar="K",
    help="The number of parsers to train.",
)
@click.option(
    "--words",
    type=click.IntRange(min=1),
    metavar="N",
    help="The number of words to train each parser on; by default half of those in TRAIN.",
)
@renamed_option(
    "--sample-sentences",
    "sentences",
    former=["--sentences"],
    type=click.IntRange(min=1),
    metavar="N",
    help="The number of sentences to train each parser on, instead of words.",
)
@click.option(
    "--folds",
    "folded",
    type=click.IntRange(min=2),
    metavar="K",
    help="Cross-validate with K folds of TRAIN, without TEST.",
)
@click.option(
    "--metrics",
    default=["uas,las"],
    show_default="uas,las",
    metavar="NAME,…",
    multiple=True,
    help="The metrics to compute.",
)
@click.option(
    "--preset", "preset_name", metavar="NAME", help="Score as another program does; see evaluate."
)
@click.option("--predicted-tags", is_flag=True, help="Train a tagger too, and parse with its tags.")
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a setting of the parser."
)
@click.option(
    "--test",
    "tests",
    metavar="NAME,…",
    multiple=True,
    help="How to compare systems: student, welch, permutation, paired, shuffle. By default paired "
    "and shuffle if all are trained and tested on the same sentences, else student and welch.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    metavar="P",
    help="The confidence level of the intervals of the means.",
)
@click.option(
    "--folder", metavar="DIR", help="Keep the scores of each run in DIR, and resume from there."
)
@output_options
@run_options("jobs", "seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    treebank: str,
    test: str | None,
    *,
    name: str | None,
    others: Sequence[str],
    parser: str,
    samples: int,
    words: int | None,
    sentences: int | None,
    folded: int | None,
    metrics: Sequence[str],
    preset_name: str | None,
    predicted_tags: bool,
    changes: Sequence[str],
    tests: Sequence[str],
    confidence: float,
    folder: str | None,
    jobs: int,
    seed: int,
    quiet: bool,
    **_: str,
) -> None:
    """Train a parser several times to see how its scores vary.

    Each of K parsers is trained on a different random sample of TRAIN, at most half of it, and
    tested on TEST. The result has the K scores, their mean, standard deviation and interval, and
    tests between systems if there are several. Systems with the same sentences in other schemes
    are trained on the same samples, and tested in pairs. Parsers get the tags of the files, unless
    --predicted-tags is given. TRAIN may have partial trees.

    \b
    Examples:
      commonground validate example:ud example:ud --words 150 --samples 3 --set iterations=2
      commonground validate example:ud --folds 3 --metrics uas --set iterations=2 --jobs 2
    """
    from commonground.metrics.settings import preset
    from commonground.projection.training_runs import (
        Training,
        cross_validate,
        validate,
    )

    if (test is None) == (folded is None):
        raise UsageError("TEST is missing; give it, or use --folds K")
    systems = _systems(treebank, test, name, others)
    options: dict[str, Any] = {
        "training": Training(parser, not predicted_tags, dict(map(_change, changes)), seed),
        "metrics": tuple(parts(metrics)),
        "settings": preset(preset_name) if preset_name else None,
        "tests": tuple(parts(tests)),
        "seed": seed,
        "confidence": confidence,
        "jobs": jobs,
        "folder": folder,
    }
    corpora = {each: _read(paths) for each, paths in systems.items()}
    with progress("parsers", total=(folded or samples) * len(systems), quiet=quiet) as advance:
        if folded is not None:
            if words is not None or sentences is not None:
                raise UsageError("--words and --sample-sentences have no effect with --folds")
            pools = {each: pair[0] for each, pair in corpora.items()}
            validation = cross_validate(pools, count=folded, watch=advance, **options)
        else:
            validation = validate(
                corpora,
                samples=samples,
                words=words,
                sentences=sentences,
                watch=advance,
                **options,
            )
    files = {each: tuple(filter(None, paths)) for each, paths in systems.items()}
    show_result(
        validation,
        context,
        treebanks={"training": files},
        files=lambda: expanded([path for paths in files.values() for path in paths]),
    )


def _systems(
    treebank: str, test: str | None, name: str | None, others: Sequence[str]
) -> dict[str, tuple[str, str | None]]:
    """Return the training data and the test set of each system."""
    by_name = {name or treebank: (treebank, test)}
    for each, paths in named(others, "systems").items():
        if each in by_name:
            raise UsageError(f"two systems are called {each}; write NAME=TRAIN to rename one")
        first, colon, second = paths.partition(":")
        if first == "example":  # which has a colon itself
            first, colon, second = paths[8:].partition(":")
            first = f"example:{first}"
        by_name[each] = (first, second if colon else test)
    return by_name


def _read(paths: tuple[str, str | None]) -> tuple[Any, Any]:
    from commonground.corpus import Dependencies
    from commonground.formats import read

    corpora = []
    for path in paths:
        corpus = None if path is None else read(path, partial=path is paths[0])
        if corpus is not None and not isinstance(corpus, Dependencies):
            raise UsageError(f"{path} has {corpus.kind}; validate needs dependencies")
        corpora.append(corpus)
    return corpora[0], corpora[1]


def _change(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r} is not a setting; write NAME=VALUE")
    return name, value
