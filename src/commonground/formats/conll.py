"""The family of CoNLL formats: a word a line, columns between tabs, a blank line after a sentence.

A :class:`Layout` says which column is what; the rest is the same for CoNLL-U, CoNLL-X, CoNLL-2008 and
CoNLL-2009. Reading numbers the distinct texts of each column (a kernel), then decides everything on
the few distinct texts and with whole columns. Only when that finds something wrong, a second, slow
reader (:func:`problems`) goes through the lines to say what it is and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings, Table
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, Options, blank_line_cut, first_problem
from commonground.kernels import load

__all__ = ["Layout", "member", "problems", "read", "rows_match", "write"]

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_WORD, _TOKEN, _NODE, _BAD = range(4)
MOST_COLUMNS = 64
"""More columns than any treebank has; the compiled kernel has room for so many."""
NUMERIC = frozenset({"head", "phead"})


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a format: their names in the format's own words, and in the corpus.

    `specials` tells whether there are multiword tokens (``1-2``) and empty nodes (``1.1``), and
    `comments` whether there are comments; what a format does not have is not written. With `tail`
    the last column is the rest of the line, and may be absent. `instead` names, for columns that a
    corpus from another format lacks, those to write in their place.
    """

    titles: tuple[str, ...]
    columns: tuple[str, ...]
    specials: bool = False
    comments: bool = False
    tail: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)


def member(layout: Layout, row: str, likelihood: float, **described: Any) -> Format:
    """Return a format of the family; lines that match `row` tell it with some `likelihood`."""
    described.setdefault("looks_like", lambda start: likelihood * rows_match(row, start))
    return Format(
        corpus=Dependencies,
        read=partial(read, layout=layout),
        problems=partial(problems, layout=layout),
        write=partial(write, layout=layout),
        cut=blank_line_cut,
        **described,
    )


def rows_match(pattern: str, start: str) -> bool:
    """Tell whether the lines of words at the start of a file are like `pattern`."""
    rows = [row for row in start.split("\n") if row and not row.startswith("#")]
    matching = sum(1 for row in rows if re.fullmatch(pattern, row))
    return 0 < matching >= len(rows) - 1  # the last one may be cut


def read(data: bytes, path: str, line: int, options: Options, layout: Layout) -> Dependencies:
    """Read a whole file."""
    try:
        return _read(data, path, line, options, layout)
    except ValueError as error:
        found = first_problem(path, line, problems(data, options, layout))
        raise found from error


def _read(data: bytes, path: str, line: int, options: Options, layout: Layout) -> Dependencies:
    tabulate = load("tabulate").tabulate
    codes, texts, offsets, comments, lines = tabulate(data, len(layout.columns), layout.tail)
    columns = {
        name: Strings(numbers, distinct)
        for name, numbers, distinct in zip(layout.columns, codes, texts, strict=True)
    }
    tables = _split(Table(offsets, **columns), options, layout)
    return Dependencies(tables, comments=comments, path=path, lines=lines + (line - 1))


def _split(lines: Table, options: Options, layout: Layout) -> dict[str, Table]:
    """Separate the lines of words, multiword tokens and empty nodes, and check the numbers."""
    ids = lines.strings("id")
    parsed = np.array([_parse_id(text) for text in ids.vocabulary], np.int64).reshape(-1, 3)
    kind, major, minor = (parsed[:, i][ids.codes] for i in range(3))
    if (kind == _BAD).any() or (not layout.specials and (kind != _WORD).any()):
        raise ValueError("an ID that is none")
    is_word = kind == _WORD
    words_before = np.concatenate([[0], np.cumsum(is_word)])
    offsets = words_before[lines.offsets]
    lengths = np.diff(offsets)
    before = words_before[:-1] - np.repeat(offsets[:-1], lines.lengths)  # in the sentence
    if not np.array_equal(major, before + (kind != _NODE)):
        raise ValueError("an ID out of order")
    rest = {name: column for name, column in lines.columns.items() if name != "id"}
    if is_word.all():
        return {"words": Table(offsets, **_numeric(rest, lengths, options))}
    _check_specials(kind, major, minor, np.repeat(lengths, lines.lengths), lines)
    text = {name: column for name, column in rest.items() if name not in NUMERIC}
    if any(np.any(rest[n][~is_word].where(lambda t: t != "_")) for n in NUMERIC if n in rest):  # type: ignore[union-attr]
        raise ValueError("a HEAD where there can be none")
    numbers = {"tokens": ("first", "last"), "empties": ("major", "minor")}
    tables = {}
    for name, which in (("tokens", kind == _TOKEN), ("empties", kind == _NODE)):
        counts = np.concatenate([[0], np.cumsum(which)])
        one, two = numbers[name]
        tables[name] = Table(
            counts[lines.offsets],
            **{one: major[which].astype(np.int32), two: minor[which].astype(np.int32)},
            **{n: column[which] for n, column in text.items()},
        )
    words = {name: column[is_word] for name, column in rest.items()}
    return {"words": Table(offsets, **_numeric(words, lengths, options)), **tables}


