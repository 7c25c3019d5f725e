"""The tagger: UPOS, XPOS and FEATS of a word from its form and what stands around it.

One averaged perceptron for each column, from left to right with the tags given so far (Collins
2002); lemmas are made from forms and tags (``lemmatiser.py``). Constituents have one column of
tags. A column that is empty in the training corpus is left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground import kernels
from commonground.corpus import Constituents, Corpus, Dependencies, Strings
from commonground.errors import UsageError
from commonground.kernels.perceptron import Weights
from commonground.kernels.tagging import TagDecoder
from commonground.parsers.atoms import Atoms, atom, atoms, shape
from commonground.parsers.clusters.word_clusters import cluster_atoms, has_clusters
from commonground.parsers.interruption import Interruption
from commonground.parsers.jackknife import jackknifed
from commonground.parsers.learning import learned
from commonground.parsers.lemmatiser import Lemmatiser, load_lemmatiser, train_lemmatiser
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingStep, TrainingTask
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.random import stream

__all__ = ["PARSERS", "Tagger", "TaggerSettings", "has_tags", "jackknifed_tags", "train_tagger"]

C = TypeVar("C", bound=Corpus)

COLUMNS: dict[type[Corpus], tuple[str, ...]] = {
    Dependencies: ("upos", "xpos", "feats"),
    Constituents: ("tag",),
}
"""The columns of tags in the words of each kind of corpus."""

NOTHING = ("_", "")


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """How the tagger learns: `iterations` over the corpus, and the `margin` of a right tag."""

    iterations: int = 8
    margin: int = 100

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.margin < 0:
            raise ValueError("iterations are at least 1, and margin at least 0")


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def _kinds(form: str) -> str:
    """Return which kinds of characters a word has at all.

    >>> _kinds("x-Ray2")
    'upper lower digit hyphen'
    """
    kinds = {
        "upper": any(map(str.isupper, form)),
        "lower": any(map(str.islower, form)),
        "digit": any(map(str.isdigit, form)),
        "hyphen": "-" in form,
        "point": "." in form,
        "at": "@" in form,
        "slash": "/" in form,
    }
    return " ".join(name for name, there in kinds.items() if there)


_WORD: dict[str, Callable[[str], str]] = {
    "w": str,
    "c": str.lower,
    "p1": lambda form: form[:1],
    "p2": lambda form: form[:2].lower(),
    "p3": lambda form: form[:3].lower(),
    "p4": lambda form: form[:4].lower(),
    "s1": lambda form: form[-1:],
    "s2": lambda form: form[-2:].lower(),
    "s3": lambda form: form[-3:].lower(),
    "s4": lambda form: form[-4:].lower(),
    "s5": lambda form: form[-5:].lower(),
    "h": shape,
    "k": _kinds,
}
"""The fields of a word, each made of its form."""

_TEMPLATES = """
0.w | 0.c | 0.p1 | 0.p2 | 0.p3 | 0.p4 | 0.s1 | 0.s2 | 0.s3 | 0.s4 | 0.s5 | 0.h | 0.k | 0.h -1.h
-1.t | -1.t -2.t | -1.t 0.c | -2.t 0.c | -1.t -2.t 0.c | -1.t 0.s3 | -1.t 0.h | -1.t 0.s2
-1.c | -2.c | 1.c | 2.c | -1.c 0.c | 0.c 1.c | -1.c 1.c | -2.c -1.c | 1.c 2.c | -1.c 0.c 1.c
-1.t 1.c | -1.t -2.t 1.c | -1.t 1.s3 | 1.s3 | 1.s2 0.s2 | -1.s3 | 2.s3 | 1.h | -1.h 0.h 1.h
0.s3 1.s3 | -1.s3 0.s3 | 0.s2 1.c | 0.s3 1.c | -1.c 0.s3 | 3.c | -3.c
-1.t 0.c 1.c | -3.t -2.t -1.t
1.a | 2.a | -1.a | 0.a | -1.t 0.a 1.a | 0.a 1.a | -1.t 1.a | -1.t -2.t 1.a | 1.a 2.a | 0.c 1.a
0.s3 1.a | 0.h 1.a | -1.t 0.s2 1.a | -1.t 1.a 2.a | -1.t 0.a | -2.t -1.t 0.a
"""
"""What a word is tagged by: fields of words some places further on, t the tags given so far, and a
the tags that a word had in training."""

_CLUSTERS = """
0.b4 | 0.b6 | 0.b | 1.b4 | 1.b6 | 1.b | -1.b6 | -1.b | 2.b | -2.b | -1.t 0.b | -1.t 0.b6 | 0.b 1.b
-1.b 0.b | 0.s2 0.b6 | 0.h 0.b | -1.t 0.b 1.b | -1.t -2.t 0.b | -1.b 0.b 1.b | 0.a 1.b | 0.s3 0.b4
"""
"""The same of words with clusters: their first four and six bits, and all."""


def _templates(
    *, clusters: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], Atoms]:
    text = _TEMPLATES + (_CLUSTERS if clusters else "")
    lists = [each.split() for each in text.replace("\n", "|").split("|") if each.strip()]
    names = list(dict.fromkeys(name for each in lists for name in each))
    number = {name: place for place, name in enumerate(names)}
    fields = ["t", *_WORD, "b4", "b6", "b", "a"]
    pairs = [name.split(".") for name in names]
    return (
        np.array([(int(offset), fields.index(field) - 1) for offset, field in pairs], np.int32),
        np.cumsum([0, *map(len, lists)]).astype(np.int32),
        np.array([number[name] for each in lists for name in each], np.int32),
        np.array([atom(" ".join(each)) for each in lists], np.uint64),
    )


def _fields(corpus: Corpus) -> Atoms:
    """Return the numbers of each word, the last one still empty."""
    columns = [atoms(_forms(corpus), of) for of in _WORD.values()] + cluster_atoms(corpus)
    return np.ascontiguousarray(np.stack([*columns, np.zeros_like(columns[0])], axis=1))


def _with_classes(fields: Atoms, forms: Strings, classes: dict[str, str]) -> Atoms:
    """Return the numbers of each word, with which tags it had in training as the last one.

    A word that was seen too seldom is known by its ending and shape.
    """
    extended = fields.copy()
    extended[:, -1] = atoms(
        forms,
        lambda form: classes.get(form.lower()) or f"?{form[-2:].lower()} {shape(form)[:2]}",
    )
    return extended


def _classes(forms: Strings, tags: Strings) -> dict[str, str]:
    """Return the tags that each word (in lower case) had, the commonest first.

    Words that were seen once are left out, and so are tags that a word has hardly ever.
    """
    seen: dict[str, Counter[str]] = {}
    for form, tag in zip(forms.tolist(), tags.tolist(), strict=True):
        seen.setdefault(form.lower(), Counter())[tag] += 1
    return {
        form: " ".join(
            tag
            for tag, count in sorted(each.items(), key=lambda item: (-item[1], item[0]))
            if 20 * count >= each.total()
        )
        for form, each in sorted(seen.items())
        if each.total() > 1
    }


# ── one column ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class TaggedColumn:
    """What gives the words one kind of tag."""

    tags: tuple[str, ...]
    classes: dict[str, str]
    weights: Weights
    clusters: bool = False
    _decoder: TagDecoder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decoder = kernels.load("tagging").TagDecoder(
            len(self.tags), _templates(clusters=self.clusters), self.weights
        )
        object.__setattr__(self, "_decoder", decoder)

    def tag(self, fields: Atoms, forms: Strings, offsets: NDArray[np.int64]) -> Strings:
        """Return the tag of each word."""
        known = _with_classes(fields, forms, self.classes)
        codes = self._decoder.tag(known, offsets)
        return Strings(codes, self.tags)


def _missing(name: str) -> tuple[str, ...]:
    """Return what stands for a tag that is not known; a word with no features is known as such."""
    return () if name == "feats" else NOTHING


class _ColumnLearner:
    """Goes over one column; see ``learning.Learner``."""

    def __init__(self, fields: Atoms, column: Strings, name: str, task: TrainingTask) -> None:
        forms, offsets = _forms(task.corpus), task.corpus.tables["words"].offsets
        self.tags = tuple(text for text in column.counts() if text not in _missing(name))
        number = {tag: place for place, tag in enumerate(self.tags)}
        codes = np.array([number.get(text, -1) for text in column.vocabulary] or [-1], np.int32)
        self.classes = _classes(forms, column)
        known = _with_classes(fields, forms, self.classes)
        self.columns = known, offsets, codes[column.codes]
        self.name, self.task = name, task
        self.clusters = has_clusters(task.corpus)
        self.kernel = kernels.load("tagging").TagLearner(
            len(self.tags), _templates(clusters=self.clusters)
        )

    def iterate(self, number: int) -> float:
        """Go over the corpus in a new order."""
        random = stream(self.task.seed, f"tagger {self.name}", number)
        order = random.permutation(len(self.columns[1]) - 1).astype(np.int64)
        wrong, made = self.kernel.iterate(*self.columns, order, self.task.settings.margin)
        return wrong / made if made else 0.0

    def model(self) -> TaggedColumn:
        """Return the averaged weights."""
        return TaggedColumn(self.tags, self.classes, self.kernel.averaged(), self.clusters)


# ── all columns ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Tagger:
    """A trained tagger: what gives the words each column, and their lemmas if there were any."""

    settings: TaggerSettings
    columns: dict[str, TaggedColumn]
    lemmatiser: Lemmatiser | None = None

    def tag(self, corpus: C) -> C:
        """Return the corpus with the tags (and lemmas) of this tagger."""
        forms, offsets = _forms(corpus), corpus.tables["words"].offsets
        fields = _fields(corpus)
        columns = {
            name: column.tag(fields, forms, offsets) for name, column in self.columns.items()
        }
        if self.lemmatiser is not None and isinstance(corpus, Dependencies):
            upos, feats = columns.get("upos", corpus.upos), columns.get("feats", corpus.feats)
            columns["lemma"] = self.lemmatiser.lemmas(corpus.form, upos, feats)
        return corpus.replace("words", **columns)

    parse = tag

    def store(self) -> Stored:
        """Return what a file of the tagger holds."""
        parts = {
            name: Stored(
                "tagger column",
                {"tags": list(column.tags), "classes": column.classes}
                | ({"clusters": True} if column.clusters else {}),
                weight_arrays(column.weights),
            )
            for name, column in self.columns.items()
        }
        if self.lemmatiser is not None:
            parts["lemma"] = self.lemmatiser.store()
        return Stored("tagger", {"settings": asdict(self.settings)}, {}, parts)


def load_tagger(stored: Stored) -> Tagger:
    """Make a tagger from what a file holds."""
    try:
        settings = TaggerSettings(**stored.value("settings", dict))
        columns = {
            name: TaggedColumn(
                tuple(part.texts("tags")),
                part.mapping("classes"),
                read_weights(part),
                part.metadata.get("clusters", False) is True,
            )
            for name, part in stored.parts.items()
            if name != "lemma"
        }
        lemma = stored.parts.get("lemma")
        lemmatiser = None if lemma is None else load_lemmatiser(lemma)
    except (TypeError, ValueError) as error:
        raise ModelError(f"its tagger does not fit together: {error}") from error
    known = {name for names in COLUMNS.values() for name in names}
    if not set(columns) <= known:
        raise ModelError("its tagger gives columns that no corpus has")
    return Tagger(settings, columns, lemmatiser)


def _forms(corpus: Corpus) -> Strings:
    return corpus.tables["words"].strings("form")


def _columns(corpus: Corpus) -> list[str]:
    """Return the columns of tags that a corpus has, and in which there are any."""
    names = COLUMNS.get(type(corpus))
    if names is None:
        raise UsageError(f"only dependencies and constituents can be tagged, not {corpus.kind}")
    words = corpus.tables["words"]
    return [n for n in names if words.strings(n).where(lambda text: text not in NOTHING).any()]


def has_tags(corpus: Corpus) -> bool:
    """Tell whether any word of a corpus has a tag."""
    return type(corpus) in COLUMNS and any(name != "feats" for name in _columns(corpus))


def train_tagger(
    corpus: Corpus,
    settings: TaggerSettings | None = None,
    *,
    seed: int = 0,
    watch: Callable[[TrainingStep], None] = lambda _: None,
    interruption: Interruption | None = None,
) -> Tagger:
    """Train a tagger on the tags (and lemmas) of a corpus; an interrupt is left to the caller.

    With an `interruption` it ends the training of a column, and the others make one pass each.
    """
    settings = settings or TaggerSettings()
    columns = _columns(corpus)
    fields, words = _fields(corpus), corpus.tables["words"]
    keep = interruption is not None
    task = TrainingTask(corpus, settings, seed=seed, watch=watch, keep=keep)
    if interruption is not None:
        task = replace(task, interruption=interruption)
    trained: dict[str, TaggedColumn] = {}
    for name in columns:
        learner = _ColumnLearner(fields, words.strings(name), name, task)
        trained[name] = learned(
            learner, task, iterations=settings.iterations, patience=settings.iterations
        )
    lemmatiser = None
    if isinstance(corpus, Dependencies):
        lemmatiser = train_lemmatiser(corpus, seed=seed, interruption=interruption)
    return Tagger(settings, trained, lemmatiser)


def jackknifed_tags(
    corpus: C, *, folds: int = 5, seed: int = 0, interruption: Interruption | None = None
) -> C:
    """Return a corpus whose tags were predicted, each fold by a tagger trained on the others."""

    def guess(seen: C, rest: C, fold: int) -> C:
        return train_tagger(seen, seed=seed + fold, interruption=interruption).tag(rest)

    return jackknifed(corpus, folds, guess)


def _train(task: TrainingTask) -> Model:
    if not has_tags(task.corpus):
        raise UsageError("there is nothing to learn from: no word has a tag")
    return train_tagger(
        task.corpus,
        task.settings,
        seed=task.seed,
        watch=task.watch,
        interruption=task.interruption if task.keep else None,
    )


PARSERS = {
    "tagger": Parser(
        "tagger",
        "UPOS, XPOS, FEATS and lemmas from forms, averaged perceptron (Collins 2002)",
        Dependencies,
        TaggerSettings,
        _train,
        load_tagger,
        tags=False,
        partial=True,
        trees=False,
        clusters=True,
    )
}
