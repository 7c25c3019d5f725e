"""A trial without a gold standard: where systems disagree, and what to annotate to decide.

Without annotation nobody can say who is right; but it can be said where the systems differ, and how
much of it is only annotation; of three or more, which one differs most from all others; and how
many sentences must be annotated to tell two of them apart. Sentences to be annotated are chosen as
``statistics/survey.py`` has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Annotated, Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import Count, decoded, unique_names
from commonground.evaluation.loss_parts import LossParts, loss_parts
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import signature
from commonground.formats.registry import read_text, write_text
from commonground.random import stream
from commonground.statistics.survey import draw, inclusion, size, units_needed
from commonground.tokens import align_words
from commonground.trials.running import run_systems
from commonground.trials.units import Units, agreeing_words, differences, units_of, without_heads

__all__ = [
    "ChosenUnit",
    "Disagreement",
    "PairOfSystems",
    "disagreement",
    "disagreement_of",
    "sheet",
]

WANTED = (0.005, 0.01, 0.02, 0.03, 0.05)
"""The differences of LAS for which it is said how many sentences would show them."""

_MOST = 10
_RESAMPLES = 1000
_CONTEXT = 4

Share = Annotated[float, msgspec.Meta(gt=0, le=1)]


@dataclass(frozen=True, slots=True)
class Kind:
    """Words that two systems analyse otherwise: the labels of each, how many, and an example.

    An example has some words around the one in question, which is in brackets.
    """

    one: str
    other: str
    same_head: bool
    words: Count
    example: str


@dataclass(frozen=True, slots=True)
class Needed:
    """How many units show a `difference` of LAS with the power 0.8: at random, and chosen.

    None is where not even all of them would.
    """

    difference: float
    random: Count | None
    chosen: Count | None


@dataclass(frozen=True, slots=True)
class PairOfSystems:
    """What two systems differ in; `parts` are what of it is due to what, `one` as the standard."""

    one: str
    other: str
    agreement: float
    parts: LossParts
    kinds: tuple[Kind, ...]
    needed: tuple[Needed, ...]


@dataclass(frozen=True, slots=True)
class ChosenUnit:
    """A stretch of text to be annotated: the probability that it was drawn, and all parses of it.

    Parses are in CoNLL-U, by the names of the systems.
    """

    unit: Count
    probability: Share
    words: Count
    parses: dict[str, str]


@dataclass(frozen=True, repr=False)
class Disagreement(Result):
    """Several systems on a text without a gold standard.

    `words` are those of each system; `units` the stretches of text at whose ends all end a
    sentence. `odd` is the one of three or more that agrees least with the others, "" where chance
    may have made it so. `chosen` are the units to be annotated, in the order of the sheet.
    """

    kind: ClassVar[str] = "disagreement"
    verb: ClassVar[str] = "trial"

    signature: str
    words: Mapping[str, int]
    units: int
    pairs: tuple[PairOfSystems, ...]
    odd: str = ""
    chosen: tuple[ChosenUnit, ...] = ()

    def sentences(self) -> list[str]:
        """Return what can be said without annotation."""
        lines = []
        for pair in self.pairs:
            convention = pair.parts.in_points()["convention"]
            lines.append(
                f"{pair.one} and {pair.other} analyse {100 * (1 - pair.agreement):.1f} % of the "
                f"words otherwise ({convention:.1f} by convention)."
            )
        if self.odd:
            lines.append(f"{self.odd} is the odd one: it agrees less with the others than they do.")
        elif len(self.words) > 2:
            lines.append("None of them is clearly the odd one.")
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return the disagreement as JSON has it."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "words": dict(self.words),
            "units": self.units,
            "pairs": [asdict(pair) for pair in self.pairs],
            "odd": self.odd,
            "chosen": [asdict(unit) for unit in self.chosen],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the disagreement that JSON holds."""
        saved = decoded(data, _Json, path)
        names = list(saved.words)
        unique_names(path, names)
        known = set(names)
        if any({pair.one, pair.other} - known for pair in saved.pairs) or not saved.pairs:
            raise InputError(path, 0, "pairs: two of the systems in 'words' are expected in each")
        if any(set(unit.parses) != known for unit in saved.chosen):
            raise InputError(path, 0, "chosen.parses: a parse of each system is expected")
        return cls(saved.signature, saved.words, saved.units, saved.pairs, saved.odd, saved.chosen)

    def __repr__(self) -> str:
        return "\n".join(self.sentences())


