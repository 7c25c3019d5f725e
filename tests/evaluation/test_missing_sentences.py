"""Parses that lack sentences, have others, or are no trees."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run, write

from commonground import evaluate, evaluate_files, find_pairs, preset, read_text
from commonground.errors import InputError, MismatchError
from commonground.evaluation.evaluation_plan import EvaluationPlan
from commonground.evaluation.from_tallies import evaluation
from commonground.evaluation.run import tallies_of
from commonground.metrics.settings import Settings

ZERO, SKIP = Settings(on_mismatch="zero"), Settings(on_mismatch="skip")


def sentence(sent_id, *words, heads=None, label="x"):
    comment = f"# sent_id = {sent_id}\n" if sent_id else ""
    tree = heads or range(len(words))
    rows = (
        f"{place}\t{word}\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n"
        for place, (word, head) in enumerate(zip(words, tree, strict=True), 1)
    )
    return f"{comment}{''.join(rows)}\n"


GOLD = [sentence("a", "the", "dog"), sentence("b", "it", "barks"), sentence("c", "so", "what")]
OTHER = sentence("b", "it", "bark", "s")


def corpus(*sentences):
    return read_text("".join(sentences), "conllu")


def test_sentences_are_paired_by_their_ids():
    result = evaluate(corpus(*GOLD), corpus(*reversed(GOLD)))
    assert result["las"].value == 1
    assert result.only.noted == {}


def test_missing_sentences_are_an_error_that_names_them_and_options_that_work():
    with pytest.raises(MismatchError) as raised:
        evaluate(corpus(*GOLD), corpus(GOLD[2], GOLD[0]))
    assert "2 sentences, but the gold standard (<text>) has 3; missing: b; " in str(raised.value)
    assert "skip leaves them out, zero counts those that are missing as wrong" in str(raised.value)
    for settings in (SKIP, ZERO):
        evaluate(corpus(*GOLD), corpus(GOLD[2], GOLD[0]), settings=settings)


def test_missing_sentences_are_left_out_or_count_as_wrong():
    gold, parse = corpus(*GOLD), corpus(GOLD[2], GOLD[0])
    skipped = evaluate(gold, parse, settings=SKIP)
    assert skipped["las"].value == 1
    assert skipped.only.skipped == ("b",)
    zero = evaluate(gold, parse, settings=ZERO)
    assert zero["las"].value == 4 / 6
    assert zero["las"].by_sentence().tolist() == [1, 0, 1]
    assert zero.only.noted == {"missing": ("b",)}
    assert "|missing:1" in zero.signature


def test_a_sentence_with_other_words_counts_as_wrong_too():
    gold, parse = corpus(*GOLD), corpus(GOLD[0], OTHER, GOLD[2])
    result = evaluate(gold, parse, settings=ZERO, by="sentence", confusions=["label"])
    assert result["uas"].value == result["uas"].recall == 4 / 6
    assert [bucket.f1 for bucket in result.breakdown("sentence")["parse"]] == [1, 0, 1]
    assert sum(cell.count for cell in result.confusions["parse", "label"]) == 4


def test_sentences_that_the_gold_standard_lacks_are_told():
    gold, parse = corpus(*GOLD[:2]), corpus(*GOLD)
    with pytest.raises(MismatchError, match=r"not in the gold standard: c; --on-mismatch skip "):
        evaluate(gold, parse)
    result = evaluate(gold, parse, settings=ZERO)
    assert result["las"].value == 1
    assert result.only.noted == {"extra": ("c",)}


def test_without_ids_sentences_are_paired_by_their_text():
    bare = [text.partition("\n")[2] for text in GOLD]
    gold, parse = corpus(*bare), corpus(bare[0], bare[2])
    with pytest.raises(MismatchError, match=r"missing: 2; --on-mismatch skip leaves them out"):
        evaluate(gold, parse)
    assert evaluate(gold, parse, settings=SKIP)["las"].value == 1
    assert evaluate(gold, parse, settings=ZERO)["las"].value == 4 / 6


def test_sentences_that_the_other_side_has_as_one_are_put_together():
    whole = sentence("", "it", "barks", "loudly", heads=[2, 0, 2])
    split = [sentence("", "it", heads=[0]), sentence("", "barks", "loudly", heads=[0, 1])]
    for gold, parse in ((corpus(whole), corpus(*split)), (corpus(*split), corpus(whole))):
        result = evaluate(gold, parse)
        assert result["uas"].value == 2 / 3  # only the head of "it" differs
        assert result.only.noted["joined"] == (gold.sent_id[0] + "+2" * (len(gold) - 1),)
        assert "|joined:1" in result.signature


def test_constituents_are_put_together_too():
    gold = read_text("(S (N dogs) (V bark)) (S (N cats) (V purr))", "brackets")
    parse = read_text("(T (S (N dogs) (V bark)) (S (N cats) (V purr)))", "brackets")
    result = evaluate(gold, parse)
    assert result["parseval_recall"].value == 1
    assert result["parseval_precision"].value == 2 / 3


def test_a_parse_with_other_words_everywhere_is_refused():
    with pytest.raises(MismatchError, match="has 'sings' as word 2"):
        evaluate(corpus(sentence("", "it", "barks")), corpus(sentence("", "it", "sings")))
    other = corpus(sentence("", "x"), sentence("", "y"))
    with pytest.raises(MismatchError, match="they can be paired only by their text"):
        evaluate(corpus(sentence("", "it", "barks")), other)


@pytest.mark.parametrize("settings", [SKIP, ZERO])
@pytest.mark.parametrize("size", [1, 40])
def test_pieces_of_large_files_give_the_same(tmp_path, settings, size):
    gold = write(tmp_path / "gold.conllu", "".join(GOLD))
    parse = write(tmp_path / "parse.conllu", GOLD[2] + GOLD[0])
    pairs = find_pairs(str(gold), {"p": str(parse)})
    whole = evaluate_files(pairs, settings=settings, sentences=True)
    asked = EvaluationPlan((), settings, (), (), sentences=True)
    pieces = evaluation(pairs, tallies_of(pairs, asked, large=0, size=size), asked)
    assert pieces.to_json() == whole.to_json()


def test_constituents_are_paired_by_their_ids_too():
    trees = {"a": "(S (N dogs) (V bark))", "b": "(S (N cats) (V purr))", "c": "(S (I so))"}
    gold, parse = (
        read_text("".join(f"# sent_id = {n}\n{trees[n]}\n" for n in names), "brackets")
        for names in ("abc", "ca")
    )
    result = evaluate(gold, parse, settings=ZERO)
    assert result["parseval_f1"].value == 2 / 3
    assert result["crossing_brackets"].value is None


# ── other words ─────────────────────────────────────────────────────────────────────────────────


def test_as_in_the_2007_scorer_words_may_have_other_forms(tmp_path):
    gold = write(tmp_path / "g", sentence("t", "a", "b") + sentence("u", "c", "d"))
    parse = write(tmp_path / "p", sentence("t", "A", "b") + sentence("u", "c", "d"))
    done = run("evaluate", gold, f"p={parse}", "--preset", "conll07", "--metrics", "las")
    said = "p: sentences with different words, scored word by word all the same (1): t"
    assert done.stderr == f"{said}\n"
    assert "100.00" in done.stdout
    assert "|other-words:1|" in done.stdout
    other = sentence("u", "c", "d") + sentence("t", "a", "b", "c")
    longer = write(tmp_path / "q", other)
    refused = run("evaluate", gold, longer, "--preset", "conll07")
    assert_refused(refused, "has 'c' as word 3, the gold standard has nothing")
    assert_refused(run("evaluate", gold, parse, "--preset", "conllx"), "has 'A' as word 1")


def test_sentences_in_another_order_are_found_by_their_ids_before_forms_are_ignored():
    gold = corpus(sentence("t", "a", "b"), sentence("u", "c", "d", heads=[2, 0]))
    parse = corpus(sentence("u", "C", "d", heads=[2, 0]), sentence("t", "a", "b"))
    result = evaluate(gold, parse, settings=preset("conll07"))
    assert result["uas"].value == 1
    assert result.only.noted == {"other-words": ("u",)}


# ── no trees ─────────────────────────────────────────────────────────────────────────────────────

TREE, LOOP = sentence("t", "a", "b"), sentence("t", "a", "b", heads=[2, 1])


def test_a_cycle_in_a_parse_is_told_everywhere(tmp_path):
    gold, parse = write(tmp_path / "g", TREE), write(tmp_path / "p", LOOP)
    done = run("evaluate", gold, f"p={parse}", "--metrics", "ned")
    said = "p: sentences with a cycle and no root, which are not trees but were scored as they are"
    assert done.stderr == f"{said} (1): t\n"
    assert said in done.stdout
    assert "|rootless:1|" in done.stdout
    assert run("evaluate", gold, f"p={parse}", "--quiet").stderr == ""
    data = json.loads(run("evaluate", gold, parse, "--output-format", "json").stdout)
    assert data["systems"][0]["noted"] == {"rootless": ["t"]}


def test_a_gold_standard_with_a_cycle_is_refused(tmp_path):
    gold, parse = write(tmp_path / "g", TREE + LOOP), write(tmp_path / "p", TREE + LOOP)
    done = run("evaluate", gold, parse)
    assert_refused(done, f"{gold}:5: sentence t has a cycle; a gold standard must have trees")
    assert "--on-mismatch skip" in done.stderr


@pytest.mark.parametrize("others", ["u", "vu"])
def test_a_gold_sentence_with_a_cycle_can_be_left_out(others):
    gold = corpus(sentence("u", "a", "b") + LOOP)
    parse = corpus("".join(sentence(name, "a", "b") for name in others) + TREE)
    result = evaluate(gold, parse, metrics=["uas"], settings=Settings(on_mismatch="skip")).only
    assert result.skipped == ("t",)
    assert result.scores["uas"].counts.columns["gold"].sum() == 2


def test_a_partial_tree_is_no_cycle():
    partial = read_text(LOOP.replace("\t1\tx", "\t_\tx"), "conllu", partial=True)
    assert evaluate(corpus(TREE), partial, partial=True).only.noted == {}


def test_a_cycle_beside_a_root_is_told():
    gold = corpus(sentence("t", "a", "b", "c"))
    result = evaluate(gold, corpus(sentence("t", "a", "b", "c", heads=[0, 3, 2])))
    assert result.only.noted == {"cycles": ("t",)}
    with pytest.raises(InputError, match="has a cycle"):
        evaluate(corpus(sentence("t", "a", "b", "c", heads=[0, 3, 2])), gold)
