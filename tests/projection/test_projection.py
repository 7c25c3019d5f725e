"""Trees projected over word alignments."""

import json
from dataclasses import replace

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import cyclic
from commonground.errors import InputError, UsageError
from commonground.projection import (
    POLICIES,
    Filter,
    Policies,
    Projection,
    RepairRule,
    fragmentation,
    kept,
    project,
    read_rules,
    repair,
)
from commonground.projection.fragments import fragments

LABELS = ["det", "nsubj", "root", "obj"]


def tree(*heads, labels=None):
    words = [f"w{place}" for place in range(len(heads))]
    return Dependencies.of([(words, list(heads), labels or ["x"] * len(heads))])


def projected(source, length, links, tags=None, **options):
    target = tree(*[0] * length)
    if tags:
        target = target.replace(
            "words", upos=Strings.of([tags[i % len(tags)] for i in range(length)])
        )
    return project(source, target, cg.read_text(links + "\n", "pharaoh"), **options)


def heads_of(found):
    return found.trees.head.tolist()


# the notes of the minutes are adopted: Spreyer's Figure 1 in miniature
ENGLISH = tree(2, 0, 4, 2, labels=["nsubj", "root", "det", "obj"])


def test_an_arc_is_projected_where_both_its_words_are_linked():
    result = projected(ENGLISH, 4, "0-1 1-0 2-2 3-3")
    assert heads_of(result) == [0, 1, 4, 1]
    assert result.trees.deprel.tolist() == ["root", "nsubj", "det", "obj"]
    assert result.coverage == 1


@given(st.integers(1, 8).flatmap(heads), st.randoms(use_true_random=False))
def test_a_permutation_of_the_words_permutes_the_tree(shape, random):
    order = list(range(len(shape)))
    random.shuffle(order)
    links = " ".join(f"{s}-{t}" for s, t in enumerate(order))
    result = projected(tree(*shape), len(shape), links)
    wanted = [0] * len(shape)
    for s, head in enumerate(shape):
        wanted[order[s]] = 0 if head == 0 else order[head - 1] + 1
    assert heads_of(result) == wanted


@st.composite
def cases(draw):
    source = tree(*draw(st.integers(1, 7).flatmap(heads)))
    length = draw(st.integers(1, 7))
    pairs = draw(
        st.sets(st.tuples(st.integers(0, source.words.rows - 1), st.integers(0, length - 1)))
    )
    chosen = {name: draw(st.sampled_from(list(choices))) for name, choices in POLICIES.items()}
    return source, length, " ".join(f"{s}-{t}" for s, t in sorted(pairs)), Policies(**chosen)


@given(cases())
def test_whatever_the_policies_no_heads_run_in_a_circle_and_every_missing_one_has_a_reason(case):
    source, length, links, policies = case
    words = source.words.rows
    source = source.replace("words", upos=Strings.of([["X", "Y"][i % 2] for i in range(words)]))
    result = projected(source, length, links, tags="XXY", policies=policies)
    trees = result.trees
    assert not cyclic(trees).any()
    missing = int((trees.head < 0).sum())
    assert sum(result.reasons.values()) == missing
    assert sum("Projection=" in misc for misc in trees.misc) == missing
    assert result.before.heads + missing == length
    if policies.crossing == "drop":
        arcs = [sorted((i, h)) for i, h in enumerate(trees.head.tolist(), 1) if h > 0]
        assert not any(a < c < b < d for a, b in arcs for c, d in arcs)


