"""Laws of transformations, on random trees and on random sentences of a grammar."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import examples, heads
from ud_grammar import treebank, ud_sentences

from commonground.corpus import Dependencies
from commonground.corpus.shape import projective, word_depth
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform

UD = find_scheme("ud")
PRESETS = [name for name in scheme_names() if name != "ud"]
ALONE = [
    Scheme(f"{name}-{way}", choices={name: way})
    for name, construction in CONSTRUCTIONS.items()
    for way in construction.ways
    if way != construction.hub
]

LABELS = (
    "nsubj nsubj:outer csubj obj iobj obl obl:arg advmod advcl amod nmod nmod:poss acl acl:relcl det "
    "nummod clf case mark aux aux:pass cop conj cc flat flat:name fixed appos punct xcomp ccomp expl "
    "expl:pv parataxis dep vocative discourse compound reparandum goeswith orphan"
).split()
TAGS = "NOUN PROPN PRON VERB AUX ADP PART SCONJ CCONJ DET NUM ADJ ADV PUNCT X".split()
FEATS = ["_", "VerbForm=Inf", "VerbForm=Fin", "VerbForm=Part", "PronType=Rel"]


@st.composite
def wild_sentences(draw, longest=9):
    """A random tree with random labels, tags and features: grammar means nothing to it."""
    tree = draw(heads(draw(st.integers(1, longest))))
    return [
        (
            draw(st.sampled_from(TAGS)),
            draw(st.sampled_from(FEATS)),
            head,
            draw(st.sampled_from(LABELS)) if head else "root",
        )
        for head in tree
    ]


def there_and_back(corpus, scheme):
    there, _ = transform(corpus, UD, scheme)
    back, _ = transform(there, scheme, UD)
    return there, back


def assert_trees(corpus: Dependencies, before: Dependencies):
    """One root for each sentence, every word below it, the same words."""
    assert (word_depth(corpus) > 0).all()
    assert (np.add.reduceat(corpus.head == 0, corpus.offsets[:-1]) == 1).all()
    assert corpus.form == before.form
    assert corpus.upos == before.upos


@settings(max_examples=examples(40))
@given(st.lists(wild_sentences(), min_size=1, max_size=4))
def test_any_tree_stays_a_tree_with_the_same_words_in_every_scheme(sentences):
    corpus = treebank(sentences)
    for name in PRESETS:
        for source, target in (("ud", name), (name, "ud"), (name, "sud")):
            done, _ = transform(corpus, source, target)
            assert_trees(done, corpus)


@settings(max_examples=examples(40))
@given(wild_sentences(), st.sampled_from(ALONE), st.sampled_from(ALONE))
def test_any_tree_stays_a_tree_between_any_two_ways(sentence, one, other):
    corpus = treebank([sentence])
    done, _ = transform(corpus, one, other)
    assert_trees(done, corpus)


@pytest.mark.parametrize("scheme", ALONE, ids=lambda scheme: scheme.name)
@settings(max_examples=examples(15))
@given(ud_sentences())
def test_each_construction_alone_there_and_back_is_the_identity(scheme, sentence):
    # On the last conjunct as head, a postposition of all conjuncts looks like its own one.
    assume(
        not (scheme.way("coordination").startswith("last") and has_shared_postposition(sentence))
    )
    corpus = treebank([sentence])
    _, back = there_and_back(corpus, scheme)
    assert back.head.tolist() == corpus.head.tolist()
    assert back.deprel.tolist() == corpus.deprel.tolist()


def has_shared_postposition(sentence):
    """Tell whether a postposition on a first conjunct stands behind another conjunct."""
    conjuncts = {
        head: place for place, (_, _, head, label) in enumerate(sentence, 1) if label == "conj"
    }
    return any(
        label == "case" and 0 < conjuncts.get(head, 0) < place
        for place, (_, _, head, label) in enumerate(sentence, 1)
    )


@settings(max_examples=examples(40))
@given(ud_sentences())
def test_all_constructions_together_there_and_back_are_the_identity(sentence):
    corpus = treebank([sentence])
    for name in PRESETS:
        _, back = there_and_back(corpus, name)
        # Which phrase a mark beside two of them sets off, it does not tell.
        kept = find_scheme(name).way("punctuation") == "inside"
        asked = corpus.deprel.where(lambda label, kept=kept: kept or label != "punct")
        assert back.head[asked].tolist() == corpus.head[asked].tolist(), name


@settings(max_examples=examples(60))
@given(ud_sentences())
def test_sud_keeps_the_labels_of_what_the_grammar_makes(sentence):
    tags = [tag for tag, _, _, _ in sentence]
    # An oblique of a nominal predicate looks like a modifier of that nominal.
    assume(
        all(tags[head - 1] in ("VERB", "ADJ") for _, _, head, label in sentence if label == "obl")
    )
    corpus = treebank([sentence])
    _, back = there_and_back(corpus, "sud")
    assert back.deprel.tolist() == corpus.deprel.tolist()


@settings(max_examples=examples(40))
@given(ud_sentences())
def test_projective_sentences_stay_projective(sentence):
    corpus = treebank([sentence])
    assume(projective(corpus).all())
    for name in PRESETS:
        done, _ = transform(corpus, "ud", name)
        assert projective(done).all(), name


@settings(max_examples=examples(40))
@given(wild_sentences(), st.sampled_from(PRESETS))
def test_the_report_counts_exactly_what_the_way_back_does_not_find(sentence, name):
    corpus = treebank([sentence])
    there, report = transform(corpus, UD, name, losses=True)
    back, _ = transform(there, name, UD)
    lost = (back.head != corpus.head) | np.array(
        [a != b for a, b in zip(back.deprel.tolist(), corpus.deprel.tolist(), strict=True)]
    )
    assert report.losses.either.total() == lost.sum()
    assert report.losses.heads == (back.head != corpus.head).sum()


@settings(max_examples=examples(40))
@given(wild_sentences(), st.sampled_from(list(CONSTRUCTIONS)))
def test_a_transformation_to_the_same_scheme_changes_nothing(sentence, construction):
    corpus = treebank([sentence])
    done, report = transform(corpus, "sud", "sud")
    assert done == corpus
    done, _ = transform(corpus, "sud", "ud", only=[])
    assert done == corpus
    assert report.changed(construction) == 0


@settings(max_examples=examples(30))
@given(ud_sentences(), st.sampled_from(list(CONSTRUCTIONS)), st.sampled_from(PRESETS))
def test_one_construction_of_another_scheme_there_and_back_is_the_identity(sentence, only, name):
    corpus = treebank([sentence])
    there, report = transform(corpus, "ud", name, only=[only])
    assert report.target == f"ud+{name}:{only}"
    back, _ = transform(there, report.target, "ud")
    assert back.head.tolist() == corpus.head.tolist()
