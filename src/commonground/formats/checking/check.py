"""Everything that is wrong with a file: with its format or, when it can be read, its trees."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from commonground.corpus import Graphs
from commonground.corpus.wellformed import FirstLines
from commonground.corpus.wellformed import problems as tree_problems
from commonground.errors import InputError, Problem, UsageError, setting
from commonground.formats.checking import strict, universal, validator
from commonground.formats.checking.ud_rules import named
from commonground.formats.checking.validator import LANGUAGE
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.conll_mending import misplaced_comments
from commonground.formats.registry import detect, find_format, recognised
from commonground.formats.storage.chunks import SMALL, chunks
from commonground.formats.storage.files import open_bytes, plain, shown

__all__ = ["MOST", "CheckResult", "check", "checked"]

MOST = 5
"""The levels of the validator of Universal Dependencies."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was found in a file.

    `format` is None where it is unknown; `sentences` says how many could be read; the problems are
    in the order of the lines.
    """

    path: str
    format: str | None
    sentences: int
    problems: tuple[Problem, ...]


def check(
    path: str | os.PathLike[str],
    format: str | None = None,  # the name that all readers use
    *,
    partial: bool = False,
    ud: int = 1,
    lang: str = "",
) -> CheckResult:
    """Return everything that is wrong with a file.

    `format` and `partial` are as in :func:`commonground.read`. A file that cannot be opened, or
    whose format is unknown, has that one problem. For a CoNLL-U file, `ud` is the highest level of
    the UD validator to check (1 to 5) and `lang` the code of its language; levels 3 to 5 need the
    package ``udtools``.
    """
    _check_level(ud, lang)
    wanted = find_format(format or "conllu") if format or ud > 1 else None
    if ud < 2 and _has_graphs(path, wanted):
        return _checked_in_pieces(os.fspath(path), format, FormatOptions(partial, parts=True))
    try:
        with open_bytes(path) as file:
            raw = file.read()
        entry = wanted or detect(plain(raw), os.fspath(path))
    except InputError as error:
        return CheckResult(shown(path), None, 0, (Problem(error.line, error.message),))
    if ud > 1 and entry.name != "conllu":
        raise UsageError(f"{setting('ud', ud)} is for CoNLL-U, not for {entry.title}")
    options = FormatOptions(partial, parts=True)
    return checked(raw, shown(path), entry, options, ud, lang or LANGUAGE)


def checked(
    raw: bytes,
    path: str,
    entry: Format,
    options: FormatOptions,
    ud: int = 1,
    lang: str = LANGUAGE,
) -> CheckResult:
    """Return everything that is wrong with the content of a file, as it stands on the disk."""
    data = plain(raw)
    try:
        corpus = entry.read(data, path, 1, options)
    except InputError:
        sentences, problems = 0, list(entry.problems(data, options))
    else:
        sentences, problems = len(corpus), list(tree_problems(corpus, partial=options.partial))
    if entry.name == "conllu":
        problems = [named(problem) for problem in (*problems, *misplaced_comments(data))]
        problems += strict.problems(raw)
    if ud > 1:
        problems = [problem for problem in problems if problem.rule != "text-form-mismatch"]
        problems += map(named, universal.problems(data, lang))
    if ud > 2:
        problems += validator.problems(data, ud, lang)
    return CheckResult(path, entry.name, sentences, _ordered(problems))


def _ordered(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    once = {(problem.line, problem.message): problem for problem in problems}
    return tuple(sorted(once.values(), key=lambda problem: problem.line))


def _has_graphs(path: str | os.PathLike[str], wanted: Format | None) -> bool:
    """Tell whether it is a file of graphs, each of which can be checked without the others."""
    entry = wanted or (recognised(path) if Path(path).is_file() else None)
    return entry is not None and issubclass(entry.corpus, Graphs)


def _checked_in_pieces(path: str, format: str | None, options: FormatOptions) -> CheckResult:
    """Return everything that is wrong with a file of graphs, which may be larger than memory."""
    sentences, name = 0, format
    wrong: list[Problem] = []
    found: list[Problem] = []
    ids: FirstLines = {}
    try:
        for piece in chunks(path, format, SMALL):
            entry, data, begin = find_format(piece.format), piece.data, piece.begin
            name = entry.name
            try:
                corpus = entry.read(data, path, begin, options)
            except InputError:
                problems = entry.problems(data, options)
                wrong += (replace(each, line=each.line + begin - 1) for each in problems)
            else:
                sentences += len(corpus)
                found += tree_problems(corpus, partial=options.partial, ids=ids)
    except InputError as error:
        return CheckResult(shown(path), None, 0, (Problem(error.line, error.message),))
    if wrong:  # as of a file that is read as a whole
        return CheckResult(shown(path), name, 0, _ordered(wrong))
    return CheckResult(shown(path), name, sentences, _ordered(found))


def _check_level(ud: int, lang: str) -> None:
    if not 1 <= ud <= MOST:
        raise UsageError(f"there is no level {ud} of the UD validator; there are 1 to {MOST}")
    if ud > 3 and not lang:
        raise UsageError(f"{setting('ud', ud)} needs the language, such as {setting('lang', 'en')}")
    if lang and ud < 2:
        raise UsageError(f"{setting('lang')} has no effect without {setting('ud', 2)} or more")
