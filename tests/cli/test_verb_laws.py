"""Laws over the verbs: what the order of sentences, files, names of labels and direction may change.

Each law is tried on random treebanks with each verb for which it makes sense: sentences of the
bundled example, some of them with random trees.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from contextlib import contextmanager
from itertools import chain, groupby
from itertools import pairwise as pairs_of
from pathlib import Path

import numpy as np
import pytest
from command import run
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import examples, heads

import commonground as cg
from commonground import read, read_text
from commonground.corpus import Strings
from commonground.formats import write_text
from commonground.schemes.edges import head_rows

EXAMPLE = {name: read(f"example:{name}") for name in ("ud", "ud-parse", "ptb", "ptb-parse")}
FEW = settings(max_examples=examples(10))


# ── treebanks ────────────────────────────────────────────────────────────────────────────────────


@st.composite
def two_analyses(draw, least=1):
    """Some sentences of the example, analysed twice; some of the analyses are random trees."""
    places = draw(st.lists(st.integers(0, 63), min_size=least, max_size=5, unique=True))
    both = (EXAMPLE[name].take(np.array(places)) for name in ("ud", "ud-parse"))
    return tuple(draw(_shaken(corpus)) for corpus in both)


@st.composite
def _shaken(draw, corpus):
    sentences = columns_of(corpus)
    for columns in sentences:
        if draw(st.integers(0, 2)) == 0:
            columns[-1] = draw(heads(len(columns[-1])))
    return treebank(sentences)


def columns_of(corpus):
    """The forms, tags, own tags, labels and heads of each sentence."""
    return [
        [
            *(s.column(name) for name in ("form", "upos", "xpos", "deprel")),
            s.column("head").tolist(),
        ]
        for s in corpus
    ]


def treebank(sentences):
    """A treebank of such columns; without the enhanced graph, which follows the old heads."""
    lines = []
    for number, columns in enumerate(sentences, 1):
        lines.append(f"# sent_id = {number}")
        for place, (form, tag, own, label, head) in enumerate(zip(*columns, strict=True), 1):
            lines.append(f"{place}\t{form}\t_\t{tag}\t{own}\t_\t{head}\t{label}\t_\t_")
        lines.append("")
    return read_text("\n".join([*lines, ""]), "conllu")


def mirrored(corpus):
    """The sentences from right to left, with the same arcs."""
    turned = []
    for *columns, up in columns_of(corpus):
        there = [0 if head == 0 else len(up) + 1 - head for head in up]
        turned.append([*(column[::-1] for column in columns), there[::-1]])
    return treebank(turned)


def renamed(corpus):
    """The same trees, with other labels."""
    return corpus.replace("words", deprel=corpus.deprel.map(lambda text: f"x{text}"))


@contextmanager
def files(*corpora, kind="conllu"):
    """Give files with treebanks."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{place}.{kind}" for place in range(len(corpora))]
        for path, corpus in zip(paths, corpora, strict=True):
            path.write_text(write_text(corpus, kind), encoding="utf-8")
        yield paths


def answer(*words):
    """The JSON that a command prints."""
    done = run(*words, "--output-format", "json", "--quiet")
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


# ── what verbs count ─────────────────────────────────────────────────────────────────────────────


def evaluated(gold, parse, *options):
    (system,) = answer("evaluate", gold, f"it={parse}", *options)["systems"]
    return {name: result["counts"] for name, result in system["metrics"].items()}


def all_evaluated(gold, parse):
    return evaluated(gold, parse, "--metrics", "all")


def compared(gold, parse):
    result = answer("compare", f"a={gold}:{parse}", f"b={parse}:{gold}", "--labels", "own")
    counted = {"overlap": {n: each["counts"] for n, each in result["overlap"].items()}}
    for system in result["systems"]:
        for way in ("single", "multiple"):
            counted[system["name"], way] = system[way]["counts"]
        for way in ("against", "native", "subsets"):
            for name, each in system[way].items():
                inner = each.items() if way == "native" else [("", each)]
                counted |= {(system["name"], way, name, n): e["counts"] for n, e in inner}
    return counted


def agreed(gold, parse):
    result = answer("agreement", f"a={gold}", f"b={parse}")
    pairs = {(p["gold"], p["other"]): p["metrics"] for p in result["pairs"]}
    return {
        (*pair, name): score["counts"]
        for pair, metrics in pairs.items()
        for name, score in metrics.items()
    }


def described(*paths):
    result = answer("info", *paths, "--sample", "0")["files"]
    return [{key: value for key, value in each.items() if key != "file"} for each in result]


def structured(*paths):
    return [each["structures"] for each in answer("structures", *paths)["files"]]


