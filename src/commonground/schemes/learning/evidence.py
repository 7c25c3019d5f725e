"""Who heads what in a treebank, told by heads and tags alone: the evidence for its scheme.

No label is looked at, so that it may be of any inventory, and no second analysis is needed. Each
place where the way of a construction can be seen is one piece of evidence:

* A function word that has a word of the kind of its partner below it heads it; one that hangs on
  such a word and has none below it does not. (*in Rome*: ``ADP`` and a noun.)
* A conjunction heads its conjuncts where words hang on it on both sides, and is a link of a chain
  where only the next conjunct does; otherwise it hangs on one of them, and the other one on that.
* Proper nouns in a row hang on the first one, on the last one, or each on the one before.
* A comma hangs on the head of the phrase that it sets off, or where that head hangs.

Evidence can be for several ways at once: two conjuncts do not tell whether a third one would hang
on the first or on the second. ``flat`` phrases look as if headed by their ``function`` word.
Appositions, fixed expressions, repairs and classifiers look like
other phrases without labels; there is never any evidence about them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from commonground.corpus import Dependencies
from commonground.schemes.tag_set import Tagging
from commonground.schemes.tree import Tree
from commonground.schemes.word_classes import COMMA, word_classes

__all__ = ["Ways", "evidence", "seen_as"]

Ways = tuple[str, ...]
Piece = tuple[str, Ways]

_CONTENT: Ways = ("content",)
_FUNCTION: Ways = ("function",)
_NOMINAL = frozenset("NOUN PROPN PRON NUM SYM X".split())
_VERBAL = frozenset(("VERB", "AUX"))
_PHRASE = _NOMINAL | {"DET", "ADJ"}
_PREDICATE = _PHRASE | {"ADP", "ADV"}
_CLAUSE = _VERBAL | _PHRASE | {"PART"}

_FAR = 40
"""Maximum number of words or edges in a row; what is further away belongs to other things."""


def seen_as(way: str) -> str:
    """Return the way that a way looks like where only heads and tags are seen."""
    return "function" if way == "flat" else way


def evidence(corpus: Dependencies, tagging: Tagging) -> Counter[Piece]:
    """Count the evidence for the ways of constructions: pairs of a construction and its ways.

    >>> from commonground.corpus import Strings
    >>> words, tags = "go to Rome".split(), Strings.of(["VERB", "ADP", "PROPN"])
    >>> rome = Dependencies.of([(words, [0, 1, 2], ["a", "b", "c"])]).replace("words", upos=tags)
    >>> from commonground.schemes.tag_set import recognise
    >>> dict(evidence(rome, recognise(rome)))
    {('adposition', ('function',)): 1}
    """
    classes = word_classes(corpus, tagging)
    heads = corpus.head.tolist()
    pieces: Counter[Piece] = Counter()
    for start, stop in pairwise(corpus.offsets.tolist()):
        rows = slice(start, stop)
        tree = Tree(heads[rows], [""] * (stop - start), classes.tags[rows], classes.feats[rows])
        options = classes.options[rows] if classes.options else None
        if len(tree.bottom_up()) == stop - start:  # else there is a cycle
            pieces.update(_of_sentence(tree, [(), *options] if options else None))
    return pieces


def _of_sentence(tree: Tree, options: list[tuple[str, ...]] | None) -> Iterator[Piece]:
    for word in range(1, len(tree.head)):
        seen = _SEEN.get(tree.tag[word])
        if seen is not None:
            both = options is not None and {"ADP", "SCONJ"} <= set(options[word])
            piece = _either(tree, word) if both else seen(tree, word)
            if piece is not None:
                yield piece
        if "PronType=Rel" in tree.feats[word] and tree.tag[word] != "SCONJ":
            yield from _relative(tree, word)
    yield from _names(tree)


# ── function words ───────────────────────────────────────────────────────────────────────────────


def _below(tree: Tree, word: int, tags: frozenset[str]) -> list[int]:
    return [child for child in tree.children[word] if tree.tag[child] in tags]


def _way(tree: Tree, word: int, partners: frozenset[str]) -> Ways | None:
    """Return who heads whom: a function word, or one of the kind of its partner."""
    if _below(tree, word, partners):
        return _FUNCTION
    return _CONTENT if tree.head[word] > 0 and tree.tag[tree.head[word]] in partners else None


def _partner(tree: Tree, word: int, partners: frozenset[str]) -> int:
    """Return the nearest word of the kind of the partner below a word, else its head."""
    candidates = _below(tree, word, partners)
    return (
        min(candidates, key=lambda child: abs(child - word))
        if candidates
        else max(tree.head[word], 0)
    )


def _piece(construction: str, way: Ways | None) -> Piece | None:
    return None if way is None else (construction, way)


def _adposition(tree: Tree, word: int) -> Piece | None:
    verb = _partner(tree, word, _VERBAL | _PHRASE)
    if tree.tag[verb] in _VERBAL:
        if "VerbForm=Inf" in tree.feats[verb] and verb > word:
            return _piece("infinitive", _way(tree, word, _VERBAL))
        return None
    return _piece("adposition", _way(tree, word, _PHRASE))


def _either(tree: Tree, word: int) -> Piece | None:
    """Tell adpositions and subordinators with one tag apart: by what they go with."""
    partner = tree.tag[_partner(tree, word, _VERBAL | _PHRASE)]
    return (_subordinator if partner in _VERBAL else _adposition)(tree, word)


def _determiner(tree: Tree, word: int) -> Piece | None:
    return _piece("determiner", _way(tree, word, _PHRASE - {"DET", "PRON"}))


def _numeral(tree: Tree, word: int) -> Piece | None:
    noun = frozenset(("NOUN",))
    behind = [child for child in _below(tree, word, noun) if child > word]
    if behind:
        return "numeral", _FUNCTION
    head = tree.head[word]
    return ("numeral", _CONTENT) if head > word and tree.tag[head] == "NOUN" else None


def _auxiliary(tree: Tree, word: int) -> Piece | None:
    name = "modal" if "VerbType=Mod" in tree.feats[word] else "auxiliary"
    if _below(tree, word, _VERBAL | {"PART"}):
        return name, _FUNCTION
    if len(_below(tree, word, _PREDICATE)) > 1:
        return "copula", _FUNCTION
    head = tree.tag[max(tree.head[word], 0)]
    if head in _VERBAL:
        return name, _CONTENT
    return ("copula", _CONTENT) if head in _PREDICATE else None


def _particle(tree: Tree, word: int) -> Piece | None:
    """Look at a particle before an infinitive, or behind a noun."""
    if "Polarity=Neg" in tree.feats[word]:
        return None
    if word + 1 < len(tree.head) and tree.tag[word + 1] in _VERBAL:
        way = _way(tree, word, _VERBAL)
        return _piece("infinitive", way)
    head, nouns = tree.head[word], _below(tree, word, _NOMINAL)
    if any(noun < word for noun in nouns):
        return "possessive", _FUNCTION
    return ("possessive", _CONTENT) if 0 < head < word and tree.tag[head] in _NOMINAL else None


def _subordinator(tree: Tree, word: int) -> Piece | None:
    return _piece("subordinator", _way(tree, word, _CLAUSE))


def _relative(tree: Tree, word: int) -> Iterator[Piece]:
    if any(child > word for child in _below(tree, word, _VERBAL)):
        yield "relative", ("function",)
    elif tree.head[word] > word:
        yield "relative", _CONTENT


# ── parts ────────────────────────────────────────────────────────────────────────────────────────


def _conjunction(tree: Tree, word: int) -> Piece | None:
    below = [child for child in tree.children[word] if tree.tag[child] not in ("PUNCT", "ADV")]
    if not any(tree.tag[before] != "PUNCT" for before in range(1, word)):
        if below:
            return "opening", _FUNCTION
        return "opening", _CONTENT
    left, right = any(child < word for child in below), any(child > word for child in below)
    if left and right:
        return "coordination", ("conjunction",)
    head = tree.head[word]
    if right:
        return ("coordination", ("chain-conjunction",)) if 0 < head < word else None
    if left or head <= 0:
        return None
    return _beside(tree, word, head)


def _beside(tree: Tree, word: int, head: int) -> Piece | None:
    """Look at a conjunction that hangs on one of the conjuncts."""
    tag = tree.tag
    if head < word:
        behind = [child for child in tree.children[head] if child > word]
        same = any(tag[child] == tag[head] for child in behind)
        ways: Ways = ("first-flat", "chain-flat")
        return ("coordination", _told(tree, word, head, head, ways)) if same else None
    above = tree.head[head]
    if 0 < above < word:
        return "coordination", _told(tree, word, head, above, ("first", "chain"))
    before = [child for child in tree.children[head] if child < word and tag[child] == tag[head]]
    return ("coordination", ("last", "last-flat")) if before else None


def _told(tree: Tree, word: int, last: int, above: int, ways: Ways) -> Ways:
    """Tell whether further conjuncts hang on the first one, or each on the one before.

    `above` is the conjunct before the conjunction, `ways` those that are left: the one for each.
    """
    tag = tree.tag

    def listed(one: int, other: int) -> bool:
        return tag[one] == tag[other] == tag[last] and _comma(tree, one, other)

    if any(above < child < word and listed(above, child) for child in tree.children[above]):
        return ways[:1]
    first = tree.head[above]
    return ways[1:] if 0 < first < above and listed(first, above) else ways


def _comma(tree: Tree, one: int, other: int) -> bool:
    return other - one <= _FAR and any(
        COMMA in tree.feats[between] for between in range(one + 1, other)
    )


def _names(tree: Tree) -> Iterator[Piece]:
    """Look at proper nouns in a row that hang on each other."""
    word, end = 1, len(tree.head)
    while word < end:
        start = word
        while word < end and tree.tag[word] == "PROPN":
            word += 1
        if word - start > 1:
            ways = _row(tree, start, word)
            if ways:
                yield "name", ways
        word += 1


def _row(tree: Tree, start: int, stop: int) -> Ways:
    heads = tree.head[start:stop]
    first = all(head == start for head in heads[1:])
    chain = all(head == word for word, head in enumerate(heads[1:], start))
    last = all(head == stop - 1 for head in heads[:-1])
    by_shape = {"first": first, "chain": chain, "last": last}
    return tuple(way for way, holds in by_shape.items() if holds)


# ── punctuation ──────────────────────────────────────────────────────────────────────────────────


def _mark(tree: Tree, word: int) -> Piece | None:
    """Look at a comma between a phrase and what that hangs on."""
    head = tree.head[word]
    if COMMA not in tree.feats[word] or head <= 0:
        return None
    for place, inside in ((word + 1, range(word + 1, len(tree.head))), (word - 1, range(1, word))):
        if place in inside and tree.tag[place] != "PUNCT":
            top = _top(tree, place, inside)
            if tree.head[top] > 0 and top not in (head, tree.head[word]) and head == tree.head[top]:
                return "punctuation", ("outside", "commas-outside")
            if top == head and tree.head[top] > 0:
                return "punctuation", ("inside",)
    return None


def _top(tree: Tree, word: int, inside: range) -> int:
    for _ in range(_FAR):
        if tree.head[word] not in inside:
            break
        word = tree.head[word]
    return word


_SEEN: dict[str, Callable[[Tree, int], Piece | None]] = {
    "ADP": _adposition,
    "DET": _determiner,
    "NUM": _numeral,
    "AUX": _auxiliary,
    "PART": _particle,
    "SCONJ": _subordinator,
    "CCONJ": _conjunction,
    "PUNCT": _mark,
}
"""What is looked at, by the tag of the function word."""
