"""Sentences of a test set that stand in training data, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonground.evaluation.overlap import Overlap
from commonground.grid import Column, Grid
from commonground.plurals import number_of
from commonground.report.visible import visible

__all__ = ["grids"]


def grids(result: Overlap, *, top: int = 10) -> list[Grid]:
    """Return how many sentences and words are in the training data, and the `top` near ones."""
    duplicates = result.duplicates
    total = {"sentences": result.sentences, "words": result.words}
    exact = [each for each in duplicates if each.exact]
    near = [each for each in duplicates if not each.exact]
    none = total["sentences"] - len(duplicates)
    words = {"all": total["words"]}
    rows = []
    for what, some in (("the same", exact), ("nearly the same", near)):
        words[what] = sum(each.words for each in some)
        rows.append(_row(what, len(some), words[what], total))
    left = total["words"] - words["the same"] - words["nearly the same"]
    rows.append(_row("only in TEST", none, left, total))
    lead = (
        f"{number_of(len(duplicates), 'sentence')} of {total['sentences']:,} also in the training "
        f"data, {len(exact):,} of them word by word."
    )
    columns = ("in the training data", Column("sentences", "right"), Column("%", "right", 1))
    more = (Column("words", "right"), Column("% of words", "right", 1))
    tables = [Grid.of("Overlap", (*columns, *more), rows, lead=lead, signature=result.signature)]
    shown = sorted(near, key=lambda each: (-each.similarity, each.sent_id))[:top]
    if shown:
        pairs = (
            (each.similarity, visible(each.sent_id), visible(each.text),
             visible(each.train_sent_id), visible(each.train_text))
            for each in shown
        )  # fmt: skip
        titles = (Column("similarity", "right", 2), "test", "text", "train", "text of train")
        tables.append(Grid.of("Nearly the same", titles, pairs))
    return tables


def _row(what: str, sentences: int, words: int, total: Mapping[str, int]) -> tuple[Any, ...]:
    of_sentences = 100 * sentences / total["sentences"] if total["sentences"] else None
    of_words = 100 * words / total["words"] if total["words"] else None
    return what, sentences, of_sentences, words, of_words
