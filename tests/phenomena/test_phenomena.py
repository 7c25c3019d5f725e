"""Phenomena: the gold standard is read as written, and parsers get what they earn."""

import gzip
import json
import re
import time
from pathlib import Path

import pytest
from command import run_line
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground import (
    InputError,
    Phenomena,
    UsageError,
    read,
    read_gold,
    read_text,
    write_text,
)
from commonground.cli import main
from commonground.phenomena.agree import CLASSES, agree, merged
from commonground.phenomena.gold import Word, gold_of, parse_target, write_gold
from commonground.phenomena.info import contents, expressions
from commonground.phenomena.kinds import UNBOUNDED, phenomena
from commonground.phenomena.mapping import find_mapping, mapping_names, read_mapping
from commonground.phenomena.result import score_phenomena
from commonground.phenomena.score import judge
from commonground.phenomena.words import nearest, normalised

ITEM = "1011079100200"
TABLE_2 = f"""{ITEM}\tabsol\t1\thaving-2|been-3|passed-4 ARG act-1
{ITEM}\tabsol\t1\twithdrew-9 MOD having-2|been-3|passed-4
{ITEM}\tabsol\t1\tcarried+on-12 MOD having-2|been-3|passed-4
"""
SENTENCE = (
    "The act having been passed in that year Jessop withdrew and Whitworth carried on with the "
    "assistance of his son."
)
FIGURE_2 = r"""
name = "figure-2"
title = "C&C for absol, as in Figure 2 of the paper"
corpora = ["relations"]
print = "gr"
[absol.ARG1]
expressions = [
  '\(ncsubj \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+) _\)',
  '\(ncmod _ \W*{W2}\W*_(\d+) \W*{W1}\W*_(\d+)\)',
]
[absol.ARG]
expressions = [
  '\(ncsubj \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+) _\)',
  '\(ncmod _ \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+)\)',
]
[absol.MOD]
expressions = [
  '\(xmod _ \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+)\)',
  '\(ncmod _ \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+)\)',
  '\(cmod _ \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+)\)',
]
"""
FIGURE_3 = """(xmod _ Act_1 passed_4)
(ncsubj passed_4 Act_1 _)
(ncmod _ withdrew,_9 Jessop_8)
(dobj year,_7 withdrew,_9)
"""


@pytest.fixture
def paper(tmp_path):
    """The example of the paper: Table 2, Figure 2 and Figure 3."""
    (tmp_path / "gold.tsv").write_text(TABLE_2)
    (tmp_path / "gold.txt").write_text(f"{ITEM}\t{SENTENCE}\n")
    (tmp_path / "absol.toml").write_text(FIGURE_2)
    (tmp_path / "cc.gr").write_text(FIGURE_3)
    return tmp_path


@pytest.mark.parametrize("mapping", ["absol.toml", "cc"])
def test_the_first_target_of_table_2_matches_figure_3_and_the_others_do_not(paper, mapping):
    name = str(paper / mapping) if mapping.endswith("toml") else mapping
    result = score_phenomena(paper / "gold.tsv", {"c&c": paper / "cc.gr"}, mappings=name)
    assert [right for right, _ in result.outcomes["c&c"]] == [True, False, False]
    assert "(ncsubj passed_4 Act_1 _)" in result.outcomes["c&c"][0][1]


