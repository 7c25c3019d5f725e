"""Function trees on the command line: how the verbs of the algebra read and write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from commonground.cli.options import format_option, partial_option
from commonground.cli.output import show
from commonground.cli.remarks import remark

if TYPE_CHECKING:
    from commonground.corpus import Functions

__all__ = [
    "CommonTrees",
    "enhanced_option",
    "equivalent_labels_option",
    "function_nodes_option",
    "functions_option",
    "head_option",
    "labels_file",
    "mismatch_option",
    "read_trees",
    "show_trees",
    "tree_options",
]

Function = TypeVar("Function", bound=Callable[..., Any])

head_option = click.option(
    "--head",
    type=click.Choice(["hd", "*"]),
    help="The label of the head word of dependencies: hd (the default), or * for a wildcard that "
    "equals any label.",
)

functions_option = click.option(
    "--functions",
    metavar="TAG,…",
    callback=lambda _, __, text: None if text is None else tuple(filter(None, text.split(","))),
    help="The dash tags of constituents that count as functions, on phrases and on the tags of "
    "words; by default all on phrases, and on tags those of treebanks that are known to have them.",
)

function_nodes_option = click.option(
    "--function-nodes",
    metavar="LABEL,…",
    callback=lambda _, __, text: () if text is None else tuple(filter(None, text.split(","))),
    help="The labels of constituents that are functions themselves (relational-realizational "
    "trees).",
)

enhanced_option = click.option(
    "--enhanced", is_flag=True, help="Read the enhanced graphs of dependencies."
)

equivalent_labels_option = click.option(
    "--equivalent-labels",
    metavar="FILE",
    help="Labels to treat as equal: 'A = B' or 'A B C' on a line of FILE, or two inventories "
    "such as ud-ptb.",
)

mismatch_option = click.option(
    "--on-mismatch",
    type=click.Choice(["fail", "skip", "realign"]),
    default="fail",
    show_default=True,
    help="What to do with sentences whose texts differ: fail, skip them, or realign their words.",
)


def labels_file(name: str | None) -> str | None:
    """Return the file of labels that are the same, None where there is none but a name."""
    if name is None:
        return None
    from commonground.ground.equivalences import named_equivalence

    return None if named_equivalence(name) is not None else name


def tree_options(function: Function) -> Function:
    """Add the options that say how files become function trees; the verb gets them by name."""
    options = (
        format_option,
        partial_option,
        head_option,
        functions_option,
        function_nodes_option,
        enhanced_option,
        equivalent_labels_option,
        mismatch_option,
    )
    return reduce(lambda f, option: option(f), reversed(options), function)


class CommonTrees(NamedTuple):
    """The function trees of files over common units, and the labels that are the same."""

    trees: tuple[Functions, ...]
    equivalent: dict[str, str]
    realigned: tuple[str, ...]
    skipped: tuple[str, ...]

    @property
    def remarks(self) -> dict[str, list[str]]:
        """What was done about sentences whose texts differ, as JSON has it."""
        return {"realigned": list(self.realigned), "skipped": list(self.skipped)}


def read_trees(
    files: Sequence[str],
    *,
    input_format: str | None,
    partial: bool,
    head: str | None,
    functions: Sequence[str] | None,
    function_nodes: Sequence[str],
    enhanced: bool,
    equivalent_labels: str | None,
    on_mismatch: Any,
    quiet: bool,
) -> CommonTrees:
    """Read files of any kind as function trees, in which wildcards yield to specific labels."""
    import commonground
    from commonground.ground.dependencies import HEAD
    from commonground.ground.units import in_common_units
    from commonground.ground.wildcards import resolve_wildcards
    from commonground.metrics.labels_file import read_labels
    from commonground.metrics.settings import Settings

    same = read_labels(equivalent_labels, Settings()) if equivalent_labels else {}
    corpora = [commonground.read(file, input_format, partial=partial) for file in files]
    trees = [
        commonground.to_functions(
            corpus,
            head=head or HEAD,
            functions=functions,
            function_nodes=function_nodes,
            enhanced=enhanced,
        )
        for corpus in corpora
    ]
    common = in_common_units(corpora, trees, on_mismatch=on_mismatch)
    names = trees[0].sent_id.tolist()
    read = CommonTrees(
        resolve_wildcards(*common.trees),
        same,
        tuple(names[place] for place in common.realigned.tolist()),
        tuple(names[place] for place in common.skipped.tolist()),
    )
    for what, sentences in read.remarks.items():
        if sentences and not quiet:
            remark(f"{what}: {len(sentences):,} ({', '.join(sentences[:5])} …)")
    return read


def show_trees(corpus: Functions, read: CommonTrees, output: str, output_format: str) -> None:
    """Write function trees: as brackets, as JSON, or as tables of words and nodes."""
    from commonground.corpus.records import record
    from commonground.formats import write_text
    from commonground.report.views.sentences import listing

    text = output_format == "text"
    sentences = [] if text else list(corpus)
    show(
        output,
        output_format,
        data={"sentences": [record(sentence) for sentence in sentences], **read.remarks},
        grids=listing(sentences),
        text=write_text(corpus, "functions") if text else None,
    )
