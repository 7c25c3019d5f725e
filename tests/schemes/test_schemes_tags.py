"""Tag sets: recognised by content, ambiguous tags told by arcs, refused where nothing is known."""

from __future__ import annotations

import pytest
from command import run

import commonground
from commonground.corpus import Strings
from commonground.errors import UsageError
from commonground.schemes.tag_set import find_tag_set, recognise
from commonground.schemes.transform import transform


def corpus(*words, column="upos"):
    """Return a sentence of words that are written form/tag/head/label."""
    rows = []
    for number, word in enumerate(words, 1):
        form, tag, head, label = word.split("/")
        tags = f"{tag}\t_" if column == "upos" else f"_\t{tag}"
        rows.append(f"{number}\t{form}\t_\t{tags}\t_\t{head}\t{label}\t_\t_")
    return commonground.read_text("\n".join(rows) + "\n\n", "conllu")


CITY = ["She/PRP/2/SBJ", "lives/VBZ/0/ROOT", "in/IN/2/LOC", "the/DT/5/NMOD", "city/NN/3/PMOD"]


@pytest.mark.parametrize("column", ["upos", "xpos"])
def test_penn_tags_are_recognised_in_either_column(column):
    done, report = transform(corpus(*CITY, column=column), "lth", "ud")
    assert done.deprel.tolist() == ["nsubj", "root", "case", "det", "obl"]
    assert done.head.tolist() == [2, 0, 5, 5, 2]
    assert report.found["adposition"] == 1


def test_arcs_tell_a_preposition_from_a_subordinator_and_a_marker():
    words = [
        *("She/PRP/2/SBJ", "says/VBZ/0/ROOT", "that/IN/2/OBJ", "he/PRP/5/SBJ", "wants/VBZ/3/SUB"),
        *("to/TO/5/OPRD", "walk/VB/6/IM", "to/TO/7/DIR", "Rome/NNP/8/PMOD"),
    ]
    done, _ = transform(corpus(*words), "lth", "ud")
    labels = ["nsubj", "root", "mark", "nsubj", "ccomp", "mark", "xcomp", "case", "obl"]
    assert done.deprel.tolist() == labels


def test_a_verb_over_a_bare_verb_form_is_an_auxiliary():
    helped = ["She/PRP/2/su", "has/VBZ/0/ROOT", "come/VBN/2/vc"]
    done, _ = transform(corpus(*helped), "alpino", "ud")
    assert done.deprel.tolist() == ["nsubj", "aux", "root"]
    tried = ["She/PRP/2/su", "saw/VBD/0/ROOT", "him/PRP/2/obj1", "come/VB/2/vc"]
    done, _ = transform(corpus(*tried), "alpino", "ud")
    assert done.deprel.tolist() == ["nsubj", "root", "obj", "xcomp"]


def test_german_tags_of_a_treebank_in_another_scheme_are_recognised():
    words = ["Sie/PPER/2/nsubj", "wohnt/VVFIN/0/root", "in/APPR/4/case", "Rom/NE/2/obl"]
    assert recognise(corpus(*words)).tags.name == "stts"
    done, _ = transform(corpus(*words), "ud", "sud")
    assert done.deprel.tolist() == ["subj", "root", "udep", "comp:obj"]


@pytest.mark.parametrize("tag", ["PUNCT", "PROPN", "SCONJ", "CCONJ"])
def test_a_universal_tag_is_no_positional_one(tag):
    """A treebank may be a single word; read as a pronoun, its mark would get another label."""
    words = commonground.corpus.Dependencies.of([(["…"], [0], ["ExD"])])
    corpus = words.replace("words", upos=Strings.of([tag]))
    assert recognise(corpus, find_tag_set("prague")).tags.name == "ud"


def test_unknown_tags_are_refused_with_what_to_do():
    strange = corpus("a/q1/2/SBJ", "b/q2/0/ROOT")
    with pytest.raises(UsageError, match=r"q1, q2, ….*--tagset NAME"):
        transform(strange, "lth", "ud")
    done, _ = transform(strange, "lth", "ud", tags="none")
    assert done.deprel.tolist() == ["nsubj", "root"]


def test_a_treebank_without_tags_is_refused_unless_its_labels_tell():
    with pytest.raises(UsageError, match="no tags"):
        transform(corpus("a/_/2/SBJ", "b/_/0/ROOT"), "lth", "ud")
    done, _ = transform(corpus("in/_/2/case", "Rome/_/0/root"), "ud", "sud")
    assert done.head.tolist() == [0, 1]


def test_a_tag_set_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match="no tag set 'pen'"):
        transform(corpus(*CITY), "lth", "ud", tags="pen")


def test_the_command_takes_a_tag_set(tmp_path):
    path = tmp_path / "in.conllu"
    commonground.write(corpus(*CITY), path)
    done = run("transform", str(path), "-", "--from", "lth", "--to", "ud", "--tags", "penn")
    assert "\tobl\t" in done.stdout
    refused = run("transform", str(path), "-", "--from", "lth", "--to", "ud", "--tags", "x")
    assert refused.returncode == 2
    assert "there is no tag set 'x'" in refused.stderr


@pytest.mark.parametrize("tag", ["WW(pv,tgw,ev)", "WW|pv|tgw|ev", "ww", "verb", "V"])
def test_all_editions_of_alpino_have_verbs(tag):
    assert find_tag_set("alpino").options(tag)[0] == "VERB"


@pytest.mark.parametrize("scheme", ["lth", "stanford", "sud", "prague", "yamada"])
def test_penn_tags_lead_to_the_same_heads_as_upos(shared, scheme):
    """At least 99 % of them, as the issue asks for LTH; labels, 98 %."""
    ud = commonground.read(shared / "data/ewt/dev.conllu")[:400]
    there, _ = transform(ud, "ud", scheme)
    words = there.words.replace(upos=there.xpos, feats=Strings.constant("_", there.words.rows))
    penn = type(there)({**there.tables, "words": words})
    one, other = (transform(each, scheme, "ud")[0] for each in (there, penn))
    assert (one.head == other.head).mean() >= 0.99
    labels = zip(one.deprel.tolist(), other.deprel.tolist(), strict=True)
    assert sum(a == b for a, b in labels) >= 0.98 * ud.words.rows
