"""Mistakes that people make are answered with what they probably meant."""

import os
import pty
import subprocess

import pytest
from command import COMMAND, assert_refused, run


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("evaluate", "example:ud", "example:ud", "--metrics", "lsa"), "; did you mean las?"),
        (
            ("evaluate", "example:ud", "example:ud", "--preset", "conll2018"),
            "; did you mean conll18?",
        ),
        (("evaluate", "example:ud", "example:ud", "--test", "shufle"), "; did you mean shuffle?"),
        (("schemes", "show", "sdu"), "; did you mean sud?"),
        (("train", "example:ud", "--parser", "arceager", "-o", "x"), "; did you mean arc-eager?"),
        (("convert", "example:ud", "-", "--target-format", "conlu"), "; did you mean conllu?"),
        (("experiment", "show", "tsarfaty2011"), "; did you mean tsarfaty-2011?"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(words, answer):
    assert_refused(run(*words), answer)


def test_a_page_is_not_poured_into_a_terminal(tmp_path):
    saved = tmp_path / "saved.json"
    run("evaluate", "example:ud", "example:ud-parse", "-o", saved)
    above, below = pty.openpty()
    done = subprocess.run(
        [*COMMAND, "report", str(saved)], stdout=below, stderr=subprocess.PIPE, check=False
    )
    os.close(below)
    os.close(above)
    assert done.returncode == 2
    assert b"write it to a file with -o report.html" in done.stderr
