"""The NEGRA export format, versions 3 and 4: a word or node a line, with the number of its parent.

Brants (1997), *The NeGra Export Format for Annotated Corpora*::

    #FORMAT 4
    %% word lemma tag morph edge parent secedge comment
    #BOS 12 2 1070544990 0 %% a headline
    Birds   bird  NNS --  SB  500  SB 501
    sing    sing  VBP --  HD  500
    and     and   CC  --  CD  502
    swim    swim  VBP --  HD  501
    #500    --    S   --  CJ  502
    #501    --    S   --  CJ  502
    #502    --    CS  --  --  0
    #EOS 12

Version 4 has the column of lemmas, version 3 lacks it; ``#FORMAT`` says which one it is, or else
the first word. Columns are separated by spaces or tabs; ``--`` is nothing. Parent 0 is the top.
After the parent come secondary edges, pairs of a label and a parent, and behind ``%%`` a comment,
which is kept in a column ``comment`` of the words or nodes (node numbers in it are not followed
when nodes are numbered anew on writing). The tables of tags in the header (``#BOT`` … ``#EOT``),
blank lines and lines that begin with ``%%`` are skipped, but a line ``%% # key = value`` before
``#BOS`` is a comment line of the sentence. The fields of ``#BOS``
become the comment lines ``sent_id``, ``export.editor``, ``export.date``, ``export.origin`` and
``export.comment``, and are written from them again; a sentence without a sent_id is given its
number.

Nodes are lines that begin with ``#`` and a number from 500. The format has no way to mark a word
like that (``#2020``), so its place tells: words stand before nodes, nodes stand in the order of
their numbers, and a node is somebody's parent. White space inside a field (the lemma ``in plaats``)
is written as ``_``, as other programs do. What the format cannot hold at all (a field that begins
with ``%%``, the words ``#BOS`` and ``#EOS``, an empty word) is refused on writing. A lemma, tag,
feature, label or edge that reads ``--`` cannot be told from nothing, nor can a word without a tag.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from commonground.corpus import Constituents, Table
from commonground.errors import Problem, UsageError, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.graphs import Graphs, Row, Secondary, post_order
from commonground.plurals import number_of

__all__ = ["FORMAT", "problems", "read", "start_of", "write_version"]

_PARENT = re.compile(r"[5-9][0-9]{2}|[1-9][0-9]{3,8}")
_FIELD = re.compile(r"[^ \t]+")
_WHITE = re.compile(r"[ \t\n]")
_FIELDS = {3: "word tag morph edge parent", 4: "word lemma tag morph edge parent"}
_FIRST_NODE = 500
_MADE_OF_BOS = ("sent_id", "export.editor", "export.date", "export.origin", "export.comment")
_CUT = re.compile(rb"^#EOS(?:[ \t][^\n]*)?\n", re.MULTILINE)
_VERSION = re.compile(rb"^#FORMAT[ \t][^\n]*\n", re.MULTILINE)


# ── recognising ──────────────────────────────────────────────────────────────────────────────────

_STARTS = re.compile(r"^#(?:FORMAT[ \t]+[34]|BOT[ \t]+[A-Z]+|BOS[ \t]+\S.*)$", re.MULTILINE)
_SHAPE = re.compile(r"\S+(?:[ \t]+\S+){3,4}[ \t]+(?:0|[5-9][0-9]{2}|[1-9][0-9]{3,8})(?:[ \t].*)?")


def looks_like(start: str) -> float:
    r"""Tell from the first lines how likely a file is in the export format.

    >>> looks_like("#BOS 1\nHi UH -- HD 500\n#500 S -- -- 0\n#EOS 1\n")
    1.0
    """
    match = _STARTS.search(start)
    if match is None or any(_is_foreign(line) for line in start[: match.start()].split("\n")):
        return 0.0
    if not match.group().startswith("#BOS"):
        return 1.0
    lines = start[match.end() :].split("\n")[1:]
    first = next((line for line in lines if line.strip() and not line.startswith("%%")), "#EOS")
    return float(first.startswith("#EOS") or _SHAPE.fullmatch(first.strip()) is not None)


def _is_foreign(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("%%")


def cut(block: bytes) -> int:
    """Cut after the last sentence."""
    place = block.rfind(b"#EOS")
    while place >= 0:
        match = _CUT.match(block, place)
        if match and (place == 0 or block[place - 1 : place] == b"\n"):
            return match.end()
        place = block.rfind(b"#EOS", 0, place)
    return 0


def header(data: bytes) -> bytes:
    """Return the line that tells the version."""
    match = _VERSION.search(data)
    return match.group() if match else b""


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, path: str, line: int, _options: FormatOptions) -> Constituents:
    """Read a whole file."""
    return _parse(data).corpus(path, line)


def problems(data: bytes, _options: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    return _parse(data).problems()


@dataclass(slots=True)
class _ExportLine:
    """A line of a sentence in parts; `number` is that of a node, or 0."""

    line: int
    fields: list[str]
    comment: str
    number: int
    parent: int
    secondary: list[tuple[str, int]]


@dataclass(slots=True)
class _ExportBlock:
    """A sentence from ``#BOS`` to ``#EOS``."""

    line: int
    name: str
    comments: list[str]
    lines: list[_ExportLine] = field(default_factory=list)


