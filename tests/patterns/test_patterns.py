"""The pattern language finds what it says, over whole columns, and nothing that users write hangs it."""

import itertools
import time
from contextlib import suppress

import numpy as np
import pytest
from command import run_line
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground import PatternError, UsageError, find, parse_pattern, read, read_text
from commonground.corpus import Dependencies, Strings
from commonground.patterns.expressions import compile_expression
from commonground.patterns.graph import graph_of
from commonground.patterns.language import Arc, Equation, Order
from commonground.patterns.values import label_predicate, predicate

LABELS = ("nsubj", "obj", "nsubj:pass", "conj")
TAGS = ("NOUN", "VERB", "ADP")


@st.composite
def treebanks(draw):
    """Small trees with labels, tags and an enhanced graph."""
    sentences, tags, deps = [], [], []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 5))
        heads = [0] + [draw(st.integers(1, place)) for place in range(1, size)]
        labels = [draw(st.sampled_from(LABELS)) for _ in range(size)]
        sentences.append((list("abcab"[:size]), heads, labels))
        tags += [draw(st.sampled_from(TAGS)) for _ in range(size)]
        deps += [
            "|".join(
                f"{head}:{draw(st.sampled_from(LABELS))}"
                for head in sorted(draw(st.sets(st.integers(0, size), max_size=2)))
            )
            or "_"
            for _ in range(size)
        ]
    return Dependencies.of(sentences).replace("words", upos=Strings.of(tags), deps=Strings.of(deps))


NODES = st.sampled_from(["A", "B", "C"])
ITEMS = st.one_of(
    st.builds("{}: upos={}".format, NODES, st.sampled_from(["NOUN", "VERB|ADP", "*"])),
    st.builds("{}: deprel{}{}".format, NODES, st.sampled_from(["=", "==", "!="]), st.sampled_from(LABELS)),
    st.builds(
        "{} {} {}".format,
        NODES,
        st.sampled_from(
            ["->", "-[nsubj]->", "-[!obj|conj]->", "-{2}->", "-[nsubj|obj]{1,3}->", "=>", "=[obj]=>", "={1,2}=>", "<", "<<", "<{2,3}"]
        ),
        NODES,
    ),
    st.builds("{0}.form {2} {1}.form".format, st.just("A"), st.just("B"), st.sampled_from(["=", "!="])),
)  # fmt: skip


@st.composite
def patterns(draw):
    """Patterns over up to three nodes, perhaps with something that must not be."""
    items = draw(st.lists(ITEMS, min_size=1, max_size=3))
    if any(".form" in item for item in items):
        items += ["A: upos=*", "B: upos=*"]
    if draw(st.booleans()):
        items.append("not { " + "; ".join(draw(st.lists(ITEMS.filter(lambda i: "." not in i), min_size=1, max_size=2))) + " }")  # fmt: skip
    if all(item.startswith("not") for item in items):
        items.append("A: upos=*")
    return "; ".join(items)


def naive(pattern, corpus):
    """Return the matches by trying all words for all nodes: the definition."""
    names = set()
    for sentence in corpus:
        for part in pattern.alternatives:
            for bound in _bindings(part, sentence, {}):
                named = tuple(
                    bound[name] + int(corpus.offsets[sentence.place]) for name in pattern.names
                )
                names.add((sentence.place, *named))
    return sorted(names)


def _bindings(part, sentence, bound):
    new = [name for name in part.nodes if name not in bound]
    free = [place for place in range(len(sentence)) if place not in bound.values()]
    for places in itertools.permutations(free, len(new)):
        tried = {**bound, **dict(zip(new, places, strict=True))}
        if _all_hold(part, sentence, tried) and not any(
            next(_bindings(inner, sentence, tried), None) for inner in part.without
        ):
            yield tried


def _all_hold(part, sentence, bound):
    conditions = all(
        predicate(condition)(sentence.column(condition.column)[bound[name]])
        for name, wanted in part.nodes.items()
        for condition in wanted
    )
    return conditions and all(_link_holds(link, sentence, bound) for link in part.links)


def _link_holds(link, sentence, bound):
    if isinstance(link, Equation):
        (one, column), (other, second) = link.one, link.other
        same = sentence.column(column)[bound[one]] == sentence.column(second)[bound[other]]
        return same != link.denied
    if isinstance(link, Order):
        distance = bound[link.second] - bound[link.first]
        return distance >= link.least and (not link.most or distance <= link.most)
    assert isinstance(link, Arc)
    if link.graph == "-":
        arcs = [(head - 1, place, label) for place, (head, label) in enumerate(zip(sentence.column("head").tolist(), sentence.deprel, strict=True))]  # fmt: skip
    else:
        arcs = [
            (int(arc.split(":", 1)[0]) - 1, place, arc.split(":", 1)[1])
            for place, deps in enumerate(sentence.deps)
            if deps != "_"
            for arc in deps.split("|")
        ]
    allowed = label_predicate(link.labels) if link.labels.values else lambda _: True
    steps = {(head, dependent) for head, dependent, label in arcs if head >= 0 and allowed(label)}
    reached, ends = {bound[link.head]}, set()
    for length in range(1, link.most + 1):
        reached = {dependent for head, dependent in steps if head in reached}
        if length >= link.least:
            ends |= reached
    return bound[link.dependent] in ends


