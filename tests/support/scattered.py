"""Random constituents for Hypothesis: scattered yields, edges, features, secondary edges."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import canonical
from commonground.corpus.table import offsets_of

__all__ = ["constituents"]


@st.composite
def trees(draw):
    """Return the parents of the words and of the nodes; nobody is without a word."""
    nodes = draw(st.integers(0, 6))
    up = [draw(st.integers(-1, node - 1)) for node in range(nodes)]
    words = [
        *(set(range(nodes)) - set(up)),
        *draw(st.lists(st.integers(-1, nodes - 1), max_size=5)),
    ]
    return draw(st.permutations(words)), up


@st.composite
def secondary_edges(draw, words, nodes):
    """Return (parent, word, node) of some secondary edges."""
    if not words or not nodes:
        return []
    parents = st.integers(0, nodes - 1)
    to_words = st.tuples(parents, st.integers(0, words - 1), st.just(-1))
    to_nodes = st.tuples(parents, st.just(-1), st.integers(0, nodes - 1))
    return draw(st.lists(to_words | to_nodes, max_size=3, unique=True))


@st.composite
def constituents(draw, forms, labels, names):
    """Return a treebank; `forms`, `labels` and `names` are strategies for texts.

    The names are the sentences' ids.
    """
    sentences = draw(st.lists(trees(), max_size=4))
    edges = [draw(secondary_edges(len(words), len(nodes))) for words, nodes in sentences]

    def texts(strategy, rows):
        return Strings.of(draw(st.lists(strategy, min_size=rows, max_size=rows)))

    nothing = labels | st.just("_")
    word_offsets = offsets_of([len(words) for words, _ in sentences])
    node_offsets = offsets_of([len(nodes) for _, nodes in sentences])
    edge_offsets = offsets_of([len(result) for result in edges])
    words, nodes, links = (
        int(offsets[-1]) for offsets in (word_offsets, node_offsets, edge_offsets)
    )
    ends = np.array([edge for result in edges for edge in result], np.int32).reshape(-1, 3)
    tables = {
        "words": Table(
            word_offsets,
            form=texts(forms, words),
            **{name: texts(nothing, words) for name in ("tag", "lemma", "feats", "edge")},
            parent=np.array([up for result, _ in sentences for up in result], np.int32),
        ),
        "nodes": Table(
            node_offsets,
            **{name: texts(nothing, nodes) for name in ("label", "feats", "edge")},
            parent=np.array([up for _, result in sentences for up in result], np.int32),
        ),
        "secondary": Table(
            edge_offsets,
            parent=ends[:, 0],
            word=ends[:, 1],
            node=ends[:, 2],
            label=texts(nothing, links),
        ),
    }
    others = st.lists(st.sampled_from(["# text = a  b", "# newdoc id = x", "#bare", "# k = é "]))
    comments = [
        "\n".join(draw(st.permutations([f"# sent_id = {draw(names)}", *draw(others)])))
        for _ in sentences
    ]
    return Constituents(canonical(tables), comments=comments)
