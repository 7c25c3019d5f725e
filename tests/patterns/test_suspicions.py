"""``check --warnings``: what is suspicious, and what stands twice."""

from __future__ import annotations

import json
import logging
from collections import Counter

import pytest
from command import assert_refused, run, write
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus import Dependencies
from commonground.patterns.suspicions import SUSPICIONS, warnings

LABELS = "aux aux:pass fixed goeswith list flat conj appos cop mark det punct case clf obj".split()
LABELS += "nsubj nsubj:outer csubj:pass advmod reparandum dep".split()
TAGS = "AUX PRON DET PUNCT NUM VERB SYM NOUN".split()
FEATS = ["_", "PronType=Prs", "NumType=Card", "VerbForm=Fin", "Mood=Ind|VerbForm=Fin"]
FORMS = ["word", "a1", ",", "%"]


@st.composite
def trees(draw):
    """Return a random tree as CoNLL-U: every word hangs from one that was placed before it."""
    size = draw(st.integers(2, 7))
    order = draw(st.permutations(range(1, size + 1)))
    heads = {order[0]: 0}
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    rows = []
    for number in range(1, size + 1):
        form, upos, feats = (draw(st.sampled_from(each)) for each in (FORMS, TAGS, FEATS))
        label = "root" if not heads[number] else draw(st.sampled_from(LABELS))
        misc = draw(st.sampled_from(["_", "SpaceAfter=No"]))
        rows.append(f"{number}\t{form}\t_\t{upos}\t_\t{feats}\t{heads[number]}\t{label}\t_\t{misc}")
    return "\n".join(rows) + "\n\n"


@pytest.mark.long
@given(trees())
def test_warnings_are_those_of_udapi(text):
    markbugs = pytest.importorskip("udapi.block.ud.markbugs")
    udapi = pytest.importorskip("udapi")
    logging.disable(logging.CRITICAL)
    document, block = udapi.Document(), markbugs.MarkBugs()
    document.from_conllu_string(text)
    for tree in document.trees:
        for node in tree.descendants:
            block.process_node(node)
    logging.disable(logging.NOTSET)
    theirs: Counter[str] = Counter()
    marked = Counter(
        bug for tree in document.trees for node in tree.descendants
        for bug in str(node.misc["Bug"]).split(",") if bug
    )  # fmt: skip
    for bug, count in marked.items():
        ours = bug.endswith("-child")
        theirs["function-child" if ours else bug] += count
    found = Counter(problem.rule for problem in warnings(cg.read_text(text, "conllu")))
    gap = "punct-nonproj-gap"  # udapi does not tell it if the head is in the gap of any other arc
    assert found[gap] >= theirs[gap]
    apart = {gap, "punct-child", "goeswith-gap", "goeswith-space"}  # ours: below; each word is told
    for name in apart:
        found.pop(name, None)
        theirs.pop(name, None)
    assert found == theirs


def test_what_udapi_does_not_tell_or_tells_otherwise():
    def kinds(words, heads, labels):
        return {p.rule for p in warnings(Dependencies.of([(words, heads, labels)]))}

    assert "punct-child" in kinds(["a", ",", "b"], [0, 1, 2], ["root", "punct", "dep"])
    assert "goeswith-gap" in kinds(["a", "b", "c"], [0, 1, 1], ["root", "dep", "goeswith"])


def test_every_kind_has_a_name_of_its_own_and_a_reason():
    assert len({each.name for each in SUSPICIONS}) == len(SUSPICIONS)
    assert all(each.why for each in SUSPICIONS)


SENTENCE = """# sent_id = {id}
1\tBirds\tbird\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsing\tsing\tVERB\t_\tMood=Ind|VerbForm=Fin\t0\troot\t_\t_
3\tall\tall\tDET\t_\tPronType=Tot\t4\tdet\t_\t_
4\tday\tday\tNOUN\t_\t_\t2\t{label}\t_\t_
5\tlong\tlong\tADV\t_\t_\t4\tadvmod\t_\t_

"""


def test_repeated_sentences_are_found_within_and_across_files(tmp_path):
    one = SENTENCE.format(id="a1", label="obl") + SENTENCE.format(id="a2", label="obl")
    two = SENTENCE.format(id="b1", label="obj").replace("Birds", "birds")
    paths = [write(tmp_path / name, text) for name, text in (("a.conllu", one), ("b.conllu", two))]
    done = run("check", *paths, "--warnings", "--output-format", "json")
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert (data["problems"], data["warnings"]) == (0, {"duplicate": 1, "duplicate-differs": 1})
    assert "as sentence a1 of a.conllu" in data["files"][1]["problems"][0]["message"]
    known = tmp_path / "known.tsv"
    assert not run("check", *paths, "--warnings", "--acknowledge", known).returncode
    assert "no problems in 2 files\n" in run(
        *("check", *paths, "--warnings", "--baseline", known, "--quiet")
    ).stdout.replace("\r", "")
    left = json.loads(
        run(
            *("check", *paths, "--warnings", "--without", "duplicate*", "--output-format", "json")
        ).stdout
    )
    assert left["warnings"] == {}


def test_unknown_kinds_and_idle_options_are_refused():
    done = run("check", "example:ud", "--warnings", "--without", "aux-chains")
    assert_refused(done, "did you mean aux-chain?")
    assert_refused(run("check", "example:ud", "--without", "aux-chain"), "without --warnings")


def test_the_reasons_are_listed():
    assert "nothing depends on punctuation" in run("check", "--list-warnings").stdout
