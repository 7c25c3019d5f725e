"""Enhanced graphs from basic trees, by rules.

What a tree cannot say because a word has one head in it (the subject of an open complement, the
argument that conjuncts share, the noun in its relative clause) can often be told from the tree
(Nivre, Rimell, McDonald & Gómez Rodríguez 2010 do so for unbounded dependencies; Schuster & Manning
2016 for enhanced UD). A rule is a pattern and the arcs that it adds or removes, in a TOML file of
``enhancements/``; the patterns of later rules see what earlier ones added. At the end labels are
specified by what marks the dependent: ``obl`` becomes ``obl:in``, ``conj`` becomes ``conj:and``.

>>> from commonground.formats import read
>>> from commonground.corpus.deps import arcs_in
>>> trees = enhanced(read("example:ud"))
>>> sorted({arc.label for text in trees.deps.vocabulary for arc in arcs_in(text)})[:3]
['acl', 'acl:relcl', 'advcl']
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commonground.corpus import Dependencies, Strings
from commonground.patterns import Pattern, find, parse_pattern

__all__ = ["ENHANCEMENTS", "EnhancementRule", "enhanced", "enhancement_rules"]

_FOLDER = Path(__file__).parent / "enhancements"

ENHANCEMENTS = ("ud", "stanford")
"""The sets of rules that there are."""

_SPECIFIED = {"nmod": "case", "obl": "case", "acl": "mark", "advcl": "mark", "conj": "cc"}
"""Which labels are specified, and by what."""


@dataclass(frozen=True)
class EnhancementRule:
    """A pattern, and the arcs between its nodes that are added and removed.

    `additions` are head, label and dependent; a label ``@W`` is that of the arc to W, in which
    `labels` are replaced. An `extension` adds arcs that the scheme itself has not.
    """

    name: str
    pattern: Pattern
    additions: tuple[tuple[str, str, str], ...]
    removals: tuple[tuple[str, str], ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    repeat: int = 1
    extension: bool = False


class _Arc(NamedTuple):
    """An arc to a word: the row of its head (-1: root), its label, and whose marks specify it."""

    head: int
    label: str
    marked: int


@cache
def enhancement_rules(name: str = "ud") -> tuple[EnhancementRule, ...]:
    """Return the rules of a scheme, ``ud`` or ``stanford``."""
    data = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return tuple(
        EnhancementRule(
            rule["name"],
            parse_pattern(rule["pattern"]),
            tuple(_three(text) for text in rule.get("add", [])),
            tuple(_two(text) for text in rule.get("remove", [])),
            rule.get("as", {}),
            rule.get("repeat", 1),
            rule.get("extension", False),
        )
        for rule in data["rules"]
    )


def _three(text: str) -> tuple[str, str, str]:
    head, label, dependent = text.split()
    return head, label, dependent


def _two(text: str) -> tuple[str, str]:
    head, dependent = text.split()
    return head, dependent


def enhanced(
    corpus: Dependencies, rules: str = "ud", *, specified: bool = True, extensions: bool = False
) -> Dependencies:
    """Return trees with the enhanced graph that rules make of them, in the column deps.

    With `specified`, labels say what marks the dependent. With `extensions`, the graph also has
    arcs that the scheme itself does not know, such as the gap of tough adjectives.
    """
    graph = _Arcs(corpus)
    for rule in enhancement_rules(rules):
        if rule.extension and not extensions:
            continue
        for _ in range(rule.repeat):
            if not graph.apply(rule):
                break
    if specified:
        graph.specify()
    return graph.corpus()


class _Arcs:
    """The arcs to each word of a corpus, which rules change."""

    def __init__(self, corpus: Dependencies) -> None:
        self._plain = corpus
        starts = corpus.offsets[:-1].tolist()
        lengths = corpus.words.lengths.tolist()
        self._start = [first for first, n in zip(starts, lengths, strict=True) for _ in range(n)]
        heads = corpus.head.tolist()
        self._label = corpus.deprel.tolist()
        self._head = [
            first + head - 1 if head > 0 else -1
            for first, head in zip(self._start, heads, strict=True)
        ]
        self._arcs: list[list[_Arc]] = [
            [_Arc(head, label, row)] if number >= 0 else []  # a word of a partial tree has none
            for row, (head, label, number) in enumerate(
                zip(self._head, self._label, heads, strict=True)
            )
        ]
        self._deps = [self._text(row) for row in range(len(self._arcs))]

    def corpus(self) -> Dependencies:
        """Return the corpus with these arcs."""
        return self._plain.replace("words", deps=Strings.of(self._deps))

    def _text(self, row: int) -> str:
        start = self._start[row]
        numbers = (
            (arc.head - start + 1 if arc.head >= 0 else 0, arc.label) for arc in self._arcs[row]
        )
        return "|".join(f"{number}:{label}" for number, label in sorted(set(numbers))) or "_"

    def apply(self, rule: EnhancementRule) -> bool:
        """Apply a rule wherever its pattern is; tell whether anything has changed."""
        matches = find(rule.pattern, self.corpus())
        names = list(matches.rows)
        changed: set[int] = set()
        for rows in zip(*(matches.rows[name].tolist() for name in names), strict=True):
            at = dict(zip(names, rows, strict=True))
            changed |= self._changed(rule, at)
        for row in changed:
            self._deps[row] = self._text(row)
        return bool(changed)

    def _changed(self, rule: EnhancementRule, at: Mapping[str, int]) -> set[int]:
        """Remove and add the arcs of a match; no word loses its last arc."""
        before = {}
        for head, dependent in rule.removals:
            row = at[dependent]
            before[row] = self._arcs[row]
            self._arcs[row] = [arc for arc in self._arcs[row] if arc.head != at[head]]
        for head, label, dependent in rule.additions:
            above, row, marked = at[head], at[dependent], at[dependent]
            text = label
            if label.startswith("@"):
                marked = at[label[1:]]
                text = rule.labels.get(self._label[marked], self._label[marked])
                marked = row if self._marks(row, text) else marked
            if above != row and not any(arc.head == above for arc in self._arcs[row]):
                before.setdefault(row, self._arcs[row])
                self._arcs[row] = [*self._arcs[row], _Arc(above, text, marked)]
        for row, arcs in before.items():
            self._arcs[row] = self._arcs[row] or arcs
        return {row for row, arcs in before.items() if arcs != self._arcs[row]}

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def specify(self) -> None:
        """Specify labels by the words that mark the dependents."""
        for row, arcs in enumerate(self._arcs):
            changed = [
                arc._replace(label=f"{arc.label}:{mark}")
                if (mark := self._marks(arc.marked, arc.label))
                else arc
                for arc in arcs
            ]
            if changed != arcs:
                self._arcs[row] = changed
                self._deps[row] = self._text(row)

    def _marks(self, row: int, label: str) -> str:
        """Return the lemmas of the words that mark a dependent, if its label is to say so."""
        if label not in _SPECIFIED:
            return ""
        kind = _SPECIFIED[label]
        if kind == "cc":
            return self._conjunction(row)
        words = [
            each
            for each in self._children.get(row, ())
            if each < row and (self._label[each] == kind or (kind == "mark" and self._asks(each)))
        ]
        return "_".join(self._read(words[-1:]))

    def _asks(self, row: int) -> bool:
        """Tell whether an adverb opens an adverbial clause, as *when* does."""
        return self._label[row] == "advmod" and self._plain.xpos[row] == "WRB"

    def _conjunction(self, row: int) -> str:
        """Return the conjunction before a conjunct, or else before a later one of its siblings."""
        above = self._head[row]
        siblings = [
            each
            for each in self._children.get(above, ())
            if self._label[each] == "conj" and each >= row
        ]
        for each in siblings:
            words = [one for one in self._children.get(each, ()) if self._label[one] == "cc"]
            if words:
                return "_".join(text for text in self._read(words[:1]) if text.isalpha())
        return ""

    def _read(self, rows: Iterable[int]) -> Sequence[str]:
        """Return the lemmas of words, each with the words fixed to it."""
        texts = []
        for row in rows:
            fixed = [one for one in self._children.get(row, ()) if self._label[one] == "fixed"]
            texts += [self._lemma(one) for one in (row, *fixed)]
        return texts

    def _lemma(self, row: int) -> str:
        """Return the lemma of a word; of verbs such as *including* its form."""
        lemma = self._plain.lemma[row]
        plain = lemma == "_" or self._plain.upos[row] == "VERB"
        return (self._plain.form[row] if plain else lemma).lower()

    @property
    def _children(self) -> Mapping[int, Sequence[int]]:
        if not hasattr(self, "_below"):
            below: dict[int, list[int]] = {}
            for row, head in enumerate(self._head):
                below.setdefault(head, []).append(row)
            self._below = below
        return self._below
