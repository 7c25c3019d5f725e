"""The graph-based parsers learn trees, whole and partial, and say the same on every machine."""

from __future__ import annotations

import numpy as np
import pytest

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError, UsageError
from commonground.parsers.graph.arcs import all_arcs, lines_of, pairs_of
from commonground.parsers.graph.model import load_graph, store_graph
from commonground.parsers.graph.words import words_of

SMALL = {"bits": 12}
FEW = SMALL | {"iterations": 2}


def tiny(copies=3):
    """A few sentences with tags, and nothing in them that needs a large corpus."""
    sentences = [
        ("the cat sees a small dog", [2, 3, 0, 6, 6, 3], "det nsubj root det amod obj"),
        ("dogs bark", [2, 0], "nsubj root"),
        ("she sees it", [2, 0, 2], "nsubj root obj"),
        ("go", [0], "root"),
    ] * copies
    corpus = Dependencies.of(
        [(text.split(), heads, labels.split()) for text, heads, labels in sentences]
    )
    tag = {"the": "DET", "a": "DET", "small": "ADJ", "she": "PRON", "it": "PRON"}
    tag |= dict.fromkeys(("sees", "bark", "go"), "VERB")
    return corpus.replace("words", upos=corpus.form.map(lambda form: tag.get(form, "NOUN")))


def without_heads(corpus, share, seed=1):
    gone = np.random.default_rng(seed).random(corpus.words.rows) < share
    return corpus.replace("words", head=np.where(gone, -1, corpus.head).astype(np.int32))


def one_root_each(corpus):
    sums = np.add.reduceat(corpus.head == 0, corpus.offsets[:-1])
    return bool((sums == 1).all())


@pytest.mark.parametrize("order", [1, 2])
def test_mst_learns_what_it_has_seen(order):
    corpus = tiny()
    parser = cg.train(
        corpus, "mst", gold_tags=True, settings=SMALL | {"order": order, "iterations": 8}
    )
    parsed = parser.parse(corpus)
    assert parsed.head.tolist() == corpus.head.tolist()
    assert parsed.deprel.tolist() == corpus.deprel.tolist()


def test_stacked_learns_what_it_has_seen():
    corpus = tiny()
    parser = cg.train(corpus, "stacked", gold_tags=True, settings=SMALL | {"iterations": 8})
    parsed = parser.parse(corpus)
    assert parsed.head.tolist() == corpus.head.tolist()
    assert parsed.deprel.tolist() == corpus.deprel.tolist()


@pytest.mark.parametrize("name", ["mst", "stacked"])
def test_a_model_trained_twice_is_the_same_bytes_and_is_read_again(tmp_path, name):
    corpus = tiny()
    for file in ("one", "two"):
        cg.train(corpus, name, gold_tags=True, settings=FEW, seed=3).save(tmp_path / file)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    again = cg.load_parser(tmp_path / "one").parse(corpus)
    assert again == cg.train(corpus, name, gold_tags=True, settings=FEW, seed=3).parse(corpus)


@pytest.mark.parametrize("more", [{"order": 1}, {"order": 2}, {"trees": "any"}])
def test_the_twins_make_the_same_model(tmp_path, monkeypatch, more):
    settings = SMALL | {"iterations": 1} | more
    for kind in ("python", "compiled"):
        monkeypatch.setenv("COMMONGROUND_KERNELS", kind)
        cg.train(tiny(1), "mst", gold_tags=True, settings=settings).save(tmp_path / kind)
    assert (tmp_path / "python").read_bytes() == (tmp_path / "compiled").read_bytes()


def test_partial_trees_are_learned_from_the_arcs_that_are_there():
    corpus = tiny(6)
    parser = cg.train(
        without_heads(corpus, 0.5), "mst", gold_tags=True, settings=SMALL | {"iterations": 8}
    )
    parsed = parser.parse(corpus)
    assert one_root_each(parsed)
    assert (parsed.head == corpus.head).mean() > 0.9


def test_words_without_heads_alone_are_refused():
    with pytest.raises(InputError, match="no word has a head"):
        cg.train(without_heads(tiny(), 1.1), "mst", gold_tags=True)


def test_an_order_of_three_is_refused():
    with pytest.raises(UsageError, match="1 or 2"):
        cg.train(tiny(), "mst", settings={"order": "3"})


@pytest.mark.long
def test_long_sentences_get_one_tree():
    words = ["the", "dog", "sees"] * 200
    long = Dependencies.of([(words, [-1] * len(words), ["_"] * len(words))])
    long = long.replace("words", upos=Strings.constant("NOUN", len(words)))
    for order in (1, 2):
        parser = cg.train(tiny(), "mst", gold_tags=True, settings={"order": order, **FEW})
        assert one_root_each(parser.parse(long))


def test_in_very_long_sentences_words_hang_on_words_that_are_near(monkeypatch):
    monkeypatch.setattr("commonground.parsers.graph.arcs.LONG", 20)
    monkeypatch.setattr("commonground.parsers.graph.arcs.FAR", 3)
    words = ["the", "dog", "sees"] * 10
    heads = [30, *range(1, 29), 0]  # the first arc is too long to be learned
    long = Dependencies.of([(words, heads, ["dep"] * len(words))])
    long = long.replace("words", upos=Strings.constant("NOUN", len(words)))
    for parser in (
        cg.train(treebank, "mst", gold_tags=True, settings=FEW) for treebank in (tiny(), long)
    ):
        parsed = parser.parse(long)
        assert one_root_each(parsed)
        far = np.abs(parsed.head - np.arange(1, 31))
        assert (far[parsed.head > 0] <= 3).all()


