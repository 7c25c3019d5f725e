"""Model files of other programs, and any command: UDPipe, MaltParser, ``command:'…'``."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.formats.registry import read, read_text, write, write_text
from commonground.parsers.outside.command_line import bare, called, parsed_as
from commonground.parsers.outside.jars import class_path, missing_jar
from commonground.parsers.outside.malt import JAVA_OBJECTS, MaltSettings, malt_version
from commonground.parsers.outside.places import lacking, package_version
from commonground.parsers.pipelines.pipeline import Pipeline, PipelineKind

__all__ = ["KINDS"]


def _file(path: str) -> Path:
    if not Path(path).is_file():
        raise InputError(path, 0, "there is no such file; a model is expected")
    return Path(path).resolve()


# ── UDPipe ───────────────────────────────────────────────────────────────────────────────────────


def _load_udpipe(path: str) -> Pipeline:
    from ufal import udpipe  # noqa: PLC0415  # an extra

    model = udpipe.Model.load(str(_file(path)))
    if not model:
        raise InputError(path, 0, "this is not a model of UDPipe 1")
    return Pipeline(
        f"udpipe:{path}",
        {"ufal.udpipe": package_version("ufal.udpipe")},
        {"model": Path(path).name},
        partial(_udpipe, udpipe, model, "tokenize"),
        lambda corpus: _tagged_as(corpus, _udpipe_words(udpipe, model, corpus)),
    )


def _udpipe(udpipe: Any, model: Any, source: str, text: str) -> Dependencies:
    default = udpipe.Pipeline.DEFAULT
    pipeline = udpipe.Pipeline(model, source, default, default, "conllu")
    error = udpipe.ProcessingError()
    made = pipeline.process(text, error)
    if error.occurred() and "tagger" in error.message:  # it may have learned to parse only
        pipeline = udpipe.Pipeline(model, source, udpipe.Pipeline.NONE, default, "conllu")
        error = udpipe.ProcessingError()
        made = pipeline.process(text, error)
    if error.occurred():
        raise UsageError(f"UDPipe failed: {error.message.strip()}")
    corpus = read_text(made, "conllu", partial=True)
    assert isinstance(corpus, Dependencies)
    return corpus


def _udpipe_words(udpipe: Any, model: Any, corpus: Dependencies) -> Dependencies:
    return _udpipe(udpipe, model, "conllu", write_text(bare(corpus), "conllu"))


def _tagged_as(corpus: Dependencies, parsed: Dependencies) -> Dependencies:
    with_trees: Dependencies = parsed_as(corpus, parsed, "udpipe")
    columns = {name: parsed.words[name] for name in ("lemma", "upos", "xpos", "feats")}
    return with_trees.replace("words", **columns)


# ── MaltParser ───────────────────────────────────────────────────────────────────────────────────

_MALT = "{java} -Xmx{memory} -jar {jar} -w {folder} -c {name} -i {input} -o {output} -m parse"


def _load_malt(path: str) -> Pipeline:
    file, jar = _file(path), class_path("malt")
    if file.suffix != ".mco":
        raise InputError(path, 0, "a model of MaltParser is a file .mco")

    def annotate(corpus: Dependencies) -> Dependencies:
        with tempfile.TemporaryDirectory() as scratch:
            source, target = Path(scratch) / "input", Path(scratch) / "output"
            write(bare(corpus), source, "conllx")
            places = {"folder": file.parent, "name": file.stem, "input": source, "output": target}
            called(_MALT, {"memory": MaltSettings().memory, "jar": jar, **places})
            parsed = read(target, "conllx", partial=True)
        made: Dependencies = parsed_as(corpus, parsed, "malt")
        return made

    versions = {"MaltParser": malt_version()}
    return Pipeline(f"malt:{path}", versions, {"trees": file.name}, annotate=annotate)


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


def _load_command(template: str) -> Pipeline:
    """Return the system that a command line is: text in, CoNLL-U out.

    The text comes from standard input or the file {input}; CoNLL-U goes to standard output or the
    file {output}. It is run in the present folder, for each piece of a long text once.
    """

    def analyse(text: str) -> Dependencies:
        with tempfile.TemporaryDirectory() as scratch:
            source, target = Path(scratch) / "input.txt", Path(scratch) / "output.conllu"
            values = {"input": source, "output": target}
            source.write_bytes(text.encode())
            given = "" if "{input}" in template else text
            printed = called(template, values, given=given, folder=Path.cwd())
            made = printed
            if "{output}" in template:
                if not target.exists():
                    raise UsageError(f"command:{template} has written no parses")
                made = target.read_text(encoding="utf-8")
        corpus = read_text(made.rstrip("\n") + "\n\n", "conllu", partial=True)
        assert isinstance(corpus, Dependencies)
        return corpus

    return Pipeline(f"command:{template}", {}, {}, analyse)


KINDS = {
    "udpipe": PipelineKind(
        "udpipe",
        "udpipe:french.udpipe",
        "a model file of UDPipe 1",
        _load_udpipe,
        lambda: lacking("ufal.udpipe", "udpipe"),
    ),
    "malt": PipelineKind(
        "malt",
        "spacy:MODEL+malt:french.mco",
        "a model file of MaltParser, with words and tags of another system",
        _load_malt,
        lambda: missing_jar("malt"),
        lambda _: JAVA_OBJECTS,
    ),
    "command": PipelineKind(
        "command",
        "command:'PROGRAM …'",
        "a command line: text in, CoNLL-U out (standard input and output, or {input}, {output})",
        _load_command,
        lambda: "",
    ),
}
