"""What the README shows is what the program does."""

import re
import tomllib
from pathlib import Path

import pytest
from command import run_line

from commonground.cli import VERBS
from commonground.formats.registry import SUFFIXES, formats

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def console_blocks():
    """Return (commands, outputs) for each console block of a page."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
            parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
            lines = [part.partition("\n")[::2] for part in parts]
            yield pytest.param(lines, id=f"{page.relative_to(ROOT)}: {lines[0][0]}")


@pytest.mark.parametrize("lines", list(console_blocks()))
def test_commands_print_what_the_page_shows(lines, tmp_path):
    """The commands of a block share a folder, so that one can use what another has written."""
    for command, output in lines:
        done = run_line(command, tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.rstrip("\n") == output.rstrip("\n"), command


def test_the_readme_shows_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_the_readme_names_every_verb():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f"`{verb}`" not in text] == []


def test_every_link_of_a_page_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_page_of_formats_lists_what_there_is():
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| .*? \|((?: `\.[\w-]+`)*)\s*\| ✓ \| (✓?) ?\|$", page, re.MULTILINE
    )
    listed = {
        name: (tuple(re.findall(r"`(\.[\w-]+)`", suffixes)), bool(writes))
        for name, suffixes, writes in rows
    }
    assert listed == {f.name: (SUFFIXES[f.name], f.write is not None) for f in formats()}


def test_the_page_on_installing_lists_every_extra_for_users():
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"].keys()
    page = (ROOT / "docs/start/install.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert extras - {"test", "check", "docs", "bench"} == listed
