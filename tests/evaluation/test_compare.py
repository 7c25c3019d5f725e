"""Parsers across schemes and frameworks."""

import json
from collections.abc import Callable
from itertools import permutations

import pytest
from command import assert_refused, assert_silent_success, run

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.corpus.stripping import strip
from commonground.errors import InputError, UsageError
from commonground.evaluation.compare import compare
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.explained_sentence import explain_sentence
from commonground.formats import read, read_text, write, write_text
from commonground.ground import generalize
from commonground.metrics.settings import Settings

UD = ("example:ud", "example:ud-parse")
PTB = ("example:ptb", "example:ptb-parse")


def values(result):
    """All scores of a comparison, by what they are."""
    outcome = {}
    for system in result.systems:
        scores = {"single": system.single, "multiple": system.multiple, **system.against}
        scores |= {"+".join(names): score for names, score in system.subsets.items()}
        for what, score in scores.items():
            outcome[system.name, what] = (
                score.labelled.counts.totals,
                score.unlabelled.counts.totals,
            )
    for names, score in result.overlap.items():
        outcome[names] = (score.labelled.counts.totals, score.unlabelled.counts.totals)
    return outcome


def test_a_perfect_parse_of_its_own_gold_is_perfect_against_what_all_agree_on():
    result = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])})
    for system in result.systems:
        for scores in (system.single, system.multiple):
            assert scores.labelled.value == scores.unlabelled.value == 1


def test_function_trees_have_no_metrics_besides_the_tedeval_that_is_shown_anyway(tmp_path):
    for name, path in zip(("gold", "parse"), PTB, strict=True):
        assert_silent_success(run("convert", path, tmp_path / f"{name}.functions"))
    trees = (tmp_path / "gold.functions", tmp_path / "parse.functions")
    result = compare({"ud": UD, "trees": trees})
    assert {system.name: set(system.native) for system in result.systems} == {
        "ud": {"ud"},
        "trees": set(),
    }


def test_without_a_label_in_common_labelled_multiple_is_undefined():
    result = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])}, labels="own")
    for system in result.systems:
        assert system.single.labelled.value == 1
        assert system.multiple.labelled.value is None
        assert "no label in common" in system.multiple.labelled.undefined


def test_a_parse_without_functions_has_no_labelled_score_at_all():
    bare = strip(read(PTB[1]), ["functions"])
    result = compare({"ud": UD, "ptb": (PTB[0], bare)})
    why = "ptb: the parse has no function labels"
    outcome = result["ptb"]
    for scores in (outcome.single, outcome.multiple, outcome.against["ud"]):
        assert scores.labelled.value is None
        assert scores.labelled.undefined == why
        assert scores.unlabelled.value > 0.8
    assert result["ud"].multiple.labelled.value > 0.9


def test_a_gold_standard_without_functions_leaves_nothing_labelled_to_compare():
    bare = strip(read(PTB[0]), ["functions"])
    result = compare({"ud": UD, "ptb": (bare, bare)})
    assert result["ud"].single.labelled.value > 0.9
    assert result["ud"].multiple.labelled.undefined == (
        "ptb: the gold standard has no function labels"
    )
    assert result.overlap["ptb", "ud"].labelled.value is None


def test_what_is_undefined_stays_so_in_json_tables_and_tests(tmp_path):
    bare = tmp_path / "bare.mrg"
    write(strip(read(PTB[1]), ["functions"]), bare)
    specs = ["ud=example:ud:example:ud-parse", f"ptb=example:ptb:{bare}", "--test", "shuffle"]
    data = json.loads(run("compare", *specs, "--output-format", "json").stdout)
    assert data["systems"][1]["multiple"]["labelled"] is None
    assert "no function labels" in data["systems"][1]["multiple"]["undefined"]["labelled"]
    table = run("compare", *specs).stdout
    row = next(line for line in table.split("\n") if "MULTIPLE (labelled)" in line)
    assert row.split()[-1] == "–"
    assert "ptb: the parse has no function labels" in table


