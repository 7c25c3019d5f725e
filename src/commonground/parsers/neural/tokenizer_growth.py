"""Tokenizers that make so much of a short text that no memory has room for it.

The library tokenizers ends the process where memory does not suffice, so what makes texts longer is
looked at before it reads ``tokenizer.json``: the steps of the normalizer that put other text in the
place of some, and the marks of pieces, one of which is put before each part of a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["growth"]

_MOST_STEPS, _MOST_REPLACING = 32, 8
_MOST_INSERTED, _MOST_WORD = 16, 1000
_MARKS = ("continuing_subword_prefix", "end_of_word_suffix")


def growth(tokenizer: Mapping[str, Any]) -> str:
    """Return what is wrong with a tokenizer, the empty string if no text grows too much.

    >>> growth({"normalizer": {"type": "Replace", "pattern": {"String": "``"}, "content": "x"}})
    ''
    >>> growth({"normalizer": {"type": "Prepend", "prepend": "x" * 1000}})
    'its normalizer makes texts many times as long'
    """
    steps, model = _steps(tokenizer.get("normalizer")), tokenizer.get("model")
    kinds = [step.get("type") for step in steps]
    if (
        len(steps) > _MOST_STEPS
        or kinds.count("Sequence") > 1
        or kinds.count("Replace") > _MOST_REPLACING
        or any(len(str(step.get("prepend", ""))) > _MOST_INSERTED for step in steps)
        or any(_lengthens(step) for step in steps if step.get("type") == "Replace")
    ):
        return "its normalizer makes texts many times as long"
    if isinstance(model, dict):
        longest = model.get("max_input_chars_per_word", 0)
        if not isinstance(longest, int) or longest > _MOST_WORD:
            return f"words of more than {_MOST_WORD:,} characters would be cut into pieces"
        if any(len(str(model.get(mark) or "")) > _MOST_INSERTED for mark in _MARKS):
            return "the marks of pieces of words are too long"
    return ""


def _steps(normalizer: Any) -> list[Mapping[str, Any]]:
    """Return the steps of a normalizer; the whole is one of them if it is a sequence."""
    if not isinstance(normalizer, dict):
        return []
    inner = normalizer.get("normalizers")
    steps = inner if isinstance(inner, list) else []
    return [normalizer, *(step for step in steps if isinstance(step, dict))]


def _lengthens(step: Mapping[str, Any]) -> bool:
    """Tell whether more than one character takes the place of a shorter text."""
    content, pattern = step.get("content"), step.get("pattern")
    text = pattern.get("String", "") if isinstance(pattern, dict) else ""
    return not isinstance(content, str) or len(content) > max(1, len(str(text)))
