"""What do theories of meaning and of syntax agree on? Phrases and relations, by construction.

    python benchmarks/meaning.py --graphs dm=dm.mrp psd=psd.mrp eds=eds.mrp ucca=ucca.mrp
        --syntax constituents=wsj.mrg ud=ud.conllu sud=sud.conllu > meaning.txt

The graphs are those of mtool's data/sample; wsj.mrg has the first twelve files of NLTK's sample of
the Penn Treebank, from which ``convert --rules stanford`` and ``transform`` make the dependencies.
Intervals are those of 1,000 resampled sets of sentences, with a fixed seed. The controls: trees
that know nothing (flat, branching), and the phrases of another sentence.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import commonground as cg
from commonground.corpus import Corpus, Dependencies, Functions, Graphs
from commonground.corpus.functions import mask_of
from commonground.evaluation.controls import know_nothing
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import ComparisonTerms
from commonground.ground.label_learning import cross_fitted
from commonground.ground.rooted_graphs import Edge, RootedGraph, rooted
from commonground.metrics.settings import Settings
from commonground.patterns.search import find

Numbers = NDArray[np.int64]
Phrases = list[set[int]]

PHRASES = {
    "subject": ("nsubj", "nsubj:pass", "csubj"),
    "object": ("obj", "iobj"),
    "oblique": ("obl", "obl:unmarked"),
    "modifier of a noun": ("nmod", "nmod:poss"),
    "apposition": ("appos",),
    "relative clause": ("acl:relcl",),
    "complement clause": ("ccomp", "xcomp"),
    "adverbial clause": ("advcl",),
    "conjunct": ("conj",),
}
"""Constructions, by the labels that UD has for their phrases."""

RELATIONS = {
    "subject": "V -[nsubj]-> S",
    "object": "V -[obj]-> S",
    "oblique": "V -[obl]-> S",
    "modifier of a noun": "V -[nmod|nmod:poss]-> S",
    "adjective": "V -[amod]-> S",
    "number": "V -[nummod]-> S",
    "adverb": "V -[advmod]-> S",
    "clause": "V -[ccomp|xcomp|advcl|acl]-> S",
    "apposition": "V -[appos]-> S",
    "name, compound": "V -[compound]-> S",
    "determiner as quantifier": "V -[det]-> S",
    "relative clause: noun and verb": "V -[acl:relcl]-> S",
    "control: verb and subject": "U -[xcomp]-> V; U -[nsubj]-> S",
    "coordination: two conjuncts": "V -[conj]-> S",
    "coordination: shared subject": "U -[conj]-> V; U -[nsubj]-> S; not { V -[nsubj]-> * }",
    "copula: subject and predicate": "V -[nsubj]-> S; V -[cop]-> C",
}
"""Pairs of words (V and S) that a theory may relate, as patterns over UD trees."""

CONTROL = {
    "(control: subject of another verb)": (
        "V -[nsubj]-> T; U -[nsubj]-> S; not { U -> V }; not { V -> U }"
    ),
}
"""Pairs of words that no theory should relate."""

FUNCTION_WORDS = {"ADP", "AUX", "SCONJ", "PART", "CCONJ", "PUNCT"}
"""Words that relations pass through, since some theories have no nodes for them."""


def prepared(corpora: dict[str, Corpus]) -> PreparedTrees:
    """Return treebanks as the trees that are compared, each its own parse."""
    systems = {name: (corpus, corpus) for name, corpus in corpora.items()}
    return PreparedTrees(systems, Settings(on_mismatch="realign"), ComparisonTerms(), "own")


def phrases(tree: Functions) -> Phrases:
    """Return the phrases of each sentence: two words or more, but not all of them."""
    found = []
    for sentence, length in zip(tree, tree.words.lengths.tolist(), strict=True):
        masks = {mask_of(text) for text in sentence.column("yields", "nodes")}
        found.append({each for each in masks if 1 < each.bit_count() < length})
    return found


def shared(one: Phrases, other: Phrases) -> tuple[Numbers, Numbers]:
    """Return for each sentence twice what both have, and what each has."""
    both = [2 * len(a & b) for a, b in zip(one, other, strict=True)]
    return np.array(both), np.array([len(a) + len(b) for a, b in zip(one, other, strict=True)])


def interval(part: Numbers, whole: Numbers) -> tuple[float, float, float]:
    """Return a share in per cent, with the interval of resampled sentences."""
    draw = np.random.default_rng(0).integers(len(part), size=(1000, len(part)))
    shares = part[draw].sum(1) / np.maximum(whole[draw].sum(1), 1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return 100 * part.sum() / max(whole.sum(), 1), 100 * low, 100 * high


def overlap(corpora: dict[str, Corpus]) -> None:
    """Print how much each two theories have in common, with controls."""
    print(
        "| theories | sentences | words | phrases, F1 | 95 % | TedEval, unlabelled | "
        "knows nothing, F1 | other sentence, F1 |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    for one, other in combinations(corpora, 2):
        study = prepared({one: corpora[one], other: corpora[other]})
        a, b = phrases(study.golds[one]), phrases(study.golds[other])
        score, low, high = interval(*shared(a, b))
        nothing = [phrases(tree) for tree in know_nothing(study.golds[one])]
        floor = max(interval(*shared(each, side))[0] for each in nothing for side in (a, b))
        chance = interval(*shared(a[1:] + a[:1], b))[0]
        ted = study.overlap(one, other).unlabelled.value or 0.0
        words = study.golds[one].words.rows
        print(
            f"| {one} – {other} | {len(a)} | {words:,} | {score:.1f} | {low:.1f}–{high:.1f} | "
            f"{100 * ted:.1f} | {floor:.1f} | {chance:.1f} |"
        )


def common(corpora: dict[str, Corpus]) -> None:
    """Print what all theories have, by theory and by construction."""
    study = prepared(corpora)
    sets = {name: phrases(study.golds[name]) for name in corpora}
    every = [set.intersection(*sides) for sides in zip(*sets.values(), strict=True)]
    sizes = np.array(list(map(len, every)))
    words = study.golds["ud"].words.rows
    print(
        f"\nAll {len(corpora)}: {len(every)} sentences, {words:,} words that all have something "
        f"to say about, {sizes.sum()} phrases that all have.\n"
    )
    print("| theory | phrases | of them in all theories, % | 95 % |\n|---|---:|---:|---:|")
    for name, each in sets.items():
        own = np.array(list(map(len, each)))
        share, low, high = interval(sizes, own)
        print(f"| {name} | {own.sum()} | {share:.1f} | {low:.1f}–{high:.1f} |")
    names = [name for name in corpora if name != "ud"]
    print(
        "\n| phrase of UD | n | "
        + " | ".join(names)
        + " | all |\n|---|---:"
        + "|---:" * (len(names) + 1)
        + "|"
    )
    tree = study.golds["ud"]
    for kind, labels in PHRASES.items():
        rows = []
        for at, sentence in enumerate(tree):
            columns = (sentence.column(name, "nodes") for name in ("yields", "label"))
            length = int(tree.words.lengths[at])
            masks = {mask_of(text) for text, label in zip(*columns, strict=True) if label in labels}
            rows += [(at, each) for each in masks if 1 < each.bit_count() < length]
        shares = [np.mean([each in sets[name][at] for at, each in rows]) for name in names]
        shares.append(np.mean([each in every[at] for at, each in rows]))
        print(f"| {kind} | {len(rows)} | " + " | ".join(f"{100 * s:.0f}" for s in shares) + " |")


def dependency_graph(sentence: object) -> RootedGraph:
    """Return a dependency tree as a rooted graph."""
    heads, labels = sentence.head.tolist(), sentence.deprel  # type: ignore[attr-defined]
    arcs = enumerate(zip(heads, labels, strict=True))
    edges = tuple(Edge(head - 1, word, label, primary=True) for word, (head, label) in arcs if head)
    tops = tuple(word for word, head in enumerate(heads) if not head)
    return RootedGraph(tuple(2 << word for word in range(len(heads))), tops, edges)


def related(study: PreparedTrees, name: str, kept: list[int]) -> list[set[frozenset[int]]]:
    """Return the pairs of units that a theory relates in each sentence, in any direction."""
    corpus, numbers = study.corpora[name][0], study.units.numbers[study.names.index(name)]
    graph_of: Callable[..., RootedGraph] = (
        dependency_graph if isinstance(corpus, Dependencies) else rooted
    )
    words = corpus.tables["words"]
    pairs = []
    for at, place in enumerate(study.units.kept.tolist()):
        start, stop = words.offsets[place : place + 2].tolist()
        unit = numbers[start:stop].tolist()
        graph = graph_of(corpus[place])
        masks = tuple(
            sum({1 << unit[bit - 1] for bit in range(1, len(unit) + 1) if mask >> bit & 1}) & ~1
            for mask in graph.words
        )
        moved = RootedGraph(masks, graph.tops, graph.edges)
        found = moved.relations(kept[at])
        pairs.append({frozenset((a, b)) for h, d, _ in found for a in bits(h) for b in bits(d)})
    return pairs


def bits(mask: int) -> list[int]:
    """Return the places of the bits of a number."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def content_words(study: PreparedTrees) -> list[int]:
    """Return the units of each sentence that relations are between, as bits."""
    ud = study.corpora["ud"][0]
    assert isinstance(ud, Dependencies)
    numbers, tags = study.units.numbers[study.names.index("ud")], ud.upos.tolist()
    kept = []
    for place in study.units.kept.tolist():
        rows = range(*ud.words.offsets[place : place + 2].tolist())
        kept.append(
            sum({1 << int(numbers[row]) for row in rows if tags[row] not in FUNCTION_WORDS}) & ~1
        )
    return kept


