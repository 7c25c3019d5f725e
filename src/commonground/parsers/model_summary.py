"""What is in the file of a model: told by what it holds, without the programs that would run it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from commonground.formats.storage.files import shown
from commonground.parsers.model_file import Stored, read_model

__all__ = ["ModelSummary", "summarize_model"]


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """What a model is and what it was trained on; what an older file does not tell is None."""

    file: str
    parser: str
    built_on: tuple[str, ...]
    tags: str | None
    encoding: str | None
    splits_text: bool
    clusters: bool
    iterations: int | None
    sentences: int | None
    words: int | None
    seed: int | None
    settings: Mapping[str, Any]
    megabytes: float | None
    version: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as JSON has it."""
        return {"format": "model", **asdict(self)}


def summarize_model(path: str | os.PathLike[str]) -> ModelSummary:
    """Summarize what is in the file of a model."""
    stored = read_model(path)
    metadata = stored.metadata
    training = _of_type(metadata.get("training"), dict) or {}
    log = _of_type(metadata.get("log"), list)
    own = stored.parts.get("model", stored)
    return ModelSummary(
        shown(path),
        stored.parser,
        tuple(each.parser for each in own.parts.values() if each.metadata or each.parts),
        _of_type(metadata.get("tags"), str),
        _of_type(metadata.get("encoding"), str) or None,
        "segmenter" in stored.parts,
        "clusters" in stored.parts,
        None if log is None else len(log),
        _of_type(training.get("sentences"), int),
        _of_type(training.get("words"), int),
        _of_type(training.get("seed"), int),
        _of_type(training.get("settings"), dict) or {},
        None if stored.text else round(sum(_sizes(stored)) / 1e6, 1),
        _of_type(metadata.get("commonground"), str),
    )


def _of_type(value: Any, kind: type) -> Any:
    return value if isinstance(value, kind) else None


def _sizes(stored: Stored) -> Iterator[int]:
    """Return how many bytes the arrays of a model and its parts have in memory."""
    for array in stored.arrays.values():
        yield array.nbytes
    for part in stored.parts.values():
        yield from _sizes(part)
