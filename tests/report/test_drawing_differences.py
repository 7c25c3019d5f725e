"""A gold standard and a parse drawn together, generalized trees, and edit scripts."""

from __future__ import annotations

import pytest
from seen import Seen

import commonground as cg
from commonground.corpus import Dependencies, Functions, Strings
from commonground.evaluation.explained_sentence import explain_sentence
from commonground.report.drawing import (
    DrawingOptions,
    differing,
    draw,
    draw_difference,
    draw_explanation,
    draw_generalization,
)
from commonground.report.drawing.node_differences import matched
from commonground.report.text_differences import difference_text

WORDS = "I want to eat now".split()
GOLD = Dependencies.of([(WORDS, [2, 0, 4, 2, 4], "nsubj root mark xcomp advmod".split())])
PARSE = Dependencies.of([(WORDS, [2, 0, 4, 2, 2], "nsubj root mark ccomp advmod".split())])


def kinds_of(svg):
    """Return for each label of an arc or node the kinds that it is drawn in."""
    known = {"same", "wrong", "right", "renamed", "lost"}
    names = {}
    for box in Seen(svg).texts:
        if {"arc", "node"} & set(box.kinds):
            names.setdefault(box.text, []).append(" ".join(k for k in box.kinds if k in known))
    return names


def arcs(gold, parse, **how):
    """Return the kinds of the arcs above and below the words: {label: (above, below)}."""
    result = differing(gold, parse, DrawingOptions(**how))
    return (
        {(arc.dependent, arc.label): arc.kind for arc in result.above},
        {(arc.dependent, arc.label): arc.kind for arc in result.below},
    )


# ── dependencies ─────────────────────────────────────────────────────────────────────────────────


def test_equal_arcs_are_thin_and_only_above():
    above, below = arcs(GOLD, GOLD)
    assert set(above.values()) == {"same"}
    assert below == {}


def test_another_label_is_dashed_and_another_head_is_thick():
    above, below = arcs(GOLD, PARSE)
    assert above == {
        (0, "nsubj"): "same",
        (1, "root"): "same",
        (2, "mark"): "same",
        (3, "ccomp"): "wrong renamed",
        (4, "advmod"): "wrong",
    }
    assert below == {(3, "xcomp"): "right renamed", (4, "advmod"): "right"}


def test_the_parse_is_above_the_words_and_gold_below():
    seen = Seen(draw_difference(GOLD, PARSE))
    word = next(box for box in seen.texts if box.text == "eat")
    tops = {box.text: box.top for box in seen.texts}
    assert tops["ccomp"] < word.top < tops["xcomp"]


def test_differences_have_shapes_and_not_only_colours():
    svg = draw_difference(GOLD, PARSE)
    assert ".renamed path" in svg
    assert "stroke-dasharray" in svg
    assert kinds_of(svg)["ccomp"] == ["wrong renamed"]


def test_the_legend_explains_what_is_there():
    seen = Seen(draw_difference(GOLD, PARSE))
    assert {"in both", "parse: other head", "gold: other label"} <= set(seen.words)
    assert "parse: other head" not in Seen(draw_difference(GOLD, GOLD)).words


def test_tags_that_differ_are_both_shown():
    gold, parse = (
        corpus.replace("words", upos=Strings.of(tags.split()))
        for corpus, tags in ((GOLD, "PRON VERB PART VERB ADV"), (PARSE, "PRON VERB PART NOUN ADV"))
    )
    words = Seen(draw_difference(gold, parse)).words
    assert words.count("NOUN") == 1
    assert words.count("VERB") == 2
    assert words.count("ADV") == 1


def test_words_of_one_side_only_are_marked():
    gold = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "advmod", "root"])])
    parse = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    result = differing(gold, parse, DrawingOptions())
    forms = [(column.texts[0], column.kinds[:1]) for column in result.columns]
    assert forms == [
        ("cannot", ("wrong",)),
        ("can", ("right",)),
        ("not", ("right",)),
        ("go", ("",)),
    ]
    assert [arc.kind for arc in result.above] == ["wrong", "same"]


def test_other_texts_are_drawn_one_below_the_other():
    other = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    assert differing(GOLD, other, DrawingOptions()) is None
    words = Seen(draw_difference(GOLD, other)).words
    assert {"parse", "gold", "Birds", "eat"} <= set(words)


