"""Training and using parsers: what stands around each of them, whatever it is.

A trained parser splits plain text into sentences and words, tags its input where it was trained on
predicted tags, parses, and brings lifted arcs back. All of this is in one file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from commonground import __version__
from commonground.corpus import Corpus, Dependencies
from commonground.corpus.delexicalised import HIDDEN, delexicalise
from commonground.corpus.strings import Strings
from commonground.engine import Jobs, engine_for
from commonground.errors import InputError, UsageError, setting
from commonground.formats.objects import as_corpus
from commonground.formats.registry import detect, read
from commonground.formats.storage.files import read_bytes, shown, unpacked
from commonground.formats.storage.raw_pieces import RawPiece, pieces_of, raw_pieces
from commonground.parsers.choice import BUDGET, choose
from commonground.parsers.clusters.word_clusters import (
    WordClusters,
    load_clusters,
    read_clusters,
    unmarked,
)
from commonground.parsers.interruption import heeded
from commonground.parsers.jackknife import jackknifed
from commonground.parsers.model_file import ModelError, Stored, read_model, write_model
from commonground.parsers.parser import Model, Parser, TrainingStep, TrainingTask, changed_settings
from commonground.parsers.registry import find_parser, parser_names
from commonground.parsers.segmentation.segmenter import (
    Segmenter,
    load_segmenter,
    train_segmenter,
)
from commonground.parsers.tagger import (
    Tagger,
    has_tags,
    jackknifed_tags,
    load_tagger,
    train_tagger,
)
from commonground.parsers.trainable import bracketed, file_of, of_kind, trainable
from commonground.plurals import number_of
from commonground.schemes.projectivity import BASELINE, ENCODINGS, deprojectivize, projectivize

__all__ = ["TrainedParser", "cross_parse", "load_parser", "restored", "train"]

GOLD, GOLD_TAGS, PREDICTED, NONE = "gold", "gold-tags", "predicted", "none"
UPOS = "upos"
"""What a parser was trained on: all columns of the treebank, its tags alone, tags of its own, none,
or universal parts of speech without words."""

GOLD_COLUMNS = ("tags", "tags,lemmas,feats", "upos")
"""What can be taken from the treebank instead of being predicted."""


@dataclass(frozen=True)
class TrainedParser:
    """A trained parser: ``parse`` treebanks with it, ``save`` it, ``cg.load_parser`` it again.

    `tags` says which tags it was trained on: gold ones, predicted ones (then it tags its input
    itself), or none. `encoding` is the pseudo-projective encoding of its trees, the empty string
    where there is none. `log` has a step for each iteration of the training. `segmenter` splits
    plain text, if the treebank had its text and the parser needs no tags from outside. `clusters`
    of words are what tagger and parser see besides, if it was trained with them. `training` says
    how many sentences and words it was trained on, with which seed and settings.
    """

    parser: Parser
    model: Model
    tags: str = NONE
    tagger: Tagger | None = None
    encoding: str = ""
    log: tuple[TrainingStep, ...] = ()
    segmenter: Segmenter | None = None
    clusters: WordClusters | None = None
    training: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the parser."""
        return self.parser.name

    def parse(self, treebank: Any) -> Any:
        """Return a treebank with the trees of this parser; the trees that it has are not looked at.

        Words keep what the parser does not predict (their enhanced graph does not fit any more, and
        goes). A parser of constituents takes the words of dependencies, too. A file of plain text
        is split into sentences and words first.
        """
        given = bracketed(self._input(treebank), self.kind)
        corpus = of_kind(given, self.name, self.kind)
        if not len(corpus) or not corpus.tables["words"].rows:
            return corpus
        if self.clusters is not None:
            corpus = self.clusters.marked(corpus)
        if self.tagger is not None:
            corpus = self.tagger.tag(corpus)
        elif self.tags in (GOLD, GOLD_TAGS, UPOS) and not has_tags(corpus):
            raise InputError(
                file_of(corpus),
                0,
                "no word has a tag, and this model needs tags; tag the file first (commonground "
                f"tag), or train the parser without {setting('gold_tags')}",
            )
        if isinstance(corpus, Dependencies) and self.name != "tagger":
            corpus = _without_graph(corpus)
        if self.tags in (GOLD_TAGS, UPOS) and isinstance(corpus, Dependencies):
            own = {name: corpus.tables["words"][name] for name in HIDDEN}
            seen = delexicalise(corpus) if self.tags == UPOS else _only_tags(corpus)
            parsed = self.model.parse(seen).replace("words", **own)
        else:
            parsed = self.model.parse(corpus)
        if self.encoding in ENCODINGS:
            parsed, _ = deprojectivize(parsed, self.encoding)
        return unmarked(parsed)

    def tag(self, treebank: Any) -> Any:
        """Return a treebank with the tags of this model's tagger; trees stay as they are."""
        tagger = self.model if isinstance(self.model, Tagger) else self.tagger
        if tagger is None:
            raise UsageError(
                f"this {self.name} model has no tagger; train one without {setting('gold_tags')}, "
                f"or {setting('parser', 'tagger')}"
            )
        corpus = self._input(treebank)
        if self.clusters is not None:
            corpus = self.clusters.marked(corpus)
        return unmarked(tagger.tag(corpus))

    @property
    def kind(self) -> type[Corpus]:
        """What the trees are that it makes; a parser of any kind has learnt one of them."""
        kind: type[Corpus] = getattr(self.model, "kind", self.parser.corpus)
        return kind

    def parse_piece(self, piece: RawPiece) -> Any:
        """Return the treebank that the parser makes of a piece of text."""
        return self.parse(self.segment_piece(piece))

    def tag_piece(self, piece: RawPiece) -> Any:
        """Return the words and tags that the model makes of a piece of text."""
        return self.tag(self.segment_piece(piece))

    def segment(self, text: str) -> Dependencies:
        """Return the sentences and words of a text, without tags and trees.

        ``cg.raw_text`` of what is returned (and of what ``parse`` makes of it) is the text.
        """
        parts = [self.segment_piece(piece) for piece in pieces_of(text)]
        return Dependencies.concatenate(parts) if parts else Dependencies.of([])

    def segment_piece(self, piece: RawPiece) -> Dependencies:
        """Return the sentences and words of a piece of text."""
        if self.segmenter is None:
            raise InputError(
                piece.path,
                0,
                "it is plain text, and this model cannot split text into sentences and words; give "
                f"{setting('pretokenised')} if each line is a sentence with spaces between the "
                f"words, or train a model without {setting('gold_tags')} on CoNLL-U with # text "
                "or SpaceAfter=No",
            )
        return self.segmenter.segment(
            piece.text, character=piece.character, paragraph=piece.paragraph, path=piece.path
        )

    def _input(self, treebank: Any) -> Corpus:
        """Return a treebank to be parsed; its words need no heads."""
        if not isinstance(treebank, str | os.PathLike) or "\n" in os.fspath(treebank):
            return as_corpus(treebank)
        path = os.fspath(treebank)
        if (
            unpacked(path).suffix.lower() == ".txt"
            and detect(read_bytes(path), path).name == "text"
        ):
            parts = [self.segment_piece(piece) for piece in raw_pieces(path)]
            return Dependencies.concatenate(parts) if parts else Dependencies.of([])
        return read(path, partial=True)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all."""
        write_model(self.store(), path)

    def store(self) -> Stored:
        """Return what the file of the model holds; a model that is text is nothing but that."""
        stored = self.model.store()
        if stored.text:
            return stored
        parts = {"model": stored}
        if self.tagger is not None:
            parts["tagger"] = self.tagger.store()
        if self.segmenter is not None:
            parts["segmenter"] = self.segmenter.store()
        if self.clusters is not None:
            parts["clusters"] = self.clusters.store()
        metadata = {
            "commonground": __version__,
            "tags": self.tags,
            "encoding": self.encoding,
            "log": [_logged(step) for step in self.log],
            "training": dict(self.training),
        }
        return Stored(self.name, metadata, {}, parts)


def _logged(step: TrainingStep) -> dict[str, Any]:
    """Return a step without its time, which would make the same model another file each time."""
    return {name: value for name, value in asdict(step).items() if name != "seconds"}


def _without_graph(corpus: Dependencies) -> Dependencies:
    return corpus.replace("words", deps=corpus.deps.map(lambda _: "_"))


def _only_tags(corpus: Corpus) -> Corpus:
    """Return dependencies without lemmas and features, so that a parser cannot see them."""
    if not isinstance(corpus, Dependencies):
        return corpus
    nothing = Strings.constant("_", corpus.tables["words"].rows)
    return corpus.replace("words", lemma=nothing, feats=nothing)


# ── loading ──────────────────────────────────────────────────────────────────────────────────────


def load_parser(
    path: str | os.PathLike[str], *, trust: bool = False, memory: float | None = None
) -> TrainedParser:
    """Read a trained parser from a file written by ``save`` or ``commonground train``.

    Models of some outside parsers can run code when they are used (files of PyTorch, objects of
    Java). They are refused without `trust`, for whom you trust the maker of the file. Its arrays
    may need so many gigabytes of `memory`, 2 if nothing is said, any number if it is 0.
    """
    stored = read_model(path, memory)
    if not trust:
        _refuse_code(stored, shown(path))
    lacking = ""
    if stored.parser in parser_names():
        parser = find_parser(stored.parser)
        if missing := parser.missing(parser.settings()):
            lacking = f"this is a model of {parser.name}, which {missing}"
    try:
        trained = restored(stored)
    except (ModelError, UsageError, TypeError) as error:
        wrong = lacking if isinstance(error, UsageError) else ""
        raise InputError(shown(path), 0, wrong or f"not a good model: {error}") from error
    if lacking:  # told last, so that a damaged file is refused wherever it is read
        raise InputError(shown(path), 0, lacking)
    return trained


def _refuse_code(stored: Stored, path: str) -> None:
    """Refuse a model that can run code, wherever in the file it is."""
    if stored.parser in parser_names() and (why := find_parser(stored.parser).runs_code()):
        raise InputError(
            path,
            0,
            f"this is a model of {stored.parser}: {why}; {setting('trust')} allows it, if you "
            "trust whoever made the file",
        )
    for part in stored.parts.values():
        _refuse_code(part, path)


def restored(stored: Stored) -> TrainedParser:
    """Return a trained parser from what its file holds."""
    parser = find_parser(stored.parser)
    if stored.text:
        return TrainedParser(parser, parser.load(stored))
    if "model" not in stored.parts:
        raise ModelError("it has no model")
    tagger = load_tagger(stored.parts["tagger"]) if "tagger" in stored.parts else None
    encoding = stored.value("encoding", str)
    if encoding not in ("", BASELINE, *ENCODINGS):
        raise ModelError(f"it has an unknown encoding {encoding!r}")
    log = tuple(TrainingStep(**step) for step in stored.value("log", list))
    model = parser.load(stored.parts["model"])
    part = stored.parts.get("segmenter")
    segmenter = None if part is None else load_segmenter(part)
    part = stored.parts.get("clusters")
    clusters = None if part is None else load_clusters(part)
    tags = stored.value("tags", str)
    training = stored.value("training", dict) if "training" in stored.metadata else {}
    return TrainedParser(parser, model, tags, tagger, encoding, log, segmenter, clusters, training)


# ── training ─────────────────────────────────────────────────────────────────────────────────────


def train(  # noqa: PLR0913  # options, by name
    treebank: Any,
    parser: str = "",
    *,
    budget: str = BUDGET,
    dev: Any = None,
    held_out: float = 0.0,
    gold: str = "",
    gold_tags: bool = False,
    encoding: str = "head",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    watch: Callable[[TrainingStep], None] = lambda _: None,
    jobs: Jobs = 1,
    keep: bool = True,
    segmentation: bool = True,
    clusters: WordClusters | str | os.PathLike[str] | None = None,
    weights: str = "",
) -> TrainedParser:
    """Train a parser on a treebank (a corpus, a path, or objects of other libraries).

    Without the name of a `parser`, one is chosen by the size of the treebank, its crossing arcs and
    the `budget`, the time that training may take (``60s``, ``5min``, or ``best``). `dev` is another
    treebank to choose the best iteration by; `held_out` uses the last share of the sentences
    instead. Tags are predicted by a tagger that is trained too, with jackknifing, unless `gold`
    says what is taken from the treebank: ``tags``, or ``tags,lemmas,feats``, which `gold_tags` is
    short for; with ``upos`` it looks at universal parts of speech alone, not at words, and parses
    other languages (Zeman & Resnik 2008). If the parser needs projective trees, others are encoded
    in labels (`encoding`; ``none`` leaves them alone). `settings` change those of the parser;
    `watch` is called after each iteration. `jobs` is the number of processes for what can be done
    in parallel (random restarts); the model does not depend on it. An interrupt stops training and
    keeps the best model so far (what has not begun yet makes one pass), a second one stops
    everything; so does the first if `keep` is false. With `segmentation`, the model also learns to
    split plain text into sentences and words, if the treebank has its text (``# text``,
    ``SpaceAfter=No``) and the input needs no tags.

    `clusters` of words (a file, or what is in it) are what tagger and dependency parsers look at
    besides; the model keeps them. `weights` names an entry of MISC with numbers from 0 to 1 that
    say how much each head counts (``Confidence``, as projection writes it); others count fully.

    >>> import commonground as cg
    >>> treebank = cg.read("example:ud")
    >>> parser = cg.train(treebank, "arc-eager", gold_tags=True, settings={"iterations": 3})
    >>> parser.parse(treebank).head.tolist() == treebank.head.tolist()
    False
    """
    given = as_corpus(treebank)
    kind = find_parser(parser or choose(given, budget, settings or ()).parser)
    wanted = changed_settings(kind.settings(), dict(settings or {}))
    if lacking := kind.missing(wanted):
        raise UsageError(f"{kind.name} {lacking}")
    corpus = trainable(of_kind(given, kind.name, kind.corpus), kind, weights)
    other = None if dev is None else of_kind(as_corpus(dev), kind.name, kind.corpus)
    corpus, kept = _split(corpus, other, held_out)
    wanted = kind.settled(wanted, corpus)
    used = _encoding(kind, wanted, encoding)
    log: list[TrainingStep] = []

    def noted(step: TrainingStep) -> None:
        log.append(step)
        watch(step)

    if clusters is not None:
        clusters = clusters if isinstance(clusters, WordClusters) else read_clusters(clusters)
        if not (kind.clusters or (kind.tags and not gold and not gold_tags)):
            raise UsageError(f"{kind.name} without a tagger does not look at clusters")
        corpus, kept = clusters.marked(corpus), None if kept is None else clusters.marked(kept)
    task = TrainingTask(corpus, wanted, kept, seed, noted, engine_for(jobs), keep, weights=weights)
    with heeded(task.interruption) if keep else nullcontext():
        task, tags, tagger = _tagged(task, kind, gold or (GOLD_COLUMNS[1] if gold_tags else ""))
        kept = None if task.dev is None else _encoded(task.dev, used)
        model = kind.train(replace(task, corpus=_encoded(task.corpus, used), dev=kept))
        segmenter = None
        if segmentation and tags in (PREDICTED, NONE) and (kind.tags or kind.name == "tagger"):
            segmenter = _segmenter(corpus, task)
    training = {
        "sentences": len(corpus),
        "words": corpus.tables["words"].rows,
        "seed": seed,
        "settings": {name: _without_folder(value) for name, value in asdict(wanted).items()},
    }
    return TrainedParser(kind, model, tags, tagger, used, tuple(log), segmenter, clusters, training)


def _without_folder(value: Any) -> Any:
    """Return the value of a setting without the folders of this computer."""
    return Path(value).name if isinstance(value, str) else value


def _segmenter(corpus: Corpus, task: TrainingTask) -> Segmenter | None:
    """Return what splits text as a treebank does; None where it does not have its text."""
    if not isinstance(corpus, Dependencies):
        return None
    interruption = task.interruption if task.keep else None
    return train_segmenter(corpus, seed=task.seed, interruption=interruption)


def _tagged(task: TrainingTask, kind: Parser, gold: str) -> tuple[TrainingTask, str, Tagger | None]:
    """Return a task with the tags that the parser is to see, which they are, and their tagger."""
    if gold not in ("", *GOLD_COLUMNS):
        raise UsageError(f"gold can be {' or '.join(GOLD_COLUMNS)}, not {gold!r}")
    if not kind.tags or not has_tags(task.corpus):
        return task, NONE, None
    if gold == UPOS:
        bare = None if task.dev is None else _bare(task.dev)
        return replace(task, corpus=_bare(task.corpus), dev=bare), UPOS, None
    if gold == "tags":
        dev = None if task.dev is None else _only_tags(task.dev)
        return replace(task, corpus=_only_tags(task.corpus), dev=dev), GOLD_TAGS, None
    if gold:
        return task, GOLD, None
    interruption = task.interruption if task.keep else None
    tagger = train_tagger(task.corpus, seed=task.seed, interruption=interruption)
    corpus = jackknifed_tags(task.corpus, seed=task.seed, interruption=interruption)
    dev = None if task.dev is None else tagger.tag(task.dev)
    return replace(task, corpus=corpus, dev=dev), PREDICTED, tagger


def _bare(corpus: Corpus) -> Corpus:
    """Return dependencies without words."""
    if not isinstance(corpus, Dependencies):
        raise UsageError("only parsers of dependencies are trained without words")
    return delexicalise(corpus)


def cross_parse(treebank: Any, parser: str = "", *, folds: int = 10, **options: Any) -> Any:
    """Return a treebank in which each fold was parsed by a model trained on the others.

    `options` are those of :func:`train`. Folds are consecutive sentences.
    """
    if folds < 2:
        raise UsageError(f"{number_of(folds, 'fold')}; at least 2 are needed")
    corpus = as_corpus(treebank)
    if not parser:
        budget = options.get("budget", BUDGET)
        parser = choose(corpus, budget, options.get("settings") or ()).parser
    if len(corpus) < folds:
        raise UsageError(
            f"{number_of(len(corpus), 'sentence')} cannot be divided into {folds} folds"
        )

    def guess(seen: Corpus, rest: Corpus, _: int) -> Corpus:
        parsed: Corpus = train(
            seen, parser, **{"keep": False, "segmentation": False, **options}
        ).parse(rest)
        return parsed

    return jackknifed(corpus, folds, guess)


def _split(corpus: Corpus, dev: Corpus | None, held_out: float) -> tuple[Corpus, Corpus | None]:
    """Return what to train on, and what to stop by."""
    if not 0 <= held_out < 1:
        raise UsageError(f"{held_out} cannot be held out; a share from 0 to below 1 can")
    if not held_out:
        return corpus, dev
    if dev is not None:
        raise UsageError("a dev treebank is given; nothing has to be held out")
    count = max(round(held_out * len(corpus)), 1)
    if count >= len(corpus):
        raise UsageError(f"of {number_of(len(corpus), 'sentence')}, {count} cannot be held out")
    return corpus[: len(corpus) - count], corpus[len(corpus) - count :]


def _encoding(kind: Parser, settings: Any, encoding: str) -> str:
    if encoding not in ("none", BASELINE, *ENCODINGS):
        names = ", ".join(("none", BASELINE, *ENCODINGS))
        raise UsageError(f"there is no encoding {encoding!r}; there are {names}")
    return encoding if encoding != "none" and kind.projective(settings) else ""


def _encoded(corpus: Corpus, encoding: str) -> Corpus:
    if not encoding or not isinstance(corpus, Dependencies):
        return corpus
    return projectivize(corpus, encoding)[0]
