"""The study of projected parsers: prints docs/studies/projection.md.

Parallel UD in English, German and Italian, five folds. Everything is UD, so the schemes are made to
differ as in Spreyer (2010): the English source trees are moved to lth, the German ones to tiger;
the Italian gold standard is tut and the German one tiger, and both are moved to the scheme of the
source language for testing.

    python benchmarks/projection_study.py FOLDER [JOBS [TABLE…]] > docs/studies/projection.md

FOLDER keeps the scores of all runs, so that an interrupted study goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.parsers.registry import parser_names
from commonground.projection.samples import folds
from commonground.projection.validation import Training, Validation
from commonground.schemes.report import Report
from material import SHARED

FOLDS, PER_FOLD = 5, 2
SMALL, LARGE = 1_200, 3_000
PAIRS = {"en→de": ("en", "de", "lth"), "en→it": ("en", "it", "lth"), "de→it": ("de", "it", "tiger")}
ORIGINAL = {"de": "tiger", "it": "tut"}
METRICS = ("uas", "ned")
SETTINGS = {"mst": {"iterations": 4}}
"""What is not as usual, to save time."""
STEPS = {
    "lth": ("coordination", "relative"),
    "tiger": ("coordination", "relative", "subordinator", "adposition"),
}


class Study:
    """The treebanks in all schemes, and the runs on them."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder, self.jobs = folder, jobs
        self.ud = {name: cg.read(SHARED / f"pud/{name}.conllu") for name in ("en", "de", "it")}
        self.parts = folds(self.ud["en"], FOLDS)
        self.links = {
            pair: cg.align(self.ud[source], self.ud[target]).links
            for pair, (source, target, _) in PAIRS.items()
        }
        self.reports: dict[str, Report] = {}
        self._parsed: dict[tuple[str, str], Dependencies] = {}

    def original(self, language: str) -> Dependencies:
        """Return the gold standard of a target language in its own scheme."""
        return cg.transform(self.ud[language], "ud", ORIGINAL[language])[0]

    def gold(self, language: str, scheme: str, only: Sequence[str] | None = None) -> Dependencies:
        """Return that gold standard, moved to another scheme."""
        first = ORIGINAL[language]
        if first == scheme:
            return self.original(language)
        moved, report = cg.transform(self.original(language), first, scheme, only)
        self.reports[f"{language}: {first} → {scheme}"] = report
        return moved

    def source(self, language: str, scheme: str, *, parsed: bool) -> Dependencies:
        """Return the source trees in a scheme: gold ones, or parsed ones (five folds)."""
        trees = cg.transform(self.ud[language], "ud", scheme)[0]
        if not parsed:
            return trees
        if (language, scheme) not in self._parsed:
            kept = self.folder / f"{language}-{scheme}-parsed.conllu"
            if not kept.exists():
                options = {"gold_tags": True, "settings": {"iterations": 4}}
                cg.write(cg.cross_parse(trees, "arc-eager", folds=FOLDS, **options), kept)
            self._parsed[language, scheme] = cg.read(kept)
        return self._parsed[language, scheme]

    def projection(self, pair: str, *, parsed: bool = False) -> cg.Projection:
        """Return the projected trees of a pair of languages."""
        source, target, scheme = PAIRS[pair]
        trees = self.source(source, scheme, parsed=parsed)
        return cg.project(trees, self.ud[target], self.links[pair])

    def runs(
        self,
        name: str,
        pool: Dependencies,
        test: Dependencies,
        words: int,
        keep: np.ndarray | None = None,
        parser: str = "arc-eager",
    ) -> dict[str, tuple[float, ...]]:
        """Return the scores of a system: two samples for each fold, tested on that fold."""
        found: dict[str, list[float]] = {metric: [] for metric in METRICS}
        for number, fold in enumerate(self.parts):
            outside = np.ones(len(pool), np.bool_)
            outside[fold] = False
            if keep is not None:
                outside &= keep
            scores = cg.validate(
                {f"{name}-{parser}-{words}-{number}": (pool.take(outside), test.take(fold))},
                samples=PER_FOLD,
                words=words,
                training=Training(parser, settings=SETTINGS.get(parser, {})),
                metrics=METRICS,
                folder=self.folder,
                jobs=self.jobs,
            ).scores
            for metric, values in next(iter(scores.values())).items():
                found[metric] += values
        return {metric: tuple(values) for metric, values in found.items()}


def delexicalised(corpus: Dependencies) -> Dependencies:
    """Return a treebank without words: parts of speech only."""
    nothing = Strings.constant("_", corpus.words.rows)
    return corpus.replace("words", form=nothing, lemma=nothing, xpos=nothing, feats=nothing)