def test_a_gold_standard_is_written_as_it_was_read(paper):
    gold = read_gold(paper / "gold.tsv")
    assert write_gold(gold) == TABLE_2
    assert gold.targets[2].heads == (Word("carried+on", 12),)
    bundled = read_gold("example:phenomena")
    again = [parse_target(line, "x", 1) for line in write_gold(bundled).splitlines()]
    assert tuple(again) == bundled.targets


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a\tned\t1", "3 columns"),
        ("a\tned\t2\tx-1 MOD y-2", "polarity '2'"),
        ("a\tned\t1\tx-1 y-2", "head-POSITION TYPE dependent-POSITION"),
        ("a\tned\t1\tx MOD y-2", "is not a word with a position"),
        ("a\tned\t1\tx-1 mod y-2", "head-POSITION TYPE"),
        ("\tned\t1\tx-1 MOD y-2", "need a name"),
    ],
)
def test_a_malformed_line_has_its_file_its_number_and_the_reason(tmp_path, line, said):
    path = tmp_path / "gold.tsv"
    path.write_text(f"# a remark\n{line}\n")
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_gold(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_a_word_outside_its_sentence_and_an_item_without_one_are_refused(paper):
    (paper / "gold.tsv").write_text(f"{ITEM}\tned\t1\tson-19 MOD his-30\n")
    with pytest.raises(InputError, match="ends at position 19"):
        read_gold(paper / "gold.tsv")
    (paper / "gold.tsv").write_text("other\tned\t1\tson-19 MOD his-18\n")
    with pytest.raises(InputError, match="no sentence of the item 'other'"):
        read_gold(paper / "gold.tsv")


def test_an_exclamation_mark_is_polarity_0():
    one = parse_target("a\titexpl\t1\tseems-1 !ARG1 It-0", "x", 1)
    assert one == parse_target("a\titexpl\t0\tseems-1 ARG1 It-0", "x", 1)
    assert not one.positive


@settings(max_examples=examples(30))
@given(st.text(min_size=1))
def test_case_and_other_characters_do_not_matter(text):
    assert (
        normalised(f",{text.lower()}.") == normalised(text.lower())
        or not normalised(text).isalnum()
    )


def test_of_several_words_the_nearest_is_meant_and_none_beyond_the_window():
    texts, places = ["to", "go", "to"], [0, 1, 5]
    assert nearest(Word("to", 4), texts, places, 3) == 2
    assert nearest(Word("to", 1), texts, places, 3) == 0
    assert nearest(Word("to", 9), texts, places, 3) is None
    assert nearest(Word("to", 9), texts, places, 4) == 2


# ── our own sentences ────────────────────────────────────────────────────────────────────────────

INEXPRESSIBLE = {"phenomena.tough.gap"}
INEXPRESSIBLE_IN_A_TREE = {
    *INEXPRESSIBLE, "phenomena.barerel.gap", "phenomena.rnr.second", "phenomena.control.shared",
}  # fmt: skip


def test_the_enhanced_analyses_have_all_that_enhanced_ud_can_express():
    result = score_phenomena("example:phenomena", {"ud": "example:phenomena-ud"})
    recall = {name: result.system("ud")[name].value for name in result.names}
    assert {name for name, value in recall.items() if value != 1} == INEXPRESSIBLE
    assert all(recall[name] == 0 for name in INEXPRESSIBLE)


def test_the_basic_analyses_have_all_that_a_tree_can_express():
    result = score_phenomena("example:phenomena", {"ud": "example:phenomena-ud"}, mappings="ud")
    for row, (right, why) in zip(result.rows, result.outcomes["ud"], strict=True):
        if row.name in INEXPRESSIBLE_IN_A_TREE:
            assert not right
            assert (
                "one head for a word" in why
                or "attaches the shared" in why
                or "no arc" in why
                or "not related in this way" in why
            )
    missed = [
        row
        for row, (right, _) in zip(result.rows, result.outcomes["ud"], strict=True)
        if not right and row.name not in INEXPRESSIBLE_IN_A_TREE
    ]
    # The second of two conjuncts has no arc of its own in a tree.
    assert [row.item for row in missed] == ["tough-11", "argadj-19", "control-21"]


def test_there_are_twenty_sentences_for_each_of_the_ten():
    gold = read_gold("example:phenomena")
    assert set(gold.phenomena) == set(phenomena())
    for name in phenomena():
        assert len({t.item for t in gold.targets if t.phenomenon == name}) >= 20
    kinds = {
        f"phenomena.{name}.{kind.name}" for name, each in phenomena().items() for kind in each.kinds
    }
    assert set(gold.names) == kinds


@pytest.mark.parametrize("scheme", ["sud", "stanford", "lth"])
def test_a_change_of_scheme_loses_nothing_that_the_scheme_can_express(scheme):
    from commonground import transform

    corpus = transform(read("example:phenomena-ud"), "ud", scheme)[0]
    result = score_phenomena("example:phenomena", {"x": corpus}, mappings=scheme)
    for name in result.names:
        if name not in INEXPRESSIBLE_IN_A_TREE and name != "phenomena.rnr.first":
            assert result.system("x")[name].value > 0.95, name


# ── mutations ────────────────────────────────────────────────────────────────────────────────────


def ud(words):
    rows = [
        f"{i}\t{form}\t_\tX\t_\t_\t{head}\t{label}\t_\t_"
        for i, (form, head, label) in enumerate(words, 1)
    ]
    return read_text("# sent_id = a\n" + "\n".join(rows) + "\n")


def outcome(target, corpus, window=3):
    gold = read_gold_text(target)
    return judge(gold, corpus, find_mapping("ud"), window=window)[0].recalled


def read_gold_text(target):
    from commonground.phenomena.gold import gold_of

    return gold_of("memory", [parse_target(target, "memory", 1)], {})


SEES = [("He", 2, "nsubj"), ("saw", 0, "root"), ("it", 2, "obj")]


def test_a_swap_a_label_and_a_shift_lose_what_they_should():
    target = "a\tmine\t1\tsaw-1 ARG2 it-2"
    assert outcome(target, ud(SEES))
    assert not outcome(target, ud([("He", 2, "nsubj"), ("saw", 3, "obj"), ("it", 0, "root")]))
    assert not outcome(target, ud([("He", 2, "nsubj"), ("saw", 0, "root"), ("it", 2, "advmod")]))
    assert not outcome(target, ud([("He", 2, "nsubj"), ("saw", 0, "root"), ("her", 2, "obj")]))
    for shift, right in ((1, True), (3, True), (4, False)):
        before = [("and", 2 + shift, "cc")] * shift
        moved = [(form, head and head + shift, label) for form, head, label in SEES]
        assert outcome(target, ud(before + moved)) is right
    assert outcome(
        target, ud([("and", 6, "cc")] * 4 + [(f, h and h + 4, d) for f, h, d in SEES]), window=4
    )


def test_a_target_that_must_not_be_there_is_recalled_if_and_only_if_nothing_matches():
    assert not outcome("a\tmine\t0\tsaw-1 ARG2 it-2", ud(SEES))
    assert outcome("a\tmine\t0\tsaw-1 ARG2 He-0", ud(SEES))


def test_any_semantic_relation_with_an_expletive_is_wrong_whatever_its_head():
    seems = [("It", 2, "expl"), ("seems", 0, "root"), ("so", 2, "advmod")]
    target = "a\titexpl\t0\tseems-1 ARG1 It-0"
    assert outcome(target, ud(seems))
    assert not outcome(target, ud([("It", 2, "nsubj"), *seems[1:]]))
    assert not outcome(target, ud([("It", 3, "nsubj"), *seems[1:]]))


def test_every_relation_file_of_the_shared_task_is_scored(shared, tmp_path):
    folder = shared / "data/pe08"
    sentences = (folder / "genia.txt").read_text().strip().splitlines()
    (tmp_path / "g.txt").write_text("".join(f"{i}\t{s}\n" for i, s in enumerate(sentences, 1)))
    (tmp_path / "g.tsv").write_text(
        "1\tabsol\t1\tinvolves-11 ARG1 activation-7\n"
        "3\tvger\t1\tby-3 ARG2 inducing-4|modifying-6\n"
        "3\trnr\t1\tinducing-4 ARG2 action-8\n"
        "3\trnr\t1\tmodifying-6 ARG2 action-8\n"
        "9\tcontrol\t1\tinhibit-12 ARG1 accumulation-6\n"
    )
    files = {f: folder / f"genia.{f}" for f in ("gr", "hpsg-pa", "parc", "stanford", "ptb")}
    result = score_phenomena(tmp_path / "g.tsv", files)
    right = {name: [each for each, _ in outcomes] for name, outcomes in result.outcomes.items()}
    assert right["hpsg-pa"] == [True] * 5
    assert all(each[0] for each in right.values())
    assert "mappings:rasp,enju,xle,stanford,brackets" in result.signature
    mutated = (folder / "genia.hpsg-pa").read_text().replace("\tARG2\t", "\tARG9\t")
    (tmp_path / "m.enju").write_text(mutated)
    worse = score_phenomena(
        tmp_path / "g.tsv", {"m": tmp_path / "m.enju"}, mappings="enju", format="enju"
    )
    assert [each for each, _ in worse.outcomes["m"]] == [True, False, False, False, True]


# ── mappings ─────────────────────────────────────────────────────────────────────────────────────


def test_every_mapping_has_rules_for_all_ten_and_names_no_word():
    wanted = {
        t for each in phenomena().values() for kind in each.kinds for t in kind.type.split("|")
    }
    assert wanted == {"ARG1", "ARG2", "ARG3", "MOD", "!ARG1", "!ARG2"}
    for name in mapping_names():
        mapping = find_mapping(name)
        for phenomenon, each in phenomena().items():
            for kind in each.kinds:
                for one in kind.type.replace("!", "").split("|"):
                    rules = mapping.of(phenomenon, one)
                    assert len(rules) or rules.inexpressible, (name, phenomenon, one)
        for rules in mapping.rules.values():
            assert not any("lemma" in p or "word=" in p or "form" in p for p in rules.patterns)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"\ntitle = "X"\n[ned.MOD]\npatterns = ["W1 -["]\n', ":4: pattern, character"),
        ('name = "x"\ntitle = "X"\n[ned.MOD]\npatterns = ["A -> B"]\n', ":4: 'A -> B' has no nodes W1 and W2"),
        ('name = "x"\ntitle = "X"\n[ned.MOD]\nexpressions = ["a"]\n', "has no {W2}"),
        ('name = "x"\ntitle = "X"\nstatus = "new"\n', ":3: status 'new'"),
        ('name = "x"\ntitle = "X"\nother = 3\n', ":3: 'other' is neither a table"),
        ('name = "x"\ntitle = "X"\ncorpora = [{}]\n', ":3: corpora is not a list of dependencies"),
        ('name = "x"\ntitle = "X"\nprint = []\n', ":3: print is not a text"),
        ('name = "x"\ntitle = "X"\nlemmas = 3\n', ":3: lemmas is true or false"),
        ('name = "x\n', ":1: not TOML"),
        ('title = "X"\n', "it has no name"),
    ],
)  # fmt: skip
def test_a_malformed_mapping_has_its_file_its_line_and_the_reason(tmp_path, text, said):
    path = tmp_path / "m.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(said)):
        read_mapping(path)


