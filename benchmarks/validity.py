"""How valid are scores across schemes and frameworks? Controls whose right answer is known.

    python benchmarks/validity.py --data DATA [--more de-gsd=de_gsd-ud-test.conllu …]
        [--constituents FOLDER] [--picture docs/img/validity.svg]
        [--parts invariance cost systems] > validity.txt

DATA has the treebanks ewt, gum, pud, sequoia and partut. Everything is drawn with fixed seeds.

- *Invariance*: one parse and its gold standard, rewritten in eight schemes. Largest and smallest
  loss; and, on sentences that come back unchanged, how often 100 resampled test sets call the parse
  different from itself (shuffling test, as a normal approximation: z = Σd / √Σd²).
- *Equal cost*: the same errors planted in gold standards of different schemes and frameworks.
- *Concordance*: Kendall's τ with the metrics of a framework, over systems of different quality.
- *Floor*, *detection* of single wrong heads, and real constituency parsers against their own
  conversion to dependencies.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import commonground as cg
from commonground.corpus import Constituents, Dependencies, Functions, Strings
from commonground.corpus.functions import mask_of
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import ComparisonTerms
from commonground.ground import to_functions
from commonground.ground.algebra import generalize
from commonground.ground.planting import KINDS, plant
from commonground.ground.units import in_common_units
from commonground.metrics.functions.common_phrases import phrase_counts
from commonground.metrics.functions.tedeval import tedeval_items
from commonground.metrics.functions.tedeval_2011 import common_gold, functional, tedeval_2011_items
from commonground.metrics.settings import Settings

SCHEMES = ("ud", "sud", "lth", "conll07", "collins", "prague", "tut", "tiger")
MEASURES = {
    "uas": "UAS",
    "las": "LAS",
    "ned": "NED",
    "brackets": "unlabelled PARSEVAL of the trees as phrases",
    "tedeval-2011": "TedEval 2011, MULTIPLE (unlabelled)",
    "multiple": "TedEval 2012, MULTIPLE (unlabelled)",
    "found": "common ground, found",
    "bounds": "rival: mother between the golds' mothers",
    "attached": "common ground, attached",
}
Lost = tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]
"""Of each sentence: what is lost, and what there is to lose."""
Losses = dict[str, Lost]


# ── losses ───────────────────────────────────────────────────────────────────────────────────────


def losses(
    golds: Mapping[str, Dependencies], parses: Mapping[str, Dependencies], *, slow: bool
) -> dict[str, Losses]:
    """Return what each version of a parse loses, by measure."""
    trees = {name: (to_functions(golds[name]), to_functions(parses[name])) for name in golds}
    shared = [gold for gold, _ in trees.values()]
    general, sites = generalize(*shared), _between(shared)
    counts = phrase_counts(shared, [(parse, n) for n, (_, parse) in enumerate(trees.values())])
    found = {}
    for place, (name, (gold, parse)) in enumerate(trees.items()):
        scores = cg.evaluate(golds[name], parses[name], metrics=["uas", "las", "ned"]).systems[0]
        each: Losses = {
            metric: _lost(scores[metric].counts.columns) for metric in ("uas", "las", "ned")
        }
        each["attached"] = _lost(counts[place]["attached"].columns)
        each["found"] = _lost(counts[place]["unlabelled"].columns)
        each["bounds"] = _bounds(sites, parse)
        items = tedeval_items(parse, gold, general, labelled=False).counts.columns
        size = items["gold"] + items["system"]
        each["multiple"] = size - items["correct"] - items["system_correct"] + 0.0, size + 0.0
        own = phrase_counts([gold], [(parse, 0)])[0]
        wrong, all_nodes = (own["noise"].columns[key] for key in ("correct", "gold"))
        missed, all_gold = _lost(own["unlabelled"].columns)
        each["brackets"] = wrong + missed, all_nodes + all_gold
        if slow:
            mine, theirs = functional(parse), functional(gold)
            common = common_gold(*(functional(tree) for tree in shared))
            edits = tedeval_2011_items(mine, theirs, common, labelled=False).counts.columns
            each["tedeval-2011"] = edits["cost"] + 0.0, edits["gold"] + edits["system"] + 0.0
        found[name] = each
    return found


def _lost(columns: Mapping[str, Any]) -> Lost:
    return columns["gold"] - columns["correct"] + 0.0, columns["gold"] + 0.0


def _mother(phrase: int, tree: set[int], whole: int) -> int:
    above = (each for each in tree if each != phrase and not phrase & ~each)
    return min(above, key=int.bit_count, default=whole)


def _between(golds: Sequence[Functions]) -> list[dict[int, tuple[int, int]]]:
    """Return for each common phrase what all mothers share, and what any of them has."""
    found = []
    for sentence, length in enumerate(golds[0].words.lengths.tolist()):
        whole, trees = (1 << length + 1) - 2, [_masks(gold, sentence) for gold in golds]
        sites = {}
        for phrase in set.intersection(*trees) - {whole}:
            if phrase & (phrase - 1):
                low, high = whole, 0
                for mother in (_mother(phrase, tree, whole) for tree in trees):
                    low, high = low & mother, high | mother
                sites[phrase] = low, high
        found.append(sites)
    return found


def _bounds(sites: Sequence[Mapping[int, tuple[int, int]]], parse: Functions) -> Lost:
    """Return the losses of a rival: the mother of X must lie between those of the golds."""
    lost = np.zeros(len(parse))
    for sentence, phrases in enumerate(sites):
        whole = (1 << int(parse.words.lengths[sentence]) + 1) - 2
        tree = _masks(parse, sentence)
        for phrase, (low, high) in phrases.items():
            mother = _mother(phrase, tree, whole) if phrase in tree else 0
            lost[sentence] += not (mother and not low & ~mother and not mother & ~high)
    return lost, np.array([float(len(phrases)) for phrases in sites])


def _masks(tree: Functions, sentence: int) -> set[int]:
    rows = slice(*tree.nodes.offsets[sentence : sentence + 2].tolist())
    return {_mask(text) for text in tree.yields[rows]}


_mask = lru_cache(None)(mask_of)


def loss(each: Losses, measure: str, rows: NDArray[np.int64] | slice = slice(None)) -> float:
    """Return the share that is lost, in per cent."""
    part, whole = each[measure]
    return 100 * part[rows].sum() / max(whole[rows].sum(), 1)


# ── invariance ───────────────────────────────────────────────────────────────────────────────────


def versions(ud: Dependencies) -> dict[str, Dependencies]:
    """Return a treebank in all schemes."""
    return {n: ud if n == "ud" else cg.transform(ud, "ud", n)[0] for n in SCHEMES}


def wrong_heads(one: Dependencies, other: Dependencies) -> NDArray[np.int64]:
    """Return how many heads differ in each sentence."""
    return np.add.reduceat((one.head != other.head).astype(np.int64), one.offsets[:-1])


def invariance(name: str, gold: Dependencies, parse: Dependencies) -> dict[str, list[float]]:
    """Return the smallest and largest loss over all schemes, their ratio, and false alarms."""
    golds, parses = versions(gold), versions(parse)
    found = losses(golds, parses, slow=len(gold) <= 400)
    rng = np.random.default_rng(0)
    rates: dict[str, list[int]] = {measure: [] for measure in MEASURES}
    for scheme in SCHEMES[1:]:
        back = [cg.transform(side[scheme], scheme, "ud")[0] for side in (golds, parses)]
        same = (wrong_heads(back[0], gold) == 0) & (wrong_heads(back[1], parse) == 0)
        same &= wrong_heads(gold, parse) == wrong_heads(golds[scheme], parses[scheme])
        rows = np.flatnonzero(same)
        for measure in MEASURES:
            if measure not in found["ud"]:
                continue
            (a, m), (b, n) = found["ud"][measure], found[scheme][measure]
            d = a[rows] / max(m[rows].sum(), 1) - b[rows] / max(n[rows].sum(), 1)
            for _ in range(100):
                drawn = d[rng.integers(len(d), size=len(d))]
                z = drawn.sum() / max(np.sqrt((drawn**2).sum()), 1e-12)
                rates[measure].append(abs(z) > 1.96)
    result = {}
    for measure in MEASURES:
        if measure in found["ud"]:
            values = [loss(each, measure) for each in found.values()]
            rate = 100 * float(np.mean(rates[measure]))
            result[measure] = [min(values), max(values), max(values) / min(values), rate]
    print(f"\n## {name}: {len(gold)} sentences, UAS {100 - loss(found['ud'], 'uas'):.2f}")
    print("| measure | smallest loss | largest | ratio | called different, % |")
    print("|---|---:|---:|---:|---:|")
    for measure, (low, high, ratio, rate) in result.items():
        print(f"| {MEASURES[measure]} | {low:.2f} | {high:.2f} | {ratio:.3f} | {rate:.0f} |")
    pairs = {scheme: (golds[scheme][:800], parses[scheme][:800]) for scheme in SCHEMES}
    values = [100 - 100 * float(each.common["labelled"]) for each in cg.compare(pairs).systems]
    low, high = min(values), max(values)
    print(
        f"| common ground, labelled (800 sentences) | {low:.2f} | {high:.2f} | {high / low:.3f} | |"
    )
    sys.stdout.flush()
    return result


def dependencies(path: Path) -> Dependencies:
    """Return a treebank that must be one of dependencies."""
    found = cg.read(path)
    assert isinstance(found, Dependencies)
    return found


def half_parsed(corpus: Dependencies, iterations: int = 3) -> tuple[Dependencies, Dependencies]:
    """Return the second half of a treebank, and a parse of it by a parser of the first half."""
    middle = len(corpus) // 2
    parser = cg.train(
        corpus[:middle], "arc-eager", gold_tags=True, settings={"iterations": iterations}
    )
    return corpus[middle:], parser.parse(corpus[middle:])


# ── equal cost ───────────────────────────────────────────────────────────────────────────────────


def equal_cost(title: str, golds: Mapping[str, Any]) -> None:
    """Print what planted errors cost in each gold standard."""
    trees = in_common_units(list(golds.values()), on_mismatch="realign").trees
    print(f"\n## planted in {title}: what an error costs in {' : '.join(golds)}")
    print("| error | n | MULTIPLE (unlabelled) | found | attached | noticed by attached, % |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind, words in KINDS.items():
        if kind == "label":  # see label_cost
            continue
        planting = plant(trees, seed=7, most=800, kinds=[kind])
        own = [tree.take(planting.sentences) for tree in trees]
        counts = phrase_counts(own, [(tree, n) for n, tree in enumerate(planting.trees)])
        general = generalize(*own)
        columns: list[list[float]] = [[], [], []]
        noticed = []
        for gold, tree, phrases in zip(own, planting.trees, counts, strict=True):
            items = tedeval_items(tree, gold, general, labelled=False).counts.totals
            size = items["gold"] + items["system"]
            columns[0].append((size - items["correct"] - items["system_correct"]) / size)
            for column, key in zip(columns[1:], ("unlabelled", "attached"), strict=True):
                part, _ = _lost(phrases[key].columns)
                column.append(part.sum() / len(planting.errors))
                if key == "attached":
                    noticed.append(100 * np.mean(part > 0))
        cells = [" : ".join(f"{v / max(*c, 1e-9):.2f}" for v in c) for c in columns]
        shown = " : ".join(f"{v:.0f}" for v in noticed)
        print(f"| {words} | {len(planting.errors)} | {' | '.join(cells)} | {shown} |")
    sys.stdout.flush()


LABELS = (
    "| error | n | MULTIPLE (labelled) | labels lost on the common ground |\n|---|---:|---:|---:|"
)


def label_cost(title: str, golds: Mapping[str, Any], ud: Dependencies | None = None) -> None:
    """Print what wrong labels cost: planted in all gold standards, or in `ud` and rewritten."""
    print(f"\n## wrong labels in {title}: what they cost in {' : '.join(golds)}\n{LABELS}")
    study = _study({name: (gold, gold) for name, gold in golds.items()})
    planting = plant(list(study.golds.values()), seed=7, most=800, kinds=["label"])
    _label_row(KINDS["label"], study, planting.trees, planting.sentences)
    if ud is not None:
        rows, changed = subjects_as_objects(ud)
        study = _study({n: (t.take(rows), changed[n].take(rows)) for n, t in golds.items()})
        words = "subject or object mislabelled in UD, then rewritten"
        _label_row(words, study, list(study.parses.values()), np.arange(len(rows)))
    sys.stdout.flush()


def _study(pairs: Mapping[str, tuple[Any, Any]]) -> PreparedTrees:
    return PreparedTrees(pairs, Settings(on_mismatch="realign"), ComparisonTerms())


def _label_row(
    words: str, study: PreparedTrees, parses: Sequence[Functions], rows: NDArray[np.int64]
) -> None:
    general = study.generalized(study.names).take(rows)
    columns: list[list[float]] = [[], []]
    for name, parse in zip(study.names, parses, strict=True):
        score = study.scores(parse, study.golds[name].take(rows), general).labelled
        totals = score.counts.totals
        columns[0].append(1 - float(score))
        columns[1].append(totals["gold"] - totals["correct"])
    cells = [" : ".join(f"{v / max(*c, 1e-9):.2f}" for v in c) for c in columns]
    print(f"| {words} | {len(rows)} | {' | '.join(cells)} |")


def subjects_as_objects(
    ud: Dependencies, most: int = 800
) -> tuple[NDArray[np.int64], dict[str, Dependencies]]:
    """Return sentences with a subject that became an object or vice versa, in all schemes."""
    rng, labels = np.random.default_rng(5), ud.deprel.tolist()
    rows: list[int] = []
    other = {"nsubj": "obj", "obj": "nsubj"}
    for sentence, (start, stop) in enumerate(zip(ud.offsets, ud.offsets[1:], strict=False)):
        words = [word for word in range(start, stop) if labels[word] in other]
        if words and len(rows) < most:
            word = words[rng.integers(len(words))]
            labels[word] = other[labels[word]]
            rows.append(sentence)
    wrong = Dependencies({**ud.tables, "words": ud.words.replace(deprel=Strings.of(labels))})
    return np.array(rows), versions(wrong)


# ── concordance, floor, detection ────────────────────────────────────────────────────────────────


def kendall(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Kendall's τ."""
    pairs = list(combinations(range(len(one)), 2))
    signs = [np.sign(one[a] - one[b]) * np.sign(other[a] - other[b]) for a, b in pairs]
    return float(sum(signs)) / len(pairs)


