"""Clusters of words: both kernels, files, and models that keep them."""

from __future__ import annotations

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.kernels import _clustering, clustering
from commonground.parsers.clusters.making import clustered
from commonground.parsers.clusters.neighbours import counted
from commonground.parsers.clusters.word_clusters import WordClusters, read_clusters
from commonground.parsers.graph.model import load_graph

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=8), st.integers(1, 4))
def test_both_kernels_exchange_and_join_alike(sentences, clusters):
    text = counted(sentences, least=1, most=100)
    size = len(text.words)
    clusters = min(clusters, size)
    of = np.append(np.arange(size) % clusters, [clusters, clusters + 1]).astype(np.int32)
    pair = [each.exchanged(text.after, text.before, of, clusters) for each in (clustering, _clustering)]  # fmt: skip
    assert pair[0].tolist() == pair[1].tolist()
    table = np.arange((clusters + 2) ** 2).reshape(clusters + 2, -1) % 7
    joined = [each.merged(table, clusters).tolist() for each in (clustering, _clustering)]
    assert joined[0] == joined[1]


def test_words_with_the_same_neighbours_are_in_one_cluster():
    nouns, verbs = ("cat", "dog", "bird"), ("sees", "hears", "likes")
    sentences = [["the", a, v, "the", b, "."] for a in nouns for v in verbs for b in nouns]
    bits = clustered(counted(sentences, least=1, most=100), 4).bits
    assert len({bits[noun] for noun in nouns}) == len({bits[verb] for verb in verbs}) == 1
    assert bits["cat"] != bits["sees"]


def test_neighbours_that_do_not_fit_are_refused():
    side = (np.array([0, 1]), np.array([5]), np.array([1]))
    for each in (clustering, _clustering):
        with pytest.raises(ValueError, match="do not fit together"):
            each.exchanged(side, side, np.array([0]), 1)
        with pytest.raises(ValueError, match="no table of pairs"):
            each.merged(np.array([[1, 2]]), 1)


def test_a_model_keeps_its_clusters(tmp_path):
    line = ["clusters", "example:ud", "--number", 8, "--min-count", 2, "-o", tmp_path / "c"]
    assert_silent_success(run(*line))
    treebank = cg.read("example:ud")
    settings = {"iterations": 2}
    plain = cg.train(treebank, "arc-eager", settings=settings)
    parser = cg.train(treebank, "arc-eager", settings=settings, clusters=tmp_path / "c")
    parser.save(tmp_path / "m")
    (tmp_path / "c").unlink()
    again = cg.load_parser(tmp_path / "m")
    parsed = again.parse(treebank)
    assert parsed == parser.parse(treebank)
    assert "cluster" not in parsed.words.columns
    assert parsed != plain.parse(treebank)


def test_graph_parsers_look_at_clusters_too():
    treebank = cg.read("example:ud")[:20]
    clusters = WordClusters({word: f"{len(word):b}" for word in treebank.form.vocabulary})
    options = {"gold_tags": True, "settings": {"iterations": 1, "bits": 12}, "segmentation": False}
    with_them = cg.train(treebank, "mst", clusters=clusters, **options)
    stored = with_them.model.store()
    marked = clusters.marked(treebank)
    assert load_graph(stored).parse(marked) == with_them.model.parse(marked)
    without = cg.train(treebank, "mst", **options).model.store()
    assert (stored.metadata["clusters"], "clusters" in without.metadata) == (True, False)
    assert stored.arrays["arcs"].tolist() != without.arrays["arcs"].tolist()


def test_a_file_of_another_program_is_read_and_bad_lines_are_told(tmp_path):
    path = write(tmp_path / "paths", "0010\tthe\t12\r\n01\tDog\u2028\n01\tDog\t3\n")
    clusters = read_clusters(path)
    assert [clusters.of(word) for word in ("The", "dog", "Dog")] == ["0010", "_", "01"]
    done = run("train", "example:ud", "--parser", "dmv", "--clusters", path, "-o", tmp_path / "m")
    assert_refused(done, "dmv without a tagger does not look at clusters")
    write(path, "0010\tthe\t" + "9" * 5000)
    done = run("train", "example:ud", "--clusters", path, "-o", tmp_path / "m")
    assert_refused(done, "is not how often a word is")
    path = write(tmp_path / "bad", "0010\tthe\t12\nxyz\n")
    done = run("train", "example:ud", "--clusters", path, "-o", tmp_path / "m")
    assert_refused(done, "bad:2: not a word with its cluster; write BITS TAB WORD TAB COUNT")
    assert_refused(run("clusters", "example:ud"), "name one with -o FILE")
