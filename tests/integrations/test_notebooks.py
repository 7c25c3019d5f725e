"""The example notebooks run from the first cell to the last, and show something in each."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore")  # of the machinery of notebooks, not of ours
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_showed_when_it_was_saved(path, tmp_path):
    import nbformat
    from nbclient import NotebookClient

    saved = nbformat.read(path, 4)
    run = nbformat.from_dict(saved)
    NotebookClient(run, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    for cell, before in zip(run.cells, saved.cells, strict=True):
        if cell.cell_type == "code":
            assert _kinds(cell) == _kinds(before), cell.source


def _kinds(cell):
    """What a cell shows: text, HTML, a drawing; the numbers are those of other tests."""
    return [sorted(output.get("data", {})) for output in cell.outputs]
