"""Tags that are learned together, from their pieces and a lexicon."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from commonground import read_text
from commonground.corpus import Strings
from commonground.parsers.lexicon import learned_lexicon
from commonground.parsers.model_file import ModelError
from commonground.parsers.tag_pieces import pieces_of, tags_of
from commonground.parsers.tagger import TaggerSettings, load_tagger, train_tagger

WORDS = [("evler", "ev", "Plur"), ("evde", "ev", "Sing"), ("kuşlar", "kuş", "Plur"),
         ("kuşta", "kuş", "Sing"), ("atlar", "at", "Plur"), ("elde", "el", "Sing")]  # fmt: skip


def treebank(xpos="N"):
    lines = [
        f"1\t{form}\t{lemma}\tNOUN\t{xpos if n else 'N'}\tNumber={number}\t0\troot\t_\t_\n"
        for n, (form, lemma, number) in enumerate(WORDS)
    ]
    return read_text("\n".join(lines) + "\n", "conllu")


def test_tags_share_their_pieces_and_are_told_apart_by_themselves():
    firsts, pieces = tags_of(["upos", "feats"], ["N\tA=1|B=1", "N\tA=1", "N\t_"])
    lists = [set(pieces[a:b].tolist()) for a, b in pairwise(firsts)]
    assert len(lists[0] & lists[1]) == 2
    assert len(lists[1] & lists[2]) == 1
    assert all(each - other for each in lists for other in lists if each is not other)
    assert len(pieces_of(["feats"], "A=1|A=1")) == 2


def test_a_form_that_was_seen_once_is_known_as_a_new_one_would_be():
    forms = Strings.of(form for form, _, _ in WORDS)
    tags = [0, 1, 0, 1, 0, 1]
    stems = [(lemma, "NOUN") for _, lemma, _ in WORDS]
    _, own = learned_lexicon(forms, tags, stems)
    for place in range(len(WORDS)):
        kept = [n for n in range(len(WORDS)) if n != place]
        others = Strings.of(WORDS[n][0] for n in kept)
        lexicon, _ = learned_lexicon(others, [tags[n] for n in kept], [stems[n] for n in kept])
        assert np.array_equal(lexicon.fields(Strings.of([WORDS[place][0]]))[0], own[place])


def test_columns_with_gaps_are_learned_apart():
    settings = TaggerSettings(iterations=1, together=0)
    assert [each.names for each in train_tagger(treebank(), settings).columns] == [
        ("upos", "xpos", "feats")
    ]
    apart = train_tagger(treebank("_"), settings)
    assert [each.names for each in apart.columns] == [("upos", "feats"), ("xpos",)]
    assert set(apart.tag(treebank()).xpos.tolist()) == {"N"}


@pytest.mark.parametrize("more", [0, 1])
def test_columns_of_a_small_treebank_are_learned_apart(more):
    settings = TaggerSettings(iterations=1, together=len(WORDS) + more)
    names = [each.names for each in train_tagger(treebank(), settings).columns]
    assert names == ([("upos",), ("xpos",), ("feats",)] if more else [("upos", "xpos", "feats")])


@pytest.mark.parametrize("together", [0, 5_000])
def test_features_of_a_new_form_come_from_its_ending(together):
    tagger = train_tagger(treebank(), TaggerSettings(together=together))
    new = read_text("1\tellerde\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "conllu", partial=True)
    assert tagger.tag(new).feats.tolist() == ["Number=Sing"]
    assert load_tagger(tagger.store()).tag(new).feats.tolist() == ["Number=Sing"]


def test_a_tagger_of_an_earlier_version_is_refused():
    stored = train_tagger(treebank(), TaggerSettings(iterations=1, together=0)).store()
    part = stored.parts["upos xpos feats"]
    old = replace(part, metadata={k: v for k, v in part.metadata.items() if k != "endings"})
    with pytest.raises(ModelError, match="earlier version; train it again"):
        load_tagger(replace(stored, parts={"upos": old}))
    other = replace(part, metadata={**part.metadata, "names": ["upos", "feats"]})
    with pytest.raises(ModelError, match="not fit together"):
        load_tagger(replace(stored, parts={"upos feats": other}))
