"""Options become settings: the one place, for the command line as for requests that were saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from commonground.errors import UsageError, setting
from commonground.metrics.settings import Settings, preset

__all__ = ["OPTION_NAMES", "SETTING_OPTIONS", "settings_of"]

OPTION_NAMES = {"shortest": "min_length", "longest": "max_length"}
"""The fields of settings whose options have other names."""

_CHANGES = (
    *("punctuation", "shortest", "longest", "where", "subtypes", "ignore_case", "on_mismatch"),
    "function_nodes",
)
"""The fields of settings that options change one by one."""

_BESIDE_EVALB = frozenset({"function_nodes", "shortest", "longest", "where"})
"""Those of them about which the parameters of evalb say nothing."""

SETTING_OPTIONS = (
    *(OPTION_NAMES.get(field, field) for field in _CHANGES),
    *("preset", "punctuation_tags", "evalb_prm", "equivalent_labels", "train"),
)
"""The options that settings are made of."""


def settings_of(options: Mapping[str, Any], located: Callable[[str], str] = str) -> Settings:
    """Return the settings that options stand for; those that were not given are None, or missing.

    `located` tells where a file that an option names is.

    >>> settings_of({"preset": "conll18", "min_length": 5}).shortest
    5
    """
    name, evalb, alike = (options.get(n) for n in ("preset", "evalb_prm", "equivalent_labels"))
    settings = preset(name) if name else Settings()
    changes = dict(_changes(options))
    if evalb:
        from commonground.metrics.constituents.evalb import Evalb  # noqa: PLC0415  # seldom asked for

        settings = replace(settings, evalb=Evalb.read(located(evalb)))
    idle = [field for field in changes if field not in _BESIDE_EVALB]
    if settings.evalb and (idle or alike):
        field = next(iter([*idle, "equivalent_labels"]))
        option = setting(OPTION_NAMES.get(field, field))
        raise UsageError(f"{option} has no effect with evalb's parameters, which determine it")
    if options.get("punctuation_tags") and changes.setdefault("punctuation", "tag") != "tag":
        raise UsageError(f"{setting('punctuation_tags')} needs {setting('punctuation', 'tag')}")
    settings = replace(settings, **changes)
    if alike:
        from commonground.ground.equivalences import named_equivalence  # noqa: PLC0415  # as below
        from commonground.metrics.labels_file import read_labels  # noqa: PLC0415  # seldom asked for

        file = alike if named_equivalence(alike) is not None else located(alike)
        settings = replace(settings, equivalent=read_labels(file, settings))
    if options.get("train"):
        from commonground.metrics.training import TrainingData  # noqa: PLC0415  # seldom asked for

        settings = replace(settings, training=TrainingData.read(located(options["train"])))
    return settings


def _changes(options: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the fields of settings that are not as the preset has them."""
    for field in _CHANGES:
        value = options.get(OPTION_NAMES.get(field, field))
        if value is not None and value != ():
            yield field, value
    if tags := options.get("punctuation_tags"):
        yield "punctuation_tags", frozenset(" ".join(tags).split())
