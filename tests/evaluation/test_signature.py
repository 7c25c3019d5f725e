"""Signatures: no field of what was asked for can be missing from them."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest
from command import run

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.corpus.fingerprint import added, fingerprint
from commonground.errors import UsageError
from commonground.evaluation.protocols import ComparisonTerms
from commonground.evaluation.read_options import ReadOptions
from commonground.evaluation.signature import short_form, signature
from commonground.metrics.constituents.evalb import published
from commonground.metrics.settings import PRESETS, Settings
from commonground.projection.fragments import Filter
from commonground.projection.policies import POLICIES, Policies
from commonground.statistics.test_plan import TestPlan

OTHER = {
    "where": "deprel=other",
    "punctuation": "tag",
    "on_mismatch": "skip",
    "tedeval": "2.2",
    "evalb": published("new"),
    "equivalent": {"a": "b"},
    "alternative": "less",
    "correction": "none",
    "resample": "documents",
    "method": "percentile",
    "protocol": "2011",
    **{name: list(choices)[-1] for name, choices in POLICIES.items()},
}


def other(part, field):
    """Return a value of a field that is not the usual one."""
    value = getattr(part, field.name)
    if field.name in OTHER:
        return OTHER[field.name]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 0.5
    if isinstance(value, frozenset):
        return value | {"other"}
    if isinstance(value, tuple) or field.name in ("functions", "longest"):
        return ("other",)
    return "other"


@pytest.mark.parametrize(
    ("part", "field"),
    [
        pytest.param(part, field, id=f"{type(part).__name__}.{field.name}")
        for part in (Settings(), ReadOptions(), ComparisonTerms(), TestPlan(), Policies(), Filter())
        for field in fields(part)
    ],
)
def test_every_field_changes_both_forms_of_the_signature(part, field):
    usual, changed = signature(part), signature(replace(part, **{field.name: other(part, field)}))
    assert changed != usual
    assert short_form(changed) != short_form(usual)
    assert len(short_form(changed)) > len(short_form(usual)) or field.name in ("protocol", "tests")


@pytest.mark.parametrize("name", PRESETS)
def test_the_short_form_of_a_preset_says_only_its_name(name):
    short = short_form(signature(PRESETS[name], skipped=0))
    assert short.rpartition("|")[0] == f"commonground:{cg.__version__}|preset:{name}|skipped:0"


def test_what_a_label_has_in_it_cannot_break_a_signature():
    result = signature(Settings(equivalent={"a|b": "c\nd"}))
    assert "a¦b=c d" in result
    assert "\n" not in result


def test_partial_trees_are_told():
    result = cg.evaluate("example:ud", "example:ud")
    assert "|partial:no|" in result.signature
    done = run("evaluate", "example:ud", "example:ud-parse", "--partial")
    assert "|partial:yes|" in done.stdout


def test_the_whole_signature_is_shown_where_it_is_asked_for():
    line = ["evaluate", "example:ud", "example:ud-parse"]
    short, full = (run(*line, "--signature", form).stdout for form in ("short", "full"))
    assert "on-mismatch:fail" not in short
    assert "|on-mismatch:fail|" in full
    assert short_form(full.splitlines()[-1]) == short.splitlines()[-1]


@pytest.mark.parametrize(
    ("settings", "kind", "name"),
    [
        (Settings(attributes=True), "ud", "attributes"),
        (Settings(functions=True), "ud", "functions"),
        (Settings(trees=True), "ptb", "trees"),
        (Settings(universal_features=True), "ptb", "universal_features"),
    ],
)
def test_a_kind_of_comparison_refuses_what_it_does_not_use(settings, kind, name):
    with pytest.raises(UsageError, match=f"{name} has no effect on (dependencies|constituents)"):
        cg.evaluate(f"example:{kind}", f"example:{kind}", settings=settings)


@pytest.mark.parametrize("field", ["punctuation", "longest", "shortest", "evalb", "tedeval"])
def test_compare_refuses_what_it_does_not_use(field):
    settings = replace(Settings(), **{field: OTHER.get(field, 5)})
    pair = ("example:ud", "example:ud-parse")
    with pytest.raises(UsageError, match=f"{field} has no effect on comparison"):
        cg.compare({"a": pair, "b": pair}, settings=settings)


# ── the gold standards are in it ─────────────────────────────────────────────────────────────────


def test_other_data_have_another_signature():
    """It was the same for any two treebanks."""
    one = cg.evaluate("example:ud", "example:ud-parse")
    other = cg.evaluate("example:ud-parse", "example:ud-parse")
    assert one.signature != other.signature
    assert short_form(one.signature) != short_form(other.signature)


def test_the_parse_does_not_change_the_fingerprint_of_the_gold_standard():
    signatures = (cg.evaluate("example:ud", f"example:{p}").signature for p in ("ud", "ud-parse"))
    assert len(set(signatures)) == 1


@pytest.mark.parametrize("column", ["form", "upos", "deprel", "head"])
def test_every_change_of_the_gold_standard_changes_the_signature(column):
    gold = cg.read("example:ud")
    if column == "head":
        heads = gold.head.copy()
        heads[0], heads[1] = heads[1], heads[0]
        changed = gold.replace("words", head=heads)
    else:
        texts = getattr(gold, column).tolist()
        texts[3] += "x"
        changed = gold.replace("words", **{column: Strings.of(texts)})
    assert fingerprint(gold) != fingerprint(changed)


def test_words_that_change_places_between_sentences_change_the_fingerprint():
    rows = [(["a", "b"], [2, 0], ["x", "y"]), (["c", "d"], [2, 0], ["x", "y"])]
    swapped = [(["c", "b"], [2, 0], ["x", "y"]), (["a", "d"], [2, 0], ["x", "y"])]
    assert fingerprint(Dependencies.of(rows)) != fingerprint(Dependencies.of(swapped))


def test_the_fingerprint_is_the_same_in_whatever_pieces_a_corpus_is_read():
    gold = cg.read("example:ptb")
    assert added(map(fingerprint, gold.chunks(7))) == fingerprint(gold)


def test_comments_are_no_part_of_the_fingerprint():
    gold = cg.read("example:ud")
    bare = gold.replace("sentences", comments=Strings.constant("", len(gold)))
    assert fingerprint(gold) == fingerprint(bare)


def test_the_short_form_has_six_letters_of_each_gold_standard():
    pairs = {"ud": ("example:ud", "example:ud"), "ptb": ("example:ptb", "example:ptb")}
    result = short_form(cg.compare(pairs).signature)
    assert re.search(r"\|gold:[0-9a-f]{6}\+[0-9a-f]{6}\|", result)


def test_the_command_and_the_function_give_the_same_signature():
    done = run("evaluate", "example:ud", "example:ud-parse", "--signature", "full")
    assert done.stdout.splitlines()[-1] == cg.evaluate("example:ud", "example:ud-parse").signature
