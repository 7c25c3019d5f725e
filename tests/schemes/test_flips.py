"""Edge flips: what is turned, what stays, and what NED says about it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads as random_heads

from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import word_depth
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.formats import read, write_text
from commonground.schemes.edges import Edges
from commonground.schemes.flips import Flips, flip

WANT = ("I want to eat".split(), [2, 0, 4, 2], ["nsubj", "root", "mark", "xcomp"])


@st.composite
def trees(draw):
    """Random trees whose words have one of three labels, one of which is flipped."""
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        length = draw(st.integers(1, 8))
        labels = draw(st.lists(st.sampled_from("xyz"), min_size=length, max_size=length))
        sentences.append((["w"] * length, draw(random_heads(length)), labels))
    return Dependencies.of(sentences)


def tagged(corpus, xpos, upos="_"):
    return corpus.replace(
        "words",
        xpos=Strings.of(xpos.split()),
        upos=Strings.of(upos.split() if upos != "_" else ["_"] * len(xpos.split())),
    )


def scores(gold, parse):
    result = evaluate(gold, parse, metrics=["uas", "undirected", "ned"])
    return [result[name].value for name in ("uas", "undirected", "ned")]


# ── one edge ─────────────────────────────────────────────────────────────────────────────────────


def test_the_edge_of_figure_3_2_is_flipped():
    """I want to eat: 'to' hangs on 'want' then, and 'eat' on 'to'."""
    flipped, done = flip(Dependencies.of([WANT]), "label=mark")
    assert flipped.head.tolist() == [2, 0, 2, 3]
    assert flipped.deprel.tolist() == ["nsubj", "root", "xcomp", "mark"]
    assert done == Flips(words=4, edges=1, sentences=1)


def test_ned_forgives_a_flip_and_the_undirected_score_does_not():
    corpus = Dependencies.of([WANT])
    flipped, _ = flip(corpus, "label=mark")
    assert scores(corpus, flipped) == [0.5, 0.75, 1]
    assert scores(flipped, corpus) == [0.5, 0.75, 1]


def test_the_other_dependents_of_both_words_stay():
    """2 → 3 is flipped; 1 and 5 stay on 2, and 4 on 3."""
    corpus = Dependencies.of([(list("abcde"), [2, 0, 2, 3, 2], list("prxqs"))])
    assert flip(corpus, "label=x")[0].head.tolist() == [2, 3, 0, 3, 2]


def test_an_edge_to_the_root_makes_the_other_word_the_root():
    corpus = Dependencies.of([(["can", "eat"], [2, 0], ["aux", "root"])])
    flipped, _ = flip(corpus, "label=aux")
    assert flipped.head.tolist() == [0, 1]
    assert flipped.deprel.tolist() == ["root", "aux"]


def test_the_enhanced_graph_which_follows_the_old_heads_is_left_out():
    corpus = read("example:ud")
    assert corpus.deps.where(lambda text: text != "_").any()
    assert set(flip(corpus, "label=mark")[0].deps) == {"_"}


def test_the_arc_from_the_root_is_no_edge():
    corpus = Dependencies.of([WANT])
    assert flip(corpus, "label=root") == (corpus, Flips(words=4))


# ── edges that share words ───────────────────────────────────────────────────────────────────────


def test_a_chain_is_turned_round_as_a_whole():
    corpus = Dependencies.of([(list("abcd"), [0, 1, 2, 3], ["r", "x", "x", "x"])])
    flipped, done = flip(corpus, "label=x")
    assert flipped.head.tolist() == [2, 3, 4, 0]
    assert flipped.deprel.tolist() == ["x", "x", "x", "r"]
    assert (done.edges, done.touching) == (3, 3)


def test_a_head_with_several_dependents_ends_below_them_outermost_first():
    corpus = Dependencies.of([(list("abcd"), [0, 1, 1, 2], ["r", "x", "x", "y"])])
    flipped, done = flip(corpus, "label=x")
    assert flipped.head.tolist() == [2, 3, 0, 2]
    assert (done.edges, done.touching) == (2, 2)


def test_a_word_that_rises_two_steps_is_an_error_for_ned():
    corpus = Dependencies.of([(list("abc"), [0, 1, 2], ["r", "x", "x"])])
    flipped, _ = flip(corpus, "label=x")
    assert scores(corpus, flipped)[2] == pytest.approx(2 / 3)


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@given(trees())
def test_a_flipped_corpus_has_trees_with_one_root_and_the_same_words(corpus):
    flipped, done = flip(corpus, "label=x")
    assert (word_depth(flipped) > 0).all()
    assert (flipped.head == 0).sum() == len(corpus)
    assert sorted(flipped.deprel) == sorted(corpus.deprel)
    assert done.edges == Edges(label="x").where(corpus).sum()


@given(trees())
def test_ned_is_1_where_no_flipped_edges_touch(corpus):
    flipped, done = flip(corpus, "label=x")
    if not done.touching:
        assert evaluate(corpus, flipped, metrics=["ned"])["ned"].value == 1
        assert evaluate(flipped, corpus, metrics=["ned"])["ned"].value == 1


@given(trees())
def test_every_edge_is_turned_the_dependent_is_above_its_head_then(corpus):
    chosen = np.flatnonzero(Edges(label="x").where(corpus))
    flipped, _ = flip(corpus, "label=x")
    start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)
    for row in chosen.tolist():
        at = int(start[row] + corpus.head[row] - 1)
        while at != row and flipped.head[at] > 0:
            at = int(start[at] + flipped.head[at] - 1)
        assert at == row


@given(trees())
def test_edges_that_do_not_touch_can_be_flipped_back(corpus):
    flipped, done = flip(corpus, "label=x")
    if not done.touching:
        labels = {*np.flatnonzero(flipped.head != corpus.head).tolist()}
        marked = Strings.of("x" if row in labels else "y" for row in range(corpus.words.rows))
        turned = flipped.replace("words", xpos=marked)
        back, again = flip(turned, Edges(label="x", head="x", dependent="x"))
        assert again.edges == done.edges
        assert back.head.tolist() == corpus.head.tolist()
        assert back.deprel == corpus.deprel


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(-1, n), min_size=n, max_size=n)))
def test_what_is_not_attached_stays(heads):
    corpus = Dependencies.of([(["w"] * len(heads), heads, ["x"] * len(heads))])
    flipped, _ = flip(corpus, "label=x")
    loose = word_depth(corpus) < 0
    assert flipped.head[loose].tolist() == corpus.head[loose].tolist()


# ── kinds ────────────────────────────────────────────────────────────────────────────────────────


def test_kinds_are_conditions_on_label_tags_and_side():
    corpus = tagged(
        Dependencies.of([("the old dog saw a cat".split(), [3, 3, 4, 0, 6, 4], "det amod nsubj root det obj".split())]),
        "DT JJ NN VBD DT NN",
        "DET ADJ NOUN VERB DET NOUN",
    )  # fmt: skip
    names = {
        "label=det": [1, 5],
        "label=det|amod": [1, 2, 5],
        "label=*subj": [3],
        "head=VBD": [3, 6],
        "head=VERB,side=right": [6],
        "dependent=DET": [1, 5],
        "head=NN,dependent=J*": [2],
        "side=left": [1, 2, 3, 5],
        "side=either": [1, 2, 3, 5, 6],
    }
    for kind, words in names.items():
        assert (np.flatnonzero(Edges.parse(kind).where(corpus)) + 1).tolist() == words, kind


def test_several_kinds_are_flipped_together():
    corpus = Dependencies.of([WANT])
    both, done = flip(corpus, ["label=mark", Edges(label="nsubj")])
    assert done.edges == 2
    assert both.head.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("modal", "there is no structure 'modal'; there are penn:coordination"),
        ("label", "there is no structure 'label'"),
        ("tag=NN", "'tag=NN' is not a condition"),
        ("label=", "'label=' is not a condition"),
        ("label=a,label=b", "'label=b' is not a condition"),
        ("side=up", "side can be either, left, right, not 'up'"),
    ],
)
def test_what_is_no_kind_is_refused(kind, message):
    with pytest.raises(UsageError, match=message):
        flip(Dependencies.of([WANT]), kind)


def test_flips_of_parts_add_up():
    corpus = Dependencies.of([WANT, WANT])
    parts = [flip(corpus[place : place + 1], "label=mark")[1] for place in (0, 1)]
    assert parts[0] + parts[1] == flip(corpus, "label=mark")[1]


def test_infinitives_of_a_real_treebank_can_be_flipped_without_an_error_for_ned(shared):
    corpus = read(shared / "data" / "ewt" / "dev.conllu")
    flipped, done = flip(corpus, "penn:infinitive")
    assert done.edges > 300
    uas, undirected, ned = scores(corpus, flipped)
    assert uas < undirected < ned
    assert 1 - ned <= done.touching / corpus.words.rows


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────


def test_the_verb_writes_the_flipped_treebank_and_tells_what_it_did(tmp_path):
    target = tmp_path / "flipped.conllu"
    done = run("flip", "example:ud", target, "--kind", "label=mark", "--kind", "penn:modal")
    assert_silent_success(done)
    expected, flips = flip(read("example:ud"), ["label=mark", "penn:modal"])
    assert read(target) == expected
    assert f"edges that were flipped                        {flips.edges}" in done.stdout


def test_standard_output_has_only_the_treebank():
    done = run("flip", "example:ud", "-", "--to", "conllu", "--kind", "ud:determiner")
    assert_silent_success(done)
    assert "number" not in done.stdout.splitlines()[0]


@pytest.mark.parametrize("output_format", ["json", "tsv", "markdown", "latex", "html"])
def test_what_was_done_is_told_in_all_formats(tmp_path, output_format):
    arguments = ("--kind", "ud:infinitive", "--output-format", output_format)
    done = run("flip", "example:ud", tmp_path / "a.conllu", *arguments)
    assert_silent_success(done)
    if output_format == "json":
        assert json.loads(done.stdout)["edges"] == 18


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:ud", "a.conllu"], "--edges"),
        (["example:ud", "a.conllu", "--kind", "modal"], "there is no structure 'modal'"),
        (["example:ptb", "a.conllu", "--kind", "label=x"], "only dependencies can be changed"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, arguments, message):
    assert_refused(run("flip", *arguments, cwd=tmp_path), message)
    assert not list(tmp_path.iterdir())


def test_sentences_with_a_cycle_are_counted_and_told(tmp_path):
    circle = (["a", "b", "c"], [2, 1, 0], ["x", "x", "root"])
    flipped, done = flip(Dependencies.of([circle, WANT]), "label=x|mark")
    assert (done.edges, done.cyclic) == (1, 1)
    assert flipped.head[:3].tolist() == [2, 1, 0]
    source = write(tmp_path / "in.conllu", write_text(Dependencies.of([circle]), "conllu"))
    told = run("flip", source, tmp_path / "out.conllu", "--kind", "label=x")
    assert_silent_success(told)
    assert "sentences with a cycle, which stays             1" in told.stdout
