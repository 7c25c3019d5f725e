"""What was learned, tried on sentences that were kept aside; what does not help there is left out.

A sample can mislead: a way, or a rule for labels, that fits its sentences may be wrong in others.
So every fourth sentence is kept aside, and a scheme is learned from the rest. Each part of it (all
that it says about one construction, how this one's function words are found, the rules that write
one label, and those that read one) is then left out in turn, and stays out where more heads and
labels are right without it on the sentences that were kept aside, in the direction that the part is
about. What is left out is as in the scheme that comes along. Then the scheme is learned from all
sentences, without these parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from commonground.corpus import Dependencies
from commonground.schemes.learning.learn import SAMPLE, Learned, learn
from commonground.schemes.learning.learned_file import learned_draft
from commonground.schemes.learning.scheme_text import Table, scheme_text
from commonground.schemes.scheme import Scheme
from commonground.schemes.scheme_file import parse_scheme
from commonground.schemes.transform import transform

__all__ = ["LearnedScheme", "Part", "Right", "Trial", "learned_file", "learned_scheme"]

_EVERY = 4
_FEWEST = 16
"""How many sentences there must be for some to be kept aside."""

_ABOUT = ("choices", "climb", "when")
"""Tables of a scheme that have an entry for each construction."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a scheme: what it says about a construction, or about a label.

    `about` is ``heads`` (both directions), ``find`` (from the scheme), ``write`` or ``read``.
    """

    about: str
    name: str

    def __str__(self) -> str:
        kinds = {
            "heads": "the construction {}",
            "find": "how function words of {} are found",
            "write": "the label of {}, to the scheme",
            "read": "the label {}, from the scheme",
        }
        return kinds[self.about].format(self.name)


@dataclass(frozen=True, slots=True)
class Right:
    """How many of some `words` have the right head and label, to a scheme and from it."""

    words: int
    heads_to: int
    labels_to: int
    heads_from: int
    labels_from: int

    def of(self, about: str) -> int:
        """Return what counts for a part of a scheme: the direction or directions it is about."""
        there, back = self.heads_to + self.labels_to, self.heads_from + self.labels_from
        return {"heads": there + back, "write": there + back, "find": back, "read": back}[about]


@dataclass(frozen=True, slots=True)
class Trial:
    """A learned scheme on `sentences` that were kept aside, beside the one it is like (`base`).

    `dropped` are its parts that did not help there, each with what was right with it and without.
    """

    sentences: int
    base: str
    preset: Right
    learned: Right
    kept: Right
    dropped: tuple[tuple[Part, int, int], ...]

    def lines(self) -> list[str]:
        """Return the result in words, a line for each direction and each part that was dropped."""
        if not self.sentences:
            return ["too few sentences to keep some aside: nothing was tried"]
        kept, preset = self.kept, self.preset
        rates = [
            self._rates("to", kept.heads_to, kept.labels_to, preset.heads_to, preset.labels_to),
            self._rates(
                "from", kept.heads_from, kept.labels_from, preset.heads_from, preset.labels_from
            ),
        ]
        left = [
            f"as in {self.base}, since learning did not help: {part} "
            f"({with_it} right with what was learned, {without} without)"
            for part, with_it, without in self.dropped
        ]
        return [f"tried on {self.sentences} sentences that were kept aside", *rates, *left]

    def _rates(self, way: str, heads: int, labels: int, old_heads: int, old_labels: int) -> str:
        percent = [
            100 * n / max(self.kept.words, 1) for n in (heads, old_heads, labels, old_labels)
        ]
        return (
            f"{way} the scheme: heads {percent[0]:.1f} % (as {self.base}: {percent[1]:.1f}), "
            f"labels {percent[2]:.1f} % ({percent[3]:.1f})"
        )


@dataclass(frozen=True, slots=True)
class LearnedScheme:
    """The text of a scheme that was learned, and how it did on sentences that were kept aside."""

    text: str
    trial: Trial


def learned_file(sample: Dependencies, reference: Dependencies, learned: Learned, name: str) -> str:
    """Return the text of a learned scheme; see :func:`learned_scheme`."""
    return learned_scheme(sample, reference, learned, name).text


def learned_scheme(
    sample: Dependencies, reference: Dependencies, learned: Learned, name: str
) -> LearnedScheme:
    """Return the scheme of a sample, learned beside a reference with the same words, and its trial.

    The text begins with comments that say how it did.
    """
    draft = learned_draft(sample, reference, learned, name)
    trial = _trial(sample, reference, learned.reference, name)
    for part, _, _ in trial.dropped:
        draft = _without(draft, part)
    comments = "".join(f"# {line}\n" for line in trial.lines())
    return LearnedScheme(comments + scheme_text(draft), trial)


def _trial(sample: Dependencies, reference: Dependencies, origin: Scheme, name: str) -> Trial:
    nothing = Right(0, 0, 0, 0, 0)
    if len(sample) < _FEWEST:
        return Trial(0, "", nothing, nothing, nothing, ())
    aside = np.arange(len(sample)) % _EVERY == _EVERY - 1
    rest = np.flatnonzero(~aside)
    tried = np.flatnonzero(aside)[: SAMPLE // _EVERY]
    bench = _Aside(sample[tried], reference[tried], origin)
    beside = sample[rest], reference[rest]
    draft = learned_draft(*beside, learn(*beside, origin), name)
    preset = bench.right({key: draft[key] for key in ("name", "like")} | _tags(draft))
    learned = right = bench.right(draft)
    dropped = []
    for part in _parts(draft):
        less = _without(draft, part)
        without = bench.right(less)
        if without.of(part.about) > right.of(part.about):
            dropped.append((part, right.of(part.about), without.of(part.about)))
            draft, right = less, without
    return Trial(len(tried), draft["like"], preset, learned, right, tuple(dropped))


def _tags(draft: Table) -> Table:
    """Return what a draft says about tags, without which its treebank cannot be read."""
    return {"tags": draft["tags"]} if "tags" in draft else {}


@dataclass(frozen=True, slots=True)
class _Aside:
    """Sentences that were kept aside, in two schemes, of which one is known."""

    sample: Dependencies
    reference: Dependencies
    origin: Scheme

    def right(self, draft: Table) -> Right:
        """Return what is right with a draft of the scheme, in both directions."""
        scheme = parse_scheme(scheme_text(draft))
        there, _ = transform(self.reference, self.origin, scheme)
        back, _ = transform(self.sample, scheme, self.origin)
        pairs = (there, self.sample), (back, self.reference)
        counts = [
            count
            for done, gold in pairs
            for count in (int((done.head == gold.head).sum()), _same_labels(done, gold))
        ]
        return Right(len(self.sample.head), *counts)


def _same_labels(one: Dependencies, other: Dependencies) -> int:
    return sum(map(str.__eq__, one.deprel.tolist(), other.deprel.tolist()))


def _parts(draft: Table) -> Iterator[Part]:
    """Return the parts of a draft, constructions first."""
    heads = dict.fromkeys(name for table in _ABOUT for name in draft.get(table, ()))
    coordination = ["coordination"] if draft.get("coordination") else []
    yield from (Part("heads", name) for name in dict.fromkeys([*heads, *coordination]))
    yield from (Part("find", name) for name in draft.get("find", ()))
    labels = draft.get("labels", {})
    for about, key in (("write", "hub"), ("read", "label")):
        names = dict.fromkeys(rule[key] for rule in labels.get(about, ()))
        yield from (Part(about, name) for name in names)


def _without(draft: Table, part: Part) -> Table:
    """Return a draft without one of its parts."""
    if part.about == "heads":
        gone = {table: _less(draft[table], part.name) for table in _ABOUT if table in draft}
        if part.name == "coordination" and "coordination" in draft:
            gone["coordination"] = {}
        return draft | gone
    if part.about == "find":
        return draft | {"find": _less(draft.get("find", {}), part.name)}
    labels = draft.get("labels", {})
    key = "hub" if part.about == "write" else "label"
    rules = [rule for rule in labels.get(part.about, ()) if rule[key] != part.name]
    return draft | {
        "labels": {**_less(labels, part.about), **({part.about: rules} if rules else {})}
    }


def _less(table: Table, name: str) -> Table:
    return {key: value for key, value in table.items() if key != name}
