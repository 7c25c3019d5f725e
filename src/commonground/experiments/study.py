"""The folder of a study as a whole: what the last run was, cleaning it, and handing it on."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.experiments.plan import Input, Plan
from commonground.experiments.run import Outcome
from commonground.experiments.store import Store
from commonground.formats.files import write_bytes
from commonground.formats.folders import files_of

__all__ = ["clean", "export", "kept_study"]

_STUDY = "study.json"


def kept_study(plan: Plan, outcomes: Mapping[str, Outcome], folder: Path) -> None:
    """Note what a run was: its recipe, its inputs and the outcomes that it used."""
    inputs: dict[str, str] = {}
    for cell in plan.cells:
        for need in cell.needs:
            if isinstance(need, Input):
                inputs[need.name] = need.path
    data = {
        "recipe": Path(plan.recipe.path).name,  # its text is beside it, wherever it came from
        "inputs": inputs,
        "outcomes": [
            {
                "step": each.cell.title,
                "digest": each.digest,
                "state": _ended(each),
                "reason": each.reason,
            }
            for each in outcomes.values()
        ],
    }
    recipe = folder / "recipe.toml"
    if not recipe.exists() or recipe.read_text(encoding="utf-8") != plan.recipe.text:
        write_bytes(recipe, [plan.recipe.text.encode()])
    write_bytes(folder / _STUDY, [(json.dumps(data, indent=1) + "\n").encode()])


def _ended(outcome: Outcome) -> str:
    """Return how a step ended, whether it was done now or before."""
    return "done" if outcome.state == "kept" else outcome.state


def _study(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / _STUDY).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(folder), 0, "this is not a folder of an experiment") from error
    except ValueError as error:
        raise InputError(str(folder / _STUDY), 0, f"not JSON: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get("outcomes"), list):
        raise InputError(str(folder / _STUDY), 0, "this does not describe a study")
    return found


def clean(folder: Path, *, everything: bool = False) -> tuple[int, int]:
    """Remove the outcomes that the last run did not use, or all; return how many, and how large."""
    store = Store(folder / "store")
    used = set() if everything else {store.place(e["digest"]) for e in _study(folder)["outcomes"]}
    number = size = 0
    for place, _ in list(store.kept()):
        if place not in used:
            size += sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
            number += 1
            shutil.rmtree(place)
    store.sweep()
    return number, size


def export(folder: Path, target: str) -> None:
    """Pack a study into an archive: recipe, copies of the inputs, tables, and what was used."""
    study = _study(folder)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, path in sorted(_packed(folder, study)):
            info = tarfile.TarInfo(f"study/{name}")
            content = path.read_bytes()
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        note = _how(study).encode()
        info = tarfile.TarInfo("study/README.txt")
        info.size = len(note)
        archive.addfile(info, io.BytesIO(note))
    write_bytes(target, [buffer.getvalue()])


def _packed(folder: Path, study: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    for name in ("recipe.toml", _STUDY):
        yield name, folder / name
    for path in (folder / "tables").glob("*"):
        yield f"tables/{path.name}", path
    store = Store(folder / "store")
    for outcome in study["outcomes"]:
        place = store.place(outcome["digest"])
        for path in place.rglob("*"):
            if path.is_file():
                yield path.relative_to(folder).as_posix(), path
    for name, given in study["inputs"].items():
        for file in files_of(given):
            if not file.startswith("example:"):
                yield f"inputs/{name}/{Path(file).name}", Path(file)


def _how(study: Mapping[str, Any]) -> str:
    inputs = " ".join(
        f"--input {name}=inputs/{name}"
        for name, path in study["inputs"].items()
        if not path.startswith("example:")
    )
    return (
        "This study was made by commonground. In this folder,\n\n"
        f"    commonground experiment run recipe.toml --into . {inputs}\n\n"
        "makes its tables again; what is in store/ is not done twice. Remove store/ to do all of "
        "it.\n"
    )
