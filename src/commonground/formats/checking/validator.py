"""Levels 3 to 5 of the validator of Universal Dependencies, by the validator itself (``udtools``).

They ask what the guidelines say about syntax (3) and what the documentation of a language lists (4,
5); both change with every release, so the program that the treebanks are released with is asked.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

from commonground.errors import MissingExtraError, Problem, UsageError

__all__ = ["LANGUAGE", "problems"]

LANGUAGE = "ud"
"""What the validator calls no language in particular."""


def problems(data: bytes, level: int, lang: str = LANGUAGE) -> Iterator[Problem]:
    """Return the errors of level 3 up to `level`; what is lower is found without the validator."""
    validator, state = _validator(level, lang), _state()
    validator.validate_file_handle(io.StringIO(data.decode("utf-8", "replace")), state)
    validator.validate_end(state)
    for incident in state.error_tracker:
        if incident.is_error() and incident.level > 2:
            message = " ".join(str(incident.message).split())
            yield Problem(max(int(incident.lineno or 0), 0), message, str(incident.testid))


@cache
def _validator(level: int, lang: str) -> Any:
    try:
        from udtools.validator import Validator  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError(f"level {level} of the UD validator", "ud") from error
    validator = Validator(lang=lang, level=level, output=None)
    if lang != LANGUAGE and not validator.data.is_known_language(lang):
        raise UsageError(
            f"the UD validator does not know the language {lang!r}; it has codes such as en"
        )
    return validator


def _state() -> Any:
    from udtools.state import State  # noqa: PLC0415  # an extra

    return State()
