"""The drawings of the example corpus stay as they are, byte by byte."""

from __future__ import annotations

import pytest
from command import run_line
from golden_drawings import FOLDER, PAGE, digests, full, pictures
from seen import Seen

import commonground as cg
from commonground.report.drawing import draw_generalization

NAMES = sorted(path.name for path in FOLDER.glob("*.*") if path.name != "digests.txt")
HINT = "look at the new one; 'python tests/golden_drawings.py' keeps it"


@pytest.fixture(scope="module")
def drawings():
    return dict(full())


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_is_as_it_was(drawings, name):
    assert (FOLDER / name).read_text(encoding="utf-8") == drawings[name], HINT


def test_all_drawings_are_as_they_were():
    before = (FOLDER / "digests.txt").read_text(encoding="utf-8").splitlines()
    changed = [new for old, new in zip(before, digests().splitlines(), strict=True) if old != new]
    assert changed == [], HINT


def test_all_drawings_are_kept_and_none_without_need(drawings):
    assert {path.name for path in FOLDER.iterdir()} == {*drawings, "digests.txt"}


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".svg")])
def test_nothing_overlaps_on_a_pinned_drawing(drawings, name):
    seen = Seen(drawings[name])
    assert seen.overlaps() == []
    assert seen.cuts() == []
    assert seen.outside() == []


@pytest.mark.parametrize(("command", "name"), pictures())
def test_the_pictures_of_the_page_are_what_its_commands_draw(command, name, tmp_path):
    done = run_line(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name).read_bytes() == (PAGE.parent / "img" / name).read_bytes()


def test_the_picture_of_a_generalization_is_what_the_page_draws():
    trees = {name: cg.to_functions(cg.read(f"example:{name}")[:1]) for name in ("ud", "ptb")}
    path = PAGE.parent / "img" / "generalized.svg"
    assert path.read_text(encoding="utf-8") == draw_generalization(trees)
