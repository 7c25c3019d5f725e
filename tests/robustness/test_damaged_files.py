"""Damaged files: those that broke something once, and some new ones of each kind."""

from __future__ import annotations

from random import Random

import pytest
from command import run
from mutant_seeds import kinds, seeds
from mutants import (
    ENCODER_FILES,
    FAILURES,
    SUFFIXES,
    Mutant,
    attempt,
    mutant,
    slow_verbs_for,
    verbs_for,
    words_of,
)
from strange_commands import STRANGE

from commonground.parsers.neural.encoder_folder import lacking_for_encoders


def told(failure):
    return failure and f"{failure.command}\n{failure.what}"


@pytest.mark.parametrize("path", sorted(FAILURES.glob("[!.]*")), ids=lambda path: path.name)
def test_what_broke_once_does_not_break_again(path, tmp_path):
    kind = path.name.rpartition("-")[0]
    if kind in STRANGE:
        assert told(attempt(Mutant(kind, path.read_bytes(), b""), tmp_path, Random(0))) is None
        return
    broken = Mutant(kind, path.read_bytes(), seeds(kind)[0])
    for verb in (*verbs_for(kind), *slow_verbs_for(kind)):
        assert told(attempt(broken, tmp_path, Random(0), verb)) is None


@pytest.mark.parametrize("kind", kinds())
def test_a_damaged_file_is_read_or_refused(kind, tmp_path):
    for seed in range(2):
        random = Random(f"{kind} {seed}")
        assert told(attempt(mutant(kind, random), tmp_path, random)) is None


@pytest.mark.parametrize("kind", kinds())
def test_the_commands_that_files_are_given_to_are_commands(kind, tmp_path):
    """Else every file would be refused, and nothing would be tried; good files are not."""
    file = tmp_path / f"seed.{SUFFIXES.get(kind, kind)}"
    codes = []
    for seed in seeds(kind)[-2:]:
        file.write_bytes(seed)
        for verb in (*verbs_for(kind), *slow_verbs_for(kind)[:1]):
            words = words_of(verb, kind, Random(0), FILE=file, SEED=file, OUT=tmp_path / "out")
            done = run(*words)
            assert "--help)" not in done.stderr, verb
            codes.append(done.returncode)
    assert 0 in codes or (kind in ENCODER_FILES and lacking_for_encoders())


@pytest.mark.parametrize("kind", STRANGE)
def test_what_a_stranger_tries_is_answered(kind, tmp_path):
    for seed in range(8):
        random = Random(f"{kind} {seed}")
        assert told(attempt(mutant(kind, random), tmp_path, random)) is None
