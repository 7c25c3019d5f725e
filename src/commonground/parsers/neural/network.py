"""The network of the biaffine parser (Dozat & Manning 2017), in PyTorch.

Each word is the sum of what is known of its columns (form, lemma, tags, features) and of its
letters (a convolution over them, and the largest value of each channel); beside it, or alone, what
an encoder makes of it in its sentence. A bidirectional LSTM reads the sentence, with a vector for
ROOT before it. For h and d, what it makes of a head and of a
dependent after a layer each,

    arc(h, d) = dᵀ U h + uᵀ h        label_l(h, d) = dᵀ V_l h + v_lᵀ (d, h) + b_l

The head of each word is learnt as a choice among all words and ROOT, the label as one given the
head. Everything here takes and returns tensors; ``biaffine.py`` knows about corpora.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commonground.parsers.neural.vocabulary import COLUMNS, ROOT

__all__ = [
    "MOST",
    "Sizes",
    "arc_scores",
    "label_scores",
    "make_network",
    "sentence_vectors",
    "shapes",
]

Tensor = Any
Network = Any


MOST = {"embedding": 4096, "hidden": 4096, "layers": 64, "arc": 4096, "label": 4096}
"""The largest sizes: a sentence needs memory in proportion to them, however small the file."""

_LETTER = 32
"""The size of the vector of a letter."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a network is: vectors of words, LSTM (each direction), layers before the scores.

    `encoder` is the size of the vectors of an encoder, 0 without one; if they are `alone`, there
    are no others.
    """

    embedding: int = 100
    hidden: int = 200
    layers: int = 2
    arc: int = 200
    label: int = 100
    encoder: int = 0
    alone: bool = False

    @property
    def read(self) -> int:
        """How many numbers the LSTM is told of each word."""
        return 2 * self.embedding * (int(not self.alone) + int(self.encoder > 0))


def shapes(sizes: Sizes, known: Mapping[str, int], labels: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of all weights, by name, so that a file can be judged without PyTorch."""
    one, both = sizes.hidden, 2 * sizes.hidden
    found: dict[str, tuple[int, ...]] = {}
    if not sizes.alone:
        found |= {f"of_{name}.weight": (known[name], sizes.embedding) for name in COLUMNS}
        found["of_letters.weight"] = (known["letters"], _LETTER)
        found["convolution.weight"] = (sizes.embedding, _LETTER, 3)
        found["convolution.bias"] = (sizes.embedding,)
    for layer in range(sizes.layers):
        for way in (f"l{layer}", f"l{layer}_reverse"):
            found[f"reader.weight_ih_{way}"] = (4 * one, both if layer else sizes.read)
            found[f"reader.weight_hh_{way}"] = (4 * one, one)
            found[f"reader.bias_ih_{way}"] = found[f"reader.bias_hh_{way}"] = (4 * one,)
    layers = {
        f"{kind}_{role}": (getattr(sizes, kind), both)
        for kind in ("arc", "label")
        for role in ("head", "dependent")
    }
    layers["label_bias"] = (labels, 2 * sizes.label)
    if sizes.encoder:
        layers["of_encoder"] = (2 * sizes.embedding, sizes.encoder)
    for name, shape in layers.items():
        found[f"{name}.weight"], found[f"{name}.bias"] = shape, shape[:1]
    found["arc.weight"], found["arc_bias.weight"] = (sizes.arc, sizes.arc), (1, sizes.arc)
    found["label.weight"] = (labels * sizes.label, sizes.label)
    return found


