"""``commonground evaluate``."""

from __future__ import annotations

import importlib.metadata
import json
import re

import pytest
from command import assert_refused, assert_silent_success, run, write

import commonground
from commonground.metrics.settings import PRESETS

GOLD = """\
# sent_id = a
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t0:root\t_
3\tloudly\tloudly\tADV\tRB\t_\t2\tadvmod\t2:advmod\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

# sent_id = b
1\tListen\tlisten\tVERB\tVB\t_\t0\troot\t0:root\t_
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_

"""
PARSE = GOLD.replace("2\tadvmod", "1\tadvmod").replace("2\tnsubj\t", "2\tnsubj:pass\t")
"""One wrong head, and one label with a subtype that the gold standard does not have."""
SPLIT = GOLD.replace("1\tListen\t", "1\tLis\t").replace(
    "2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_\n",
    "2\tten\tten\tX\tX\t_\t1\tdep\t_\t_\n3\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_\n",
)
TREE = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (ADVP (RB now))) (. .)))\n"
FLAT = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (PRT (RB now)) (. .)))\n"


@pytest.fixture
def gold(tmp_path):
    return write(tmp_path / "gold.conllu", GOLD)


@pytest.fixture
def parse(tmp_path):
    return write(tmp_path / "parse.conllu", PARSE)


@pytest.fixture
def trees(tmp_path):
    return write(tmp_path / "gold.mrg", TREE), write(tmp_path / "parse.mrg", FLAT)


def evaluated(*arguments, **more):
    """What the command tells, as JSON."""
    done = run("evaluate", *arguments, "--output-format", "json", **more)
    assert_silent_success(done)
    return json.loads(done.stdout)


def counts(*arguments, metric="las"):
    """The correct and all gold items of a metric."""
    result = evaluated(*arguments, "--metrics", metric)["systems"][0]["metrics"][metric]["counts"]
    return result["correct"], result["gold"]


# ── the contract ─────────────────────────────────────────────────────────────────────────────────


def test_json_is_as_in_the_contract(gold, parse):
    result = evaluated(gold, parse)
    assert {"kind", "signature", "systems", "tests", "command", "request"} == result.keys()
    assert result["tests"] == []
    [system] = result["systems"]
    assert system["name"] == str(parse)
    assert list(system["metrics"]) == ["uas", "las", "la", "undirected", "ned"]
    las = system["metrics"]["las"]
    assert (las["score"], las["counts"]) == (
        4 / 6,
        {"correct": 4, "gold": 6, "system": 6, "aligned": 6},
    )


def test_the_signature_names_version_and_settings(gold, parse):
    parts = dict(p.split(":", 1) for p in evaluated(gold, parse)["signature"].split("|"))
    assert parts["commonground"] == commonground.__version__
    assert parts["preset"] == "none"
    assert parts["skipped"] == "0"


def test_the_version_is_that_of_the_package():
    assert commonground.__version__ == importlib.metadata.version("commonground")


def test_whatever_can_change_a_number_is_in_the_signature(gold, parse):
    write(gold.parent / "labels", "nsubj = nsubj:pass\n")
    options = [
        *("", "--preset conll18", "--preset conllx", "--preset ned", "--punctuation unicode"),
        *("--punctuation tag", "--punctuation-tags PUNCT", "--max-length 3", "--min-length 3"),
        *("--no-subtypes", "--ignore-case", "--on-mismatch skip", "--equivalent-labels labels"),
    ]
    lines = [[gold, parse, "--metrics", "las", *option.split()] for option in options]
    results = [evaluated(*line, cwd=gold.parent)["signature"] for line in lines]
    assert len(set(results)) == len(options)


def test_several_parses_are_scored_in_one_call(gold, parse):
    result = evaluated(gold, parse, f"perfect={gold}")
    assert [system["name"] for system in result["systems"]] == [str(parse), "perfect"]
    assert [system["metrics"]["las"]["score"] for system in result["systems"]] == [4 / 6, 1]


def test_people_see_per_cent_and_the_signature(gold, parse):
    done = run("evaluate", gold, f"mine={parse}")
    assert_silent_success(done)
    head, _, row, below = done.stdout.splitlines()
    assert head.split() == ["parse", "UAS", "LAS", "LA", "Undirected", "NED"]
    assert row.split() == ["mine", "83.33", "66.67", "83.33", "83.33", "83.33"]
    assert below.startswith("commonground:")


