"""UDPipe 1 (Straka & Straková 2017), from the package ``ufal.udpipe``."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import MissingExtraError, UsageError
from commonground.formats.registry import read_text, write_text
from commonground.parsers.model_file import Stored
from commonground.parsers.outside.command_line import parsed_as
from commonground.parsers.outside.folder_model import Bytes
from commonground.parsers.outside.places import package_needed, package_version
from commonground.parsers.outside.silence import silence
from commonground.parsers.parser import Parser, TrainingTask

__all__ = ["PARSERS", "UdpipeModel", "UdpipeSettings"]


@dataclass(frozen=True, slots=True)
class UdpipeSettings:
    """The settings of UDPipe's parser, as its manual names them."""

    iterations: int = 20
    transition_system: str = "projective"
    transition_oracle: str = "dynamic"
    structured_interval: int = 8
    hidden_layer: int = 200
    learning_rate: float = 0.02


@dataclass(frozen=True)
class UdpipeModel:
    """A model of UDPipe, as the bytes of its own file."""

    content: Bytes

    def parse(self, corpus: Dependencies, /) -> Any:
        """Return the corpus with the trees that UDPipe makes."""
        udpipe = _package()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            path.write_bytes(self.content.tobytes())
            model = udpipe.Model.load(str(path))
        if not model:
            raise UsageError("UDPipe cannot read its model")
        pipeline = udpipe.Pipeline(
            model, "conllu", udpipe.Pipeline.NONE, udpipe.Pipeline.DEFAULT, "conllu"
        )
        error = udpipe.ProcessingError()
        text = pipeline.process(write_text(corpus, "conllu"), error)
        if error.occurred():
            raise UsageError(f"UDPipe failed: {error.message}")
        return parsed_as(corpus, read_text(text, "conllu", partial=True), "udpipe")

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        return Stored("udpipe", {}, {"files": self.content})


def _package() -> Any:
    try:
        from ufal import udpipe  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the parser udpipe", "udpipe") from error
    return udpipe


def _train(task: TrainingTask) -> UdpipeModel:
    udpipe, settings = _package(), task.settings
    options = {
        "iterations": settings.iterations,
        "embedding_form_file": "",
        "embedding_upostag": 20,
        "embedding_feats": 20,
        "embedding_xpostag": 0,
        "embedding_form": 50,
        "embedding_deprel": 20,
        "transition_system": settings.transition_system,
        "transition_oracle": settings.transition_oracle,
        "structured_interval": settings.structured_interval,
        "hidden_layer": settings.hidden_layer,
        "learning_rate": settings.learning_rate,
        "run": task.seed + 1,
    }
    chosen = ";".join(f"{name}={value}" for name, value in options.items() if value != "")
    error = udpipe.ProcessingError()
    with silence():
        model = udpipe.Trainer.train(
            "morphodita_parsito",
            _sentences(udpipe, task.corpus),
            _sentences(udpipe, task.dev) if task.dev is not None else udpipe.Sentences(),
            "none",
            "none",
            chosen,
            error,
        )
    if error.occurred():
        raise UsageError(f"UDPipe failed: {error.message}")
    return UdpipeModel(np.frombuffer(bytes(model), np.uint8))


def _sentences(udpipe: Any, corpus: Dependencies) -> Any:
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(write_text(corpus, "conllu"))
    sentences, sentence, error = udpipe.Sentences(), udpipe.Sentence(), udpipe.ProcessingError()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        raise UsageError(f"UDPipe cannot read the treebank: {error.message}")
    return sentences


PARSERS = {
    "udpipe": Parser(
        name="udpipe",
        title="UDPipe 1 (Straka & Straková 2017)",
        corpus=Dependencies,
        settings=UdpipeSettings,
        train=_train,
        load=lambda stored: UdpipeModel(stored.array("files", "|u1")),
        missing=package_needed("ufal.udpipe", "udpipe"),
        version=lambda: package_version("ufal.udpipe"),
        projective=lambda settings: settings.transition_system == "projective",
    )
}
