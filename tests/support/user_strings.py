"""Every sentence in the code that a user may read.

``python tests/support/user_strings.py`` lists them for review.

A string counts if it has three words or more and is no docstring; a docstring counts if it is the help
of a command. Values that are filled in are shown as ``{...}``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/commonground"


def user_strings() -> dict[str, str]:
    """Return each sentence with the first place where it stands.

    >>> sentences = user_strings()
    >>> any(text.startswith("HEAD is {...}") for text in sentences)
    True
    """
    found: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for line, text in _strings(tree, in_commands="cli" in path.parts):
            found.setdefault(text, f"{path.relative_to(SOURCE.parent).as_posix()}:{line}")
    return found


def _strings(tree: ast.Module, *, in_commands: bool) -> Iterator[tuple[int, str]]:
    skipped = {
        id(part) for node in ast.walk(tree) for part in _not_read(node, in_commands=in_commands)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                part.value if isinstance(part, ast.Constant) else "{...}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        text = " ".join(text.split())
        if len([word for word in text.split(" ") if word.isalpha()]) >= 3:
            yield node.lineno, text


def _not_read(node: ast.AST, *, in_commands: bool) -> Iterator[ast.AST]:
    """What documents the code, but is no help of a command, and parts of a longer string."""
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        help_text = in_commands and _is_command(node)
        statements = node.body[1:] if help_text else node.body
        yield from (part.value for part in statements if isinstance(part, ast.Expr))


def _is_command(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(name in ast.dump(part) for part in decorators for name in ("command", "group"))


if __name__ == "__main__":
    for sentence, place in user_strings().items():
        print(f"{place}\t{sentence}")  # noqa: T201 - a list for review