def test_enhanced_graphs_are_compared_arc_by_arc():
    gold = GOLD.replace(
        "words", deps=Strings.of("2:nsubj|4:nsubj 0:root 4:mark 2:xcomp 4:advmod".split())
    )
    parse = GOLD.replace("words", deps=Strings.of("2:nsubj 0:root 4:mark 2:xcomp 4:advmod".split()))
    _, below = arcs(gold, parse, enhanced=True)
    assert below == {(0, "nsubj"): "right"}


# ── constituents ─────────────────────────────────────────────────────────────────────────────────

TREE = cg.read_text("(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (NNP Tom))))")


def test_equal_trees_have_only_equal_nodes():
    result = kinds_of(draw_difference(TREE, TREE))
    assert {kind for kinds in result.values() for kind in kinds} == {"same"}


def test_unmatched_brackets_are_marked_on_their_side():
    parse = cg.read_text("(S (NP (DT the) (NN cat)) (XP (VBZ sees)) (NP (NNP Tom)))")
    result = kinds_of(draw_difference(TREE, parse))
    assert result["XP"] == ["wrong"]
    assert result["VP"] == ["right"]
    assert set(result["NP"]) == {"same"}


def test_a_bracket_with_another_label_is_renamed():
    parse = cg.read_text("(S (QP (DT the) (NN cat)) (VP (VBZ sees) (NP (NNP Tom))))")
    result = kinds_of(draw_difference(TREE, parse))
    assert result["QP"] == ["wrong renamed"]
    assert sorted(result["NP"]) == ["right renamed", "same", "same"]


def test_traces_are_not_compared():
    gold = cg.read_text(
        "(S (NP-SBJ-1 (DT the) (NN cat)) (VP (VBZ wants) (S (NP (-NONE- *-1)) (VP (VB go)))))"
    )
    parse = cg.read_text("(S (NP (DT the) (NN cat)) (VP (VBZ wants) (S (VP (VB go)))))")
    result = kinds_of(draw_difference(gold, parse))
    assert {kind for kinds in result.values() for kind in kinds} == {"same", ""}
    assert draw_difference(gold, parse).count("*-1") == 1


def test_functions_count_where_both_sides_have_them():
    assert matched([(1, "NP-SBJ")], [(1, "NP")]) == (["same"], ["same"])
    assert matched([(1, "NP-SBJ-1")], [(1, "NP-SBJ-2")]) == (["same"], ["same"])
    assert matched([(1, "NP-SBJ")], [(1, "NP-OBJ")]) == (["right renamed"], ["wrong renamed"])


def test_equal_brackets_are_matched_one_to_one():
    gold, parse = matched([(3, "NP"), (3, "NP"), (3, "X")], [(3, "NP"), (3, "Y")])
    assert gold == ["same", "right renamed", "right"]
    assert parse == ["same", "wrong renamed"]


def test_other_words_are_drawn_one_below_the_other():
    other = cg.read_text("(S (NP (DT a) (NN dog)))")
    assert {"parse", "gold", "dog", "cat"} <= set(Seen(draw_difference(TREE, other)).words)


# ── function trees ───────────────────────────────────────────────────────────────────────────────

ABC = "a b c".split()
ONE = Functions.of([(ABC, [("1-3", "root"), ("1-2", "x"), ("3", "y"), ("3", "z")])])
TWO = Functions.of([(ABC, [("1-3", "root"), ("2-3", "x"), ("3", "y")])])


def test_function_trees_are_compared_by_yields_and_labels():
    result = kinds_of(draw_difference(ONE, TWO))
    assert result["{root}"] == ["same", "same"]
    assert sorted(result["{x}"]) == ["right", "wrong"]
    assert result["{y, z}"] == ["right renamed"]
    assert result["{y}"] == ["wrong renamed"]


def test_analyses_of_different_kinds_are_compared_as_function_trees():
    ud, ptb = (cg.read(f"example:{name}")[0] for name in ("ud", "ptb"))
    result = kinds_of(draw_difference(ptb, ud))
    assert "{nsubj}" in result
    assert "{SBJ}" in result


