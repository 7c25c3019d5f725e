"""Dependencies from constituent trees, with head rules or with the LTH conversion."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from commonground.conversion import penn2malt
from commonground.conversion.forest import Arcs, Forest, Items, arcs
from commonground.conversion.head_rules import find_rules, rule_names
from commonground.conversion.heads import find_heads
from commonground.conversion.lth import convert as convert_lth
from commonground.conversion.stanford import convert as convert_stanford
from commonground.conversion.stanford.collapsing import Arc
from commonground.corpus import Constituents, Dependencies, Strings, Table
from commonground.corpus.labels import split_label
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError
from commonground.plurals import number_of
from commonground.schemes.library import find_scheme
from commonground.schemes.scheme import Scheme
from commonground.schemes.tags import universal_tags

__all__ = ["Headed", "to_dependencies"]

LTH = "lth"
"""The rules that a scheme belongs to."""

STANFORD = "stanford"
"""The rules that give typed dependencies, basic and collapsed."""


@dataclass(frozen=True, slots=True)
class Headed:
    """What was odd about a treebank, of so many `phrases`.

    `default` counts by category the phrases none of whose children their rule names; they are
    headed by their first or last child that is no punctuation, as the table says. `empty` counts
    the phrases that have nothing but traces, `unmoved` those that could not be put where their
    trace is, and `left_out` the sentences without a word, which give no tree.
    """

    phrases: int = 0
    default: dict[str, int] = field(default_factory=dict)
    empty: int = 0
    unmoved: int = 0
    left_out: int = 0

    def __add__(self, other: Headed) -> Headed:
        return Headed(
            self.phrases + other.phrases,
            dict(Counter(self.default) + Counter(other.default)),
            self.empty + other.empty,
            self.unmoved + other.unmoved,
            self.left_out + other.left_out,
        )

    @property
    def text(self) -> str:
        """What people should know, in one line; nothing where all went well."""
        total = sum(self.default.values())
        most = sorted(self.default.items(), key=lambda item: (-item[1], item[0]))
        parts = []
        if total:
            named = ", ".join(f"{label or 'no label'} {number:,}" for label, number in most[:6])
            parts.append(f"{total:,} of {self.phrases:,} phrases are headed by default ({named})")
        if self.unmoved:
            parts.append(
                f"{number_of(self.unmoved, 'phrase is', 'phrases are')} not where a trace is"
            )
        if self.left_out:
            parts.append(f"{number_of(self.left_out, 'sentence')} without a word left out")
        return "; ".join(parts)


def to_dependencies(
    corpus: Constituents,
    rules: str | os.PathLike[str] = "collins",
    scheme: Scheme | str | os.PathLike[str] | None = None,
) -> tuple[Dependencies, Headed]:
    """Return the dependency trees of constituent trees, and a report of irregularities.

    `rules` is a table of head rules (``collins``, ``yamada``, ``magerman``, or the path of a file);
    the labels are those of Penn2Malt then. With ``lth`` the trees and labels are those of Johansson
    and Nugues (2007), as the `scheme` has them: ``lth`` (their default), ``oldlth``, ``conll07``,
    ``lexical``, ``functional`` or your own. With ``stanford`` they are the basic Stanford typed
    dependencies, and the column deps has the collapsed ones with propagation.

    Tags go to the column xpos, and their universal counterparts to upos; traces are removed.

    >>> from commonground.formats import read_text
    >>> text = "(S (NP-SBJ (NNS Birds)) (VP (MD will) (VP (VB sing) (PP (IN in) (NP (NNP May))))))"
    >>> trees = read_text(text, "brackets")
    >>> collins, _ = to_dependencies(trees)
    >>> collins.head.tolist(), collins.deprel.tolist()
    ([2, 0, 2, 3, 4], ['SUB', 'ROOT', 'VC', 'VMOD', 'PMOD'])
    >>> lexical, _ = to_dependencies(trees, "lth", "lexical")
    >>> lexical.head.tolist(), lexical.deprel.tolist()
    ([2, 0, 2, 5, 3], ['SBJ', 'ROOT', 'VC', 'PMOD', 'ADV'])
    """
    heard = corpus.words.sentence_of_row()[~corpus.traces]
    spoken = np.bincount(heard, minlength=len(corpus)) > 0
    kept = corpus if spoken.all() else corpus.take(spoken)
    if os.fspath(rules) == STANFORD:
        _refuse_scheme(scheme)
        return _stanford(kept, int(len(corpus) - spoken.sum()))
    if os.fspath(rules) == LTH:
        converted = convert_lth(kept, find_scheme("lth" if scheme is None else scheme))
        head, labels = converted.head, Strings.of(converted.labels)
        default, unmoved = converted.default, converted.unmoved
    else:
        _refuse_scheme(scheme)
        table = find_rules(rules)
        forest = _with_edges(Forest.of(kept), kept) if table.functions else Forest.of(kept)
        heads = find_heads(forest, table)
        there = arcs(forest, heads.child)
        head = there.head
        labels = _functions(forest, there) if table.functions else penn2malt.labels(forest, there)
        if table.first_conjunct:
            labels = penn2malt.coordination_labels(forest, there, heads.child, labels)
        default, unmoved = forest.category[np.flatnonzero(heads.default)].counts(), 0
    report = Headed(
        kept.nodes.rows, default, _empty(kept), unmoved, int(len(corpus) - spoken.sum())
    )
    found_trees = _dependencies(kept, head, labels)
    if os.fspath(rules) in rule_names() and find_rules(rules).functions:
        found_trees = found_trees.replace("words", upos=found_trees.xpos)
    return found_trees, report


def _with_edges(forest: Forest, corpus: Constituents) -> Forest:
    """Return items whose functions are the labels of the edges to them."""
    edges = [corpus.words.strings("edge"), corpus.nodes.strings("edge")]
    none = Strings.constant("", len(corpus))
    plain = Strings.concatenate([*edges, none]).map(lambda edge: "" if edge == "_" else edge)
    return replace(forest, function=plain)


def _functions(forest: Forest, attached: Arcs) -> Strings:
    """Return the function of each word's phrase as its label; a mark without one is ``punct``."""
    function, category = forest.function, forest.category
    return Strings.of(
        "ROOT"
        if head == -1
        else function[item]
        if head >= 0 and function[item] not in ("", "_")
        else "punct"
        if category[item] in _MARKS
        else "dp"
        for item, head in zip(
            np.maximum(attached.item, 0).tolist(), attached.head.tolist(), strict=True
        )
    )