@settings(max_examples=examples(60))
@given(treebanks(), patterns())
def test_matches_are_those_that_trying_everything_finds(corpus, text):
    pattern = parse_pattern(text)
    matches = find(pattern, corpus)
    rows = zip(
        matches.sentence.tolist(),
        *(matches.rows[name].tolist() for name in pattern.names),
        strict=True,
    )
    assert list(rows) == naive(pattern, corpus)


@settings(max_examples=examples(60))
@given(treebanks(), patterns(), patterns())
def test_or_finds_what_either_side_finds(corpus, one, other):
    both = find(f"{one} or {other}", corpus).sentences
    apart = np.union1d(find(one, corpus).sentences, find(other, corpus).sentences)
    assert both.tolist() == apart.tolist()


def test_a_label_stands_for_its_subtypes_unless_it_is_literal():
    corpus = Dependencies.of([(["a", "b"], [0, 1], ["root", "nsubj:pass"])])
    assert [
        len(find(text, corpus)) for text in ("deprel=nsubj", "deprel==nsubj", "deprel=nsub")
    ] == [1, 0, 0]
    assert len(find("X -[nsubj]-> Y", corpus)) == 1
    assert len(find("X -[=nsubj]-> Y", corpus)) == 0


def test_features_entries_of_misc_and_places_are_conditions():
    corpus = read_text(
        "1\tIch\tich\tPRON\t_\tCase=Nom|Number=Sing\t2\tnsubj\t_\tSpaceAfter=No\n"
        "2\tsah\tsehen\tVERB\t_\tNumber=Sing|PronType=Int,Rel\t0\troot\t_\t_\n"
    )
    expected = {
        "Case=Nom": [0], "Case!=Nom": [1], "Case=*": [0], "PronType=Rel": [1], "misc.SpaceAfter=No": [0],
        "id=2": [1], "word=ich": [0], "form=ich": [], "form=*ah": [1], 'form="*ah"': [], "lemma=s*h*n": [1],
    }  # fmt: skip
    assert {text: find(text, corpus).rows["X"].tolist() for text in expected} == expected


def test_phrases_and_traces_of_brackets_are_nodes():
    text = (
        "( (S (NP-SBJ (PRP They)) (VP (VP (VBD induced) (NP (-NONE- *RNR*-7))) (CC or) "
        "(VP (VBD changed) (NP (-NONE- *RNR*-7))) (NP-7 (NNS factors)))))\n"
    )
    corpus = read_text(text, "brackets")
    matches = find("T: trace=*RNR*; N: label=NP index=*; T.index = N.index; T << N", corpus)
    assert len(matches) == 2
    assert len(find("S: label=S; S -> N; N: label=NP function=SBJ", corpus)) == 1
    assert len(find("V: label=VP; V -{2}-> W; W: tag=VBD", corpus)) == 2


def test_relations_are_searched_like_trees(shared):
    corpus = read(shared / "data/pe08/genia.gr")
    matches = find("V -[ncsubj]-> S; V -[dobj]-> O", corpus)
    assert len(matches) > 0
    labels = corpus.label.tolist()
    assert len(find("A -[ncsubj]-> B", corpus)) <= labels.count("ncsubj")


def test_an_arc_of_an_empty_node_is_left_out():
    rows = "1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n1.1\tb\t_\tX\t_\t_\t_\t_\t1:dep\t_\n2\tc\t_\tX\t_\t_\t1\tdep\t1.1:obj|1:dep|9:x\t_\n"
    assert len(find("A => B", read_text(rows))) == 1


def test_a_node_without_a_name_inside_not_is_none_of_those_outside():
    """So this finds roots of sentences without a subject, not all roots that are no subject."""
    corpus = read("example:ud")
    roots = "deprel=root; not { deprel=nsubj }"
    named = "deprel=root; not { N: deprel=nsubj }"
    assert 0 < len(find(roots, corpus)) == len(find(named, corpus)) < len(corpus)
    without_object = "deprel=root; not { X -[obj]-> * }"
    assert len(find(without_object, corpus)) < len(corpus)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("Gender=Masc", [0, 1]),
        ("Gender==Masc", [0]),
        ('Gender="Fem,Masc"', [1]),
        ("Gender!=Masc", [2]),
        ("Gender=*", [0, 1, 2]),
    ],
)
def test_a_feature_with_several_values_has_each_of_them(condition, words):
    corpus = Dependencies.of([(["a", "b", "c"], [0, 1, 1], ["root", "x", "x"])])
    genders = Strings.of(["Gender=Masc", "Gender=Fem,Masc", "Gender=Fem"])
    assert find(condition, corpus.replace("words", feats=genders)).rows["X"].tolist() == words


