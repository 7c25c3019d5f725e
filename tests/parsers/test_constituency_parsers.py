"""The constituency parsers give every sentence a tree, and say the same on every machine."""

from __future__ import annotations

import pytest
from command import run, write

import commonground as cg
from commonground.corpus import Constituents
from commonground.errors import InputError
from commonground.parsers.constituency.phrases import phrases_of, with_phrases, without_traces
from commonground.parsers.constituency.shortlist import Shortlist
from commonground.parsers.constituency.spans import SpanLearner, SpanSettings, load_spans
from commonground.parsers.constituency.words import span_rows, tagged_words
from commonground.parsers.model_file import ModelError, Stored

NAMES = ["spans", "pcfg"]

TREES = """
(ROOT (S (NP-SBJ (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (JJ small) (NN dog))) (. .)))
(ROOT (S (NP-SBJ (NNS dogs)) (VP (VBP bark)) (. .)))
(ROOT (S (NP-SBJ (PRP she)) (VP (VBZ sees) (NP (PRP it)) (PP-LOC (IN in) (NP (NNP Rome)))) (. .)))
(ROOT (NP (NNP Rome)))
"""


def tiny(text=TREES, copies=3):
    return cg.read_text(text * copies, format="brackets")


def few(name, **more):
    return ({"iterations": 4} if name == "spans" else {}) | more


def brackets(corpus):
    return [sorted(tree) for tree in phrases_of(corpus, functions=True)]


def test_phrases_there_and_back_are_the_same_trees():
    trees = tiny()
    assert with_phrases(trees, phrases_of(trees, functions=True)) == trees


def test_trees_on_standard_output_are_brackets(tmp_path):
    trees, model = write(tmp_path / "a.mrg", TREES), str(tmp_path / "model")
    cg.train(tiny(), "pcfg", gold_tags=True).save(model)
    done = run("parse", model, trees, "-").stdout
    assert [len(tree.column("form")) for tree in cg.read_text(done)] == [7, 3, 6, 1]


