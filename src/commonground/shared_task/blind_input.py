"""What participants get of a test set, and how their files are checked without the gold standard.

Of dependencies they get words, and of constituents too. To check a submission, the input gets trees
that mean nothing (every word hangs on the first one), and the submission is scored against them by
the rules of the task: whatever would be missing, broken or have other words is found by the code
that will score it.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from commonground.corpus import Constituents, Corpus, Dependencies, Sentence
from commonground.corpus.strings import Strings
from commonground.corpus.table import Column, Table
from commonground.errors import UsageError

__all__ = ["blind", "with_dummy_trees"]

_COMMENTS = re.compile(r"#\s*(newdoc|newpar|sent_id|text)\b")
"""What comments may tell; others could tell something about the trees."""


def blind(corpus: Corpus) -> Dependencies:
    """Return the words of a treebank, without tags, lemmas, features and trees.

    >>> from commonground.formats import read, write_text
    >>> write_text(blind(read("example:ud"))[0].alone, "conllu").splitlines()[3].split()[:4]
    ['1', 'Martha', '_', '_']
    """
    if isinstance(corpus, Dependencies):
        return _blind_dependencies(corpus)
    if isinstance(corpus, Constituents):
        sentences = [_overt_words(sentence) for sentence in corpus]
        return Dependencies.of(
            [(forms, [-1] * len(forms), ["_"] * len(forms)) for forms in sentences]
        )
    raise UsageError(f"a task cannot be made of {corpus.kind} yet, only of dependencies and trees")


def _overt_words(sentence: Sentence[Any]) -> list[str]:
    """Return the words of a sentence of constituents, without traces."""
    both = zip(sentence.column("form", "words"), sentence.column("tag", "words"), strict=True)
    return [form for form, tag in both if tag != "-NONE-"]


def _blind_dependencies(corpus: Dependencies) -> Dependencies:
    words, tokens, empties = (corpus.tables[name] for name in ("words", "tokens", "empties"))
    columns: dict[str, Column] = {
        **_nothing(words, ("form", "misc")),
        "misc": words.strings("misc").map(_spaces),
        "head": np.full(words.rows, -1, words.numbers("head").dtype),
    }
    multiword = {**_nothing(tokens, ("form", "misc")), "misc": tokens.strings("misc").map(_spaces)}
    none = {name: column[:0] for name, column in empties.columns.items()}
    tables = {
        **corpus.tables,
        "words": words.replace(**columns),
        "tokens": tokens.replace(**multiword),
        "empties": Table(np.zeros(len(corpus) + 1, np.int64), **none),
    }
    return Dependencies(tables).replace("sentences", comments=corpus.comments.map(_comments))


def _nothing(table: Table, kept: tuple[str, ...]) -> dict[str, Strings]:
    """Return the columns of text of a table without any, but for some that are kept."""
    return {
        name: Strings.constant("_", table.rows)
        for name, column in table.columns.items()
        if isinstance(column, Strings) and name not in kept
    }


def _spaces(misc: str) -> str:
    """Return what MISC says about spaces.

    >>> _spaces("SpaceAfter=No|Gloss=x"), _spaces("Gloss=x")
    ('SpaceAfter=No', '_')
    """
    return "|".join(part for part in misc.split("|") if part.startswith("Space")) or "_"


def _comments(block: str) -> str:
    return "\n".join(line for line in block.split("\n") if _COMMENTS.match(line))


def with_dummy_trees(corpus: Dependencies) -> Dependencies:
    """Return words with trees that mean nothing: the first word of a sentence heads all others.

    >>> with_dummy_trees(Dependencies.of([(["a", "b"], [-1, -1], ["_", "_"])])).head.tolist()
    [0, 1]
    """
    words = corpus.tables["words"]
    first = words.row_in_sentence() == 0
    labels = Strings.of("root" if root else "dep" for root in first.tolist())
    return corpus.replace("words", head=np.where(first, 0, 1).astype(np.int32), deprel=labels)
