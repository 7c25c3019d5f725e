"""A scheme that is learned from a sample is a file, and leads there and back."""

from __future__ import annotations

import numpy as np
import pytest
from command import run

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.schemes.learning.kept_aside import (
    LearnedScheme,
    Part,
    learned_file,
    learned_scheme,
)
from commonground.schemes.learning.learn import learn
from commonground.schemes.learning.learned_file import recognised_file
from commonground.schemes.learning.recognition import recognise_scheme
from commonground.schemes.library import find_scheme
from commonground.schemes.scheme import Scheme
from commonground.schemes.scheme_file import parse_scheme

DIALECT = """
name = "dialect"
like = "sud"
[choices]
auxiliary = "content"
[labels]
write = [{ hub = "amod", label = "quality" }, { hub = "obl:", label = "around", head = "VERB" }]
"""


@pytest.fixture(scope="module")
def ud() -> Dependencies:
    return cg.read("example:ud")


@pytest.fixture(scope="module")
def dialect(ud: Dependencies) -> Dependencies:
    done, _ = cg.transform(ud, "ud", parse_scheme(DIALECT))
    return done


@pytest.fixture(scope="module")
def saved(ud: Dependencies, dialect: Dependencies) -> LearnedScheme:
    return learned_scheme(dialect, ud, learn(dialect, ud), "mine")


@pytest.fixture(scope="module")
def learned(saved: LearnedScheme) -> Scheme:
    return parse_scheme(saved.text)


def _agreement(one: Dependencies, other: Dependencies) -> tuple[float, float]:
    labels = zip(one.deprel.tolist(), other.deprel.tolist(), strict=True)
    return float((one.head == other.head).mean()), float(np.mean([a == b for a, b in labels]))


def test_a_learned_scheme_is_like_the_nearest_one_but_for_its_choices(learned):
    assert learned.way("auxiliary") == "content"
    assert learned.way("adposition") == learned.way("copula") == "function"


def test_a_learned_scheme_writes_labels_that_no_scheme_has(ud, dialect, learned):
    done, _ = cg.transform(ud, "ud", learned)
    heads, labels = _agreement(done, dialect)
    assert heads > 0.99
    assert labels > 0.97


def test_a_learned_scheme_reads_them_again(ud, dialect, learned):
    done, report = cg.transform(dialect, learned, "ud")
    heads, labels = _agreement(done, ud)
    assert heads > 0.99
    assert labels > 0.97
    assert not report.unknown


@pytest.mark.long
def test_tags_of_no_set_are_learned_as_well(ud, dialect):
    tags = Strings.of([f"my-{tag}" for tag in dialect.upos.tolist()])
    own = dialect.replace("words", upos=tags, xpos=Strings.of(["_"] * len(tags)))
    scheme = parse_scheme(learned_file(own, ud, learn(own, ud), "mine"))
    done, _ = cg.transform(own, scheme, "ud")
    assert scheme.tags["my-NOUN"] == "NOUN"
    assert _agreement(done, ud)[0] > 0.99


def test_without_a_reference_heads_and_tags_tell_the_choices(dialect):
    scheme = parse_scheme(recognised_file(recognise_scheme(dialect), "mine"))
    assert scheme.way("auxiliary") == "content"
    assert scheme.way("adposition") == "function"


def test_a_treebank_in_a_known_scheme_needs_no_choices_of_its_own():
    sud = cg.read("example:sud")
    scheme = parse_scheme(recognised_file(recognise_scheme(sud), "mine"))
    assert scheme.choices == find_scheme("sud").choices


@pytest.mark.long
def test_the_command_saves_a_scheme_that_transform_takes(tmp_path):
    mine = tmp_path / "mine.toml"
    said = run("schemes", "learn", "example:sud", "--against", "example:ud", "--save", mine)
    assert said.returncode == 0
    out = tmp_path / "out.conllu"
    assert run("transform", "example:sud", out, "--from", mine, "--to", "ud").returncode == 0
    assert _agreement(cg.read(out), cg.read("example:ud"))[0] > 0.99


def test_a_scheme_is_saved_as_toml_only(tmp_path):
    said = run("schemes", "learn", "example:sud", "--save", tmp_path / "mine.json")
    assert said.returncode == 2
    assert "mine.json.toml" in said.stderr


@pytest.fixture(scope="module")
def misleading(ud: Dependencies) -> Dependencies:
    """SUD, but most sentences have copulas as in UD; those that are kept aside have not."""
    sud, _ = cg.transform(ud, "ud", "sud")
    odd, _ = cg.transform(ud, "ud", "sud+ud:copula")
    rows = [(odd if place % 4 != 3 else sud)[place : place + 1] for place in range(len(ud))]
    return Dependencies.concatenate(rows)


@pytest.mark.long
def test_what_does_not_help_on_sentences_kept_aside_is_as_in_the_nearest_scheme(ud, misleading):
    result = learn(misleading, ud)
    saved = learned_scheme(misleading, ud, result, "mine")
    assert result.way("copula") == "content"  # most sentences say so
    assert parse_scheme(saved.text).way("copula") == "function"
    assert Part("heads", "copula") in [part for part, _, _ in saved.trial.dropped]
    assert saved.trial.kept.heads_from >= saved.trial.preset.heads_from
    assert "# as in sud, since learning did not help: the construction copula" in saved.text


def test_a_scheme_that_helps_keeps_all_that_was_learned(saved):
    trial = saved.trial
    assert trial.kept.labels_to > trial.preset.labels_to
    assert not [part for part, _, _ in trial.dropped if part.about == "heads"]


def test_few_sentences_are_all_learned_from(ud, dialect):
    saved = learned_scheme(dialect[:8], ud[:8], learn(dialect[:8], ud[:8]), "mine")
    assert saved.trial.sentences == 0
    assert saved.text.startswith("# too few sentences")
