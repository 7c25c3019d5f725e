"""evalb: its parameter files, its choice of words, its output to the last blank."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_pairs import expected, pairs, trees_of

from commonground import InputError, read, read_text
from commonground.evaluation.evaluate import evaluate
from commonground.metrics.constituents.evalb import Evalb, published
from commonground.metrics.constituents.evalb_output import evalb_printed
from commonground.metrics.settings import Settings, preset

COLLINS, NEW = published("COLLINS"), published("new")


def trees(text):
    return read_text(text, format="brackets")


def lines(gold, parse, parameters=COLLINS):
    """Return the fields of the lines about sentences."""
    text = evalb_printed(trees(gold), trees(parse), parameters).output
    body = text.split("=" * 76 + "\n")[1]
    return [line.split() for line in body.splitlines()]


def counts(gold, parse, text):
    """Return status, matched, gold and test brackets of the only sentence."""
    ((_, _, status, _, _, *numbers, _, _, _, _),) = lines(gold, parse, Evalb.of(text))
    return tuple(map(int, [status, *numbers]))


# ── the program's own answers ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("file", ["gum", "failed"])
@pytest.mark.parametrize("name", ["COLLINS", "new"])
def test_the_output_is_that_of_evalb(shared, kernels, name, file):
    folder = shared / "golden" / "evalb"
    gold, parse = (read(folder / f"{file}.{side}", format="brackets") for side in ("gold", "sys"))
    printed = (folder / f"{file}.{name}.out").read_text()
    assert evalb_printed(gold, parse, published(name)).output == printed


GOLD_LINES = "(S (A (P this)) (B (Q is)))\n" * 4


def test_a_line_is_a_sentence_whether_it_has_no_tree_one_or_several():
    parse = "(S (A (P this)) (B (Q is)))\n(P this) (Q is)\n\n(A (P this)) (B (Q is))\n"
    result = lines(GOLD_LINES, parse)
    assert [line[2] for line in result[:4]] == ["0", "0", "2", "0"]
    assert [line[5:8] for line in result[:4]] == [
        ["3", "3", "3"],
        ["0", "3", "0"],
        ["0", "0", "0"],
        ["2", "3", "2"],
    ]
    assert [line[9:11] for line in result[:2]] == [["2", "2"], ["2", "2"]]


def test_trees_are_put_together_only_where_each_gold_tree_has_a_line():
    with pytest.raises(InputError, match="5 sentences, but the gold standard"):
        lines(GOLD_LINES.replace("(B", "\n(B"), GOLD_LINES[:-1] + " (S (P this))")


@pytest.mark.parametrize("name", ["evalb-collins", "evalb-new"])
def test_the_presets_give_the_scores_of_evalb(shared, name):
    folder = shared / "golden" / "evalb"
    result = evaluate(
        folder / "gum.gold", folder / "gum.sys", metrics=("all",), settings=preset(name)
    )
    assert {n: f"{100 * result[n].value:.2f}" for n in SUMMARY} == SUMMARY
    assert f"{result['crossing_brackets'].value:.2f}" == "0.01"
    assert result.systems[0].skipped == ()


SUMMARY = {
    "parseval_recall": "93.04",
    "parseval_precision": "96.76",
    "parseval_f1": "94.86",
    "parseval_exact_match": "38.42",
    "no_crossing": "99.44",
    "two_or_less_crossing": "100.00",
    "tagging": "97.03",
}


def test_all_of_the_output():
    gold = "(TOP (S (NP (D the) (N cat)) (VP (V ran) (ADVP (R off))) (. .)))\n(TOP (S (N a) (N b)))"
    parse = "(TOP (S (NP (D the) (N cat)) (VP (V ran) (PRT (P off))) (. .)))\n(TOP (S (N a) (. b)))"
    expected = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    5    0  100.00 100.00     4      4    4      0      4     3    75.00
   2    2    1    0.00   0.00     0      0    0      0      0     0     0.00
============================================================================
                100.00 100.00      4     4     4      0      4     3    75.00
=== Summary ===

-- All --
Number of sentence        =      2
Number of Error sentence  =      1
Number of Skip  sentence  =      0
Number of Valid sentence  =      1
Bracketing Recall         = 100.00
Bracketing Precision      = 100.00
Bracketing FMeasure       = 100.00
Complete match            = 100.00
Average crossing          =   0.00
No crossing               = 100.00
2 or less crossing        = 100.00
Tagging accuracy          =  75.00

-- len<=4 --
Number of sentence        =      1
Number of Error sentence  =      1
Number of Skip  sentence  =      0
Number of Valid sentence  =      0
Bracketing Recall         =   0.00
Bracketing Precision      =   0.00
Bracketing FMeasure       =   -nan
Complete match            =   0.00
Average crossing          =   0.00
No crossing               =   0.00
2 or less crossing        =   0.00
Tagging accuracy          =   0.00
"""
    parameters = Evalb.of("CUTOFF_LEN 4\nDELETE_LABEL TOP\nDELETE_LABEL .\nEQ_LABEL ADVP PRT")
    assert evalb_printed(trees(gold), trees(parse), parameters).output == expected


