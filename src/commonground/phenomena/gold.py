r"""The gold standard of phenomena: dependencies that an analysis must have, or must not have.

A target a line, in four columns between tabs: the item (the id of its sentence), the phenomenon,
the polarity (1: it must be there, 0: it must not) and the dependency, ``head TYPE dependent``.
A word is its form and its place in the text between spaces, from 0, as an indicator: ``act-1``.
``|`` stands between words any of which is right, ``+`` joins words that are one
(``carried+on-12`` has the place of the first). ``!ARG1`` is the same as polarity 0. A fifth column
may have a remark, such as the class of a disagreement (see agree.py). Beside the file
``NAME.tsv`` stands ``NAME.txt`` with the sentences, ``item<TAB>text`` a line.

>>> line = "7\tabsol\t1\twithdrew-9 MOD having-2|been-3|passed-4"
>>> target = parse_target(line, "gold.tsv", 1)
>>> target.type, [str(word) for word in target.dependents]
('MOD', ['having-2', 'been-3', 'passed-4'])
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path

from commonground.errors import InputError, quoted, utf8
from commonground.formats.storage.files import read_bytes, shown, unpacked
from commonground.phenomena.kinds import kind_of
from commonground.plurals import number_of

__all__ = ["Gold", "Target", "Word", "parse_target", "read_gold", "write_gold"]

_WORD = re.compile(r"(\S+?)-([0-9]{1,9})")
_TYPE = re.compile(r"!?[A-Z][A-Z0-9_]*")
_EXPECTED = "head-POSITION TYPE dependent-POSITION is expected, such as wrote-3 ARG2 novel-1"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a target: its text (parts joined by ``+``) and its place, from 0."""

    text: str
    position: int

    @property
    def parts(self) -> tuple[str, ...]:
        """The words that are joined."""
        return tuple(part for part in self.text.split("+") if part) or (self.text,)

    def __str__(self) -> str:
        return f"{self.text}-{self.position}"


