"""Where several annotations of one text disagree, and the file that decisions make of them.

What all annotators agree on is taken. Each disagreement is one question, on the smallest scale that
makes sense:

- a column of a word: FORM, LEMMA, UPOS, XPOS; each feature and each entry of MISC; the enhanced
  arcs (DEPS), unless they differ only as the arcs of the tree do;
- the arc of a word: HEAD, DEPREL, or, where both differ, ``HEAD:DEPREL`` as ``3:nsubj``;
- a line that not all have (an empty node, a multiword token), and the comments of a sentence;
- a sentence whose words differ, or a stretch that is cut into other sentences, as a whole;
- line ends and empty lines, once for the file.

The first three can be answered by the name of an annotator or by another value, the others only by
a name. Decided in favour of the same annotator everywhere, the result is the annotator's file, byte
for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from commonground.errors import UsageError
from commonground.formats.aligned_files import Stretch, aligned, words_of
from commonground.formats.decided_word import decided_fields
from commonground.formats.disagreement import (
    COMMENTS,
    ENDS,
    LINE,
    SENTENCES,
    WORDS,
    Choice,
    Choose,
    Disagreement,
    unfit,
)
from commonground.formats.patch import COLUMNS, SentenceLines, file_lines, sentences_of
from commonground.formats.tree_lines import dangling, no_tree
from commonground.plurals import number_of

__all__ = ["Adjudication", "adjudicated", "disagreements"]

_ID = re.compile(r"(\d+)(?:([-.])(\d+))?")
_FORM, _HEAD, _WIDTH = COLUMNS.index("FORM"), COLUMNS.index("HEAD"), len(COLUMNS)


@dataclass(slots=True)
class Adjudication:
    """The decided file, the questions nobody has answered, and sentences that are no trees.

    Where there is anything of the latter two, the file is not finished.
    """

    data: bytes = b""
    asked: int = 0
    undecided: list[Disagreement] = field(default_factory=list)
    no_trees: list[str] = field(default_factory=list)


def disagreements(files: Mapping[str, bytes]) -> list[Disagreement]:
    r"""Return all disagreements between annotations, in the order of the text.

    >>> one = b"# sent_id = s1\n1\tBirds\tbird\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n\n"
    >>> two = one.replace(b"NOUN", b"PROPN").replace(b"Plur", b"Sing")
    >>> [(each.word, each.column, each.values) for each in disagreements({"a": one, "b": two})]
    [('1', 'UPOS', ('NOUN', 'PROPN')), ('1', 'FEATS Number', ('Number=Plur', 'Number=Sing'))]
    """
    asked: list[Disagreement] = []

    def note(question: Disagreement) -> Choice:
        asked.append(question)
        return Choice(0)

    _File(files, note).data()
    return asked


def adjudicated(
    files: Mapping[str, bytes], decisions: Mapping[str, Choice], undecided: Sequence[str] = ()
) -> Adjudication:
    r"""Return the file that decisions, by the keys of disagreements, make of annotations.

    What is `undecided` is asked of these in turn: ``majority``, or the name of an annotator.

    >>> one = b"# sent_id = s1\n1\tBirds\tbird\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    >>> two = one.replace(b"NOUN", b"PROPN").replace(b"bird", b"Bird")
    >>> files = {"a": one, "b": two}
    >>> lemma, tag = disagreements(files)
    >>> len(adjudicated(files, {lemma.key: Choice(1)}).undecided)
    1
    >>> decisions = {lemma.key: Choice(1), tag.key: Choice(value="X")}
    >>> adjudicated(files, decisions).data.split(b"\t")[2:4]
    [b'Bird', b'X']
    >>> adjudicated(files, {}, ["majority", "b"]).data == two
    True
    """
    names = list(files)
    unknown = [each for each in undecided if each != "majority" and each not in files]
    if unknown:
        raise UsageError(f"no annotator is called {unknown[0]!r}; there are {', '.join(names)}")
    result = Adjudication()

    def choose(question: Disagreement) -> Choice:
        result.asked += 1
        choice = decisions.get(question.key)
        for each in undecided:
            if choice is None:
                place = question.majority() if each == "majority" else names.index(each)
                choice = None if place is None else Choice(place)
        if choice is None:
            result.undecided.append(question)
        elif choice.annotator < 0 and (why := unfit(question, choice.value)):
            raise UsageError(f"{question.sentence} {question.word}: {why}")
        return choice or Choice(0)

    file = _File(files, choose)
    result.data = file.data()
    result.no_trees = file.no_trees
    return result


class _File:
    """The file that answers make, sentence by sentence; each question is asked once."""

    def __init__(self, files: Mapping[str, bytes], choose: Choose) -> None:
        if len(files) < 2:
            raise UsageError("one annotation has nobody to disagree with; give two or more")
        self.files = list(files.values())
        lines = [file_lines(data) for data in self.files]
        self.sides = [list(sentences_of(each)) for each in lines]
        self.choose = choose
        self.frame = 0
        self.no_trees: list[str] = []

    def data(self) -> bytes:
        stretches = list(aligned(self.sides))
        self.frame = self._frame(stretches)
        sentences = [each for stretch in stretches for each in self._stretch(stretch)]
        ending = next((_ending(each) for each in sentences if each.lines), "")
        for each in sentences[:-1]:
            each.end = each.end or [ending]
        text = "".join(f"{line}\n" for each in sentences for line in (*each.lines, *each.end))
        if self.files[self.frame] and not self.files[self.frame].endswith(b"\n"):
            text = text.removesuffix("\n")
        return text.encode("utf-8", "surrogateescape")

    def _frame(self, stretches: Sequence[Stretch]) -> int:
        """Return the annotator whose line ends and empty lines are taken."""
        plain = [each for each in stretches if each.paired or not _cut_otherwise(each)]
        kinds = {
            (
                data.endswith(b"\n"),
                tuple(_line_ends(one) for each in plain for one in each.sides[side]),
            )
            for side, data in enumerate(self.files)
        }
        if len(kinds) == 1:
            return 0
        values = tuple(_described(data) for data in self.files)
        return self.choose(Disagreement("", "", "", ENDS, values)).annotator

    def _stretch(self, stretch: Stretch) -> Iterator[SentenceLines]:
        """Return the sentences of a stretch as they become."""
        if not stretch.paired:
            chosen = self.frame
            if _cut_otherwise(stretch):
                values = tuple(" / ".join(map(_text, side)) for side in stretch.sides)
                question = Disagreement(stretch.name, "", "", SENTENCES, values)
                chosen = self.choose(question).annotator
            yield from (
                SentenceLines(one.name, one.first, list(one.lines), list(one.end))
                for one in stretch.sides[chosen]
            )
            return
        sentences = [side[0] for side in stretch.sides]
        frame = sentences[self.frame]
        lines = _Sentence(stretch.name, sentences, self.choose).lines()
        if _newly_broken(lines, [each.bare for each in sentences]):
            self.no_trees.append(stretch.name)
        mixed = [each for each in sentences if len({line[-1:] == "\r" for line in each.lines}) > 1]
        same = next((each for each in (frame, *mixed) if each.bare == lines), None)
        lines = same.lines if same else [line + _ending(frame) for line in lines]
        yield SentenceLines(frame.name, frame.first, list(lines), list(frame.end))


def _cut_otherwise(stretch: Stretch) -> bool:
    texts = [[each.bare for each in side] for side in stretch.sides]
    return any(text != texts[0] for text in texts)


def _newly_broken(lines: Sequence[str], sides: Sequence[Sequence[str]]) -> bool:
    """Tell whether a sentence is no tree although each annotator's was one, or was another."""
    if any(lines == side for side in sides):
        return False
    tree = no_tree(lines) and _heads(lines) not in [_heads(side) for side in sides]
    return tree or (dangling(lines) and not any(dangling(side) for side in sides))


