"""Function trees of graphs: enhanced dependencies and relations."""

from __future__ import annotations

import pytest
from function_trees import shown, trees
from hypothesis import given
from hypothesis import strategies as st
from relation_samples import SAMPLES
from strategies import heads

import commonground
from commonground.corpus import Dependencies, Functions
from commonground.corpus.arcs import to_relations
from commonground.corpus.functions import yield_text
from commonground.errors import UsageError
from commonground.formats import read_text, write_text
from commonground.ground import to_functions


def enhanced(*rows):
    """Enhanced dependencies of `form deps` rows; a row with an ID in front is an empty node."""
    lines, place = [], 0
    for row in rows:
        *number, form, deps = row.split()
        place += not number
        head, label = ("_", "_") if number else ("0", "root")
        lines.append(
            "\t".join([*(number or [str(place)]), form, "_", "_", "_", "_", head, label, deps, "_"])
        )
    return read_text("\n".join(lines) + "\n", "conllu")


def rows(corpus):
    return set(zip(corpus.yields, corpus.label, strict=True))


def test_a_word_has_several_functions_in_several_places():
    graph = enhanced("We 2:nsubj|4:nsubj:xsubj", "want 0:root", "to 4:mark", "rest 2:xcomp")
    result = to_functions(graph, enhanced=True)
    assert rows(result) == {
        ("1-4", "root"), ("1", "nsubj"), ("1", "nsubj:xsubj"), ("2", "hd"),
        ("1,3-4", "xcomp"), ("3", "mark"), ("4", "hd"),
    }  # fmt: skip
    assert shown(result) == (
        "({root} ({xcomp} ({nsubj,nsubj:xsubj} 1=We) ({mark} 3=to) ({hd} 4=rest)) ({hd} 2=want))"
    )


def test_yields_may_cross():
    graph = enhanced("Ann 2:nsubj|3:nsubj", "came 0:root", "left 2:conj|0:root", "Bob 3:obj|2:obj")
    result = to_functions(graph, enhanced=True)
    assert trees(write_text(result, "functions")) == result


def test_the_members_of_a_cycle_have_one_yield():
    graph = enhanced("man 4:nsubj|3:nsubj", "who 1:ref", "slept 1:acl:relcl", "woke 0:root")
    result = rows(to_functions(graph, enhanced=True))
    assert {("1-3", "nsubj"), ("1-3", "acl:relcl"), ("1", "hd"), ("3", "hd")} <= result


def test_a_loop_is_no_dependent():
    graph = enhanced("a 0:root", "b 2:x|1:y")
    assert rows(to_functions(graph, enhanced=True)) == {
        ("1-2", "root"),
        ("1", "hd"),
        ("2", "x"),
        ("2", "y"),
    }


def test_an_empty_node_has_the_words_that_it_dominates():
    graph = enhanced("Sue 2:nsubj", "ate 0:root", "Bo 3.1:nsubj", "3.1 ate 2:conj", "pie 3.1:obj")
    result = rows(to_functions(graph, enhanced=True))
    assert ("3-4", "conj") in result
    assert ("1-4", "root") in result
    assert {("3", "nsubj"), ("4", "obj")} <= result
    assert [label for _, label in result].count("hd") == 1


def test_an_empty_node_without_words_is_no_node():
    graph = enhanced("go 0:root", "1.1 you 1:nsubj")
    assert shown(to_functions(graph, enhanced=True)) == "({root} go)"


def test_the_wildcard_of_2011():
    graph = enhanced("We 2:nsubj", "go 0:root")
    assert shown(to_functions(graph, enhanced=True, head="*")) == "({root} ({nsubj} We) ({*} go))"


def test_without_an_enhanced_graph():
    corpus = Dependencies.of([(["a"], [0], ["root"])])
    with pytest.raises(UsageError, match="the column DEPS is empty"):
        to_functions(corpus, enhanced=True)


# ── relations ────────────────────────────────────────────────────────────────────────────────────


