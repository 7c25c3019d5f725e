"""Candidates for phenomena in treebanks: where patterns are found, how often, and a sample to vet.

The trees are read in pieces, in as many processes as are wanted, and searched over whole columns.
Of each phenomenon as many candidates as are wanted are drawn: every sentence has a number that
depends on the seed, the phenomenon and its place in the corpus only, and those with the smallest
numbers are the sample, however the corpus is cut.
"""

from __future__ import annotations

import os
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.engine import Jobs, engine_for
from commonground.errors import InputError, UsageError, setting
from commonground.formats.format import FormatOptions
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_bytes, shown
from commonground.formats.storage.pieces import Piece, pieces_of
from commonground.patterns import Matches, Pattern, PatternError, parse_pattern
from commonground.patterns.graph import Graph, graph_of
from commonground.patterns.language import columns_of
from commonground.patterns.search import finder_of
from commonground.phenomena.languages import ENGLISH, FEW, english_words, language_in_name
from commonground.phenomena.phrase_heads import phrase_heads
from commonground.random import keys_of
from commonground.schemes.hub import relations_among

__all__ = [
    "Candidate",
    "Mined",
    "Search",
    "bundled_searches",
    "candidate_in",
    "construction_languages",
    "construction_searches",
    "mine",
    "read_searches",
]

SIZE = 1 << 24
"""About so many bytes are looked at together, to tell what language they are in."""

