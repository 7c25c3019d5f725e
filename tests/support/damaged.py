"""Small damage to a file: it is read, or refused with the first of its problems."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.formats import FormatOptions


def check_damaged_text(entry, text, letters, data):
    """A text with some other letters, or without some of its lines, is read or refused."""
    damaged = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        if data.draw(st.booleans()):
            damaged[place] = data.draw(st.sampled_from([*letters, 0xE9, 0]))
        else:
            lines = bytes(damaged).split(b"\n")
            del lines[data.draw(st.integers(0, len(lines) - 1))]
            damaged = bytearray(b"\n".join(lines) or b"\n")
    problems = list(entry.problems(bytes(damaged), FormatOptions()))
    if problems:
        with pytest.raises(InputError) as error:
            entry.read(bytes(damaged), "x", 1, FormatOptions())
        assert (error.value.line, error.value.message) == (problems[0].line, problems[0].message)
    else:
        entry.read(bytes(damaged), "x", 1, FormatOptions())
