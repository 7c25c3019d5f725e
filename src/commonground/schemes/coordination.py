"""Conjuncts, and other parts on one level: tie them in the way of a scheme, and untie them.

In the hub all parts hang on the first one, and a conjunction (or a comma) hangs on the conjunct
after it. :func:`tie` and :func:`coordinate` start from there, :func:`untie` and
:func:`uncoordinate` lead back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import pairwise

from commonground.schemes.labels import Fitting, has_label
from commonground.schemes.lists import split_list
from commonground.schemes.scheme import Find, Scheme
from commonground.schemes.tree import Tree
from commonground.schemes.word_classes import CLOSING

__all__ = ["SHARED", "Failure", "coordinate", "share_partner", "tie", "uncoordinate", "untie"]

Failure = tuple[str, str]
"""A construction that could not be rewritten, and why."""

SHARED = "Shared=Yes"
"""The mark, in MISC, of a dependent that hangs on the last conjunct and belongs to all."""


_CONJUNCT, _CONJUNCTION, _LINK = Fitting(("conj",)), Fitting(("cc",)), Fitting(("cc", "punct"))


def tie(tree: Tree, first: int, parts: list[int], way: str) -> int:
    """Tie the parts that hang on the first one in another way; return the one that heads all.

    >>> tree = Tree([0, 1, 1], ["root", "flat", "flat"], ["PROPN"] * 3)
    >>> tie(tree, 1, [2, 3], "chain"), tree.heads()
    (1, [0, 1, 2])
    """
    if way == "chain":
        after, earlier = [p for p in parts if p > first], [p for p in parts if p < first]
        for run in (sorted(after), sorted(earlier, reverse=True)):
            for before, part in pairwise(run):
                tree.move(part, before)
        return first
    if way == "last":
        last = max(parts)
        if last < first:
            return first
        others = [part for part in parts if part != last]
        tree.flip(last, first)
        for part in others:
            tree.move(part, last)
        for child in [c for c in tree.children[first] if c > last or _opens(tree, c, first)]:
            tree.move(child, last)
        return last
    if way == "mark":
        return _under_mark(tree, first, max(parts))
    return first


def _opens(tree: Tree, child: int, first: int) -> bool:
    """Tell whether a word before the first part of a conjunct is a conjunction or a mark."""
    return child < first and _LINK[tree.hub[child]]


def _under_mark(tree: Tree, first: int, second: int) -> int:
    """Hang the two parts of an apposition on the last comma or other mark between them."""
    hub, children = tree.hub, tree.children
    between = [c for c in children[second] if first < c < second and hub[c] == "punct"]
    marks = [c for c in between if not children[c] and CLOSING not in tree.feats[c]]
    if not marks:
        return first
    mark, label = max(marks), tree.label[second]
    tree.take_place(mark, first)
    hub[first], tree.label[first] = "appos", label
    tree.move(first, mark)
    tree.move(second, mark)
    for child in [c for c in children[first] if c > second or (c < first and c in between)]:
        tree.move(child, mark)
    return mark


def untie(
    tree: Tree,
    word: int,
    labels: Collection[str],
    way: str,
    scheme: Scheme,
    finds: Sequence[Find] = (),
) -> int:
    """Hang parts on the first one again; return that one.

    They are told by their label; `finds` say how names of two words are found that have none of
    their own.

    >>> tree = Tree([0, 1, 2], ["root", "flat", "flat"], ["PROPN"] * 3)
    >>> untie(tree, 1, ["flat"], "chain", Scheme("mine")), tree.heads()
    (1, [0, 1, 1])
    """
    label, mains = tree.label, scheme.mains
    parts = [
        child
        for child in tree.children[word]
        if (name := label[child]) in labels or mains[name] in labels
    ]
    for find in finds:
        parts = parts or _named(tree, word, find, scheme.labels_of("flat"))
    if not parts:
        return word
    if way == "chain":
        if tree.tag[word] in _LINKING or not _is_part(tree, word, parts, labels, scheme):
            _untie_chain(tree, word, parts, labels, scheme)
        return word
    if way == "last":
        first = min(parts)
        if first > word:
            return word
        others = [c for c in tree.children[word] if c != first]
        rest = set(parts)
        tree.flip(first, word)
        for child in others:
            if child in rest or not first < child < word:
                tree.move(child, first)
        return first
    return word


def _is_part(
    tree: Tree, word: int, parts: Sequence[int], labels: Collection[str], scheme: Scheme
) -> bool:
    """Tell whether a word with parts of its own, all on one side, is a part of the same chain."""
    head = tree.head[word]
    return (
        head > 0
        and scheme.is_one(tree.label[word], labels)
        and all((part > word) == (word > head) for part in parts)
    )


def _untie_chain(
    tree: Tree, word: int, parts: Sequence[int], labels: Collection[str], scheme: Scheme
) -> None:
    """Hang the parts of a chain on the first one; a function word heads what its last part does."""
    waiting = [*parts]
    for part in waiting:  # it grows while it is read
        for child in [c for c in tree.children[part] if scheme.is_one(tree.label[c], labels)]:
            if (child > part) == (part > word):
                tree.move(child, word)
                waiting.append(child)
    last = max(c for c in tree.children[word] if scheme.is_one(tree.label[c], labels))
    if tree.tag[word] == tree.tag[last] and tree.tag[word] in _LINKING:
        for child in [c for c in tree.children[last] if c > last]:
            tree.move(child, word)


_LINKING = ("ADP", "SCONJ", "CCONJ")


def _named(tree: Tree, last: int, find: Find, written: Collection[str]) -> list[int]:
    """Return the words right before another one, which hang on it, if they are a name with it.

    Names of more than two words are found where they are `written` with the label of the rule.
    """
    children, label, tag = tree.children[last], tree.label, tree.tag
    if not find.meant(tag[last], tree.feats[last]) or f"!{label[last]}" in find.labels:
        return []
    if not find.without.isdisjoint(tag[child] for child in children if child < last):
        return []
    parts: list[int] = []
    first = _before_hyphen(tree, last - 1, last)
    while first in children and label[first] in find.labels and tag[first] in find.partner:
        if any(child < first or tag[child] != "PUNCT" for child in tree.children[first]):
            break
        parts.append(first)
        first = _before_hyphen(tree, first - 1, last)
    several = len(parts) > 1 and find.labels.isdisjoint(written)
    more = first in children and tag[first] not in ("CCONJ", "PUNCT")
    return [] if several or more else parts[::-1]


def _before_hyphen(tree: Tree, word: int, last: int) -> int:
    """Return a word, or the one before it where it is a mark inside of a name (*al-Sadr*)."""
    head = tree.head[word] if word > 0 else 0
    inside = head == last or (head == word - 1 and tree.head[head] == last)
    if word > 1 and tree.tag[word] == "PUNCT" and not tree.children[word] and inside:
        return word - 1 if tree.head[word - 1] == last else word
    return word


def coordinate(
    tree: Tree, top: int, conjuncts: list[int], scheme: Scheme, failures: list[Failure]
) -> int:
    """Tie the conjuncts that belong to what `top` heads; return what heads all of them.

    They may still hang further down, on the first conjunct itself.
    """
    way = scheme.way("coordination")
    conjuncts = sorted(conjuncts)
    raised = _raise(tree, top, conjuncts)
    _share(tree, top, conjuncts, raised, scheme)
    if scheme.nested and _CONJUNCT[tree.hub[top]]:
        for conjunct in conjuncts:
            tree.label[conjunct] = scheme.nested
    if way == "conjunction":
        return _under_conjunction(tree, top, conjuncts, scheme, failures)
    if way == "chain-flat":
        for before, conjunct in pairwise([top, *[c for c in conjuncts if c > top]]):
            _flatten(tree, before, [conjunct])
        return tie(tree, top, conjuncts, "chain")
    if way.endswith("-flat"):
        _flatten(tree, top, conjuncts)
    if way == "chain-conjunction":
        _chain_through(tree, top, conjuncts, scheme)
        return top
    if way.startswith("last"):
        return _under_last(tree, top, conjuncts, flat=way.endswith("-flat"))
    return tie(tree, top, conjuncts, way)


def _raise(tree: Tree, top: int, conjuncts: list[int]) -> set[int]:
    """Hang conjuncts on what heads the first one, with all that stands behind the first of them.

    The value is what hung on the first conjunct itself, below its function words.
    """
    raised: set[int] = set()
    all_conjuncts = set(conjuncts)
    word = tree.head[conjuncts[0]]
    while word != top:
        above = tree.head[word]
        there = tree.children[word]
        for child in [c for c in there if c in all_conjuncts or c > conjuncts[0] > word]:
            tree.move(child, above)
            raised.add(child)
        word = above
    return raised


def _share(
    tree: Tree, top: int, conjuncts: list[int], raised: Collection[int], scheme: Scheme
) -> None:
    """Move what stands after the last conjunct, and hangs on the first, to the last one."""
    last = conjuncts[-1]
    if scheme.shared != "last" or last < top:
        return
    content = last
    while content in tree.turned:
        content = tree.turned[content]
    for child in [c for c in tree.children[top] if c > last]:
        if _UNSHARED[tree.hub[child]]:
            continue
        inside = child in raised and child > content
        tree.move(child, content if inside else last)
        tree.note(child, SHARED)


_UNSHARED = Fitting(("conj", "discourse:", "parataxis:", "punct", "aux", "case", "cop", "mark"))
"""The labels of what is not shared by conjuncts, and of function words that will head them all."""


def share_partner(tree: Tree, function: int, partner: int) -> None:
    """Hang what a function word heads on the last one of coordinated function words.

    >>> words = "before after work".split()
    >>> tree = Tree([0, 1, 1], ["root", "conj", "comp"], ["ADP", "ADP", "NOUN"])
    >>> share_partner(tree, 1, 3)
    >>> tree.heads(), tree.misc[3]
    ([0, 1, 2], 'Shared=Yes')
    """
    hub = tree.hub
    parts = [c for c in tree.children[function] if hub[c] == "conj" and function < c < partner]
    if parts:
        tree.move(partner, max(parts))
        tree.note(partner, SHARED)


def _flatten(tree: Tree, top: int, conjuncts: list[int]) -> None:
    """Hang conjunctions and punctuation that stand before their conjuncts on the first one."""
    for conjunct in conjuncts:
        for child in [c for c in tree.children[conjunct] if _links(tree, c, conjunct, top)]:
            tree.move(child, top)


def _links(tree: Tree, child: int, conjunct: int, top: int) -> bool:
    between = top < child < conjunct or conjunct < child < top
    return between and _LINK[tree.hub[child]]


def _chain_through(tree: Tree, top: int, conjuncts: list[int], scheme: Scheme) -> None:
    """Hang each conjunct on the conjunction before it, and that on the conjunct before it."""
    before = top
    for conjunct in conjuncts:
        link = _through(tree, conjunct, scheme)
        if top < conjunct:
            tree.move(link, before)
            before = conjunct


def _through(tree: Tree, conjunct: int, scheme: Scheme) -> int:
    """Make the last conjunction before a conjunct its head, or a comma where commas can.

    The value is what heads the conjunct then.
    """
    before = [c for c in tree.children[conjunct] if c < conjunct]
    links = [c for c in before if _CONJUNCTION[tree.hub[c]]]
    if not links and scheme.comma:
        links = [c for c in before if tree.hub[c] == "punct" and not tree.children[c]]
    if not links:
        return conjunct
    link = max(links)
    beyond = [c for c in before if c < link]
    if tree.tag[link] == "PUNCT":
        tree.label[link] = scheme.writing.plain("cc")
    tree.flip(link, conjunct)
    for child in beyond:
        tree.move(child, link)
    return link


def _under_last(tree: Tree, top: int, conjuncts: list[int], *, flat: bool) -> int:
    last = conjuncts[-1]
    if last < top:
        return top
    links = [c for c in tree.children[top] if flat and _links(tree, c, last, top)]
    tree.flip(last, top)
    for part in conjuncts[:-1] + links:
        tree.move(part, last)
    for child in [c for c in tree.children[top] if c > last]:
        tree.move(child, last)
    return last


def _under_conjunction(
    tree: Tree, top: int, conjuncts: list[int], scheme: Scheme, failures: list[Failure]
) -> int:
    """Hang all conjuncts on the last conjunction between them."""
    link = _last_link(tree, top, conjuncts, scheme)
    if link is None:
        failures.append(("coordination", "no conjunction"))
        return top
    label = tree.label[conjuncts[-1]]
    tree.take_place(link, top)
    tree.label[top], tree.hub[top] = label, "conj"
    if scheme.joint:
        for mark in _around(tree, top):
            tree.move(mark, link)
    for part in [top, *conjuncts]:
        tree.move(part, link)
        for child in [c for c in tree.children[part] if _across(c, part, link, conjuncts[-1])]:
            tree.move(child, link)
    return link


def _around(tree: Tree, first: int) -> list[int]:
    """Return the marks that stand outside all else of a first conjunct: those of all conjuncts."""
    marks = [c for c in tree.children[first] if tree.hub[c] == "punct" and not tree.children[c]]
    if not marks:
        return marks
    words = [first, *(c for c in tree.children[first] if tree.tag[c] != "PUNCT")]
    start, end = min(words), max(words)
    return [mark for mark in marks if not start < mark < end]


def _across(child: int, part: int, link: int, last: int) -> bool:
    """Tell whether the arc from a conjunct to a dependent would cross the one to its new head."""
    return child < link < part or part < link < child or part < last < child


def _last_link(tree: Tree, top: int, conjuncts: list[int], scheme: Scheme) -> int | None:
    """Return the last conjunction between conjuncts; it may hang below their function words."""
    wanted = ("cc", "punct") if scheme.comma else ("cc",)
    for label in wanted:
        own = [
            c
            for c in tree.children[top]
            if top < c < conjuncts[-1] and tree.hub[c] == "cc" and not tree.children[c]
        ]
        if label == "punct" and own:
            return max(own)  # a conjunction between conjuncts that hangs on the first one
        for conjunct in reversed(conjuncts):
            word: int | None = conjunct
            while word is not None:
                links = [
                    c
                    for c in tree.children[word]
                    if top < c < conjunct
                    and has_label(tree.hub[c], (label,))
                    and not tree.children[c]
                ]
                if links:
                    return max(links)
                word = tree.turned.get(word)
    return None


def uncoordinate(tree: Tree, word: int, scheme: Scheme) -> int:
    """Bring the conjuncts that a word heads into the shape of the hub; return the first one."""
    way = scheme.way("coordination")
    labels = scheme.labels_of("conj")
    conjuncts = _conjuncts(tree, word, labels, scheme)
    if not conjuncts:
        return word
    if way == "chain-flat":
        _unflatten(tree, word, conjuncts, scheme)
    if way.startswith("chain"):
        if not _is_link(tree, word, conjuncts, labels, scheme):
            _unchain(tree, word, conjuncts, labels, scheme)
        return word
    if way == "conjunction":
        if len(conjuncts) == 1 and tree.tag[word] == "CCONJ":
            before = [c for c in tree.children[word] if c < word and tree.tag[c] != "PUNCT"]
            conjuncts += sorted(before)[-1:]  # the first one may have a label of its own
        return _from_conjunction(tree, word, sorted(conjuncts), scheme)
    first = word
    for find in scheme.find.get("coordination", ()):
        links = scheme.labels_of("cc", "punct")
        inside = [c for c in tree.children[word] if word < c < conjuncts[-1]]
        wanted = labels | links
        parts = [c for c in inside if scheme.is_one(tree.label[c], wanted)]
        first = split_list(tree, word, find, tree.label[conjuncts[0]], [*parts, conjuncts[-1]])
        conjuncts = _conjuncts(tree, first, labels, scheme)
    if way.startswith("last"):
        first = _from_last(tree, word, conjuncts, scheme)
        conjuncts = _conjuncts(tree, first, labels, scheme)
    if way.endswith("-flat"):
        _unflatten(tree, first, conjuncts, scheme)
    return first


def _conjuncts(tree: Tree, word: int, labels: Collection[str], scheme: Scheme) -> list[int]:
    """Return the dependents of a word that have one of some labels, in order."""
    label, mains = tree.label, scheme.mains
    conjuncts: list[int] = []
    for child in tree.children[word]:
        name = label[child]
        if name in labels or mains[name] in labels:
            conjuncts.append(child)
    conjuncts.sort()
    return conjuncts


def _back_through(tree: Tree, link: int, scheme: Scheme) -> int:
    """Hang a conjunction that heads a conjunct on it; return the conjunct."""
    labels = scheme.labels_of("cc")
    below = [c for c in tree.children[link] if scheme.is_one(tree.label[c], labels) and c > link]
    if not below:
        return link
    conjunct = min(below)
    others = [c for c in tree.children[link] if c != conjunct and not _own(tree, c, scheme)]
    tree.flip(conjunct, link)
    if tree.tag[link] == "PUNCT":
        tree.label[link] = scheme.writing.plain("punct")
    for child in others:
        tree.move(child, conjunct)
    return conjunct


def _own(tree: Tree, child: int, scheme: Scheme) -> bool:
    return scheme.is_one(tree.label[child], scheme.own)


def _is_link(
    tree: Tree, word: int, conjuncts: list[int], labels: Collection[str], scheme: Scheme
) -> bool:
    """Tell whether a conjunct is inside a chain, all of which is undone at its beginning."""
    head = tree.head[word]
    if scheme.is_one(tree.label[word], scheme.labels_of("cc")) and head > 0:
        word = head  # on a conjunction that heads it
    kind = tree.label[word]
    return _is_part(tree, word, conjuncts, labels, scheme) and (
        not scheme.nested or all(tree.label[c] == kind for c in conjuncts)
    )


def _unchain(
    tree: Tree, word: int, conjuncts: list[int], labels: Collection[str], scheme: Scheme
) -> None:
    """Hang the conjuncts of a chain on the first one, with what they share."""
    through = scheme.way("coordination") == "chain-conjunction"
    waiting = [(_back_through(tree, c, scheme) if through else c) for c in conjuncts]
    for conjunct in waiting:  # it grows while it is read
        kind = tree.label[conjunct]
        for child in [
            c
            for c in tree.children[conjunct]
            if (tree.label[c] == kind if scheme.nested else scheme.is_one(tree.label[c], labels))
            and (c > conjunct) == (conjunct > word)
        ]:
            further = _back_through(tree, child, scheme) if through else child
            tree.move(further, word)
            waiting.append(further)
        shared = [c for c in tree.children[conjunct] if c > conjunct and SHARED in tree.misc[c]]
        for child in shared:
            tree.move(child, word)
            tree.drop(child, SHARED)  # by these, not by the conjuncts around them


def _from_conjunction(tree: Tree, link: int, conjuncts: list[int], scheme: Scheme) -> int:
    """Hang the conjuncts of a conjunction on the first of them, and it on the one after it.

    A conjunction may stand before all conjuncts, or, an enclitic, behind them; without a label of
    its own it is no conjunction then, but a subordinator or an adverb. Adverbs with the label of
    conjunctions (*both … and*) belong to the whole, that is, to the first conjunct.
    """
    if not conjuncts[0] < link < conjuncts[-1] and not (scheme.joint and len(conjuncts) > 1):
        return link
    first = conjuncts[0]
    after = next((c for c in conjuncts if c > link), conjuncts[-1])
    others = [
        child
        for child in tree.children[link]
        if child != first and (child in conjuncts or not _own(tree, child, scheme))
    ]
    links = scheme.labels_of("cc", "punct")
    tree.flip(first, link)
    for child in others:
        link_label = scheme.is_one(tree.label[child], links) and tree.tag[child] != "ADV"
        between = link_label and first < child < conjuncts[-1]
        home = conjuncts[bisect_right(conjuncts, child)] if between else first
        tree.move(child, home)
    tree.label[link] = next(
        iter(sorted(scheme.labels_of("cc" if tree.tag[link] != "PUNCT" else "punct")))
    )
    tree.move(link, after)
    return first


def _from_last(tree: Tree, last: int, conjuncts: list[int], scheme: Scheme) -> int:
    """Hang conjuncts on the first one, with punctuation that stands behind all of them."""
    first = conjuncts[0]
    if first > last:
        return last
    later = set(conjuncts[1:])
    links = scheme.labels_of("cc", "punct") if scheme.way("coordination") == "last-flat" else ()
    others = [
        c
        for c in tree.children[last]
        if c in later
        or (first < c < last and scheme.is_one(tree.label[c], links))
        or (c > last and tree.tag[c] == "PUNCT")
    ]
    tree.flip(first, last)
    for child in others:
        tree.move(child, first)
    return first


def _unflatten(tree: Tree, first: int, conjuncts: list[int], scheme: Scheme) -> None:
    """Hang conjunctions and punctuation between conjuncts on the conjunct after them."""
    labels = scheme.labels_of("cc", "punct")
    for child in [c for c in tree.children[first] if scheme.is_one(tree.label[c], labels)]:
        after = bisect_right(conjuncts, child)
        if first < child and after < len(conjuncts):
            tree.move(child, conjuncts[after])