class _Json(msgspec.Struct, frozen=True):
    signature: str
    words: dict[str, Count]
    units: Count
    pairs: tuple[PairOfSystems, ...]
    odd: str = ""
    chosen: tuple[ChosenUnit, ...] = ()


def disagreement(
    text: str,
    systems: Mapping[str, str],
    *,
    annotate: int = 0,
    seed: int = 0,
    trust: bool = False,
    watch: Callable[[int], None] = lambda _: None,
) -> Disagreement:
    """Give a file of text to systems, and say where they disagree.

    `annotate` stretches of text are chosen to be annotated; :func:`sheet` writes them.
    """
    parsed = run_systems(text, systems, trust=trust, watch=watch)
    return disagreement_of(
        {name: each.corpus for name, each in parsed.items()}, annotate=annotate, seed=seed
    )


def disagreement_of(
    parses: Mapping[str, Dependencies], *, annotate: int = 0, seed: int = 0
) -> Disagreement:
    """Return where parses of one text disagree.

    >>> import commonground as cg
    >>> result = disagreement_of({"a": cg.read("example:ud"), "b": cg.read("example:ud-parse")})
    >>> result
    a and b analyse 5.2 % of the words otherwise (0.2 by convention).
    """
    if len(parses) < 2:
        raise UsageError("one system cannot disagree with anybody; give two or more")
    corpora = list(parses.values())
    units = units_of(corpora)
    if not units.count:
        raise UsageError("the text has no words")
    words = np.mean([units.words(side, each) for side, each in enumerate(corpora)], axis=0)
    counts = np.maximum(words, 1).astype(np.int64)
    names = list(parses)
    differing = {
        (a, b): differences(units, (a, b), corpora[a], corpora[b])
        for a, b in combinations(range(len(corpora)), 2)
    }
    pairs = tuple(
        _pair((names[a], names[b]), (corpora[a], corpora[b]), each, counts)
        for (a, b), each in differing.items()
    )
    chosen: tuple[ChosenUnit, ...] = ()
    if annotate:
        mean = np.mean(list(differing.values()), axis=0)
        chosen = _chosen(units, parses, size(mean, counts), counts, annotate, seed)
    return Disagreement(
        signature(annotate=annotate, sheet_seed=seed),
        {name: each.words.rows for name, each in parses.items()},
        units.count,
        pairs,
        _odd(names, differing, seed),
        chosen,
    )


def _pair(
    names: tuple[str, str],
    corpora: tuple[Dependencies, Dependencies],
    differing: NDArray[np.int64],
    words: NDArray[np.int64],
) -> PairOfSystems:
    items = sum(each.words.rows for each in corpora)
    sizes = size(differing, words)
    alike = np.full(len(words), 1.0)
    needed = tuple(
        Needed(
            wanted,
            units_needed(differing, alike, items, wanted),
            units_needed(differing, sizes, items, wanted),
        )
        for wanted in WANTED
    )
    parts = loss_parts(*corpora)["las"]
    agreement = 1 - float(differing.sum()) / max(items, 1)
    return PairOfSystems(*names, agreement, parts, _kinds(*corpora), needed)


# ── where they differ ────────────────────────────────────────────────────────────────────────────


def _kinds(one: Dependencies, other: Dependencies) -> tuple[Kind, ...]:
    """Return the commonest differences between words that both have, by their labels."""
    same, _ = agreeing_words(one, other)
    aligned = align_words(one, other)
    labels, others = one.deprel.tolist(), other.deprel.tolist()
    first: dict[tuple[str, str, bool], int] = {}
    counts: Counter[tuple[str, str, bool]] = Counter()
    for row, place in zip(aligned.gold.tolist(), aligned.system.tolist(), strict=True):
        if not same[row]:
            pair = labels[row].partition(":")[0], others[place].partition(":")[0]
            key = (*pair, pair[0] != pair[1] and _same_head(one, other, row, place))
            counts[key] += 1
            first.setdefault(key, row)
    return tuple(
        Kind(*key, number, _context(one, first[key])) for key, number in counts.most_common(_MOST)
    )