def test_an_empty_corpus_has_no_matches():
    corpus = Dependencies.of([])
    for text in ("upos=VERB", "A -> B", "A =[obj]=> B; A << B", "A -{1,4}-> B"):
        assert len(find(text, corpus)) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty pattern finds nothing"),
        ("A -[obj N", "character 3"),
        ("A -{0}-> B", "a path has 1 to 32 arcs"),
        ("A -{3,2}-> B", "the smaller number first"),
        ("A: upos=VERB; not { B -> A", "'}' is missing"),
        ("A: upos=VERB }", "the end is expected"),
        ("A: upos=VERB !", "';' before the next item"),
        ("A.form = B.form", "an empty pattern"),
        ("A: upos=*; A.form = B.form", "there is no node B"),
        ("A: upos=*; not A", "'{' is expected after not"),
        ("A -> ;", "a node is expected"),
        ("* ; A -> B", "an arc or an order is expected"),
        ("[upos=X", "']' is expected"),
        ("nsubj", "a name alone says nothing; deprel=nsubj would be a condition"),
        ("Gender=Fem,Masc", "character 12: 'Masc': a name alone says nothing"),
        ("upos=VERB; X.lemma=be", "the conditions of a node follow its name: 'X: lemma=…'"),
        ("not { deprel=nsubj }", "a node is expected beside 'not { … }', such as deprel=root"),
    ],
)
def test_a_pattern_that_cannot_be_understood_says_where(text, said):
    with pytest.raises(PatternError, match="pattern, character") as caught:
        parse_pattern(text)
    assert said in str(caught.value)


def test_an_unknown_column_names_those_that_there_are():
    with pytest.raises(
        PatternError, match="dependencies have no column 'pos'; there are word, form"
    ):
        find("pos=VERB", Dependencies.of([(["a"], [0], ["root"])]))


@given(st.text(alphabet='AB:=-[]{}<>;,*!~|. \n"or not', max_size=25))
def test_any_text_is_a_pattern_or_a_clear_error(text):
    with suppress(PatternError):
        assert parse_pattern(text).alternatives


def test_an_expression_that_explodes_elsewhere_answers_at_once():
    corpus = Dependencies.of([(["a" * 10_000 + "b"], [0], ["root"])])
    before = time.process_time()
    assert len(find('form~"(a+)+$"', corpus)) == 0
    assert time.process_time() - before < 0.5


def test_a_bad_expression_is_one_line_of_ours_and_none_of_the_engine(capfd):
    with pytest.raises(UsageError, match="is not a regular expression"):
        compile_expression("(((")
    assert capfd.readouterr().err == ""


def test_view_says_how_many_sentences_were_found_if_it_does_not_show_them(tmp_path):
    view = "commonground view example:ud --where"
    assert run_line(f"{view} upos=NOTHING", tmp_path).stderr == "no sentence was found\n"
    said = run_line(f"{view} deprel=root", tmp_path).stderr
    assert said == "the first 5 of 64 sentences that were found; --all shows all of them\n"
    for chosen in ("--first 2", "--all", "--quiet"):
        assert run_line(f"{view} deprel=root {chosen}", tmp_path).stderr == ""


def test_view_shows_where_a_pattern_is_found(tmp_path):
    done = run_line(
        "commonground view example:ud --where 'deprel=expl' --all --output-format json", tmp_path
    )
    assert done.returncode == 0, done.stderr
    corpus = read("example:ud")
    assert done.stdout.count('"sent_id"') in (0, len(find("deprel=expl", corpus).sentences))
    wrong = run_line("commonground view example:ud --where 'A -['", tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1


def test_view_shows_found_sentences_against_the_same_of_the_gold_standard(tmp_path):
    done = run_line(
        "commonground view example:ud-parse --against example:ud --where 'form=Tom' --first 1",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "Tom" in done.stdout


def test_all_matches_of_a_real_treebank_hold(shared):
    corpus = read(shared / "data/ewt/dev.conllu")
    graph = graph_of(corpus)
    matches = find("V -[xcomp]-> W; V =[nsubj]=> S; W =[nsubj]=> S", graph)
    assert len(matches) > 100
    head = graph.arcs("-").parent
    assert (head[matches.rows["W"]] == matches.rows["V"]).all()
