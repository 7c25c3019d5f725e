"""Evaluations of files: pairs, averages, merged counts, equivalent labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground
from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.evaluation.pairs import Pair, find_pairs
from commonground.evaluation.run import evaluate_files
from commonground.metrics.labels_file import parse_labels, read_labels
from commonground.metrics.settings import Settings

WORD = "1\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n\n"


def treebank(path, *sentences):
    """Write a file of sentences of one word, each with a label."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(WORD.format("w", 0, label) for label in sentences))
    return str(path)


@pytest.fixture
def folders(tmp_path):
    treebank(tmp_path / "gold/a.conllu", "x", "x")
    treebank(tmp_path / "gold/b.conllu", "x", "y", "x", "x")
    treebank(tmp_path / "sys/a.conllu", "x", "z")
    treebank(tmp_path / "sys/b.conllu", "x", "y", "x", "x")
    return tmp_path


def pairs(folder, **parses):
    return find_pairs(str(folder / "gold"), {n: str(folder / p) for n, p in parses.items()})


# ── which files belong together ──────────────────────────────────────────────────────────────────


def test_files_belong_together_by_their_names(folders):
    gold, sys = folders / "gold", folders / "sys"
    assert pairs(folders, mine="sys") == [
        Pair(str(gold / "a.conllu"), str(sys / "a.conllu"), "mine", "a"),
        Pair(str(gold / "b.conllu"), str(sys / "b.conllu"), "mine", "b"),
    ]
    assert find_pairs(f"{gold}/*.conllu", {"mine": f"{sys}/*"}) == pairs(folders, mine="sys")


def test_the_suffix_does_not_matter(tmp_path):
    for name in ("gold/a.conllu", "gold/b.c.conllu.gz", "sys/a.out.xz", "sys/b.c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [pair.name for pair in pairs(tmp_path, mine="sys")] == ["a", "b.c"]


def test_systems_stand_beside_each_other_for_each_file(folders):
    result = pairs(folders, mine="sys", best="gold")
    assert [(pair.name, pair.system) for pair in result] == [
        ("a", "mine"),
        ("a", "best"),
        ("b", "mine"),
        ("b", "best"),
    ]


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path):
    path = treebank(tmp_path / "a[1].conllu", "x")
    assert find_pairs(path, {"p": path}) == [Pair(path, path, "p")]


def test_one_gold_standard_can_have_a_folder_of_parses(folders):
    gold = str(folders / "gold/a.conllu")
    result = find_pairs(gold, {"x": str(folders / "sys")})
    assert [pair.system for pair in result] == [str(folders / f"sys/{n}.conllu") for n in "ab"]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("gold/c.conllu", "gold/c.conllu: there is no file c in .*sys to compare it with"),
        ("sys/c.conllu", "sys/c.conllu: there is no file c in .*gold to compare it with"),
        ("sys/a.conll", "sys/a.conllu: .*sys/a.conll has the same name, up to the suffix"),
    ],
)
def test_what_does_not_pair_up_is_told(extra, message, folders):
    treebank(folders / extra, "x")
    with pytest.raises(InputError, match=message):
        pairs(folders, mine="sys")


def test_an_empty_folder_is_told(folders):
    (folders / "none").mkdir()
    with pytest.raises(InputError, match="it is an empty folder"):
        pairs(folders, mine="none")


def test_many_gold_standards_need_many_parses(folders):
    with pytest.raises(UsageError, match=r"several files, but .*a\.conllu is one parse"):
        pairs(folders, mine="sys/a.conllu")


# ── averages ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_micro_average_merges_counts_and_the_macro_average_scores(folders, jobs):
    outcome = evaluate_files(
        pairs(folders, mine="sys", best="gold"), metrics=["la"], sentences=True, jobs=jobs
    )
    assert [result.system("mine")["la"].value for result in outcome.pairs.values()] == [1 / 2, 1]
    assert outcome.system("mine")["la"].value == 5 / 6
    assert outcome.macro("mine", "la") == 3 / 4
    assert outcome.system("best")["la"].value == outcome.macro("best", "la") == 1
    correct = outcome.system("mine")["la"].counts.columns["correct"]
    assert correct.tolist() == [1, 0, 1, 1, 1, 1]


