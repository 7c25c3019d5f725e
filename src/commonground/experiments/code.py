"""Which code made an outcome: between two releases, the version does not tell."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from commonground.plugins import installed

__all__ = ["code_digest"]

_SOURCES = (".py", ".pyx", ".pxd", ".toml", ".prm")


@cache
def code_digest() -> str:
    """Return a digest of the sources of this package: programs, and the data that they go by.

    Packages that add something to it are part of it, with their versions.
    """
    root = Path(__file__).parents[1]
    hashed = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in _SOURCES):
        hashed.update(path.relative_to(root).as_posix().encode() + b"\0")
        hashed.update(hashlib.sha256(path.read_bytes()).digest())
    if packages := installed():
        hashed.update(repr(packages).encode())
    return hashed.hexdigest()[:12]
