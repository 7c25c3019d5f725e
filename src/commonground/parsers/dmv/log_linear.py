r"""A DMV whose probabilities are made of features, learned by following the gradient.

Berg-Kirkpatrick, Bouchard-Côté, DeNero & Klein (2010), Painless unsupervised learning with
features. The probability of a decision d in a context c is log-linear,

    θ(d | c) = exp(w · f(d, c)) / Σ_d' exp(w · f(d', c))

and w maximises the likelihood of the sentences, less κ ‖w‖². The gradient of the likelihood is that
of the expected decisions: with e(d, c) expected times,

    Σ_(d, c) e(d, c) (f(d, c) − Σ_d' θ(d' | c) f(d', c))

Besides an indicator for each decision in its context there is one in which all tags of nouns count
as one, and all tags of verbs (the paper's NOUN-VERB), so that rare tags learn from their relatives.
Which features and which κ was chosen on the dev part and on halves of the train part of the English
Web Treebank. Other choices end in other maxima: with pronouns among the nouns and the other tags in
universal classes, too, attachment falls by up to ten points on these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.parsers.dmv.grammar import PLAIN, Grammar, RuleCounts, Valences
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.learn import LearnedGrammar, Watch
from commonground.parsers.dmv.limited_memory import minimised
from commonground.schemes.tags import universal_tag

__all__ = ["Features", "coarse_classes", "learn_log_linear"]

Numbers = NDArray[np.float64]

_CLASSES = {"AUX": "VERB", "NOUN": "NOUN", "PROPN": "NOUN", "VERB": "VERB"}
"""The universal tags that are in a class."""


def coarse_classes(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the class of each tag, of Penn or universal ones; most tags are their own.

    >>> coarse_classes(["NN", "PRP", "MD", "DET", "house/NN"])
    ('NOUN', 'PRP', 'VERB', 'DET', 'NOUN')
    """
    universal = (universal_tag(tag.rpartition("/")[2] or tag) for tag in tags)
    return tuple(_CLASSES.get(each, tag) for tag, each in zip(tags, universal, strict=True))


class Features:
    """The features of all decisions, and the way between their weights and probabilities.

    For roots, stopping and dependents there is a weight for each decision between tags, then one
    for each between classes.
    """

    def __init__(self, tags: tuple[str, ...], valences: Valences = PLAIN) -> None:
        self.tags = tags
        every, self.number = np.unique(coarse_classes(tags), return_inverse=True)
        self.belongs = np.eye(len(every))[self.number]
        sizes = len(tags), len(every)
        stop, child = valences
        self.shapes = [s for n in sizes for s in ((n,), (n, 2, stop), (n, 2, child, n))]
        self.ends = np.cumsum([int(np.prod(shape)) for shape in self.shapes])

    @property
    def size(self) -> int:
        """How many weights there are."""
        return int(self.ends[-1])

    def logits(self, weights: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return w · f of the roots, of stopping, and of the dependents."""
        parts = np.split(weights, self.ends[:-1])
        blocks = [part.reshape(shape) for part, shape in zip(parts, self.shapes, strict=True)]
        root, stop, attach, roots, stops, attaches = blocks
        of = self.number
        return root + roots[of], stop + stops[of], attach + attaches[of][..., of]

    def gathered(self, root: Numbers, stop: Numbers, attach: Numbers) -> Numbers:
        """Return the gradient of the weights from that of w · f."""
        into = self.belongs.T
        stops = np.tensordot(into, stop, 1)
        tags, classes = self.belongs.shape
        attaches = np.tensordot(into, attach, 1).reshape(classes, -1, tags) @ self.belongs
        parts = (root, stop, attach, into @ root, stops, attaches)
        return np.concatenate([part.ravel() for part in parts])

    def grammar(self, weights: Numbers) -> Grammar:
        """Return the probabilities."""
        root, stop, attach = self.logits(weights)
        stopping = 1 / (1 + np.exp(-np.clip(stop, -500, 500)))
        return Grammar(self.tags, _softmax(root), stopping, _softmax(attach))

    def gradient(self, counts: RuleCounts, grammar: Grammar) -> Numbers:
        """Return the gradient of the likelihood, from expected counts."""
        decided = counts.stop + counts.go
        attached = counts.attach.sum(-1, keepdims=True)
        return self.gathered(
            counts.root - counts.root.sum() * grammar.root,
            counts.stop - decided * grammar.stop,
            counts.attach - attached * grammar.attach,
        )


def learn_log_linear(
    layout: GrammarLayout,
    start: Grammar,
    *,
    penalty: float = 0.3,
    iterations: int = 200,
    tolerance: float = 1e-6,
    watch: Watch = lambda *_: None,
) -> LearnedGrammar:
    """Return the grammar of the best weights; likelihoods are less the penalty of the weights.

    The weights begin where they fit the expected counts of the start.
    """
    features = Features(start.tags, start.valences)
    words = max(1, len(layout.symbols.codes))
    first = layout.expected(start, layout.scale(start)).counts

    def complete(weights: Numbers) -> tuple[float, Numbers]:
        """Return the loss with the decisions of the start."""
        grammar = features.grammar(weights)
        return _penalised(
            _log_probability(first, grammar), features.gradient(first, grammar), weights
        )

    def incomplete(weights: Numbers) -> tuple[float, Numbers]:
        """Return the loss with the decisions that the weights expect."""
        grammar = features.grammar(weights)
        expected = layout.expected(grammar, layout.scale(grammar))
        return _penalised(expected.likelihood, features.gradient(expected.counts, grammar), weights)

    def _penalised(likelihood: float, gradient: Numbers, weights: Numbers) -> tuple[float, Numbers]:
        cost = penalty * float(weights @ weights)
        return cost - likelihood, 2 * penalty * weights - gradient

    weights, _ = minimised(complete, np.zeros(features.size), iterations=100)
    weights, losses = minimised(
        incomplete,
        weights,
        iterations=iterations,
        tolerance=tolerance,
        watch=lambda number, loss: watch(number, -loss / words),
    )
    return LearnedGrammar(features.grammar(weights), tuple(-loss for loss in losses))


def _log_probability(counts: RuleCounts, grammar: Grammar) -> float:
    """Return the logarithm of the probability of decisions that were made so often."""
    pairs = (
        (counts.root, grammar.root),
        (counts.stop, grammar.stop),
        (counts.go, 1 - grammar.stop),
        (counts.attach, grammar.attach),
    )
    return float(sum((n * np.log(np.maximum(p, 1e-300))).sum() for n, p in pairs))


def _softmax(logits: Numbers) -> Numbers:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=-1, keepdims=True)
    return shares
