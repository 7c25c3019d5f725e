"""Where the module for Hugging Face ``evaluate`` lies."""

from __future__ import annotations

from pathlib import Path

__all__ = ["huggingface_module"]


def huggingface_module() -> str:
    """Return the folder that ``evaluate.load`` takes.

    >>> Path(huggingface_module()).name
    'parsing_scores'
    """
    return str(Path(__file__).parent / "parsing_scores")
