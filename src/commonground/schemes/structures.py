"""Problematic structures: where linguists do not agree on the head, and how frequent they are.

Schwartz (2011, chapters 3 and 4) lists structures whose head is disputed, and tells what share of
the words of the Wall Street Journal takes part in each: a word takes part when it stands at either
end of an edge between certain Penn tags, in the order of Table 3.1 (*in the house* has DT before
NN), whichever is the head. These structures are called ``penn:NAME`` here. For
treebanks with the labels of Universal Dependencies, the contested constructions of this package
(:mod:`commonground.schemes.constructions`) are called ``ud:NAME``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError, quoted, setting
from commonground.formats import read
from commonground.formats.storage.files import shown
from commonground.schemes.constructions import CONSTRUCTIONS, construction_of
from commonground.schemes.edges import Edges, head_rows
from commonground.schemes.tag_set import UNIVERSAL, Tagging
from commonground.schemes.tags import universal_tag
from commonground.schemes.word_classes import word_classes

__all__ = [
    "FAMILIES",
    "PUBLISHED",
    "STRUCTURES",
    "Frequencies",
    "Structure",
    "disputed",
    "edges_of",
    "families_of",
    "family_of",
    "frequencies",
    "frequencies_of_file",
    "marked",
    "punctuation",
    "structure_names",
]

Flags = NDArray[np.bool_]


FAMILIES = {
    "penn": "Structures of Schwartz (2011), between Penn tags",
    "ud": "Contested constructions, by the labels of Universal Dependencies",
}
"""Where names and definitions come from."""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure whose head is disputed: its name, what it is, and an example.

    Edges of one of some `kinds` belong to it; without any, it is a construction that its label
    tells. `published` is the share of words that take part in it in the Wall Street Journal
    (sections 2 to 21), as the thesis has it.
    """

    name: str
    title: str
    example: str
    kinds: tuple[Edges, ...] = ()
    published: float | None = None

    @property
    def family(self) -> str:
        """The first part of the name."""
        return self.name.partition(":")[0]


def _penn(name: str, title: str, example: str, pairs: str, published: float) -> Structure:
    """Return a structure of edges between Penn tags in this order, whichever is the head."""
    tags = [pair.split("–") for pair in pairs.split()]
    kinds = tuple(
        Edges(head=head, dependent=dependent, side=side)
        for left, right in tags
        for head, dependent, side in ((left, right, "right"), (right, left, "left"))
    )
    return Structure(f"penn:{name}", title, example, kinds, published)


STRUCTURES: Mapping[str, Structure] = {
    structure.name: structure
    for structure in (
        _penn("coordination", "Coordination", "John & Mary", "CC–NNP", 0.029),
        _penn(
            "preposition",
            "Prepositional phrase",
            "in the house",
            "DT–NN DT–NNP DT–NNS IN–DT IN–NN IN–NNP IN–NNS PRP$–NN",
            0.327,
        ),
        _penn("modal", "Modal verb", "can eat", "MD–VB", 0.024),
        _penn("infinitive", "Infinitive", "to eat", "TO–VB", 0.045),
        _penn("name", "Sequence of proper nouns", "John Doe", "NNP–NNP", 0.185),
        *(
            Structure(f"ud:{c.name}", c.title, c.example)
            for c in CONSTRUCTIONS.values()
            if c.name != "punctuation"
        ),
    )
}
"""All structures by name: those of Table 3.1 of the thesis, then the constructions."""

PUBLISHED = {"penn": 0.429}
"""The share of words in at least one structure of a family, as the thesis has it."""


def edges_of(corpus: Dependencies, kind: str | Edges | Flags) -> Flags:
    """Return which words are the dependents of a kind of edges.

    The kind is the name of a structure (``penn:modal``, ``ud:adposition``), a condition
    (``label=case,side=left``, see :class:`Edges`), or these words themselves.
    """
    if isinstance(kind, np.ndarray):
        return kind
    if isinstance(kind, Edges):
        return kind.where(corpus)
    if "=" in kind:
        return Edges.parse(kind).where(corpus)
    if kind in STRUCTURES:
        return _dependents(corpus, [STRUCTURES[kind]])[kind]
    raise UsageError(
        f"there is no structure {quoted(kind)}; there are {', '.join(STRUCTURES)}, "
        "and conditions such as label=case,side=left"
    )


