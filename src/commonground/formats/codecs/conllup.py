"""CoNLL-U Plus: CoNLL-U with columns of its own, which the first line names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.corpus.table import Column
from commonground.errors import InputError, Problem
from commonground.formats.codecs.conllu import COLUMNS_LINE, TITLES
from commonground.formats.format import Format, FormatOptions, blank_line_cut, blank_line_ends
from commonground.formats.notation import conll
from commonground.formats.notation.conll_lines import MOST_COLUMNS

__all__ = ["FORMAT"]

_STANDARD = frozenset(title.lower() for title in TITLES)


def looks_like(start: str) -> float:
    """Tell from the first line how likely a file is CoNLL-U Plus: it names the columns.

    If these are the columns of CoNLL-U, only the suffix can tell that it is not that.
    """
    header = COLUMNS_LINE.match(start)
    if header is None:
        return 0.0
    return 0.9 if tuple(header.group(1).split()) == TITLES else 1.0


def header(data: bytes) -> bytes:
    """Return the line that names the columns."""
    return data[: data.find(b"\n") + 1] or data


def layout_of(data: bytes) -> conll.Layout | Problem:
    """Return the columns that the first line names."""
    match = COLUMNS_LINE.match(header(data).decode("utf-8", "replace"))
    if match is None:
        return Problem(1, "the first line must name the columns: # global.columns = ID FORM …")
    titles = tuple(match.group(1).split())
    if "ID" not in titles or "FORM" not in titles:
        return Problem(1, "there must be columns ID and FORM")
    if len(set(titles)) < len(titles):
        return Problem(1, "a column is named twice")
    if len(titles) > MOST_COLUMNS:
        return Problem(1, f"{len(titles)} columns; {MOST_COLUMNS} are the most")
    return _layout(titles)


def _layout(titles: tuple[str, ...]) -> conll.Layout:
    columns = tuple(title.lower() if title in TITLES else title for title in titles)
    return conll.Layout(titles, columns, specials=True, comments=True)


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Dependencies:
    """Read a whole file."""
    layout = layout_of(data)
    if isinstance(layout, Problem):
        raise InputError(path, line, layout.message)
    corpus = conll.read(data[len(header(data)) :], path, line + 1, options, layout)
    return _with_arguments(corpus) if {"pred", "apreds"} <= set(layout.columns) else corpus


def _with_arguments(corpus: Dependencies) -> Dependencies:
    """Return words with their arguments as CoNLL-2008 and 2009 have them.

    There a sentence without predicates has no columns for arguments; here these are ``_``, as if
    it had one predicate.
    """
    words = corpus.words
    sentence = words.sentence_of_row()
    predicates = words.strings("pred").where(lambda text: text != "_")
    none = np.bincount(sentence[predicates], minlength=len(corpus)) == 0
    arguments = words.strings("apreds")
    nothing = none[sentence] & arguments.where(lambda text: text == "_")
    if not nothing.any():
        return corpus
    texts = np.where(nothing, "", np.array(arguments.tolist(), object))
    return corpus.replace("words", apreds=Strings.of(texts.tolist()))


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    layout = layout_of(data)
    if isinstance(layout, Problem):
        yield layout
    else:
        for problem in conll.problems(data[len(header(data)) :], options, layout):
            yield Problem(problem.line + 1, problem.message)


def write(corpus: Dependencies) -> Iterator[bytes]:
    """Return the bytes of a file; columns of CoNLL-U that say nothing at all are left out.

    Texts with tabs, such as the arguments of predicates in CoNLL-2009, get ``|`` instead.
    """
    corpus = _without_tabs(corpus)
    titles = ["ID", "FORM"]
    for name, column in corpus.words.columns.items():
        if name not in _STANDARD:
            titles.append(name)
        elif name != "form" and _says_something(column):
            titles.append(name.upper())
    yield f"# global.columns = {' '.join(titles)}\n".encode()
    yield from conll.write(corpus, _layout(tuple(titles)))


def _without_tabs(corpus: Dependencies) -> Dependencies:
    columns: dict[str, Column] = {}
    for name, column in corpus.words.columns.items():
        if isinstance(column, Strings) and name not in _STANDARD:
            columns[name] = column.map(lambda text: text.replace("\t", "|") or "_")
    if not columns:
        return corpus
    return Dependencies({**corpus.tables, "words": corpus.words.replace(**columns)})


def _says_something(column: Column) -> bool:
    if isinstance(column, Strings):
        return bool(column.where(lambda text: text != "_").any())
    return bool(np.any(column != -1))


FORMAT = Format(
    name="conllup",
    title="CoNLL-U Plus (columns named by the first line)",
    corpus=Dependencies,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=blank_line_cut,
    write=write,
    aliases=("conll-u-plus", "conlluplus"),
    header=header,
    concatenable=False,
    ends=blank_line_ends,
)
