"""Results that were saved: the JSON of ``evaluate`` and ``compare``, read back.

A saved result has the counts of every sentence, so that whatever follows from counts (tests,
intervals, tables, reports) can be done without the treebanks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import commonground.evaluation.read_options  # noqa: F401  # signatures leave its defaults out
from commonground.errors import InputError, setting, utf8
from commonground.evaluation.request import Request
from commonground.evaluation.result import Result, Score, System, find_kind, find_system
from commonground.evaluation.saved_scores import SavedFile, saved_system, summed_score
from commonground.formats.storage.files import read_bytes, shown
from commonground.grid import Grid

__all__ = [
    "Saved",
    "fair",
    "read_json",
    "read_result",
    "result_of",
]

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Saved(Result):
    """A saved result: the `path` it was read from, its systems with their scores, and the rest.

    The scores of ``compare`` are called ``common_attached``, ``single_labelled``,
    ``multiple_unlabelled`` and so on. `request` is what was asked for, `command`
    how, `tests` what was tested; `data` is the whole JSON. Its tables are those of the result that
    was saved, and it can be tested and plotted as that one.
    """

    kind: ClassVar[str] = "saved"

    path: str
    verb: str
    signature: str
    systems: tuple[System, ...]
    command: str
    request: Request
    tests: tuple[Json, ...]
    data: Json = field(repr=False)

    def system(self, name: str) -> System:
        """Return a system by its name."""
        return find_system({system.name: system for system in self.systems}, name)

    def whole(self) -> Result:
        """Return the evaluation or the comparison that was saved."""
        data = {"kind": _KINDS[self.verb], **self.data}
        return find_kind(data, self.path).from_json(data, self.path)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON that was read."""
        return dict(self.data)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = "<memory>") -> Saved:
        """Return the saved result that JSON holds."""
        return result_of(dict(data), path)

    def grids(self, **options: Any) -> list[Grid]:
        """Return the tables of the result that was saved."""
        return self.whole().grids(**options)

    def records(self) -> list[dict[str, Any]]:
        """Return the numbers of the result that was saved as flat rows."""
        return self.whole().records()

    def tested(self) -> tuple[System, ...]:
        """Return the systems with the scores that are fair to test between them."""
        return fair(self.verb, self.systems)

    @cached_property
    def files(self) -> Mapping[str, tuple[System, ...]]:
        """The systems on each of several files, by its name; what is saved of it are sums."""
        try:
            listed = {each["name"]: each.get("pairs", []) for each in self.data["systems"]}
            names = [str(pair["name"]) for pair in next(iter(listed.values()))]
            return {
                name: tuple(
                    replace(
                        system,
                        scores=_of_pair(self.path, system, listed[system.name][place]),
                        kept=None,
                    )
                    for system in self.systems
                )
                for place, name in enumerate(names)
            }
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            message = f"its pairs of files are not as evaluate writes them: {error}"
            raise InputError(self.path, 0, message) from error


def _of_pair(path: str, system: System, pair: Json) -> dict[str, Score]:
    """Return the scores of a system on one of several files."""
    return {
        name: summed_score(path, score.metric, pair["metrics"][name])
        for name, score in system.scores.items()
    }


_KINDS = {"evaluate": "evaluation", "compare": "comparison"}
"""The kinds of the results that verbs save."""


def read_result(path: str | os.PathLike[str]) -> Saved:
    """Read what ``evaluate`` or ``compare`` wrote with ``--output-format json``.

    The file may be compressed, ``-`` is standard input.
    """
    return result_of(read_json(path), shown(path))


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a file with a JSON object, which is what results of all verbs are."""
    name = shown(path)
    data = _parsed(read_bytes(path), name)
    if not isinstance(data, dict):
        raise InputError(name, 0, "this is not a result: it is not a JSON object, {…}")
    return data


def _parsed(content: bytes, path: str) -> Any:
    try:
        return json.loads(utf8(content, path))
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        if not content.lstrip().startswith(b"{"):  # no damaged result, but another kind of file
            message = (
                "not a saved result; evaluate, compare and others write one with "
                f"{setting('output_format', 'json')}"
            )
        raise InputError(path, error.lineno, message) from error
    except (RecursionError, ValueError) as error:  # too deep, or a number of too many digits
        raise InputError(path, 0, "this JSON is not a result") from error


def result_of(data: dict[str, Any], name: str) -> Saved:
    """Return the result that JSON holds; `name` is that of its file."""
    what = "this is not a result of evaluate or compare"
    file = SavedFile(name)
    systems = [file.object(each, "a system") for each in file.list(data, "systems", what)]
    if not systems:
        raise InputError(name, 0, f"{what}: it has no systems")
    compared = "multiple" in systems[0]
    found = tuple(saved_system(file, each, compared=compared) for each in systems)
    names = [system.name for system in found]
    if len(set(names)) < len(names):
        file.refuse("two systems have the same name")
    return Saved(
        path=name,
        verb="compare" if compared else "evaluate",
        signature=file.text(data, "signature"),
        systems=found,
        command=file.text(data, "command") if "command" in data else "",
        request=Request.from_json(file.object(data.get("request", {}), "request"), name),
        tests=tuple(
            file.object(each, "a test") for each in file.list({"tests": [], **data}, "tests", what)
        ),
        data=data,
    )


def fair(verb: str, systems: tuple[System, ...]) -> tuple[System, ...]:
    """Return systems with the scores that are fair between them.

    Of ``compare`` these are the shares of the common ground and MULTIPLE; SINGLE is about another
    gold standard for each system.
    """
    if verb == "evaluate":
        return systems
    from commonground.evaluation.protocols import FAIR  # noqa: PLC0415  # it imports much

    return tuple(
        replace(system, scores={n: s for n, s in system.scores.items() if n in FAIR})
        for system in systems
    )
