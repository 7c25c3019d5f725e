"""SECURITY.md: every sentence of its table has a test, and every test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def rows():
    """The rows of the table: who, what cannot happen, and the tests."""
    lines = (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in cells[2:]]


@cache
def functions_of(file):
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_sentence_is_shown_by_tests_that_are_there():
    assert len(rows()) > 30
    for who, sentence, shown in rows():
        assert who
        assert sentence.endswith(".")
        names = re.findall(r"`([\w/]+\.py)::(test_\w+)`", shown)
        assert names, sentence
        for file, test in names:
            assert test in functions_of(file), f"{file}::{test}"


def test_everything_that_a_stranger_may_hand_over_is_in_the_table():
    named = {part.strip() for who, *_ in rows() for part in who.split(",")}
    assert {
        *("treebank", "result", "model", "recipe", "scheme", "mapping"),
        *("archive of a study", "visitor of `serve`"),
    } <= named
