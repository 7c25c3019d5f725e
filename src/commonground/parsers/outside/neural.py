"""Neural parsers that have command lines of their own: Stanza (Qi et al. 2018) and SuPar.

Both learn from files and write files, in processes of their own. No vectors or language models are
fetched: they learn from the treebank alone. What they leave is PyTorch's; loading such a file can
run code, so a model of theirs is used only where it is trusted. Stanza from 1.10 on loads nothing
but weights (``torch.load(…, weights_only=True)``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.errors import UsageError
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.outside.command_line import CommandModel, Program, trained_by
from commonground.parsers.outside.places import package_needed, package_version
from commonground.parsers.parser import Parser, TrainingTask

__all__ = ["PARSERS", "PICKLED", "StanzaSettings", "SuparSettings", "only_weights"]


# ── Stanza ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class StanzaSettings:
    """The settings of Stanza's parser: how many `steps` it learns, and the code of a `language`."""

    steps: int = 3000
    language: str = "xx"

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise ValueError(f"there are {self.steps} steps; at least 1 is needed")
        if not re.fullmatch(r"[a-z-]+", self.language):
            raise ValueError(f"the language is {self.language!r}; its code is needed, as en")


_STANZA = (
    "{python} -P -m stanza.models.parser --save_dir {folder} --save_name model --lang {language} "
    "--shorthand {language}_treebank --no_pretrain"
)
_STANZA_PROGRAM = Program(
    f"{_STANZA} --mode train --train_file {{train}} --eval_file {{dev}} --max_steps {{steps}} "
    "--no_checkpoint --seed {seed}",
    f"{_STANZA} --mode predict --eval_file {{input}} --output_file {{output}}",
    format="conllu",
)


def _train_stanza(task: TrainingTask) -> CommandModel:
    settings: StanzaSettings = task.settings
    values = {"language": settings.language, "steps": str(settings.steps)}
    return trained_by("stanza", _STANZA_PROGRAM, task, values, {"language": settings.language})


def _load_stanza(stored: Stored) -> CommandModel:
    try:
        language = StanzaSettings(language=stored.value("language", str)).language
    except ValueError as error:
        raise ModelError(str(error)) from error
    kept = {"language": language}
    return CommandModel("stanza", _STANZA_PROGRAM, stored.array("files", "|u1"), kept, kept)


# ── SuPar ────────────────────────────────────────────────────────────────────────────────────────

_METHODS: dict[str, type[Corpus]] = {
    "biaffine_dep": Dependencies,
    "crf_dep": Dependencies,
    "crf2o_dep": Dependencies,
    "crf_con": Constituents,
    "vi_con": Constituents,
}


@dataclass(frozen=True, slots=True)
class SuparSettings:
    """The settings of SuPar: its `method` and a `config` file of its own.

    Methods are biaffine_dep (Dozat & Manning 2017), crf_dep and crf2o_dep (Zhang et al. 2020) for
    dependencies, crf_con and vi_con for constituents; without one, biaffine_dep or crf_con is
    taken, whatever fits the treebank.
    """

    method: str = ""
    config: str = ""

    def __post_init__(self) -> None:
        if self.method and self.method not in _METHODS:
            raise ValueError(f"there is no method {self.method!r}; there are {', '.join(_METHODS)}")


def _supar_program(method: str) -> Program:
    start = f"{{python}} -P -m supar.cmds.{method}"
    device = "--device=-1 --path {model}"
    learn = (
        f"{start} train --build --feat tag char --embed '' --train {{train}} --dev {{dev}} "
        f"--test {{dev}} {device} --seed {{seed}} --conf {{config}}"
    )
    kind = "brackets" if _METHODS[method] is Constituents else "conllx"
    return Program(
        learn, f"{start} predict --data {{input}} --pred {{output}} {device}", format=kind
    )


def _train_supar(task: TrainingTask) -> CommandModel:
    settings: SuparSettings = task.settings
    usual = "biaffine_dep" if isinstance(task.corpus, Dependencies) else "crf_con"
    method = settings.method or usual
    if not isinstance(task.corpus, _METHODS[method]):
        raise UsageError(f"{method} is for {_METHODS[method].kind}; this is {task.corpus.kind}")
    values = {"config": str(Path(settings.config).resolve()) if settings.config else ""}
    return trained_by("supar", _supar_program(method), task, values, {"method": method})


def _load_supar(stored: Stored) -> CommandModel:
    method = stored.value("method", str)
    if method not in _METHODS:
        raise ModelError(f"it has an unknown method {method!r}")
    files = stored.array("files", "|u1")
    return CommandModel("supar", _supar_program(method), files, {}, {"method": method})


PICKLED = "its model is a file of PyTorch, which can run any code when it is loaded"
_WEIGHTS_ONLY = (1, 10)


def only_weights(version: str) -> bool:
    """Tell whether a version of Stanza loads nothing but weights from a model.

    >>> only_weights("1.10.1"), only_weights("1.9.2"), only_weights("")
    (True, False, False)
    """
    numbers = re.match(r"([0-9]+)\.([0-9]+)", version)
    return numbers is not None and tuple(map(int, numbers.groups())) >= _WEIGHTS_ONLY


PARSERS = {
    "stanza": Parser(
        name="stanza",
        title="Stanza's graph-based neural parser, from scratch (Qi et al. 2018)",
        corpus=Dependencies,
        settings=StanzaSettings,
        train=_train_stanza,
        load=_load_stanza,
        missing=package_needed("stanza", "stanza"),
        version=lambda: package_version("stanza"),
        program="python -m stanza.models.parser",
        runs_code=lambda: "" if only_weights(package_version("stanza")) else PICKLED,
    ),
    "supar": Parser(
        name="supar",
        title="SuPar's neural parsers, from scratch (Zhang et al. 2020)",
        corpus=Corpus,
        settings=SuparSettings,
        train=_train_supar,
        load=_load_supar,
        missing=package_needed("supar", "supar"),
        version=lambda: package_version("supar"),
        runs_code=lambda: PICKLED,
        program="python -m supar",
        files=("config",),
        projective=lambda settings: settings.method in ("crf_dep", "crf2o_dep"),
    ),
}
