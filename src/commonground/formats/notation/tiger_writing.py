"""TIGER-XML on its way out: a head that is made of the data, and the sentences one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import extents
from commonground.errors import UsageError, quoted
from commonground.formats.notation.graphs import post_order
from commonground.formats.notation.markup import escaped

__all__ = ["ATTRIBUTE", "NODE_ATTRIBUTES", "PREFIX", "VIRTUAL", "WORD_ATTRIBUTES", "write"]

WORD_ATTRIBUTES = {"word": "form", "lemma": "lemma", "pos": "tag", "morph": "feats"}
NODE_ATTRIBUTES = {"cat": "label", "morph": "feats"}
PREFIX = "tiger."
ATTRIBUTE = re.compile(r"(?![Xx][Mm][Ll])[A-Za-z_À-ÖØ-öø-ÿ][A-Za-z0-9_À-ÖØ-öø-ÿ.-]*")
"""The name of an attribute that becomes a column."""

VIRTUAL = "VROOT"
_COMMENT = re.compile(rf"# ((?!(?:id|comments) ){ATTRIBUTE.pattern}) = (.*)")
_FIRST_NODE = 500

Attributes = dict[str, Strings]
_Written = tuple[str, str, int]
"""A word or a node: its attributes as they are written, the label of its edge, its parent."""

_CAT_VIRTUAL = f' cat="{VIRTUAL}"'


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file, sentence by sentence."""
    of_words = _attributes(corpus.words, WORD_ATTRIBUTES)
    of_nodes = _attributes(corpus.nodes, NODE_ATTRIBUTES)
    yield _lines(_head(corpus, of_words["pos"], of_nodes["cat"], of_words, of_nodes))
    words, nodes = _rows(corpus.words, of_words), _rows(corpus.nodes, of_nodes)
    edges = _secondary(corpus.secondary)
    scattered = ~extents(corpus.words, corpus.nodes).continuous
    tables = (corpus.words, corpus.nodes, corpus.secondary)
    offsets = zip(*(table.offsets.tolist() for table in tables), strict=True)
    for (key, opening), ((w, n, e), (w_end, n_end, e_end)) in zip(
        _openings(corpus), pairwise(offsets), strict=True
    ):
        graph = _graph(key, words[w:w_end], nodes[n:n_end], edges[e:e_end], scattered[n:n_end])
        yield _lines([opening, *graph, "</s>"])
    yield _lines(["</body>", "</corpus>"])


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _attributes(table: Table, known: Mapping[str, str]) -> Attributes:
    """Return the attributes of words or nodes with their values; nothing is ``--``."""
    attributes: Attributes = {}
    for attribute, name in known.items():
        column = table.strings(name)
        if attribute == "word":
            attributes[attribute] = column
        elif name == "label":
            attributes[attribute] = column.map(lambda text: text or "--")
        elif attribute != "morph" or known is WORD_ATTRIBUTES or column.where(_is_something).any():
            attributes[attribute] = _marked(column)
    for name, further in table.columns.items():
        if name in (*known.values(), "edge") or not isinstance(further, Strings):
            continue
        attribute = name.removeprefix(PREFIX)
        if not ATTRIBUTE.fullmatch(attribute) or attribute in ("id", *known):
            raise UsageError(f"TIGER-XML cannot hold a column with the name {quoted(name)}")
        attributes[attribute] = _marked(further)
    return attributes


def _is_something(text: str) -> bool:
    return text != "_"


def _marked(column: Strings) -> Strings:
    return column.map(lambda text: "--" if text == "_" else text)


def _head(
    corpus: Constituents, tags: Strings, labels: Strings, of_words: Attributes, of_nodes: Attributes
) -> Iterator[str]:
    """Return the lines before the first sentence; they declare what is used in the data."""
    yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    yield '<corpus id="corpus">'
    yield "<head>"
    yield "<annotation>"
    for domain, attributes, listed in (("T", of_words, tags), ("NT", of_nodes, labels)):
        for name, column in attributes.items():
            values = column.counts() if column is listed else {}
            yield from _declared(f'feature name="{name}" domain="{domain}"', values)
    edges = {**_edges(corpus.words).counts(), **_edges(corpus.nodes).counts(), "--": 1}
    yield from _declared("edgelabel", edges)
    if corpus.secondary.rows:
        yield from _declared("secedgelabel", _marked(corpus.secondary.strings("label")).counts())
    yield "</annotation>"
    yield "</head>"
    yield "<body>"


def _edges(table: Table) -> Strings:
    return _marked(table.strings("edge"))


