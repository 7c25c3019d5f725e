"""Which encoder a trained model needs, and where it is on this computer.

A model file names no folder, since it may come from somebody else; it has the name and the digest
of its encoder. That one is looked for in the folder (or folders) of the environment variable
``COMMONGROUND_ENCODER``, else where the last training with it found it, which is remembered in the
user's data folder.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from commonground.errors import UsageError
from commonground.formats.storage.files import write_bytes
from commonground.parsers.model_file import ModelError
from commonground.parsers.neural.encoder import PIECES, Encoder, load_encoder
from commonground.parsers.neural.encoder_folder import EncoderFolder, read_folder
from commonground.parsers.outside.places import data_folder

__all__ = ["ENCODER", "NeededEncoder", "loaded_encoder", "remember"]

ENCODER = "COMMONGROUND_ENCODER"


@dataclass(frozen=True, slots=True)
class NeededEncoder:
    """The encoder of a model: its name and digest, and what is taken of it.

    If it is `tuned`, its weights have learned with the parser and are in the model file.
    """

    name: str
    digest: str
    layer: int
    pieces: str
    tuned: bool

    @classmethod
    def of(cls, encoder: Encoder, *, tuned: bool) -> NeededEncoder:
        """Return how a model names an encoder."""
        folder = encoder.folder
        return cls(folder.name, folder.digest, encoder.layer, encoder.pieces, tuned)

    @classmethod
    def read(cls, entry: Any) -> NeededEncoder:
        """Make it from the metadata of a model."""
        try:
            needed = cls(**entry)
        except TypeError as error:
            raise ModelError("its encoder is not described as it should be") from error
        texts = isinstance(needed.name, str) and isinstance(needed.digest, str)
        if (
            not texts
            or not re.fullmatch("[0-9a-f]{64}", needed.digest)
            or needed.pieces not in PIECES
            or type(needed.layer) is not int
            or needed.layer < 1
            or type(needed.tuned) is not bool
        ):
            raise ModelError("its encoder is not described as it should be")
        return needed

    def __str__(self) -> str:
        return f"{self.name[:60]!r} (SHA-256 {self.digest[:12]}…)"

    def load(self, device: Any) -> Encoder:
        """Load the encoder from where it is, or refuse another one."""
        return loaded_encoder(self, str(device), os.environ.get(ENCODER, ""))

    def folder(self, named: str) -> EncoderFolder:
        """Return where the encoder is: in the folders that are named, or where it was last."""
        for place in filter(None, named.split(os.pathsep)):
            folder = read_folder(place)
            if folder.digest == self.digest:
                return folder
            other = f"the encoder in {place} is another one (SHA-256 {folder.digest[:12]}…)"
        if named:
            raise UsageError(f"{other}; the model was trained with {self}")
        known = _remembered(self.digest)
        if known.is_file() and Path(place := known.read_text("utf-8")).is_dir():
            folder = read_folder(place)
            if folder.digest == self.digest:
                return folder
        raise UsageError(
            f"the model needs the encoder {self}, which was not found; set {ENCODER} to its folder"
        )


@lru_cache(maxsize=2)
def loaded_encoder(needed: NeededEncoder, device: str, named: str) -> Encoder:
    """Load an encoder, once for all files that are parsed with it."""
    return load_encoder(
        needed.folder(named), layer=needed.layer, pieces=needed.pieces, device=device
    )


def remember(folder: EncoderFolder) -> None:
    """Remember where an encoder is, for models that are trained with it."""
    place = _remembered(folder.digest)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(place, [str(folder.path.resolve()).encode()])


def _remembered(digest: str) -> Path:
    return data_folder() / "encoders" / digest
