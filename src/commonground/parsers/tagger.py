"""The tagger: UPOS, XPOS and FEATS of a word from its form and what stands around it.

An averaged perceptron chooses them together, attribute by attribute (``tag_pieces.py``), from left
to right with the tags given so far (Collins 2002); lemmas are made from forms and tags
(``lemmatiser.py``). Constituents have one column of tags. A column that is empty in the training
corpus is left alone, one with gaps is learned apart, and so are all in a small corpus, where most
combinations of tags are too rare to learn from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from dataclasses import fields as dataclass_fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground import kernels
from commonground.corpus import Constituents, Corpus, Dependencies, Strings, Table
from commonground.errors import UsageError
from commonground.kernels.perceptron import Weights
from commonground.kernels.tagging import TagDecoder
from commonground.parsers.atoms import Atoms, atom, atoms, shape
from commonground.parsers.clusters.word_clusters import cluster_atoms, has_clusters
from commonground.parsers.interruption import Interruption
from commonground.parsers.jackknife import jackknifed
from commonground.parsers.learning import learned
from commonground.parsers.lemmatiser import Lemmatiser, load_lemmatiser, train_lemmatiser
from commonground.parsers.lexicon import LEXICON_FIELDS, Lexicon, learned_lexicon
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingStep, TrainingTask
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.parsers.tag_pieces import SEPARATOR, joined, tags_of, values_of
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
    """How the tagger learns: `iterations` over the corpus, and the `margin` of a right tag.

    Columns are learned `together` from so many words on, and apart below.
    """

    iterations: int = 8
    margin: int = 200
    together: int = 5_000

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.margin < 0 or self.together < 0:
            raise ValueError("iterations are at least 1, margin and together at least 0")


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
    "s6": lambda form: form[-6:].lower(),
    "s7": lambda form: form[-7:].lower(),
    "s8": lambda form: form[-8:].lower(),
    "h": shape,
    "k": _kinds,
}
"""The fields of a word, each made of its form."""

_TEMPLATES = """
0.w | 0.c | 0.p1 | 0.p2 | 0.p3 | 0.p4 | 0.s1 | 0.s2 | 0.s3 | 0.s4 | 0.s5 | 0.h | 0.k | 0.h -1.h
-1.t | -1.t -2.t | -1.t 0.c | -2.t 0.c | -1.t -2.t 0.c | -1.t 0.s3 | -1.t 0.h | -1.t 0.s2 | -1.c
-2.c | 1.c | 2.c | 0.c 1.c | -1.t 1.c | -1.t -2.t 1.c | -1.t 1.s3 | 1.s3 | -1.s3 | 2.s3 | 1.h
-1.h 0.h 1.h | 0.s3 1.s3 | 0.s2 1.c | 0.s3 1.c | 3.c | -3.c | -1.t 0.c 1.c | -3.t -2.t -1.t | 1.a
2.a | -1.a | 0.a | -1.t 0.a 1.a | 0.a 1.a | -1.t 1.a | -1.t -2.t 1.a | 1.a 2.a | 0.c 1.a
0.s3 1.a | 0.h 1.a | -1.t 0.s2 1.a | -1.t 1.a 2.a | -1.t 0.a | -2.t -1.t 0.a | 0.s6 | 0.s7 | 0.s8
0.r | 0.r2 | 0.r3 | 0.r 0.z | 0.z | 0.z 0.s2 | 0.z 0.s3
"""
"""What a word is tagged by: fields of words some places further on, t the tags given so far, and
what the lexicon says (``lexicon.py``)."""

_CLUSTERS = """
0.b4 | 0.b8 | 0.b | 1.b4 | 1.b8 | 1.b | -1.b8 | -1.b | 2.b | -2.b | -1.t 0.b | -1.t 0.b8 | 0.b 1.b
-1.b 0.b | 0.s2 0.b8 | 0.h 0.b | -1.t 0.b 1.b | -1.t -2.t 0.b | -1.b 0.b 1.b | 0.a 1.b | 0.s3 0.b4
"""
"""The same of words with clusters: their first four and eight bits, and all."""


def _templates(
    *, clusters: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], Atoms]:
    text = _TEMPLATES + (_CLUSTERS if clusters else "")
    lists = [each.split() for each in text.replace("\n", "|").split("|") if each.strip()]
    names = list(dict.fromkeys(name for each in lists for name in each))
    number = {name: place for place, name in enumerate(names)}
    fields = ["t", *_WORD, "b4", "b8", "b", *LEXICON_FIELDS]
    pairs = [name.split(".") for name in names]
    return (
        np.array([(int(offset), fields.index(field) - 1) for offset, field in pairs], np.int32),
        np.cumsum([0, *map(len, lists)]).astype(np.int32),
        np.array([number[name] for each in lists for name in each], np.int32),
        np.array([atom(" ".join(each)) for each in lists], np.uint64),
    )


def _fields(corpus: Corpus) -> Atoms:
    """Return the numbers of each word, but for those of the lexicon."""
    return np.stack(
        [atoms(_forms(corpus), of) for of in _WORD.values()] + cluster_atoms(corpus), axis=1
    )


def _with_lexicon(fields: Atoms, known: Atoms) -> Atoms:
    return np.ascontiguousarray(np.concatenate([fields, known], axis=1))


# ── columns that are learned together ────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class TaggedColumns:
    """What gives the words tags of one column, or of several at once."""

    names: tuple[str, ...]
    tags: tuple[str, ...]
    lexicon: Lexicon
    weights: Weights
    clusters: bool = False
    _decoder: TagDecoder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decoder = kernels.load("tagging").TagDecoder(
            tags_of(self.names, self.tags), _templates(clusters=self.clusters), self.weights
        )
        object.__setattr__(self, "_decoder", decoder)

    def tag(self, fields: Atoms, forms: Strings, offsets: NDArray[np.int64]) -> dict[str, Strings]:
        """Return the tags of each word, by column."""
        known = _with_lexicon(fields, self.lexicon.fields(forms))
        codes = self._decoder.tag(known, offsets)
        values = zip(*(values_of(self.names, tag) for tag in self.tags), strict=True)
        columns = zip(self.names, map(Strings.of, values), strict=True)
        return {name: Strings(each.codes[codes], each.vocabulary) for name, each in columns}

    def store(self) -> Stored:
        """Return what a file holds of it."""
        lexicon = {
            each.name: getattr(self.lexicon, each.name) for each in dataclass_fields(Lexicon)
        }
        metadata = {"names": list(self.names), "tags": list(self.tags)} | lexicon
        if self.clusters:
            metadata |= {"clusters": True}
        return Stored("tagger columns", metadata, weight_arrays(self.weights))


def _load_columns(stored: Stored) -> TaggedColumns:
    if "endings" not in stored.metadata:
        raise ModelError("its tagger is that of an earlier version; train it again")
    names, tags = tuple(stored.texts("names")), tuple(stored.texts("tags"))
    lexicon = Lexicon(*(stored.mapping(each.name) for each in dataclass_fields(Lexicon)))
    clusters = stored.metadata.get("clusters", False) is True
    return TaggedColumns(names, tags, lexicon, read_weights(stored), clusters)


class _ColumnsLearner:
    """Goes over columns; see ``learning.Learner``."""

    def __init__(self, fields: Atoms, names: tuple[str, ...], task: TrainingTask) -> None:
        words = task.corpus.tables["words"]
        column = _joint(words, names)
        # A word with no features is known as such; a gap in another column is not.
        missing = () if "feats" in names or len(names) > 1 else NOTHING
        self.tags = tuple(text for text in column.counts() if text not in missing)
        number = {tag: place for place, tag in enumerate(self.tags)}
        codes = np.array([number.get(text, -1) for text in column.vocabulary] or [-1], np.int32)
        gold = codes[column.codes]
        forms = words.strings("form")
        self.lexicon, known = learned_lexicon(forms, gold.tolist(), _stems(task.corpus))
        self.columns = _with_lexicon(fields, known), words.offsets, gold
        self.names, self.task = names, task
        self.clusters = has_clusters(task.corpus)
        self.kernel = kernels.load("tagging").TagLearner(
            tags_of(names, self.tags), _templates(clusters=self.clusters)
        )

    def iterate(self, number: int) -> float:
        """Go over the corpus in a new order."""
        random = stream(self.task.seed, f"tagger {' '.join(self.names)}", number)
        order = random.permutation(len(self.columns[1]) - 1).astype(np.int64)
        wrong, made = self.kernel.iterate(*self.columns, order, self.task.settings.margin)
        return wrong / made if made else 0.0

    def model(self) -> TaggedColumns:
        """Return the averaged weights."""
        weights = self.kernel.averaged()
        return TaggedColumns(self.names, self.tags, self.lexicon, weights, self.clusters)


def _joint(words: Table, names: tuple[str, ...]) -> Strings:
    """Return several columns as one."""
    if len(names) == 1:
        return words.strings(names[0])
    return Strings.of(map(joined, zip(*(words.strings(n).tolist() for n in names), strict=True)))


def _stems(corpus: Corpus) -> list[tuple[str, str]]:
    """Return the lemma and the UPOS of each word, empty where there are none."""
    if not isinstance(corpus, Dependencies):
        return [("", "")] * len(_forms(corpus))
    return list(zip(corpus.lemma.tolist(), corpus.upos.tolist(), strict=True))


# ── all columns ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Tagger:
    """A trained tagger: what gives the words each column, and their lemmas if there were any."""

    settings: TaggerSettings
    columns: tuple[TaggedColumns, ...]
    lemmatiser: Lemmatiser | None = None

    def tag(self, corpus: C) -> C:
        """Return the corpus with the tags (and lemmas) of this tagger."""
        forms, offsets = _forms(corpus), corpus.tables["words"].offsets
        fields = _fields(corpus)
        columns: dict[str, Strings] = {}
        for each in self.columns:
            columns |= each.tag(fields, forms, offsets)
        if self.lemmatiser is not None and isinstance(corpus, Dependencies):
            upos, feats = columns.get("upos", corpus.upos), columns.get("feats", corpus.feats)
            columns["lemma"] = self.lemmatiser.lemmas(corpus.form, upos, feats)
        return corpus.replace("words", **columns)

    parse = tag

    def store(self) -> Stored:
        """Return what a file of the tagger holds."""
        parts = {" ".join(each.names): each.store() for each in self.columns}
        if self.lemmatiser is not None:
            parts["lemma"] = self.lemmatiser.store()
        return Stored("tagger", {"settings": asdict(self.settings)}, {}, parts)


def load_tagger(stored: Stored) -> Tagger:
    """Make a tagger from what a file holds."""
    try:
        settings = TaggerSettings(**stored.value("settings", dict))
        parts = [part for name, part in sorted(stored.parts.items()) if name != "lemma"]
        columns = tuple(map(_load_columns, parts))
        lemma = stored.parts.get("lemma")
        lemmatiser = None if lemma is None else load_lemmatiser(lemma)
    except ModelError:
        raise
    except (TypeError, ValueError) as error:
        raise ModelError(f"its tagger does not fit together: {error}") from error
    known = {name for names in COLUMNS.values() for name in names}
    if not {name for each in columns for name in each.names} <= known:
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


def _groups(corpus: Corpus, fewest: int) -> list[tuple[str, ...]]:
    """Return which columns are learned together: those without gaps, of so many words at least."""
    words, names = corpus.tables["words"], _columns(corpus)
    if words.rows < fewest:
        return [(name,) for name in names]

    def is_whole(name: str) -> bool:
        texts = words.strings(name).counts()
        gap = name != "feats" and any(text in NOTHING for text in texts)
        return not gap and not any(SEPARATOR in text for text in texts)

    whole = [name for name in names if is_whole(name)]
    together = [tuple(whole)] if whole else []
    return together + [(name,) for name in names if name not in whole]


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
    fields = _fields(corpus)
    keep = interruption is not None
    task = TrainingTask(corpus, settings, seed=seed, watch=watch, keep=keep)
    if interruption is not None:
        task = replace(task, interruption=interruption)
    trained = tuple(
        learned(
            _ColumnsLearner(fields, names, task), task,
            iterations=settings.iterations, patience=settings.iterations,
        )
        for names in _groups(corpus, settings.together)
    )  # fmt: skip
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