def test_the_best_parse_is_bold(gold, parse):
    done = run("evaluate", gold, f"mine={parse}", f"best={gold}", "--output-format", "markdown")
    assert "| best | **100.00** |" in done.stdout
    assert "| mine | 83.33 |" in done.stdout


def test_nothing_is_bold_without_a_competitor(gold, parse):
    assert "**" not in run("evaluate", gold, parse, "--output-format", "markdown").stdout


@pytest.mark.parametrize(
    ("output_format", "sign"),
    [("tsv", "\t66.666"), ("latex", r"\toprule"), ("html", "<table>"), ("markdown", "| 66.67 |")],
)
def test_other_output_formats(output_format, sign, gold, parse):
    done = run("evaluate", gold, parse, "--output-format", output_format)
    assert_silent_success(done)
    assert sign in done.stdout


def test_a_result_is_written_to_a_file(gold, parse, tmp_path):
    done = run("evaluate", gold, parse, "--output-format", "json", "-o", tmp_path / "out.json")
    assert_silent_success(done)
    assert done.stdout == ""
    assert json.loads((tmp_path / "out.json").read_text())["systems"]


def test_standard_input_can_be_a_parse(gold):
    result = evaluated(gold, "-", "--jobs", "2", stdin=PARSE.encode())
    assert result["systems"][0]["metrics"]["uas"]["score"] == 5 / 6


def test_standard_input_is_there_once():
    assert_refused(run("evaluate", "-", "-"), "standard input can be read only once")


@pytest.mark.parametrize("jobs", ["1", "2", "0"])
def test_the_result_does_not_depend_on_the_number_of_jobs(jobs, gold, parse):
    line = ["evaluate", gold, parse, f"g={gold}", "--by", "deprel", "--confusion", "label"]
    line += ["--sentences", "--metrics", "all", "--metrics", "feats.Number"]
    one = run(*line, "--output-format", "json")
    assert_silent_success(one)
    assert run(*line, "--output-format", "json", "--jobs", jobs).stdout == one.stdout


def test_a_single_feature_can_be_asked_for_in_many_processes(gold, parse):
    result = evaluated(gold, parse, gold, "--metrics", "feats.Number", "--jobs", "2")
    assert result["systems"][0]["metrics"]["feats.Number"]["counts"]["gold"] == 1


# ── options ──────────────────────────────────────────────────────────────────────────────────────


def test_metrics_are_computed_in_the_order_of_asking(gold, parse):
    result = evaluated(gold, parse, "--metrics", "las, clas", "--metrics", "upos")
    assert list(result["systems"][0]["metrics"]) == ["las", "clas", "upos"]


def test_all_metrics(gold, parse):
    result = evaluated(gold, parse, "--metrics", "all")["systems"][0]["metrics"]
    assert {"tokens", "elas", "mlas", "exact_match"} <= set(result)


def test_punctuation(gold, parse):
    assert counts(gold, parse) == (4, 6)
    assert counts(gold, parse, "--punctuation", "unicode") == (2, 4)
    assert counts(gold, parse, "--punctuation", "tag") == (2, 4)
    assert counts(gold, parse, "--punctuation-tags", "RB . ") == (2, 3)


def test_length_is_counted_without_punctuation_that_is_left_out(gold, parse):
    assert_refused(
        run("evaluate", gold, parse, "--max-length", "1"), "there is nothing left to score"
    )
    assert counts(gold, parse, "--max-length", "1", "--punctuation", "unicode") == (1, 1)
    assert counts(gold, parse, "--min-length", "3") == (2, 4)


def test_labels(gold, parse, tmp_path):
    assert counts(gold, parse, "--no-subtypes", metric="la") == (6, 6)
    shouted = write(tmp_path / "shouted.conllu", GOLD.replace("advmod\t", "ADVMOD\t"))
    assert counts(gold, shouted, metric="la") == (5, 6)
    assert counts(gold, shouted, "--ignore-case", metric="la") == (6, 6)


