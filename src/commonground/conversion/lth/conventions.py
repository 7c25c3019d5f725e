"""What a scheme asks of the conversion: heads from its choices, analyses from its labels.

A scheme has the labels that its rules and its table speak of. What it has no label for, it does not
analyse: without OPRD, a small clause is the object as a whole, and without POSTHON, *Jr.* is a noun
like others. A label that it lacks gives way to the next one that is less precise.
"""

from __future__ import annotations

from dataclasses import dataclass

from commonground.schemes.scheme import Scheme

__all__ = ["LthConventions"]

_LESS_PRECISE = {
    "APPO": "NMOD",
    "NAME": "NMOD",
    "POSTHON": "NMOD",
    "SUFFIX": "NMOD",
    "TITLE": "NMOD",
    "IM": "VMOD",
    "SUB": "VMOD",
    "VMOD": "DEP",
    "CONJ": "COORD",
    "EXTR": "EXP",
    "IOBJ": "OBJ",
    "OPRD": "OBJ",
    "ROOT-S": "ROOT",
    "ROOT-SQ": "ROOT",
    "ROOT-SBARQ": "ROOT",
    "FRAG-ROOT": "ROOT",
}
_CIRCUMSTANCES = frozenset("BNF CLR DIR DTV EXT LOC MNR PRP PUT TMP VOC".split())


@dataclass(frozen=True, slots=True)
class LthConventions:
    """The choices of a scheme that matter here, and its labels; without labels, it has all.

    `adposition`, `possessive`, `subordinator`, `infinitive` and `relative` tell whether the
    function word is the head, `apposition` whether the first part of one is. `coordination` is one
    of the ways of that name.
    """

    adposition: bool = True
    possessive: bool = False
    subordinator: bool = True
    infinitive: bool = True
    relative: bool = False
    apposition: bool = True
    coordination: str = "chain-conjunction"
    labels: frozenset[str] = frozenset()

    @classmethod
    def of(cls, scheme: Scheme) -> LthConventions:
        """Return what a scheme asks for."""
        words = ("adposition", "possessive", "subordinator", "infinitive", "relative")
        known = {rule.new for rule in scheme.write_rules} | set(scheme.table.values())
        known |= {label for rule in scheme.read_rules for label in rule.old}
        return cls(
            **{name: scheme.way(name) == "function" for name in words},
            apposition=scheme.way("apposition") == "first",
            coordination=scheme.way("coordination"),
            labels=frozenset(known),
        )

    def has(self, label: str) -> bool:
        """Tell whether the scheme has a label."""
        return not self.labels or label in self.labels

    def first_of(self, *labels: str) -> str:
        """Return the first of some labels that the scheme has, the last one if it has none."""
        return next((label for label in labels if self.has(label)), labels[-1])

    def label(self, label: str, *, under_noun: bool = False) -> str:
        """Return a label as the scheme has it, its parts in alphabetical order.

        >>> poor = LthConventions(labels=frozenset("ADV NMOD DEP ROOT PRD GAP".split()))
        >>> [poor.label(x) for x in ("TMP", "PRD-LOC", "NAME", "ROOT-S", "SUB", "SBJ-GAP")]
        ['ADV', 'PRD', 'NMOD', 'ROOT', 'DEP', 'GAP-SBJ']
        >>> poor.label("TMP", under_noun=True), LthConventions().label("ROOT-S")
        ('NMOD', 'ROOT-S')
        """
        while not self.has(label) and label in _LESS_PRECISE:
            label = _LESS_PRECISE[label]
        if label == "TMP" and under_noun and not self.has("TMP"):
            return "NMOD"
        parts = {p for p in label.split("-") if p not in _CIRCUMSTANCES or self.has(p)}
        return "-".join(sorted(parts)) or "ADV"
