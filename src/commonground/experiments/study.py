"""The folder of a study as a whole: what the last run was, cleaning it, and handing it on."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shlex
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.experiments.plan import Plan, RecipeInput, planned
from commonground.experiments.recipe import read_recipe
from commonground.experiments.run import CellOutcome
from commonground.experiments.store import ABOUT, Store
from commonground.formats.storage.files import write_bytes
from commonground.formats.storage.folders import beginning, is_many

__all__ = ["clean", "export", "is_study", "kept_plan", "kept_study"]

_STUDY = "study.json"


def kept_study(plan: Plan, outcomes: Mapping[str, CellOutcome], folder: Path) -> None:
    """Note what a run is: its recipe, its inputs and the outcomes that it uses.

    Before it has ended, those are the ones that are planned.
    """
    inputs: dict[str, str] = {}
    for cell in plan.cells:
        for need in cell.needs:
            if isinstance(need, RecipeInput):
                inputs[need.name] = _absolute(need.path)
    cells = {cell.digest: cell for cell in plan.cells}
    data = {
        "recipe": Path(plan.recipe.path).name,  # its text is beside it, wherever it came from
        "inputs": inputs,
        "outcomes": [
            {"step": cell.title, "digest": digest, "state": "to do", "reason": ""}
            if (ended := outcomes.get(digest)) is None
            else {
                "step": cell.title,
                "digest": ended.digest,
                "state": _ended(ended),
                "reason": ended.reason,
            }
            for digest, cell in cells.items()
        ],
    }
    recipe = folder / "recipe.toml"
    folder.mkdir(parents=True, exist_ok=True)
    if not recipe.exists() or recipe.read_text(encoding="utf-8") != plan.recipe.text:
        write_bytes(recipe, [plan.recipe.text.encode()])
    write_bytes(folder / _STUDY, [(json.dumps(data, indent=1) + "\n").encode()])


def kept_plan(folder: Path) -> tuple[Plan, dict[str, str]]:
    """Return what the last run in a folder was: its plan, and why steps of it failed."""
    study = _study(folder)
    inputs = {name: path for name, path in study["inputs"].items() if isinstance(path, str)}
    plan = planned(read_recipe(folder / "recipe.toml"), inputs)
    return plan, {each["step"]: each["reason"] for each in study["outcomes"] if each["reason"]}


def is_study(path: str) -> bool:
    """Tell whether a path is a folder that an experiment has run in."""
    return (Path(path) / _STUDY).is_file()


def _absolute(path: str) -> str:
    """Return a path that means the same from everywhere; what comes along does anyway."""
    return path if path.startswith(_BUNDLED) else os.path.abspath(path)  # noqa: PTH100  # patterns stay


_BUNDLED = "example:"


def _ended(outcome: CellOutcome) -> str:
    """Return how a step ended, whether it was done now or before."""
    return "done" if outcome.state == "kept" else outcome.state


def _study(folder: Path) -> dict[str, Any]:
    try:
        saved = json.loads((folder / _STUDY).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(folder), 0, "this is not a folder of an experiment") from error
    except ValueError as error:
        raise InputError(str(folder / _STUDY), 0, f"not JSON: {error}") from error
    if not _describes_study(saved):
        raise InputError(str(folder / _STUDY), 0, "this does not describe a study")
    return dict(saved)


def _describes_study(data: Any) -> bool:
    """Tell whether JSON has the parts of a study; digests are names of folders, and no paths."""
    if not isinstance(data, dict) or not isinstance(data.get("outcomes"), list):
        return False
    inputs = data.get("inputs")
    return (
        isinstance(inputs, dict)
        and all(isinstance(path, str) for path in inputs.values())
        and all(re.fullmatch(r"\w+", name) for name in inputs)
        and all(
            isinstance(each, dict)
            and all(isinstance(each.get(key), str) for key in ("step", "digest", "reason"))
            and re.fullmatch(r"[0-9a-f]{64}", each["digest"])
            for each in data["outcomes"]
        )
    )


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


def export(folder: Path, target: str) -> list[str]:
    """Pack a study into an archive: recipe, copies of the inputs, tables, and what was used.

    What is told, a line each: files from outside the folder that were copied, and paths in the
    recipe that others will not have. Paths of this computer do not stand in the archive otherwise:
    those of inputs become their places there, that of the folder a dot.
    """
    study = _study(folder)
    given = {name: path for name, path in study["inputs"].items() if not _bundled(path)}
    packed = {name: _packed_input(name, path) for name, path in given.items()}
    moved = {**study["inputs"], **{name: where for name, (where, _) in packed.items()}}
    note = json.dumps({**study, "inputs": moved}, indent=1) + "\n"
    texts = {_STUDY: note, "README.txt": _how({name: moved[name] for name in given})}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        files = dict(_packed(folder, study))
        files |= {name: path for _, each in packed.values() for name, path in each.items()}
        places = _places(folder, study["inputs"], moved)
        for name in sorted({*files, *texts}):
            raw = texts[name].encode() if name in texts else files[name].read_bytes()
            content = raw if name.startswith("inputs/") else _moved(name, raw, places)
            if name.endswith(f"/{ABOUT}"):
                content = _with_digests(content, files[name].parent, name, places)
            info = tarfile.TarInfo(f"study/{name}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    write_bytes(target, [buffer.getvalue()])
    inside = folder.resolve()
    copied = {str(path) for _, each in packed.values() for path in each.values()}
    outside = sorted(path for path in copied if inside not in Path(path).resolve().parents)
    recipe = _moved("recipe.toml", (folder / "recipe.toml").read_bytes(), places).decode()
    return [
        *(f"{path} is copied into the archive" for path in outside),
        *(f"the recipe names {path}, which others do not have" for path in _absolute_in(recipe)),
    ]


def _absolute_in(text: str) -> list[str]:
    """Return the texts of a recipe that are absolute paths.

    >>> _absolute_in('jar = "/opt/mst.jar", of = "a/b"')
    ['/opt/mst.jar']
    """
    quoted = re.findall(r"\"([^\"\n]+)\"|'([^'\n]+)'", text)
    paths = {one or two for one, two in quoted}
    return sorted(path for path in paths if re.match(r"/\w|[A-Za-z]:[\\/]", path))


def _places(
    folder: Path, inputs: Mapping[str, str], moved: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return the paths of this computer that may stand in a study, longest first, and new ones."""
    known = {path: moved[name] for name, path in inputs.items() if Path(path).is_absolute()}
    known |= {
        file: f"inputs/{name}/{Path(os.path.relpath(file, beginning(path))).as_posix()}"
        for name, path in inputs.items()
        if Path(path).is_absolute()
        for file in RecipeInput(name, path).files
    }
    known |= {str(folder.resolve()): ".", str(folder.absolute()): "."}
    return sorted(known.items(), key=lambda pair: -len(pair[0]))


