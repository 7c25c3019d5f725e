"""Labels of any inventory as relations of the hub, over the words that they stand on.

Function trees of different inventories share no label, even where they mean the same. A shared
inventory is the precondition of labelled scores across schemes (Tsarfaty et al. 2011, §5). The hub
that all schemes are translated to (Universal Dependencies, without subtypes) is one:

- **dependencies**: the tree is brought into the hub. A node of the function tree, over the words Y,
  gets the label that the topmost word of Y has there, or ``hd`` if that word's phrase has more
  words than Y. So *in Rome* is ``obl`` in UD and in SUD, *in* is ``case`` and *Rome* is ``hd``,
  although SUD has *in* as the head. Yields stay as they are;
- **constituents**: function tags are translated by the category of their phrase and of the phrase
  above (the tables in inventories/); edge labels by the scheme that has them;
- other labels stay as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import (
    Constituents,
    Corpus,
    Dependencies,
    Functions,
    Relations,
    Strings,
    Table,
)
from commonground.corpus.functions import canonical
from commonground.corpus.stripping import strip
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError
from commonground.ground.constituents import constituent_functions
from commonground.ground.contexts import context_of, contexts
from commonground.ground.dependencies import HEAD, dependency_functions
from commonground.ground.functions import to_functions
from commonground.kernels import load
from commonground.schemes.hub import RELATIONS
from commonground.schemes.library import bundled_scheme_names, find_scheme
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import HUB, arcs_in_hub

__all__ = [
    "HubTrees",
    "Inventory",
    "find_inventory",
    "hub_trees",
    "inventory_names",
    "plain_labels",
    "recognise_inventory",
]

_RELATIONS = frozenset(RELATIONS)
_HUB = _RELATIONS | {HEAD}
FORMER_HUB = "ud1"
"""The hub as it was in version 1: with labels that version 2 gave up."""
UNSAID = "dep"
"""The relation of the hub that says nothing; a label that becomes it is not known."""
_ENOUGH = 0.8
"""The share of labels that an inventory must have for it to be recognised."""


@dataclass(frozen=True)
class HubTrees:
    """Function trees with labels of the hub, and how they came about.

    `inventory` is what the labels were read as, the empty string where none was recognised. The
    counts of `mapping` are how often a label became which one of the hub; `known` of `labels` are
    one there that says more than ``dep``.
    """

    trees: Functions
    inventory: str
    mapping: Mapping[tuple[str, str], int]
    known: int
    labels: int

    @property
    def coverage(self) -> float:
        """The share of labels that were translated; 1 where there are none."""
        return self.known / self.labels if self.labels else 1.0


def hub_trees(
    corpus: Corpus,
    inventory: str | None = None,
    *,
    functions: Collection[str] | None = None,
    function_nodes: Collection[str] = (),
    enhanced: bool = False,
    plain: Functions | None = None,
) -> HubTrees:
    """Return the function trees of a corpus with labels of the hub.

    `inventory` is a scheme or a table of function tags; without it, the labels tell. `plain` are
    the function trees with their own labels, where they are known.

    >>> from commonground.formats import read_text
    >>> tree = read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing) (PP-TMP (IN in) (NP (NN May)))))")
    >>> result = hub_trees(tree)
    >>> result.inventory, [pair for pair in zip(result.trees.yields, result.trees.label) if pair[1]]
    ('penn', [('1', 'nsubj'), ('3-4', 'obl')])
    """
    if plain is None:
        plain = to_functions(
            corpus, functions=functions, function_nodes=function_nodes, enhanced=enhanced
        )
    name = recognise_inventory(corpus) if inventory is None else _ALSO.get(inventory, inventory)
    if not name:
        count = int(plain.label.where(bool).sum())
        return HubTrees(plain, "", Counter(), 0, count)
    if isinstance(corpus, Dependencies) and not enhanced:
        return _dependencies(corpus, find_scheme(name))
    if isinstance(corpus, Constituents) and name in _tables():
        return _constituents(corpus, find_inventory(name), functions, function_nodes)
    return _plain(plain, name)


# ── which inventory ──────────────────────────────────────────────────────────────────────────────


def recognise_inventory(corpus: Corpus) -> str:
    """Return the scheme or the table that most labels of a corpus belong to, if enough do.

    >>> recognise_inventory(Dependencies.of([(["Hi", "you"], [0, 1], ["root", "comp:obj"])]))
    'sud'
    """
    counts = _labels(corpus)
    total = sum(counts.values())
    if not total:
        return ""
    constituents = isinstance(corpus, Constituents)
    if not constituents and all(_main(label, _RELATIONS) in _RELATIONS for label in counts):
        return HUB  # others can have as many of its labels, but not more
    candidates = _known_labels(corpus.kind)
    shares = {
        name: sum(count for label, count in counts.items() if _main(label, known) in known) / total
        for name, known in candidates.items()
    }
    best = max(shares, key=lambda name: (shares[name], name == HUB, -len(candidates[name])))
    return best if shares[best] >= _ENOUGH else ""


def _labels(corpus: Corpus) -> Counter[str]:
    if isinstance(corpus, Dependencies):
        return Counter({label: n for label, n in corpus.deprel.counts().items() if label != "_"})
    if isinstance(corpus, Constituents):
        trees = constituent_functions(corpus)
        return Counter({label: n for label, n in trees.label.counts().items() if label})
    if isinstance(corpus, Relations):
        return Counter(corpus.label[corpus.dependent >= 0].counts())
    counts = to_functions(corpus).label.counts()
    return Counter({label: n for label, n in counts.items() if label not in ("", HEAD, "*")})


def _main(label: str, known: Collection[str]) -> str:
    """Return a label without its subtype, or without the word that is collapsed into it.

    >>> known = {"comp", "comp:obj", "mod", "prep"}
    >>> [_main(label, known) for label in ("comp:obj@x", "mod@x", "prep_of", "obl:x")]
    ['comp:obj', 'mod', 'prep', 'obl']
    """
    cuts = [match.start() for match in _SUBTYPE.finditer(label)]
    shorter = [label[:cut] for cut in cuts]
    for main in (label, *reversed(shorter)):
        if main in known:
            return main
    main = shorter[0] if shorter else label
    collapsed = main.partition("_")[0]
    return collapsed if collapsed in known else main


_SUBTYPE = re.compile("[:@]")


@cache
def _known_labels(kind: str) -> dict[str, frozenset[str]]:
    """Return the labels of each inventory; constituents can have function tags or edge labels."""
    names = [*bundled_scheme_names(), FORMER_HUB] if kind != Constituents.kind else []
    by_name = {name: _scheme_labels(find_scheme(name)) for name in names}
    return by_name | {name: table.tags for name, table in _tables().items() if table.of == kind}


def _scheme_labels(scheme: Scheme) -> frozenset[str]:
    if scheme.name == HUB:
        return _RELATIONS
    read = {label for rule in scheme.read_rules for label in rule.old} | set(scheme.aliases)
    if scheme.name == FORMER_HUB:
        return frozenset(read | _RELATIONS)
    return frozenset(read | set(scheme.reading.table) | scheme.same | {"root", "ROOT", "punct"})


# ── dependencies ─────────────────────────────────────────────────────────────────────────────────


def _dependencies(corpus: Dependencies, scheme: Scheme) -> HubTrees:
    own = corpus.deprel.tolist()
    phrases, words = _over_yields(corpus, *_in_hub(corpus, scheme))
    labels = [phrase or name for phrase, name in zip(phrases, own, strict=True)]
    trees = dependency_functions(corpus, labels=(Strings.of(labels), Strings.of(words)))
    counts = Counter(zip(own, labels, strict=True))
    told = _HUB - {UNSAID}
    translated = sum(n for (_, hub), n in counts.items() if hub in told)
    return HubTrees(trees, scheme.name, counts, translated, len(own))


def _in_hub(corpus: Dependencies, scheme: Scheme) -> tuple[list[int], list[str]]:
    """Return the arcs in the hub; without tags that are known, labels alone tell."""
    try:
        return arcs_in_hub(corpus, scheme)
    except UsageError:
        return arcs_in_hub(corpus, scheme, tags="none")


def _over_yields(
    corpus: Dependencies, hub_heads: Sequence[int], hub_labels: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return the labels that the subtree of each word, and each word by itself, have in the hub."""
    names = [label.partition(":")[0] for label in hub_labels]
    phrases, words = names.copy(), names.copy()
    heads = corpus.head.tolist()
    depths, hub_depths = (_depths(one, corpus.offsets) for one in (heads, hub_heads))
    order, hub_order = (_deepest_first(one, corpus.offsets) for one in (depths, hub_depths))
    depth_of = hub_depths.tolist()
    for start, stop in pairwise(corpus.offsets.tolist()):
        own, other = heads[start:stop], hub_heads[start:stop]
        if own == other:  # every word heads the same words in both
            for head in own:
                if head > 0:
                    words[start + head - 1] = HEAD
            continue
        depth, upwards = depth_of[start:stop], order[start:stop]
        yields, there = _subtrees(own, upwards), _subtrees(other, hub_order[start:stop])
        top = list(range(stop - start))
        for word in upwards:
            above = own[word] - 1
            if above >= 0 and depth[top[word]] < depth[top[above]]:
                top[above] = top[word]
        for word in range(stop - start):
            whole = not there[top[word]] & ~yields[word]
            phrases[start + word] = names[start + top[word]] if whole else HEAD
            words[start + word] = HEAD if there[word] & ~(1 << word) else names[start + word]
    return phrases, words


