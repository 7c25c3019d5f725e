"""Candidates from [incr tsdb()] profiles, the method of the paper itself.

A profile holds items and, for each, derivations of a DELPH-IN grammar with their semantics. Of each
item the first result is looked at: the derivation as a tree of rule names over lexical entries, the
MRS as a graph of predications. Both are searched with the pattern language.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from commonground.corpus import Constituents, Relations, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.errors import InputError, MissingExtraError
from commonground.patterns import find
from commonground.patterns.graph import graph_of
from commonground.phenomena.mine import (
    Candidate,
    Mined,
    Search,
    candidate_in,
    read_searches,
)
from commonground.random import keys_of

__all__ = ["Profile", "mine_profile", "read_profile"]


@dataclass(frozen=True)
class Profile:
    """A profile: how many `items` it has, and of those with results `derivations` and semantics.

    The two corpora have the same sentences in the same order. Of `unread` results the semantics
    could not be read.
    """

    path: str
    items: int
    derivations: Constituents
    semantics: Relations
    unread: int = 0


@dataclass
class _DerivationRows:
    """What the columns of the two corpora are made of, sentence by sentence."""

    comments: list[str] = field(default_factory=list)
    words: list[tuple[str, str, str, int]] = field(default_factory=list)
    nodes: list[tuple[str, int]] = field(default_factory=list)
    word_counts: list[int] = field(default_factory=list)
    node_counts: list[int] = field(default_factory=list)
    predicates: list[tuple[str, str]] = field(default_factory=list)
    arcs: list[tuple[str, int, int]] = field(default_factory=list)
    predicate_counts: list[int] = field(default_factory=list)
    arc_counts: list[int] = field(default_factory=list)
    unread: int = 0


def read_profile(path: str | os.PathLike[str]) -> Profile:
    """Read a profile: a folder with the files ``relations``, ``item`` and ``result``."""
    tsdb = _library("tsdb")
    name = os.fspath(path)
    if not (Path(name) / "relations").is_file():
        raise InputError(name, 0, "no [incr tsdb()] profile: the folder has no file 'relations'")
    texts = {key: row["i-input"] for key, row in _records(tsdb, name, "item", "i-id")}
    parses = {key: row["i-id"] for key, row in _records(tsdb, name, "parse", "parse-id")}
    rows, seen = _DerivationRows(), set()
    for parse, row in _records(tsdb, name, "result", "parse-id"):
        item = parses.get(parse, parse)
        if item in seen:
            continue
        seen.add(item)
        _add(rows, item, texts.get(item, ""), row, f"{name}/result")
    return Profile(name, len(texts), _derivations(rows, name), _semantics(rows, name), rows.unread)


def _records(tsdb: Any, path: str, file: str, key: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the records of a file of a profile, each with its key; ``#line`` is its line."""
    try:
        fields = [each.name for each in tsdb.read_schema(path)[file]]
        with tsdb.open(path, file) as lines:
            for number, line in enumerate(lines, 1):
                values = [value or "" for value in tsdb.split(line)]
                if len(values) != len(fields):
                    message = f"{len(values)} fields; {len(fields)} are expected, between @"
                    raise InputError(f"{path}/{file}", number, message)
                record: dict[str, Any] = dict(zip_longest(fields, values))
                yield record[key], {**record, "#line": number}
    except (KeyError, OSError, UnicodeDecodeError, EOFError, _error()) as error:
        raise InputError(f"{path}/{file}", 0, f"cannot be read: {error}") from error


def _add(rows: _DerivationRows, item: str, text: str, row: Mapping[str, Any], path: str) -> None:
    """Add the derivation and the semantics of a result."""
    derivation = _library("derivation")
    try:
        tree = derivation.from_string(row["derivation"])
    except (_error(), ValueError, IndexError, TypeError, AttributeError) as error:
        reason = str(error).split("\n", maxsplit=1)[0] or type(error).__name__
        raise InputError(path, row["#line"], f"no derivation or MRS: {reason}") from error
    meaning = _meaning(row.get("mrs") or "")
    rows.unread += bool(row.get("mrs")) and meaning is None
    rows.comments.append(f"# sent_id = {item}\n# text = {' '.join(text.split())}")
    before = len(rows.words), len(rows.nodes), len(rows.predicates), len(rows.arcs)
    _add_tree(rows, tree)
    _add_meaning(rows, meaning)
    after = len(rows.words), len(rows.nodes), len(rows.predicates), len(rows.arcs)
    counts = (rows.word_counts, rows.node_counts, rows.predicate_counts, rows.arc_counts)
    for count, one, other in zip(counts, before, after, strict=True):
        count.append(other - one)


def _meaning(text: str) -> Any:
    """Return an MRS; None where there is none, or one that PyDelphin cannot read.

    Gold profiles have predicates of unknown words with quotation marks and brackets in them
    (``_output_string(”hello/JJ_u_unknown``).
    """
    try:
        return _library("codecs.simplemrs").decode(text) if text else None
    except (_error(), ValueError, IndexError, TypeError, AttributeError):
        return None


def _add_tree(rows: _DerivationRows, tree: Any) -> None:
    """Add the nodes of a derivation, parents first, and its words."""
    first = len(rows.nodes)
    waiting: list[tuple[Any, int]] = [(tree, -1)]
    while waiting:
        node, parent = waiting.pop()
        daughters = list(node.daughters)
        if daughters and all(hasattr(each, "form") for each in daughters):
            form = " ".join(each.form for each in daughters)
            rows.words.append((form, node.entity, node.type or "_", max(parent, 0)))
            if parent < 0:
                rows.nodes.append((node.entity, -1))
            continue
        rows.nodes.append((node.entity, parent))
        here = len(rows.nodes) - 1 - first
        waiting += [(each, here) for each in reversed(daughters)]


