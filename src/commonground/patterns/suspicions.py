"""Warnings about UD trees: what is not forbidden, but seldom meant.

Most of the kinds are those of udapi's ``ud.MarkBugs`` (0.5.2), under its names, as patterns of our
own. Each says why it is suspicious. They are a level of their own: a treebank can be valid with all
of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import Problem, UsageError, nearest
from commonground.patterns.graph import graph_of
from commonground.patterns.search import find
from commonground.tokens.repetitions import KINDS

__all__ = ["SUSPICIONS", "Suspicion", "chosen", "warnings"]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A kind of warning: its name, the pattern whose node X is suspicious, and why it is.

    `form` is what the form of X must be, in addition.
    """

    name: str
    pattern: str
    why: str
    form: Callable[[str], bool] | None = None


def _has_letters(form: str) -> bool:
    return any(map(str.isalpha, form))


_INSIDE = "not { A -{1,32}-> X }"
"""The word is no descendant of A."""

SUSPICIONS: tuple[Suspicion, ...] = (
    *(
        Suspicion(
            f"{label}-chain",
            f"[deprel={label}] -[{label}]-> X",
            f"words with {label} depend on one head, not on each other",
        )
        for label in ("aux", "fixed", "goeswith", "list")
    ),
    *(
        Suspicion(
            f"{label}-rightheaded",
            f"H -[{label}]-> X; X << H",
            f"the head of {label} is the first word, by definition",
        )
        for label in ("flat", "fixed", "conj", "appos", "goeswith", "list")
    ),
    Suspicion("cop-upos", "X: deprel=cop upos!=AUX|PRON", "a copula is AUX, or PRON"),
    Suspicion("mark-upos", "X: deprel=mark upos=PRON", "a pronoun has a role in its clause"),
    Suspicion("det-upos", "X: deprel=det upos!=DET|PRON", "a determiner is DET, or PRON"),
    Suspicion("punct-upos", "X: deprel=punct upos!=PUNCT", "only PUNCT is punct"),
    Suspicion("no-PronType", "X: upos=PRON|DET PronType!=*", "PRON and DET have a PronType"),
    Suspicion("no-NumType", "X: upos=NUM NumType!=*", "NUM has a NumType"),
    Suspicion("no-VerbForm", "X: upos=VERB VerbForm!=*", "VERB has a VerbForm"),
    Suspicion("finverb-upos", "X: VerbForm=Fin upos!=VERB|AUX", "only verbs are finite"),
    Suspicion("finverb-mood", "X: VerbForm=Fin Mood!=*", "a finite verb has a Mood"),
    Suspicion(
        "multi-subj",
        "X -[nsubj|csubj]-> A; X -[nsubj|csubj]-> B; A << B; "
        "A: deprel!=nsubj:outer|csubj:outer; B: deprel!=nsubj:outer|csubj:outer",
        "a predicate has one subject, apart from :outer",
    ),
    Suspicion(
        "multi-obj",
        "X -[obj]-> A; X -[obj]-> B; A << B",
        "a predicate has one object; the other one may be iobj or obl",
    ),
    Suspicion("punct-child", "[deprel=punct] -[!punct]-> X", "nothing depends on punctuation"),
    Suspicion(
        "function-child",
        "[deprel=aux|cop|mark|clf|case] -[!conj|cc|punct|fixed|goeswith|advmod|reparandum]-> X",
        "function words have no dependents, apart from a few",
    ),
    Suspicion(
        "goeswith-gap",
        "H -[goeswith]-> G; H << X; X << G; X: deprel!=goeswith",
        "the parts of one word stand side by side",
    ),
    Suspicion(
        "goeswith-space",
        "X: misc.SpaceAfter=No; X < G; G: deprel=goeswith",
        "goeswith is for parts with a space between them",
    ),
    Suspicion("sym-alpha", "X: upos=SYM", "a symbol is no word of letters", str.isalpha),
    Suspicion("punct-alpha", "X: upos=PUNCT", "punctuation has no letters", _has_letters),
    Suspicion(
        "punct-deprel",
        "X: upos=PUNCT deprel!=punct|fixed|goeswith|root",
        "PUNCT is punct, unless it is part of a word",
    ),
    Suspicion(
        "punct-nonproj",
        "X: upos=PUNCT; H -> X; X << W; W << H; not { H -{1,32}-> W } or "
        "X: upos=PUNCT; H -> X; H << W; W << X; not { H -{1,32}-> W }",
        "punctuation is attached where its arc crosses none",
    ),
    Suspicion(
        "punct-nonproj-gap",
        f"X: upos=PUNCT; H -> X; A -> B; A << X; X << B; {_INSIDE}; not {{ A << H; H << B }} or "
        f"X: upos=PUNCT; H -> X; A -> B; B << X; X << A; {_INSIDE}; not {{ B << H; H << A }}",
        "punctuation between the ends of an arc belongs to what is there",
    ),
)


def chosen(without: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of all warnings but these, which may have a ``*``.

    >>> len(chosen()) - len(chosen(["no-*", "punct-child"]))
    4
    """
    names = (*(each.name for each in SUSPICIONS), *KINDS)
    for name in without:
        if not any(fnmatchcase(each, name) for each in names):
            near = nearest(name, names)
            raise UsageError(f"there is no warning {name!r}; there are {', '.join(names)}{near}")
    return tuple(name for name in names if not any(fnmatchcase(name, no) for no in without))


def warnings(corpus: Dependencies, names: Collection[str] | None = None) -> Iterator[Problem]:
    """Return what is suspicious in a treebank, each word once for each kind; `names` are the kinds.

    >>> text = [(["have", "been", "gone"], [3, 1, 0], ["aux", "aux", "root"])]
    >>> [problem.message for problem in warnings(Dependencies.of(text))][:1]
    ["warning (aux-chain): 'been': words with aux depend on one head, not on each other"]
    """
    if not corpus.words.rows:
        return
    graph, lines, forms = graph_of(corpus), corpus.lines_of_words(), corpus.form
    for kind in SUSPICIONS:
        if names is not None and kind.name not in names:
            continue
        rows = np.unique(find(kind.pattern, graph).rows["X"])
        for row in rows.tolist():
            form = forms[row]
            if kind.form is None or kind.form(form):
                message = f"warning ({kind.name}): {form!r}: {kind.why}"
                yield Problem(int(lines[row]), message, kind.name, warning=True)