@pytest.mark.parametrize(
    ("links", "policies", "wanted"),
    [
        # w3 of the source is linked to two words
        ("1-0 3-1 3-2", {}, [0, 1, 2]),
        ("1-0 3-1 3-2", {"one_to_many": "last"}, [0, 3, 1]),
        ("1-0 3-1 3-2", {"extra": "leave"}, [0, 1, -1]),
        ("1-0 3-1 3-2", {"one_to_many": "drop"}, [0, -1, -1]),
        # w2 and w3 of the source are linked to the same word
        ("1-0 2-1 3-1", {}, [0, 1, -1]),
        ("1-0 2-1 3-1", {"many_to_one": "first"}, [0, -1, -1]),
        ("1-0 2-1 3-1", {"many_to_one": "last"}, [0, 1, -1]),
        ("1-0 2-1 3-1", {"many_to_one": "drop"}, [0, -1, -1]),
        # the head of w2, w3, has no link
        ("1-0 2-1", {}, [0, -1, -1]),
        ("1-0 2-1", {"unaligned_head": "climb"}, [0, 1, -1]),
        # a target word has no link
        ("1-0 3-2", {"unaligned": "left"}, [0, 1, 1]),
        ("1-0 3-2", {"unaligned": "right"}, [0, 3, 1]),
    ],
)
def test_policies_as_worked_out_by_hand(links, policies, wanted):
    assert heads_of(projected(ENGLISH, 3, links, policies=Policies(**policies))) == wanted


def test_of_arcs_that_cross_the_longer_one_is_dropped():
    source = tree(0, 1, 1, 2)
    crossing = projected(source, 4, "0-0 1-2 2-1 3-3", policies=Policies())
    assert heads_of(crossing) == [0, 1, 1, 3]
    source = tree(0, 1, 1, 2)
    result = projected(source, 4, "0-0 1-1 2-2 3-3", policies=Policies(crossing="drop"))
    assert heads_of(result) == [0, 1, -1, 2] or heads_of(result) == [0, 1, 1, -1]
    assert result.reasons["crossing"] == 1


def test_the_reasons_are_told_in_misc():
    result = projected(ENGLISH, 4, "1-0 2-1")
    assert result.trees.misc.tolist() == [
        "_", "Projection=head-unaligned", "Projection=unaligned", "Projection=unaligned",
    ]  # fmt: skip
    assert {name: count for name, count in result.reasons.items() if count} == {
        "unaligned": 2, "head-unaligned": 1,
    }  # fmt: skip


def test_a_source_word_without_a_head_gives_none():
    result = projected(tree(2, -1), 2, "0-0 1-1")
    assert heads_of(result) == [2, -1]
    assert result.reasons["no-source-head"] == 1


def test_labels_and_tags_are_projected_if_asked_for():
    source = ENGLISH.replace("words", upos=Strings.of(["PRON", "VERB", "DET", "NOUN"]))
    plain = projected(source, 4, "0-0 1-1", labels=False)
    assert plain.trees.deprel.tolist() == ["_"] * 4
    tagged = projected(source, 4, "0-0 1-1", copy=["upos"])
    assert tagged.trees.upos.tolist() == ["PRON", "VERB", "_", "_"]
    with pytest.raises(UsageError, match="lemma is not projected"):
        projected(source, 4, "0-0", copy=["lemma"])


def test_a_pair_with_an_empty_side_is_counted_and_kept_as_it_is():
    source = Dependencies.of([([], [], []), (["a"], [0], ["root"])])
    target = Dependencies.of([(["b"], [0], ["x"]), ([], [], [])])
    result = project(source, target, cg.read_text("\n\n", "pharaoh"))
    assert result.empty == 2
    assert len(result.trees) == 2
    assert result.reasons["unaligned"] == 1


def test_links_out_of_range_are_refused_with_their_line():
    source = ENGLISH + ENGLISH
    for links, side in (("0-0\n9-0\n", "source"), ("0-0\n0-9\n", "target")):
        with pytest.raises(InputError, match=rf"<text>:2: link .*; sentence 2 has 4 {side} words"):
            project(source, source, cg.read_text(links, "pharaoh"))


def test_other_numbers_of_sentences_are_refused():
    with pytest.raises(InputError, match="the target has 2 sentences, but the source"):
        project(ENGLISH, ENGLISH + ENGLISH, cg.read_text("\n", "pharaoh"))
    with pytest.raises(InputError, match="the alignment has 2 sentences"):
        project(ENGLISH, ENGLISH, cg.read_text("\n\n", "pharaoh"))
    with pytest.raises(UsageError, match="dependencies are projected over alignments"):
        project(cg.read("example:ptb"), ENGLISH, cg.read_text("\n", "pharaoh"))