def _deepest_first(depths: NDArray[np.int32], offsets: NDArray[np.int64]) -> list[int]:
    """Return the words of each sentence, those furthest from the root first.

    >>> _deepest_first(np.array([2, 0, 2, 1, 0]), np.array([0, 3, 5]))
    [0, 2, 1, 0, 1]
    """
    lengths = np.diff(offsets)
    order = np.lexsort((-depths, np.repeat(np.arange(len(lengths)), lengths)))
    return (order - np.repeat(offsets[:-1], lengths)).tolist()


def _subtrees(heads: Sequence[int], upwards: Sequence[int]) -> list[int]:
    """Return the words below each word, itself included, as the bits of a number.

    `upwards` are all words, those furthest from the root first.

    >>> list(map(bin, _subtrees([2, 0, 2], [0, 2, 1])))
    ['0b1', '0b111', '0b100']
    """
    masks = [1 << word for word in range(len(heads))]
    for word in upwards:
        if heads[word] > 0:
            masks[heads[word] - 1] |= masks[word]
    return masks


def _depths(heads: Sequence[int], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return how far each word is from the root; one without a head counts as attached to it.

    >>> _depths([2, 0, 2], np.array([0, 3])).tolist()
    [2, 1, 2]
    """
    depths: NDArray[np.int32] = load("trees").depth(
        np.maximum(np.asarray(heads, np.int32), 0), offsets
    )
    return depths


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Inventory:
    """A table of function tags: its rules are (tags, categories, categories above, relation).

    `plain` has the relation of a tag about whose phrase nothing is known. The tags are `of`
    constituents, or the labels of relations, for which there are no rules. Some tables have rules
    for `heads`, and for words without any tag.
    """

    name: str
    title: str
    of: str
    tags: frozenset[str]
    plain: Mapping[str, str]
    rules: tuple[tuple[frozenset[str], frozenset[str], frozenset[str], str], ...]
    heads: bool = False

    def hub(self, tag: str, category: str, above: str) -> str | None:
        """Return the relation of a tag, None where no rule fits.

        >>> find_inventory("penn").hub("TMP", "PP", "VP")
        'obl'
        """
        for tags, categories, parents, relation in self.rules:
            if tags and tag not in tags:
                continue
            if not tag and not tags:
                continue
            if _is_one(category, categories) and _is_one(above, parents):
                return relation
        return None


def _is_one(category: str, categories: Collection[str]) -> bool:
    """Tell whether a category is among some, with or without what follows one of its dots.

    What ends in a star stands for all that begin like it.

    >>> _is_one("grup.nom.ms", {"grup.nom"}), _is_one("grup.a.ms", {"grup.nom"})
    (True, False)
    >>> _is_one("ncms000", {"nc*"})
    True
    """
    if not categories or category in categories:
        return True
    starts = tuple(each[:-1] for each in categories if each.endswith("*"))
    if starts and category.startswith(starts):
        return True
    while "." in category:
        category = category.rpartition(".")[0]
        if category in categories:
            return True
    return False


@cache
def _tables() -> dict[str, Inventory]:
    by_name = {}
    for entry in (files("commonground.ground") / "inventories").iterdir():
        if entry.name.endswith(".toml"):
            name = entry.name.removesuffix(".toml")
            table = tomllib.loads(entry.read_text(encoding="utf-8"))
            rules = tuple(
                (
                    frozenset(rule.get("tag", ())),
                    frozenset(rule.get("category", ())),
                    frozenset(rule.get("above", ())),
                    rule["hub"],
                )
                for rule in table["rules"]
            )
            tags = frozenset(table["tags"])
            of = table.get("of", Constituents.kind)
            heads = bool(table.get("heads", False))
            by_name[name] = Inventory(name, table["title"], of, tags, table["plain"], rules, heads)
    return dict(sorted(by_name.items()))


_ALSO = {"ptb": "penn", "sequoia": "ftb", "negra": "tiger", "smultron": "tiger", "lassy": "alpino"}
_ALSO |= dict.fromkeys(("icepahc", "farpahc", "ppcme", "ppceme", "ppcmbe"), "historical")
_ALSO |= {"bosque": "floresta", "ancora": "cess", "tüba": "tueba", "mamba": "talbanken"}


def inventory_names() -> list[str]:
    """Return the names of all inventories: schemes, and tables of function tags."""
    return sorted({*bundled_scheme_names(), *_tables(), *_ALSO})


def plain_labels(name: str) -> dict[str, str]:
    """Return the labels of an inventory with the relations that the hub has for them alone.

    >>> plain_labels("sud")["subj"], plain_labels("ptb")["SBJ"]
    ('nsubj', 'nsubj')
    """
    known = _ALSO.get(name, name)
    if known in _tables() and known not in bundled_scheme_names():
        return dict(_tables()[known].plain)
    scheme = find_scheme(known)
    labels = _scheme_labels(scheme)
    return {label: scheme.reading.plain(label).partition(":")[0] for label in sorted(labels)}


def find_inventory(name: str) -> Inventory:
    """Return a table of function tags by its name."""
    name = _ALSO.get(name, name)
    if name not in _tables():
        raise UsageError(
            f"there is no table of functions {name!r}; there are {', '.join(_tables())}"
        )
    return _tables()[name]


def _constituents(
    corpus: Constituents,
    table: Inventory,
    functions: Collection[str] | None,
    function_nodes: Collection[str],
) -> HubTrees:
    """Translate functions by their phrase and the one above; see :class:`Inventory`."""
    mapping: Counter[tuple[str, str]] = Counter()
    known = total = 0

    def labels_of(text: str) -> tuple[str, ...]:
        there = context_of(text)
        tags = there.functions or ("",)
        relations = [table.hub(tag, there.category, there.above) for tag in tags]
        return tuple(dict.fromkeys(hub for hub in relations if hub))

    texts_of = contexts(corpus, functions, function_nodes, once=table.heads)
    trees = constituent_functions(
        corpus, function_nodes=function_nodes, labels=(texts_of, labels_of)
    )
    bare = strip(corpus, ["traces"])
    for texts in contexts(bare, functions, function_nodes, once=table.heads):
        for text, count in texts.counts().items():
            there = context_of(text)
            for tag in there.functions:
                hub = table.hub(tag, there.category, there.above)
                total += count * (hub != "")  # what is no relation need not be known
                known += count * (hub not in (None, "", UNSAID))
                mapping[f"{there.category}-{tag}", hub or ""] += count
            hub = table.hub("", *there[1:]) if not there.functions else None
            if hub:
                mapping[f"{there.category} in {there.above}", hub] += count
    trees = _without_lone_heads(trees) if table.heads else trees
    return HubTrees(trees, table.name, mapping, known, total)


def _without_lone_heads(trees: Functions) -> Functions:
    """Return trees in which only what is the head of more words, or is nothing else, is a head.

    The head of a phrase of one word has the words of the phrase, and its relation.
    """
    yields, labels = trees.yields, trees.label
    node = trees.nodes.sentence_of_row() * (len(yields.vocabulary) + 1) + yields.codes
    is_head = labels.where(HEAD.__eq__)
    also = np.isin(node, node[~is_head & labels.where(bool)])
    gone = is_head & also
    if not gone.any():
        return trees
    kept = np.flatnonzero(~gone)
    counts = np.bincount(trees.nodes.sentence_of_row()[kept], minlength=len(trees))
    nodes = Table(offsets_of(counts), yields=yields[kept], label=labels[kept])
    return Functions({**trees.tables, "nodes": nodes})


# ── other labels ─────────────────────────────────────────────────────────────────────────────────


def _plain(trees: Functions, name: str) -> HubTrees:
    """Translate labels by what an inventory says about them alone."""
    known = plain_labels(name)
    counts = trees.label.counts()
    images = {label: known[main] for label in counts if (main := _main(label, known)) in known}
    nodes = trees.nodes.replace(label=trees.label.map(lambda text: images.get(text, text)))
    mapping = Counter(
        {(label, images.get(label, label)): n for label, n in counts.items() if label}
    )
    total = sum(n for label, n in counts.items() if label and label != HEAD)
    translated = sum(n for label, n in counts.items() if images.get(label, UNSAID) != UNSAID)
    relabelled = Functions({**trees.tables, "nodes": canonical(nodes)})
    return HubTrees(relabelled, name, mapping, translated, total)
