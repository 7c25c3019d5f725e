"""How the file of a model begins: with a mark, or with a line of text that names its parser."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["MAGIC", "TEXT", "is_model"]

MAGIC = b"\x89CGMODEL"
TEXT = b"# commonground "
_TEXT_MODEL = re.compile(rb"# commonground [a-z\d-]+ \d+\r?\n")


def is_model(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file begins as a model does; what cannot be read is none."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            start = file.read(64)
    except OSError:
        return False
    return start.startswith(MAGIC) or bool(_TEXT_MODEL.match(start))
