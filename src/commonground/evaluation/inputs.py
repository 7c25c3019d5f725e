"""The files of a saved result, found again.

A saved result names the files that it was made of, with their digests. While the files are as they
were, whatever a result does not hold can be found out from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from commonground.errors import InputError
from commonground.evaluation.request import Request, located
from commonground.formats.storage.files import STANDARD, digest

__all__ = ["InputFiles", "find_inputs"]


@dataclass(frozen=True, slots=True)
class InputFiles:
    """Where the files of a saved result are now: in the working directory, or beside the result.

    `missing` says about each file that is not as it was why it cannot be used; a result without any
    is as good as new.
    """

    folder: str = ""
    missing: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """Return where a file is that the result calls by this name."""
        return located(self.folder, name)


def find_inputs(request: Request, result: str) -> InputFiles:
    """Look for the files of a request: from the working directory, then from the result's folder.

    >>> request = Request(gold="gold.conllu", parses={}, inputs={"gold.conllu": ""})
    >>> find_inputs(request, "result.json").missing
    ('gold.conllu: cannot be read: No such file or directory',)
    """
    if not request.whole:
        return InputFiles(missing=("the result does not say which files it was made from",))
    here = InputFiles(missing=tuple(_changed(request, "")))
    folder = str(Path(result).parent)
    if not here.missing or folder == ".":
        return here
    beside = InputFiles(folder, tuple(_changed(request, folder)))
    return min(here, beside, key=lambda inputs: len(inputs.missing))


def _changed(request: Request, folder: str) -> Iterator[str]:
    if STANDARD in request.treebanks():
        yield "standard input cannot be read again"
    for name, system in (request.parsed_by or {}).items():
        yield f"the parses of {name} were made by {system}, and not kept"
    for name, known in request.inputs.items():
        path = located(folder, name)
        if Path(path).exists() and not Path(path).is_file():  # a device may have no end
            yield f"{name} is not a file"
            continue
        try:
            now = digest(path)
        except InputError as error:
            yield f"{name}: {error.message}"
        else:
            if now != known:
                yield f"{name} has changed since"
