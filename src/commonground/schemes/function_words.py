"""What a scheme says of function words: what climbs to them, how they are found, which head."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ALL_CLIMB", "CLIMB", "NO_CLIMB", "Climb", "Find", "Patterns", "When", "fits"]

Patterns = tuple[str, ...]
"""Labels that are asked for; see :func:`fits`."""


def fits(label: str, patterns: Patterns, written: str = "", tag: str = "") -> bool:
    """Tell whether patterns ask for a label of the hub: ``*`` any, ``!obj`` not that one.

    ``advmod:`` has no subtype, and ``advmod/ADV`` is that of an adverb: `tag` is the UPOS of the
    word that has the label. A label can also be excluded by what is `written` for it in the scheme.

    >>> fits("nsubj:pass", ("nsubj",)), fits("obj", ("*", "!obj")), fits("obl", ("*", "!obj"))
    (True, False, True)
    >>> fits("nsubj:pass", ("nsubj:",)), fits("advmod", ("advmod/ADV",), tag="ADV")
    (False, True)
    """
    if f"!{written}" in patterns:
        return False
    for name in (f"{label}:", label, label.partition(":")[0]):
        if f"!{name}" in patterns:
            return False
        if name in patterns or f"{name}/{tag}" in patterns:
            return True
    return "*" in patterns


@dataclass(frozen=True, slots=True)
class Climb:
    """Which dependents of its partner a function word takes along when it becomes the head.

    They are told by their labels in the hub and by their place: ``beyond`` the function word,
    ``between`` it and its partner, or ``behind`` the partner; ``always``: wherever they stand. A
    negation is ``advmod:neg`` here, whatever its subtype.
    Those behind the partner go from the outermost one on, up to the first that stays, so that no
    arcs cross; one that always climbs takes those along that stand outside it, unless arcs may be
    ``crossing``. ``after`` is what goes along with a function word that stands after its partner,
    where that is something else.
    """

    always: Patterns = ()
    beyond: Patterns = ("*",)
    between: Patterns = ()
    behind: Patterns = ()
    crossing: bool = False
    after: Climb | None = None
    _known: dict[tuple[str, str, str, str], bool] = field(
        default_factory=dict, repr=False, compare=False
    )

    def goes(self, label: str, written: str, place: str, tag: str = "") -> bool:
        """Tell whether a dependent goes along: its labels in hub and scheme, its place and UPOS.

        >>> Climb(always=("nsubj",), beyond=("*", "!obj")).goes("obj", "comp:obj", "beyond")
        False
        """
        known = self._known.get((label, written, place, tag))
        if known is None:
            patterns = getattr(self, place)
            known = place != "always" and fits(label, self.always, written, tag)
            known = known or fits(label, patterns, written, tag)
            self._known[label, written, place, tag] = known
        return known


@dataclass(frozen=True, slots=True)
class Find:
    """How a function word that heads its partner is found: its UPOS, and the label between them.

    A label with ``!`` before it is not meant. No tags: any; `partner`: the UPOS that the partner
    can have, any where there are none, `partner_feats`: features of which it has one; `side`: where
    it stands, left or right of the function word; `feats`: features of which the function word has
    one, and with ``!`` before them features that it has not; `without`: the UPOS that none of its
    dependents has; `labelled`: the labels that the function word itself can have, any where there
    are none. `hub` is the label of the construction in the hub where the scheme says nothing of its
    own; then other constructions with the same label, which are headed the other way, are told
    apart by tags.
    """

    labels: frozenset[str]
    tags: frozenset[str] = frozenset()
    partner: frozenset[str] = frozenset()
    hub: str = ""
    feats: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    side: str = ""
    labelled: frozenset[str] = frozenset()
    partner_feats: frozenset[str] = frozenset()

    def meant(self, tag: str, feats: str) -> bool:
        """Tell whether a word with this UPOS and these features can be the function word.

        >>> verb = Find(frozenset({"PRD"}), frozenset({"VERB"}), feats=frozenset({"!VerbForm"}))
        >>> verb.meant("VERB", "_"), verb.meant("VERB", "VerbForm=Fin"), verb.meant("NOUN", "_")
        (True, False, False)
        """
        if self.tags and tag not in self.tags:
            return False
        if not self.feats:
            return True
        own = {name for entry in feats.split("|") for name in (entry, entry.partition("=")[0])}
        wanted = {name for name in self.feats if not name.startswith("!")}
        return own.isdisjoint({name[1:] for name in self.feats - wanted}) and (
            not wanted or not wanted.isdisjoint(own)
        )


@dataclass(frozen=True, slots=True)
class When:
    """Which function words of a construction head their partners; the others hang on them.

    They are told by their labels in the hub and by the `side` of the partner on which they stand.
    Where one whose label is in `unless` stands further out on that side, they do not: *the two
    cities* have one head. Nothing may stand between them and the partner that hangs on it with a
    label other than those in `across`. Those with a UPOS in `never` do not, and where there are
    tags in `over`, only partners with one of these are headed. `also` are labels of other words
    that head their partners in the same way: *Peters hus*, where possessors do as determiners.
    """

    labels: Patterns = ("*",)
    side: str = ""
    unless: Patterns = ()
    across: Patterns = ("*",)
    never: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    also: Patterns = ()
    _known: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False, compare=False)

    def means(self, name: str, label: str) -> bool:
        """Tell whether one of its lists of patterns asks for a label of the hub.

        >>> When(unless=("det",)).means("unless", "det:poss")
        True
        """
        known = self._known.get((name, label))
        if known is None:
            known = self._known[name, label] = fits(label, getattr(self, name))
        return known


_CLAUSAL: Patterns = ("nsubj", "csubj", "expl", "dislocated", "vocative", "discourse", "parataxis")
_NEGATION: Patterns = ("advmod:neg",)
CLIMB = {
    "auxiliary": Climb(always=_CLAUSAL, between=_NEGATION),
    "copula": Climb(always=_CLAUSAL, between=_NEGATION),
}
"""What climbs where a scheme says nothing."""

NO_CLIMB = Climb()
_ALL: Patterns = ("*", "!flat", "!fixed", "!goeswith", "!reparandum", "!conj")
ALL_CLIMB = Climb(beyond=_ALL, between=_ALL, behind=_ALL)