# ── parameter files ──────────────────────────────────────────────────────────────────────────────


def test_the_published_parameters_are_what_evalb_comes_with():
    punctuation = {",", ":", "``", "''", "."}
    assert COLLINS.delete == {"TOP", "-NONE-"} | punctuation
    assert NEW.delete == COLLINS.delete | {"S1", "?", "!"}
    assert NEW.quotes == {"``", "''", "POS", "NN", "CD", "VBZ", ":"}
    assert not COLLINS.quotes
    for one in (COLLINS, NEW):
        assert one.equal_labels == (("ADVP", "PRT"),)
        assert one.delete_for_length == {"-NONE-"}
        assert (one.cutoff, one.max_error, one.labelled) == (40, 10, True)


def test_every_keyword_is_read():
    text = """\
# a comment
DEBUG 1
MAX_ERROR 5

CUTOFF_LEN 70
LABELED 0
DISC_ONLY 1
DELETE_LABEL TOP
DELETE_LABEL ,
DELETE_LABEL_FOR_LENGTH -NONE-
DELETE_WORD ;
QUOTE_LABEL POS
EQ_LABEL ADVP PRT
EQ_LABEL A B
EQ_WORD  Example example
"""
    assert Evalb.of(text) == Evalb(
        debug=1,
        max_error=5,
        cutoff=70,
        labelled=False,
        discontinuous_only=True,
        delete=frozenset(["TOP", ","]),
        delete_for_length=frozenset(["-NONE-"]),
        delete_words=frozenset([";"]),
        quotes=frozenset(["POS"]),
        equal_labels=(("ADVP", "PRT"), ("A", "B")),
        equal_words=(("Example", "example"),),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DELETE_LABELS TOP", "keyword 'DELETE_LABELS'; there are DEBUG, MAX_ERROR"),
        ("MAX_ERROR many", "MAX_ERROR has 'many'; a number is expected"),
        ("LABELED", "LABELED has ''; 0 or 1 is expected"),
        ("DELETE_LABEL", "DELETE_LABEL has ''; one label is expected"),
        ("EQ_LABEL A B C", "EQ_LABEL has 'A B C'; a pair of labels is expected"),
    ],
)
def test_a_bad_line_is_an_error_with_its_number(tmp_path, line, message):
    path = tmp_path / "bad.prm"
    path.write_text(f"DEBUG 0\n{line}\n")
    with pytest.raises(InputError) as caught:
        Evalb.read(path)
    assert str(caught.value).startswith(f"{path}:2: {message}")


@given(st.binary(max_size=60))
def test_any_bytes_are_parameters_or_an_input_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("prm") / "any.prm"
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        assert isinstance(Evalb.read(path), Evalb)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        Evalb.read(tmp_path / "none.prm")


def test_the_signature_tells_parameters_apart():
    assert COLLINS.signature() != NEW.signature()
    assert Evalb.of("MAX_ERROR 5").signature() == Evalb.of("").signature()
    assert Evalb.of("LABELED 0").signature() != Evalb.of("").signature()


# ── which words are compared ─────────────────────────────────────────────────────────────────────


def test_a_mistagged_comma_makes_an_error_sentence():
    gold, parse = "(S (N a) (, ,) (N b))", "(S (N a) (N ,) (N b))"
    ((_, length, status, *rest),) = lines(gold, parse)
    assert (length, status, set(map(float, rest))) == ("3", "1", {0.0})


def test_a_parse_without_words_left_is_skipped_and_another_word_is_an_error():
    result = lines("(S (N a))\n(S (N a))\n(S (. .))", "(S (. a))\n(S (N b))\n(S (. .))")
    assert [line[2] for line in result] == ["2", "1", "2"]


