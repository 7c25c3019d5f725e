"""Collapsed dependencies with propagation: prepositions and conjunctions become relations.

- ``prep(g, in) pobj(in, d)`` is ``prep_in(g, d)``, with ``prepc_`` before a clause; some
  prepositions have several words (``prep_because_of``); what *by* adds to a passive is ``agent``;
- ``cc(h, and) conj(h, d)`` is ``conj_and(h, d)``; what is conjoined has the same governors, and
  verbs without a subject of their own have that of the first one;
- a relative pronoun gives its relation to the noun, and open clauses (``xcomp``) have the object or
  subject of their governor as subject;
- ``'s`` has no relation of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Arc", "collapsed"]

Arc = tuple[int, int, str]
"""Governor and dependent (words from 1, 0 is the root) and the relation."""

TWO_WORDS = frozenset(
    tuple(text.split())
    for text in (
        "according to,across from,ahead of,along with,alongside of,apart from,as for,as from,"
        "as of,as per,as to,aside from,away from,based on,because of,close by,close to,"
        "contrary to,compared to,compared with,due to,depending on,except for,exclusive of,"
        "far from,followed by,inside of,instead of,irrespective of,next to,near to,off of,out of,"
        "outside of,owing to,preliminary to,preparatory to,previous to,prior to,pursuant to,"
        "regardless of,subsequent to,such as,thanks to,together with"
    ).split(",")
)
"""Prepositions of two words (de Marneffe & Manning 2008, §4.2)."""

THREE_WORDS = frozenset(
    tuple(text.split())
    for text in (
        "by means of,in accordance with,in addition to,in case of,in front of,in lieu of,"
        "in place of,in spite of,on account of,on behalf of,on top of,with regard to,"
        "with respect to"
    ).split(",")
)
"""Prepositions of three words."""

_NEGATIVE = ({"instead", "of"}, {"rather", "than"}, {"but", "not"}, {"but", "rather"})
_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")


def collapsed(forms: Sequence[str], tags: Sequence[str], arcs: Sequence[Arc]) -> list[Arc]:
    """Return the collapsed arcs of a basic tree, with those of conjuncts.

    >>> words, tags = "Bell makes and ships parts in Paris".split(), "NNP VBZ CC VBZ NNS IN NNP"
    >>> basic = [(2, 1, "nsubj"), (0, 2, "root"), (2, 3, "cc"), (2, 4, "conj"), (2, 5, "dobj")]
    >>> arcs = collapsed(words, tags.split(), [*basic, (2, 6, "prep"), (6, 7, "pobj")])
    >>> for head, word, label in arcs:
    ...     print(f"{label}({words[head - 1] if head else 'ROOT'}, {words[word - 1]})")
    nsubj(makes, Bell)
    nsubj(ships, Bell)
    root(ROOT, makes)
    conj_and(makes, ships)
    dobj(makes, parts)
    prep_in(makes, Paris)
    """
    work = _Graph([form.lower() for form in forms], list(tags), list(arcs))
    work.join_prepositions()
    work.collapse_prepositions()
    work.collapse_conjunctions()
    work.resolve_relatives()
    work.control()
    work.propagate()
    work.drop_possessives()
    return sorted(set(work.arcs), key=lambda arc: (arc[1], arc[0], arc[2]))


class _Graph:
    """The arcs of a sentence while they are collapsed."""

    def __init__(self, words: list[str], tags: list[str], arcs: list[Arc]) -> None:
        self.words = words
        self.tags = tags
        self.arcs = arcs
        self.names: dict[int, str] = {}

    def of(self, head: int) -> list[tuple[int, str]]:
        """Return the dependents of a word with their relations, in their order."""
        return sorted((word, label) for one, word, label in self.arcs if one == head)

    def to(self, word: int) -> list[tuple[int, str]]:
        """Return the governors of a word with their relations."""
        return sorted((head, label) for head, one, label in self.arcs if one == word)

    def word(self, number: int) -> str:
        return self.words[number - 1]

    def replace(self, old: Sequence[Arc], new: Sequence[Arc]) -> None:
        gone = set(old)
        self.arcs = [arc for arc in self.arcs if arc not in gone]
        self.arcs += [arc for arc in new if arc not in self.arcs]

    # ── prepositions of several words ────────────────────────────────────────────────────────────

    def join_prepositions(self) -> None:
        """Make one word of prepositions of two and three words: their last one."""
        for head, one, label in list(self.arcs):
            if label == "prep":
                self._join(head, one)
        for head, word, label in list(self.arcs):
            pair = (self.word(word), self.word(head) if head else "")
            before = label in ("mwe", "advmod", "dep", "quantmod") and word < head
            used = any(relation == "prep" for _, relation in self.to(head))
            if before and used and pair in TWO_WORDS:
                self.names[head] = "_".join(pair)
                self.replace([(head, word, label)], [])

    def _join(self, head: int, one: int) -> None:
        for two, label in self.of(one):
            pair = (self.word(one), self.word(two))
            if label in ("prep", "pcomp", "dep") and pair in TWO_WORDS and two == one + 1:
                self._merged(head, one, two, "_".join(pair), [(one, two, label)])
                return
            if label != "pobj":
                continue
            for three, further in self.of(two):
                triple = (*pair, self.word(three))
                if further == "prep" and triple in THREE_WORDS:
                    gone = [(one, two, label), (two, three, further)]
                    self._merged(head, one, three, "_".join(triple), gone)
                    return

    def _merged(self, head: int, one: int, last: int, name: str, gone: list[Arc]) -> None:
        moved = [
            (one, word, label) for word, label in self.of(one) if (one, word, label) not in gone
        ]
        self.replace(
            [(head, one, "prep"), *gone, *moved],
            [(head, last, "prep"), *((last, word, label) for _, word, label in moved)],
        )
        self.names[last] = name

    # ── prepositions ─────────────────────────────────────────────────────────────────────────────

    def collapse_prepositions(self) -> None:
        """Make relations of prepositions that have an object."""
        for _ in range(3):  # pcomp(from, among) leads to another preposition
            for head, one, label in sorted(self.arcs, key=lambda arc: arc[1]):
                if label == "prep" and (head, one, label) in self.arcs:
                    self._collapse(head, one)

    def _collapse(self, head: int, one: int) -> None:
        objects = [(w, r) for w, r in self.of(one) if r in ("pobj", "pcomp")]
        if not objects or (objects[0][1] == "pcomp" and self.tags[objects[0][0] - 1] == "IN"):
            return
        name = self.names.get(one, self.word(one))
        new: list[Arc] = []
        old: list[Arc] = [(head, one, "prep")]
        for word, label in self.of(one):
            old.append((one, word, label))
            if label in ("pobj", "pcomp"):
                new.append((head, word, self._named(head, name, label)))
            elif label == "conj" and self.tags[word - 1] in ("IN", "TO"):
                old_word = self._alike(one, word)
                if old_word:
                    old.append((word, old_word, "pobj"))
                    new.append((objects[0][0], old_word, "conj"))
                else:
                    new.append((head, word, "prep"))
            elif label in ("cc", "conj"):
                new.append((objects[0][0], word, label))
            elif label == "punct":
                new.append((head, word, label))
            else:
                new.append((head, word, label))
        self.replace(old, new)

    def _alike(self, one: int, other: int) -> int:
        """Return the object of a conjoined preposition that is the same, 0 where it is another."""
        if self.word(one) != self.word(other):
            return 0
        return next((word for word, label in self.of(other) if label == "pobj"), 0)

    def _named(self, head: int, name: str, label: str) -> str:
        if name == "by" and self._is_passive(head):
            return "agent"
        return f"{'prepc' if label == 'pcomp' else 'prep'}_{name}"

    def _is_passive(self, verb: int) -> bool:
        if any(relation == "auxpass" for _, relation in self.of(verb)):
            return True
        reduced = any(relation == "vmod" for _, relation in self.to(verb))
        return reduced and self.tags[verb - 1] in ("VBN", "VBD")

    # ── conjunctions ─────────────────────────────────────────────────────────────────────────────

    def collapse_conjunctions(self) -> None:
        """Make relations of conjunctions."""
        self.conjoined: list[Arc] = []
        for head in sorted({head for head, _, label in self.arcs if label == "conj"}):
            below = self.of(head)
            conjunctions = [word for word, label in below if label == "cc"]
            conjuncts = [word for word, label in below if label == "conj"]
            if not conjunctions:
                continue
            for word in conjuncts:
                before = [place for place in conjunctions if place < word]
                name = self._conjunction(before[-1] if before else conjunctions[0])
                if not before:
                    later = [place for place in conjunctions if place > word]
                    name = self._conjunction(later[0])
                self.replace([(head, word, "conj")], [(head, word, f"conj_{name}")])
                self.conjoined.append((head, word, name))
            self.replace([(head, place, "cc") for place in conjunctions], [])

    def _conjunction(self, place: int) -> str:
        parts = {self.word(place)}
        for word, label in self.of(place):
            parts.add(self.word(word))
            self.replace([(place, word, label)], [])
        if any(negative <= parts for negative in _NEGATIVE) or "not" in parts:
            return "negcc"
        if parts & {"&", "well"} or self.word(place) in ("&", "as", "+"):
            return "and"
        return self.word(place)

    # ── propagation ──────────────────────────────────────────────────────────────────────────────

    def propagate(self) -> None:
        """Give conjuncts the governors of the first one, and verbs its subject."""
        for head, word, _ in self.conjoined:
            for governor, label in self.to(head):
                if self._is_passed_on(governor, word, label):
                    self.replace([], [(governor, word, label)])
        for head, word, _ in self.conjoined:
            self._subject(head, word)

    def _is_passed_on(self, governor: int, word: int, label: str) -> bool:
        if governor in (0, word) or label.startswith("conj") or label in ("cc", "punct"):
            return False
        known = [one for one, relation in self.to(word) if not relation.startswith("conj")]
        return governor not in known

    def resolve_relatives(self) -> None:
        """Give the relation of a relative pronoun to the noun that its clause is about."""
        for noun, verb, label in list(self.arcs):
            if label != "rcmod":
                continue
            for word, relation in self.of(verb):
                if self.tags[word - 1] in ("WDT", "WP") and relation not in ("conj", "det"):
                    self.replace([(verb, word, relation)], [(verb, noun, relation)])

    def control(self) -> None:
        """Give the infinitives of open clauses their subject."""
        for head, verb, label in list(self.arcs):
            if label != "xcomp" or any(objects in _SUBJECTS for _, objects in self.of(verb)):
                continue
            below = self.of(verb)
            if not any(f == "aux" and self.tags[word - 1] == "TO" for word, f in below):
                continue
            above = self.of(head)
            objects = [word for word, relation in above if relation == "dobj"]
            objects = objects or [word for word, relation in above if relation in _SUBJECTS]
            passive = any(relation == "auxpass" for _, relation in below)
            name = "nsubjpass" if passive else "nsubj"
            self.replace([], [(verb, word, name) for word in objects[:1]])

    def _subject(self, head: int, word: int) -> None:
        if not self._is_verbal(word) or any(label in _SUBJECTS for _, label in self.of(word)):
            return
        if any(label == "aux" and self.tags[one - 1] == "TO" for one, label in self.of(word)):
            return
        for subject, label in self.of(head):
            if label in _SUBJECTS:
                passive = any(relation == "auxpass" for _, relation in self.of(word))
                name = label.removesuffix("pass") + ("pass" if passive else "")
                self.replace([], [(word, subject, name)])

    def _is_verbal(self, word: int) -> bool:
        tag = self.tags[word - 1]
        return tag.startswith(("VB", "JJ", "N")) if self._has_copula(word) else tag.startswith("VB")

    def _has_copula(self, word: int) -> bool:
        return any(label == "cop" for _, label in self.of(word))

    def drop_possessives(self) -> None:
        """Leave out the mark of the possessive."""
        gone = [arc for arc in self.arcs if arc[2] == "possessive"]
        owners = {head for head, _, label in gone if any(r == "poss" for _, r in self.to(head))}
        self.replace([arc for arc in gone if arc[0] in owners], [])
