"""``commonground project``: trees for another language, over word alignments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from commonground.cli.options import INPUT, renamed_option, report_options, run_options
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.cli.results import show_result
from commonground.errors import UsageError
from commonground.plurals import number_of

CHOICES = {
    "tags": ("any", "same"),
    "one-to-many": ("first", "last", "drop"),
    "extra": ("attach", "leave"),
    "many-to-one": ("top", "first", "last", "drop"),
    "unaligned-head": ("leave", "climb"),
    "unaligned": ("leave", "left", "right"),
    "crossing": ("keep", "drop"),
}
HELP = {
    "tags": "Use all links, or only those between words with the same part of speech (UPOS).",
    "one-to-many": "Which of several target words represents a source word.",
    "extra": "Attach the other target words to that word, or give them no head.",
    "many-to-one": "Which of several source words a target word represents.",
    "unaligned-head": "If the source head has no link: no head, or the nearest linked ancestor.",
    "unaligned": "Head of a word without a link: none, or the word to its left or right.",
    "crossing": "Keep arcs that cross, or drop the longer one.",
}


def _policies(function: Any) -> Any:
    for name in reversed(CHOICES):
        function = click.option(
            f"--{name}",
            type=click.Choice(CHOICES[name]),
            default=CHOICES[name][0],
            show_default=True,
            help=HELP[name],
        )(function)
    return function


@click.command()
@click.argument("source", metavar="SOURCE", type=INPUT)
@click.argument("target", metavar="TARGET", type=INPUT)
@click.argument("links", metavar="LINKS", type=INPUT)
@click.argument("out", metavar="OUT", type=OUTPUT)
@_policies
@renamed_option(
    "--project-labels/--no-project-labels",
    "labels",
    former=["--labels/--no-labels"],
    default=True,
    help="Project labels too.",
)
@click.option(
    "--copy",
    metavar="COLUMN,…",
    help="Columns to copy from source words to linked words: upos, xpos, feats.",
)
@click.option(
    "--repair",
    metavar="FILE",
    help="Attach words without a head by rules on tags: 'usual', or a TOML file.",
)
@renamed_option(
    "--from",
    "scheme",
    former=["--scheme"],
    metavar="SCHEME",
    default="ud",
    show_default=True,
    help="The scheme of SOURCE, for repairs.",
)
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="SOURCE:LINKS",
    help="Another source with its links to TARGET: a word gets the head that most sources give it.",
)
@click.option(
    "--min-votes",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Project only heads that N sources agree on.",
)
@click.option(
    "--guide",
    "guides",
    multiple=True,
    metavar="FILE",
    help="Trees of TARGET that vote too, as of a parser trained on other languages: all words get "
    "heads.",
)
@click.option(
    "--guide-weight",
    type=click.FloatRange(0, 1000),
    default=0.4,
    show_default=True,
    metavar="W",
    help="What all guides count, where all sources count 1.",
)
@click.option(
    "--with-confidence",
    "confidence",
    is_flag=True,
    help="Write to MISC how sure the votes are of each head (Confidence=0.75), for 'train "
    "--weights'.",
)
@click.option(
    "--max-fragments",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Keep trees with at most N fragments.",
)
@click.option(
    "--from-words",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    metavar="N",
    help="Keep all trees with fewer than N words.",
)
@click.option("--all", "every", is_flag=True, help="Keep all trees, however fragmented.")
@click.option(
    "--report", "wanted", is_flag=True, help="Show how fragmented the trees are, and why."
)
@report_options
@run_options()
@click.pass_context
def command(
    context: click.Context,
    /,
    source: str,
    target: str,
    links: str,
    out: str,
    *,
    labels: bool,
    copy: str | None,
    repair: str | None,
    scheme: str,
    others: Sequence[str],
    min_votes: int,
    guides: Sequence[str],
    guide_weight: float,
    confidence: bool,
    max_fragments: int,
    from_words: int,
    every: bool,
    wanted: bool,
    output_format: str,
    output: str,
    **policies: str,
) -> None:
    """Project trees to another language over word alignments.

    If two words of SOURCE are linked to two words of TARGET, and one is the head of the other, the
    same holds in TARGET. OUT has the words of TARGET with these heads: partial trees, in which MISC
    says why a word has no head (for example Projection=unaligned). Trees with too many fragments
    are left out. TARGET is a treebank, or plain text with one sentence per line. LINKS are word
    alignments, as written by commonground align. OUT is CoNLL-U, unless its suffix says otherwise.

    \b
    Examples:
      commonground project example:ud example:sud <(commonground align example:ud example:sud) -
      commonground project example:ud example:ud <(commonground align example:ud example:ud) - --all
    """
    from commonground.alignment import read_links, read_words
    from commonground.formats import read, write
    from commonground.formats.registry import format_of_path
    from commonground.projection.direct import project
    from commonground.projection.fragments import Filter
    from commonground.projection.policies import Policies
    from commonground.projection.repairs import read_rules, usual_rules

    wanted = wanted or output != "-" or output_format != "text"
    if wanted and out == output == "-":
        raise UsageError("OUT and the report both go to standard output; name a --report-file")
    rules = () if repair is None else usual_rules() if repair == "usual" else read_rules(repair)
    words = read_words(target)
    sources = [(source, links), *map(_source, others)]
    further = [(read(path, partial=True), read_links(over)) for path, over in sources[1:]]
    projection = project(
        read(source, partial=True),  # type: ignore[arg-type]  # what is no treebank is refused
        words,
        read_links(links),
        further=further,  # type: ignore[arg-type]
        votes=min_votes,
        guides=[read(guide) for guide in guides],  # type: ignore[misc]  # refused there, too
        guide_weight=guide_weight,
        confidence=confidence,
        policies=Policies(**policies),
        labels=labels,
        copy=copy.split(",") if copy else (),
        chosen=Filter(None if every else max_fragments, from_words),
        rules=rules,
        scheme=scheme,
    )
    trees = projection.filtered
    empty = trees.words.lengths == 0
    written = format_of_path(out, otherwise="conllu").name
    write(trees.take(~empty) if empty.any() else trees, out, written)
    if empty.any():
        told = number_of(int(empty.sum()), "sentence has", "sentences have")
        remark(f"{told} no words in {target}, and so no tree in {out}")
    left_out = len(words) - len(trees)
    if left_out and not wanted:
        told = f"{left_out:,} of {len(words):,} trees have too many fragments and are left out"
        remark(f"{told}; --all keeps them, --report shows why")
    if wanted:
        show_result(
            projection,
            context,
            treebanks={
                "parallel": {
                    "source": ",".join(path for path, _ in sources),
                    "target": target,
                    "links": ",".join(over for _, over in sources),
                }
            },
            files=lambda: [target, *guides, *(path for pair in sources for path in pair)],
        )


def _source(text: str) -> tuple[str, str]:
    """Return another source and its links."""
    path, colon, links = text.rpartition(":")
    if not colon or not path or not links:
        raise UsageError(f"--with {text!r} is no source with its links; write SOURCE:LINKS")
    return path, links
