"""Files that say which labels are the same.

A line has two or more labels that are the same, with or without ``=`` between them; ``#`` begins a
comment. Being the same is passed on: with ``A = B`` and ``B = C``, A and C are the same too.

    # PropBank and Prague
    SBJ = Sb
    OBJ Obj dobj
"""

from __future__ import annotations

import os

from commonground.errors import InputError, quoted, setting
from commonground.formats.storage.files import read_utf8, shown
from commonground.ground.equivalences import named_equivalence
from commonground.metrics.settings import Settings

__all__ = ["parse_labels", "read_labels"]


def read_labels(path: str | os.PathLike[str], settings: Settings) -> dict[str, str]:
    """Read a file of equivalent labels for :class:`Settings`; see :func:`parse_labels`.

    Instead of a file, two inventories can be named: ``ud-ptb``, ``ud-sud``.
    """
    named = named_equivalence(os.fspath(path))
    if named is not None:
        if settings.ignore_case:
            named = {label.lower(): hub for label, hub in named.items()}
        return named
    return parse_labels(read_utf8(path, "a file of labels is"), settings, shown(path))


def parse_labels(text: str, settings: Settings, path: str = "<text>") -> dict[str, str]:
    r"""Return for labels the one that stands for all that are the same, unless it is itself.

    The settings say whether case and subtypes count, since labels are compared without them first.

    >>> parse_labels("SBJ = Sb\nsubj Sb  # of LTH", Settings())
    {'Sb': 'SBJ', 'subj': 'SBJ'}
    """
    leader: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        labels = _labels(line)
        if not labels:
            continue
        if len(set(labels)) < 2:
            raise InputError(path, number, f"{quoted(labels[0])} alone; 'A = B' or 'A B' is right")
        for label in labels:
            if not settings.subtypes and ":" in label:
                message = f"{quoted(label)} has a subtype, but subtypes do not count"
                advice = f"{setting('subtypes')} makes them count"
                raise InputError(path, number, f"{message}; {advice}")
        same = [label.lower() if settings.ignore_case else label for label in labels]
        joined = {leader.setdefault(label, label) for label in same}
        first = next(label for label in leader if label in joined)
        leader.update({label: first for label, known in leader.items() if known in joined})
    return {label: first for label, first in leader.items() if label != first}


def _labels(line: str) -> list[str]:
    words = line.split()
    comment = next((place for place, word in enumerate(words) if word.startswith("#")), len(words))
    return [word for word in words[:comment] if word != "="]
