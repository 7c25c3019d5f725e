"""Corpora straight from other packages' objects."""

from dataclasses import dataclass, field

import numpy as np
import pytest

import commonground as cg
from commonground.errors import UsageError
from commonground.formats import read_text
from commonground.formats.objects import as_corpus

CONLLU = "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo\tdo\tAUX\tVB\tMood=Imp\t0\troot\t_\t_\n2\tn't\tnot\tPART\tRB\t_\t1\tadvmod\t_\t_\n\n"


@dataclass
class Word:
    id: int
    text: str
    lemma: str
    upos: str
    xpos: str
    feats: str | None
    head: int
    deprel: str


@dataclass
class Token:
    id: tuple[int, ...]
    text: str
    words: list[Word]


@dataclass
class Sentence:
    tokens: list[Token]


@dataclass
class Document:
    """Has what a Stanza document has."""

    sentences: list[Sentence]


Document.__module__ = "stanza.models.common.doc"


def stanza_document():
    words = [
        Word(1, "do", "do", "AUX", "VB", "Mood=Imp", 0, "root"),
        Word(2, "n't", "not", "PART", "RB", None, 1, "advmod"),
    ]
    return Document([Sentence([Token((1, 2), "don't", words)])])


@dataclass
class SpacyToken:
    """Has what a spaCy token has."""

    i: int
    text: str
    dep_: str
    head: "SpacyToken" = None
    is_space: bool = False
    lemma_: str = ""
    pos_: str = "X"
    tag_: str = "X"
    morph: str = ""


@dataclass
class Doc:
    tokens: list[SpacyToken] = field(default_factory=list)

    @property
    def sents(self):
        return [self.tokens]


Doc.__module__ = "spacy.tokens.doc"


def spacy_doc():
    birds, space, sing = (
        SpacyToken(0, "Birds", "nsubj"),
        SpacyToken(1, "\n ", "dep", is_space=True),
        SpacyToken(2, "sing", "ROOT"),
    )
    birds.head, space.head, sing.head = sing, birds, sing
    return Doc([birds, space, sing])


def test_a_stanza_document_is_read_with_its_multiword_tokens():
    assert as_corpus(stanza_document()) == read_text(CONLLU)


def test_a_spacy_doc_is_read_without_its_white_space():
    corpus = as_corpus(spacy_doc())
    assert corpus.form.tolist() == ["Birds", "sing"]
    assert corpus.head.tolist() == [2, 0]
    assert corpus.deprel.tolist() == ["nsubj", "ROOT"]


def test_several_documents_follow_each_other():
    assert len(as_corpus([spacy_doc(), spacy_doc()])) == 2


@pytest.fixture
def nltk():
    """It is imported where it is used, for it takes longer than all tests of this file."""
    return pytest.importorskip("nltk")


def test_an_nltk_tree_is_read_as_its_brackets(nltk):
    tree = nltk.Tree.fromstring("(S (NP (DT the) (NN cat)) (VP (VBZ sits)))")
    assert as_corpus(tree) == read_text("(S (NP (DT the) (NN cat)) (VP (VBZ sits)))")
    assert len(as_corpus([tree, tree])) == 2


def test_parentheses_in_an_nltk_tree_are_words(nltk):
    corpus = as_corpus(nltk.Tree("NP", [nltk.Tree("-LRB-", ["("]), nltk.Tree("NN", ["x"])]))
    assert corpus.form.tolist() == ["(", "x"]


def test_a_deep_nltk_tree_is_read(nltk):
    tree = nltk.Tree("NN", ["x"])
    for _ in range(5000):
        tree = nltk.Tree("X", [tree])
    assert as_corpus(tree).nodes.rows == 5000


def test_the_text_that_udpipe_returns_is_read():
    assert as_corpus(CONLLU) == read_text(CONLLU)


@pytest.mark.parametrize("thing", [3, [1, 2], [], None])
def test_what_is_no_treebank_is_refused(thing):
    with pytest.raises(UsageError, match="is not a treebank"):
        as_corpus(thing)


# ── the real packages ────────────────────────────────────────────────────────────────────────────


def gold():
    return cg.read("example:ud")[:12]


def same_trees(made):
    """Tell whether objects of another package became the trees of the example."""
    return made.head.tolist() == gold().head.tolist() and list(made.deprel) == list(gold().deprel)


def test_token_lists_of_conllu_are_a_treebank():
    conllu = pytest.importorskip("conllu")
    sentences = conllu.parse(cg.write_text(gold(), "conllu"))
    assert as_corpus(sentences) == as_corpus(cg.write_text(gold(), "conllu"))
    assert cg.evaluate(gold(), sentences)["LAS"].value == 1
    trees = conllu.parse_tree(cg.write_text(gold(), "conllu"))
    assert same_trees(as_corpus(trees))


def test_sentences_of_pyconll_are_a_treebank():
    pyconll = pytest.importorskip("pyconll")
    treebank = pyconll.load_from_string(cg.write_text(gold(), "conllu"))
    assert same_trees(as_corpus(treebank))
    assert same_trees(as_corpus(list(treebank)))


def test_documents_and_trees_of_udapi_are_a_treebank():
    document = pytest.importorskip("udapi.core.document").Document()
    document.from_conllu_string(cg.write_text(gold(), "conllu"))
    made = as_corpus(document)
    assert same_trees(made)
    assert list(made.feats) == list(gold().feats)
    assert list(made.sent_id) == list(gold().sent_id)
    assert same_trees(as_corpus([bundle.get_tree() for bundle in document.bundles]))


def test_a_spacy_doc_without_sentences_is_told_in_plain_words():
    spacy = pytest.importorskip("spacy")
    blank = spacy.blank("en")
    with pytest.raises(UsageError, match="a spaCy Doc has no sentences; its pipeline needs"):
        as_corpus(blank("Birds sing. Listen!"))
    blank.add_pipe("sentencizer")
    assert len(as_corpus(blank("Birds sing. Listen!"))) == 2


def test_nltk_trees_are_constituents():
    nltk = pytest.importorskip("nltk")
    tree = nltk.Tree.fromstring("(S (NP (NNS Birds)) (VP (VBP sing)))")
    assert cg.evaluate([tree], [tree])["F1"].value == 1


def test_lists_of_heads_are_a_treebank():
    heads = [[2, 0], [2, 0, 2]]
    result = cg.evaluate(heads, [[2, 0], [3, 0, 2]])
    assert result["uas"].value == 4 / 5
    labelled = [([2, 0], ["nsubj", "root"])]
    assert cg.evaluate(labelled, [([2, 0], ["obj", "root"])])["LAS"].value == 1 / 2
    named = as_corpus([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    assert named[0].text == "Birds sing"
    arrays = [np.array(sentence) for sentence in heads]
    assert as_corpus(arrays) == as_corpus(heads)


@pytest.mark.parametrize("source", [[], [[]], [["a"]], [[1.5]], [([1], ["x", 2])], [[9, 9]]])
def test_other_lists_are_refused(source):
    with pytest.raises(UsageError):
        as_corpus(source)
