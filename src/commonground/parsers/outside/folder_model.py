"""The model of an outside program: files that only the program understands, in one of ours.

The files are kept packed in the model file, and unpacked into a folder of their own for each call
of the program. They are data to us: nothing in them is executed but by the program itself, which is
never called with this folder as its working directory.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.parsers.model_file import ModelError, most_bytes

__all__ = ["pack", "unpacked"]

Bytes = NDArray[np.uint8]

_WHEN = (1980, 1, 1, 0, 0, 0)
"""The date of every file, so that the same model makes the same bytes."""


def pack(folder: Path) -> Bytes:
    """Return all files of a folder as one array."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _WHEN)
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    if buffer.tell() == len(zipfile.ZipFile(buffer).namelist()):
        raise UsageError("the program has not made a model")
    return np.frombuffer(buffer.getvalue(), np.uint8)


@contextmanager
def unpacked(content: Bytes) -> Iterator[Path]:
    """Return a folder with the files that an array holds; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="commonground-") as name:
        folder = Path(name)
        try:
            with zipfile.ZipFile(io.BytesIO(content.tobytes())) as archive:
                if sum(info.file_size for info in archive.infolist()) > most_bytes():
                    raise ModelError("its files would need more room than a model may have")
                archive.extractall(folder)  # it drops .. and absolute paths
        except zipfile.BadZipFile as error:
            raise ModelError("its files cannot be unpacked") from error
        yield folder