def structure_names(corpus: Dependencies) -> Strings | None:
    """Return the structure that the edge above each word lies in, ``–`` for none.

    Where it lies in several, the first one of the table; None where the treebank has neither Penn
    tags nor labels of Universal Dependencies.
    """
    family = family_of(corpus)
    if not family:
        return None
    chosen = _of_family(family)
    codes = np.zeros(corpus.words.rows, np.int32)
    for number, flags in enumerate(_dependents(corpus, chosen).values(), 1):
        codes[flags & (codes == 0)] = number
    return Strings(codes, ("–", *(structure.name.partition(":")[2] for structure in chosen)))


def marked(corpus: Dependencies) -> Dependencies:
    """Return the corpus with the structure of each disputed edge in MISC: ``Disputed=adposition``.

    >>> gold = Dependencies.of([(["the", "dog"], [2, 0], ["det", "root"])])
    >>> marked(gold).misc.tolist()
    ['Disputed=determiner', '_']
    """
    names = structure_names(corpus)
    if names is None:
        raise UsageError("the treebank has neither Penn tags nor labels of Universal Dependencies")
    texts = [
        other if name == "–" else f"{'' if other in ('', '_') else other + '|'}Disputed={name}"
        for other, name in zip(corpus.misc, names, strict=True)
    ]
    return corpus.replace("words", misc=Strings.of(texts))


def disputed(corpus: Dependencies) -> Flags | None:
    """Return which words hang on their head by an edge whose direction is disputed.

    None where the treebank has neither Penn tags nor labels of Universal Dependencies.
    """
    names = structure_names(corpus)
    return None if names is None else names.codes > 0


def _dependents(corpus: Dependencies, structures: Sequence[Structure]) -> dict[str, Flags]:
    """Return for each structure which words are the dependents of its edges."""
    labelled = any(not structure.kinds for structure in structures)
    constructions = _constructions(corpus) if labelled else {}
    return {
        structure.name: np.any([kind.where(corpus) for kind in structure.kinds], axis=0)
        if structure.kinds
        else constructions[structure.name]
        for structure in structures
    }


def _constructions(corpus: Dependencies) -> dict[str, Flags]:
    """Return for each construction which words are the dependents of its edges.

    What an edge is depends on labels, a tag and features; each distinct set is looked at once. The
    classes of words are those that :func:`commonground.transform` sees.
    """
    above = head_rows(corpus)
    labels = corpus.deprel
    classes = word_classes(corpus, Tagging(UNIVERSAL))
    tags, feats = Strings.of(classes.tags), Strings.of(classes.feats)
    columns = (labels, tags, feats[above], feats, labels[above])
    key = np.zeros(len(above), np.int64)
    for column in columns:
        _, key = np.unique(key * len(column.vocabulary) + column.codes, return_inverse=True)
    _, first = np.unique(key, return_index=True)
    names = [_construction(*(column[row] for column in columns)) for row in first.tolist()]
    edge = above >= 0
    return {
        f"ud:{name}": edge & np.array([each == name for each in names], np.bool_)[key]
        for name in CONSTRUCTIONS
    }


