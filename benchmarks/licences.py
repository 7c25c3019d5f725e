"""The licences of everything that is installed with the package: ``python benchmarks/licences.py``.

Lists the dependencies of the package and of each extra that are installed here, with their own
dependencies, and the bundled data. A package that names no licence is marked, to be looked at.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

DATA = {
    "src/commonground/example": "MIT: sentences and trees written for this package",
    "src/commonground/schemes/presets": "MIT: written from the published guidelines",
    "src/commonground/conversion/rules": "MIT: tables written from the papers that they name",
    "src/commonground/metrics/constituents/parameters": "public domain: evalb's parameter files",
}


def main() -> int:
    """Print the list, and return 1 where a licence is not known."""
    licences: dict[str, str] = {}
    todo = [name for name, _ in _needed(distribution("commonground"))]
    while todo:
        name = todo.pop()
        if name in licences:
            continue
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            licences[name] = "(not installed here)"
            continue
        licences[name] = _licence(installed)
        todo += [other for other, extra in _needed(installed) if not extra]
    width = max(map(len, licences))
    for name, licence in sorted(licences.items()):
        print(f"{name:{width}}  {licence}")
    print("\nBundled data")
    for folder, licence in DATA.items():
        print(f"{folder}  {licence}")
    return int(any(licence == "?" for licence in licences.values()))


def _needed(package: Distribution) -> list[tuple[str, bool]]:
    """Return the packages that one needs, and whether only an extra of it does."""
    lines = package.requires or []
    names = [re.match(r"[A-Za-z0-9._-]+", line) for line in lines]
    return [
        (re.sub(r"[-_.]+", "-", name[0]).lower(), "extra ==" in line)
        for name, line in zip(names, lines, strict=True)
        if name
    ]


def _licence(package: Distribution) -> str:
    """Return the licence that a package names: as an expression, by classifiers, or as text."""
    told = package.metadata
    if expression := told.get("License-Expression"):
        return str(expression)
    classifiers = [c for c in told.get_all("Classifier") or [] if c.startswith("License ::")]
    if classifiers:
        return ", ".join(c.rpartition(" :: ")[2] for c in classifiers)
    text = str(told.get("License") or "").strip().splitlines()
    return text[0][:60] if text else "?"


if __name__ == "__main__":
    sys.exit(main())