def instances(study: PreparedTrees, pattern: str) -> Iterator[tuple[int, frozenset[int]]]:
    """Return where a pattern is found in UD: the sentence, and the units V and S."""
    numbers = study.units.numbers[study.names.index("ud")]
    at = {place: number for number, place in enumerate(study.units.kept.tolist())}
    matches = find(pattern, study.corpora["ud"][0])
    rows = (matches.sentence, matches.rows["V"], matches.rows["S"])
    for sentence, v, s in zip(*(column.tolist() for column in rows), strict=True):
        pair = frozenset((int(numbers[v]), int(numbers[s])))
        if sentence in at and len(pair) == 2 and 0 not in pair:
            yield at[sentence], pair


def differences(corpora: dict[str, Corpus], one: str, other: str) -> None:
    """Print in which constructions two theories relate different words."""
    study = prepared({name: corpora[name] for name in (one, other, "ud")})
    kept = content_words(study)
    sides = {name: related(study, name, kept) for name in (one, other)}
    kinds: list[dict[frozenset[int], str]] = [{} for _ in kept]
    for kind, pattern in RELATIONS.items():  # the last one that fits says most
        for at, pair in instances(study, pattern):
            kinds[at][pair] = kind
    counts: Counter[tuple[str, str]] = Counter()
    for at, (a, b) in enumerate(zip(*sides.values(), strict=True)):
        for what, pairs in (("both", a & b), (one, a - b), (other, b - a)):
            counts.update((kinds[at].get(pair, "none of these"), what) for pair in pairs)
    print(f"\n| words that UD has as | both relate them | only {one} | only {other} |")
    print("|---|---:|---:|---:|")
    for kind in (*RELATIONS, "none of these"):
        print(
            f"| {kind} | " + " | ".join(str(counts[kind, w]) for w in ("both", one, other)) + " |"
        )