def make_network(sizes: Sizes, known: Mapping[str, int], labels: int) -> Network:
    """Return a network with random weights; `known` are the numbers of what is known."""
    from torch import nn  # noqa: PLC0415  # an extra

    parts: dict[str, Any] = {}
    if not sizes.alone:
        for name in COLUMNS:
            parts[f"of_{name}"] = nn.Embedding(known[name], sizes.embedding, padding_idx=0)
        parts["of_letters"] = nn.Embedding(known["letters"], _LETTER, padding_idx=0)
        parts["convolution"] = nn.Conv1d(_LETTER, sizes.embedding, 3, padding=1)
    parts["reader"] = nn.LSTM(
        sizes.read,
        sizes.hidden,
        sizes.layers,
        batch_first=True,
        bidirectional=True,
        dropout=_DROPOUT if sizes.layers > 1 else 0.0,
    )
    for role in ("head", "dependent"):
        parts[f"arc_{role}"] = nn.Linear(2 * sizes.hidden, sizes.arc)
        parts[f"label_{role}"] = nn.Linear(2 * sizes.hidden, sizes.label)
    parts["arc"] = nn.Linear(sizes.arc, sizes.arc, bias=False)
    parts["arc_bias"] = nn.Linear(sizes.arc, 1, bias=False)
    parts["label"] = nn.Linear(sizes.label, labels * sizes.label, bias=False)
    parts["label_bias"] = nn.Linear(2 * sizes.label, labels)
    if sizes.encoder:
        parts["of_encoder"] = nn.Linear(sizes.encoder, 2 * sizes.embedding)
    network = nn.ModuleDict(parts)
    for name in ("arc", "label"):
        nn.init.zeros_(network[name].weight)  # a sentence says nothing before it is learnt
    return network


_DROPOUT = 0.33


def sentence_vectors(network: Network, columns: Mapping[str, Tensor], *, learning: bool) -> Tensor:
    """Return what the LSTM makes of each word; sentence by sentence, ROOT first.

    `columns` have the numbers of the words of sentences that have the same length: PyTorch reads
    sentences of several lengths one word at a time, which takes two to four times as long.
    """
    import torch  # noqa: PLC0415  # an extra
    from torch.nn import functional  # noqa: PLC0415

    vectors = _learned_vectors(network, columns, learning=learning) if "of_form" in network else []
    if "of_encoder" in network:
        vectors.append(network["of_encoder"](columns["encoder"]))
    read = functional.dropout(torch.cat(vectors, -1), _DROPOUT, learning)
    return functional.dropout(network["reader"](read)[0], _DROPOUT, learning)


def _learned_vectors(
    network: Network, columns: Mapping[str, Tensor], *, learning: bool
) -> list[Tensor]:
    """Return what the network itself has learned of each word, and of its letters."""
    import torch  # noqa: PLC0415  # an extra

    words = 0
    for name in COLUMNS:
        numbers = columns[name]
        if learning and name in {"form", "lemma"}:  # so that the unknown is learnt, too
            drawn = torch.rand(numbers.shape, device=numbers.device) < _DROPOUT / 2
            numbers = torch.where(drawn & (numbers > ROOT), torch.ones_like(numbers), numbers)
        words = words + network[f"of_{name}"](numbers)
    letters = columns["letters"]
    vectors = network["of_letters"](letters.flatten(0, 1)).transpose(1, 2)
    return [words, network["convolution"](vectors).amax(2).unflatten(0, letters.shape[:2])]


def _layer(network: Network, name: str, vectors: Tensor, *, learning: bool) -> Tensor:
    from torch.nn import functional  # noqa: PLC0415  # an extra

    return functional.dropout(
        functional.leaky_relu(network[name](vectors), 0.1), _DROPOUT, learning
    )


def arc_scores(network: Network, states: Tensor, *, learning: bool) -> Tensor:
    """Return the score of each head for each word: sentence × dependent × head."""
    head = _layer(network, "arc_head", states, learning=learning)
    dependent = _layer(network, "arc_dependent", states, learning=learning)
    return (network["arc"](dependent) @ head.transpose(1, 2)) + network["arc_bias"](head).transpose(
        1, 2
    )


def label_scores(network: Network, dependents: Tensor, heads: Tensor, *, learning: bool) -> Tensor:
    """Return the score of each label for arcs between words, as the LSTM has made them."""
    import torch  # noqa: PLC0415  # an extra

    one = _layer(network, "label_dependent", dependents, learning=learning)
    two = _layer(network, "label_head", heads, learning=learning)
    labels = network["label_bias"].weight.shape[0]
    turned = network["label"](one).unflatten(-1, (labels, two.shape[-1]))
    return torch.einsum("nld,nd->nl", turned, two) + network["label_bias"](torch.cat([one, two], 1))
