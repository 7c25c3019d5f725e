"""A system that is named, not trained here: ``spacy:fr_core_news_sm``, ``udpipe:FILE``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from commonground import __version__
from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError, UsageError, setting
from commonground.formats.objects import as_corpus
from commonground.formats.registry import read
from commonground.formats.storage.files import unpacked
from commonground.formats.storage.raw_pieces import RawPiece, raw_pieces
from commonground.parsers.pipelines.placing import placed

__all__ = ["Pipeline", "PipelineKind", "untrusted"]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A system: `analyse` makes a treebank of a text, `annotate` tags and parses given words.

    One of the two may be missing. `versions` are those of the packages and models that the output
    depends on, `settings` what else it depends on; both are in the first comment of the output.
    """

    name: str
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    analyse: Callable[[str], Dependencies] | None = None
    annotate: Callable[[Dependencies], Dependencies] | None = None

    kind = Dependencies

    def parse_piece(self, piece: RawPiece) -> Dependencies:
        """Return the treebank that the system makes of a text; every character has its place."""
        if self.analyse is None:
            raise InputError(
                piece.path,
                0,
                f"it is plain text, and {self.name} needs words and tags; name what makes them "
                f"before it: spacy:MODEL+{self.name}",
            )
        corpus = placed(self.analyse(piece.text), piece, self.name)
        if piece.character or not len(corpus):
            return corpus
        comments = corpus.comments.tolist()
        comments[0] = f"{self.remark()}\n{comments[0]}"
        return corpus.replace("sentences", comments=Strings.of(comments))

    def tag_piece(self, piece: RawPiece) -> Dependencies:
        """Return the words and tags that the system makes of a text."""
        corpus = self.parse_piece(piece)
        rows = corpus.words.rows
        return corpus.replace(
            "words", head=np.full(rows, -1, np.int32), deprel=Strings.constant("_", rows)
        )

    def parse(self, treebank: Any) -> Dependencies:
        """Return the words of a treebank with the system's tags and trees.

        A file of plain text is split into sentences and words first.
        """
        if isinstance(treebank, str | os.PathLike) and "\n" not in os.fspath(treebank):
            if unpacked(treebank).suffix.lower() == ".txt":
                parts = [self.parse_piece(piece) for piece in raw_pieces(treebank)]
                return Dependencies.concatenate(parts) if parts else Dependencies.of([])
            treebank = read(treebank, partial=True)
        corpus = as_corpus(treebank)
        if self.annotate is None:
            raise UsageError(f"{self.name} takes plain text (.txt), not words")
        if not isinstance(corpus, Dependencies):
            raise UsageError(f"{self.name} makes dependencies, and these are {corpus.kind}")
        return self.annotate(corpus) if corpus.words.rows else corpus

    def tag(self, treebank: Any) -> Dependencies:
        """Return the words of a treebank with the system's tags; trees stay as they are."""
        corpus = as_corpus(treebank)
        columns = {name: corpus.tables["words"][name] for name in ("head", "deprel", "deps")}
        return self.parse(corpus).replace("words", **columns)

    def followed_by(self, other: Pipeline) -> Pipeline:
        """Return the system that has this one's words, and of these the other one's trees."""
        if self.analyse is None or other.annotate is None:
            lacks = self if self.analyse is None else other
            raise UsageError(f"{lacks.name} cannot stand there: the first makes words of text")
        analyse, annotate = self.analyse, other.annotate
        return replace(
            self,
            name=f"{self.name}+{other.name}",
            versions={**self.versions, **other.versions},
            settings={**self.settings, **other.settings},
            analyse=lambda text: annotate(analyse(text)),
            annotate=None,
        )

    @property
    def description(self) -> str:
        """Its name, versions and settings in a line."""
        versions = ", ".join(f"{k} {v}" for k, v in self.versions.items())
        settings = "; ".join(f"{k}={v}" for k, v in self.settings.items())
        facts = "; ".join(filter(None, [versions, settings])) or "version not known"
        return " ".join(f"{self.name} ({facts})".split())

    def remark(self) -> str:
        r"""Return the comments that say what made a treebank.

        >>> made_by = Pipeline("spacy:fr", {"spacy": "3.8"}, {"without": "ner"}).remark()
        >>> print(made_by.partition("\n")[2])
        # system = spacy:fr
        # system_versions = spacy 3.8
        # system_settings = without=ner
        """
        lines = {"generator": f"commonground {__version__}", "system": self.name}
        if self.versions:
            lines["system_versions"] = ", ".join(f"{k} {v}" for k, v in self.versions.items())
        if self.settings:
            lines["system_settings"] = "; ".join(f"{k}={v}" for k, v in self.settings.items())
        return "\n".join(f"# {name} = {' '.join(text.split())}" for name, text in lines.items())


@dataclass(frozen=True, slots=True)
class PipelineKind:
    """A kind of systems, and what a name of one looks like.

    `load` makes the system of what stands after the colon. `missing` says what has to be installed
    for it, and by which command. `runs_code` says why one must be trusted, "" where none must;
    `seen` tells whether the real program was met, or only its manual.
    """

    name: str
    example: str
    title: str
    load: Callable[[str], Pipeline]
    missing: Callable[[], str]
    runs_code: Callable[[str], str] = lambda _: ""
    seen: bool = True


def untrusted(name: str, why: str) -> UsageError:
    """Return the error for a system that can run code, and is not trusted."""
    return UsageError(f"{name}: {why}; {setting('trust')} allows it, if you trust whoever made it")
