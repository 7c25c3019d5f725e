"""Function trees of any analysis."""

from __future__ import annotations

from collections.abc import Collection
from functools import singledispatch

from commonground.corpus import Constituents, Corpus, Dependencies, Functions
from commonground.errors import UsageError
from commonground.ground.constituents import constituent_functions
from commonground.ground.dependencies import HEAD, dependency_functions

__all__ = ["functions_of"]


@singledispatch
def functions_of(
    corpus: Corpus, *, head: str = HEAD, functions: Collection[str] | None = None
) -> Functions:
    """Return the function trees of a corpus.

    `head` labels the node over a head word: ``hd`` (2012), or the wildcard ``*`` (2011).
    `functions` are the dash tags of constituents that count; without it all do.
    """
    raise UsageError(f"{corpus.kind} have no function trees")


@functions_of.register
def _(
    corpus: Functions, *, head: str = HEAD, functions: Collection[str] | None = None
) -> Functions:  # noqa: ARG001
    return corpus


@functions_of.register
def _(
    corpus: Dependencies,
    *,
    head: str = HEAD,
    functions: Collection[str] | None = None,  # noqa: ARG001
) -> Functions:
    return dependency_functions(corpus, head)


@functions_of.register
def _(
    corpus: Constituents,
    *,
    head: str = HEAD,  # noqa: ARG001
    functions: Collection[str] | None = None,
) -> Functions:
    return constituent_functions(corpus, functions)
