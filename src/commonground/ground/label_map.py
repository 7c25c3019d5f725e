"""Which labels of one inventory stand where which labels of another do: learned from two treebanks.

Both treebanks have the same text. Where a node of A and a node of B have the same words, their
labels are counted together:

    share(b | a)  =  nodes with a in A and b in B over the same words / nodes with a in A that B has

A label maps to the one with the greatest share, if that is large enough and was seen often enough.
Where the label alone does not tell, the tag of the word that heads the node helps (the category of
the phrase, for constituents): *mod* of SUD is ``amod`` over adjectives and ``advmod`` over adverbs.
A label with a tag has an entry of its own where that makes a difference.

As a file, a map has a line for each entry, ``LABEL = OTHER`` or ``LABEL + TAG = OTHER``, with the
counts in a comment, so that it can be read, edited and read again.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from commonground.corpus import Constituents, Corpus, Dependencies, Functions, Strings
from commonground.corpus.functions import canonical
from commonground.corpus.labels import split_label
from commonground.errors import InputError, quoted
from commonground.formats.storage.files import read_utf8, shown
from commonground.ground.constituents import constituent_functions
from commonground.ground.dependencies import HEAD, dependency_functions
from commonground.ground.functions import functions_of
from commonground.ground.units import Mismatch, in_common_units

__all__ = ["Entry", "LabelMap", "learn_labels", "parse_label_map", "read_label_map"]

_TAB = "\t"
_COMMENT = re.compile(r"(?:^|\s)#.*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """A label, with a tag where it has one, and what it becomes: `count` of `total` nodes do."""

    label: str
    tag: str
    other: str
    count: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """How often the label stands where the other one does."""
        return self.count / self.total if self.total else 0.0


@dataclass(frozen=True)
class LabelMap:
    """The labels of one inventory as labels of another.

    `undecided` are labels without an entry: none of the others was seen often enough.
    """

    entries: tuple[Entry, ...]
    undecided: tuple[Entry, ...] = ()
    _table: dict[tuple[str, str], str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table = {(entry.label, entry.tag): entry.other for entry in self.entries}
        object.__setattr__(self, "_table", table)

    def __getitem__(self, key: tuple[str, str]) -> str:
        """Return what a label over a word with a tag becomes: itself where there is no entry."""
        label, tag = key
        return self._table.get((label, tag)) or self._table.get((label, ""), label)

    def knows(self, label: str, tag: str = "") -> bool:
        """Tell whether there is an entry for a label."""
        return (label, tag) in self._table or (label, "") in self._table

    def trees(self, corpus: Corpus) -> Functions:
        """Return the function trees of a corpus with the labels of the map."""

        def image(text: str) -> str:
            label, _, tag = text.partition(_TAB)
            return self[label, tag] if label else ""

        return _relabelled(_tagged(corpus), image)

    @property
    def text(self) -> str:
        """The map as a file."""
        lines = [_line(entry) for entry in self.entries]
        lines += [f"# {_line(entry)}" for entry in self.undecided]
        return "".join(f"{line}\n" for line in lines)


def _line(entry: Entry) -> str:
    left = f"{entry.label} + {entry.tag}" if entry.tag else entry.label
    seen = f"{entry.count:,} of {entry.total:,} ({100 * entry.share:.1f} %)"
    return f"{left} = {entry.other}  # {seen}" if entry.total else f"{left} = {entry.other}"


def learn_labels(
    one: Corpus,
    other: Corpus,
    *,
    threshold: float = 0.5,
    least: int = 3,
    tags: bool = True,
    subtypes: bool = True,
    on_mismatch: Mismatch = "fail",
) -> LabelMap:
    """Learn which labels of one treebank are which of another with the same text.

    A label gets an entry where the most frequent other label has a share of at least `threshold`
    of at least `least` nodes. With `tags`, a label with a tag gets one where it leads to another
    label than the label alone. Without `subtypes`, labels of the other treebank are cut at colons.

    >>> sud = Dependencies.of([(["old", "men"], [2, 0], ["mod", "root"])] * 4)
    >>> ud = Dependencies.of([(["old", "men"], [2, 0], ["amod", "root"])] * 4)
    >>> print(learn_labels(sud, ud).text, end="")
    hd = hd  # 4 of 4 (100.0 %)
    mod = amod  # 4 of 4 (100.0 %)
    root = root  # 4 of 4 (100.0 %)
    """
    trees = in_common_units(
        [one, other], [_tagged(one), functions_of(other)], on_mismatch=on_mismatch
    ).trees
    plain: dict[str, Counter[str]] = defaultdict(Counter)
    tagged: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    totals: Counter[tuple[str, str]] = Counter()
    known = _labels_of_nodes(trees[1])
    for node, texts in _labels_of_nodes(trees[0]).items():
        theirs = {t if subtypes else t.partition(":")[0] for t in known.get(node, ()) if t}
        for text in texts if theirs else ():
            label, _, tag = text.partition(_TAB)
            if not label:
                continue
            totals[label, ""] += 1
            totals[label, tag] += bool(tag)
            plain[label].update(theirs)
            tagged[label, tag].update(theirs)
    return _decided(plain, tagged if tags else {}, totals, threshold, least)


def _decided(
    plain: Mapping[str, Counter[str]],
    tagged: Mapping[tuple[str, str], Counter[str]],
    totals: Mapping[tuple[str, str], int],
    threshold: float,
    least: int,
) -> LabelMap:
    entries: list[Entry] = []
    undecided: list[Entry] = []
    for label in sorted(plain):
        entry = _best(label, "", plain[label], totals[label, ""])
        sure = entry.share >= threshold and entry.total >= least
        (entries if sure else undecided).append(entry)
    known = {entry.label: entry.other for entry in entries}
    for (label, tag), counts in sorted(tagged.items()):
        entry = _best(label, tag, counts, totals[label, tag])
        sure = bool(tag) and entry.share >= threshold and entry.total >= least
        if sure and entry.other != known.get(label):
            entries.append(entry)
    return LabelMap(tuple(sorted(entries, key=lambda e: (e.label, e.tag))), tuple(undecided))


def _best(label: str, tag: str, counts: Counter[str], total: int) -> Entry:
    other, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return Entry(label, tag, other, count, total)


def _labels_of_nodes(trees: Functions) -> dict[tuple[int, str], list[str]]:
    """Return the labels of each node, by its sentence and its words."""
    found: dict[tuple[int, str], list[str]] = defaultdict(list)
    rows = zip(trees.nodes.sentence_of_row().tolist(), trees.yields, trees.label, strict=True)
    for sentence, words, label in rows:
        found[sentence, words].append(label)
    return found


def _tagged(corpus: Corpus) -> Functions:
    """Return function trees whose labels have the tag of the word that heads the node."""
    if isinstance(corpus, Dependencies):
        tags = corpus.upos if any(tag != "_" for tag in corpus.upos.counts()) else corpus.xpos
        pairs = zip(corpus.deprel.tolist(), tags.tolist(), strict=True)
        arcs = Strings.of(_TAB.join(pair) if pair[0] != "_" else "" for pair in pairs)
        return dependency_functions(corpus, labels=(arcs, tags.map(lambda t: f"{HEAD}{_TAB}{t}")))
    if isinstance(corpus, Constituents):

        def labels_of(text: str) -> tuple[str, ...]:
            parts = split_label(text)
            return tuple(f"{tag}{_TAB}{parts.category}" for tag in parts.functions)

        return constituent_functions(corpus, labels=((corpus.label, corpus.tag), labels_of))
    return functions_of(corpus)


def _relabelled(trees: Functions, image: object) -> Functions:
    assert callable(image)
    nodes = trees.nodes.replace(label=trees.label.map(image))
    return Functions({**trees.tables, "nodes": canonical(nodes)})


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def read_label_map(path: str | os.PathLike[str]) -> LabelMap:
    """Read a map that was written, and perhaps edited."""
    return parse_label_map(read_utf8(path, "a map of labels is"), shown(path))


def parse_label_map(text: str, path: str = "<text>") -> LabelMap:
    r"""Read a map: ``LABEL = OTHER`` or ``LABEL + TAG = OTHER`` on a line, ``#`` begins a comment.

    >>> found = parse_label_map("mod = nmod\nmod + ADJ = amod  # 9 of 10")
    >>> found["mod", "ADJ"], found["mod", "NOUN"], found["det", "DET"]
    ('amod', 'nmod', 'det')
    """
    return LabelMap(tuple(_entries(text, path)))


def _entries(text: str, path: str) -> Iterator[Entry]:
    for number, line in enumerate(text.split("\n"), 1):
        content = _COMMENT.sub("", line).strip()
        if not content:
            continue
        left, equals, right = content.partition(" = ")
        label, _, tag = left.partition(" + ")
        parts = [label.strip(), right.strip(), tag.strip()]
        if not equals or not all(parts[:2]) or any(" " in part for part in parts):
            wrong = (
                f"{quoted(content)} is not an entry; write 'LABEL = OTHER' or 'LABEL + TAG = OTHER'"
            )
            raise InputError(path, number, wrong)
        yield Entry(parts[0], parts[2], parts[1])
