"""Regular expressions from users, by an engine that takes linear time whatever they are.

The engine is RE2. It has no look-around and no back-references, and in return an expression such as
``(a+)+$`` answers at once on any text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from commonground.errors import MissingExtraError, UsageError

__all__ = ["Expression", "compile_expression"]

Expression = Any
"""A compiled expression, with ``search`` and ``fullmatch``."""


@lru_cache(maxsize=4096)
def compile_expression(text: str) -> Expression:
    """Compile a regular expression; what is none is a usage error with the reason.

    >>> bool(compile_expression("(a+)+$").search("a" * 10_000 + "b"))
    False
    >>> compile_expression("(a")
    Traceback (most recent call last):
    commonground.errors.UsageError: '(a' is not a regular expression: missing ): (a
    """
    engine = _engine()
    options = engine.Options()
    options.log_errors = False  # it would write lines of its own on standard error
    options.max_mem = 1 << 26
    try:
        return engine.compile(text, options)
    except engine.error as error:
        reason = error.args[0] if error.args else "it cannot be understood"
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise UsageError(f"{text!r} is not a regular expression: {said}") from error


def _engine() -> Any:
    try:
        import re2  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("a regular expression", "patterns") from error
    return re2
