"""What `transform` does with corpora: what stays, what is dropped, what is reported."""

from __future__ import annotations

import pickle
from time import process_time

import numpy as np
import pytest
from scheme_samples import arcs, sentence

import commonground
from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.schemes.hub import PARTS, RELATIONS
from commonground.schemes.hub_trees import from_hub, to_hub
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.transform import arcs_in_hub, transform
from commonground.schemes.tree import Tree

TEXT = """\
# sent_id = a
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t3:case\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t3:det\tX=1
3\tvin\tvin\tNOUN\t_\t_\t0\troot\t0:root\t_
3.1\tvide\t_\t_\t_\t_\t_\t_\t3:x\t_

# sent_id = b
1\tOui\toui\tINTJ\t_\t_\t0\troot\t0:root\t_

"""


def test_words_comments_and_multiword_tokens_stay():
    corpus = commonground.read_text(TEXT)
    done, report = transform(corpus, "ud", "sud")
    assert done.head.tolist() == [0, 3, 1, 0]
    for column in ("form", "lemma", "upos", "xpos", "feats", "misc"):
        assert done.words[column] == corpus.words[column]
    assert done.tokens == corpus.tokens
    assert done.comments == corpus.comments
    assert (report.sentences, report.words, report.heads) == (2, 4, 2)


@pytest.mark.parametrize("name", scheme_names())
def test_arcs_in_the_hub_are_those_of_a_transformation_to_it(name):
    there, _ = transform(commonground.read("example:schemes"), "ud", name)
    back, _ = transform(there, name, "ud")
    assert arcs_in_hub(there, find_scheme(name)) == (back.head.tolist(), back.deprel.tolist())


def test_the_enhanced_graph_is_dropped_and_that_is_said():
    done, report = transform(commonground.read_text(TEXT), "ud", "sud")
    assert done.deps.counts() == {"_": 3, "0:root": 1}
    assert done.empties.rows == 0
    assert [remark for remark in report.remarks if "enhanced graph" in remark]
    _, silent = transform(done, "sud", "ud")
    assert not silent.remarks


def test_nothing_becomes_nothing():
    empty = commonground.read_text("", "conllu")
    done, report = transform(empty, "ud", "sud", losses=True)
    assert len(done) == 0
    assert report.words == 0


def test_a_cycle_stays_as_it_is_and_is_reported():
    corpus = Dependencies.of([(["a", "b"], [2, 1], ["case", "case"]), (["x"], [0], ["root"])])
    done, report = transform(corpus, "ud", "sud")
    assert done.head.tolist() == [2, 1, 0]
    assert report.skipped == {"no tree: a cycle": ["1"]}


def test_words_without_a_head_and_several_roots_are_allowed():
    corpus = sentence("in/ADP/2/case Rome/PROPN/-1/_ by/ADP/4/case car/NOUN/0/root so/ADV/0/root")
    done, _ = transform(corpus, "ud", "sud")
    assert done.head.tolist() == [-1, 1, 0, 3, 0]
    back, _ = transform(done, "sud", "ud")
    assert back.head.tolist() == corpus.head.tolist()