def _add_meaning(rows: _DerivationRows, meaning: Any) -> None:
    """Add the predications of an MRS, and who is whose argument."""
    predications = list(meaning.rels) if meaning is not None else []
    rows.predicates += [(each.predicate, each.type or "_") for each in predications]
    equal = {each.hi: each.lo for each in meaning.hcons} if meaning is not None else {}
    by_variable = {each.iv: place for place, each in enumerate(predications) if each.iv}
    by_variable |= {
        each.iv: place
        for place, each in enumerate(predications)
        if each.iv and not each.predicate.endswith("_q")  # a quantifier binds, and is not meant
    }
    by_label: dict[str, list[int]] = {}
    for place, each in enumerate(predications):
        by_label.setdefault(each.label, []).append(place)
    for place, each in enumerate(predications):
        for role, value in each.args.items():
            label = equal.get(value, value)
            ends = by_label.get(label, []) if value[0] == "h" else [by_variable.get(value, -1)]
            rows.arcs += [(role, place, end) for end in ends if end >= 0 and role != "ARG0"]


def _derivations(rows: _DerivationRows, path: str) -> Constituents:
    from commonground.corpus.arrange import canonical  # noqa: PLC0415  # only here

    forms, tags, types, parents = (
        (list(column) for column in zip(*rows.words, strict=True))
        if (rows.words)
        else ([], [], [], [])
    )
    labels, above = (
        (list(column) for column in zip(*rows.nodes, strict=True)) if rows.nodes else ([], [])
    )
    words = Table(
        offsets_of(rows.word_counts),
        form=Strings.of(forms),
        tag=Strings.of(tags),
        lemma=Strings.of(types),
        parent=np.array(parents, np.int32),
    )
    nodes = Table(
        offsets_of(rows.node_counts), label=Strings.of(labels), parent=np.array(above, np.int32)
    )
    tables = canonical({"words": words, "nodes": nodes})
    return Constituents(tables, comments=rows.comments, path=path)


def _semantics(rows: _DerivationRows, path: str) -> Relations:
    nothing = np.full(len(rows.predicates), -1, np.int32)
    nodes = Table(
        offsets_of(rows.predicate_counts),
        text=Strings.of(text for text, _ in rows.predicates),
        tag=Strings.of(kind for _, kind in rows.predicates),
        first=nothing,
        last=nothing,
    )
    relations = Table(
        offsets_of(rows.arc_counts),
        label=Strings.of(role for role, _, _ in rows.arcs),
        head=np.array([head for _, head, _ in rows.arcs], np.int32),
        dependent=np.array([end for _, _, end in rows.arcs], np.int32),
    )
    return Relations({"nodes": nodes, "relations": relations}, comments=rows.comments, path=path)


# ── mining ───────────────────────────────────────────────────────────────────────────────────────


@cache
def _searches() -> tuple[Mapping[str, Search], Mapping[str, Search]]:
    path = Path(__file__).parent / "mining" / "derivations.toml"
    return read_searches(path, needed=False), read_searches(path, "mrs", needed=False)


def mine_profile(
    path: str | os.PathLike[str],
    *,
    searches: str | os.PathLike[str] | None = None,
    only: Sequence[str] = (),
    sample: int = 0,
    seed: int = 0,
) -> Mined:
    """Search the derivations of a profile for phenomena; the share is of items with a result."""
    profile = read_profile(path)
    by_rule, by_meaning = (
        _searches()
        if searches is None
        else (read_searches(searches, needed=False), read_searches(searches, "mrs", needed=False))
    )
    tree, meaning = graph_of(profile.derivations), graph_of(profile.semantics)
    names = [name for name in by_rule if not only or name in only]
    counts: dict[str, int] = {}
    matches: dict[str, int] = {}
    drawn: dict[str, list[Candidate]] = {}
    numbers: dict[str, dict[str, Any]] = {}
    for name in names:
        hits = [
            (graph, find(pattern, graph))
            for graph, search in ((tree, by_rule[name]), (meaning, by_meaning[name]))
            for pattern in search.patterns
        ]
        parts = [each.sentence for _, each in hits] or [np.empty(0, np.int64)]
        sentences = np.unique(np.concatenate(parts))
        counts[name], matches[name] = len(sentences), sum(len(each) for _, each in hits)
        numbers[name] = {profile.path: sentences + 1}
        keys = keys_of(sentences + 1, seed, f"{name} {Path(profile.path).name}")
        drawn[name] = [
            candidate_in(
                name, profile.path, hits, int(sentences[at]), int(keys[at]), profile.derivations
            )
            for at in np.argsort(keys, kind="stable")[:sample]
        ]
    return Mined(len(profile.derivations), counts, matches, drawn, numbers)


def _library(module: str) -> Any:
    from importlib import import_module  # noqa: PLC0415  # only here

    try:
        return import_module(f"delphin.{module}")
    except ImportError as error:
        raise MissingExtraError("an [incr tsdb()] profile", "delphin") from error


def _error() -> type[Exception]:
    error: type[Exception] = _library("exceptions").PyDelphinException
    return error