def subsumed(gold, parse):
    result = answer("subsumes", gold, parse)
    return {key: value for key, value in result.items() if isinstance(value, int | bool)}


def claimed(gold, parse):
    """The p-values of tests that draw nothing at random."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.json"
        run("evaluate", gold, f"a={parse}", f"b={gold}", "--output-format", "json", "-o", path)
        result = answer("test", path, "--test", "wilcoxon,sign")
    return {
        (test["metric"], *test["systems"], test["test"]): round(test["p"], 9)
        for test in result["tests"]
    }


COUNTING = {
    "evaluate": all_evaluated,
    "evaluate by conll18": lambda gold, parse: evaluated(gold, parse, "--preset", "conll18"),
    "compare": compared,
    "agreement": agreed,
    "info": described,
    "structures": structured,
    "subsumes": subsumed,
    "test": claimed,
}
"""Verbs that count something in two treebanks of the same words."""

counting = pytest.mark.parametrize("verb", COUNTING)


def counts(verb, *corpora):
    with files(*corpora) as paths:
        return COUNTING[verb](*paths)


@counting
@FEW
@given(both=two_analyses(), data=st.data())
def test_the_order_of_sentences_changes_no_count(verb, both, data):
    order = np.array(data.draw(st.permutations(range(len(both[0])))))
    turned = [corpus.take(order) for corpus in both]
    assert counts(verb, *turned) == counts(verb, *both)


MIRRORED = [verb for verb in COUNTING if verb != "structures"]  # some have a side


@pytest.mark.parametrize("verb", MIRRORED)
@FEW
@given(both=two_analyses())
def test_mirrored_trees_have_the_same_counts(verb, both):
    assert counts(verb, *map(mirrored, both)) == counts(verb, *both)


KNOW_LABELS = {"ned_disputed", "clas", "mlas", "blex"}
"""Metrics that know the labels of Universal Dependencies."""


@pytest.mark.parametrize("verb", ["evaluate", "compare", "agreement", "subsumes", "test"])
@FEW
@given(both=two_analyses())
def test_other_names_of_the_labels_change_no_count(verb, both):
    before, after = counts(verb, *both), counts(verb, *map(renamed, both))
    assert {n: c for n, c in after.items() if n not in KNOW_LABELS} == {
        n: c for n, c in before.items() if n not in KNOW_LABELS
    }


def test_other_names_of_the_labels_are_all_that_info_tells_of_them():
    with files(EXAMPLE["ud"], renamed(EXAMPLE["ud"])) as paths:
        one, two = described(*paths)
    assert two["tallies"]["labels"] == {f"x{n}": c for n, c in one["tallies"]["labels"].items()}
    assert two["counts"] == one["counts"]
    assert two["spreads"] == one["spreads"]


# ── several files ────────────────────────────────────────────────────────────────────────────────


@contextmanager
def folders(corpora, cuts):
    """Give a folder for each treebank, with its sentences in several files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / str(place) for place in range(len(corpora))]
        for path, corpus in zip(paths, corpora, strict=True):
            path.mkdir()
            for number, (start, end) in enumerate(pairwise_cuts(cuts, len(corpus))):
                text = write_text(corpus[start:end], "conllu")
                (path / f"{number}.conllu").write_text(text, encoding="utf-8")
        yield paths


def pairwise_cuts(cuts, length):
    places = sorted({0, *(cut for cut in cuts if cut < length), length})
    return pairs_of(places)


CUTS = st.lists(st.integers(1, 4), min_size=1, max_size=2)
IN_FOLDERS = ("evaluate", "evaluate by conll18", "compare", "agreement", "subsumes")


@pytest.mark.parametrize("verb", IN_FOLDERS)
@FEW
@given(both=two_analyses(least=2), cuts=CUTS)
def test_sentences_in_several_files_have_the_same_counts(verb, both, cuts):
    with folders(both, cuts) as paths:
        assert COUNTING[verb](*paths) == counts(verb, *both)


@pytest.mark.parametrize("verb", ["info", "structures"])
@FEW
@given(both=two_analyses(least=2), cuts=CUTS)
def test_what_is_counted_in_each_of_several_files_adds_up(verb, both, cuts):
    """What both count are whole numbers; shares and means follow from these."""
    corpus = both[0]
    parts = [corpus[start:end] for start, end in pairwise_cuts(cuts, len(corpus))]
    with files(corpus, *parts) as paths:
        whole, *each = (Counter(dict(numbers(result))) for result in COUNTING[verb](*paths))
    assert sum(each, Counter()) == +whole


