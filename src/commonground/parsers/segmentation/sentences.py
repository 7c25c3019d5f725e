"""After which tokens a sentence ends: a stage of its own over the tokens of a paragraph.

Every token is a choice of two; the last one of a paragraph ends a sentence in any case. Besides the
tokens around and the white space between them, it matters how long ago the last sentence seems to
have ended, and whether brackets and quotes are open. Before closing punctuation that follows
without white space, a sentence can only end if one did in training between two tokens of the same
kinds: not before the quote in ``.”``, nor inside of ``...``.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.raw_text import Surface
from commonground.parsers.atoms import Atoms, atom, shape
from commonground.parsers.chain_model import (
    ChainModel,
    ChainRows,
    learned_chains,
    menus_of,
    read_chains,
    shape_of,
)
from commonground.parsers.model_file import Stored
from commonground.parsers.parser import TrainingTask

__all__ = ["SentenceSplitter", "Tokens", "load_sentences", "train_sentences"]

Places = NDArray[np.int64]

_FIELDS = "w l h s n a i d b r g"
"""Form, lower case, shape, last characters, white space after it; how often it ends and begins a
sentence; tokens since the last end, what is open, tokens that are left, length."""

_TEMPLATES = """
0.w | 0.l | 0.h | 0.s | 0.n | 0.a | 1.i | 1.h | 1.w | 1.l | 2.w | 2.h | -1.w | -1.h | -1.l
0.w 0.n | 0.w 1.h | 0.w 1.w | -1.w 0.w | -1.h 0.w | -1.h 0.w 1.h | 0.w 0.n 1.h | -1.l 0.w 1.h
0.w 1.h 2.h | 0.w 1.w 2.h | -1.w 0.w 1.w | -1.h 0.w 1.h 2.h | 0.h 1.h | 0.n 1.h | 0.a 1.h | 0.a 1.i
0.a 0.n 1.i | 0.w 1.i | 0.w 0.d | 0.a 0.d | 0.a 0.d 1.h | 0.b | 0.w 0.b | 0.a 0.b 1.h | 0.w 0.b 1.w
0.d | 0.r | 0.w 0.r | 0.a 0.r | -1.g 0.w | -1.g 0.w 1.h | 0.a 1.a | -1.a 0.a | 0.w 1.n | -1.s 0.w
0.n 1.w | 0.n 0.h 1.h | 0.n 0.d 1.i | -1.w 0.w 1.h | -2.w -1.w 0.w | -1.n 0.w 0.n | 0.d 0.b 0.a 1.i
0.w 0.d 1.h | 0.n 0.d | -1.a 0.a 1.i | 0.a 1.a 1.i | 1.s | 0.h 0.n 1.w
"""
_SHAPE = shape_of(_TEMPLATES, _FIELDS)
_ENDS = menus_of([[0, 1], [0]])

_OPEN = {"(": ")", "[": "]", "{": "}", "（": "）", "「": "」", "『": "』", "《": "》", "【": "】",
         "“": "”", "„": "“", "«": "»", "‘": "’", "‚": "‘"}  # fmt: skip
_CLOSE = frozenset(_OPEN.values())
_STRAIGHT = frozenset(['"', "''", "``"])
LONGEST = 1000
"""A sentence of more tokens is cut: parsers take time for long ones, and there are none."""

_NOT_OPENING = ("Pe", "Pf", "Po")
"""The categories of punctuation that opens nothing."""

_FAR = 60
"""What was opened so many tokens ago is not open any more."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text in paragraphs: their forms, and the white space after each."""

    forms: Sequence[str]
    spaces: Sequence[str]
    paragraphs: Places

    def ranges(self) -> list[tuple[int, int]]:
        """Return the first and the last row but one of each paragraph."""
        return list(zip(self.paragraphs[:-1].tolist(), self.paragraphs[1:].tolist(), strict=True))


@dataclass(frozen=True)
class SentenceSplitter:
    """A trained splitter, with how often tokens end and begin sentences.

    `joints` are the kinds of tokens and of what closes right after them between which one ended.
    """

    model: ChainModel
    ends: dict[str, str]
    begins: dict[str, str]
    joints: frozenset[str]

    def ending(self, tokens: Tokens) -> NDArray[np.bool_]:
        """Return which tokens end a sentence."""
        rows = _rows(tokens, self.ends, self.begins)
        joints = _joints(tokens)
        closed = [place for place, joint in enumerate(joints) if joint and joint not in self.joints]
        rows.menu[closed] = 1
        ends = self.model.choose(rows) == 1
        last = tokens.paragraphs[1:][np.diff(tokens.paragraphs) > 0] - 1
        ends[last] = True
        offsets = np.concatenate([[0], np.flatnonzero(ends) + 1])
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            ends[start + LONGEST - 1 : stop : LONGEST] = True
        return ends

    def store(self) -> Stored:
        """Return what a file of it holds."""
        return self.model.store(
            "sentences", ends=self.ends, begins=self.begins, joints=sorted(self.joints)
        )


def load_sentences(stored: Stored) -> SentenceSplitter:
    """Make a splitter from what a file holds."""
    model = read_chains(stored, 2, _SHAPE)
    joints = frozenset(stored.texts("joints"))
    return SentenceSplitter(model, stored.mapping("ends"), stored.mapping("begins"), joints)


def _rows(tokens: Tokens, ends: dict[str, str], begins: dict[str, str]) -> ChainRows:
    ranges = tokens.ranges()
    chains = np.array(
        [(row, row + 1, a, b) for a, b in ranges for row in range(a, b)], np.int64
    ).reshape(-1, 4)
    menu = np.zeros(len(tokens.forms), np.int32)
    return ChainRows(_fields(tokens, ends, begins), chains, menu, _ENDS)


