"""The constructions that schemes annotate differently, and the ways in which each can be headed.

The middle ground between all schemes is the **hub**: the content-headed analysis of Universal
Dependencies. There every construction can be told by its label (and by a tag or a feature where two
share one), so that this table is all that the engine has to know about them.

A construction is of one of four kinds:

* ``word``: a function word and what it goes with (``case``, ``det``, ``aux``, …). In the way
  ``content`` it hangs on its partner, in the way ``function`` its partner hangs on it, and in the
  way ``flat`` all that hangs on its partner does so too.
* ``parts``: words on one level (names, fixed expressions, conjuncts), which are tied to the first
  one, to the last one, each to the one before, or, conjuncts only, to the conjunction.
* ``clause``: a relative clause, which is headed by its verb or by its relative word.
* ``mark``: punctuation, which hangs inside the phrase that it sets off, or beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CONSTRUCTIONS",
    "MAY_MAKE",
    "POSSESSIVE",
    "POSSESSORS",
    "Construction",
    "construction_of",
]


@dataclass(frozen=True, slots=True)
class Construction:
    """A contested construction: the labels that it has in the hub, an example, and its ways.

    `ways` says for each way how it looks; the first one is that of the hub. A scheme that chooses
    none has the way of the hub, or of the construction that this one is `like`.
    """

    name: str
    kind: Literal["word", "parts", "clause", "mark"]
    title: str
    labels: tuple[str, ...]
    example: str
    ways: Mapping[str, str]
    like: str = ""

    @property
    def hub(self) -> str:
        """The way in which the hub has it."""
        return next(iter(self.ways))


def _word(
    name: str, title: str, labels: str, example: str, function: str, like: str = ""
) -> Construction:
    ways = {
        "content": f"the {function} depends on its partner",
        "function": f"the partner depends on the {function}",
        "flat": f"the partner and all its dependents depend on the {function}",
    }
    return Construction(name, "word", title, tuple(labels.split()), example, ways, like)


_PARTS = {
    "first": "all parts depend on the first one",
    "chain": "each part depends on the one before it",
    "last": "all parts depend on the last one",
}

_COORDINATION = {
    "first": "all conjuncts depend on the first one, a conjunction on the conjunct after it",
    "first-flat": "all conjuncts and conjunctions depend on the first conjunct",
    "chain": "each conjunct depends on the one before it, a conjunction on the conjunct after it",
    "chain-flat": "each conjunct depends on the one before it, and so do conjunctions",
    "chain-conjunction": "each conjunct depends on the conjunction before it, "
    "and that on the conjunct before it",
    "conjunction": "all conjuncts depend on the last conjunction",
    "last": "all conjuncts depend on the last one, a conjunction on the conjunct after it",
    "last-flat": "all conjuncts and conjunctions depend on the last conjunct",
}

_RELATIVE = {
    "content": "the relative word is attached where it belongs in its clause",
    "function": "the clause depends on its relative word",
}

_APPOSITION = {
    "first": "the second part depends on the first",
    "last": "the first part depends on the second",
    "mark": "both parts depend on the mark between them",
}

_REPAIR = {
    "last": "what was said first depends on what replaces it",
    "first": "what replaces it depends on what was said first",
}

_MARKS = {
    "inside": "a mark depends on the head of the phrase that it sets off",
    "outside": "a mark at the edge of a phrase has the same head as the phrase",
    "commas-outside": "so do commas, but brackets and quotation marks depend on what they enclose",
}

CONSTRUCTIONS: Mapping[str, Construction] = {
    entry.name: entry
    for entry in (
        _word("adposition", "Adposition", "case", "in Rome", "adposition"),
        _word("possessive", "Possessive marker", "case", "Rome 's", "marker"),
        _word("determiner", "Determiner", "det", "the city", "determiner"),
        _word("numeral", "Numeral", "nummod", "two cities", "numeral"),
        _word("classifier", "Classifier", "clf", "sān běn shū", "classifier"),
        _word("auxiliary", "Auxiliary verb", "aux", "has come", "auxiliary"),
        _word("modal", "Modal verb", "aux", "can come", "modal verb", like="auxiliary"),
        _word("copula", "Copula", "cop", "is old", "copula"),
        _word("infinitive", "Infinitive marker", "mark", "to come", "marker"),
        _word("subordinator", "Subordinator", "mark", "that she came", "subordinator"),
        _word("particle", "Verbal particle", "mark:prt", "cha robh", "particle"),
        Construction(
            "relative", "clause", "Relative clause", ("acl:relcl",), "who came", _RELATIVE
        ),
        Construction(
            "coordination", "parts", "Coordination", ("conj", "cc"), "tea and milk", _COORDINATION
        ),
        Construction(
            "apposition", "parts", "Apposition", ("appos",), "Rome, the capital", _APPOSITION
        ),
        _word("opening", "Opening conjunction", "cc", "And she came", "conjunction"),
        Construction("name", "parts", "Name of several words", ("flat",), "Ada Lovelace", _PARTS),
        Construction("idiom", "parts", "Fixed expression", ("fixed",), "because of", _PARTS),
        Construction("repair", "parts", "Repair", ("reparandum",), "the the city", _REPAIR),
        Construction("punctuation", "mark", "Punctuation", ("punct",), ", she said,", _MARKS),
    )
}
"""All constructions by name, in the order of the tables."""

_BY_LABEL = {
    "case": "adposition",
    "det": "determiner",
    "nummod": "numeral",
    "clf": "classifier",
    "aux": "auxiliary",
    "cop": "copula",
    "mark": "subordinator",
    "conj": "coordination",
    "flat": "name",
    "fixed": "idiom",
    "appos": "apposition",
    "reparandum": "repair",
}
_OPENED = ("root", "parataxis")
POSSESSORS, POSSESSIVE = frozenset({"PRON", "DET"}), "Poss=Yes"
"""The tags and the feature of possessive pronouns."""
_PARTICLE, _PARTICLE_TAGS = "mark:prt", ("PART", "SCONJ")
"""The label of verbal particles, and their tags; verbs that have it make one with another verb."""


def construction_of(
    label: str, tag: str, partner_feats: str = "_", feats: str = "_", partner_label: str = ""
) -> str | None:
    """Return the construction that a word with this label of the hub, and this UPOS, makes.

    `partner_feats` are the features of the word that it hangs on: an adposition that marks an
    infinitive is an infinitive marker, and what marks a gerund is an adposition (*by singing*).
    `feats` are its own, which tell modal verbs, and `partner_label` is the label of the other word:
    a conjunction opens what is no conjunct. A possessive pronoun is a determiner, whichever of its
    two labels a treebank has for it (*my house*: ``det:poss`` or ``nmod:poss``).

    >>> construction_of("case", "ADP"), construction_of("case", "PART")
    ('adposition', 'possessive')
    >>> construction_of("mark", "ADP", "VerbForm=Inf"), construction_of("aux:pass", "AUX")
    ('infinitive', 'auxiliary')
    >>> construction_of("aux", "AUX", feats="VerbType=Mod")
    'modal'
    >>> construction_of("mark:prt", "PART"), construction_of("mark:prt", "VERB")
    ('particle', None)
    >>> construction_of("cc", "CCONJ", partner_label="root")
    'opening'
    >>> construction_of("nmod:poss", "PRON", feats="Poss=Yes")
    'determiner'
    >>> construction_of("mark", "SCONJ", "VerbForm=Ger"), construction_of("mark", "SCONJ")
    ('adposition', 'subordinator')
    """
    if label == _PARTICLE:
        return "particle" if tag in _PARTICLE_TAGS else None
    name = _NAMED[label]
    if label == "nmod:poss" and tag in POSSESSORS and POSSESSIVE in feats:
        return "determiner"
    if name == "auxiliary" and "VerbType=Mod" in feats:
        return "modal"
    if name == "opening" and partner_label.partition(":")[0] not in _OPENED:
        return None
    if name == "adposition" and tag == "PART":
        return "possessive"
    return _marker(tag, partner_feats) if name == "subordinator" else name


class _Named(dict[str, str | None]):
    """The first construction that a label of the hub speaks for, whatever is around it."""

    def __missing__(self, label: str) -> str | None:
        known = "opening" if label == "cc" else _BY_LABEL.get(label.partition(":")[0])
        self[label] = known
        return known


_NAMED = _Named()


class _MayMake(dict[str, bool]):
    """Whether a word with a label of the hub can make a construction, whatever is around it.

    >>> MAY_MAKE["case"], MAY_MAKE["nmod:poss"], MAY_MAKE["nsubj"]
    (True, True, False)
    """

    def __missing__(self, label: str) -> bool:
        known = self[label] = label == "nmod:poss" or _NAMED[label] is not None
        return known


MAY_MAKE = _MayMake()
"""The labels of the hub that were asked for; most words have one that makes none."""


def _marker(tag: str, partner_feats: str) -> str:
    """Return what a word makes that marks a clause, told by the form of its verb."""
    if tag == "PART" or (tag == "ADP" and "VerbForm=Inf" in partner_feats):
        return "infinitive"
    if tag in ("ADP", "SCONJ") and _is_gerund(partner_feats):
        return "adposition"
    return "subordinator"


def _is_gerund(feats: str) -> bool:
    """Tell whether features are those of a gerund, or of a participle of the present."""
    return "VerbForm=Ger" in feats or ("VerbForm=Part" in feats and "Tense=Pres" in feats)