def numbers(found, path=()):
    """All whole numbers in a structure, by their places."""
    for key, value in found.items():
        if isinstance(value, dict):
            yield from numbers(value, (*path, key))
        elif isinstance(value, int) and key not in ("max", "line"):
            yield (*path, key), value


# ── verbs that write treebanks ───────────────────────────────────────────────────────────────────

REWRITING = {
    "convert": "convert IN OUT",
    "transform": "transform IN OUT --from ud --to sud",
    "projectivize": "projectivize IN OUT --encoding head+path",
    "flip": "flip IN OUT --edges penn:modal --edges ud:infinitive",
}


def rewritten(line, source, target):
    words = [{"IN": source, "OUT": target}.get(word, word) for word in line.split()]
    done = run(*words, "--quiet")
    assert done.returncode == 0, done.stderr
    return target


def rewritten_text(line, corpus):
    with files(corpus) as (path,):
        return rewritten(line, path, path.with_name("out.conllu")).read_text(encoding="utf-8")


rewriting = pytest.mark.parametrize("verb", REWRITING)


@rewriting
@FEW
@given(both=two_analyses(), data=st.data())
def test_sentences_are_rewritten_alike_in_any_order(verb, both, data):
    corpus = both[0]
    order = np.array(data.draw(st.permutations(range(len(corpus)))))
    once = read_text(rewritten_text(REWRITING[verb], corpus), "conllu").take(order)
    assert rewritten_text(REWRITING[verb], corpus.take(order)) == write_text(once, "conllu")


@rewriting
@FEW
@given(both=two_analyses(least=2), cuts=CUTS)
def test_sentences_are_rewritten_alike_in_several_files(verb, both, cuts):
    with folders(both[:1], cuts) as (folder,):
        out = rewritten(REWRITING[verb], folder, folder.with_name("out"))
        texts = [path.read_text(encoding="utf-8") for path in sorted(out.iterdir())]
    assert "".join(texts) == rewritten_text(REWRITING[verb], both[0])


@FEW
@given(both=two_analyses())
def test_flips_of_the_mirrored_tree_are_the_mirrored_flips(both):
    """The edges are chosen by labels, whatever their side, but of two equally far ones the left."""
    corpus, line = both[0], "flip IN OUT --edges label=case --edges label=det"
    rows = np.flatnonzero(np.isin(corpus.deprel.tolist(), ["case", "det"]))
    above = head_rows(corpus)[rows]
    assume(len(set(zip(above, abs(above - rows), strict=True))) == len(rows))
    there = read_text(rewritten_text(line, mirrored(corpus)), "conllu")
    here = mirrored(read_text(rewritten_text(line, corpus), "conllu"))
    assert heads_of(there) == heads_of(here)


def heads_of(corpus):
    return corpus.head.tolist(), corpus.deprel.tolist()


@FEW
@given(both=two_analyses())
def test_projectivized_with_other_labels_is_the_same_with_other_labels(both):
    corpus, line = both[0], "projectivize IN OUT --encoding path"
    there = read_text(rewritten_text(line, renamed(corpus)), "conllu")
    here = renamed(read_text(rewritten_text(line, corpus), "conllu"))
    assert heads_of(there) == heads_of(here)


@pytest.mark.parametrize("scheme", ["ud", "sud", "stanford", "conll07", "prague"])
@FEW
@given(both=two_analyses())
def test_to_the_scheme_that_it_has_a_treebank_is_transformed_as_it_is(scheme, both):
    corpus = both[0]
    line = f"transform IN OUT --from {scheme} --to {scheme}"
    assert heads_of(read_text(rewritten_text(line, corpus), "conllu")) == heads_of(corpus)


@FEW
@given(both=two_analyses())
def test_what_was_made_projective_comes_back_where_labels_differ(both):
    corpus = unique_labels(both[0])
    with files(corpus) as (path,):
        there = rewritten("projectivize IN OUT --encoding head", path, path.with_name("a.conllu"))
        back = rewritten("projectivize IN OUT --undo", there, path.with_name("b.conllu"))
        assert heads_of(read(back)) == heads_of(corpus)


def unique_labels(corpus):
    labels = [f"l{place}" for place in range(corpus.words.rows)]
    return corpus.replace("words", deprel=Strings.of(labels))


@FEW
@given(both=two_analyses())
def test_an_edge_that_touches_no_other_one_is_flipped_twice_to_where_it_was(both):
    corpus = unique_labels(both[0])
    inner = [place for place, head in enumerate(corpus.head.tolist()) if head]
    if not inner:
        return
    line = f"flip IN OUT --edges label=l{inner[0]}"
    once = read_text(rewritten_text(line, corpus), "conllu")
    assert heads_of(once) != heads_of(corpus)
    flipped = [place for place, label in enumerate(once.deprel.tolist()) if label == f"l{inner[0]}"]
    assert heads_of(read_text(rewritten_text(line, once), "conllu")) == heads_of(corpus), flipped


