"""Labels that are feature structures: attribute–value lists such as ``[gf=sbj,num=sg]``.

"In case the node labels consist of complex feature structures made of attribute-value lists, we
replace label(n) = label(m) in the subsumption definition with label(n) ⊑ label(m) in the sense of
(Shieber, 1986)" (Tsarfaty et al. 2011, footnote 2). So, for feature structures over the same words,

    f ⊑ g   g has all features of f
    f ⊓ g   the features that both have
    f ⊔ g   all features of both; it fails where an attribute would have two values

``[]``, which has no feature, is the most general one: it subsumes all others, and it is what
structures without a common feature share. In the edit distance of 2011 it is a wildcard, equal to
every label. By the protocol of 2012 each feature counts as a label of its own.

The algebra of sets does the rest: a node with a feature structure is a node with a label for each
of its features, and with ``[]``. A node has one feature structure; where several analyses in one
tree have the same words (a chain of phrases), it has the features of all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from commonground.corpus import Functions, Strings, Table
from commonground.corpus.functions import canonical
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.errors import CommonGroundError

__all__ = [
    "ANY",
    "ClashError",
    "collapsed",
    "expanded",
    "feature_structure",
    "features_of",
    "refuse_clashes",
]

ANY = "[]"
"""The feature structure without features."""

_FEATURE = r"[^\[\],=\s]+=[^\[\],=\s]+"
_STRUCTURE = re.compile(rf"\[(?:{_FEATURE}(?:,{_FEATURE})*)?\]")

Node = tuple[int, str]


class ClashError(CommonGroundError):
    """Feature structures that cannot be unified: (sent_id, yield, attribute, values)."""

    def __init__(self, clashes: Sequence[tuple[str, str, str, tuple[str, ...]]]) -> None:
        super().__init__(clashes)
        self.found = tuple(clashes)

    def __str__(self) -> str:
        sentence, words, attribute, values = self.found[0]
        more = f", and {len(self.found) - 1} more" if len(self.found) > 1 else ""
        told = " and ".join(f"{attribute}={value}" for value in values)
        return f"sentence {sentence}: the words {words} cannot have {told}{more}"


def features_of(label: str) -> tuple[str, ...] | None:
    """Return the features of a label in order, None where it is no feature structure.

    >>> features_of("[num=sg,gf=sbj]"), features_of("[]"), features_of("sbj")
    (('gf=sbj', 'num=sg'), (), None)
    """
    if not _STRUCTURE.fullmatch(label):
        return None
    return tuple(sorted(set(filter(None, label[1:-1].split(",")))))


def feature_structure(features: Iterable[str]) -> str:
    """Return the label with these features.

    >>> feature_structure(["num=sg", "gf=sbj"])
    '[gf=sbj,num=sg]'
    """
    return f"[{','.join(sorted(features))}]"


def expanded(corpus: Functions, *, marked: bool = True) -> Functions:
    """Return function trees with a label for each feature, and `marked` with ``[]`` for the list.

    >>> tree = Functions.of([(["a", "b"], [("1-2", "x"), ("1", "[gf=sbj,num=sg]")])])
    >>> expanded(tree).label.tolist(), expanded(tree, marked=False).label.tolist()
    (['x', '[]', '[gf=sbj]', '[num=sg]'], ['x', '[gf=sbj]', '[num=sg]'])
    """
    parts = [_parts(text, marked=marked) for text in corpus.label.vocabulary]
    if all(
        features == [text] for features, text in zip(parts, corpus.label.vocabulary, strict=True)
    ):
        return corpus
    known = Vocabulary()
    numbers = [[known[part] for part in features] for features in parts]
    codes = corpus.label.codes
    labels = [number for code in codes.tolist() for number in numbers[code]]
    counts = np.array([len(features) for features in numbers], np.int64)[codes]
    rows = np.repeat(np.arange(len(codes)), counts)
    before = np.concatenate([[0], np.cumsum(counts)])
    table = Table(
        before[corpus.nodes.offsets],
        yields=corpus.yields[rows],
        label=Strings(np.array(labels, np.int32), tuple(known)),
    )
    return Functions({**corpus.tables, "nodes": canonical(table)})


def _parts(label: str, *, marked: bool) -> list[str]:
    features = features_of(label)
    if features is None:
        return [label]
    parts = [feature_structure([feature]) for feature in features]
    return [ANY, *parts] if marked else parts or [""]


def collapsed(corpus: Functions) -> Functions:
    """Return function trees in which each node has one feature structure with all its features.

    >>> tree = Functions.of([(["a"], [("1", "[]"), ("1", "[gf=sbj]"), ("1", "[num=sg]")])])
    >>> collapsed(tree).label.tolist()
    ['[gf=sbj,num=sg]']
    """
    if all(features_of(text) is None for text in corpus.label.vocabulary):
        return corpus
    rows = zip(corpus.nodes.sentence_of_row().tolist(), corpus.yields, corpus.label, strict=True)
    structures: list[tuple[int, str, str]] = []
    for (sentence, words), group in groupby(rows, key=lambda row: row[:2]):
        labels = [label for *_, label in group]
        lists = [features for label in labels if (features := features_of(label)) is not None]
        structures += [(sentence, words, label) for label in labels if features_of(label) is None]
        if lists:
            whole = feature_structure({feature for each in lists for feature in each})
            structures.append((sentence, words, whole))
    counts = np.bincount([sentence for sentence, *_ in structures], minlength=len(corpus))
    table = Table(
        offsets_of(counts),
        yields=Strings.of(words for _, words, _ in structures),
        label=Strings.of(label for *_, label in structures),
    )
    return Functions({**corpus.tables, "nodes": canonical(table)})


def refuse_clashes(united: Functions, corpora: Sequence[Functions]) -> None:
    """Raise :class:`ClashError` where an attribute has values that no one of the trees has all of.

    All trees are expanded.
    """
    values = _values(united)
    several = {key: distinct for key, distinct in values.items() if len(distinct) > 1}
    if not several:
        return
    alone = [_values(corpus) for corpus in corpora]
    clashes = [
        (united[sentence].sent_id, words, attribute, tuple(sorted(distinct)))
        for (sentence, words, attribute), distinct in several.items()
        if not any(distinct <= each.get((sentence, words, attribute), set()) for each in alone)
    ]
    if clashes:
        raise ClashError(clashes)


def _values(corpus: Functions) -> dict[tuple[int, str, str], set[str]]:
    """Return the values of each attribute of each node."""
    values: dict[tuple[int, str, str], set[str]] = defaultdict(set)
    for sentence, words, feature in _features(corpus):
        attribute, _, value = feature.partition("=")
        values[sentence, words, attribute].add(value)
    return values


def _features(corpus: Functions) -> Iterator[tuple[int, str, str]]:
    lists = [features_of(text) or () for text in corpus.label.vocabulary]
    if not any(lists):
        return
    rows = zip(
        corpus.nodes.sentence_of_row().tolist(),
        corpus.yields,
        corpus.label.codes.tolist(),
        strict=True,
    )
    for sentence, words, code in rows:
        for feature in lists[code]:
            yield sentence, words, feature
