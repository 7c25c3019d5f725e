"""Files that were uploaded: evaluated, and saved as any other result."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, get_args

from commonground.errors import CommonGroundError, InputError, UsageError, quoted
from commonground.evaluation.compare import compare
from commonground.evaluation.pairs import Pair
from commonground.evaluation.request import Options, Request
from commonground.evaluation.result import Origin, Result
from commonground.evaluation.run import evaluate_files
from commonground.evaluation.saved import write_result
from commonground.formats import read as read_treebank
from commonground.formats.storage.files import write_bytes
from commonground.metrics.settings import Mismatch
from commonground.serve.folder import Folder, safe_name
from commonground.serve.words import in_words

__all__ = ["WAYS", "Schemes", "Sent", "Upload", "evaluated"]

WAYS = {
    name: text
    for name, text in (
        ("skip", "leave these sentences out"),
        ("zero", "count them as wrong"),
    )
    if name in get_args(Mismatch)
}
"""What can be done where sentences or words differ, besides stopping: as the page says it."""

_COMPRESSED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent: the name it had, and its content."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent to be evaluated: one gold standard, its parses, and how to score them."""

    gold: Upload
    parses: tuple[Upload, ...]
    preset: str = ""
    on_mismatch: str = ""

    @property
    def files(self) -> list[tuple[str, Upload]]:
        """The files, with what the page calls each of them."""
        return [("gold standard", self.gold), *(("parse", parse) for parse in self.parses)]


@dataclass(frozen=True, slots=True)
class Schemes:
    """What was sent to be compared: a gold standard and a parse for each system."""

    systems: tuple[tuple[Upload, Upload], ...]

    @property
    def files(self) -> list[tuple[str, Upload]]:
        """The files, with what the page calls each of them."""
        return [
            (f"{what} of system {number}", file)
            for number, pair in enumerate(self.systems, 1)
            for what, file in zip(("gold standard", "parse"), pair, strict=True)
        ]


def evaluated(folder: Folder, sent: Sent | Schemes) -> Path:
    """Evaluate or compare uploaded files, keep them with the result, and return its path.

    Nothing is kept of files that cannot be evaluated.
    """
    for role, file in sent.files:
        # A small file could hold any amount, so that the limit would say nothing.
        if file.content.startswith(_COMPRESSED):
            name = f"The {role} {safe_name(file.name)}"
            raise InputError(name, 0, "it is compressed; unpack it first")
    place = folder.new_upload()
    kept = _kept(place, [file for _, file in sent.files])
    roles = {
        str(place / name): (f"The {role}", safe_name(file.name))
        for name, (role, file) in zip(kept, sent.files, strict=True)
    }
    try:
        if isinstance(sent, Sent):
            result: Result = _evaluation(place, kept, sent)
        else:
            result = _comparison(place, kept, sent)
        path = place / f"{_title(sent)}.json"
        write_result(result, path)
    except BaseException as error:
        shutil.rmtree(place)
        if isinstance(error, CommonGroundError):
            raise UsageError(in_words(error, roles)) from error
        raise
    return path


def _title(sent: Sent | Schemes) -> str:
    """Return what a result is called: by the names of its parses."""
    parses = sent.parses if isinstance(sent, Sent) else [parse for _, parse in sent.systems]
    return "-".join(dict.fromkeys(PurePath(safe_name(parse.name)).stem for parse in parses))[:80]


def _kept(place: Path, files: Sequence[Upload]) -> list[str]:
    """Write files under their own names, a second one of a name with a number; return the names."""
    names: list[str] = []
    for file in files:
        name, number = PurePath(safe_name(file.name)), 1
        if name.suffix == ".json":  # which is what results are
            name = name.with_suffix(".json.txt")
        unique = name.name
        while unique in names:
            number += 1
            unique = f"{name.stem}-{number}{name.suffix}"
        write_bytes(place / unique, [file.content])
        names.append(unique)
    return names


def _systems(parses: Sequence[Upload]) -> list[str]:
    """Return what parses are called: by their files, and a second one of a name by its number.

    >>> _systems([Upload("mine.conllu", b""), Upload("mine.conllu", b""), Upload("b.mrg", b"")])
    ['mine', 'mine (2)', 'b']
    """
    names: list[str] = []
    for number, parse in enumerate(parses, 1):
        stem = PurePath(safe_name(parse.name)).stem
        names.append(f"{stem} ({number})" if stem in names else stem)
    return names


def _evaluation(place: Path, kept: Sequence[str], sent: Sent) -> Result:
    gold, *parses = kept
    files = dict(zip(_systems(sent.parses), parses, strict=True))
    if sent.on_mismatch not in ("", *WAYS):
        raise UsageError(f"on-mismatch cannot be {quoted(sent.on_mismatch)}")
    mismatch: Any = sent.on_mismatch or None
    options = Options(preset=sent.preset or None, on_mismatch=mismatch)
    pairs = [Pair(str(place / gold), str(place / file), name) for name, file in files.items()]
    evaluation = evaluate_files(pairs, settings=options.settings(), sentences=True)
    request = Request.made(
        kept, str(place), verb="evaluate", gold=gold, parses=files, options=options
    )
    words = ["commonground", "evaluate", gold, *(f"{n}={f}" for n, f in files.items())]
    words += ["--preset", sent.preset] if sent.preset else []
    words += ["--on-mismatch", sent.on_mismatch] if sent.on_mismatch else []
    return replace(evaluation, origin=_origin(words, request))


def _comparison(place: Path, kept: Sequence[str], sent: Schemes) -> Result:
    golds, parses = kept[::2], kept[1::2]
    names = _systems([parse for _, parse in sent.systems])
    pairs = dict(zip(names, zip(golds, parses, strict=True), strict=True))
    read = {name: read_treebank(place / name) for name in kept}
    comparison = compare({name: (read[gold], read[parse]) for name, (gold, parse) in pairs.items()})
    request = Request.made(kept, str(place), verb="compare", systems=pairs)
    words = ["commonground", "compare", *(f"{n}={g}:{p}" for n, (g, p) in pairs.items())]
    return replace(comparison, origin=_origin(words, request))


def _origin(words: Sequence[str], request: Request) -> Origin:
    command = shlex.join([*words, "--output-format", "json"])
    return Origin(request=request, command=command)
