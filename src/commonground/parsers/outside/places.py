"""Where programs from outside are kept, and how they get there.

``commonground parsers install NAME`` puts a program into the user's data folder. MaltParser comes
out of a package that carries it (``estnltk``, whose licence allows it), fetched by pip without what
it depends on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from commonground.errors import UsageError, how_to_install

__all__ = [
    "INSTALLABLE",
    "data_folder",
    "install",
    "jars_of",
    "java",
    "lacking",
    "package_needed",
    "package_version",
]

INSTALLABLE = {"malt": "estnltk"}
"""What can be installed, and the package that carries it."""

_MALT = "java-res/maltparser/"


def data_folder() -> Path:
    """Return the folder of the user's data for this program; it need not exist."""
    home = os.environ.get("COMMONGROUND_DATA")
    if home:
        return Path(home)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "commonground"


def java() -> str:
    """Return the path of Java, the empty string where there is none."""
    home = os.environ.get("JAVA_HOME")
    inside = Path(home) / "bin" / "java" if home else None
    return str(inside) if inside and inside.exists() else shutil.which("java") or ""


def package_version(package: str) -> str:
    """Return the version of an installed package, the empty string where it is not installed.

    >>> package_version("no-such-package")
    ''
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def lacking(package: str, extra: str) -> str:
    """Return which extra has to be installed for a package, the empty string where it is there.

    >>> lacking("numpy", "none"), lacking("no_such.package", "udpipe")[:51]
    ('', "needs a package; pip install 'commonground[udpipe]'")
    """
    parent = package.rpartition(".")[0]
    if (not parent or find_spec(parent)) and find_spec(package):
        return ""
    return f"needs a package; {how_to_install(extra)}"


def package_needed(package: str, extra: str) -> Callable[[object], str]:
    """Return what tells, whatever the settings, which extra a parser needs; see :func:`lacking`."""
    return lambda _: lacking(package, extra)


def jars_of(name: str) -> list[Path]:
    """Return the jars of an installed program, the program itself first."""
    folder = data_folder() / name
    return [*sorted(folder.glob("*.jar")), *sorted(folder.glob("lib/*.jar"))]


def install(name: str) -> Path:
    """Install a program into the user's data folder, and return its folder there."""
    if name not in INSTALLABLE:
        known = ", ".join(INSTALLABLE)
        raise UsageError(
            f"{name!r} cannot be installed by this command; {known} can. The others are separate "
            "packages (see 'commonground parsers list') or take a path"
        )
    with tempfile.TemporaryDirectory() as scratch:
        _download(INSTALLABLE[name], scratch)
        return _unpack(name, next(Path(scratch).glob("*.whl")))


def _download(package: str, folder: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder]
    done = subprocess.run(  # noqa: S603  # the arguments are ours
        [*command, "--only-binary", ":all:", package], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
        raise UsageError(f"{package} could not be fetched: {last}")


def _unpack(name: str, wheel: Path) -> Path:
    """Put the jars of a wheel, and the licence beside them, where :func:`jars_of` finds them."""
    target = data_folder() / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch, zipfile.ZipFile(wheel) as file:
        fresh = Path(scratch) / name
        for member in file.namelist():
            _, jars, inner = member.partition(_MALT)
            if jars and inner.endswith((".jar", ".txt")) and ".." not in inner:
                place = fresh / inner
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.read(member))
        if not any(fresh.glob("*.jar")):
            raise UsageError(f"{wheel.name} does not carry {name}")
        if target.exists():
            shutil.rmtree(target)
        fresh.rename(target)
    return target