def test_error_sentences_are_listed_and_do_not_count():
    gold, parse = trees("(S (N a))\n(S (N a))\n(S (N a))"), trees("(S (. a))\n(S (N b))\n(S (N a))")
    result = evaluate(gold, parse, settings=Settings(evalb=COLLINS))
    assert result.systems[0].skipped == ("1", "2")
    assert result["parseval_f1"].counts.columns["gold"].tolist() == [0, 0, 1]
    assert "evalb:COLLINS-" in result.signature
    assert "skipped:2" in result.signature


def test_a_quotation_mark_that_only_one_tree_leaves_out_is_put_back():
    gold = "(S (NP (N dogs) (POS ')) (VP (V bark)))"
    parse = "(S (NP (N dogs)) ('' ') (VP (V bark)))"
    assert lines(gold, parse, COLLINS)[0][2] == "1"
    ((_, _, status, _, _, matched, ours, theirs, _, words, *_),) = lines(gold, parse, NEW)
    assert (status, matched, ours, theirs, words) == ("0", "2", "3", "3", "3")
    ((_, _, status, _, _, matched, *_),) = lines(parse, gold, NEW)
    assert (status, matched) == ("0", "2")


def test_quotation_marks_are_put_back_one_after_the_other():
    gold = "(S ('' ') (NP (N a) ('' \")) (N b))"
    parse = "(S (POS ') (NP (N a) (NN \")) (N b))"
    assert lines(gold, parse, NEW)[0][9] == "4"


def test_other_words_are_not_put_back():
    assert lines("(S (N a) ('' x))", "(S (N a) (POS x))", NEW)[0][2] == "1"


def test_traces_do_not_count_for_the_length_and_punctuation_does():
    assert lines("(S (N a) (-NONE- *) (. .))", "(S (N a) (. .))")[0][1] == "2"


def test_words_can_be_equal_and_left_out():
    assert counts("(S (N colour))", "(S (N color))", "EQ_WORD color colour") == (0, 1, 1, 1)
    assert counts("(S (N a) (N ;))", "(S (N a))", "DELETE_WORD ;") == (0, 1, 1, 1)


# ── which brackets count ─────────────────────────────────────────────────────────────────────────


def test_labels_are_cut_at_a_hyphen_or_an_equals_sign():
    assert counts("(S (NP-SBJ=2 (N a)) (N b))", "(S (NP=1-X (N a)) (N b))", "") == (0, 2, 2, 2)


def test_tags_are_not_cut():
    assert lines("(S (N-X a))", "(S (N a))")[0][-1] == "0.00"


def test_only_deleted_labels_do_not_count():
    assert counts("(ROOT (S (N a)))", "(ROOT (S (N a)))", "DELETE_LABEL TOP") == (0, 2, 2, 2)
    assert counts("(TOP (S (N a)))", "(TOP (S (N a)))", "DELETE_LABEL TOP") == (0, 1, 1, 1)


def test_a_label_like_a_deleted_one_is_deleted_too():
    text = "DELETE_LABEL TOP\nEQ_LABEL TOP ROOT"
    assert counts("(ROOT (S (N a)))", "(TOP (S (N a)))", text) == (0, 1, 1, 1)


def test_being_equal_is_not_passed_on(kernels):
    text = "EQ_LABEL A B\nEQ_LABEL B C"
    assert counts("(A (N a))", "(B (N a))", text) == (0, 1, 1, 1)
    assert counts("(C (N a))", "(B (N a))", text) == (0, 1, 1, 1)
    assert counts("(A (N a))", "(C (N a))", text) == (0, 0, 1, 1)


def test_a_gold_bracket_takes_the_first_partner_that_is_left(kernels):
    text = "EQ_LABEL A B"
    assert counts("(A (B (N a)))", "(B (A (N a)))", text) == (0, 2, 2, 2)
    assert counts("(B (C (N a)))", "(A (B (N a)))", text) == (0, 1, 2, 2)


def test_labels_do_not_matter_when_they_are_switched_off():
    assert counts("(A (N a))", "(B (N a))", "LABELED 0") == (0, 1, 1, 1)


def test_discontinuous_brackets_can_be_the_only_ones():
    text = "(S (VP (W 0=what) (V 2=do)) (NP (N 1=you)))"
    gold = read_text(text, format="discbracket")
    result = evaluate(gold, gold, settings=Settings(evalb=Evalb.of("DISC_ONLY 1")))
    assert result["parseval_f1"].counts.totals["gold"] == 1


def test_as_in_disco_dop_the_gold_tags_decide_which_words_are_left_out():
    text = "DELETE_LABEL $,\nDELETE_WORD ;"
    gold, parse = "(S (NP (N a)) ($, ,) (V b))", "(S (NP (N a) (N ,)) ($, b))"
    assert counts(gold, parse, text) == (0, 2, 2, 2)
    assert counts(gold, parse, "DELETE_LABEL $,")[0] == 1
    assert counts("(S ($, ,))", "(S (N ,))", text) == (0, 0, 0, 0)


