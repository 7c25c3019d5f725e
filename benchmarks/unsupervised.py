"""How fast the dependency model with valence goes over a corpus once."""

from __future__ import annotations

from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

SENTENCES = 10_000

SETUP = """
from commonground import read
from commonground.corpus import Dependencies
from commonground.parsers.dmv.initial import initial_grammar
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.symbols import Symbols, alphabet_of
corpus = read({path!r})
short = Symbols.of(corpus, alphabet_of(corpus), longest={longest})
times = -(-{sentences} // len(short.lengths))
corpus = Dependencies.concatenate([corpus] * times)
layout = GrammarLayout(Symbols.of(corpus, alphabet_of(corpus), longest={longest}))
grammar = initial_grammar(layout)
scale = layout.scale(grammar)
"""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.conllu(folder))
    best = best_times(
        [
            Task(
                str(longest),
                "layout.expected(grammar, scale).counts.grammar(grammar.tags)",
                SETUP.format(path=path, longest=longest, sentences=SENTENCES),
            )
            for longest in (10, 40)
        ],
        rounds=3,
    )
    return [
        Row(
            f"one EM iteration of DMV, at least 10,000 sentences of up to {longest} words",
            f"{best[str(longest)]:.3f} s",
            f"< {limit} s",
            best[str(longest)] < limit,
        )
        for longest, limit in ((10, 0.03), (40, 0.25))
    ]
