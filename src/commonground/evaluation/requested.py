"""What options ask for: the settings behind them, and the treebanks of a saved result, read again.

A saved result names the files that it was made of, with their digests, and the options that were
given. While the files are as they were, whatever a result does not hold can be found out from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from commonground.errors import InputError, UsageError
from commonground.formats.files import STANDARD, digest
from commonground.metrics.settings import Settings, preset

__all__ = ["Found", "find_inputs", "options_of", "request_of", "settings_of"]

_CHANGES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "punctuation": ("punctuation", str),
    "punctuation-tags": ("punctuation_tags", lambda tags: frozenset(" ".join(tags).split())),
    "min-length": ("shortest", int),
    "max-length": ("longest", int),
    "subtypes": ("subtypes", bool),
    "ignore-case": ("ignore_case", bool),
    "on-mismatch": ("on_mismatch", str),
    "function-nodes": ("function_nodes", tuple),
}
"""The options that change the settings of a preset: the field, and how the value is read."""


def settings_of(options: Mapping[str, Any], located: Callable[[str], str] = str) -> Settings:
    """Return the settings that options stand for, which are called as on the command line.

    `located` tells where a file that an option names is.

    >>> settings_of({"preset": "conll18", "min-length": 5}).shortest
    5
    """
    settings = preset(options["preset"]) if options.get("preset") else Settings()
    given = {name: options[name] for name in _CHANGES if options.get(name) not in (None, ())}
    labels = options.get("equivalent-labels")
    if options.get("evalb-prm"):
        from commonground.metrics.constituents.evalb import Evalb  # noqa: PLC0415  # seldom asked for

        settings = replace(settings, evalb=Evalb.read(located(options["evalb-prm"])))
    idle = [name for name in given if name != "function-nodes"]
    if settings.evalb and (idle or labels):
        name = next(iter([*idle, "equivalent-labels"]))
        raise UsageError(f"--{name} has no effect with evalb's parameters, which decide about it")
    if "punctuation-tags" in given and given.setdefault("punctuation", "tag") != "tag":
        raise UsageError("--punctuation-tags needs --punctuation tag")
    try:
        changes = {_CHANGES[name][0]: _CHANGES[name][1](value) for name, value in given.items()}
    except (TypeError, ValueError) as error:  # only where somebody has changed a saved result
        raise UsageError(f"these options make no sense: {error}") from error
    settings = replace(settings, **changes)
    if labels:
        from commonground.ground.equivalences import named_equivalence  # noqa: PLC0415  # as above
        from commonground.metrics.labels_file import read_labels  # noqa: PLC0415  # seldom asked for

        file = labels if named_equivalence(labels) is not None else located(labels)
        settings = replace(settings, equivalent=read_labels(file, settings))
    return settings


def request_of(
    verb: str,
    treebanks: Mapping[str, Any],
    options: Mapping[str, Any],
    files: Iterable[str],
    folder: str = "",
) -> dict[str, Any]:
    """Return a request as JSON has it: enough to do it again, and to look deeper.

    `treebanks` are the arguments as the verb understands them; `files`, in a `folder` if there is
    one, are all that were read. They are known again by their SHA-256; standard input is not there
    a second time.
    """
    read = [path for path in dict.fromkeys(files) if path != STANDARD]
    return {
        "verb": verb,
        **treebanks,
        "options": dict(options),
        "inputs": {path: digest(Found(folder).path(path)) for path in read},
    }


def options_of(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of a request by their names, none where it does not tell."""
    options = request.get("options")
    return options if isinstance(options, Mapping) else {}


@dataclass(frozen=True, slots=True)
class Found:
    """Where the files of a saved result are now: in the working directory, or beside the result.

    `missing` says about each file that is not as it was why it cannot be used; a result without any
    is as good as new.
    """

    folder: str = ""
    missing: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """Return where a file is that the result calls by this name."""
        return str(Path(self.folder) / name) if self.folder and ":" not in name else name


def find_inputs(request: Mapping[str, Any], result: str) -> Found:
    """Look for the files of a request: from the working directory, then from the result's folder.

    >>> request = {"gold": "gold.conllu", "parses": {}, "options": {}}
    >>> request["inputs"] = {"gold.conllu": ""}
    >>> find_inputs(request, "result.json").missing
    ('gold.conllu: cannot be read: No such file or directory',)
    """
    inputs = request.get("inputs")
    if not isinstance(inputs, Mapping) or not inputs or not _is_whole(request):
        return Found(missing=("the result does not say what files it was made of",))
    here = Found(missing=tuple(_changed(request, inputs, "")))
    folder = str(Path(result).parent)
    if not here.missing or folder == ".":
        return here
    beside = Found(folder, tuple(_changed(request, inputs, folder)))
    return min(here, beside, key=lambda found: len(found.missing))


def _changed(request: Mapping[str, Any], inputs: Mapping[str, Any], folder: str) -> Iterator[str]:
    if STANDARD in _named(request):
        yield "standard input cannot be read again"
    for name, known in inputs.items():
        path = Found(folder).path(name)
        if Path(path).exists() and not Path(path).is_file():  # a device may have no end
            yield f"{name}: it is no file"
            continue
        try:
            now = digest(path)
        except InputError as error:
            yield f"{name}: {error.message}"
        else:
            if now != known:
                yield f"{name}: it has changed since"


def _is_whole(request: Mapping[str, Any]) -> bool:
    """Tell whether a request says what treebanks and options it was made with."""
    parses, systems = request.get("parses"), request.get("systems")
    evaluated = isinstance(request.get("gold"), str) and _is_texts(parses)
    compared = isinstance(systems, Mapping) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(p, str) for p in pair)
        for pair in systems.values()
    )
    return isinstance(request.get("options"), Mapping) and (evaluated or compared)


def _is_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(each, str) for each in value.values())


def _named(request: Mapping[str, Any]) -> Iterator[str]:
    """Return the treebanks that a request names."""
    if "gold" in request:
        yield request["gold"]
        yield from request["parses"].values()
    else:
        yield from (path for pair in request["systems"].values() for path in pair)