def test_a_one_word_sentence_scores_1():
    """2011, footnote 5: where trees have only a root and leaves, the score is 1."""
    word = Dependencies.of([(["Go"], [0], ["root"]), (["He", "goes"], [2, 0], ["nsubj", "root"])])
    other = Dependencies.of([(["Go"], [0], ["x"]), (["He", "goes"], [2, 0], ["obj", "root"])])
    score = compare({"a": (word, other), "b": (other, other)})["a"].single.labelled
    assert score.by_sentence().tolist() == [1.0, 0.5]


def test_a_map_that_was_learned_makes_labels_comparable(tmp_path):
    target = tmp_path / "sud-ud.labels"
    run("labels", "learn", "example:sud", "example:ud", "-o", target, "--no-subtypes")
    specs = ["ud=example:ud:example:ud", "sud=example:sud:example:sud", "--output-format", "json"]
    own = json.loads(run("compare", *specs, "--labels", "own").stdout)
    mapped = json.loads(run("compare", *specs, "--label-map", f"sud={target}").stdout)
    assert mapped["overlap"]["sud+ud"]["labelled"] > own["overlap"]["sud+ud"]["labelled"] + 0.2


def test_a_sentence_explains_the_number_that_is_shown():
    systems = {"ud": UD, "ptb": PTB}
    result = compare(systems)
    for explained in explain_sentence(systems, "cg-51"):
        shown = result[explained.name].multiple.both
        for block in explained.blocks:
            assert block.score == pytest.approx(float(shown[block.kind].by_sentence()[50]))


def test_an_explanation_fills_in_the_formula_and_names_the_theories():
    done = run("compare", *SPECS, "--explain-sentence", "cg-51")
    assert_silent_success(done)
    assert "labelled MULTIPLE: δ = 4, |P|+|G| = 15+4 = 19, score = 1 − 4/19 = 78.95" in done.stdout
    assert "forgiven  delete 1-3; delete 6-10 (not in ud)" in done.stdout
    json_ = json.loads(
        run("compare", *SPECS, "--explain-sentence", "cg-51", "--output-format", "json").stdout
    )
    assert json_["systems"][0]["labelled"]["delta"] == 4
    assert json_["generalized"]["brackets"].startswith("({} ({nsubj} ({} The)")
    assert json_["generalized"]["drawing"][1] in done.stdout


def test_all_stages_of_ten_sentences_are_written(tmp_path):
    assert_silent_success(run("compare", *SPECS, "--explain-to", tmp_path / "stages"))
    files = {path.name: path for path in (tmp_path / "stages").iterdir()}
    assert files.keys() == {
        "generalized.functions",
        *(f"{n}.{what}" for n in ("ud", "ptb") for what in ("gold.functions", "parse.functions")),
        *("ud.edits.txt", "ptb.edits.txt"),
    }
    trees = {name: read(path) for name, path in files.items() if name.endswith(".functions")}
    assert {len(each) for each in trees.values()} == {10}
    agreed = generalize(trees["ud.gold.functions"], trees["ptb.gold.functions"])
    assert agreed.nodes == trees["generalized.functions"].nodes
    assert files["ud.edits.txt"].read_text(encoding="utf-8").count("unlabelled MULTIPLE: δ") == 10


def test_an_explanation_can_be_drawn():
    done = run("compare", *SPECS, "--explain-sentence", "cg-51", "--output-format", "html")
    assert_silent_success(done)
    assert done.stdout.count("<svg") == 3  # what the golds share, and each parse beside it
    assert "labelled MULTIPLE: δ = 4" in done.stdout


def test_labels_of_enhanced_graphs_become_those_of_the_hub():
    result = compare({"ud": (UD[0], UD[0]), "ptb": PTB}, enhanced=True)
    assert "labels:hub" in result.signature
    assert result.translated["ud"].coverage > 0.95
    assert result["ptb"].multiple.labelled.value > 0.9


