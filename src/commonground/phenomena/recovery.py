"""What can be told of phenomena beyond what a scheme says: by rules, and at best.

*Recoverable* is what an analysis has after rules have added what its scheme leaves out, as Nivre,
Rimell, McDonald & Gómez Rodríguez (2010) recover unbounded dependencies from basic trees. The
*ceiling* of a mapping is what it finds in gold trees: what is missing there is not the parser's
error.
"""

from __future__ import annotations

import os
from pathlib import Path

from commonground.conversion.enhancement import enhanced
from commonground.conversion.to_dependencies import to_dependencies
from commonground.corpus import Constituents, Corpus, Dependencies, Relations, Strings
from commonground.corpus.arcs import to_relations
from commonground.corpus.deps import arcs_in
from commonground.formats.format import FormatOptions
from commonground.formats.registry import detect
from commonground.formats.storage.files import read_bytes, shown
from commonground.phenomena.gold import Gold
from commonground.phenomena.mapping import Mapping, find_mapping
from commonground.phenomena.score import Outcome, judge
from commonground.schemes.transform import transform

__all__ = ["ceiling", "read_trees", "recovered", "trees_beside"]

_UD = ("ud", "ud-enhanced")
_THROUGH_BRACKETS = ("brackets", "stanford")


def recovered(
    gold: Gold, corpus: Corpus, mapping: Mapping, *, window: int, path: str
) -> list[Outcome] | None:
    """Tell of each target whether an analysis has it with what rules add; None without rules."""
    wanted = find_mapping(mapping.recovered) if mapping.recovered else mapping
    if mapping.enhance == "ud" and isinstance(corpus, Dependencies):
        more = enhanced(corpus, "ud", extensions=True)
        given = mapping.name == wanted.name
        return judge(
            gold, _joined(corpus, more) if given else more, wanted, window=window, path=path
        )
    if mapping.enhance == "stanford" and isinstance(corpus, Dependencies | Constituents):
        return judge(gold, _stanford_graph(corpus), wanted, window=window, path=path)
    return None


def _stanford_graph(corpus: Dependencies | Constituents) -> Relations:
    """Return the arcs of the basic tree, of the collapsed graph, and of the rules."""
    trees = corpus if isinstance(corpus, Dependencies) else to_dependencies(corpus, "stanford")[0]
    more = enhanced(trees, "stanford", specified=False, extensions=True)
    return to_relations(_joined(trees, more), enhanced=True)


def _joined(trees: Dependencies, more: Dependencies) -> Dependencies:
    """Return trees with the arcs of both graphs; of arcs that rules have changed, theirs."""
    texts = []
    columns = (trees.head, trees.deprel, trees.deps, more.deps)
    for head, label, own, added in zip(*(column.tolist() for column in columns), strict=True):
        kind = label.partition(":")[0]
        unchanged = any(
            arc.major == head and arc.label.partition(":")[0] == kind
            for arc in arcs_in(added)
            if arc
        )
        kept = [
            f"{arc.major}:{arc.label}"
            for arc in (arcs_in(own) if unchanged else ())
            if arc and not arc.minor
        ]
        texts.append("|".join(dict.fromkeys([*added.split("|"), *kept])))
    return trees.replace("words", deps=Strings.of(texts))


def ceiling(
    gold: Gold, trees: Corpus, mapping: Mapping, *, window: int, path: str
) -> list[Outcome] | None:
    """Tell of each target whether a mapping finds it in gold trees; None where these are no help.

    UD trees serve basic and enhanced UD, and SUD, which they are transformed to; constituents serve
    brackets, Stanford dependencies and the LTH scheme.
    """
    used: Corpus | None = None
    if isinstance(trees, Dependencies):
        if mapping.name in _UD:
            used = trees
        elif mapping.name == "sud":
            used = transform(trees, "ud", "sud")[0]
    elif isinstance(trees, Constituents):
        if mapping.name in _THROUGH_BRACKETS:
            used, mapping = trees, find_mapping("brackets")
        elif mapping.name == "lth":
            used = to_dependencies(trees, "lth")[0]
    if used is None:
        return None
    return judge(gold, used, mapping, window=window, path=path)


def trees_beside(gold: Gold | str | os.PathLike[str]) -> list[str]:
    """Return the files with gold trees of a gold standard, which stand beside it."""
    path = gold.path if isinstance(gold, Gold) else os.fspath(gold)
    if path == "example:phenomena":
        return ["example:phenomena-ud"]
    names = (Path(path).with_suffix(end) for end in (".trees.conllu", ".trees.mrg"))
    return [str(name) for name in names if name.is_file()]


def read_trees(path: str | os.PathLike[str]) -> Corpus:
    """Read trees, of whatever format."""
    data = read_bytes(path)
    return detect(data, os.fspath(path)).read(data, shown(path), 1, FormatOptions(partial=True))
