"""Rules make enhanced graphs of basic trees, and find most of what people have annotated."""

import pytest
from command import run_line, write

from commonground import read, read_text
from commonground.conversion.enhancement import ENHANCEMENTS, enhanced, enhancement_rules
from commonground.corpus.deps import arcs_in


def trees(*rows):
    """Return one tree: form, upos, head, deprel (and features) a word."""
    lines = []
    for number, row in enumerate(rows, 1):
        form, upos, head, label, *feats = row.split()
        lines.append(
            f"{number}\t{form}\t{form.lower()}\t{upos}\t_\t{feats[0] if feats else '_'}\t{head}\t"
            f"{label}\t_\t_"
        )
    return read_text("\n".join([*lines, "", ""]), "conllu")


def new_arcs(corpus, **settings):
    """Return the arcs that the tree has not: head, label, dependent."""
    forms = corpus.form.tolist()
    return {
        (forms[arc.major - 1], arc.label, form)
        for form, head, deps in zip(
            forms, corpus.head.tolist(), enhanced(corpus, **settings).deps.tolist(), strict=True
        )
        for arc in arcs_in(deps)
        if arc.major != head
    }


WANTS = (
    "She PRON 2 nsubj", "asked VERB 0 root", "Tom PROPN 2 obj", "to PART 5 mark",
    "try VERB 2 xcomp", "to PART 7 mark", "leave VERB 5 xcomp",
)  # fmt: skip
TOUGH = (
    "Locks NOUN 3 nsubj", "are AUX 3 cop", "hard ADJ 0 root", "to PART 5 mark",
    "open VERB 3 ccomp",
)  # fmt: skip


def test_open_complements_have_the_subject_that_controls_them():
    assert new_arcs(trees(*WANTS)) == {
        ("try", "nsubj:xsubj", "Tom"),
        ("leave", "nsubj:xsubj", "Tom"),
    }


def test_conjuncts_share_what_is_theirs_and_say_how_they_are_joined():
    corpus = trees(
        "Anna PROPN 2 nsubj", "cooks VERB 0 root", "and CCONJ 4 cc", "sells VERB 2 conj",
        "soup NOUN 2 obj",
    )  # fmt: skip
    assert new_arcs(corpus) == {("sells", "nsubj", "Anna"), ("sells", "obj", "soup")}
    assert enhanced(corpus).deps[3] == "2:conj:and"


def test_a_relative_word_gives_its_place_to_the_noun():
    corpus = trees("people NOUN 0 root", "who PRON 3 nsubj PronType=Rel", "sing VERB 1 acl:relcl")
    assert new_arcs(corpus) == {("sing", "nsubj", "people"), ("people", "ref", "who")}


def test_a_bare_relative_has_a_gap():
    corpus = trees("songs NOUN 0 root", "we PRON 3 nsubj", "sing VERB 1 acl:relcl")
    assert new_arcs(corpus) == {("sing", "obj", "songs")}


def test_the_gap_of_tough_adjectives_is_no_arc_of_ud():
    assert new_arcs(trees(*TOUGH)) == set()
    assert new_arcs(trees(*TOUGH), extensions=True) == {("open", "obj", "Locks")}


def test_only_relative_words_lose_the_arc_of_the_tree():
    for name in ("example:ud", "example:phenomena-ud"):
        corpus = read(name)
        columns = (corpus.head, corpus.feats, enhanced(corpus).deps)
        for head, feats, deps in zip(*(each.tolist() for each in columns), strict=True):
            assert head in {arc.major for arc in arcs_in(deps)} or "PronType=Rel" in feats


def test_a_word_without_a_head_has_no_arc():
    lines = "1\tShe\t_\tPRON\t_\t_\t_\t_\t_\t_\n2\tsings\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    corpus = read_text(lines, "conllu", partial=True)
    assert enhanced(corpus).deps.tolist() == ["_", "0:root"]


def test_enhancing_twice_changes_nothing():
    once = enhanced(read("example:ud"))
    assert enhanced(once).deps.tolist() == once.deps.tolist()


def test_all_rules_can_be_read():
    for name in ENHANCEMENTS:
        assert all(rule.additions or rule.removals for rule in enhancement_rules(name))


@pytest.mark.long
def test_rules_find_nine_of_ten_arcs_of_a_gold_graph(shared):
    corpus = read(shared / "data/ewt/dev.conllu")

    def arcs(texts):
        return {
            (row, arc.major, arc.label.partition(":")[0])
            for row, (text, head) in enumerate(zip(texts, corpus.head.tolist(), strict=True))
            for arc in arcs_in(text)
            if arc.major != head
        }

    gold, own = arcs(corpus.deps.tolist()), arcs(enhanced(corpus).deps.tolist())
    assert len(gold & own) / len(own) > 0.93
    assert len(gold & own) / len(gold) > 0.9


def test_convert_enhances_and_refuses_what_is_not_ud(tmp_path):
    done = run_line("commonground convert example:ud out.conllu --enhance", tmp_path)
    assert done.returncode == 0, done.stderr
    assert any("nsubj:xsubj" in text for text in read(tmp_path / "out.conllu").deps.vocabulary)
    rows = ["1\tShe\t_\tPRP\tPRP\t_\t2\tSBJ\t_\t_", "2\tsings\t_\tVBZ\tVBZ\t_\t0\tROOT\t_\t_"]
    write(tmp_path / "lth.conllu", "\n".join([*rows, "", ""]))
    done = run_line("commonground convert lth.conllu out.conllu --enhance", tmp_path)
    assert done.returncode == 2
    assert "transform the trees to ud first" in done.stderr
    done = run_line("commonground convert example:ptb out.mrg --enhance", tmp_path)
    assert "--enhance is for dependencies" in done.stderr