def test_what_could_not_be_anchored_is_told():
    told = "subj(sing~0, bird~1)\ndet_form(bird~1, the)\nadjunct(sing~0, unsaid~2)"
    text = f"sentence(\nid(1)\nsentence_form(The birds sing.)\nstructure(\n{told})\n)\n"
    parc = read_text(text, "parc")
    heads, labels = [2, 3, 0, 3], ["det", "nsubj", "root", "punct"]
    ud = Dependencies.of([("The birds sing .".split(), heads, labels)])
    result = compare({"parc": (parc, parc), "ud": (ud, ud)})
    why = "parc, gold standard: 1 of 3 nodes stand for no known word: unsaid in 1"
    assert result.remarks == (why,)
    assert result.to_json()["remarks"] == [why]
    assert any(note.text == why for note in result.grids()[0].notes)


def test_the_same_error_costs_more_in_a_small_tree():
    right = "(NP (DT the) (NN station)) (PP-TMP (IN at) (NP (CD 9:15)))"
    text = write_text(read(PTB[0])[50:51], "brackets")
    parse = read_text(text.replace(right, f"(NP {right})"), "brackets")
    ud, ptb = read(UD[0])[50:51], read(PTB[0])[50:51]
    systems = {"ud": (ud, read(UD[1])[50:51]), "ptb": (ptb, parse)}
    lost = {
        (each.name, block.kind): round(100 * (1 - block.score), 1)
        for each in explain_sentence(systems, "cg-51")
        for block in each.blocks
    }
    assert lost == {
        ("ud", "unlabelled"): 6.7,
        ("ptb", "unlabelled"): 3.0,
        ("ud", "labelled"): 21.1,
        ("ptb", "labelled"): 50.0,
    }


def test_nothing_is_told_where_all_sentences_were_left_out():
    one, other = (Dependencies.of([([form], [0], ["root"])]) for form in "ab")
    with pytest.raises(UsageError, match="there is no sentence left to compare"):
        compare({"a": (one, one), "b": (other, other)}, settings=Settings(on_mismatch="skip"))


def test_a_parse_that_failed_can_count_as_wrong():
    gold = read_text("(S (NP-SBJ (x a)) (VP (y b)))\n(S (NP-SBJ (x c) (x d)) (VP (y e)))\n")
    failed = read_text("(S (NP-SBJ (x a)) (VP (y b)))\n(())\n")
    settings = Settings(on_mismatch="zero")
    result = compare({"one": (gold, failed), "two": (gold, gold)}, settings=settings)
    alone = evaluate(gold, failed, metrics=["tedeval", "tedeval_unlabelled"], settings=settings)
    scores = result["one"].multiple
    assert scores.labelled.value == alone["tedeval"].value == 0.5
    assert scores.unlabelled.value == alone["tedeval_unlabelled"].value == 2 / (2 + 4)
    assert result["two"].multiple.unlabelled.value == 1
    assert result.signature.endswith("lost:1")
    assert result.remarks[0].startswith("one: sentences that are missing")
    with pytest.raises(UsageError, match="one has no parse of sentence 2"):
        explain_sentence({"one": (gold, failed), "two": (gold, gold)}, "2", settings=settings)


def test_errors_lower_both_scores():
    result = compare({"ud": UD, "ptb": (PTB[0], PTB[0])})
    assert result["ud"].single.unlabelled.value < 1
    assert result["ud"].multiple.unlabelled.value < 1


def test_the_order_of_the_systems_changes_nothing():
    systems = {"ud": UD, "ptb": PTB, "again": (UD[0], PTB[0])}
    results = [values(compare(dict(order))) for order in permutations(systems.items())]
    assert all(other == results[0] for other in results)


def test_each_parse_is_scored_natively_where_that_is_possible():
    result = compare({"ud": UD, "ptb": PTB})
    assert list(result["ud"].native) == ["ud"]
    assert result["ud"].native["ud"]["las"].value == pytest.approx(0.948, abs=1e-3)
    assert "parseval_f1" in result["ptb"].native["ptb"]


