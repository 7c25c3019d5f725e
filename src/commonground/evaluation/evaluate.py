"""Score parses against a gold standard."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial as partial_function
from pathlib import Path
from typing import Any, TypeGuard

from commonground.corpus import Corpus
from commonground.engine import Jobs, engine_for
from commonground.errors import UsageError
from commonground.evaluation.evaluation_plan import EvaluationPlan
from commonground.evaluation.from_tallies import evaluation
from commonground.evaluation.pairs import Pair, find_pairs
from commonground.evaluation.read_options import ReadOptions
from commonground.evaluation.result import MEMORY
from commonground.evaluation.run import tallies_of
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.tally import Tally, tally_of
from commonground.formats.objects import as_corpus
from commonground.formats.registry import write_text
from commonground.formats.storage.files import open_bytes, shown
from commonground.formats.storage.folders import is_many
from commonground.metrics.metric import Metric
from commonground.metrics.settings import Settings

__all__ = ["evaluate"]

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
    repair: str | None = None,
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
    :func:`commonground.read`; `repair` is a policy by which parses are mended first
    (:func:`commonground.repair_bytes`); `jobs` is the number of processes for the files of folders.
    If many heads are wrong, `check_scheme` looks whether the parse follows another scheme.

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
    many = os.fspath(gold) if _is_path(gold) and is_many(gold) else ""
    plan = EvaluationPlan(
        wanted or settings.metrics,
        settings,
        tuple(map(_properties, [by] if isinstance(by, str) else by)),
        tuple(confusions),
        sentences=bool(many),
        reading=ReadOptions(format, partial, repair),
        check_scheme=check_scheme,
        keep=not many,
    )
    named = _named(parses)
    if many:
        pairs = find_pairs(many, {name: str(path) for name, path in named.items()})
        return evaluation(pairs, tallies_of(pairs, plan, engine=engine_for(jobs)), plan)
    treebanks = [gold, *named.values()]
    if repair:
        (reference,) = _read([gold], plan.reading)
        tallies = [_repaired(name, reference, parse, plan) for name, parse in named.items()]
    else:
        reference, *others = _read(treebanks, plan.reading)
        tallies = [
            tally_of(name, reference, other, plan)
            for name, other in zip(named, others, strict=True)
        ]
    return evaluation([Pair(MEMORY, MEMORY, name) for name in named], tallies, plan, treebanks)


def _repaired(name: str, gold: Corpus, parse: Treebank, plan: EvaluationPlan) -> Tally:
    """Return the tally of a parse after its repair, be it a file, a text or a corpus."""
    from commonground.evaluation.repairs import repaired_tally  # noqa: PLC0415  # seldom asked for

    if _is_path(parse):
        with open_bytes(parse) as file:
            return repaired_tally(name, gold, file.read(), shown(parse), plan)
    if not isinstance(parse, str):
        corpus = as_corpus(parse)
        parse = write_text(corpus, "brackets" if corpus.kind == "constituents" else "conllu")
    return repaired_tally(name, gold, parse.encode("utf-8", "surrogatepass"), "<text>", plan)


def _properties(by: str | Sequence[str]) -> tuple[str, ...]:
    from commonground.metrics.by import property_names  # noqa: PLC0415  # seldom asked for

    parts = [by] if isinstance(by, str) else by
    return tuple(name for part in parts for name in property_names(part))


def _named(parses: Sequence[Treebank | Mapping[str, Treebank]]) -> dict[str, Treebank]:
    """Return parses by their names."""
    by_name: dict[str, Treebank] = {}
    for parse in parses:
        given = parse if isinstance(parse, Mapping) else {_name(parse): parse}
        for name, treebank in given.items():
            unique = name if name not in by_name else f"{name} ({len(by_name) + 1})"
            by_name[unique] = treebank
    return by_name


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


def _name(treebank: Treebank | Mapping[str, Treebank]) -> str:
    """Return what a parse is called: its path, if it has one."""
    if isinstance(treebank, str | os.PathLike) and "\n" not in os.fspath(treebank):
        return os.fspath(treebank)
    return "parse"