def test_equivalent_labels(gold, parse, tmp_path):
    labels = write(tmp_path / "labels.txt", "# passive\nnsubj = nsubj:pass csubj:pass  # both\n")
    assert counts(gold, parse, "--equivalent-labels", labels, metric="la") == (6, 6)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("\nnsubj\n", [], ":2: 'nsubj' alone; 'A = B' or 'A B' is right"),
        ("a = a:b\n", ["--no-subtypes"], ":1: 'a:b' has a subtype, but subtypes do not count"),
    ],
)
def test_a_wrong_line_of_equivalent_labels_is_told(text, options, message, gold, parse, tmp_path):
    labels = write(tmp_path / "labels.txt", text)
    done = run("evaluate", gold, parse, "--equivalent-labels", labels, *options)
    assert_refused(done, f"{labels}{message}")


def test_options_override_the_preset(gold, parse):
    assert counts(gold, parse, "--preset", "conllx") == (2, 4)
    assert counts(gold, parse, "--preset", "conllx", "--punctuation", "keep") == (4, 6)
    assert counts(gold, parse, "--preset", "conll18") == (5, 6)
    assert counts(gold, parse, "--preset", "conll18", "--subtypes") == (4, 6)


def test_a_mismatch_names_both_places(gold, tmp_path):
    split = write(tmp_path / "split.conllu", SPLIT)
    done = run("evaluate", gold, split)
    assert_refused(
        done, f"{split}:7: sentence 2 has 'Lis' as word 1, the gold standard has 'Listen'"
    )
    assert f"({gold}:7)" in done.stderr


def test_a_mismatch_can_be_skipped_or_realigned(gold, tmp_path):
    split = write(tmp_path / "split.conllu", SPLIT)
    skipped = evaluated(gold, split, "--on-mismatch", "skip")
    assert skipped["systems"][0]["skipped"] == ["b"]
    assert skipped["systems"][0]["metrics"]["las"]["counts"]["gold"] == 4
    assert skipped["signature"].endswith("skipped:1")
    table = run("evaluate", gold, split, "--on-mismatch", "skip").stdout
    assert "1 sentence left out: b" in table
    las = evaluated(gold, split, "--on-mismatch", "realign")["systems"][0]["metrics"]["las"]
    assert (las["counts"]["gold"], las["counts"]["system"]) == (6, 7)
    assert las["precision"] == 4 / 7


def test_a_ranking_says_that_its_scores_are_of_other_sentences(gold, tmp_path):
    split = write(tmp_path / "split.conllu", SPLIT)
    told = "The parses are not scored on the same sentences"
    assert told in run("evaluate", gold, split, gold, "--on-mismatch", "skip").stdout
    both = run("evaluate", gold, f"a={split}", f"b={split}", "--on-mismatch", "skip").stdout
    assert told not in both


def test_partial_trees_need_leave(gold, tmp_path):
    partial = write(tmp_path / "partial.conllu", GOLD.replace("\t2\tadvmod", "\t_\tadvmod"))
    assert_refused(run("evaluate", partial, gold), f"{partial}:4: HEAD is _; allow partial trees")
    assert counts(partial, gold, "--partial") == (5, 5)


def test_the_format_can_be_named(gold, parse):
    assert counts(gold, parse, "--format", "conllu") == (4, 6)
    assert_refused(run("evaluate", gold, parse, "--format", "conllx"), "PHEAD is '2:nsubj'")


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


def test_constituents_have_metrics_of_their_own(trees):
    [system] = evaluated(*trees)["systems"]
    assert system["metrics"]["parseval_recall"]["score"] == 2 / 4
    assert system["metrics"]["tagging"]["score"] == 1


def test_evalb_decides_about_labels_that_are_the_same(trees, tmp_path):
    metric = ["--metrics", "parseval_f1"]
    [plain] = evaluated(*trees, *metric)["systems"]
    [collins] = evaluated(*trees, *metric, "--preset", "evalb-collins")["systems"]
    assert plain["metrics"]["parseval_f1"]["counts"]["correct"] == 2
    assert collins["metrics"]["parseval_f1"]["counts"]["correct"] == 3
    parameters = write(tmp_path / "my.prm", "LABELED 0\nDELETE_LABEL TOP\n")
    result = evaluated(*trees, *metric, "--evalb-prm", parameters)
    assert result["systems"][0]["metrics"]["parseval_f1"]["counts"]["correct"] == 3
    assert "evalb:my" in result["signature"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--punctuation", "unicode"], "--punctuation has no effect with evalb's parameters"),
        (["--ignore-case"], "--ignore-case has no effect with evalb's parameters"),
        (["--style", "evalb", "--max-length", "9"], "--max-length has no effect on the layout"),
        (["--no-subtypes"], "--subtypes has no effect with evalb's parameters"),
    ],
)
def test_what_evalb_does_not_know_is_refused(options, message, trees):
    assert_refused(run("evaluate", *trees, "--preset", "evalb-new", *options), message)


