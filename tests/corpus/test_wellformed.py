"""What could be read, but is no tree or contradicts itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scattered import constituents as scattered_constituents
from strategies import TEXTS, conllu_files, heads

from commonground.corpus import (
    Alignments,
    Constituents,
    Dependencies,
    Relations,
    Strings,
    Table,
)
from commonground.corpus.table import offsets_of
from commonground.corpus.wellformed import problems
from commonground.formats import read, read_text


def word(number, form="w", head=0, feats="_", deps="_", misc="_", upos="X"):
    return f"{number}\t{form}\t_\t{upos}\t_\t{feats}\t{head}\tdep\t{deps}\t{misc}"


def found(*lines, partial=False):
    """Return the lines and the messages of the problems of a CoNLL-U file."""
    corpus = read_text("\n".join([*lines, "", ""]), "conllu", partial=partial)
    return [(problem.line, problem.message) for problem in problems(corpus, partial=partial)]


def of_heads(*sentences, partial=False):
    corpus = Dependencies.of([(["w"] * len(h), h, ["_"] * len(h)) for h in sentences])
    return [problem.message for problem in problems(corpus, partial=partial)]


# ── the lines of words ───────────────────────────────────────────────────────────────────────────


@given(conllu_files())
def test_words_and_empty_nodes_are_found_on_their_lines(text):
    """Whatever comments, multiword tokens and other empty nodes stand before them."""
    corpus = read_text(text, "conllu")
    lines = text.split("\n")
    places = corpus.words.row_in_sentence() + 1
    for line, place, form in zip(corpus.lines_of_words(), places, corpus.form, strict=True):
        assert lines[line - 1].split("\t")[:2] == [str(place), form]
    empties = corpus.empties
    ids = [f"{a}.{b}" for a, b in zip(empties["major"], empties["minor"], strict=True)]
    for line, number in zip(corpus.lines_of_empties(), ids, strict=True):
        assert lines[line - 1].split("\t")[0] == number


def test_words_from_no_file_stand_on_no_line():
    corpus = Dependencies.of([(["a", "b"], [0, 1], ["_", "_"])])
    assert corpus.lines_of_words().tolist() == [0, 0]


# ── trees ────────────────────────────────────────────────────────────────────────────────────────


@given(st.integers(1, 9).flatmap(heads))
def test_a_tree_has_no_problems(tree):
    assert of_heads(tree) == []


def test_a_cycle_names_its_words_and_the_line_of_the_first():
    lines = ("# a comment", word(1, head=0), word(2, "a", 4), word(3, head=1), word(4, "b", 2))
    message = "the heads of 2 'a' → 4 'b' → 2 form a cycle; every word must lead to the root"
    assert found(*lines) == [(3, message)]


def test_each_cycle_is_told_once():
    messages = of_heads([2, 1, 4, 3, 1, 0])
    assert len(messages) == 2
    assert messages[0].startswith("sentence 1: the heads of 1 'w' → 2 'w' → 1 form")
    assert messages[1].startswith("sentence 1: the heads of 3 'w' → 4 'w' → 3 form")


def test_a_word_that_is_its_own_head_is_a_cycle():
    assert found(word(1), word(2, "me", 2)) == [
        (2, "word 2 'me' is its own head; every word must lead to the root")
    ]


def test_a_long_cycle_is_not_told_in_full():
    message = of_heads([1000, *range(1, 1000)])[0]
    assert len(message) < 300
    assert "→ … → 1 form" in message


def test_a_sentence_without_a_root_is_told():
    assert found(word(1, head=2), word(2, head=1))[1] == (
        1,
        "no word has HEAD 0; one word of a sentence must be the root",
    )


def test_several_roots_are_told_where_the_second_one_stands():
    assert found(word(1), word(2, head=1), word(3), word(4)) == [
        (3, "HEAD is 0 for words 1, 3, 4; only one word can be the root")
    ]


def test_words_without_a_head_are_told_unless_they_are_allowed():
    message = "no HEAD for words 2, 4; give every word one, or allow partial trees (--partial)"
    assert of_heads([0, -1, 1, -1]) == [f"sentence 1: {message}"]
    assert of_heads([0, -1, 1, -1], partial=True) == []


def test_a_partial_tree_needs_no_root():
    assert of_heads([-1, 1], partial=True) == []


def test_a_partial_tree_with_a_cycle_is_still_wrong():
    assert len(of_heads([-1, 3, 2], partial=True)) == 1


def test_a_head_outside_of_the_sentence_is_told():
    assert of_heads([0, 9, -5]) == [
        "sentence 1: HEAD is 9; the sentence has 3 words",
        "sentence 1: HEAD is -5; the sentence has 3 words",
    ]


def test_problems_come_in_the_order_of_the_sentences():
    messages = of_heads([1], [0], [0, 0], [2, 1, 0])
    assert [message.split(":")[0] for message in messages] == [
        *("sentence 1", "sentence 1", "sentence 3", "sentence 4")
    ]


def test_an_empty_sentence_is_no_problem():
    assert of_heads([], [0], []) == []


# ── the enhanced graph ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "deps", ["_", "0:root", "2:a|2:b", "0:root|1.1:nsubj:pass", "1.1:x|1.2:y", "2:conj:über"]
)
def test_a_graph_that_is_in_order_has_no_problems(deps):
    empties = (f"1.{minor}\t_\t_\t_\t_\t_\t_\t_\t2:x\t_" for minor in (1, 2))
    assert found(word(1, deps=deps), *empties, word(2, head=1)) == []


@pytest.mark.parametrize(
    ("deps", "message"),
    [
        ("nsubj", "pairs head:label, joined by |, or _ are expected"),
        ("2:", "pairs head:label, joined by |, or _ are expected"),
        ("2:x|", "pairs head:label, joined by |, or _ are expected"),
        ("02:x", "pairs head:label, joined by |, or _ are expected"),
        ("9" * 30 + ":x", "pairs head:label, joined by |, or _ are expected"),
        ("2:x|0:root", "its heads must be in ascending order"),
        ("2:b|2:a", "its heads must be in ascending order"),
        ("2:a|2:a", "it has an arc twice"),
        ("3:x", "DEPS names the head 3, which the sentence does not have"),
        ("2.1:x", "DEPS names the head 2.1, which the sentence does not have"),
        ("1.2:x", "DEPS names the head 1.2, which the sentence does not have"),
        ("1:x", "DEPS names the node itself as its head"),
    ],
)
def test_a_graph_that_is_not_in_order_is_told(deps, message):
    ((line, text),) = found(word(1, deps=deps), "1.1" + "\t_" * 9, word(2, head=1))
    assert line == 1
    assert text.endswith(message)


def test_empty_nodes_are_ordered_by_number_and_not_as_decimals():
    empties = [f"1.{minor}" + "\t_" * 9 for minor in range(1, 11)]
    assert found(word(1, deps="1.2:x|1.10:x"), *empties) == []


def test_the_graph_of_empty_nodes_is_looked_at():
    lines = ("0.1" + "\t_" * 7 + "\t7:x\t_", word(1), "1.1" + "\t_" * 7 + "\t1.1:x\t_")
    assert found(*lines) == [
        (1, "DEPS names the head 7, which the sentence does not have"),
        (3, "DEPS names the node itself as its head"),
    ]


# ── features ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "feats",
    [
        "_",
        "Case=Nom|Number=Sing",
        "Number=Plur|Number[psor]=Sing",
        "Case=Acc,Dat|Number=Sing",
        "COMMON|F|SING",
        "num=sg|case=nom",
        "B|A=1",
    ],
)
def test_features_in_order_and_features_of_other_kinds_are_fine(feats):
    assert found(word(1, feats=feats)) == []


@pytest.mark.parametrize(
    ("feats", "message"),
    [
        ("Number=Sing|Case=Nom", "the names must be in alphabetical order"),
        ("Case=Nom|Case=Acc", "a name must not occur twice"),
    ],
)
def test_features_out_of_order_are_told(feats, message):
    ((line, text),) = found(word(1), word(2, head=1, feats=feats))
    assert (line, text) == (2, f"FEATS is '{feats}'; {message}")


def test_features_of_treebanks_with_other_parts_of_speech_have_their_own_order():
    assert found(word(1, upos="NN", feats="Gen=M|Cas=4")) == []


# ── text and sent_id ─────────────────────────────────────────────────────────────────────────────


def test_a_text_that_the_words_say_is_fine():
    lines = (
        "# sent_id = 1",
        "# text = Vámonos  al mar.",
        "1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_",
        word(1, "Vamos"),
        word(2, "nos", 1),
        "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_",
        word(3, "a", 1),
        word(4, "el", 1),
        "4.1\tgran\t_\t_\t_\t_\t_\t_\t1:x\tSpaceAfter=No",
        word(5, "mar", 1, misc="Gloss=sea|SpaceAfter=No"),
        word(6, ".", 1, misc="SpaceAfter=No"),
    )
    assert found(*lines) == []


def test_a_multiword_token_can_end_without_a_space():
    token = "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No"
    lines = (token, word(1, "de"), word(2, "el", 1), word(3, "!", 1))
    assert found("# text = del!", *lines) == []


def test_a_text_that_the_words_do_not_say_is_told_on_its_line():
    lines = ("# sent_id = 1", "# text = a bad idea.", word(1, "a"), word(2, "bat", 1))
    rest = (word(3, "idea", 1, misc="SpaceAfter=No"), word(4, ".", 1))
    assert found(*lines, *rest) == [
        (2, "# text has 'bad idea.' where the words spell 'bat idea.'"),
    ]


def test_a_text_that_ends_too_early_is_told():
    lines = ("# text = a", word(1, "a"), word(2, "b", 1, misc="SpaceAfter=No"))
    assert found(*lines) == [(1, "# text has 'a' where the words spell 'a b'")]


def test_a_missing_mark_for_no_space_is_told():
    lines = (
        word(1, "No"),
        word(2, ".", 1),
        word(3, "No", 1, misc="SpaceAfter=No"),
        word(4, ".", 1),
    )
    ((line, message),) = found("# text = No. No.", *lines)
    assert line == 1
    assert message.endswith("SpaceAfter=No is for words that no space follows")


def test_without_any_mark_for_spaces_only_the_words_are_compared():
    assert found("# text = No.", word(1, "No"), word(2, ".", 1)) == []
    assert len(found("# text = No!", word(1, "No"), word(2, ".", 1))) == 1


def test_an_empty_text_says_nothing():
    assert found("# text =", "# sent_id = 1", word(1, "a")) == []


def test_a_sent_id_that_was_there_before_is_told_on_its_line():
    lines = ("# sent_id = a", word(1), "", "# x", "# sent_id = a", word(1), "", word(1))
    message = "sent_id 'a' is also that of the sentence on line 1; every sentence needs its own"
    assert found(*lines) == [(5, message)]


# ── whatever comes ───────────────────────────────────────────────────────────────────────────────


@given(conllu_files())
def test_problems_have_a_line_of_the_file_and_a_message_of_some_size(text):
    corpus = read_text(text, "conllu")
    last = text.count("\n")
    for problem in problems(corpus):
        assert 1 <= problem.line <= last
        assert 0 < len(problem.message) < 400
        assert "\n" not in problem.message


def test_ten_thousand_words_with_all_kinds_of_problems_are_told():
    count = 10_000
    corpus = Dependencies(
        {
            "words": Table(
                [0, count],
                form=Strings.constant("w", count),
                head=np.full(count, 1, np.int32),
                deps=Strings.constant("99999:x", count),
                feats=Strings.constant("B=1|A=1", count),
            )
        }
    )
    assert len(list(problems(corpus))) == 2 * count + 2


def test_real_treebanks_are_nearly_clean(shared):
    paths = sorted((shared / "data").glob("*/*.conllu"))
    wrong = {path.name: list(problems(read(path))) for path in paths}
    assert len(paths) > 8
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_turin_treebank_has_two_sentences_with_several_roots(shared):
    messages = [p.message for p in problems(read(shared / "data" / "partut" / "it.tut.conll"))]
    assert len(messages) == 2
    assert all(message.endswith("only one word can be the root") for message in messages)


@given(scattered_constituents(TEXTS, st.sampled_from(["NP-1", "NP=1", "VP"]), TEXTS))
def test_any_constituents_can_be_looked_at(corpus):
    for problem in problems(corpus):
        assert "\n" not in problem.message


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


def penn(*sentences):
    """Make flat trees of (labels of phrases, forms of their traces or words)."""
    words = [form for nodes in sentences for _, form in nodes]
    nodes = [label for nodes in sentences for label, _ in nodes]
    offsets = offsets_of([len(nodes) for nodes in sentences])
    places = np.concatenate([np.arange(len(nodes)) for nodes in sentences]).astype(np.int32)
    tags = ["-NONE-" if form.startswith("*") else "NN" for form in words]
    return Constituents(
        {
            "words": Table(offsets, form=Strings.of(words), tag=Strings.of(tags), parent=places),
            "nodes": Table(
                offsets, label=Strings.of(nodes), parent=np.full(len(nodes), -1, np.int32)
            ),
        },
        lines=np.arange(10, 10 + len(sentences)),
    )


def tree_problems(*sentences):
    return [(problem.line, problem.message) for problem in problems(penn(*sentences))]


def test_a_trace_with_its_antecedent_is_fine():
    assert (
        tree_problems([("WHNP-1", "who"), ("NP-SBJ", "*T*-1"), ("NP", "*U*"), ("S", "*?*")]) == []
    )


def test_a_trace_without_an_antecedent_is_told():
    sentences = ([("WHNP-1", "who")], [("WHNP-2", "who"), ("NP-SBJ", "*T*-1")])
    assert tree_problems(*sentences) == [
        (11, "trace '*T*-1'; no phrase of the sentence has the index '1'")
    ]


def test_a_word_that_looks_like_a_trace_is_none():
    corpus = penn([("NP", "*-1")])
    corpus = corpus.replace("words", tag=Strings.of(["NN"]))
    assert list(problems(corpus)) == []


def test_a_gap_without_a_model_is_told():
    assert tree_problems([("NP-1", "a"), ("NP=1", "b"), ("NP=1", "c")]) == []
    assert tree_problems([("NP=3", "b")]) == [
        (10, "label 'NP=3'; no phrase of the sentence has the index '3'")
    ]


def test_an_index_on_two_phrases_is_told():
    assert tree_problems([("NP-1", "a"), ("WHNP-SBJ-1", "b"), ("NP-2", "c")], [("NP-1", "a")]) == [
        (10, "2 phrases have the index '1': 'NP-1', 'WHNP-SBJ-1'; only one phrase can have it")
    ]


def test_a_repeated_sent_id_of_constituents_is_told_on_the_line_of_its_sentence():
    corpus = penn([("NP", "a")], [("NP", "a")])
    comments = Strings.constant("# x\n# sent_id = a", 2)
    (problem,) = problems(corpus.replace("sentences", comments=comments))
    assert problem.line == 11


def test_several_phrases_at_the_top_are_fine():
    assert tree_problems([("NP", "a"), ("VP", "b")]) == []


# ── relations and alignments ─────────────────────────────────────────────────────────────────────


def relations(spans, words):
    first, last = np.array(spans, np.int32).T
    none = np.empty(0, np.int32)
    return Relations(
        {
            "words": Table([0, words], form=Strings.constant("w", words)),
            "nodes": Table(
                [0, len(spans)], text=Strings.constant("n", len(spans)), first=first, last=last
            ),
            "relations": Table([0, 0], label=Strings.of([]), head=none, dependent=none),
        }
    )


def test_nodes_stand_for_words_of_the_sentence():
    assert list(problems(relations([(0, 0), (-1, -1), (1, 1), (1, 3)], 3))) == []
    messages = [p.message for p in problems(relations([(4, 4), (3, 2), (1, 4)], 3))]
    assert messages == [
        "sentence 1: 'n' stands for word 4; the sentence has 3 words",
        "sentence 1: 'n' stands for word 3 to 2; the sentence has 3 words",
        "sentence 1: 'n' stands for word 1 to 4; the sentence has 3 words",
    ]


def test_nodes_stand_for_any_word_where_the_words_are_not_known():
    assert list(problems(relations([(4, 4)], 0))) == []


def alignment(links, words=0):
    source, target = np.array(links, np.int32).T
    words = Table([0, words], form=Strings.constant("w", words))
    return Alignments(
        {
            "links": Table([0, len(links)], source=source, target=target),
            "source_words": words,
            "target_words": words,
        }
    )


def test_links_join_words_of_the_sentences():
    assert list(problems(alignment([(0, 1), (1, 0)], 2))) == []
    assert list(problems(alignment([(0, 9)]))) == []
    assert [p.message for p in problems(alignment([(-1, 9)]))] == [
        "sentence 1: link -1-9; the source counts from 0"
    ]
    assert [p.message for p in problems(alignment([(0, 2), (2, 0)], 2))] == [
        "sentence 1: link 2-0; the source has the words 0 to 1",
        "sentence 1: link 0-2; the target has the words 0 to 1",
    ]