def test_labels_can_be_declared_to_be_the_same():
    plain = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])}, labels="own")
    assert plain.overlap["ptb", "ud"].labelled.value == 0
    same = Settings(subtypes=False, ignore_case=True, equivalent={"nsubj": "sbj"})
    equal = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])}, settings=same)
    assert equal.overlap["ptb", "ud"].labelled.value > 0.1


def test_only_some_tags_can_be_functions():
    options = {"settings": Settings(ignore_case=True, equivalent={"nsubj": "sbj"})}
    systems = {"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])}
    every = compare(systems, **options)
    subjects = compare(systems, functions=["SBJ"], **options)
    assert subjects.overlap["ptb", "ud"].labelled.counts.totals["system"] != 0
    assert (
        subjects.overlap["ptb", "ud"].labelled.counts.totals
        != every.overlap["ptb", "ud"].labelled.counts.totals
    )


def test_two_segmentations_of_one_text_are_compared_over_common_units():
    one = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "neg", "root"])])
    two = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    result = compare({"split": (one, one), "joined": (two, two)})
    assert result.overlap["joined", "split"].unlabelled.value == 1


def test_one_system_is_not_enough():
    with pytest.raises(UsageError, match="at least two systems"):
        compare({"ud": UD})


def test_a_system_is_found_by_its_name_and_has_its_subsets():
    result = compare({"a": UD, "b": PTB, "c": UD})
    assert set(result["a"].subsets) == {("a", "b")}  # c has the gold standard of a
    assert result.golds == {"a": ["a", "c"], "b": ["b"]}
    other = PTB[1]
    result = compare({"a": UD, "b": PTB, "c": (other, other)})
    assert set(result["a"].subsets) == {("a", "b"), ("a", "c"), ("a", "b", "c")}


def test_the_protocol_of_2011_relabels_and_has_wildcards():
    result = compare({"ud": UD, "ptb": PTB}, protocol="2011")
    assert "protocol:2011|" in result.signature
    # A wildcard over a head is any label, so that the theories have more in common.
    assert result.overlap["ptb", "ud"].labelled.value > 0
    perfect = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])}, protocol="2011")
    assert all(system.multiple.labelled.value == 1 for system in perfect.systems)
    with pytest.raises(UsageError, match="no protocol '2013'"):
        compare({"ud": UD, "ptb": PTB}, protocol="2013")


def test_enhanced_graphs_can_be_compared():
    basic = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])})
    graphs = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])}, enhanced=True)
    assert graphs["ud"].single.labelled.value == graphs["ud"].multiple.unlabelled.value == 1
    one, two = (r["ud"].single.labelled.counts.totals["gold"] for r in (basic, graphs))
    assert two > one


@pytest.mark.parametrize("protocol", ["2011", "2012"])
def test_a_sentence_is_explained_by_its_scripts(protocol):
    result = explain_sentence({"ud": UD, "ptb": PTB}, "cg-51", protocol=protocol)
    columns = compare({"ud": UD, "ptb": PTB}, protocol=protocol)[
        "ud"
    ].multiple.labelled.counts.columns
    at = {name: int(column[50]) for name, column in columns.items()}
    right = at["correct"] + at.get("system_correct", 0)
    cost = at["cost"] if "cost" in at else at["gold"] + at["system"] - right
    assert len(result[0].explanation.charged) == cost > 0
    with pytest.raises(UsageError, match="no sentence"):
        explain_sentence({"ud": UD, "ptb": PTB}, "cg-99")


# ── the command ──────────────────────────────────────────────────────────────────────────────────

SPECS = ["ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse"]


