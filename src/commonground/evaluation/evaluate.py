"""Score parses against a gold standard."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial as partial_function
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from commonground.corpus import Corpus, Dependencies
from commonground.corpus.fingerprint import fingerprint
from commonground.engine import Jobs
from commonground.errors import UsageError
from commonground.evaluation.not_trees import not_trees, without_cycles
from commonground.evaluation.notes import facts_of
from commonground.evaluation.other_scheme import other_scheme_of
from commonground.evaluation.paired_sentences import PairedSentences, compared
from commonground.evaluation.pairs import find_pairs
from commonground.evaluation.read_options import ReadOptions
from commonground.evaluation.result import Score, System
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.signature import signature
from commonground.formats.objects import as_corpus
from commonground.formats.registry import format_packages
from commonground.formats.storage.folders import is_many
from commonground.metrics.dependencies.prepare import differing_sentences
from commonground.metrics.metric import Metric
from commonground.metrics.registry import find_metrics, packages_of
from commonground.metrics.settings import Settings

__all__ = ["evaluate", "scored", "signature_of"]

Treebank = Corpus | str | os.PathLike[str] | Any
"""A corpus, a path, the text of a file, or objects of spaCy, Stanza or NLTK."""


def evaluate(
    gold: Treebank,
    *parses: Treebank | Mapping[str, Treebank],
    metrics: Sequence[str | Metric] = (),
    settings: Settings | None = None,
    by: str | Sequence[str | Sequence[str]] = (),
    confusions: Sequence[str] = (),
    format: str | None = None,
    partial: bool = False,
    check_scheme: bool = True,
    jobs: Jobs = 1,
) -> Evaluation:
    """Score one parse or several against a gold standard, as the command does.

    Treebanks are corpora, paths, the text of a file, or objects of spaCy, Stanza and NLTK; a
    mapping names the parses. If the gold standard is a folder or a pattern, so must the parses be;
    files with the same name belong together. `metrics` are names (``cg.metric_names()``) or metrics
    of your own (``cg.Metric``), by default the attachment scores; `settings` say what counts and
    how. `by` are properties to break scores down by (``"deprel"``, ``["upos", "deprel,depth"]``),
    `confusions` name the confusions to count. `format` and `partial` are as in
    :func:`commonground.read`; `jobs` is the number of processes for the files of folders. If many
    heads are wrong, `check_scheme` looks whether the parse follows another annotation scheme.

    >>> from commonground.corpus import Dependencies
    >>> gold = Dependencies.of([(["I", "want", "to", "eat"], [2, 0, 4, 2], ["s", "r", "m", "x"])])
    >>> parse = Dependencies.of([(["I", "want", "to", "eat"], [2, 0, 2, 3], ["s", "r", "m", "x"])])
    >>> result = evaluate(gold, parse, metrics=["uas", "ned"])
    >>> result["uas"].value, result["ned"].value
    (0.5, 1.0)
    """
    if not parses:
        raise UsageError("there is no parse to score; give at least one")
    settings = settings or Settings()
    wanted = (metrics,) if isinstance(metrics, str | Metric) else tuple(metrics)
    broken = tuple(map(_properties, [by] if isinstance(by, str) else by))
    reading = ReadOptions(format, partial)
    named = _named(parses)
    if _is_path(gold) and is_many(gold):
        from commonground.evaluation.run import evaluate_files  # noqa: PLC0415  # for many files

        return evaluate_files(
            find_pairs(os.fspath(gold), {name: str(path) for name, path in named.items()}),
            metrics=wanted,
            settings=settings,
            by=broken,
            confusions=confusions,
            sentences=True,
            format=format,
            partial=partial,
            jobs=jobs,
        )
    reference, *others = _read([gold, *named.values()], reading)
    systems = tuple(
        scored(name, reference, other, wanted or settings.metrics, settings)
        for name, other in zip(named, others, strict=True)
    )
    if check_scheme:
        systems = tuple(replace(each, other_scheme=other_scheme_of(each)) for each in systems)
    treebanks, golds = [gold, *named.values()], [fingerprint(reference)]
    signed = signature_of(settings, systems, reading, treebanks=treebanks, golds=golds)
    result = Evaluation(signed, systems)
    return result.asked(broken, tuple(confusions)) if broken or confusions else result


def _properties(by: str | Sequence[str]) -> tuple[str, ...]:
    from commonground.metrics.by import property_name  # noqa: PLC0415  # seldom asked for

    return tuple(map(property_name, by.split(",") if isinstance(by, str) else by))


def _named(parses: Sequence[Treebank | Mapping[str, Treebank]]) -> dict[str, Treebank]:
    """Return parses by their names."""
    found: dict[str, Treebank] = {}
    for parse in parses:
        given = parse if isinstance(parse, Mapping) else {_name(parse): parse}
        for name, treebank in given.items():
            unique = name if name not in found else f"{name} ({len(found) + 1})"
            found[unique] = treebank
    return found


def _is_path(source: Any) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, str | os.PathLike) and "\n" not in os.fspath(source)


def _read(sources: Sequence[Any], reading: ReadOptions) -> list[Corpus]:
    """Return the corpora of paths or objects; large files are read at the same time, in threads."""
    paths = [source for source in sources if isinstance(source, str | os.PathLike)]
    sizes = [Path(path).stat().st_size for path in paths if _exists(path)]
    read = partial_function(as_corpus, format=reading.format, partial=reading.partial)
    if len(sizes) < 2 or min(sizes) < _LARGE:
        return [read(source) for source in sources]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # not worth it for small ones

    with ThreadPoolExecutor() as pool:
        return list(pool.map(read, sources))


_LARGE = 4_000_000
"""Files of so many bytes take longer to read than threads to start."""


def _exists(path: str | os.PathLike[str]) -> bool:
    return "\n" not in os.fspath(path) and Path(path).is_file()


def scored(
    name: str,
    gold: Corpus,
    system: Corpus,
    metrics: Sequence[str | Metric],
    settings: Settings,
    *,
    lost: bool = False,
) -> System:
    """Return a parse with some name and its scores.

    A parse that is `lost` has nothing right, whatever it holds.
    """
    if type(gold) is not type(system):
        raise UsageError(
            f"{name} has {system.kind}, but the gold standard has {gold.kind}; 'commonground "
            "compare NAME=GOLD:PARSE …' compares parses of several frameworks, each with its "
            "gold standard"
        )
    if settings.evalb and gold.kind != "constituents":
        raise UsageError(f"evalb scores constituents, but the gold standard has {gold.kind}")
    settings.refuse_unused(gold.kind)
    found = find_metrics(gold.kind, metrics)
    gold, system = _numbered(gold), _numbered(system)
    whole = gold
    circles: tuple[str, ...] = ()
    if not settings.trees:  # which refuses them, too
        gold, system, circles = without_cycles(gold, system, settings)
    both = compared(gold, system, settings)
    gone = np.ones(len(both.pair.gold), np.bool_) if lost else both.lost
    return System(
        name,
        {m.name: Score.of(m, both.pair, gone) for m in found},
        (*circles, *both.skipped),
        both.pair,
        whole,
        noted={**_noted(both, system), **_in_training(both.pair.gold, settings)},
    )


def _in_training(gold: Corpus, settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the sentences of a gold standard that stand in the training data, too."""
    if settings.training is None:
        return {}
    both = settings.training.whole(gold)
    return {"in-training": tuple(gold.sent_id[both].tolist())} if both.any() else {}


