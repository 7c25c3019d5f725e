r"""From text to a treebank without trees: tokens, then sentences, then the words of tokens.

Nothing of the text is lost: ``raw_text`` of what is made gives the text again, character by
character (``marked_text.py`` says how).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.raw_text import Surface, surface
from commonground.corpus.table import Table
from commonground.parsers.interruption import Interruption
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import TrainingTask
from commonground.parsers.segmentation.marked_text import marked_tokens
from commonground.parsers.segmentation.multiword import WordSplitter, load_words, train_words
from commonground.parsers.segmentation.sentences import (
    SentenceSplitter,
    Tokens,
    load_sentences,
    train_sentences,
)
from commonground.parsers.segmentation.tokeniser import Tokeniser, load_tokeniser, train_tokeniser

__all__ = ["Segmenter", "SegmenterSettings", "load_segmenter", "train_segmenter"]


@dataclass(frozen=True, slots=True)
class SegmenterSettings:
    """How each stage learns: passes over the treebank, and the margin of what is right."""

    iterations: int = 8
    token_margin: int = 150
    sentence_margin: int = 60
    word_margin: int = 20


@dataclass(frozen=True)
class Segmenter:
    """What was learned about the tokens, sentences and multiword tokens of a treebank."""

    settings: SegmenterSettings
    tokeniser: Tokeniser
    sentences: SentenceSplitter
    words: WordSplitter | None

    def segment(
        self, text: str, *, character: int = 0, paragraph: int = 0, path: str = "<text>"
    ) -> Dependencies:
        """Return the sentences of a text, without tags and trees.

        If the text is part of a larger one, `character` and `paragraph` say how many stand before.
        """
        starts, stops, paragraphs = self.tokeniser.spans(text)
        if not len(starts):
            return Dependencies.of([])
        edges = np.flatnonzero(np.diff(paragraphs, prepend=-1))
        bounds = np.append(edges, len(starts)).astype(np.int64)
        marked = marked_tokens(text, starts.tolist(), stops.tolist(), character)
        forms, spaces = marked.forms, marked.spaces
        ends = self.sentences.ending(Tokens(forms, spaces, bounds))
        offsets = np.concatenate([[0], np.flatnonzero(ends) + 1]).astype(np.int64)
        split = (
            [[form] for form in forms] if self.words is None else self.words.words(forms, offsets)
        )
        comments = marked.comments(offsets, bounds, paragraph)
        return _corpus(forms, marked.misc, split, offsets, comments, path)

    def store(self) -> Stored:
        """Return what a file of it holds."""
        parts = {"tokens": self.tokeniser.store(), "sentences": self.sentences.store()}
        if self.words is not None:
            parts["words"] = self.words.store()
        return Stored("segmenter", {"settings": asdict(self.settings)}, {}, parts)


def load_segmenter(stored: Stored) -> Segmenter:
    """Make a segmenter from what a file holds."""
    parts = stored.parts
    if not {"tokens", "sentences"} <= set(parts):
        raise ModelError("its segmenter has not all of its parts")
    try:
        settings = SegmenterSettings(**stored.value("settings", dict))
        words = load_words(parts["words"]) if "words" in parts else None
        tokens, sentences = load_tokeniser(parts["tokens"]), load_sentences(parts["sentences"])
    except (TypeError, ValueError) as error:
        raise ModelError(f"its segmenter does not fit together: {error}") from error
    return Segmenter(settings, tokens, sentences, words)


# ── what a file has of it ────────────────────────────────────────────────────────────────────────


def _corpus(
    forms: list[str],
    misc: list[str],
    split: list[list[str]],
    offsets: NDArray[np.int64],
    comments: list[str],
    path: str,
) -> Dependencies:
    counts = np.array([len(each) for each in split], np.int64)
    before = np.concatenate([[0], np.cumsum(counts)])
    word_misc = [
        mark if n == 1 else "_"
        for mark, n in zip(misc, counts.tolist(), strict=True)
        for _ in range(n)
    ]
    words = Table(
        before[offsets],
        form=Strings.of(word for each in split for word in each),
        misc=Strings.of(word_misc),
    )
    several = np.flatnonzero(counts > 1)
    sentence = np.searchsorted(offsets, several, side="right") - 1
    first = before[several] - before[offsets][sentence] + 1
    tokens = Table(
        np.searchsorted(several, offsets).astype(np.int64),
        first=first.astype(np.int32),
        last=(first + counts[several] - 1).astype(np.int32),
        form=Strings.of(forms[row] for row in several.tolist()),
        misc=Strings.of(misc[row] for row in several.tolist()),
    )
    return Dependencies({"words": words, "tokens": tokens}, comments=comments, path=path)


# ── training ─────────────────────────────────────────────────────────────────────────────────────


def train_segmenter(
    corpus: Dependencies,
    settings: SegmenterSettings | None = None,
    *,
    seed: int = 0,
    interruption: Interruption | None = None,
) -> Segmenter | None:
    """Train a segmenter on a treebank that tells of its text; None where it does not."""
    text = surface(corpus)
    if not text.told or not len(text.start):
        return None
    settings = settings or SegmenterSettings()
    task = TrainingTask(corpus, settings, seed=seed, keep=interruption is not None)
    if interruption is not None:
        task = replace(task, interruption=interruption)
    passes = settings.iterations
    tokeniser = train_tokeniser(text, task, iterations=passes, margin=settings.token_margin)
    sentences = train_sentences(text, task, iterations=passes, margin=settings.sentence_margin)
    forms = [
        " ".join(text.text[a:b].split())
        for a, b in zip(text.start.tolist(), text.stop.tolist(), strict=True)
    ]
    words = train_words(
        forms, _words(corpus, text), text.offsets, task,
        iterations=passes, margin=settings.word_margin,
    )  # fmt: skip
    return Segmenter(settings, tokeniser, sentences, words)


def _words(corpus: Dependencies, text: Surface) -> list[list[str]]:
    forms = corpus.form.tolist()
    return [forms[a:b] for a, b in zip(text.first.tolist(), text.last.tolist(), strict=True)]
