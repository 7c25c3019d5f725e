"""How well a transformation agrees with a second analysis of the same words, by construction.

    python benchmarks/scheme_agreement.py ud.conllu tut.conll ud tut     # two analyses
    python benchmarks/scheme_agreement.py --back ud.conllu               # UD → X → UD, all schemes
    python benchmarks/scheme_agreement.py --table de.conllu ru.conllu …  # the same, a row per file

The two files have the same words, one to one. Numbers are percent of the words: heads that agree
before and after the transformation, in the first and in the second half of the sentences as well,
and labels. Words are grouped by the construction that they make in UD.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import commonground
from commonground.corpus import Dependencies
from commonground.schemes.constructions import CONSTRUCTIONS, construction_of
from commonground.schemes.library import scheme_names
from commonground.schemes.tag_set import UNIVERSAL, Tagging
from commonground.schemes.transform import transform
from commonground.schemes.word_classes import word_classes

Flags = NDArray[np.bool_]

GROUPS = {
    "subjects and complements": "nsubj csubj obj iobj ccomp xcomp expl",
    "modifiers": "obl nmod amod advmod advcl acl compound",
    "root": "root",
}
OF_LABEL = {label: group for group, labels in GROUPS.items() for label in labels.split()}


def groups(ud: Dependencies) -> list[str]:
    """Return for each word of a treebank in UD what it makes."""
    classes = word_classes(ud, Tagging(UNIVERSAL))
    tags, feats = classes.tags, classes.feats
    labels, heads = ud.deprel.tolist(), ud.head.tolist()
    starts = ud.offsets[ud.words.sentence_of_row()].tolist()
    results = []
    for row, (label, head) in enumerate(zip(labels, heads, strict=True)):
        above = starts[row] + head - 1 if head > 0 else None
        name = construction_of(
            label,
            tags[row],
            feats[above] if above is not None else "_",
            feats[row],
            labels[above] if above is not None else "",
        )
        main = label.partition(":")[0]
        name = {"cc": "coordination", "punct": "punctuation"}.get(main) if name is None else name
        results.append(CONSTRUCTIONS[name].title if name else OF_LABEL.get(main, "the rest"))
    return results


def same(one: Dependencies, other: Dependencies) -> tuple[Flags, Flags]:
    """Return which heads and which labels agree."""
    labels = zip(one.deprel.tolist(), other.deprel.tolist(), strict=True)
    return one.head == other.head, np.array([a == b for a, b in labels], np.bool_)


def agreement(source: Dependencies, target: Dependencies, names: Sequence[str]) -> list[str]:
    """Return the lines of a Markdown table of the agreement, both ways being told by `names`."""
    done, _ = transform(source, *names)
    before, _ = same(source, target)
    heads, labels = same(done, target)
    words = np.arange(source.words.rows)
    half = words < source.offsets[len(source) // 2]
    made = np.array(groups(source if names[0] == "ud" else target))
    columns = "words", "before", "heads", "first half", "second half", "labels", "both"
    lines = [f"| {names[0]} → {names[1]} | {' | '.join(columns)} |", "|---" * 8 + "|"]
    order = [*(entry.title for entry in CONSTRUCTIONS.values()), *GROUPS, "the rest"]
    for name in [*order, "all"]:
        chosen = made == name if name != "all" else np.ones(len(made), np.bool_)
        if chosen.any():
            parts = (
                before[chosen],
                heads[chosen],
                heads[chosen & half],
                heads[chosen & ~half],
                labels[chosen],
                (heads & labels)[chosen],
            )
            cells = " | ".join(percent(part) for part in parts)
            lines.append(f"| {name.lower()} | {chosen.sum():,} | {cells} |")
    return lines


def there_and_back(corpus: Dependencies) -> Iterable[str]:
    """Return the lines of a table: what UD → X → UD loses with the labels of each scheme."""
    yield "| scheme | heads changed | heads lost | labels lost |"
    yield "|---|---|---|---|"
    for name in scheme_names():
        if name != "ud":
            there, _ = transform(corpus, "ud", name)
            back, _ = transform(there, name, "ud")
            heads, labels = same(back, corpus)
            changed = percent(there.head != corpus.head)
            yield f"| `{name}` | {changed} | {percent(~heads, 2)} | {percent(~labels, 2)} |"


def lost_by_file(paths: Sequence[str]) -> Iterable[str]:
    """Return the lines of a table: heads that UD → X → UD loses, for each file and scheme.

    Both results are written and checked; where a check finds a problem, its number is told.
    """
    names = [name for name in scheme_names() if name != "ud"]
    yield f"| | {' | '.join(names)} |"
    yield "|---" * (len(names) + 1) + "|"
    for path in paths:
        corpus = commonground.read(path)
        cells = []
        for name in names:
            there, _ = transform(corpus, "ud", name)
            back, _ = transform(there, name, "ud")
            wrong = _problems(there) + _problems(back)
            lost = percent(back.head != corpus.head)
            cells.append(f"{lost} ({wrong} problems)" if wrong else lost)
        yield f"| {Path(path).stem} | {' | '.join(cells)} |"


def _problems(corpus: Dependencies) -> int:
    """Return how many problems a treebank has once it is written."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "treebank.conllu"
        commonground.write(corpus, path)
        return len(commonground.check(path).problems)


def percent(flags: Flags, digits: int = 1) -> str:
    """Return the share of true flags."""
    return f"{100 * flags.mean():.{digits}f}" if len(flags) else ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--back", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("paths", nargs="+", metavar="FILE FILE SCHEME SCHEME")
    given = parser.parse_args()
    if given.table:
        for line in lost_by_file(given.paths):
            print(line, flush=True)
    elif given.back:
        parts = [commonground.read(path) for path in given.paths]
        print("\n".join(there_and_back(Dependencies.concatenate(parts))))
    else:
        one, other = map(commonground.read, given.paths[:2])
        print("\n".join(agreement(one, other, given.paths[2:4])))
