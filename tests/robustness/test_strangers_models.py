"""Models from strangers: nothing in them is run, and no more memory is taken than is allowed."""

from __future__ import annotations

import io
import zipfile
import zlib

import numpy as np
import pytest
from command import assert_refused, run, write

import commonground as cg
from commonground.errors import InputError
from commonground.parsers.model_file import Stored, model_bytes, write_model
from commonground.parsers.outside.command_line import called
from commonground.parsers.registry import find_parser, parser_names

ABOUT = {"tags": "none", "encoding": "", "log": []}
CODE = "import pathlib\npathlib.Path({!r}).write_text('it ran')\nraise SystemExit(1)\n"


def planted(tmp_path, parser, **metadata):
    """Write a model that brings along Python modules under the names that its parser calls."""
    buffer = io.BytesIO()
    code = CODE.format(str(tmp_path / "pwned"))
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in (
            *("stanza/__init__.py", "stanza/models/__init__.py", "stanza/models/parser.py"),
            *("supar/__init__.py", "supar/cmds/__init__.py", "supar/cmds/biaffine_dep.py"),
            *("sitecustomize.py", "usercustomize.py", "os.py", "re.py", "model"),
        ):
            archive.writestr(name, code)
    files = {"files": np.frombuffer(buffer.getvalue(), np.uint8)}
    return Stored(parser, metadata, files)


def saved(tmp_path, inner, outer=None):
    path = tmp_path / "evil.model"
    write_model(Stored(outer or inner.parser, ABOUT, {}, {"model": inner}), path)
    return path


STANZA, SUPAR = ("stanza", {"language": "en"}), ("supar", {"method": "biaffine_dep"})


@pytest.mark.parametrize(("parser", "metadata"), [STANZA, SUPAR])
@pytest.mark.parametrize("trust", [(), ("--trust",)])
def test_modules_in_a_model_are_never_run(tmp_path, parser, metadata, trust):
    """Whether the package is installed or not, and even where its maker is trusted."""
    path = saved(tmp_path, planted(tmp_path, parser, **metadata))
    done = run("parse", path, "example:ud", tmp_path / "out.conllu", *trust, cwd=tmp_path)
    assert_refused(done, "needs a package" if trust else "--trust allows it")
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(("parser", "metadata"), [STANZA, SUPAR])
def test_where_the_package_is_there_it_is_the_installed_one_that_runs(
    tmp_path, monkeypatch, parser, metadata
):
    """A package in a folder of the user's own; the model has one of the same name."""
    folder = tmp_path / "installed"
    for name in ("stanza/models/parser.py", "supar/cmds/biaffine_dep.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for above in (folder / name).relative_to(folder).parents[:-1]:
            write(folder / above / "__init__.py", "")
        write(folder / name, "raise SystemExit('the installed one')")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}:.::{tmp_path.name}")
    path = saved(tmp_path, planted(tmp_path, parser, **metadata))
    done = run("parse", path, "example:ud", tmp_path / "out.conllu", "--trust", cwd=tmp_path)
    assert_refused(done, "the installed one")
    assert not (tmp_path / "pwned").exists()


def test_a_part_of_a_model_is_trusted_no_more_than_a_whole_one(tmp_path):
    """A member of an ensemble, and the parser below a stacked one."""
    evil = planted(tmp_path, "stanza", language="en")
    members = Stored("ensemble", {"members": 2}, {}, {"0": evil, "1": evil})
    stacked = Stored("stacked", {}, {}, {"below": evil})
    for inner in (members, stacked):
        path = saved(tmp_path, inner)
        assert_refused(run("parse", path, "example:ud", "-"), "a model of stanza: its model is")
        done = run("parse", path, "example:ud", "-", "--trust")
        assert_refused(done, "needs a package")
    assert not (tmp_path / "pwned").exists()


def test_every_outside_parser_says_why_its_models_can_run_code_or_that_they_are_data():
    told = {name: find_parser(name).runs_code() for name in parser_names()}
    assert {name for name, why in told.items() if why} == {
        *("malt", "mstparser", "berkeley", "stanza", "supar", "benepar", "bllip", "command")
    }


