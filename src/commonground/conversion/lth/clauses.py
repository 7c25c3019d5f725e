"""Clefts and small clauses, whose parts hang somewhere else in the dependency tree."""

from __future__ import annotations

import re

import numpy as np

from commonground.conversion.forest import lexical_heads
from commonground.conversion.lth.draft import Draft
from commonground.conversion.lth.verbs import is_copula, is_going

__all__ = ["mark_clefts", "move_clefts", "split_small_clauses"]

_QUOTING = re.compile(r"ha(ve|s|d|ving)|intend(s|ed|ing)?")


def _clefts(draft: Draft) -> list[tuple[int, int]]:
    """Return the clause of each cleft sentence, with the predicative, or -1, beside it."""
    clefts = []
    for sentence in np.flatnonzero(draft.has("CLF")).tolist():
        draft.give(sentence, "")
        for verb in draft.children.of(sentence):
            if draft.category[verb] != "VP":
                continue
            clause = predicative = -1
            for child in draft.children.of(verb):
                if draft.category[child] == "SBAR" and not draft.function[child]:
                    clause = child
                elif draft.function[child] == "PRD" and child >= draft.words:
                    predicative = child
            if clause >= 0:
                clefts.append((clause, predicative))
    return clefts


def move_clefts(draft: Draft) -> None:
    """Hang the clause of a cleft sentence on its predicative: *it was [Tom who came]*."""
    for clause, predicative in _clefts(draft):
        if predicative >= 0:
            draft.put(clause, predicative)
    draft.settle()


def mark_clefts(draft: Draft) -> None:
    """Mark the clause of a cleft sentence (CLF), which hangs on the verb."""
    for clause, _ in _clefts(draft):
        draft.give(clause, "CLF")


def split_small_clauses(draft: Draft) -> None:
    """Make subject and predicate of a clause without function object and predicate of its verb.

    *They found [S him guilty]*: *him* is the object, *guilty* its predicate (OPRD). What is quoted
    stays as it is, and so does what follows a copula or *going*.
    """
    lexical = lexical_heads(draft.forest, draft.head)
    above = np.maximum(draft.parent, 0)
    verb = lexical[above]
    plain = draft.is_a("VP")[above] & (draft.head[above] == verb) & (verb >= 0)
    plain &= ~is_copula(draft)[verb] & ~is_going(draft)[verb]
    clause = draft.is_a("S") & draft.phrase & draft.has("") & draft.full & plain
    clause[[target for _, _, target in draft.links]] = False
    clause &= draft.full[np.maximum(draft.head, 0)]
    opening = draft.is_a("``")[np.maximum(draft.first_word, 0)]
    for item in np.flatnonzero(clause).tolist():
        quoting = _QUOTING.fullmatch(draft.word[int(verb[item])])
        if not quoting and (opening[item] or _follows_mark(draft, item)):
            continue
        _split(draft, item)
    draft.settle()


def _follows_mark(draft: Draft, item: int) -> bool:
    place, parent = int(draft.children.place[item]), int(draft.parent[item])
    before = draft.children.of(parent)[place - 1] if place else -1
    return 0 <= before < draft.words and draft.category[before] in ("``", "''", ":")


def _split(draft: Draft, clause: int) -> None:
    children = draft.children.of(clause)
    subject = next((child for child in children if draft.function[child] == "SBJ"), -1)
    if draft.head[clause] == subject:
        others = [child for child in children if child != subject and draft.full[child]]
        if not others:
            draft.give(clause, "OBJ")
            return
        draft.head[clause] = others[-1]
    if subject >= 0:
        draft.put(subject, int(draft.parent[clause]))
        draft.give(subject, "OBJ")
    function = draft.function[int(draft.head[clause])] or "PRD"
    draft.give(clause, function.replace("PRD", "OPRD"))