def test_mappings_that_are_like_each_other_are_refused(tmp_path):
    for name, other in (("a", "b"), ("b", "a"), ("c", "c")):
        like = f'name = "{name}"\ntitle = "x"\nlike = "{tmp_path / other}.toml"\n'
        (tmp_path / f"{name}.toml").write_text(like)
    for name in ("a", "c"):
        with pytest.raises(InputError, match="refer to each other in a circle"):
            find_mapping(tmp_path / f"{name}.toml")


def test_a_mapping_for_other_corpora_is_refused(paper):
    with pytest.raises(UsageError, match="is for dependencies, not for relations"):
        score_phenomena(paper / "gold.tsv", {"x": paper / "cc.gr"}, mappings="ud")


def test_outputs_of_another_number_of_sentences_are_refused(paper):
    (paper / "cc.gr").write_text(FIGURE_3 + "\n" + FIGURE_3)
    with pytest.raises(InputError, match="2 sentences, but 1 item,"):
        score_phenomena(paper / "gold.tsv", {"x": paper / "cc.gr"})


# ── unbounded dependencies ───────────────────────────────────────────────────────────────────────


def test_unbounded_dependencies_are_scored_per_construction(tmp_path):
    path = tmp_path / "test.obj_extract_red_rel"
    path.write_text(
        "7\nThe form you need must arrive .\ndobj need_3 form_1\n\n8\nIt is what I saw .\ndobj saw_4 what_2\n"
    )
    gold = read_gold(path)
    assert gold.phenomena == ("obj_extract_red_rel",)
    assert "obj_extract_red_rel" in UNBOUNDED
    assert len(UNBOUNDED) == 7
    assert next(iter(gold.sentences.values())) == "The form you need must arrive ."
    (tmp_path / "x.sd").write_text("dobj(need-4, form-2)\n\nnsubj(saw-5, I-4)\n")
    result = score_phenomena(path, {"x": tmp_path / "x.sd"}, format="stanford")
    assert result.system("x")["phenomena.obj_extract_red_rel.dobj"].value == 0.5


