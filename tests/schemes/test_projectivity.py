"""Pseudo-projective trees: what is lifted, how it is marked, and what comes back."""

from __future__ import annotations

import json
from time import process_time

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads as random_heads

from commonground.corpus import Dependencies
from commonground.corpus.shape import nonprojective_arcs, projective, word_depth
from commonground.errors import UsageError
from commonground.formats import read, write_text
from commonground.schemes.projectivity import (
    BASELINE,
    ENCODINGS,
    Moves,
    deprojectivize,
    projectivize,
    recovery,
)

HEARING = (
    "A hearing is scheduled on the issue today".split(),
    [2, 4, 4, 0, 7, 7, 2, 4],
    "det nsubj aux root case det nmod advmod".split(),
)
ALL = (*ENCODINGS, BASELINE)
ANY_LABEL = st.sampled_from(["a", "b", "c|d", "e%", "|", "%", "\\", "\\|", "a|b%", "f\\", "_"])


@st.composite
def trees(draw, labels=ANY_LABEL, longest=9):
    """Random trees, mostly not projective."""
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        length = draw(st.integers(1, longest))
        tree = draw(random_heads(length))
        names = draw(st.lists(labels, min_size=length, max_size=length))
        sentences.append((["w"] * length, tree, names))
    return Dependencies.of(sentences)


@st.composite
def anything(draw):
    """Heads that may be no tree: cycles, several roots, words without a head."""
    length = draw(st.integers(1, 8))
    result = draw(st.lists(st.integers(-1, length), min_size=length, max_size=length))
    labels = draw(st.lists(ANY_LABEL, min_size=length, max_size=length))
    return Dependencies.of([(["w"] * length, result, labels)])


def slowly(heads):
    """Return the lifted heads straight from the paper: look for the shortest arc again and again."""
    heads = [0, *heads]

    def dominated(word):
        way = set()
        while word > 0 and word not in way:
            way.add(word)
            word = heads[word]
        return way

    def crosses(word):
        head = heads[word]
        between = range(min(head, word) + 1, max(head, word))
        return head > 0 and any(head not in dominated(w) for w in between)

    while True:
        crossing = [word for word in range(1, len(heads)) if crosses(word)]
        if not crossing:
            return heads[1:]
        word = min(crossing, key=lambda w: (abs(heads[w] - w), w))
        heads[word] = heads[heads[word]]


# ── lifting ──────────────────────────────────────────────────────────────────────────────────────


@given(trees())
def test_arcs_are_lifted_as_the_paper_says(corpus):
    expected = [head for sentence in corpus for head in slowly(sentence.head.tolist())]
    for encoding in ALL:
        assert projectivize(corpus, encoding)[0].head.tolist() == expected


@given(trees())
def test_the_result_is_a_projective_tree_with_one_root_and_the_same_words(corpus):
    lifted, moves = projectivize(corpus)
    assert projective(lifted).all()
    assert (lifted.head == 0).sum() == len(corpus)
    assert lifted.form == corpus.form
    assert moves.arcs == (lifted.head != corpus.head).sum()


@given(anything())
def test_what_is_no_tree_is_lifted_as_far_as_it_is_attached(corpus):
    for encoding in ALL:
        lifted, _ = projectivize(corpus, encoding)
        assert projective(lifted).all()
        unknown = corpus.head < 0
        assert (lifted.head[unknown] == corpus.head[unknown]).all()
        if encoding != BASELINE:
            back, _ = deprojectivize(lifted, encoding)
            assert back.deprel == corpus.deprel


@given(trees(st.sampled_from(["nsubj", "obj", "acl:relcl", "_"])))
def test_projective_trees_are_untouched(corpus):
    projective_ones = corpus[projective(corpus)]
    for encoding in ALL:
        assert projectivize(projective_ones, encoding)[0] == projective_ones