def test_traces_are_left_out():
    trees = tiny("(S (NP (-NONE- *T*-1)) (VP (VB go)))\n", 1)
    assert [len(tree) for tree in phrases_of(trees, functions=False)] == [1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("functions", [False, True])
def test_trees_that_were_seen_are_found_again(name, functions):
    trees = tiny()
    settings = few(name, functions=functions) | ({"iterations": 10} if name == "spans" else {})
    parser = cg.train(trees, name, gold_tags=True, settings=settings)
    parsed = parser.parse(trees)
    assert phrases_of(parsed, functions=True) == phrases_of(trees, functions=functions)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_trained_twice_is_the_same_bytes_and_is_read_again(tmp_path, name):
    trees = tiny()
    for file in ("one", "two"):
        cg.train(trees, name, gold_tags=True, settings=few(name)).save(tmp_path / file)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    parsed = cg.load_parser(tmp_path / "one").parse(trees)
    assert parsed == cg.train(trees, name, gold_tags=True, settings=few(name)).parse(trees)


@pytest.mark.parametrize("name", NAMES)
def test_the_twins_make_the_same_model_and_trees(tmp_path, monkeypatch, name):
    parsed = []
    for kind in ("python", "compiled"):
        monkeypatch.setenv("COMMONGROUND_KERNELS", kind)
        parser = cg.train(tiny(copies=1), name, gold_tags=True, settings=few(name))
        parser.save(tmp_path / kind)
        parsed.append(parser.parse(tiny(copies=1)))
    assert (tmp_path / "python").read_bytes() == (tmp_path / "compiled").read_bytes()
    assert parsed[0] == parsed[1]


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_gets_a_parse(name):
    parser = cg.train(tiny(), name, gold_tags=True, settings=few(name))
    strange = "(X (Q ünseen) (Q wörds) (ZZ 1,000) (DT the) (. .) (. .) (VBZ sees))\n"
    long = "(X " + "(DT the) (NN cat) (VBZ sees) " * 70 + ")\n"
    parsed = parser.parse(tiny(strange + long, 1))
    for sentence, length in enumerate((7, 210)):
        tree = phrases_of(parsed, functions=True)[sentence]
        assert any((i, j) == (0, length) for i, j, _ in tree)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", [TREES.split("\n")[1], "(X (X a) (X b))", "(NP (NN Rome))"])
def test_a_treebank_of_one_sentence_is_enough(name, text):
    """One label for words and phrases, and one word, are no treebanks of their own either."""
    trees = tiny(text, 1)
    settings = few(name) | ({"iterations": 10} if name == "spans" else {})
    for gold_tags in (True, False):
        parsed = cg.train(trees, name, gold_tags=gold_tags, settings=settings).parse(trees)
        assert phrases_of(parsed, functions=False) == phrases_of(trees, functions=False)


@pytest.mark.parametrize("name", NAMES)
def test_sentences_without_words_have_no_phrases_and_harm_no_other(name):
    parser = cg.train(tiny("(ROOT )\n(ROOT (NP (-NONE- *)))\n" + TREES), name, settings=few(name))
    parsed = parser.parse(tiny("(ROOT )\n(ROOT (NP (-NONE- *)))\n" + TREES, 1))
    counts = [len(tree) for tree in phrases_of(parsed, functions=False)]
    assert counts[:2] == [0, 0]
    assert all(counts[2:])


@pytest.mark.parametrize("name", NAMES)
def test_a_treebank_of_nothing_but_traces_is_refused(name):
    with pytest.raises(InputError, match="nothing to learn from"):
        cg.train(tiny("(ROOT (NP (-NONE- *)))", 1), name, gold_tags=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_of_gold_tags_says_that_it_needs_tags(name):
    parser = cg.train(tiny(), name, gold_tags=True, settings=few(name))
    with pytest.raises(InputError, match="no word has a tag"):
        parser.parse(tiny().replace("words", tag=tiny().tag.map(lambda _: "_")))


def test_very_long_sentences_are_parsed_in_stretches(monkeypatch):
    monkeypatch.setattr("commonground.parsers.constituency.spans.LONGEST", 12)
    parser = cg.train(tiny(), "spans", gold_tags=True, settings=few("spans", iterations=10))
    words = "(DT the) (NN cat) (VBZ sees) (DT a) (JJ small) (NN dog) (. .) "
    parsed = parser.parse(
        tiny(f"(X (NN Rome))\n(X {words * 4})\n(X (-NONE- *))\n(X (NN Rome))\n", 1)
    )
    result = phrases_of(parsed, functions=False)
    assert [len(tree) for tree in (result[0], result[2], result[3])] == [1, 0, 1]
    assert {(0, 28), (0, 7), (7, 14), (14, 21), (21, 28)} <= {(i, j) for i, j, _ in result[1]}


def test_a_treebank_of_very_long_sentences_teaches_nothing_but_labels(monkeypatch):
    monkeypatch.setattr("commonground.parsers.constituency.spans.LONGEST", 2)
    parser = cg.train(tiny(TREES.split("\n")[1], 1), "spans", gold_tags=True)
    parsed = phrases_of(parser.parse(tiny(copies=1)), functions=False)
    assert all(
        (0, n) in {(i, j) for i, j, _ in tree} for n, tree in zip((7, 3, 6, 1), parsed, strict=True)
    )


def test_a_label_knows_the_label_above_it():
    """An A below a B is an A; the same words below a C are a D."""
    text = "(B (A (x x) (y y)) (p p))\n(C (D (x x) (y y)) (q q))\n"
    trees = tiny(text, 4)
    parsed = cg.train(trees, "spans", gold_tags=True, settings=few("spans", iterations=10)).parse(
        trees
    )
    assert phrases_of(parsed, functions=False) == phrases_of(trees, functions=False)


def test_a_label_knows_the_first_word_above_it_and_the_phrase_beside_it():
    """Words are an A or a B by the word three before them; an E or an F by what stands between."""
    text = (
        "".join(
            f"(S (V {verb} (N (n x) (m {m})) ({y} (p p) (x x) (m m))))\n"
            for verb, y in (("(v a)", "A"), ("(v b)", "B"))
            for m in "mn"
        )
        + "(S (C (c c) (c c)) (E (p p) (q q)))\n(S (D (c c) (c c) (c c)) (F (p p) (q q)))\n"
    )
    trees = tiny(text, 4)
    parsed = cg.train(trees, "spans", gold_tags=True, settings=few("spans", iterations=10)).parse(
        trees
    )
    assert phrases_of(parsed, functions=False) == phrases_of(trees, functions=False)


def test_a_weak_first_look_does_not_leave_too_many_candidates():
    """Of words that were never seen all labels are alike; only a few for each word are kept."""
    learner = SpanLearner(tiny(), SpanSettings(iterations=1), 0)
    learner.iterate(0)
    model = learner.model()
    long = tiny("(X " + "(Q wörd) " * 60 + ")\n", 1)
    words = tagged_words(without_traces(long))
    found = Shortlist(len(model.chains), model.weights[0]).candidates(words, span_rows(words, 0, 1))
    assert 1 <= len(found.chain) <= 9 * 60


def test_a_model_of_an_earlier_version_has_to_be_trained_again():
    with pytest.raises(ModelError, match="train it again"):
        load_spans(Stored("spans", {"chains": [[["S", "_"]]], "least": -9}, {}))


@pytest.mark.parametrize("name", NAMES)
def test_trees_with_gaps_are_refused(name):
    gap = cg.read_text("(S (VP 0=go 2=away) 1=now)\n", format="discbracket")
    with pytest.raises(InputError, match="has a gap"):
        cg.train(gap, name)


@pytest.mark.parametrize("name", NAMES)
def test_relational_realizational_trees_are_learned(name):
    text = "(S (SBJ (NP (NN Birds))) (PRD (VB sing)) (ADV (ADVP (RB loudly))))\n"
    trees = tiny(text, 3)
    settings = few(name, functions=True) | ({"iterations": 10} if name == "spans" else {})
    parsed = cg.train(trees, name, gold_tags=True, settings=settings).parse(trees)
    assert brackets(parsed) == brackets(trees)


@pytest.mark.parametrize("name", NAMES)
def test_words_without_tags_are_parsed_by_a_model_that_tags(name):
    parser = cg.train(tiny(), name, settings=few(name))
    bare = tiny().replace("words", tag=tiny().tag.map(lambda _: "_"))
    parsed = parser.parse(bare)
    assert isinstance(parsed, Constituents)
    assert len(parsed) == len(bare)


def test_traces_are_no_tags_that_words_could_get():
    trees = cg.read("example:ptb")
    parser = cg.train(trees[:12], "pcfg", settings={})
    parsed = parser.parse(trees[12:20])
    assert not parsed.traces.any()
    assert parsed.form.tolist() == trees[12:20].form[~trees[12:20].traces].tolist()


def test_the_words_of_dependencies_are_parsed():
    model = cg.train(tiny(), "pcfg")
    forms = ["dogs", "bark", "."]
    rows = "".join(f"{n}\t{form}" + "\t_" * 8 + "\n" for n, form in enumerate(forms, 1))
    words = cg.read_text(f"{rows}\n" * 2, format="conllu", partial=True)
    trees = cg.read_text("(X (X dogs) (X bark) (X .))\n" * 2, format="brackets")
    parsed = model.parse(words)
    assert parsed.form.tolist() == forms * 2
    assert brackets(parsed) == brackets(model.parse(trees))
    assert "VP" in parsed.label.tolist()
