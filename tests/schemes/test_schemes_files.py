"""Schemes as files: those that come along, those of users, and what is wrong with some."""

from __future__ import annotations

import pytest
from command import write
from scheme_samples import arcs, sentence

from commonground.errors import InputError, UsageError
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.scheme_file import parse_scheme
from commonground.schemes.transform import transform

MINE = """\
name = "mine"
title = "My scheme"

[choices]
adposition = "function"

[classes]
noun = ["NOUN", "PROPN"]

[labels]
separator = ""
write = [
  { hub = "nmod", label = "OF", word = "noun", child = ["case"] },
]
read = [
  { label = "OF", hub = "nmod" },
]

[labels.map]
case = "PREP"
obl = "ADV"
root = "TOP"
"""
PHRASE = "walls/NOUN/0/root of/ADP/3/case Rome/PROPN/1/nmod in/ADP/5/case Italy/PROPN/1/nmod:x"


CONTESTED = set(
    "adposition possessive determiner numeral classifier auxiliary copula infinitive subordinator "
    "relative coordination name".split()
)


def test_the_schemes_that_come_along_are_those_of_the_papers():
    names = "ud sud stanford conll07 lth oldlth lexical functional collins yamada tiger alpino tut prague"
    assert set(names.split()) <= set(scheme_names())


@pytest.mark.parametrize("name", scheme_names())
def test_a_scheme_that_comes_along_makes_every_choice(name):
    scheme = find_scheme(name)
    assert scheme.name == name
    assert scheme.title
    assert scheme.reference
    assert set(scheme.choices) >= CONTESTED


def test_table_1_of_spreyer_2010():
    table = {
        "lth": ("function", "function", "function", "content", "chain-conjunction"),
        "tiger": ("flat", "function", "content", "content", "first-flat"),
        "alpino": ("function", "function", "function", "function", "conjunction"),
        "tut": ("function", "content", "function", "content", "chain-conjunction"),
    }
    rows = ("adposition", "auxiliary", "subordinator", "relative", "coordination")
    for name, ways in table.items():
        assert tuple(find_scheme(name).way(row) for row in rows) == ways, name
    assert find_scheme("tut").way("determiner") == "function"


def test_a_file_of_the_user_is_a_scheme(tmp_path):
    path = write(tmp_path / "mine.toml", MINE)
    corpus = sentence(PHRASE)
    done, report = transform(corpus, "ud", path)
    assert arcs(done) == "0:TOP 1:OF 2:PREP 1:OF 4:PREP"
    assert report.target == "mine"
    back, _ = transform(done, path, "ud")
    assert back.head.tolist() == corpus.head.tolist()


def test_a_mixture_has_some_constructions_of_another_scheme():
    mixed = find_scheme("ud+sud:copula,adposition")
    assert mixed.name == "ud+sud:adposition,copula"
    assert (mixed.way("copula"), mixed.way("auxiliary")) == ("function", "content")


