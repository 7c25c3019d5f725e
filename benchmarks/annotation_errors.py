"""Probable errors against the history of treebanks: the weights, and how good the list is.

    python benchmarks/annotation_errors.py FOLDER --learn A:r2.5 B:r2.9 --report C:r2.9 …

FOLDER/NAME/RELEASE/*.conllu are releases of treebanks, as `git show r2.9:FILE` gives them; the
newest (``--to``, r2.16) says what was changed later. ``--learn`` fits the weights to some of them
(each reported by weights of the others), ``--save`` writes them where the program looks for them,
and ``--report`` measures on others. What parsers say is kept in ``--cache``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import cyclic
from commonground.engine import engine_for
from commonground.formats import read
from commonground.proofreading.cross_parses import PARSERS, CrossParses, cross_parses
from commonground.proofreading.evidence import Evidence, collect
from commonground.proofreading.history import History, later_analysis
from commonground.proofreading.logistic import fit
from commonground.proofreading.proposals import candidates, proposals
from commonground.proofreading.ranking import (
    WEIGHTS,
    Weights,
    history_rows,
    proposal_rows,
    reading_order,
    usual_weights,
)

PENALTY, PARSERS_PENALTY = 2000.0, 200.0
"""How strongly weights are pulled towards 0; chosen on the treebanks that are learned from."""


class Treebank:
    """A release with its evidence and its history."""

    def __init__(
        self, folder: Path, name: str, newest: str, cache: Path, folds: int, jobs: int
    ) -> None:
        self.name = name
        treebank, release = name.split(":")
        old, new = (_read(folder / treebank / each) for each in (release, newest))
        start = time.process_time()
        parses = _parses(old, cache / f"{treebank}.{release}.{folds}.npz", folds, jobs)
        self.evidence: Evidence = collect(old, parses)
        self.seconds = time.process_time() - start
        self.history: History = later_analysis(old, new)
        self.candidates = candidates(self.evidence)


def _read(folder: Path) -> Dependencies:
    corpora = [read(str(file)) for file in sorted(folder.glob("*.conllu"))]
    return Dependencies.concatenate(corpora)  # type: ignore[arg-type,return-value]


def _parses(corpus: Dependencies, file: Path, folds: int, jobs: int) -> CrossParses:
    """Return what parsers say, from a file if it was computed before."""
    if not file.exists():
        parses = cross_parses(corpus, engine_for(jobs), count=folds)
        texts = np.array(parses.labels)
        arrays = {"mst_l2": texts[parses.given_head]}
        for place, name in enumerate(PARSERS):
            arrays[f"{name}_h"] = parses.head[:, place]
            arrays[f"{name}_l"] = texts[parses.label[:, place]]
        np.savez_compressed(file, **arrays)
    data = np.load(file)
    vocabulary = {text: code for code, text in enumerate(corpus.deprel.vocabulary)}

    def coded(texts: np.ndarray) -> np.ndarray:
        return np.array([vocabulary.setdefault(t, len(vocabulary)) for t in texts.tolist()])

    head = np.stack([data[f"{name}_h"] for name in PARSERS], axis=1).astype(np.int64)
    label = np.stack([coded(data[f"{name}_l"]) for name in PARSERS], axis=1)
    return CrossParses(head, label, coded(data["mst_l2"]), tuple(vocabulary))


def learned(treebanks: list[Treebank], penalty: float) -> Weights:
    """Fit the models to the histories of treebanks, each of which counts the same."""
    rows = [history_rows(each.history) for each in treebanks]
    tables = [each.evidence.table[each.history.known] for each in treebanks]
    truth = [each.history.changed[each.history.known] for each in treebanks]
    weight = np.concatenate([row / np.sqrt(len(row)) for row in rows])
    doubt = fit(
        treebanks[0].evidence.names, np.concatenate(tables), np.concatenate(truth),
        weight / weight.mean(), penalty=penalty,
    )  # fmt: skip
    names = tuple(name for name in doubt.names if _of_parsers(name))
    tables = [each.evidence.part(names)[each.history.known] for each in treebanks]
    parsers = fit(
        names, np.concatenate(tables), np.concatenate(truth), weight / weight.mean(),
        penalty=PARSERS_PENALTY,
    )  # fmt: skip
    parts = [proposal_rows(each.candidates, each.history) for each in treebanks]
    proposed, right = (np.concatenate(each) for each in zip(*parts, strict=True))
    names = treebanks[0].candidates.names
    proposal = fit(names, proposed, right, np.ones(len(right)), penalty=10.0)
    return Weights(doubt, parsers, proposal)


def _of_parsers(name: str) -> bool:
    return "parsers" in name or name in ("marks", "label of arc")


def measured(
    score: np.ndarray, each: Treebank, keep: np.ndarray, right: np.ndarray | None = None
) -> list[float]:
    """Return recall at 20 % of the words, precision among 500, and proposals right among them."""
    order = np.flatnonzero(keep)
    order = order[np.argsort(-score[order], kind="stable")]
    changed = each.history.changed[order]
    first = changed[:500].mean()
    recall = changed[: len(order) // 5].sum() / max(changed.sum(), 1)
    proposed = right[order][:500].mean() if right is not None else float("nan")
    return [recall, first, proposed]


def jackknife(evidence: Evidence) -> np.ndarray:
    """Rank words by how many parsers disagree, then by how many agree on another analysis."""
    place = evidence.names.index
    return evidence.table[:, place("parsers")] + 0.1 * evidence.table[:, place("parsers agree")]


def ranked(evidence: Evidence, weights: Weights) -> np.ndarray:
    """Return a number for each word that is greater the earlier it is read."""
    names = weights.parsers.names
    order = reading_order(
        weights.doubt.probability(evidence.names, evidence.table),
        weights.parsers.probability(names, evidence.part(names)),
    )
    score = np.empty(len(order))
    score[order] = -np.arange(len(order))
    return score


def report(each: Treebank, weights: Weights, title: str) -> str:
    """Return a row of the table."""
    history, evidence = each.history, each.evidence
    score = ranked(evidence, weights)
    best = proposals(each.candidates, weights.proposal)
    right = history.changed & (best.head == history.head) & (best.label == _same(each, best.label))
    texts = evidence.columns["upos"].texts
    marks = np.array([text == "PUNCT" for text in texts])[evidence.columns["upos"].codes]
    words = history.known & ~marks
    chance = np.random.default_rng(0).random(len(score))
    cells = [
        title, each.name, f"{history.known.sum():,}", f"{history.changed.sum():,}",
        f"{100 * history.wave.sum() / max(history.changed.sum(), 1):.0f}",
        *_cells(measured(chance, each, history.known)[:2]),
        *_cells(measured(jackknife(evidence), each, history.known)[:2]),
        *_cells(measured(score, each, history.known, right)),
        *_cells(measured(jackknife(evidence), each, words)[:2]),
        *_cells(measured(score, each, words, right)),
        *_cells([measured(score, each, history.known & ~history.wave)[0],
                 measured(jackknife(evidence), each, history.known & ~history.wave)[0]]),
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _same(each: Treebank, label: np.ndarray) -> np.ndarray:
    """Return codes of the history's labels as codes of the parsers' labels."""
    known = {text: code for code, text in enumerate(each.evidence.parses.labels)}
    codes = np.array([known.get(text, -9) for text in each.history.labels])
    later = np.where(each.history.label >= 0, codes[each.history.label], -9)
    return np.where(label >= 0, later, -8)


def _cells(numbers: list[float]) -> list[str]:
    return [f"{number:.3f}".lstrip("0") for number in numbers]


def planted(folder: Path, name: str, jobs: int) -> str:
    """Return how well errors are found that were planted: every fiftieth word, head or label.

    A label becomes another one that is as frequent in the treebank, a head that of a neighbour.
    """
    treebank, release = name.split(":")
    corpus = _read(folder / treebank / release)
    rng = np.random.default_rng(1)
    size = corpus.words.rows
    wrong = np.sort(rng.choice(size, size // 50, replace=False))
    labels, head = np.array(corpus.deprel.tolist(), object), corpus.head.copy()
    lengths = np.repeat(corpus.words.lengths, corpus.words.lengths)
    for row in wrong.tolist():
        other = rng.integers(size)
        if rng.random() < 0.5 or head[row] == 0 or lengths[row] < 4:
            labels[row] = labels[other]
        else:
            head[row] = (head[row] % lengths[row]) + 1
    damaged = corpus.replace(
        "words", head=head.astype(np.int32), deprel=Strings.of(labels.tolist())
    )
    fine = ~cyclic(damaged)
    old, new = damaged.take(fine), corpus.take(fine)
    evidence = collect(old, cross_parses(old, engine_for(jobs), count=3))
    history = later_analysis(old, new)
    score = ranked(evidence, usual_weights())
    most, chance = history.changed.sum(), np.random.default_rng(2).random(len(score))
    cells = []
    for ranking in (chance, jackknife(evidence), score):
        first = np.argsort(-ranking, kind="stable")
        cells += [history.changed[first[:500]].mean(), history.changed[first[:most]].mean(),
                  history.changed[first[: len(score) // 5]].sum() / most]  # fmt: skip
    return f"| {name} | {len(score):,} | {most:,} | " + " | ".join(_cells(cells)) + " |"


HEADER = (
    "| | treebank | words | changed | % waves | R20 chance | P500 | R20 jackknife | P500 | R20 |"
    " P500 | right | no marks: R20 jackknife | P500 | R20 | P500 | right |"
    " single: R20 | jackknife |"
)


def main() -> None:
    """Learn and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--learn", nargs="*", default=[])
    parser.add_argument("--report", nargs="*", default=[])
    parser.add_argument("--to", default="r2.16")
    parser.add_argument("--cache", type=Path, default=Path("build/cross-parses"))
    parser.add_argument("--penalty", type=float, default=PENALTY)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--plant", default="", help="a release to plant errors in")
    options = parser.parse_args()
    if options.plant:
        print(planted(options.folder, options.plant, options.jobs))
        return
    options.cache.mkdir(parents=True, exist_ok=True)

    def made(name: str) -> Treebank:
        return Treebank(
            options.folder, name, options.to, options.cache, options.folds, options.jobs
        )

    print(HEADER)
    print("|" + "---|" * (HEADER.count("|") - 1))
    if options.learn:
        known = [made(name) for name in options.learn]
        for each in known:
            rest = [other for other in known if other is not each]
            print(report(each, learned(rest, options.penalty), "left out"), flush=True)
        models = learned(known, options.penalty)
        if options.save:
            data = {name: model.to_json() for name, model in models._asdict().items()}
            data["learned on"] = options.learn
            WEIGHTS.write_text(_lines(data), encoding="utf-8")
    else:
        models = usual_weights()
    for name in options.report:
        print(report(made(name), models, "unseen"), flush=True)


def _lines(data: dict[str, object]) -> str:
    """Return JSON with a line per column."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("], [", "],\n[").replace("}, ", "},\n") + "\n"


if __name__ == "__main__":
    sys.exit(main())