def test_a_policy_that_is_none_is_refused():
    with pytest.raises(UsageError, match="one-to-many can be first, last, drop, not 'all'"):
        Policies(one_to_many="all")


# ── fragments ────────────────────────────────────────────────────────────────────────────────────


def naive_fragments(heads):
    """Connected pieces, by joining words until nothing changes."""
    piece = list(range(len(heads)))
    for _ in heads:
        for word, head in enumerate(heads):
            if head > 0:
                piece[word] = piece[head - 1] = min(piece[word], piece[head - 1])
    return len(set(piece))


@given(st.integers(1, 8).flatmap(heads), st.data())
def test_fragments_are_connected_pieces(shape, data):
    part = [data.draw(st.sampled_from([head, -1])) for head in shape]
    assert fragments(tree(*part)).tolist() == [naive_fragments(part)]


def test_words_per_fragment_are_all_words_over_all_fragments():
    corpus = tree(2, 0, 2, 2) + tree(-1, -1)
    result = fragmentation(corpus)
    assert (result.words_per_sentence, result.fragments_per_sentence) == (3, 1.5)
    assert result.words_per_fragment == 2
    assert fragmentation(corpus[:0]).words_per_fragment is None


def test_long_sentences_of_few_fragments_and_all_short_ones_are_kept():
    four, three = tree(-1, -1, -1, -1), tree(-1, -1, -1)
    whole = tree(2, 0, 2, -1)
    corpus = four + three + whole
    assert kept(corpus).tolist() == [False, True, True]
    assert kept(corpus, Filter(4)).tolist() == [True, True, True]
    assert kept(corpus, Filter(1, 2)).tolist() == [False, False, False]
    assert kept(corpus, Filter(None)).all()
    with pytest.raises(UsageError):
        Filter(0)


# ── repairs ──────────────────────────────────────────────────────────────────────────────────────


def tagged(heads, tags):
    return tree(*heads).replace("words", upos=Strings.of(tags))


def test_a_rule_hangs_a_word_on_the_nearest_one_with_a_tag():
    rules = [RepairRule(frozenset({"DET"}), frozenset({"NOUN"}), "right", "det", 2)]
    corpus = tagged([-1, -1, 0, -1], ["DET", "ADJ", "NOUN", "DET"])
    mended, count = repair(corpus, rules)
    assert (mended.head.tolist(), count) == ([3, -1, 0, -1], 1)
    assert mended.misc[0] == "Projection=repaired"


def test_no_rule_closes_a_circle():
    rules = [RepairRule(frozenset({"DET"}), frozenset({"NOUN"}), "near", "det", 5)]
    mended, count = repair(tagged([-1, 1], ["DET", "NOUN"]), rules)
    assert (mended.head.tolist(), count) == ([-1, 1], 0)


def test_trees_of_another_scheme_are_mended_in_theirs():
    corpus = tagged([-1, 0], ["ADP", "NOUN"]).replace("words", deprel=Strings.of(["_", "root"]))
    mended, count = repair(corpus, scheme="sud")
    assert count == 1
    assert mended.head.tolist() == [0, 1]


def test_the_signature_tells_which_rules_mended_the_trees():
    one = RepairRule(frozenset({"DET"}), frozenset({"NOUN"}), "right", "det")
    options = [{}, {"rules": [one]}, {"rules": [replace(one, within=2)]}]
    options.append({"rules": [one], "scheme": "sud"})
    source = tagged([2, 0], ["DET", "NOUN"])
    links = cg.read_text("0-0 1-1", "pharaoh")
    assert len({project(source, source, links, **each).signature for each in options}) == 4


def test_a_file_of_rules_that_is_none_is_refused(tmp_path):
    for text in ("rule = 1", "[[rule]]\nwords = ['DET']", "x = [", "[[rule]]\nwords=['A']\nheads=['B']\ndirection='up'\nlabel='x'"):  # fmt: skip
        with pytest.raises(InputError, match=r"rules\.toml:"):
            read_rules(write(tmp_path / "rules.toml", text))


# ── the command ──────────────────────────────────────────────────────────────────────────────────


