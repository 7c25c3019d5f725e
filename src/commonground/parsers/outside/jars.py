"""The jars of parsers in Java: which one is used, and where it was named.

In this order: the one that the settings name, the one of the environment variable
``COMMONGROUND_NAME_JAR``, the one that a training named last (it is remembered in the user's data
folder, since a model file may come from somebody else and never names a program), and what
``commonground parsers install`` has put there.
"""

from __future__ import annotations

import os
from pathlib import Path

from commonground.errors import UsageError, setting
from commonground.formats.storage.files import write_bytes
from commonground.parsers.outside.places import INSTALLABLE, data_folder, jars_of, java

__all__ = ["class_path", "missing_jar", "remember_jar"]


def class_path(name: str, given: str = "") -> str:
    """Return the class path of a parser; `given` is what the settings name."""
    if given:
        return _files(given, name)
    if named := os.environ.get(_variable(name)):
        return _files(named, name)
    if remembered := _remembered(name):
        return remembered
    if installed := jars_of(name):
        return str(installed[0])
    raise UsageError(f"{name} {_how_to_name(name)}")


def missing_jar(name: str, given: str = "") -> str:
    """Return what a parser in Java lacks, and how to get it; the empty string if nothing."""
    if not java():
        return "needs Java; install a JRE (on Debian: apt-get install default-jre-headless)"
    if given or os.environ.get(_variable(name)) or _remembered(name) or jars_of(name):
        return ""
    return _how_to_name(name)


def remember_jar(name: str, given: str) -> None:
    """Remember the jar that the user has named, for models that are used later."""
    if given:
        place = data_folder() / name / "jar"
        place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, [class_path(name, given).encode()])


def _remembered(name: str) -> str:
    """Return the class path that was named last, the empty string if it is not there any more."""
    place = data_folder() / name / "jar"
    text = place.read_text(encoding="utf-8").strip() if place.is_file() else ""
    return text if text and all(Path(each).is_file() for each in text.split(os.pathsep)) else ""


def _files(given: str, name: str) -> str:
    for each in given.split(os.pathsep):
        if not Path(each).is_file():
            raise UsageError(f"the jar of {name}, {each}, is not a file")
    return os.pathsep.join(str(Path(each).resolve()) for each in given.split(os.pathsep))


def _how_to_name(name: str) -> str:
    title = "MaltParser" if name == "malt" else "its jar"
    ways = [f"commonground parsers install {name}"] if name in INSTALLABLE else []
    ways += [setting("set", "jar=PATH"), _variable(name)]
    return f"needs {title}; {', or '.join(ways)}"


def _variable(name: str) -> str:
    return f"COMMONGROUND_{name.upper()}_JAR"
