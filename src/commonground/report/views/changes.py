"""The changes between two versions of a treebank, as tables."""

from __future__ import annotations

from commonground.evaluation.treebank_changes import ChangeKind, TreebankChanges
from commonground.grid import Column, Grid
from commonground.plurals import number_of
from commonground.report.visible import visible

__all__ = ["grids"]


def grids(changes: TreebankChanges, *, top: int = 20) -> list[Grid]:
    """Return tables: what happened to sentences, waves, and single changes, the `top` of each."""
    share = f"{100 * changes.changed_words / changes.words:.1f} %" if changes.words else "0 %"
    lead = (
        f"{changes.changed_words:,} of {number_of(changes.words, 'word')} ({share}) changed."
        if changes
        else "Nothing has changed."
    )
    counts = {what: len(names) for what, names in changes.sentences.items()}
    rows = [each for each in ({"unchanged": changes.unchanged} | counts).items() if each[1]]
    columns = (Column(""), Column("sentences", "right"))
    tables = [Grid.of("Sentences", columns, rows, signature=changes.signature, lead=lead)]
    waves = [kind for kind in changes.kinds if kind.wave]
    single = [kind for kind in changes.kinds if not kind.wave]
    for title, kinds in (("Changes of many words alike", waves), ("Other changes", single)):
        if kinds:
            tables.append(_grid(title, kinds, top))
    return tables


def _grid(title: str, kinds: list[ChangeKind], most: int) -> Grid:
    columns = ("what", "old", "new", Column("changes", "right"), Column("% of old", "right", 1))
    left = kinds[most:]
    note = f"{len(left):,} more kinds, {sum(kind.changes for kind in left):,} changes."
    rows = (
        (visible(kind.what), visible(kind.old), visible(kind.new), kind.changes,
         100 * kind.share, _example(kind))
        for kind in kinds[:most]
    )  # fmt: skip
    return Grid.of(title, (*columns, "example"), rows, [note] if left else [])


def _example(kind: ChangeKind) -> str:
    name, place, form = kind.examples[0]
    return f"{visible(name)}:{place} {visible(form)}"
