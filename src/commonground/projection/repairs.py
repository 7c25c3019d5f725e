"""Repairs of projected trees: rules that know the target language, where the source had nothing.

Hwa et al. (2005) mend projected trees with rules for words of the target language that have no
counterpart in the source language. Here a rule says what a word without a head hangs on, by tags:
``DET → NOUN on the right``. The rules are data (a TOML file), written in one scheme; trees of
another scheme are transformed to that one, mended, and transformed back.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_utf8, shown
from commonground.schemes.transform import transform

__all__ = ["RepairRule", "read_rules", "repair", "usual_rules"]

HUB = "ud"
"""The scheme that the rules are written in."""

_STEPS = {"left": (-1,), "right": (1,), "near": (-1, 1)}
"""Which way heads are looked for; of two that are as far away, the left one is nearer."""


@dataclass(frozen=True, slots=True)
class RepairRule:
    """What words with some tags hang on: the nearest word with some other tag in a direction."""

    words: frozenset[str]
    heads: frozenset[str]
    direction: Literal["left", "right", "near"]
    label: str
    within: Annotated[int, msgspec.Meta(ge=1)] = 5


def usual_rules() -> tuple[RepairRule, ...]:
    """Return the rules for function words and punctuation in Universal Dependencies.

    >>> len(usual_rules()) > 5
    True
    """
    return read_rules(Path(__file__).with_name("repairs.toml"))


def read_rules(path: str | os.PathLike[str]) -> tuple[RepairRule, ...]:
    """Read rules from a TOML file; ``repairs.toml`` of this room is an example."""
    data = parse_toml(read_utf8(path, "repairs in TOML are"), shown(path))
    entries = data.get("rule")
    if set(data) != {"rule"} or not isinstance(entries, list):
        raise InputError(shown(path), 0, "a file of repairs has [[rule]] entries, and nothing else")
    return tuple(_rule(entry, number, shown(path)) for number, entry in enumerate(entries, 1))


def _rule(entry: Any, number: int, path: str) -> RepairRule:
    try:
        unknown = set(entry) - set(RepairRule.__slots__)
        if not unknown:
            return msgspec.convert(entry, RepairRule)
        reason = f"it has no {min(unknown)!r}"
    except (TypeError, msgspec.ValidationError) as error:
        reason = str(error)
    raise InputError(
        path,
        0,
        f"rule {number} is not a rule ({reason}); rules have words and heads (lists of tags), "
        f"direction ({', '.join(_STEPS)}), label and within (how many words away)",
    )


def repair(
    corpus: Dependencies, rules: Sequence[RepairRule] | None = None, scheme: str = HUB
) -> tuple[Dependencies, int]:
    """Give words without a head the one that a rule finds; return how many were mended, too.

    Rules are tried in their order. No arc is made that would close a circle. `scheme` is that of
    the trees; the rules are in Universal Dependencies.

    >>> trees = Dependencies.of([(["the", "birds"], [-1, 0], ["_", "root"])])
    >>> trees = trees.replace("words", upos=Strings.of(["DET", "NOUN"]))
    >>> mended, count = repair(trees)
    >>> mended.head.tolist(), mended.deprel.tolist(), count
    ([2, 0], ['det', 'root'], 1)
    """
    rules = usual_rules() if rules is None else rules
    if scheme != HUB:
        moved, _ = transform(corpus, scheme, HUB)
        mended, count = repair(moved, rules)
        back, _ = transform(mended, HUB, scheme)
        return back, count
    heads, labels = corpus.head.copy(), corpus.deprel.tolist()
    tags, misc, count = corpus.upos.tolist(), corpus.misc.tolist(), 0
    ends = corpus.offsets.tolist()
    touched = np.unique(corpus.words.sentence_of_row()[corpus.head < 0])
    for sentence in touched.tolist():
        first, last = ends[sentence], ends[sentence + 1]
        tree = heads[first:last]  # a view: what is mended is mended in the column
        for word in np.flatnonzero(tree < 0).tolist():
            for rule in rules:
                head = _found(tree, tags[first:last], word, rule)
                if head is not None:
                    tree[word], labels[first + word] = head + 1, rule.label
                    misc[first + word] = _without_reason(misc[first + word])
                    count += 1
                    break
    mended = corpus.replace("words", head=heads, deprel=Strings.of(labels), misc=Strings.of(misc))
    return mended, count


def _found(tree: Any, tags: Sequence[str], word: int, rule: RepairRule) -> int | None:
    """Return the word that a rule hangs another one on, if there is one."""
    if tags[word] not in rule.words:
        return None
    for far in range(1, min(rule.within, len(tags)) + 1):
        for step in _STEPS[rule.direction]:
            place = word + step * far
            if (
                0 <= place < len(tags)
                and tags[place] in rule.heads
                and not _below(tree, place, word)
            ):
                return place
    return None


def _below(tree: Any, place: int, word: int) -> bool:
    """Tell whether a word is below another one."""
    for _ in range(len(tree)):
        if place == word:
            return True
        if tree[place] <= 0:
            return False
        place = int(tree[place]) - 1
    return True  # on a circle that was there before


def _without_reason(misc: str) -> str:
    parts = [part for part in misc.split("|") if not part.startswith("Projection=")]
    return "|".join([*(part for part in parts if part != "_"), "Projection=repaired"])