def test_json_is_as_the_contract_says():
    done = run("compare", *SPECS, "--output-format", "json")
    assert_silent_success(done)
    data = json.loads(done.stdout)
    assert data.keys() == {
        *("kind", "signature", "systems", "overlap", "tests", "command", "request", "labels"),
        *("verdict", "floor", "error_costs", "conventions"),
    }
    for system, other in zip(data["systems"], ["ptb", "ud"], strict=True):
        assert {"name", "single", "multiple", "against"} <= system.keys()
        assert 0 <= system["single"]["labelled"] <= 1
        assert 0 <= system["multiple"]["unlabelled"] <= 1
        assert system["against"].keys() == {other}


@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex", "html"])
def test_the_tables_can_be_had_in_every_format(form):
    done = run("compare", *SPECS, "--output-format", form)
    assert_silent_success(done)
    assert "MULTIPLE" in done.stdout


def test_a_folder_is_all_of_its_files(tmp_path):
    corpus = read("example:ud")
    for number, piece in enumerate(corpus.chunks(20)):
        write(piece, tmp_path / f"{number}.conllu")
    done = run(
        "compare", f"a={tmp_path}:{tmp_path}", "b=example:ud:example:ud", "--output-format", "json"
    )
    assert_silent_success(done)
    data = json.loads(done.stdout)
    assert [system["gold"] for system in data["systems"]] == ["a", "a"]  # it counts once
    assert data["overlap"] == {}


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (["ud"], "NAME=GOLD:PARSE"),
        (["ud=x"], "NAME=GOLD:PARSE"),
        (["a=example:ud:example:ud", "a=example:ud:example:ud"], "two systems are called a"),
        (["a=example:ud:example:ud"], "at least two systems"),
        (["a=no:nothing", "b=example:ud:example:ud"], "cannot be read"),
    ],
)
def test_what_makes_no_sense_is_told(specs, message):
    assert_refused(run("compare", *specs), message)


# ── real treebanks ───────────────────────────────────────────────────────────────────────────────


def test_three_analyses_of_sequoia_are_compared(shared):
    """UD, SUD and constituents of the same French sentences; contractions make the words differ."""
    folder = shared / "data/sequoia"
    ud, sud, ptb = (read(folder / name) for name in ("ud.conllu", "sud.conllu", "const.mrg"))
    result = compare({"ud": (ud, ud), "sud": (sud, sud), "ptb": (ptb, ptb)})
    assert result.skipped == ()
    assert all(system.multiple.unlabelled.value == 1 for system in result.systems)
    overlap = {names: scores.unlabelled.value for names, scores in result.overlap.items()}
    assert all(0.85 < value < 0.97 for value in overlap.values()), overlap
    assert overlap["sud", "ud"] > overlap["ptb", "ud"]


def test_two_analyses_of_gum_are_compared_in_any_order(shared):
    paths = {name: shared / "data/gum" / name for name in ("dep", "const")}
    specs = [f"ud={paths['dep']}:{paths['dep']}", f"ptb={paths['const']}:{paths['const']}"]
    one, two = (run("compare", *order, "--output-format", "json") for order in (specs, specs[::-1]))
    assert_silent_success(one)
    first, second = json.loads(one.stdout), json.loads(two.stdout)
    assert first["overlap"] == second["overlap"]
    assert first["overlap"]["ptb+ud"]["unlabelled"] > 0.8
    assert {s["name"]: s for s in first["systems"]} == {s["name"]: s for s in second["systems"]}


def test_the_same_error_costs_more_in_a_smaller_tree():
    """What the docs say about the limits of MULTIPLE: 'at 9:15' attached to 'station'."""
    gold = read(PTB[0])[50:51]
    wrong = read_text(
        "(S (NP-SBJ (NP (DT The) (NN night) (NN train)) (PP-DIR (IN to) (NP (NNP Lisbon)))) "
        "(VP (VBD left) (NP (NP (DT the) (NN station)) (PP-TMP (IN at) (NP (CD 9:15))))) (. .))"
    )
    ud = tuple(read(side)["cg-51"].alone for side in UD)
    systems = {"ud": ud, "ptb": (gold, wrong)}
    comparison = compare(systems)
    lost = {s.name: 100 - 100 * s.multiple.unlabelled.value for s in comparison.systems}
    assert lost == pytest.approx({"ud": 100 * 2 / 30, "ptb": 100 * 1 / 33})