def test_the_encodings_are_written_as_maltparser_writes_them():
    corpus = Dependencies.of([HEARING])
    expected = {
        "head": "det nsubj aux root case det nmod|nsubj advmod",
        "path": "det nsubj% aux root case det nmod| advmod",
        "head+path": "det nsubj% aux root case det nmod|nsubj advmod",
        "baseline": "det nsubj aux root case det nmod advmod",
    }
    for encoding, labels in expected.items():
        lifted, moves = projectivize(corpus, encoding)
        assert lifted.deprel.tolist() == labels.split()
        assert lifted.head.tolist() == [2, 4, 4, 0, 7, 7, 4, 4]
        assert moves == Moves(words=8, arcs=1, sentences=1)


def test_a_lifted_word_on_the_way_of_another_one_has_both_marks():
    """3 is lifted from 5 over 4 to the root 2, and 1 from 3 to 2 as well: 3 is on its way."""
    corpus = Dependencies.of([(list("abcdef"), [3, 0, 5, 2, 4, 2], list("uvwxyz"))])
    assert nonprojective_arcs(corpus).tolist() == [True, False, True, False, False, False]
    labels = projectivize(corpus, "head+path")[0].deprel.tolist()
    assert labels == ["u|w", "v", "w|y%", "x%", "y%", "z"]
    assert projectivize(corpus, "path")[0].deprel.tolist()[2] == "w|%"


def test_an_arc_that_covers_another_root_is_lifted_to_the_root_and_found_again():
    corpus = Dependencies.of([(["a", "b", "c"], [3, 0, 0], ["x", "y", "z"])])
    for encoding in ENCODINGS:
        lifted, _ = projectivize(corpus, encoding)
        assert lifted.head.tolist() == [0, 0, 0]
        assert deprojectivize(lifted, encoding)[0] == corpus


def test_nothing_is_nothing():
    empty = Dependencies.of([HEARING])[:0]
    for encoding in ENCODINGS:
        assert projectivize(empty, encoding) == (empty, Moves())
        assert deprojectivize(empty, encoding) == (empty, Moves())


