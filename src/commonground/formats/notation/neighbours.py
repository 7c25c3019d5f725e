"""Files that another file names as parts of itself; they stand in the same folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

__all__ = ["neighbour"]


def neighbour(path: str, name: str) -> str | None:
    """Return the file beside `path` with this name (``file:a.xml`` or ``a.xml``), or None.

    A name says where to read, and a stranger may have written it: it leads to no other folder, not
    even by a link, and to nothing but a file.

    >>> neighbour("corpus.xml", "file:../secret.xml") is None
    True
    """
    bare = name.removeprefix("file:").removeprefix("./")
    here = Path(path)
    if "\0" in bare or "\\" in bare or PurePosixPath(bare).name != bare or not here.is_file():
        return None
    there = here.parent / bare
    if not there.is_file() or there.samefile(here):
        return None
    return str(there) if there.resolve().parent == here.parent.resolve() else None
