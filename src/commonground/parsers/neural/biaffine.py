"""The parser ``biaffine``: heads and labels by a neural network, trees by Chu–Liu and Edmonds.

Dozat & Manning (2017), small enough to be trained on a processor in minutes, with nothing but the
treebank; ``network.py`` has the formulas. Sentences are parsed one at a time, so that numbers do
not depend on what stands beside them, and trees are found by our own kernel over rounded scores.
Weights are plain arrays in the model file.

On a processor, training depends on nothing but the treebank, the settings (`threads` among them),
the seed and the versions of PyTorch and transformers; on a graphics card, sums can differ from run
to run. A model is used on the device that the environment variable ``COMMONGROUND_DEVICE`` names,
else the processor.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground import random
from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.kernels import load as kernel
from commonground.kernels.eisner import LONGEST
from commonground.parsers.learning import learned
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.neural.device import device_of, device_of_models, threads
from commonground.parsers.neural.encoder import PIECES, Encoder, KnownStates, load_encoder
from commonground.parsers.neural.encoder_folder import lacking_for_encoders
from commonground.parsers.neural.needed_encoder import NeededEncoder, remember
from commonground.parsers.neural.network import (
    MOST,
    Sizes,
    arc_scores,
    label_scores,
    make_network,
    sentence_vectors,
    shapes,
)
from commonground.parsers.neural.vocabulary import LETTERS, ROOT, Vocabulary
from commonground.parsers.outside.places import lacking, package_version
from commonground.parsers.parser import Model, Parser, TrainingTask
from commonground.parsers.scoring import labelled_attachment

__all__ = ["PARSERS", "BiaffineModel", "BiaffineSettings"]

Codes = NDArray[np.int64]
Arrays = Mapping[str, NDArray[np.float32]]

_SCALE = 1 << 12
_LIMIT = 1 << 24
"""Scores become whole numbers, so many to 1; larger ones count as this."""

_NUMBERS = 1 << 24
"""So many numbers are held at once to find the labels of words, however many labels there are."""


@dataclass(frozen=True, slots=True)
class BiaffineSettings:
    """How the biaffine parser learns.

    Sizes are those of word vectors (`embedding`), of the LSTM in each direction (`hidden`, in so
    many `layers`) and of the layers before the scores (`arc`, `label`). The `rate` of learning
    (Adam) falls to 0 in a straight line; `batch` is the number of words after which weights change.
    `device` is PyTorch's name of one: cpu, cuda, cuda:1, mps.

    `encoder` is the folder of a pretrained one, whose vectors are read beside what is learned of
    words and tags, or `alone`. They are those of `encoder_layer` (0: two thirds of the way up); a
    word is the mean of its `pieces`, or the first of them. With `tune`, the encoder learns, too, at
    the `tune_rate`.
    """

    iterations: int = 15
    patience: int = 5
    embedding: int = 100
    hidden: int = 200
    layers: int = 2
    arc: int = 200
    label: int = 100
    batch: int = 800
    rate: float = 0.003
    threads: int = 2
    device: str = "cpu"
    encoder: str = ""
    encoder_layer: int = 0
    pieces: str = "mean"
    alone: bool = False
    tune: bool = False
    tune_rate: float = 5e-5

    def __post_init__(self) -> None:
        for name in ("iterations", "batch", "threads", *MOST):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; 1 or more is needed")
        for name, most in MOST.items():
            if getattr(self, name) > most:
                raise ValueError(f"{name} is {getattr(self, name)}; {most:,} is possible")
        for name in ("rate", "tune_rate"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it is more than 0")
        if self.pieces not in PIECES:
            raise ValueError(f"pieces is {self.pieces!r}; it can be {' or '.join(PIECES)}")
        if (self.alone or self.tune or self.encoder_layer) and not self.encoder:
            raise ValueError("alone, tune and encoder_layer need an encoder; name its folder")

    def sizes(self, encoder: Encoder | None = None) -> Sizes:
        """Return the sizes of the network, with an encoder or without one."""
        own = {name: getattr(self, name) for name in MOST}
        return Sizes(**own, encoder=encoder.size if encoder else 0, alone=self.alone)


# ── sentences as tensors ─────────────────────────────────────────────────────────────────────────


def _rows(
    columns: Mapping[str, Codes], offsets: Codes, sentences: Codes, device: Any
) -> dict[str, Any]:
    """Return the numbers of sentences of the same length, a sentence in each row, ROOT first."""
    import torch  # noqa: PLC0415  # an extra

    first, last = offsets[sentences], offsets[sentences + 1]
    places = first[:, None] + np.arange(last[0] - first[0])
    tensors = {}
    for name, numbers in columns.items():
        table = np.zeros((len(sentences), 1 + places.shape[1], *numbers.shape[1:]), np.int64)
        table[:, 0] = ROOT if numbers.ndim == 1 else [ROOT] + [0] * (LETTERS - 1)
        table[:, 1:] = numbers[places]
        tensors[name] = torch.from_numpy(table).to(device)
    return tensors


def _encoded(encoder: Encoder, sentences: Sequence[Sequence[str]]) -> Any:
    """Return the vectors of an encoder for sentences of the same length; that of ROOT is 0."""
    from torch.nn import functional  # noqa: PLC0415  # an extra

    return functional.pad(encoder.batch(sentences), (0, 0, 1, 0))


# ── the model ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class BiaffineModel:
    """A trained parser; `needed` is its encoder, if it has one, `loaded` that one where it is."""

    sizes: Sizes
    vocabulary: Vocabulary
    labels: tuple[str, ...]
    weights: Arrays
    needed: NeededEncoder | None = None
    loaded: Encoder | None = field(default=None, repr=False)

    def parse(self, corpus: Dependencies) -> Dependencies:
        """Return the corpus with the trees of this model."""
        if missing := lacking("torch", "neural"):
            raise UsageError(f"biaffine {missing}")
        import torch  # noqa: PLC0415  # an extra

        lengths, offsets = corpus.words.lengths, np.asarray(corpus.words.offsets, np.int64)
        if len(lengths) and lengths.max() > LONGEST:
            at = int(lengths.argmax())
            raise UsageError(
                f"sentence {at + 1} has {lengths[at]:,} words; biaffine takes up to {LONGEST:,}"
            )
        device = device_of_models() if self.loaded is None else self.loaded.device
        network, encoder = self._network(device)
        columns = self.vocabulary.codes(corpus)
        forms = corpus.words.strings("form").tolist() if encoder else []
        head = np.zeros(corpus.words.rows, np.int32)
        best = np.zeros(corpus.words.rows, np.int32)
        room = max(_NUMBERS // (len(self.labels) * self.sizes.label), 1)
        with torch.inference_mode(), threads(1):
            for sentence in np.flatnonzero(lengths).tolist():
                span = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
                tensors = _rows(columns, offsets, np.array([sentence]), device)
                if encoder:
                    tensors["encoder"] = _encoded(encoder, [forms[span]])
                states = sentence_vectors(network, tensors, learning=False)
                scores = arc_scores(network, states, learning=False)[0].cpu().numpy()
                heads = _tree(scores)
                chosen = torch.from_numpy(heads.astype(np.int64)).to(device)
                dependents, above = states[0, 1:], states[0][chosen]
                labels = [
                    label_scores(network, one, two, learning=False).argmax(1).cpu().numpy()
                    for one, two in zip(dependents.split(room), above.split(room), strict=True)
                ]
                head[span], best[span] = heads, np.concatenate(labels)
        return corpus.replace("words", head=head, deprel=Strings(best, self.labels))

    def _network(self, device: Any) -> tuple[Any, Encoder | None]:
        """Return the network with these weights, which must have its shapes, and the encoder."""
        import torch  # noqa: PLC0415  # an extra

        encoder = self.loaded
        if encoder is None and self.needed is not None:
            encoder = self.needed.load(device)
        if encoder is not None and encoder.size != self.sizes.encoder:
            raise UsageError("the biaffine model has another encoder than it names")
        with torch.device("meta"):  # nothing is reserved before the shapes are known to fit
            network = make_network(self.sizes, self.vocabulary.sizes, len(self.labels))
        if encoder is not None and self.needed is not None and self.needed.tuned:
            encoder = replace(encoder, network=copy.deepcopy(encoder.network))
            network["encoder"] = encoder.network
        wanted = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
        if wanted != {name: array.shape for name, array in self.weights.items()}:
            raise UsageError("the weights of the biaffine model do not fit its encoder")
        given = {name: torch.tensor(array).to(device) for name, array in self.weights.items()}
        network.load_state_dict(given, assign=True)
        return network.eval(), encoder

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        metadata = {
            **{name: getattr(self.sizes, name) for name in MOST},
            **self.vocabulary.stored(),
            "labels": list(self.labels),
        }
        if self.needed is not None:
            own = {"size": self.sizes.encoder, "alone": self.sizes.alone}
            metadata["encoder"] = asdict(self.needed) | own
        return Stored("biaffine", metadata, dict(self.weights))


def _tree(scores: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the heads of the best tree over the scores of heads (columns) for words (rows)."""
    size = len(scores)
    known = np.nan_to_num(np.clip(scores.astype(np.float64) * _SCALE, -_LIMIT, _LIMIT))
    whole = np.rint(known).astype(np.int64)
    word, head = np.nonzero(~np.eye(size, dtype=np.bool_)[1:])
    word = word + 1
    heads: NDArray[np.int32] = kernel("arborescence").best_trees(
        np.array([0, size - 1]),
        np.array([0, len(word)]),
        head.astype(np.int32),
        word.astype(np.int32),
        whole[word, head],
    )
    return heads


