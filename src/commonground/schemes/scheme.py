"""What a scheme is: one choice per construction, how its trees and labels look otherwise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from commonground.errors import UsageError
from commonground.schemes.constructions import CONSTRUCTIONS, MAY_MAKE, POSSESSIVE, POSSESSORS
from commonground.schemes.function_words import (
    ALL_CLIMB,
    CLIMB,
    NO_CLIMB,
    Climb,
    Find,
    Patterns,
    When,
    fits,
)
from commonground.schemes.hub import NEAREST, PARTS, RELATIONS, SUBTYPES
from commonground.schemes.labels import LabelRule, Translation
from commonground.schemes.tag_set import TagSet, find_tag_set

__all__ = ["OTHER", "OWN", "Climb", "Find", "Locution", "Scheme", "When", "fits"]

OTHER = "other"
"""The name under which a scheme finds heads that are none in the hub and make no construction."""

OWN: Patterns = ("fixed", "flat", "goeswith", "reparandum")
"""Labels of what belongs to a function word itself."""


class _LabelAnswers(dict[str, Any]):
    """A question about labels, and the answer for each that was asked for."""

    def __init__(self, question: Callable[[str], Any]) -> None:
        super().__init__()
        self.question = question

    def __missing__(self, label: str) -> Any:
        answer = self[label] = self.question(label)
        return answer

    def __reduce__(self) -> tuple[type[_LabelAnswers], tuple[Callable[[str], Any]]]:
        return _LabelAnswers, (self.question,)


def _main_part(separator: str, label: str) -> str:
    """Return what stands before a separator in a label, if any."""
    return label.partition(separator)[0] if separator else label


def _base(endings: tuple[str, ...], label: str) -> str:
    """Return a label without any of some endings, however often it has them."""
    while label.endswith(endings):
        for ending in endings:
            label = label.removesuffix(ending)
    return label


def _is_one_of(labels: Collection[str], separator: str, label: str) -> bool:
    """Tell whether a label, or its main part, is one of some labels."""
    return label in labels or _main_part(separator, label) in labels


def _like(also: Sequence[tuple[str, Patterns]], label: str) -> str | None:
    """Return the construction like which words with a label of the hub become heads, if any."""
    return next((name for name, labels in also if fits(label, labels)), None)


def _may_make(also: Sequence[tuple[str, Patterns]], label: str) -> bool:
    """Tell whether words with a label of the hub make a construction, or are like one."""
    return MAY_MAKE[label] or _like(also, label) is not None


@dataclass(frozen=True, slots=True)
class Locution:
    """How locutions are marked that the hub has word by word: their words hang on each other.

    All words after the first have a `label`, and all have a `feature`. `argument` and `modifier`
    are the labels of a noun below an adposition, and of what modifies a noun.
    """

    label: str
    feature: str
    argument: str
    modifier: str


@dataclass(frozen=True, slots=True)
class Idiom:
    """The entries of MISC that tell fixed expressions: of their `head` and of each `part`."""

    head: str
    part: str


@dataclass(frozen=True)
class Scheme:
    """An annotation scheme.

    `choices` has a way for each construction (see :mod:`commonground.schemes.constructions`),
    `climb` what goes along when a function word becomes a head, `find` how such a word is found
    again where labels alone do not tell, `when` which of them head their partners, `own` the labels
    of what belongs to a function word itself and never goes to its partner.

    Coordination: `shared` says where a dependent after the last conjunct hangs that belongs to all
    of them (on the ``first`` or the ``last`` conjunct, or on the ``head``), `nested` is the label
    of conjuncts inside a conjunct, and `comma` tells whether a comma can head conjuncts that have
    no conjunction. `joint`, `member` and `settled` are for labels that stay with their words; see
    :mod:`commonground.schemes.fixed_labels`. So are `apposed` and `aside`, for a mark that heads
    both parts of an apposition, and `technical` is the label of marks that hang on the root beside
    the predicate. `clause` is the label of a relative clause that its relative word heads, where
    that is not the label of this word. `roots` tells whether its treebanks have sentences with
    several roots, of which one is made. `above` tells whether commas of clauses may hang on the
    clause above. `locution` says how several words are marked that the hub does not take for one,
    `idiom` which are one there.

    Labels: `write_rules` and `read_rules` translate from and to the hub, `table` both ways, and
    `same` are the labels of the hub that the scheme has as well, by default all of them; `aliases`
    are other names for labels.

    `tag_set` is the name of the tag set that its treebanks have; `tags` translates more tags to
    UPOS, which all rules speak of, and `features` more features, and tags, to features of the hub.
    """

    name: str
    title: str = ""
    reference: str = ""
    path: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    climb: Mapping[str, Climb] = field(default_factory=dict)
    find: Mapping[str, tuple[Find, ...]] = field(default_factory=dict)
    when: Mapping[str, When] = field(default_factory=dict)
    own: Patterns = OWN
    shared: str = "first"
    nested: str = ""
    comma: bool = False
    joint: str = ""
    member: str = "_Co"
    settled: frozenset[str] = frozenset()
    technical: str = ""
    clause: str = ""
    above: bool = False
    roots: bool = False
    apposed: str = ""
    aside: str = "_Ap"
    locution: Locution | None = None
    idiom: Idiom | None = None
    write_rules: tuple[LabelRule, ...] = ()
    read_rules: tuple[LabelRule, ...] = ()
    table: Mapping[str, str] = field(default_factory=dict)
    same: frozenset[str] = frozenset(RELATIONS)
    separator: str = ":"
    aliases: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    tag_set: str = ""
    features: Mapping[str, str] = field(default_factory=dict)
    other: Scheme | None = None
    only: frozenset[str] = frozenset()

    @cached_property
    def own_tags(self) -> TagSet | None:
        """The tag set of its treebanks, None if it says nothing about it."""
        if not (self.tag_set or self.tags or self.features):
            return None
        base = find_tag_set(self.tag_set or "ud")
        own = {tag: (upos,) for tag, upos in self.tags.items()}
        return replace(base, map={**base.map, **own}, features={**base.features, **self.features})

    def way(self, construction: str) -> str:
        """Return the choice for a construction; that of the hub where none was made."""
        return self._ways[construction]

    def usual_way(self, construction: str) -> str:
        """Return the way of most words: that of the hub where only labels with subtypes are meant.

        >>> some = When(labels=("nummod:gov",))
        >>> mine = Scheme("mine", choices={"numeral": "function"}, when={"numeral": some})
        >>> mine.usual_way("numeral")
        'content'
        """
        when = self.when.get(construction)
        few = when is not None and all(":" in label for label in when.labels)
        return CONSTRUCTIONS[construction].hub if few else self.way(construction)

    @cached_property
    def _ways(self) -> dict[str, str]:
        by_construction: dict[str, str] = {}
        for name, entry in CONSTRUCTIONS.items():  # one that is like another comes after it
            by_construction[name] = self.choices.get(name) or (
                by_construction[entry.like] if entry.like else entry.hub
            )
        return by_construction

    @cached_property
    def turned(self) -> frozenset[str]:
        """The constructions of function words that head their partners."""
        return frozenset(
            name
            for name, entry in CONSTRUCTIONS.items()
            if entry.kind == "word" and self.way(name) != "content"
        )

    @cached_property
    def ways_of_linking(self) -> frozenset[str]:
        """The ways of adpositions and subordinators."""
        return frozenset(map(self.way, ("adposition", "subordinator", "infinitive")))

    @cached_property
    def also(self) -> tuple[tuple[str, Patterns], ...]:
        """The constructions like which other words become heads, and the labels of these."""
        return tuple((name, when.also) for name, when in self.when.items() if when.also)

    @cached_property
    def like_hub(self) -> bool:
        """Whether its trees have the shape of the hub, whatever their labels are."""
        ways = (entry.hub == self.way(name) for name, entry in CONSTRUCTIONS.items())
        return all(ways) and self.shared != "last" and not self.nested

    def climbing(self, construction: str) -> Climb:
        """Return what goes along when the function word of a construction becomes a head."""
        known = self._climbing.get(construction)
        if known is None:
            known = self._climbing[construction] = self._climb_of(construction)
        return known

    @cached_property
    def _climbing(self) -> dict[str, Climb]:
        return {}

    def _climb_of(self, construction: str) -> Climb:
        if self.way(construction) == "flat":
            return ALL_CLIMB
        known = self.climb.get(construction) or CLIMB.get(construction)
        like = CONSTRUCTIONS[construction].like
        return known or (self.climbing(like) if like else NO_CLIMB)

    @cached_property
    def writing(self) -> Translation:
        """The translation of labels from the hub."""
        named = {label for rule in self.write_rules for label in rule.old} | set(self.table)
        nearest = {hub: near for hub, near in NEAREST.items() if hub not in self.same | named}
        return Translation(
            self.write_rules,
            self.table,
            ":",
            self.separator,
            same=self.same,
            nearest=nearest,
        )

    @cached_property
    def reading(self) -> Translation:
        """The translation of labels to the hub."""
        back: dict[str, str] = {}
        for hub, label in self.table.items():
            back.setdefault(label, hub)
        return Translation(
            self.read_rules,
            back,
            self.separator,
            ":",
            same=self.same | set(PARTS) | self._structural,
            unknown="dep",
            subtypes=SUBTYPES if self.separator not in ("", ":") else None,
        )

    @property
    def _structural(self) -> frozenset[str]:
        """The labels that are told by the shape of a tree, before labels are translated."""
        marked = {"appos"} if self.apposed else set()
        return frozenset({self.joint, self.nested, self.apposed, *marked}) - {""}

    @cached_property
    def _labels_of(self) -> dict[tuple[str, ...], frozenset[str]]:
        return {}

    def finding(self, construction: str) -> tuple[Find, ...]:
        """Return how the function words of a construction are found where they head something."""
        like = CONSTRUCTIONS[construction].like
        if construction in self.find or like in self.find:
            return self.find.get(construction) or self.find[like]
        labels = CONSTRUCTIONS[construction].labels
        find = Find(self.labels_of(*labels), hub=labels[0])
        if construction == "adposition":  # one that heads a gerund is a mark: *by singing*
            return find, Find(self.labels_of("mark"), hub="mark")
        if construction == "determiner":  # a possessive pronoun may be a possessor: *my house*
            return find, Find(
                self.labels_of("nmod:poss"),
                POSSESSORS,
                feats=frozenset({POSSESSIVE}),
                hub="nmod:poss",
            )
        return (find,)

    @cached_property
    def finds(self) -> tuple[Find, ...]:
        """How all function words that head something are found."""
        names = [name for name in CONSTRUCTIONS if name in self.turned]
        all_finds = [find for name in names for find in self.finding(name)]
        return tuple(dict.fromkeys([*all_finds, *self.find.get(OTHER, ())]))

    @cached_property
    def leading(self) -> Mapping[str, bool]:
        """Whether an arc from a function word to its partner can have a label of this scheme."""
        labels = frozenset(label for find in self.finds for label in find.labels)
        return _LabelAnswers(partial(_is_one_of, labels, self.separator))

    @cached_property
    def bases(self) -> Mapping[str, str]:
        """Labels without the endings of conjuncts and of parts of an apposition."""
        endings = tuple(filter(None, (self.member, self.aside)))
        return _LabelAnswers(partial(_base, endings))

    @cached_property
    def undone(self) -> Mapping[str, bool]:
        """Whether what hangs on a word with a label of this scheme may not do so in the hub."""
        labels = {label for find in self.finds for label in find.labels}
        for construction, label in (("name", "flat"), ("idiom", "fixed"), ("apposition", "appos")):
            labels.update(*(find.labels for find in self.find.get(construction, ())))
            if self.way(construction) not in ("first", "mark"):
                labels |= self.tied(label, construction)
        if self.way("coordination") != "first":
            labels |= self.labels_of("conj")
        if self.way("repair") == "first":
            labels |= self.labels_of("reparandum")
        return _LabelAnswers(partial(_is_one_of, frozenset(labels), self.separator))

    @cached_property
    def like(self) -> Mapping[str, str | None]:
        """The construction like which words with a label of the hub become heads, if any."""
        return _LabelAnswers(partial(_like, self.also))

    @cached_property
    def making(self) -> Mapping[str, bool]:
        """Whether words with a label of the hub may make a construction, or are like one."""
        return _LabelAnswers(partial(_may_make, self.also))

    def finds_by(self, tag: str, feats: str) -> tuple[Find, ...]:
        """Return how a function word with this UPOS and these features can be found."""
        known = self._finds_by.get((tag, feats))
        if known is None:
            known = tuple(find for find in self.finds if find.meant(tag, feats))
            self._finds_by[tag, feats] = known
        return known

    @cached_property
    def _tied(self) -> dict[tuple[str, str], frozenset[str]]:
        return {}

    @cached_property
    def _finds_by(self) -> dict[tuple[str, str], tuple[Find, ...]]:
        return {}

    def labels_of(self, *hub: str) -> frozenset[str]:
        """Return the labels that stand for labels of the hub in this scheme."""
        known = self._labels_of.get(hub)
        if known is None:
            known = self.writing.images(hub)
            if hub == ("reparandum",):
                known |= {
                    label for rule in self.read_rules if rule.new == hub[0] for label in rule.old
                }
            if self.other:
                known |= self.other.labels_of(*hub)
            self._labels_of[hub] = known
        return known

    def tied(self, hub: str, construction: str) -> frozenset[str]:
        """Return the labels that tell parts of a construction by themselves.

        One that other words have as well is not among them if the construction is found by more
        than its label: a name in a scheme in which it is labelled as any compound.
        """
        known = self._tied.get((hub, construction))
        if known is None:
            known = self._tied[hub, construction] = self._telling(hub, construction)
        return known

    def _telling(self, hub: str, construction: str) -> frozenset[str]:
        labels, finds = self.labels_of(hub), self.find.get(construction, ())
        more = frozenset(label for find in finds for label in find.labels)
        if labels.isdisjoint(more):
            return labels
        return labels - (more & self.labels_of(*(name for name in RELATIONS if name != hub)))

    def known(self, label: str) -> str | None:
        """Return the label of this scheme that one is read as; None where it is not known.

        >>> ud = Scheme("ud")
        >>> ud.known("nmod:poss"), ud.known("nmod@x"), ud.known("PMOD")
        ('nmod:poss', 'nmod', None)
        """
        label = self.renamed(label)
        for ending in (self.member, self.aside) if self.joint else ():
            if label.endswith(ending):
                whole = self.known(label.removesuffix(ending))
                return whole and whole + ending
        same = self.reading.known(label)
        if self.other and same != label:
            return self.other.known(label) or same
        return same

    def renamed(self, label: str) -> str:
        """Return the name that a label has here, where it has several.

        >>> prague = Scheme("prague", joint="Coord", aliases={"SBJ": "Sb"})
        >>> prague.renamed("SBJ_CO"), prague.renamed("Obj")
        ('Sb_Co', 'Obj')
        """
        for ending in (self.member, self.aside) if self.joint else ():
            if label.lower().endswith(ending.lower()):
                return self.renamed(label[: -len(ending)]) + ending
        return self.aliases.get(label, label)

    def is_inventory(self, label: str) -> bool:
        """Tell whether a label that was written, or its main part, belongs to this scheme.

        Parts of one expression keep the label of the hub where a scheme has none for them.
        """
        main = label.partition(self.separator)[0] if self.separator else label
        if main not in PARTS or main in self.same or main in self.table.values():
            return True
        if any(rule.new == main for rule in self.write_rules):
            return True
        return self.other is not None and self.other.is_inventory(label)

    def is_one(self, label: str, labels: Collection[str]) -> bool:
        """Tell whether a label of this scheme, or its main part, is one of some labels."""
        return label in labels or self.mains[label] in labels

    def mains_of(self, labels: Iterable[str]) -> set[str]:
        """Return labels of this scheme with their main parts: what `is_one` compares."""
        given = set(labels)
        return given | {self.mains[label] for label in given}

    @cached_property
    def mains(self) -> Mapping[str, str]:
        """The main part of each label."""
        return _LabelAnswers(partial(_main_part, self.separator))

    def with_choices_of(self, other: Scheme, only: Collection[str]) -> Scheme:
        """Return this scheme with some constructions as another one has them.

        >>> sud = Scheme("sud", choices={"adposition": "function", "copula": "function"})
        >>> mixed = Scheme("ud").with_choices_of(sud, ["copula"])
        >>> mixed.name, mixed.way("copula"), mixed.way("adposition")
        ('ud+sud:copula', 'function', 'content')
        """
        unknown = [name for name in only if name not in CONSTRUCTIONS]
        if unknown:
            raise UsageError(
                f"no construction {unknown[0]!r}; there are {', '.join(CONSTRUCTIONS)}"
            )
        names = [name for name in CONSTRUCTIONS if name in only]
        joint = other if "coordination" in names else self
        return replace(
            self,
            name=f"{self.name}+{other.name}:{','.join(names)}",
            choices={**self.choices, **{name: other.way(name) for name in names}},
            climb={**self.climb, **{name: other.climbing(name) for name in names}},
            find={**self.find, **{name: other.finding(name) for name in names}},
            when={**self.when, **{name: other.when.get(name, When()) for name in names}},
            own=tuple(dict.fromkeys(self.own + other.own)),
            shared=joint.shared,
            nested=joint.nested,
            comma=joint.comma,
            other=other,
            only=frozenset(names),
        )