def concordance(title: str, native: str, golds: Sequence[Any], parses: Mapping[str, Any]) -> None:
    """Print how well scores agree with the metric of a framework."""
    own, other = golds
    found = cg.compare({**{n: (own, p) for n, p in parses.items()}, "~": (other, other)})
    systems = [s for s in found.systems if s.name != "~"]
    scores = [float(s.native[s.gold][native]) for s in systems]
    print(f"\n## concordance with {native}: {title}, {len(systems)} systems")
    print(
        "| system | "
        + native
        + " | attached | found | MULTIPLE (unlabelled) |\n|---|---:|---:|---:|---:|"
    )
    for s, score in sorted(zip(systems, scores, strict=True), key=lambda pair: -pair[1]):
        shown = [
            score,
            float(s.common["attached"]),
            float(s.common["unlabelled"]),
            float(s.multiple.unlabelled),
        ]
        print(f"| {s.name} | " + " | ".join(f"{100 * v:.2f}" for v in shown) + " |")
    for what, values in {
        "attached": [float(s.common["attached"]) for s in systems],
        "found": [float(s.common["unlabelled"]) for s in systems],
        "MULTIPLE": [float(s.multiple.unlabelled) for s in systems],
    }.items():
        print(f"τ of {what}: {kendall(scores, values):.2f}")
    print("floor:", {name: round(100 * v, 2) for name, v in found.floor.items()})
    sys.stdout.flush()


