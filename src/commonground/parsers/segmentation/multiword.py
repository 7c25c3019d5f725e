"""Which tokens are several words, and which ones: *du* → *de le*, *habait* → *ha bait*.

One choice among edit scripts for each token, to leave it alone being one of them. A script that few
tokens had is for these only; others are for every token that has what they cut off. What decides
are the token, its neighbours, and whether what is left of it is a word that was seen elsewhere: in
training, elsewhere means but for this very token. A token that was seen less than three times
decides nothing by its own form: that would only say where it was learned from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.parsers.atoms import Atoms, atom, shape
from commonground.parsers.chain_model import (
    ChainModel,
    ChainRows,
    learned_chains,
    menus_of,
    read_chains,
    shape_of,
)
from commonground.parsers.edit_scripts import apply, script_of
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import TrainingTask
from commonground.parsers.script_menu import ScriptMenu, menu_from

__all__ = ["WordSplitter", "load_words", "train_words"]

_FIELDS = "l h p1 p2 p3 s1 s2 s3 s4 k0 k1 k2 k3 j1 j2 j3 g r n"
"""Lower case, shape, first and last characters; how well known it is as a whole, without one to
three of its first characters, without one to three of its last ones; length; what follows the
longest known word that it begins with, and how long that is."""

_TEMPLATES = """
0.l | 0.h | 0.p1 | 0.p2 | 0.p3 | 0.s1 | 0.s2 | 0.s3 | 0.s4 | 0.g | 0.p1 0.g | 0.p2 0.g
0.s2 0.g | 0.s3 0.g | 0.k0 | 0.p1 0.k0 | 0.p1 0.k1 | 0.p1 0.k0 0.k1 | 0.p2 0.k0 0.k2
0.p2 0.k1 0.k2 | 0.p2 0.k0 0.k1 0.k2 | 0.p3 0.k0 0.k1 0.k2 0.k3 | 0.p3 0.k3 | 0.s1 0.j1
0.s1 0.k0 0.j1 | 0.s2 0.j2 | 0.s2 0.k0 0.j2 | 0.s3 0.j3 | 0.s3 0.k0 0.j3 | 0.p1 0.k0 0.k1 0.g
0.p1 0.s1 | 0.p1 0.s2 | 0.p1 0.s2 0.k0 0.k1 | 0.p2 0.s2 | 0.l -1.l | 0.l 1.l | -1.l 0.p1
-1.l 0.p1 0.k0 0.k1 | -1.s2 0.p1 0.k0 0.k1 | 0.p1 0.k1 1.p1 | 0.l 1.p1 | 0.l 1.h | -1.l 0.s2
0.s2 1.l | 0.l -1.h | 0.p1 0.h | -1.k0 0.p1 0.k0 0.k1 | 0.p1 0.k0 0.k1 1.k0
-1.p1 0.p1 0.k0 0.k1
0.r | 0.r 0.k0 | 0.n 0.s2 | 0.r 0.s1 | 0.r 1.h | 0.r -1.s2
"""
_SHAPE = shape_of(_TEMPLATES, _FIELDS)
_LONGEST = 64
"""Longer tokens are not searched for known words."""
_WHOLE = ""
"""The script of a token that is one word."""

_LEAST = 3
_FAMILIAR = 3
"""How often a token must have been seen for its own form to decide."""
_UNFAMILIAR = 1


@dataclass(frozen=True)
class WordSplitter:
    """A trained splitter: its scripts, and how often words were seen (up to three times).

    `familiar` are the tokens, in lower case, whose own forms decide.
    """

    model: ChainModel
    menu: ScriptMenu
    known: dict[str, int]
    familiar: frozenset[str]

    def words(self, forms: Sequence[str], bounds: NDArray[np.int64]) -> list[list[str]]:
        """Return the words of each token; `bounds` are the offsets of sentences."""
        rows, numbers = _rows(forms, bounds, self.menu, _fields(forms, self.known, self.familiar))
        chosen = self.model.choose(rows)
        split = [[form] for form in forms]
        for row in numbers:
            script = self.menu.scripts[int(chosen[row])]
            if script:
                words = apply(script, forms[row])
                if all(words) and len(words) > 1:
                    split[row] = words
        return split

    def store(self) -> Stored:
        """Return what a file of it holds."""
        return self.model.store(
            "multiword tokens",
            scripts=list(self.menu.scripts),
            general=self.menu.general,
            own={text: list(numbers) for text, numbers in self.menu.own.items()},
            known=self.known,
            familiar=sorted(self.familiar),
        )


def load_words(stored: Stored) -> WordSplitter:
    """Make a splitter from what a file holds."""
    scripts = stored.texts("scripts")
    menu = menu_from(scripts, stored.value("general", int), stored.value("own", dict))
    if scripts[0] != _WHOLE or any(script.count("\t") != 6 for script in scripts[1:]):
        raise ModelError("it has scripts that split nothing")
    known = stored.value("known", dict)
    if not all(type(count) is int for count in known.values()):
        raise ModelError("it has words that were not counted")
    familiar = frozenset(stored.texts("familiar"))
    return WordSplitter(read_chains(stored, len(scripts), _SHAPE), menu, dict(known), familiar)


def _rows(
    forms: Sequence[str], bounds: NDArray[np.int64], menu: ScriptMenu, fields: Atoms
) -> tuple[ChainRows, list[int]]:
    """Return the rows of tokens, and the numbers of those that there is a choice for."""
    numbers: dict[tuple[int, ...], int] = {(0,): 0}
    of_form: dict[str, int] = {}
    for form in forms:
        if form not in of_form:
            of_form[form] = numbers.setdefault(menu.choices(form), len(numbers))
    which = np.array([of_form[form] for form in forms], np.int32)
    open_rows = np.flatnonzero(which)
    sentence = np.searchsorted(bounds, open_rows, side="right") - 1
    chains = np.stack([open_rows, open_rows + 1, bounds[sentence], bounds[sentence + 1]], axis=1)
    return ChainRows(fields, chains.astype(np.int64), which, menus_of(numbers)), open_rows.tolist()


def _fields(
    forms: Sequence[str],
    known: dict[str, int],
    familiar: frozenset[str],
    own: Sequence[Iterable[str]] | None = None,
) -> Atoms:
    """Return the fields of tokens; `own` are the words that each one was counted with."""
    kept: dict[tuple[str, tuple[str, ...]], tuple[int, ...]] = {}
    numbers = []
    for place, form in enumerate(forms):
        mine = () if own is None else tuple(own[place])
        key = form, mine
        if key not in kept:
            kept[key] = _token_fields(form, known, familiar, Counter(mine))
        numbers.append(kept[key])
    return np.array(numbers, np.uint64).reshape(-1, len(_FIELDS.split()))


def _token_fields(
    form: str, known: dict[str, int], familiar: frozenset[str], own: Counter[str]
) -> tuple[int, ...]:
    lower = form.lower()

    def level(text: str) -> int:
        return 1 + min(max(known.get(text, 0) - own[text], 0), 2)

    starts = [atom(lower[:n]) for n in (1, 2, 3)]
    ends = [atom(lower[-n:]) for n in (1, 2, 3, 4)]
    levels = [level(lower[n:]) for n in (0, 1, 2, 3)] + [level(lower[:-n]) for n in (1, 2, 3)]
    stems = (n for n in range(min(len(lower), _LONGEST) - 1, 1, -1) if level(lower[:n]) > 1)
    rest = lower[next(stems, len(lower)) :]
    own_form = atom(lower) if lower in familiar else _UNFAMILIAR
    ends_in = (atom(f"r{rest}"), len(rest) + bool(rest))
    return (
        own_form, atom(shape(form)), *starts, *ends, *levels, min(len(form), 9) + 1, *ends_in,
    )  # fmt: skip


def train_words(
    forms: Sequence[str],
    words: Sequence[Sequence[str]],
    bounds: NDArray[np.int64],
    task: TrainingTask,
    *,
    iterations: int,
    margin: int,
) -> WordSplitter | None:
    """Train a splitter on tokens and their words; None where every token is one word."""
    scripts = [
        script_of(form, each) if len(each) > 1 else _WHOLE
        for form, each in zip(forms, words, strict=True)
    ]
    seen: dict[str, set[str]] = {}
    for form, script in zip(forms, scripts, strict=True):
        if script:
            seen.setdefault(script, set()).add(form.lower())
    if not seen:
        return None
    menu = ScriptMenu.of(seen, _WHOLE, _LEAST)
    own = [[word.lower() for word in each] for each in words]
    counts = Counter(word for each in own for word in each)
    seen_forms = Counter(form.lower() for form in forms)
    familiar = frozenset(form for form, count in seen_forms.items() if count >= _FAMILIAR)
    rows, numbers = _rows(forms, bounds, menu, _fields(forms, counts, familiar, own))
    number = {script: place for place, script in enumerate(menu.scripts)}
    gold = np.array([number[script] for script in scripts], np.int32)
    # A multiword token that no script makes, or none that is on its menu, is no example.
    lists = [
        set(rows.menus[1][a:b].tolist())
        for a, b in zip(rows.menus[0][:-1], rows.menus[0][1:], strict=True)
    ]
    good = [
        int(gold[row]) in lists[int(rows.menu[row])]
        and (bool(scripts[row]) or len(words[row]) == 1)
        for row in numbers
    ]
    rows = ChainRows(rows.fields, rows.chains[np.array(good, np.bool_)], rows.menu, rows.menus)
    model = learned_chains(
        "multiword tokens", task, _SHAPE, len(menu.scripts), rows, gold,
        iterations=iterations, margin=margin,
    )  # fmt: skip
    known = {word: min(count, 3) for word, count in sorted(counts.items())}
    return WordSplitter(model, menu, known, familiar)
