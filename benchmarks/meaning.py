"""What do theories of meaning and of syntax agree on? Phrases and relations, by construction.

    python benchmarks/meaning.py --graphs dm=dm.mrp psd=psd.mrp eds=eds.mrp ucca=ucca.mrp
        --syntax constituents=wsj.mrg ud=ud.conllu sud=sud.conllu > meaning.txt

The graphs are those of mtool's data/sample; wsj.mrg has the first twelve files of NLTK's sample of
the Penn Treebank, from which ``convert --rules stanford`` and ``transform`` make the dependencies.
All scores are those of ``compare``. Intervals are those of 1,000 resampled sets of sentences, with
a fixed seed. The controls: trees that know nothing (flat, branching), and another sentence.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

import commonground as cg
from commonground.corpus import Corpus, Dependencies, Functions, Graphs, Strings, Table
from commonground.corpus.functions import yield_text
from commonground.corpus.table import offsets_of
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import ComparisonTerms
from commonground.ground.label_learning import fit_labels
from commonground.ground.related_yields import relation_text, relations_on, twice
from commonground.metrics.items import Counts
from commonground.metrics.settings import Settings
from commonground.patterns.search import find

Numbers = NDArray[np.int64]
Sets = list[set[str]]
REALIGN = Settings(on_mismatch="realign")

RELATIONS = {
    "subject": "V -[nsubj]-> S",
    "object": "V -[obj]-> S",
    "oblique": "V -[obl]-> S",
    "modifier of a noun": "V -[nmod|nmod:poss]-> S",
    "adjective": "V -[amod]-> S",
    "number": "V -[nummod]-> S",
    "adverb": "V -[advmod]-> S",
    "complement clause": "V -[ccomp|xcomp]-> S",
    "adverbial clause": "V -[advcl]-> S",
    "apposition": "V -[appos]-> S",
    "name, compound": "V -[compound]-> S",
    "determiner as quantifier": "V -[det]-> S",
    "relative clause": "V -[acl:relcl]-> S",
    "conjunct": "V -[conj]-> S",
    "control: subject of the lower verb": "U -[xcomp]-> V; U -[nsubj]-> S",
    "coordination: shared subject": "U -[conj]-> V; U -[nsubj]-> S; not { V -[nsubj]-> * }",
    "copula: subject of the predicate": "V -[nsubj]-> S; V -[cop]-> C",
    "(control: subject of another verb)": (
        "V -[nsubj]-> T; U -[nsubj]-> S; not { U -> V }; not { V -> U }"
    ),
}
"""Relations of a head V and a dependent S, as patterns over UD; no theory should have the last."""


def prepared(corpora: Mapping[str, Corpus]) -> PreparedTrees:
    """Return treebanks as what is compared, each its own parse, with their own labels."""
    systems = {name: (corpus, corpus) for name, corpus in corpora.items()}
    return PreparedTrees(systems, REALIGN, ComparisonTerms(), "own", related=True)


def compared(corpora: Mapping[str, Corpus]) -> cg.CompareResult:
    """Return the comparison of treebanks, each its own parse, with labels that fit."""
    systems = {name: (corpus, corpus) for name, corpus in corpora.items()}
    return cg.compare(systems, settings=REALIGN, relations=True)


def interval(part: Numbers, whole: Numbers) -> tuple[float, float, float]:
    """Return a share in per cent, with the interval of resampled sentences."""
    draw = np.random.default_rng(0).integers(len(part), size=(1000, len(part)))
    shares = part[draw].sum(1) / np.maximum(whole[draw].sum(1), 1)
    low, high = np.quantile(shares, [0.025, 0.975])
    return 100 * part.sum() / max(whole.sum(), 1), 100 * low, 100 * high


def shared(counts: Sequence[Counts]) -> tuple[Numbers, Numbers]:
    """Return what both sides share and have, from their coverage: the numbers of F1."""
    columns = [each.columns for each in counts]
    return sum(c["correct"] for c in columns), sum(c["gold"] for c in columns)  # type: ignore[return-value]


def members(side: Functions, *, phrases: bool) -> Sets:
    """Return the phrases or relations of each sentence."""
    found = []
    for sentence in side:
        length = len(sentence.column("form", "words"))
        if phrases:
            texts = set(sentence.column("yields", "nodes"))
            found.append({t for t in texts if not t.isdigit() and t != f"1-{length}"})
        else:
            rows = sentence.column("yields", "nodes")
            found.append({relation_text(text, length // 2) for text in rows})
    return found


def by_chance(one: Functions, other: Functions, *, phrases: bool) -> float:
    """Return F1 of the phrases or relations of one theory in the next sentence of another."""
    a, b = members(one, phrases=phrases), members(other, phrases=phrases)
    both = sum(2 * len(x & y) for x, y in zip(a[1:] + a[:1], b, strict=True))
    return 100 * both / sum(map(len, a + b))


def overlap(corpora: Mapping[str, Corpus]) -> None:
    """Print how much each two theories have in common, with controls."""
    print(
        "| theories | words | phrases, F1 | 95 % | nothing | chance | relations, F1 | 95 % "
        "| nothing | chance | labelled |\n|---|" + "---:|" * 10
    )
    for one, other in combinations(corpora, 2):
        pair = {name: corpora[name] for name in (one, other)}
        result, study = compared(pair), prepared(pair)
        assert study.relations
        phrases = interval(*shared([s.common["coverage"].counts for s in result.systems]))
        relations = interval(
            *shared([s.relations.common["coverage"].counts for s in result.systems if s.relations])
        )
        nothing = [100 * result.floor[f"{n}_unlabelled"] for n in ("common", "relations")]
        chance = [
            by_chance(each.golds[one], each.golds[other], phrases=each is study)
            for each in (study, study.relations)
        ]
        (labelled,) = (s.labelled.value for s in result.relation_overlap.values())
        cells = [
            f"{one} – {other}",
            f"{study.golds[one].words.rows:,}",
            f"{phrases[0]:.1f}",
            f"{phrases[1]:.1f}–{phrases[2]:.1f}",
            f"{nothing[0]:.1f}",
            f"{chance[0]:.1f}",
            f"{relations[0]:.1f}",
            f"{relations[1]:.1f}–{relations[2]:.1f}",
            f"{nothing[1]:.1f}",
            f"{chance[1]:.1f}",
            "–" if labelled is None else f"{100 * labelled:.1f}",
        ]
        print(f"| {' | '.join(cells)} |")


def common(corpora: Mapping[str, Corpus]) -> None:
    """Print what all theories have of the phrases and relations of each."""
    result = compared(corpora)
    print("\n| theory | phrases | in all, % | 95 % | relations | in all, % | 95 % |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for system in result.systems:
        assert system.relations
        cells = [system.name]
        for scores in (system.common, system.relations.common):
            counts = scores["coverage"].counts
            share, low, high = interval(counts.columns["correct"], counts.columns["gold"])
            cells += [f"{counts.totals['gold']:,}", f"{share:.1f}", f"{low:.1f}–{high:.1f}"]
        print(f"| {' | '.join(cells)} |")


def constructions(study: PreparedTrees) -> Functions:
    """Return the relations that patterns find in UD, labelled with their constructions."""
    ud = study.corpora["ud"][0]
    assert isinstance(ud, Dependencies)
    below = subtrees(ud)
    rows: list[list[tuple[str, str]]] = [[] for _ in range(len(ud))]
    for kind, pattern in RELATIONS.items():
        matches = find(pattern, ud)
        columns = (matches.sentence, matches.rows["V"], matches.rows["S"])
        for at, head, dependent in zip(*(column.tolist() for column in columns), strict=True):
            start, stop = ud.offsets[at : at + 2].tolist()
            place = stop - start + 1 + head - start + 1
            rows[at].append((f"{yield_text(below[dependent])},{place}", kind))
    nodes = Table(
        offsets_of(list(map(len, rows))),
        yields=Strings.of(text for each in rows for text, _ in each),
        label=Strings.of(kind for each in rows for _, kind in each),
    )
    numbers, kept = study.units.numbers[study.names.index("ud")], study.units.kept
    place = np.zeros(len(ud), np.int64)
    place[kept] = np.arange(len(kept))
    number = np.where(np.repeat(np.isin(np.arange(len(ud)), kept), ud.words.lengths), numbers, 0)
    sentence = place[ud.words.sentence_of_row()]
    return relations_on(twice(ud, nodes), ud.words, study.units.trees[0], sentence, number)


def subtrees(corpus: Dependencies) -> list[set[int]]:
    """Return the words below each word, itself included, by their numbers in the sentence."""
    start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)
    above = np.where(corpus.head > 0, start + corpus.head - 1, -1).tolist()
    below: list[set[int]] = [set() for _ in above]
    for row, number in enumerate((corpus.words.row_in_sentence() + 1).tolist()):
        up = row
        while up >= 0:
            below[up].add(number)
            up = above[up]
    return below


def by_construction(corpora: Mapping[str, Corpus], theories: Sequence[str]) -> None:
    """Print how many of the relations that patterns find in UD each theory has."""
    cells: dict[str, list[str]] = {kind: [] for kind in RELATIONS}
    numbers: dict[str, set[int]] = {kind: set() for kind in RELATIONS}
    for name in theories:
        study = prepared({name: corpora[name], "ud": corpora["ud"]})
        assert study.relations
        own = members(study.relations.golds[name], phrases=False)
        found, total = Counter[str](), Counter[str]()
        for wanted, known in zip(constructions(study), own, strict=True):
            length = len(wanted.column("form", "words")) // 2
            columns = (wanted.column(column, "nodes") for column in ("yields", "label"))
            for text, kind in zip(*columns, strict=True):
                total[kind] += 1
                found[kind] += relation_text(text, length) in known
        for kind in RELATIONS:
            numbers[kind].add(total[kind])
            cells[kind].append(f"{100 * found[kind] / total[kind]:.0f}" if total[kind] else "–")
    print(
        f"\n| relation of UD | {' | '.join(theories)} | n |\n|---|"
        + "---:|" * len(theories)
        + "---:|"
    )
    for kind, shares in cells.items():
        low, high = min(numbers[kind]), max(numbers[kind])
        number = f"{high}" if low == high else f"{low}–{high}"
        print(f"| {kind} | {' | '.join(shares)} | {number} |")


def differences(corpora: Mapping[str, Corpus], one: str, other: str) -> None:
    """Print in which constructions two theories have different relations."""
    study = prepared({name: corpora[name] for name in (one, other, "ud")})
    assert study.relations
    a, b = (members(study.relations.golds[name], phrases=False) for name in (one, other))
    counts: Counter[tuple[str, str]] = Counter()
    for wanted, mine, theirs in zip(constructions(study), a, b, strict=True):
        length = len(wanted.column("form", "words")) // 2
        columns = (wanted.column(column, "nodes") for column in ("yields", "label"))
        rows = zip(*columns, strict=True)
        kinds = {relation_text(text, length): kind for text, kind in rows}
        for what, some in (("both", mine & theirs), (one, mine - theirs), (other, theirs - mine)):
            counts.update((kinds.get(each, "none of these"), what) for each in some)
    print(f"\n| relation of UD | both | only {one} | only {other} |\n|---|---:|---:|---:|")
    for kind in (*RELATIONS, "none of these"):
        if any(counts[kind, what] for what in ("both", one, other)):
            cells = " | ".join(str(counts[kind, what]) for what in ("both", one, other))
            print(f"| {kind} | {cells} |")


def labels(corpora: Mapping[str, Corpus]) -> None:
    """Print how well labels of each theory tell those of each other."""
    print("\n| labels of | as those of | known, % | right, % | the map, in part |")
    print("|---|---|---:|---:|---|")
    for one, other in permutations(corpora, 2):
        fitted = fit_labels(corpora[one], corpora[other], on_mismatch="realign")
        entries = sorted(fitted.whole.entries, key=lambda entry: -entry.count)
        some = [f"{e.left} = {e.other}" for e in entries if e.label not in ("hd", "root", "_")]
        known = 100 * fitted.known / max(fitted.labels, 1)
        right = 100 * (fitted.accuracy or 0)
        print(f"| {one} | {other} | {known:.0f} | {right:.0f} | {', '.join(some[:4])} |")


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
    study = prepared(corpora)
    corpora = {name: gold.take(study.units.kept) for name, (gold, _) in study.corpora.items()}
    meaning = {name: each for name, each in corpora.items() if isinstance(each, Graphs)}
    overlap(corpora)
    common(corpora)
    by_construction(corpora, [*meaning, "sud"])
    differences(corpora, "dm", "psd")
    labels(meaning | {"ud": corpora["ud"]})


if __name__ == "__main__":
    main()
