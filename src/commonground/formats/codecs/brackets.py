r"""Penn brackets: constituent trees as nested parentheses.

All the usual kinds are read: the files of the Penn Treebank with their empty outer bracket (a node
with the empty label), a tree on one line or on many, function tags, indices and traces (kept in the
labels and forms as they stand), the SPMRL treebanks with their features (``NC##g=m##``, which go to
the column `feats`), the Chinese Treebank with its ``<S ID=1>`` (a comment ``# sent_id = 1``), and
historical corpora in the style of the Penn ones (see historical.py), Floresta Sintá(c)tica (see
floresta.py), and CESS, whose words stand with their lemmas (see lemmas.py).

Not everything can stand in a file as it is:

- Brackets in words are ``-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-``, as in the Penn Treebank; its ``\/``
  and ``\*`` are read, but not written. Parentheses in labels (``N(soort,ev)``) are ``#LRB# #RRB#``,
  as in disco-dop. A text that only looks like one of these gets a backslash: ``-\LRB-``.
- White space in a word or a label is written as the Unicode symbol for it, a space as ``␠``.
- An edge label becomes a function tag: the edge SB of an NP gives ``NP-SB``. Lemmas and secondary
  edges are left out.
- Several trees at the top of one sentence are put into an outer bracket.
- Where a parser found no tree, it writes ``()``, ``(())``, ``(TOP )`` or ``(TOP ())`` on a line of
  its own; that is read as a sentence without words, which is written as ``()``.
- A word without a tag stands as it is, ``(NP the (NN dog))``; where that would look like a tagged
  word, it has an empty tag: ``(NP ( dogs))``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.errors import Problem
from commonground.formats.format import Format, FormatOptions, first_problem
from commonground.formats.notation.escapes import LABELS, WORDS, Escapes
from commonground.kernels import load
from commonground.kernels.brackets import last_end, tree_ends

__all__ = ["FORMAT", "first_trees", "numbered", "tables", "tables_and_failures", "without_rows"]

# These are compiled when they are needed: in most files there is nothing to find.
_FEATURES = r"((?:#[LR]RB#|#(?!#)|#(?=##[^#]|#[LR]RB#)|[^#])*+)##(.*)##"
_SENTENCE_MARKUP = r"<S\s+ID\s*=\s*[\"']?([^\s\"'>]+)"

# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Constituents:  # noqa: ARG001  # as in all formats
    """Read a whole file."""
    try:
        by_name, comments, lines = _read(data)
    except ValueError as error:
        from commonground.formats.notation.bracket_problems import first_problems  # noqa: PLC0415  # as below

        raise first_problem(path, line, first_problems(_mended(data))) from error
    return Constituents(by_name, comments=comments, path=path, lines=lines + (line - 1))


def _read(data: bytes) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    try:
        by_name, comments, lines = tables_and_failures(data, WORDS, b"(_ _)")
    except ValueError:
        from commonground.formats.notation import floresta  # noqa: PLC0415  # as below

        if not floresta.is_floresta(data):
            raise
        by_name, comments, lines = tables_and_failures(floresta.mended(data), WORDS, b"(_ _)")
        return floresta.with_functions(by_name), floresta.with_ids(comments), lines
    if _may_have_lemmas(by_name["words"]):
        from commonground.formats.notation import lemmas  # noqa: PLC0415  # as below

        if lemmas.has_lemmas(by_name["words"]):
            trees, told = lemmas.without_lemmas(data)
            by_name, comments, lines = tables_and_failures(trees, WORDS, b"(_ _)")
            return by_name | {"words": lemmas.with_lemmas(by_name["words"], told)}, comments, lines
    # The tags are few; to look for one of them in the file takes half as long as to read it.
    if "ID" not in by_name["words"].strings("tag").vocabulary:
        return by_name, comments, lines
    from commonground.formats.notation import historical  # noqa: PLC0415  # as below

    trees = historical.with_traces(data)
    by_name, comments, lines = historical.with_ids(*tables_and_failures(trees, WORDS, b"(_ _)"))
    return {**by_name, "words": historical.with_words(by_name["words"])}, comments, lines


def _may_have_lemmas(words: Table) -> bool:
    """Tell whether the first words have no tags: a look at a few is enough for most files."""
    tags = words.strings("tag")
    return len(tags) > 1 and "" in (tags[0], tags[1])


def tables_and_failures(
    data: bytes, escapes: Escapes, stand_in: bytes
) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    """Return what :func:`tables` does; a line that says that there is no tree has no words.

    While the trees are read, a tree of one word stands in its place. It is no tree, so such lines
    are looked for only where something is wrong.
    """
    try:
        return tables(data, escapes)
    except ValueError:
        from commonground.formats.notation.failed_parses import failed_lines  # noqa: PLC0415  # as below

        failed = failed_lines(data)
        if not len(failed):
            raise
    lines_of_data = data.split(b"\n")
    for line in failed.tolist():
        lines_of_data[line - 1] = stand_in
    by_name, comments, lines = tables(b"\n".join(lines_of_data), escapes)
    words = by_name["words"]
    by_name["words"] = without_rows(words, np.isin(lines, failed)[words.sentence_of_row()])
    return by_name, comments, lines


def without_rows(table: Table, gone: NDArray[np.bool_]) -> Table:
    """Return a table without some of its rows."""
    kept = np.flatnonzero(~gone)
    lengths = np.bincount(table.sentence_of_row()[kept], minlength=len(table.lengths))
    return Table(offsets_of(lengths), **{name: each[kept] for name, each in table.columns.items()})


def tables(
    data: bytes, escapes: Escapes
) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    """Return the words and nodes of a file, the comments if there are any, and the trees' lines."""
    words, nodes, texts, lines, asides = load("brackets").brackets(data)
    form = escapes.column(Strings(words[0], texts[0]))
    tag, word_feats = _without_features(Strings(words[1], texts[1]))
    label, node_feats = _without_features(Strings(nodes[0], texts[2]))
    by_name = {
        "words": Table(words[3], form=form, tag=tag, feats=word_feats, parent=words[2]),
        "nodes": Table(nodes[2], label=label, feats=node_feats, parent=nodes[1]),
    }
    return by_name, list(map(_comments, asides)) if any(asides) else None, lines


