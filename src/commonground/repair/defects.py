"""The classes of defects, and how each is mended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["DEFECTS", "Defect", "counted", "told"]

DEFECTS = {
    # what the file has around its trees
    "fence": "a code fence; the line is left out",
    "prose": "text that is no row of a tree; it is left out",
    "encoding": "bytes that are not UTF-8; they are read as Windows-1252",
    # how rows are written
    "separators": "columns that are not separated by tabs alone; they are separated as they look",
    "columns": "too few, too many or exchanged columns; each goes where its content fits",
    "id": "an ID that is not the next number; words are numbered by their order",
    "blank-line": "a blank line inside a sentence, or none between two; IDs tell sentences apart",
    "token": "a multiword token or empty node that fits no words; it is left out",
    "json": "JSON that is not closed or has superfluous commas; what is whole is read",
    # heads
    "head-missing": "no head; the policy decides",
    "head-text": "a head that is not a number; the number or word in it is taken",
    "head-range": "a head that the sentence does not have; the policy decides",
    "head-unclear": "a word that the sentence has several times, or not at all, named without its "
    "number; the policy decides",
    "own-head": "a word that is its own head; the policy decides",
    "cycle": "heads that run in a circle; it is cut at a word labelled root, or at the longest arc",
    "several-roots": "more than one root; one stays, and the others hang on it",
    "no-root": "no root; the policy decides",
    # words, where those that should be there are known
    "lost-word": "a word that is not there; it is put back without tags, and the policy decides",
    "doubled-word": "a word twice; the second one is left out",
    "extra-word": "a word too many; it is left out, and its dependents hang on its head",
    "changed-word": "another form; the right one is put in its place",
    "joined-words": "several words as one; the first of them has its head",
    "split-word": "one word as several; it has the head of the one that hangs outside",
    "lost-sentence": "a sentence that is not there; it is put back, and the policy decides",
    "extra-sentence": "a sentence too many; it is left out",
    "doubled-sentence": "a sentence twice; the second one is left out",
    "sentence-break": "sentences cut elsewhere; they are cut as they should be, and arcs between "
    "them are left out",
    # brackets
    "open-bracket": "brackets that are not closed; they are closed at the end of the tree",
    "closing-bracket": "a closing bracket too many; it is left out",
    "empty-phrase": "a phrase without words; it is left out",
}
"""The classes of defects: what each is, and what is done about it."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect: its class, the line (0 where there is none), and what is wrong there."""

    kind: str
    line: int
    message: str


def counted(defects: Iterable[Defect]) -> dict[str, int]:
    """Return how many defects there are of each class, in the order of the classes.

    >>> counted([Defect("cycle", 3, ""), Defect("id", 1, ""), Defect("cycle", 9, "")])
    {'id': 1, 'cycle': 2}
    """
    numbers = Counter(defect.kind for defect in defects)
    return {kind: numbers[kind] for kind in DEFECTS if numbers[kind]}


def told(numbers: dict[str, int]) -> str:
    """Return the numbers of defects in one line.

    >>> told({"id": 1, "cycle": 2})
    '1 id, 2 cycle'
    """
    return ", ".join(f"{number:,} {kind}" for kind, number in numbers.items())