@dataclass(frozen=True, slots=True)
class Target:
    """A dependency that must be there (`positive`) or must not, with alternative words."""

    item: str
    phenomenon: str
    positive: bool
    heads: tuple[Word, ...]
    type: str
    dependents: tuple[Word, ...]
    line: int = field(default=0, compare=False)
    kind: str = field(default="", compare=False)
    remark: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The name of what is measured: ``phenomena.ned.mod``."""
        return f"phenomena.{self.phenomenon}.{self.kind or self.type.lower()}"

    @property
    def disjunctive(self) -> bool:
        """Whether there are alternatives for the head or the dependent."""
        return len(self.heads) > 1 or len(self.dependents) > 1

    @property
    def distance(self) -> int:
        """How many words head and dependent are apart, with the first of their alternatives."""
        return abs(self.heads[0].position - self.dependents[0].position)

    @property
    def dependency(self) -> str:
        """The dependency as the file has it."""
        heads, dependents = ("|".join(map(str, words)) for words in (self.heads, self.dependents))
        return f"{heads} {self.type} {dependents}"


@dataclass(frozen=True)
class Gold:
    """Targets, and the sentences that they are about, by item."""

    path: str
    targets: tuple[Target, ...]
    sentences: Mapping[str, str]

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The items, in the order of the sentences, or else of the targets."""
        named = self.sentences or dict.fromkeys(target.item for target in self.targets)
        return tuple(named)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of what is measured, each once, in the order of the file."""
        return tuple(dict.fromkeys(target.name for target in self.targets))

    @cached_property
    def phenomena(self) -> tuple[str, ...]:
        """The phenomena, each once, in the order of the file."""
        return tuple(dict.fromkeys(target.phenomenon for target in self.targets))

    def by_item(self) -> dict[str, list[Target]]:
        """Return the targets of each item."""
        targets: dict[str, list[Target]] = {item: [] for item in self.items}
        for target in self.targets:
            targets[target.item].append(target)
        return targets


def parse_target(text: str, path: str, line: int) -> Target:
    """Read a target; what is none is an error with the file, the line and what would be right."""
    columns = [column.strip() for column in text.split("\t")]
    if len(columns) not in (4, 5):
        wanted = "item, phenomenon, polarity, dependency are expected, with tabs between them"
        raise InputError(path, line, f"{number_of(len(columns), 'column')}; {wanted}")
    item, phenomenon, polarity, dependency = columns[:4]
    if not item or not re.fullmatch(r"[\w-]+", phenomenon):
        raise InputError(path, line, "the item and the phenomenon need a name each")
    if polarity not in ("0", "1"):
        raise InputError(path, line, f"polarity {quoted(polarity)}; 1 or 0 is expected")
    parts = dependency.split()
    if len(parts) != 3 or not _TYPE.fullmatch(parts[1]):
        raise InputError(path, line, f"{quoted(dependency)}; {_EXPECTED}")
    negative = parts[1].startswith("!") or polarity == "0"
    heads, dependents = (_words(part, path, line) for part in (parts[0], parts[2]))
    kind = parts[1].removeprefix("!")
    remark = columns[4] if len(columns) == 5 else ""
    return Target(item, phenomenon, not negative, heads, kind, dependents, line, remark=remark)


def _words(text: str, path: str, line: int) -> tuple[Word, ...]:
    matches = [_WORD.fullmatch(part) for part in text.split("|")]
    if not all(matches):
        raise InputError(path, line, f"{quoted(text)} is not a word with a position; {_EXPECTED}")
    return tuple(Word(one[1], int(one[2])) for one in matches if one)


def read_gold(path: str | os.PathLike[str]) -> Gold:
    """Read a gold standard and, if it is there, the file with the sentences beside it.

    ``example:phenomena`` is the one that comes along. A file of another kind, with unbounded
    dependencies under their sentences (Rimell et al. 2009), is recognised and read as well.
    """
    from commonground.phenomena.unbounded import looks_unbounded, read_unbounded  # noqa: PLC0415

    name = shown(path)
    text = utf8(read_bytes(path), name)
    if looks_unbounded(text):
        return read_unbounded(text, name)
    lines = list(_content(text))
    targets = [parse_target(content, name, number) for number, content in lines]
    if not targets:
        raise InputError(name, 0, "it has no targets; item, phenomenon, polarity, dependency")
    sentences = _sentences(os.fspath(path))
    _refuse_unknown(targets, sentences, name)
    return gold_of(name, targets, sentences)


def gold_of(path: str, targets: Iterable[Target], sentences: Mapping[str, str]) -> Gold:
    """Return a gold standard in which every target knows its kind."""
    from dataclasses import replace  # noqa: PLC0415  # seldom asked for

    known: list[Target] = []
    for _, group in groupby(targets, lambda target: (target.item, target.phenomenon)):
        item = list(group)
        known += [replace(each, kind=each.kind or kind_of(each, item)) for each in item]
    return Gold(path, tuple(known), sentences)


def _content(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines that say something, with their numbers."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _sentences(path: str) -> dict[str, str]:
    """Return the sentences beside a file of targets, by item; none if there is no such file."""
    example = path.startswith("example:")
    beside = path + ".txt" if example else str(unpacked(path).with_suffix(".txt"))
    if path == "-" or (not example and not Path(beside).is_file()):
        return {}
    try:
        content = read_bytes(beside)
    except InputError:
        if example:  # an example whose sentences are not ours to give
            return {}
        raise
    by_item: dict[str, str] = {}
    for number, line in _content(utf8(content, beside)):
        item, tab, text = line.partition("\t")
        if not tab or not text.strip():
            raise InputError(beside, number, "an item, a tab and its sentence are expected")
        if item.strip() in by_item:
            raise InputError(beside, number, f"the item {quoted(item.strip())} a second time")
        by_item[item.strip()] = text.strip()
    return by_item


def _refuse_unknown(targets: Sequence[Target], sentences: Mapping[str, str], path: str) -> None:
    """Refuse a target whose sentence is not there, or which names a word that is not in it."""
    for target in targets if sentences else ():
        text = sentences.get(target.item)
        if text is None:
            message = f"there is no sentence of the item {quoted(target.item)} in the file beside"
            raise InputError(path, target.line, message)
        last = len(text.split()) - 1
        for word in (*target.heads, *target.dependents):
            if word.position > last:
                message = f"{word}: the sentence ends at position {last}, counted from 0"
                raise InputError(path, target.line, message)


def write_gold(gold: Gold) -> str:
    """Return a gold standard as the text of its file."""
    return "".join(
        f"{target.item}\t{target.phenomenon}\t{int(target.positive)}\t{target.dependency}\n"
        for target in gold.targets
    )