def test_evalb_compares_the_sentences_of_a_length_that_is_asked_for(tmp_path):
    short, long = "(S (NP (x a)) (VP (x b)))", "(S (NP (x a) (x b)) (VP (x c) (-NONE- 0)))"
    gold = write(tmp_path / "gold.mrg", f"{short}\n{long}\n{long}\n")
    wrong = long.replace("VP", "NP")
    parse = write(tmp_path / "parse.mrg", f"{short}\n{wrong}\n(())\n")
    same = ["--preset", "evalb-new", "--metrics", "parseval_f1"]
    brackets = {"--max-length 2": (3, 3), "--max-length 3": (5, 6), "--min-length 3": (2, 3)}
    for option, right in brackets.items():
        assert counts(gold, parse, *same, *option.split(), metric="parseval_f1") == right
    shorter = evaluated(gold, parse, *same, "--max-length", "2")["signature"]
    assert "longest:2" in shorter
    assert "skipped:0" in shorter


def test_crossing_brackets_are_no_percentage(tmp_path):
    gold = write(tmp_path / "gold.mrg", "(S (A (x a) (x b)) (x c))\n")
    crossed = write(tmp_path / "crossed.mrg", "(S (x a) (A (x b) (x c)))\n")
    line = ["--metrics", "crossing_brackets", "--output-format", "markdown"]
    done = run("evaluate", gold, f"bad={crossed}", f"good={gold}", *line)
    assert "| bad | 1.00 |" in done.stdout
    assert "| good | **0.00** |" in done.stdout


# ── bad usage ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'GOLD'"),
        (["example:ud"], "Missing argument 'PARSE…'"),
        (["example:ud", "example:ud", "--metrics", "lass"], "there is no metric 'lass'"),
        (["example:ud", "example:ud", "--preset", "conll99"], "there is no preset 'conll99'"),
        (["example:ud", "example:ud", "example:ud"], "two parses are called example:ud"),
        (["example:ud", "example:ptb"], "example:ptb has constituents, but the gold standard has"),
        (["example:ud", "example:ud", "--preset", "evalb-new"], "evalb scores constituents"),
        (["example:ud", "example:ud", "--by", "colour"], "scores cannot be broken down by colour"),
        (["example:ud", "example:ud", "--fail-under", "las"], "'las' is not a threshold"),
        (["example:ud", "example:ud", "--fail-under", "las=85"], "'las=85' is not a threshold"),
        (["example:ud", "example:ud", "--fail-under", "x=0.5"], "there is no metric 'x'"),
        (["example:ud", "example:ud", "--rank-by", "x"], "nothing can be ranked by x; there are"),
        (
            ["example:ud", "example:ud", "--tables", "by"],
            "--tables by: this result has no such tables",
        ),
        (["example:ud", "missing.conllu"], "missing.conllu: cannot be read"),
        (["example:ud", "x=missing.conllu"], "missing.conllu: cannot be read"),
        (["example:ud", "none*.conllu"], "none*.conllu: there are no such files"),
        (["--explain", "lass"], "there is no metric 'lass'; --explain all lists them"),
        (
            ["example:ud", "example:ud", "--punctuation", "keep", "--punctuation-tags", "."],
            "--punctuation-tags needs --punctuation tag",
        ),
        (["example:ud", "example:ud", "--equivalent-labels", "none"], "none: cannot be read"),
    ],
)
def test_bad_usage_is_one_line(arguments, message):
    assert_refused(run("evaluate", *arguments), message)


def test_confusions_are_those_of_dependencies(trees):
    done = run("evaluate", *trees, "--confusion", "label")
    assert_refused(done, "confusions can be counted of dependencies only")


# ── thresholds ───────────────────────────────────────────────────────────────────────────────────


def test_a_threshold_that_is_reached(gold, parse):
    assert_silent_success(run("evaluate", gold, parse, "--fail-under", "las=0.5,uas=0.8"))


def test_a_threshold_that_is_missed(gold, parse):
    line = ["--fail-under", "las=0.85", "--fail-under", "uas=0.8", "--quiet"]
    done = run("evaluate", gold, f"mine={parse}", f"best={gold}", *line)
    assert done.returncode == 1
    assert done.stderr == "mine: las is 0.666667, below 0.85\n"
    assert "66.67" in done.stdout


