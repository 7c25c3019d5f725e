r"""Function trees as brackets with sets of labels.

``({root} ({sbj} John) ({hd} loves) ({obj} Mary))``: a sentence per line, the set of labels of a
node behind its opening bracket, sorted and with commas between them (``{obj,sbj}``), ``{}`` for
none. Words that have no node of their own stand bare, at the top as well; a sentence without words
is ``()``. Comment lines (``# sent_id = 1``) stand before their sentence.

Where yields are not continuous, or cross (a tree has no such yields, but a graph does), all words
of the sentence have their numbers from 1, and stand in each bracket that they belong to. A word in
two crossing nodes is there twice:

    ({root} ({sbj} 1=A 2=hearing 4=on 5=it) 3=starts)
    ({conj} 1=Ann 2=and) ({sbj} 2=and 3=Bob)

- Brackets and white space in words are as in Penn brackets: ``-LRB-``, ``-LCB-``, ``␠``.
- In labels a backslash stands before ``( ) { } ,`` and before itself; white space is ``\s`` (space)
  or ``\t \n \v \f \r``. The commas of feature structures, ``[gf=sbj,num=sg]``, need none; a
  label that would be read as the beginning of one has a backslash before its ``[``.
- Words get numbers also where they could not be told from numbered words or comments otherwise:
  if every word is like ``1=x``, or the first one stands bare and begins with ``#``.

A bracket inside of another one with the same words gives its labels to the same node, so that plain
function trees, ``({f1} ({f2} w))``, are read as multi-function trees, ``({f1,f2} w)``.

>>> from commonground.formats import read_text
>>> tree = read_text("({root} ({sbj} John) ({hd} loves) ({obj} Mary))", "functions")
>>> list(zip(tree.yields, tree.label))
[('1-3', 'root'), ('1', 'sbj'), ('2', 'hd'), ('3', 'obj')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from commonground.corpus import Functions, Strings, Table
from commonground.corpus.functions import Yield, canonical, nesting, parse_yield, yield_of_mask
from commonground.corpus.table import offsets_of
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.escapes import WORDS
from commonground.formats.notation.line_reader import problems_among, sound, text_lines
from commonground.plurals import number_of

__all__ = ["FORMAT"]

_SPACES = {"s": " ", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_ESCAPED = {space: letter for letter, space in _SPACES.items()} | {c: c for c in "(){},[\\"}
_FEATURE = r"[^\\{}(),\t\n\v\f\r \[\]=]+=[^\\{}(),\t\n\v\f\r \[\]=]+"
_STRUCTURE = re.compile(rf"\[{_FEATURE}(?:,{_FEATURE})+\]")
_PLAIN = r"(?:[^\\{}(),\t\n\v\f\r ]|\\[(){},\[\\stnvfr])+"
_LABEL = rf"(?:{_STRUCTURE.pattern}(?=[,}}]|\Z)|{_PLAIN})"
_LABELS = re.compile(_LABEL)
_SPECIAL = re.compile(r"[(){},\\\t\n\v\f\r ]")
_PIECE = re.compile(
    rf"([()])|(\{{(?:{_LABEL}(?:,{_LABEL})*)?\}})(?=[()\t\v\f\r ]|\Z)|[^()\t\v\f\r ]+"
)
_NUMBERED = re.compile(r"([0-9]{1,9})=(.*)", re.DOTALL)
_EMPTY = "()"


class _FunctionSentence(NamedTuple):
    line: int
    comments: list[str]
    words: list[str]
    rows: list[tuple[str, str]]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, path: str, line: int, _: FormatOptions) -> Functions:
    """Read a whole file."""
    sentences = sound(_find(data), path, line)
    words = Table(
        offsets_of([len(sentence.words) for sentence in sentences]),
        form=Strings.of(word for sentence in sentences for word in sentence.words),
    )
    nodes = Table(
        offsets_of([len(sentence.rows) for sentence in sentences]),
        yields=Strings.of(place for sentence in sentences for place, _ in sentence.rows),
        label=Strings.of(label for sentence in sentences for _, label in sentence.rows),
    )
    return Functions(
        {"words": words, "nodes": canonical(nodes)},
        comments=["\n".join(sentence.comments) for sentence in sentences],
        path=path,
        lines=np.array([sentence.line + line - 1 for sentence in sentences], np.int64),
    )


def problems(data: bytes, _: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    return problems_among(_find(data))


def _find(data: bytes) -> Iterator[_FunctionSentence | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    comments: list[str] = []
    begin = 0
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            begin = begin or number
            comments.append(line)
        elif line.strip("\t\v\f\r "):
            brackets = _Brackets()
            messages = list(brackets.read(line))
            yield from (Problem(number, message) for message in messages)
            if not messages:
                yield _FunctionSentence(begin or number, comments, brackets.words, brackets.rows)
            comments, begin = [], 0
    if begin:
        yield Problem(begin, "comments without a sentence; a sentence must follow them")


class _Brackets:
    """A sentence that is being read: its words and (yield, label) rows."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.rows: list[tuple[str, str]] = []
        self._leaves: list[str] = []
        self._nodes: list[tuple[list[str], int, int]] = []  # labels, first leaf, last leaf + 1

    def read(self, line: str) -> Iterator[str]:
        """Read a line, and yield what is wrong with it."""
        if line.strip("\t\v\f\r ") == _EMPTY:
            return
        wrong = False
        for message in self._brackets(line):
            wrong = True
            yield message
        if wrong:
            return
        numbered = [_NUMBERED.fullmatch(leaf) for leaf in self._leaves]
        if all(numbered):
            yield from self._by_number([(int(m[1]), m[2]) for m in numbered if m])
        else:
            self.words = list(map(WORDS.read, self._leaves))
            for labels, first, stop in self._nodes:
                place = f"{first + 1}-{stop}" if stop - first > 1 else str(stop)
                self.rows += [(place, label) for label in labels]

    def _brackets(self, line: str) -> Iterator[str]:
        stack: list[tuple[list[str], int]] = []
        opened = False  # by the piece before
        for bracket, labels, piece in _pieces(line):
            if opened:
                stack.append((_parsed(labels or "{}"), len(self._leaves)))
            if piece.startswith("{") and not (opened and labels):
                wrong = "is not a set of labels behind a bracket"
                yield f"{quoted(piece)} {wrong}; ({{a}} John) is right"
            elif opened and not labels:
                yield f"no labels after a bracket, but {quoted(piece)}; ({{sbj}} John) is right"
            if bracket == ")":
                yield from self._closed(stack)
            elif not bracket and not piece.startswith("{"):
                self._leaves.append(piece)
            opened = bracket == "("
        if opened or stack:
            yield number_of(
                len(stack) + opened, "closing bracket is missing", "closing brackets are missing"
            )

    def _closed(self, stack: list[tuple[list[str], int]]) -> Iterator[str]:
        if not stack:
            yield "a closing bracket too many; no bracket is open here"
            return
        labels, first = stack.pop()
        if first == len(self._leaves):
            yield f"the node {quoted(_written(labels))} has no words; ({{sbj}} John) is right"
        self._nodes.append((labels, first, len(self._leaves)))

    def _by_number(self, leaves: Sequence[tuple[int, str]]) -> Iterator[str]:
        forms = dict(leaves)
        missing = [place for place in range(1, len(forms) + 1) if place not in forms]
        other = [place for place, form in leaves if forms[place] != form]
        if missing:
            count = number_of(len(forms), "word")
            yield f"there is no word {missing[0]}; of {count} the first has the number 1"
        elif other:
            yield f"two forms for word {other[0]}; each has a number of its own"
        else:
            self.words = [WORDS.read(forms[place]) or "_" for place in range(1, len(forms) + 1)]
            self.rows = list(_scattered_rows(self._nodes, [place for place, _ in leaves]))


