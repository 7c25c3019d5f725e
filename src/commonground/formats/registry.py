"""All formats by name, and reading and writing with the right one."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from commonground.corpus import Corpus
from commonground.errors import InputError, UsageError, nearest, setting
from commonground.formats.format import Format, FormatOptions
from commonground.formats.storage.encodings import or_guessed
from commonground.formats.storage.files import (
    STANDARD,
    block_reader,
    read_bytes,
    shown,
    unpacked,
    write_bytes,
)
from commonground.plugins import Plugin, packages, plugins

__all__ = [
    "SUFFIXES",
    "detect",
    "find_format",
    "format_names",
    "format_packages",
    "format_plugins",
    "format_suffixes",
    "read",
    "read_text",
    "recognised",
    "write",
    "write_text",
]

SUFFIXES: dict[str, tuple[str, ...]] = {
    "conllu": (".conllu",),
    "conllup": (".conllup",),
    "conllx": (".conll", ".conllx", ".conll06", ".conll07", ".tab", ".malttab"),
    "conll2008": (".conll08", ".conll2008"),
    "conll2009": (".conll09", ".conll2009"),
    "ned": (".ned",),
    "functions": (".functions",),
    "rr": (".rr",),
    "ccg": (".auto",),
    "amr": (".amr", ".penman"),
    "brackets": (".mrg", ".ptb", ".brackets", ".penn", ".psd", ".parse", ".prd"),
    "discbracket": (".discbracket", ".dbr"),
    "stanford": (".stanford", ".sd"),
    "gr": (".gr", ".grs", ".rasp", ".candc", ".cnc", ".parseval"),
    "enju": (".enju", ".hpsg-pa"),
    "parc": (".parc", ".fdsc"),
    "ccgbank": (".parg",),
    "pharaoh": (".align", ".pharaoh", ".talp"),
    "giza": (".a3", ".final"),
    "treealigner": (".xml",),
    "perseus": (".xml",),
    "mrp": (".mrp",),
    "sdp": (".sdp",),
    "eds": (".eds",),
    "dmrx": (".dmrx", ".xml"),
    "simpledmrs": (".dmrs", ".simpledmrs"),
    "dmrsjson": (".dmrsjson",),
    "ucca": (".xml",),
    "export": (".export", ".negra"),
    "export3": (),
    "tigerxml": (".tiger", ".tig", ".xml"),
    "alpino": (".xml",),
    "text": (".txt",),
}
"""The formats of this package with the suffixes of their files, known before any is imported.

