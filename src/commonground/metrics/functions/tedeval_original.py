"""TedEval as the original programs compute it, versions 2.2 and 2.1, on dependencies.

They differ from the definitions of 2012 (see tedeval.py). This was found by experiment:

- Nodes are (label, first word, last word), with labels in upper case. A head word with dependents
  has a node with the label ``_`` over itself; a node ROOT over the whole sentence is added. Equal
  nodes are one.
- The words are nodes too, except for ``;``, ``-`` and ``--``. Version 2.1 counts them neither as
  nodes nor in the normaliser; version 2.2 claims to take them out, but does not.
- The generalized tree G has the spans that all gold trees have, with the labels that all give them,
  in the same case, and ``_`` where none is left. With the parse P and its own gold tree O:

      cost        =  |(P∖G)∖(O∖G)| + |(G∖P)∖(G∖O)|
      normaliser  =  |P| + |G| − 2
      score       =  1 − cost / normaliser

- Unlabelled, the differences are those of the spans, but the sizes are those of the labelled trees,
  except that all nodes over the whole sentence are one.
- Where arcs cross, a node spans what lies between its first and its last word; version 2.2 itself
  aborts on most of such trees.
- A parse is called exact with respect to the gold tree when the two do not differ, but with respect
  to the generalized tree when it is as far from it as its own gold tree is.

Where 0 is divided by 0 (one word, and it is no node) the score is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Functions, Strings, Table
from commonground.corpus.functions import canonical, parse_yield
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError, setting
from commonground.ground.algebra import generalize, node_sets
from commonground.ground.dependencies import dependency_functions
from commonground.ground.yields import yields_of
from commonground.kernels import load
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.dependencies.prepare import compared
from commonground.metrics.functions.comparison import TreeComparison
from commonground.metrics.functions.tedeval import Keys, agreement
from commonground.metrics.items import Items
from commonground.metrics.settings import Settings
from commonground.plurals import number_of

__all__ = [
    "CROSSING",
    "OriginalRow",
    "Version",
    "aborts",
    "crossing_trees",
    "original_columns",
    "original_common",
    "original_functions",
    "original_items",
    "original_nodes",
    "original_rows",
    "original_table",
]

Numbers = NDArray[np.int64]
Version = Literal["2.1", "2.2"]

_NO_LABEL, _ROOT, _WORD = "_", "ROOT", "word"
"""Labels of nodes; that of words is in lower case, and so no other node has it."""

CROSSING = "crossing_trees"
"""The column that counts the sentences with crossing arcs."""

_NO_NODES = frozenset([";", "-", "--"])
"""The words that are no nodes."""


# ── in the form of the programs ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class OriginalRow:
    """What the programs tell about a sentence.

    With gold standards of several theories, `distance` is how far the parse is from the generalized
    tree, and `gold_distance` how far its own gold tree is. With a single one, `distance` is how far
    the parse is from the gold tree, and what is about a generalized tree is None.
    """

    sentence: int
    length: int
    exact_gold: bool
    exact_gen: bool
    parse_nodes: int
    gold_nodes: int
    gen_nodes: int | None
    distance: int
    gold_distance: int | None
    cost: int
    normaliser: int

    @property
    def score(self) -> float:
        """1 − cost/normaliser, and 1 for 0/0."""
        return 1 - self.cost / self.normaliser if self.normaliser else 1.0

    @property
    def single(self) -> bool:
        """Whether there is only one gold standard."""
        return self.gen_nodes is None

    def fields(self) -> tuple[str, ...]:
        """Return the cells of the row as the program has them."""
        return tuple(_fields(self))

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON has it."""
        return {**asdict(self), "score": self.score}


def original_rows(
    parse: Dependencies,
    gold: Dependencies,
    *others: Dependencies,
    labelled: bool = True,
    version: Version = "2.2",
) -> list[OriginalRow]:
    """Return what a program tells about each sentence of a parse.

    `gold` is the parse's own gold standard, `others` are those of other theories.

    >>> words = "John loves Mary".split()
    >>> gold = Dependencies.of([(words, [2, 0, 2], ["sbj", "root", "obj"])])
    >>> parse = Dependencies.of([(words, [2, 0, 2], ["sbj", "root", "mod"])])
    >>> (row,) = original_rows(parse, gold)
    >>> row.parse_nodes, row.cost, row.normaliser, round(row.score, 4)
    (7, 2, 12, 0.8333)
    """
    for other in (parse, *others):
        compared(gold, other, Settings())  # raises an error where the words are others
    sides = [original_functions(corpus) for corpus in (parse, gold, *others)]
    trees = [_upper(tree) for tree in (sides[0], sides[1], original_common(*sides[1:]))]
    if not labelled:
        trees = [_with_one_root(tree) for tree in trees]
    three = [_with_words(tree) for tree in trees]
    mine, own, common = _keys(three, labelled=labelled)
    distance, gold_distance, to_gold, cost = (
        _cost(agreement(*keys, len(gold), (three[2], three[0])))
        for keys in (
            (mine, common, common),
            (own, common, common),
            (mine, own, own),
            (mine, own, common),
        )
    )
    shown = trees if version == "2.1" else three  # the words are nodes for the later one only
    sizes = [tree.nodes.lengths for tree in shown]
    columns = (
        np.arange(len(gold)) + 1,
        gold.words.lengths,
        to_gold == 0,
        (distance == gold_distance) & bool(others),
        *sizes,
        distance,
        gold_distance,
        cost,
        # A sentence without words has no root either.
        np.maximum(sizes[0] + sizes[2] - 2, 0),
    )
    rows = [
        OriginalRow(*values)
        for values in zip(*(column.tolist() for column in columns), strict=True)
    ]
    return rows if others else [_of_single(row) for row in rows]


