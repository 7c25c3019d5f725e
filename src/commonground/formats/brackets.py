r"""Penn brackets: constituent trees as nested parentheses.

All the usual kinds are read: the files of the Penn Treebank with their empty outer bracket (a node
with the empty label), a tree on one line or on many, function tags, indices and traces (kept in the
labels and forms as they stand), the SPMRL treebanks with their features (``NC##g=m##``, which go to
the column `feats`), the Chinese Treebank with its ``<S ID=1>`` (a comment ``# sent_id = 1``), the
historical corpora in the style of the Penn ones with an ``(ID …)`` beside each tree (such a comment
as well).

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import extents
from commonground.corpus.table import offsets_of
from commonground.errors import Problem, UsageError, quoted
from commonground.formats.escapes import LABELS, WORDS, Escapes
from commonground.formats.format import Format, FormatOptions, first_problem
from commonground.kernels import load
from commonground.kernels.brackets import asides, last_end, tree_ends, without

__all__ = [
    "FORMAT",
    "bracket_problems",
    "bracketed",
    "encoding_problems",
    "escaped",
    "first_trees",
    "numbered",
    "tables",
    "tables_and_failures",
    "write_indented",
]

Rows = NDArray[np.int64]

_FEATURES = re.compile(r"((?:#[LR]RB#|#(?!#)|#(?=##[^#]|#[LR]RB#)|[^#])*+)##(.*)##", re.DOTALL)
_SENTENCE_MARKUP = re.compile(r"<S\s+ID\s*=\s*[\"']?([^\s\"'>]+)", re.IGNORECASE)

# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Constituents:
    """Read a whole file."""
    try:
        found, comments, lines = _with_ids(*tables_and_failures(data, WORDS, b"(_ _)"))
    except ValueError as error:
        raise first_problem(path, line, _first_problems(data, options)) from error
    return Constituents(found, comments=comments, path=path, lines=lines + (line - 1))


_NO_TREE = rb"[ \t]*\((?:TOP|ROOT|S1|VROOT|)[ \t]*(?:\([ \t]*\)[ \t]*)?\)[ \t]*"
_FAILED = re.compile(rb"^" + _NO_TREE + rb"$", re.MULTILINE)
"""A line on which a parser says that it found no tree: ``()``, ``(())``, ``(TOP )``, …"""

_AFTER_NEWLINE = re.compile(rb"\n" + _NO_TREE + rb"(?=\n|\Z)")
"""The same, found five times as fast."""


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
        failed = _failed_lines(data)
        if not len(failed):
            raise
    lines_of_data = data.split(b"\n")
    for line in failed.tolist():
        lines_of_data[line - 1] = stand_in
    found, comments, lines = tables(b"\n".join(lines_of_data), escapes)
    words = found["words"]
    found["words"] = _without_rows(words, np.isin(lines, failed)[words.sentence_of_row()])
    return found, comments, lines


def _with_ids(
    found: dict[str, Table], comments: list[str] | None, lines: NDArray[np.int64]
) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    """Make the ids of historical corpora comments: ``( (IP-MAT …) (ID EIRIKS,.789))``."""
    words, nodes = found["words"], found["nodes"]
    tags = words.strings("tag")
    if "ID" not in tags.vocabulary:
        return found, comments, lines
    many = np.flatnonzero(words.lengths > 1)
    last = words.offsets[many + 1] - 1
    outer = (nodes.strings("label")[nodes.offsets[many]] == "") & (words["parent"][last] == 0)
    is_id = outer & (tags[last] == "ID")
    many, last = many[is_id], last[is_id]
    told = list(comments) if comments else [""] * len(lines)
    forms = words.strings("form")[last].tolist()
    for sentence, sent_id in zip(many.tolist(), forms, strict=True):
        if "# sent_id" not in told[sentence]:
            told[sentence] = "\n".join(filter(None, [told[sentence], f"# sent_id = {sent_id}"]))
    gone = np.zeros(words.offsets[-1], np.bool_)
    gone[last] = True
    return {**found, "words": _without_rows(words, gone)}, told, lines


def _without_rows(table: Table, gone: NDArray[np.bool_]) -> Table:
    kept = np.flatnonzero(~gone)
    lengths = np.bincount(table.sentence_of_row()[kept], minlength=len(table.lengths))
    return Table(offsets_of(lengths), **{name: each[kept] for name, each in table.columns.items()})


def _failed_lines(data: bytes) -> NDArray[np.int64]:
    """Return the lines between the trees, from 1, that say that there is no tree."""
    matches = [found.start() for found in _AFTER_NEWLINE.finditer(b"\n" + data)]
    if not matches:
        return np.empty(0, np.int64)
    codes = np.frombuffer(without(data, asides(data)), np.uint8)
    steps = (codes == ord("(")).astype(np.int8) - (codes == ord(")")).astype(np.int8)
    depth = np.concatenate([[0], np.cumsum(steps, dtype=np.int64)])
    starts = np.array([start for start in matches if depth[start] == 0], np.int64)
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return np.searchsorted(newlines, starts) + 1


def tables(
    data: bytes, escapes: Escapes
) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    """Return the words and nodes of a file, the comments if there are any, and the trees' lines."""
    words, nodes, texts, lines, asides = load("brackets").brackets(data)
    form = escapes.column(Strings(words[0], texts[0]))
    tag, word_feats = _without_features(Strings(words[1], texts[1]))
    label, node_feats = _without_features(Strings(nodes[0], texts[2]))
    found = {
        "words": Table(words[3], form=form, tag=tag, feats=word_feats, parent=words[2]),
        "nodes": Table(nodes[2], label=label, feats=node_feats, parent=nodes[1]),
    }
    return found, list(map(_comments, asides)) if any(asides) else None, lines