def test_as_in_disco_dop_only_sentences_with_discontinuous_brackets_can_be_exact():
    plain = "(S (NP (W 0=what)) (VP (V 1=do)))"
    gold = "(S (VP (W 0=what) (V 2=do)) (NP (N 1=you)))"
    wrong = "(S (XP (W 0=what) (V 2=do)) (NP (N 1=you)))"
    one, two = (
        read_text("\n".join(s), "discbracket") for s in ([plain, gold, gold], [plain, gold, wrong])
    )
    settings = Settings(evalb=Evalb.of("DISC_ONLY 1"))
    result = evaluate(one, two, metrics=["parseval_exact_match"], settings=settings)
    totals = result["parseval_exact_match"].counts.totals
    assert (totals["correct"], totals["gold"]) == (1, 2)


def test_the_output_ends_where_there_are_too_many_errors():
    gold, parse = "(S (N a))\n" * 5, "(S (N b))\n" * 5
    text = evalb_printed(trees(gold), trees(parse), Evalb.of("MAX_ERROR 2")).output
    assert text.splitlines()[-1].split()[:3] == ["3", "1", "1"]
    whole = evalb_printed(trees(gold), trees(parse), Evalb.of("MAX_ERROR 4")).output
    assert "Number of Error sentence  =      5\n" in whole


def test_the_messages_tell_why_a_sentence_is_an_error():
    gold = trees("(S (N a) (N A))\n(S (N a))\n(S (N a))\n(S (N a))")
    parse = trees("(S (N a) (N a))\n(S (N b))\n(S (N a) (N b))\n(S (N a))")
    assert evalb_printed(gold, parse, Evalb.of("EQ_WORD a A")).messages.splitlines() == [
        "2 : Words unmatch (a|b)",
        "3 : Length unmatch (1|2)",
    ]
    stopped = evalb_printed(gold, parse, Evalb.of("MAX_ERROR 0")).messages
    assert stopped.splitlines() == ["1 : Words unmatch (A|a)", "2 : Words unmatch (a|b)"]


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

TAGS = ["N", ",", "''", "POS"]


@given(pairs(tags=TAGS, other_tags=TAGS), st.sampled_from([COLLINS, NEW, Evalb()]))
def test_the_output_says_what_the_metrics_count(pair, parameters):
    result = evaluate(*pair, metrics=("all",), settings=Settings(evalb=parameters))
    brackets, tags = (result[n].counts.columns for n in ("parseval_f1", "tagging"))
    columns = [
        *(brackets[name] for name in ("correct", "gold", "system")),
        result["crossing_brackets"].counts.columns["crossing"],
        *(tags[name] for name in ("gold", "correct")),
    ]
    text = evalb_printed(*pair, parameters).output
    printed = [line.split() for line in text.split("=" * 76 + "\n")[1].splitlines()]
    assert [[int(n) for n in (*p[5:9], *p[9:11])] for p in printed] == [
        list(row) for row in zip(*(column.tolist() for column in columns), strict=True)
    ]
    failed = [str(i) for i, line in enumerate(printed, 1) if line[2] != "0"]
    assert result.systems[0].skipped == tuple(failed)
    f_measure = next(line for line in text.splitlines() if "FMeasure" in line).split()[-1]
    if brackets["correct"].sum():
        assert f_measure == f"{100 * result['parseval_f1'].value:.2f}"


@given(pairs(scattered=False, tags=TAGS))
def test_brackets_are_counted_as_the_slow_way_counts_them(pair):
    gold, system = pair
    result = evaluate(gold, system, settings=Settings(evalb=COLLINS))
    columns = result["parseval_f1"].counts.columns
    crossing = result["crossing_brackets"].counts.columns["crossing"].tolist()
    rows = zip(*(columns[n].tolist() for n in ("correct", "gold", "system")), crossing, strict=True)
    for one, two, row in zip(trees_of(gold), trees_of(system), rows, strict=True):
        if all(tag in COLLINS.delete for _, tag in one.words):
            assert row == (0, 0, 0, 0)
        else:
            assert row == expected(
                one,
                two,
                label=lambda text: COLLINS.label(text).replace("PRT", "ADVP"),
                counts=lambda text: COLLINS.label(text) != "TOP",
                kept=lambda tag: tag not in COLLINS.delete,
            )
