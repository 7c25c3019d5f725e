"""Constituency parsers whose packages parse, but do not train: benepar and BLLIP.

Their models are made elsewhere and are given by a path (or, for benepar, a name that it knows):
``train FILE --parser bllip --set model=FOLDER`` makes a model file that names it. Nothing is
learned from the treebank then, and the model file is of use only where the model is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from commonground.corpus import Constituents
from commonground.errors import MissingExtraError, UsageError, setting
from commonground.formats.notation.escapes import LABELS, WORDS
from commonground.formats.registry import read_text
from commonground.parsers.constituency.phrases import without_traces
from commonground.parsers.model_file import Stored
from commonground.parsers.outside.command_line import parsed_as
from commonground.parsers.outside.places import package_needed, package_version
from commonground.parsers.parser import Parser, TrainingTask

__all__ = ["PARSERS", "PretrainedModel", "PretrainedSettings"]

Sentence = tuple[list[str], list[str]]
"""Its words and their tags; a word without a tag has ``_``."""


@dataclass(frozen=True, slots=True)
class PretrainedSettings:
    """Where the `model` is that the parser has learned elsewhere."""

    model: str = ""


@dataclass(frozen=True, slots=True)
class PretrainedModel:
    """A model of somebody else: its place, and how its package makes trees with it."""

    parser: str
    place: str
    trees: Callable[[str, list[Sentence]], Iterator[str]]

    def parse(self, corpus: Constituents, /) -> Any:
        """Return the corpus with the trees of the model; a sentence without one gets a flat one."""
        sentences = list(_sentences(corpus))
        flat = map(_flat, sentences)
        trees = self.trees(self.place, sentences)
        lines = [tree or other for tree, other in zip(trees, flat, strict=True)]
        return parsed_as(corpus, read_text("\n".join(lines) + "\n", "brackets"), self.parser)

    def store(self) -> Stored:
        """Return what a file of the model holds: where the model is."""
        return Stored(self.parser, {"model": self.place}, {})


def _sentences(corpus: Constituents) -> Iterator[Sentence]:
    words = without_traces(corpus)
    form, tag = words.strings("form").tolist(), words.strings("tag").tolist()
    for first, last in pairwise(words.offsets.tolist()):
        yield form[first:last], tag[first:last]


def _flat(sentence: Sentence) -> str:
    pairs = zip(*sentence, strict=True)
    words = " ".join(f"({LABELS.written(tag)} {WORDS.written(form)})" for form, tag in pairs)
    return f"(TOP {words})" if words else "()"


# ── benepar ──────────────────────────────────────────────────────────────────────────────────────


def _benepar(place: str, sentences: list[Sentence]) -> Iterator[str]:
    """Return the trees of benepar (Kitaev & Klein 2018)."""
    try:
        import benepar  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the parser benepar", "benepar") from error
    try:
        parser = benepar.Parser(place)
    except (LookupError, OSError) as error:
        raise UsageError(
            f"benepar has no model {place!r}; a name that it knows is fetched with python -c "
            "\"import benepar; benepar.download('benepar_en3')\""
        ) from error
    given = [
        benepar.InputSentence(
            words=form,
            tags=None if "_" in tag else tag,
            escaped_words=list(map(WORDS.written, form)),
        )
        for form, tag in sentences
        if form
    ]
    trees = iter(parser.parse_sents(given))
    for form, _ in sentences:
        yield " ".join(str(next(trees)).split()) if form else ""


# ── BLLIP ────────────────────────────────────────────────────────────────────────────────────────


def _bllip(place: str, sentences: list[Sentence]) -> Iterator[str]:
    """Return the trees of the BLLIP reranking parser (Charniak & Johnson 2005)."""
    try:
        from bllipparser import RerankingParser  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the parser bllip", "bllip") from error
    if not Path(place).is_dir():
        raise UsageError(
            f"{place} is not a folder with a model of BLLIP; python -m bllipparser.ModelFetcher "
            "fetches some"
        )
    parser = RerankingParser.from_unified_model_dir(place)
    for form, tag in sentences:
        written = list(map(WORDS.written, form))
        tags = {at: [each] for at, each in enumerate(tag) if each != "_"}
        yield _first(partial(parser.parse_tagged, written, tags)) or _first(
            partial(parser.parse, written)
        )


def _first(parse: Callable[[], Any]) -> str:
    """Return the best tree; the empty string where there is none, or where BLLIP takes no input.

    It refuses tags that its model does not know, no words, and 400 words and more.
    """
    try:
        parses = parse()
    except (ValueError, RuntimeError):
        return ""
    return str(parses[0].ptb_parse) if len(parses) else ""


# ── both ─────────────────────────────────────────────────────────────────────────────────────────

_TREES = {"benepar": _benepar, "bllip": _bllip}
_PACKAGES = {"benepar": "benepar", "bllip": "bllipparser"}
_TITLES = {
    "benepar": "Berkeley Neural Parser, with a model that is given (Kitaev & Klein 2018)",
    "bllip": "BLLIP reranking parser, with a model that is given (Charniak & Johnson 2005)",
}


def _train(name: str, task: TrainingTask) -> PretrainedModel:
    place = task.settings.model
    if not place:
        raise UsageError(
            f"{name} does not learn from a treebank; it needs a model: "
            f"{setting('set', 'model=PATH')}"
        )
    return PretrainedModel(name, place, _TREES[name])


def _load(name: str, stored: Stored) -> PretrainedModel:
    return PretrainedModel(name, stored.value("model", str), _TREES[name])


PARSERS = {
    name: Parser(
        name=name,
        title=title,
        corpus=Constituents,
        settings=PretrainedSettings,
        train=partial(_train, name),
        load=partial(_load, name),
        tags=False,
        missing=package_needed(_PACKAGES[name], name),
        version=partial(package_version, _PACKAGES[name]),
        files=("model",),
        runs_code=lambda: "its file names a model elsewhere, which can run code when it is loaded",
    )
    for name, title in _TITLES.items()
}