def _pieces(line: str) -> Iterator[tuple[str, str, str]]:
    for match in _PIECE.finditer(line):
        yield match[1] or "", match[2] or "", match[0]


def _scattered_rows(
    nodes: Sequence[tuple[list[str], int, int]], places: Sequence[int]
) -> Iterator[tuple[str, str]]:
    """Return the rows of nodes, each of which stands after all that are inside of it."""
    loose: list[tuple[int, int]] = []  # what is not yet in a node: its first leaf and its words
    seen = 0
    for labels, first, stop in nodes:
        loose += [(leaf, 1 << places[leaf]) for leaf in range(seen, stop)]
        seen, words = stop, 0
        while loose and loose[-1][0] >= first:
            words |= loose.pop()[1]
        loose.append((first, words))
        text = yield_of_mask(words)
        yield from ((text, label) for label in labels)


def _parsed(labels: str) -> list[str]:
    r"""Return the labels of a set.

    >>> _parsed(r"{a\,b,c\s}"), _parsed("{}")
    (['a,b', 'c '], [''])
    """
    texts = _LABELS.findall(labels[1:-1])
    return [_unescaped(label) for label in texts] or [""]


def _unescaped(label: str) -> str:
    return re.sub(r"\\(.)", lambda match: _SPACES.get(match[1], match[1]), label)


def _written(labels: Sequence[str]) -> str:
    return "{" + ",".join(map(_escaped, labels)) + "}"


def _escaped(label: str) -> str:
    if label.startswith("["):
        if _STRUCTURE.fullmatch(label):
            return label
        if "=" in label and not label.endswith("]"):  # would be read with the next label
            return f"\\[{_escaped(label[1:])}"
    return _SPECIAL.sub(lambda match: f"\\{_ESCAPED[match[0]]}", label)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