def _moved(name: str, content: bytes, places: Sequence[tuple[str, str]]) -> bytes:
    """Return a file with the places in the archive, as seen from the file, for those of here."""
    up = "../" * name.count("/")
    for here, there in places:
        for form in {here, json.dumps(here)[1:-1]}:
            content = content.replace(form.encode(), f"{up}{there}".encode())
    return content


def _with_digests(
    content: bytes, folder: Path, name: str, places: Sequence[tuple[str, str]]
) -> bytes:
    """Return what is noted about an outcome, with the digests of its files as they are packed."""
    try:
        about = json.loads(content)
        above = name.removesuffix(ABOUT)
        about["files"] = {
            file: hashlib.sha256(
                _moved(f"{above}{file}", (folder / file).read_bytes(), places)
            ).hexdigest()
            for file in about["files"]
        }
    except (ValueError, KeyError, TypeError, OSError):
        return content  # it is damaged here, too
    return json.dumps(about, indent=1).encode()


def _bundled(path: str) -> bool:
    return path.startswith(_BUNDLED)


def _packed_input(name: str, path: str) -> tuple[str, dict[str, Path]]:
    """Return where an input is in the archive, and its files there.

    Files of a folder or pattern keep their names as seen from where it begins.
    """
    begin = beginning(path)
    files = {
        f"inputs/{name}/{Path(os.path.relpath(file, begin)).as_posix()}": Path(file)
        for file in RecipeInput(name, path).files
    }
    if is_many(path):
        rest = "" if Path(path).is_dir() else "/" + Path(os.path.relpath(path, begin)).as_posix()
        return f"inputs/{name}{rest}", files
    return f"inputs/{name}/{Path(path).name}", files


def _packed(folder: Path, study: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    yield "recipe.toml", folder / "recipe.toml"
    for part in ("tables", "figures"):
        for path in (folder / part).glob("*"):
            yield f"{part}/{path.name}", path
    if (folder / "report.html").is_file():
        yield "report.html", folder / "report.html"
    store = Store(folder / "store")
    for outcome in study["outcomes"]:
        place = store.place(outcome["digest"])
        for path in place.rglob("*"):
            if path.is_file():
                yield path.relative_to(folder).as_posix(), path


def _how(inputs: Mapping[str, str]) -> str:
    given = " ".join(f"--input {shlex.quote(f'{name}={path}')}" for name, path in inputs.items())
    return (
        "This study was made by commonground. In this folder,\n\n"
        f"    commonground experiment run recipe.toml --into . {given}".rstrip()
        + "\n\n"
        "makes its tables again; what is in store/ is not done twice. Remove store/ to start "
        "again.\n"
    )