def original_table(rows: Sequence[OriginalRow]) -> str:
    r"""Return rows as a table with tabs; what a program does not tell is ``-``.

    >>> row = OriginalRow(1, 3, True, False, 7, 7, None, 0, None, 0, 12)
    >>> print(original_table([row]).splitlines()[1].replace("\t", " "))
    1 3 1.0000 + - 7 7 - 0 - - 12.0
    """
    lines = [original_columns(rows), *(row.fields() for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


def original_columns(rows: Sequence[OriginalRow]) -> tuple[str, ...]:
    """Return the names of the columns of a table of rows."""
    distance = "d_parse_gold" if all(row.single for row in rows) else "d_parse_gen"
    names = ("sentence", "length", "score", "exact_gold", "exact_gen", "parse_nodes", "gold_nodes")
    return (*names, "gen_nodes", distance, "d_gold_gen", "cost", "normaliser")


def _fields(row: OriginalRow) -> Iterator[str]:
    yield from (str(row.sentence), str(row.length), f"{row.score:.4f}")
    yield from ("+" if exact else "-" for exact in (row.exact_gold, row.exact_gen))
    yield from (str(row.parse_nodes), str(row.gold_nodes))
    if row.single:
        yield from ("-", str(row.distance), "-", "-", f"{row.normaliser:.1f}")
    else:
        told = (row.gen_nodes, row.distance, row.gold_distance, row.cost, row.normaliser)
        yield from map(str, told)


def _of_single(row: OriginalRow) -> OriginalRow:
    return replace(row, exact_gen=False, gen_nodes=None, gold_distance=None)


# ── as a metric ──────────────────────────────────────────────────────────────────────────────────


def original_items(pair: TreeComparison, version: Version, *, labelled: bool) -> Items:
    """Return the nodes of both sides as items; the share of them that is right is the score."""
    if not isinstance(pair, Comparison):
        raise UsageError(f"tedeval-{version} scores only dependencies")
    settings = pair.settings
    filters = (settings.shortest, settings.longest is not None, settings.where)
    if settings.punctuation != "keep" or any(filters):
        raise UsageError(f"TedEval {version} cannot leave out words or sentences")
    if settings.on_mismatch == "realign":
        raise UsageError(
            f"TedEval {version} does not realign; {setting('on_mismatch')} can be fail or skip"
        )
    corpora = (pair.system, pair.gold)
    sides = (original_functions(corpus, settings) for corpus in corpora)
    items = original_nodes(*sides, labelled=labelled, version=version)
    if version == "2.1":
        return items
    crossing = sum(_crosses(corpus) for corpus in corpora)
    return replace(items, further={**items.further, CROSSING: np.minimum(crossing, 1)})


def original_nodes(
    parse: Functions,
    own: Functions,
    common: Functions | None = None,
    *,
    labelled: bool,
    version: Version,
) -> Items:
    """Compare the nodes of parses with what gold trees have in common (the own ones without any).

    The trees are those of :func:`original_functions`.
    """
    trees = [_upper(tree) for tree in (parse, own, own if common is None else common)]
    if not labelled:
        trees = [_with_one_root(tree) for tree in trees]
    if version == "2.2":
        trees = [_with_words(tree) for tree in trees]
    mine, theirs, general = _keys(trees, labelled=labelled)
    return agreement(mine, theirs, general, len(parse), (trees[2], trees[0]))


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


def original_functions(corpus: Dependencies, settings: Settings | None = None) -> Functions:
    """Return the function trees of the programs, with labels in their case, without words.

    >>> loves = Dependencies.of([(["John", "loves", "Mary"], [2, 0, 2], ["sbj", "root", "obj"])])
    >>> tree = original_functions(loves)
    >>> list(zip(tree.yields, tree.label))
    [('1-3', 'ROOT'), ('1-3', 'root'), ('1', 'sbj'), ('2', '_'), ('3', 'obj')]
    """
    label = (settings or Settings()).label
    tree = dependency_functions(
        corpus.replace("words", deprel=corpus.deprel.map(label)), head=_NO_LABEL
    )
    lengths = tree.words.lengths
    spans = tree.nodes.replace(yields=tree.yields.map(_span))
    filled = np.flatnonzero(lengths)
    ones = np.ones(len(filled), np.int64)
    top = Table(
        offsets_of(np.minimum(lengths, 1)),
        yields=yields_of(ones, lengths[filled], {}),
        label=Strings.constant(_ROOT, len(filled)),
    )
    return _joined(tree, spans, top)


def crossing_trees(corpora: Iterable[Dependencies]) -> int:
    """Return how many sentences have crossing arcs: version 2.2 itself aborts on most of them."""
    return int(np.minimum(sum(map(_crosses, corpora)), 1).sum())


def aborts(sentences: int) -> str:
    """Say that version 2.2 would not have scored so many sentences."""
    count = number_of(sentences, "sentence")
    return f"{count} with crossing arcs, on most of which TedEval 2.2 aborts"


def _crosses(corpus: Dependencies) -> Numbers:
    """Return for each sentence whether it has crossing arcs."""
    crossing = load("trees").crossing(corpus.head, corpus.offsets)
    rows = corpus.words.sentence_of_row()[np.asarray(crossing, np.bool_)]
    return np.minimum(np.bincount(rows, minlength=len(corpus)), 1).astype(np.int64)


def original_common(*golds: Functions) -> Functions:
    """Return what gold trees have in common: spans, with the labels that all give them, if any."""
    if len(golds) == 1:
        return golds[0]
    common = generalize(*golds)
    return common.replace("nodes", label=common.label.map(lambda text: text or _NO_LABEL))


def _upper(tree: Functions) -> Functions:
    """Return a tree with labels in upper case."""
    nodes = tree.nodes.replace(label=tree.label.map(str.upper))
    return Functions({**tree.tables, "nodes": canonical(nodes)})


def _with_one_root(tree: Functions) -> Functions:
    """Return a tree in which everything over the whole sentence is one node."""
    vocabulary = Vocabulary()
    codes = tree.label.codes_in(vocabulary).copy()
    codes[tree.roots] = vocabulary[_ROOT]
    nodes = tree.nodes.replace(label=Strings(codes, tuple(vocabulary)))
    return Functions({**tree.tables, "nodes": canonical(nodes)})


def _with_words(tree: Functions) -> Functions:
    return _joined(tree, tree.nodes, _words(tree))


def _words(corpus: Dependencies | Functions) -> Table:
    """Return the nodes of words."""
    counted = ~corpus.form.where(_NO_NODES.__contains__)
    place = corpus.words.row_in_sentence()[counted] + 1
    return Table(
        np.concatenate([[0], np.cumsum(counted)])[corpus.words.offsets],
        yields=yields_of(place, place, {}),
        label=Strings.constant(_WORD, len(place)),
    )


def _joined(tree: Functions, one: Table, other: Table) -> Functions:
    """Return a tree with the nodes of two tables."""
    sentence = np.concatenate([one.sentence_of_row(), other.sentence_of_row()])
    order = np.argsort(sentence, kind="stable")
    columns = {
        name: Strings.concatenate([one.strings(name), other.strings(name)])[order]
        for name in ("yields", "label")
    }
    nodes = Table(one.offsets + other.offsets, **columns)
    return Functions({**tree.tables, "nodes": canonical(nodes)})


def _span(words: str) -> str:
    """Return the yield from the first word to the last one.

    >>> _span("2,4-5")
    '2-5'
    """
    stretches = parse_yield(words)
    first, last = stretches[0][0], stretches[-1][1]
    return f"{first}-{last}" if last > first else words


def _keys(trees: Sequence[Functions], *, labelled: bool) -> list[Keys]:
    """Return the nodes but for the added root; unlabelled, nodes of the same span have one key."""
    sets, _, labels = node_sets(trees)
    keys = []
    for tree, nodes in zip(trees, sets, strict=True):
        sentence = tree.nodes.sentence_of_row()
        root = tree.label.where(lambda text: text == _ROOT)
        root &= tree.roots
        rows = np.flatnonzero(~root)
        key = nodes.node * len(labels) + nodes.label if labelled else nodes.node
        keys.append(Keys(rows, sentence[rows], key[rows]))
    return keys


def _cost(items: Items) -> Numbers:
    counts = items.counts.columns
    return counts["gold"] + counts["system"] - counts["correct"] - counts["system_correct"]
