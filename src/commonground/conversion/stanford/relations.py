"""The relation of a phrase to the one above it: the first pattern of relations.toml that fits."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from commonground.conversion.stanford.trees import PUNCTUATION, PhraseNode
from commonground.conversion.stanford.word_lists import PASSIVE, TIMES

__all__ = ["relation_of"]

Words = frozenset[str]
Test = Callable[[PhraseNode, PhraseNode], bool]


def relation_of(node: PhraseNode) -> str:
    """Return the relation of a node that is not the head of its parent."""
    parent = node.parent
    assert parent is not None
    for rule in _rules().get(node.label, _rules()["*"]):
        if all(test(node, parent) for test in rule.tests):
            return rule.relation
    return "dep"


@dataclass(frozen=True, slots=True)
class RelationRule:
    """A relation, and what must hold for it."""

    relation: str
    tests: tuple[Test, ...]


@cache
def _rules() -> dict[str, list[RelationRule]]:
    """Return the rules by the label of the node, in their order; ``*`` has those for any other."""
    text = (files("commonground.conversion.stanford") / "relations.toml").read_text(
        encoding="utf-8"
    )
    table = tomllib.loads(text)
    lists = {f"@{name}": frozenset(words) for name, words in table["lists"].items()}
    read = [(entry.get("is", "").split(), _rule(entry, lists)) for entry in table["rule"]]
    labels = {label for categories, _ in read for label in categories}
    rules = {
        label: [rule for categories, rule in read if not categories or label in categories]
        for label in labels
    }
    return {**rules, "*": [rule for categories, rule in read if not categories]}


def _rule(entry: Mapping[str, Any], lists: Mapping[str, Words]) -> RelationRule:
    tests = []
    for name, value in entry.items():
        if name in ("relation", "is"):
            continue
        if name == "whether":
            tests += [_WHETHER[test] for test in value.split()]
        elif name == "lacks_letters":
            tests.append(_lacks_letters)
        else:
            tests.append(_test(name, lists.get(value) or frozenset(value.split())))
    return RelationRule(entry["relation"], tuple(tests))


# ── what a pattern can ask for ───────────────────────────────────────────────────────────────────


def _nearest(nodes: list[PhraseNode]) -> str:
    return next((node.label for node in nodes if node.label not in PUNCTUATION), "")


def _is_left(node: PhraseNode, parent: PhraseNode) -> bool:
    assert parent.head is not None
    return node.place < parent.head.place


_SEEN: dict[str, Callable[[PhraseNode, PhraseNode], list[str]]] = {
    "in": lambda _, parent: [parent.label],
    "head": lambda _, parent: [parent.head.label] if parent.head else [],
    "side": lambda node, parent: ["l" if _is_left(node, parent) else "r"],
    "left": lambda node, _: [other.label for other in node.left()],
    "right": lambda node, _: [other.label for other in node.right()],
    "prev": lambda node, _: [_nearest(node.left())],
    "next": lambda node, _: [_nearest(node.right())],
    "has": lambda node, _: [child.label for child in node.children],
    "word": lambda node, _: [node.word.lower],
    "tag": lambda node, _: [node.word.label],
    "gov": lambda _, parent: [parent.word.lower],
    "gov_tag": lambda _, parent: [parent.word.label],
    "up": lambda _, parent: [parent.parent.label] if parent.parent else [],
}
"""What a pattern looks at; one of what it finds must be among what the pattern names."""

_NONE_OF = {"no_left": "left", "no_right": "right", "lacks": "has"}
"""What a pattern looks at where none may be among what it names."""


def _test(name: str, wanted: Words) -> Test:
    if name in _NONE_OF:
        unwanted = _SEEN[_NONE_OF[name]]
        return lambda node, parent: wanted.isdisjoint(unwanted(node, parent))
    seen = _SEEN[name]
    return lambda node, parent: not wanted.isdisjoint(seen(node, parent))


def _lacks_letters(node: PhraseNode, _: PhraseNode) -> bool:
    return not any(character.isalnum() for character in node.form)


# ── tests of their own ───────────────────────────────────────────────────────────────────────────

_CLAUSES = frozenset({"S", "SBAR", "SQ", "SINV", "SBARQ"})


def _conjunction_follows(node: PhraseNode, _: PhraseNode) -> bool:
    return any(other.label in ("CC", "CONJP") for other in node.right())


_NOT_CONJOINED = frozenset({"CC", "CONJP", "PRN", "ADVP", "RB", "INTJ", "UH"}) | PUNCTUATION


def _conjunct(node: PhraseNode, parent: PhraseNode) -> bool:
    """Tell whether it stands after the head and a conjunction, or in a list that has one."""
    if _is_left(node, parent):
        return False
    if node.label in _NOT_CONJOINED and not _same_adverbs(node, parent):
        return False
    labels = [child.label for child in parent.children]
    conjunctions = [i for i, label in enumerate(labels) if label in ("CC", "CONJP") and i]
    if not conjunctions:
        return False
    assert parent.head is not None
    if _nearest(node.left()) in ("CC", "CONJP"):
        return True
    later = any(c > parent.head.place for c in conjunctions)
    return later and node.left()[0].label in (",", ":")


def _same_adverbs(node: PhraseNode, parent: PhraseNode) -> bool:
    """Tell whether adverbs are conjoined."""
    assert parent.head is not None
    alike = node.label == parent.head.label or (node.label, parent.label) == ("ADVP", "UCP")
    return node.label in ("ADVP", "RB") and alike and _nearest(node.left()) in ("CC", "CONJP")


def _passive_auxiliary(node: PhraseNode, parent: PhraseNode) -> bool:
    if node.lower not in PASSIVE or parent.head is None:
        return False
    return _participle(parent.head)


def _participle(node: PhraseNode) -> bool:
    """Tell whether a verb phrase has a participle that is passive after 'be'."""
    if node.label not in ("VP", "ADJP"):
        return False
    for child in node.children:
        if child.label in ("VBN", "VBD"):
            return True
        if child.label in ("VP", "ADJP") and any(c.label == "CC" for c in node.children):
            return _participle(child)
    return False


def _subject(node: PhraseNode, parent: PhraseNode) -> bool:
    if parent.label == "SBAR":
        return node.label == "WHNP" and _subject_gap(parent)
    if parent.label == "SBARQ":
        return node.label == "WHNP" and _subject_gap(parent)
    if parent.label in ("SQ", "SINV"):
        return not _is_left(node, parent) or parent.label == "SQ" or _is_verbal(parent.head)
    if not _is_left(node, parent):
        return False
    above = parent.parent
    kind = parent.head.label if parent.head else ""
    if kind not in ("VP", "S") and (above is None or above.label != "VP"):
        return False
    return not _of_time(node) or not any(c.label == "NP" for c in node.right())


def _is_verbal(node: PhraseNode | None) -> bool:
    return node is not None and (node.label == "VP" or node.label.startswith("VB"))


def _of_time(node: PhraseNode) -> bool:
    return node.word.lower in TIMES and node.word.label.startswith("NN")


def _subject_gap(parent: PhraseNode) -> bool:
    """Tell whether a clause has no subject of its own."""
    clause = parent.head
    while clause is not None and clause.label in ("S", "SQ", "SINV"):
        if any(child.label in ("NP", "NP-TMP", "EX") for child in clause.children):
            return False
        verb = next((c for c in clause.children if c.label == "VP"), None)
        if verb is not None:
            return True
        clause = clause.head
    return clause is not None and clause.label == "VP"


def _object_gap(_: PhraseNode, parent: PhraseNode) -> bool:
    return not _subject_gap(parent)


def _passive(_: PhraseNode, parent: PhraseNode) -> bool:
    node = parent.head
    while node is not None and node.children:
        if node.label == "VP" and any(_passive_auxiliary(c, node) for c in node.children):
            return True
        node = node.head
    return False


def _clausal_subject(node: PhraseNode, parent: PhraseNode) -> bool:
    if not _is_left(node, parent):
        return False
    if any(c.label == "," for c in node.right()[:1]):
        return False
    return not any(c.label == "NP" for c in parent.children)


_NOMINAL = frozenset({"NP", "NX", "NML", "NP-TMP", "NP-ADV", "WHNP"})


def _apposition(node: PhraseNode, parent: PhraseNode) -> bool:
    if _is_left(node, parent):
        return False
    if node.label == "PRN":
        tags = {word.label for word in node.words()}
        return any(c.label == "NP" for c in node.children) and not tags & {"CD", "CC", "RB"}
    if node.label not in _NOMINAL:
        return False
    return node.left()[0].label == ","


_WH = frozenset({"WHNP", "WHPP", "WHADVP", "WHADJP"})


def _relative_clause(node: PhraseNode, _: PhraseNode) -> bool:
    if node.label == "RRC":
        return True
    kinds = [child.label for child in node.children]
    if any(label in _WH for label in kinds):
        return True
    return "IN" not in kinds and any(
        child.label == "S" and any(c.label == "NP" for c in child.children)
        for child in node.children
    )


def _reduced_clause(node: PhraseNode, _: PhraseNode) -> bool:
    if node.label == "VP":
        return node.opening != "VP"
    inner = node.children[0] if node.label == "SBAR" and len(node.children) == 1 else node
    return _infinitive(inner, inner)


def _indirect_object(node: PhraseNode, _: PhraseNode) -> bool:
    following = [c for c in node.right() if c.label not in PUNCTUATION]
    return bool(following) and following[0].label == "NP" and not _of_time(following[0])


def _existential(_: PhraseNode, parent: PhraseNode) -> bool:
    return any(other.opening == "EX" for other in [*parent.left(), *parent.children])


def _parenthesis(node: PhraseNode, _: PhraseNode) -> bool:
    if node.label == "PRN":
        return any(c.label in _CLAUSES or c.label == "VP" for c in node.children)
    return False


def _open_clause(node: PhraseNode, _: PhraseNode) -> bool:
    inner = node
    if node.label == "SBAR":
        if len(node.children) != 1:
            return False
        inner = node.children[0]
    return _verb(inner) in ("TO", "VBG", "VBN", "VB")


def _verb(node: PhraseNode) -> str:
    """Return the label of the first verb of a clause without a subject, or nothing."""
    if node.label != "S" or any(child.label in ("NP", "EX", "WHNP") for child in node.children):
        return ""
    phrase = next((child for child in node.children if child.label == "VP"), None)
    if phrase is None:
        return ""
    return next((c.label for c in phrase.children if c.label not in ("ADVP", "RB")), "")


def _infinitive(node: PhraseNode, _: PhraseNode) -> bool:
    return _verb(node) == "TO"


def _participle_clause(node: PhraseNode, _: PhraseNode) -> bool:
    return _verb(node) in ("VBG", "VBN")


def _small_clause(node: PhraseNode, _: PhraseNode) -> bool:
    labels = [c.label for c in node.children if c.label not in PUNCTUATION]
    return len(labels) > 1 and labels[0] == "NP" and labels[1] in ("NP", "ADJP")


def _verbless(node: PhraseNode, _: PhraseNode) -> bool:
    labels = [c.label for c in node.children if c.label not in PUNCTUATION]
    if labels and labels[0] in ("NP", "ADJP", "PP") and "VP" not in labels:
        return True
    verb = next((c for c in node.children if c.label == "VP"), None)
    return "NP" in labels and verb is not None and verb.opening == "VBG"


def _adverbial_clause(node: PhraseNode, parent: PhraseNode) -> bool:
    if parent.label in ("S", "SQ", "SINV", "SBARQ"):
        return _is_left(node, parent) and node.label == "SBAR"
    if node.label == "SBAR" and node.opening in ("IN", "RB", "WHADVP", "ADVP", "PP"):
        return node.children[0].word.lower not in ("that", "whether", "how", "why")
    return False


_WHETHER: dict[str, Test] = {
    "conjunction_follows": _conjunction_follows,
    "conjunct": _conjunct,
    "passive_auxiliary": _passive_auxiliary,
    "subject": _subject,
    "passive": _passive,
    "clausal_subject": _clausal_subject,
    "object_gap": _object_gap,
    "apposition": _apposition,
    "relative_clause": _relative_clause,
    "reduced_clause": _reduced_clause,
    "indirect_object": _indirect_object,
    "existential": _existential,
    "parenthesis": _parenthesis,
    "open_clause": _open_clause,
    "infinitive": _infinitive,
    "participle_clause": _participle_clause,
    "small_clause": _small_clause,
    "verbless": _verbless,
    "adverbial_clause": _adverbial_clause,
}