def test_collapsed_stanford_dependencies():
    text = "nsubj(went-2, Ann-1)\nroot(ROOT-0, went-2)\nprep_to(went-2, Rome-4)\nconj_and(went-2, sang-6)\nnsubj(sang-6, Ann-1)\n"
    result = to_functions(read_text(text, "stanford"))
    assert result.form.tolist() == ["Ann", "went", "_", "Rome", "_", "sang"]
    assert rows(result) == {
        ("1-2,4,6", "root"), ("1", "nsubj"), ("2", "hd"), ("4", "prep_to"),
        ("1,6", "conj_and"), ("6", "hd"),
    }  # fmt: skip


def test_a_copy_is_a_node_of_its_own():
    text = "prep(sings-1, in-2)\npobj(in-2, bars-3)\nconj(sings-1, sings-1')\nprep_at(sings-1', home-4)\n"
    result = rows(to_functions(read_text(text, "stanford")))
    assert ("1,4", "conj") in result
    assert ("2-3", "prep") in result


def test_grammatical_relations_of_several_words():
    text = "(ncsubj sing:3 Small_birds:1:2 _)\n(passive sing:3)\n"
    result = to_functions(read_text(text, "gr"))
    assert rows(result) == {("1-2", "ncsubj"), ("3", "hd")}


def test_enju_arguments():
    text = SAMPLES["enju"].split("\n\n")[0] + "\n"
    result = to_functions(read_text(text, "enju"))
    assert rows(result) == {("1-2", "ROOT"), ("1", "ARG1"), ("2", "hd")}


def test_words_that_the_format_tells_are_the_words():
    result = to_functions(read_text(SAMPLES["stanford"], "stanford"))
    assert result[0].column("form") == ["Birds", "(", "sing", ")", "."]


def test_a_structure_above_words_has_their_yields():
    """Nodes that stand for no word, as in an f-structure, between nodes that do."""
    graph = enhanced("a 2.1:in", "b 2.2:in", "2.1 x 0:top", "2.2 y 2.1:below")
    result = rows(to_functions(graph, enhanced=True))
    assert result == {("1-2", "top"), ("1", "in"), ("2", "in"), ("2", "below")}


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@given(st.integers(1, 8).flatmap(heads))
def test_the_graph_of_a_tree_gives_its_function_tree(arcs):
    words = [f"w{place}" for place in range(len(arcs))]
    tree = Dependencies.of([(words, arcs, [f"l{arc}" for arc in arcs])])
    assert to_functions(to_relations(tree)) == to_functions(tree)


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(1, n), st.integers(1, n))))))  # fmt: skip
def test_a_node_has_all_that_can_be_reached(drawn):
    length, arcs = drawn
    forms = [f"w{place}" for place in range(1, length + 1)]
    deps = [
        "|".join(f"{h}:r" for h, d in sorted(arcs) if d == word) or "_"
        for word in range(1, length + 1)
    ]
    if set(deps) == {"_"}:
        return
    result = to_functions(
        enhanced(*(f"{f} {d}" for f, d in zip(forms, deps, strict=True))), enhanced=True
    )
    reach = {word: {word} for word in range(1, length + 1)}
    for _ in range(length):
        for head, dependent in arcs:
            reach[head] |= reach[dependent]
    wanted = [(yield_text(reach[d]), "r") for _, d in arcs]
    wanted += [(str(word), "hd") for word in reach if len(reach[word]) > 1]
    assert result == Functions.of([(forms, wanted)])


@pytest.mark.long
def test_a_long_chain_and_a_long_cycle():
    length = 3000
    chain = [f"w {place - 1}:x" for place in range(1, length + 1)]
    assert to_functions(enhanced(*chain), enhanced=True).nodes.rows == 2 * length - 1
    ring = to_functions(enhanced(f"w {length}:x", *chain[1:]), enhanced=True)
    assert set(ring.yields[: length + 1].tolist()) == {
        f"1-{length}",
        *map(str, range(1, length + 1)),
    }


# ── real graphs ──────────────────────────────────────────────────────────────────────────────────


def test_the_enhanced_example_comes_back_as_text():
    result = to_functions(commonground.read("example:ud"), enhanced=True)
    assert trees(write_text(result, "functions")) == result


@pytest.mark.parametrize("suffix", ["gr", "hpsg-pa", "stanford", "ptb"])
def test_the_frameworks_of_pe08(suffix, shared):
    result = to_functions(commonground.read(shared / f"data/pe08/genia.{suffix}"))
    assert result.nodes.lengths.min() > 0
    assert trees(write_text(result, "functions")) == result
