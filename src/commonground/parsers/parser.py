"""What a parser is: how it is trained, what its models do, and how they are stored.

A parser is a value, as a format is one: its module makes a :class:`Parser` and ``registry.py``
names it. What parsers have in common stands around them and is written once: tags and their
jackknifing, the pseudo-projective encoding, files (``trained.py``), iterations with early stopping
(``learning.py``), words as numbers (``atoms.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol

from commonground.corpus import Corpus
from commonground.engine import Engine, Serial
from commonground.errors import UsageError
from commonground.parsers.interruption import Interruption
from commonground.parsers.model_file import Stored

__all__ = ["Model", "Parser", "TrainingStep", "TrainingTask", "changed_settings"]


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """How far training is: `iteration` of `iterations` is done.

    `loss` is the share of decisions on the training corpus that were wrong in this iteration (of
    whatever the parser decides), `score` that of the dev corpus (labelled attachment, or F1 of
    constituents), None where there is none; `seconds` of processor time were used in all.
    """

    iteration: int
    iterations: int
    loss: float
    score: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """What a parser is trained on, and how.

    `settings` are of the parser's own class. What can be done at the same time is given to the
    `engine`. `dev`, where it is there, decides after which iteration to stop. Everything drawn at
    random comes from ``random.stream(seed, …)``. `watch` is told of each step. An interrupt ends
    the training with the best model so far, unless it is one step of something larger that should
    end with it (`keep` is false then); what is trained on the way shares the `interruption`.
    `weights` names the entry of MISC that says how much heads count (see ``confidence.py``).
    """

    corpus: Any
    settings: Any
    dev: Any = None
    seed: int = 0
    watch: Callable[[TrainingStep], None] = lambda _: None
    engine: Engine = field(default_factory=Serial)
    keep: bool = True
    interruption: Interruption = field(default_factory=Interruption)
    weights: str = ""


class Model(Protocol):
    """What training makes: something that parses.

    `parse` takes a corpus of the parser's kind, looks at nothing but its words (forms, tags,
    lemmas, features) and returns the same sentences with trees. It depends on one sentence at a
    time, so that a corpus may be cut anywhere. `store` tells what the file of the model holds;
    ``Parser.load`` makes the model from it again.
    """

    def parse(self, corpus: Any, /) -> Any:
        """Return the corpus with the trees of this model."""

    def store(self) -> Stored:
        """Return what a file of the model holds."""


@dataclass(frozen=True, slots=True)
class Parser:
    """A kind of parser.

    `corpus` is what it is trained on and returns; `settings` is a frozen dataclass whose fields all
    have defaults (and are str, int, float, bool, or one of these or None). A parser that looks at
    `tags` gets jackknifed ones, unless gold tags are asked for. Where `projective` is true of the
    settings, non-projective trees are encoded before training and decoded after parsing; what a
    treebank decides about the settings is `settled` before that. `partial`
    tells whether words without a head may be there, `weighted` whether heads can count more or
    less; one that does not learn from `trees` at all
    looks at none. `clusters` tells whether it looks at those of words. `missing` says what has to
    be installed before it can be used with some settings, and how; the empty string where nothing
    has to be. `version` is that of a program from outside, empty where it is not known. `runs_code`
    says why a model file of it can run code when it is used; the empty string where its models are
    only data. `program` is what it calls to train and to parse, and `files` are the settings that
    name a file: the program's jar, or what the program reads.
    """

    name: str
    title: str
    corpus: type[Corpus]
    settings: type[Any]
    train: Callable[[TrainingTask], Model]
    load: Callable[[Stored], Model]
    tags: bool = True
    partial: bool = False
    weighted: bool = False
    trees: bool = True
    clusters: bool = False
    projective: Callable[[Any], bool] = lambda _: False
    settled: Callable[[Any, Any], Any] = lambda settings, _: settings
    missing: Callable[[Any], str] = lambda _: ""
    version: Callable[[], str] = lambda: ""
    runs_code: Callable[[], str] = lambda: ""
    program: str = ""
    files: tuple[str, ...] = ()


def changed_settings(settings: Any, changes: dict[str, Any]) -> Any:
    """Return settings with some of them changed; texts become what the field holds.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Example:
    ...     iterations: int = 10
    ...     margin: float = 1.0
    >>> changed_settings(Example(), {"iterations": "5"})
    Example(iterations=5, margin=1.0)
    """
    known = {field.name for field in fields(settings)}
    unknown = sorted(set(changes) - known)
    if unknown:
        raise UsageError(
            f"there is no setting {unknown[0]!r}; there are {', '.join(sorted(known)) or 'none'}"
        )
    given = {name: _typed(name, value, getattr(settings, name)) for name, value in changes.items()}
    for name, value in given.items():
        _refuse_extreme(name, value)
    try:
        return replace(settings, **given)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _typed(name: str, value: Any, default: Any) -> Any:
    """Return a setting as the type of its default; whole numbers are numbers, too."""
    kind = type(default)
    try:
        if isinstance(value, str):
            texts = {"yes": True, "true": True, "no": False, "false": False}
            return texts[value.lower()] if kind is bool else kind(value)
    except (KeyError, ValueError) as error:
        raise _unfit(name, value, default) from error
    if type(value) is not kind and (kind, type(value)) != (float, int):
        raise _unfit(name, value, default)
    return kind(value)


def _refuse_extreme(name: str, value: Any) -> None:
    """Refuse a number that is none, or so large that sums of it and of weights would overflow."""
    if isinstance(value, int | float) and not -_EXTREME <= value <= _EXTREME:
        limits = f"from {-_EXTREME:,} to {_EXTREME:,}"
        raise UsageError(f"the setting {name} is {value!r:.40}; it must be a number {limits}")


_EXTREME = 1_000_000


def _unfit(name: str, value: Any, default: Any) -> UsageError:
    wanted = "yes or no" if isinstance(default, bool) else f"like {default!r}"
    return UsageError(f"the setting {name} is {value!r:.40}; it must be {wanted}")