def _without_features(column: Strings) -> tuple[Strings, Strings]:
    if not any("##" in text for text in column.vocabulary):
        return LABELS.column(column), Strings.constant("_", len(column))
    return column.map(lambda text: _split(text)[0]), column.map(lambda text: _split(text)[1])


def _split(text: str) -> tuple[str, str]:
    """Split a label such as ``NC##g=m|n=s##`` into label and features."""
    found = _FEATURES.fullmatch(text)
    if found is None:
        return LABELS.read(text), "_"
    return LABELS.read(found[1]), LABELS.read(found[2]) or "_"


def _comments(asides: str) -> str:
    """Return the comments among the lines before a tree; ``<S ID=1>`` is one as well."""
    lines = []
    for line in asides.split("\n"):
        if line.startswith("#"):
            lines.append(line)
        elif found := _SENTENCE_MARKUP.match(line):
            lines.append(f"# sent_id = {found[1]}")
    return "\n".join(lines)


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────

_PIECE = re.compile(rb"[()]|[^\t\n\v\f\r ()]+")
_PIECE_OR_ASIDE = re.compile(rb"^((?:#|<|\*x\*)[^\n]*)|" + _PIECE.pattern, re.MULTILINE)


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:  # noqa: ARG001  # as in all formats
    """Find everything that is wrong with the brackets of a file."""
    found = [*encoding_problems(data), *bracket_problems(data)]
    yield from sorted(found, key=lambda problem: problem.line)


_LARGE = 1 << 20


def _first_problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:
    """Find the first problems; of a large file the first of each kind, as all of it takes long.

    There a tree without its last bracket, which begins before them, is told after its problems.
    """
    if len(data) < _LARGE:
        yield from problems(data, options)
        return
    kinds = (encoding_problems(data), bracket_problems(data))
    found = [problem for kind in kinds for problem in islice(kind, 1)]
    yield from sorted(found, key=lambda problem: problem.line)


