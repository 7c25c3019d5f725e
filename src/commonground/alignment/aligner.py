"""Align the words of sentence pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from commonground.alignment.bitext import Bitext, bitext_of
from commonground.alignment.choice import chosen_settings
from commonground.alignment.embeddings import LONGEST as EMBEDDINGS_LONGEST
from commonground.alignment.embeddings import WAYS as EMBEDDING_WAYS
from commonground.alignment.embeddings import EmbeddingSettings, embedding_links
from commonground.alignment.model import AlignerSettings, AlignmentModel
from commonground.alignment.symmetrisation import DEFAULT, links_of, way_of
from commonground.alignment.training import Trainer
from commonground.corpus import Alignments, Corpus, Table
from commonground.engine import Jobs, engine_for
from commonground.errors import UsageError, setting

__all__ = ["ALIGNERS", "AlignedBitext", "align"]

ALIGNERS = {
    "hmm": "a hidden Markov model of our own, which needs nothing but the text",
    "eflomal": "eflomal (Östling & Tiedemann 2016), which is an extra",
    "embeddings": "vectors of an encoder that knows both languages (Jalili Sabet et al. 2020)",
}
"""The aligners, and what they are."""

_ONE_DIRECTION = ("forward", "backward")
"""Ways that keep all links of a direction, where nothing else is asked for."""


@dataclass(frozen=True)
class AlignedBitext:
    """What aligning gave: the `links`, the sentence pairs (from 0) that have none, and a model.

    `empty` are the pairs with no word on a side, `too_long` those with too many words; both stay
    without links. `settings` are those of the aligner. Only hmm leaves a model.
    """

    links: Alignments
    empty: tuple[int, ...] = ()
    too_long: tuple[int, ...] = ()
    settings: AlignerSettings | EmbeddingSettings | None = None
    learnt: Callable[[], AlignmentModel | None] = field(
        default=lambda: None, repr=False, compare=False
    )

    @cached_property
    def model(self) -> AlignmentModel | None:
        """What was learnt, for new text; it takes memory, and is made when it is asked for."""
        return self.learnt()


def align(  # noqa: C901, PLR0913  # options, by name, and what they exclude
    source: Bitext | Corpus,
    target: Corpus | None = None,
    *,
    way: str = DEFAULT,
    aligner: str = "hmm",
    settings: AlignerSettings | EmbeddingSettings | None = None,
    model: AlignmentModel | None = None,
    train: bool = True,
    confidence: float | None = None,
    probabilities: bool = False,
    jobs: Jobs = 1,
    advance: Callable[[int], None] = lambda _: None,
) -> AlignedBitext:
    r"""Align the words of two treebanks, or of sentence pairs.

    `way` is how the two directions become one alignment (see ``WAYS``). A `model` of other text is
    added to what is learnt from this one; without `train` it is only applied, and nothing learnt.
    Without `settings` and `model`, :func:`chosen_settings` chooses some for the text. `confidence`
    is how likely links must be, from 0 to 1, to stay: the mean of their probabilities in the two
    directions. By default it is the one with the highest expected F1 (:func:`best_threshold`), and
    0 for the links of one direction; with `probabilities`, the links keep theirs. With two jobs the
    directions (or two sentences) are worked on at the same time; the result does not depend on it.
    The aligner ``embeddings`` needs :class:`EmbeddingSettings`, with the folder of an encoder.

    >>> from commonground.formats import write_text
    >>> pairs = [(["a", "bird"], ["ein", "Vogel"]), (["a", "song"], ["ein", "Lied"])] * 3
    >>> write_text(align(Bitext.of(pairs)).links[:2], "pharaoh")
    '0-0 1-1\n0-0 1-1\n'
    """
    bitext = _bitext(source, target)
    if way not in EMBEDDING_WAYS or aligner != "embeddings":
        way_of(way)
    least = 0.0 if confidence is None and way in _ONE_DIRECTION else confidence
    if least is not None and not 0 <= least <= 1:
        raise UsageError(f"the confidence is {least}; it is a number from 0 to 1")
    if aligner not in ALIGNERS:
        raise UsageError(f"there is no aligner {aligner!r}; there are {', '.join(ALIGNERS)}")
    if aligner == "embeddings":
        if model is not None or not isinstance(settings, EmbeddingSettings):
            raise UsageError(
                f"the aligner embeddings learns nothing; it needs {setting('encoder', 'FOLDER')}"
            )
        links = embedding_links(
            bitext, settings, way, least, jobs=engine_for(jobs).workers, advance=advance
        )
        links = links if probabilities else _plain(links)
        return _aligned(bitext, links, EMBEDDINGS_LONGEST, settings)
    if isinstance(settings, EmbeddingSettings):
        raise UsageError("an encoder has an effect only with the aligner embeddings")
    if aligner == "eflomal":
        if probabilities:
            raise UsageError("eflomal does not tell how probable its links are; others do")
        return _with_eflomal(bitext, way, settings, model, confidence)
    if not train and model is None:
        raise UsageError("there is no model to align with; give one, or allow training")
    trainer = _trainer(bitext, settings, model, engine_for(jobs).workers)
    if train:
        trainer.train(advance)
    links = trainer.links(way, least, advance)
    links = links if probabilities else _plain(links)
    learnt = trainer.model if train and trainer.settings.rounds else lambda: model
    return AlignedBitext(
        _alignments(bitext, links),
        _numbers(bitext),
        tuple(trainer.too_long.tolist()),
        trainer.settings,
        learnt,
    )


def _trainer(
    bitext: Bitext, settings: AlignerSettings | None, model: AlignmentModel | None, threads: int
) -> Trainer:
    """Return what learns from a text, with settings that fit the model that it starts from."""
    chosen = settings or (model.settings if model else chosen_settings(bitext, threads=threads))
    if model is not None and _prefixes(chosen) != _prefixes(model.settings):
        one, two = _prefixes(model.settings)
        letters = f"{one}" if one == two else f"{one} and {two}"
        raise UsageError(f"the model compares the first {letters} letters of words, not others")
    return Trainer(bitext, chosen, model, threads=threads)


def _plain(links: Table) -> Table:
    return Table(links.offsets, source=links["source"], target=links["target"])


def _prefixes(settings: AlignerSettings) -> tuple[int, int]:
    return settings.prefix, settings.target_prefix


def _bitext(source: Bitext | Corpus, target: Corpus | None) -> Bitext:
    if isinstance(source, Bitext):
        if target is not None:
            raise UsageError("sentence pairs have two sides already")
        return source
    if target is None:
        raise UsageError("a treebank is aligned with another one")
    return bitext_of(source, target)


def _with_eflomal(
    bitext: Bitext,
    way: str,
    settings: AlignerSettings | None,
    model: AlignmentModel | None,
    confidence: float | None,
) -> AlignedBitext:
    from commonground.alignment.eflomal import LONGEST, eflomal_links  # noqa: PLC0415  # an extra

    if settings is not None or model is not None or confidence:
        raise UsageError("settings, models and confidence have an effect only with the aligner hmm")
    links = links_of(*eflomal_links(bitext), bitext.source, bitext.target, way)
    return _aligned(bitext, links, LONGEST)


def _aligned(
    bitext: Bitext, links: Table, longest: int, settings: EmbeddingSettings | None = None
) -> AlignedBitext:
    """Return links of which no model is left; pairs with more words than the longest have none."""
    long = (bitext.source.lengths > longest) | (bitext.target.lengths > longest)
    return AlignedBitext(
        _alignments(bitext, links),
        _numbers(bitext),
        tuple(np.flatnonzero(long).tolist()),
        settings,
    )


def _numbers(bitext: Bitext) -> tuple[int, ...]:
    return tuple(np.flatnonzero(bitext.with_empty_side).tolist())


def _alignments(bitext: Bitext, links: Table) -> Alignments:
    return Alignments(
        {
            "links": links,
            "source_words": bitext.source,
            "target_words": bitext.target,
        }
    )
