"""What there is of each sentence is put aside as it comes, and nobody can tell from the results."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.evaluation import run as run_module
from commonground.evaluation.evaluation_plan import EvaluationPlan
from commonground.evaluation.from_tallies import evaluation
from commonground.evaluation.metric_score import _bits_in_base64
from commonground.evaluation.pairs import Pair
from commonground.evaluation.run import tallies_of
from commonground.evaluation.spool import Spool
from commonground.formats.storage.files import open_bytes
from commonground.metrics.settings import Settings
from commonground.streamed_json import ListInParts, TextInParts, json_parts, json_text, whole

PLAN = EvaluationPlan(("uas", "las"), Settings(), (), (), sentences=True)


@pytest.fixture
def on_disk(monkeypatch, tmp_path):
    """Put everything into a file, however small it is; its folder is returned."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(run_module, "Spool", partial(Spool, small=1))
    return folder


def copies(folder, times):
    """Write the example so many times, with other ids each time, and return a pair of files."""
    paths = []
    for name in ("ud", "ud-parse"):
        with open_bytes(f"example:{name}") as file:
            text = file.read().decode()
        path = folder / f"{name}-{times}.conllu"
        each = (text.replace("sent_id = cg", f"sent_id = {n}cg") for n in range(times))
        path.write_text("".join(each), encoding="utf-8")
        paths.append(str(path))
    return [Pair(*paths, "parse")]


def in_pieces(pairs, size=1 << 15):
    result = tallies_of(pairs, PLAN, large=0, size=size)
    return evaluation(pairs, result, PLAN)


# ── the spool ────────────────────────────────────────────────────────────────────────────────────


def test_values_come_back_in_any_order():
    spool = Spool(small=100)
    asides = [spool.put(list(range(n))) for n in range(50)]
    assert [list(each) for each in reversed(asides)] == [
        [list(range(n))] for n in range(49, -1, -1)
    ]
    assert list(asides[3] + asides[1]) == [[0, 1, 2], [0]]


def test_what_is_sent_to_another_process_is_sent_whole():
    spool = Spool(small=1)
    both = spool.put("a") + spool.put("b")
    assert pickle.loads(pickle.dumps(both)) == ("a", "b")


def test_the_file_has_no_name(on_disk):
    spool = Spool(small=1)
    aside = spool.put(b"x" * 100_000)
    assert list(on_disk.iterdir()) == []
    assert list(aside) == [b"x" * 100_000]


def test_a_full_disk_is_told_with_the_folder():
    spool = Spool()
    with Path("/dev/full").open("r+b", buffering=0) as full:
        spool.__dict__["_file"] = full
        with pytest.raises(InputError, match=r"No space left on device; .* TMPDIR"):
            spool.put("a")


# ── JSON in parts ────────────────────────────────────────────────────────────────────────────────

TEXTS = st.text(max_size=5)


@given(st.lists(st.lists(TEXTS | st.integers() | st.floats(allow_nan=False), max_size=3)))
def test_a_list_in_parts_is_written_as_the_whole_one(parts):
    allowed = [
        [each for each in part if each not in (float("inf"), -float("inf"))] for part in parts
    ]
    value = {"list": ListInParts(lambda: allowed)}
    assert "".join(json_parts(value)) == json_text(whole(value))


@given(st.lists(TEXTS))
def test_a_text_in_parts_is_written_as_the_whole_one(parts):
    value = {"text": TextInParts(lambda: parts)}
    assert "".join(json_parts(value)) == json_text(whole(value))


@given(st.lists(st.lists(st.booleans(), max_size=60), max_size=5))
def test_bits_in_parts_are_those_of_the_whole(parts):
    flags = [np.array(part, np.bool_) for part in parts]
    together = [np.concatenate([np.zeros(0, np.bool_), *flags])]
    assert "".join(_bits_in_base64(flags)) == "".join(_bits_in_base64(together))


# ── evaluations ──────────────────────────────────────────────────────────────────────────────────


def test_counts_from_a_file_are_those_of_the_whole(on_disk, tmp_path):
    pairs = copies(tmp_path, 6)
    pieces = in_pieces(pairs)
    whole_files = evaluation(pairs, tallies_of(pairs, PLAN), PLAN)
    written = "".join(json_parts(pieces.json_in_parts(scores=True)))
    assert written == json_text(whole_files.to_json(scores=True))
    again = pickle.loads(pickle.dumps(pieces))
    assert again.to_json(scores=True) == pieces.to_json(scores=True) == json.loads(written)
    assert list(on_disk.iterdir()) == []


SENTENCE = "# sent_id = s{}\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tY\t_\t_\t1\tx\t_\t_\n\n"


@pytest.mark.long
def test_memory_does_not_grow_with_the_counts_of_sentences(on_disk, tmp_path):
    path = tmp_path / "gold.conllu"
    peaks = []
    for times in (3000, 9000):
        path.write_text("".join(map(SENTENCE.format, range(times))), encoding="utf-8")
        tracemalloc.start()
        result = in_pieces([Pair(str(path), str(path), "parse")], 1 << 15)
        assert sum(map(len, json_parts(result.json_in_parts(scores=True)))) > 30 * times
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


PROGRAM = """
import os, sys
from commonground.cli import main
from commonground.evaluation.spool import Spool

Spool.__init__.__defaults__ = (1,)
Spool.get = lambda self, place: os.kill(os.getpid(), {number})
sys.exit(main())
"""


@pytest.mark.long
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_command_that_is_ended_while_it_writes_leaves_no_spool_behind(tmp_path, number, code):
    folder = tmp_path / "temporary"
    folder.mkdir()
    line = ["evaluate", "example:ud", "example:ud-parse", "--output-format", "json"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(number=int(number)), *line],
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == code
    assert list(folder.iterdir()) == []
