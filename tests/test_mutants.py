"""Damaged files: those that broke something once, and some new ones of each kind."""

from __future__ import annotations

from random import Random

import pytest

from mutants import FAILURES, attempt, kinds, mutant, verbs_for


def told(failure):
    return failure and f"{failure.command}\n{failure.what}"


@pytest.mark.parametrize("path", sorted(FAILURES.glob("[!.]*")), ids=lambda path: path.name)
def test_what_broke_once_does_not_break_again(path, tmp_path):
    kind = path.name.rpartition("-")[0]
    for seed in range(len(verbs_for(kind))):
        assert told(attempt(kind, path.read_bytes(), tmp_path, Random(seed))) is None


@pytest.mark.parametrize("kind", kinds())
def test_a_damaged_file_is_read_or_refused(kind, tmp_path):
    for seed in range(5):
        random = Random(f"{kind} {seed}")
        data = mutant(kind, random)
        assert told(attempt(kind, data, tmp_path, random)) is None
