r"""Compare syntactic parsers across treebanks, schemes and frameworks.

Everything a program needs is an attribute of this module; each is loaded when it is first used, so
that ``import commonground`` costs nothing.

>>> import commonground as cg
>>> treebank = cg.read_text("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
>>> treebank.deprel.tolist()
['root']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonground.corpus import (
        Alignments,
        Constituents,
        Corpus,
        Dependencies,
        Relations,
        Sentence,
        Strings,
        Table,
    )
    from commonground.corpus.graph import relations_of
    from commonground.corpus.summary import Summary, sample, summary
    from commonground.errors import (
        CommonGroundError,
        InputError,
        MissingExtraError,
        Problem,
        UsageError,
    )
    from commonground.formats import (
        detect,
        find_format,
        format_names,
        read,
        read_chunks,
        read_text,
        write,
        write_text,
    )
    from commonground.formats.check import Checked, check
    from commonground.formats.convert import convert
    from commonground.formats.describe import Description, describe

__version__ = "0.1.0"

__all__ = [
    "Alignments",
    "Checked",
    "CommonGroundError",
    "Constituents",
    "Corpus",
    "Dependencies",
    "Description",
    "InputError",
    "MissingExtraError",
    "Problem",
    "Relations",
    "Sentence",
    "Strings",
    "Summary",
    "Table",
    "UsageError",
    "__version__",
    "check",
    "convert",
    "describe",
    "detect",
    "find_format",
    "format_names",
    "read",
    "read_chunks",
    "read_text",
    "relations_of",
    "sample",
    "summary",
    "write",
    "write_text",
]

_HOMES = {
    "corpus": "Alignments Constituents Corpus Dependencies Relations Sentence Strings Table",
    "corpus.graph": "relations_of",
    "corpus.summary": "Summary sample summary",
    "errors": "CommonGroundError InputError MissingExtraError Problem UsageError",
    "formats": "detect find_format format_names read read_chunks read_text write write_text",
    "formats.check": "Checked check",
    "formats.convert": "convert",
    "formats.describe": "Description describe",
}
"""Where each attribute lives."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            value = globals()[name] = getattr(import_module(f"commonground.{home}"), name)
            return value
    raise AttributeError(f"module 'commonground' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
