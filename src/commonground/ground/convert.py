"""From one format to another, between dependencies and constituents, and to function trees."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from commonground.corpus import Alignments, Constituents, Corpus, Dependencies, Functions
from commonground.errors import UsageError
from commonground.formats import convert as between_formats
from commonground.formats.files import shown
from commonground.formats.registry import find_format, format_of_path
from commonground.ground.dependencies import HEAD
from commonground.ground.functions import functions_of
from commonground.schemes.head_rules import rule_names
from commonground.schemes.projectivity import Moves
from commonground.schemes.scheme import Scheme
from commonground.schemes.to_constituents import to_constituents
from commonground.schemes.to_dependencies import LTH, Headed, to_dependencies

__all__ = ["PROJECTION", "convert"]

PROJECTION = "projection"
"""The rules that lead from dependencies to constituents."""


def convert(  # noqa: PLR0913  # options, by name
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    partial: bool = False,
    enhanced: bool = False,
    head: str = HEAD,
    functions: Collection[str] | None = None,
    rules: str | os.PathLike[str] | None = None,
    scheme: Scheme | str | os.PathLike[str] | None = None,
    watch: Callable[[Corpus], None] = lambda _: None,
) -> str:
    """Read a treebank from one file and write it to another in another format.

    The content of `source` and the suffix of `target` tell the formats that are not named. Formats
    that hold the same kind of corpus can be converted into each other. Dependencies can be written
    as relations, and everything but alignments as function trees, with `enhanced` those of the
    enhanced graph; `head` and `functions` are as in :func:`commonground.functions_of`. With `rules`
    and `scheme`, constituents become dependencies (:func:`commonground.to_dependencies`), and
    with the rules ``projection`` dependencies become constituents
    (:func:`commonground.to_constituents`). `watch` is called with each piece after it was read.
    Returns a remark about what was not as it should be, the empty string where all was.
    """
    _refuse_idle_scheme(rules, scheme)
    headed: list[Headed] = []
    moved: list[Moves] = []

    def seen(piece: Corpus) -> None:
        _refuse_idle_rules(rules, piece, shown(source), target, target_format)
        watch(piece)

    def function_trees(piece: Corpus) -> Functions | None:
        if isinstance(piece, Alignments):
            return None
        return functions_of(piece, head=head, functions=functions, enhanced=enhanced)

    def dependencies(piece: Corpus) -> Dependencies | None:
        if not isinstance(piece, Constituents):
            return None
        if rules is None or rules == PROJECTION:
            names = ", ".join(rule_names())
            raise UsageError(
                f"constituents become dependencies by head rules; name them with --rules ({names}, "
                "or a file)"
            )
        found, report = to_dependencies(piece, rules, scheme)
        headed.append(report)
        return found

    def constituents(piece: Corpus) -> Constituents | None:
        if not isinstance(piece, Dependencies) or rules is None:
            return None
        if rules != PROJECTION:
            raise UsageError("head rules are for constituents; dependencies have 'projection' only")
        found, moves = to_constituents(piece)
        moved.append(moves)
        return found

    between_formats.convert(
        source,
        target,
        source_format=source_format,
        target_format=target_format,
        partial=partial,
        enhanced=enhanced,
        watch=seen,
        ways={
            Functions: function_trees,
            Dependencies: dependencies,
            Constituents: constituents,
        },
    )
    return _remark(headed, moved)


def _refuse_idle_scheme(
    rules: str | os.PathLike[str] | None, scheme: Scheme | str | os.PathLike[str] | None
) -> None:
    if scheme is not None and (rules is None or os.fspath(rules) != LTH):
        raise UsageError("a scheme is for the rules 'lth'; other rules are one scheme each")


def _refuse_idle_rules(
    rules: str | os.PathLike[str] | None,
    piece: Corpus,
    source: str,
    target: str | os.PathLike[str],
    target_format: str | None,
) -> None:
    """Refuse rules where trees would be written without them."""
    if rules is None:
        return
    entry = find_format(target_format) if target_format else format_of_path(target)
    if isinstance(piece, entry.corpus) or entry.corpus is Functions:
        raise UsageError(
            f"--rules have nothing to do: {source} has {piece.kind}, which {entry.title} "
            "takes without them; they lead from constituents to dependencies, or back"
        )


def _remark(headed: list[Headed], moved: list[Moves]) -> str:
    arcs = sum(moves.arcs for moves in moved)
    sentences = sum(moves.sentences for moves in moved)
    lifted = f"{arcs:,} arcs that cross others were lifted, in {sentences:,} sentences"
    return sum(headed, Headed()).text or (lifted if arcs else "")
