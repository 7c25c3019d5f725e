"""Enhanced graphs: what follows from the tree is made anew, all else is dropped and counted."""

from __future__ import annotations

import pytest

from commonground import read_text, transform
from commonground.corpus import Dependencies

WANTS = """
1 She PRON 2 nsubj 2:nsubj|4:nsubj:xsubj
2 wants VERB 0 root 0:root
3 to PART 4 mark 4:mark
4 come VERB 2 xcomp 2:xcomp:to
"""
SINGT = """
1 Sie PRON 3 nsubj 3:nsubj|5:nsubj
2 hat AUX 3 aux 3:aux
3 gesungen VERB 0 root 0:root
4 und CCONJ 5 cc 5:cc
5 getanzt VERB 3 conj 3:conj:und
"""
RELATIVE = """
1 girl NOUN 0 root 0:root|3:nsubj
2 who PRON 3 nsubj 1:ref
3 came VERB 1 acl:relcl 1:acl:relcl
"""


def ud(text: str) -> Dependencies:
    """Return a sentence in UD: place, form, tag, head, label, graph."""
    rows = [line.split() for line in text.strip().splitlines()]
    lines = (f"{n}\t{w}\t_\t{t}\t_\t_\t{h}\t{lab}\t{g}\t_" for n, w, t, h, lab, g in rows)
    corpus = read_text("\n".join([*lines, "\n"]), "conllu")
    assert isinstance(corpus, Dependencies)
    return corpus


def test_the_subject_of_an_open_complement_follows_to_the_new_heads() -> None:
    done, report = transform(ud(WANTS), "ud", "sud")
    assert done.deps.tolist() == ["2:subj|4:subj", "0:root", "2:comp:obj", "3:comp:obj"]
    assert report.graphs == 0


def test_a_subject_that_conjuncts_share_stays_shared() -> None:
    done, report = transform(ud(SINGT), "ud", "sud")
    assert done.deps.tolist() == ["2:subj|5:subj", "0:root", "2:comp:aux", "5:cc", "3:conj:coord"]
    assert report.graphs == 0


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        pytest.param(RELATIVE, "sud", id="a relative word that stands for its noun"),
        pytest.param(SINGT, "prague", id="a conjunction that heads the conjuncts"),
    ],
)
def test_a_graph_that_cannot_be_made_anew_is_dropped_and_counted(text: str, scheme: str) -> None:
    done, report = transform(ud(text), "ud", scheme)
    assert set(done.deps.tolist()) == {"_"}
    assert report.graphs == 1
