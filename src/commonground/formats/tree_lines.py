"""Whether the lines of a sentence still make a tree after they were put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonground.formats.patch import COLUMNS

__all__ = ["dangling", "no_tree"]

_HEAD, _DEPS = COLUMNS.index("HEAD"), COLUMNS.index("DEPS")


def no_tree(lines: Iterable[str]) -> bool:
    r"""Tell whether heads lead around in a circle, nowhere, or to no root or several.

    >>> row = "{}\t_\t_\t_\t_\t_\t{}\t_\t_\t_".format
    >>> no_tree([row(1, 2), row(2, 0)]), no_tree([row(1, 2), row(2, 1), row(3, 0)])
    (False, True)
    """
    heads = {row[0]: row[_HEAD] for row in _rows(lines) if row[0].isdigit()}
    for word in heads:
        seen = set()
        at = word
        while at in heads and at not in seen:
            seen.add(at)
            at = heads[at]
        if at in seen or (at.isdigit() and at != "0"):
            return True
    return bool(heads) and sum(head == "0" for head in heads.values()) != 1


def dangling(lines: Iterable[str]) -> bool:
    """Tell whether an enhanced arc comes from a word or empty node that is not there."""
    rows = _rows(lines)
    there = {"0", *(row[0] for row in rows)}
    return any(
        edge.partition(":")[0] not in there
        for row in rows
        if len(row) > _DEPS and row[_DEPS] != "_"
        for edge in row[_DEPS].split("|")
    )


def _rows(lines: Iterable[str]) -> Sequence[list[str]]:
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return [row for row in rows if len(row) > _HEAD]
