r"""Discontinuous brackets, the format of disco-dop: each word has its place in the sentence.

``(S (NP (DT 0=The) (NN 2=dog)) (VP (V 1=barks)))``, one tree per line; the words of a phrase need
not stand together. A tab and a comment may follow the tree. The comments of a sentence are written
there, each with its ``#`` and a tab before it. A sentence without a tree is ``()``.

Parentheses in words and labels are ``#LRB# #RRB#``; what the Penn Treebank has in words (``-LRB-``)
is read as well. Everything else is as in :mod:`commonground.formats.codecs.brackets`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import arrange, canonical
from commonground.errors import Problem, quoted
from commonground.formats.codecs import brackets
from commonground.formats.format import Format, FormatOptions, first_problem
from commonground.formats.notation import bracket_problems, bracket_writing
from commonground.formats.notation.escapes import Escapes
from commonground.plurals import number_of

__all__ = ["FORMAT"]

WORDS = Escapes("#-", "()", slashes=True)
_LEAF = re.compile(r"([0-9]{1,9})=(.*)", re.DOTALL)
_ASIDES = (b"#", b"<", b"*x*")

# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Constituents:
    """Read a whole file."""
    try:
        tables, comments, lines = _read(data)
    except ValueError as error:
        raise first_problem(path, line, problems(data, options)) from error
    return Constituents(tables, comments=comments, path=path, lines=lines + (line - 1))


def _read(data: bytes) -> tuple[dict[str, Table], list[str], NDArray[np.int64]]:
    data.decode()  # all of it must be UTF-8, comments without a tree as well
    rows = list(map(_apart, data.split(b"\n")))
    if any(_misplaced(tree, note) for tree, note in rows):
        raise ValueError("a tree on several lines, or a comment without a tree")
    tables, before, lines = _trees(b"\n".join(tree for tree, _ in rows))
    if len(np.unique(lines)) < len(lines):
        raise ValueError("several trees on a line")
    behind = [_comments(rows[line - 1][1].decode()) for line in lines.tolist()]
    if before:
        behind = ["\n".join(filter(None, both)) for both in zip(before, behind, strict=True)]
    return canonical({**tables, "words": _in_order(tables["words"])}), behind, lines


def _trees(data: bytes) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    return brackets.tables_and_failures(data, WORDS, b"(_ 0=_)")


def _apart(line: bytes) -> tuple[bytes, bytes]:
    """Return a tree and the comment that follows it on its line."""
    if line.startswith(_ASIDES):
        return line, b""
    tree, _, note = line.partition(b"\t")
    return tree, note if note.strip() else b""


def _misplaced(tree: bytes, note: bytes) -> bool:
    if not tree.strip():
        return bool(note)
    return not tree.startswith(_ASIDES) and tree.count(b"(") != tree.count(b")")


def _comments(note: str) -> str:
    """Return the comments after a tree as lines that begin with ``#``."""
    lines = re.split(r"\t(?=#)", note)
    return "\n".join(line if line.startswith("#") or not line else f"# {line}" for line in lines)


def _in_order(words: Table) -> Table:
    """Put words such as ``2=dog`` in the order of their numbers."""
    numbered = words.strings("form")
    if not all(map(_LEAF.fullmatch, numbered.vocabulary)):
        raise ValueError("a word without a number")
    number = numbered.values(lambda text: int(text.partition("=")[0]))
    if (number >= np.repeat(words.lengths, words.lengths)).any():
        raise ValueError("a number that is too high")
    place = np.repeat(words.offsets[:-1], words.lengths) + number
    if len(np.unique(place)) < len(place):
        raise ValueError("two words with the same number")
    rows = np.empty_like(place)
    rows[place] = np.arange(len(place))
    plain = words.replace(form=numbered.map(lambda text: text.partition("=")[2] or "_"))
    return Table(words.offsets, **{name: column[rows] for name, column in plain.columns.items()})


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:  # noqa: ARG001  # as in all formats
    """Find everything that is wrong with the lines of a file."""
    wrong = [*bracket_problems.encoding_problems(data), *_line_problems(data)]
    yield from sorted(wrong, key=lambda problem: problem.line)


