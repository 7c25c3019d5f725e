"""The labels of one inventory as labels of another: a map, as a file that can be read and edited.

A label can become another one everywhere, or only over words with some tag (over phrases of some
category), or only there and below some other one: *NK* of TIGER is ``det`` over articles in noun
phrases. The entry that says most about a node decides. Phrases and words without a function, which
the file has as ``_``, can get one by their category and the one above.

A map has a line for each entry, ``LABEL = OTHER``, ``LABEL + TAG = OTHER`` or ``LABEL + TAG < ABOVE
= OTHER``, with counts in a comment; as the other label, ``_`` is none.
:mod:`commonground.ground.label_learning` learns maps from two treebanks of the same text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from commonground.corpus import Constituents, Corpus, Dependencies, Functions, Graphs, Strings
from commonground.corpus.functions import canonical
from commonground.errors import InputError, quoted
from commonground.formats.storage.files import read_utf8, shown
from commonground.ground.constituents import constituent_functions
from commonground.ground.contexts import context_of, contexts
from commonground.ground.dependencies import HEAD, dependency_functions
from commonground.ground.functions import to_functions
from commonground.ground.graphs import graph_functions

__all__ = [
    "NONE",
    "Entry",
    "LabelMap",
    "Place",
    "label_in_place",
    "labels_in_place",
    "parse_label_map",
    "place_of",
    "read_label_map",
    "relabelled",
]

NONE = "_"
"""The label of what has no function."""
_TAB = "\t"
_COMMENT = re.compile(r"(?:^|\s)#.*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """A label, with a tag and a tag above where it has them, and what it becomes.

    `count` of `total` nodes do.
    """

    label: str
    tag: str
    other: str
    count: int = 0
    total: int = 0
    above: str = ""

    @property
    def share(self) -> float:
        """How often the label stands where the other one does."""
        return self.count / self.total if self.total else 0.0

    @property
    def left(self) -> str:
        """The label in its place, as a file has it."""
        tag = f" + {self.tag}" if self.tag else ""
        return f"{self.label}{tag}{f' < {self.above}' if self.above else ''}"


@dataclass(frozen=True)
class LabelMap:
    """The labels of one inventory as labels of another.

    `undecided` are labels without an entry: none of the others was seen often enough.
    """

    entries: tuple[Entry, ...]
    undecided: tuple[Entry, ...] = ()
    _table: dict[tuple[str, str, str], str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table = {(entry.label, entry.tag, entry.above): entry.other for entry in self.entries}
        object.__setattr__(self, "_table", table)

    def __getitem__(self, key: tuple[str, ...]) -> str:
        """Return what a label over a word with a tag becomes: itself where there is no entry."""
        return self._entry(*key) or key[0]

    def knows(self, label: str, tag: str = "", above: str = "") -> bool:
        """Tell whether there is an entry for a label."""
        return self._entry(label, tag, above) is not None

    def _entry(self, label: str, tag: str = "", above: str = "") -> str | None:
        for key in ((label, tag, above), (label, tag, ""), (label, "", "")):
            if key in self._table:
                return self._table[key]
        return None

    def trees(self, corpus: Corpus, functions: Collection[str] | None = None) -> Functions:
        """Return the function trees of a corpus with the labels of the map."""
        return relabelled(labels_in_place(corpus, functions), self.image)

    def image(self, text: str) -> str:
        """Return what a label in its place becomes, the empty string where it is none."""
        place = place_of(text)
        label = self._entry(*place) or (place.label if place.label != NONE else "")
        return "" if label == NONE else label

    def coverage(self, corpus: Corpus, functions: Collection[str] | None = None) -> tuple[int, int]:
        """Return how many labels of a corpus have an entry, and how many there are."""
        counts = labels_in_place(corpus, functions).label.counts()
        named = {place_of(text): count for text, count in counts.items() if text}
        labels = {place: count for place, count in named.items() if place.label not in (NONE, HEAD)}
        known = sum(count for place, count in labels.items() if self.knows(*place))
        return known, sum(labels.values())

    @property
    def text(self) -> str:
        """The map as a file."""
        lines = [_line(entry) for entry in self.entries]
        lines += [f"# {_line(entry)}" for entry in self.undecided]
        return "".join(f"{line}\n" for line in lines)


def _line(entry: Entry) -> str:
    seen = f"{entry.count:,} of {entry.total:,} ({100 * entry.share:.1f} %)"
    line = f"{entry.left} = {entry.other}"
    return f"{line}  # {seen}" if entry.total else line


# ── labels in their places ───────────────────────────────────────────────────────────────────────


class Place(NamedTuple):
    """A label, the tag of the word that heads its node (its category), and the one above."""

    label: str
    tag: str
    above: str


@lru_cache(1 << 16)
def place_of(text: str) -> Place:
    """Return the place that a label of :func:`labels_in_place` stands for."""
    label, _, rest = text.partition(_TAB)
    tag, _, above = rest.partition(_TAB)
    return Place(label, tag, above)


def labels_in_place(corpus: Corpus, functions: Collection[str] | None = None) -> Functions:
    """Return function trees whose labels have the tags around them; ``_`` is no function.

    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> [place_of(text) for text in labels_in_place(birds).label][1]
    Place(label='nsubj', tag='_', above='_')
    """
    if isinstance(corpus, Dependencies):
        tags = corpus.upos if any(tag != "_" for tag in corpus.upos.counts()) else corpus.xpos
        own = tags.tolist()
        start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)
        rows = np.where(corpus.head > 0, start + corpus.head - 1, -1).tolist()
        above = [own[row] if row >= 0 else "" for row in rows]
        labelled = any(label != NONE for label in corpus.deprel.counts())
        arcs = (
            _TAB.join(place) if labelled else ""
            for place in zip(corpus.deprel.tolist(), own, above, strict=True)
        )
        heads = tags.map(lambda tag: f"{HEAD}{_TAB}{tag}{_TAB}")
        return dependency_functions(corpus, labels=(Strings.of(arcs), heads))
    if isinstance(corpus, Constituents):

        def labels_of(text: str) -> tuple[str, ...]:
            there = context_of(text)
            return tuple(
                _TAB.join([tag, there.category, there.above]) for tag in there.functions or (NONE,)
            )

        places = contexts(corpus, functions, once=True)
        return constituent_functions(corpus, labels=(places, labels_of))
    if isinstance(corpus, Graphs):
        return graph_functions(corpus, place=label_in_place)
    return to_functions(corpus)


def label_in_place(label: str, tag: str, above: str) -> str:
    """Return the text of a label in its place, which :func:`place_of` reads."""
    return _TAB.join((label, tag, above))


def relabelled(trees: Functions, image: Callable[[str], str]) -> Functions:
    """Return function trees with other labels."""
    nodes = trees.nodes.replace(label=trees.label.map(image))
    return Functions({**trees.tables, "nodes": canonical(nodes)})


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def read_label_map(path: str | os.PathLike[str]) -> LabelMap:
    """Read a map that was written, and perhaps edited."""
    return parse_label_map(read_utf8(path, "a map of labels is"), shown(path))


def parse_label_map(text: str, path: str = "<text>") -> LabelMap:
    r"""Read a map, ``LABEL + TAG < ABOVE = OTHER`` on a line; ``#`` begins a comment.

    >>> result = parse_label_map("mod = nmod\nmod + ADJ = amod  # 9 of 10")
    >>> result["mod", "ADJ"], result["mod", "NOUN"], result["det", "DET"]
    ('amod', 'nmod', 'det')
    """
    return LabelMap(tuple(_entries(text, path)))


def _entries(text: str, path: str) -> Iterator[Entry]:
    for number, line in enumerate(text.split("\n"), 1):
        content = _COMMENT.sub("", line).strip()
        if not content:
            continue
        left, equals, right = content.partition(" = ")
        front, _, above = left.partition(" < ")
        label, _, tag = front.partition(" + ")
        parts = [label.strip(), right.strip(), tag.strip(), above.strip()]
        if not equals or not all(parts[:2]) or any(" " in part for part in parts):
            wrong = (
                f"{quoted(content)} is not an entry; write 'LABEL = OTHER', 'LABEL + TAG = OTHER' "
                "or 'LABEL + TAG < ABOVE = OTHER'"
            )
            raise InputError(path, number, wrong)
        yield Entry(parts[0], parts[2], parts[1], above=parts[3])