def encoding_problems(data: bytes) -> Iterator[Problem]:
    """Find the lines that are not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    else:
        return
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            yield Problem(number, f"byte {error.start + 1} is not UTF-8; save the file as UTF-8")


def bracket_problems(  # noqa: C901  # one case for each piece
    data: bytes,
) -> Iterator[Problem]:
    """Find brackets that do not match or hold no word, and what stands outside of the trees.

    A sentence without a parse, such as ``(())``, is no problem.
    """
    stack: list[int] = []  # the lines of the open brackets, negative for the first on its line
    texts: list[bytes] | None = None  # what follows an opening bracket, up to the next bracket
    spaced, line, place, outside, comment = False, 1, 0, 0, 0
    while found := (_PIECE if stack else _PIECE_OR_ASIDE).search(data, place):
        line += data.count(b"\n", place, found.start())
        begins = found.start() == 0 or data[found.start() - 1 : found.start()] == b"\n"
        place, piece = found.end(), found[0]
        failed = None if stack else _FAILED.match(data, found.start())
        if failed and begins:
            place, comment = failed.end(), 0
        elif piece == b"(":
            stack.append(-line if begins else line)
            texts, spaced, comment = [], data[place : place + 1].isspace(), 0
        elif piece == b")":
            if not stack:
                yield Problem(line, "a closing bracket too many; no bracket is open here")
            elif texts is not None and len(texts) + spaced < 2:
                yield _empty(abs(stack[-1]), texts)
            texts = None
            del stack[-1:]
        elif texts is not None:
            texts.append(piece)
        elif found.lastindex:
            comment = comment or (line if piece.startswith(b"#") else 0)
        elif not stack and outside != line:
            outside = line
            text = quoted(piece.decode("utf-8", "replace"))
            yield Problem(line, f"{text} is outside of the trees; a tree begins with a bracket (")
    yield from _open_problems(stack)
    if comment:
        yield Problem(comment, "comments without a tree; a tree must follow them")


def _empty(line: int, texts: list[bytes]) -> Problem:
    if not texts:
        return Problem(line, "a bracket with nothing in it; a label and words are expected")
    label = quoted(texts[0].decode("utf-8", "replace"))
    return Problem(line, f"the phrase {label} has no words; a word looks like (NN dog)")


def _open_problems(stack: list[int]) -> Iterator[Problem]:
    """Tell which trees are open; one that follows another in a file is inside of it now."""
    starts = [i for i, line in enumerate(stack) if i == 0 or line < 0]
    for start, stop in pairwise([*starts, len(stack)]):
        number = f"{stop - start} closing bracket(s) are missing"
        yield Problem(abs(stack[start]), f"the tree that begins here is not closed; {number}")


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

_CHUNK = 5000
_DEEPEST = 40


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file with one tree per line, some thousand trees at a time."""
    return _write(corpus, 0, "\n")


def write_indented(corpus: Constituents, width: int = 80) -> Iterator[bytes]:
    """Return the bytes of a file for people: indented, with a phrase on one line where it fits.

    From some depth on, the indentation does not grow any more.
    """
    return _write(corpus, width, "\n\n")


def _write(corpus: Constituents, width: int, end: str) -> Iterator[bytes]:
    for chunk in escaped(corpus, WORDS).chunks(_CHUNK):
        before = [f"{comments}\n" if comments else "" for comments in chunk.comments]
        yield bracketed(chunk, before, [end] * len(chunk), width).encode()


def escaped(corpus: Constituents, escapes: Escapes) -> Constituents:
    """Return a corpus with texts as they are written; labels get their edges and features."""
    words, nodes = corpus.words, corpus.nodes
    forms = words.strings("form").map(lambda form: escapes.written(form) or "_")
    return Constituents(
        {
            **corpus.tables,
            "words": words.replace(form=forms, tag=_labels(words, "tag")),
            "nodes": nodes.replace(label=_labels(nodes, "label")),
        }
    )


