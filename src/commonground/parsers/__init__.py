"""What makes hypotheses: parsers of our own, from outside, and the tagger under them."""

from __future__ import annotations

from commonground.parsers.model_file import Stored, read_model, write_model
from commonground.parsers.parser import Model, Parser, TrainingStep, TrainingTask
from commonground.parsers.registry import find_parser, parser_names, parsers

__all__ = [
    "Model",
    "Parser",
    "Stored",
    "TrainingStep",
    "TrainingTask",
    "find_parser",
    "parser_names",
    "parsers",
    "read_model",
    "write_model",
]
