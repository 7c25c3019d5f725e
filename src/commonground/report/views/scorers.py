"""Scores in the layout of the programs that the field has used, to the last blank.

Each percentage is computed as its program does, since the last digit of a tie depends on it: 23 of
160 are 14.375 %, which is 14.37 as 100 · (23/160) and 14.38 as 100 · 23 / 160.
"""

from __future__ import annotations

from commonground.errors import UsageError
from commonground.evaluation.result import System

__all__ = ["SCORERS", "conll18", "eval07"]

_CONLL18_TITLES = {
    "tokens": "Tokens",
    "sentences": "Sentences",
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}
_UNALIGNED = ("tokens", "sentences", "words")
_EVAL07_TITLES = {
    "las": "Labeled   attachment score:",
    "uas": "Unlabeled attachment score:",
    "la": "Label accuracy score:      ",
}

SCORERS = {"conll18": tuple(_CONLL18_TITLES), "eval07": tuple(_EVAL07_TITLES)}
"""The metrics that each layout shows."""


def conll18(system: System) -> str:
    """Return the table of the CoNLL 2018 scorer; what has no items is 0 there, not 1."""
    lines = [
        "Metric     | Precision |    Recall |  F1 Score | AligndAcc",
        "-----------+-----------+-----------+-----------+-----------",
    ]
    for name, title in _CONLL18_TITLES.items():
        totals = _totals(system, name)
        gold, parse, correct = (totals[count] for count in ("gold", "system", "correct"))
        shares = [_share(correct, parse), _share(correct, gold)]
        shares.append(_share(2 * correct, gold + parse))
        shown = "|".join(f"{100 * share:10.2f} " for share in shares)
        aligned = "" if name in _UNALIGNED else f"{100 * _share(correct, totals['aligned']):10.2f}"
        lines.append(f"{title:11}|{shown}|{aligned}")
    return "\n".join([*lines, ""])


def eval07(system: System) -> str:
    """Return the three lines of eval.pl, the scorer of CoNLL-X and CoNLL 2007."""
    lines = []
    for name, title in _EVAL07_TITLES.items():
        totals = _totals(system, name)
        correct, total = totals["correct"], totals["gold"]
        share = 100 - (total - correct) * 100 / total if total else 0.0
        lines.append(f"  {title} {correct} / {total} * 100 = {share:.2f} %")
    return "\n".join([*lines, ""])


def _totals(system: System, metric: str) -> dict[str, int]:
    if metric not in system.scores:
        raise UsageError(f"this layout needs dependencies and the metric {metric}")
    return system[metric].counts.totals


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