def detection(gold: Dependencies) -> None:
    """One wrong head in each sentence, drawn from all that leave a tree."""
    rng, head = np.random.default_rng(3), gold.head.copy()
    for start, stop in zip(gold.offsets[:-1].tolist(), gold.offsets[1:].tolist(), strict=True):
        words = stop - start
        for _ in range(50):
            word, new = int(rng.integers(words)), int(rng.integers(words))
            up, steps = new, 0
            while up >= 0 and up != word and steps <= words:
                up, steps = int(head[start + up]) - 1, steps + 1
            if word not in (new, up) and head[start + word] not in (0, new + 1):
                head[start + word] = new + 1
                break
    parse = Dependencies({**gold.tables, "words": gold.words.replace(head=head)})
    changed = np.flatnonzero(wrong_heads(gold, parse))
    golds, parses = (
        {n: t.take(changed) for n, t in versions(side).items()} for side in (gold, parse)
    )
    found = losses(
        {n: golds[n] for n in ("ud", "sud")}, {n: parses[n] for n in ("ud", "sud")}, slow=False
    )
    print(f"\n## one wrong head in each of {len(changed)} sentences: noticed, % (ud / sud)")
    for measure in ("uas", "multiple", "found", "attached"):
        shares = [100 * np.mean(found[n][measure][0] > 0) for n in ("ud", "sud")]
        print(f"- {MEASURES[measure]}: {shares[0]:.0f} / {shares[1]:.0f}")


