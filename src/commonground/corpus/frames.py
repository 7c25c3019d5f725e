"""Corpora as data frames: Arrow, pandas and polars, whichever is installed.

A corpus becomes one frame per table. Each has a first column ``sentence``, the number of the
sentence (from 0) that a row belongs to; texts become dictionary-encoded (categorical) columns. The
way back gives an equal corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from commonground.corpus.corpus import Corpus
from commonground.corpus.strings import Strings
from commonground.corpus.table import Column, Table, offsets_of
from commonground.errors import MissingExtraError, UsageError

__all__ = [
    "from_arrow",
    "from_pandas",
    "from_polars",
    "to_arrow",
    "to_pandas",
    "to_polars",
]

C = TypeVar("C", bound=Corpus)


def to_arrow(corpus: Corpus) -> dict[str, Any]:
    """Return the tables of a corpus as pyarrow Tables."""
    arrow = _library("pyarrow", "arrow")

    def column(values: Column) -> Any:
        if isinstance(values, Strings):
            texts = arrow.array(values.vocabulary, type=arrow.string())
            return arrow.DictionaryArray.from_arrays(arrow.array(values.codes), texts)
        return arrow.array(values)

    return _frames(corpus, arrow.table, column)


def from_arrow(corpus: type[C], frames: Mapping[str, Any]) -> C:
    """Return the corpus that pyarrow Tables describe."""
    arrow = _library("pyarrow", "arrow")

    def columns(frame: Any) -> dict[str, Column]:
        return {name: column(frame.column(name)) for name in frame.column_names}

    def column(values: Any) -> Column:
        if arrow.types.is_dictionary(values.type) or arrow.types.is_string(values.type):
            return _text(values.to_pylist())
        return values.to_numpy()

    return _corpus(corpus, frames, columns)


def to_pandas(corpus: Corpus) -> dict[str, Any]:
    """Return the tables of a corpus as pandas DataFrames."""
    pandas = _library("pandas", "pandas")

    def column(values: Column) -> Any:
        if isinstance(values, Strings):
            return pandas.Categorical.from_codes(values.codes, categories=list(values.vocabulary))
        return values

    return _frames(corpus, pandas.DataFrame, column)


def from_pandas(corpus: type[C], frames: Mapping[str, Any]) -> C:
    """Return the corpus that pandas DataFrames describe."""
    pandas = _library("pandas", "pandas")

    def columns(frame: Any) -> dict[str, Column]:
        return {str(name): column(frame[name]) for name in frame.columns}

    def column(values: Any) -> Column:
        if pandas.api.types.is_numeric_dtype(values.dtype):
            return values.to_numpy()
        return _text(values.tolist())

    return _corpus(corpus, frames, columns)


def to_polars(corpus: Corpus) -> dict[str, Any]:
    """Return the tables of a corpus as polars DataFrames."""
    polars = _library("polars", "polars")

    def column(values: Column) -> Any:
        if isinstance(values, Strings):
            return polars.Series(values.tolist(), dtype=polars.Categorical)
        return polars.Series(values)

    return _frames(corpus, polars.DataFrame, column)


def from_polars(corpus: type[C], frames: Mapping[str, Any]) -> C:
    """Return the corpus that polars DataFrames describe."""
    _library("polars", "polars")

    def columns(frame: Any) -> dict[str, Column]:
        return {name: column(frame[name]) for name in frame.columns}

    def column(values: Any) -> Column:
        return values.to_numpy() if values.dtype.is_numeric() else _text(values.to_list())

    return _corpus(corpus, frames, columns)


def _library(name: str, extra: str) -> ModuleType:
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingExtraError(f"conversion to and from {name}", extra) from error


def _frames(
    corpus: Corpus, frame: Callable[[dict[str, Any]], Any], column: Callable[[Column], Any]
) -> dict[str, Any]:
    return {
        name: frame(
            {
                "sentence": column(table.sentence_of_row()),
                **{title: column(values) for title, values in table.columns.items()},
            }
        )
        for name, table in corpus.tables.items()
    }


def _corpus(
    corpus: type[C], frames: Mapping[str, Any], columns: Callable[[Any], dict[str, Column]]
) -> C:
    tables = {name: columns(frame) for name, frame in frames.items()}
    if any("sentence" not in table for table in tables.values()):
        raise UsageError("every frame needs a column 'sentence' with the number of the sentence")
    numbers = {name: np.asarray(table.pop("sentence")) for name, table in tables.items()}
    count = max((int(rows.max()) + 1 for rows in numbers.values() if len(rows)), default=0)
    for name, rows in numbers.items():
        if len(rows) and (rows.min() < 0 or (np.diff(rows) < 0).any()):
            raise UsageError(f"the column 'sentence' of {name} must count upwards from 0")
    return corpus(
        {
            name: Table(
                offsets_of(np.bincount(numbers[name].astype(np.int64), minlength=count)), **table
            )
            for name, table in tables.items()
        }
    )


def _text(values: list[Any]) -> Strings:
    return Strings.of("_" if value is None else str(value) for value in values)