def _fields(tokens: Tokens, ends: dict[str, str], begins: dict[str, str]) -> Atoms:
    known: dict[str, tuple[int, ...]] = {}
    numbers = []
    for form, space in zip(tokens.forms, tokens.spaces, strict=True):
        kept = known.get(form)
        if kept is None:
            kept = known[form] = _form_fields(form, ends, begins)
        after = "none" if not space else "line" if "\n" in space else "space"
        numbers.append((*kept[:4], atom(after), *kept[4:6], 0, 0, 0, kept[6]))
    fields = np.array(numbers, np.uint64).reshape(-1, len(_FIELDS.split()))
    for start, stop in tokens.ranges():
        fields[start:stop, 7:10] = _state(tokens.forms[start:stop], ends)
    return fields


def _form_fields(form: str, ends: dict[str, str], begins: dict[str, str]) -> tuple[int, ...]:
    return (
        atom(form),
        atom(form.lower()),
        atom(_shape(form)),
        atom(form[-2:]),
        atom(ends.get(form, "")),
        atom(begins.get(form, "")),
        min(len(form), 4) + 1,
    )


def _joints(tokens: Tokens) -> list[str]:
    """Return the kinds of each token and of what closes right after it, else the empty text.

    >>> _joints(Tokens(["Oh", "!", "”", "He"], ["", "", " ", ""], np.array([0, 4])))
    ['Lu Po', 'Po Pf', '', '']
    """
    kinds = [unicodedata.category(form[:1] or " ") for form in tokens.forms]
    after = [*kinds[1:], ""]
    return [
        f"{kind} {later}" if later in _NOT_OPENING and not space else ""
        for kind, later, space in zip(kinds, after, tokens.spaces, strict=True)
    ]


def _shape(form: str) -> str:
    if len(form) == 1 and not form.isalnum():
        return unicodedata.category(form) + form
    return f"{shape(form)} {min(len(form), 3)}"


def _state(forms: Sequence[str], ends: dict[str, str]) -> list[tuple[int, int, int]]:
    """Return the state at each token.

    It is how long ago a sentence seems to have ended, what is open, and how many tokens are left.
    """
    since, states = 0, []
    opened: list[tuple[int, str]] = []
    for place, form in enumerate(forms):
        while opened and place - opened[0][0] > _FAR:
            opened.pop(0)
        if form in _STRAIGHT:
            if opened and opened[-1][1] == form:
                opened.pop()
            else:
                opened.append((place, form))
        elif opened and form == opened[-1][1]:
            opened.pop()
        elif form in _OPEN:
            opened.append((place, _OPEN[form]))
        state = atom(opened[-1][1] if opened else "")
        states.append((_bucket(since) + 1, state, _bucket(len(forms) - place) + 1))
        since = 0 if ends.get(form, "") in ("often", "mostly") else since + 1
    return states


def _bucket(number: int) -> int:
    """Return small numbers as they are, and larger ones by their size in bits.

    >>> [_bucket(number) for number in (0, 3, 4, 9, 1000)]
    [0, 3, 4, 5, 8]
    """
    return number if number < 4 else min(number.bit_length() + 1, 8)


def train_sentences(
    surface: Surface, task: TrainingTask, *, iterations: int, margin: int
) -> SentenceSplitter:
    """Train a splitter on the sentences of a treebank."""
    tokens, gold = _gold(surface)
    first = np.append(True, gold[:-1].astype(np.bool_))
    ends = _tendency(tokens.forms, gold.astype(np.bool_))
    begins = _tendency(tokens.forms, first)
    rows = _rows(tokens, ends, begins)
    # The last token of a paragraph is no choice.
    kept = rows.chains[:, 1] != rows.chains[:, 3]
    rows = ChainRows(rows.fields, rows.chains[kept], rows.menu, rows.menus)
    model = learned_chains(
        "sentences", task, _SHAPE, 2, rows, gold, iterations=iterations, margin=margin
    )
    joints = {joint for joint, end in zip(_joints(tokens), gold.tolist(), strict=True) if end}
    return SentenceSplitter(model, ends, begins, frozenset(joints - {""}))


def _gold(surface: Surface) -> tuple[Tokens, NDArray[np.int32]]:
    text = surface.text
    forms = [
        " ".join(text[a:b].split())
        for a, b in zip(surface.start.tolist(), surface.stop.tolist(), strict=True)
    ]
    following = np.append(surface.start[1:], len(text))
    spaces = [text[a:b] for a, b in zip(surface.stop.tolist(), following.tolist(), strict=True)]
    gold = np.zeros(len(forms), np.int32)
    gold[surface.offsets[1:][np.diff(surface.offsets) > 0] - 1] = 1
    breaks = [place + 1 for place, space in enumerate(spaces) if space.count("\n") > 1]
    edges = np.unique(np.array([0, *breaks, len(forms)], np.int64))
    return Tokens(forms, spaces, edges), gold


def _tendency(forms: Sequence[str], there: NDArray[np.bool_]) -> dict[str, str]:
    """Return of forms that were there at least twice how often they are."""
    every = Counter(forms)
    some = Counter(form for form, one in zip(forms, there.tolist(), strict=True) if one)
    shares = {}
    for form, count in sorted(some.items()):
        if count > 1:
            share = count / every[form]
            shares[form] = "mostly" if share > 0.75 else "often" if share > 0.25 else "at times"
    return shares
