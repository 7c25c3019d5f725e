"""From a scheme to the hub: find each construction in a tree, and bring it into the hub's shape.

Words are visited from the leaves up, so that what hangs on a word is in the shape of the hub
already; a function word that heads its partner then has the very content word as its child.
"""

from __future__ import annotations

from collections.abc import Collection

from commonground.schemes.constructions import construction_of
from commonground.schemes.coordination import SHARED, uncoordinate, untie
from commonground.schemes.lists import split_apposition
from commonground.schemes.relative_words import heads_clause
from commonground.schemes.repair import unrepair
from commonground.schemes.scheme import Find, Scheme
from commonground.schemes.tree import Tree

__all__ = ["analyse"]


def analyse(tree: Tree, scheme: Scheme) -> None:
    """Bring a tree from the shape of a scheme into that of the hub; it keeps its labels."""
    busy = _with_constructions(tree, scheme)
    relative = scheme.labels_of("acl:relcl") if scheme.way("relative") != "content" else ()
    if not busy and not relative:
        tree.forget(SHARED)
        return
    absent = scheme.mains_of(tree.label).isdisjoint  # most sentences have few of the constructions
    ties = [
        (way, labels, scheme.find.get(construction, ()))
        for construction, label in (("name", "flat"), ("idiom", "fixed"), ("apposition", "appos"))
        if (way := scheme.way(construction)) not in ("first", "mark")
        and (construction != "apposition" or construction not in scheme.find)
        and not (
            absent(labels := scheme.tied(label, construction)) and construction not in scheme.find
        )
    ]
    appositions = scheme.find.get("apposition", ())
    apposition = scheme.writing.plain("appos")
    coordination = scheme.way("coordination") != "first" and not absent(scheme.labels_of("conj"))
    repaired = scheme.way("repair") == "first" and not absent(scheme.labels_of("reparandum"))
    chained = scheme.labels_of("fixed") if scheme.way("idiom") == "chain" else frozenset()
    for word in tree.bottom_up():
        if word not in busy and not (relative and scheme.is_one(tree.label[word], relative)):
            continue
        top = word
        for way, labels, finds in ties:
            top = untie(tree, top, labels, way, scheme, finds)
        for find in appositions:
            top = split_apposition(tree, top, find, apposition)
        function = top
        if coordination:
            top = uncoordinate(tree, top, scheme)
        if relative and scheme.is_one(tree.label[top], relative):
            top = _clause(tree, top, scheme)
        part = chained and _continues(tree, function, chained, scheme)
        partner = 0 if part else _content_word(tree, function, scheme)
        if partner and scheme.also:  # a possessor that has a determiner: *denne uges valg*
            partner = _content_word(tree, partner, scheme) or partner
        if repaired:
            unrepair(tree, partner if partner and function == top else top, scheme)
    tree.forget(SHARED)


def _with_constructions(tree: Tree, scheme: Scheme) -> set[int]:
    """Return the words on which something hangs that may hang elsewhere in the hub.

    What is rewritten below a word changes none of the labels of what hangs on it.
    """
    heads, label, undone = tree.head, tree.label, scheme.undone
    busy: set[int] = set()
    for word in range(1, len(heads)):
        if undone[label[word]]:
            busy.add(heads[word])
    return busy


def _continues(tree: Tree, word: int, labels: Collection[str], scheme: Scheme) -> bool:
    """Tell whether a word goes on with a function word before it: *insieme a* + noun."""
    before = word - 1
    return (
        tree.head[word] == before > 0
        and tree.tag[before] == tree.tag[word]
        and tree.tag[word] in _CLOSED
        and scheme.is_one(tree.label[word], labels)
    )


def _content_word(tree: Tree, function: int, scheme: Scheme) -> int:
    """Make what a function word heads its head, by the first way that finds it; return it, or 0."""
    leading, label = scheme.leading, tree.label
    for child in tree.children[function]:
        if leading[label[child]]:
            break
    else:  # as nearly always
        return 0
    for find in scheme.finds_by(tree.tag[function], tree.feats[function]):
        if find.labelled and not scheme.is_one(tree.label[function], find.labelled):
            continue
        partner = _partner(tree, function, find, scheme)
        if partner and not _has_arguments(tree, function, partner, scheme):
            _turn_back(tree, function, partner, scheme)
            return partner
    return 0


