"""MaltParser (Nivre, Hall & Nilsson 2006), with any of its option files and feature models.

``commonground parsers install malt`` fetches version 1.9.0; another one is taken from ``jar``.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.parsers.model_file import Stored
from commonground.parsers.outside.command_line import CommandModel, Program, trained_by
from commonground.parsers.outside.jars import class_path, missing_jar, remember_jar
from commonground.parsers.outside.malt_features import candidates, default_features, searched
from commonground.parsers.outside.places import jars_of
from commonground.parsers.parser import Parser, TrainingStep, TrainingTask

__all__ = ["JAVA_OBJECTS", "PARSERS", "MaltSettings", "malt_version", "memory_or_refuse"]

JAVA_OBJECTS = "its model has objects of Java, which can run code when they are loaded"

_PARSE = "{java} -Xmx{memory} -jar {jar} -w {folder} -c model -i {input} -o {output} -m parse"


@dataclass(frozen=True, slots=True)
class MaltSettings:
    """The settings of MaltParser.

    `algorithm` is one of MaltParser's (``nivreeager``, ``nivrestandard``, ``stackproj``,
    ``stacklazy``, …); `options` a file of options and `features` a feature model, both XML; `jar`
    another jar than the installed one. With `search`, features are added to the model that help on
    held-out sentences: the dev part, or every fifth sentence.
    """

    algorithm: str = "nivreeager"
    options: str = ""
    features: str = ""
    memory: str = "2g"
    jar: str = ""
    search: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+", self.algorithm):
            raise ValueError(f"there is no algorithm {self.algorithm!r} in MaltParser")
        memory_or_refuse(self.memory)


def memory_or_refuse(text: str) -> None:
    """Refuse what Java would not take as an amount of memory."""
    if not re.fullmatch(r"[0-9]+[kmg]", text):
        raise ValueError(f"the memory is {text!r}; 2g is an example")


def _train(task: TrainingTask) -> CommandModel:
    if not task.settings.search:
        return _trained(task, task.settings.features)
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "features.xml"
        text, chosen = _searched_features(task, place)
        place.write_text(text, encoding="utf-8")
        return _trained(task, str(place), {"features": list(chosen)})


def _searched_features(task: TrainingTask, place: Path) -> tuple[str, tuple[str, ...]]:
    """Return the feature model that is best on held-out sentences, and what was added to it."""
    settings: MaltSettings = task.settings
    start = (
        Path(_file(settings.features)).read_text(encoding="utf-8")
        if settings.features
        else default_features(class_path("malt", settings.jar), settings.algorithm)
    )
    every = np.arange(len(task.corpus)) % 5 == 4
    learn, held = task.corpus, task.dev
    if held is None:
        learn, held = (
            task.corpus.take(np.flatnonzero(~every)),
            task.corpus.take(np.flatnonzero(every)),
        )
    groups = candidates(task.corpus, settings.algorithm)
    tried = 0

    def score(text: str) -> float:
        nonlocal tried
        place.write_text(text, encoding="utf-8")
        try:
            parse = _trained(replace(task, corpus=learn), str(place)).parse(held)
        except UsageError:
            if not tried:
                raise
            return 0.0  # MaltParser does not know these features
        reached = _labelled_attachment(held, parse)
        tried += 1
        task.watch(TrainingStep(tried, len(groups) + 1, 1 - reached, score=reached))
        return reached

    text, chosen, _ = searched(start, groups, score)
    return text, chosen


def _labelled_attachment(gold: Dependencies, parse: Dependencies) -> float:
    """Return the share of words with the right head and label, punctuation included."""
    right = (gold.head == parse.head) & np.array(
        [one == other for one, other in zip(gold.deprel, parse.deprel, strict=True)], np.bool_
    )
    return float(right.mean()) if len(right) else 0.0


def _trained(
    task: TrainingTask, features: str, kept: Mapping[str, Any] | None = None
) -> CommandModel:
    settings: MaltSettings = task.settings
    parts = ["{java} -Xmx{memory} -jar {jar} -w {folder} -c model -i {train} -m learn"]
    values = {"memory": settings.memory, "jar": class_path("malt", settings.jar)}
    if settings.options:
        parts.append("-f {options}")
        values["options"] = _file(settings.options)
    else:
        parts.append(f"-a {settings.algorithm}")
    if features:
        parts.append("-F {features}")
        values["features"] = _file(features)
    program = Program(" ".join(parts), _PARSE)
    model = trained_by("malt", program, task, values, kept)
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
