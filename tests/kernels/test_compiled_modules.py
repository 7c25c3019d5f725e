"""Modules that are compiled as they stand do what their source says, and never what it said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command import run_apart

from commonground.kernels import built
from commonground.kernels.compiled_modules import compiled_file
from commonground.schemes import tree

needs_compiled = pytest.mark.skipif(
    not built() or compiled_file(Path(tree.__file__)) is None,
    reason="the modules were not compiled, or edited since",
)


@needs_compiled
def test_a_compiled_module_names_its_source():
    assert type(tree.Tree.move).__name__ == "cython_function_or_method"
    assert Path(tree.__file__).name == "tree.py"


@needs_compiled
@pytest.mark.parametrize("name", ["tree.py", "transform.py"])
def test_no_module_is_run_as_it_was_where_a_source_was_edited(tmp_path, name):
    for folder in ("same", "edited"):
        shutil.copytree(Path(tree.__file__).parent, tmp_path / folder)
    edited = tmp_path / "edited" / name
    edited.write_text(edited.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert compiled_file(tmp_path / "same" / "tree.py") is not None
    assert compiled_file(tmp_path / "edited" / "tree.py") is None


@needs_compiled
@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("transform example:ud {} --from ud --to prague", "made.conllu"),
        ("view example:ud-parse --against example:ud --sentence cg-10 -o {}", "made.svg"),
    ],
)
def test_results_are_the_same_whether_modules_are_compiled_or_not(tmp_path, line, file):
    written = []
    for kind in ("python", "compiled"):
        made = tmp_path / f"{kind}-{file}"
        assert run_apart(*line.format(made).split(), COMMONGROUND_KERNELS=kind).returncode == 0
        written.append(made.read_bytes())
    assert written[0] == written[1]
