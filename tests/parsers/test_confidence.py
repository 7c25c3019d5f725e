"""Heads that count as much as one is sure of them, whatever made the tree."""

import numpy as np
import pytest

import commonground as cg
from commonground.corpus import Strings
from commonground.errors import InputError, UsageError
from commonground.parsers.confidence import confidences, drawn_heads

FAST = {"gold_tags": True, "settings": {"iterations": 3}}
WEIGHTED = ["arc-eager", "arc-hybrid", "mst"]


@pytest.fixture(scope="module")
def treebank():
    return cg.read("example:ud")[:40]


def with_weights(treebank, weights):
    return treebank.replace("words", misc=Strings.of(f"Sure={each}" for each in weights))


def spoilt(treebank):
    """Every other word hangs on the first or second one of its sentence."""
    place = treebank.words.row_in_sentence()
    wrong = (np.arange(treebank.words.rows) % 2 == 0) & (treebank.head > 0) & (place > 1)
    head = np.where(wrong & (treebank.head != 1), 1, treebank.head)
    head[wrong & (treebank.head == 1)] = 2
    trees = treebank.replace("words", head=head.astype(np.int32))
    return trees, wrong & ~trees_in_circles(trees)


def trees_in_circles(trees):
    from commonground.kernels import load

    return np.asarray(load("trees").cycles(trees.head.astype(np.int32), trees.offsets))


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_of_one_are_no_weights(treebank, name):
    plain = cg.train(treebank, name, **FAST)
    weighted = cg.train(
        with_weights(treebank, [1.0] * treebank.words.rows), name, weights="Sure", **FAST
    )
    assert weighted.parse(treebank).head.tolist() == plain.parse(treebank).head.tolist()


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_of_zero_are_missing_heads(treebank, name):
    few = np.arange(treebank.words.rows) % 3 > 0
    partial = treebank.replace("words", head=np.where(few, treebank.head, -1).astype(np.int32))
    weighted = with_weights(treebank, few.astype(int))
    options = {"encoding": "none", **FAST}
    one = cg.train(partial, name, **options).parse(treebank)
    two = cg.train(weighted, name, weights="Sure", **options).parse(treebank)
    assert (one.head == two.head).mean() > 0.9  # labels of heads without weight are known, too


@pytest.mark.parametrize("name", WEIGHTED)
def test_wrong_heads_that_one_is_not_sure_of_do_less_harm(treebank, name):
    trees, wrong = spoilt(treebank)
    trees = treebank.replace(
        "words", head=np.where(wrong, trees.head, treebank.head).astype(np.int32)
    )
    trees = trees.replace(
        "words", head=np.where(trees_in_circles(trees), treebank.head, trees.head).astype(np.int32)
    )
    weighted = with_weights(trees, np.where(trees.head == treebank.head, 1, 0.05))
    options = {"encoding": "none", "gold_tags": True, "settings": {"iterations": 5}}
    harmed = cg.train(trees, name, **options).parse(treebank)
    spared = cg.train(weighted, name, weights="Sure", **options).parse(treebank)
    assert (spared.head == treebank.head).mean() > (harmed.head == treebank.head).mean() + 0.1


def test_a_head_is_looked_at_as_often_as_one_is_sure_of_it():
    heads, sure = np.zeros(4, np.int32), np.array([0, 0.25, 0.75, 1])
    seen = np.mean([drawn_heads(heads, sure, 1, number) >= 0 for number in range(2000)], axis=0)
    assert seen == pytest.approx(sure, abs=0.05)
    assert seen[[0, 3]].tolist() == [0, 1]


@pytest.mark.parametrize("text", ["2", "-0.1", "x", "nan"])
def test_a_confidence_that_is_none_is_refused_with_its_line(tmp_path, text):
    path = tmp_path / "a.conllu"
    path.write_text(
        f"1\ta\t_\tX\t_\t_\t0\troot\t_\tSure=1\n2\tb\t_\tX\t_\t_\t1\tdep\t_\tSure={text}\n\n"
    )
    with pytest.raises(InputError, match="Sure= is a number from 0 to 1") as caught:
        confidences(cg.read(path), "Sure")
    assert caught.value.line == 2


def test_parsers_that_cannot_weigh_heads_refuse_weights(treebank):
    weighted = with_weights(treebank, [0.5] * treebank.words.rows)
    with pytest.raises(UsageError, match="arc-standard cannot learn from weighted heads"):
        cg.train(weighted, "arc-standard", weights="Sure", **FAST)
    members = {"members": "arc-eager swap", "iterations": 1}
    with pytest.raises(UsageError, match="swap, a member"):
        cg.train(weighted, "ensemble", weights="Sure", gold_tags=True, settings=members)


def test_a_parser_without_words_sees_nothing_but_parts_of_speech(treebank):
    parser = cg.train(treebank, "arc-eager", gold="upos", settings={"iterations": 3})
    one = parser.parse(treebank)
    foreign = treebank.replace("words", form=treebank.form.map(lambda form: f"x{len(form)}"))
    assert parser.parse(foreign).head.tolist() == one.head.tolist()
    assert one.form == treebank.form
    assert one.feats == treebank.feats


def test_a_guide_is_kept_in_the_model_of_the_parser_that_is_stacked_on_it(treebank, tmp_path):
    guide, file = tmp_path / "guide.model", tmp_path / "stacked.model"
    cg.train(treebank, "arc-eager", gold="upos", settings={"iterations": 2}).save(guide)
    options = {"gold_tags": True, "settings": {"iterations": 2, "guide": str(guide)}}
    trained = cg.train(treebank, "stacked", **options)
    trained.save(file)
    guide.unlink()
    again = cg.load_parser(file)
    assert again.parse(treebank).head.tolist() == trained.parse(treebank).head.tolist()
    alone = cg.train(treebank, "mst", gold_tags=True, settings={"iterations": 2})
    assert alone.parse(treebank).head.tolist() != again.parse(treebank).head.tolist()


def test_a_guide_that_makes_no_dependencies_is_refused(treebank, tmp_path):
    path = tmp_path / "tagger.model"
    cg.train(treebank, "tagger", settings={"iterations": 1}).save(path)
    with pytest.raises(UsageError, match="does not make dependencies"):
        cg.train(treebank, "stacked", gold_tags=True, settings={"guide": str(path)})
