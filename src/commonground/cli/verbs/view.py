"""``commonground view``: the trees of some sentences."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial as bound
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import commonground
from commonground.cli.options import (
    INPUT,
    format_option,
    listing_options,
    partial_anyway,
    renamed_option,
    run_options,
)
from commonground.cli.output import ink, progress, show
from commonground.cli.remarks import remark
from commonground.errors import InputError, UsageError, quoted
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.corpus import Corpus, Sentence
    from commonground.report.drawing.dependencies import DrawingOptions
    from commonground.report.drawing.sheet import Item

FEW = 5
"""Default number of sentences shown."""

DRAWINGS = ("text", "svg", "png", "pdf", "tikz")
SUFFIXES = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".tex": "tikz"}
OTHER_PICTURES = (".jpg", ".jpeg", ".gif", ".eps", ".webp", ".tif", ".tiff", ".bmp")


@click.command()
@click.argument("file", metavar="FILE", type=INPUT)
@format_option
@partial_anyway
@click.option(
    "--sentence",
    "ids",
    metavar="ID",
    multiple=True,
    help="Show the sentence with this sent_id or number, or a range of them (3..7). Can be given "
    "several times.",
)
@click.option(
    "--first", type=click.IntRange(min=0), metavar="N", help="Show the first N sentences."
)
@click.option("--sample", type=click.IntRange(min=0), metavar="N", help="Show N random sentences.")
@click.option("--all", "every", is_flag=True, help="Show all sentences.")
@click.option(
    "--where",
    metavar="PATTERN",
    help="Show only sentences that match a pattern, such as deprel=nsubj or 'V -[obj]-> N; N << "
    "V'; see docs/patterns.md.",
)
@click.option(
    "--against",
    type=INPUT,
    metavar="GOLD",
    help="Show the differences from the same sentences of this gold standard.",
)
@click.option(
    "--differing",
    is_flag=True,
    help="With --against: show only sentences whose heads or labels differ.",
)
@click.option(
    "--target",
    type=INPUT,
    metavar="FILE",
    help="Draw each tree with that of its translation as a picture, with the links of --links.",
)
@click.option("--links", type=INPUT, metavar="FILE", help="The word alignment for --target.")
@click.option(
    "--draw",
    "form",
    type=click.Choice(DRAWINGS),
    help="How to draw trees; by default chosen by the suffix of the output file. PNG and PDF "
    "need the extra 'drawing'.",
)
@renamed_option(
    "--columns",
    "tags",
    former=["--tags"],
    metavar="NAME,…",
    help="The columns below words in pictures, such as upos,xpos,lemma, or none.",
)
@click.option("--enhanced", is_flag=True, help="Also draw the enhanced graph of dependencies.")
@click.option(
    "--width",
    type=click.IntRange(min=100),
    default=960,
    show_default=True,
    metavar="PIXELS",
    help="The width of pictures; longer sentences are wrapped.",
)
@click.option("--ascii", "plain", is_flag=True, help="Draw text with ASCII characters only.")
@listing_options
@run_options("seed", "quiet")
def command(
    file: str,
    input_format: str | None,
    ids: Sequence[str],
    first: int | None,
    sample: int | None,
    *,
    where: str | None,
    against: str | None,
    differing: bool,
    target: str | None,
    links: str | None,
    form: str | None,
    tags: str | None,
    width: int,
    every: bool,
    enhanced: bool,
    plain: bool,
    output_format: str,
    output: str,
    seed: int,
    quiet: bool,
) -> None:
    """Show the trees of sentences.

    Without --sentence, --first, --sample or --all, the first five are shown. Trees are drawn as
    text or as pictures, with the differences from a gold standard if one is given: ✗ marks a wrong
    head or phrase, ≠ a wrong label. The other output formats list words, phrases and relations with
    all their attributes. Pictures of several sentences go into one file or, if the output is a
    folder (its name ends with /), into one file per sentence.

    \b
    Examples:
      commonground view example:ud --first 2
      commonground view example:ptb --sentence 3 --ascii
      commonground view example:ud --sample 3 --seed 7
      commonground view example:ud --where "upos=VERB; X -[obj]-> N; N << X"
      commonground view example:ud-parse --against example:ud --sentence 5
      commonground view example:ud-parse --against example:ud --differing --where deprel=obl --all
      commonground view example:ud-parse --against example:ud --sentence 5 -o five.svg
      commonground view example:ud --all --enhanced --draw svg -o drawings/
      commonground view <(commonground align example:ud example:sud) --sentence 2 -o grid.svg
    """
    from commonground.corpus.records import record
    from commonground.report.views.sentences import listing

    suffix = Path(output).suffix.lower()
    drawn = form or SUFFIXES.get(suffix, "svg" if _is_folder(output) else "text")
    if drawn == "text" and suffix in OTHER_PICTURES:
        raise UsageError(f"a picture can be {', '.join(SUFFIXES)}, not {suffix}")
    if output_format != "text" and (form or against):
        raise UsageError(f"--output-format {output_format} cannot be combined with a drawing")
    corpus = commonground.read(file, input_format, partial=True)
    gold = None if against is None else commonground.read(against, input_format, partial=True)
    corpus, gold = _same_sentences(corpus, gold, quiet=quiet)
    drawing = output_format == "text"
    chosen = corpus.numbered() if where is None else _found(corpus, where, marked=drawing)
    find = None if gold is None else bound(_same, gold, against or "", len(corpus))
    if differing:
        if find is None:
            raise UsageError("--differing has no effect without --against")
        chosen = _differing(chosen, find)
    few = first is None and sample is None and not ids and not every
    first = FEW if few else first
    sentences = [sentence for name in ids for sentence in _named(chosen, name, file, corpus)]
    sentences += chosen[: len(chosen) if every else first or 0]
    sentences += commonground.sample(chosen, sample or 0, seed)
    if (where is not None or differing) and not quiet:
        _tell_found(len(chosen), few=few)
    if output_format != "text":
        data = {"file": file, "sentences": [record(sentence) for sentence in sentences]}
        show(output, output_format, data=data, grids=listing(sentences))
        return
    items = _items(sentences, find)
    if target is not None or links is not None:
        items = _pairs(sentences, len(corpus), target, links, drawn)
    options = _options(tags, enhanced=enhanced)
    if _is_folder(output):
        _write_folder(output, drawn, items, options, width, quiet=quiet)
    elif drawn == "text":
        text = _text(items, options, plain=plain, output=output)
        show(output, output_format, data={}, grids=[], text=text)
    else:
        _write_sheet(output, drawn, items, options, width)


def _found(corpus: Corpus, pattern: str, *, marked: bool) -> Corpus:
    """Return the sentences with a pattern, its words `marked` or not; they keep their numbers."""
    from commonground.patterns.occurrences import marked_matches

    if marked:
        return marked_matches(corpus.numbered(), pattern)
    return corpus.numbered().take(commonground.find(pattern, corpus).sentences)


def _same_sentences(
    corpus: Corpus, gold: Corpus | None, *, quiet: bool
) -> tuple[Corpus, Corpus | None]:
    """Return both treebanks with the same sentences, unless ids alone tell which are the same."""
    from commonground.tokens.sentences import pair_sentences

    if gold is None or len(gold) == len(corpus):
        return corpus, gold
    if set(corpus.sent_id.tolist()) <= set(gold.sent_id.tolist()):
        return corpus, gold
    pairs = pair_sentences([corpus, gold], main=0)
    if not pairs.groups[0]:
        return corpus, gold
    if not quiet:
        alone = sum(map(len, pairs.alone))
        left = f", {number_of(alone, 'sentence')} without a partner left out" if alone else ""
        remark(f"{number_of(pairs.joined, 'sentence')} put together of several{left}")
    return pairs.of(0, corpus), pairs.of(1, gold)


def _tell_found(number: int, *, few: bool) -> None:
    """Say that nothing was found, or that only a few of the sentences are shown."""
    if not number:
        remark("no sentence was found")
    elif few and number > FEW:
        remark(f"the first {FEW} of {number:,} sentences that were found; --all shows all of them")


def _differing(corpus: Corpus, find: Callable[[Sentence[Any]], Sentence[Any]]) -> Corpus:
    """Return the sentences whose heads or labels are not those of the gold standard."""
    if corpus.kind != "dependencies":
        raise UsageError(f"--differing needs dependencies, and these are {corpus.kind}")

    def differs(sentence: Sentence[Any]) -> bool:
        gold = find(sentence)
        return any(
            list(getattr(sentence, name)) != list(getattr(gold, name))
            for name in ("form", "head", "deprel")
        )

    return corpus.filter(differs)


def _named(corpus: Corpus, name: str, file: str, whole: Corpus) -> Iterator[Sentence[Corpus]]:
    """Return the sentence of a name, or those of a range of names, from a part of a file."""
    try:
        try:
            yield corpus[name]
        except KeyError:
            start, dots, end = name.partition("..")
            if not dots:
                raise
            first, last = corpus.index(start), corpus.index(end)
            if last < first:
                backwards = f"{end} is before {start}; a range is FIRST..LAST"
                raise InputError(file, 0, backwards) from None
            yield from corpus[first : last + 1]
    except KeyError as error:
        if len(corpus) < len(whole) and name in whole.sent_id.tolist():
            left_out = f"--where or --differing leaves out sentence {quoted(name)}"
            raise InputError(file, 0, left_out) from error
        raise InputError(file, 0, error.args[0]) from error


def _same(gold: Corpus, path: str, size: int, sentence: Sentence[Any]) -> Sentence[Any]:
    """Return the sentence of the gold standard that belongs to one of a file of some size."""
    if len(gold) == size:
        return gold[sentence.number - 1]
    return next(_named(gold, sentence.sent_id, path, gold))


def _items(
    sentences: Sequence[Sentence[Any]], find: Callable[[Sentence[Any]], Sentence[Any]] | None
) -> list[Item]:
    """Return the sentences, each with that of the gold standard if there is one."""
    from commonground.report.drawing.sheet import Item

    if find is None:
        return [Item(sentence) for sentence in sentences]
    return [Item(sentence, find(sentence)) for sentence in sentences]


def _pairs(
    sentences: Sequence[Sentence[Any]], size: int, target: str | None, links: str | None, form: str
) -> list[Item]:
    """Return the sentences, each with its translation and the links between the two."""
    from commonground.alignment import read_links
    from commonground.report.drawing.sheet import Item

    if target is None or links is None:
        raise UsageError("--target and --links must be given together")
    if form == "text":
        raise UsageError("--target needs a picture; name one with -o FILE.svg")
    others, between = commonground.read(target, partial=True), read_links(links)
    for path, corpus in ((target, others), (links, between)):
        if len(corpus) != size:
            count = number_of(len(corpus), "sentence")
            raise InputError(path, 0, f"it has {count}; {size:,} are expected")
    return [Item(one, None, others[one.number - 1], between[one.number - 1]) for one in sentences]


def _options(tags: str | None, *, enhanced: bool) -> DrawingOptions:
    from commonground.report.drawing.dependencies import DrawingOptions

    if tags is None:
        return DrawingOptions(None, enhanced)
    return DrawingOptions([] if tags == "none" else tags.split(","), enhanced)


def _is_folder(output: str) -> bool:
    return output.endswith(("/", os.sep)) or Path(output).is_dir()


def _write_sheet(
    output: str, form: str, items: Sequence[Item], options: DrawingOptions, width: int
) -> None:
    from commonground.formats.storage.files import write_bytes
    from commonground.report.drawing.sheet import sheet

    write_bytes(output, [sheet(items, form, options, width)])


def _write_folder(
    output: str,
    form: str,
    items: Sequence[Item],
    options: DrawingOptions,
    width: int,
    *,
    quiet: bool,
) -> None:
    from commonground.report.drawing.sheet import file_name

    if form == "text":
        raise UsageError("a folder needs pictures; choose --draw svg, png, pdf or tikz")
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    with progress("drawings", total=len(items), quiet=quiet) as advance:
        for item in items:
            name = file_name(item.sentence.sent_id, form, taken)
            taken.add(name)
            _write_sheet(str(folder / name), form, [item], options, width)
            advance(1)


def _text(items: Sequence[Item], options: DrawingOptions, *, plain: bool, output: str) -> str:
    from commonground.report.drawing import differing
    from commonground.report.table_formats.cells import printable
    from commonground.report.text_differences import difference_text
    from commonground.report.text_trees import draw

    style = ink(output)
    drawings = []
    for sentence, gold, *_ in items:
        heading = f"{style('number', printable(sentence.sent_id))}  {printable(sentence.text)}"
        if plain:
            heading = heading.encode("ascii", "backslashreplace").decode("ascii")
        difference = differing(gold, sentence, options) if gold is not None else None
        if difference is not None:
            drawn = difference_text(difference, ascii=plain, style=style)
        else:
            drawn = draw(sentence, ascii=plain, style=style)
            if gold is not None:  # other words: one tree below the other
                drawn = f"parse\n{drawn}\ngold\n{draw(gold, ascii=plain, style=style)}"
        drawings.append(f"{heading}\n{drawn}\n")
    return "\n".join(drawings)