def deep(size):
    """A sentence in which each word hangs on the one before it."""
    labels = ["root", *(["nmod", "case", "conj", "aux", "flat"] * size)][:size]
    corpus = Dependencies.of([(["w"] * size, list(range(size)), labels)])
    return corpus.replace("words", upos=corpus.form.map(lambda _: "NOUN"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["sud", "prague", "yamada", "tiger"])
def test_trees_5000_deep_work(name):
    done, _ = transform(deep(5000), "ud", name)
    assert (done.head == 0).sum() == 1
    transform(done, name, "ud")


@pytest.mark.long
@pytest.mark.parametrize("name", ["sud", "prague", "tiger"])
def test_sentences_of_10000_words_work(name):
    """Time grows with words: each word is looked at some times, not once for each other one."""
    size = 10_000
    labels = ["root", *(["case", "conj", "punct", "nsubj"] * size)][:size]
    corpus = Dependencies.of([(["w"] * size, [0, *([1] * (size - 1))], labels)])
    started = process_time()
    done, _ = transform(corpus, "ud", name)
    assert process_time() - started < 5
    assert (done.head == 0).sum() == 1


def long_sentence(kind: str, size: int = 10_000) -> Dependencies:
    """Return a coordination, a name or relative clauses in each other, all of one sentence."""
    rest = range(2, size + 1)
    heads, labels = {
        "names": ([1 for _ in rest], ["flat" for _ in rest]),
        "clauses": ([place - 1 for place in rest], ["acl:relcl" for _ in rest]),
        "conjuncts": (
            [1 if place % 2 or place == size else place + 1 for place in rest],
            ["conj" if place % 2 or place == size else "cc" for place in rest],
        ),
    }[kind]
    heads, labels = [0, *heads], ["root", *labels]
    corpus = Dependencies.of([(["w"] * size, heads, labels)])
    return corpus.replace("words", upos=corpus.form.map(lambda _: "PROPN"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("names", "sud"),
        ("names", "tut"),
        ("names", "yamada"),
        ("clauses", "collins"),
        ("clauses", "alpino"),
        ("conjuncts", "collins"),
        ("conjuncts", "stanford"),
        ("conjuncts", "yamada"),
    ],
)
def test_long_constructions_take_linear_time_there_and_back(kind, name):
    """Each of these takes less than two seconds; it was up to a minute where time was quadratic."""
    corpus = long_sentence(kind)
    started = process_time()
    done, _ = transform(corpus, "ud", name)
    transform(done, name, "ud")
    assert process_time() - started < 6


def test_reports_add_up():
    one = sentence("in/ADP/2/case Rome/PROPN/0/root")
    two = sentence("A/NOUN/0/root ,/PUNCT/3/punct B/NOUN/1/conj")
    together, whole = transform(one + two, "ud", "alpino", losses=True)
    first, report = transform(one, "ud", "alpino", losses=True)
    second, other = transform(two, "ud", "alpino", losses=True)
    report.add(other)
    assert (first + second).head.tolist() == together.head.tolist()
    assert report.found == whole.found
    assert report.words == whole.words
    assert report.losses.words == whole.losses.words == 5


def test_tags_of_another_treebank_are_translated():
    corpus = sentence("di/PREP/2/case Roma/NOUN/0/root")
    plain, _ = transform(corpus, "ud", "sud")
    assert plain.head.tolist() == [0, 1]
    assert np.array_equal(plain.offsets, corpus.offsets)


def test_labels_can_ask_for_what_stands_around_a_word():
    text = (
        "il/PRON/2/expl:subj arrive/VERB/0/root deux/NUM/4/nummod gens/NOUN/2/nsubj "
        "qui/PRON/6/nsubj/PronType=Rel chantent/VERB/4/acl:relcl"
    )
    done, _ = transform(sentence(text), "ud", "sud")
    assert arcs(done) == "2:subj@expl 0:root 4:det 2:comp:obj@agent 6:subj 4:mod@relcl"


def test_a_label_that_a_scheme_does_not_have_is_read_as_its_main_part():
    mine = sentence("its/DET/2/mod:foo car/NOUN/0/root/_")
    done, report = transform(mine, "sud", "ud")
    assert done.deprel.tolist() == ["nmod", "root"]
    assert report.unknown == {("mod:foo", "mod"): 1}
    assert "mod:foo is read as mod (1)" in report.label_remarks()[0]


def test_a_label_of_which_nothing_is_known_is_read_as_dep():
    done, report = transform(sentence("a/DET/2/foo b/NOUN/0/root"), "ud", "lth")
    assert done.deprel.tolist() == ["DEP", "ROOT"]
    assert report.unknown == {("foo", "dep"): 1}


def test_strict_refuses_what_a_scheme_has_no_label_for():
    with pytest.raises(UsageError, match="sud does not have these labels: mod:foo"):
        transform(sentence("its/DET/2/mod:foo car/NOUN/0/root"), "sud", "ud", strict=True)
    name = sentence("New/PROPN/0/root York/PROPN/1/flat")
    assert transform(name, "ud", "conll07")[1].foreign == {"flat": 1}
    with pytest.raises(UsageError, match="conll07 has no labels for these: flat"):
        transform(name, "ud", "conll07", strict=True)


@pytest.mark.parametrize("scheme", scheme_names())
def test_every_relation_has_a_label_in_every_scheme(scheme):
    """Only parts of one expression may keep the label of the hub, and that is counted."""
    known = find_scheme(scheme)
    for relation in RELATIONS:
        label = known.writing.plain(relation)
        assert known.known(label) == label
        assert known.is_inventory(label) or relation in PARTS


@pytest.mark.long
@pytest.mark.parametrize("name", ["sud", "lth", "tut", "prague"])
def test_time_grows_with_the_words_of_a_sentence_and_not_with_their_square(name):
    """Four times the words: four times the work, as counted in moves of words."""

    def moves(size):
        labels = ["root", *(["case", "conj", "punct", "nsubj", "obl"] * size)][:size]
        count = 0

        class Counting(Tree):
            __slots__ = ()

            def move(self, word, head):
                nonlocal count
                count += 1
                super().move(word, head)

        tree = Counting([0, *([1] * (size - 1))], labels, ["NOUN"] * size)
        from_hub(tree, find_scheme(name))
        tree.hub = tree.label.copy()
        tree.turned = {}
        to_hub(tree, find_scheme(name))
        return count

    assert moves(4000) < 6 * moves(1000)


def test_a_graph_that_is_the_tree_follows_it():
    text = "1\tin\tin\tADP\t_\t_\t2\tcase\t2:case\t_\n2\tRome\tRome\tPROPN\t_\t_\t0\troot\t0:root\t_\n\n"
    done, report = transform(commonground.read_text(text, "conllu"), "ud", "sud")
    assert done.deps.tolist() == ["0:root", "1:comp:obj"]
    assert report.graphs == 0


def test_graphs_that_add_arcs_are_dropped_and_counted():
    text = "1\ta\ta\tNOUN\t_\t_\t0\troot\t0:root\t_\n2\tb\tb\tNOUN\t_\t_\t1\tconj\t0:root|1:conj\t_\n\n"
    done, report = transform(commonground.read_text(text, "conllu"), "ud", "sud")
    assert done.deps.tolist() == ["_", "_"]
    assert report.graphs == 1
    assert report.to_json()["graphs_dropped"] == 1


def test_a_scheme_that_was_used_can_still_be_given_to_another_process():
    corpus = commonground.read("example:ud")
    there = transform(corpus, "ud", "sud")
    schemes = pickle.loads(pickle.dumps([find_scheme(name) for name in ("ud", "sud")]))
    assert transform(corpus, *schemes) == there