def test_a_threshold_brings_its_metric(gold, parse):
    done = run("evaluate", gold, parse, "--fail-under", "clas=0.9")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].split() == "parse UAS LAS LA Undirected NED CLAS".split()
    assert run("evaluate", gold, parse, "--fail-under", "la=1", "--metrics", "all").returncode == 1


# ── breakdowns, confusions, sentences ────────────────────────────────────────────────────────────


def test_breakdowns_in_json(gold, parse):
    result = evaluated(gold, parse, "--by", "deprel", "--by", "upos,direction", "--metrics", "las")
    one, two = result["breakdowns"]
    assert (one["metric"], one["by"], two["by"]) == ("las", ["deprel"], ["upos", "direction"])
    assert one["buckets"][-2] == {
        "values": ["nsubj"],
        "precision": 1.0,
        "recall": 0.0,
        "f1": 0.0,
        "counts": {"correct": 0, "gold": 1, "system": 0, "system_correct": 0, "aligned": 1},
    }
    assert {tuple(b["values"]) for b in two["buckets"]} >= {("NOUN", "left"), ("VERB", "root")}


def test_breakdowns_in_a_table(gold, parse):
    done = run("evaluate", gold, parse, "--by", "deprel", "--metrics", "uas")
    lines = done.stdout.splitlines()
    start = lines.index("UAS by deprel")
    assert (
        lines[start + 1].split()
        == "deprel gold system correct correct (system) precision recall F1".split()
    )
    assert lines[start + 3].split() == "punct 2 2 2 2 100.00 100.00 100.00".split()
    two = run("evaluate", gold, f"a={parse}", f"b={gold}", "--by", "deprel", "--metrics", "uas")
    start = two.stdout.splitlines().index("UAS by deprel, F1")
    rows = [line.split() for line in two.stdout.splitlines()[start + 1 :]]
    assert rows[0] == ["deprel", "gold", "a", "b"]
    assert rows[2] == ["punct", "2", "100.00", "100.00"]


def test_precision_and_recall_of_several_parses_are_shown_if_asked_for(gold, parse):
    line = ["evaluate", gold, f"a={parse}", f"b={gold}", "--by", "deprel", "--metrics", "uas"]
    rows = [row.split() for row in run(*line, "--precision-recall").stdout.splitlines()]
    assert ["punct", "a", "2", "2", "2", "2", "100.00", "100.00", "100.00"] in rows
    assert ["punct", "b", "2", "2", "2", "2", "100.00", "100.00", "100.00"] in rows


def test_precision_and_recall_are_shown_only_where_they_differ(gold, parse):
    line = ["evaluate", gold, parse, "--by", "upos", "--metrics", "uas"]
    assert "gold   system   correct       F1\n" in run(*line).stdout
    assert "precision   recall" in run(*line, "--precision-recall").stdout


def test_long_tables_can_be_cut_to_their_top(gold, parse):
    line = ["evaluate", gold, parse, "--by", "deprel", "--sentences", "--metrics", "las"]
    text = run(*line, "--top", "1").stdout
    assert "rarer rows are left out." in text
    assert "1 other sentence is left out." in text
    assert re.search(r"By sentence\nsentence +gold +LAS +text\n─+\na ", text)


def test_the_worst_sentences_come_first_and_long_ones_before_short_ones(tmp_path):
    def sentences(*labels):
        rows = [[f"{n}\tw\t_\tX\t_\t_\t{n - 1}\t{x}\t_\t_\n" for n, x in enumerate(s, 1)] for s in labels]  # fmt: skip
        return "".join("".join(each) + "\n" for each in rows)

    gold = write(tmp_path / "gold.conllu", sentences("x", "xx", "xxx", "xx"))
    parse = write(tmp_path / "parse.conllu", sentences("y", "xx", "yyy", "xy"))
    text = run("evaluate", gold, parse, "--metrics", "la", "--sentences", "--top", "3").stdout
    rows = [row.split() for row in text.partition("By sentence")[2].splitlines()[3:6]]
    assert [row[:3] for row in rows] == [
        ["3", "3", "0.00"],
        ["1", "1", "0.00"],
        ["4", "2", "50.00"],
    ]


