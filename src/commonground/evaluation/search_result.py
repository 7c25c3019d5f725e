"""What a search has found, as a result: it can be saved, read again and shown in a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import msgspec

from commonground.errors import InputError
from commonground.evaluation.decoding import Count, decoded
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import signature
from commonground.patterns.occurrences import Occurrence, Occurrences, Property

__all__ = ["SearchResult"]


@dataclass(frozen=True)
class SearchResult(Result):
    """The matches of a pattern: how many, by what they were counted, and examples."""

    kind: ClassVar[str] = "search"
    verb: ClassVar[str] = "search"

    occurrences: Occurrences

    @property
    def signature(self) -> str:
        """What the numbers depend on; the digests of the files are in the request."""
        by = "+".join(map(str, self.occurrences.properties)) or "none"
        return signature(pattern=self.occurrences.pattern, by=by)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        data = self.occurrences.to_json()
        return {"kind": self.kind, "signature": self.signature, **data}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the search that JSON holds."""
        saved = decoded(data, _SearchJson, path)
        properties = []
        for text in saved.by:
            node, dot, column = text.partition(".")
            if not (node and dot and column):
                raise InputError(path, 0, f"by: {text!r} is no property of a node, such as N.lemma")
            properties.append(Property(node, column))
        if any(len(each.values) != len(properties) for each in saved.clusters):
            raise InputError(path, 0, "clusters: each has a value for every property of by")
        clusters = Counter({each.values: each.matches for each in saved.clusters})
        examples = [each.decoded(path) for each in saved.examples]
        return cls(
            Occurrences(
                saved.pattern, tuple(properties), saved.matches, saved.sentences.matching,
                saved.sentences.all, clusters, examples,
            )
        )  # fmt: skip


class _ExampleJson(msgspec.Struct, frozen=True):
    file: str
    line: Count
    sent_id: str
    text: str
    nodes: dict[str, tuple[Count, Count]]
    forms: tuple[str, ...] = ()

    def decoded(self, path: str) -> Occurrence:
        if any(not 1 <= one <= other <= len(self.forms) for one, other in self.nodes.values()):
            raise InputError(path, 0, f"examples: a node of {self.sent_id!r} has no such words")
        nodes = {name: (one - 1, other - 1) for name, (one, other) in self.nodes.items()}
        return Occurrence(self.file, self.line, self.sent_id, self.text, self.forms, nodes)


class _ClusterJson(msgspec.Struct, frozen=True):
    values: tuple[str, ...]
    matches: Count


class _SentencesJson(msgspec.Struct, frozen=True):
    matching: Count
    all: Count


class _SearchJson(msgspec.Struct, frozen=True):
    pattern: str
    matches: Count
    sentences: _SentencesJson
    by: tuple[str, ...]
    clusters: tuple[_ClusterJson, ...]
    examples: tuple[_ExampleJson, ...]
