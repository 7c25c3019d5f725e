"""Two tokenisations of the same text are lined up as the CoNLL 2018 scorer does."""

from functools import cache
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retokenised import retokenised
from scorer_names import UDEVAL
from udtools import udeval

from commonground.corpus import Dependencies
from commonground.errors import InputError
from commonground.evaluation.evaluate import evaluate
from commonground.formats import read, read_text, write_text
from commonground.kernels import built, load, pairing
from commonground.metrics.settings import Settings, preset
from commonground.tokens import align_words, spans_of


def loaded(path):
    with path.open(encoding="utf-8") as file:
        return udeval.load_conllu(file, str(path), {})


@cache
def udeval_says(gold, system):
    """What udeval says about two files; it is asked once for both kinds of kernels."""
    return udeval.evaluate(*map(loaded, (gold, system)))


def assert_udeval_says_the_same(gold, system):
    said = udeval_says(gold, system)
    result = evaluate(gold, system, metrics=list(UDEVAL.values()), settings=preset("conll18"))
    for name, metric in UDEVAL.items():
        totals = result[metric].counts.totals
        outcome = (totals["correct"], totals["gold"], totals["system"])
        assert outcome == (said[name].correct, said[name].gold_total, said[name].system_total), name
        if said[name].aligned_total is not None:
            assert totals["aligned"] == said[name].aligned_total, name


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", range(3))
def test_the_example_in_another_tokenisation_scores_as_udeval_says(tmp_path, seed, kernels):
    corpus = read("example:ud")
    paths = [written(tmp_path / f"{i}.conllu", retokenised(corpus, 10 * seed + i)) for i in (1, 2)]
    assert_udeval_says_the_same(*paths)


@pytest.fixture(scope="module", params=range(2))
def ewt(request, shared, tmp_path_factory):
    """Every third sentence of a treebank, and the same in another tokenisation."""
    folder = tmp_path_factory.mktemp("ewt")
    corpus = read(shared / "data/ewt/test.conllu")[::3]
    gold = written(folder / "gold.conllu", write_text(corpus, "conllu"))
    return gold, written(folder / "system.conllu", retokenised(corpus, request.param))


def test_ewt_in_another_tokenisation_scores_as_udeval_says(ewt, kernels):
    gold, system = ewt
    assert_udeval_says_the_same(gold, system)
    assert_udeval_says_the_same(system, gold)


@pytest.mark.parametrize("language", ["de", "it"])
def test_other_languages_score_as_udeval_says(shared, tmp_path, language):
    corpus = read(shared / f"data/pud/{language}.conllu")[::2]
    gold = written(tmp_path / "gold.conllu", write_text(corpus, "conllu"))
    system = written(tmp_path / "system.conllu", retokenised(corpus, 7))
    assert_udeval_says_the_same(gold, system)


ENHANCED = (
    "1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_\n"
    "2\tran\trun\tVERB\t_\t_\t0\troot\t0:root\t_\n"
    "3\thome\thome\tNOUN\t_\t_\t2\tobl\tARCS\t_\n\n"
)


@pytest.mark.parametrize("gold", ["2:obl:in|2:obl:on", "2:obl:in"])
@pytest.mark.parametrize("system", ["2:obl:in|2:obl:on", "1:nmod|2:obl:at|2:obl:in|2:obl:on"])
def test_the_preset_counts_each_pair_of_equal_arcs_as_the_scorer_does(tmp_path, gold, system):
    """Two arcs of a word that are equal without subtypes, on both sides, are four right ones."""
    texts = (ENHANCED.replace("ARCS", arcs) for arcs in (gold, system))
    paths = [written(tmp_path / f"{i}.conllu", text) for i, text in enumerate(texts)]
    assert_udeval_says_the_same(*paths)
    plain = evaluate(*paths, metrics=["eulas"])["eulas"].counts.totals
    assert plain["correct"] <= min(plain["gold"], plain["system"])


def test_only_by_default_a_graph_with_equal_arcs_scores_1_against_itself(tmp_path):
    path = written(tmp_path / "a.conllu", ENHANCED.replace("ARCS", "2:obl:in|2:obl:on"))
    assert evaluate(path, path, metrics=["eulas"])["eulas"].value == 1
    assert evaluate(path, path, settings=preset("iwpt20"))["eulas"].value == 1.5


def conllu(*tokens):
    """A sentence of tokens: a word, or a pair of a multiword token and its words."""
    rows, number = [], 0
    for token in tokens:
        surface, words = token if isinstance(token, tuple) else (token, [token])
        if len(words) > 1:
            rows.append(f"{number + 1}-{number + len(words)}\t{surface}" + "\t_" * 8)
        for word in words:
            number += 1
            rows.append(f"{number}\t{word}\t_\t_\t_\t_\t{int(number > 1)}\t_\t_\t_")
    return read_text("\n".join(rows) + "\n\n", "conllu")