# ── agreement ────────────────────────────────────────────────────────────────────────────────────


def annotation(tmp_path, name, lines):
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return read_gold(path)


def test_differences_are_classed_and_merged(tmp_path):
    one = annotation(tmp_path, "a.tsv", [
        "1\tned\t1\ta-1 MOD b-2", "2\tned\t1\ta-1 MOD b-2", "3\tned\t1\ta-1 MOD b-2", "4\tned\t1\ta-1 MOD b-2\tslip",
        "5\tned\t1\ta-1|d-4 MOD b-2",
    ])  # fmt: skip
    other = annotation(tmp_path, "b.tsv", [
        "1\tned\t1\ta-1 MOD b-2", "2\tned\t1\ta-1 MOD c-3", "3\tned\t1\ta-1 MOD b-2", "3\tned\t1\tb-2 MOD c-3",
        "4\tned\t1\tx-1 MOD b-2", "5\tned\t1\td-4 MOD b-2",
    ])  # fmt: skip
    result = agree(one, other)
    assert [result.counts()[kind] for kind in CLASSES] == [1, 1, 1, 0, 1]
    assert (result.by_item, result.adjusted) == (0.2, 0.6)
    assert result.by_dependency == pytest.approx(4 / 11)
    assert [t.dependency for t in merged(one, other).targets] == [
        "a-1 MOD b-2", "a-1 MOD b-2|c-3", "a-1 MOD b-2", "b-2 MOD c-3", "a-1|x-1 MOD b-2",
        "a-1|d-4 MOD b-2",
    ]  # fmt: skip


