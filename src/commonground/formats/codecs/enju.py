r"""Predicate-argument relations of the HPSG parser Enju.

A relation a line, in twelve columns between tabs: the word, lemma, tag, base tag and position of
the predicate, its type (``verb_arg12``, here the subtype of the relation), the label of the
argument (``ARG1``), and the same five columns for the argument; a blank line after each sentence.
Positions count from 0 in the file and from 1 in the corpus. ``ROOT`` at -1 is the root; any other
word at -1 (``UNKNOWN``) stands for no word of the sentence.

The format has neither comments nor the words of the sentence. Where there are no relations, the
parser says ``Empty line``.

>>> from commonground.formats import read_text
>>> row = "sings sing VBZ VB 1 verb_arg1 ARG1 Birds bird NNS NN 0".replace(" ", "\t")
>>> corpus = read_text(row, "enju")
>>> corpus.nodes.strings("lemma").tolist(), corpus.nodes.numbers("first").tolist()
(['sing', 'bird'], [2, 1])
>>> corpus.label.tolist(), corpus.relations.strings("subtype").tolist()
(['ARG1'], ['verb_arg1'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from commonground.corpus import Relations
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, blank_line_cut
from commonground.formats.notation.line_reader import text_lines
from commonground.formats.notation.relation_builder import (
    Analysis,
    Notation,
    Relation,
    RelationNode,
)
from commonground.plurals import number_of

__all__ = ["FORMAT"]

_WIDTH = 12
_POSITIONS = (4, 11)
_POSITION = re.compile(r"-1|0|[1-9][0-9]{0,8}")
_LABEL = re.compile(r"ROOT|MOD|ARG[0-9]")
_NOTHING = "Empty line"


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is from Enju: twelve columns and its labels."""
    rows = [row.split("\t") for row in start.split("\n") if row not in ("", _NOTHING)]
    whole = [row for row in rows if not _wrong_columns(row) and _LABEL.fullmatch(row[6])]
    return 1.0 if whole and len(whole) >= len(rows) - 1 else 0.0  # the last one may be cut


def _wrong_columns(fields: Sequence[str]) -> str:
    """Return what is wrong with a row, or nothing."""
    if len(fields) != _WIDTH:
        return f"{number_of(len(fields), 'column')}; {_WIDTH} are expected, separated by tabs"
    if "" in fields:
        return f"column {fields.index('') + 1} is empty; each of the {_WIDTH} needs a text"
    for place in _POSITIONS:
        if not _POSITION.fullmatch(fields[place]):
            expected = "a position from 0, or -1, is expected"
            return f"column {place + 1} is {quoted(fields[place])}; {expected}"
    return ""


def _find(data: bytes) -> Iterator[Analysis | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    sentence: Analysis | None = None
    for number, line in enumerate([*lines, ""], 1):
        fields = line.split("\t")
        if not line:
            if sentence:
                yield sentence
            sentence = None
        elif line == _NOTHING:
            sentence = sentence or Analysis(number)
        elif message := _wrong_columns(fields):
            yield Problem(number, message)
        else:
            sentence = sentence or Analysis(number)
            relation = Relation(fields[6], _node(fields[:5]), _node(fields[7:]), fields[5])
            sentence.relations.append(relation)


def _node(fields: Sequence[str]) -> RelationNode:
    text, lemma, tag, base_tag, position = fields
    is_root = text == "ROOT" and position == "-1"
    word = 0 if is_root else -1 if position == "-1" else int(position) + 1
    return RelationNode(text, word, word, (lemma, tag, base_tag))


def _carried(analysis: Analysis) -> Analysis:
    relations = [relation._replace(value="_") for relation in analysis.relations]
    return replace(analysis, comments=[], words=[], relations=relations)


def _text(analysis: Analysis) -> str:
    rows = [
        "\t".join([*_shown(head), subtype, label, *_shown(dependent)])
        for label, head, dependent, subtype, _ in analysis.relations
    ]
    return "\n".join([*(rows or [_NOTHING]), "", ""])


def _shown(node: RelationNode | None) -> list[str]:
    if node is None:
        return []  # too few columns, and so refused
    return [node.text, *map(str, node.more), str(max(-1, node.first - 1))]


NOTATION = Notation(
    title="predicate-argument relations of Enju",
    find=_find,
    render=_text,
    carried=_carried,
    node_columns={"lemma": "_", "tag": "_", "base_tag": "_"},
)

FORMAT = Format(
    name="enju",
    title="Enju (predicate-argument relations)",
    corpus=Relations,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=blank_line_cut,
    write=NOTATION.write,
    aliases=("hpsg-pa",),
)
