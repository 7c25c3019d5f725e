"""The family of CoNLL formats: a word a line, columns between tabs, a blank line after a sentence.

A :class:`Layout` says which column is what; the rest is the same for CoNLL-U, CoNLL-X, CoNLL-2008
and CoNLL-2009. Reading numbers the distinct texts of each column (a kernel), then decides
everything on the few distinct texts and with whole columns. Only when that finds something wrong,
``conll_problems`` goes through the lines to say what it is and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, compress, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings, Table
from commonground.corpus.strings import LaterStrings
from commonground.errors import Problem, UsageError, quoted
from commonground.formats.format import (
    Format,
    FormatOptions,
    blank_line_cut,
    blank_line_ends,
    first_problem,
)
from commonground.formats.notation.conll_lines import (
    BAD,
    EMPTY,
    NUMERIC,
    TOKEN,
    WORD,
    Layout,
    parse_head,
    parse_id,
)
from commonground.formats.notation.conll_mending import arranged, widened
from commonground.kernels import load

__all__ = ["Layout", "member", "read", "rows_match", "write"]


def member(layout: Layout, row: str, likelihood: float, **described: Any) -> Format:
    """Return a format of the family; lines that match `row` tell it with some `likelihood`."""
    described.setdefault("looks_like", lambda start: likelihood * rows_match(row, start))
    return Format(
        corpus=Dependencies,
        read=partial(read, layout=layout),
        problems=partial(problems, layout=layout),
        write=partial(write, layout=layout),
        cut=blank_line_cut,
        ends=blank_line_ends,
        **described,
    )


def rows_match(pattern: str, start: str) -> bool:
    """Tell whether the lines of words at the start of a file are like `pattern`."""
    rows = [row for row in start.split("\n") if row and not row.startswith("#")]
    fits = re.compile(pattern).fullmatch
    others = islice((row for row in rows if not fits(row)), 2)
    return len(list(others)) < min(2, len(rows))  # the last one may be cut


def read(data: bytes, path: str, line: int, options: FormatOptions, layout: Layout) -> Dependencies:
    """Read a whole file; what is to be mended is looked for only where it cannot be read."""
    try:
        return _read(data, path, line, options, layout)
    except ValueError:
        mended = arranged(widened(_filled(data, layout), layout), layout)
    try:
        return _read(mended, path, line, options, layout)
    except ValueError as error:
        wrong = first_problem(path, line, problems(data, options, layout))
        raise wrong from error


def _filled(data: bytes, layout: Layout) -> bytes:
    r"""Return the lines with ``_`` in columns that are empty, as parsers leave them that have none.

    Without an ID, a form or a head a word is none, so that these stay as they are.

    >>> layout = Layout(("ID", "FORM", "LEMMA"), ("id", "form", "lemma"))
    >>> _filled(b"# a\t\tb\n1\tHi\t\n2\t\tyou\n", layout)
    b'# a\t\tb\n1\tHi\t_\n2\t\tyou\n'
    """
    if layout.tail or "id" not in layout.columns:  # here something can follow, or nothing
        return data
    if b"\t\t" not in data and b"\t\n" not in data and not data.endswith(b"\t"):
        return data
    needed = [name in ("id", "form", "head") for name in layout.columns]

    def filled(row: re.Match[bytes]) -> bytes:
        fields = row[0].split(b"\t")
        if len(fields) != len(needed):
            return row[0]
        return b"\t".join(
            field if field or must else b"_" for field, must in zip(fields, needed, strict=True)
        )

    return _GAP.sub(filled, data)


_GAP = re.compile(rb"^(?!#).*\t(?:\t.*)?$", re.MULTILINE)
"""A line in which a column is empty."""


def problems(data: bytes, options: FormatOptions, layout: Layout) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    from commonground.formats.notation.conll_problems import problems as line_problems  # noqa: PLC0415  # seldom

    return line_problems(arranged(widened(_filled(data, layout), layout), layout), options, layout)


def _read(
    data: bytes, path: str, line: int, options: FormatOptions, layout: Layout
) -> Dependencies:
    now = _NEEDED | options.columns if options.columns else frozenset(layout.columns)
    columns, offsets, blocks, lines = _columns(data, layout, now)
    for name in layout.columns:
        if name not in now:
            make = partial(_column, data, layout, name)
            columns[name] = LaterStrings(int(offsets[-1]), make)
    columns = {name: columns[name] for name in layout.columns}
    if _BLANK.search(f"\n{columns['form'].joined}\n"):
        raise ValueError("a FORM of white space only")
    tables = _split(Table(offsets, **columns), options, layout)
    return Dependencies(tables, comments=Strings(*blocks), path=path, lines=lines + (line - 1))


_NEEDED = frozenset({"id", "form", *NUMERIC})
"""The columns that are looked at while a file is read."""


def _columns(
    data: bytes, layout: Layout, now: frozenset[str]
) -> tuple[dict[str, Strings], NDArray[np.int64], tuple[Any, Any], NDArray[np.int64]]:
    """Return some columns of all lines, where sentences begin, their comments and their lines."""
    wanted = [name in now for name in layout.columns]
    codes, texts, offsets, blocks, lines = load("tabulate").tabulate(
        data,
        len(layout.columns),
        layout.tail,
        "id" in layout.columns,
        None if all(wanted) else wanted,
    )
    names = compress(layout.columns, wanted)
    columns = {name: Strings(*each) for name, *each in zip(names, codes, texts, strict=True)}
    return columns, offsets, blocks, lines


def _column(data: bytes, layout: Layout, name: str) -> Strings:
    return _columns(data, layout, frozenset({name}))[0][name]


_BLANK = re.compile(r"\n[^\S\n]+\n")
"""A text of white space only, among texts with newlines between them."""


def _split(lines: Table, options: FormatOptions, layout: Layout) -> dict[str, Table]:
    """Separate the lines of words, multiword tokens and empty nodes, and check the numbers."""
    if "id" not in lines:  # words are numbered by their place
        texts = {name: lines.strings(name) for name in lines.columns}
        return {"words": Table(lines.offsets, **_numeric(texts, lines.lengths, options))}
    ids = lines.strings("id")
    read_ids = chain.from_iterable(map(parse_id, ids.vocabulary))
    parsed = np.fromiter(read_ids, np.int32).reshape(-1, 3)
    kind_of, major_of, minor_of = parsed.T.copy()
    if (kind_of == BAD).any() or (not layout.specials and (kind_of != WORD).any()):
        raise ValueError("an ID that is none")
    is_word = (kind_of == WORD).take(ids.codes) if (kind_of != WORD).any() else None
    special = np.empty(0, np.int64) if is_word is None else np.flatnonzero(~is_word)
    offsets = lines.offsets - np.searchsorted(special, lines.offsets)
    lengths = np.diff(offsets)
    codes = ids.codes if is_word is None else ids.codes[is_word]
    if not _in_order(major_of.take(codes) if len(codes) else codes, offsets[:-1][lengths > 0]):
        raise ValueError("an ID out of order")
    rest = {name: lines.strings(name) for name in lines.columns if name != "id"}
    if is_word is None:
        return {"words": Table(offsets, **_numeric(rest, lengths, options))}
    kind, major, minor = (of.take(ids.codes[special]) for of in (kind_of, major_of, minor_of))
    sentence = np.searchsorted(lines.offsets, special, "right") - 1
    words_before = special - np.arange(len(special)) - offsets[sentence]
    if not np.array_equal(major, words_before + (kind != EMPTY)):
        raise ValueError("an ID out of order")
    _check_specials(special, kind, major, minor, sentence, lengths)
    text = {name: column for name, column in rest.items() if name not in NUMERIC}
    # Partial trees may have empty nodes in the basic tree, as morphosyntactic trees do.
    for name in filter(rest.__contains__, NUMERIC):
        no_head = special[kind == TOKEN] if options.partial and name == "head" else special
        if rest[name][no_head].where(lambda text: text != "_").any():
            raise ValueError("a HEAD where there can be none")
    numbers = {"tokens": ("first", "last"), "empties": ("major", "minor")}
    tables = {}
    for name, its_kind in (("tokens", TOKEN), ("empties", EMPTY)):
        of_kind = kind == its_kind
        rows = special[of_kind]
        one, two = numbers[name]
        tables[name] = Table(
            np.searchsorted(rows, lines.offsets),
            **{one: major[of_kind], two: minor[of_kind]},
            **{n: column[rows] for n, column in text.items()},
        )
    if options.partial and "head" in rest:
        nodes = tables["empties"]
        heads = _numeric(
            {"head": rest["head"][special[kind == EMPTY]]}, lengths, options, nodes.lengths
        )
        tables["empties"] = nodes.replace(**heads)
    ordinary = np.flatnonzero(is_word).astype(np.int32)  # found once, and not for each column
    words = {name: column.taken(ordinary) for name, column in rest.items()}
    return {"words": Table(offsets, **_numeric(words, lengths, options)), **tables}


def _in_order(numbers: NDArray[np.int32], starts: NDArray[np.int64]) -> bool:
    """Tell whether words are numbered from 1 on, from each of the places where sentences start."""
    follows = np.empty(len(numbers), np.bool_)
    np.equal(numbers[1:], numbers[:-1] + 1, out=follows[1:])
    follows[starts] = numbers[starts] == 1
    return bool(follows.all())


def _check_specials(
    line: NDArray[np.int64],
    kind: NDArray[np.int32],
    major: NDArray[np.int32],
    minor: NDArray[np.int32],
    sentence: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> None:
    """Check that multiword tokens do not overlap and that empty nodes are numbered in order.

    `line` is that of each of them among all lines of words, tokens and nodes.
    """
    token, node = kind == TOKEN, kind == EMPTY
    first, last, where = major[token], minor[token], sentence[token]
    if (last < first).any() or (last > lengths[where]).any():
        raise ValueError("a multiword token that ends nowhere")
    if ((where[1:] == where[:-1]) & (first[1:] <= last[:-1])).any():
        raise ValueError("multiword tokens that overlap")
    at = line[node]
    follows = np.zeros(len(at), np.bool_)
    follows[1:] = (at[1:] == at[:-1] + 1) & (sentence[node][1:] == sentence[node][:-1])
    expected = np.where(follows, np.concatenate([[0], minor[node][:-1]]) + 1, 1)
    if not np.array_equal(minor[node], expected):
        raise ValueError("empty nodes out of order")
    beside = (line[1:] == line[:-1] + 1) & (sentence[1:] == sentence[:-1])
    if (token[:-1] & beside).any():
        raise ValueError("a multiword token that is not followed by its first word")


def _numeric(
    columns: dict[str, Strings],
    lengths: NDArray[np.int64],
    options: FormatOptions,
    rows: NDArray[np.int64] | None = None,
) -> dict[str, Strings | NDArray[np.int32]]:
    """Turn the columns of heads into numbers, -1 for ``_``.

    `lengths` are the words of each sentence; it has as many `rows`, unless something else is said.
    """
    rows = lengths if rows is None else rows
    result: dict[str, Strings | NDArray[np.int32]] = dict(columns)
    for name in filter(columns.__contains__, NUMERIC):
        heads = columns[name].small_values(partial(parse_head, column=name))
        lowest = -1 if options.partial or name != "head" else 0
        if (heads < lowest).any() or (heads > np.repeat(lengths, rows)).any():
            raise ValueError("a HEAD out of range")
        result[name] = heads
    return result


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

_CHUNK = 5000


def write(corpus: Dependencies, layout: Layout) -> Iterator[bytes]:
    """Return the bytes of a file, some thousand sentences at a time."""
    for chunk in corpus.chunks(_CHUNK):
        yield _write(chunk, layout).encode("utf-8")


def _write(corpus: Dependencies, layout: Layout) -> str:
    words = corpus.words
    if not words.lengths.all():
        raise UsageError("a sentence has no words; CoNLL formats have a line for each word")
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
        return _writable(column, name, layout).tolist()
    return ["_" if number < 0 else str(number) for number in column.tolist()]


def _writable(column: Strings, name: str, layout: Layout) -> Strings:
    """Return a column whose texts can be read again; other ones are refused."""
    tail = layout.tail and name == layout.columns[-1]
    if tail and not any("\t" in text for text in column.vocabulary):
        return column.map(lambda text: text.replace("|", "\t"))  # as CoNLL-U Plus has them
    unfit = [
        code for code, text in enumerate(column.vocabulary) if _unfit(text, name, layout, tail=tail)
    ]
    used = column.codes[np.isin(column.codes, unfit)] if unfit else ()  # some have no row
    for code in used[:1]:
        text = column.vocabulary[int(code)]
        if text.isspace() and name == "form":
            raise UsageError(f"the form {quoted(text)} is only white space; it is not a word")
        raise UsageError(f"the {name} {quoted(text)} cannot stand in a column between tabs")
    return column


def _unfit(text: str, name: str, layout: Layout, *, tail: bool) -> bool:
    """Tell whether a text in a column would be read as something else."""
    ends = name == layout.columns[-1] and text.endswith("\r")  # as the end of the line
    breaks = "\n" in text or ends or (not tail and (not text or "\t" in text))
    return breaks or (name == "form" and text.isspace())


def _special_lines(corpus: Dependencies, layout: Layout) -> dict[int, list[tuple[int, str]]]:
    """Return per sentence the lines that are not words, each with the place it is inserted at."""
    special_lines: dict[int, list[tuple[int, int, str]]] = {}
    tokens, empties = corpus.tokens, corpus.empties
    first, last = tokens.numbers("first").tolist(), tokens.numbers("last").tolist()
    major, minor = empties.numbers("major").tolist(), empties.numbers("minor").tolist()
    token_lines = _lines(tokens, [f"{a}-{b}" for a, b in zip(first, last, strict=True)], layout)
    empty_lines = _lines(empties, [f"{a}.{b}" for a, b in zip(major, minor, strict=True)], layout)
    for sentence, a, b, line in zip(
        empties.sentence_of_row().tolist(), major, minor, empty_lines, strict=True
    ):
        special_lines.setdefault(sentence, []).append((a, b, line))
    for sentence, a, line in zip(
        tokens.sentence_of_row().tolist(), first, token_lines, strict=True
    ):
        special_lines.setdefault(sentence, []).append(
            (a - 1, 1 << 30, line)
        )  # after the empty nodes there
    return {s: [(place, line) for place, _, line in sorted(x)] for s, x in special_lines.items()}
