"""Files in zip archives, as they are downloaded: ``treebank.zip:folder/dev.conllu``.

Nothing is unpacked to the disk, and no more than a treebank can have (see compression.py).
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import IO

from commonground.errors import InputError, nearest, quoted

__all__ = ["archive_of", "members_told", "open_member"]

_NAME = re.compile(r"(.+\.zip):([^:]+)", re.IGNORECASE | re.DOTALL)
_LISTED = 5


def archive_of(name: str) -> tuple[str, str] | None:
    """Return the archive and the file in it that a name stands for, None where it is a file.

    >>> archive_of("dev.conllu"), archive_of("no-such.zip:dev.conllu")
    (None, None)
    """
    match = _NAME.fullmatch(name)
    if match is None or Path(name).exists() or not Path(match[1]).is_file():
        return None
    return match[1], match[2]


def open_member(archive: str, member: str) -> IO[bytes]:
    """Open a file of an archive; closing it closes the archive."""
    from commonground.formats.storage.compression import bounded  # noqa: PLC0415  # as this file

    shown = f"{archive}:{member}"
    try:
        opened = zipfile.ZipFile(archive)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(archive, 0, f"damaged archive: {error}") from error
    try:
        info = opened.getinfo(member)
        content = opened.open(info)
    except KeyError:
        raise InputError(shown, 0, _not_there(opened, member)) from None
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, ValueError) as error:
        raise InputError(shown, 0, f"cannot be unpacked: {error}") from error
    # The archive itself says how large its files are; none is larger than the archive.
    return bounded(content, min(info.compress_size, Path(archive).stat().st_size), shown)


def members_told(archive: str) -> str:
    """Return the names of the first files of an archive, as a message tells them."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return _told(opened)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        return f"it is damaged: {error}"


def _told(archive: zipfile.ZipFile) -> str:
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    return (", ".join(map(quoted, names[:_LISTED])) + ", …" * (len(names) > _LISTED)) or "no files"


def _not_there(archive: zipfile.ZipFile, member: str) -> str:
    """Say which files an archive has."""
    near = nearest(member, archive.namelist()[:1000])
    return f"there is no such file in the archive; it has {_told(archive)}{near}"