def _same_head(one: Dependencies, other: Dependencies, row: int, place: int) -> bool:
    """Tell whether heads look the same: the same form, as far away."""

    def seen(corpus: Dependencies, at: int) -> tuple[str, int]:
        sentence = int(corpus.words.sentence_of_row()[at])
        head, first = int(corpus.head[at]), int(corpus.offsets[sentence])
        return (corpus.form[first + head - 1], first + head - 1 - at) if head > 0 else ("", 0)

    return seen(one, row) == seen(other, place)


def _context(corpus: Dependencies, row: int) -> str:
    sentence = int(np.searchsorted(corpus.offsets, row, side="right")) - 1
    first, last = int(corpus.offsets[sentence]), int(corpus.offsets[sentence + 1])
    forms = [corpus.form[place] for place in range(first, last)]
    at = row - first
    forms[at] = f"[{forms[at]}]"
    return " ".join(forms[max(at - _CONTEXT, 0) : at + _CONTEXT + 1])


def _odd(
    names: Sequence[str], differing: Mapping[tuple[int, int], NDArray[np.int64]], seed: int
) -> str:
    """Return the system that differs most from the others, if resampled texts say so too."""
    if len(names) < 3:
        return ""
    distance = np.array(
        [
            np.sum([each for pair, each in differing.items() if system in pair], axis=0)
            for system in range(len(names))
        ]
    )
    order = np.argsort(-distance.sum(axis=1), kind="stable")
    far, next_one = distance[order[0]], distance[order[1]]
    random = stream(seed, "odd one")
    count = distance.shape[1]
    gaps = [(far - next_one)[random.integers(count, size=count)].sum() for _ in range(_RESAMPLES)]
    return names[int(order[0])] if np.quantile(gaps, 0.025) > 0 else ""


# ── what to annotate ─────────────────────────────────────────────────────────────────────────────


def _chosen(
    units: Units,
    parses: Mapping[str, Dependencies],
    sizes: NDArray[np.float64],
    words: NDArray[np.int64],
    count: int,
    seed: int,
) -> tuple[ChosenUnit, ...]:
    probability = inclusion(sizes, count)
    drawn = draw(probability, stream(seed, "sheet")) if probability.any() else ()
    return tuple(
        ChosenUnit(
            unit,
            float(probability[unit]),
            int(words[unit]),
            {
                name: write_text(corpus[np.flatnonzero(units.of_sentence[side] == unit)], "conllu")
                for side, (name, corpus) in enumerate(parses.items())
            },
        )
        for unit in map(int, drawn)
    )


def sheet(result: Disagreement) -> Dependencies:
    """Return the chosen text to be annotated: heads are open where systems disagree.

    Words are those of the first system, and have its tags. Heads and labels that all systems agree
    on are there; they make no difference between them, whether they are right or not.
    """
    if not result.chosen:
        raise UsageError("nothing was chosen to be annotated: the systems agree everywhere")
    parts = []
    for place, unit in enumerate(result.chosen, 1):
        first, *others = (read_text(text, "conllu") for text in unit.parses.values())
        assert isinstance(first, Dependencies)
        open_ = np.zeros(first.words.rows, np.bool_)
        for other in others:
            assert isinstance(other, Dependencies)
            open_ |= ~agreeing_words(first, other)[0]
        comments = [
            f"# sent_id = {place}-{number}\n# unit = {unit.unit}\n# text = {sentence.text}"
            for number, sentence in enumerate(first, 1)
        ]
        part = without_heads(first, open_)
        parts.append(part.replace("sentences", comments=Strings.of(comments)))
    return Dependencies.concatenate(parts)
