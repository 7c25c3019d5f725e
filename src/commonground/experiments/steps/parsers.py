"""Steps that train parsers, and parse."""

from __future__ import annotations

from pathlib import Path

from commonground.errors import UsageError
from commonground.experiments.steps.files import keep_treebank, treebank
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import FLAG, SEED, TABLE, TEXT, choice, whole

__all__ = ["KINDS", "lacking"]


def _train(values: Values, folder: Path) -> None:
    from commonground.parsers.trained import train

    dev = values.get("dev")
    trained = train(
        treebank(values["of"]),
        values.get("parser", "arc-eager"),
        dev=None if dev is None else treebank(dev),
        gold_tags=_gold_tags(values),
        encoding=values.get("encoding", "head"),
        seed=values.get("seed", 0),
        settings=values.get("settings", {}),
        weights=values.get("weights", ""),
        keep=False,  # a model that was cut short is not what the recipe asks for
        segmentation=False,  # what is parsed has its words
    )
    trained.save(folder / "model")


def _parse(values: Values, folder: Path) -> None:
    from commonground.parsers.trained import load_parser

    keep_treebank(
        load_parser(values["model"] / "model", trust=values.get("trusted", False)).parse(
            treebank(values["of"])
        ),
        folder,
    )


def _cross_parse(values: Values, folder: Path) -> None:
    """Keep a treebank in which each fold was parsed by a model trained on the others."""
    from commonground.parsers.trained import cross_parse

    parsed = cross_parse(
        treebank(values["of"]),
        values.get("parser", "arc-eager"),
        folds=values.get("folds", 10),
        gold_tags=_gold_tags(values),
        encoding=values.get("encoding", "head"),
        seed=values.get("seed", 0),
        settings=values.get("settings", {}),
    )
    keep_treebank(parsed, folder)


def _gold_tags(values: Values) -> bool:
    """Tell whether the parser gets the tags of the treebank, not those of a tagger."""
    return bool(values.get("gold_tags", False)) or values.get("tags") == "gold"


def lacking(values: Values) -> str:
    """Return why a parser cannot be trained here: there is none, or not with these settings."""
    from commonground.parsers.parser import changed_settings
    from commonground.parsers.registry import find_parser

    try:
        kind = find_parser(values.get("parser", "arc-eager"))
        settings = changed_settings(kind.settings(), values.get("settings", {}))
    except UsageError as error:
        return str(error)
    missing = kind.missing(settings)
    return f"{kind.name} {missing}" if missing else ""


_TRAINING = {
    "parser": TEXT, "gold_tags": FLAG, "tags": choice("predicted", "gold"),
    "encoding": choice("head", "path", "head+path", "baseline", "none"), "seed": SEED,
    "settings": TABLE,
}  # fmt: skip

KINDS = (
    StepKind("train", "Train a parser", _train, ("of", "dev"), {**_TRAINING, "weights": TEXT},
         ("dev",), version=2, foreseen=lacking),
    StepKind("parse", "Parse", _parse, ("model", "of")),
    StepKind("cross-parse", "Parse each fold by a model of the others", _cross_parse, ("of",),
             {**_TRAINING, "folds": whole(2)}, foreseen=lacking),
)  # fmt: skip