def _labels(table: Table, name: str) -> Strings:
    labels, edges, feats = (table.strings(c).map(LABELS.written) for c in (name, "edge", "feats"))
    if all(set(column.vocabulary) <= {"_"} for column in (edges, feats)):
        return labels
    return Strings.of(map(_label, labels, edges, feats))


def _label(label: str, edge: str, feats: str) -> str:
    if edge != "_" and label != "-NONE-":  # a trace could not be told from a word otherwise
        label = f"{label}-{edge}"
    return f"{label}##{feats}##" if feats != "_" else label


def bracketed(
    corpus: Constituents, before: Sequence[str], after: Sequence[str], width: int = 0
) -> str:
    """Return the trees of a corpus with some text before and after each of them.

    The texts of the corpus must be escaped. With a `width`, a phrase that is wider takes several
    lines. What brackets cannot show, such as a phrase with a gap, is a :class:`UsageError`.
    """
    shape = _Shape.of(corpus)
    words, nodes = corpus.words, corpus.nodes
    bare = _bare(corpus, shape)
    leads, node_lead, word_lead = _leads(corpus, shape, bare, width)
    tags = np.array([[f"{lead}({tag} " for tag in corpus.tag.vocabulary] for lead in leads], object)
    labels = np.array([[f"{lead}({x}" for x in corpus.label.vocabulary] for lead in leads], object)
    # A node is one piece; a word is three: its tag, its form, and the closing brackets after it.
    sentences = np.arange(len(corpus))
    start = 3 * words.offsets[:-1] + nodes.offsets[:-1] + 2 * sentences
    end = 3 * words.offsets[1:] + nodes.offsets[1:] + 2 * sentences + 1
    node = 3 * shape.first + np.arange(nodes.rows) + 2 * nodes.sentence_of_row() + 1
    word = 3 * np.arange(words.rows) + shape.opened + 2 * words.sentence_of_row() + 1
    pieces = np.empty(3 * words.rows + nodes.rows + 2 * len(corpus), object)
    outer = shape.several | (words.lengths == 0)  # a sentence without a tree is ()
    pieces[start] = np.array(before, object) + np.where(outer, "(", "").astype(object)
    pieces[end] = np.where(outer, ")", "").astype(object) + np.array(after, object)
    pieces[node] = labels[node_lead, corpus.label.codes]
    pieces[word] = tags[word_lead, corpus.tag.codes]
    pieces[word[bare]] = np.array(leads, object)[word_lead[bare]]
    pieces[word + 1] = np.array(corpus.form.vocabulary, object)[corpus.form.codes]
    pieces[word + 2] = _repeated(")", shape.closed + ~bare)
    return "".join(pieces.tolist())


@dataclass(frozen=True, slots=True)
class _Shape:
    """The trees of a corpus as rows of its columns.

    Per node its first and last word and the node `above` it (-1 at the top); per word its `parent`,
    how many nodes are `opened` up to it, in all, and how many are `closed` after it; per sentence
    whether there are `several` trees, so that they need an outer bracket.
    """

    first: Rows
    last: Rows
    above: Rows
    parent: Rows
    opened: Rows
    closed: Rows
    several: NDArray[np.bool_]

    @classmethod
    def of(cls, corpus: Constituents) -> _Shape:
        """Return the shape of trees that brackets can show."""
        words, nodes = corpus.words, corpus.nodes
        found = extents(words, nodes)
        if nodes.lengths[words.lengths == 0].any():
            name = corpus[int(np.argmin(words.lengths))].sent_id
            raise UsageError(f"sentence {name} has a phrase without words")
        if not found.continuous.all():
            name = corpus[int(nodes.sentence_of_row()[np.argmin(found.continuous)])].sent_id
            raise UsageError(
                f"sentence {name} has a phrase with a gap; write it as discbracket or export"
            )
        start = np.repeat(words.offsets[:-1], nodes.lengths)
        above, parent = nodes.numbers("parent"), words.numbers("parent")
        tops = np.bincount(nodes.sentence_of_row()[above < 0], minlength=len(corpus))
        tops += np.bincount(words.sentence_of_row()[parent < 0], minlength=len(corpus))
        return cls(
            found.first + start,
            found.last + start,
            np.where(above < 0, -1, above + np.repeat(nodes.offsets[:-1], nodes.lengths)),
            np.where(parent < 0, -1, parent + np.repeat(nodes.offsets[:-1], words.lengths)),
            np.searchsorted(found.first + start, np.arange(words.rows), "right"),
            np.bincount(found.last + start, minlength=words.rows),
            tops > 1,
        )


