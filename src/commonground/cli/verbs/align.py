"""``commonground align``: which words of two languages belong together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from commonground.cli.options import INPUT, renamed_option, run_options
from commonground.cli.output import progress
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.errors import UsageError
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.alignment import (
        AlignerSettings,
        AlignmentModel,
        Bitext,
        EmbeddingSettings,
    )

ALIGNERS = ("hmm", "eflomal", "embeddings")
WAYS = (
    *("grow-diag-final-and", "grow-diag-final", "grow-diag"),
    *("intersection", "union", "forward", "backward", "itermax", "matching"),
)


@click.command()
@click.argument("source", metavar="SOURCE", type=INPUT)
@click.argument("target", metavar="[TARGET]", type=INPUT, required=False)
@click.option(
    "-o",
    "--output",
    metavar="LINKS",
    type=OUTPUT,
    default="-",
    help="Write the links to LINKS, completely or not at all.",
)
@click.option(
    "--format",
    "input_format",
    metavar="NAME",
    help="The format of the files ('text': plain text); detected from their content by default.",
)
@renamed_option(
    "--target-format",
    "links_format",
    former=["--to"],
    metavar="NAME",
    help="The format of the links: pharaoh or giza; by default chosen by the suffix, or pharaoh.",
)
@click.option(
    "--symmetrise",
    "way",
    type=click.Choice(WAYS),
    default="grow-diag-final-and",
    show_default=True,
    help="How to merge the links of the two directions; itermax and matching are for embeddings.",
)
@click.option(
    "--aligner",
    type=click.Choice(ALIGNERS),
    default="hmm",
    show_default=True,
    help="The aligner; eflomal needs the extra 'align', embeddings 'encoders' and --encoder.",
)
@click.option(
    "--encoder",
    metavar="FOLDER",
    type=INPUT,
    help="Of embeddings: the folder of an encoder that knows both languages (config.json, "
    "tokenizer.json, model.safetensors).",
)
@click.option(
    "--layer",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of embeddings: the layer of the vectors; by default the one two thirds of the way up.",
)
@renamed_option(
    "--min-probability",
    "confidence",
    former=["--confidence"],
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Drop links less probable than P; by default, the P with the highest expected F1.",
)
@click.option(
    "--probabilities",
    is_flag=True,
    help="Write the probability of each link behind it: 0-0:0.93 (Pharaoh only).",
)
@click.option(
    "--prefix",
    metavar="N[,M]",
    help="Compare only the first N letters of words (M: of target words); 0: all letters. By "
    "default chosen for the text.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    metavar="N",
    help="Train the hidden Markov model for N rounds; by default chosen for the text.",
)
@click.option("--model", type=INPUT, metavar="FILE", help="Start from a saved model.")
@click.option(
    "--no-training", is_flag=True, help="Apply the model without learning from this text."
)
@click.option(
    "--save-model", metavar="FILE", type=OUTPUT, help="Save the model, to align other text."
)
@run_options("jobs", "quiet")
def command(
    source: str,
    target: str | None,
    *,
    output: str,
    input_format: str | None,
    links_format: str | None,
    way: str,
    aligner: str,
    encoder: str | None,
    layer: int | None,
    confidence: float | None,
    probabilities: bool,
    prefix: str | None,
    rounds: int | None,
    model: str | None,
    no_training: bool,
    save_model: str | None,
    jobs: int,
    quiet: bool,
) -> None:
    """Align the words of sentences and their translations.

    SOURCE and TARGET have the same number of sentences. They are treebanks, or plain text with one
    sentence per line and spaces between words. Without TARGET, each line of SOURCE is a sentence
    pair, with a tab between the two sides. Each line of the output has the links of one pair; 0-0
    links the first words.

    A pair with an empty side, or with more than 1,000 words, gets no links.

    \b
    Examples:
      commonground align example:ud example:sud --symmetrise intersection -o same.align
      commonground align example:ud example:sud --save-model words.model -o same.align
      printf 'a bird\\tein Vogel\\na song\\tein Lied\\n' | commonground align -
    """
    from commonground.alignment import EmbeddingSettings, align, read_bitext, read_model
    from commonground.alignment.model import write_model
    from commonground.formats import write
    from commonground.formats.registry import format_of_path

    written = links_format
    if written is None:
        written = format_of_path(output, otherwise="pharaoh").name
    if probabilities and written != "pharaoh":
        raise UsageError(f"{written} has no place for probabilities; the Pharaoh format has")
    own = {"--prefix": prefix, "--rounds": rounds, "--model": model}
    _refuse_without_effect(aligner, {**own, "--no-training": no_training}, save_model)
    if (encoder is None) == (aligner == "embeddings") or (layer and not encoder):
        raise UsageError("--aligner embeddings and --encoder FOLDER must be given together")
    bitext = read_bitext(source, target, input_format)
    known = read_model(model) if model else None
    settings: AlignerSettings | EmbeddingSettings | None = None
    rounds_in_all = 1
    if encoder is not None:
        settings = EmbeddingSettings(encoder, layer or 0)
    elif aligner == "hmm" or prefix is not None or rounds is not None:
        settings = _settings(bitext, prefix, rounds, known, jobs)
        rounds_in_all += settings.lexical_rounds + settings.rounds
    with progress("sentence pairs", total=len(bitext) * rounds_in_all, quiet=quiet) as advance:
        aligned = align(
            bitext,
            way=way,
            aligner=aligner,
            settings=settings,
            model=known,
            train=not no_training,
            confidence=confidence,
            probabilities=probabilities,
            jobs=jobs,
            advance=advance,
        )
    write(aligned.links, output, written)
    if save_model is not None and aligned.model is not None:
        write_model(aligned.model, save_model)
    if not quiet:
        for numbers, what in (
            (aligned.empty, "no words on one side"),
            (aligned.too_long, "too many words"),
        ):
            if numbers:
                _remark(numbers, what)


def _refuse_without_effect(
    aligner: str, of_learning: Mapping[str, object], save_model: str | None
) -> None:
    """Refuse options of aligners that learn from the text, where this one does not."""
    if save_model is not None and aligner != "hmm":
        raise UsageError(f"--save-model has no effect with {aligner}, which has no model to save")
    given = [name for name, value in of_learning.items() if value]
    if given and aligner == "embeddings":
        raise UsageError(f"{given[0]} has no effect with embeddings, which learns nothing")


def _settings(
    bitext: Bitext,
    prefix: str | None,
    rounds: int | None,
    known: AlignmentModel | None,
    jobs: int,
) -> AlignerSettings:
    from dataclasses import replace

    from commonground.alignment import chosen_settings

    prefixes = None if prefix is None else _prefixes(prefix)
    if known is None:
        return chosen_settings(bitext, prefixes=prefixes, rounds=rounds, threads=jobs)
    settings = known.settings
    if prefixes is not None:
        settings = replace(settings, prefix=prefixes[0], target_prefix=prefixes[1])
    return settings if rounds is None else replace(settings, rounds=rounds)


def _prefixes(text: str) -> tuple[int, int]:
    one, comma, two = text.partition(",")
    if not one.isdecimal() or (comma and not two.isdecimal()):
        raise UsageError(f"--prefix is {text!r}; a number of letters is expected, or two as in 4,2")
    return int(one), int(two or one)


def _remark(numbers: tuple[int, ...], what: str) -> None:
    first = ", ".join(str(number + 1) for number in numbers[:5])
    more = ", …" if len(numbers) > 5 else ""
    count = number_of(len(numbers), "pair")
    remark(f"{count} without links ({what}): {first}{more}")
