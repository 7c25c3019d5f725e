"""Sentences in a line: ``word/UPOS/head/label[/features]``, a word after the other."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies, Strings, Table
from commonground.corpus.table import offsets_of


def sentence(text: str) -> Dependencies:
    """Make a treebank of one sentence.

    >>> sentence("in/ADP/2/case Rome/PROPN/0/root").head.tolist()
    [2, 0]
    """
    rows = [(*word.split("/"), "_")[:5] for word in text.split()]
    forms, tags, heads, labels, feats = zip(*rows, strict=True)
    table = Table(
        offsets_of([len(rows)]),
        form=Strings.of(forms),
        upos=Strings.of(tags),
        head=np.array(heads, np.int32),
        deprel=Strings.of(labels),
        feats=Strings.of(feats),
    )
    return Dependencies({"words": table})


def arcs(corpus: Dependencies) -> str:
    """Return heads and labels in a line: ``2:case 0:root``."""
    pairs = zip(corpus.head.tolist(), corpus.deprel.tolist(), strict=True)
    return " ".join(f"{head}:{label}" for head, label in pairs)
