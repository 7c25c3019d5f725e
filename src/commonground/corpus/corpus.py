"""What all corpora share: sentences, cutting, joining, comparing, metadata.

A corpus is a few tables that are cut into the same sentences. Each kind of corpus (dependencies,
constituents, …) says which tables it has; all that is done with whole sentences is done here, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.strings import Strings
from commonground.corpus.table import Column, Table
from commonground.errors import UsageError

__all__ = ["Corpus", "Sentence", "numbers_column", "own_table", "strings_column"]

_NUMBER = re.compile("[0-9]{1,9}")
"""The number of a sentence; no corpus has more than a billion."""

C = TypeVar("C", bound="Corpus")


class Corpus:
    """A corpus: tables by name, all cut into the same sentences.

    Two tables are always there: ``sentences`` has one row per sentence with its ``comments`` (the
    lines, with their ``#``, joined by newlines), ``origin`` has the ``path`` and the ``line`` that
    each sentence was read from (for error messages; it does not take part in comparisons), and its
    ``number`` in the whole treebank where that is to be known of some of its sentences.
    """

    __slots__ = ("_sent_id", "tables")

    kind: ClassVar[str] = "corpus"
    main: ClassVar[str] = "words"
    required: ClassVar[dict[str, tuple[str, ...]]] = {}

    _sent_id: Strings

    def __init__(
        self,
        tables: dict[str, Table],
        *,
        comments: Sequence[str] | Strings | None = None,
        path: str = "<memory>",
        lines: NDArray[np.integer] | None = None,
    ) -> None:
        """Make a corpus of its tables; `comments` and `lines` have one entry per sentence."""
        tables = self.completed(tables)
        count = tables[self.main].sentences
        each = np.arange(count + 1)
        self.tables = dict(tables)
        if "sentences" not in tables:
            block = Strings.constant("", count) if comments is None else comments
            block = block if isinstance(block, Strings) else Strings.of(block)
            self.tables["sentences"] = Table(each, comments=block)
        if "origin" not in tables:
            numbers = np.zeros(count, np.int64) if lines is None else lines.astype(np.int64)
            self.tables["origin"] = Table(each, path=Strings.constant(path, count), line=numbers)
        for name, columns in self.required.items():
            missing = [c for c in columns if c not in self.tables[name]]
            if missing:
                raise ValueError(f"the {name} of {self.kind} lack {', '.join(missing)}")
        uneven = [name for name, table in self.tables.items() if table.sentences != count]
        if uneven:
            raise ValueError(f"{', '.join(uneven)} do not have {count} sentences")

    @classmethod
    def completed(cls, tables: dict[str, Table]) -> dict[str, Table]:
        """Return the tables with those tables and columns added that a file may leave out."""
        return tables

    # ── sentences ────────────────────────────────────────────────────────────────────────────────

    def __len__(self) -> int:
        return self.tables[self.main].sentences

    @overload
    def __getitem__(self, which: int | str) -> Sentence[Self]: ...
    @overload
    def __getitem__(self, which: slice | NDArray[np.generic] | Sequence[int]) -> Self: ...
    def __getitem__(
        self, which: int | str | slice | NDArray[np.generic] | Sequence[int]
    ) -> Sentence[Self] | Self:
        """Return one sentence (by place or by sent_id), or a corpus of some sentences."""
        if isinstance(which, str):
            return Sentence(self, self.index(which))
        if isinstance(which, int | np.integer):
            place = int(which) + (len(self) if which < 0 else 0)
            if not 0 <= place < len(self):
                raise IndexError(f"sentence {which} of {len(self)}")
            return Sentence(self, place)
        if isinstance(which, slice):
            start, stop, step = which.indices(len(self))
            if step == 1:
                return self._each(lambda table: table.span(start, max(start, stop)))
            return self.take(np.arange(start, stop, step))
        return self.take(np.asarray(which))

    def __iter__(self) -> Iterator[Sentence[Self]]:
        return (Sentence(self, place) for place in range(len(self)))

    def take(self, which: NDArray[np.generic]) -> Self:
        """Return the sentences with these numbers, or those where a mask is true."""
        numbers = np.flatnonzero(which) if which.dtype == np.bool_ else which.astype(np.int64)
        return self._each(lambda table: table.take(numbers))

    def filter(self, predicate: Callable[[Sentence[Self]], bool]) -> Self:
        """Return the sentences for which `predicate` is true."""
        return self.take(np.fromiter((predicate(one) for one in self), np.bool_, len(self)))

    def chunks(self, sentences: int = 1000) -> Iterator[Self]:
        """Return the corpus in pieces of at most so many sentences."""
        return (self[start : start + sentences] for start in range(0, len(self), sentences))

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Put corpora one after the other."""
        if not parts:
            raise ValueError("nothing to concatenate")
        names = parts[0].tables
        return cls({n: Table.concatenate([part.tables[n] for part in parts]) for n in names})

    def __add__(self, other: Self) -> Self:
        return self.concatenate([self, other])

    def replace(self, table: str, **columns: Column) -> Self:
        """Return a corpus with other columns in one of its tables."""
        return type(self)({**self.tables, table: self.tables[table].replace(**columns)})

    def _each(self, function: Callable[[Table], Table]) -> Self:
        return type(self)({name: function(table) for name, table in self.tables.items()})

    # ── metadata ─────────────────────────────────────────────────────────────────────────────────

    @property
    def comments(self) -> Strings:
        """The comment lines of each sentence, with their ``#``, joined by newlines."""
        return self.tables["sentences"].strings("comments")

    def metadata(self, key: str) -> Strings:
        """Return what the comments ``# key = value`` say, the empty string where there is none."""
        return self.comments.map(lambda comments: _said(comments, key))

    def numbered(self, first: int = 1) -> Self:
        """Return the corpus with its sentences numbered; they keep the numbers when it is cut.

        >>> from commonground.corpus import Dependencies
        >>> corpus = Dependencies.of([(["Hi"], [0], ["root"])] * 3)
        >>> corpus[1:].sent_id.tolist(), corpus.numbered()[1:].sent_id.tolist()
        (['1', '2'], ['2', '3'])
        """
        return self.replace("origin", number=np.arange(first, first + len(self)))

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The number of each sentence: its place (from 1), unless they were numbered."""
        if "number" in self.tables["origin"]:
            return self.tables["origin"].numbers("number").astype(np.int64)
        return np.arange(1, len(self) + 1)

    @property
    def sent_id(self) -> Strings:
        """The sent_id of each sentence, its number where it has none."""
        try:
            return self._sent_id
        except AttributeError:  # reports and breakdowns ask for them again and again
            names = zip(self.metadata("sent_id").tolist(), self.numbers.tolist(), strict=True)
            self._sent_id = Strings.of(name or str(number) for name, number in names)
            return self._sent_id

    def names(self, which: NDArray[np.bool_]) -> tuple[str, ...]:
        """Return the sent_ids of the sentences where a mask is true, often of none at all."""
        places = np.flatnonzero(which)
        ids = zip(self.metadata("sent_id")[places], self.numbers[places].tolist(), strict=True)
        return tuple(name or str(number) for name, number in ids)

    def index(self, sent_id: str) -> int:
        """Return the place of the sentence with this sent_id, or with this number (from 1)."""
        ids = self.sent_id
        places = np.flatnonzero(ids.where(lambda name: name == sent_id))
        if len(places):
            return int(places[0])
        if _NUMBER.fullmatch(sent_id) and 0 < int(sent_id) <= len(self):
            return int(sent_id) - 1
        first = f", from {ids[0]!r} on" if len(ids) else ""
        raise KeyError(f"no sentence {sent_id!r}; there are {len(self)}{first}")

    @property
    def lines(self) -> NDArray[np.int64]:
        """The line of its file on which each sentence begins, 0 where it comes from no file."""
        return self.tables["origin"].numbers("line").astype(np.int64)

    # ── data frames ──────────────────────────────────────────────────────────────────────────────

    def to_arrow(self, table: str = "words") -> Any:
        """Return a table as a pyarrow Table, by default the words, or ``all`` in a dict.

        Its first column is ``sentence``, the number of the sentence from 0.
        """
        return _one(_frames().to_arrow(self), self.main, table)

    @classmethod
    def from_arrow(cls, frames: Mapping[str, Any]) -> Self:
        """Return the corpus that pyarrow Tables describe, as ``to_arrow("all")`` has them."""
        corpus: Self = _frames().from_arrow(cls, frames)
        return corpus

    def to_pandas(self, table: str = "words") -> Any:
        """Return a table as a pandas DataFrame, by default the words, or ``all`` in a dict.

        Its first column is ``sentence``, the number of the sentence from 0.
        """
        return _one(_frames().to_pandas(self), self.main, table)

    @classmethod
    def from_pandas(cls, frames: Mapping[str, Any]) -> Self:
        """Return the corpus that pandas DataFrames describe, as ``to_pandas("all")`` has them."""
        corpus: Self = _frames().from_pandas(cls, frames)
        return corpus

    def to_polars(self, table: str = "words") -> Any:
        """Return a table as a polars DataFrame, by default the words, or ``all`` in a dict.

        Its first column is ``sentence``, the number of the sentence from 0.
        """
        return _one(_frames().to_polars(self), self.main, table)

    @classmethod
    def from_polars(cls, frames: Mapping[str, Any]) -> Self:
        """Return the corpus that polars DataFrames describe, as ``to_polars("all")`` has them."""
        corpus: Self = _frames().from_polars(cls, frames)
        return corpus

    # ── values ───────────────────────────────────────────────────────────────────────────────────

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        return None, {"tables": self.tables}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Corpus)
        return all(self.tables[n] == other.tables[n] for n in self.tables if n != "origin")

    __hash__ = None  # type: ignore[assignment]  # a corpus is a container

    def __repr__(self) -> str:
        rows = ", ".join(
            f"{table.rows:,} {name}"
            for name, table in self.tables.items()
            if table.rows and name != "origin"
        )
        return f"{type(self).__name__}({rows or 'empty'})"

    def _repr_html_(self) -> str:
        from commonground.corpus.notebook import corpus_html  # noqa: PLC0415  # only in notebooks

        return corpus_html(self)


def _said(comments: str, key: str) -> str:
    """Return what the first comment ``# key = value`` says, or the empty string."""
    match = _pattern(key).search(comments)
    return match.group(1) if match else ""


@lru_cache(maxsize=64)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(rf"^#\s*{re.escape(key)}\s*=[^\S\n]*(.*?)[^\S\n]*$", re.MULTILINE)


def _frames() -> ModuleType:
    from commonground.corpus import frames  # noqa: PLC0415  # it knows corpora, and is seldom used

    return frames


class Word:
    """One word of a sentence (or one row of its main table): columns are attributes.

    `id` counts from 1, as heads do.
    """

    __slots__ = ("place", "sentence")

    def __init__(self, sentence: Sentence[Any], place: int) -> None:
        self.sentence = sentence
        self.place = place

    @property
    def id(self) -> int:
        """The number of the word in its sentence, from 1."""
        return self.place + 1

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.sentence, name)[self.place]
        return value if isinstance(value, str) else value.item()

    def __repr__(self) -> str:
        return f"<{self.id} {self.form}>"