# ── the algebra ──────────────────────────────────────────────────────────────────────────────────


def algebra(verb, *paths):
    done = run(verb, *paths, "--quiet")
    assert done.returncode in (0, 2), done.stderr
    return done.stdout if done.returncode == 0 else None


ALGEBRA = ("generalize", "unify", "label-unify")


@pytest.mark.parametrize("verb", ALGEBRA)
@FEW
@given(both=two_analyses(), data=st.data())
def test_the_algebra_goes_sentence_by_sentence(verb, both, data):
    order = np.array(data.draw(st.permutations(range(len(both[0])))))
    with files(*both) as paths:
        result = algebra(verb, *paths)
    with files(*(corpus.take(order) for corpus in both)) as paths:
        turned = algebra(verb, *paths)
    if result is None:
        assert turned is None
    else:
        assert turned == write_text(read_text(result, "functions").take(order), "functions")


@pytest.mark.parametrize("verb", ["generalize", "unify"])
@FEW
@given(both=two_analyses())
def test_the_algebra_asks_for_no_order_and_changes_nothing_twice(verb, both):
    with files(*both) as (one, two):
        assert algebra(verb, one, two) == algebra(verb, two, one)
        alone = run("convert", one, "-", "--to", "functions", "--quiet").stdout
        assert algebra(verb, one, one) == alone


@FEW
@given(both=two_analyses())
def test_what_treebanks_agree_on_is_more_general_than_each(both):
    with files(*both) as (one, two):
        common = one.with_name("common.functions")
        common.write_text(algebra("generalize", one, two), encoding="utf-8")
        for each in (one, two):
            assert run("subsumes", common, each).returncode == 0
        merged = algebra("unify", one, two)
        if merged is not None:
            common.write_text(merged, encoding="utf-8")
            for each in (one, two):
                assert run("subsumes", each, common).returncode == 0


# ── a sentence that is right ─────────────────────────────────────────────────────────────────────


@FEW
@given(both=two_analyses(), place=st.integers(0, 63))
def test_no_score_falls_when_a_right_sentence_is_added(both, place):
    right = treebank(columns_of(EXAMPLE["ud"][place : place + 1]))
    more = [type(corpus).concatenate([corpus, right]) for corpus in both]
    for verb, score in SCORED.items():
        with files(*both) as paths:
            before = dict(score(*paths))
        with files(*more) as paths:
            after = dict(score(*paths))
        for name, value in before.items():
            if value is not None and "crossing" not in str(name):
                assert after[name] >= value - 1e-12, (verb, name)


def evaluation_scores(gold, parse):
    (system,) = answer("evaluate", gold, f"it={parse}", "--metrics", "all")["systems"]
    for name, result in system["metrics"].items():
        yield name, result["score"]


def comparison_scores(gold, parse):
    result = answer("compare", f"a={gold}:{parse}", f"b={parse}:{gold}", "--labels", "own")
    for system in result["systems"]:
        for way in ("single", "multiple"):
            for kind in ("labelled", "unlabelled"):
                yield (system["name"], way, kind), system[way][kind]


def agreement_scores(gold, parse):
    for pair in answer("agreement", f"a={gold}", f"b={parse}")["pairs"]:
        for name, result in pair["metrics"].items():
            yield (pair["gold"], pair["other"], name), result["score"]


SCORED = {
    "evaluate": evaluation_scores,
    "compare": comparison_scores,
    "agreement": agreement_scores,
}


# ── phenomena ────────────────────────────────────────────────────────────────────────────────────


@FEW
@given(data=st.data())
def test_targets_in_another_order_are_recalled_alike(data):
    """A group of lines is the targets of an item."""
    path = Path(cg.__file__).parent / "example" / "phenomena.tsv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    groups = [list(each) for _, each in groupby(lines, lambda line: line.split("\t")[0])]
    order = data.draw(st.permutations(range(len(groups))))
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / "gold.tsv"
        again.write_text("".join(chain(*(groups[n] for n in order))), encoding="utf-8")
        results = [
            answer("phenomena", "score", gold, "it=example:phenomena-ud") for gold in (path, again)
        ]
    one, two = (each["systems"][0]["metrics"] for each in results)
    assert {n: m["counts"] for n, m in one.items()} == {n: m["counts"] for n, m in two.items()}
