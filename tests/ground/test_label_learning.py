"""Labels of unknown inventories, learned from the gold standards that are compared."""

from __future__ import annotations

import random

import pytest
from command import run, write
from three_theories import arcs, bank, graph

from commonground import compare, read_text, to_functions
from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.ground.inventory import hub_trees
from commonground.ground.label_learning import cross_fitted, fit_labels, learn_labels
from commonground.ground.label_map import parse_label_map

NOUNS, VERBS = ["dogs", "cats", "birds", "men", "cows"], ["see", "hear", "like", "chase"]


def sentences(count, seed=0):
    stream = random.Random(seed)
    return [
        (stream.choice(NOUNS), stream.choice(VERBS), stream.choice(NOUNS)) for _ in range(count)
    ]


def phrases(words, subject="QX", thing="QY"):
    tree = "(IP (NP-{} (N-A {})) (V {}) (NP-{} (N-D {})))"
    return "\n".join(tree.format(subject, a, b, thing, c) for a, b, c in words)


def ud(words):
    return Dependencies.of([(list(each), [2, 0, 2], ["nsubj", "root", "obj"]) for each in words])


@pytest.fixture(scope="module")
def both():
    words = sentences(40)
    return read_text(phrases(words)), ud(words)


def test_labels_nobody_knows_are_learned_where_treebanks_are_compared(both):
    phrase, dependency = both
    result = compare({"p": (phrase, phrase), "d": (dependency, dependency)})
    assert result.overlap == {}  # the two gold standards are the same, labels and all
    told = result.translated["p"]
    assert (told.inventory, told.by, told.accuracy, told.coverage) == ("", "d", 1, 1)
    assert type(result).from_json(result.to_json()).translated["p"].accuracy == 1


def test_own_labels_can_be_asked_for(both):
    phrase, dependency = both
    pairs = {"p": (phrase, phrase), "d": (dependency, dependency)}
    result = compare(pairs, labels="own")
    assert result.overlap["d", "p"].labelled.value == 0
    assert result.translated == {}


def test_nothing_is_learned_from_labels_that_mean_nothing():
    """A control: where functions are drawn at random, held-out accuracy is what chance gives."""
    words = sentences(200)
    stream = random.Random(1)
    trees = "\n".join(phrases([each], *stream.sample(["QX", "QY"], 2)) for each in words)
    dependency = ud(words)
    result = cross_fitted(read_text(trees), dependency, to_functions(dependency))
    labels = [entry for entry in result.whole.entries if entry.label in ("QX", "QY")]
    assert all(entry.share < 0.65 for entry in labels)


def test_a_sentence_is_mapped_by_the_others_only(both):
    phrase, dependency = both
    odd = read_text(phrases([("dogs", "see", "cats")], subject="ODD"))
    words = Dependencies.of([(["dogs", "see", "cats"], [2, 0, 2], ["nsubj", "root", "obj"])])
    one, other = type(phrase).concatenate([phrase, odd]), dependency + words
    result = cross_fitted(one, other, to_functions(other))
    assert "ODD" in result.trees(one)[len(one) - 1].column("label", "nodes")


def test_the_category_and_the_one_above_decide_where_the_label_does_not():
    words = [("the", "old", "dogs", "bark")] * 5
    tree = "(S (NP-SB (ART-NK the) (ADJA-NK old) (NN-HD dogs)) (VVFIN-HD bark))"
    trees = read_text("\n".join([tree] * 5))
    labels = ["det", "amod", "nsubj", "root"]
    dependency = Dependencies.of([(list(each), [3, 3, 4, 0], labels) for each in words])
    result = learn_labels(trees, dependency)
    assert result["NK", "ART"] == "det"
    assert result["NK", "ADJA", "NP"] == "amod"
    assert parse_label_map(result.text)["NK", "ADJA", "NP"] == "amod"
    assert result.coverage(trees) == (25, 25)


def test_a_map_can_take_labels_away():
    result = parse_label_map("SBJ + NP < S = _\n_ + VBP < VP = hd")
    tree = read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing) (ADVP-MNR (RB well))))")
    assert set(result.trees(tree).label) == {"", "hd", "MNR"}


def test_with_a_map_its_coverage_is_told(tmp_path, both):
    words = sentences(40)
    gold = write(tmp_path / "p.mrg", phrases(words))
    made = write(tmp_path / "m.labels", "QX = nsubj\n")
    rows = "".join(
        f"1\t{a}\t_\tN\t_\t_\t2\tnsubj\t_\t_\n2\t{b}\t_\tV\t_\t_\t0\troot\t_\t_\n"
        f"3\t{c}\t_\tN\t_\t_\t2\tobj\t_\t_\n\n"
        for a, b, c in words
    )
    other = write(tmp_path / "d.conllu", rows)
    done = run("compare", f"p={gold}:{gold}", f"d={other}:{other}", "--label-map", f"p={made}")
    assert "p: label map, 50.0 % known" in done.stdout
    done = run("labels", "learn", gold, other, "--functions", "QX,A")
    assert "QY" not in done.stdout
    assert "A = nsubj" in done.stdout


def test_a_label_that_becomes_dep_is_not_known():
    corpus = Dependencies.of([(["a", "b"], [0, 1], ["root", "dep"])])
    result = hub_trees(corpus, "ud")
    assert (result.known, result.labels) == (1, 2)


# ── inventories from guidelines ──────────────────────────────────────────────────────────────────

TIGER = (
    "(S (NP-SB (ART-NK die) (ADJA-NK alten) (NN-NK Hunde)) (VAFIN-HD haben)"
    " (VP-OC (PP-MO (APPR-AC in) (ART-NK dem) (NN-NK Haus)) (VVPP-HD gebellt)))"
)