def test_merged_counts_are_those_of_the_merged_corpus(folders):
    result = evaluate_files(pairs(folders, mine="sys"), metrics=["all"], by=[["deprel"]])
    gold, parse = (
        Dependencies.concatenate([commonground.read(folders / side / f"{n}.conllu") for n in "ab"])
        for side in ("gold", "sys")
    )
    whole = commonground.evaluate(gold, parse, metrics=["all"])
    for name, score in whole.systems[0].scores.items():
        assert result[name].counts.totals == score.counts.totals
    merged = {b.values: b.counts for b in result.breakdowns["mine", ("deprel",), "las"]}
    at_once = whole.systems[0].breakdown("las", ["deprel"])
    assert merged == {bucket.values: bucket.counts for bucket in at_once}


def test_one_pair_is_no_batch(folders):
    path = str(folders / "gold/a.conllu")
    result = evaluate_files(find_pairs(path, {"mine": path}), metrics=["la"], sentences=True)
    assert result.pairs == {}
    assert result.to_json() == commonground.evaluate(path, {"mine": path}, metrics=["la"]).to_json()


def test_skipped_sentences_of_all_files_are_listed(folders):
    (folders / "sys/b.conllu").write_text(
        (folders / "gold/b.conllu").read_text().replace("w", "v", 1)
    )
    result = evaluate_files(
        pairs(folders, mine="sys"), metrics=["la"], settings=Settings(on_mismatch="skip")
    )
    assert result.systems[0].skipped == ("b:1",)
    assert result.signature.endswith("skipped:1")
    assert result["la"].counts.totals["gold"] == 5


def test_progress_is_told(folders):
    done = []
    evaluate_files(pairs(folders, mine="sys", best="gold"), watch=done.append)
    assert sum(done) == 4


@pytest.mark.parametrize("empty", ["gold", "sys"])
def test_a_file_without_sentences_is_named(empty, folders):
    path = treebank(folders / empty / "a.conllu")
    for settings in (Settings(), Settings(on_mismatch="realign")):
        with pytest.raises(InputError, match=r"it has no sentences, but .* has some") as caught:
            evaluate_files(pairs(folders, mine="sys"), settings=settings)
        assert caught.value.path == path


def test_different_kinds_of_corpora_have_no_average(folders):
    for side in ("gold", "sys"):
        (folders / side / "c.mrg").write_text("(S (A a))\n")
    with pytest.raises(UsageError, match=r"cannot be averaged: .*dependencies, .*constituents"):
        evaluate_files(pairs(folders, mine="sys"))


# ── equivalent labels ────────────────────────────────────────────────────────────────────────────


def test_labels_on_a_line_are_the_same():
    result = parse_labels("# names\nSBJ = Sb\n\n  obj  dobj OBJ  # objects\n", Settings())
    assert result == {"Sb": "SBJ", "dobj": "obj", "OBJ": "obj"}


def test_being_the_same_is_passed_on():
    assert parse_labels("a b\nc d\nb c\n", Settings()) == dict.fromkeys("bcd", "a")


def test_case_and_subtypes_are_as_in_the_settings():
    assert parse_labels("SBJ Sb", Settings(ignore_case=True)) == {"sb": "sbj"}
    with pytest.raises(InputError, match="<text>:1: 'a:b' has a subtype"):
        parse_labels("a:b c", Settings(subtypes=False))


@pytest.mark.parametrize("text", ["a", "a =", "= a # b", "a a"])
def test_a_label_alone_is_told(text):
    with pytest.raises(InputError, match="<text>:2: 'a' alone; 'A = B' or 'A B' is right"):
        parse_labels(f"\n{text}\n", Settings())


def test_a_file_of_labels_that_is_no_text(tmp_path):
    (tmp_path / "labels").write_bytes(b"\xff\xfe = a")
    with pytest.raises(InputError, match="labels:1: byte 1 is not UTF-8"):
        read_labels(tmp_path / "labels", Settings())


@given(st.text())
def test_any_text_is_read_or_refused(text):
    try:
        result = parse_labels(text, Settings())
    except InputError:
        return
    assert not result.keys() & set(result.values())


@given(st.binary())
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("labels") / "labels"
    path.write_bytes(data)
    try:
        read_labels(path, Settings())
    except InputError:
        return