def _parse(data: bytes) -> Graphs:
    reader = _ExportReader()
    for number, raw in enumerate(data.split(b"\n"), 1):
        reader.line(number, raw)
    reader.end_of_file(data.count(b"\n") + 1)
    return reader.graphs


class _ExportReader:
    """What is known between two lines of a file."""

    def __init__(self) -> None:
        self.graphs = Graphs()
        self._version = 0
        self._table = ""
        self._block: _ExportBlock | None = None
        self._comments: list[str] = []

    def line(self, number: int, raw: bytes) -> None:
        text = self._decoded(number, raw)
        fields, comment = _fields(text)
        if not fields:
            if text.startswith("%% #") and self._block is None:
                self._comments.append(text[3:])
        elif self._block is not None:
            self._inside(number, fields, comment, self._block)
        elif fields[0] == "#BOS":
            self._begin(number, fields, comment)
        elif self._table:
            self._table = "" if fields[0] == "#EOT" else self._table
        elif fields[0] == "#BOT":
            self._table = " ".join(fields)
        elif fields[0] == "#FORMAT":
            self._format(number, fields)
        else:
            message = f"{quoted(fields[0])} outside a sentence; #BOS is expected"
            self.graphs.problem(number, message)

    def end_of_file(self, number: int) -> None:
        if self._block is not None:
            name = quoted(self._block.name)
            self.graphs.problem(number, f"the file ends before the #EOS of sentence {name}")
        elif self._table:
            self.graphs.problem(number, f"the file ends before the #EOT of {quoted(self._table)}")

    def _decoded(self, number: int, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            place = error.start + 1
            message = f"byte {place} is not UTF-8; save the file as UTF-8 (is it in Latin-1?)"
            self.graphs.problem(number, message)
            return raw.decode("utf-8", "replace")

    def _format(self, number: int, fields: list[str]) -> None:
        if fields[1:] in (["3"], ["4"]):
            self._version = int(fields[1])
        else:
            message = f"{quoted(' '.join(fields))}; #FORMAT 3 or #FORMAT 4 is expected"
            self.graphs.problem(number, message)

    def _begin(self, number: int, fields: list[str], comment: str) -> None:
        if not 2 <= len(fields) <= 5:
            message = "#BOS must be followed by an id, and at most an editor, a date and an origin"
            self.graphs.problem(number, message)
        values = [*fields[1:5], "--", "--", "--", "--"][:4]
        comments = self._comments
        if not any(_key(line) == "sent_id" for line in comments):
            pairs = zip(_MADE_OF_BOS, [*values, comment or "--"], strict=True)
            comments = [f"# {key} = {value}" for key, value in pairs if value != "--"] + comments
        self._block = _ExportBlock(number, values[0], comments)
        self._comments = []
        self._table = ""

    def _inside(self, number: int, fields: list[str], comment: str, block: _ExportBlock) -> None:
        if fields[0] == "#EOS":
            if fields[1:] not in ([], [block.name]):
                message = f"#EOS {block.name} is expected, for the #BOS on line {block.line}"
                self.graphs.problem(number, message)
            self._end(block)
        elif fields[0] == "#BOS":
            self.graphs.problem(number, f"#BOS before the #EOS of sentence {quoted(block.name)}")
            self._end(block)
            self._begin(number, fields, comment)
        else:
            self._version = self._version or (3 if len(fields) % 2 else 4)
            parsed = _parsed(number, fields, comment, self._version)
            if isinstance(parsed, str):
                self.graphs.problem(number, parsed)
            else:
                block.lines.append(parsed)

    def _end(self, block: _ExportBlock) -> None:
        """Add a sentence to the treebank."""
        self._block = None
        _find_words(block.lines)
        rows = {0: -1}
        entries = []
        for entry in block.lines:
            if entry.number and entry.number in rows:
                self.graphs.problem(entry.line, f"there is another node #{entry.number}")
                continue
            entries.append(entry)
            if entry.number:
                rows[entry.number] = len(rows) - 1
        words: list[Row] = []
        nodes: list[Row] = []
        secondary: list[Secondary] = []
        for entry in entries:
            if entry.parent not in rows:
                self._no_node(entry.line, entry.parent)
            for label, up in entry.secondary:
                if up not in rows:
                    self._no_node(entry.line, up)
                at = (-1, len(nodes)) if entry.number else (len(words), -1)
                secondary.append((rows.get(up, -1), *at, _something(label)))
            (nodes if entry.number else words).append(
                (_texts(entry), rows.get(entry.parent, -1), entry.line)
            )
        self.graphs.add(block.line, block.comments, words, nodes, secondary)

    def _no_node(self, line: int, number: int) -> None:
        self.graphs.problem(line, f"parent {number}; the sentence has no node #{number}")


def _fields(text: str) -> tuple[list[str], str]:
    """Return the fields of a line and its comment."""
    if "%%" in text:
        for match in _FIELD.finditer(text):
            if match.group().startswith("%%"):
                before = _FIELD.findall(text, 0, match.start())
                return before, text[match.start() + 2 :].strip(" \t")
    return _FIELD.findall(text), ""


def _key(comment: str) -> str:
    return comment.removeprefix("#").partition("=")[0].strip()


def _parsed(number: int, fields: list[str], comment: str, version: int) -> _ExportLine | str:
    """Return a line in parts, or what is wrong with it."""
    width = version + 2
    if len(fields) < width or (len(fields) - width) % 2:
        return (
            f"{number_of(len(fields), 'field')}; a line of version {version} has {width} "
            f"({_FIELDS[version]}), and two more for each secondary edge"
        )
    parents = fields[width - 1 :: 2]
    for text in parents:
        if text != "0" and not _PARENT.fullmatch(text):
            return f"parent {quoted(text)}; 0 or the number of a node (from 500) is expected"
    word = fields[0]
    is_node = word[0] == "#" and _PARENT.fullmatch(word, 1)
    return _ExportLine(
        number,
        fields[:5] if version == 4 else [word, "--", *fields[1:4]],
        comment,
        int(word[1:]) if is_node else 0,
        int(parents[0]),
        list(zip(fields[width::2], map(int, parents[1:]), strict=True)),
    )


def _find_words(lines: Sequence[_ExportLine]) -> None:
    """Tell words that look like nodes, such as ``#2020``, from nodes.

    Such a word stands before all nodes. A word or a node without a higher number follows it, if
    there are nodes at all; and it is nobody's parent, or there is a node with the same number.
    """
    parents = {entry.parent for entry in lines}
    last = {entry.number: place for place, entry in enumerate(lines)}
    end = 0 if parents <= {0} else sys.maxsize
    lowest = list(accumulate((entry.number for entry in reversed(lines)), min, initial=end))[-2::-1]
    for place, (entry, following) in enumerate(zip(lines, lowest, strict=True)):
        if entry.number:
            is_parent = entry.number in parents and last[entry.number] == place
            if is_parent or following > entry.number:
                return
            entry.number = 0


def _texts(entry: _ExportLine) -> dict[str, str]:
    """Return the texts of a word or a node by column."""
    word, lemma, tag, morph, edge = entry.fields
    texts = {"feats": _something(morph), "edge": _something(edge)}
    if entry.comment:
        texts["comment"] = entry.comment
    if entry.number:
        return {"label": "" if tag == "--" else tag, **texts}
    return {"form": word, "tag": _something(tag), "lemma": _something(lemma), **texts}


def _something(text: str) -> str:
    return "_" if text == "--" else text


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file of version 4."""
    return write_version(corpus, 4)


def start_of(version: int) -> bytes:
    """Return the lines that a file begins with."""
    names = "\t".join(_FIELDS[version].split())
    return f"#FORMAT {version}\n%% {names}\tsecedge comment\n".encode()


def write_version(corpus: Constituents, version: int) -> Iterator[bytes]:
    """Return the bytes of a file, sentence by sentence; version 3 has no lemmas."""
    yield start_of(version)
    words, nodes, secondary = corpus.words, corpus.nodes, corpus.secondary
    word_rows = _rows(words, ("form", "lemma", "tag", "feats", "edge"), version)
    node_rows = _rows(nodes, ("label", "feats", "edge"), version)
    edges = _edges(secondary)
    frames = _frames(corpus)
    offsets = zip(*(table.offsets.tolist() for table in (words, nodes, secondary)), strict=True)
    for (begin, end), ((w, n, e), (w_end, n_end, e_end)) in zip(
        frames, pairwise(offsets), strict=True
    ):
        phrases = node_rows[n:n_end]
        places = post_order([parent for _, parent, _ in phrases])
        numbers = [*(_FIRST_NODE + place for place in places), 0]  # the last one for parent -1
        tails: dict[tuple[int, int], str] = {}
        for parent, word, node, label in edges[e:e_end]:
            tails[word, node] = tails.get((word, node), "") + f"\t{label}\t{numbers[parent]}"
        lines = [
            f"{fields}\t{numbers[parent]}{tails.get((i, -1), '')}{note}"
            for i, (fields, parent, note) in enumerate(word_rows[w:w_end])
        ]
        ordered = sorted(
            (numbers[i], f"\t{fields}\t{numbers[parent]}{tails.get((-1, i), '')}{note}")
            for i, (fields, parent, note) in enumerate(phrases)
        )
        lines += [f"#{number}{rest}" for number, rest in ordered]
        yield "\n".join([*begin, *lines, end, ""]).encode()


def _rows(table: Table, names: Sequence[str], version: int) -> list[tuple[str, int, str]]:
    """Return of each row the fields before the parent, the parent, and the comment.

    The fields of a node lack its number.
    """
    columns = [_fields_of(table, name) for name in names if version == 4 or name != "lemma"]
    if "form" not in names and version == 4:
        columns.insert(0, ["--"] * table.rows)
    notes = [""] * table.rows
    if "comment" in table:
        mark = table.strings("comment").map(lambda text: "" if text == "_" else f"\t%% {text}")
        notes = mark.map(lambda text: text.replace("\n", " ")).tolist()
    fields = map("\t".join, zip(*columns, strict=True))
    return list(zip(fields, table.numbers("parent").tolist(), notes, strict=True))


def _fields_of(table: Table, name: str) -> list[str]:
    """Return a column of text as it is written."""
    column = table.strings(name)
    refused = np.flatnonzero(column.where(lambda text: not _fits(text, is_form=name == "form")))
    if len(refused):
        raise UsageError(
            f"sentence {table.sentence_of_row()[refused[0]] + 1}: the export format cannot hold "
            f"the {name} {quoted(column[int(refused[0])])}: it must not be empty, begin with %% or "
            "be #BOS or #EOS"
        )
    plain = column.map(lambda text: _WHITE.sub("_", text))
    if name != "form":
        nothing = ("",) if name == "label" else ("_", "")
        plain = plain.map(lambda text: "--" if text in nothing else text)
    return plain.tolist()


def _fits(text: str, *, is_form: bool = False) -> bool:
    return not (text.startswith("%%") or (is_form and text in ("", "#BOS", "#EOS")))


def _edges(secondary: Table) -> list[tuple[int, int, int, str]]:
    ends = (secondary.numbers(name).tolist() for name in ("parent", "word", "node"))
    return list(zip(*ends, _fields_of(secondary, "label"), strict=True))


def _field(value: str) -> str:
    """Return a value that can be a field of ``#BOS``, or nothing."""
    return value if value != "--" and _fits(value) and not _WHITE.search(value) else ""


def _frames(corpus: Constituents) -> Iterator[tuple[list[str], str]]:
    """Return of each sentence the lines before it and the line after it.

    The comment lines that ``#BOS`` makes are left out where they stand first. If they do not, all
    are written: a line with the sent_id tells the reader that ``#BOS`` makes no more of them.
    """
    metadata = zip(*(corpus.metadata(key).tolist() for key in _MADE_OF_BOS), strict=True)
    blocks = zip(corpus.comments.tolist(), metadata, strict=True)
    for place, (block, (sent_id, *values, note)) in enumerate(blocks, 1):
        name, *inner = (_field(value) for value in (sent_id, *values))
        name = name or str(place)
        made = zip(_MADE_OF_BOS, [name, *inner, note], strict=True)
        kept = [f"# {key} = {value}" for key, value in made if value]
        lines = block.split("\n") if block else []
        if lines[: len(kept)] == kept:
            lines = lines[len(kept) :]
        elif not sent_id:
            lines = [line for line in lines if line not in kept]
        head = ["#BOS", name, *(value or "--" for value in inner if any(inner))]
        head += ["%%", note] if note else []
        yield [*(f"%% {line}" for line in lines), " ".join(head)], f"#EOS {name}"


FORMAT = Format(
    name="export",
    title="the NEGRA export format",
    corpus=Constituents,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
    write=write,
    aliases=("negra", "export4"),
    header=header,
    start=start_of(4),
)
