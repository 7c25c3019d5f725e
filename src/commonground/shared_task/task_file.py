"""The file of a shared task: what is scored, how, and what happens to broken submissions.

::

    title = "Parsing of examples"
    preset = "conll18"              # as which program to score; see evaluate --preset
    metrics = ["las", "uas"]
    rank-by = "las"
    gold = "gold"                   # the secret trees, a file for each treebank
    input = "data/input"            # the same files as participants get them
    treebanks = ["en", "ta"]        # what the files are called, up to the suffix
    baselines = ["baseline"]        # teams that are shown without a rank

    [rules]
    on-mismatch = "zero"            # sentences that are missing or have other words
    on-error = "zero"               # files that cannot be scored
    counts = "last"                 # which submission of a team counts: last or best
    test = "shuffle"                # between all teams

A preset task (``presets/NAME.toml``) has the same keys, and says where its rules come from.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from commonground.errors import InputError, UsageError, nearest
from commonground.evaluation.decoding import decoded
from commonground.evaluation.option_settings import settings_of
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_utf8, shown
from commonground.metrics.settings import Mismatch, Settings

__all__ = [
    "TASK_FILE",
    "Rules",
    "Task",
    "find_preset",
    "preset_file",
    "preset_names",
    "read_task",
    "task_text",
]

TASK_FILE = "task.toml"
_PRESETS = Path(__file__).with_name("presets")


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """What happens to submissions that are not as they should be, and which of them count."""

    on_mismatch: Mismatch | None = None
    on_error: Literal["zero", "skip", "fail"] = "zero"
    counts: Literal["last", "best"] = "last"
    test: str = "shuffle"


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A shared task; paths are relative to `folder`, which is where its file is."""

    title: str
    preset: str = ""
    metrics: tuple[str, ...] = ()
    rank_by: str = ""
    gold: str = "gold"
    input: str = "data/input"
    treebanks: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    partial: bool = False
    evalb_prm: str = ""
    rules: Rules = Rules()
    source: str = ""
    verified: str = ""
    folder: str = ""

    def path(self, name: str) -> Path:
        """Return where something of the task is."""
        return Path(self.folder) / name

    def options(self) -> dict[str, Any]:
        """Return how submissions are scored, under the names of the options of ``evaluate``."""
        options = {
            "preset": self.preset,
            "metrics": self.metrics,
            "rank-by": self.rank_by,
            "on-mismatch": self.rules.on_mismatch,
            "on-error": self.rules.on_error,
            "partial": self.partial,
            "evalb-prm": str(self.path(self.evalb_prm)) if self.evalb_prm else "",
        }
        return {name: value for name, value in options.items() if value}

    def settings(self) -> Settings:
        """Return what counts in the scores."""
        named = {name.replace("-", "_"): value for name, value in self.options().items()}
        known = ("on_mismatch", "evalb_prm")
        return settings_of(
            {
                "preset": self.preset or None,
                **{name: named[name] for name in known if name in named},
            }
        )


def read_task(path: str | os.PathLike[str] = ".") -> Task:
    """Return the task of a folder, or of a file."""
    file = Path(path)
    if file.is_dir():
        file /= TASK_FILE
    if not file.is_file():
        raise InputError(
            shown(path), 0, f"there is no {TASK_FILE} here; is it the folder of a task?"
        )
    text = read_utf8(file, "a task in TOML")
    task = decoded(parse_toml(text, shown(file)), Task, shown(file), TASK_FILE)
    _refuse_outside(task, shown(file))
    known = msgspec.structs.replace(task, folder=str(file.parent))
    known.settings()  # an unknown preset is refused at once
    return known


def _refuse_outside(task: Task, path: str) -> None:
    """Refuse paths that lead out of the folder; a task file can come from anybody."""
    for key in ("gold", "input", "evalb_prm"):
        value = Path(getattr(task, key))
        if value.is_absolute() or ".." in value.parts:
            name = key.replace("_", "-")
            raise InputError(path, 0, f"{name}: {value} is outside of the folder of the task")
    for name in task.treebanks:
        if not name or Path(name).name != name:
            raise InputError(
                path, 0, f"treebanks: {name!r} is no name of a file without its suffix"
            )


def preset_names() -> list[str]:
    """Return the names of the tasks whose rules are known.

    >>> "conll18" in preset_names()
    True
    """
    return sorted(file.stem for file in _PRESETS.glob("*.toml"))


def find_preset(name: str) -> Task:
    """Return the rules of a task that was held.

    >>> find_preset("conll18").rank_by
    'las'
    """
    if name not in preset_names():
        raise UsageError(
            f"there is no task {name!r}; there are {', '.join(preset_names())}"
            f"{nearest(name, preset_names())}"
        )
    file = _PRESETS / f"{name}.toml"
    task = decoded(parse_toml(file.read_text(encoding="utf-8"), name), Task, name, name)
    return msgspec.structs.replace(task, folder=str(_PRESETS))


def preset_file(name: str) -> bytes:
    """Return a file that the rules of a preset name, such as parameters of evalb."""
    return (_PRESETS / name).read_bytes()


def task_text(task: Task, remarks: Mapping[str, str]) -> str:
    """Return a task as a file, with a remark behind some keys."""
    lines = []
    for key, value in msgspec.to_builtins(task).items():
        if key in ("folder", "rules") or value in ("", (), [], False):
            continue
        lines.append(_line(key, value, remarks))
    lines += ["", "[rules]"]
    rules = msgspec.to_builtins(task.rules)
    lines += [_line(key, value, remarks) for key, value in rules.items() if value is not None]
    return "\n".join(lines) + "\n"


def _line(key: str, value: object, remarks: Mapping[str, str]) -> str:
    written = msgspec.json.encode(value).decode()
    return f"{key} = {written}" + (f"  # {remarks[key]}" if key in remarks else "")