def test_only_one_construction_is_changed_and_the_labels_of_others_stay():
    text = "She/PRON/5/nsubj is/AUX/5/cop in/ADP/5/case old/ADJ/5/amod Rome/PROPN/0/root"
    done, report = transform(sentence(text), "ud", "sud", only=["adposition"])
    assert arcs(done) == "3:nsubj 3:cop 0:root 5:amod 3:comp:obj"
    assert report.target == "ud+sud:adposition"
    assert report.changed("copula") == 0
    back, _ = transform(done, report.target, "ud")
    assert arcs(back) == arcs(sentence(text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "mine"\n', "", "mine.toml:1: name is missing"),
        ('name = "mine"', 'name = "my scheme"', "mine.toml:1: 'my scheme' is not a name"),
        ('"function"', '"functional"', "mine.toml:5: adposition has no way 'functional'; there are"),
        ("adposition =", "adpositions =", "mine.toml:5: no construction 'adpositions'; did you mean"),
        ("[choices]", "[choice]", "mine.toml:4: 'choice' has no meaning here; did you mean choices?"),
        ("[choices]\nadposition", "choices", "mine.toml:4: choices is a table"),
        ('[choices]\nadposition = "function"\n', "", "mine.toml:1: there is no table [choices]"),
        ("[classes]", "[classes", "mine.toml:7: not TOML: "),
        ('["NOUN", "PROPN"]', "[1]", "mine.toml:8: a text or a list of texts is expected"),
        ('separator = ""', "separator = 1", "mine.toml:11: separator is missing or not a text"),
        ('label = "OF", word', "label = 1, word", "mine.toml:13: label is one label"),
        (', child = ["case"]', ', chld = ["case"]', "mine.toml:13: 'chld' has no meaning here; did"),
        ('child = ["case"]', 'side = "up"', "mine.toml:13: side is left or right"),
        ('child = ["case"]', 'function = "yes"', "mine.toml:13: function is true or false"),
        ('{ label = "OF", hub = "nmod" }', '{ label = "OF" }', "mine.toml:16: a rule is right as"),
        ('case = "PREP"', "case = 1", "mine.toml:20: 'case' is one text"),
        ("[labels.map]", "[labels.maps]", "mine.toml:19: 'maps' has no meaning here"),
        ('label = "OF", word', 'label = "", word', "mine.toml:13: a label is empty"),
        ('label = "OF", word', 'label = "O\\tF", word', "mine.toml:13: 'O\\tF' is not a label"),
        ('{ label = "OF", hub', '{ label = "O F", hub', "mine.toml:16: 'O F' is not a label"),
        ('"OF", hub = "nmod" }', '"OF", hub = "nmod:a\\nb" }', "mine.toml:16: 'nmod:a\\nb' is not a label"),
        ('case = "PREP"', 'case = ""', "mine.toml:20: a label is empty"),
        ('obl = "ADV"', 'obl = "A\u2028V"', "mine.toml:21: 'A\\u2028V' is not a label"),
        ('obl = "ADV"', '"obl x" = "ADV"', "mine.toml:21: 'obl x' is not a label"),
        ('obl = "ADV"', '"" = "ADV"', "mine.toml:21: a label is empty"),
        ('separator = ""', 'separator = " "', "mine.toml:11: ' ' is not a label"),
        ('word = "noun"', 'word = "NOUM"', "mine.toml:13: 'NOUM' is neither a part of speech (UPOS) nor a class; did you mean "),
        ('word = "noun"', 'word = "nouns"', "mine.toml:13: 'nouns' is neither a part of speech (UPOS) nor a class; did you mean noun?"),
        ('word = "noun"', 'word = "ROOT"', "mine.toml:13: 'ROOT' is neither"),
        ('word = "noun"', 'head = "ROOTS"', "did you mean ROOT?"),
        ('hub = "nmod", label', 'hub = "nmodd:x", label', "mine.toml:13: 'nmodd:x' is not a label of Universal Dependencies; did you mean nmod?"),
        ('label = "OF", hub = "nmod"', 'label = "OF", hub = "nmodd"', "mine.toml:16: 'nmodd' is not a label of"),
        ('child = ["case"]', 'child = ["csae"]', "mine.toml:13: 'csae' is not a label of"),
        ('child = ["case"]', 'child = ["case/PRT"]', "mine.toml:13: 'PRT' is neither"),
        ("obl =", "oblx =", "mine.toml:21: 'oblx' is not a label of Universal Dependencies; did you mean obl?"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_its_line(old, new, message, tmp_path):
    assert old in MINE
    path = write(tmp_path / "mine.toml", MINE.replace(old, new, 1))
    with pytest.raises(InputError) as refused:
        find_scheme(path)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[climb.auxiliary]\nalways = 1", "<text>:5: a text or a list"),
        ('[climb.auxilary]\nalways = ["x"]', "<text>:4: no construction 'auxilary'"),
        ('[climb.auxiliary]\nabove = ["x"]', "<text>:5: 'above' has no meaning here"),
        ('[find]\nadposition = ["x"]', "<text>:5: it is right as"),
        ('[find]\nadposition = [{ label = "x", tags = "y" }]', "<text>:5: 'tags' has no meaning"),
        ('[coordination]\nshared = "all"', "<text>:5: shared is 'all'; it is first or last or head"),
        ('[coordination]\ncomma = "yes"', "<text>:5: comma is true or false"),
        ('[tags]\nset = "pen"', "<text>:5: set is 'pen'; it is  or alpino or"),
        ('[tags.map]\nVB = "VERBO"', "<text>:5: 'VERBO' is neither a part of speech (UPOS) nor a class; did you mean VERB?"),
        ('[tags]\nmap = { VB = "VERBO" }', "<text>:5: 'VERBO' is neither"),
        ('[find]\nadposition = [{ label = "x", tag = "ADPP" }]', "<text>:5: 'ADPP' is neither"),
        ('[climb.copula]\nalways = ["nsubjx"]', "<text>:5: 'nsubjx' is not a label of"),
        ('[climb.copula]\nalways = ["advmod/AVD"]', "<text>:5: 'AVD' is neither a part of speech"),
        ('[climb.copula]\ncrossing = "yes"', "<text>:5: crossing is true or false"),
        ('[climb.copula]\nafter = ["nsubj"]', "<text>:5: it is right as { beyond"),
        ('[climb.copula.after]\nabove = ["x"]', "<text>:5: 'above' has no meaning here"),
        ('[when]\ncopula = { label = ["coop"] }', "<text>:5: 'coop' is not a label of"),
        ('[labels]\nstay = ["coupla"]', "<text>:5: no construction 'coupla'; did you mean copula?"),
        ('[coordination]\nmember = " Co"', "<text>:5: ' Co' is not a label"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_in_other_tables_is_refused_too(text, message):
    with pytest.raises(InputError) as refused:
        parse_scheme(f'name = "x"\n[choices]\ncopula = "content"\n{text}\n')
    assert str(refused.value).startswith(message)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match="not UTF-8"):
        find_scheme(path)


def test_an_unknown_scheme_is_told_what_there_is():
    with pytest.raises(
        UsageError, match=r"there is no scheme 'uds'; there are alpino, .*TOML file"
    ):
        find_scheme("uds")
    with pytest.raises(UsageError, match="no construction 'copulas'"):
        find_scheme("ud+sud:copulas")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        find_scheme(tmp_path / "missing.toml")