def test_a_generalization_shows_what_each_scheme_loses():
    svg = draw_generalization({"first": ONE, "second": TWO})
    words = Seen(svg).words
    assert {"what all agree on", "first", "second"} <= set(words)
    assert kinds_of(svg)["{x}"] == ["lost", "lost"]
    lost = [element.text for element in Seen(svg).root.iter() if element.get("class") == "lost"]
    assert lost == ["z"]


def test_an_explanation_shows_the_edits():
    sides = {
        name: (cg.read(f"example:{name}"), cg.read(f"example:{name}-parse"))
        for name in ("ud", "ptb")
    }
    changed = sides["ud"][0].sent_id[4]
    result = explain_sentence(sides, changed)[0]
    svg = draw_explanation(result)
    lines = sorted((box for box in Seen(svg).texts if "note" in box.kinds), key=lambda b: b.top)
    told = " ".join(box.text for box in lines)
    for title, script in (
        ("counted", result.explanation.charged),
        ("forgiven", result.explanation.forgiven),
    ):
        assert f"{title}: {'; '.join(map(str, script))}" in told


def test_an_explanation_marks_what_is_deleted_added_and_forgiven():
    words = "John loves Mary".split()
    own = Functions.of([(words, [("1", "sbj"), ("2-3", "prd"), ("2", "hd"), ("3", "obj")])])
    parse = Functions.of([(words, [("1", "mod"), ("2-3", "prd"), ("2", "hd")])])
    flat = Functions.of([(words, [("1", "sbj"), ("2", "hd"), ("3", "obj")])])
    from commonground.evaluation.explained_sentence import Explained
    from commonground.ground.scripts import explain

    (why,) = explain(parse, own, flat, relabel=False)
    result = kinds_of(draw_explanation(Explained("one", parse, own, flat, why, ())))
    assert result["{prd}"] == ["lost"]
    assert result["{mod}"] == ["wrong"]
    assert sorted(result["{sbj}"] + result["{obj}"]) == ["right", "right"]
    assert set(result["{hd}"]) == {""}


# ── text ─────────────────────────────────────────────────────────────────────────────────────────


def text(gold, parse, **how):
    return "\n" + difference_text(differing(gold, parse, DrawingOptions()), **how) + "\n"


def test_a_text_tells_what_the_gold_standard_has():
    assert (
        text(GOLD, PARSE)
        == """
0 ─┮
1  │ ╭─╼ I     nsubj
2  ╰─┾ want    root
3    │ ╭─╼ to  mark
4    ├─┶ eat   ccomp   ≠ gold: xcomp
5    ╰─╼ now   advmod  ✗ gold: 4 eat  advmod
"""
    )


def test_a_text_without_differences_is_the_tree():
    assert "gold" not in text(GOLD, GOLD)


def test_a_text_marks_the_brackets_of_each_side():
    parse = cg.read_text("(S (NP (DT the) (NN cat)) (XP (VBZ sees)) (NP (NNP Tom)))")
    assert (
        text(TREE, parse, ascii=True)
        == """
parse
  -+ S
   +-+ NP
1  | +-- the   DT
2  | `-- cat   NN
   +-+ XP           x
3  | `-- sees  VBZ
   `-+ NP
4    `-- Tom   NNP
gold
  -+ S
   +-+ NP
1  | +-- the    DT
2  | `-- cat    NN
   `-+ VP            x
3    +-- sees   VBZ
     `-+ NP
4      `-- Tom  NNP
"""
    )


def test_a_text_leaves_out_the_traces_of_the_other_side():
    gold = cg.read_text("(S (NP (-NONE- *)) (VP (VB Go)))")
    parse = cg.read_text("(S (VP (VB Go)))")
    result = text(gold, parse)
    assert result.count("*") == 1


def test_words_of_one_side_only_are_told():
    gold = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "advmod", "root"])])
    parse = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    result = text(gold, parse)
    assert "✗ gold: no such word" in result
    assert "✗ gold: 3 go  advmod" in result


@pytest.mark.parametrize("corpus", [GOLD, TREE, ONE])
def test_a_sentence_against_itself_shows_no_difference(corpus):
    result = kinds_of(draw_difference(corpus, corpus))
    assert {kind for kinds in result.values() for kind in kinds} == {"same"}
    assert Seen(draw(corpus)).words
