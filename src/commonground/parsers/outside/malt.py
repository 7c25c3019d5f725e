"""MaltParser (Nivre, Hall & Nilsson 2006), with any of its option files and feature models.

``commonground parsers install malt`` fetches version 1.9.0; another one is taken from ``jar``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.parsers.model_file import Stored
from commonground.parsers.outside.command_line import CommandModel, Program, trained_by
from commonground.parsers.outside.jars import class_path, missing_jar, remember_jar
from commonground.parsers.outside.places import jars_of
from commonground.parsers.parser import Parser, TrainingTask

__all__ = ["JAVA_OBJECTS", "PARSERS", "MaltSettings", "malt_version", "memory_or_refuse"]

JAVA_OBJECTS = "its model has objects of Java, which can run code when they are loaded"

_PARSE = "{java} -Xmx{memory} -jar {jar} -w {folder} -c model -i {input} -o {output} -m parse"


@dataclass(frozen=True, slots=True)
class MaltSettings:
    """The settings of MaltParser.

    `algorithm` is one of MaltParser's (``nivreeager``, ``nivrestandard``, ``stackproj``,
    ``stacklazy``, …); `options` a file of options and `features` a feature model, both XML; `jar`
    another jar than the installed one.
    """

    algorithm: str = "nivreeager"
    options: str = ""
    features: str = ""
    memory: str = "2g"
    jar: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+", self.algorithm):
            raise ValueError(f"there is no algorithm {self.algorithm!r} in MaltParser")
        memory_or_refuse(self.memory)


def memory_or_refuse(text: str) -> None:
    """Refuse what Java would not take as an amount of memory."""
    if not re.fullmatch(r"[0-9]+[kmg]", text):
        raise ValueError(f"the memory is {text!r}; 2g is an example")


def _train(task: TrainingTask) -> CommandModel:
    settings: MaltSettings = task.settings
    parts = ["{java} -Xmx{memory} -jar {jar} -w {folder} -c model -i {train} -m learn"]
    values = {"memory": settings.memory, "jar": class_path("malt", settings.jar)}
    if settings.options:
        parts.append("-f {options}")
        values["options"] = _file(settings.options)
    else:
        parts.append(f"-a {settings.algorithm}")
    if settings.features:
        parts.append("-F {features}")
        values["features"] = _file(settings.features)
    program = Program(" ".join(parts), _PARSE)
    model = trained_by("malt", program, task, values)
    remember_jar("malt", settings.jar)
    return model


def _file(path: str) -> str:
    if not Path(path).is_file():
        raise UsageError(f"{path} is not a file")
    return str(Path(path).resolve())


def _load(stored: Stored) -> CommandModel:
    values = {"memory": MaltSettings().memory, "jar": class_path("malt")}
    return CommandModel("malt", Program("", _PARSE), stored.array("files", "|u1"), values)


def malt_version() -> str:
    """Return the version in the name of the installed jar."""
    match = re.search(r"-([0-9.]+)\.jar$", jars_of("malt")[0].name) if jars_of("malt") else None
    return match[1] if match else ""


PARSERS = {
    "malt": Parser(
        name="malt",
        title="MaltParser, transition-based (Nivre et al. 2006)",
        corpus=Dependencies,
        settings=MaltSettings,
        train=_train,
        load=_load,
        missing=lambda settings: missing_jar("malt", settings.jar),
        version=malt_version,
        runs_code=lambda: JAVA_OBJECTS,
        program="java (MaltParser)",
        files=("jar", "options", "features"),
        projective=lambda settings: not settings.algorithm.startswith(("stack", "covnonproj")),
    )
}
