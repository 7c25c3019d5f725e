"""What is written can be read: a law for all formats, over good files and damaged ones."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st
from mutant_seeds import seeds
from mutants import mutant
from strategies import examples

from commonground import read
from commonground.formats import find_format, format_names
from commonground.formats.registry import write as write_file

KINDS = {name: find_format(name).corpus.kind for name in format_names()}
WRITTEN = [name for name in KINDS if find_format(name).write]
MADE_OF = {"functions": {"dependencies", "constituents"}, "relations": {"dependencies"}}
"""What some kinds of corpora are made of, besides themselves."""


def sources(target):
    wanted = {KINDS[target], *MADE_OF.get(KINDS[target], ())}
    return [name for name, kind in KINDS.items() if kind in wanted]


@pytest.mark.parametrize("target", WRITTEN)
@settings(max_examples=examples(40))
@given(seed=st.integers(0, 1 << 60))
def test_what_is_written_is_read_again_and_written_the_same(target, seed):
    random = Random(seed)
    source = random.choice(sources(target))
    data = random.choice(seeds(source)) if seed % 3 == 0 else mutant(source, random).data
    with tempfile.TemporaryDirectory() as folder:
        path, out, again = (Path(folder) / name for name in ("in", "out", "again"))
        path.write_bytes(data)
        done = run("convert", path, out, "--from", source, "--to", target, "--quiet")
        assert out.exists() == (done.returncode == 0)
        if done.returncode == 0:
            done = run("convert", out, again, "--from", target, "--to", target, "--quiet")
            assert done.returncode == 0, done.stderr
            assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize("name", ["export", "export3"])
def test_a_file_that_is_written_in_pieces_has_its_start_once(name, tmp_path):
    corpus = read("example:ptb")
    path = tmp_path / "a.export"
    write_file((corpus[place : place + 10] for place in range(0, len(corpus), 10)), path, name)
    assert path.read_text(encoding="utf-8").count("#FORMAT") == 1
    assert len(read(path)) == len(corpus)
