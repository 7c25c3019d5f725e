"""A shared inventory of labels: the hub, named equivalences, and what two treebanks teach."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run, write

import commonground
from commonground import hub_trees, learn_labels, read_text, to_functions
from commonground.corpus import Dependencies, Functions, Strings
from commonground.errors import InputError
from commonground.ground.equivalences import named_equivalence
from commonground.ground.inventory import recognise_inventory
from commonground.ground.label_map import parse_label_map
from commonground.ground.units import in_common_units


def tagged(rows, tags):
    trees = Dependencies.of([rows])
    return trees.replace("words", upos=Strings.of(tags))


def nodes(trees):
    return {(words, label) for words, label in zip(trees.yields, trees.label, strict=True) if label}


ROME = ["lives", "in", "Rome"]
UD = tagged((ROME, [0, 3, 1], ["root", "case", "obl"]), ["VERB", "ADP", "PROPN"])
SUD = tagged((ROME, [0, 1, 2], ["root", "udep", "comp:obj"]), ["VERB", "ADP", "PROPN"])


def test_the_hub_gives_the_same_labels_to_ud_and_sud():
    expected = {("1-3", "root"), ("1", "hd"), ("2-3", "obl"), ("2", "case"), ("3", "hd")}
    assert nodes(hub_trees(UD).trees) == nodes(hub_trees(SUD).trees) == expected


def test_yields_stay_as_they_are():
    chained = tagged((["a", "and", "b"], [0, 1, 2], ["root", "cc", "conj:coord"]), ["X"] * 3)
    assert set(hub_trees(chained, "sud").trees.yields) == set(to_functions(chained).yields)


@pytest.mark.parametrize(("name", "inventory"), [("ud", "ud"), ("sud", "sud"), ("ptb", "penn")])
def test_inventories_are_recognised(name, inventory):
    assert recognise_inventory(commonground.read(f"example:{name}")) == inventory


def test_labels_that_a_scheme_shares_with_the_hub_are_its_own_as_well():
    rows = (["It", "rains", "in", "May"], [2, 0, 2, 3], ["nsubj", "root", "prep", "pobj"])
    assert recognise_inventory(Dependencies.of([rows])) == "stanford"


def test_collapsed_relations_are_recognised_and_translated():
    text = "nsubj(lives-2, She-1)\nprep_in(lives-2, Rome-4)\nconj_and(Rome-4, Pisa-6)\n"
    result = hub_trees(read_text(text, "stanford"))
    assert (result.inventory, result.coverage) == ("stanford", 1)
    assert {label for _, label in nodes(result.trees)} == {"nsubj", "obl", "conj", "hd"}


def test_a_subtype_before_a_deep_feature_tells_the_label_of_the_hub():
    labels = [("1", "subj@pass"), ("3", "comp:aux@x"), ("4", "mod:tmod@x")]
    result = hub_trees(Functions.of([("It was sung today".split(), labels)]))
    assert result.inventory == "sud"
    assert nodes(result.trees) == {("1", "nsubj"), ("3", "aux"), ("4", "obl")}


def test_grammatical_relations_and_f_structures_have_labels_of_the_hub():
    told = "subj(sing~0, bird~1)\nobj(sing~0, song~2)\nadjunct(sing~0, today~3)"
    text = f"sentence(\nid(1)\nsentence_form(Birds sing songs today)\nstructure(\n{told})\n)\n"
    relations = "(ncsubj sing_1 Birds_0 _)\n(dobj sing_1 songs_2)\n(ncmod _ sing_1 today_3)\n"
    results = [hub_trees(read_text(text, "parc")), hub_trees(read_text(relations, "gr"))]
    assert [each.inventory for each in results] == ["parc", "gr"]
    assert [each.known for each in results] == [2, 2]
    shared = {("1", "nsubj"), ("2", "hd"), ("3", "obj")}
    assert nodes(results[0].trees) & nodes(results[1].trees) >= shared


def test_labels_of_no_inventory_stay_as_they_are():
    odd = Dependencies.of([(["a", "b"], [2, 0], ["frob", "quux"])])
    result = hub_trees(odd)
    assert (result.inventory, result.coverage, nodes(result.trees)) == (
        "",
        0.0,
        nodes(to_functions(odd)),
    )


def test_an_untagged_noun_phrase_in_a_verb_phrase_is_the_object():
    tree = read_text("(S (NP-SBJ (NN John)) (VP (VBZ loves) (NP (NN Mary)) (NP-TMP (NN today))))")
    assert nodes(hub_trees(tree).trees) == {("1", "nsubj"), ("3", "obj"), ("4", "obl")}


def shared_labels(one, other):
    """The share of labelled nodes of one treebank whose words the other labels, labelled alike."""
    trees = in_common_units([one, other], [hub_trees(one).trees, hub_trees(other).trees]).trees
    known = [{}, {}]
    for tree, result in zip(trees, known, strict=True):
        sentences = tree.nodes.sentence_of_row().tolist()
        for sentence, words, label in zip(sentences, tree.yields, tree.label, strict=True):
            if label:
                result.setdefault((sentence, words), set()).add(label)
    both = [(labels, known[1][node]) for node, labels in known[0].items() if node in known[1]]
    return sum(bool(a & b) for a, b in both) / len(both)


def test_gum_has_the_same_functions_in_both_frameworks(shared):
    """Constituents with a function that UD expresses over the same words: 91 % agree, 60 must."""
    folder = shared / "data" / "gum"
    names = ["GUM_voyage_vavau", "GUM_academic_art", "GUM_news_taxes"]
    for name in names:
        const = commonground.read(folder / "const" / f"{name}.ptb")
        dep = commonground.read(folder / "dep" / f"{name}.conllu")
        assert shared_labels(const, dep) > 0.85


def test_a_map_learned_on_half_of_sequoia_agrees_with_the_hub(shared):
    """95.9 % of the tokens of the other half; 90 must."""
    folder = shared / "data" / "sequoia"
    ud, sud = (commonground.read(folder / f"{name}.conllu") for name in ("ud", "sud"))
    half = len(ud) // 2
    learned = learn_labels(sud[:half], ud[:half], subtypes=False)
    rest = sud[half:]
    mine, hub = nodes_in_order(learned.trees(rest)), nodes_in_order(hub_trees(rest).trees)
    words = sum(1 for node in hub if node in mine)
    assert words / len(hub) > 0.9


def nodes_in_order(trees):
    sentences = trees.nodes.sentence_of_row().tolist()
    return set(zip(sentences, trees.yields, trees.label, strict=True))


def test_a_map_is_written_and_read_again(tmp_path):
    path = tmp_path / "map.labels"
    done = run("labels", "learn", "example:sud", "example:ud", "-o", path)
    assert done.returncode == 0, done.stderr
    result = commonground.read_label_map(path)
    assert (result["mod", "ADJ"], result["mod", "ADV"], result["subj", "NOUN"]) == (
        "amod",
        "advmod",
        "nsubj",
    )


def test_a_tag_has_an_entry_only_where_it_makes_a_difference():
    ud = Dependencies.of([(["old", "men"], [2, 0], ["amod", "root"])] * 5)
    sud = tagged((["old", "men"], [2, 0], ["mod", "root"]), ["ADJ", "NOUN"])
    sud = type(sud).concatenate([sud] * 5)
    assert {(entry.label, entry.tag) for entry in learn_labels(sud, ud).entries} == {
        ("mod", ""),
        ("hd", ""),
        ("root", ""),
    }


def test_what_was_seen_too_seldom_is_undecided():
    result = learn_labels(UD, SUD, least=3)
    assert result.entries == ()
    assert "obl" in {entry.label for entry in result.undecided}


def test_bad_lines_of_a_map_are_told():
    with pytest.raises(InputError, match="is not an entry"):
        parse_label_map("mod amod", "x.labels")


def test_json_has_counts_and_shares():
    done = run("labels", "learn", "example:sud", "example:ud", "--output-format", "json")
    entry = next(e for e in json.loads(done.stdout)["entries"] if e["label"] == "subj")
    assert entry["count"] / entry["total"] == entry["share"]


@pytest.mark.parametrize("name", ["ud-ptb", "ud-sud", "ud-tut", "lth-ud", "ud-ftb", "stanford-sud"])
def test_equivalences_have_names(name):
    assert named_equivalence(name)


def test_named_equivalences_make_labels_the_same(tmp_path):
    ud = write(tmp_path / "a.functions", "({nsubj} John) ({hd} sleeps)\n")
    ptb = write(tmp_path / "b.functions", "({SBJ} John) ({} sleeps)\n")
    done = run("generalize", ud, ptb, "--equivalent-labels", "ud-ptb")
    assert "({nsubj} John)" in done.stdout


def test_unknown_inventories_are_refused():
    assert_refused(run("labels", "same", "ud-klingon"), "does not name two inventories")


def test_hub_tells_the_coverage():
    done = run("labels", "hub", "example:ptb", "--output-format", "json")
    assert json.loads(done.stdout)["coverage"] == 1.0


def test_named_equivalences_can_be_saved():
    done = run(
        *"evaluate example:ud example:ud-parse --equivalent-labels ud-ptb".split(),
        "--output-format",
        "json",
    )
    assert done.returncode == 0, done.stderr
    assert "ud-ptb" not in json.loads(done.stdout)["request"]["inputs"]