def against_own_conversion(title: str, gold: Any, parses: Mapping[str, Any]) -> None:
    """Print how constituency parsers do against their own trees, converted to dependencies."""
    print(f"\n## parsers against their own conversion to Stanford dependencies: {title}")
    print("| parser | score | constituents | dependencies | p |\n|---|---|---:|---:|---:|")
    arcs = cg.to_dependencies(gold, "stanford")[0]
    for name, parse in parses.items():
        found = cg.compare(
            {"trees": (gold, parse), "arcs": (arcs, cg.to_dependencies(parse, "stanford")[0])}
        )
        claims = found.test("shuffle", iterations=2000, correction="none")
        for metric in ("common_attached", "common_unlabelled", "multiple_unlabelled"):
            tested = claims.pairs[metric, "shuffle"]
            a, b = (100 * float(system[metric]) for system in found.tested())
            print(f"| {name} | {metric} | {a:.2f} | {b:.2f} | {tested.pairs[0].corrected:.4f} |")
        wrong = wrong_labels(gold, parse)
        both = [system["common_attached"].counts.columns for system in found.tested()]
        for words, rows in {"all labels right": wrong == 0, "others": wrong > 0}.items():
            part = [each["correct"][rows] for each in both]
            a, b = (100 * each.sum() / both[0]["gold"][rows].sum() for each in part)
            z = (part[0] - part[1]).sum() / max(np.sqrt(((part[0] - part[1]) ** 2).sum()), 1)
            print(f"| {name}, {words} ({rows.sum()}) | attached | {a:.2f} | {b:.2f} | z {z:.2f} |")
    sys.stdout.flush()