def load(stored: Stored) -> BiaffineModel:
    """Make a model from what a file holds."""
    sizes = {name: stored.value(name, int) for name in MOST}
    if not all(0 < sizes[name] <= most for name, most in MOST.items()):
        raise ModelError("its sizes are impossible")
    labels = tuple(stored.texts("labels"))
    if not labels or any(array.dtype != np.float32 for array in stored.arrays.values()):
        raise ModelError("it has no labels, or weights of another kind")
    if not all(np.isfinite(array).all() for array in stored.arrays.values()):
        raise ModelError("it has weights that are not numbers")
    needed = None
    if "encoder" in stored.metadata:
        entry = dict(stored.value("encoder", dict))
        sizes |= {"encoder": entry.pop("size", 0), "alone": entry.pop("alone", False)}
        if type(sizes["encoder"]) is not int or not 0 < sizes["encoder"] <= 1 << 16:
            raise ModelError("its sizes are impossible")
        needed = NeededEncoder.read(entry)
    vocabulary, made = Vocabulary.read(stored), Sizes(**sizes)
    tuned = needed is not None and needed.tuned
    own = {
        name: array.shape
        for name, array in stored.arrays.items()
        if not (tuned and name.startswith("encoder."))
    }
    if type(made.alone) is not bool or own != shapes(made, vocabulary.sizes, len(labels)):
        raise ModelError("its weights do not fit its sizes")
    return BiaffineModel(made, vocabulary, labels, dict(stored.arrays), needed)


