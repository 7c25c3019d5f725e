"""What can go wrong, as one small hierarchy.

Everything that commonground raises on purpose is a :class:`CommonGroundError`. An error about input
knows the file and the line, and its text is the one line that the command prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


class CommonGroundError(Exception):
    """The base of all errors that commonground raises on purpose."""


class UsageError(CommonGroundError):
    """A request that makes no sense, such as an unknown format or an option that does not apply."""


class OverwrittenInputError(UsageError):
    """The file to be written is one that was read, and nobody said that this is meant."""

    def __str__(self) -> str:
        return f"{self.args[0]} is an input file and would be overwritten"


class UndefinedScoreError(UsageError):
    """A score that means nothing for these treebanks; the message says why."""


class MissingExtraError(CommonGroundError):
    """A feature needs a package that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(feature, extra)  # what it is made of, so that it can be pickled

    def __str__(self) -> str:
        feature, extra = self.args
        return f"{feature} needs an extra: {how_to_install(extra)}"


def how_to_install(extra: str) -> str:
    """Return the commands that install an extra: of the published package, and in a checkout.

    >>> how_to_install("stanza")
    "pip install 'commonground[stanza]' (in a checkout: pip install '.[stanza]')"
    """
    return f"pip install 'commonground[{extra}]' (in a checkout: pip install '.[{extra}]')"


class LostProcessError(CommonGroundError):
    """A process that worked for this one ended in the middle of its work."""

    def __str__(self) -> str:
        return "a worker process was killed, perhaps for lack of memory; fewer jobs need less"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file: the line (1 is the first), and what would be right.

    `rule` is the name that the validator of Universal Dependencies has for it, if any; what is
    `mechanical` can be mended by a program. A `warning` is about what is allowed, but suspicious.
    """

    line: int
    message: str
    rule: str = field(default="", repr=False)
    mechanical: bool = field(default=False, repr=False)
    warning: bool = field(default=False, repr=False)


class InputError(CommonGroundError):
    """Input that cannot be read, with the file and the line where reading stopped.

    >>> print(InputError("a.conllu", 3, "HEAD is 'x'; a number or _ is expected"))
    a.conllu:3: HEAD is 'x'; a number or _ is expected
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(path, line, message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return (
            f"{self.path}:{self.line}: {self.message}"
            if self.line
            else f"{self.path}: {self.message}"
        )


class MismatchError(InputError):
    """A parse that does not have the sentences, or the words, of the gold standard."""


def setting(name: str, value: object = "") -> str:
    """Return how a message names a setting, and the value that it advises: as the verbs spell it.

    What is raised knows a setting by its name; this is the one place that knows how it is written.

    >>> setting("on_mismatch", "skip")
    '--on-mismatch skip'
    """
    return f"--{name.replace('_', '-')} {value}".rstrip()


class FileWarning(UserWarning):
    """Something that users should know about a file; what is so of many files is told once."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{path or 'a file'}: {what}")
        self.what = what


class GuessedEncodingWarning(FileWarning):
    """A file is not in UTF-8, and nobody said in which encoding it is."""


class BrokenFileWarning(FileWarning):
    """A file of a folder cannot be read, and is left out."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, as a message asks for it; else nothing.

    That is one of the same letters in another order, or else the one that is most like it.

    >>> "there is no metric 'lsa'" + nearest("lsa", ["la", "las"])
    "there is no metric 'lsa'; did you mean las?"
    >>> nearest("bleu", ["uas", "las"])
    ''
    """
    from difflib import get_close_matches  # noqa: PLC0415  # only for mistakes

    names = list(known)
    turned = [each for each in names if sorted(each) == sorted(name.lower())]
    near = turned or get_close_matches(name.lower(), names, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def utf8(data: bytes, path: str, advice: str = "save the file as UTF-8") -> str:
    r"""Return the bytes of a file as text, or refuse them where they are not UTF-8.

    >>> utf8(b"a\nb\xff", "x.toml")
    Traceback (most recent call last):
    commonground.errors.InputError: x.toml:2: byte 2 is not UTF-8; save the file as UTF-8
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(path, line, f"byte {byte} is not UTF-8; {advice}") from error


def quoted(text: str, limit: int = 40) -> str:
    """Return text from a file for use in a message: bounded, and without control characters.

    >>> quoted("nsubj")
    "'nsubj'"
    >>> print(quoted("a" * 50, limit=5))
    'aaaaa…'
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")


def going_on(here: str, there: str, place: str) -> str:
    """Tell how two texts go on from where they differ; either may end there.

    >>> going_on("dogs", "cats", "a.mrg:1"), going_on("", ".", "a.mrg:1")
    ("goes on with 'dogs', but in a.mrg:1 with 'cats'", "ends, but in a.mrg:1 it goes on with '.'")
    """
    this = f"goes on with {quoted(here, 20)}" if here else "ends"
    other = f"{'' if here else 'it goes on '}with {quoted(there, 20)}" if there else "it ends"
    return f"{this}, but in {place} {other}"
