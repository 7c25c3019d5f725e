"""Systems in the place of parses: what a verb has to parse before it can score."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from commonground.cli.output import progress
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.parsers.systems import System

__all__ = ["SystemParses", "is_system", "parses_of", "trust_option"]

trust_option = click.option(
    "--trust", is_flag=True, help="Use systems that can run code: I trust their makers."
)


class SystemParses(NamedTuple):
    """Parses by the names of their systems: as they were named, and the `files` that hold them.

    `made` has, of each that a system made just now, what made it and of what; `models` are the
    model files that were read for it.
    """

    files: dict[str, str]
    made: dict[str, str]
    models: tuple[str, ...] = ()

    def read(self, path: str) -> bool:
        """Tell whether a file is one that was there before, not one that a system made just now."""
        made = [self.files[name] for name in self.made]
        return not any(path == each or Path(each) in Path(path).parents for each in made)


def is_system(name: str) -> bool:
    """Tell whether what stands for a parse is a system: a model file, or ``KIND:WHAT``.

    >>> is_system("udpipe:french.udpipe"), is_system("example:ud"), is_system("a.conllu")
    (True, False, False)
    """
    if not Path(name).exists():
        if not re.match("(?!example:)[a-z]+:", name):  # nothing is imported for most parses
            return False
        from commonground.parsers.systems import is_named

        return is_named(name)
    from commonground.parsers.model_mark import is_model

    return is_model(name)


def parses_of(
    gold: str, parses: Mapping[str, str], context: click.Context, *, raw: bool
) -> SystemParses:
    """Return where the parses of a gold standard are; those of systems are made first.

    A system gets the words of the gold standard, or with `raw` its text. What it makes is there
    until the command is over.
    """
    wanted = {name: path for name, path in parses.items() if is_system(path)}
    if not wanted:
        return SystemParses(dict(parses), {})
    import tempfile

    from commonground.parsers.systems import described

    files, made = dict(parses), {}
    root = Path(context.with_resource(tempfile.TemporaryDirectory(prefix="commonground-")))
    golds = _golds(gold)
    with progress("systems", total=len(wanted), quiet=context.params["quiet"]) as advance:
        for number, (name, system) in enumerate(wanted.items(), 1):
            loaded = _loaded(system, context, raw=raw)
            made[name] = f"{described(loaded, system)}, from {_given(loaded, raw=raw)}"
            folder = root / str(number)
            files[name] = _parsed(golds, system, loaded.kind, folder, context, raw=raw)
            advance(1)
    models = tuple(path for path in wanted.values() if Path(path).exists())
    return SystemParses(files, made, models)


def _golds(gold: str) -> dict[str, str]:
    """Return the files of a gold standard by their names; a file alone has none."""
    from commonground.formats.storage.encodings import ENCODING
    from commonground.formats.storage.files import STANDARD, unpacked
    from commonground.formats.storage.folders import files_of, is_many

    if os.environ.get(ENCODING, "utf-8").lower() not in ("utf-8", "utf8"):
        raise UsageError("systems write UTF-8; with --encoding, parse to a file first")
    if gold == STANDARD:
        raise UsageError("standard input can be read only once; a system needs GOLD in a file")
    return {unpacked(path).stem: path for path in files_of(gold)} if is_many(gold) else {"": gold}


def _given(system: System, *, raw: bool) -> str:
    """Return what a system gets of a gold standard; some parsers need its tags."""
    if raw:
        return "text"
    return "words and gold tags" if str(getattr(system, "tags", "")).startswith("gold") else "words"


def _loaded(name: str, context: click.Context, *, raw: bool) -> System:
    """Return a system, if it can do anything with the words, or the text, of a gold standard."""
    from commonground.parsers.files import kept_system
    from commonground.parsers.pipelines.pipeline import Pipeline

    system = kept_system(name, trust=context.params["trust"])
    if not raw and isinstance(system, Pipeline) and system.annotate is None:
        raise UsageError(
            f"{name} takes text, not words; with --on-mismatch realign (or --preset conll18) it "
            "gets the text of the gold standard, and words are aligned"
        )
    return system


def _parsed(  # what is parsed, with what, and how
    golds: Mapping[str, str],
    system: str,
    kind: type[Corpus],
    folder: Path,
    context: click.Context,
    *,
    raw: bool,
) -> str:
    """Parse all files of a gold standard; return the file of the parses, or their folder."""
    from commonground.corpus import Constituents, Corpus
    from commonground.formats import read
    from commonground.parsers.files import parse_file

    folder.mkdir()
    form = context.params.get("input_format")
    for name, gold in golds.items():
        own = type(read(gold, form, partial=True)) if kind is Corpus else kind
        written = form or ("brackets" if issubclass(own, Constituents) else "conllu")
        target = folder / f"{name or 'parsed'}{'.mrg' if written == 'brackets' else '.conllu'}"
        text = _text(gold, form, folder.with_suffix(".txt")) if raw else None
        parse_file(
            system,
            text or gold,
            target,
            source_format="text" if text else form,
            target_format=written,
            trust=context.params["trust"],
            jobs=context.params["jobs"],
        )
    return str(folder if "" not in golds else target)


def _text(gold: str, form: str | None, target: Path) -> Path:
    """Write the text of a gold standard to a file."""
    from commonground.corpus import Dependencies
    from commonground.corpus.raw_text import surface
    from commonground.formats import read

    corpus = read(gold, form, partial=True)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"{gold} holds {corpus.kind}, which have no text for a system to split")
    target.write_bytes(surface(corpus).text.encode())
    return target