def test_only_the_tables_that_are_asked_for_are_shown(gold, parse):
    line = ["evaluate", gold, f"a={parse}", f"b={gold}", "--by", "upos", "--test", "sign"]
    text = run(*line, "--tables", "by", "--metrics", "las").stdout
    assert text.startswith("LAS by upos, F1\n")
    assert "Differences" not in text
    latex = run(*line, "--metrics", "las", "--output-format", "latex").stdout
    assert latex.count(r"\begin{table}") == 2
    assert "Differences" not in latex
    assert r"\label{tab:las-by-upos-f1}" in latex
    assert_refused(run(*line, "--tables", "x"), "there is no table 'x'; there are scores, ")


def test_metrics_without_a_property_are_left_out_of_its_breakdown(gold, parse):
    result = evaluated(gold, parse, "--metrics", "all", "--by", "deprel")["breakdowns"]
    assert {"uas", "las"} <= {each["metric"] for each in result}
    assert "tokens" not in {each["metric"] for each in result}


def test_confusions(gold, parse):
    result = evaluated(gold, parse, "--confusion", "label", "--confusion", "head-tag")["confusions"]
    labels, tags = result
    assert labels["of"] == "label"
    assert labels["cells"][-1] == {
        "gold": "nsubj",
        "system": "nsubj:pass",
        "count": 1,
        "examples": [{"sentence": "a", "word": 1, "context": "[Birds] sing loudly …"}],
    }
    assert {
        "gold": "VERB",
        "system": "NOUN",
        "count": 1,
        "examples": [{"sentence": "a", "word": 3, "context": "Birds sing [loudly] ."}],
    } in tags["cells"]
    table = run("evaluate", gold, parse, "--confusion", "label").stdout.splitlines()
    assert table[-1].split() == [
        "nsubj",
        "nsubj:pass",
        "1",
        "16.67",
        "[Birds]",
        "sing",
        "loudly",
        "…",
    ]
    none = run("evaluate", gold, gold, "--confusion", "label", "--top", "0").stdout
    assert "nothing was confused" in none


def test_sentences(gold, parse):
    [result] = evaluated(gold, parse, "--sentences", "--metrics", "uas")["systems"]
    assert result["sentences"] == ["a", "b"]
    assert result["metrics"]["uas"]["sentence_scores"] == [3 / 4, 1]
    assert result["metrics"]["uas"]["by_sentence"]["correct"] == [3, 2]
    rows = [
        line.split()
        for line in run(
            "evaluate", gold, parse, "--sentences", "--metrics", "uas"
        ).stdout.splitlines()
    ]
    assert [row[:3] for row in rows[-2:]] == [["a", "4", "75.00"], ["b", "2", "100.00"]]
    assert rows[-1][3:] == ["Listen", "!"]
    by = evaluated(gold, parse, "--by", "sentence", "--metrics", "uas")["breakdowns"][0]["buckets"]
    assert [bucket["values"] for bucket in by] == [["a"], ["b"]]


# ── several pairs ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def folders(tmp_path):
    """A folder with gold standards and one with parses; the second file has no errors."""
    for side, texts in (("gold", (GOLD, GOLD)), ("sys", (PARSE, GOLD))):
        (tmp_path / side).mkdir()
        for name, text in zip(("one", "two"), texts, strict=True):
            write(tmp_path / side / f"{name}.conllu", text)
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    "arguments", [["gold", "sys"], ["gold/*.conllu", "sys/*"], ["gold", "mine=sys"]]
)
def test_files_with_the_same_name_belong_together(arguments, jobs, folders):
    write(folders / "gold/two.conllu", GOLD[GOLD.index("# sent_id = b") :])
    write(folders / "sys/two.conllu", GOLD[GOLD.index("# sent_id = b") :])
    result = evaluated(*arguments, "--metrics", "uas", "--jobs", jobs, cwd=folders)
    [system] = result["systems"]
    assert system["name"] == arguments[1].split("=")[0]
    assert [pair["name"] for pair in system["pairs"]] == ["one", "two"]
    assert [pair["metrics"]["uas"]["score"] for pair in system["pairs"]] == [5 / 6, 1]
    assert system["metrics"]["uas"]["score"] == 7 / 8
    assert system["macro"]["uas"] == (5 / 6 + 1) / 2


def test_the_averages_stand_below_the_pairs(folders):
    done = run("evaluate", "gold", "sys", "--metrics", "uas", cwd=folders)
    assert_silent_success(done)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["file", "UAS"]
    assert rows[2:6] == [
        ["one", "83.33"],
        ["two", "100.00"],
        ["macro", "average", "91.67"],
        ["micro", "average", "91.67"],
    ]


