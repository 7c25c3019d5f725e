"""What other packages add: metrics, formats, schemes and more, found by their entry points.

A package that is installed beside this one adds to a group by naming a value of its own in its
``pyproject.toml``::

    [project.entry-points."commonground.metrics"]
    half_las = "mypackage.metrics:HALF_LAS"

The groups are those of :data:`GROUPS`. Registries ask for theirs when a name is not one of their
own, or when they list what there is. A plugin that cannot be loaded, or is not what its group
holds, is named in a :class:`PluginWarning` and left out; so is one with a name that is taken.

Where no package adds anything, that is found out by a glance at the folders of ``sys.path``, and
:mod:`importlib.metadata` is not even imported.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUPS", "Plugin", "PluginWarning", "installed", "packages", "plugins"]

GROUPS = {
    "metrics": "a Metric, or several in a tuple",
    "properties": "a Property for breakdowns, or several in a tuple",
    "formats": "a Format",
    "schemes": "a Scheme, or the path of a TOML file",
    "mappings": "the path of a TOML file",
    "parsers": "a Parser",
    "recipes": "the path of a TOML file",
    "plots": "a Plot",
    "verbs": "a click.Command",
}
"""The groups of entry points (``commonground.GROUP``), and what their values are."""


class PluginWarning(UserWarning):
    """Another package adds something that cannot be used."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Something that another package adds: its `name`, its `value`, and the `package` (1.0)."""

    name: str
    value: Any
    package: str


def plugins(
    group: str, refusal: Callable[[Plugin], str], taken: Iterable[str] = ()
) -> tuple[Plugin, ...]:
    """Return what other packages add to a group, in the order of their names.

    `refusal` says why a plugin is not what the group holds, or nothing; names that are `taken`
    cannot be added. The name is that of the entry point, or that of each value in a tuple.

    >>> plugins("metrics", refusal=lambda plugin: "")
    ()
    """
    if not _any_entry_points(tuple(sys.path)):
        return ()
    return _loaded(group, refusal, frozenset(taken), tuple(sys.path))


def packages(used: Iterable[Plugin]) -> tuple[str, ...]:
    """Return the packages of plugins, each once, as signatures have them."""
    return tuple(sorted({plugin.package for plugin in used}))


def installed() -> dict[str, list[str]]:
    """Return what each package adds, as ``GROUP NAME``; nothing is loaded for it."""
    if not _any_entry_points(tuple(sys.path)):
        return {}
    from importlib.metadata import entry_points  # noqa: PLC0415  # slow, and seldom needed

    by_package: dict[str, list[str]] = {}
    for group in GROUPS:
        for entry in sorted(entry_points(group=f"commonground.{group}"), key=_order):
            by_package.setdefault(_package(entry), []).append(f"{_singular(group)} {entry.name}")
    return dict(sorted(by_package.items()))


@lru_cache(maxsize=64)
def _any_entry_points(path: tuple[str, ...]) -> bool:
    """Tell whether any package in these folders adds anything."""
    return any(b"[commonground." in text for text in map(_entry_points, _packages(path)))


def _packages(path: Iterable[str]) -> Iterator[str]:
    """Return the folders that describe installed packages."""
    for folder in path:
        try:
            with os.scandir(folder or ".") as entries:
                yield from (e.path for e in entries if e.name.endswith((".dist-info", ".egg-info")))
        except OSError:  # an archive, or nothing at all
            continue


def _entry_points(package: str) -> bytes:
    try:
        with open(f"{package}/entry_points.txt", "rb", buffering=0) as file:  # noqa: PTH123  # many
            return file.read()
    except OSError:
        return b""


@lru_cache(maxsize=64)
def _loaded(
    group: str, refusal: Callable[[Plugin], str], taken: frozenset[str], _: tuple[str, ...]
) -> tuple[Plugin, ...]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # slow, and seldom needed

    owners = dict.fromkeys(taken, "commonground")
    accepted: list[Plugin] = []
    for entry in sorted(entry_points(group=f"commonground.{group}"), key=_order):
        own: dict[str, str] = {}
        for plugin in _values(group, entry):
            reason = refusal(plugin)
            if not reason and plugin.name in owners:
                reason = f"{owners[plugin.name]} has one of that name"
            if reason:
                _warn(group, plugin.name, plugin.package, reason)
            else:
                own[plugin.name] = plugin.package
                accepted.append(plugin)
        owners |= own
    return tuple(accepted)


def _order(entry: EntryPoint) -> tuple[str, str]:
    return entry.name, _package(entry)


def _package(entry: EntryPoint) -> str:
    """Return the package of an entry point, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


def _values(group: str, entry: EntryPoint) -> Iterator[Plugin]:
    """Return the values of an entry point, none where it cannot be loaded."""
    package = _package(entry)
    try:
        value = entry.load()
    except Exception as error:  # noqa: BLE001  # whatever is wrong with it is no fault of ours
        _warn(group, entry.name, package, f"{type(error).__name__}: {error}")
        return
    if group not in _SEVERAL:
        yield Plugin(entry.name, value, package)
        return
    for each in value if isinstance(value, list | tuple) else [value]:
        yield Plugin(getattr(each, "name", entry.name), each, package)


_SEVERAL = ("metrics", "properties")
"""The groups whose entry points may have several values; these have names of their own."""


def _warn(group: str, name: str, package: str, reason: str) -> None:
    """Say what is left out, once: processes that work for this one find the same."""
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None:
        message = f"{package}: the {_singular(group)} {name!r} is left out: {reason}"
        warnings.warn(message, PluginWarning, stacklevel=2)


def _singular(group: str) -> str:
    return "property" if group == "properties" else group.removesuffix("s")
