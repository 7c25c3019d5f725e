r"""The predicate-argument files (``.parg``) of CCGbank, which are read, not written.

A sentence is ``<s id="wsj_0001.2"> 12``, with the index of its last word, then a dependency a line,
and ``<\s>``. ``1 2 (S[dcl]\NP)/NP 1 Vinken is`` says that word 1 (counted from 0) fills the first
slot of the category of word 2, which is the head of the relation. The label is the slot, the
category is the subtype, and ``XU`` or ``XB`` (the argument was extracted, unboundedly or boundedly)
is the value. The number of words is the comment ``# length = 13``. Hockenmaier, J., and Steedman,
M. (2005), CCGbank: User's Manual.

>>> from commonground.formats import read_text
>>> corpus = read_text('<s id="a.1"> 1\n0\t1\tS[dcl]\\NP\t1\tBirds sing\n<\\s>\n', "ccgbank")
>>> corpus.nodes.strings("text").tolist(), corpus.nodes.numbers("first").tolist()
(['sing', 'Birds'], [2, 1])
>>> corpus.label.tolist(), corpus.relations.strings("subtype").tolist(), corpus.sent_id.tolist()
(['1'], ['S[dcl]\\NP'], ['a.1'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.corpus import Relations
from commonground.errors import Problem, quoted
from commonground.formats.format import Format
from commonground.formats.notation.line_reader import split_at_spaces, text_lines
from commonground.formats.notation.relation_builder import (
    Analysis,
    Notation,
    Relation,
    RelationNode,
)

__all__ = ["FORMAT"]

_START = re.compile(r'<s id="([^"]*)">\s*([0-9]{1,9})\s*')
_STOP = re.compile(r"<[\\/]s>\s*")
_INDEX = re.compile(r"[0-9]{1,9}")
_EXTRACTED = re.compile(r"<(\w+)>")


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is a .parg file: by how a sentence begins."""
    rows = [row for row in start.split("\n") if row.strip() and not row.startswith("#")]
    return 1.0 if rows and _START.fullmatch(rows[0]) else 0.0


def _find(data: bytes) -> Iterator[Analysis | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    sentence: Analysis | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip() or (not sentence and line.startswith("#")):
            continue
        if start := _START.fullmatch(line):
            if sentence:
                yield Problem(number, r"a sentence begins, but the one before has no end (<\s>)")
            comments = [f"# sent_id = {start[1]}", f"# length = {int(start[2]) + 1}"]
            sentence = Analysis(number, comments)
        elif not sentence:
            yield Problem(number, f'{quoted(line)}; a sentence begins as <s id="wsj_0001.2"> 12')
        elif _STOP.fullmatch(line):
            yield sentence
            sentence = None
        elif relation := _relation(line):
            sentence.relations.append(relation)
        else:
            expected = r"i j category slot word_i word_j, or <\s>, is expected"
            yield Problem(number, f"{quoted(line)}; {expected}")
    if sentence:
        yield Problem(sentence.line, r"a sentence without an end (<\s>)")


def _relation(line: str) -> Relation | None:
    fields = split_at_spaces(line)
    extracted = _EXTRACTED.fullmatch(fields[6]) if len(fields) == 7 else None
    if len(fields) - bool(extracted) != 6:
        return None
    argument, functor, category, slot, argument_word, functor_word = fields[:6]
    if not all(map(_INDEX.fullmatch, (argument, functor, slot))):
        return None
    return Relation(
        slot,
        _node(functor_word, functor),
        _node(argument_word, argument),
        category,
        extracted[1] if extracted else "_",
    )


def _node(word: str, index: str) -> RelationNode:
    return RelationNode(word, int(index) + 1, int(index) + 1)


def cut(block: bytes) -> int:
    """Cut before the last sentence."""
    return block.rfind(b"\n<s id=") + 1


NOTATION = Notation(title="predicate-argument relations of CCGbank", find=_find)

FORMAT = Format(
    name="ccgbank",
    title="CCGbank (.parg, predicate-argument relations)",
    corpus=Relations,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut,
    aliases=("parg", "ccg-pa"),
)