def validation(scores: Mapping[str, dict[str, tuple[float, ...]]], words: int) -> Validation:
    """Return the runs of several systems as one result."""
    return Validation("", f"{FOLDS} folds, {PER_FOLD} samples of {words:,} words each", scores)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


def shown(runs: cg.Validation, name: str, metric: str = "uas") -> str:
    """Return mean and standard deviation."""
    each = runs.runs(metric)[name]
    return f"{100 * each.mean:.2f} ± {100 * each.sd:.2f}"


def main(folder: Path, jobs: int, wanted: Sequence[str]) -> None:
    """Make the study and print it, or some of its tables."""
    folder.mkdir(parents=True, exist_ok=True)
    study = Study(folder, jobs)
    parsers = [name for name in ("arc-eager", "mst") if name in parser_names()]
    parts = {
        "intro": lambda: print(INTRODUCTION),
        "4": lambda: table_4(study),
        "3a": lambda: tables_3a_and_7(study),
        "3b": lambda: table_3b(study, parsers),
        "6": lambda: table_6(study, parsers),
        "2": lambda: table_2(study),
    }
    for name in wanted or parts:
        parts[name]()
        sys.stdout.flush()


def table_4(study: Study) -> None:
    """Print how fragmented the projected trees are, and how good."""
    print("## Fragmentation of the projected trees (as Table 4)\n")
    rows = []
    for pair, (_, target, scheme) in PAIRS.items():
        for parsed in (False, True):
            found = study.projection(pair, parsed=parsed)
            gold = study.gold(target, scheme)
            score = cg.evaluate(gold, found.trees, metrics=["uas_precision", "ned"])
            for title, side in (("all", found.before), ("kept", found.after)):
                rows.append(
                    [
                        f"{pair}, {'parsed' if parsed else 'gold'} source trees, {title}",
                        f"{side.sentences:,}",
                        f"{side.words_per_sentence:.2f}",
                        f"{side.words_per_fragment:.2f}",
                        f"{side.fragments_per_sentence:.2f}",
                        f"{100 * side.heads / side.words:.1f}",
                        f"{100 * float(score['uas_precision']):.1f}" if title == "all" else "",
                    ]
                )
    head = ["trees", "sentences", "words/sent", "words/frag", "frags/sent", "coverage", "precision"]
    print(table(head, rows))


def tables_3a_and_7(study: Study) -> None:
    """Print the projected parsers against delexicalised ones, and their runs."""
    scores = {}
    for pair, (source, target, scheme) in PAIRS.items():
        gold = study.gold(target, scheme)
        for parsed in (False, True):
            found = study.projection(pair, parsed=parsed)
            assert found.trees is not None
            name = f"{pair} ({'parsed' if parsed else 'gold'})"
            scores[name] = study.runs(name, found.trees, gold, SMALL, found.kept)
        bare = delexicalised(study.source(source, scheme, parsed=False))
        name = f"{pair} (delexicalised)"
        scores[name] = study.runs(name, bare, delexicalised(gold), SMALL)
        name = f"{target} in {scheme} (supervised)"
        if name not in scores:
            scores[name] = study.runs(name, gold, gold, SMALL)
    found = validation(scores, SMALL)
    print("## Projected, delexicalised and supervised parsers (as Table 3a)\n")
    print(f"UAS and NED of arc-eager parsers trained on {SMALL:,} words, k = {FOLDS * PER_FOLD}.\n")
    rows = [[name, shown(found, name), shown(found, name, "ned")] for name in scores]
    print(table(["trained on", "UAS", "NED"], rows))
    print("## The runs (as Table 7)\n")
    chosen = [name for name in scores if "(gold)" in name or "(parsed)" in name]
    runs = found.runs("uas")
    rows = [
        [str(n + 1), *(f"{100 * runs[name].scores[n]:.2f}" for name in chosen)]
        for n in range(FOLDS * PER_FOLD)
    ]
    rows += [
        [title, *(f"{100 * getattr(runs[name], title):.2f}" for name in chosen)]
        for title in ("mean", "sd")
    ]
    print(table(["run", *chosen], rows))
    among = replace(found, scores={name: found.scores[name] for name in chosen})
    print(f"By Student's t-test (p < 0.01): {among.ranking('uas')}. ")
    print(f"By Welch's: {among.ranking('uas', test='welch')}. ")
    print(f"Correlation of mean and sd over these: r = {among.correlation('uas'):.2f}.\n")


