"""The first page takes a newcomer from nothing to a table with a verdict in five commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import run_line

README = Path(__file__).parents[2] / "README.md"


def commands() -> list[str]:
    """The commands of the first block of the README that installs."""
    block = re.search(r"```\n(pip install .*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    return block[1].splitlines()


@pytest.mark.long
def test_five_commands_of_the_first_page_make_a_table_with_a_verdict(tmp_path):
    """The first one is `pip install .`, which the workflows run; here the package is there already."""
    install, *others = commands()
    assert (install, len(others)) == ("pip install .", 4)
    for command in others:
        done = run_line(command, tmp_path)
        assert done.returncode == 0, (command, done.stderr)
    verdict, *table = (tmp_path / "table.tex").read_text(encoding="utf-8").splitlines()
    assert verdict.removeprefix("% ") in README.read_text(encoding="utf-8")
    assert r"    \toprule" in table
    assert any(line.lstrip().startswith("1 & mine") for line in table)