def test_sentences_of_several_files_carry_their_names(folders):
    write(folders / "sys/two.conllu", PARSE)
    result = evaluated(
        "gold", "sys", "--by", "sentence", "--sentences", "--confusion", "label", cwd=folders
    )
    assert [b["values"] for b in result["breakdowns"][0]["buckets"]] == [
        ["one:a"],
        ["one:b"],
        ["two:a"],
        ["two:b"],
    ]
    assert result["systems"][0]["sentences"] == ["one:a", "one:b", "two:a", "two:b"]
    examples = result["confusions"][0]["cells"][-1]["examples"]
    assert [(each["sentence"], each["word"]) for each in examples] == [("one:a", 1), ("two:a", 1)]


def test_a_file_without_a_partner_is_told(folders):
    write(folders / "gold/three.conllu", GOLD)
    done = run("evaluate", "gold", "sys", cwd=folders)
    assert_refused(done, "gold/three.conllu: there is no file three in sys to compare it with")


def test_one_gold_standard_and_a_pattern_of_parses_are_several_parses(gold, parse):
    result = evaluated("gold.conllu", "*.conllu", cwd=gold.parent)
    assert [system["name"] for system in result["systems"]] == ["gold.conllu", "parse.conllu"]


# ── other programs' layouts ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (["gold.conllu", "sys.conllu", "--style", "conll18"], "attachment/conll18.txt"),
        (["gold.conllu", "sys.conllu", "--style", "eval07"], "attachment/eval-2007.txt"),
        (
            ["gold.conll", "sys.conll", "--style", "eval07", "--preset", "conllx"],
            "attachment/eval-conllx.txt",
        ),
        (
            [
                "gold.conll",
                "sys.conll",
                "--style",
                "eval07",
                "--preset",
                "conllx",
                "--punctuation",
                "keep",
            ],
            "attachment/eval-conllx-with-punct.txt",
        ),
        (
            ["gold.conll", "sys.conll", "--style", "eval07", "--punctuation", "unicode"],
            "attachment/eval-2007-no-punct.txt",
        ),
        (["gum.gold", "gum.sys", "--style", "evalb"], "evalb/gum.new.out"),
        (
            ["gum.gold", "gum.sys", "--style", "evalb", "--preset", "evalb-collins"],
            "evalb/gum.COLLINS.out",
        ),
    ],
)
def test_the_layouts_of_other_programs_to_the_last_byte(options, answer, shared):
    path = shared / "golden" / answer
    done = run("evaluate", *options, cwd=path.parent)
    assert_silent_success(done)
    assert done.stdout == path.read_text()


def test_the_layout_of_the_conll_2018_scorer(gold, tmp_path):
    split = write(tmp_path / "split.conllu", SPLIT)
    lines = run("evaluate", gold, split, "--style", "conll18").stdout.splitlines()
    assert lines[0] == "Metric     | Precision |    Recall |  F1 Score | AligndAcc"
    assert lines[4] == "Words      |     71.43 |     83.33 |     76.92 |"
    assert lines[11].startswith("LAS        |     57.14 |")


@pytest.mark.parametrize(
    ("style", "words", "right", "line"),
    [
        ("conll18", 160, 23, "LAS        |     14.37 |     14.37 |     14.37 |     14.37"),
        ("eval07", 4000, 3, "  Labeled   attachment score: 3 / 4000 * 100 = 0.08 %"),
    ],
)
def test_ties_are_rounded_as_the_programs_round_them(style, words, right, line, tmp_path):
    row = "1\tword\t_\tX\tX\t_\t0\t{}\t_\t_\n\n"
    gold = write(tmp_path / "gold.conllu", row.format("root") * words)
    labels = ["root"] * right + ["dep"] * (words - right)
    parse = write(tmp_path / "parse.conllu", "".join(map(row.format, labels)))
    assert line in run("evaluate", gold, parse, "--style", style).stdout.splitlines()


def test_the_layout_of_evalb(trees):
    done = run("evaluate", *trees, "--style", "evalb")
    assert_silent_success(done)
    assert done.stdout.splitlines()[3].split()[:4] == ["1", "5", "0", "75.00"]