@given(st.permutations(range(4)))
def test_agreement_is_symmetric(order):
    gold = read_gold("example:phenomena")
    some = [t for t in gold.targets if t.item.endswith(("1", "2"))]
    one = type(gold)("a", tuple(some), {})
    other = type(gold)("b", tuple(t for t in some if int(t.item[-1]) + order[0] != 2), {})
    assert agree(one, other).by_dependency == agree(other, one).by_dependency
    assert agree(one, other).by_item == agree(other, one).by_item


def test_contents_are_counted():
    result = contents(read_gold("example:phenomena"))
    assert (result.whole.items, result.whole.targets, result.whole.negative) == (210, 405, 42)
    assert sum(part.targets for part in result.parts.values()) == result.whole.targets
    assert sum(entry[2] + entry[3] for entry in expressions().values()) > 364


# ── results and commands ─────────────────────────────────────────────────────────────────────────

SCORE = (
    "commonground phenomena score example:phenomena basic=example:phenomena-ud "
    "enhanced=example:phenomena-ud --mapping basic=ud --mapping enhanced=ud-enhanced"
)


@pytest.mark.long
def test_results_are_saved_read_tested_plotted_and_reported(tmp_path):
    done = run_line(f"{SCORE} --output-format json -o r.json", tmp_path)
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "r.json").read_text())
    result = Phenomena.from_json(data, "r.json")
    assert result.to_json()["targets"] == data["targets"]
    assert data["command"].startswith("commonground phenomena score")
    tested = run_line(
        "commonground test r.json --metrics phenomena.rnr.second --output-format json", tmp_path
    )
    assert tested.returncode == 0, tested.stderr
    (claim,) = json.loads(tested.stdout)["tests"]
    assert claim["p"] < 0.001
    for command in ("plot r.json --kind phenomena -o f.svg", "report r.json -o r.html"):
        done = run_line(f"commonground {command}", tmp_path)
        assert done.returncode == 0, done.stderr
    assert "control" in (tmp_path / "f.svg").read_text()
    assert "Recall by phenomenon and kind" in (tmp_path / "r.html").read_text()