def pairs(gold, system):
    result = align_words(gold, system)
    return list(zip(result.gold.tolist(), result.system.tolist(), strict=True))


def test_words_with_the_same_characters_are_the_same():
    assert pairs(conllu("a", "bc", "d"), conllu("a", "b", "c", "d")) == [(0, 0), (2, 3)]


def test_words_of_multiword_tokens_are_paired_by_their_forms():
    gold = conllu(("du", ["de", "le"]), "pain")
    assert pairs(gold, conllu("du", "pain")) == [(2, 1)]
    assert pairs(gold, conllu(("dupain", ["de", "le", "pain"]))) == [(0, 0), (1, 1), (2, 2)]
    assert pairs(gold, conllu(("du", ["DE", "les"]), "pain")) == [(0, 0), (2, 2)]


@pytest.mark.parametrize("other", [["de", "le"], [("dou", ["de", "le"])]])
@pytest.mark.parametrize("way", ["fail", "skip", "zero"])
def test_the_same_words_are_scored_whatever_multiword_tokens_spell(other, way):
    """A parse may lack them, as in CoNLL-X, or another release spell them in another way."""
    gold, parse = conllu(("du", ["de", "le"]), "pain"), conllu(*other, "pain")
    result = evaluate(
        gold, parse, metrics=["uas", "words", "tokens"], settings=Settings(on_mismatch=way)
    )
    assert result["uas"].value == result["words"].value == 1
    tokens = result["tokens"].counts.totals
    assert (tokens["correct"], tokens["gold"], tokens["system"]) == (1, 2, len(other) + 1)


def test_tokens_of_the_same_words_are_the_same_if_they_have_the_same_form():
    gold = conllu(("du", ["de", "le"]), "pain", ("au", ["à", "le"]), "x")
    system = conllu(("dou", ["de", "le"]), "pain", ("au", ["à", "le"]), "x")
    result = align_words(gold, system, same_words=True)
    assert result.same_tokens.tolist() == [3]
    assert result.gold_tokens.tolist() == result.system_tokens.tolist() == [4]


def test_realigning_needs_the_same_text_even_for_the_same_words():
    with pytest.raises(InputError, match="the text goes on with"):
        evaluate(conllu(("du", ["de", "le"])), conllu("de", "le"), settings=preset("conll18"))


def test_white_space_in_words_does_not_count():
    assert spans_of(conllu("10 000", "x")).text == "10000x"
    assert pairs(conllu("10 000", "x"), conllu("10", "000", "x")) == [(1, 2)]


def test_a_word_knows_the_gold_sentence_that_it_begins_in():
    text = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n1\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    gold, system = read_text(text, "conllu"), conllu("a", "b")
    assert align_words(gold, system).sentence_of_system.tolist() == [0, 1]
    assert align_words(gold, system).same_sentences.tolist() == [0, 0]


SPACES = ["\N{NO-BREAK SPACE}", "\N{IDEOGRAPHIC SPACE}"]


@pytest.mark.parametrize("space", SPACES)
def test_a_word_of_white_space_has_no_place_in_the_text(space):
    corpus = Dependencies.of([(["a", space], [0, 1], ["root", "dep"])])
    with pytest.raises(InputError, match="only white space, and has no place in the text"):
        spans_of(corpus)


@pytest.mark.parametrize(("one", "two", "pairs"), [(0, 1, []), (1, 0, [0]), (1, 1, [])])
def test_words_without_characters_do_not_hold_the_pairing_up(one, two, pairs, kernels):
    at, form = np.array([0]), np.array([7])
    gold, system = ((at, at, np.array([bool(multiword)]), form) for multiword in (one, two))
    result = load("pairing").pair_words(gold, system)
    assert [rows.tolist() for rows in result] == [pairs, pairs]


def test_an_empty_treebank_can_be_aligned():
    empty = conllu("a")[:0]
    assert pairs(empty, empty) == []


@st.composite
def sides(draw):
    """Two random cuts of the same characters, some tokens of several words."""

    def one():
        start, end, multiword, form = [], [], [], []
        at = 0
        while at < 12:
            stop = min(12, at + draw(st.integers(1, 3)))
            words = draw(st.sampled_from([1, 1, 2, 3]))
            for _ in range(words):
                start.append(at)
                end.append(stop)
                multiword.append(words > 1)
                form.append(draw(st.integers(0, 3)))
            at = stop
        return np.array(start), np.array(end), np.array(multiword), np.array(form)

    return one(), one()


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(sides())
def test_the_twins_pair_the_same_words(both):
    compiled = import_module("commonground.kernels._pairing")
    one, two = pairing.pair_words(*both), compiled.pair_words(*both)
    assert [rows.tolist() for rows in one] == [rows.tolist() for rows in two]


@given(sides())
def test_pairs_are_in_order_on_both_sides(both):
    gold, system = pairing.pair_words(*both)
    assert (np.diff(gold) > 0).all()
    assert (np.diff(system) > 0).all()
