r"""Cut bracketed trees into words and nodes and number the texts of each kind.

This is the plain twin of ``_brackets.pyx``. All formats that write trees with parentheses are read
with it; what the texts mean is decided on the few distinct ones, not here.

White space is that of ASCII. What stands between an opening bracket and the next bracket of either
kind decides what it opens:

- ``(NN dog)`` is a word with a tag;
- ``( dog)`` is a word without one (the space tells it from a label without words);
- ``(NP …`` and ``( …`` are nodes, the second one with the empty label; if further texts follow the
  label, they are words without a tag, as is every other text in the tree;
- ``(NP)`` and ``()`` are errors.

Between trees there may be *asides*: lines that begin with ``#`` (comments), with ``<`` (markup) or
with ``*x*`` (the header of a file of the Penn Treebank).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.checks import NO_TREES
from commonground.kernels.texts import Texts

__all__ = ["asides", "brackets", "last_end", "tree_ends", "without"]

Numbers = NDArray[np.int32]
Offsets = NDArray[np.int64]
Words = tuple[Numbers, Numbers, Numbers, Offsets]
Nodes = tuple[Numbers, Numbers, Offsets]

_OPEN, _CLOSE, _NEWLINE, _SPACE, _NUMBER_SIGN, _LESS, _STAR = b"()\n #<*"
_WINDOW = 1 << 16


def brackets(data: bytes) -> tuple[Words, Nodes, tuple[Texts, Texts, Texts], Offsets, list[str]]:
    r"""Cut bracketed trees into words and nodes and number the texts of each kind.

    Returns (words, nodes, texts, lines, asides). Words are (form, tag, parent, offsets), nodes are
    (label, parent, offsets): forms, tags and labels are numbers of texts, a parent is a node (from
    0 in its tree, -1 at the top), and the offsets tell where each tree begins. Nodes stand in the
    order of their opening brackets. The texts are those of the forms, the tags and the labels, in
    the order of their first appearance. At last come the line on which each tree begins (from 1),
    and the asides that stand before it.

    Raises ValueError when brackets do not match or hold no word, and when there is text outside of
    the trees, or a comment after the last one.

    >>> words, nodes, texts, lines, notes = brackets(b"# a\n(S (NP it) (VP (V is)))\n\n(X y)")
    >>> [column.tolist() for column in words]
    [[0, 1, 2], [0, 1, 2], [0, 1, -1], [0, 2, 3]]
    >>> [column.tolist() for column in nodes]
    [[0, 1], [-1, 0], [0, 2, 2]]
    >>> [each.parts for each in texts], lines.tolist(), notes
    ([('it', 'is', 'y'), ('NP', 'V', 'X'), ('S', 'VP')], [2, 4], ['# a', ''])
    """
    spans = asides(data)
    trees = without(data, spans)
    before, *chunks = trees.split(b"(")
    if before.strip():
        raise ValueError(NO_TREES)
    known = _Chunks()
    forms: list[int] = []
    tags: list[int] = []
    parents: list[int] = []
    labels: list[int] = []
    above: list[int] = []
    first_words: list[int] = []
    first_nodes: list[int] = []
    first, here = 0, -1  # the first node of the tree, and the open one, counted from it
    for chunk in chunks:
        if here < 0:
            first = len(labels)
            first_words.append(len(forms))
            first_nodes.append(first)
        label, word, rest = known[chunk]
        if word is not None:
            forms.append(word[0])
            tags.append(word[1])
            parents.append(here)
        else:
            labels.append(label)
            above.append(here)
            here = len(labels) - 1 - first
        for piece in rest:
            if here < 0:
                raise ValueError(NO_TREES)
            if piece is None:
                here = above[first + here]
            else:
                forms.append(piece[0])
                tags.append(piece[1])
                parents.append(here)
    if here >= 0:
        raise ValueError(NO_TREES)
    lines, notes = _places(data, trees, spans)
    return (
        (_column(forms), _column(tags), _column(parents), _offsets(first_words, len(forms))),
        (_column(labels), _column(above), _offsets(first_nodes, len(labels))),
        (known.forms.decoded(), known.tags.decoded(), known.labels.decoded()),
        lines,
        notes,
    )


Word = tuple[int, int]


class _Chunks(dict[bytes, tuple[int, Word | None, list[Word | None]]]):
    """What stands between an opening bracket and the next one, read once for each distinct text.

    It is (label of a node, None, rest), or (-1, word, rest); the rest has the words that follow,
    and None for each closing bracket. A word is (form, tag).
    """

    __slots__ = ("forms", "labels", "tags")

    def __init__(self) -> None:
        self.forms, self.tags, self.labels = _Texts(), _Texts(), _Texts()

    def __missing__(self, chunk: bytes) -> tuple[int, Word | None, list[Word | None]]:
        begin, *pieces = chunk.split(b")")
        texts = begin.split()
        if pieces and len(texts) == 1 and begin[:1].isspace():
            texts = [b"", *texts]
        if pieces and len(texts) < 2:
            raise ValueError(NO_TREES)
        label, word = -1, None
        if pieces and len(texts) == 2:
            word = (self.forms[texts[1]], self.tags[texts[0]])
            rest = self._untagged(pieces.pop(0).split())
        else:
            label = self.labels[texts[0] if texts else b""]
            rest = self._untagged(texts[1:])
        for piece in pieces:
            rest += [None, *self._untagged(piece.split())]
        self[chunk] = parts = label, word, rest
        return parts

    def _untagged(self, texts: list[bytes]) -> list[Word | None]:
        return [(self.forms[text], self.tags[b""]) for text in texts]


class _Texts(dict[bytes, int]):
    """Numbers each new text with the next free number."""

    __slots__ = ()

    def __missing__(self, text: bytes) -> int:
        self[text] = code = len(self)
        return code

    def decoded(self) -> Texts:
        """Return the texts as they are read, once all brackets are known to be good."""
        return Texts.of([text.decode() for text in self])


def asides(data: bytes) -> Offsets:
    r"""Return where the asides begin and end (before the newline): a row for each of them.

    >>> asides(b"# a :)\n(S\n# b)\n").tolist()
    [[0, 6]]
    """
    codes = np.frombuffer(data, np.uint8)
    newlines = np.flatnonzero(codes == _NEWLINE)
    lines = np.stack([np.append(0, newlines + 1), np.append(newlines, len(codes))], 1)
    lines = lines[lines[:, 0] < lines[:, 1]]
    begin = codes[lines[:, 0]]
    header = begin == _STAR
    header[header] = [data.startswith(b"*x*", start) for start in lines[header, 0].tolist()]
    lines = lines[(begin == _NUMBER_SIGN) | (begin == _LESS) | header]
    if not len(lines):
        return lines
    marks, steps = _marks(data)
    depth = np.append(0, np.cumsum(steps))[np.searchsorted(marks, lines)]
    opening, inside = [], 0  # the brackets in asides, opening less closing
    for row, (before, after) in enumerate(depth.tolist()):
        if before == inside:
            opening.append(row)
            inside += after - before
    return lines[opening]


def without(data: bytes, spans: Offsets) -> bytes:
    r"""Return the data with spaces in some places.

    >>> without(b"# a\n(X y)", np.array([[0, 3]]))
    b'   \n(X y)'
    """
    if not len(spans):
        return data
    edges = np.zeros(len(data) + 1, np.int8)
    edges[spans[:, 0]] = 1
    edges[spans[:, 1]] = -1
    inside = np.cumsum(edges[:-1], dtype=np.int8)
    return np.where(inside, np.uint8(_SPACE), np.frombuffer(data, np.uint8)).tobytes()


def last_end(data: bytes) -> int:
    r"""Return the place after the last tree that is closed, 0 where there is none.

    >>> last_end(b"(X y)\n(Z")
    5
    """
    codes = np.frombuffer(without(data, asides(data)), np.uint8)
    depth = np.count_nonzero(codes == _OPEN) - np.count_nonzero(codes == _CLOSE)
    for stop in range(len(codes), 0, -_WINDOW):
        start = max(0, stop - _WINDOW)
        marks, steps = _marks(codes[start:stop])
        depths = depth - (steps.sum() - np.cumsum(steps))
        ends = marks[(depths == 0) & (steps < 0)]
        if len(ends):
            return start + int(ends[-1]) + 1
        depth -= steps.sum()
    return 0


def tree_ends(block: bytes | memoryview) -> Offsets:
    r"""Return the place after each tree, and after its line where no other tree begins there.

    >>> tree_ends(b"(X y) (Z z) \n(Y\n y)\n(Z").tolist()
    [5, 13, 20]
    """
    codes = np.frombuffer(block, np.uint8)
    if _may_have_asides(codes):
        data = bytes(block)
        codes = np.frombuffer(without(data, asides(data)), np.uint8)
    depth, places = 0, [np.empty(0, np.int64)]
    for start in range(0, len(codes), _WINDOW):
        marks, steps = _marks(codes[start : start + _WINDOW])
        depths = np.cumsum(steps, dtype=np.int32)
        places.append(start + marks[(depths == -depth) & (steps < 0)] + 1)
        depth += int(depths[-1]) if len(depths) else 0
    ends = np.concatenate(places)
    closed = codes[np.minimum(ends, len(codes) - 1)] == _NEWLINE
    ends[closed] += 1
    for place in np.flatnonzero(~closed).tolist():
        ends[place] = _line_end(codes, int(ends[place]))
    return ends


def _may_have_asides(codes: NDArray[np.uint8]) -> bool:
    """Tell whether any line begins as asides do."""
    for start in range(0, len(codes), _WINDOW):
        here = codes[start : start + _WINDOW]
        begins = (here == _NUMBER_SIGN) | (here == _LESS) | (here == _STAR)
        begins[1:] &= here[:-1] == _NEWLINE
        begins[0] &= start == 0 or codes[start - 1] == _NEWLINE
        if begins.any():
            return True
    return False


def _line_end(codes: NDArray[np.uint8], end: int) -> int:
    """Return the place after the line on which a tree ends, or its end if another one follows."""
    rest = codes[end : end + _WINDOW].tobytes()
    stop = rest.find(b"\n") + 1 or len(rest)
    return end if b"(" in rest[:stop] else end + stop


def _marks(data: bytes | NDArray[np.uint8]) -> tuple[Offsets, NDArray[np.int8]]:
    """Return where the brackets are, and 1 for each opening, -1 for each closing one."""
    codes = np.frombuffer(data, np.uint8)
    marks = np.flatnonzero(codes | 1 == _CLOSE)  # the codes of brackets differ in the last bit
    return marks, 1 - 2 * (codes[marks] & 1).astype(np.int8)


def _places(data: bytes, trees: bytes, spans: Offsets) -> tuple[Offsets, list[str]]:
    """Return on which line each tree begins, and the asides before it."""
    marks, steps = _marks(trees)
    starts = marks[(steps > 0) & (np.cumsum(steps) == 1)]
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == _NEWLINE)
    notes: list[list[bytes]] = [[] for _ in range(len(starts) + 1)]
    follow = np.searchsorted(starts, spans[:, 0])
    for (start, stop), tree in zip(spans.tolist(), follow.tolist(), strict=True):
        notes[tree].append(data[start:stop])
    if any(note.startswith(b"#") for note in notes[-1]):
        raise ValueError(NO_TREES)
    texts = [b"\n".join(lines).decode() for lines in notes]
    return np.searchsorted(newlines, starts) + 1, texts[:-1]


def _column(numbers: list[int]) -> Numbers:
    return np.array(numbers, np.int32)


def _offsets(starts: list[int], rows: int) -> Offsets:
    return np.array([*starts, rows], np.int64)
