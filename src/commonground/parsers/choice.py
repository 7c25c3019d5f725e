"""Which parser to train, where nobody has named one: by size, crossing arcs and time.

What is known comes from the dev files of five treebanks (docs/parsers.md): ``stacked`` and
``ensemble`` are the best ones and cost about twice the time of ``arc-eager``; an ensemble needs
more text; ``mst`` is better than ``arc-eager`` where many arcs cross; of a handful of sentences
no parser learns more than ``arc-eager``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.corpus.shape import nonprojective_arcs
from commonground.errors import UsageError, setting
from commonground.parsers.registry import find_parser

__all__ = ["BUDGET", "Choice", "choose", "seconds_of"]

BUDGET = "5min"
"""How long training may take, if nothing is said."""

_UNITS = {"s": 1, "min": 60, "h": 3600}
_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h)")

_FEW_SENTENCES = 100
_MANY_WORDS = 60_000
_MANY_CROSSING = 0.02

_COST = {"arc-eager": 0.8, "mst": 1.0, "stacked": 1.5, "ensemble": 1.5, "spans": 1.2, "pcfg": 0.1}
"""Seconds of training for a thousand words with predicted tags, rather more than fewer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The parser that was chosen, and why, in one sentence."""

    parser: str
    why: str


def seconds_of(budget: str) -> float:
    """Return how many seconds a budget is; ``best`` is any number.

    >>> seconds_of("60s"), seconds_of("5min"), seconds_of("best")
    (60.0, 300.0, inf)
    """
    if budget == "best":
        return math.inf
    match = _BUDGET.fullmatch(budget.strip())
    if match is None:
        raise UsageError(
            f"{setting('budget', budget)} is not a time; give one like 60s, 5min or 1h, or best"
        )
    return float(match[1]) * _UNITS[match[2]]


def choose(corpus: Corpus, budget: str = BUDGET, settings: Iterable[str] = ()) -> Choice:
    """Return the parser that is probably best on a treebank of those that can be trained in time.

    Only parsers that have these `settings` are chosen from. Of those that take too long the fastest
    is chosen.
    """
    time, words = seconds_of(budget), corpus.tables["words"].rows
    wanted, why = _wanted(corpus, words)
    able = [name for name in wanted if set(settings) <= _settings_of(name)] or wanted[-1:]
    fitting = [name for name in able if _seconds(name, words) <= time]
    chosen = fitting[0] if fitting else min(able, key=lambda name: _COST[name])
    limit = "" if chosen == able[0] else f", and {able[0]} would take longer than {budget}"
    if not fitting and _seconds(chosen, words) > time:
        limit = f", and none is faster, though it takes longer than {budget}"
    return Choice(
        chosen,
        f"{chosen} was chosen for {words:,} words, {why}{limit} (about "
        f"{_shown(_seconds(chosen, words))}); {setting('parser')} names another one",
    )


def _wanted(corpus: Corpus, words: int) -> tuple[list[str], str]:
    """Return the parsers that suit a treebank, the best one first, and what decides."""
    if isinstance(corpus, Constituents):
        return ["spans", "pcfg"], "since it finds the best constituents"
    if len(corpus) < _FEW_SENTENCES or not isinstance(corpus, Dependencies):
        return ["arc-eager"], "which are too few for more than a fast parser"
    share = float(np.mean(nonprojective_arcs(corpus)))
    crossing = f"{100 * share:.1f} % of whose arcs cross"
    first = "ensemble" if words >= _MANY_WORDS else "stacked"
    second = ["stacked"] if first == "ensemble" else []
    middle = ["mst"] if share >= _MANY_CROSSING else []
    return [first, *second, *middle, "arc-eager"], crossing


def _settings_of(name: str) -> set[str]:
    return {field.name for field in fields(find_parser(name).settings)}


def _seconds(name: str, words: int) -> float:
    return 1 + _COST[name] * words / 1000


def _shown(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
