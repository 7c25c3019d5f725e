"""Version 3 of the NEGRA export format, for writing; the module ``export`` reads both versions."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.corpus import Constituents
from commonground.formats.codecs import export

__all__ = ["FORMAT"]


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file without lemmas."""
    return export.write_version(corpus, 3)


FORMAT = export.FORMAT._replace(
    name="export3",
    title="the NEGRA export format, version 3",
    looks_like=lambda _: 0.0,
    write=write,
    aliases=("negra3",),
    start=export.start_of(3),
)
