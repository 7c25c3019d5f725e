"""Function trees of any analysis."""

from __future__ import annotations

from collections.abc import Collection

from commonground.corpus import Constituents, Corpus, Dependencies, Functions, Graphs, Relations
from commonground.errors import UsageError
from commonground.ground.constituents import constituent_functions
from commonground.ground.dependencies import HEAD, dependency_functions
from commonground.ground.graphs import enhanced_functions, graph_functions, relation_functions

__all__ = ["to_functions"]


def to_functions(
    corpus: Corpus,
    *,
    head: str = HEAD,
    functions: Collection[str] | None = None,
    function_nodes: Collection[str] = (),
    enhanced: bool = False,
) -> Functions:
    """Return the function trees of a corpus.

    `head` labels the node over a head word: ``hd`` (2012), or the wildcard ``*`` (2011).
    `functions` are the dash tags of constituents that count, by default all. `function_nodes` are
    the labels of constituents that are functions themselves, as in relational-realizational trees.
    `enhanced` reads dependencies from the column DEPS.

    >>> to_functions(Dependencies.of([(["Birds", "sing"], [2, 0], ["sbj", "root"])]))
    Functions(2 words, 3 nodes, 1 sentences)
    """
    if isinstance(corpus, Functions):
        return corpus
    if isinstance(corpus, Dependencies):
        return enhanced_functions(corpus, head) if enhanced else dependency_functions(corpus, head)
    if isinstance(corpus, Constituents):
        return constituent_functions(corpus, functions, function_nodes)
    if isinstance(corpus, Relations):
        return relation_functions(corpus, head)
    if isinstance(corpus, Graphs):
        return graph_functions(corpus, head)
    raise UsageError(f"{corpus.kind} have no function trees")