def test_a_model_that_can_run_code_is_refused_with_the_reason(tmp_path):
    inner = Stored("benepar", {"model": str(tmp_path / "payload.pt")})
    with pytest.raises(InputError, match="names a model elsewhere, which can run code"):
        cg.load_parser(saved(tmp_path, inner))


def test_a_program_sees_an_empty_folder_and_no_relative_places_for_code(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:relative:")
    monkeypatch.setenv("CLASSPATH", ".")
    target = tmp_path / "seen"
    script = write(
        tmp_path / "look.py",
        "import os, sys\n"
        "names = [os.environ.get('PYTHONPATH'), os.environ.get('CLASSPATH'), os.listdir()]\n"
        "open(sys.argv[1], 'w').write(repr(names))",
    )
    called("{python} {script} {target}", {"script": script, "target": target})
    assert target.read_text() == repr([str(tmp_path), None, []])


# ── memory ───────────────────────────────────────────────────────────────────────────────────────

_LARGE = 12 << 20


def bomb(count):
    """Return a model whose arrays unpack to a thousand times their size."""
    arrays = {f"w{place}": np.zeros(_LARGE, np.uint8) for place in range(count)}
    return Stored("arc-eager", ABOUT, {}, {"model": Stored("arc-eager", {}, arrays)})


@pytest.mark.long
def test_the_arrays_of_a_model_need_no_more_memory_together_than_is_allowed(tmp_path):
    """Each of them alone would be allowed; the limit is on their sum."""
    path = tmp_path / "bomb.model"
    write_model(bomb(3), path)
    assert path.stat().st_size < 3 * _LARGE // 100
    done = run("parse", path, "example:ud", "-", "--model-memory", "0.025")
    assert_refused(done, "--model-memory GB or COMMONGROUND_MODEL_MEMORY allows more")
    done = run("parse", path, "example:ud", "-", COMMONGROUND_MODEL_MEMORY="0.025")
    assert_refused(done, "allows more")
    done = run("parse", path, "example:ud", "-", "--model-memory", "0")
    assert_refused(done, "have no right")  # it was unpacked, and is no model


def test_without_a_word_a_model_has_two_gigabytes(tmp_path):
    """The header alone decides: nothing is unpacked before the sum is known to be too large."""
    data = b"".join(model_bytes(bomb(1)))
    size = _LARGE * 200
    changed = data.replace(f'"shape":[{_LARGE}]'.encode(), f'"shape":[{size}]'.encode())
    head = changed.index(b"{")
    length = int.from_bytes(data[12:20], "little") + len(str(size)) - len(str(_LARGE))
    header = changed[head : head + length]
    start = changed[:12] + length.to_bytes(8, "little") + zlib.crc32(header).to_bytes(4, "little")
    (tmp_path / "bomb.model").write_bytes(start + changed[head:])
    done = run("parse", tmp_path / "bomb.model", "example:ud", "-")
    assert_refused(done, "its arrays need more memory than a model may have")


@pytest.mark.parametrize("text", ["much", "nan", "-1"])
def test_a_limit_that_is_none_is_refused(tmp_path, text):
    write_model(bomb(1), tmp_path / "m")
    done = run("parse", tmp_path / "m", "example:ud", "-", COMMONGROUND_MODEL_MEMORY=text)
    assert_refused(done, "gigabytes")


def test_files_in_a_model_need_no_more_room_than_is_allowed(tmp_path, monkeypatch):
    from commonground.parsers.model_file import ModelError
    from commonground.parsers.outside.folder_model import unpacked

    monkeypatch.setenv("COMMONGROUND_MODEL_MEMORY", "0.01")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model", bytes(_LARGE))
    content = np.frombuffer(buffer.getvalue(), np.uint8)
    with pytest.raises(ModelError, match="more room"), unpacked(content):
        pass


def test_paths_in_a_model_do_not_leave_its_folder(tmp_path, monkeypatch):
    from commonground.parsers.outside.folder_model import unpacked

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("../up", "/root", "a/../../up", "..\\up"):
            archive.writestr(name, "x")
    with unpacked(np.frombuffer(buffer.getvalue(), np.uint8)) as folder:
        outside = [path for path in tmp_path.rglob("*") if folder not in (path, *path.parents)]
        assert outside == []
    assert list(tmp_path.iterdir()) == []
