"""Vectors of words in their sentences, from a pretrained encoder such as BERT on the user's disk.

The network is one of the library transformers, the weights are read from safetensors, words are cut
into pieces as ``tokenizer.json`` says (``encoder_folder.py``). A word is the mean of its pieces, or
the first of them. A sentence that is longer than the encoder allows is read in windows that overlap
by half; each piece is taken from the window in which it is farther from the edge. Sentences are
read one at a time, so that vectors do not depend on what stands beside them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Table
from commonground.errors import CommonGroundError, InputError, UsageError
from commonground.formats.storage.files import shown
from commonground.parsers.model_file import most_bytes
from commonground.parsers.neural.device import device_of_models, threads
from commonground.parsers.neural.encoder_folder import (
    EncoderFolder,
    lacking_for_encoders,
    read_folder,
)
from commonground.parsers.outside.silence import silence

__all__ = ["PIECES", "Encoder", "KnownStates", "load_encoder"]

PIECES = ("mean", "first")
"""What a word is of its pieces."""

Tensor = Any
Network = Any

_LONGEST = 512
"""Encoders are given no more pieces at once, even if they take more: time grows with the square."""

_PASSED_OVER = frozenset(
    {
        *("attn_implementation", "dtype", "quantization_config", "torch_dtype"),
        *("add_cross_attention", "chunk_size_feed_forward", "is_decoder", "is_encoder_decoder"),
        *("id2label", "label2id", "num_labels", "problem_type", "pruned_heads"),
        *("output_attentions", "output_hidden_states", "return_dict", "torchscript", "use_cache"),
        *("use_return_dict", "task_specific_params", "finetuning_task"),
    }
)
"""What a config says of other uses of the network: how it is stored, decodes or sorts sentences."""

_WITH_PADDING = ("camembert", "mpnet", "roberta", "xlm-roberta")
"""Kinds whose positions begin behind that of padding."""


@dataclass(frozen=True, eq=False)
class Encoder:
    """A network and its tokenizer: ``vectors`` of all words of a treebank.

    `layer` is that whose states are taken, `size` the length of a vector, `room` how many pieces of
    words the network reads at once; `around` are the marks before and behind them. What
    is `known` of sentences is not computed again, as long as the network does not learn.
    """

    folder: EncoderFolder
    network: Network
    tokenizer: Any
    layer: int
    room: int
    around: tuple[list[int], list[int]]
    pieces: str = "mean"
    known: KnownStates | None = None

    @property
    def size(self) -> int:
        """The length of a vector."""
        return int(self.network.config.hidden_size)

    @property
    def device(self) -> Any:
        """The device that the network is on."""
        return next(self.network.parameters()).device

    def vectors(
        self, words: Table, *, jobs: int = 1, advance: Callable[[int], None] = lambda _: None
    ) -> NDArray[np.float32]:
        """Return a vector for each word of a table of words (``form``), whatever `jobs` are."""
        import torch  # noqa: PLC0415  # an extra

        needed, most = 4 * words.rows * self.size, most_bytes()
        if needed > most:
            raise UsageError(
                f"vectors of {words.rows:,} words need {needed / (1 << 30):.1f} GB of memory; "
                "COMMONGROUND_MODEL_MEMORY (in GB, 0 is any) allows more"
            )
        table = np.zeros((words.rows, self.size), np.float32)
        forms, ends = words.strings("form").tolist(), words.offsets.tolist()

        def fill(span: tuple[int, int]) -> None:
            if span[0] < span[1]:
                with torch.inference_mode():
                    states = self.states(forms[span[0] : span[1]])
                table[span[0] : span[1]] = states.cpu().numpy()

        with threads(1):
            if jobs > 1:
                with ThreadPoolExecutor(jobs) as pool:
                    for _ in pool.map(fill, pairwise(ends)):
                        advance(1)
            else:
                for span in pairwise(ends):
                    fill(span)
                    advance(1)
        return table

    def states(self, words: Sequence[str]) -> Tensor:
        """Return the vectors of the words of one sentence, through which one can learn."""
        if self.known is None:
            return self._states(words)
        key = tuple(words)
        if (states := self.known.get(key)) is None:
            states = self._states(words)
            self.known.keep(key, states)
        return states

    def batch(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Return the vectors of sentences of the same length, read at once if they learn.

        Sums then depend a little on what stands beside a sentence, so this is for training only.
        """
        import torch  # noqa: PLC0415  # an extra

        cuts = [self._cut(words) for words in sentences] if self.known is None else []
        longest = max((len(numbers) for numbers, _ in cuts), default=0)
        if not 0 < longest <= self.room:
            return torch.stack([self.states(words) for words in sentences])
        states = self._read([numbers for numbers, _ in cuts])
        rows = zip(cuts, sentences, states, strict=True)
        return torch.stack(
            [
                self._pooled(state[: len(numbers)], places, len(words))
                for (numbers, places), words, state in rows
            ]
        )

    def _states(self, words: Sequence[str]) -> Tensor:
        import torch  # noqa: PLC0415  # an extra

        numbers, places = self._cut(words)
        if not len(numbers):
            return torch.zeros(len(words), self.size, device=self.device)
        parts = [
            self._read([numbers[first:last]])[0] for first, last in windows(len(numbers), self.room)
        ]
        states = torch.cat(
            [
                part[a:b]
                for part, (a, b) in zip(parts, kept_parts(len(numbers), self.room), strict=True)
            ]
        )
        return self._pooled(states, places, len(words))

    def _pooled(self, states: Tensor, places: NDArray[np.int64], words: int) -> Tensor:
        """Return the vectors of words, from those of their pieces."""
        import torch  # noqa: PLC0415  # an extra

        if self.pieces == "first":
            taken = np.unique(places, return_index=True)[1]
            places, states = places[taken], states[torch.from_numpy(taken).to(self.device)]
        counts = np.maximum(np.bincount(places, minlength=words), 1)
        sums = torch.zeros(words, self.size, device=self.device)
        sums = sums.index_add(0, torch.from_numpy(places).to(self.device), states)
        return sums / torch.from_numpy(counts).to(self.device)[:, None]

    def _cut(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of the pieces of a sentence, and the place of the word of each."""
        text = " ".join(words)
        lengths = np.array([len(word) + 1 for word in words], np.int64)
        starts = np.cumsum(lengths) - lengths
        between = np.zeros(len(text) + 1, np.int64)
        between[starts[1:] - 1] = 1
        with _heard(self.folder):
            encoded = self.tokenizer.encode(text, add_special_tokens=False)
        spans = np.array(encoded.offsets, np.int64).reshape(-1, 2)
        last = np.clip(np.maximum(spans[:, 1] - 1, spans[:, 0]), 0, len(text))
        last += between[last]  # a piece that is nothing but the space before a word
        numbers = np.array(encoded.ids, np.int64)
        return numbers, np.searchsorted(starts, last, side="right") - 1

    def _read(self, several: Sequence[NDArray[np.int64]]) -> Tensor:
        """Return the states of pieces that the network reads at once, filled up with any."""
        import torch  # noqa: PLC0415  # an extra

        before, behind = self.around
        ends = np.array([len(before) + len(numbers) + len(behind) for numbers in several])
        table = np.zeros((len(several), ends.max()), np.int64)
        for row, numbers in enumerate(several):
            table[row, : ends[row]] = [*before, *numbers.tolist(), *behind]
        given = torch.from_numpy(table).to(self.device)
        mask = torch.from_numpy((np.arange(table.shape[1]) < ends[:, None]).astype(np.int64))
        with _heard(self.folder):
            states = self.network(input_ids=given, attention_mask=mask.to(self.device))
            return states.last_hidden_state[:, len(before) : table.shape[1] - len(behind)]


class KnownStates:
    """States of sentences that will be asked for again, as many as there is memory for."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[str, ...], Tensor] = {}
        self._left = most_bytes()

    def get(self, words: tuple[str, ...]) -> Tensor | None:
        """Return the states of a sentence, None if they are not known."""
        return self._by_words.get(words)

    def keep(self, words: tuple[str, ...], states: Tensor) -> None:
        """Keep the states of a sentence, if there is room for them."""
        self._left -= states.numel() * 4
        if self._left >= 0:
            self._by_words[words] = states


def windows(pieces: int, room: int) -> list[tuple[int, int]]:
    """Return from where to where each window reaches.

    >>> windows(7, 8), windows(11, 4)
    ([(0, 7)], [(0, 4), (2, 6), (4, 8), (6, 10), (7, 11)])
    """
    if pieces <= room:
        return [(0, pieces)]
    starts = [*range(0, pieces - room, max(room // 2, 1)), pieces - room]
    return [(start, start + room) for start in starts]


def kept_parts(pieces: int, room: int) -> list[tuple[int, int]]:
    """Return what is taken of each window: cuts are in the middle of what two have in common.

    >>> kept_parts(7, 8), kept_parts(11, 4)
    ([(0, 7)], [(0, 3), (1, 3), (1, 3), (1, 2), (1, 4)])
    """
    every = windows(pieces, room)
    cuts = [0, *((one[1] + two[0]) // 2 for one, two in pairwise(every)), pieces]
    return [
        (a - start, b - start) for (a, b), (start, _) in zip(pairwise(cuts), every, strict=True)
    ]


# ── loading ──────────────────────────────────────────────────────────────────────────────────────


def load_encoder(
    folder: EncoderFolder | str, *, layer: int = 0, pieces: str = "mean", device: Any = None
) -> Encoder:
    """Load an encoder up to a layer; 0 is the one two thirds of the way up.

    It runs where trained models do, unless a `device` is named.

    What words mean in their sentence, and how they depend on each other, is best seen there (Hewitt
    & Manning 2019; Jalili Sabet et al. 2020).
    """
    found = folder if isinstance(folder, EncoderFolder) else read_folder(folder)
    if missing := lacking_for_encoders():
        raise UsageError(f"an encoder {missing}")
    import torch  # noqa: PLC0415  # an extra

    device = device_of_models() if device is None else device
    if pieces not in PIECES:
        raise UsageError(f"pieces is {pieces!r}; a word is the {' or the '.join(PIECES)} of them")
    with _silent(), _heard(found):
        tokenizer, around = _tokenizer(found.tokenizer)
        network, layer = _network(found, layer)
    room = _LONGEST
    most = getattr(network.config, "max_position_embeddings", None)
    if isinstance(most, int):
        padding = network.config.pad_token_id or 0
        lost = padding + 1 if network.config.model_type in _WITH_PADDING else 0
        room = min(room, most - lost)
    room -= sum(map(len, around))
    if room < 1:
        raise InputError(shown(found.path), 0, "the encoder has no room for a word")
    made = Encoder(found, network.to(device).eval(), tokenizer, layer, room, around, pieces)
    with torch.inference_mode(), _silent():
        if not made.states(["a"]).isfinite().all():
            raise InputError(shown(found.path), 0, "its vectors are not numbers")
    return made


@contextmanager
def _heard(folder: EncoderFolder) -> Iterator[None]:
    """Say in one line what the libraries raise for a config, tokenizer or weights of no use."""
    try:
        yield
    except CommonGroundError:
        raise
    except BaseException as error:
        # Errors of what is written in Rust are no exceptions.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        said = " ".join(str(error).split())[:200]
        raise InputError(
            shown(folder.path), 0, f"transformers cannot make an encoder of it ({said})"
        ) from error


@contextmanager
def _silent() -> Iterator[None]:
    """Let the libraries say nothing but errors."""
    from transformers.utils import logging  # noqa: PLC0415  # an extra

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        with silence(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(before)


def _tokenizer(text: str) -> tuple[Any, tuple[list[int], list[int]]]:
    """Return a tokenizer, and the marks that it puts before and behind a sentence."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # an extra

    tokenizer = Tokenizer.from_str(text)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    marked = tokenizer.encode("a")
    inner = [at for at, mark in enumerate(marked.special_tokens_mask) if not mark]
    first, last = (inner[0], inner[-1] + 1) if inner else (len(marked.ids), len(marked.ids))
    return tokenizer, (list(marked.ids[:first]), list(marked.ids[last:]))


def _network(folder: EncoderFolder, layer: int) -> tuple[Network, int]:
    """Return the network with its weights, and the layer that it ends with."""
    import torch  # noqa: PLC0415  # an extra
    from transformers import AutoConfig  # noqa: PLC0415  # an extra

    # Keys with _ could name other implementations, which would be fetched.
    plain = {
        name: value
        for name, value in folder.config.items()
        if not name.startswith("_") and name not in _PASSED_OVER
    }
    config = AutoConfig.for_model(**plain)
    layers = config.num_hidden_layers
    if not 0 < layers <= folder.tensors:
        raise InputError(
            shown(folder.path), 0, f"config.json has {layers} layers, model.safetensors has not"
        )
    if not 0 <= layer <= layers:
        raise UsageError(f"there is no layer {layer}; the encoder has {layers}")
    layer = layer or max(round(2 * layers / 3), 1)
    config.num_hidden_layers = layer  # what is above is not needed
    if isinstance(getattr(config, "layer_types", None), list):
        config.layer_types = config.layer_types[:layer]
    with torch.device("meta"):  # nothing is reserved before the shapes are known to fit
        empty = _made(config)
    reserved = [*empty.parameters(), *empty.buffers()]
    if sum(tensor.numel() * 4 for tensor in reserved) > most_bytes():
        raise InputError(
            shown(folder.path), 0, "config.json is of a larger encoder than its weights"
        )
    shapes = {name: tuple(tensor.shape) for name, tensor in empty.named_parameters()}
    weights = _read_weights(folder, shapes, f"{empty.base_model_prefix}.")
    network = _made(config)
    network.load_state_dict(weights, strict=False, assign=True)
    return network.requires_grad_(False), layer  # noqa: FBT003  # the name of PyTorch


def _made(config: Any) -> Network:
    from transformers import AutoModel  # noqa: PLC0415  # an extra

    network = AutoModel.from_config(config, attn_implementation="eager", trust_remote_code=False)
    if hasattr(network, "pooler"):
        network.pooler = None  # what a sentence is as a whole is not asked for
    return network


def _read_weights(
    folder: EncoderFolder, shapes: Mapping[str, tuple[int, ...]], prefix: str
) -> dict[str, Tensor]:
    """Return the weights of a network, all of which must be there and have its shapes."""
    from safetensors import safe_open  # noqa: PLC0415  # an extra

    weights = {}
    for file in folder.weights:
        with safe_open(file, framework="pt") as opened:
            for key in opened.keys():  # noqa: SIM118  # it is no dictionary
                name = key.removeprefix(prefix)
                for old, new in (
                    ("LayerNorm.gamma", "LayerNorm.weight"),
                    ("LayerNorm.beta", "LayerNorm.bias"),
                ):
                    name = name.replace(old, new)
                if name in shapes:
                    weights[name] = opened.get_tensor(key).float()
                    if not weights[name].isfinite().all():
                        raise InputError(shown(file), 0, f"{key} has what is not a number")
    for name, shape in shapes.items():
        if name not in weights or tuple(weights[name].shape) != shape:
            there = "is missing" if name not in weights else "has another shape"
            raise InputError(
                shown(folder.path), 0, f"the weights do not fit config.json: {name} {there}"
            )
    return weights
