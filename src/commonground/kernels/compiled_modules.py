"""Modules of other rooms that are compiled as they stand.

Where the work is Python on texts and small trees, no kernel over flat buffers can take its place;
but the same source is half as fast again if Cython compiles it. ``CMakeLists.txt`` lists these
modules, and a ``.pxd`` file beside a source declares types, with which it is twice as fast. All
compiled modules of a package rely on each other's types, and are named after their source and the
digest of all sources (``tree-5f0c….so``): where one was edited since, all are run as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from commonground.kernels import PROBE, in_use

__all__ = ["FOLDER", "compiled_file", "prefer_compiled"]

FOLDER = "modules"
"""Where compiled modules are, beside the compiled kernels."""


def prefer_compiled(package: str) -> None:
    """Let the modules of a package be imported as they were compiled, where they were."""
    if in_use() == "compiled" and not any(_is_finder(one, package) for one in sys.meta_path):
        sys.meta_path.insert(0, _CompiledModules(package))


def compiled_file(source: Path) -> Path | None:
    """Return the file that a module was compiled to, None if its package was edited since.

    >>> compiled_file(Path(__file__)) is None
    True
    """
    kernel = find_spec(PROBE)
    if kernel is None or kernel.origin is None or not source.is_file():
        return None
    name = f"{source.stem}-{_digest(source.parent)}{EXTENSION_SUFFIXES[0]}"
    compiled = Path(kernel.origin).parent / FOLDER / name
    return compiled if compiled.is_file() else None


@cache
def _digest(folder: Path) -> str:
    """Return the digest of the digests of all sources in a folder."""
    digests = [sha256(one.read_bytes()).hexdigest() for one in sorted(folder.glob("*.py"))]
    return sha256("".join(digests).encode()).hexdigest()


class _CompiledModules:
    """Finds the compiled modules of a package."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002  # as importlib calls it
    ) -> ModuleSpec | None:
        """Return how a module is imported, None if it was not compiled."""
        parent, _, own = name.rpartition(".")
        if parent != self.package:
            return None
        for folder in path or ():
            source = Path(folder) / f"{own}.py"
            if compiled := compiled_file(source):
                loader = _Loader(name, str(compiled), source)
                return spec_from_file_location(name, compiled, loader=loader)
        return None


class _Loader(ExtensionFileLoader):
    """Loads a compiled module, which names its source as its file, as any other one does."""

    def __init__(self, name: str, path: str, source: Path) -> None:
        super().__init__(name, path)
        self.source = source

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        module.__file__ = str(self.source)


def _is_finder(one: object, package: str) -> bool:
    return isinstance(one, _CompiledModules) and one.package == package
