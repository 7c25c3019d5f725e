"""F-structures anchored in the words of their sentences."""

from __future__ import annotations

import pytest
from command import run

import commonground
from commonground import read_text, to_functions
from commonground.errors import UsageError
from commonground.ground.anchoring import anchored


def structure(text, *features):
    told = "\n".join(features)
    return read_text(f"sentence(\nid(1)\nsentence_form({text})\nstructure(\n{told})\n)\n", "parc")


def placed(corpus):
    nodes = anchored(corpus).corpus.nodes
    return dict(zip(nodes.strings("text"), nodes.numbers("first").tolist(), strict=True))


def test_words_are_found_by_their_lemmas():
    corpus = structure("Birds were singing.", "subj(sing~0, bird~1)", "aux(sing~0, be~2)")
    assert placed(corpus) == {"sing": 3, "bird": 1, "be": 2}


def test_grammatical_relations_without_numbers_are_anchored_in_their_words():
    corpus = read_text("Birds sing a song .\n(ncsubj sing Birds _)\n(dobj sing song)\n", "gr")
    assert placed(corpus) == {"sing": 2, "Birds": 1, "song": 4}
    assert to_functions(corpus).form.tolist() == ["Birds", "sing", "a", "song", "."]


def test_equal_words_are_told_apart_by_the_order_of_their_numbers():
    corpus = structure("dogs of men of war", "adj(dog~0, of~1)", "adj(man~3, of~2)")
    result = anchored(corpus).corpus.nodes
    texts = zip(result.strings("text"), result.numbers("first").tolist(), strict=True)
    assert [place for text, place in texts if text == "of"] == [2, 4]


def test_a_coordination_stands_for_its_conjunction():
    corpus = structure("cats and dogs", "conj(coord~0, cat~1)", "coord_form(coord~0, and)")
    assert placed(corpus)["coord"] == 2


def test_what_is_not_found_is_told():
    corpus = structure("Birds sing.", "subj(sing~0, bird~1)", "adjunct(sing~0, loudly~2)")
    assert anchored(corpus).missing == (("1", "loudly"),)
    assert anchored(corpus).remark == "1 of 3 nodes stand for no known word: loudly in 1"


def test_null_pronouns_are_not_missing():
    corpus = structure("Sing.", "subj(sing~0, pro~1)", "pron_type(pro~1, null)")
    assert anchored(corpus).missing == ()


def test_relations_without_words_and_text_have_no_yields():
    with pytest.raises(UsageError, match="the text is not given"):
        to_functions(read_text("sentence(\nid(1)\nstructure(\nsubj(sing~0, bird~1))\n)\n", "parc"))


def test_all_of_pe08_can_be_compared(shared):
    kinds = ("ptb", "gr", "hpsg-pa", "parc", "stanford")
    folder = shared / "data" / "pe08"
    corpora = {kind: commonground.read(folder / f"genia.{kind}") for kind in kinds}
    outcome = anchored(corpora["parc"])
    assert (len(outcome.missing), outcome.nodes) == (5, 231)
    pairs = {kind: (corpus, corpus) for kind, corpus in corpora.items()}
    settings = commonground.Settings(on_mismatch="realign")
    result = commonground.compare(pairs, settings=settings)
    assert all(system.single.unlabelled.value == 1 for system in result.systems)
    assert 0.5 < result.overlap["parc", "ptb"].unlabelled.value < 1


def test_convert_tells_what_was_not_anchored(shared):
    done = run("convert", shared / "data" / "pe08" / "genia.parc", "-", "--to", "functions")
    assert done.returncode == 0
    assert "5 of 231 nodes stand for no known word" in done.stderr