def _parse_id(text: str) -> tuple[int, int, int]:
    if text.isdecimal() and _NUMBER.fullmatch(text):
        return (_WORD, int(text), 0)
    if found := _RANGE.fullmatch(text):
        return (_TOKEN, int(found[1]), int(found[2]))
    if found := _EMPTY.fullmatch(text):
        return (_NODE, int(found[1]), int(found[2]))
    return (_BAD, 0, 0)


def _check_specials(
    kind: NDArray[np.int64],
    major: NDArray[np.int64],
    minor: NDArray[np.int64],
    length: NDArray[np.int64],
    lines: Table,
) -> None:
    """Check that multiword tokens do not overlap and that empty nodes are numbered in order."""
    token, node = kind == _TOKEN, kind == _NODE
    sentence = lines.sentence_of_row()
    first, last, where = major[token], minor[token], sentence[token]
    if (last < first).any() or (last > length[token]).any():
        raise ValueError("a multiword token that ends nowhere")
    if ((where[1:] == where[:-1]) & (first[1:] <= last[:-1])).any():
        raise ValueError("multiword tokens that overlap")
    at = np.flatnonzero(node)
    follows = np.zeros(len(at), np.bool_)
    follows[1:] = (at[1:] == at[:-1] + 1) & (sentence[at][1:] == sentence[at][:-1])
    expected = np.where(follows, np.concatenate([[0], minor[at][:-1]]) + 1, 1)
    if not np.array_equal(minor[at], expected):
        raise ValueError("empty nodes out of order")
    after_token = np.zeros(len(kind), np.bool_)
    after_token[1:] = token[:-1] & (sentence[1:] == sentence[:-1])
    if (after_token & (kind != _WORD)).any():
        raise ValueError("a multiword token that is not followed by its first word")


def _numeric(
    columns: dict[str, Strings], lengths: NDArray[np.int64], options: Options
) -> dict[str, Strings | NDArray[np.int32]]:
    """Turn the columns of heads into numbers, -1 for ``_``."""
    result: dict[str, Strings | NDArray[np.int32]] = dict(columns)
    for name in NUMERIC & columns.keys():
        heads = columns[name].values(_parse_head).astype(np.int32)
        lowest = -1 if options.partial or name != "head" else 0
        if (heads < lowest).any() or (heads > np.repeat(lengths, lengths)).any():
            raise ValueError("a HEAD out of range")
        result[name] = heads
    return result


def _parse_head(text: str) -> int:
    if text == "_":
        return -1
    return int(text) if _NUMBER.fullmatch(text) else -2


# ── what is wrong, line by line ──────────────────────────────────────────────────────────────────


def problems(data: bytes, options: Options, layout: Layout) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    sentence: list[tuple[int, list[str]]] = []
    comment = 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            yield Problem(number, f"byte {error.start + 1} is not UTF-8; save the file as UTF-8")
            text = raw.decode("utf-8", "replace")
        if not text:
            yield from _sentence_problems(sentence, comment, options, layout)
            sentence, comment = [], 0
        elif text.startswith("#"):
            comment = comment or number
            if sentence:
                yield Problem(number, "a comment inside a sentence; comments stand before its first word")
        else:
            fields, found = _fields(number, text, layout)
            yield from found
            sentence.append((number, fields))
    yield from _sentence_problems(sentence, comment, options, layout)


def _fields(number: int, text: str, layout: Layout) -> tuple[list[str], list[Problem]]:
    width = len(layout.columns)
    fields = text.split("\t", width - 1) if layout.tail else text.split("\t")
    if layout.tail and len(fields) == width - 1:
        fields.append("")
    if not text.strip():
        return [], [Problem(number, "white space where a blank line or a word is expected")]
    if len(fields) != width:
        hint = "; they must be separated by tabs" if "\t" not in text else ""
        wanted = f"{'at least ' if layout.tail else ''}{width - layout.tail} are expected"
        return [], [Problem(number, f"{len(fields)} column(s); {wanted}{hint}")]
    return fields, [
        Problem(number, f"{title} is empty; write _ for nothing")
        for field, title in zip(fields[: width - layout.tail], layout.titles, strict=False)
        if not field
    ]


