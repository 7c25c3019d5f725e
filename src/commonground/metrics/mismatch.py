"""What is told where a gold standard and a parse do not fit: other sentences, or other words."""

from __future__ import annotations

from commonground.corpus import Corpus, Dependencies
from commonground.errors import MismatchError, quoted, setting
from commonground.plurals import number_of

__all__ = ["REALIGN", "equally_many", "mismatch", "path_of", "unequal"]

REALIGN = "realign compares them over the characters of the text"


def equally_many(gold: Corpus, system: Corpus) -> None:
    """Raise an error where gold standard and parse do not have equally many sentences."""
    if len(gold) != len(system):
        raise unequal((path_of(gold), len(gold)), (path_of(system), len(system)), gold.kind)


def unequal(gold: tuple[str, int], system: tuple[str, int], kind: str) -> MismatchError:
    """Return the error for files (their paths) that do not have equally many sentences."""
    advice = (
        f"{setting('on_mismatch')} {REALIGN}"
        if kind == Dependencies.kind
        else f"{kind} are compared sentence by sentence"
    )
    count = number_of(system[1], "sentence")
    message = f"{count}, but the gold standard ({gold[0]}) has {gold[1]:,}; {advice}"
    return MismatchError(system[0], 0, message)


def mismatch(
    gold: Corpus, system: Corpus, place: int, one: list[str], two: list[str], advice: str = ""
) -> MismatchError:
    """Return the error for a sentence that has `one` in gold, `two` in the parse."""
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), -1)
    at = min(len(one), len(two)) if at < 0 else at
    here = quoted(two[at]) if at < len(two) else "nothing"
    there = quoted(one[at]) if at < len(one) else "nothing"
    return MismatchError(
        path_of(system),
        system[place].line,
        f"sentence {gold[place].number} has {here} as word {at + 1}, the gold standard has {there} "
        f"({path_of(gold)}:{gold[place].line}); {setting('on_mismatch', 'skip')} leaves such "
        "sentences out, zero counts them as wrong" + (f", {advice}" if advice else ""),
    )


def path_of(corpus: Corpus) -> str:
    """Return the file that a corpus was read from, as messages name it."""
    paths = corpus.tables["origin"].strings("path")
    return paths[0] if len(paths) else "a file without sentences"