_MARKS = ("let", "LET", "punct")


def _refuse_scheme(scheme: Scheme | str | os.PathLike[str] | None) -> None:
    if scheme is not None:
        raise UsageError(
            "a scheme has an effect only with the rules 'lth'; other rules have one scheme each"
        )


def _stanford(corpus: Constituents, left_out: int) -> tuple[Dependencies, Headed]:
    """Return the basic typed dependencies, with the collapsed ones in the column deps."""
    sentences = list(convert_stanford(corpus))
    rows = np.flatnonzero(~corpus.traces)
    head = np.full(corpus.words.rows, -1, np.int64)
    heads = np.array([number for sentence in sentences for number in sentence.head], np.int64)
    lengths = [len(sentence.head) for sentence in sentences]
    first = np.repeat(offsets_of(lengths)[:-1], lengths)
    head[rows] = np.where(heads > 0, rows[np.maximum(first + heads - 1, 0)], -1)
    labels = np.full(corpus.words.rows, "_", object)
    labels[rows] = [label for sentence in sentences for label in sentence.relation]
    basic = _dependencies(corpus, head, Strings.of(labels.tolist()))
    deps = Strings.of(
        "|".join(f"{one}:{label}" for one, label in above) or "_"
        for sentence in sentences
        for above in _governors(sentence.arcs, len(sentence.head))
    )
    report = Headed(corpus.nodes.rows, {}, _empty(corpus), 0, left_out)
    return basic.replace("words", deps=deps), report


def _governors(arcs: Sequence[Arc], words: int) -> list[list[tuple[int, str]]]:
    governors: list[list[tuple[int, str]]] = [[] for _ in range(words)]
    for head, word, label in arcs:
        governors[word - 1].append((head, label))
    return [sorted(above) for above in governors]


def _empty(corpus: Constituents) -> int:
    forest = Forest.of(corpus)
    return int((~forest.full[forest.words :]).sum())


def _dependencies(corpus: Constituents, head: Items, labels: Strings) -> Dependencies:
    """Return the trees of heads that are rows of the terminals, without the traces."""
    words = corpus.words
    rows = np.flatnonzero(~corpus.traces)
    sentence = words.sentence_of_row()[rows]
    offsets = offsets_of(np.bincount(sentence, minlength=len(corpus)))
    number = np.zeros(words.rows, np.int64)
    number[rows] = np.arange(len(rows)) - offsets[sentence] + 1
    tags = words.strings("tag")[rows].map(lambda tag: split_label(tag).category or "_")
    forms = words.strings("form")[rows]
    table = Table(
        offsets,
        form=forms,
        lemma=words.strings("lemma")[rows],
        upos=universal_tags(tags, forms),
        xpos=tags,
        feats=words.strings("feats")[rows],
        head=np.where(head[rows] < 0, 0, number[np.maximum(head[rows], 0)]).astype(np.int32),
        deprel=labels[rows],
    )
    return Dependencies(
        {
            "words": table,
            "sentences": corpus.tables["sentences"],
            "origin": corpus.tables["origin"],
        }
    )
