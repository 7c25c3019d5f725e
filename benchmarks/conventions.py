"""Are conventions told from errors? A treebank moved to other schemes, with errors put in.

    python benchmarks/conventions.py ud.conllu               # each scheme, known and unknown
    python benchmarks/conventions.py ud.conllu sud prague    # some schemes
    python benchmarks/conventions.py --labels ud.conllu sud  # the same for labels
    python benchmarks/conventions.py --second gold=ud.conllu parse=sud.conllu scheme=sud

The first 300 sentences of a treebank in UD are moved to a scheme, and about a tenth of the heads is
replaced by random ones, with ``--labels`` of the labels, too. *Unknown*: the scheme is taken out of
those that are tried. The last two
columns are about the treebank in the scheme without errors (conventions, in per cent of what was
lost) and about errors without another scheme. With ``--second``, a second analysis of the same
words by other people is explained.
"""

from __future__ import annotations

import sys

import numpy as np

import commonground
from commonground.corpus import Dependencies, Strings
from commonground.evaluation.conventions import Conventions, conventions
from commonground.schemes.library import scheme_names
from commonground.schemes.transform import transform

SENTENCES, SHARE, SEED = 300, 0.1, 1


def with_errors(corpus: Dependencies) -> Dependencies:
    """Hang some words on another word of their sentence, or on the root, at random."""
    random = np.random.default_rng(SEED)
    lengths = np.repeat(corpus.words.lengths, corpus.words.lengths)
    other = random.integers(0, lengths + 1).astype(np.int32)
    chosen = random.random(len(other)) < SHARE
    heads = np.where(chosen, other, corpus.head).astype(np.int32)
    return corpus.replace("words", head=heads)


def wrong(one: Dependencies, other: Dependencies) -> int:
    """Return how many heads differ."""
    return int((one.head != other.head).sum())


def share(found: Conventions) -> float:
    """Return the conventions in per cent of what was lost."""
    return 100 * found.by_convention / max(found.words - found.correct, 1)


def row(gold: Dependencies, scheme: str) -> str:
    """Return a line of the table: the errors that are told, where the scheme is known or not."""
    moved = transform(gold, "ud", scheme)[0]
    both = with_errors(moved)
    others = [name for name in scheme_names() if name != scheme]
    known, unknown = (conventions(gold, both, schemes=each) for each in (None, others))
    clean = [conventions(gold, moved, schemes=each) for each in (None, others)]
    lost = wrong(gold, both)
    over = 100 * (unknown.errors - wrong(moved, both)) / lost
    return (
        f"| `{scheme}` | {lost:,} | {wrong(moved, both)} | {known.errors} | {unknown.errors} "
        f"| {over:+.1f} | {share(clean[0]):.1f} | {share(clean[1]):.1f} |"
    )


def treebank(path: str) -> Dependencies:
    """Return the dependencies of a file."""
    corpus = commonground.read(path)
    assert isinstance(corpus, Dependencies)
    return corpus


def with_wrong_labels(corpus: Dependencies) -> Dependencies:
    """Give some words, at random, the label of another word of the corpus."""
    random = np.random.default_rng(SEED)
    labels = np.array(corpus.deprel.tolist())
    chosen = random.random(len(labels)) < SHARE
    mixed = np.where(chosen, labels[random.permutation(len(labels))], labels)
    return corpus.replace("words", deprel=Strings.of(mixed.tolist()))


def label_row(gold: Dependencies, scheme: str) -> str:
    """Return a line of the table of labels: wrong ones put in, and told, scheme known or not."""
    moved = transform(gold, "ud", scheme)[0]
    both = with_wrong_labels(with_errors(moved))
    others = [name for name in scheme_names() if name != scheme]
    found = [conventions(gold, both, schemes=each).labels for each in (None, others)]
    same = moved.head == both.head
    other = np.array(moved.deprel.tolist()) != np.array(both.deprel.tolist())
    put_in = int((same & other).sum())
    known, unknown = (parts for parts in found if parts is not None)
    over = 100 * (unknown.wrong_labels - put_in) / unknown.lost
    return (
        f"| `{scheme}` | {known.lost:,} | {put_in} | {known.wrong_labels} "
        f"| {unknown.wrong_labels} | {over:+.1f} |"
    )


if __name__ == "__main__":
    if sys.argv[1] == "--labels":
        file, *schemes = sys.argv[2:]
        gold = treebank(file)[:SENTENCES]
        print("| scheme | lost | wrong labels put in | known | unknown | too many |")
        print("|---|---|---|---|---|---|")
        for scheme in schemes or [name for name in scheme_names() if name != "ud"]:
            print(label_row(gold, scheme), flush=True)
    elif sys.argv[1] == "--second":
        files = dict(argument.split("=", 1) for argument in sys.argv[2:])
        gold, parse = treebank(files["gold"]), treebank(files["parse"])
        parse = parse.replace("words", form=gold.form)  # some are written otherwise
        scheme = files["scheme"]
        others = [name for name in scheme_names() if name != scheme]
        for schemes in (None, others):
            print("unknown:" if schemes else "known:", conventions(gold, parse, schemes=schemes))
        rules = wrong(transform(gold, "ud", scheme)[0], parse)
        print(f"other heads by the rules of {scheme}: {100 * rules / gold.words.rows:.1f} %")
    else:
        file, *schemes = sys.argv[1:]
        gold = treebank(file)[:SENTENCES]
        mistaken = conventions(gold, with_errors(gold))
        print(f"{gold.words.rows:,} words; errors alone: {100 - share(mistaken):.1f} % errors")
        print("| scheme | lost | put in | known | unknown | too many | clean | clean, unknown |")
        print("|---|---|---|---|---|---|---|---|")
        for scheme in schemes or [name for name in scheme_names() if name != "ud"]:
            print(row(gold, scheme), flush=True)
