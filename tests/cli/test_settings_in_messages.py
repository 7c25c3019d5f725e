"""Below ``cli/`` no message spells an option; it names a setting, and that setting exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import commonground
from commonground.cli import commands

ROOT = Path(commonground.__file__).parent
FILES = sorted(path for path in ROOT.rglob("*.py") if ROOT / "cli" not in path.parents)
OPTION = re.compile(r"(?:^|[\s(`])--[a-z][a-z-]*")
COMMAND_LINES = {
    "errors.py",  # the one place that spells settings
    "experiments/study.py",  # the command that repeats a study
    "parsers/outside/neural.py",  # other programs
    "parsers/outside/places.py",
    "report/drawing/style.py",  # variables of a style sheet
    "report/page/comparison.py",  # commands to copy from a page
    "report/material/material.py",
    "serve/upload.py",
    "shared_task/board.py",  # commands for organisers and participants
    "shared_task/new_task.py",
    "shared_task/scoring.py",
    "shared_task/starter_kit.py",
    "trials/running.py",  # this program, in a process of its own
}


def spelt(tree: ast.AST) -> Iterator[str]:
    """Yield the strings of a module that spell an option, without its docstrings."""
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield from OPTION.findall(node.value)


def named(tree: ast.AST) -> Iterator[str]:
    """Yield the settings that the messages of a module name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setting":
            yield from (
                each.value
                for each in node.args[:1]
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )


def modules_with(text: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the name and the tree of each module below ``cli/`` that has a text in it."""
    for path in FILES:
        if text in (written := path.read_text("utf-8")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(written)


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the options of a command and of all below it."""
    yield from (name for each in command.params for name in each.opts + each.secondary_opts)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if below := command.get_command(context, name):
                yield from options(below, context)


def test_messages_below_the_command_line_spell_no_option() -> None:
    by_name = {path: list(spelt(tree)) for path, tree in modules_with("--")}
    assert {
        path: names for path, names in by_name.items() if names and path not in COMMAND_LINES
    } == {}


def test_every_setting_that_a_message_names_is_an_option() -> None:
    known = set(options(commands, click.Context(commands)))
    by_name = {name for _, tree in modules_with("setting(") for name in named(tree)}
    assert len(by_name) > 15
    assert {name for name in by_name if f"--{name.replace('_', '-')}" not in known} == set()


@pytest.mark.parametrize("text", ["see --fix", "(--set jar=PATH)", "--head has no effect"])
def test_a_spelt_option_is_found(text: str) -> None:
    assert list(spelt(ast.parse(f"raise ValueError({text!r})")))