def _noted(both: PairedSentences, system: Corpus) -> dict[str, tuple[str, ...]]:
    """Return what is to be known about the sentences of a parse."""
    gold = both.pair.gold
    lost = () if both.lost is None else tuple(gold.sent_id[both.lost].tolist())
    found = {
        "lost": lost,
        "extra": both.extra,
        "joined": both.joined,
        **_other_words(both.pair),
        **not_trees(system),
    }
    return {what: ids for what, ids in found.items() if ids}


def _other_words(pair: Any) -> dict[str, tuple[str, ...]]:
    """Return the sentences that were scored although their words have other forms."""
    if not (pair.settings.any_forms and isinstance(pair.gold, Dependencies)):
        return {}
    different = differing_sentences(pair.gold, pair.system)
    return {"other-words": tuple(pair.gold.sent_id[different].tolist())}


def _numbered(corpus: Corpus) -> Corpus:
    """Return a corpus whose sentences are numbered; those of a piece of a file are already."""
    return corpus if "number" in corpus.tables["origin"] else corpus.numbered()


def signature_of(
    settings: Settings,
    systems: Sequence[System],
    reading: ReadOptions | None = None,
    *,
    golds: Sequence[int] = (),
    treebanks: Iterable[Treebank] = (),
    **facts: object,
) -> str:
    """Return what the numbers depend on besides the parses, in one line.

    Metrics, and formats of the `treebanks`, that come from other packages are named with them.
    """
    reading = reading or ReadOptions()
    skipped = ",".join(str(len(system.skipped)) for system in systems)
    noted = facts_of([system.noted for system in systems])
    metrics = [score.metric for system in systems for score in system.scores.values()]
    packages = [*packages_of(metrics), *format_packages(treebanks, reading.format)]
    facts = {"skipped": skipped, **noted, **facts}
    return signature(settings, reading, golds=golds, packages=packages, **facts)


def _name(treebank: Treebank | Mapping[str, Treebank]) -> str:
    """Return what a parse is called: its path, if it has one."""
    if isinstance(treebank, str | os.PathLike) and "\n" not in os.fspath(treebank):
        return os.fspath(treebank)
    return "parse"
