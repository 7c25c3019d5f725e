"""Tags that can be several parts of speech: the arcs tell which one a word is.

``IN`` of the Penn Treebank is a preposition or a subordinator, and ``TO`` a preposition or the
marker of infinitives. Annotation schemes tell them apart by labels: a function word that heads its
partner by the arc to it, any other one by its own label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from commonground.corpus import Dependencies
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.edges import head_rows
from commonground.schemes.scheme import Scheme
from commonground.schemes.tree import Tree

__all__ = ["copula_lemmas", "tell_apart"]

Names = frozenset[str] | None

_MAKE = {
    "ADP": ("adposition",),
    "SCONJ": ("subordinator",),
    "PART": ("infinitive", "possessive"),
    "AUX": ("auxiliary", "modal", "copula"),
    "DET": ("determiner",),
    "CCONJ": ("opening", "coordination"),
}
"""The constructions of which words with a part of speech are the function words."""


def copula_lemmas(corpus: Dependencies, options: Sequence[Sequence[str]], scheme: Scheme) -> Names:
    """Return the lemmas of copulas in a treebank whose tags do not tell them; None: of all verbs.

    Other verbs have predicates too (*become*, *seem*), and in Universal Dependencies these are no
    copulas. The verb that has most of the predicates is one. (Of the ways in which a scheme finds
    copulas only the first tells predicates; others may look at all adverbials.)
    """
    if "copula" not in scheme.turned:
        return None
    labels = scheme.finding("copula")[0].labels
    predicate = corpus.deprel.where(lambda label: scheme.is_one(_plain(label, scheme), labels))
    above = head_rows(corpus)
    rows = above[predicate & (above >= 0)].tolist()
    verbs = Counter(corpus.lemma[row] for row in rows if "AUX" in options[row])
    if not verbs or "_" in verbs:
        return None
    (lemma, count), *_ = verbs.most_common(1)
    return frozenset({lemma}) if count >= _MANY and 3 * count >= verbs.total() else None


def _plain(label: str, scheme: Scheme) -> str:
    known = scheme.known(label) or label
    return known.removesuffix(scheme.member) if scheme.joint else known


_MANY = 10
"""How many predicates a verb must have to be taken for the copula of a treebank."""


def tell_apart(
    tree: Tree,
    options: Sequence[Sequence[str]],
    scheme: Scheme,
    *,
    copulas: bool | Sequence[bool] = True,
) -> None:
    """Give each word of a tree the first part of speech for which its arcs speak.

    `options` has what each word can be. A word for which no arc speaks is the first of them that is
    no function word, or the first. `copulas` tells whether arcs tell copulas, or tags do; or for
    each word, whether it can be one.

    >>> heads, labels = [2, 0, 2, 3], ["nsubj", "root", "obl", "pobj"]
    >>> tree = Tree(heads, labels, ["PRON", "VERB", "SCONJ", "NOUN"])
    >>> stanford = Scheme("mine", choices={"adposition": "function"}, table={"case": "pobj"})
    >>> tell_apart(tree, [["PRON"], ["VERB"], ["SCONJ", "ADP"], ["NOUN"]], stanford)
    >>> tree.tag[3]
    'ADP'
    """
    for word, several in enumerate(options, 1):
        if len(several) > 1:
            allowed = copulas if isinstance(copulas, bool) else copulas[word - 1]
            speaking = (u for u in several if _speaks(tree, word, u, scheme, copulas=allowed))
            tree.tag[word] = next(speaking, None) or _otherwise(several)


def _otherwise(several: Sequence[str]) -> str:
    return next((upos for upos in several if upos in ("PRON", "VERB")), several[0])


def _speaks(tree: Tree, word: int, upos: str, scheme: Scheme, *, copulas: bool) -> bool:
    return any(
        _makes(tree, word, upos, name, scheme, copulas=copulas) for name in _MAKE.get(upos, ())
    )


def _makes(
    tree: Tree, word: int, upos: str, construction: str, scheme: Scheme, *, copulas: bool
) -> bool:
    """Tell whether the arcs of a word are those of the function word of a construction."""
    labels = scheme.labels_of(*CONSTRUCTIONS[construction].labels)
    if construction not in scheme.turned or scheme.usual_way(construction) == "content":
        telling = labels - scheme.labels_of(
            "obj", "ccomp", "xcomp"
        )  # Obj says nothing of auxiliaries
        return scheme.is_one(tree.label[word], telling)
    feats = tree.feats[word]
    finds = (find for find in scheme.finding(construction) if find.meant(upos, feats))
    partners = [child for find in finds for child in _led(tree, word, find.labels, scheme)]
    if construction == "copula":
        return copulas and bool(partners)
    if construction in ("auxiliary", "modal"):
        return any(_is_helped(tree, word, child, scheme) for child in partners)
    return bool(partners)


def _led(tree: Tree, word: int, labels: Collection[str], scheme: Scheme) -> list[int]:
    label = tree.label
    return [
        child
        for child in tree.children[word]
        if scheme.is_one(label[child], labels) and f"!{label[child]}" not in labels
    ]


def _is_helped(tree: Tree, word: int, verb: int, scheme: Scheme) -> bool:
    """Tell whether a verb hangs on another one as on an auxiliary: a bare form without a subject.

    *has come*, *does he come*; but *tries to come*, *sees him come* and *says that he comes* have
    two full verbs: a marker, an object, a finite form.
    """
    if not any(f"VerbForm={form}" in tree.feats[verb] for form in ("Part", "Inf", "Ger")):
        return False
    marks = scheme.labels_of("mark", "nsubj") - scheme.labels_of("aux")
    objects = scheme.labels_of("obj", "iobj") - scheme.labels_of("aux")
    return not any(scheme.is_one(tree.label[c], marks) for c in tree.children[verb]) and not any(
        scheme.is_one(tree.label[c], objects) for c in tree.children[word]
    )
