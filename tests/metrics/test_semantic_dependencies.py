"""SDP's scores are those of the toolkit of the tasks, with its predications and frames."""

from __future__ import annotations

import pytest

import commonground as cg

GOLD = """\
#SDP 2015
#20000001
1 Birds bird NNS - - _ ACT-arg ACT-arg
2 try try VBP + + ev-w1f1 _ _
3 to _ TO - - _ _ _
4 sing sing VB - + ev-w2f1 PAT-arg _
5 loudly loudly RB - - _ _ MANN
6 . _ . - - _ _ _

#20000002
1 Ann Ann NNP - - _ ACT-arg
2 left leave VBD + + ev-w3f1 _

""".replace(" ", "\t").replace("#SDP\t", "#SDP ")
PARSE = """\
#SDP 2015
#20000001
1 Birds bird NNS - - _ ACT-arg ACT-arg
2 try try VBP + + ev-w1f2 _ _
3 to _ TO - - _ _ _
4 sing sing VB - + ev-w2f1 PAT-arg _
5 loudly loudly RB - - _ MANN _
6 . _ . - - _ _ _

#20000002
1 Ann Ann NNP + - _ PAT-arg
2 left leave VBD - + ev-w3f1 _

""".replace(" ", "\t").replace("#SDP\t", "#SDP ")


def as_pas(text, other):
    """Return a file of PSD with labels as of PAS, and without frames."""
    for old, new in (("ACT-arg", "verb_ARG1"), ("PAT-arg", "verb_ARG2"), ("MANN", other)):
        text = text.replace(old, new)
    for frame in ("ev-w1f1", "ev-w1f2", "ev-w2f1", "ev-w3f1"):
        text = text.replace(frame, "_")
    return text


PAIRS = {
    "dm": (cg.read("example:dm"), cg.read("example:dm-parse")),
    "psd": tuple(cg.read_text(text, "sdp") for text in (GOLD, PARSE)),
    "pas": (
        cg.read_text(as_pas(GOLD, "adj_ARG1"), "sdp"),
        cg.read_text(as_pas(PARSE, "aux_ARG1"), "sdp"),
    ),
}

SCORER = {
    # java …tools.Scorer GOLD PARSE representation=dm|psd|pas: LP LR LF LM UP UR UF UM PF FF
    "dm": "0.875000 0.823529 0.848485 0.333333 0.937500 0.882353 0.909091 0.500000 "
    "0.555556 0.444444",
    "psd": "0.571429 0.571429 0.571429 0.000000 0.714286 0.714286 0.714286 0.000000 "
    "0.666667 0.333333",
    "pas": "0.571429 0.571429 0.571429 0.000000 0.714286 0.714286 0.714286 0.000000 "
    "0.333333 0.333333",
}
METRICS = [
    *(f"sdp_{name}" for name in ("precision", "recall", "f1", "exact_match")),
    *(f"sdp_unlabelled_{name}" for name in ("precision", "recall", "f1", "exact_match")),
    *("sdp_predications_f1", "sdp_frames_f1"),
]


@pytest.mark.parametrize("name", PAIRS)
def test_scores_are_those_of_the_toolkit_of_sdp(name):
    scores = cg.evaluate(*PAIRS[name], metrics=METRICS)
    assert " ".join(f"{scores[each].value:.6f}" for each in METRICS) == SCORER[name]


@pytest.mark.parametrize("name", PAIRS)
def test_a_frame_that_is_right_is_a_predication_that_is_right(name):
    scores = cg.evaluate(*PAIRS[name], metrics=METRICS)
    assert scores["sdp_frames_f1"].value <= scores["sdp_predications_f1"].value
    gold, _ = PAIRS[name]
    itself = cg.evaluate(gold, gold, metrics=METRICS)
    assert {itself[each].value for each in METRICS} == {1}
