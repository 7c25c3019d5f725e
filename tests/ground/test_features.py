"""Labels that are feature structures."""

import json

import pytest
from command import assert_silent_success, run
from function_trees import shown, trees
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.corpus import Functions
from commonground.evaluation.compare import compare
from commonground.ground import ClashError, CrossingError, generalize, label_unify, subsumes, unify
from commonground.ground.features import feature_structure

VALUES = st.dictionaries(st.sampled_from(["gf", "num"]), st.sampled_from(["a", "b"]))
STRUCTURES = VALUES.map(lambda each: feature_structure(f"{a}={v}" for a, v in each.items()))
NODES = st.dictionaries(st.sampled_from(["1", "2", "3", "1-2", "1-3"]), STRUCTURES)


def corpus(nodes):
    return Functions.of([(["u", "v", "w"], list(nodes.items()))])


CORPORA = NODES.map(corpus)


def same(one, two):
    return shown(one) == shown(two)


def test_generalization_is_what_both_have():
    result = generalize(
        trees("({[gf=sbj,num=sg]} a) ({[gf=obj]} b) ({x} c)"),
        trees("({[gf=sbj,num=pl]} a) ({[gf=hd]} b) ({[gf=x]} c)"),
    )
    assert shown(result) == "({[gf=sbj]} a) ({[]} b) ({} c)"


def test_unification_has_all_features():
    result = unify(trees("({[gf=sbj]} a) b"), trees("({[num=sg]} a) ({[]} b)"))
    assert shown(result) == "({[gf=sbj,num=sg]} a) ({[]} b)"


def test_unification_fails_where_an_attribute_has_two_values():
    with pytest.raises(ClashError, match="the words 1 cannot have gf=obj and gf=sbj"):
        unify(trees("({[gf=sbj]} a)"), trees("({[gf=obj]} a)"))
    with pytest.raises(ClashError):
        label_unify(trees("({[gf=sbj]} a)"), trees("({[gf=obj]} a)"))


def test_a_chain_of_phrases_has_the_features_of_all_of_them():
    tree = trees("({[gf=sbj]} ({[gf=hd]} a))")
    assert shown(generalize(tree, tree)) == shown(unify(tree, tree)) == "({[gf=hd,gf=sbj]} a)"


def test_declared_features_are_the_same():
    result = generalize(
        trees("({[gf=SUB,num=sg]} a)"),
        trees("({[gf=sbj]} a)"),
        equivalent={"[gf=SUB]": "[gf=sbj]"},
    )
    assert shown(result) == "({[gf=sbj]} a)"


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=25)
@given(CORPORA, CORPORA)
def test_generalization_is_the_greatest_lower_bound(one, two):
    common = generalize(one, two)
    assert subsumes(common, one).all()
    assert subsumes(common, two).all()
    assert same(common, generalize(two, one))
    assert subsumes(one, two).all() == same(common, generalize(one, one))


@settings(max_examples=25)
@given(CORPORA, CORPORA, CORPORA)
def test_generalization_is_associative_and_takes_all_at_once(one, two, three):
    stepwise = generalize(generalize(one, two), three)
    assert same(stepwise, generalize(one, generalize(two, three)))
    assert same(stepwise, generalize(one, two, three))


@settings(max_examples=25)
@given(CORPORA, CORPORA, CORPORA)
def test_what_subsumes_both_subsumes_their_generalization(one, two, three):
    if subsumes(three, one).all() and subsumes(three, two).all():
        assert subsumes(three, generalize(one, two)).all()


@settings(max_examples=25)
@given(CORPORA, CORPORA)
def test_unification_is_an_upper_bound_or_fails(one, two):
    try:
        both = unify(one, two)
    except (ClashError, CrossingError):
        return
    assert subsumes(one, both).all()
    assert subsumes(two, both).all()
    assert same(both, unify(two, one))
    assert same(generalize(one, both), generalize(one, one))  # absorption


# ── protocols ────────────────────────────────────────────────────────────────────────────────────

ONE = "({[gf=sbj,num=sg]} John) ({[gf=hd]} loves) ({[gf=obj]} Mary)"
TWO = "({[gf=sbj]} John) ({[gf=root]} loves) ({[gf=obj]} Mary)"


@pytest.mark.parametrize("protocol", ["2011", "2012"])
def test_a_perfect_parse_is_perfect_on_what_feature_structures_share(protocol):
    one, two = trees(ONE), trees(TWO)
    result = compare({"one": (one, one), "two": (two, two)}, protocol=protocol)
    assert all(system.multiple.labelled.value == 1 for system in result.systems)


def test_2011_takes_the_empty_feature_structure_for_a_wildcard(kernels):
    one, two = trees(ONE), trees(TWO)
    parse = trees("({[gf=sbj,num=sg]} John) ({[gf=x]} loves) ({[gf=iobj]} Mary)")
    comparison = compare({"one": (one, parse), "two": (two, two)}, protocol="2011")["one"]
    # [gf=hd] and [gf=root] share [], which [gf=x] is equal to; [gf=iobj] is relabelled.
    assert comparison.multiple.labelled.value == pytest.approx(1 - 1 / 6)
    assert comparison.single.labelled.value == pytest.approx(1 - 2 / 6)


def test_2012_counts_each_feature():
    one, two = trees(ONE), trees(TWO)
    parse = trees("({[gf=sbj,num=pl]} John) ({[gf=hd]} loves) ({[gf=obj]} Mary)")
    comparison = compare({"one": (one, parse), "two": (two, two)})["one"]
    assert comparison.single.labelled.value == 1 - 2 / 8  # num=pl too much, num=sg missing
    assert comparison.multiple.labelled.value == pytest.approx(1 - 1 / 6)  # of 4+2, num=pl is wrong


@settings(max_examples=20)
@given(NODES, NODES)
def test_what_is_written_is_read_again(one, two):
    both = Functions.of(
        [(["u", "v", "w"], [*one.items(), *two.items(), ("1", "[x=y"), ("1", "z=v]")])]
    )
    assert trees(shown(both)).nodes == both.nodes


def test_the_verbs_know_feature_structures(tmp_path):
    files = [tmp_path / name for name in ("one", "two")]
    for file, text in zip(files, (ONE, TWO), strict=True):
        file.write_text(text + "\n")
    done = run("generalize", *files, "--quiet")
    assert_silent_success(done)
    assert done.stdout.splitlines()[-1] == ("({[gf=sbj]} John) ({[]} loves) ({[gf=obj]} Mary)")
    told = run("subsumes", files[1], files[0], "--output-format", "json", "--quiet")
    assert json.loads(told.stdout)["subsumes"] is False
    assert run("unify", *files).returncode == 2