def _sentence_problems(
    sentence: list[tuple[int, list[str]]], comment: int, options: Options, layout: Layout
) -> Iterator[Problem]:
    if not sentence:
        if comment:
            yield Problem(comment, "comments without words; a sentence must follow them at once")
        return
    at = layout.columns.index("id")
    length = sum(1 for _, fields in sentence if fields and _NUMBER.fullmatch(fields[at]))
    words, minor, covered = 0, 0, 0
    pending: tuple[int, str] | None = None  # a multiword token whose first word must come next
    for number, fields in sentence:
        if not fields:
            continue
        kind, one, two = _parse_id(fields[at])
        shown = quoted(fields[at])
        if pending and not (kind == _WORD and one == words + 1):
            yield Problem(pending[0], f"multiword token {pending[1]} is not followed by its first word")
        pending = None
        if kind == _WORD:
            if one != words + 1:
                yield Problem(number, f"ID is {shown}; {words + 1} is expected")
            words, minor = one, 0
        elif kind == _BAD or not layout.specials:
            allowed = "a number such as 1, 1-2 or 1.1" if layout.specials else "a number from 1"
            yield Problem(number, f"ID is {shown}; {allowed} is expected")
        elif kind == _TOKEN:
            pending = (number, fields[at])
            if one != words + 1:
                yield Problem(number, f"multiword token {shown}; it must stand before word {one}")
            if two < one or two > length:
                yield Problem(number, f"multiword token {shown}; the sentence has {length} word(s)")
            if one <= covered:
                yield Problem(number, f"multiword token {shown} overlaps the one before it")
            covered = max(covered, two)
        else:
            minor += 1
            if (one, two) != (words, minor):
                yield Problem(number, f"empty node {shown}; {words}.{minor} is expected")
            minor = two
        yield from _head_problems(number, fields, kind, length, options, layout)
    if pending:
        yield Problem(pending[0], f"multiword token {pending[1]} is not followed by its first word")


def _head_problems(
    number: int, fields: list[str], kind: int, length: int, options: Options, layout: Layout
) -> Iterator[Problem]:
    for name, title, text in zip(layout.columns, layout.titles, fields, strict=True):
        if name not in NUMERIC:
            continue
        head = _parse_head(text)
        if kind in (_TOKEN, _NODE):
            if text != "_":
                yield Problem(number, f"{title} is {quoted(text)}; only words have one, write _")
        elif head == -2:
            yield Problem(number, f"{title} is {quoted(text)}; a number from 0 is expected")
        elif head > length:
            yield Problem(number, f"{title} is {head}; the sentence has {length} word(s)")
        elif head == -1 and name == "head" and not options.partial:
            yield Problem(number, f"{title} is _; allow partial trees, or give every word a head")


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

_CHUNK = 5000


def write(corpus: Dependencies, layout: Layout) -> Iterator[bytes]:
    """Return the bytes of a file, some thousand sentences at a time."""
    for chunk in corpus.chunks(_CHUNK):
        yield _write(chunk, layout).encode("utf-8")


def _write(corpus: Dependencies, layout: Layout) -> str:
    words = corpus.words
    ids = list(map(str, (words.row_in_sentence() + 1).tolist()))
    lines = _lines(words, ids, layout)
    extra = _special_lines(corpus, layout) if layout.specials else {}
    out: list[str] = []
    bounds = words.offsets.tolist()
    for sentence, comments in enumerate(corpus.comments.tolist()):
        if comments and layout.comments:
            out.append(comments)
        block = lines[bounds[sentence] : bounds[sentence + 1]]
        for place, line in reversed(extra.get(sentence, ())):
            block.insert(place, line)
        out += block
        out.append("")
    return "\n".join([*out, ""]) if out else ""


def _lines(table: Table, ids: list[str], layout: Layout) -> list[str]:
    columns = [ids if name == "id" else _texts(table, name, layout) for name in layout.columns]
    rows = map("\t".join, zip(*columns, strict=True))
    return [row.rstrip("\t") for row in rows] if layout.tail else list(rows)


def _texts(table: Table, name: str, layout: Layout) -> list[str]:
    if name not in table and layout.tail and name == layout.columns[-1]:
        return [""] * table.rows
    name = name if name in table else layout.instead.get(name, name)
    if name not in table:
        return ["_"] * table.rows
    column = table[name]
    if isinstance(column, Strings):
        return column.tolist()
    return ["_" if number < 0 else str(number) for number in column.tolist()]


def _special_lines(corpus: Dependencies, layout: Layout) -> dict[int, list[tuple[int, str]]]:
    """Return per sentence the lines that are not words, each with the place it is inserted at."""
    found: dict[int, list[tuple[int, int, str]]] = {}
    tokens, empties = corpus.tokens, corpus.empties
    first, last = tokens.numbers("first").tolist(), tokens.numbers("last").tolist()
    major, minor = empties.numbers("major").tolist(), empties.numbers("minor").tolist()
    token_lines = _lines(tokens, [f"{a}-{b}" for a, b in zip(first, last, strict=True)], layout)
    empty_lines = _lines(empties, [f"{a}.{b}" for a, b in zip(major, minor, strict=True)], layout)
    for sentence, a, b, line in zip(
        empties.sentence_of_row().tolist(), major, minor, empty_lines, strict=True
    ):
        found.setdefault(sentence, []).append((a, b, line))
    for sentence, a, line in zip(tokens.sentence_of_row().tolist(), first, token_lines, strict=True):
        found.setdefault(sentence, []).append((a - 1, 1 << 30, line))  # after the empty nodes there
    return {s: [(place, line) for place, _, line in sorted(x)] for s, x in found.items()}