# ── training ─────────────────────────────────────────────────────────────────────────────────────


class _Learner:
    """Learns from batches of sentences of about the same length."""

    def __init__(self, task: TrainingTask) -> None:
        import torch  # noqa: PLC0415  # an extra

        corpus, self.settings, self.seed = task.corpus, task.settings, task.seed
        self.device = device_of(self.settings.device)
        self.encoder = self._encoder()
        self.forms = corpus.words.strings("form").tolist() if self.encoder else []
        self.vocabulary = Vocabulary.of(corpus)
        deprel = corpus.words.strings("deprel")
        self.labels = tuple(sorted(deprel.vocabulary))
        places = {label: number for number, label in enumerate(self.labels)}
        numbers = np.array([places[label] for label in deprel.vocabulary], np.int64)
        self.label, self.head = numbers[deprel.codes], np.asarray(corpus.head, np.int64)
        self.columns = self.vocabulary.codes(corpus)
        self.offsets = np.asarray(corpus.words.offsets, np.int64)
        self.lengths = np.asarray(corpus.words.lengths, np.int64)
        with self._drawing(0):
            sizes = self.settings.sizes(self.encoder)
            network = make_network(sizes, self.vocabulary.sizes, len(self.labels))
        self.network = network.to(self.device)
        groups: list[dict[str, Any]] = [{"params": list(self.network.parameters())}]
        if self.encoder and self.settings.tune:
            self.network["encoder"] = self.encoder.network.requires_grad_()
            tuned = list(self.encoder.network.parameters())
            groups.append({"params": tuned, "lr": self.settings.tune_rate})
        batches = len(_batches(self.lengths, self.settings.batch))
        self.steps = self.settings.iterations * max(batches, 1)
        self.optimiser = torch.optim.Adam(groups, self.settings.rate, betas=(0.9, 0.9))
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: max(1 - step / self.steps, 0.01)
        )

    def _encoder(self) -> Encoder | None:
        """Return the encoder; if it does not learn, sentences are read once."""
        settings: BiaffineSettings = self.settings
        if not settings.encoder:
            return None
        loaded = load_encoder(
            settings.encoder,
            layer=settings.encoder_layer,
            pieces=settings.pieces,
            device=self.device,
        )
        remember(loaded.folder)
        return loaded if settings.tune else replace(loaded, known=KnownStates())

    @contextmanager
    def _drawing(self, part: int) -> Iterator[None]:
        """Draw PyTorch's random numbers from a stream of the seed, and leave its own alone."""
        import torch  # noqa: PLC0415  # an extra

        seed = int(random.stream(self.seed, "biaffine weights", part).integers(1 << 62))
        with torch.random.fork_rng(), threads(self.settings.threads):
            torch.manual_seed(seed)
            yield

    def iterate(self, number: int) -> float:
        """Go over the corpus once; the share of mistakes is that of heads."""
        stream = random.stream(self.seed, "biaffine order", number)
        mixed = stream.permutation(len(self.lengths))
        batches = _batches(self.lengths[mixed], self.settings.batch)
        self.network.train()
        wrong, total = 0, 0
        with self._drawing(number + 1):
            for place in stream.permutation(len(batches)).tolist():
                mistakes, words = self._learn(mixed[batches[place]])
                wrong, total = wrong + mistakes, total + words
        return wrong / max(total, 1)

    def _learn(self, sentences: Codes) -> tuple[int, int]:
        """Learn from some sentences; return how many heads were wrong, of how many."""
        import torch  # noqa: PLC0415  # an extra
        from torch.nn import functional  # noqa: PLC0415

        tensors = _rows(self.columns, self.offsets, sentences, self.device)
        if self.encoder:
            ends = zip(self.offsets[sentences], self.offsets[sentences + 1], strict=True)
            words = [self.forms[first:last] for first, last in ends]
            tensors["encoder"] = _encoded(self.encoder, words)
        gold = {"head": self.head, "label": self.label}
        targets = _rows(gold, self.offsets, sentences, self.device)
        states = sentence_vectors(self.network, tensors, learning=True)
        scores = arc_scores(self.network, states, learning=True)
        known = targets["head"] >= 0
        known[:, 0] = False
        if not bool(known.any()):
            return 0, 0
        heads = targets["head"][known]
        guessed = scores[known]
        row = known.nonzero()[:, 0]
        labels = label_scores(self.network, states[known], states[row, heads], learning=True)
        loss = functional.cross_entropy(guessed, heads)
        loss = loss + functional.cross_entropy(labels, targets["label"][known])
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimiser.step()
        self.schedule.step()
        return int((guessed.argmax(1) != heads).sum()), len(heads)

    def model(self) -> BiaffineModel:
        """Return the model as it is now."""
        weights = {
            name: tensor.detach().cpu().numpy().copy()
            for name, tensor in self.network.state_dict().items()
        }
        sizes = self.settings.sizes(self.encoder)
        needed = None
        if self.encoder:
            needed = NeededEncoder.of(self.encoder, tuned=self.settings.tune)
        return BiaffineModel(sizes, self.vocabulary, self.labels, weights, needed, self.encoder)


def _batches(lengths: NDArray[np.integer], words: int) -> list[Codes]:
    """Put sentences of the same length into batches of up to so many words, short ones first."""
    results: list[Codes] = []
    for length in np.unique(lengths).tolist():
        if 0 < length <= LONGEST:
            alike, most = np.flatnonzero(lengths == length), max(words // length, 1)
            results += np.array_split(alike, -(-len(alike) // most))
    return results


def train(task: TrainingTask) -> Model:
    """Train a parser on trees, whole or partial."""
    settings: BiaffineSettings = task.settings
    return learned(
        _Learner(task),
        task,
        iterations=settings.iterations,
        patience=settings.patience,
        score=None if task.dev is None else partial(labelled_attachment, task.dev),
    )


PARSERS = {
    "biaffine": Parser(
        "biaffine",
        "neural: a BiLSTM and biaffine scores, maximum spanning trees (Dozat & Manning 2017)",
        Dependencies,
        BiaffineSettings,
        train,
        load,
        partial=True,
        missing=lambda settings: (
            lacking_for_encoders() if settings.encoder else lacking("torch", "neural")
        ),
        files=("encoder",),
        version=lambda: package_version("torch"),
    )
}
