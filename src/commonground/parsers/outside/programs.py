"""Programs that are called by command lines: those that people know, and their own.

A program of one's own is described in ``programs.toml`` in the user's data folder:

    [mine]
    train = "mytrainer --data {train} --model {model} --seed {seed}"
    parse = "myparser --model {model} {input} {output}"
    format = "conllu"            # of what it reads and writes
    kind = "dependencies"        # or "constituents"

and used as ``train FILE --parser command --set program=mine``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.errors import InputError, UsageError
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_utf8
from commonground.parsers.model_file import Stored
from commonground.parsers.outside.command_line import (
    CommandModel,
    Program,
    one_a_line,
    trained_by,
)
from commonground.parsers.outside.jars import class_path, missing_jar, remember_jar
from commonground.parsers.outside.malt import JAVA_OBJECTS, memory_or_refuse
from commonground.parsers.outside.places import data_folder
from commonground.parsers.parser import Parser, TrainingTask

__all__ = ["PARSERS", "CommandSettings", "JarSettings", "own_program"]


# ── programs in a jar ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class JarSettings:
    """The settings of a program in Java: the path of its `jar` (or a class path of several)."""

    jar: str = ""
    memory: str = "4g"

    def __post_init__(self) -> None:
        memory_or_refuse(self.memory)


_MST = "{java} -Xmx{memory} -classpath {jar} mstparser.DependencyParser"
_SECOND_ORDER = "order:2 decode-type:proj"
_BERKELEY = "{java} -Xmx{memory} -cp {jar} edu.berkeley.nlp.PCFGLA"

_JARS = {
    "mstparser": (
        "MSTParser, second-order projective (McDonald & Pereira 2006)",
        Dependencies,
        Program(
            f"{_MST} train train-file:{{train}} model-name:{{model}} {_SECOND_ORDER}",
            f"{_MST} test test-file:{{input}} model-name:{{model}} output-file:{{output}} "
            f"{_SECOND_ORDER}",
        ),
    ),
    "berkeley": (
        "Berkeley parser, split and merged PCFG (Petrov et al. 2006)",
        Constituents,
        Program(
            f"{_BERKELEY}.GrammarTrainer -path {{train}} -out {{model}} -treebank SINGLEFILE",
            f"{_BERKELEY}.BerkeleyParser -gr {{model}} -inputFile {{input}} -outputFile {{output}}",
            format="brackets",
            plain=one_a_line,
        ),
    ),
}


def _jar_parser(name: str, title: str, kind: type[Corpus], program: Program) -> Parser:
    def values(settings: JarSettings) -> dict[str, str]:
        return {"jar": class_path(name, settings.jar), "memory": settings.memory}

    def train(task: TrainingTask) -> CommandModel:
        model = trained_by(name, program, task, values(task.settings))
        remember_jar(name, task.settings.jar)
        return model

    def load(stored: Stored) -> CommandModel:
        return CommandModel(name, program, stored.array("files", "|u1"), values(JarSettings()))

    return Parser(
        name=name,
        title=title,
        corpus=kind,
        settings=JarSettings,
        train=train,
        load=load,
        missing=lambda settings: missing_jar(name, settings.jar),
        projective=lambda _: kind is Dependencies,
        runs_code=lambda: JAVA_OBJECTS,
        program=f"java ({name})",
        files=("jar",),
    )


# ── programs of one's own ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """Which `program` of ``programs.toml``."""

    program: str = ""


def own_program(name: str) -> tuple[Program, type[Corpus]]:
    """Return a program that the user's file describes, and what it parses."""
    path = data_folder() / "programs.toml"
    if not path.is_file():
        raise UsageError(f"programs are described in {path}, which does not exist")
    known = parse_toml(read_utf8(path, "programs in TOML are"), str(path))
    entry = known.get(name)
    if not isinstance(entry, dict):
        raise UsageError(f"{path} has no program {name!r}; it has {', '.join(known) or 'none'}")
    return _program(entry, str(path), name)


_KINDS: dict[str, type[Corpus]] = {"dependencies": Dependencies, "constituents": Constituents}


def _program(entry: dict[str, Any], path: str, name: str) -> tuple[Program, type[Corpus]]:
    allowed = {"train": "", "parse": "", "format": "conllu", "output": "", "kind": "dependencies"}
    for key, value in entry.items():
        if key not in allowed or not isinstance(value, str):
            known = ", ".join(allowed)
            raise InputError(path, 0, f"[{name}] {key}: texts are expected, called {known}")
    values = {**allowed, **entry}
    if not values["train"] or not values["parse"] or values["kind"] not in _KINDS:
        raise InputError(
            path, 0, f"[{name}] needs train, parse, and kind = dependencies or constituents"
        )
    return Program(values["train"], values["parse"], values["format"], values["output"]), _KINDS[
        values["kind"]
    ]


def _train_own(task: TrainingTask) -> CommandModel:
    name = task.settings.program
    program, kind = own_program(name)
    if not isinstance(task.corpus, kind):
        raise UsageError(f"{name} is for {kind.kind}, but this is {task.corpus.kind}")
    return trained_by("command", program, task, {}, {"program": name})


def _load_own(stored: Stored) -> CommandModel:
    name = stored.value("program", str)
    program, _ = own_program(name)
    kept = {"program": name}
    return CommandModel("command", program, stored.array("files", "|u1"), {"seed": "0"}, kept)


PARSERS: dict[str, Parser] = {
    name: _jar_parser(name, title, kind, program) for name, (title, kind, program) in _JARS.items()
}
PARSERS["command"] = Parser(
    name="command",
    title="Any other program, by its command lines (see programs.toml in the docs)",
    corpus=Corpus,
    settings=CommandSettings,
    train=_train_own,
    load=_load_own,
    partial=True,
    program="a program of programs.toml",
    runs_code=lambda: "its model goes to a program of yours, which may run what is in it",
)