_CHUNK = 1000


def write(corpus: Functions) -> Iterator[bytes]:
    """Return the bytes of a file, some sentences at a time."""
    yields = list(map(Yield.of, corpus.yields.vocabulary))
    for chunk in corpus.chunks(_CHUNK):
        yield "".join(_lines(chunk, yields)).encode()


def _lines(corpus: Functions, yields: Sequence[Yield]) -> Iterator[str]:
    forms = corpus.form.map(lambda form: WORDS.written(form) or "_").tolist()
    labels = corpus.label.map(_escaped).tolist()
    rows = list(zip(corpus.yields.codes.tolist(), labels, strict=True))
    in_words, in_nodes = (pairwise(t.offsets.tolist()) for t in (corpus.words, corpus.nodes))
    for comments, of_words, of_nodes in zip(corpus.comments, in_words, in_nodes, strict=True):
        nodes = [
            (yields[code], "({" + ",".join(label for _, label in group) + "}")
            for code, group in groupby(rows[slice(*of_nodes)], itemgetter(0))
        ]
        before = f"{comments}\n" if comments else ""
        yield f"{before}{_line(forms[slice(*of_words)], nodes)}\n"


def _line(forms: Sequence[str], nodes: Sequence[tuple[Yield, str]]) -> str:
    """Return the text of a sentence; the nodes are (words, opening bracket) in canonical order."""
    if not forms:
        return _EMPTY
    pieces = list(_nested(len(forms), nodes))
    places = [piece for piece in pieces if isinstance(piece, int)]
    plain = places == list(range(1, len(forms) + 1))
    mistakable = all(map(_NUMBERED.fullmatch, forms)) or (
        pieces[0] == 1 and forms[0].startswith("#")
    )
    if plain and not mistakable:
        words = [f" {form}" for form in forms]
    else:
        words = [f" {place}={form}" for place, form in enumerate(forms, 1)]
    texts = (words[piece - 1] if isinstance(piece, int) else piece for piece in pieces)
    return "".join(texts).removeprefix(" ")


def _nested(length: int, nodes: Sequence[tuple[Yield, str]]) -> Iterator[int | str]:
    """Return the words and brackets of a sentence in the order in which they are written."""
    # What is inside of each node, and last of all at the top: (first word, node).
    inside: list[list[tuple[int, int]]] = [[] for _ in range(len(nodes) + 1)]
    bare = [words.mask for words, _ in nodes] + [(1 << length + 1) - 2]
    for node, parent in enumerate(nesting(length, [words for words, _ in nodes])):
        inside[parent].append((nodes[node][0].first, node))
        bare[parent] &= ~nodes[node][0].mask
    items = iter(_in_order(inside[-1], bare[-1]))
    stack = []
    while True:
        for place, node in items:
            if node >= 0:
                yield f" {nodes[node][1]}"
                stack.append(items)
                items = iter(_in_order(inside[node], bare[node]))
                break
            yield place
        else:
            if not stack:
                return
            yield ")"
            items = stack.pop()


def _in_order(nodes: list[tuple[int, int]], words: int) -> list[tuple[int, int]]:
    """Return nodes and bare words as (first word, node or -1) from left to right."""
    if not words:
        return nodes
    spans = parse_yield(yield_of_mask(words))
    places = (place for first, last in spans for place in range(first, last + 1))
    return sorted([*nodes, *((place, -1) for place in places)])


# ── the format ───────────────────────────────────────────────────────────────────────────────────

_BRACKET = re.compile(r"(?<!\\)\((?!\)\Z)")
_NODE = re.compile(rf"(?<!\\)\(\{{(?:{_LABEL}(?:,{_LABEL})*)?\}}[ \t]")


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file has function trees: all brackets have labels."""
    if "({" not in start:
        return 0.0
    lines = [line.strip() for line in start.split("\n") if line.strip() and line[0] != "#"]
    counts = [(len(_NODE.findall(line)), len(_BRACKET.findall(line))) for line in lines]
    if not any(brackets for _, brackets in counts) or any(a != b for a, b in counts):
        return 0.0
    return sum(1 for labelled, _ in counts if labelled) / len(counts)


def cut(block: bytes) -> int:
    """Cut after the last line that is a sentence."""
    end = len(block)
    while end:
        start = block.rfind(b"\n", 0, end - 1) + 1
        line = block[start:end].strip()
        if line and not line.startswith(b"#"):
            return end
        end = start
    return 0


FORMAT = Format(
    name="functions",
    title="function trees",
    corpus=Functions,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
    write=write,
    aliases=("function-trees", "mft"),
)