def _one(frames: dict[str, Any], main: str, table: str) -> Any:
    """Return the frame of a table, that of the main table where a corpus has no words, or all."""
    if table == "all":
        return frames
    wanted = main if table == "words" and "words" not in frames else table
    if wanted not in frames:
        raise UsageError(f"there is no table {table!r}; there are {', '.join(frames)}, or all")
    return frames[wanted]


class Sentence(Generic[C]):
    """One sentence of a corpus: a cheap view.

    A column of the corpus's main table is an attribute: texts as a list of str, numbers as an
    array.
    """

    __slots__ = ("corpus", "place")

    def __init__(self, corpus: C, place: int) -> None:
        self.corpus = corpus
        self.place = place

    def column(self, name: str, table: str | None = None) -> Any:
        """Return the rows of this sentence in a column: a list of str, or an array."""
        whole = self.corpus.tables[table or self.corpus.main]
        first, last = int(whole.offsets[self.place]), int(whole.offsets[self.place + 1])
        rows = whole.columns[name][first:last]
        return rows.tolist() if isinstance(rows, Strings) else rows

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.corpus.tables[self.corpus.main]:
            raise AttributeError(name)
        return self.column(name)

    def __len__(self) -> int:
        offsets = self.corpus.tables[self.corpus.main].offsets
        return int(offsets[self.place + 1] - offsets[self.place])

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, which: int) -> Word: ...
    @overload
    def __getitem__(self, which: slice) -> list[Word]: ...
    def __getitem__(self, which: int | slice) -> Word | list[Word]:
        """Return a word of the sentence, by its place from 0 (or from the end), or several."""
        return self.words[which]

    @property
    def words(self) -> list[Word]:
        """The words of the sentence, each with the columns of its row as attributes."""
        return [Word(self, place) for place in range(len(self))]

    @property
    def text(self) -> str:
        """The text of the sentence: what its comments say, or else its words between spaces."""
        if said := self.metadata("text"):
            return said
        tables = self.corpus.tables
        name = next((n for n in ("words", "source_words") if n in tables), "")
        if not name:
            return ""
        forms: list[str] = self.column("form", name)
        if "tag" not in tables[name]:
            return " ".join(forms)
        tags = self.column("tag", name)
        return " ".join(form for form, tag in zip(forms, tags, strict=True) if tag != "-NONE-")

    @property
    def sent_id(self) -> str:
        """The sent_id, or the sentence's number where it has none."""
        return self.metadata("sent_id") or str(self.number)

    @property
    def number(self) -> int:
        """The sentence's number: its place (from 1), unless the corpus was numbered."""
        return int(self.corpus.numbers[self.place])

    @property
    def comments(self) -> list[str]:
        """The comment lines, with their ``#``."""
        block = self.corpus.comments[self.place]
        return block.split("\n") if block else []

    def metadata(self, key: str) -> str:
        """Return what the comment ``# key = value`` says, or the empty string."""
        return _said(self.corpus.comments[self.place], key)

    @property
    def line(self) -> int:
        """The line of its file on which the sentence begins, 0 where it comes from no file."""
        return int(self.corpus.lines[self.place])

    @property
    def alone(self) -> C:
        """The corpus of only this sentence."""
        return self.corpus[self.place : self.place + 1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and bool(self.alone == other.alone)

    __hash__ = None  # type: ignore[assignment]  # a view of a container

    def __repr__(self) -> str:
        forms = self.column("form") if "form" in self.corpus.tables[self.corpus.main] else []
        text = " ".join(forms[:12]) + (" …" if len(forms) > 12 else "")
        return f"<{self.sent_id}: {text}>"

    def _repr_html_(self) -> str:
        return self.alone._repr_html_()

    def _repr_svg_(self) -> str | None:
        from commonground.corpus.notebook import sentence_svg  # noqa: PLC0415  # only in notebooks

        return sentence_svg(self.alone)


class own_table:  # noqa: N801  # used like @property
    """A table as an attribute of the corpus."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, corpus: None, owner: type) -> own_table: ...
    @overload
    def __get__(self, corpus: Corpus, owner: type) -> Table: ...
    def __get__(self, corpus: Corpus | None, owner: type) -> own_table | Table:
        return self if corpus is None else corpus.tables[self.name]


class strings_column:  # noqa: N801  # used like @property
    """A column of text as an attribute of the corpus."""

    def __init__(self, table: str, doc: str) -> None:
        self.table = table
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, corpus: None, owner: type) -> strings_column: ...
    @overload
    def __get__(self, corpus: Corpus, owner: type) -> Strings: ...
    def __get__(self, corpus: Corpus | None, owner: type) -> strings_column | Strings:
        return self if corpus is None else corpus.tables[self.table].strings(self.name)


class numbers_column:  # noqa: N801  # used like @property
    """A column of numbers as an attribute of the corpus."""

    def __init__(self, table: str, doc: str) -> None:
        self.table = table
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, corpus: None, owner: type) -> numbers_column: ...
    @overload
    def __get__(self, corpus: Corpus, owner: type) -> NDArray[np.int32]: ...
    def __get__(self, corpus: Corpus | None, owner: type) -> numbers_column | NDArray[np.int32]:
        return self if corpus is None else corpus.tables[self.table].numbers(self.name)