def by_construction(corpora: dict[str, Corpus], theories: Sequence[str]) -> None:
    """Print how often theories relate the words that patterns find in UD."""
    print(
        "\n| words that UD has as | "
        + " | ".join(theories)
        + " | n |\n|---|"
        + "---:|" * (len(theories) + 1)
    )
    patterns = RELATIONS | CONTROL
    told: dict[str, list[str]] = {kind: [] for kind in patterns}
    numbers_of: dict[str, list[int]] = {kind: [] for kind in patterns}
    for name in theories:
        study = prepared({name: corpora[name], "ud": corpora["ud"]})
        pairs = related(study, name, content_words(study))
        for kind, pattern in patterns.items():
            seen = [pair in pairs[at] for at, pair in instances(study, pattern)]
            told[kind].append(f"{100 * np.mean(seen):.0f}" if seen else "–")
            numbers_of[kind].append(len(seen))
    for kind, cells in told.items():
        low, high = min(numbers_of[kind]), max(numbers_of[kind])
        number = f"{high}" if low == high else f"{low}–{high}"
        print(f"| {kind} | " + " | ".join(cells) + f" | {number} |")


def labels(corpora: dict[str, Corpus], theories: Sequence[str]) -> None:
    """Print how well labels of each theory tell those of each other."""
    print(
        "\n| labels of | as those of | known, % | right on other sentences, % | "
        "the map, in part |\n|---|---|---:|---:|---|"
    )
    for one in theories:
        for other in theories:
            if one == other:
                continue
            study = prepared({one: corpora[one], other: corpora[other]})
            gold, model = study.corpora[one][0], study.corpora[other][0]
            fitted = cross_fitted(gold, model, cg.to_functions(model))
            entries = sorted(fitted.whole.entries, key=lambda entry: -entry.count)
            some = ", ".join(
                f"{e.left} = {e.other}" for e in entries if e.label not in ("hd", "root")
            )[:90].rsplit(", ", 1)[0]
            known = 100 * fitted.known / max(fitted.labels, 1)
            print(
                f"| {one} | {other} | {known:.0f} | {100 * (fitted.accuracy or 0):.0f} | {some} |"
            )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--graphs", nargs="+", required=True)
    parser.add_argument("--syntax", nargs="+", required=True)
    chosen = parser.parse_args()
    corpora = {
        name: cg.read(path)
        for name, path in (each.split("=", 1) for each in [*chosen.graphs, *chosen.syntax])
    }
    ids = [set(c.metadata("sent_id")) for c in corpora.values() if isinstance(c, Graphs)]
    in_all = set.intersection(*ids)
    corpora = {
        name: c.take(np.array([i in in_all for i in c.metadata("sent_id")]))
        if isinstance(c, Graphs)
        else c
        for name, c in corpora.items()
    }
    study = prepared(corpora)
    corpora = {name: gold.take(study.units.kept) for name, (gold, _) in study.corpora.items()}
    overlap(corpora)
    common(corpora)
    by_construction(corpora, [name for name in ("dm", "psd", "eds", "sud") if name in corpora])
    differences(corpora, "dm", "psd")
    labels(corpora, [name for name in ("dm", "psd", "eds", "ucca", "ud") if name in corpora])


if __name__ == "__main__":
    main()