def test_the_figure_orders_phenomena_by_difficulty_and_kinds_by_wins():
    result = score_phenomena("example:phenomena", {"a": "example:phenomena-ud"})
    order = result.ordered()
    assert order[-1] == ("tough", ["phenomena.tough.arg2", "phenomena.tough.gap"])
    means = [result.system("a")[f"phenomena.{name}"].value for name, _ in order]
    assert means == sorted(means, reverse=True)


def test_a_phenomenon_without_an_analysis_is_listed(paper):
    (paper / "cc.gr").write_text("(dobj year,_7 withdrew,_9)\n")
    result = score_phenomena(paper / "gold.tsv", {"x": paper / "cc.gr"})
    assert result.unanalysed() == [
        ("x", "phenomena.absol.arg1", 0.0),
        ("x", "phenomena.absol.mod", 0.0),
    ]
    assert any("Virtually unanalysed" in grid.title for grid in result.grids())


def test_what_a_tree_cannot_say_is_recoverable_and_not_the_parsers_error():
    result = score_phenomena(
        "example:phenomena", {"x": "example:phenomena-ud"}, mappings={"x": "ud"}
    )
    scheme = result.schemes["x"]
    for name in ("barerel.gap", "rnr.second", "control.shared", "tough.gap"):
        assert result.share(f"phenomena.{name}", scheme.ceiling) == 0
        assert result.share(f"phenomena.{name}", scheme.recoverable) > 0.9
    again = Phenomena.from_json(result.to_json())
    assert again.schemes == result.schemes
    recall, unanalysed = result.grids()
    assert [column.title for column in recall.columns][-2:] == ["recoverable", "ceiling of ud"]
    assert "tough by 1" in unanalysed.notes[0].text


def test_a_ceiling_is_told_from_trees_of_the_same_scheme_only(tmp_path):
    trees = read("example:phenomena-ud")
    given = {"gold_trees": [trees], "mappings": {"x": "stanford"}}
    result = score_phenomena("example:phenomena", {"x": trees}, **given)
    assert result.schemes["x"].ceiling is None
    sud = score_phenomena("example:phenomena", {"x": trees}, mappings={"x": "sud"})
    assert sud.share("phenomena.vpart.arg2", sud.schemes["x"].ceiling) > 0.9
    assert any("from the manual" in note.text for note in sud.grids()[0].notes)


def test_trees_beside_a_gold_standard_that_are_of_other_sentences_are_no_ceiling(tmp_path):
    trees = write_text(read("example:phenomena-ud"), "conllu")
    (tmp_path / "gold.tsv").write_text("1\tvpart\t1\tturned-1 ARG2 radio-4\n")
    (tmp_path / "gold.trees.conllu").write_text(trees)
    (tmp_path / "x.conllu").write_text(trees.split("\n\n")[0] + "\n\n")
    outputs = {"x": tmp_path / "x.conllu"}
    result = score_phenomena(tmp_path / "gold.tsv", outputs)
    assert result.schemes["x"].ceiling is None
    named = [tmp_path / "gold.trees.conllu"]
    with pytest.raises(InputError, match=r"gold\.trees\.conllu: 210 sentences, but 1 item"):
        score_phenomena(tmp_path / "gold.tsv", outputs, gold_trees=named)


