"""Lemmas: those that were seen with a form and its tags, and edit scripts for other forms.

A script (``edit_scripts.py``) is chosen by a linear model from the ending and the beginning of a
form, its UPOS and its FEATS; only scripts that apply to the form can be chosen. What is learned
from are types, a form with its tags once, however often it was seen: a form that is not known is
more like the rare ones than like the frequent ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.parsers.atoms import Atoms, atom, shape
from commonground.parsers.chain_model import (
    ChainModel,
    ChainRows,
    learned_chains,
    menus_of,
    read_chains,
    shape_of,
)
from commonground.parsers.edit_scripts import LOWERED, apply, script_of
from commonground.parsers.interruption import Interruption
from commonground.parsers.model_file import Stored
from commonground.parsers.parser import TrainingTask
from commonground.parsers.script_menu import ScriptMenu, menu_from

__all__ = ["Lemmatiser", "load_lemmatiser", "train_lemmatiser"]

Type = tuple[str, str, str]
"""A form, its UPOS and its FEATS."""

_NOTHING = ("_", "")
_FIELDS = "l h u f o p1 p2 p3 p4 s1 s2 s3 s4 s5 s6 g"
_TEMPLATES = """
0.u | 0.f | 0.u 0.f | 0.l | 0.l 0.u | 0.h 0.u | 0.o 0.u | 0.g 0.u | 0.h 0.o
0.s1 | 0.s2 | 0.s3 | 0.s4 | 0.s5 | 0.s6 | 0.p1 | 0.p2 | 0.p3 | 0.p4
0.s1 0.u | 0.s2 0.u | 0.s3 0.u | 0.s4 0.u | 0.s5 0.u | 0.s6 0.u
0.p1 0.u | 0.p2 0.u | 0.p3 0.u | 0.p4 0.u
0.s1 0.u 0.f | 0.s2 0.u 0.f | 0.s3 0.u 0.f | 0.s4 0.u 0.f | 0.s5 0.u 0.f
0.p1 0.u 0.f | 0.p2 0.u 0.f
0.p1 0.s1 0.u | 0.p1 0.s2 0.u | 0.p2 0.s2 0.u | 0.p1 0.s1 0.u 0.f | 0.p2 0.s2 0.u 0.f
0.p2 0.s3 0.u | 0.p3 0.s2 0.u
0.s2 0.g 0.u | 0.s3 0.g 0.u
"""
_SHAPE = shape_of(_TEMPLATES, _FIELDS)

SAME = "lower\t\t\t\t\t\t"
"""The script that takes the form in lower case, which applies to every form."""

_LEAST = 2
_ITERATIONS, _MARGIN = 8, 100


@dataclass(frozen=True)
class Lemmatiser:
    """A trained lemmatiser: the lemmas of types, and the scripts for other ones.

    The keys of `seen` are form, UPOS and FEATS, or form and UPOS, with tabs between.
    """

    model: ChainModel
    menu: ScriptMenu
    seen: dict[str, str]

    def lemmas(self, forms: Strings, upos: Strings, feats: Strings) -> Strings:
        """Return the lemma of each word."""
        columns = forms.codes, upos.codes, feats.codes
        if not len(forms):
            return Strings.of([])
        keys, inverse = np.unique(np.stack(columns), axis=1, return_inverse=True)
        types = [
            (forms.vocabulary[a], upos.vocabulary[b], feats.vocabulary[c])
            for a, b, c in keys.T.tolist()
        ]
        known = [self._known(each) for each in types]
        rest = [place for place, lemma in enumerate(known) if lemma is None]
        made = self._made([types[place] for place in rest])
        for place, lemma in zip(rest, made, strict=True):
            known[place] = lemma
        column = Strings.of(lemma or "_" for lemma in known)
        return Strings(column.codes[inverse.ravel()], column.vocabulary)

    def _known(self, each: Type) -> str | None:
        form, upos, feats = each
        keys = f"{form}\t{upos}\t{feats}", f"{form}\t{upos}", f"{form.lower()}\t{upos}"
        return next((self.seen[key] for key in keys if key in self.seen), None)

    def _made(self, types: Sequence[Type]) -> list[str]:
        chosen = self.model.choose(_rows(types, self.menu)).tolist()
        return [
            apply(self.menu.scripts[number], form)[0]
            for number, (form, _, _) in zip(chosen, types, strict=True)
        ]

    def store(self) -> Stored:
        """Return what a file of it holds."""
        return self.model.store(
            "lemmatiser",
            scripts=list(self.menu.scripts),
            general=self.menu.general,
            seen=self.seen,
        )


def load_lemmatiser(stored: Stored) -> Lemmatiser:
    """Make a lemmatiser from what a file holds."""
    scripts = stored.texts("scripts")
    menu = menu_from(scripts, stored.value("general", int), {})
    if scripts[0] != SAME or any(script.count("\t") != 6 for script in scripts):
        raise ValueError("scripts that make no lemmas")
    model = read_chains(stored, len(scripts), _SHAPE)
    return Lemmatiser(model, menu, stored.mapping("seen"))


def _rows(types: Sequence[Type], menu: ScriptMenu) -> ChainRows:
    numbers: dict[tuple[int, ...], int] = {}
    which = [numbers.setdefault(menu.choices(form), len(numbers)) for form, _, _ in types]
    places = np.arange(len(types), dtype=np.int64)
    chains = np.stack([places, places + 1, places, places + 1], axis=1)
    menus = menus_of(numbers) if numbers else menus_of([[0]])
    return ChainRows(_fields(types), chains, np.array(which, np.int32), menus)


def _fields(types: Sequence[Type]) -> Atoms:
    numbers = []
    for form, upos, feats in types:
        lower = form.lower()
        starts = [atom(lower[:n]) for n in (1, 2, 3, 4)]
        ends = [atom(lower[-n:]) for n in (1, 2, 3, 4, 5, 6)]
        capital = 1 + form[:1].isupper() + 2 * form.isupper()
        length = min(len(form), 8) + 1
        own = (atom(lower), atom(shape(form)), atom(upos), atom(feats), capital)
        numbers.append((*own, *starts, *ends, length))
    return np.array(numbers, np.uint64).reshape(-1, len(_FIELDS.split()))


def train_lemmatiser(
    corpus: Dependencies, *, seed: int = 0, interruption: Interruption | None = None
) -> Lemmatiser | None:
    """Train a lemmatiser on the lemmas of a treebank; None where it has none."""
    seen: dict[Type, Counter[str]] = {}
    columns = (corpus.form, corpus.upos, corpus.feats, corpus.lemma)
    for form, upos, feats, lemma in zip(*(each.tolist() for each in columns), strict=True):
        if lemma not in _NOTHING and form:
            seen.setdefault((form, upos, feats), Counter())[lemma] += 1
    if not seen:
        return None
    types = sorted(seen)
    lemmas = [_commonest(seen[each]) for each in types]
    scripts = [
        script_of(form, [lemma], LOWERED) for (form, _, _), lemma in zip(types, lemmas, strict=True)
    ]
    forms: dict[str, set[str]] = {}
    for (form, _, _), script in zip(types, scripts, strict=True):
        forms.setdefault(script, set()).add(form.lower())
    general = {s: each for s, each in forms.items() if s and len(each) >= _LEAST}
    menu = ScriptMenu.of(general, SAME, _LEAST)
    number = {script: place for place, script in enumerate(menu.scripts)}
    rows = _rows(types, menu)
    gold = np.array([number.get(script, -1) for script in scripts], np.int32)
    rows = replace(rows, chains=rows.chains[_on_menu(rows, gold)])
    task = TrainingTask(corpus, None, seed=seed, keep=interruption is not None)
    if interruption is not None:
        task = replace(task, interruption=interruption)
    model = learned_chains(
        "lemmatiser", task, _SHAPE, len(menu.scripts), rows, gold,
        iterations=_ITERATIONS, margin=_MARGIN,
    )  # fmt: skip
    return Lemmatiser(model, menu, _look_up(seen))


def _on_menu(rows: ChainRows, gold: NDArray[np.int32]) -> NDArray[np.bool_]:
    starts, options = rows.menus
    lists = [set(options[a:b].tolist()) for a, b in pairwise(starts)]
    pairs = zip(rows.menu.tolist(), gold.tolist(), strict=True)
    return np.array([right in lists[menu] for menu, right in pairs], np.bool_)


def _commonest(lemmas: Counter[str]) -> str:
    return min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma))


def _look_up(seen: dict[Type, Counter[str]]) -> dict[str, str]:
    """Return the lemmas of forms with their UPOS, and with FEATS where these make a difference."""
    pairs: dict[str, Counter[str]] = {}
    for (form, upos, _), lemmas in seen.items():
        pairs.setdefault(f"{form}\t{upos}", Counter()).update(lemmas)
    commonest = {key: _commonest(lemmas) for key, lemmas in pairs.items()}
    for (form, upos, feats), lemmas in seen.items():
        lemma = _commonest(lemmas)
        if lemma != commonest[f"{form}\t{upos}"]:
            commonest[f"{form}\t{upos}\t{feats}"] = lemma
    return dict(sorted(commonest.items()))
