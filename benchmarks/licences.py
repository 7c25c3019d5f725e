"""The licences of everything that is installed with the package: ``python benchmarks/licences.py``.

Lists the dependencies of the package and of each extra that are installed here, with their own
dependencies, and the bundled data; then those whose licence asks something of who passes them on,
with the extras that bring them. A package that names no licence is marked, to be looked at.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "commonground"
DATA = {
    "example": "MIT: sentences and trees written for this package",
    "metrics/constituents/parameters": "public domain: evalb's parameter files",
    "experiments/recipes": "MIT: written for this package",
    "report/page": "MIT: written for this package",
}
"""What is bundled; every other file is a table."""

TABLES = "MIT: tables written from the guidelines and papers that they name"
COPYLEFT = re.compile(r"GPL|General Public|\bMPL|Mozilla", re.IGNORECASE)


def main() -> int:
    """Print the list, and return 1 where a licence is not known."""
    brought: dict[str, set[str]] = {}
    for name, extra in _needed(distribution("commonground")):
        if name != "commonground":
            for each in _closure(name):
                brought.setdefault(each, set()).add(extra)
    licences = {name: _licence(name) for name in sorted(brought)}
    width = max(map(len, licences))
    for name, licence in licences.items():
        print(f"{name:{width}}  {licence}")
    print("\nBundled data")
    bundled = {
        path.parent.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.suffix in {".toml", ".conllu", ".mrg", ".prm", ".js", ".css"}
    }
    for folder in sorted(bundled | set(DATA)):
        print(f"{folder:{width}}  {DATA.get(folder, TABLES)}")
    print("\nCopyleft, and the extras that bring it")
    for name, licence in licences.items():
        if COPYLEFT.search(licence):
            extras = ", ".join(sorted(extra or "always" for extra in brought[name]))
            print(f"{name:{width}}  {licence}: {extras}")
    return int("?" in licences.values())


def _closure(name: str) -> set[str]:
    """Return a package and all that it needs, as far as it is installed here."""
    names, todo = set[str](), [name]
    while todo:
        name = todo.pop()
        if name in names:
            continue
        names.add(name)
        try:
            needed = _needed(distribution(name))
        except PackageNotFoundError:
            continue
        todo += [other for other, extra in needed if not extra]
    return names


def _needed(package: Distribution) -> list[tuple[str, str]]:
    """Return the packages that one needs, and the extra of it that does, or the empty text."""
    lines = package.requires or []
    names = [re.match(r"[A-Za-z0-9._-]+", line) for line in lines]
    extras = [re.search(r"""extra == ["']([\w-]+)""", line) for line in lines]
    return [
        (re.sub(r"[-_.]+", "-", name[0]).lower(), extra[1] if extra else "")
        for name, extra in zip(names, extras, strict=True)
        if name
    ]


def _licence(name: str) -> str:
    """Return the licence that a package names: as an expression, by classifiers, or as text."""
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return "(not installed here)"
    told = package.metadata
    if expression := told.get("License-Expression"):
        return str(expression)
    classifiers = [c for c in told.get_all("Classifier") or [] if c.startswith("License ::")]
    if classifiers:
        return ", ".join(c.rpartition(" :: ")[2] for c in classifiers)
    if text := str(told.get("License") or "").strip():
        return text.splitlines()[0][:60]
    file = package.read_text("licenses/LICENSE") or package.read_text("LICENSE") or ""
    return " ".join(file.partition("\n\n")[0].split())[:100] or "?"


if __name__ == "__main__":
    sys.exit(main())
