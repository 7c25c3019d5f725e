r"""Logistic normal priors, shared within families of tags, learned by variational EM.

Cohen & Smith (2009), Shared logistic normal distributions for soft parameter tying in unsupervised
grammar induction. Each sentence draws a grammar of its own. Every multinomial k of it (the
dependents of a head on a side; whether to stop) is tied to N_k *experts*, Gaussian vectors
η_n ~ N(μ_n, I): one of its own, and, where the head belongs to a family, one that the family
shares. Its probabilities are the softmax of the mean of these experts:

    θ_k = softmax(η̄_k),    η̄_k = (1 / N_k) Σ_n η_n

The posterior of a sentence's tree and experts is approximated by independent ones (mean field): a
distribution over trees, and for each expert a Gaussian with the mean m and the variances v. With
v̄_k = Σ_n v_n / N_k², the bound on the log-likelihood of a sentence is

    log Z(ψ) − Σ_n KL(N(m_n, diag v_n) ‖ N(μ_n, I))
    log ψ_ki = η̄_ki − log Σ_j e^(η̄_kj + v̄_kj / 2)

where Z(ψ) is the sum over all trees with ψ in place of θ. Given the expected counts f of the trees,
m and v maximise

    Σ_k (Σ_i f_ki η̄_ki − F_k log Σ_j e^(η̄_kj + v̄_kj / 2)) − KL,    F_k = Σ_i f_ki

The curvature of the logarithm is at most F_k / 2 (Böhning 1992), which gives steps for m that never
overshoot; in v the function is concave, and its fixed point is approached by halving steps. Each
sentence begins at its priors anew in every E-step, since posteriors that were carried on stay near
the grammar of the start; where those were better all the same, they stay. The M-step sets μ to the
mean of the experts over the sentences that use them. So the bound never falls. The grammar that
parses is the softmax of the means μ.

Σ is the identity throughout (Cohen & Smith estimate it, from the identity on): estimated from the
first iterations, it shrinks around the start. The shared expert of a family starts at the choices
that its members make together, and the own experts where their average with it is the start that
was asked for; the mean of the members' logarithms would give rare tags the say of frequent ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError, quoted
from commonground.kernels import load
from commonground.parsers.dmv.grammar import Grammar
from commonground.parsers.dmv.layout import GrammarLayout, added_up
from commonground.parsers.dmv.learn import LearnedGrammar, Watch
from commonground.schemes.tags import universal_tag

__all__ = ["FAMILIES", "families_of", "learn_logistic_normal"]

Numbers = NDArray[np.float64]

FAMILIES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "none": (),
    "verbs": (("VERB", "AUX"),),
    "nouns": (("NOUN", "PROPN", "PRON"),),
    "both": (("VERB", "AUX"), ("NOUN", "PROPN", "PRON")),
}
"""Which universal parts of speech share experts."""

_ROUNDS = 2
_MEAN_STEPS = 4
_LEAST = 1e-6
"""What a probability of the start is at least, so that it has a logarithm."""


def families_of(tags: Sequence[str], name: str) -> NDArray[np.int64]:
    """Return the number of each tag's family, −1 where it has none.

    >>> families_of(["NN", "IN", "VBZ", "VERB"], "both").tolist()
    [1, -1, 0, 0]
    """
    if name not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise UsageError(f"there are no families {quoted(name)}; there are {known}")
    classes = [
        tag if tag in _UNIVERSAL else universal_tag(tag.rpartition("/")[2] or tag) for tag in tags
    ]
    numbers = [
        next((at for at, family in enumerate(FAMILIES[name]) if each in family), -1)
        for each in classes
    ]
    return np.array(numbers, np.int64)


_UNIVERSAL = frozenset(part for families in FAMILIES.values() for each in families for part in each)


def learn_logistic_normal(
    layout: GrammarLayout,
    start: Grammar,
    *,
    families: str = "both",
    iterations: int = 50,
    tolerance: float = 1e-5,
    watch: Watch = lambda *_: None,
) -> LearnedGrammar:
    """Return the grammar of the means, and the bound before each iteration."""
    sentences = _Sentences(layout, start, families_of(start.tags, families))
    bounds: list[float] = []
    words = max(1, len(layout.symbols.codes))
    for number in range(iterations):
        bounds.append(sentences.expect())
        watch(number, bounds[-1] / words)
        sentences.maximise()
        if number and bounds[-1] - bounds[-2] <= tolerance * abs(bounds[-2]):
            break
    return LearnedGrammar(sentences.grammar(), tuple(bounds))


# ── experts ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class _Experts:
    """Gaussian experts: `mean`, with variances of 1; a row of `m` and `v` per use in a sentence.

    `which` says the expert of each row, and `sentence` where it is used.
    """

    mean: Numbers
    which: NDArray[np.int64]
    sentence: NDArray[np.int64]

    def __post_init__(self) -> None:
        self.uses = np.bincount(self.which, minlength=len(self.mean)).astype(np.float64)
        self.restart()

    def restart(self) -> None:
        """Set the posteriors to the priors."""
        self.m = self.mean[self.which]
        self.v = np.ones_like(self.m)

    def divergence(self, sentences: int) -> Numbers:
        """Return the Kullback–Leibler divergence of the posteriors of each sentence."""
        away = self.m - self.mean[self.which]
        rows = 0.5 * (away * away + self.v - 1 - np.log(self.v)).sum(1)
        return added_up(self.sentence, rows, sentences)

    def fit(self) -> None:
        """Set the mean of each expert to that of its rows."""
        total = _summed_rows(self.m, self.which, len(self.mean))
        used = self.uses > 0
        self.mean[used] = total[used] / self.uses[used, None]


class _Multinomials:
    """Multinomials of one size, a row for each that a sentence uses, and their experts.

    `own` has a row per multinomial; `shared`, where there are families, one per family and
    sentence, which `member` gives for each multinomial (−1 for none).
    """

    def __init__(self, own: _Experts, shared: _Experts | None, member: NDArray[np.int64]) -> None:
        self.own, self.shared, self.member = own, shared, member
        self.tied = np.flatnonzero(member >= 0)
        self.number = np.where(member >= 0, 2.0, 1.0)[:, None]

    @property
    def experts(self) -> list[_Experts]:
        """All experts, the own ones first."""
        return [self.own] if self.shared is None else [self.own, self.shared]

    def mean(self) -> Numbers:
        """Return the means of the averaged experts."""
        return self._averaged("m", 1)

    def variance(self) -> Numbers:
        """Return the variances of the averaged experts."""
        return self._averaged("v", 2)

    def _averaged(self, name: str, power: int) -> Numbers:
        own: Numbers = getattr(self.own, name)
        if self.shared is None:
            return own
        total = own.copy()
        total[self.tied] += getattr(self.shared, name)[self.member[self.tied]]
        return total / self.number**power

    def log_weights(self) -> Numbers:
        """Return log ψ."""
        mean = self.mean()
        return mean - _log_sum(mean + self.variance() / 2)[:, None]

    def fit_posteriors(self, counts: Numbers) -> None:
        """Move m and v towards what the expected counts ask for."""
        total = counts.sum(1, keepdims=True)
        bend = total / (2 * self.number)
        if self.shared is not None:
            tied, member = self.tied, self.member[self.tied]
            bends = _summed_rows(bend[tied], member, len(self.shared.m))
        half = self.variance() / 2
        for _ in range(_MEAN_STEPS):
            pressed = counts - total * _softmax(self.mean() + half)
            each = pressed / self.number
            if self.shared is not None:
                pull = self.shared.mean[self.shared.which] - self.shared.m
                ours = _summed_rows(each[tied], member, len(self.shared.m))
                self.shared.m += (ours + pull) / (1 + bends)
            self.own.m += (each + self.own.mean[self.own.which] - self.own.m) / (1 + bend)
        self._fit_variances(total)

    def _fit_variances(self, total: Numbers) -> None:
        """Move v half-way or less to the fixed point, wherever that is not worse."""
        mean = self.mean()
        for experts, rows, place in self._sides():
            share = _softmax(mean + self.variance() / 2)
            pushed = (total / self.number**2 * share)[rows]
            target = 1 / (1 + _summed_rows(pushed, place, len(experts.m)))
            before = experts.v
            worth = self._worth(mean, total, experts, rows, place)
            part = np.full((len(before), 1), 0.5)
            for _ in range(8):
                experts.v = before + part * (target - before)
                worse = self._worth(mean, total, experts, rows, place) < worth
                if not worse.any():
                    break
                part[worse] /= 2
            experts.v[worse] = before[worse]

    def _sides(self) -> list[tuple[_Experts, NDArray[np.int64], NDArray[np.int64]]]:
        """Return experts with the multinomials they are in, and their rows for each of these."""
        every = np.arange(len(self.member))
        sides = [(self.own, every, every)]
        if self.shared is not None:
            sides.append((self.shared, self.tied, self.member[self.tied]))
        return sides

    def _worth(
        self,
        mean: Numbers,
        total: Numbers,
        experts: _Experts,
        rows: NDArray[np.int64],
        place: NDArray[np.int64],
    ) -> Numbers:
        """Return the part of the bound that the variances of each row of some experts decide."""
        logs = total[:, 0] * _log_sum(mean + self.variance() / 2)
        lost = added_up(place, logs[rows], len(experts.m))
        return (np.log(experts.v) - experts.v).sum(1) / 2 - lost

    def probabilities(self, family: NDArray[np.int64]) -> Numbers:
        """Return the softmax of the means for each own expert; `family` is that of each."""
        mean = self.own.mean.copy()
        if self.shared is not None:
            tied = family >= 0
            mean[tied] = (mean[tied] + self.shared.mean[family[tied]]) / 2
        return _softmax(mean)


# ── sentences ────────────────────────────────────────────────────────────────────────────────────


class _Sentences:
    """The posteriors of all sentences, and the experts they share."""

    def __init__(self, layout: GrammarLayout, start: Grammar, family: NDArray[np.int64]) -> None:
        self.layout, self.tags = layout, start.tags
        count = len(start.tags)
        codes, sentence = layout.symbols.codes.astype(np.int64), layout.sentence
        used = np.unique(sentence * count + codes)
        used_tag, in_sentence = used % count, used // count
        word = np.searchsorted(used, sentence * count + codes)
        self.family = family
        self.stops, self.children = 2 * layout.valences.stop, 2 * layout.valences.child
        stops, children = self.stops, self.children
        self.count = len(layout.symbols.lengths)
        uses = layout.expected(start, layout.scale(start)).counts
        self.root = _multinomials(
            start.root[None],
            np.ones(1),
            np.zeros(self.count, np.int64),
            np.arange(self.count),
            np.full(1, -1),
        )
        self.stop = _multinomials(
            np.stack([start.stop, 1 - start.stop], -1).reshape(count * stops, 2),
            (uses.stop + uses.go).ravel(),
            (used_tag[:, None] * stops + np.arange(stops)).ravel(),
            np.repeat(in_sentence, stops),
            _each(family, stops),
        )
        self.attach = _multinomials(
            start.attach.reshape(count * children, count),
            uses.attach.sum(-1).ravel(),
            (used_tag[:, None] * children + np.arange(children)).ravel(),
            np.repeat(in_sentence, children),
            _each(family, children),
        )
        self.groups = (self.root, self.stop, self.attach)
        # Where each arc's weight stands among the rows of `attach`.
        side = (layout.other > layout.head).astype(np.int64)
        child = np.arange(layout.valences.child)
        pair = (word[layout.head] * 2 + side) * len(child)
        self.arc = ((pair[:, None] + child) * count + codes[layout.other][:, None]).ravel()
        self.sides = (word[:, None] * stops + np.arange(stops)).ravel()
        self.first = sentence * count + codes

    def expect(self) -> float:
        """Find the posteriors of all sentences, from their priors on; return the bound.

        Where a sentence had a better one before, that stays, so that the bound never falls.
        """
        before = [(experts.m, experts.v) for experts in self._experts()]
        least = self._bounds()
        for experts in self._experts():
            experts.restart()
        for _ in range(_ROUNDS):
            _, counts = self._trees()
            for group, count in zip(self.groups, counts, strict=True):
                group.fit_posteriors(count)
        bounds = self._bounds()
        worse = bounds < least
        for experts, (m, v) in zip(self._experts(), before, strict=True):
            keep = worse[experts.sentence]
            experts.m[keep], experts.v[keep] = m[keep], v[keep]
        return float(np.maximum(bounds, least).sum())

    def _experts(self) -> list[_Experts]:
        return [experts for group in self.groups for experts in group.experts]

    def _bounds(self) -> Numbers:
        """Return the bound of each sentence."""
        logs, _ = self._trees()
        return logs - sum(experts.divergence(self.count) for experts in self._experts())

    def _trees(self) -> tuple[Numbers, tuple[Numbers, Numbers, Numbers]]:
        """Return log Z of each sentence, and the expected counts of each row."""
        root, stop, attach = (group.log_weights() for group in self.groups)
        symbols, layout = self.layout.symbols, self.layout
        arguments = (
            root.ravel()[self.first],
            attach.ravel()[self.arc],
            stop[:, 0][self.sides],
            stop[:, 1][self.sides],
        )
        best, _ = load("dmv").best_trees(symbols.offsets, *arguments)
        scale = -best / symbols.lengths
        logs, *expected = load("dmv").posteriors(
            symbols.offsets,
            np.exp(arguments[0] + scale[layout.sentence]),
            np.exp(arguments[1] + layout.of_arcs(scale[layout.square])),
            np.exp(arguments[2]),
            np.exp(arguments[3]),
        )
        roots = added_up(self.first, expected[0], root.size).reshape(root.shape)
        attaches = added_up(self.arc, expected[1], attach.size).reshape(attach.shape)
        stops = np.stack([added_up(self.sides, each, len(stop)) for each in expected[2:]], -1)
        return logs - symbols.lengths * scale, (roots, stops, attaches)

    def maximise(self) -> None:
        """Estimate the means of all experts."""
        for experts in self._experts():
            experts.fit()

    def grammar(self) -> Grammar:
        """Return the grammar of the means."""
        count = len(self.tags)
        root = self.root.probabilities(np.full(1, -1))
        stop = self.stop.probabilities(_each(self.family, self.stops))
        attach = self.attach.probabilities(_each(self.family, self.children))
        return Grammar(
            self.tags,
            root[0],
            stop[:, 0].reshape(count, 2, -1),
            attach.reshape(count, 2, -1, count),
        )


def _each(family: NDArray[np.int64], ways: int) -> NDArray[np.int64]:
    """Return the number of the shared expert of each tag and way (side, valence); −1 for none."""
    shared = family[:, None] * ways + np.arange(ways)
    each: NDArray[np.int64] = np.where(family[:, None] >= 0, shared, -1).ravel()
    return each


def _multinomials(
    start: Numbers,
    uses: Numbers,
    which: NDArray[np.int64],
    sentence: NDArray[np.int64],
    family: NDArray[np.int64],
) -> _Multinomials:
    """Return the rows of multinomials: `which` expert each is, in which `sentence`.

    The expert of a family begins where its members are together, each counted as often as it is
    used; the own experts begin where their average with it is the start.
    """
    mean = np.log(np.maximum(start, _LEAST))
    here = family[which]
    if not (here >= 0).any():
        return _Multinomials(_Experts(mean, which, sentence), None, np.full(len(which), -1))
    number, tied = int(family.max()) + 1, family >= 0
    pooled = _summed_rows(start[tied] * (uses[tied, None] + _LEAST), family[tied], number)
    shared = np.log(np.maximum(pooled / pooled.sum(1, keepdims=True), _LEAST))
    mean[tied] = 2 * mean[tied] - shared[family[tied]]
    rows, member = np.unique((sentence * number + here)[here >= 0], return_inverse=True)
    place = np.full(len(which), -1, np.int64)
    place[here >= 0] = member
    return _Multinomials(
        _Experts(mean, which, sentence), _Experts(shared, rows % number, rows // number), place
    )


def _summed_rows(values: Numbers, place: NDArray[np.int64], count: int) -> Numbers:
    """Return the sums of rows that go to the same place."""
    if len(place) == count and np.array_equal(place, np.arange(count)):
        return values
    total = np.zeros((count, values.shape[1]))
    order = np.argsort(place, kind="stable")
    places, begins = np.unique(place[order], return_index=True)
    total[places] = np.add.reduceat(values[order], begins)
    return total


def _log_sum(values: Numbers) -> Numbers:
    most = values.max(1)
    logarithms: Numbers = most + np.log(np.exp(values - most[:, None]).sum(1))
    return logarithms


def _softmax(values: Numbers) -> Numbers:
    raised = np.exp(values - values.max(-1, keepdims=True))
    shares: Numbers = raised / raised.sum(-1, keepdims=True)
    return shares