def _has_arguments(tree: Tree, word: int, partner: int, scheme: Scheme) -> bool:
    """Tell whether a word has arguments beside its partner, and is no function word for that.

    Whatever its tag: verbs are tagged as conjunctions for their endings in some treebanks. Objects
    never climb to adpositions and subordinators, except where all dependents do.
    """
    if tree.tag[word] not in _LINKING or tree.tag[partner] in ("VERB", "AUX"):
        return False
    if "flat" in scheme.ways_of_linking:
        return False
    labels = scheme.labels_of("obj", "iobj")
    return any(
        child != partner and scheme.is_one(tree.label[child], labels)
        for child in tree.children[word]
    )


_LINKING = ("SCONJ", "CCONJ")


def _partner(tree: Tree, function: int, find: Find, scheme: Scheme) -> int:
    """Return the nearest word that a function word heads as its partner, 0 if there is none."""
    label, labels, mains = tree.label, find.labels, scheme.mains
    led: list[int] = []
    for child in tree.children[function]:
        name = label[child]
        if name in labels or mains[name] in labels:
            led.append(child)
    if not led:
        return 0
    wanted, is_one = find.partner_feats, scheme.is_one
    candidates = [
        child
        for child in led
        if f"!{label[child]}" not in labels
        and (not find.partner or tree.tag[child] in find.partner)
        and (not wanted or _governed(tree, child, wanted))
        and (not find.side or (child > function) == (find.side == "right"))
        and child not in tree.turned
        and not (SHARED in tree.misc[child] and is_one(label[function], scheme.labels_of("conj")))
        and (not find.hub or _headed(tree, function, child, find.hub, scheme))
    ]
    nearest = 0
    for child in candidates:
        if not nearest or abs(child - function) < abs(nearest - function):
            nearest = child
    return nearest


def _governed(tree: Tree, partner: int, wanted: Collection[str]) -> bool:
    """Tell whether a partner has one of some features, and no function word that asks for them."""
    has = not set(wanted).isdisjoint(tree.feats[partner].split("|"))
    return has and not any(child in tree.turned for child in tree.children[partner])


_CLOSED = ("PART", "ADP", "SCONJ")


def _headed(tree: Tree, word: int, child: int, label: str, scheme: Scheme) -> bool:
    """Tell whether a word is the function word of an arc that has a label of function words.

    Where only some constructions with this label are headed by function words, the arc may also
    lead to one: that of *Rome 's* in a scheme in which adpositions are heads.
    """
    here = construction_of(label, tree.tag[word], tree.feats[child], tree.feats[word])
    there = construction_of(label, tree.tag[child], tree.feats[word], tree.feats[child])
    turned = scheme.turned
    return here in turned and (there in turned or tree.tag[child] not in _CLOSED)


def _turn_back(tree: Tree, function: int, partner: int, scheme: Scheme) -> None:
    """Make the partner the head of a function word, and of all that is not that word's own.

    What the function word shared, as the head of its phrase, the partner shares now.
    """
    others = [
        child
        for child in tree.children[function]
        if child != partner and not _own(tree, function, child, partner, scheme)
    ]
    tree.turned[function] = _top(tree, partner)
    tree.flip(partner, function)
    if SHARED in tree.misc[function]:
        tree.note(partner, SHARED)
    for child in others:
        tree.move(child, partner)


def _top(tree: Tree, partner: int) -> int:
    """Return the word that headed the phrase of a partner so far: its last function word."""
    turned = tree.turned
    functions = [child for child in tree.children[partner] if child in turned]
    if not functions:
        return partner
    below = [turned[function] for function in functions]
    for function in functions:
        if function not in below:
            return function
    return partner


def _own(tree: Tree, function: int, child: int, partner: int, scheme: Scheme) -> bool:
    """Tell whether a dependent belongs to a function word itself: *to and from work*."""
    label = tree.label[child]
    if scheme.is_one(label, scheme.labels_of("conj")):
        between = function < child < partner or partner < child < function
        return between and tree.tag[child] == tree.tag[function] and child not in tree.turned
    return scheme.is_one(label, scheme.own) or (
        bool(scheme.also) and tree.turned.get(child) == function
    )


def _clause(tree: Tree, relative: int, scheme: Scheme) -> int:
    """Make what a relative word, or its phrase, heads as the last one the head; return it."""
    conjuncts, label = scheme.labels_of("conj"), tree.label
    behind = [
        child
        for child in tree.children[relative]
        if child > relative
        and not scheme.is_one(label[child], conjuncts)
        and scheme.clause in ("", label[child])
    ]
    if not behind or tree.tag[relative] in ("VERB", "AUX"):
        return relative
    clause = max(behind)
    if not heads_clause(tree, relative, clause):
        return relative
    beyond = [
        child
        for child in tree.children[relative]
        if child < relative and tree.tag[child] in ("PUNCT", "CCONJ")
    ]
    tree.flip(clause, relative)
    for child in beyond:
        tree.move(child, clause)
    return clause