@pytest.mark.long
def test_a_deep_chain_and_a_long_sentence_are_lifted():
    length = 10_000
    chain = list(range(length))
    tangled = np.random.default_rng(1).permutation(length) + 1
    scattered = np.zeros(length, np.int64)
    parents = [int(tangled[place // 2]) for place in range(length - 1)]
    scattered[tangled[1:] - 1] = parents
    for tree in (chain, scattered.tolist()):
        corpus = Dependencies.of([(["w"] * length, tree, ["x"] * length)])
        assert projective(projectivize(corpus)[0]).all()


# ── and back ─────────────────────────────────────────────────────────────────────────────────────


@given(trees())
def test_no_label_is_lost_whatever_it_contains(corpus):
    for encoding in ENCODINGS:
        back, _ = deprojectivize(projectivize(corpus, encoding)[0], encoding)
        assert back.deprel == corpus.deprel
        assert (back.head == 0).tolist() == (corpus.head == 0).tolist()


@given(trees(), st.sampled_from(ENCODINGS))
def test_what_comes_back_is_always_a_tree(corpus, encoding):
    """Also where labels are what a parser made of them, here those of another sentence."""
    lifted, _ = projectivize(corpus, encoding)
    shuffled = lifted.replace("words", deprel=lifted.deprel[::-1])
    back, _ = deprojectivize(shuffled, encoding)
    assert (back.head == 0).sum() == len(corpus)
    assert (word_depth(back) > 0).all()


@given(trees(st.just("x"), longest=12).map(lambda corpus: corpus[:1]))
def test_all_comes_back_with_a_different_label_on_each_word(corpus):
    labels = Dependencies.of(
        [(s.form, s.head.tolist(), [f"l{w}" for w in range(len(s))]) for s in corpus]
    )
    for encoding in ("head", "head+path"):
        back, moves = deprojectivize(projectivize(labels, encoding)[0], encoding)
        assert moves.left + (back.head != labels.head).sum() == 0 or not_below(labels, encoding)


def not_below(corpus, encoding):
    """Tell that a head has itself been lifted away from below its word's new head."""
    lifted, _ = projectivize(corpus, encoding)
    moved = np.flatnonzero(lifted.head != corpus.head)
    heads = lifted.head.tolist()

    def above(word):
        way = []
        while word > 0:
            way.append(word)
            word = heads[word - 1]
        return [*way, 0]

    return any(heads[row] not in above(int(corpus.head[row])) for row in moved.tolist())


def test_a_head_that_cannot_be_found_leaves_the_word_where_it_is():
    parse = Dependencies.of([(["a", "b"], [2, 0], ["x|nowhere", "root"])])
    back, moves = deprojectivize(parse, "head")
    assert back.head.tolist() == [2, 0]
    assert back.deprel.tolist() == ["x", "root"]
    assert moves == Moves(words=2, left=1)


def test_a_lifted_word_on_a_cycle_is_left_alone():
    parse = Dependencies.of([(["a", "b", "c"], [2, 1, 0], ["x|y", "y", "root"])])
    back, moves = deprojectivize(parse, "head")
    assert back.head.tolist() == [2, 1, 0]
    assert moves.left == 1


def test_a_label_that_no_encoding_writes_is_no_mark():
    parse = Dependencies.of([(["a", "b"], [2, 0], ["x|y|z", "%root"])])
    assert deprojectivize(parse, "head+path")[0] == parse


@pytest.mark.parametrize(("function", "known"), [(projectivize, ALL), (deprojectivize, ENCODINGS)])
def test_an_unknown_encoding_is_refused(function, known):
    with pytest.raises(UsageError, match=f"there are {', '.join(known)}".replace("+", r"\+")):
        function(Dependencies.of([HEARING]), "tail")


def test_the_baseline_cannot_be_undone():
    with pytest.raises(UsageError, match="records nothing"):
        deprojectivize(Dependencies.of([HEARING]), BASELINE)


def test_recoveries_of_parts_add_up():
    corpus = Dependencies.of([HEARING, HEARING])
    assert recovery(corpus) == recovery(corpus[:1]) + recovery(corpus[1:])
    assert recovery(corpus).share("path") == 1
    assert recovery(corpus[:0]).share("head") == 1


@pytest.mark.parametrize("name", ["pud/de.conllu", "sequoia/sud.conllu", "partut/it.tut.conll"])
def test_most_arcs_of_real_treebanks_come_back(shared, name):
    corpus = read(shared / "data" / name)
    result = recovery(corpus)
    assert result.lifted > 50
    assert result.share("head") > 0.65
    assert result.share("head+path") > 0.95
    assert not any(result.harmed.values())


def test_real_trees_are_lifted_as_the_paper_says(shared):
    corpus = read(shared / "data" / "pud" / "de.conllu")
    corpus = corpus[~projective(corpus)]
    expected = [head for sentence in corpus for head in slowly(sentence.head.tolist())]
    assert projectivize(corpus)[0].head.tolist() == expected


# ── the verbs ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_verb_and_its_undoing_give_the_file_back(tmp_path, encoding):
    there, back = tmp_path / "there.conllu", tmp_path / "back.conllu"
    done = run("projectivize", "example:ud", there, "--encoding", encoding)
    assert_silent_success(done)
    assert "arcs that were lifted" in done.stdout
    assert projective(read(there)).all()
    assert_silent_success(run("projectivize", there, back, "--encoding", encoding, "--undo"))
    assert back.read_text() == write_text(read("example:ud"), "conllu")


def test_standard_output_is_conllu_unless_another_format_is_named():
    done = run("projectivize", "example:ud", "-", "--encoding", "baseline")
    assert_silent_success(done)
    assert done.stdout == write_text(projectivize(read("example:ud"), BASELINE)[0], "conllu")


def test_standard_output_has_only_the_treebank():
    done = run("projectivize", "example:ud", "-", "--to", "conllx")
    assert_silent_success(done)
    again = run("projectivize", "-", "-", "--to", "conllx", "--undo", stdin=done.stdout.encode())
    assert again.stdout == write_text(read("example:ud"), "conllx")


@pytest.mark.parametrize("output_format", ["json", "tsv", "markdown", "latex", "html"])
def test_what_was_done_is_told_in_all_formats(tmp_path, output_format):
    done = run(
        "projectivize", "example:ud", tmp_path / "a.conllu", "--output-format", output_format
    )
    assert_silent_success(done)
    if output_format == "json":
        names = {"words": 828, "arcs": 3, "sentences": 3, "left": 0, "cyclic": 0}
        assert json.loads(done.stdout) == names
    else:
        assert "828" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:ud", "a.conllu", "--encoding", "tail"], "tail"),
        (["example:ud", "a.conllu", "--encoding", "baseline", "--undo"], "records nothing"),
        (["example:ptb", "a.conllu"], "has constituents; only dependencies can be changed"),
        (["example:ud", "a.nothing"], "does not tell the format"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, arguments, message):
    assert_refused(run("projectivize", *arguments, cwd=tmp_path), message)
    assert not list(tmp_path.iterdir())


def test_a_broken_file_leaves_nothing_behind(tmp_path):
    broken = write(tmp_path / "broken.conllu", "1\ta\ta\tX\t_\t_\tx\troot\t_\t_\n\n")
    assert_refused(run("projectivize", broken, tmp_path / "out.conllu"), "broken.conllu:1: HEAD")
    assert not (tmp_path / "out.conllu").exists()


def test_sentences_with_a_cycle_are_counted_and_told(tmp_path):
    circle = Dependencies.of([(["a", "b", "c"], [2, 1, 0], ["x", "x", "root"]), HEARING])
    lifted, moves = projectivize(circle)
    assert (moves.arcs, moves.cyclic) == (1, 1)
    assert deprojectivize(lifted)[1].cyclic == 1
    source = write(tmp_path / "in.conllu", write_text(circle, "conllu"))
    done = run("projectivize", source, tmp_path / "out.conllu")
    assert_silent_success(done)
    assert "sentences with a cycle, which stays" in done.stdout


SISTERS = (
    *("advcl|conj% advmod obj|advcl advmod|csubj advmod root cop csubj% advcl cop punct".split()),
    *("csubj|conj% cc conj% obj nsubj obj|csubj cop cc|csubj advmod cop conj|csubj punct".split()),
)


def test_sisters_move_from_the_outermost_one_inwards_as_in_maltparser():
    """A Greek sentence with ten lifted sisters, of which those on the right look before 12 does."""
    lifted = [6, 6, 6, 6, 6, 0, 6, 6, 6, 9, 12, 6, 6, 6, 14, 17, 6, 17, 6, 22, 22, 6, 6]
    parse = Dependencies.of([(["w"] * 23, lifted, list(SISTERS))])
    gold = [14, 6, 1, 8, 6, 0, 6, 6, 6, 9, 12, 14, 6, 6, 14, 17, 12, 17, 12, 22, 22, 12, 6]
    assert deprojectivize(parse, "head+path")[0].head.tolist() == gold


def test_of_two_sisters_the_nearer_one_is_the_head():
    lifted = Dependencies.of([(["w"] * 5, [3, 0, 2, 2, 2], ["x", "root", "y", "y", "z|y"])])
    assert deprojectivize(lifted, "head")[0].head.tolist() == [3, 0, 2, 2, 4]


@pytest.mark.parametrize(
    ("name", "wrong"), [("pud/de.conllu", (7, 5, 1)), ("sequoia/sud.conllu", (1, 0, 0))]
)
def test_no_more_arcs_are_lost_than_by_maltparser(shared, name, wrong):
    """The numbers are those of MaltParser 1.9.0, ``-m proj`` and ``-m deproj``."""
    result = recovery(read(shared / "data" / name))
    lost = (result.lifted - number for number in result.recovered.values())
    assert all(ours <= theirs for ours, theirs in zip(lost, wrong, strict=True))


def test_a_long_tangled_sentence_is_undone_in_time_that_grows_with_its_words():
    random = np.random.default_rng(2)
    length = 2_000
    order = random.permutation(length) + 1
    heads = np.zeros(length, np.int64)
    for place in range(1, length):
        heads[order[place] - 1] = order[random.integers(place)]
    corpus = Dependencies.of([(["w"] * length, heads.tolist(), ["x"] * length)])
    lifted, _ = projectivize(corpus, "head+path")
    started = process_time()
    deprojectivize(lifted, "head+path")
    assert process_time() - started < 5
