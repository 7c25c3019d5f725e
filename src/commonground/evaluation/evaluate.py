"""Score parses against a gold standard."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.corpus import Corpus
from commonground.errors import UsageError
from commonground.evaluation.reading import Reading
from commonground.evaluation.result import Score, System
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.signature import signature
from commonground.formats.objects import as_corpus
from commonground.metrics.registry import comparison_for, find_metrics
from commonground.metrics.settings import Settings

__all__ = ["evaluate", "signature_of"]

Treebank = Corpus | str | os.PathLike[str] | Any
"""A corpus, a path, the text of a file, or objects of spaCy, Stanza or NLTK."""


def evaluate(
    gold: Treebank,
    parse: Treebank | Mapping[str, Treebank],
    *,
    metrics: Sequence[str] = (),
    settings: Settings | None = None,
) -> Evaluation:
    """Score one parse, or several by name, against a gold standard.

    Treebanks are corpora, paths of files, the text of a file, or objects of spaCy, Stanza and NLTK;
    several parses are a mapping from their names. `metrics` are names (see ``commonground evaluate
    --explain``), the attachment family without them; `settings` say what counts and how.

    >>> from commonground.corpus import Dependencies
    >>> gold = Dependencies.of([(["I", "want", "to", "eat"], [2, 0, 4, 2], ["s", "r", "m", "x"])])
    >>> parse = Dependencies.of([(["I", "want", "to", "eat"], [2, 0, 2, 3], ["s", "r", "m", "x"])])
    >>> result = evaluate(gold, parse, metrics=["uas", "ned"])
    >>> result["uas"].value, result["ned"].value
    (0.5, 1.0)
    """
    settings = settings or Settings()
    metrics = (metrics,) if isinstance(metrics, str) else metrics
    parses = parse if isinstance(parse, Mapping) else {_name(parse): parse}
    reference, *others = _read([gold, *parses.values()])
    systems = tuple(
        _scored(name, reference, other, tuple(metrics) or settings.metrics, settings)
        for name, other in zip(parses, others, strict=True)
    )
    return Evaluation(signature_of(settings, systems), systems)


def _read(sources: Sequence[Any]) -> list[Corpus]:
    """Return the corpora of paths or objects; large files are read at the same time, in threads."""
    paths = [source for source in sources if isinstance(source, str | os.PathLike)]
    sizes = [Path(path).stat().st_size for path in paths if _exists(path)]
    if len(sizes) < 2 or min(sizes) < _LARGE:
        return [as_corpus(source) for source in sources]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # not worth it for small ones

    with ThreadPoolExecutor() as pool:
        return list(pool.map(as_corpus, sources))


_LARGE = 4_000_000
"""Files of so many bytes take longer to read than threads to start."""


def _exists(path: str | os.PathLike[str]) -> bool:
    return "\n" not in os.fspath(path) and Path(path).is_file()


def _scored(
    name: str, gold: Corpus, system: Corpus, metrics: tuple[str, ...], settings: Settings
) -> System:
    if type(gold) is not type(system):
        raise UsageError(f"{name} holds {system.kind}, but the gold standard {gold.kind}")
    if settings.evalb and gold.kind != "constituents":
        raise UsageError(f"evalb is about constituents, but the gold standard holds {gold.kind}")
    settings.refuse_unused(gold.kind)
    found = find_metrics(gold.kind, metrics)
    gold, system = _numbered(gold), _numbered(system)
    pair, skipped = comparison_for(gold.kind)(gold, system, settings)
    return System(name, {m.name: Score.of(m, pair) for m in found}, skipped, pair, gold)


def _numbered(corpus: Corpus) -> Corpus:
    """Return a corpus whose sentences are numbered; those of a piece of a file are already."""
    return corpus if "number" in corpus.tables["origin"] else corpus.numbered()


def signature_of(
    settings: Settings, systems: Sequence[System], reading: Reading | None = None
) -> str:
    """Return everything that the numbers depend on, in one line."""
    skipped = ",".join(str(len(system.skipped)) for system in systems)
    return signature(settings, reading or Reading(), skipped=skipped)


def _name(treebank: Treebank | Mapping[str, Treebank]) -> str:
    """Return what a parse is called: its path, if it has one."""
    if isinstance(treebank, str | os.PathLike) and "\n" not in os.fspath(treebank):
        return os.fspath(treebank)
    return "parse"
