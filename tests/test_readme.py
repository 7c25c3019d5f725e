"""What the README shows is what the program does."""

import re
from pathlib import Path

import pytest

from command import run_line
from commonground.formats.registry import formats

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def console_blocks():
    """Return (page, command, output) for each command in a console block of a page."""
    for page in PAGES:
        for block in re.findall(
            r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL
        ):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield pytest.param(command, output, id=f"{page.name}: {command}")


@pytest.mark.parametrize(("command", "output"), list(console_blocks()))
def test_a_command_prints_what_the_page_shows(command, output, tmp_path):
    done = run_line(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip("\n") == output.rstrip("\n")


def test_the_readme_shows_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_every_link_of_a_page_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_demonstration_runs_to_its_end(tmp_path):
    done = run_line("commonground demo", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The converted files are in" in done.stdout
    written = {path.name for path in (tmp_path / "commonground-demo").iterdir()}
    assert {"ud.conll", "ptb.xml", "report.html"} <= written
    assert done.stdout.splitlines()[-1].startswith(f"The report is {tmp_path}")


def test_the_page_of_formats_lists_what_there_is():
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| .*? \|((?: `\.[\w-]+`)*)\s*\| ✓ \| (✓?) ?\|$", page, re.MULTILINE
    )
    listed = {
        name: (tuple(re.findall(r"`(\.[\w-]+)`", suffixes)), bool(writes))
        for name, suffixes, writes in rows
    }
    assert listed == {f.name: (f.suffixes, f.write is not None) for f in formats()}