def test_rows_are_tested_each_on_its_own(shared):
    folder = shared / "data/sequoia"
    names = {"ud": "ud.conllu", "sud": "sud.conllu", "ptb": "const.mrg"}
    specs = [f"{name}={folder / file}:{folder / file}" for name, file in names.items()]
    options = ["--test", "shuffle", "--iterations", "20", "--correction", "none", "--test-rows"]
    done = run("compare", *specs, *options, "--output-format", "json", "--quiet")
    assert done.returncode == 0, done.stderr
    claims = json.loads(done.stdout)["row_claims"]
    by_name = {title: each["tests"] for title, each in claims.items()}
    assert list(by_name) == [
        "SINGLE",
        *(f"MULTIPLE of {p}" for p in ("ptb + sud", "ptb + ud", "sud + ud")),
        "native metrics on ud",
        "native metrics on sud",
    ]
    assert {tuple(sorted(t["systems"])) for t in by_name["MULTIPLE of sud + ud"]} == {("sud", "ud")}
    assert all(t["p"] == t["corrected_p"] for tests in by_name.values() for t in tests)


def test_native_gaps_are_tested():
    result = compare({"ud": UD, "same": (UD[0], UD[0]), "ptb": PTB})
    rows = result.rows()["native metrics on same"]
    assert [(system.name, *system.scores) for system in rows] == [
        ("ud", "uas", "las"),
        ("same", "uas", "las"),
    ]
    saved = type(result).from_json(result.to_json())
    assert not any(title.startswith("native") for title in saved.rows())


def test_rows_need_a_test():
    assert_refused(
        run("compare", *SPECS, "--test-rows"), "--test-rows has no effect without --test"
    )


def test_the_mean_of_sentence_scores_is_told():
    done = run("compare", *SPECS, "--mean")
    assert "Means of the sentence scores" in done.stdout
    data = json.loads(run("compare", *SPECS, "--output-format", "json").stdout)
    single = compare({"ud": UD, "ptb": PTB})["ud"].single.labelled
    assert data["systems"][0]["single"]["mean"]["labelled"] == pytest.approx(
        float(single.by_sentence().mean())
    )


def test_systems_can_be_named_with_any_colons_in_their_files(tmp_path):
    write(read("example:ud"), tmp_path / "C:gold", "conllu")
    plain = run("compare", "a=example:ud:example:ud-parse", "b=example:ptb:example:ptb-parse")
    line = (
        "--system",
        "a",
        "C:gold",
        "example:ud-parse",
        "--system",
        "b",
        "example:ptb",
        "example:ptb-parse",
    )
    assert run("compare", *line, cwd=tmp_path).stdout == plain.stdout
    assert_refused(run("compare"), "write --system NAME GOLD PARSE")
    assert_refused(run("compare", *line, "a=example:ud:example:ud"), "two systems are called a")


# ── convention or error ──────────────────────────────────────────────────────────────────────────


def test_what_is_lost_on_another_gold_standard_adds_up():
    found = compare({"ud": UD, "ptb": PTB})
    for (system, gold), parts in found.conventions.items():
        score = found[system].against[gold].labelled.value
        assert parts.points(parts.lost) == pytest.approx(100 * (1 - score))
        assert parts.structure + parts.labels + parts.errors == parts.lost


def test_a_gold_standard_on_another_one_loses_no_errors():
    found = compare({"ud": (UD[0], UD[0]), "ptb": (PTB[0], PTB[0])})
    assert [parts.errors for parts in found.conventions.values()] == [0, 0]
    assert all(parts.structure and parts.labels for parts in found.conventions.values())


