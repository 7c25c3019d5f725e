r"""Word alignments and words in the A3 files of GIZA++.

Three lines a pair: ``# Sentence pair (1) source length 2 target length 3 alignment score : 1e-05``,
the words of the target, and those of the source, each with the target words that it is linked to
(counted from 1): ``NULL ({ 2 }) Birds ({ 1 }) sing ({ 3 })``. The number of the pair and the score
become the comments ``sent_id`` and ``score``; what is linked to NULL is linked to nothing.

Written, a pair without a number has its place, one without a score 1; a space in a word is ``_``,
and links that are only possible cannot be told from sure ones.

>>> from commonground.formats import read_text
>>> corpus = read_text(
...     "# Sentence pair (1) source length 1 target length 2 alignment score : 0.5\n"
...     "Die Vögel \nNULL ({ }) Birds ({ 1 2 }) \n"
... )
>>> corpus.source.tolist(), corpus.target.tolist(), corpus.comments.tolist()
([0, 0], [0, 1], ['# sent_id = 1\n# score = 0.5'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.corpus import Alignments, Strings, Table
from commonground.errors import Problem, UsageError, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.line_reader import (
    problems_among,
    sound,
    split_at_spaces,
    text_lines,
)
from commonground.plurals import number_of

__all__ = ["FORMAT"]

_HEADING = re.compile(
    r"# Sentence pair \(([0-9]+)\) source length ([0-9]{1,9}) target length ([0-9]{1,9})"
    r" alignment score\s*:?\s*(\S+)\s*"
)
_POSITION = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class _SentencePair:
    line: int
    comment: str
    source: list[str]
    target: list[str]
    links: list[tuple[int, int]]


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is from GIZA++: by its first line."""
    return 1.0 if _HEADING.fullmatch(start.lstrip("\n").split("\n", 1)[0]) else 0.0


def _find(data: bytes) -> Iterator[_SentencePair | Problem]:
    """Find the pairs, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    number = 0
    while number < len(lines):
        heading = _HEADING.fullmatch(lines[number])
        number += 1
        if heading:
            yield from _pair(number, heading, lines[number : number + 2])
            number += 2
        elif lines[number - 1].strip():
            expected = "'# Sentence pair (1) source length …' is expected"
            yield Problem(number, f"{quoted(lines[number - 1])}; {expected}")


def _pair(
    number: int, heading: re.Match[str], lines: Sequence[str]
) -> Iterator[_SentencePair | Problem]:
    if len(lines) < 2:
        yield Problem(number, "the file ends inside of a pair; two lines more are expected")
        return
    target = split_at_spaces(lines[0])
    aligned = _aligned(lines[1])
    if aligned is None:
        expected = "NULL ({ }) word ({ 1 }) … is expected"
        yield Problem(number + 2, f"{quoted(lines[1])}; {expected}")
        return
    source = [word for word, _ in aligned[1:]]
    links = [
        (place, position - 1)
        for place, (_, positions) in enumerate(aligned[1:])
        for position in positions
    ]
    positions = [position for _, linked in aligned for position in linked]
    if len(target) != int(heading[3]):
        yield Problem(
            number + 1, f"{number_of(len(target), 'target word')}; the pair says {heading[3]}"
        )
    if len(source) != int(heading[2]):
        yield Problem(
            number + 2, f"{number_of(len(source), 'source word')}; the pair says {heading[2]}"
        )
    if max(positions, default=0) > len(target):
        message = f"a link to target word {max(positions)}; there are {len(target)}"
        yield Problem(number + 2, message)
    comment = f"# sent_id = {heading[1]}\n# score = {heading[4]}"
    yield _SentencePair(number, comment, source, target, links)


def _aligned(line: str) -> list[tuple[str, list[int]]] | None:
    """Return the words with the positions after them, or nothing if the line is not like that.

    >>> _aligned("NULL ({ }) Birds ({ 1 2 })")
    [('NULL', []), ('Birds', [1, 2])]
    """
    words: list[tuple[str, list[int]]] = []
    tokens = iter(split_at_spaces(line))
    for word in tokens:
        if next(tokens, None) != "({":
            return None
        words.append((word, []))
        for position in tokens:
            if position == "})":
                break
            if not _POSITION.fullmatch(position):
                return None
            words[-1][1].append(int(position))
        else:
            return None
    return words if words and words[0][0] == "NULL" else None


def read(data: bytes, path: str, line: int, _: FormatOptions) -> Alignments:
    """Read a whole file."""
    pairs = sound(_find(data), path, line)
    links = np.array([link for pair in pairs for link in pair.links], np.int32).reshape(-1, 2)
    return Alignments(
        {
            "links": Table(
                np.cumsum([0, *(len(pair.links) for pair in pairs)]),
                source=links[:, 0],
                target=links[:, 1],
            ),
            "source_words": _words([pair.source for pair in pairs]),
            "target_words": _words([pair.target for pair in pairs]),
        },
        comments=[pair.comment for pair in pairs],
        path=path,
        lines=np.array([pair.line + line - 1 for pair in pairs], np.int64),
    )


def _words(sentences: Sequence[list[str]]) -> Table:
    forms = Strings.of(word for sentence in sentences for word in sentence)
    return Table(np.cumsum([0, *map(len, sentences)]), form=forms)


def problems(data: bytes, _: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    return problems_among(_find(data))


def cut(block: bytes) -> int:
    """Cut before the last pair."""
    return block.rfind(b"\n# Sentence pair (") + 1


def write(corpus: Alignments) -> Iterator[bytes]:
    """Return the bytes of a file, pair by pair."""
    numbers, scores = corpus.sent_id, corpus.metadata("score")
    for place, pair in enumerate(corpus):
        source, target = (
            [re.sub(r"\s", "_", word) for word in pair.column("form", f"{side}_words")]
            for side in ("source", "target")
        )
        links: list[list[int]] = [[] for _ in source]
        for one, two in zip(pair.column("source"), pair.column("target"), strict=True):
            if not (0 <= one < len(source) and 0 <= two < len(target)):
                raise UsageError(
                    f"pair {numbers[place]} links the words {one} and {two}, but has "
                    f"{len(source)} and {len(target)} words, which GIZA++ files must have"
                )
            links[one].append(int(two) + 1)
        number = numbers[place] if numbers[place].isdecimal() else place + 1
        linked = {position for positions in links for position in positions}
        free = [position for position in range(1, len(target) + 1) if position not in linked]
        words = zip(["NULL", *source], [free, *links], strict=True)
        shown = "".join(
            f"{word} ({{ {''.join(f'{position} ' for position in sorted(positions))}}}) "
            for word, positions in words
        )
        heading = (
            f"# Sentence pair ({number}) source length {len(source)} target length {len(target)}"
        )
        yield (
            f"{heading} alignment score : {scores[place] or 1}\n"
            f"{''.join(f'{word} ' for word in target)}\n{shown}\n"
        ).encode()


FORMAT = Format(
    name="giza",
    title="GIZA++ (A3 files, word alignments)",
    corpus=Alignments,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
    write=write,
    aliases=("giza++", "a3"),
)