def _construction(label: str, tag: str, above: str, feats: str, label_above: str) -> str | None:
    """Return the construction of an edge, those included that more than one word makes.

    `above` and `label_above` are the features and the label of the head.
    """
    name = construction_of(label, tag, above, feats, label_above)
    several = (n for n in ("relative", "coordination") if label in CONSTRUCTIONS[n].labels)
    return name or next(several, None)


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many `words`, punctuation left out, take part in which structures.

    For each structure, `edges` counts its edges and `members` the words at their ends; `anywhere`
    counts the words in at least one structure of a family (``penn`` or ``ud``). Frequencies of
    parts of a corpus add up to those of the whole.
    """

    words: int
    edges: dict[str, int]
    members: dict[str, int]
    anywhere: dict[str, int]

    def share(self, name: str) -> float:
        """Return the share of the words that take part in a structure, or in any of a family."""
        number = self.members.get(name, self.anywhere.get(name, 0))
        return number / self.words if self.words else 0.0

    def __add__(self, other: Frequencies) -> Frequencies:
        return Frequencies(
            self.words + other.words,
            {name: number + other.edges[name] for name, number in self.edges.items()},
            {name: number + other.members[name] for name, number in self.members.items()},
            {name: number + other.anywhere[name] for name, number in self.anywhere.items()},
        )

    def beside(self, other: Frequencies) -> Frequencies:
        """Return these frequencies with those of another family, of the same words."""
        return Frequencies(
            self.words,
            {**self.edges, **other.edges},
            {**self.members, **other.members},
            {**self.anywhere, **other.anywhere},
        )

    def to_json(self) -> dict[str, Any]:
        """Return the numbers and shares as JSON has them."""
        return {
            "words": self.words,
            "structures": {
                name: {
                    "edges": self.edges[name],
                    "words": self.members[name],
                    "share": self.share(name),
                    "wsj": STRUCTURES[name].published,
                }
                for name in self.edges
            },
            "any": {
                family: {
                    "words": number,
                    "share": self.share(family),
                    "wsj": PUBLISHED.get(family),
                }
                for family, number in self.anywhere.items()
            },
        }


def frequencies(corpus: Dependencies, family: str | None = None) -> Frequencies:
    """Count the words in problematic structures, of one family or of both.

    >>> from commonground.corpus import Strings
    >>> want = Dependencies.of([("I want to eat".split(), [2, 0, 4, 2], ["_"] * 4)])
    >>> want = want.replace("words", xpos=Strings.of(["PRP", "VBP", "TO", "VB"]))
    >>> result = frequencies(want)
    >>> result.edges["penn:infinitive"], result.share("penn:infinitive"), result.share("penn")
    (1, 0.5, 0.5)
    """
    chosen = list(STRUCTURES.values() if family is None else _of_family(family))
    above = head_rows(corpus)
    word = ~punctuation(corpus)
    edges, members = {}, {}
    anywhere = {structure.family: np.zeros(len(above), np.bool_) for structure in chosen}
    for structure, dependents in zip(chosen, _dependents(corpus, chosen).values(), strict=True):
        ends = dependents.copy()
        ends[above[dependents]] = True
        ends &= word
        edges[structure.name] = int(dependents.sum())
        members[structure.name] = int(ends.sum())
        anywhere[structure.family] |= ends
    totals = {name: int(flags.sum()) for name, flags in anywhere.items()}
    return Frequencies(int(word.sum()), edges, members, totals)


def frequencies_of_file(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    partial: bool = False,
    family: str | None = None,
) -> Frequencies:
    """Count the words of a file (or of all files of a folder) in problematic structures.

    Without a `family`, those are counted that make sense for the treebank.
    """
    corpus = read(path, format, partial=partial)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"{shown(path)} has {corpus.kind}; structures are found in dependencies")
    families = families_of(corpus)
    if family is None and not families:
        raise UsageError(
            f"{shown(path)} has neither Penn tags nor labels of Universal Dependencies; "
            f"{setting('family')} counts them anyway"
        )
    return frequencies(corpus, *([family] if family else families if len(families) == 1 else []))


def family_of(corpus: Dependencies) -> str:
    """Return the family that tells what is disputed in a treebank: ``ud``, ``penn`` or none."""
    families = families_of(corpus)
    return "ud" if "ud" in families else "".join(families)


def families_of(corpus: Dependencies) -> list[str]:
    """Return the families of structures that make sense for a treebank.

    ``penn`` where nearly all of its own tags are Penn tags, ``ud`` where it has labels of function
    words as Universal Dependencies have them.
    """
    foreign = int(corpus.xpos.where(lambda tag: universal_tag(tag) == "X").sum())
    fitting = {
        "penn": foreign < (1 - _NEARLY_ALL) * corpus.words.rows,
        "ud": bool(corpus.deprel.where(lambda label: label in ("case", "det", "mark")).any()),
    }
    return [family for family, fits in fitting.items() if fits]


_NEARLY_ALL = 0.9


def _of_family(family: str) -> list[Structure]:
    if family not in FAMILIES:
        raise UsageError(f"there is no family {quoted(family)}; there are {', '.join(FAMILIES)}")
    return [structure for structure in STRUCTURES.values() if structure.family == family]


def punctuation(corpus: Dependencies) -> Flags:
    """Return which words are punctuation, by their own tag or the universal one."""
    own = corpus.xpos.where(lambda tag: universal_tag(tag) == "PUNCT")
    return own | corpus.upos.where(lambda tag: tag == "PUNCT")