def _line_ends(sentence: SentenceLines) -> tuple[object, ...]:
    """Return what ends the lines of a sentence, and the empty lines after it."""
    ends = tuple(line.endswith("\r") for line in sentence.lines)
    return ends if len(set(ends)) > 1 else ends[:1], tuple(sentence.end)


def _ending(sentence: SentenceLines) -> str:
    return "\r" if sentence.lines and sentence.lines[0].endswith("\r") else ""


def _described(data: bytes) -> str:
    """Return what the lines of a file end with."""
    lines = "CRLF" if b"\r\n" in data else "LF"
    last = "" if data.endswith(b"\n") else ", none after the last"
    return f"{lines}, {number_of(len(file_lines(data)), 'line')}{last}"


def _text(sentence: SentenceLines) -> str:
    return " ".join(row[1] if len(row) > 1 else row[0] for row in words_of(sentence))


def _heads(lines: Sequence[str]) -> list[list[str]]:
    """Return the ID and the head of each line."""
    return [
        fields[:1] + fields[_HEAD : _HEAD + 1]
        for fields in (line.split("\t") for line in lines if not line.startswith("#"))
    ]


class _Sentence:
    """One sentence of all annotators, and what answers make of it."""

    def __init__(self, name: str, sides: Sequence[SentenceLines], choose: Choose) -> None:
        self.name = name
        self.sides = sides
        self.choose = choose

    def ask(self, word: str, form: str, column: str, values: Sequence[str]) -> Choice:
        return self.choose(Disagreement(self.name, word, form, column, tuple(values)))

    def lines(self) -> list[str]:
        """Return the lines without what ends them."""
        bare = [each.bare for each in self.sides]
        if all(lines == bare[0] for lines in bare):
            return bare[0]
        rows = [_by_id(each) for each in self.sides]
        if any(each is None for each in rows) or len({_word_ids(each) for each in rows}) > 1:
            values = [_text(each) for each in self.sides]
            if len(set(values)) < len(values):
                values = [" ".join(":".join(row[:2]) for row in words_of(s)) for s in self.sides]
            return bare[self.ask("", "", WORDS, values).annotator]
        return [*self._comments(bare), *self._rows([each for each in rows if each is not None])]

    def _comments(self, bare: Sequence[Sequence[str]]) -> list[str]:
        comments = [[line for line in lines if line.startswith("#")] for lines in bare]
        if all(each == comments[0] for each in comments):
            return comments[0]
        shared = set(comments[0]).intersection(*comments)
        values = [" / ".join(line for line in each if line not in shared) for each in comments]
        return comments[self.ask("", "", COMMENTS, values).annotator]

    def _rows(self, sides: Sequence[Mapping[str, list[str]]]) -> Iterator[str]:
        ids = {word for side in sides for word in side}
        for word in sorted(ids, key=_order):
            found = [side.get(word) for side in sides]
            there = [row for row in found if row is not None]
            if len(there) < len(found):
                values = ["_" if row is None else " ".join(row) for row in found]
                row = found[self.ask(word, there[0][_FORM], LINE, values).annotator]
                if row is not None:
                    yield "\t".join(row)
            elif all(row == there[0] for row in there):
                yield "\t".join(there[0])
            else:
                ask = partial(self.ask, word, there[0][_FORM])
                yield "\t".join(decided_fields(ask, there))


def _by_id(sentence: SentenceLines) -> dict[str, list[str]] | None:
    """Return the lines of words by their IDs; None where they are not as in any CoNLL-U file."""
    words = False
    for line in sentence.bare:
        if line.startswith("#") and words:
            return None
        words = words or not line.startswith("#")
    rows = words_of(sentence)
    ids = [row[0] for row in rows]
    if any(len(row) != _WIDTH or not _ID.fullmatch(row[0]) for row in rows):
        return None
    if len({line.endswith("\r") for line in sentence.lines}) > 1:
        return None
    order = [_order(word) for word in ids]
    if any(one >= other for one, other in pairwise(order)):
        return None
    return dict(zip(ids, rows, strict=True))


def _order(word: str) -> tuple[int, int, int]:
    """Return where a line stands: a token before its words, empty nodes after a word."""
    match = _ID.fullmatch(word)
    assert match is not None
    kind = {"-": -1, None: 0, ".": 1}[match[2]]
    return int(match[1]), kind, int(match[3] or 0)


def _word_ids(rows: Mapping[str, list[str]] | None) -> tuple[str, ...]:
    return tuple(word for word in rows or () if word.isdigit())
