"""Files that were uploaded: evaluated, and saved as any other result."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from commonground.errors import CommonGroundError, InputError, UsageError
from commonground.evaluation.pairs import Pair
from commonground.evaluation.request import Options, Request
from commonground.evaluation.run import evaluate_files
from commonground.formats.files import write_bytes
from commonground.report.json_text import json_text
from commonground.serve.folder import Folder, safe_name

__all__ = ["Upload", "evaluated"]

_COMPRESSED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent: the name it had, and its content."""

    name: str
    content: bytes


def evaluated(folder: Folder, gold: Upload, parses: Sequence[Upload], preset: str) -> Path:
    """Evaluate uploaded files, keep them with the result, and return the path of the result.

    Nothing is kept of files that cannot be evaluated.
    """
    for file in (gold, *parses):
        # A small file could hold any amount, so that the limit would say nothing.
        if file.content.startswith(_COMPRESSED):
            raise InputError(safe_name(file.name), 0, "it is compressed; unpack it first")
    place = folder.new_upload()
    try:
        return _saved(place, gold, parses, preset)
    except BaseException as error:
        for kept in place.iterdir():
            kept.unlink()
        place.rmdir()
        if isinstance(error, CommonGroundError):
            raise UsageError(str(error).replace(f"{place}/", "")) from error
        raise


def _saved(place: Path, gold: Upload, parses: Sequence[Upload], preset: str) -> Path:
    gold_file = _kept(place, "gold", gold)
    files: dict[str, str] = {}
    for number, parse in enumerate(parses, 1):
        name = PurePath(safe_name(parse.name)).stem
        name = f"{name} ({number})" if name in files else name
        files[name] = _kept(place, f"parse{number}", parse)
    options = Options(preset=preset or None)
    pairs = [Pair(str(place / gold_file), str(place / file), name) for name, file in files.items()]
    found = evaluate_files(pairs, settings=options.settings(), sentences=True)
    request = Request.made(
        (gold_file, *files.values()),
        str(place),
        verb="evaluate",
        gold=gold_file,
        parses=files,
        options=options,
    )
    words = ["commonground", "evaluate", gold_file, *(f"{n}={f}" for n, f in files.items())]
    words += ["--preset", preset] if preset else []
    result = {
        "command": shlex.join([*words, "--output-format", "json"]),
        "request": request.to_json(),
        **found.to_json(),
    }
    path = place / "result.json"
    write_bytes(path, [json_text(result).encode()])
    return path


def _kept(place: Path, role: str, file: Upload) -> str:
    """Write an uploaded file into its folder, and return the name it has there."""
    name = f"{role}-{safe_name(file.name)}"
    write_bytes(place / name, [file.content])
    return name