def _line_problems(data: bytes) -> Iterator[Problem]:
    comment = 0
    for number, line in enumerate(data.decode("utf-8", "replace").encode().split(b"\n"), 1):
        tree, note = _apart(line)
        if tree.startswith(_ASIDES):
            comment = comment or (number if tree.startswith(b"#") else 0)
        elif tree.strip():
            comment = 0
            of_brackets = bracket_problems.bracket_problems(tree)
            wrong = [problem.message for problem in of_brackets]
            yield from (Problem(number, message) for message in wrong or _tree_problems(tree))
        elif note:
            yield Problem(number, "a comment without a tree; it follows its tree after a tab")
    if comment:
        yield Problem(comment, "comments without a tree; a tree must follow them")


def _tree_problems(line: bytes) -> Iterator[str]:
    words = _trees(line)[0]["words"]
    if words.sentences != 1:
        yield f"{words.sentences} trees on one line; one is expected"
        return
    leaves = [(form, _LEAF.fullmatch(form)) for form in words.strings("form")]
    for form, match in leaves:
        if not match:
            yield f"the word {quoted(form)} has no number; 0=word is expected for the first one"
    numbers = Counter(int(match[1]) for _, match in leaves if match)
    for number, times in numbers.items():
        if number >= words.rows:
            count = number_of(words.rows, "word")
            yield f"there is a word {number}; of {count} the first has the number 0"
        elif times > 1:
            yield f"{times} words have the number {number}; each one has its own"


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

_CHUNK = 5000


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file, some thousand trees at a time."""
    for chunk in bracket_writing.escaped(corpus, WORDS).chunks(_CHUNK):
        yield _file(chunk).encode()


def _file(corpus: Constituents) -> str:
    words = corpus.words
    forms = zip(words.row_in_sentence().tolist(), corpus.form, strict=True)
    numbered = words.replace(form=Strings.of(f"{number}={form}" for number, form in forms))
    rows = _tree_order(words, corpus.nodes)
    moved = Table(
        words.offsets, **{name: column[rows] for name, column in numbered.columns.items()}
    )
    after = ["\t".join(["", *filter(None, c.split("\n"))]) + "\n" for c in corpus.comments]
    ordered = Constituents({**corpus.tables, "words": moved})
    return bracket_writing.bracketed(ordered, [""] * len(corpus), after)


def _tree_order(words: Table, nodes: Table) -> NDArray[np.int64]:
    """Return the rows of the words in the order in which they stand in the brackets.

    It is the canonical order of nodes, if every word is taken as a node as well.
    """
    offsets = words.offsets + nodes.offsets
    at_node = np.arange(nodes.rows) + np.repeat(words.offsets[:-1], nodes.lengths)
    at_word = np.arange(words.rows) + np.repeat(nodes.offsets[1:], words.lengths)
    parents = np.empty(words.rows + nodes.rows, np.int64)
    parents[at_node], parents[at_word] = nodes.numbers("parent"), words.numbers("parent")
    own = at_word - np.repeat(offsets[:-1], words.lengths)
    order = arrange(words.offsets, own, offsets, parents).order
    row = np.full(len(parents), -1, np.int64)
    row[at_word] = np.arange(words.rows)
    return row[order][row[order] >= 0]


# ── the format ───────────────────────────────────────────────────────────────────────────────────


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is discbracket: all words have numbers."""
    return float(brackets.numbered(brackets.first_trees(start)))


def cut(block: bytes) -> int:
    """Cut after the last line that is a tree."""
    end = len(block)
    while end:
        start = block.rfind(b"\n", 0, end - 1) + 1
        line = block[start:end].strip()
        if line and not line.startswith(_ASIDES):
            return end
        end = start
    return 0


FORMAT = Format(
    name="discbracket",
    title="discontinuous brackets (disco-dop)",
    corpus=Constituents,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
    write=write,
    aliases=("dbr",),
)