def test_a_noun_kernel_of_tiger_is_what_its_category_tells():
    result = hub_trees(read_text(TIGER))
    assert (result.inventory, result.coverage) == ("tiger", 1)
    labels = dict(zip(result.trees.yields, result.trees.label, strict=True))
    assert [labels[str(word)] for word in range(1, 8)] == [
        *("det", "amod", "hd", "aux", "case", "det", "hd")
    ]
    assert labels["1-3"], labels["5-7"] == ("nsubj", "obl")


def test_the_head_of_a_phrase_of_one_word_is_what_the_phrase_is():
    result = hub_trees(read_text("(S (NP-SB (PPER-HD es)) (VVFIN-HD bellt))"), "tiger")
    assert dict(zip(result.trees.yields, result.trees.label, strict=True))["1"] == "nsubj"


HISTORICAL = (
    "( (IP-MAT (NP-SBJ (PRO-N hann)) (VBDI sá) (NP-OB1 (D-A tann) (N-A mann))"
    " (PP (P í) (NP (N-D skógi)))) (ID x,.1))"
)


def test_corpora_of_historical_languages_are_known():
    result = hub_trees(read_text(HISTORICAL))
    assert result.inventory == "historical"
    labels = dict(zip(result.trees.yields, result.trees.label, strict=True))
    assert labels["1"], labels["3-4"] == ("nsubj", "obj")
    assert (labels["2"], labels["3"], labels["4"], labels["5"]) == ("hd", "det", "hd", "case")
    assert labels["5-6"] == "obl"


def test_what_is_no_relation_need_not_be_known():
    result = hub_trees(read_text(HISTORICAL))
    assert (result.known, result.labels) == (2, 2)


def test_arcs_without_a_label_get_one_by_their_tags_where_others_have_labels():
    def tree(labels):
        words = Dependencies.of([(["the", "dog", "barks"], [2, 3, 0], labels)] * 4).words
        return Dependencies({"words": words.replace(upos=Strings.of(["d", "n", "v"] * 4))})

    ud = tree(["det", "nsubj", "root"])
    learned = learn_labels(tree(["_", "SUJ", "ROOT"]), ud)
    assert learned["_", "d"] == "det"
    assert "det" in learned.trees(tree(["_", "SUJ", "ROOT"])).label.tolist()
    assert not any(learned.trees(tree(["_"] * 3)).label.where(lambda text: text == "det"))


# ── graphs ───────────────────────────────────────────────────────────────────────────────────────


def _graphs(number):
    """As many graphs of *Old men*: as in DM, the modifier points at what it modifies."""
    words = ["Old", "men", "."]
    return bank(*(graph(arcs("1 2 ARG1"), 2, str(place), words) for place in range(number)))


def test_labels_of_graphs_are_learned_over_the_words_that_they_have():
    tree = Dependencies.of([(["Old", "men", "."], [2, 0, 2], ["amod", "root", "punct"])] * 5)
    fitted = fit_labels(_graphs(5), tree)
    # The graph is silent about the full stop, so that its top is the root of the tree.
    assert {(each.label, each.other) for each in fitted.whole.entries} == {
        ("ARG1-of", "amod"),
        ("root", "root"),
        ("hd", "hd"),
    }
    assert (fitted.known, fitted.labels, fitted.accuracy) == (10, 10, 1.0)


def test_the_part_of_speech_of_a_node_tells_where_the_label_does_not():
    subject = graph(arcs("2 1 ARG1"), 2, "s", ["Men", "sing"])
    quantity = graph(arcs("2 1 ARG1"), 2, "q", ["Ten", "men"])
    for data, tag in ((subject, "NNS"), (quantity, "CD")):
        data["nodes"][0] |= {"properties": ["pos"], "values": [tag]}
    graphs = bank(*[subject] * 4, *[quantity] * 4)
    trees = [
        *[(["Men", "sing"], [2, 0], ["nsubj", "root"])] * 4,
        *[(["Ten", "men"], [2, 0], ["nummod", "root"])] * 4,
    ]
    learned = learn_labels(graphs, Dependencies.of(trees), threshold=0.6)
    assert (learned["ARG1", "NNS"], learned["ARG1", "CD"]) == ("nsubj", "nummod")
    assert parse_label_map(learned.text)["ARG1", "CD"] == "nummod"


def test_a_bank_of_graphs_may_have_fewer_sentences():
    tree = Dependencies.of(
        [(["Old", "men", "."], [2, 0, 2], ["amod", "root", "punct"])] * 3
        + [(["Only", "here"], [2, 0], ["x", "root"])]
    )
    with pytest.raises(UsageError, match="the same sentences"):
        learn_labels(_graphs(3), tree)
    assert learn_labels(_graphs(3), tree, on_mismatch="realign").image("ARG1-of") == "amod"


def test_a_learned_map_makes_the_labels_of_nodes_and_relations_the_same():
    graphs = _graphs(5)
    tree = Dependencies.of([(["Old", "men", "."], [2, 0, 2], ["amod", "root", "punct"])] * 5)
    map_ = parse_label_map(learn_labels(graphs, tree).text)
    found = compare({"dm": (graphs, graphs), "ud": (tree, tree)}, label_maps={"dm": map_})
    # Graph and tree have the same labelled nodes and relations, so that they are one gold standard.
    assert found["dm"].gold == found["ud"].gold
    assert compare({"dm": (graphs, graphs), "ud": (tree, tree)}, labels="own").relation_overlap
    assert found.translated["dm"].coverage == 1.0