def test_project_writes_partial_trees_and_a_report(tmp_path):
    source = write(tmp_path / "en.conllu", cg.write_text(ENGLISH, "conllu"))
    links = write(tmp_path / "a.align", "0-0 1-1 3-3\n")
    out, report = tmp_path / "de.conllu", tmp_path / "report.json"
    done = run("project", source, source, links, out, "--output-format", "json", "-o", report)
    assert_silent_success(done)
    assert cg.read(out, partial=True).head.tolist() == [2, 0, -1, 2]
    data = json.loads(report.read_text())
    assert data["kind"] == "projection"
    assert data["before"]["fragments"] == 2
    again = cg.read_result(report)
    assert isinstance(again, Projection)
    assert again.to_json().items() <= data.items()
    assert again.request.parallel["links"] == str(links)
    assert "words/frag" in run("project", source, source, links, out, "--report").stdout


def test_the_filter_of_the_command_leaves_trees_out(tmp_path):
    source = write(tmp_path / "en.conllu", cg.write_text(ENGLISH, "conllu"))
    links = write(tmp_path / "a.align", "\n")
    out = tmp_path / "de.conllu"
    done = run("project", source, source, links, out)
    assert (done.returncode, done.stdout, out.read_text()) == (0, "", "")
    assert "1 of 1 trees have too many fragments and are left out; --all" in done.stderr
    assert_silent_success(run("project", source, source, links, out, "--all"))
    assert len(cg.read(out, partial=True)) == 1


def test_a_link_out_of_range_is_one_line_and_nothing_is_written(tmp_path):
    source = write(tmp_path / "en.conllu", cg.write_text(ENGLISH, "conllu"))
    links = write(tmp_path / "a.align", "7-0\n")
    out = tmp_path / "de.conllu"
    assert_refused(
        run("project", source, source, links, out), f"{links}:1: link 7-0; sentence 1 has 4"
    )
    assert not out.exists()


def test_a_file_of_blank_lines_links_nothing_and_no_word_is_lost(tmp_path):
    links = write(tmp_path / "none", "\n" * 64)
    done = run("project", "example:ud", "example:ud", links, "-", "--all")
    assert done.returncode == 0, done.stderr
    trees = cg.read_text(done.stdout, partial=True)
    assert len(trees) == 64
    assert (trees.head == -1).all()


def test_a_bad_link_is_told_with_its_line_whatever_the_file_is_called(tmp_path):
    links = write(tmp_path / "links", "0-0\n0-x\n")
    done = run("project", "example:ud", "example:ud", links, "-")
    assert_refused(done, f"{links}:2: '0-x'; a link such as 0-0 or 3p4 is expected")
    assert_refused(run("project", "example:ud", "example:ud", "example:ud", "-"), "word alignments")


def test_the_target_may_be_plain_text_and_a_line_without_words_is_counted(tmp_path):
    tree = [(["birds", "sing"], [2, 0], ["nsubj", "root"])]
    source = write(tmp_path / "en.conllu", cg.write_text(Dependencies.of(tree * 2), "conllu"))
    target = write(tmp_path / "de.txt", "Vögel singen\n\n")
    links = write(tmp_path / "a.align", "0-0 1-1\n\n")
    done = run("project", source, target, links, tmp_path / "de.conllu", "--output-format", "json")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("1 sentence has no words in ")
    assert json.loads(done.stdout)["without_words"] == 1
    corpus = cg.read(tmp_path / "de.conllu")
    assert corpus.head.tolist() == [2, 0]
    assert corpus.words.strings("form").tolist() == ["Vögel", "singen"]


def test_intersection_is_more_precise_than_union_on_real_text(shared):
    english, swedish = (cg.read(shared / f"data/pud/{name}.conllu")[:400] for name in ("en", "sv"))
    precision = {}
    for way in ("intersection", "union"):
        result = project(english, swedish, cg.align(english, swedish, way=way).links)
        score = cg.evaluate(swedish, result.trees, metrics=["uas_precision", "coverage"])
        precision[way] = float(score["uas_precision"])
    assert precision["intersection"] > precision["union"] + 0.03
    assert np.isfinite(precision["union"])
