"""Labels that stay with their words, as in the Prague Dependency Treebank.

Everywhere else an arc that is turned keeps its label: of *in Rome* the noun has the label for
complements of prepositions, and the preposition the one for adverbials. Prague has it the other way
round. A preposition is ``AuxP`` wherever it hangs, and its noun keeps ``Adv``; a conjunction that
heads conjuncts is ``Coord``, and they have the label of the whole with ``_Co`` behind it. So has
SUD the classifiers above numerals: they are ``clf``, and a numeral is ``mod``.
:func:`settle` brings the labels of a finished tree there, :func:`unsettle` leads back.
"""

from __future__ import annotations

from commonground.schemes.labels import has_label
from commonground.schemes.scheme import Scheme
from commonground.schemes.tree import Tree

__all__ = ["settle", "unsettle"]

_LABELS = {"adposition": "case", "subordinator": "mark", "infinitive": "mark", "classifier": "clf"}


def settle(tree: Tree, scheme: Scheme) -> None:
    """Give words the labels that stay with them, from the root down, in a tree that was realised.

    >>> prague = Scheme("mine", settled=frozenset({"adposition"}))
    >>> tree = Tree([0, 1, 2], ["Pred", "Adv", "AuxP"], ["VERB", "ADP", "PROPN"])
    >>> tree.hub, tree.turned = ["", "root", "obl", "case"], {2: 3}
    >>> settle(tree, prague)
    >>> tree.label[1:]
    ['Pred', 'AuxP', 'Adv']
    """
    wanted = tuple([_LABELS[name] for name in scheme.settled if name in _LABELS])
    label, hub = tree.label, tree.hub
    if not scheme.joint and not [one for one in set(hub) if one.startswith(wanted)]:
        return
    for word in [word for word in reversed(tree.bottom_up()) if tree.children[word]]:
        members = [c for c in tree.children[word] if has_label(hub[c], ("conj",))]
        partner = tree.turned.get(word, 0)
        appositions = (
            [c for c in tree.children[word] if hub[c] == "appos"] if scheme.apposed else []
        )
        if (
            len(appositions) > 1
            and min(appositions) < word < max(appositions)
            and tree.tag[word] == "PUNCT"
        ):
            _set_beside(tree, word, appositions, scheme)
        elif scheme.joint and members and min(members) < word < max(members):
            _join(tree, word, members, scheme)
        elif partner and tree.head[partner] == word:
            if scheme.joint and hub[partner] == "cc":
                _join(tree, word, [partner], scheme)
            elif has_label(hub[partner], wanted):
                label[word], label[partner] = label[partner], label[word]


def _join(tree: Tree, link: int, members: list[int], scheme: Scheme) -> None:
    whole = tree.label[link]
    base = whole.removesuffix(scheme.member)
    tree.label[link] = scheme.joint + whole[len(base) :]
    for member in members:
        tree.label[member] = base + scheme.member


def _set_beside(tree: Tree, mark: int, parts: list[int], scheme: Scheme) -> None:
    whole = tree.label[mark]
    base = whole.removesuffix(scheme.member)
    tree.label[mark] = scheme.apposed + whole[len(base) :]
    for part in parts:
        tree.label[part] = base + scheme.aside


def unsettle(tree: Tree, scheme: Scheme) -> None:
    """Give arcs their labels back, from the leaves up, in a tree that was read.

    >>> prague = Scheme("mine", settled=frozenset({"adposition"}), table={"case": "AuxP"})
    >>> tree = Tree([0, 1, 2], ["Pred", "AuxP", "Adv"], ["VERB", "ADP", "PROPN"])
    >>> unsettle(tree, prague)
    >>> tree.label[1:]
    ['Pred', 'Adv', 'AuxP']
    """
    names = [_LABELS[name] for name in scheme.settled if name in _LABELS]
    wanted = scheme.labels_of(*names) if names else frozenset()
    if not scheme.joint and wanted.isdisjoint(tree.label):
        return
    classifiers = scheme.labels_of("clf") if "classifier" in scheme.settled else ()
    conjunct, single = scheme.writing.plain("conj"), scheme.writing.plain("cc")
    joint, apposed, bases = scheme.joint, scheme.apposed, scheme.bases
    label = tree.label
    for word in tree.bottom_up():
        if not tree.children[word]:
            continue
        base = bases[label[word]]
        if apposed and base == apposed:
            _say_again(tree, word, scheme)
        elif joint and base == joint:
            members = [c for c in tree.children[word] if label[c].endswith(scheme.member)]
            if members:
                ending = label[word][len(scheme.joint) :]
                label[word] = label[min(members)].removesuffix(scheme.member) + ending
                for member in members:
                    label[member] = conjunct if len(members) > 1 else single
        elif label[word] in wanted:
            counts = label[word] in classifiers
            partner = _counted(tree, word, scheme) if counts else _partner(tree, word, scheme)
            if partner:
                label[word], label[partner] = label[partner], label[word]


def _say_again(tree: Tree, mark: int, scheme: Scheme) -> None:
    """Make the first part of an apposition the head of the others, and of the mark between them.

    The first part takes the place of the mark, and its ending in a coordination.
    """
    label = tree.label
    parts = sorted(c for c in tree.children[mark] if label[c].endswith(scheme.aside))
    if not parts:
        return
    first = parts[0]
    ending = label[mark][len(scheme.apposed) :]
    label[mark] = label[first].removesuffix(scheme.aside) + ending
    others = [child for child in tree.children[mark] if child != first]
    tree.take_place(first, mark)
    tree.move(mark, parts[-1] if len(parts) > 1 else first)
    label[mark] = scheme.writing.plain("punct" if tree.tag[mark] == "PUNCT" else "cc")
    for child in others:
        tree.move(child, first)
        if child in parts:
            label[child] = "appos"


def _partner(tree: Tree, word: int, scheme: Scheme) -> int:
    """Return what a preposition or subordinator heads: the next word that is no auxiliary one."""
    conjunct = scheme.writing.plain("conj")
    candidates = [
        (tree.label[child] == conjunct, child < word, abs(child - word), child)
        for child in tree.children[word]
        if tree.tag[child] != "PUNCT"
        and not tree.label[child].startswith("Aux")
        and not scheme.is_one(tree.label[child], scheme.own)
    ]
    return min(candidates)[-1] if candidates else 0


def _counted(tree: Tree, classifier: int, scheme: Scheme) -> int:
    """Return the numeral or determiner that goes with a classifier and hangs on it, 0: none.

    A numeral with the label of determiners is said to hang on the classifier in the hub as well.
    """
    plain = scheme.labels_of("det")
    candidates = [
        child
        for child in tree.children[classifier]
        if tree.tag[child] == "DET"
        or (tree.tag[child] == "NUM" and not scheme.is_one(tree.label[child], plain))
    ]
    return min(candidates, key=lambda child: abs(child - classifier), default=0)