def test_a_sentence_that_is_too_long_is_told(monkeypatch):
    monkeypatch.setattr("commonground.parsers.graph.words.MOST_WORDS", 6)
    parser = cg.train(tiny(), "mst", gold_tags=True, settings=FEW)
    long = Dependencies.of([(["a"] * 7, [0, 1, 1, 1, 1, 1, 1], ["_"] * 7)])
    with pytest.raises(InputError, match="has 7 words"):
        parser.parse(long.replace("words", upos=Strings.constant("NOUN", 7)))


def test_labels_and_tags_that_were_never_seen_do_no_harm():
    parser = cg.train(tiny(), "mst", gold_tags=True, settings=FEW)
    other = Dependencies.of([(["Ünseen", "wörds"], [2, 0], ["x", "y"])])
    other = other.replace("words", upos=Strings.of(["ZZ", "YY"]))
    assert one_root_each(parser.parse(other))


def test_nonprojective_trees_are_found_by_first_order():
    heads, labels = [3, 4, 0, 3, 4], "a b root c d".split()
    corpus = Dependencies.of([("u v w x y".split(), heads, labels)] * 4)
    corpus = corpus.replace("words", upos=corpus.form)
    parser = cg.train(corpus, "mst", gold_tags=True, settings=SMALL | {"order": 1, "iterations": 5})
    assert parser.parse(corpus).head.tolist() == corpus.head.tolist()


def crossing(copies=4):
    """Trees of which one arc in five crosses others."""
    heads, labels = [3, 4, 0, 3, 4], "a b root c d".split()
    corpus = Dependencies.of([("u v w x y".split(), heads, labels)] * copies)
    return corpus.replace("words", upos=corpus.form)


@pytest.mark.parametrize("name", ["mst", "stacked"])
def test_where_arcs_cross_they_are_learned_as_they_are(tmp_path, name):
    corpus = crossing()
    parser = cg.train(corpus, name, gold_tags=True, settings=SMALL | {"iterations": 5})
    assert not parser.encoding
    assert parser.parse(corpus).head.tolist() == corpus.head.tolist()
    parser.save(tmp_path / "model")
    assert cg.load_parser(tmp_path / "model").parse(corpus) == parser.parse(corpus)


def test_projective_trees_can_be_asked_for_where_arcs_cross():
    settings = FEW | {"trees": "projective"}
    parser = cg.train(crossing(), "mst", gold_tags=True, settings=settings)
    assert parser.encoding == "head"
    assert cg.train(tiny(), "mst", gold_tags=True, settings=FEW).encoding == "head"
    assert not cg.train(tiny(), "mst", gold_tags=True, settings=FEW | {"trees": "any"}).encoding


def test_trees_of_any_shape_have_one_root_and_partial_ones_are_learned():
    corpus = tiny(6)
    settings = SMALL | {"iterations": 8, "trees": "any"}
    parser = cg.train(without_heads(corpus, 0.5), "mst", gold_tags=True, settings=settings)
    parsed = parser.parse(corpus)
    assert one_root_each(parsed)
    assert (parsed.head == corpus.head).mean() > 0.9


def test_the_lines_of_a_tree_are_its_arcs_with_those_above_them():
    corpus = tiny(1)
    words = words_of(corpus)
    arcs = all_arcs(words, 0, words.sentences)
    lines = lines_of(arcs).sentence(arcs, 0)
    one = arcs.sentence(0)
    heads = corpus.head[:6]
    rows = lines.rows(one, one.tree(heads))
    found = {tuple(anchors) for anchors in (lines.anchors[rows] - words.base[0]).tolist()}
    assert found == {(h, m, heads[h - 1]) for m, h in enumerate(heads.tolist(), 1) if h}


def test_a_model_of_an_earlier_version_has_no_lines(tmp_path):
    model = cg.train(tiny(), "mst", gold_tags=True, settings=FEW).model.graph
    stored = store_graph("mst", model)
    assert "lines" not in stored.arrays
    assert load_graph(stored).parse(tiny()) == model.parse(tiny())


@pytest.mark.parametrize(("name", "value"), [("trees", "some"), ("crossing", "0.5")])
def test_trees_and_prices_that_cannot_be_are_refused(name, value):
    with pytest.raises(UsageError, match=r"they can be|1 is the least"):
        cg.train(tiny(), "mst", settings={name: value})


def test_all_arcs_are_there_and_pairs_are_of_one_side():
    words = words_of(tiny(1))
    arcs = all_arcs(words, 0, words.sentences)
    assert np.diff(arcs.arcs).tolist() == [n * n for n in words.lengths.tolist()]
    assert len(set(zip(arcs.anchors[:, 0], arcs.anchors[:, 1], strict=True))) == len(arcs.head)
    pairs = pairs_of(arcs)
    above, own, inner = pairs.anchors[pairs.anchors[:, 2] > 0].T
    assert ((np.minimum(above, own) < inner) & (inner < np.maximum(above, own))).all()
