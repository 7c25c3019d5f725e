"""``commonground train``: a parser from a treebank."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import INPUT, format_alone_option, partial_option, run_options
from commonground.cli.output import progress
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.parsers.parser import TrainingStep
    from commonground.parsers.trained import TrainedParser


@click.command()
@click.argument("file", metavar="FILE", type=INPUT)
@click.option("--parser", "name", metavar="NAME",
              help="The parser; see 'commonground parsers list'. Without it, one is chosen by "
                   "size, crossing arcs and --budget.")  # fmt: skip
@click.option("--budget", metavar="TIME",
              help="How long training may take, if no --parser is named: 60s, 5min (the default), "
                   "or best.")  # fmt: skip
@click.option("-o", "--output", metavar="MODEL", type=OUTPUT, help="Write the model to MODEL.")
@click.option("--dev", metavar="FILE", type=INPUT,
              help="A treebank to choose the best iteration by.")  # fmt: skip
@click.option("--held-out", type=float, default=0.0, metavar="SHARE",
              help="Use the last SHARE of the sentences as --dev.")  # fmt: skip
@click.option("--gold", type=click.Choice(["tags", "tags,lemmas,feats", "upos"]),
              help="Train on these columns of FILE, which the input must have too, not on "
              "predicted tags. Lemmas and features can be worth several points; upos alone, "
              "without words, is for other languages.")  # fmt: skip
@click.option("--gold-tags", is_flag=True,
              help="Short for --gold tags,lemmas,feats.")  # fmt: skip
@click.option("--clusters", metavar="FILE", type=INPUT,
              help="Clusters of words that tagger and parser look at, from 'commonground "
                   "clusters'; the model keeps them.")  # fmt: skip
@click.option("--weights", metavar="NAME", default="",
              help="An entry of MISC with numbers from 0 to 1 that say how much each head counts: "
                   "Confidence, as 'project --with-confidence' writes it.")  # fmt: skip
@click.option("--encoding", default="head", show_default=True,
              type=click.Choice(["head", "path", "head+path", "baseline", "none"]),
              help="How a projective parser learns non-projective trees.")  # fmt: skip
@click.option("--variant", metavar="NAME",
              help="Of the parser dmv: km04, cs09, bbdk10, gggtp10, evg, baby-steps, "
                   "less-is-more, leapfrog, viterbi, supervised.")  # fmt: skip
@click.option("--max-length", type=click.IntRange(min=1), metavar="N",
              help="Of the parser dmv: learn from sentences of at most N words.")  # fmt: skip
@click.option("--tag-column", type=click.Choice(["xpos", "upos"]),
              help="Of the parser dmv: the tags to learn from.")  # fmt: skip
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE",
              help="Change a setting of the parser.")  # fmt: skip
@click.option("--folds", type=click.IntRange(min=2), metavar="K",
              help="Parse each of K folds with a model trained on the others.")  # fmt: skip
@click.option("--parses", metavar="FILE", type=OUTPUT, help="Write the parsed folds to FILE.")
@click.option(
    "--log",
    metavar="FILE",
    type=OUTPUT,
    help="Write the loss and dev score of each iteration as TSV.",
)
@format_alone_option
@partial_option
@run_options("jobs", "seed", "quiet")
def command(
    file: str,
    *,
    name: str | None,
    budget: str | None,
    output: str | None,
    dev: str | None,
    held_out: float,
    gold: str | None,
    gold_tags: bool,
    clusters: str | None,
    weights: str,
    encoding: str,
    variant: str | None,
    max_length: int | None,
    tag_column: str | None,
    changes: Sequence[str],
    folds: int | None,
    parses: str | None,
    log: str | None,
    input_format: str | None,
    partial: bool,
    jobs: int,
    seed: int,
    quiet: bool,
) -> None:
    """Train a parser on a treebank.

    A tagger is trained too and becomes part of the model, unless --gold says that the input
    will have tags. With --dev or --held-out, the model that is best on these sentences is kept.
    Ctrl-C stops training and keeps the best model so far.

    \b
    Examples:
      commonground train example:ud -o ud.model
      commonground train example:ud --budget best -o ud.model
      commonground train example:ud --gold-tags --held-out 0.2 --log log.tsv -o ud.model
      commonground train example:ud --parser arc-hybrid --set iterations=4 --seed 3 -o ud.model
      commonground train example:ud --parser dmv --variant km04 -o dmv.model -q
      commonground train example:ud --gold-tags --folds 4 --parses ud-folds.conllu
    """
    from commonground.formats import read, write
    from commonground.formats.storage.files import write_bytes
    from commonground.parsers.registry import find_parser
    from commonground.parsers.trained import cross_parse, train

    for wrong, message in (
        (not output and not folds, "there is no file for the model; name one with -o MODEL"),
        (
            gold in ("tags", "upos") and gold_tags,
            f"--gold {gold} and --gold-tags contradict each other; give one of them",
        ),
        (bool(folds) != bool(parses), "--folds and --parses must be given together"),
        (name and budget, "--budget is for choosing a parser, and --parser names one"),
    ):
        if wrong:
            raise UsageError(message)
    own = {"variant": variant, "max_length": max_length, "column": tag_column}
    settings = {n: v for n, v in own.items() if v is not None} | _settings(changes)
    partial = partial or bool(name and not find_parser(name).trees)
    treebank = read(file, input_format, partial=partial)
    told = not quiet and sys.stderr.isatty()
    name = name or _chosen(treebank, budget, settings, told=told)
    if told and (decided := _decided(treebank, name, settings)):
        remark(f"{name}: {decided}, for this treebank; --set decides otherwise")
    options: dict[str, Any] = {
        "dev": None if dev is None else read(dev, input_format, partial=partial),
        "held_out": held_out,
        "gold": gold or ("tags,lemmas,feats" if gold_tags else ""),
        "clusters": clusters,
        "weights": weights,
        "encoding": encoding,
        "seed": seed,
        "settings": settings,
        "jobs": jobs,
    }
    if folds:
        with progress("iterations", quiet=quiet) as advance:
            parsed = cross_parse(treebank, name, folds=folds, watch=lambda _: advance(1), **options)
        write(parsed, parses or "-")
    if output:
        with progress("iterations", quiet=quiet) as advance:
            trained = train(treebank, name, watch=_shown(advance, told=told), **options)
        trained.save(output)
        if not quiet and not trained.parser.trees:
            _compare_with_branching(treebank, trained)
        if log:
            write_bytes(log, [_table(trained.log).encode()])
        if told:
            remark(f"{output}: {_summary(trained.log)}")


def _chosen(treebank: Corpus, budget: str | None, settings: Iterable[str], *, told: bool) -> str:
    """Return the parser that suits a treebank, and say why."""
    from commonground.parsers.choice import BUDGET, choose

    choice = choose(treebank, budget or BUDGET, settings)
    if told:
        remark(choice.why)
    return choice.parser


def _decided(treebank: Corpus, name: str, settings: Mapping[str, Any]) -> str:
    """Return the settings of a parser that the treebank decides, if it is one to train it on."""
    from commonground.parsers.parser import changed_settings
    from commonground.parsers.registry import find_parser

    kind = find_parser(name)
    if not isinstance(treebank, kind.corpus):
        return ""
    before = changed_settings(kind.settings(), dict(settings))
    after, known = asdict(kind.settled(before, treebank)), asdict(before)
    return ", ".join(f"{key}={value}" for key, value in after.items() if value != known[key])


def _compare_with_branching(treebank: Corpus, trained: TrainedParser) -> None:
    """Say where trees that look at nothing but positions are better than an unsupervised parser."""
    from commonground.corpus import Dependencies
    from commonground.parsers.baselines import better_branching

    if not isinstance(treebank, Dependencies):
        return
    if better := better_branching(treebank, trained.parse(treebank)):
        name, share, own = better
        remark(
            f"warning: on the trees of this treebank the model has {100 * own:.1f} % of the heads "
            f"right, and {name} trees, which look at nothing but positions, {100 * share:.1f} %"
        )


def _settings(changes: Sequence[str]) -> dict[str, str]:
    given = {}
    for text in changes:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--set {text!r} is not a setting; write NAME=VALUE")
        given[name] = value
    return given


def _shown(advance: Callable[[int], None], *, told: bool) -> Callable[[TrainingStep], None]:
    """Return what tells people about each step."""

    def tell(step: TrainingStep) -> None:
        advance(1)
        if told:
            remark(_told(step))

    return tell


def _told(step: TrainingStep) -> str:
    score = "" if step.score is None else f", dev {100 * step.score:.2f}"
    return (
        f"iteration {step.iteration} of {step.iterations}: loss {step.loss:.4f}{score}, "
        f"{step.seconds:.1f} s"
    )


def _table(steps: Sequence[TrainingStep]) -> str:
    """Return the log as TSV, which any program can plot."""
    rows: list[tuple[object, ...]] = [("iteration", "loss", "dev", "seconds")]
    for step in steps:
        score = "" if step.score is None else step.score
        rows.append((step.iteration, step.loss, score, step.seconds))
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _summary(steps: Sequence[TrainingStep]) -> str:
    scores = [step.score for step in steps if step.score is not None]
    done = f"{len(steps)} iterations" if len(steps) != 1 else "1 iteration"
    return done + (f", dev {100 * max(scores):.2f}" if scores else "")