RIMELL = """# construction = right_node_raising
He can and will look at it .
prep look_4 at_5
aux look_4 can_1
auxpass look_4 will_3
cop look_4 can_1
complm look_4 He_0
"""


@pytest.mark.parametrize("name", mapping_names())
def test_function_words_are_reached_or_flagged(name, tmp_path):
    path = tmp_path / "rnr.txt"
    path.write_text(RIMELL)
    types = [target.type for target in read_gold(path).targets]
    assert types == ["PREP", "AUX", "AUX", "COP", "COMPLM"]
    for kind in types:
        rules = find_mapping(name).of("right_node_raising", kind)
        assert len(rules) or rules.inexpressible


@pytest.mark.parametrize("output_format", ["text", "json", "tsv", "markdown", "latex", "html"])
def test_every_command_writes_every_format(tmp_path, output_format):
    for command in ("info --mappings", "agree example:phenomena example:phenomena"):
        words = f"phenomena {command} --output-format {output_format} -o".split()
        assert main([*words, str(tmp_path / "out")]) == 0
        assert (tmp_path / "out").read_text()


def test_an_expression_that_explodes_elsewhere_answers_at_once(paper):
    (paper / "bad.toml").write_text(
        'name = "bad"\ntitle = "Bad"\ncorpora = ["relations"]\nprint = "gr"\n'
        "[absol.ARG]\nexpressions = ['(a+)+$.*{W1}{W2}']\n[absol.MOD]\nexpressions = ['(a+)+$.*{W2}']\n"
    )
    (paper / "cc.gr").write_text(f"(ncsubj passed_4 Act_1 {'a' * 10_000}b)\n")
    before = time.process_time()
    score_phenomena(paper / "gold.tsv", {"x": paper / "cc.gr"}, mappings=str(paper / "bad.toml"))
    assert time.process_time() - before < 1


def test_brackets_are_scored_through_typed_dependencies(tmp_path):
    (tmp_path / "g.txt").write_text("1\tThey washed and dried the dishes\n")
    (tmp_path / "g.tsv").write_text(
        "1\trnr\t1\twashed-1 ARG2 dishes-5\n1\tmine\t1\tdried-3 ARG1 They-0\n"
    )
    (tmp_path / "x.mrg").write_text(
        "(ROOT (S (NP (PRP They)) (VP (VP (VBD washed) (NP (DT the) (NNS dishes))) (CC and) (VP (VBD dried)))))\n"
    )
    (tmp_path / "g.txt").write_text("1\tThey washed the dishes and dried\n")
    result = score_phenomena(tmp_path / "g.tsv", {"x": tmp_path / "x.mrg"})
    assert [right for right, _ in result.outcomes["x"]] == [True, True]


def test_scores_become_a_data_frame():
    result = score_phenomena("example:phenomena", {"x": "example:phenomena-ud"})
    frame = result.to_pandas()
    assert set(frame.columns) == {"system", "metric", "score", "n_correct", "n_gold"}
    assert "phenomena.macro" in set(frame["metric"])


def test_the_sentences_stand_beside_a_compressed_gold_standard_too(paper):
    (paper / "packed.tsv.gz").write_bytes(gzip.compress(TABLE_2.encode()))
    (paper / "packed.txt").write_text(f"{ITEM}\t{SENTENCE}\n")
    assert read_gold(paper / "packed.tsv.gz").sentences == {ITEM: SENTENCE}


