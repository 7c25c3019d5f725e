r"""Logistic normal priors, shared within families of tags, learned by variational EM.

Cohen & Smith (2009), Shared logistic normal distributions for soft parameter tying in unsupervised
grammar induction. Each sentence draws a grammar of its own. Every multinomial k of it (the
dependents of a head on a side; whether to stop) is tied to N_k *experts*, Gaussian vectors
η_n ~ N(μ_n, Σ_n): one of its own, and, where the head belongs to a family, one that the family
shares. Its probabilities are the softmax of the mean of these experts:

    θ_k = softmax(η̄_k),    η̄_k = (1 / N_k) Σ_n η_n

The posterior of a sentence's tree and experts is approximated by independent ones (mean field): a
distribution over trees, and for each expert a Gaussian with the mean m and the variances v. With
v̄_k = Σ_n v_n / N_k², the bound on the log-likelihood of a sentence is

    log Z(ψ) − Σ_n KL(N(m_n, diag v_n) ‖ N(μ_n, Σ_n))
    log ψ_ki = η̄_ki − log Σ_j e^(η̄_kj + v̄_kj / 2)

where Z(ψ) is the sum over all trees with ψ in place of θ. Given the expected counts f of the trees,
m and v maximise

    Σ_k (Σ_i f_ki η̄_ki − F_k log Σ_j e^(η̄_kj + v̄_kj / 2)) − KL,    F_k = Σ_i f_ki

The curvature of the logarithm is at most F_k / 2 (Böhning 1992), which gives steps for m that never
overshoot; in v the function is concave, and its fixed point is approached by halving steps. The
M-step sets μ and Σ to the mean and covariance of the experts over the sentences that use them. So
the bound never falls. The grammar that parses is the softmax of the means μ.
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
    found = [
        next((at for at, family in enumerate(FAMILIES[name]) if each in family), -1)
        for each in classes
    ]
    return np.array(found, np.int64)


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
    found: list[float] = []
    words = max(1, len(layout.symbols.codes))
    for number in range(iterations):
        found.append(sentences.expect())
        watch(number, found[-1] / words)
        sentences.maximise()
        if number and found[-1] - found[-2] <= tolerance * abs(found[-2]):
            break
    return LearnedGrammar(sentences.grammar(), tuple(found))


# ── experts ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class _Experts:
    """Gaussian experts: `mean` and `covariance`; a row of `m` and `v` per use in a sentence.

    `which` says the expert of each row.
    """

    mean: Numbers
    covariance: Numbers
    which: NDArray[np.int64]
    m: Numbers
    v: Numbers

    @classmethod
    def at(cls, mean: Numbers, which: NDArray[np.int64]) -> _Experts:
        """Return experts with these means and variances of 1, and posteriors equal to them."""
        size = mean.shape[-1]
        covariance = np.broadcast_to(np.eye(size), (*mean.shape, size)).copy()
        experts = cls(mean, covariance, which, mean[which].copy(), np.ones((len(which), size)))
        experts.prepare()
        return experts

    def prepare(self) -> None:
        """Find what steps need of the covariances."""
        self.values, self.vectors = np.linalg.eigh(self.covariance)
        self.values = np.maximum(self.values, 1e-10)
        self.precision = (self.vectors / self.values[:, None, :]) @ self.vectors.swapaxes(1, 2)

    def by_expert(self) -> list[tuple[int, NDArray[np.int64]]]:
        """Return the rows of each expert that is used."""
        order = np.argsort(self.which, kind="stable")
        numbers, begins = np.unique(self.which[order], return_index=True)
        return list(zip(numbers.tolist(), np.split(order, begins[1:]), strict=True))

    def pull(self) -> Numbers:
        """Return the derivative of −KL by the means of the rows."""
        pulled = np.empty_like(self.m)
        for expert, rows in self.groups:
            pulled[rows] = (self.mean[expert] - self.m[rows]) @ self.precision[expert]
        return pulled

    def step(self, gradient: Numbers, curvature: Numbers) -> None:
        """Move the means: (Λ + curvature)⁻¹ · gradient, which never overshoots."""
        for expert, rows in self.groups:
            basis = self.vectors[expert]
            turned = gradient[rows] @ basis
            self.m[rows] += (turned / (1 / self.values[expert] + curvature[rows, None])) @ basis.T

    def divergence(self) -> Numbers:
        """Return the Kullback–Leibler divergence of each row from its expert."""
        found = np.empty(len(self.m))
        size = self.m.shape[1]
        for expert, rows in self.groups:
            away = self.m[rows] - self.mean[expert]
            precision = self.precision[expert]
            found[rows] = 0.5 * (
                ((away @ precision) * away).sum(1)
                + self.v[rows] @ np.diag(precision)
                - size
                + np.log(self.values[expert]).sum()
                - np.log(self.v[rows]).sum(1)
            )
        return found

    def fit(self) -> None:
        """Set the mean and covariance of each expert to those of its rows."""
        for expert, rows in self.groups:
            m = self.m[rows]
            self.mean[expert] = m.mean(0)
            away = m - self.mean[expert]
            spread = away.T @ away / len(rows)
            self.covariance[expert] = spread + np.diag(self.v[rows].mean(0))
        self.prepare()

    @property
    def groups(self) -> list[tuple[int, NDArray[np.int64]]]:
        if not hasattr(self, "_groups"):
            self._groups = self.by_expert()
        return self._groups


class _Multinomials:
    """Multinomials of one size, a row for each that a sentence uses, and their experts.

    `own` has a row per multinomial; `shared`, where there are families, one per family and
    sentence, which `member` gives for each multinomial (−1 for none).
    """

    def __init__(self, own: _Experts, shared: _Experts | None, member: NDArray[np.int64]) -> None:
        self.own, self.shared, self.member = own, shared, member
        self.tied = member >= 0
        self.number = 1.0 + self.tied

    def mean(self) -> Numbers:
        """Return the means of the averaged experts."""
        return self._averaged("m", 1)

    def variance(self) -> Numbers:
        return self._averaged("v", 2)

    def _averaged(self, name: str, power: int) -> Numbers:
        total = getattr(self.own, name).copy()
        if self.shared is not None:
            total[self.tied] += getattr(self.shared, name)[self.member[self.tied]]
        return total / (self.number**power)[:, None]

    def log_weights(self) -> Numbers:
        """Return log ψ."""
        mean = self.mean()
        return mean - _log_sum(mean + self.variance() / 2)[:, None]

    def fit_posteriors(self, counts: Numbers) -> None:
        """Move m and v towards what the expected counts ask for."""
        total = counts.sum(1)
        for _ in range(_MEAN_STEPS):
            pressed = counts - total[:, None] * _softmax(self.mean() + self.variance() / 2)
            each = pressed / self.number[:, None]
            bend = total / (2 * self.number)
            own = each + self.own.pull()
            if self.shared is not None:
                ours = _summed(each[self.tied], self.member[self.tied], len(self.shared.m))
                bends = added_up(self.member[self.tied], bend[self.tied], len(self.shared.m))
                self.shared.step(ours + self.shared.pull(), bends)
            self.own.step(own, bend)
        self._fit_variances(total)

    def _fit_variances(self, total: Numbers) -> None:
        """Move v half-way or less to the fixed point, wherever that is not worse."""
        for experts, rows, place in self._sides():
            share = _softmax(self.mean() + self.variance() / 2)
            push = _summed(
                (total / self.number**2)[rows, None] * share[rows], place, len(experts.m)
            )
            diagonal = np.diagonal(experts.precision, axis1=1, axis2=2)[experts.which]
            target = 1 / (diagonal + push)
            before = experts.v.copy()
            worth = self._worth(total, experts, diagonal, rows, place)
            part = np.full((len(before), 1), 0.5)
            for _ in range(8):
                experts.v = before + part * (target - before)
                worse = self._worth(total, experts, diagonal, rows, place) < worth
                if not worse.any():
                    break
                part[worse] /= 2
            experts.v[worse] = before[worse]

    def _sides(self) -> list[tuple[_Experts, NDArray[np.int64], NDArray[np.int64]]]:
        """Return experts with the multinomials they are in, and their rows for each of these."""
        every = np.arange(len(self.member))
        found = [(self.own, every, every)]
        if self.shared is not None:
            found.append((self.shared, np.flatnonzero(self.tied), self.member[self.tied]))
        return found

    def _worth(
        self,
        total: Numbers,
        experts: _Experts,
        diagonal: Numbers,
        rows: NDArray[np.int64],
        place: NDArray[np.int64],
    ) -> Numbers:
        """Return the part of the bound that the variances of each row of some experts decide."""
        logs = total * _log_sum(self.mean() + self.variance() / 2)
        lost = added_up(place, logs[rows], len(experts.m))
        kept = (np.log(experts.v) - diagonal * experts.v).sum(1) / 2
        return kept - lost

    def divergence(self) -> float:
        """Return the divergence of all experts from their priors."""
        shared = 0.0 if self.shared is None else float(self.shared.divergence().sum())
        return float(self.own.divergence().sum()) + shared

    def fit(self) -> None:
        """Estimate the experts."""
        self.own.fit()
        if self.shared is not None:
            self.shared.fit()

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
        self.used_tag, in_sentence = used % count, used // count
        self.word = np.searchsorted(used, sentence * count + codes)
        self.family = family
        self.root = _multinomials(
            np.log(np.maximum(start.root, _LEAST))[None],
            np.zeros(len(layout.symbols.lengths), np.int64),
            np.arange(len(layout.symbols.lengths)),
            np.full(1, -1),
        )
        two = np.stack([start.stop, 1 - start.stop], -1).reshape(count * 4, 2)
        self.stop = _multinomials(
            np.log(np.maximum(two, _LEAST)),
            (self.used_tag[:, None] * 4 + np.arange(4)).ravel(),
            np.repeat(in_sentence, 4),
            _each(family, 4),
        )
        self.attach = _multinomials(
            np.log(np.maximum(start.attach, _LEAST)).reshape(count * 2, count),
            (self.used_tag[:, None] * 2 + np.arange(2)).ravel(),
            np.repeat(in_sentence, 2),
            _each(family, 2),
        )
        self.scale = np.zeros(len(layout.symbols.lengths))
        # Where each arc's weight stands among the rows of `attach`.
        side = (layout.other > layout.head).astype(np.int64)
        self.arc = (self.word[layout.head] * 2 + side) * count + codes[layout.other]
        self.four = (self.word[:, None] * 4 + np.arange(4)).ravel()
        self.first = sentence * count + codes

    def expect(self) -> float:
        """Improve the posteriors of all sentences; return the bound."""
        for _ in range(_ROUNDS):
            _, counts = self._trees()
            for group, count in zip((self.root, self.stop, self.attach), counts, strict=True):
                group.fit_posteriors(count)
        logs, _ = self._trees()
        lost = sum(group.divergence() for group in (self.root, self.stop, self.attach))
        return float(logs.sum()) - lost

    def _trees(self) -> tuple[Numbers, tuple[Numbers, Numbers, Numbers]]:
        """Return log Z of each sentence, and the expected counts of each row."""
        root, stop, attach = (group.log_weights() for group in (self.root, self.stop, self.attach))
        symbols, layout = self.layout.symbols, self.layout
        arguments = (
            root.ravel()[self.first],
            attach.ravel()[self.arc],
            stop[:, 0][self.four],
            stop[:, 1][self.four],
        )
        best, _ = load("dmv").best_trees(symbols.offsets, *arguments)
        scale = -best / symbols.lengths
        logs, *found = load("dmv").posteriors(
            symbols.offsets,
            np.exp(arguments[0] + scale[layout.sentence]),
            np.exp(arguments[1] + scale[layout.square]),
            np.exp(arguments[2]),
            np.exp(arguments[3]),
        )
        roots = added_up(self.first, found[0], root.size).reshape(root.shape)
        attaches = added_up(self.arc, found[1], attach.size).reshape(attach.shape)
        stops = np.stack([added_up(self.four, each, len(stop)) for each in found[2:]], -1)
        return logs - symbols.lengths * scale, (roots, stops, attaches)

    def maximise(self) -> None:
        for group in (self.root, self.stop, self.attach):
            group.fit()

    def grammar(self) -> Grammar:
        count = len(self.tags)
        root = self.root.probabilities(np.full(1, -1))
        stop = self.stop.probabilities(_each(self.family, 4))
        attach = self.attach.probabilities(_each(self.family, 2))
        return Grammar(
            self.tags,
            root[0],
            stop[:, 0].reshape(count, 2, 2),
            attach.reshape(count, 2, count),
        )


def _each(family: NDArray[np.int64], ways: int) -> NDArray[np.int64]:
    """Return the number of the shared expert of each tag and way (side, adj); −1 for none."""
    shared = family[:, None] * ways + np.arange(ways)
    found: NDArray[np.int64] = np.where(family[:, None] >= 0, shared, -1).ravel()
    return found


def _multinomials(
    mean: Numbers,
    which: NDArray[np.int64],
    sentence: NDArray[np.int64],
    family: NDArray[np.int64],
) -> _Multinomials:
    """Return the rows of multinomials: `which` expert each is, in which `sentence`."""
    own = _Experts.at(mean.copy(), which)
    here = family[which]
    if not (here >= 0).any():
        return _Multinomials(own, None, np.full(len(which), -1))
    experts = int(family.max()) + 1
    # The family begins where its members are in the mean, so that the average starts as they do.
    start = np.stack([mean[family == number].mean(0) for number in range(experts)])
    key = sentence * experts + here
    rows, member = np.unique(key[here >= 0], return_inverse=True)
    place = np.full(len(which), -1, np.int64)
    place[here >= 0] = member
    return _Multinomials(own, _Experts.at(start, rows % experts), place)


def _summed(values: Numbers, place: NDArray[np.int64], count: int) -> Numbers:
    """Return the sums of rows that go to the same place; every place has some."""
    if len(place) == count and np.array_equal(place, np.arange(count)):
        return values
    order = np.argsort(place, kind="stable")
    found: Numbers = np.add.reduceat(values[order], np.searchsorted(place[order], np.arange(count)))
    return found


def _log_sum(values: Numbers) -> Numbers:
    most = values.max(1)
    found: Numbers = most + np.log(np.exp(values - most[:, None]).sum(1))
    return found


def _softmax(values: Numbers) -> Numbers:
    raised = np.exp(values - values.max(-1, keepdims=True))
    found: Numbers = raised / raised.sum(-1, keepdims=True)
    return found