def table_3b(study: Study, parsers: Sequence[str]) -> None:
    """Print supervised parsers in each scheme, and where the parsers disagree about them."""
    print("## Supervised parsers in each scheme (as Tables 3b and 5)\n")
    rows = []
    for parser in parsers:
        for language in ("it", "de"):
            schemes = list(dict.fromkeys([ORIGINAL[language], "lth", "tiger"]))
            scores = {}
            for scheme in schemes:
                gold = study.gold(language, scheme)
                scores[scheme] = study.runs(
                    f"{language}-{scheme}", gold, gold, LARGE, parser=parser
                )
            found = validation(scores, LARGE)
            rows.append(
                [
                    f"{language}, {parser}",
                    shown(found, schemes[0]),
                    *(shown(found, s) if s in scores else "" for s in ("lth", "tiger")),
                    found.ranking("uas"),
                ]
            )
    print(f"UAS of parsers trained on {LARGE:,} words, k = {FOLDS * PER_FOLD}; ≈ is p ≥ 0.01.\n")
    print(table(["", "original", "lth", "tiger", "ranking"], rows))


def table_6(study: Study, parsers: Sequence[str]) -> None:
    """Print what each transformation alone does, in training and test."""
    print("## Each transformation alone, Italian (as Table 6)\n")
    rows = {}
    plain = study.original("it")
    first = ORIGINAL["it"]
    variants = {"none": (first, plain)}
    for scheme, steps in STEPS.items():
        for step in steps:
            moved = study.gold("it", scheme, [step])
            if not np.array_equal(moved.head, plain.head):
                variants[f"{step} → {scheme}"] = (f"{scheme}+{step}", moved)
            else:
                rows[f"{step} → {scheme}"] = ["as it was: both schemes do the same"]
        variants[f"all → {scheme}"] = (scheme, study.gold("it", scheme))
    for parser in parsers:
        scores = {
            name: study.runs(f"it-{called}", gold, gold, LARGE, parser=parser)
            for name, (called, gold) in variants.items()
        }
        found = validation(scores, LARGE)
        for name in scores:
            cell = shown(found, name)
            if name != "none":
                two = replace(found, scores={n: found.scores[n] for n in ("none", name)})
                better = found.runs("uas")[name].mean > found.runs("uas")["none"].mean
                different = two.claims("uas").pairs[0].claim.p < 0.01
                cell = f"**{cell}**" if better and different else cell
            rows.setdefault(name, []).append(cell)
    print("In bold what is better than no transformation (Student's t-test, p < 0.01).\n")
    print(table(["transformation", *parsers], [[name, *cells] for name, cells in rows.items()]))


def table_2(study: Study) -> None:
    """Print what the transformations did to the test sets."""
    print("## What the transformations of the test sets changed (as Table 2)\n")
    wanted = [("it", "lth"), ("it", "tiger"), ("de", "lth")]
    reports = {}
    for language, scheme in wanted:
        study.gold(language, scheme)
        title = f"{language}: {ORIGINAL[language]} → {scheme}"
        reports[title] = study.reports[title]
    names = list(dict.fromkeys(chain.from_iterable(report.found for report in reports.values())))
    rows = []
    for name in sorted(names):
        cells = []
        for report in reports.values():
            old, new = report.ways.get(name, ("", ""))
            changed = report.changed(name)
            cells.append(f"{old} → {new}: {changed:,}" if changed and old != new else "")
        if any(cells):
            rows.append([name, *cells])
    print(table(["construction", *reports], rows))


INTRODUCTION = """\
# A study of projected parsers

Parsers for German and Italian, trained on trees that were projected from English and German, as
in Spreyer (2010), *Notes on the evaluation of dependency parsers obtained through cross-lingual
projection*. The corpus is Parallel UD: the same 1,000 sentences in each language. All of it is
UD, so the schemes are made to differ as in the paper: English source trees are moved to `lth`,
German ones to `tiger`; the "original" gold standard is `tut` for Italian and `tiger` for German,
and it is moved to the scheme of the source language to test projected parsers.

The words are aligned by `commonground align` on all 1,000 pairs (grow-diag-final-and), which
looks at no trees. Trees are projected by direct correspondence; of sentences with four words or
more those with at most three fragments are kept. There are five folds: a parser is trained on a
random sample of what lies outside of a fold (at most half of it) and tested on the fold, two
samples for each fold, so that k = 10. Tags are the gold ones. Punctuation counts. Source trees
are the gold ones, or those of arc-eager parsers (four iterations) that were trained on the other
four fifths of the source side. Delexicalised parsers are trained on the source trees without
words and applied to the target's parts of speech.

The graph-based parser (mst) is trained with four iterations, arc-eager with its usual settings.
Made by `python benchmarks/projection_study.py FOLDER`.
"""

if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "projection-study")
    main(place, int(sys.argv[2]) if len(sys.argv) > 2 else 1, sys.argv[3:])