def wrong_labels(gold: Any, parse: Any) -> NDArray[np.int64]:
    """Return how many brackets of each sentence are right but for their label."""
    bare = [
        type(tree)({**tree.tables, "nodes": tree.nodes.replace(label=label)})
        for tree in (gold, parse)
        for label in [Strings.constant("X", len(tree.label))]
    ]
    columns = [
        cg.evaluate(*pair).systems[0]["parseval_f1"].counts.columns
        for pair in ((gold, parse), bare)
    ]
    roots = columns[1]["gold"] - columns[0]["gold"]  # which count if they are called X
    wrong: NDArray[np.int64] = columns[1]["correct"] - roots - columns[0]["correct"]
    return wrong


# ── the picture ──────────────────────────────────────────────────────────────────────────────────


def picture(found: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Draw the ratio of the largest to the smallest loss, a dot for each treebank."""
    shown = [m for m in MEASURES if any(m in each for each in found.values())]
    shown.sort(key=lambda m: -np.median([each[m][2] for each in found.values() if m in each]))
    width, left, row, top = 760, 330, 30, 50
    most = max(each[m][2] for each in found.values() for m in each)
    right = width - left - 30

    def x(ratio: float) -> float:
        return left + (ratio - 1) / (most - 1) * right

    title = "The same parse in eight schemes: largest loss ÷ smallest loss"
    height = top + row * len(shown) + 40
    size = f'width="{width}" height="{height}" font-family="sans-serif" font-size="13"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="22" font-size="15">{title} ({len(found)} treebanks; 1 is fair)</text>',
    ]
    for tick in np.arange(1, most + 0.01, 0.1):
        colour = "#999" if tick == 1 else "#e5e5e5"
        bottom = top + row * len(shown)
        at = f"{x(tick):.1f}"
        line = f'<line x1="{at}" x2="{at}" y1="{top - 10}" y2="{bottom}" stroke="{colour}"/>'
        text = f'<text x="{at}" y="{bottom + 18}" text-anchor="middle">{tick:.1f}</text>'
        lines += [line, text]
    for place, measure in enumerate(shown):
        y = top + row * place + 10
        bold = ' font-weight="bold"' if measure == "attached" else ""
        lines.append(
            f'<text x="{left - 15}" y="{y + 4}" text-anchor="end"{bold}>{MEASURES[measure]}</text>'
        )
        colour = "#0b6" if measure == "attached" else "#357"
        for name, each in found.items():
            if measure in each:
                lines.append(
                    f'<circle cx="{x(each[measure][2]):.1f}" cy="{y}" r="5" fill="{colour}" '
                    f'fill-opacity="0.65"><title>{name}: {each[measure][2]:.3f}</title></circle>'
                )
    return "\n".join([*lines, "</svg>"]) + "\n"


# ── everything ───────────────────────────────────────────────────────────────────────────────────


PARTS = ("invariance", "cost", "systems")


def main() -> None:
    """Run everything."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--more", nargs="*", default=[], metavar="NAME=FILE")
    options.add_argument("--parts", nargs="*", default=PARTS, choices=PARTS)
    options.add_argument("--picture", type=Path)
    words = "more constituents to plant errors in, beside their dependencies"
    options.add_argument("--constituents", type=Path, metavar="FILE", help=words)
    asked = options.parse_args()
    start = perf_counter()
    if "invariance" in asked.parts:
        schemes_part(asked.data, dict(text.split("=", 1) for text in asked.more), asked.picture)
    if "cost" in asked.parts:
        cost_part(asked.data, asked.constituents)
    if "systems" in asked.parts:
        systems_part(asked.data)
    print(f"\n{perf_counter() - start:.0f} seconds")


