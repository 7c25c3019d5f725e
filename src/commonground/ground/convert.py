"""From one format to another, between dependencies and constituents, and to function trees."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from commonground.conversion.enhancement import enhanced as with_enhanced_graph
from commonground.conversion.head_rules import rule_names
from commonground.conversion.to_constituents import to_constituents
from commonground.conversion.to_dependencies import LTH, Headed, to_dependencies
from commonground.corpus import Alignments, Constituents, Corpus, Dependencies, Functions, Relations
from commonground.corpus.arcs import to_relations
from commonground.corpus.realizational import without_function_nodes
from commonground.corpus.stripping import strip
from commonground.errors import InputError, UsageError, setting
from commonground.formats.format import Format
from commonground.formats.registry import find_format, format_of_path
from commonground.formats.rewriting import rewrite
from commonground.formats.storage.files import STANDARD, shown
from commonground.ground.anchoring import Anchored, anchored
from commonground.ground.dependencies import HEAD
from commonground.ground.functions import to_functions
from commonground.ground.graphs import is_unanchored
from commonground.patterns.nodes import matching
from commonground.plurals import number_of
from commonground.schemes.hub import are_mostly_relations
from commonground.schemes.projectivity import Moves
from commonground.schemes.scheme import Scheme

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
    enhance: bool = False,
    head: str | None = None,
    functions: Collection[str] | None = None,
    function_nodes: Collection[str] = (),
    strip: Sequence[str] = (),
    rules: str | os.PathLike[str] | None = None,
    scheme: Scheme | str | os.PathLike[str] | None = None,
    where: str | None = None,
    watch: Callable[[Corpus], None] = lambda _: None,
) -> str:
    """Read a treebank from one file and write it to another in another format.

    Formats that are not named are recognised by the content of `source` and the suffix of `target`.
    Formats for the same kind of corpus can be converted into each other. Dependencies can be
    written as relations, and everything but alignments as function trees, with `enhanced` those of
    the enhanced graph; `head`, `functions` and `function_nodes` are as in
    :func:`commonground.to_functions`. `strip` removes parts of constituent trees, including
    function nodes (:func:`commonground.strip`). With `rules` and `scheme`, constituents become
    dependencies (:func:`commonground.to_dependencies`), and with the rules ``projection``
    dependencies become constituents (:func:`commonground.to_constituents`). With `enhance`, UD
    trees get the enhanced graph that rules make of them. With `where`, only the sentences that
    match a pattern are written, as `source` has them. `watch` is called with
    each piece after it was read. Returns a remark about anything irregular, or the empty string.
    """
    _refuse_idle_scheme(rules, scheme)
    entry = find_format(target_format) if target_format else _format_of(target)
    work = _Conversion(
        entry,
        shown(source),
        head,
        functions,
        tuple(function_nodes),
        enhanced,
        strip,
        rules,
        scheme,
        enhance,
    )

    def seen(piece: Corpus) -> None:
        work.refuse_idle_options(piece)
        watch(piece)

    rewrite(
        source,
        target,
        source_format=source_format,
        target_format=target_format,
        partial=partial,
        enhanced=enhanced,
        watch=seen,
        change=lambda pieces: map(work.changed, matching(pieces, where)),
        ways={
            Functions: work.function_trees,
            Dependencies: work.dependencies,
            Constituents: work.constituents,
            Relations: work.relations,
        },
    )
    return work.remark


@dataclass
class _Conversion:
    """What the options ask for, and what is noticed on the way."""

    entry: Format | None
    source: str
    head: str | None
    functions: Collection[str] | None
    function_nodes: tuple[str, ...]
    enhanced: bool
    strip: Sequence[str]
    rules: str | os.PathLike[str] | None
    scheme: Scheme | str | os.PathLike[str] | None
    enhance: bool = False
    headed: list[Headed] = field(default_factory=list)
    moved: list[Moves] = field(default_factory=list)
    anchors: list[Anchored] = field(default_factory=list)

    def changed(self, piece: Corpus) -> Corpus:
        """Return constituents without what is to be stripped, dependencies with enhanced graphs."""
        if self.enhance and isinstance(piece, Dependencies):
            return with_enhanced_graph(piece)
        if not self.strip:
            return piece
        assert isinstance(piece, Constituents)
        if "functions" in self.strip:
            piece = without_function_nodes(piece, self.function_nodes)
        return strip(piece, self.strip)

    def function_trees(self, piece: Corpus) -> Functions | None:
        """Return the function trees of anything but alignments."""
        if isinstance(piece, Alignments):
            return None
        if isinstance(piece, Relations) and is_unanchored(piece):
            self.anchors.append(anchored(piece))
            piece = self.anchors[-1].corpus
        return to_functions(
            piece,
            head=self.head or HEAD,
            functions=self.functions,
            function_nodes=self.function_nodes,
            enhanced=self.enhanced,
        )

    def dependencies(self, piece: Corpus) -> Dependencies | None:
        """Return the dependencies that rules make of constituents."""
        if not isinstance(piece, Constituents):
            return None
        if self.rules is None or self.rules == PROJECTION:
            names = ", ".join(rule_names())
            raise UsageError(
                "constituents become dependencies by head rules; name them with "
                f"{setting('rules')} ({names}, or a file)"
            )
        converted, report = to_dependencies(piece, self.rules, self.scheme)
        self.headed.append(report)
        return converted

    def relations(self, piece: Corpus) -> Relations | None:
        """Return the arcs of dependencies, or of those that rules make of constituents."""
        converted = piece if self.rules is None else self.dependencies(piece)
        if not isinstance(converted, Dependencies):
            return None
        return to_relations(converted, enhanced=self.enhanced)

    def constituents(self, piece: Corpus) -> Constituents | None:
        """Return the constituents that dependencies project."""
        if not isinstance(piece, Dependencies):
            return None
        if self.rules is None:
            raise UsageError(
                f"dependencies become constituents by {setting('rules', PROJECTION)}, a phrase for "
                "each word that has dependents"
            )
        if self.rules != PROJECTION:
            raise UsageError("head rules are for constituents; dependencies have 'projection' only")
        converted, moves = to_constituents(piece)
        self.moved.append(moves)
        return converted

    def refuse_idle_options(self, piece: Corpus) -> None:
        """Refuse options that change nothing about what is written."""
        kind = self.entry.corpus if self.entry else None
        if self.rules is not None and self.entry and kind in (type(piece), Functions):
            raise UsageError(
                f"{setting('rules')} has no effect here: {self.source} has {piece.kind}, which "
                f"can be written as {self.entry.title} without it; rules turn constituents into "
                "dependencies, or back"
            )
        to_functions, constituents = kind is Functions, isinstance(piece, Constituents)
        if self.head and (constituents or isinstance(piece, Functions) or not to_functions):
            raise UsageError(
                f"{setting('head')} has no effect here; it is for function trees of dependencies"
            )
        if self.functions is not None and not (constituents and to_functions):
            raise UsageError(
                f"{setting('functions')} has no effect here; it is for function trees of "
                f"constituents ({setting('strip', 'functions')} removes the dash tags of "
                "constituents)"
            )
        useful = to_functions or "functions" in self.strip
        if self.function_nodes and not (constituents and useful):
            raise UsageError(
                f"{setting('function_nodes')} has no effect here; it is for function trees of "
                f"constituents, and for {setting('strip', 'functions')}"
            )
        if self.enhance and not isinstance(piece, Dependencies):
            raise UsageError(f"{setting('enhance')} is for dependencies, not for {piece.kind}")
        if self.enhance and isinstance(piece, Dependencies) and not are_mostly_relations(piece):
            message = f"most labels are none of UD, which {setting('enhance')} is for"
            raise InputError(self.source, 0, f"{message}; transform the trees to ud first")
        if self.strip and not constituents:
            raise UsageError(f"{setting('strip')} is for constituents, and these are {piece.kind}")

    @property
    def remark(self) -> str:
        """What was not as it should be."""
        if self.anchors:
            return sum(self.anchors[1:], self.anchors[0]).remark
        arcs = sum(moves.arcs for moves in self.moved)
        sentences = sum(moves.sentences for moves in self.moved)
        lifted = (
            f"{number_of(arcs, 'crossing arc was', 'crossing arcs were')} lifted, in "
            f"{number_of(sentences, 'sentence')}"
        )
        return sum(self.headed, Headed()).text or (lifted if arcs else "")


def _format_of(target: str | os.PathLike[str]) -> Format | None:
    """Return the format of what is written, None where it is not told (which is refused later)."""
    return None if os.fspath(target) == STANDARD else format_of_path(target)


def _refuse_idle_scheme(
    rules: str | os.PathLike[str] | None, scheme: Scheme | str | os.PathLike[str] | None
) -> None:
    if scheme is not None and (rules is None or os.fspath(rules) != LTH):
        raise UsageError(
            "a scheme has an effect only with the rules 'lth'; other rules have one scheme each"
        )
