"""Every tree goes in and a tree comes out: all presets, both ways, any labels, tags and marks."""

from __future__ import annotations

import pytest
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, heads

from commonground.formats import read_text
from commonground.schemes.hub import RELATIONS, SUBTYPES, TAGS
from commonground.schemes.hub_trees import from_hub, to_hub
from commonground.schemes.library import find_scheme, scheme_names, variant_names
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform
from commonground.schemes.tree import Tree

UD_LABELS = [*RELATIONS, *(f"{main}:{sub}" for main in SUBTYPES for sub in sorted(SUBTYPES[main]))]
FEATS = (
    "_ VerbForm=Inf VerbForm=Fin VerbForm=Part PronType=Rel PronType=Art Poss=Yes VerbType=Mod "
    "Polarity=Neg ExtPos=ADP PartType=Cop PunctType=Comm PunctSide=Fin"
).split()
MISC = "_ _ _ Shared=Yes Outside=Yes Inside=Before Inside=After Idiom=Yes InIdiom=Yes".split()
SCHEMES = {name: find_scheme(name) for name in [*scheme_names(), *variant_names()]}


def labels_of(scheme: Scheme) -> list[str]:
    """All labels that a scheme reads."""
    read = {label for rule in scheme.read_rules for label in rule.old}
    return sorted({*read, *scheme.same, *scheme.table.values(), *scheme.aliases, "nonsense"})


@st.composite
def wild_trees(draw, labels):
    """A tree of a few labels, which meet more often than if there were many; also at the root."""
    size = draw(st.integers(1, 9))
    few = st.sampled_from(draw(st.lists(st.sampled_from(labels), min_size=1, max_size=4)))

    def each(values):
        return draw(st.lists(values, min_size=size, max_size=size))

    columns = [each(few), *(each(st.sampled_from(values)) for values in (TAGS, FEATS, MISC))]
    return Tree(draw(heads(size)), *columns)


def assert_tree(tree: Tree) -> None:
    """One root, and every word below it."""
    assert tree.heads().count(0) == 1
    assert sorted(tree.bottom_up()) == list(range(1, len(tree.head)))
    assert all(word in tree.children[tree.head[word]] for word in range(1, len(tree.head)))


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
@settings(max_examples=examples(50))
@given(st.data())
def test_a_tree_with_any_labels_of_ud_stays_a_tree_there_and_back(scheme, data):
    tree = data.draw(wild_trees(UD_LABELS))
    from_hub(tree, scheme)
    assert_tree(tree)
    to_hub(tree, scheme)
    assert_tree(tree)


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
@settings(max_examples=examples(50))
@given(st.data(), st.booleans())
def test_a_tree_with_any_labels_of_a_scheme_stays_a_tree_on_the_way_to_ud(scheme, data, unplaced):
    tree = data.draw(wild_trees(labels_of(scheme)))
    to_hub(tree, scheme, unplaced=unplaced)
    assert_tree(tree)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_mark_that_a_parser_takes_for_a_repair_hangs_on_another_word(name):
    rows = ("1\tGreat\tADJ\t2\tamod", "2\tjob\tNOUN\t0\troot", "3\t!\tPUNCT\t2\treparandum")
    lines = (row.split("\t") for row in rows)
    text = "".join(f"{n}\t{f}\t_\t{t}\t_\t_\t{h}\t{d}\t_\t_\n" for n, f, t, h, d in lines) + "\n"
    done = run("transform", "-", "-", "--from", "ud", "--to", name, "--quiet", stdin=text.encode())
    heads_of = [int(line.split("\t")[6]) for line in done.stdout.splitlines() if "\t" in line]
    assert heads_of.count(0) == 1
    assert all(head != word for word, head in enumerate(heads_of, 1))


def test_an_auxiliary_below_a_root_that_is_labelled_as_one_does_not_become_a_second_root():
    tree = Tree([0, 1, 1], ["aux", "aux", "obj"], ["AUX", "VERB", "NOUN"])
    to_hub(tree, SCHEMES["stanford"])
    assert_tree(tree)


def test_a_conjunction_with_a_part_that_is_a_conjunct_stays_a_tree():
    rows = [("NOUN", 4, "Co"), ("NOUN", 5, "Atr"), ("NOUN", 4, "fixed"), ("CCONJ", 2, "Atr")]
    lines = [
        f"{number}\tw\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_"
        for number, (tag, head, label) in enumerate([*rows, ("NOUN", 0, "Atr")], 1)
    ]
    done, _ = transform(read_text("\n".join(lines) + "\n\n", "conllu"), "prague", "ud")
    assert done.head.tolist() == [2, 5, 1, 3, 0]
