"""Schemes by name: those that come along, those in files, and mixtures of two."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from commonground.errors import CommonGroundError, UsageError, nearest
from commonground.plugins import Plugin, packages, plugins
from commonground.schemes.scheme import Scheme
from commonground.schemes.scheme_file import PRESETS, read_scheme

__all__ = [
    "bundled_scheme_names",
    "find_scheme",
    "scheme_names",
    "scheme_packages",
    "scheme_plugins",
    "variant_names",
]

_VARIANTS = PRESETS / "variants"
_ALSO = {"default": "lth", "sud-obj": "sud"}
"""Other names: that of Tsarfaty, Nivre & Andersson 2011, and an earlier one."""


def scheme_names() -> list[str]:
    """Return the names of the schemes that come along, and of those that other packages add."""
    return [*bundled_scheme_names(), *(plugin.name for plugin in scheme_plugins())]


def bundled_scheme_names() -> list[str]:
    """Return the names of the schemes that come along.

    Treebanks are compared with these to recognise their scheme, whatever else is installed.
    """
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def scheme_plugins() -> tuple[Plugin, ...]:
    """Return the schemes that other packages add."""
    return plugins("schemes", _refusal, [*bundled_scheme_names(), *variant_names(), *_ALSO])


def scheme_packages(name: str | os.PathLike[str] | Scheme) -> tuple[str, ...]:
    """Return the packages, apart from this one, that the scheme of a name comes from."""
    if isinstance(name, Scheme):
        return packages(plugin for plugin in scheme_plugins() if _added(plugin) is name)
    first, _, rest = os.fspath(name).lower().partition("+")
    names = {first, rest.partition(":")[0]}
    return packages(plugin for plugin in scheme_plugins() if plugin.name in names)


def _refusal(plugin: Plugin) -> str:
    """Say why something is no scheme that can be added."""
    if plugin.name != plugin.name.lower():
        return "names of schemes are in lower case"
    try:
        _added(plugin)
    except (CommonGroundError, OSError, TypeError) as error:
        return str(error)
    return ""


def _added(plugin: Plugin) -> Scheme:
    value: Scheme | Path = plugin.value
    return value if isinstance(value, Scheme) else _preset(Path(value))


def variant_names() -> list[str]:
    """Return the names of schemes that differ from another one in little; that one reads both.

    >>> variant_names()
    ['sud-comp', 'sud-converted', 'sud-native', 'ud1']
    """
    return sorted(path.stem for path in _VARIANTS.glob("*.toml"))


def find_scheme(name: str | os.PathLike[str] | Scheme) -> Scheme:
    """Return a scheme by its name or the path of its file.

    ``A+B:adposition,copula`` is A with these constructions as in B.

    >>> find_scheme("sud").way("adposition")
    'function'
    >>> find_scheme("ud+sud:copula").name
    'ud+sud:copula'
    """
    if isinstance(name, Scheme):
        return name
    text = os.fspath(name)
    known = _ALSO.get(text.lower(), text.lower())
    if known in bundled_scheme_names():
        return _preset(PRESETS / f"{known}.toml")
    if known in variant_names():
        return _preset(_VARIANTS / f"{known}.toml")
    for plugin in scheme_plugins():
        if plugin.name == known:
            return _added(plugin)
    if text.endswith(".toml") or Path(text).is_file():
        return read_scheme(text)
    first, plus, rest = text.partition("+")
    second, colon, only = rest.partition(":")
    if plus and colon:
        return find_scheme(first).with_choices_of(find_scheme(second), only.split(","))
    names = [*scheme_names(), *variant_names()]
    raise UsageError(
        f"there is no scheme {text!r}; there are {', '.join(names)}, or give a TOML file"
        + nearest(text, names)
    )


@lru_cache
def _preset(path: Path) -> Scheme:
    return read_scheme(path)