def test_the_layout_of_evalb_says_why_sentences_are_errors_and_where_it_stops(tmp_path):
    gold = write(tmp_path / "gold.ptb", "(S (N a) (N -LRB-))\n" * 3)
    parse = write(tmp_path / "parse.ptb", "(S (N a))\n(S (N a) (N b))\n(S (N a) (N b))\n")
    parameters = write(tmp_path / "mine.prm", "MAX_ERROR 1\n")
    options = (gold, parse, "--style", "evalb", "--evalb-prm", parameters)
    done = run("evaluate", *options)
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1].split()[:3] == ["2", "2", "1"]
    assert done.stderr.splitlines() == [
        "1 : Length unmatch (2|1)",
        "2 : Words unmatch (-LRB-|b)",
        "3 : Words unmatch (-LRB-|b)",
    ]
    assert run("evaluate", *options, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--style", "conll18", "--metrics", "uas"], "--metrics has no effect"),
        (["--style", "eval07", "--by", "upos"], "--by has no effect"),
        (["--style", "eval07", "--output-format", "json"], "--output-format has no effect"),
        (["x=example:ud", "--style", "eval07"], "takes one parse; give one"),
        (["--style", "evalb"], "evalb scores constituents, but example:ud has dependencies"),
    ],
)
def test_what_has_no_place_in_a_layout_is_refused(options, message):
    assert_refused(run("evaluate", "example:ud", "example:ud", *options), message)


def test_a_layout_of_dependencies_needs_some():
    done = run("evaluate", "example:ptb", "example:ptb", "--style", "eval07")
    assert_refused(done, "there is no metric 'las' for constituents")


# ── help ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["ned", "parseval_f1", "feats.Case"])
def test_a_metric_is_explained_without_files(name):
    done = run("evaluate", "--explain", name)
    assert_silent_success(done)
    assert done.stdout.startswith(f"{name} (")
    assert "\nFrom: " in done.stdout
    assert "\nExample: " in done.stdout


def test_all_metrics_are_listed():
    done = run("evaluate", "--explain", "all", "--output-format", "tsv")
    rows = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    assert rows["uas"] == "dependencies\tUnlabelled attachment score"
    result = run("evaluate", "--explain", "las", "--output-format", "json").stdout
    assert json.loads(result)["metrics"][0]["title"] == "LAS"


def test_the_help_names_all_presets():
    text = "".join(run("evaluate", "--help").stdout.split())  # names are cut at their hyphens
    assert all(name in text for name in PRESETS)


def test_a_metric_without_anything_to_count_is_no_success(gold, parse):
    done = run("evaluate", gold, parse, "--metrics", "las,feats.Nonsense")
    assert_silent_success(done)
    assert "–" in done.stdout
    done = run("evaluate", gold, parse, "--fail-under", "feats.Nonsense=0.5")
    assert done.returncode == 1
    assert "feats.Nonsense is undefined: neither side has anything to count" in done.stderr


def test_a_threshold_needs_a_share(trees):
    done = run("evaluate", *trees, "--fail-under", "crossing_brackets=0.5")
    assert_refused(done, "lower is better")


def test_the_conll_2018_preset_refuses_what_is_no_tree(tmp_path):
    rows = "1\ta\t_\tX\tX\t_\t{}\tdep\t_\t_\n2\tb\t_\tX\tX\t_\t{}\tdep\t_\t_\n\n"
    good = write(tmp_path / "good.conllu", rows.format(0, 1))
    for name, heads, what in (("cycle", (2, 1), "a cycle"), ("roots", (0, 0), "2 roots")):
        bad = write(tmp_path / f"{name}.conllu", rows.format(*heads))
        done = run("evaluate", good, bad, "--preset", "conll18")
        assert_refused(done, f"{bad}:1: sentence 1 has {what}")
        assert_silent_success(run("evaluate", good, bad, "--quiet"))


def test_a_parse_without_a_file_is_refused(gold):
    assert_refused(run("evaluate", gold, "x="), "does not name a file")


def test_punctuation_is_found_by_either_tag(tmp_path):
    row = "1\ta\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n2\t-\t_\tPUNCT\tHYPH\t_\t1\tpunct\t_\t_\n\n"
    path = write(tmp_path / "a.conllu", row)
    assert counts(path, path, "--punctuation-tags", "PUNCT") == (1, 1)
    assert counts(path, path, "--punctuation-tags", "HYPH") == (1, 1)
