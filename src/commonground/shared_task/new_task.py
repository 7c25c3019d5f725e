"""A new folder for a shared task: data, rules, starter kit, and a baseline that is on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from commonground.corpus import Constituents, Corpus, Dependencies, Strings
from commonground.errors import InputError, UsageError
from commonground.formats import read, write
from commonground.formats.storage.files import write_bytes
from commonground.metrics.dependencies.multiword import COLUMN as MWE_COLUMN
from commonground.parsers.trained import train
from commonground.shared_task.blind_input import blind, with_dummy_trees
from commonground.shared_task.board import add_submission
from commonground.shared_task.starter_kit import kit_files, organiser_readme
from commonground.shared_task.task_file import (
    TASK_FILE,
    Rules,
    Task,
    find_preset,
    preset_file,
    read_task,
    task_text,
)

__all__ = ["Splits", "example_splits", "new_task", "read_splits"]

BASELINE = "baseline"


@dataclass(frozen=True)
class Splits:
    """The three parts of a treebank; participants get all of the first two."""

    train: Corpus
    dev: Corpus
    test: Corpus


def example_splits() -> dict[str, Splits]:
    """Return a small treebank to begin with: the bundled example in three parts."""
    corpus = read("example:ud")
    return {"example": Splits(corpus[:36], corpus[36:48], corpus[48:])}


def read_splits(train_file: str, dev_file: str, test_file: str, *, preset: str = "") -> Splits:
    """Return the parts of a treebank, read from files as a preset has it."""
    partial = bool(preset) and find_preset(preset).partial
    parts = [read(path, partial=partial) for path in (train_file, dev_file, test_file)]
    if len({part.kind for part in parts}) > 1:
        raise UsageError(f"{train_file} and {test_file} have different kinds of trees")
    return Splits(*parts)


def new_task(
    folder: str,
    treebanks: Mapping[str, Splits] | None = None,
    *,
    preset: str = "",
    title: str = "",
    baseline: str = "",
    watch: Callable[[str], None] = lambda _: None,
) -> Task:
    """Make a folder with everything that a shared task needs, and return the task.

    Without treebanks it has those of the example. `preset` are the rules of a task that was held;
    `baseline` is the parser of the baseline, which is trained on each treebank.
    """
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InputError(folder, 0, "it is there already; name a new folder")
    splits = dict(treebanks or example_splits())
    kinds = {part.test.kind for part in splits.values()}
    if len(kinds) > 1:
        raise UsageError("the treebanks of a task must have the same kind of trees")
    rules = find_preset(preset) if preset else _own_rules(next(iter(kinds)))
    task = msgspec.structs.replace(
        rules,
        title=title or rules.title or place.name,
        treebanks=tuple(splits),
        baselines=(BASELINE,),
        rank_by=rules.rank_by or rules.metrics[0],
        folder=str(place),
    )
    _write_data(place, splits)
    if task.evalb_prm:
        write_bytes(place / task.evalb_prm, [preset_file(task.evalb_prm)])
    task.settings()
    write_bytes(place / TASK_FILE, [task_text(task, _REMARKS).encode()])
    write_bytes(place / "README.md", [organiser_readme(task).encode()])
    _write_baseline(place, splits, baseline, watch)
    for name, content in kit_files(task, place):
        (place / "starter-kit" / name).parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place / "starter-kit" / name, [content])
    task = read_task(place)
    add_submission(task, str(place / "starter-kit/baseline"), BASELINE)
    return task


def _own_rules(kind: str) -> Task:
    """Return the rules of a task that follows no other one."""
    if kind not in _METRICS:
        raise UsageError(f"a task cannot be made of {kind} yet, only of {' and '.join(_METRICS)}")
    return Task(title="", metrics=_METRICS[kind], rules=Rules(on_mismatch="zero"))


_METRICS = {"dependencies": ("las", "uas"), "constituents": ("f1", "exact")}

_REMARKS = {
    "preset": "the program whose scores are repeated; see: commonground evaluate --help",
    "gold": "secret: a file for each treebank",
    "input": "what participants get",
    "on-mismatch": "sentences that are missing or have other words: zero, fail, skip or realign",
    "on-error": "files that cannot be scored: zero, skip (leave the team out) or fail",
    "counts": "which submission of a team counts: last or best",
    "test": "the significance test between teams",
    "baselines": "teams that are shown without a rank",
}


def _write_data(place: Path, splits: Mapping[str, Splits]) -> None:
    for name in ("data/train", "data/dev", "data/input", "gold", "submissions", "results"):
        (place / name).mkdir(parents=True)
    for name, parts in splits.items():
        suffix = _suffix(parts.test)
        write(parts.train, place / f"data/train/{name}{suffix}")
        write(parts.dev, place / f"data/dev/{name}{suffix}")
        write(parts.test, place / f"gold/{name}{suffix}")
        write(blind(parts.test), place / f"data/input/{name}.conllu")


def _write_baseline(
    place: Path, splits: Mapping[str, Splits], baseline: str, watch: Callable[[str], None]
) -> None:
    target = place / "starter-kit/baseline"
    target.mkdir(parents=True)
    for name, parts in splits.items():
        watch(name)
        if _suffix(parts.train) == ".conllup" or _is_partial(parts.train):
            write(_without_features(place / f"data/input/{name}.conllu"), target / f"{name}.conllu")
            continue
        trees = isinstance(parts.test, Constituents)
        parser = baseline or ("pcfg" if trees else "arc-eager")
        model = train(parts.train, parser, dev=parts.dev)
        words = read(place / f"data/input/{name}.conllu", partial=True)
        write(model.parse(words), target / f"{name}{'.mrg' if trees else '.conllu'}")


def _suffix(corpus: Corpus) -> str:
    if not isinstance(corpus, Dependencies):
        return ".mrg"
    return ".conllup" if MWE_COLUMN in corpus.words else ".conllu"


def _is_partial(corpus: Corpus) -> bool:
    return isinstance(corpus, Dependencies) and bool((corpus.head < 0).any())


def _without_features(path: Path) -> Dependencies:
    """Return a baseline where no parser of ours would help: flat trees without any features."""
    words = read(path, partial=True)
    assert isinstance(words, Dependencies)
    flat = with_dummy_trees(words)
    return flat.replace("words", feats=Strings.constant("|", flat.words.rows))
