"""Any parser that is called from the command line: files in, files out.

A program is described by two templates, one to train and one to parse. In them ``{train}``,
``{dev}``, ``{input}`` and ``{output}`` are files, ``{model}`` is a place in an empty folder where
the program leaves what it learned, ``{seed}`` is a number, ``{python}`` this Python and ``{java}``
Java.
A template is split into words as a shell would; no shell ever sees it. Templates are ours or the
user's own (``programs.toml`` in the user's data folder); they never come out of a model file, which
somebody else may have made. The working directory of a program is an empty folder, and what only
finds further code (``PYTHONPATH`` with relative folders, ``CLASSPATH``) is not handed on: nothing
that a model brings along can be imported.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from commonground.corpus import Constituents, Corpus, Dependencies, Strings
from commonground.errors import UsageError, quoted
from commonground.formats.registry import find_format, read, write
from commonground.parsers.constituency.phrases import phrases_of, with_phrases, without_traces
from commonground.parsers.model_file import Stored
from commonground.parsers.outside.folder_model import Bytes, pack, unpacked
from commonground.parsers.outside.places import java
from commonground.parsers.parser import TrainingTask
from commonground.plurals import number_of

__all__ = ["CommandModel", "Program", "bare", "called", "one_a_line", "parsed_as", "trained_by"]


@dataclass(frozen=True, slots=True)
class Program:
    """What is known of a program: its command lines and the formats of its files.

    `plain` writes the input of a program that wants something of its own (one sentence a line).
    """

    train: str
    parse: str
    format: str = "conllx"
    output: str = ""
    plain: Callable[[Any], str] | None = None


@dataclass(frozen=True)
class CommandModel:
    """What a program has learned, and how it is called to parse."""

    parser: str
    program: Program
    files: Bytes
    values: Mapping[str, str]
    kept: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> type[Corpus]:
        """What the trees are that the program makes, by the format of its files."""
        return Corpus if self.program.output else find_format(self.program.format).corpus

    def parse(self, corpus: Any, /) -> Any:
        """Return the corpus with the trees that the program makes."""
        with unpacked(self.files) as folder, tempfile.TemporaryDirectory() as scratch:
            source, target = Path(scratch) / "input", Path(scratch) / "output"
            if self.program.plain is not None:
                source.write_text(self.program.plain(corpus), encoding="utf-8")
            else:
                write(bare(corpus), source, self.program.format)
            places = {"model": folder / "model", "input": source, "output": target}
            called(self.program.parse, {**self.values, **places, "folder": folder})
            if not target.exists():
                raise UsageError(f"{self.parser} has written no parses")
            parsed = read(target, self.program.output or self.program.format, partial=True)
        return parsed_as(corpus, parsed, self.parser)

    def store(self) -> Stored:
        """Return what a file of the model holds: the program's files, and none of its commands."""
        return Stored(self.parser, dict(self.kept), {"files": self.files})


def trained_by(
    parser: str,
    program: Program,
    task: TrainingTask,
    values: Mapping[str, str],
    kept: Mapping[str, Any] | None = None,
) -> CommandModel:
    """Let a program learn from a corpus; `kept` is what the model file tells beside its files."""
    given = {"seed": str(task.seed), **values}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "learned"
        folder.mkdir()
        places = {"model": folder / "model"}
        for name, corpus in (("train", task.corpus), ("dev", task.dev)):
            places[name] = Path(scratch) / name
            learned = task.corpus if corpus is None else corpus
            write(_traceless(learned), places[name], program.format)
        called(program.train, {**given, **places, "folder": folder})
        return CommandModel(parser, program, pack(folder), given, kept or {})


def _traceless(corpus: Any) -> Any:
    """Return a corpus without traces, which parsers take for words."""
    if not isinstance(corpus, Constituents) or not corpus.traces.any():
        return corpus
    return with_phrases(corpus, phrases_of(corpus, functions=True))


def called(
    template: str, values: Mapping[str, Any], *, given: str = "", folder: Path | None = None
) -> str:
    """Call a program, and return what it printed; where it fails, its last line says why.

    It is called in an empty folder, if none is told, and may read what is `given`.
    """
    known = {"python": sys.executable, "java": java() or "java", **values}
    try:
        words = [word.format_map(known) for word in shlex.split(template)]
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        names = ", ".join(f"{{{name}}}" for name in sorted(known))
        raise UsageError(
            f"the command line {quoted(template, 60)} cannot be filled in ({error}); there are "
            f"{names}"
        ) from error
    if not words:
        raise UsageError("the command line of the program is empty")
    try:
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run(  # noqa: S603  # what the user asks for, without a shell
                words,
                cwd=folder or empty,
                env=_environment(),
                input=given,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
    except OSError as error:
        raise UsageError(f"{words[0]} cannot be called: {error.strerror}") from error
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "it printed nothing").splitlines()
        raise UsageError(f"{Path(words[0]).name} failed ({done.returncode}): {lines[-1][:300]}")
    return done.stdout


_FIND_CODE = ("PYTHONHOME", "PYTHONSTARTUP", "PYTHONPATH", "CLASSPATH", "JDK_JAVA_OPTIONS")


def _environment() -> dict[str, str]:
    """Return the environment of a program: this one, less what names further code to be run.

    Folders of ``PYTHONPATH`` that are absolute are the user's own, and stay.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _FIND_CODE}
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    own = [folder for folder in folders if Path(folder).is_absolute()]
    return {**kept, "PYTHONPATH": os.pathsep.join(own)} if own else kept


def parsed_as(corpus: Any, parsed: Corpus, parser: str) -> Any:
    """Return the corpus with the trees of another one, which must have the same words."""
    if len(parsed) != len(corpus):
        raise UsageError(
            f"{parser} was given {number_of(len(corpus), 'sentence')} and returned {len(parsed)}"
        )
    given = without_traces(corpus) if isinstance(corpus, Constituents) else corpus.tables["words"]
    ours, theirs = given.lengths, parsed.tables["words"].lengths
    other = (ours != theirs).nonzero()[0]
    if len(other):
        at = int(other[0])
        raise UsageError(
            f"{parser} was given {number_of(int(ours[at]), 'word')} in sentence {at + 1} "
            f"and returned {theirs[at]}"
        )
    if isinstance(corpus, Dependencies) and isinstance(parsed, Dependencies):
        return corpus.replace("words", head=parsed.head, deprel=parsed.deprel)
    if isinstance(corpus, Constituents) and isinstance(parsed, Constituents):
        return with_phrases(corpus, phrases_of(parsed, functions=True))
    return parsed


def bare(corpus: Any) -> Any:
    """Return a corpus without its trees, so that no program can look at them."""
    if isinstance(corpus, Constituents):
        lengths = without_traces(corpus).lengths.tolist()
        return with_phrases(corpus, [[(0, n, (("TOP", "_"),))] if n else [] for n in lengths])
    if not isinstance(corpus, Dependencies):
        return corpus
    rows = corpus.words.rows
    place = corpus.words.row_in_sentence()
    return corpus.replace(
        "words",
        head=np.where(place == 0, 0, 1).astype(np.int32),
        deprel=Strings.constant("dep", rows),
    )


def one_a_line(corpus: Constituents) -> str:
    """Return the words of each sentence on a line of their own."""
    words = without_traces(corpus)
    ends, forms = words.offsets.tolist(), words.strings("form").tolist()
    return "".join(" ".join(forms[first:last]) + "\n" for first, last in pairwise(ends))
