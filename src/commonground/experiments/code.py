"""Which code made an outcome: between two releases, the version does not tell."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from commonground.plugins import installed

__all__ = ["code_digest", "source_digest"]

_SOURCES = (".py", ".pyx", ".pxd", ".toml", ".prm")


def code_digest() -> str:
    """Return a digest of the sources of this package: programs, and the data that they go by.

    Packages that add something to it are part of it, with their versions.
    """
    packages = installed()
    if not packages:
        return source_digest()[:12]
    return hashlib.sha256(f"{source_digest()}{packages!r}".encode()).hexdigest()[:12]


@cache
def source_digest() -> str:
    """Return a digest of the sources of this package alone."""
    root = Path(__file__).parents[1]
    hashed = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in _SOURCES):
        hashed.update(path.relative_to(root).as_posix().encode() + b"\0")
        hashed.update(hashlib.sha256(path.read_bytes()).digest())
    return hashed.hexdigest()