def _bare(corpus: Constituents, shape: _Shape) -> NDArray[np.bool_]:
    """Return which words stand without brackets: those without a tag, where it can be read back."""
    untagged = corpus.tag.where(lambda tag: not tag)
    if not untagged.any():
        return untagged
    children = np.bincount(shape.above + 1, minlength=corpus.nodes.rows + 1)
    children += np.bincount(shape.parent + 1, minlength=corpus.nodes.rows + 1)
    fit = (children > 1) & np.concatenate([[False], corpus.label.where(bool)])
    return np.asarray(untagged & fit[shape.parent + 1])


def _leads(
    corpus: Constituents, shape: _Shape, bare: NDArray[np.bool_], width: int
) -> tuple[list[str], Rows, Rows]:
    """Return the texts that lead to brackets, and which of them leads to each node and word."""
    nothing, space, newline = 0, 1, 2
    leads = ["", " "]
    # One more row than nodes, for the top.
    following = np.full(corpus.nodes.rows + 1, space)
    top = np.where(shape.several, space, nothing)
    if width:
        leads += ["\n" + "  " * level for level in range(_DEEPEST + 2)]
        levels = np.minimum(_depths(corpus, shape), _DEEPEST)
        wide = 2 * levels + _sizes(corpus, shape, bare) > width
        following[:-1][wide] = newline + 1 + levels[wide]
        top[shape.several] = newline + 1
    node, word = following[shape.above], following[shape.parent]
    node[shape.above < 0] = top[corpus.nodes.sentence_of_row()[shape.above < 0]]
    word[shape.parent < 0] = top[corpus.words.sentence_of_row()[shape.parent < 0]]
    return leads, node, word


def _depths(corpus: Constituents, shape: _Shape) -> Rows:
    """Return how many brackets are open around each node."""
    closed = np.concatenate([[0], np.cumsum(shape.closed)])
    outer = shape.several[corpus.nodes.sentence_of_row()]
    return np.arange(len(shape.first)) - closed[shape.first] + outer


def _sizes(corpus: Constituents, shape: _Shape, bare: NDArray[np.bool_]) -> Rows:
    """Return how many characters each node has on one line."""
    own = corpus.label.values(len) + len(" ()")
    leaf = corpus.form.values(len) + np.where(bare, 1, corpus.tag.values(len) + len(" ( )"))
    node_sum, leaf_sum = (np.concatenate([[0], np.cumsum(numbers)]) for numbers in (own, leaf))
    nodes = node_sum[shape.opened[shape.last]] - node_sum[:-1]
    return np.asarray(nodes + leaf_sum[shape.last + 1] - leaf_sum[shape.first] - 1)


def _repeated(text: str, times: Rows) -> NDArray[np.object_]:
    """Return the text so many times in each row; each distinct number makes one string."""
    used = np.flatnonzero(np.bincount(times))
    table = np.empty(int(times.max(initial=0)) + 1, object)
    table[used] = [text * number for number in used.tolist()]
    return np.asarray(table[times])


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
    return 0.3 if leaves and len(leaves) == text.count("(") else 0.0


def first_trees(start: str) -> str:
    """Return some text from the beginning of a file, without the comments before the first tree."""
    found = _LEADING_ASIDES.match(start)
    begin = found.end() if found else 0
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