def test_the_two_passes_over_our_sentences_agree_as_the_page_says():
    folder = Path(__file__).parents[1] / "golden"
    one, other = (read_gold(folder / f"phenomena-{name}-pass.tsv") for name in ("first", "second"))
    result = agree(one, other)
    assert (result.same_items, result.items) == (195, 210)
    assert result.by_dependency == pytest.approx(0.962, abs=0.0005)
    assert [result.counts()[kind] for kind in CLASSES] == [2, 5, 8, 0, 0]
    reconciled = set(read_gold("example:phenomena").targets)
    assert reconciled <= {*one.targets, *other.targets}


def test_the_two_passes_over_the_rare_phenomena_agree_as_the_page_says():
    folder = Path(__file__).parents[1] / "golden"
    passes = (read_gold(folder / f"phenomena-rare-{name}-pass.tsv") for name in ("first", "second"))
    result = agree(*passes)
    assert (result.same_items, result.items) == (165, 238)
    assert [result.counts()[kind] for kind in CLASSES] == [25, 2, 46, 0, 0]
    assert result.adjusted == pytest.approx(0.887, abs=0.0005)


def test_a_second_pass_over_a_sample_of_gum_agrees_as_the_page_says():
    folder = Path(__file__).parents[1] / "golden"
    second = read_gold(folder / "phenomena-gum-second-pass.tsv")
    read = {(target.item, target.phenomenon) for target in second.targets}
    targets = read_gold("example:phenomena-gum").targets
    first = gold_of("first", [t for t in targets if (t.item, t.phenomenon) in read], {})
    result = agree(first, second)
    assert [result.counts()[kind] for kind in CLASSES] == [8, 0, 24, 0, 0]
    assert (result.items, result.adjusted) == (229, pytest.approx(0.965, abs=0.0005))


def test_sentences_in_another_order_are_refused_and_not_scored_as_errors(tmp_path):
    trees = read("example:phenomena-ud")
    text = "\n".join(
        line for line in write_text(trees[::-1], "conllu").split("\n") if line[:1] != "#"
    )
    (tmp_path / "turned.conllu").write_text(text)
    with pytest.raises(InputError, match="must be in the order of the items"):
        score_phenomena("example:phenomena", {"x": tmp_path / "turned.conllu"})


# ── natural sentences ────────────────────────────────────────────────────────────────────────────


def test_the_natural_items_say_who_found_them():
    gold = read_gold("example:phenomena-gum")
    assert set(gold.phenomena) == set(phenomena())
    assert len(gold.items) == 634
    assert {target.remark for target in gold.targets} == {"ud", "brackets", "both"}


def test_the_phenomena_that_are_rare_have_more_items():
    gold = read_gold("example:phenomena-rare")
    assert set(gold.phenomena) == {"tough", "rnr", "ned", "absol", "argadj", "vger"}
    assert {target.remark for target in gold.targets} == {"ud", "brackets", "words"}


def test_there_are_a_hundred_natural_items_of_each_phenomenon():
    found = {
        (target.phenomenon, target.item)
        for name in ("gum", "rare")
        for target in read_gold(f"example:phenomena-{name}").targets
    }
    assert all(sum(name == each for each, _ in found) >= 100 for name in phenomena())


@pytest.mark.parametrize("name", ["phenomena-gum", "phenomena-rare"])
def test_no_sentence_of_another_corpus_comes_along(name):
    assert read_gold(f"example:{name}").sentences == {}


def test_natural_items_are_found_in_a_parse_by_their_ids(shared):
    gold = read_gold("example:phenomena-gum")
    path = shared / "data/gum/dep/GUM_academic_games.conllu"
    there = set(read(path).sent_id.tolist())
    part = gold_of("part", [target for target in gold.targets if target.item in there], {})
    assert len(part.targets) == 6
    result = score_phenomena(part, {"gold": path}, mappings={"gold": "ud-enhanced"})
    assert result.system("gold")["phenomena"].value > 0.9