def _declared(element: str, values: Iterable[str]) -> list[str]:
    return _element(element, [f'<value name="{escaped(value)}"/>' for value in sorted(values)])


def _rows(table: Table, attributes: Attributes) -> list[_Written]:
    columns = [_pairs(name, column) for name, column in attributes.items()]
    texts = map("".join, zip(*columns, strict=True))
    edges = _edges(table).map(escaped).tolist()
    return list(zip(texts, edges, table.numbers("parent").tolist(), strict=True))


def _pairs(name: str, column: Strings) -> list[str]:
    return column.map(lambda text: f' {name}="{escaped(text)}"').tolist()


def _secondary(table: Table) -> list[tuple[int, int, int, str]]:
    ends = (table.numbers(name).tolist() for name in ("parent", "word", "node"))
    return list(zip(*ends, _marked(table.strings("label")).map(escaped).tolist(), strict=True))


def _openings(corpus: Constituents) -> Iterator[tuple[str, str]]:
    """Return the id of each sentence and the tag that opens it, with its comments."""
    names = corpus.metadata("sent_id").tolist()
    taken = set(names)
    used: set[str] = set()
    for place, (name, block) in enumerate(zip(names, corpus.comments.tolist(), strict=True), 1):
        key = name
        if not name or name in used:
            key = f"s{place}"
            while key in taken or key in used:
                key = f"s{key}"
        used.add(key)
        lines = block.split("\n") if block else []
        keyed = filter(None, map(_COMMENT.fullmatch, lines[1:]))
        attributes = {"id": key, **{match.group(1): match.group(2) for match in keyed}}
        if lines[:1] != [f"# sent_id = {key}"] or len(attributes) != len(lines):
            attributes = {"id": key, "comments": block} if lines else {"id": key}
        texts = [f'{attribute}="{escaped(text)}"' for attribute, text in attributes.items()]
        yield escaped(key), f"<s {' '.join(texts)}>"


def _graph(
    key: str,
    words: Sequence[_Written],
    nodes: Sequence[_Written],
    edges: Sequence[tuple[int, int, int, str]],
    scattered: NDArray[np.bool_],
) -> Iterator[str]:
    """Return the lines between the tags of a sentence."""
    if not words:
        return
    word_ids = [f"{key}_{place}" for place in range(1, len(words) + 1)]
    first = max(_FIRST_NODE, len(words) + 1)
    order = post_order([parent for _, _, parent in nodes])
    top = f"{key}_{VIRTUAL}"
    node_ids = [*(f"{key}_{first + place}" for place in order), top]  # the last one for parent -1
    below: list[list[str]] = [[] for _ in node_ids]
    for members, ids in ((words, word_ids), (nodes, node_ids)):
        for (_, label, parent), child in zip(members, ids, strict=False):
            below[parent].append(f'<edge label="{label}" idref="{child}"/>')
    above: dict[tuple[int, int], list[str]] = {}
    for parent, word, node, label in edges:
        line = f'<secedge label="{label}" idref="{node_ids[parent]}"/>'
        above.setdefault((word, node), []).append(line)
    if all(parent >= 0 for parent, *_ in edges):
        top = _top([*zip(word_ids, words, strict=True), *zip(node_ids, nodes, strict=False)]) or top
    gaps = ' discontinuous="true"' if scattered.any() else ""
    yield f'<graph root="{top}"{gaps}>'
    yield "<terminals>"
    for row, ((attributes, _, _), name) in enumerate(zip(words, word_ids, strict=True)):
        yield from _element(f't id="{name}"{attributes}', above.get((row, -1), ()))
    yield "</terminals>"
    yield "<nonterminals>"
    for row in sorted(range(len(nodes)), key=order.__getitem__):
        inner = [*below[row], *above.get((-1, row), ())]
        yield from _element(f'nt id="{node_ids[row]}"{nodes[row][0]}', inner)
    if top == node_ids[-1]:
        yield from _element(f'nt id="{top}"{_CAT_VIRTUAL}', below[-1])
    yield "</nonterminals>"
    yield "</graph>"


def _top(members: Sequence[tuple[str, _Written]]) -> str:
    """Return the id of the top, if there is just one that needs no virtual node above it."""
    tops = [(key, attributes, label) for key, (attributes, label, parent) in members if parent < 0]
    key, attributes, label = tops[0]
    plain = len(tops) == 1 and label == "--" and not attributes.startswith(_CAT_VIRTUAL)
    return key if plain else ""


def _element(start: str, inner: Sequence[str]) -> list[str]:
    return [f"<{start}>", *inner, f"</{start.partition(' ')[0]}>"] if inner else [f"<{start}/>"]
