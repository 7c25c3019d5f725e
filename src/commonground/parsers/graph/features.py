"""What is seen of arcs, of neighbouring dependents and of labels.

The arcs' templates are those of McDonald, Crammer & Pereira (2005), with lemmas, both kinds of
tags, morphology, affixes and what lies between; the pairs' those of McDonald & Pereira (2006). In
a label's templates h is the head and m the word, l and r the word's outermost dependents, p and n
the dependents of the head before and after it, and g the head's head.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from commonground.parsers.graph.arcs import ARC_EXTRAS
from commonground.parsers.graph.words import ATTRIBUTES
from commonground.parsers.templates import Templates, compiled

__all__ = ["LABEL_EXTRAS", "PRUNING_TEMPLATES", "TemplateSets", "template_sets"]

LABEL_ANCHORS = ("h", "m", "l", "r", "p", "n", "g")
LABEL_EXTRAS = ("way", "far", "under", "beside", "before", "after", "guess")
PAIR_EXTRAS = ("way", "guess")
GUESS_EXTRAS = (*ARC_EXTRAS, "guess", "guessed")

_PRUNING = """
h.xpos m.xpos
h.upos m.upos
h.xpos m.lemma
h.lemma m.xpos
h.lemma m.lemma
h.form m.form
h.xpos m.xpos between
h.upos m.upos verbs marks
h.xpos h+1.xpos m-1.xpos m.xpos
h-1.xpos h.xpos m-1.xpos m.xpos
h.xpos h+1.xpos m.xpos m+1.xpos
h-1.xpos h.xpos m.xpos m+1.xpos
h.upos h-1.upos m.upos
h.upos h+1.upos m.upos
h.upos m.upos m-1.upos
h.upos m.upos m+1.upos
m.form m.xpos
h.form h.xpos
m.upos m.feats h.upos
h.upos h.feats m.upos
m.xpos m.suffix h.xpos
h.lemma m.upos m.opener
h.upos m.upos m.opener
"""

_ARCS = """
h.form h.xpos
h.form
h.xpos
h.lemma
h.upos h.feats
m.form m.xpos
m.form
m.xpos
m.lemma
m.upos m.feats
h.form h.xpos m.form m.xpos
h.xpos m.form m.xpos
h.form m.form m.xpos
h.form h.xpos m.xpos
h.form h.xpos m.form
h.form m.form
h.xpos m.xpos
h.upos m.upos
h.lemma m.lemma
h.lemma m.upos
h.upos m.lemma
h.lemma m.xpos
h.xpos m.lemma
h.upos h.feats m.upos m.feats
h.feats m.feats
h.upos h.feats m.upos
h.upos m.upos m.feats
h.xpos m.suffix
h.suffix m.xpos
h.suffix m.suffix
h.upos m.prefix
h.prefix m.upos
h.upos m.shape m.upos
h.shape h.upos m.upos
h.xpos h+1.xpos m-1.xpos m.xpos
h-1.xpos h.xpos m-1.xpos m.xpos
h.xpos h+1.xpos m.xpos m+1.xpos
h-1.xpos h.xpos m.xpos m+1.xpos
h.xpos h+1.xpos m.xpos
h-1.xpos h.xpos m.xpos
h.xpos m-1.xpos m.xpos
h.xpos m.xpos m+1.xpos
h.upos h+1.upos m-1.upos m.upos
h-1.upos h.upos m-1.upos m.upos
h.upos h+1.upos m.upos m+1.upos
h-1.upos h.upos m.upos m+1.upos
h.upos m.upos h+1.lemma
h.upos m.upos h-1.lemma
h.upos m.upos m+1.lemma
h.upos m.upos m-1.lemma
h.upos h+1.upos h+2.upos m.upos
h.upos h-1.upos h-2.upos m.upos
h.upos m.upos m+1.upos m+2.upos
h.upos m.upos m-1.upos m-2.upos
h.upos m.upos between
h.xpos m.xpos between
m.lemma h.upos between
h.lemma m.upos between
h.upos m.upos verbs
h.upos m.upos marks
h.upos m.upos conjunctions
h.upos m.upos verbs marks conjunctions
h.xpos m.xpos verbs marks conjunctions
m.lemma h.upos verbs marks
h.upos m.upos nominal
h.upos m.upos verbal
h.upos m.upos linking
h.xpos m.xpos nominal
h.xpos m.xpos verbal
h.xpos m.xpos linking
h.upos m.upos m.opener
h.xpos m.xpos m.opener
h.lemma m.upos m.opener
h.upos m.lemma m.opener
h.lemma m.lemma m.opener
h.upos h.opener m.upos m.opener
h.upos h.opener m.upos
h.upos m.upos m.opener m.earlier
h.upos m.upos m.closer
h.upos h.closer m.upos
"""

_PAIRS = """
s.xpos m.xpos
s.upos m.upos
h.xpos s.xpos m.xpos
h.upos s.upos m.upos
s.form m.form
s.form m.xpos
s.xpos m.form
s.lemma m.lemma
s.lemma m.upos
s.upos m.lemma
h.lemma s.upos m.upos
h.upos s.lemma m.upos
h.upos s.upos m.lemma
h.lemma s.lemma m.upos
h.lemma s.upos m.lemma
h.upos s.upos s.feats m.upos m.feats
h.xpos s.xpos m.xpos m-1.upos
h.xpos s.xpos m.xpos s+1.upos
h.upos s.upos m.upos h+1.upos
h.upos s.upos m.upos h-1.upos
h.upos s.upos m.upos m-1.lemma
h.upos s.lemma m.lemma
h.upos s.opener m.upos m.opener
h.lemma s.upos m.upos m.opener
"""

_LINES = """
g.upos h.upos m.upos
g.xpos h.xpos m.xpos
g.upos m.upos
g.xpos m.xpos
g.lemma m.lemma
g.lemma m.upos
g.upos m.lemma
g.lemma h.upos m.upos
g.upos h.lemma m.upos
g.upos h.upos m.lemma
g.lemma h.lemma m.upos
g.upos h.lemma m.lemma
g.lemma h.upos m.lemma
g.upos g.feats m.upos m.feats
g.upos h.upos m.upos m.opener
"""

_LABELS = """
m.form
m.lemma
m.xpos
m.upos m.feats
h.xpos
h.upos h.feats
m.form m.xpos
h.form h.xpos
m.suffix m.upos
h.lemma
h.xpos m.xpos far
h.upos m.upos far
h.xpos m.xpos
h.upos m.upos
h.lemma m.xpos
h.xpos m.lemma
h.lemma m.lemma
h.lemma m.upos
h.upos m.lemma
h.form m.form
h.upos m.upos m.feats
h.upos h.feats m.upos m.feats
h.upos m.upos m.suffix
h.xpos m.xpos m-1.xpos
h.xpos m.xpos m+1.xpos
h.xpos m.xpos h-1.xpos
h.xpos m.xpos h+1.xpos
m-1.lemma m.upos h.upos
m+1.lemma m.upos h.upos
m-1.upos m.upos m+1.upos
m-2.upos m-1.upos m.upos
m.upos m+1.upos m+2.upos
m.upos under
h.upos m.upos under
h.xpos m.xpos under
h.lemma m.upos under
m.lemma under
h.upos m.upos beside
h.lemma m.upos beside
h.upos m.upos before
h.upos m.upos after
h.xpos m.xpos before
h.xpos m.xpos after
h.lemma m.upos before
m.upos l.lemma
m.upos l.upos l.xpos
h.upos m.upos l.lemma
h.lemma m.upos l.lemma
h.upos m.upos l.xpos r.xpos
m.upos r.lemma
h.upos m.upos r.lemma
h.upos m.upos p.upos
h.upos m.upos p.lemma
h.upos m.upos n.upos
h.upos m.upos n.lemma
h.upos m.upos p.upos n.upos
h.lemma m.upos p.upos
h.lemma m.upos n.upos
h.upos m.upos g.upos
h.upos m.upos g.lemma
h.lemma m.upos g.upos
m.upos g.lemma
m.xpos h.xpos g.xpos
m.lemma h.upos under
h.upos m.upos m.opener
h.lemma m.upos m.opener
"""

_STACKED_ARCS = """
guess
guess h.upos m.upos
guess h.xpos m.xpos
guess m.lemma
guess h.lemma m.upos
guess guessed
guess guessed h.upos m.upos
guess guessed m.xpos
guess guessed h.xpos
guess m.upos between
"""

_STACKED_PAIRS = """
guess
guess h.upos s.upos m.upos
guess h.upos
guess m.upos
"""

_STACKED_LABELS = """
guess
guess m.upos
guess h.upos m.upos
guess h.xpos m.xpos
guess m.lemma
guess h.lemma
guess under
guess h.upos beside
guess l.lemma
"""

_CLUSTER_ARCS = """
h.bits
m.bits
h.bits m.bits
h.some m.some
h.few m.few
h.bits m.xpos
h.xpos m.bits
h.some m.some between
h.few m.few verbs marks conjunctions
h.some m.some m.opener
h.some h.xpos m.some m.xpos
h.bits m.upos m.opener
h.some h+1.few m-1.few m.some
h-1.few h.some m.some m+1.few
"""

_CLUSTER_PAIRS = """
s.bits m.bits
s.some m.some
h.some s.some m.some
h.few s.few m.few
h.upos s.some m.some
"""

_CLUSTER_LABELS = """
m.bits
h.bits m.upos
h.upos m.bits
h.some m.some
h.bits m.bits
h.some m.some under
h.some m.upos l.some
h.some m.some m.opener
m-1.some m.some h.some
"""


def _with_way(texts: tuple[str, ...]) -> list[str]:
    return [f"{line} way" for text in texts for line in text.split("\n") if line]


def _arcs(*texts: str) -> Templates:
    return compiled(_with_way(texts), ("h", "m"), ATTRIBUTES, GUESS_EXTRAS)


def _pairs(*texts: str) -> Templates:
    return compiled(_with_way(texts), ("h", "m", "s"), ATTRIBUTES, PAIR_EXTRAS)


def _lines(*texts: str) -> Templates:
    return compiled(_with_way(texts), ("h", "m", "g"), ATTRIBUTES, PAIR_EXTRAS)


def _labels(*texts: str) -> Templates:
    return compiled(_with_way(texts), LABEL_ANCHORS, ATTRIBUTES, LABEL_EXTRAS)


PRUNING_TEMPLATES = _arcs(_PRUNING)


@dataclass(frozen=True, slots=True)
class TemplateSets:
    """The templates of the parts of trees (arcs, pairs, lines) and of labels."""

    parts: tuple[Templates, Templates, Templates]
    labels: Templates


@cache
def template_sets(*, stacked: bool = False, clusters: bool = False) -> TemplateSets:
    """Return the templates of a parser, with guesses if it is `stacked`, with `clusters` or not.

    A template is known by its number, so that those of clusters come last.
    """
    arcs, pairs, labels = [_ARCS], [_PAIRS], [_LABELS]
    for wanted, more in (
        (stacked, (_STACKED_ARCS, _STACKED_PAIRS, _STACKED_LABELS)),
        (clusters, (_CLUSTER_ARCS, _CLUSTER_PAIRS, _CLUSTER_LABELS)),
    ):
        if wanted:
            arcs, pairs, labels = [*arcs, more[0]], [*pairs, more[1]], [*labels, more[2]]
    return TemplateSets((_arcs(*arcs), _pairs(*pairs), _lines(_LINES)), _labels(*labels))