Where two recognise a file equally well, the first one has it.
"""

_MODULES = {"ccg": "ccg_derivations", "gr": "grammatical_relations"}
"""The modules of formats that are not called like them."""

_START = 1 << 16
_HINT = 0.3
_PML = "http://ufal.mff.cuni.cz/pdt/pml/"
"""What files of the Prague treebanks have in their first lines."""


def formats() -> tuple[Format, ...]:
    """Return all formats; those of other packages come last."""
    return tuple(map(_format, format_suffixes()))


def _format(name: str) -> Format:
    if name not in SUFFIXES:
        return next(plugin.value for plugin in format_plugins() if plugin.name == name)
    return _own_format(name)


@cache
def _own_format(name: str) -> Format:
    module = importlib.import_module(f"commonground.formats.codecs.{_MODULES.get(name, name)}")
    entry: Format = module.FORMAT
    return entry._replace(suffixes=SUFFIXES[name])


def format_suffixes() -> dict[str, tuple[str, ...]]:
    """Return all formats by name, with the suffixes of their files."""
    return SUFFIXES | {plugin.name: plugin.value.suffixes for plugin in format_plugins()}


def format_plugins() -> tuple[Plugin, ...]:
    """Return the formats of other packages."""
    return plugins("formats", _refusal, SUFFIXES)


def _refusal(plugin: Plugin) -> str:
    """Say why something is no format that can be added."""
    if not isinstance(plugin.value, Format):
        return f"it is of the type {type(plugin.value).__name__}, not Format"
    if plugin.value.name != plugin.name:
        return f"the format calls itself {plugin.value.name!r}"
    return ""


def format_packages(treebanks: Iterable[object], format: str | None = None) -> tuple[str, ...]:
    """Return the packages whose formats the files of treebanks are in, apart from this one.

    Nothing is read where no package adds a format.
    """
    if not (known := format_plugins()):
        return ()
    entries = [find_format(format)] if format else map(recognised, treebanks)
    names = {entry.name for entry in entries if entry}
    return packages(plugin for plugin in known if plugin.name in names)


def recognised(treebank: object) -> Format | None:
    """Return the format of a file; none if there is no file that can be looked at again."""
    if not isinstance(treebank, str | os.PathLike) or os.fspath(treebank) == STANDARD:
        return None
    if "\n" in (path := os.fspath(treebank)):
        return detect(path.encode("utf-8", "replace"))
    try:
        return detect(next(block_reader(path, _START), b""), path)
    except (InputError, OSError):  # a parse that counts as broken
        return None


def format_names() -> list[str]:
    """Return the names of all formats."""
    return list(format_suffixes())


def find_format(name: str) -> Format:
    """Return the format with this name or alias."""
    if name in SUFFIXES:  # the others need not be imported
        return _format(name)
    for entry in formats():
        if name.lower() in (entry.name, *entry.aliases):
            return entry
    known = format_names()
    near = nearest(name, known)
    raise UsageError(f"there is no format {name!r}; there are {', '.join(known)}{near}")


def detect(data: bytes, path: str = "") -> Format:
    r"""Return the format of some content: by its first lines, with the suffix as a hint.

    >>> detect(b"1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n").name
    'conllu'
    """
    start = data[:_START].decode("utf-8", "replace")
    if len(data) > _START:
        start = start.rpartition("\n")[0] or start
    suffix = _suffix(path)

    hinted = [name for name, suffixes in SUFFIXES.items() if suffix in suffixes]
    best, most = _likeliest(hinted, start, suffix, 1 + _HINT)
    if most <= 1:  # others can be as likely without the hint
        best, _ = _likeliest(format_suffixes(), start, suffix, 1 + _HINT * bool(suffix))
    if best:
        return best
    if hinted := [name for name, suffixes in format_suffixes().items() if suffix in suffixes]:
        return _format(hinted[0])
    names = ", ".join(format_names())
    where = shown(path) if path else "<text>"
    if not start.strip():
        raise InputError(
            where, 0, f"it is empty; name its format with {setting('format')} ({names})"
        )
    if _PML in start:
        raise InputError(
            where,
            1,
            "this is PML, which has words, tags and trees in several files; convert it to CoNLL-U, "
            "for example with Treex: treex Read::PDT from=FILE.a Write::CoNLLU to=FILE.conllu",
        )
    raise InputError(where, 1, f"unknown format; name it with {setting('format')} ({names})")


def _likeliest(
    names: Iterable[str], start: str, suffix: str, certain: float
) -> tuple[Format | None, float]:
    """Return the format that most likely has a text, and how likely that is, with the hint."""
    best, most = None, 0.0
    for name in names:
        entry = _format(name)
        seen = entry.looks_like(start)
        likelihood = seen and seen + _HINT * (suffix in entry.suffixes)
        if likelihood > most:
            best, most = entry, likelihood
        if most >= certain:  # nothing can be likelier, so the others need not even be imported
            break
    return best, most


def format_of_path(path: str | os.PathLike[str], otherwise: str | None = None) -> Format:
    """Return the format that a file to be written must have, by its suffix, which may be its name.

    A suffix that is not known is refused, unless it is told what it is `otherwise`.
    """
    suffix = _suffix(os.fspath(path))
    written = [entry for entry in formats() if entry.write]
    by_suffix = (entry for entry in written if suffix in entry.suffixes)
    by_name = (e for e in written if suffix[1:] in (e.name, *e.aliases))
    for entry in chain(by_suffix, by_name):
        return entry
    if otherwise is not None:
        return find_format(otherwise)
    raise UsageError(
        f"{shown(path)}: the suffix {suffix or '(none)'!r} does not tell the format; name it with "
        f"{setting('target_format')}"
    )


def _suffix(path: str) -> str:
    return unpacked(path).suffix.lower()


def read(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    partial: bool = False,
) -> Corpus:
    """Read a treebank from a file (``-`` is standard input; .gz, .xz and .zst are unpacked).

    `format` is one of :func:`format_names`; without it the content tells. With `partial`, words
    without a head (``_``) are allowed.
    """
    data = read_bytes(path)
    entry = find_format(format) if format else detect(data, os.fspath(path))
    return or_guessed(entry.read, data, shown(path), 1, FormatOptions(partial, parts=True))


def read_text(text: str, format: str | None = None, *, partial: bool = False) -> Corpus:
    r"""Read a treebank from a string.

    >>> read_text("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
    Dependencies(1 words, 1 sentences)
    """
    data = text.encode("utf-8", "surrogatepass")
    entry = find_format(format) if format else detect(data)
    return entry.read(data, "<text>", 1, FormatOptions(partial=partial))


def write(
    corpus: Corpus | Iterable[Corpus],
    path: str | os.PathLike[str],
    format: str | None = None,
) -> None:
    """Write a treebank to a file (``-`` is standard output), completely or not at all.

    Instead of a corpus, its pieces can be given, as :func:`read_chunks` returns them.
    """
    entry = find_format(format) if format else format_of_path(path)
    write_bytes(path, _written(corpus, entry))


def write_text(corpus: Corpus, format: str) -> str:
    """Return a treebank as the text of a file."""
    return b"".join(_written(corpus, find_format(format))).decode("utf-8")


def _written(corpus: Corpus | Iterable[Corpus], entry: Format) -> Iterator[bytes]:
    if entry.write is None:
        raise UsageError(f"{entry.title} can be read, but not written")
    pieces = [corpus] if isinstance(corpus, Corpus) else corpus
    if not entry.concatenable:
        whole = list(pieces)
        pieces = [type(whole[0]).concatenate(whole)] if whole else []
    for number, piece in enumerate(pieces):
        if not isinstance(piece, entry.corpus):
            raise UsageError(f"{entry.title} holds {entry.corpus.kind}, not {piece.kind}")
        yield from entry.written(piece, first=number == 0)
