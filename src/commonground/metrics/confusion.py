"""What is taken for what: labels, and the tags of heads, each cell with examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.corpus.strings import Vocabulary
from commonground.errors import UsageError
from commonground.metrics.dependencies.comparison import Comparison

__all__ = ["CONFUSIONS", "EXAMPLES", "ConfusionCell", "confusion"]

CONFUSIONS = ("label", "head-tag")
"""What can be confused."""

EXAMPLES = 5
"""Maximum number of examples of each confusion."""


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    """The number of words with `gold` in the gold standard and `system` in the parse.

    `examples` are the ids of the first sentences with such a word, and the word's place in it;
    `contexts` have these words in brackets, with what stands around them.
    """

    gold: str
    system: str
    count: int
    examples: tuple[tuple[str, int], ...]
    contexts: tuple[str, ...] = ()


def confusion(pair: Comparison | Any, what: str = "label") -> list[ConfusionCell]:
    """Return how often what was taken for what, most frequent first.

    `what` is ``label``, or ``head-tag`` for the parts of speech of the heads (``root`` for none).
    """
    if not isinstance(pair, Comparison):
        raise UsageError("confusions can be counted of dependencies only")
    if what not in CONFUSIONS:
        raise UsageError(f"no confusions of {what!r}; there are those of {', '.join(CONFUSIONS)}")
    if what == "label":
        gold, system = (side.deprel.map(pair.settings.label) for side in (pair.gold, pair.system))
    else:
        gold = _head_tags(pair.gold.upos, pair.gold_head)
        system = _head_tags(pair.system.upos, pair.system_head)
    keep = pair.gold_scored[pair.gold_row]
    rows = pair.gold_row[keep]
    vocabulary = Vocabulary()
    one, two = gold.codes_in(vocabulary), system.codes_in(vocabulary)
    names = list(vocabulary)
    joint = one[rows].astype(np.int64) * len(names) + two[pair.system_row[keep]]
    order = np.argsort(joint, kind="stable")
    cells, first, counts = np.unique(joint[order], return_index=True, return_counts=True)
    ids, forms, offsets = pair.gold.sent_id.tolist(), pair.gold.form, pair.gold.offsets.tolist()
    sentences = pair.gold.words.sentence_of_row()
    counted = []
    for cell, start, count in zip(cells.tolist(), first.tolist(), counts.tolist(), strict=True):
        shown = rows[order[start : start + min(count, EXAMPLES)]]
        places = list(zip(shown.tolist(), sentences[shown].tolist(), strict=True))
        examples = tuple((ids[at], row - offsets[at] + 1) for row, at in places)
        one, two = names[cell // len(names)], names[cell % len(names)]
        wrong = places if one != two else ()
        contexts = tuple(_context(forms, row, offsets[at], offsets[at + 1]) for row, at in wrong)
        counted.append(ConfusionCell(one, two, count, examples, contexts))
    return sorted(counted, key=lambda cell: (-cell.count, cell.gold, cell.system))


_AROUND = 2
"""Number of words before and after a word in its context."""


def _context(forms: Strings, row: int, first: int, last: int) -> str:
    """Return a word in brackets, between the words around it; its sentence has some rows.

    >>> _context(Strings.of(["All", "birds", "sing", "Why"]), 0, 0, 3)
    '[All] birds sing'
    """
    before, after = max(first, row - _AROUND), min(last, row + _AROUND + 1)
    near = forms[before:after].tolist()
    words = [f"[{form}]" if at == row else form for at, form in enumerate(near, before)]
    start, end = "… " * (before > first), " …" * (after < last)
    return f"{start}{' '.join(words)}{end}"


def _head_tags(tags: Strings, heads: NDArray[np.int64]) -> Strings:
    """Return the tag of each word's head."""
    codes = np.where(heads >= 0, tags.codes[heads] + 1, 0).astype(np.int32)
    named = Strings(codes, ("\0", *tags.vocabulary))
    return named.map(lambda tag: "root" if tag == "\0" else tag)
