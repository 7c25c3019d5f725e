"""Problematic structures, and how many words take part in them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.formats import read
from commonground.schemes.flips import flip
from commonground.schemes.structures import (
    STRUCTURES,
    edges_of,
    families_of,
    frequencies,
)
from commonground.schemes.transform import transform


def tree(*rows):
    """A sentence of (form, upos, xpos, head, label)."""
    forms, upos, xpos, heads, labels = zip(*rows, strict=True)
    corpus = Dependencies.of([(forms, heads, labels)])
    return corpus.replace("words", upos=Strings.of(upos), xpos=Strings.of(xpos))


JOHN = tree(
    ("John", "PROPN", "NNP", 6, "nsubj"),
    ("Doe", "PROPN", "NNP", 1, "flat"),
    ("and", "CCONJ", "CC", 4, "cc"),
    ("Mary", "PROPN", "NNP", 1, "conj"),
    ("can", "AUX", "MD", 6, "aux"),
    ("eat", "VERB", "VB", 0, "root"),
    ("in", "ADP", "IN", 9, "case"),
    ("the", "DET", "DT", 9, "det"),
    ("house", "NOUN", "NN", 6, "obl"),
    (".", "PUNCT", ".", 6, "punct"),
)


def words(name, corpus=JOHN):
    return (np.flatnonzero(edges_of(corpus, name)) + 1).tolist()


def test_the_structures_of_the_thesis_are_found_by_tags():
    by_name = {name: words(name) for name in STRUCTURES if name.startswith("penn:")}
    assert by_name == {
        "penn:coordination": [3],
        "penn:preposition": [7, 8],
        "penn:modal": [5],
        "penn:infinitive": [],
        "penn:name": [2, 4],
    }


def test_whichever_word_is_the_head():
    """The same sentence with function words as heads."""
    turned = JOHN.replace("words", head=np.array([5, 1, 1, 3, 0, 5, 6, 9, 7, 5], np.int32))
    assert words("penn:modal", turned) == [6]
    assert words("penn:preposition", turned) == [8, 9]
    assert words("penn:coordination", turned) == [4]


def test_the_tags_stand_in_the_order_of_the_table():
    """*the dog in* has an edge from a noun to a preposition after it, which is no such phrase."""
    after = tree(
        ("the", "DET", "DT", 2, "det"),
        ("dog", "NOUN", "NN", 0, "root"),
        ("in", "ADP", "IN", 2, "_"),
    )
    assert words("penn:preposition", after) == [1]


def test_constructions_are_found_by_labels():
    by_name = {
        name.removeprefix("ud:"): words(name) for name in STRUCTURES if name.startswith("ud:")
    }
    by_name = {name: each for name, each in by_name.items() if each}
    assert by_name == {
        "adposition": [7],
        "determiner": [8],
        "modal": [5],
        "coordination": [3, 4],
        "name": [2],
    }


def test_a_word_takes_part_at_either_end_of_an_edge_and_punctuation_does_not_count():
    result = frequencies(JOHN)
    assert result.words == 9
    assert result.edges["penn:preposition"] == 2
    assert result.members["penn:preposition"] == 3
    assert result.share("penn:preposition") == pytest.approx(3 / 9)
    assert result.members["penn:name"] == 3
    assert result.share("penn") == 1
    assert result.anywhere == {"penn": 9, "ud": 9}


def test_frequencies_of_parts_add_up():
    corpus = JOHN + JOHN
    assert frequencies(JOHN) + frequencies(JOHN) == frequencies(corpus)
    assert frequencies(JOHN[:0]).share("penn") == 0


def test_a_family_can_be_chosen():
    assert list(frequencies(JOHN, "penn").anywhere) == ["penn"]
    with pytest.raises(UsageError, match="there is no family 'x'; there are penn, ud"):
        frequencies(JOHN, "x")


def test_json_has_numbers_shares_and_what_was_published():
    data = json.loads(json.dumps(frequencies(JOHN).to_json()))
    assert data["structures"]["penn:modal"] == {
        "edges": 1,
        "words": 2,
        "share": pytest.approx(2 / 9),
        "wsj": 0.024,
    }
    assert data["any"]["penn"]["wsj"] == 0.429


def test_the_families_are_those_that_tags_and_labels_tell():
    assert families_of(JOHN) == ["penn", "ud"]
    own = JOHN.replace("words", xpos=Strings.of(["N"] * 10))
    assert families_of(own) == ["ud"]
    labels = JOHN.replace("words", deprel=Strings.of(["DEP"] * 10))
    assert families_of(labels) == ["penn"]
    assert families_of(own.replace("words", deprel=Strings.of(["DEP"] * 10))) == []


def test_real_english_is_about_as_problematic_as_the_thesis_says(shared):
    """42.9 % of the words of the Wall Street Journal are in at least one structure."""
    corpus = read(shared / "data" / "ewt" / "train-part.conllu")
    result = frequencies(corpus)
    assert result.share("penn") == pytest.approx(0.429, abs=0.03)
    assert result.share("penn:modal") == pytest.approx(0.024, abs=0.005)
    assert result.share("penn:preposition") == pytest.approx(0.327, abs=0.03)


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────


def test_the_verb_shows_the_families_that_make_sense(tmp_path):
    done = run("structures", "example:ud")
    assert_silent_success(done)
    assert "penn:modal" in done.stdout
    assert "ud:copula" in done.stdout
    assert "42.9" in done.stdout
    assert "penn:modal" not in run("structures", "example:ud", "--family", "ud").stdout


@pytest.mark.parametrize("output_format", ["json", "tsv", "markdown", "latex", "html"])
def test_the_verb_has_all_output_formats(output_format):
    done = run("structures", "example:ud", "example:ud-parse", "--output-format", output_format)
    assert_silent_success(done)
    if output_format == "json":
        assert [each["file"] for each in json.loads(done.stdout)["files"]] == [
            "example:ud",
            "example:ud-parse",
        ]


def test_a_treebank_without_known_tags_or_labels_is_refused_unless_a_family_is_named(tmp_path):
    path = write(tmp_path / "own.conllu", "1\ta\ta\tX\tQ\t_\t0\tTOP\t_\t_\n\n")
    assert_refused(run("structures", path), "neither Penn tags nor labels of Universal")
    assert_silent_success(run("structures", path, "--family", "ud"))
    assert_refused(run("structures", "example:ptb"), "structures are found in dependencies")


def test_modal_verbs_are_told_by_their_tags_as_in_transform():
    corpus = tree(
        ("She", "PRON", "PRP", 4, "nsubj"),
        ("must", "AUX", "MD", 4, "aux"),
        ("have", "AUX", "VB", 4, "aux"),
        ("come", "VERB", "VBN", 0, "root"),
    )
    _, report = transform(corpus, "ud", "sud")
    for name, place in (("modal", 1), ("auxiliary", 2)):
        assert np.flatnonzero(edges_of(corpus, f"ud:{name}")).tolist() == [place]
        assert report.found[name] == 1
    assert flip(corpus, "ud:modal")[1].edges == 1


def test_what_is_counted_in_one_file_is_counted_in_all(tmp_path):
    """A sentence without function words has no labels that tell its family."""
    row = "{0}\t{1}\t_\t{2}\tNN\t_\t{3}\t{4}\t_\t_\n"
    few = row.format(1, "tea", "NOUN", 0, "root") + row.format(2, "milk", "NOUN", 1, "conj") + "\n"
    (tmp_path / "few.conllu").write_text(few)
    done = run("structures", "example:ud", "few.conllu", "--output-format", "json", cwd=tmp_path)
    files = json.loads(done.stdout)["files"]
    assert files[1]["structures"]["ud:coordination"]["edges"] == 1
    assert files[0]["structures"].keys() == files[1]["structures"].keys()