PART = 3 << 19
"""About so many bytes are read and searched at once."""

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Search:
    """What finds a phenomenon: patterns, and the dependencies that a match proposes as targets.

    `languages` are the codes of those that the patterns are for; without any they are for all.
    """

    name: str
    patterns: tuple[Pattern, ...]
    targets: tuple[tuple[str, str, str], ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may have a phenomenon: where it is, what it says, and the words bound.

    `words` are by the names of the pattern's nodes: their forms and places, from 0. `proposals`
    are the targets that the search proposes, in these names, `tree` is the analysis searched.
    """

    phenomenon: str
    path: str
    sent_id: str
    number: int
    forms: tuple[str, ...]
    words: Mapping[str, tuple[str, int]]
    key: int = 0
    proposals: tuple[tuple[str, str, str], ...] = ()
    tree: Corpus | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The words between spaces."""
        return " ".join(self.forms)


@dataclass(frozen=True)
class Mined:
    """What was found: how many sentences there are, how many have each phenomenon, and a sample."""

    sentences: int
    found: Mapping[str, int]
    matches: Mapping[str, int]
    sample: Mapping[str, Sequence[Candidate]]
    numbers: Mapping[str, Mapping[str, Rows]]

    def share(self, name: str) -> float | None:
        """Return the share of sentences with a phenomenon."""
        return self.found[name] / self.sentences if self.sentences else None

    def to_json(self) -> dict[str, Any]:
        """Return what was found as JSON has it."""
        return {
            "sentences": self.sentences,
            "phenomena": {
                name: {
                    "sentences": self.found[name],
                    "matches": self.matches[name],
                    "share": self.share(name),
                    "sample": [
                        {
                            "file": each.path,
                            "sent_id": each.sent_id,
                            "text": each.text,
                            "words": {node: list(word) for node, word in each.words.items()},
                        }
                        for each in self.sample[name]
                    ],
                }
                for name in self.found
            },
        }


# ── searches ─────────────────────────────────────────────────────────────────────────────────────


@cache
def bundled_searches(kind: str) -> Mapping[str, Search]:
    """Return the searches for the ten phenomena in a kind of corpus."""
    path = Path(__file__).parent / "mining" / f"{kind}.toml"
    if not path.is_file():
        raise UsageError(f"phenomena are mined in dependencies and constituents, not in {kind}")
    return read_searches(path)


_CONSTRUCTIONS = Path(__file__).parent / "mining" / "constructions"


def construction_languages() -> list[str]:
    """Return the languages for which there are searches for constructions."""
    return sorted(path.stem for path in _CONSTRUCTIONS.glob("*.toml"))


@cache
def construction_searches(language: str) -> Mapping[str, Search]:
    """Return the searches for constructions in UD trees of a language, by its code.

    >>> list(construction_searches("sv"))
    ['interrogative', 'conditional', 'existential', 'npn']
    """
    if language not in construction_languages():
        known = ", ".join(construction_languages())
        raise UsageError(f"there are no constructions for {language!r}; there are {known}")
    return read_searches(_CONSTRUCTIONS / f"{language}.toml")


def read_searches(
    path: str | os.PathLike[str], key: str = "patterns", *, needed: bool = True
) -> Mapping[str, Search]:
    """Read searches: a TOML table per phenomenon with ``patterns`` and, if wanted, ``targets``.

    ``languages``, before the first table, says which languages they are for, by their codes.
    """
    name = shown(path)
    text = read_bytes(path).decode("utf-8", "replace")
    data = parse_toml(text, name)
    languages = data.pop("languages", [])
    if not isinstance(languages, list) or not all(isinstance(code, str) for code in languages):
        raise InputError(name, 1, "languages is not a list of codes such as en")
    searches = {}
    for phenomenon, table in data.items():
        line = text.count("\n", 0, max(text.find(f"[{phenomenon}]"), 0)) + 1
        if not isinstance(table, dict):
            raise InputError(name, line, f"{phenomenon} is not a table with patterns")
        patterns = table.get(key, []) or (None if needed else [])
        search = _search(phenomenon, table, patterns, name, line)
        searches[phenomenon] = replace(search, languages=tuple(languages))
    return searches


def _search(
    phenomenon: str, table: Mapping[str, Any], patterns: Any, path: str, line: int
) -> Search:
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
        raise InputError(path, line, f"[{phenomenon}] has no list of patterns")
    try:
        parsed = tuple(parse_pattern(each) for each in patterns)
    except PatternError as error:
        raise InputError(path, line, f"[{phenomenon}] {error}") from error
    targets = table.get("targets", [])
    if not isinstance(targets, list):
        raise InputError(path, line, f"[{phenomenon}] has targets that are not a list: {targets!r}")
    return Search(phenomenon, parsed, tuple(_proposal(each, path, line) for each in targets))


def _proposal(text: Any, path: str, line: int) -> tuple[str, str, str]:
    parts = str(text).split()
    if len(parts) != 3:
        raise InputError(path, line, f"{text!r} is not a target such as V ARG2 O, with nodes")
    return parts[0], parts[1], parts[2]


# ── mining ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Found:
    """What was found in a piece."""

    sentences: int
    numbers: dict[str, Rows]
    matches: dict[str, int]
    sample: dict[str, list[Candidate]]


@dataclass(frozen=True)
class _Request:
    """What is looked for in each piece."""

    searches: Mapping[str, Search] | None
    only: tuple[str, ...]
    sample: int
    seed: int
    language: str | None

    @property
    def columns(self) -> frozenset[str]:
        """The columns that are looked at; bundled searches ask for them in dependencies only."""
        known = bundled_searches("dependencies") if self.searches is None else self.searches
        patterns = [pattern for search in known.values() for pattern in search.patterns]
        return frozenset({"deprel"}).union(*map(columns_of, patterns))

    def wanted(self, kind: str) -> Mapping[str, Search]:
        """Return the searches for a kind of corpus."""
        known = bundled_searches(kind) if self.searches is None else self.searches
        for name in self.only:
            if name not in known:
                raise UsageError(f"there is no phenomenon {name!r}; there are {', '.join(known)}")
        return {name: known[name] for name in self.only} if self.only else known


def mine(
    paths: Sequence[str | os.PathLike[str]],
    *,
    searches: Mapping[str, Search] | None = None,
    only: Sequence[str] = (),
    sample: int = 0,
    seed: int = 0,
    format: str | None = None,
    language: str | None = None,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Mined:
    """Search treebanks for phenomena; `sample` candidates of each are drawn by the `seed`.

    `searches` are those for dependencies or constituents that come along, without others; `only`
    names some of them. Text that does not look like the language of the searches is refused, unless
    `language` says that it is. `watch` is called with the number of sentences that are done.

    >>> result = mine(["example:phenomena-ud"])
    >>> result.sentences, result.found["vpart"] >= 21
    (210, True)
    """
    names = [os.fspath(path) for path in paths]
    engine = engine_for(1 if "-" in names else jobs)
    work = partial(_mined, _Request(searches, tuple(only), sample, seed, language))
    total = _MinedTotal(sample)
    tasks = (
        (place, piece)
        for place, name in enumerate(names)
        for piece in pieces_of(name, format, SIZE, held=engine.workers == 1)
    )
    for place, part in engine.map(work, tasks):
        total.add(names[place], part)
        watch(part.sentences)
    return total.mined()


def _mined(request: _Request, task: tuple[int, Piece]) -> tuple[int, _Found]:
    """Search a piece of a file, some part of it at a time."""
    place, piece = task
    options = FormatOptions(partial=True, columns=request.columns)
    try:
        return place, _found(request, piece, piece.in_parts(options, PART))
    except (InputError, UsageError):  # as a whole it can be read, or tells what is wrong first
        return place, _found(request, piece, [piece.read(options)], whole=True)


def _found(
    request: _Request, piece: Piece, corpora: Iterable[Corpus], *, whole: bool = False
) -> _Found:
    """Search the parts of a piece; of a `whole` one, what it is about is looked at before."""
    text, first = _Text(), [0]
    parts: list[tuple[Corpus, Graph, dict[str, list[Matches]]]] = []
    places: dict[str, list[Rows]] = {}
    matches: dict[str, int] = {}
    for corpus in corpora:
        text = text.with_more(corpus, labels=request.searches is None)
        if whole:
            text.refuse_others(request, piece.path)
        wanted = request.wanted(corpus.kind)
        graph = graph_of(corpus)
        patterns = [pattern for search in wanted.values() for pattern in search.patterns]
        found = iter(finder_of(tuple(pattern.text for pattern in patterns)).find(graph))
        hits = {name: [next(found) for _ in search.patterns] for name, search in wanted.items()}
        for name, rows in hits.items():
            here = np.zeros(len(corpus), np.bool_)
            here[np.concatenate([each.sentence for each in rows])] = True
            places.setdefault(name, []).append(np.flatnonzero(here) + first[-1])
            matches[name] = matches.get(name, 0) + sum(map(len, rows))
        first.append(first[-1] + len(corpus))
        if request.sample:
            parts.append((corpus, graph, hits))
    text.refuse_others(request, piece.path)
    numbers = {name: np.concatenate(each) + piece.first for name, each in places.items()}
    drawn: dict[str, list[Candidate]] = {name: [] for name in numbers}
    for name in numbers if request.sample else ():
        keys = keys_of(numbers[name], request.seed, f"{name} {Path(piece.path).name}")
        for at in np.argsort(keys, kind="stable")[: request.sample].tolist():
            place = int(numbers[name][at]) - piece.first
            part = bisect(first, place) - 1
            corpus, graph, hits = parts[part]
            sentence = place - first[part]
            found_here = [(graph, each) for each in hits[name]]
            candidate = candidate_in(
                name, piece.path, found_here, sentence, int(keys[at]), corpus, heads=True
            )
            proposals = request.wanted(corpus.kind)[name].targets
            tree = corpus.take(np.array([sentence]))
            drawn[name].append(replace(candidate, proposals=proposals, tree=tree))
    return _Found(first[-1], numbers, matches, drawn)


@dataclass(frozen=True)
class _Text:
    """What tells whether patterns are for a text: its kind, its words and the labels of trees."""

    kind: str = ""
    words: int = 0
    english: int = 0
    labels: int = 0
    relations: int = 0

    def with_more(self, corpus: Corpus, *, labels: bool) -> _Text:
        """Return what is known with one more part, the `labels` of which matter or not."""
        words = english = relations = every = 0
        if isinstance(corpus, Dependencies | Constituents):
            words, english = len(corpus.form), english_words(corpus.form)
        if isinstance(corpus, Dependencies) and labels:
            relations, every = relations_among(corpus)
        return _Text(
            corpus.kind,
            self.words + words,
            self.english + english,
            self.labels + every,
            self.relations + relations,
        )

    def refuse_others(self, request: _Request, path: str) -> None:
        """Raise an error where the patterns are for other labels, or another language."""
        if 2 * self.relations < self.labels:
            message = "most labels are none of UD, in which phenomena are looked for"
            raise InputError(shown(path), 0, f"{message}; transform the trees to ud first")
        searches = request.wanted(self.kind).values()
        codes = sorted({code for search in searches for code in search.languages})
        if not codes:
            return
        known = request.language or language_in_name(path)
        if known and known not in codes:
            message = f"the patterns are for {', '.join(codes)}, and this is {known}"
            raise UsageError(
                f"{shown(path)}: {message}; constructions of other languages are mined by "
                f"{setting('constructions')}"
            )
        if known or codes != ["en"] or self.words < FEW:
            return
        share = self.english / self.words
        if share < ENGLISH:
            raise InputError(
                shown(path),
                0,
                f"the patterns are for English, and only {100 * share:.0f} % of the words are such "
                f"as the and of; {setting('language', 'en')} says that it is English all the same, "
                f"and {setting('constructions')} looks for what other languages have",
            )


def candidate_in(
    name: str,
    path: str,
    hits: Sequence[tuple[Graph, Matches]],
    sentence: int,
    key: int,
    corpus: Corpus,
    *,
    heads: bool = False,
) -> Candidate:
    """Return a sentence with its first match; its words are those of a corpus, without traces.

    With `heads`, the word of a phrase is its head; otherwise it has the phrase's label.
    """
    graph, first = next(each for each in hits if (each[1].sentence == sentence).any())
    at = int(np.flatnonzero(first.sentence == sentence)[0])
    view = corpus[sentence]
    forms = view.column("form")
    tags = view.column("tag") if isinstance(corpus, Constituents) else [""] * len(forms)
    overt = [tag != "-NONE-" for tag in tags]
    told = tuple(compress(forms, overt))
    head = phrase_heads(corpus, sentence) if heads and isinstance(corpus, Constituents) else None
    words = {}
    for node, rows in first.rows.items():
        row = int(rows[at])
        place = sum(overt[: int(graph.first[row])])
        words[node] = (_form(graph, row), place)
        if head is not None:
            place = head(int(graph.first[row]), int(graph.last[row]))
            words[node] = (told[place], place) if place >= 0 else words[node]
    return Candidate(name, path, view.sent_id, view.number, told, words, key)


def _form(graph: Graph, row: int) -> str:
    form = graph.column("form")[row]
    return graph.column("label")[row] if form == "_" and "label" in graph.known else form


class _MinedTotal:
    """What was found in all pieces so far."""

    def __init__(self, sample: int) -> None:
        self._sample = sample
        self._sentences = 0
        self._numbers: dict[str, dict[str, list[Rows]]] = {}
        self._matches: dict[str, int] = {}
        self._drawn: dict[str, list[Candidate]] = {}

    def add(self, path: str, part: _Found) -> None:
        self._sentences += part.sentences
        for name, numbers in part.numbers.items():
            self._numbers.setdefault(name, {}).setdefault(path, []).append(numbers)
            self._matches[name] = self._matches.get(name, 0) + part.matches[name]
            drawn = self._drawn.get(name, []) + part.sample[name]
            drawn.sort(key=lambda each: (each.key, each.path, each.number))
            self._drawn[name] = drawn[: self._sample]

    def mined(self) -> Mined:
        numbers = {
            name: {path: np.concatenate(parts) for path, parts in files.items()}
            for name, files in self._numbers.items()
        }
        counts = {name: sum(map(len, files.values())) for name, files in numbers.items()}
        return Mined(self._sentences, counts, self._matches, self._drawn, numbers)