def _without_features(column: Strings) -> tuple[Strings, Strings]:
    if "##" not in column.joined:
        return LABELS.column(column), Strings.constant("_", len(column))
    return column.map(lambda text: _split(text)[0]), column.map(lambda text: _split(text)[1])


def _split(text: str) -> tuple[str, str]:
    """Split a label such as ``NC##g=m|n=s##`` into label and features."""
    match = re.fullmatch(_FEATURES, text, re.DOTALL)
    if match is None:
        return LABELS.read(text), "_"
    return LABELS.read(match[1]), LABELS.read(match[2]) or "_"


def _comments(asides: str) -> str:
    """Return the comments among the lines before a tree; ``<S ID=1>`` is one as well."""
    lines = []
    for line in asides.split("\n"):
        if line.startswith("#"):
            lines.append(line)
        elif match := re.match(_SENTENCE_MARKUP, line, re.IGNORECASE):
            lines.append(f"# sent_id = {match[1]}")
    return "\n".join(lines)


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:  # noqa: ARG001  # as in all formats
    """Find everything that is wrong with the brackets of a file."""
    from commonground.formats.notation import bracket_problems  # noqa: PLC0415  # most files are good

    return bracket_problems.problems(_mended(data))


def _mended(data: bytes) -> bytes:
    """Return trees of Floresta without what only they have; all others as they are."""
    from commonground.formats.notation import floresta  # noqa: PLC0415  # as above

    return floresta.mended(data) if floresta.is_floresta(data) else data


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file with one tree per line, some thousand trees at a time."""
    from commonground.formats.notation import bracket_writing  # noqa: PLC0415  # most files are only read

    return bracket_writing.write(corpus)


# ── the format ───────────────────────────────────────────────────────────────────────────────────

_LEADING_ASIDES = re.compile(r"(?:\s*\n|(?:#|<|\*x\*).*\n)*\s*")
_LEAF = re.compile(r"\(\s*[^\s()]*\s+([^\s()]+)\s*\)")
_INNER = re.compile(r"\(\s*[^\s()<]*\s*\(")
_NUMBERED = re.compile(r"[0-9]+=")
_START = 10_000


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is in brackets: (TAG word) inside of others."""
    text = first_trees(start)
    leaves = _LEAF.findall(text)
    if not text.startswith("(") or text.startswith("(<") or numbered(text):
        return 0.0
    if _INNER.search(text):
        return 0.9 if leaves else 0.3
    if not leaves:
        from commonground.formats.notation.failed_parses import FAILED  # noqa: PLC0415  # most files have trees

        return 0.3 if FAILED.match(text.encode()) else 0.0
    return 0.3 if len(leaves) == text.count("(") else 0.0


def first_trees(start: str) -> str:
    """Return some text from the beginning of a file, without the comments before the first tree."""
    match = _LEADING_ASIDES.match(start)
    begin = match.end() if match else 0
    return start[begin : begin + _START]


def numbered(text: str) -> bool:
    """Tell whether a text has trees whose words have numbers (see discbracket)."""
    leaves = _LEAF.findall(text)
    return text.startswith("(") and bool(leaves) and all(map(_NUMBERED.match, leaves))


def cut(block: bytes) -> int:
    """Cut after the last tree that is closed, and after its line if no other tree begins there."""
    place = last_end(block)
    end = block.find(b"\n", place)
    if not place or end < 0 or block[place:end].lstrip().startswith(b"("):
        return place
    return end + 1


FORMAT = Format(
    name="brackets",
    title="Penn brackets",
    corpus=Constituents,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
    write=write,
    aliases=("penn", "ptb", "mrg"),
    ends=tree_ends,
)
