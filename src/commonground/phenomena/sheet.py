"""A sample of candidates as a gold standard to correct: targets, sentences and their trees."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from commonground.corpus import Constituents, Corpus
from commonground.errors import UsageError
from commonground.formats.registry import write_text
from commonground.formats.storage.files import write_bytes
from commonground.phenomena.gold import Gold, Target, Word, gold_of, write_gold
from commonground.phenomena.mine import Candidate, Mined

__all__ = ["sheet", "sheet_trees", "write_sheet"]


def sheet(mined: Mined) -> Gold:
    """Return the sample as a gold standard: what the matches propose as targets.

    >>> from commonground.phenomena.mine import mine
    >>> gold = sheet(mine(["example:ptb"], only=["vpart"], sample=1))
    >>> [target.dependency for target in gold.targets][1]
    'took-1 ARG2 coat-5'
    """
    targets: list[Target] = []
    sentences: dict[str, str] = {}
    names = _items(mined)
    for name, candidates in mined.sample.items():
        for each in candidates:
            item = names[each.path, each.number]
            sentences[item] = each.text
            targets += [
                _target(item, name, each.words[head], kind, each.words[dependent])
                for head, kind, dependent in each.proposals
                if head in each.words and dependent in each.words
            ]
    return gold_of("<sample>", targets, sentences)


def sheet_trees(mined: Mined) -> Corpus | None:
    """Return the trees of a sample, in the order of the sheet's sentences; None without any."""
    trees: dict[tuple[str, int], Corpus] = {}
    for each in _candidates(mined):
        if each.tree is not None:
            trees.setdefault((each.path, each.number), each.tree)
    if len({each.kind for each in trees.values()}) != 1:
        return None
    parts = list(trees.values())
    return type(parts[0]).concatenate(parts)


def write_sheet(mined: Mined, path: str | os.PathLike[str]) -> None:
    """Write the sample as a gold standard; beside it the sentences, and their trees.

    ``NAME.tsv`` has the targets, ``NAME.txt`` the sentences, and ``NAME.trees.conllu`` or
    ``NAME.trees.mrg`` the trees that were searched, sentence by sentence.
    """
    gold, trees = sheet(mined), sheet_trees(mined)
    beside = Path(path).with_suffix(".txt")
    if beside == Path(path):
        raise UsageError(f"{beside} is where the sentences go; name the sheet otherwise, as .tsv")
    lines = "".join(f"{item}\t{text}\n" for item, text in gold.sentences.items())
    write_bytes(beside, [lines.encode()])
    if trees is not None:
        constituents = isinstance(trees, Constituents)
        end, name = (".trees.mrg", "brackets") if constituents else (".trees.conllu", "conllu")
        write_bytes(Path(path).with_suffix(end), [write_text(trees, name).encode()])
    write_bytes(path, [write_gold(gold).encode()])


def _candidates(mined: Mined) -> list[Candidate]:
    return [each for candidates in mined.sample.values() for each in candidates]


def _items(mined: Mined) -> dict[tuple[str, int], str]:
    """Return the item of each sentence: its id, with the name of its file where ids come again."""
    ids = {(each.path, each.number): each.sent_id for each in _candidates(mined)}
    often = Counter(ids.values())
    return {
        place: name if often[name] == 1 else f"{Path(place[0]).name.partition('.')[0]}-{name}"
        for place, name in ids.items()
    }


def _target(
    item: str, name: str, head: tuple[str, int], kind: str, dependent: tuple[str, int]
) -> Target:
    negative = kind.startswith("!")
    return Target(
        item,
        name,
        positive=not negative,
        heads=(Word(head[0].replace("|", "/"), head[1]),),
        type=kind.removeprefix("!"),
        dependents=(Word(dependent[0].replace("|", "/"), dependent[1]),),
    )