def schemes_part(data: Path, more: Mapping[str, str], target: Path | None) -> None:
    """Rewrite one parse of each treebank in all schemes."""
    ewt, test = (dependencies(data / "ewt" / f"{n}.conllu") for n in ("train-part", "test"))
    parser = cg.train(ewt[:1000], "arc-eager", gold_tags=True, settings={"iterations": 3})
    treebanks = {"English EWT (tuned on)": (test, parser.parse(test))}
    files: dict[str, Path | str] = {
        **{f"PUD {code}": data / f"pud/{code}.conllu" for code in ("en", "de", "it", "sv")},
        "French Sequoia": data / "sequoia/ud.conllu",
        "Italian ParTUT": data / "partut/it.ud.conllu",
        **more,
    }
    treebanks |= {name: half_parsed(dependencies(Path(path))) for name, path in files.items()}
    found = {name: invariance(name, *pair) for name, pair in treebanks.items()}
    if target:
        target.write_text(picture(found), encoding="utf-8")


def cost_part(data: Path, constituents: Path | None) -> None:
    """Plant the same errors in several gold standards."""
    if constituents:
        trees = cg.read(constituents)
        assert isinstance(trees, Constituents)
        arcs = cg.to_dependencies(trees, "yamada")[0]
        equal_cost(constituents.name, {"yamada": arcs, "constituents": trees})
    dep, const = dependencies(data / "gum/dep"), cg.read(data / "gum/const")
    equal_cost("GUM (tuned on)", {"ud": dep, "constituents": const})
    schemes = versions(dep)
    equal_cost("GUM, dependencies only (tuned on)", schemes)
    label_cost("GUM", {"ud": dep, "constituents": const})
    label_cost("GUM, dependencies only", schemes, dep)
    sequoia = {"ud": "ud.conllu", "sud": "sud.conllu", "constituents": "const.mrg"}
    golds = {n: cg.read(data / "sequoia" / file) for n, file in sequoia.items()}
    equal_cost("Sequoia", golds)
    label_cost("Sequoia", golds)
    ud = dependencies(data / "sequoia/ud.conllu")
    label_cost("Sequoia, dependencies only", versions(ud), ud)
    partut = {"ud": "it.ud.conllu", "tut": "it.tut.conll"}
    equal_cost("ParTUT", {n: cg.read(data / "partut" / file) for n, file in partut.items()})


def systems_part(data: Path) -> None:
    """Compare scores with the metrics of a framework, on real parses of different quality."""
    ewt, test = (dependencies(data / "ewt" / f"{n}.conllu") for n in ("train-part", "test"))
    detection(test)
    parses = {
        f"{name} {size}": cg.train(
            ewt[:size], name, gold_tags=True, settings={"iterations": 2}
        ).parse(test)
        for name in ("arc-eager", "arc-standard")
        for size in (50, 100, 200, 400, 800)
    }
    concordance("EWT, beside SUD", "uas", (test, cg.transform(test, "ud", "sud")[0]), parses)
    dep, const = dependencies(data / "gum/dep"), cg.read(data / "gum/const")
    trees, arcs = const[-400:], dep[-400:]
    parses = {
        f"{name} {size}": cg.train(const[:size], name, gold_tags=True).parse(trees)
        for name in ("pcfg", "spans")
        for size in (40, 80, 160, 320)
    }
    concordance("GUM constituents, beside UD", "parseval_f1", (trees, arcs), parses)
    against_own_conversion("GUM", trees, {n: parses[n] for n in ("pcfg 320", "spans 320")})


if __name__ == "__main__":
    main()
