"""The counts of PARSEVAL in the layout of evalb, to the last blank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents
from commonground.formats.notation.escapes import WORDS
from commonground.metrics.constituents.brackets import BracketComparison
from commonground.metrics.constituents.evalb import ERROR, SKIPPED, Evalb
from commonground.metrics.constituents.parseval import crossing, labelled, tagging
from commonground.metrics.constituents.prepare import compared, words_left
from commonground.metrics.equivalence import Equivalence
from commonground.metrics.settings import Settings

__all__ = ["Printed", "evalb_columns", "evalb_printed"]

Numbers = NDArray[np.int64]
Totals = Mapping[str, int]

_HEAD = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
"""
_RULE = "=" * 76 + "\n"


@dataclass(frozen=True, slots=True)
class Printed:
    """What evalb prints, on its standard output and on its error output.

    Like the program, it has `stopped` without totals when more than MAX_ERROR + 1 sentences cannot
    be compared.
    """

    output: str
    messages: str
    stopped: bool


def evalb_printed(gold: Constituents, system: Constituents, parameters: Evalb) -> Printed:
    r"""Return what evalb prints: a line per sentence, the totals, the summaries, and all errors.

    >>> from commonground import read_text
    >>> gold = read_text("(S (NP (D the) (N cat)) (V eats))\n(S (N a))\n(S (N a))")
    >>> parse = read_text("(S (NP (D the) (N cat)) (N eats))\n(S (N b))\n(S (N a) (N b))")
    >>> printed = evalb_printed(gold, parse, Evalb())
    >>> print(printed.output.splitlines()[3])
       1    3    0  100.00 100.00     2      2    2      0      3     2    66.67
    >>> print(printed.messages, end="")
    2 : Words unmatch (a|b)
    3 : Length unmatch (1|2)
    """
    pair, _ = compared(gold, system, Settings(evalb=parameters))
    columns = evalb_columns(pair, parameters)
    errors = np.flatnonzero(columns["status"] == ERROR)[: parameters.max_error + 2]
    messages = "".join(
        f"{number + 1} : {_message(pair, number, parameters)}\n" for number in errors.tolist()
    )
    lines = _lines(columns)
    if len(errors) > parameters.max_error + 1:
        return Printed("".join([_HEAD, _RULE, *lines[: int(errors[-1])]]), messages, stopped=True)
    short = columns["length"] <= parameters.cutoff
    output = "".join(
        [
            *(_HEAD, _RULE, *lines, _RULE, _totals_line(_totals(columns, short | True))),
            "=== Summary ===\n",
            *_summary("All", _totals(columns, short | True)),
            *_summary(f"len<={parameters.cutoff}", _totals(columns, short)),
        ]
    )
    return Printed(output, messages, stopped=False)


def _message(pair: BracketComparison, number: int, parameters: Evalb) -> str:
    """Return why a sentence is an error, with words as they stand in a file."""
    one = words_left(pair.gold, pair.gold_times, number)
    two = words_left(pair.system, pair.system_times, number)
    if len(one) != len(two):
        return f"Length unmatch ({len(one)}|{len(two)})"
    alike = Equivalence(parameters.equal_words)
    a, b = next((a, b) for a, b in zip(one, two, strict=True) if b not in alike.partners(a))
    return f"Words unmatch ({WORDS.written(a)}|{WORDS.written(b)})"


def evalb_columns(pair: BracketComparison, parameters: Evalb) -> dict[str, Numbers]:
    """Return what evalb tells about each sentence, as the metrics count it."""
    brackets, tags = labelled(pair).counts.columns, tagging(pair).counts.columns
    return {
        "length": parameters.length(pair.gold),
        "status": pair.status.astype(np.int64),
        "matched": brackets["correct"],
        "gold": brackets["gold"],
        "test": brackets["system"],
        "crossing": crossing(pair).counts.columns["crossing"],
        "words": tags["gold"],
        "tags": tags["correct"],
    }


def _lines(columns: Mapping[str, Numbers]) -> list[str]:
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [
        _line(number, dict(zip(columns, row, strict=True))) for number, row in enumerate(rows, 1)
    ]


def _line(number: int, row: Totals) -> str:
    matched, gold, test = row["matched"], row["gold"], row["test"]
    return (
        f"{number:4d}  {row['length']:3d}    {row['status']}  "
        f"{_percent(matched, gold)} {_percent(matched, test)}   "
        f"{matched:3d}    {gold:3d}  {test:3d}    {row['crossing']:3d}   "
        f"{row['words']:4d}  {row['tags']:4d}   {_percent(row['tags'], row['words'])}\n"
    )


def _totals(columns: Mapping[str, Numbers], which: NDArray[np.bool_]) -> dict[str, int]:
    """Return the sums over some sentences, and how many of these are what."""
    status = columns["status"][which]
    valid = which & (columns["status"] == 0)
    counted = {name: column[valid] for name, column in columns.items()}
    complete = (counted["gold"] == counted["test"]) & (counted["test"] == counted["matched"])
    return {
        **{name: int(column.sum()) for name, column in counted.items()},
        "sentences": len(status),
        "errors": int((status == ERROR).sum()),
        "skipped": int((status == SKIPPED).sum()),
        "valid": int(valid.sum()),
        "complete": int(complete.sum()),
        "no crossing": int((counted["crossing"] == 0).sum()),
        "two or less": int((counted["crossing"] <= 2).sum()),
    }


def _totals_line(total: Totals) -> str:
    matched, gold, test = total["matched"], total["gold"], total["test"]
    brackets = (
        f"                {_percent(matched, gold)} {_percent(matched, test)} "
        f"{matched:6d} {gold:5d} {test:5d}  {total['crossing']:5d}"
        if gold and test
        else ""
    )
    tags = f"  {total['words']:5d} {total['tags']:5d}   {_percent(total['tags'], total['words'])}\n"
    return brackets + tags


def _summary(title: str, total: Totals) -> Iterator[str]:
    matched, gold, test, valid = (total[n] for n in ("matched", "gold", "test", "valid"))
    recall, precision = (100.0 * matched / n if n else 0.0 for n in (gold, test))
    both = precision + recall
    crossing_per_sentence = total["crossing"] / valid if valid else 0.0
    yield f"\n-- {title} --\n"
    yield f"Number of sentence        = {total['sentences']:6d}\n"
    yield f"Number of Error sentence  = {total['errors']:6d}\n"
    yield f"Number of Skip  sentence  = {total['skipped']:6d}\n"
    yield f"Number of Valid sentence  = {valid:6d}\n"
    yield f"Bracketing Recall         = {recall:6.2f}\n"
    yield f"Bracketing Precision      = {precision:6.2f}\n"
    # Where nothing is right, evalb divides 0 by 0, and this is what C prints for it.
    f_measure = f"{2 * precision * recall / both:6.2f}" if both else "  -nan"
    yield f"Bracketing FMeasure       = {f_measure}\n"
    yield f"Complete match            = {_percent(total['complete'], valid)}\n"
    yield f"Average crossing          = {crossing_per_sentence:6.2f}\n"
    yield f"No crossing               = {_percent(total['no crossing'], valid)}\n"
    yield f"2 or less crossing        = {_percent(total['two or less'], valid)}\n"
    yield f"Tagging accuracy          = {_percent(total['tags'], total['words'])}\n"


def _percent(part: int, whole: int) -> str:
    return f"{100.0 * part / whole if whole else 0.0:6.2f}"
