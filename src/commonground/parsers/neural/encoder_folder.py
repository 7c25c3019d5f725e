"""The folder of an encoder on the user's disk, looked at before anything of it is loaded.

It is one of Hugging Face's: ``config.json`` says what the network is, ``tokenizer.json`` how words
are cut into pieces, ``model.safetensors`` (or the parts that ``model.safetensors.index.json``
names) has the weights. All of these are data. Weights that are pickled, and code that a folder
brings along, are refused, whoever trusts them: they can be converted once. Nothing is fetched.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import InputError, UsageError
from commonground.formats.storage.files import shown
from commonground.parsers.model_file import most_bytes
from commonground.parsers.neural.tokenizer_growth import growth
from commonground.parsers.outside.places import lacking

__all__ = ["KINDS", "EncoderFolder", "lacking_for_encoders", "read_folder"]

KINDS = (
    *("bert", "camembert", "deberta-v2", "distilbert", "electra", "ernie", "modernbert"),
    *("mpnet", "roberta", "xlm-roberta"),
)
"""The kinds of networks that are used (`model_type`): all see a whole sentence at once."""

_CONFIG, _TOKENIZER, _WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
_INDEX = f"{_WEIGHTS}.index.json"
_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.bin")
_MOST_TEXT, _MOST_JSON = 1 << 26, 1 << 22
"""How long a tokenizer may be, and what else is JSON, which can take twenty times its length."""

_WIDTHS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2}


@dataclass(frozen=True, slots=True)
class EncoderFolder:
    """What a folder has: the `config` of the network, the `tokenizer`, the files of `weights`.

    `tensors` is how many tensors the files have, `digest` the SHA-256 of all that numbers depend
    on, by which a model knows its encoder again, wherever it is.
    """

    path: Path
    config: Mapping[str, Any]
    tokenizer: str
    weights: tuple[Path, ...]
    tensors: int
    digest: str

    @property
    def name(self) -> str:
        """What people call it: the name of the folder."""
        return self.path.resolve().name


def lacking_for_encoders() -> str:
    """Return what has to be installed for encoders, the empty string if nothing."""
    return lacking("torch", "encoders") or lacking("transformers", "encoders")


def read_folder(path: str | os.PathLike[str]) -> EncoderFolder:
    """Look at the folder of an encoder, or say in one line what is wrong with it."""
    folder = Path(path)
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {shown(path)}; an encoder is a folder with {_CONFIG}, "
            f"{_TOKENIZER} and {_WEIGHTS}"
        )
    config = _object(folder / _CONFIG)
    for name in (_CONFIG, "tokenizer_config.json"):
        if (folder / name).exists() and "auto_map" in _object(folder / name):
            raise InputError(
                shown(folder / name),
                0,
                "the encoder brings code of its own (auto_map), which is never run; save it as a "
                f"network that transformers has itself ({', '.join(KINDS)})",
            )
    if config.get("model_type") not in KINDS:
        raise InputError(
            shown(folder / _CONFIG),
            0,
            f"the model_type is {config.get('model_type')!r:.40}; {', '.join(KINDS)} can be used",
        )
    weights = _weights(folder)
    if not (folder / _TOKENIZER).is_file():
        raise InputError(
            shown(folder),
            0,
            f"it has no {_TOKENIZER}; {_conversion('AutoTokenizer', folder)} makes it",
        )
    tokenizer = _text(folder / _TOKENIZER, _MOST_TEXT)
    if wrong := growth(_parsed(folder / _TOKENIZER, tokenizer)):
        raise InputError(shown(folder / _TOKENIZER), 0, wrong)
    most, needed, tensors = most_bytes(), 0, 0
    for file in weights:
        here, numbers = _contents(file)
        tensors, needed = tensors + here, needed + 4 * numbers
    if needed > most:
        raise InputError(
            shown(folder),
            0,
            f"the encoder needs {needed / (1 << 30):.1f} GB of memory, more than a model may have; "
            "COMMONGROUND_MODEL_MEMORY (in GB, 0 is any) allows more",
        )
    return EncoderFolder(folder, config, tokenizer, weights, tensors, _digest(folder, weights))


def _conversion(kind: str, folder: Path) -> str:
    """Return the command that converts a folder that the user trusts."""
    place = f"'{shown(folder)}'"
    code = f"from transformers import {kind} as A; A.from_pretrained({place})"
    return f'python -c "{code}.save_pretrained({place})"'


def _text(file: Path, most: int) -> str:
    """Return the text of a file, which must not be too long."""
    try:
        if file.exists() and not file.is_file():
            raise InputError(shown(file), 0, "it is no file")
        if file.stat().st_size > most:
            raise InputError(shown(file), 0, f"it has more than {most >> 20} MB")
        return file.read_text("utf-8")
    except FileNotFoundError:
        message = f"an encoder is a folder with {_CONFIG}, {_TOKENIZER} and {_WEIGHTS}"
        raise InputError(shown(file), 0, f"there is no such file; {message}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(shown(file), 0, f"it cannot be read as text ({error})") from error


def _object(file: Path) -> dict[str, Any]:
    """Return the JSON object that a file is."""
    return _parsed(file, _text(file, _MOST_JSON))


def _parsed(file: Path, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(shown(file), 0, f"it is not JSON ({error})") from error
    if not isinstance(content, dict):
        raise InputError(shown(file), 0, "it is JSON, but not an object, which is expected")
    return content


def _weights(folder: Path) -> tuple[Path, ...]:
    """Return the files of the weights, which are all in the folder."""
    if (folder / _WEIGHTS).is_file():
        return (folder / _WEIGHTS,)
    if (folder / _INDEX).is_file():
        parts = _object(folder / _INDEX).get("weight_map")
        names = sorted(set(parts.values())) if isinstance(parts, dict) and _plain(parts) else []
        files = tuple(folder / name for name in names)
        if files and all(file.is_file() for file in files):
            return files
        raise InputError(
            shown(folder / _INDEX), 0, "its weight_map does not name files of this folder"
        )
    if pickled := [name for name in _PICKLED if (folder / name).exists()]:
        raise InputError(
            shown(folder / pickled[0]),
            0,
            "pickled weights can run any code and are not loaded; if you trust whoever made them, "
            f"{_conversion('AutoModel', folder)} writes {_WEIGHTS}",
        )
    raise InputError(shown(folder), 0, f"it has no {_WEIGHTS}, the weights of an encoder")


def _plain(parts: Mapping[str, Any]) -> bool:
    """Tell whether all names are those of files beside the index."""
    return all(
        isinstance(name, str) and name.endswith(".safetensors") and Path(name).name == name
        for name in parts.values()
    )


def _contents(file: Path) -> tuple[int, int]:
    """Return how many tensors a file of weights has, and how many numbers, by its header alone."""
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            length = int.from_bytes(opened.read(8), "little")
            header = json.loads(opened.read(min(length, _MOST_JSON)))
        entries = [entry for name, entry in header.items() if name != "__metadata__"]
        return len(entries), sum(_numbers(entry, size - 8 - length) for entry in entries)
    except (
        OSError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise InputError(
            shown(file), 0, f"these are no weights in safetensors ({error})"
        ) from error


def _numbers(entry: Mapping[str, Any], end: int) -> int:
    """Return how many numbers a tensor has, which must be as many as the file has for it."""
    first, last = entry["data_offsets"]
    count = math.prod(entry["shape"])
    if not 0 <= first <= last <= end or min(entry["shape"], default=1) < 0:
        raise ValueError("a tensor is not inside of the file")
    if entry["dtype"] in _WIDTHS and last - first != count * _WIDTHS[entry["dtype"]]:
        raise ValueError("a tensor is not as large as it says")
    return int(count)


def _digest(folder: Path, weights: tuple[Path, ...]) -> str:
    every = hashlib.sha256()
    for file in (folder / _CONFIG, folder / _TOKENIZER, *weights):
        with file.open("rb") as opened:
            every.update(hashlib.file_digest(opened, "sha256").digest())
    return every.hexdigest()