def test_conventions_are_shown_and_saved(tmp_path):
    done = run("compare", *SPECS, "--conventions")
    assert "Points of TedEval (labelled) that a parse loses" in done.stdout
    run("compare", *SPECS, "--output-format", "json", "-o", tmp_path / "saved.json")
    pairs = {"ud": UD, "ptb": PTB}
    assert cg.read_result(tmp_path / "saved.json").conventions == compare(pairs).conventions


def test_sentences_whose_heads_run_in_a_circle_are_left_out_and_told():
    tree = (["Birds", "sing"], [2, 0], ["nsubj", "root"])
    circle = (["They", "fly"], [2, 1], ["nsubj", "root"])
    ud = Dependencies.of([tree, circle, tree])
    brackets = "(S (NP-SBJ (NNS {})) (VP (VBP {})))"
    text = "\n".join(brackets.format(*each) for each in (tree[0], circle[0], tree[0]))
    systems = {"ud": (ud, ud), "ptb": (read_text(text),) * 2}
    with pytest.raises(InputError, match=r"sentence 2 has a cycle; .* --on-mismatch skip leaves"):
        compare(systems)
    for way in ("skip", "realign"):
        result = compare(systems, settings=Settings(on_mismatch=way))
        assert len(result.sentences.ids) == 2
        assert "ud's gold standard: 1 sentence with a cycle, left out: 2" in result.remarks
        assert "circular:1" in str(result.signature)


def test_a_map_that_is_given_says_how_much_it_knows(tmp_path):
    path = tmp_path / "map.labels"
    path.write_text("subj = nsubj\n")
    done = run(
        "compare",
        "a=example:sud:example:sud",
        "b=example:ud:example:ud",
        "--label-map",
        f"a={path}",
    )
    assert "Labels are mapped (a: label map, " in done.stdout
    assert "% known; b: labels as they are)" in done.stdout


def in_other_labels(image: Callable[[str, str], str]) -> cg.Corpus:
    """The treebank of the example in labels that nobody knows."""
    corpus = cg.read("example:ud")
    words = zip(corpus.deprel.tolist(), corpus.upos.tolist(), strict=True)
    return corpus.replace("words", deprel=Strings.of([image(*each) for each in words]))


OFTEN = ("case", "det", "nsubj")


def learned_labels(systems: dict[str, cg.Corpus]) -> tuple[dict[str, str], float]:
    """From whose labels those of each system were learned, and what the labels have in common."""
    found = cg.compare({name: (gold, gold) for name, gold in systems.items()})
    told = {name: each.by for name, each in found.translated.items() if each.by}
    overlap = found.overlap.get(tuple(sorted(systems)))  # none where both are the same in the end
    return told, overlap.labelled.value if overlap else 1.0


def test_labels_that_say_more_become_those_that_say_less_whatever_the_systems_are_called():
    fine = in_other_labels(lambda label, tag: f"fine-{label}-{tag}")
    coarse = in_other_labels(lambda label, _: f"coarse-{label[:2]}")
    told, common = learned_labels({"a": fine, "b": coarse})
    assert told == {"a": "b"}
    assert common > 0.9  # some labels are too rare to learn
    assert learned_labels({"b": fine, "a": coarse}) == ({"b": "a"}, common)


def test_labels_that_tell_nothing_are_not_what_others_become():
    same = in_other_labels(lambda *_: "something")
    fine = in_other_labels(lambda label, _: f"fine-{label}")
    assert "b" not in learned_labels({"a": same, "b": fine})[0]
    assert "a" not in learned_labels({"a": fine, "b": same})[0]


def test_labels_of_which_many_are_unknown_to_the_other_are_learned():
    one = in_other_labels(lambda label, _: f"x-{label}")
    two = in_other_labels(lambda label, _: f"{'y' if label in OFTEN else 'x'}-{label}")
    same = in_other_labels(lambda label, _: "y-rare" if label == "appos" else f"x-{label}")
    told, common = learned_labels({"a": one, "b": two})
    assert told in ({"b": "a"}, {"a": "b"})
    assert common == 1
    assert learned_labels({"a": one, "b": same})[0] == {}
