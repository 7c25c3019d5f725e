"""The conversion of Johansson and Nugues (2007), known as LTH or pennconverter.

A tree passes these steps, each in a module of its own:

1. *functions*: tags that say nothing about a clause are taken away;
2. *names*, *brackets*: titles are marked, and flat phrases get the brackets that they lack;
3. *coordination*: which phrases are coordinations; *names*: which phrases are appositions;
4. the head rules (``rules/lth.toml``), with the scheme's choices;
5. *clauses*: clefts and small clauses; *functions*: objects, adverbials;
6. *movement*, *gapping*: what has a trace goes back to it, and remnants find their place;
7. *labels*, and *chains* where the scheme wants them.

Words are never split, though the original program writes ``A/B`` as three words.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from commonground.conversion.forest import Arcs, Flags, Items, arcs, lexical_heads
from commonground.conversion.head_rules import find_rules
from commonground.conversion.heads import Heads, find_heads
from commonground.conversion.lth.brackets import add_brackets
from commonground.conversion.lth.chains import chain
from commonground.conversion.lth.clauses import mark_clefts, move_clefts, split_small_clauses
from commonground.conversion.lth.conventions import LthConventions
from commonground.conversion.lth.coordination import coordinated, ends
from commonground.conversion.lth.draft import Draft
from commonground.conversion.lth.functions import clean_functions, infer_functions
from commonground.conversion.lth.gapping import hang_on_conjunction, hang_on_parallels
from commonground.conversion.lth.labels import labels, root_labels
from commonground.conversion.lth.movement import linked, move_back
from commonground.conversion.lth.names import mark_appositions, mark_names
from commonground.corpus import Constituents, Strings
from commonground.schemes.scheme import Scheme

__all__ = ["Converted", "convert"]


@dataclass(frozen=True, slots=True)
class Converted:
    """The head of each word (a row, -1 for the root, -2 for a trace), its label, and what was odd.

    `default` counts the phrases that no rule had a head for, by category; `unmoved` the phrases
    that could not be put where their trace is.
    """

    head: Items
    labels: list[str]
    default: dict[str, int] = field(default_factory=dict)
    unmoved: int = 0


def convert(corpus: Constituents, scheme: Scheme) -> Converted:
    """Return the dependencies of constituent trees as a scheme of the LTH family has them."""
    conventions = LthConventions.of(scheme)
    draft = Draft(corpus)
    clean_functions(draft, keep_closely_related=not conventions.has("OPRD"))
    if conventions.has("TITLE") and conventions.has("POSTHON"):
        mark_names(draft)
    add_brackets(draft)
    coordination = coordinated(draft)
    if conventions.apposition:
        mark_appositions(draft, coordination)
    heads = _heads(draft, coordination, scheme)
    draft.head = heads.child
    (mark_clefts if conventions.has("CLF") and conventions.labels else move_clefts)(draft)
    if conventions.has("OPRD"):
        split_small_clauses(draft)
    infer_functions(
        draft,
        indirect=conventions.first_of("IOBJ", "OBJ") if conventions.labels else "OBJ",
        extraposed=conventions.first_of("EXTR", "EXP"),
    )
    unmoved = move_back(draft, relative_heads=conventions.relative)
    parallels = _gaps(draft, conventions)
    unmoved += _repair(draft, coordination, scheme)
    attached = arcs(draft.forest, draft.head)
    texts = labels(draft, attached, coordination, conventions)
    _finish(draft, attached, texts, parallels, conventions)
    default = draft.category[np.flatnonzero(heads.default)].counts()
    return Converted(attached.head, texts, default, unmoved)


def _heads(draft: Draft, coordination: Flags, scheme: Scheme) -> Heads:
    """Return the head child of each item; a trace that stands for words can be one."""
    return _chosen(draft, coordination, scheme, draft.full | linked(draft))


def _chosen(draft: Draft, coordination: Flags, scheme: Scheme, candidate: Flags) -> Heads:
    rules = find_rules("lth", scheme)
    children = draft.children
    if scheme.way("coordination") == "conjunction":
        names = (*draft.category.vocabulary, "&")
        codes = np.where(coordination, len(names) - 1, draft.category.codes)
        rule = Strings(codes.astype(np.int32), names)
        return find_heads(draft.forest, rules, candidate=candidate, rule=rule)
    before = children.place < ends(draft, coordination)[np.maximum(draft.parent, 0)]
    some = draft.any_child(candidate & before)[np.maximum(draft.parent, 0)]
    return find_heads(draft.forest, rules, candidate=candidate & (before | ~some))


def _gaps(draft: Draft, conventions: LthConventions) -> dict[int, int]:
    if conventions.coordination == "chain-conjunction":
        return hang_on_conjunction(draft)
    hang_on_parallels(draft)
    return {}


def _repair(draft: Draft, coordination: Flags, scheme: Scheme) -> int:
    """Find other heads for phrases that have words, but whose head has none; count them."""
    real = np.zeros(len(draft.parent), np.bool_)
    real[: draft.words] = ~draft.corpus.traces
    full = _with_words(draft, real)
    lexical = lexical_heads(draft.forest, draft.head)
    broken = full & ~real[np.maximum(lexical, 0)] | full & (lexical < 0)
    draft.full = full
    if broken.any():
        other = _chosen(draft, coordination, scheme, full).child
        draft.head[broken] = other[broken]
    return int(broken.sum())


def _with_words(draft: Draft, real: Flags) -> Flags:
    """Tell which items have words that are no traces."""
    full = real.copy()
    items = np.flatnonzero(real)
    while len(items):
        above = draft.parent[items]
        items = np.unique(above[(above >= 0) & ~full[above]])
        full[items] = True
    return full


def _finish(
    draft: Draft,
    attached: Arcs,
    texts: list[str],
    parallels: dict[int, int],
    conventions: LthConventions,
) -> None:
    """Bring the labels into the form that the scheme has, and coordinations into theirs."""
    head = attached.head
    for word, label in root_labels(draft, attached).items():
        texts[word] = label
    if parallels:
        lexical = lexical_heads(draft.forest, draft.head)
        for item, target in parallels.items():
            word, model = int(lexical[item]), int(lexical[target])
            if word >= 0 and model >= 0 and head[word] >= 0:
                texts[word] = f"{texts[model]}-GAP"
    if conventions.coordination == "chain-conjunction":
        chain(head, texts)
    noun = draft.category.where(lambda name: name.startswith("NN"))
    known: dict[tuple[str, bool], str] = {}
    under = noun[np.maximum(head, 0)].tolist()
    for word, label in enumerate(texts):
        key = label, under[word]
        if key not in known:
            known[key] = conventions.label(label, under_noun=key[1])
        texts[word] = known[key]
