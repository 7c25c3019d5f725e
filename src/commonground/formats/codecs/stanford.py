r"""Stanford typed dependencies, as the Stanford parser and CoreNLP print them.

One relation a line, ``nsubj(sings-2, Birds-1)``, and a blank line after each sentence. Before it
may stand a line with the words, and the line ``---------- dependencies ----------``. A word that
the parser made a copy of has primes after its number (``sing-2'``); how many is in the column
``copy`` of the nodes. ``ROOT-0`` is the root.

The format has neither comments nor sentence ids; where a corpus has them, they are not written, nor
are subtypes and values. A sentence without relations is written with the line of dashes. (The
parser prints nothing at all for a sentence without relations, unless it also prints the words.)

>>> from commonground.formats import read_text
>>> corpus = read_text("nsubj(sings-2, Birds-1)\nroot(ROOT-0, sings-2)\n", "stanford")
>>> corpus.nodes.strings("text").tolist(), corpus.nodes.numbers("first").tolist()
(['sings', 'Birds', 'ROOT'], [2, 1, 0])
>>> corpus.label.tolist(), corpus.head.tolist(), corpus.dependent.tolist()
(['nsubj', 'root'], [0, 2], [1, 0])
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

_DASHES = "---------- dependencies ----------"
_HEADING = re.compile(r"-{3,} dependencies -{3,}")
_MIDDLE = re.compile(r"-([0-9]{1,9})('*), ")
_END = re.compile(r"-([0-9]{1,9})('*)\)\Z")
_ALMOST = re.compile(r"[^\s()]+\(.*\)")


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file has typed dependencies: most lines are some."""
    rows = [row for row in start.split("\n") if row.strip()]
    relations = sum(1 for row in rows if _relation(row))
    fitting = relations + sum(1 for row in rows if _HEADING.fullmatch(row))
    return fitting / len(rows) if relations and 2 * fitting >= len(rows) else 0.0


def _relation(line: str) -> Relation | None:
    """Return the relation that a line is, or nothing if it is none.

    >>> _relation("punct(-LRB--24, ,-25')")  # doctest: +NORMALIZE_WHITESPACE
    Relation(label='punct', head=RelationNode(text='-LRB-', first=24, last=24, more=(0,)),
        dependent=RelationNode(text=',', first=25, last=25, more=(1,)), subtype='_', value='_')
    """
    label, _, rest = line.rstrip().partition("(")
    end = _END.search(rest)
    middle = _MIDDLE.search(rest, 0, end.start()) if end else None
    if not (end and middle) or not label or any(character.isspace() for character in label):
        return None
    head, dependent = rest[: middle.start()], rest[middle.end() : end.start()]
    if not head or not dependent:
        return None
    return Relation(label, _node(head, middle), _node(dependent, end))


def _node(text: str, match: re.Match[str]) -> RelationNode:
    return RelationNode(text, int(match[1]), int(match[1]), (len(match[2]),))


def _find(data: bytes) -> Iterator[Analysis | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    sentence: Analysis | None = None
    in_relations = after_words = False
    for number, line in enumerate(lines, 1):
        relation = _relation(line)
        heading = bool(_HEADING.fullmatch(line.rstrip()))
        if not line.strip():
            if sentence and in_relations:
                yield sentence
                sentence, in_relations = None, False
            after_words = False
        elif relation or heading:
            if sentence and in_relations and heading:
                yield sentence
                sentence = None
            sentence = sentence or Analysis(number)
            in_relations, after_words = True, False
            if relation:
                sentence.relations.append(relation)
        elif in_relations or after_words or _ALMOST.fullmatch(line.rstrip()):
            expected = "a relation such as nsubj(sings-2, Birds-1) or a blank line is expected"
            yield Problem(number, f"{quoted(line)}; {expected}")
        else:
            if sentence:
                yield sentence
            sentence = Analysis(number, words=[(word,) for word in split_at_spaces(line)])
            after_words = True
    if sentence:
        yield sentence


def cut(block: bytes) -> int:
    """Cut after the last blank line that ends a sentence, and does not follow its words."""
    place = block.rfind(b"\n\n")
    while place > 0:
        before = block[block.rfind(b"\n", 0, place) + 1 : place].decode("utf-8", "replace")
        if _relation(before) or _HEADING.fullmatch(before.rstrip()):
            return place + 2
        place = block.rfind(b"\n\n", 0, place)
    return 0


def _carried(analysis: Analysis) -> Analysis:
    relations = [Relation(r.label, r.head, r.dependent) for r in analysis.relations]
    return Analysis(0, words=analysis.words, relations=relations)


def _text(analysis: Analysis) -> str:
    lines = []
    if analysis.words:
        words = " ".join(form for (form,) in analysis.words)
        mistakable = _relation(words) or _HEADING.fullmatch(words) or _ALMOST.fullmatch(words)
        lines = [f" {words}" if mistakable else words, ""]
    if analysis.words or not analysis.relations:
        lines.append(_DASHES)
    lines += [f"{r.label}({_shown(r.head)}, {_shown(r.dependent)})" for r in analysis.relations]
    return "\n".join([*lines, "", ""])


def _shown(node: RelationNode | None) -> str:
    if node is None:
        return "_"  # not read back, and so refused
    return f"{node.text}-{node.first}" + "'" * int(node.more[0])


NOTATION = Notation(
    title="Stanford typed dependencies",
    find=_find,
    render=_text,
    carried=_carried,
    node_columns={"copy": 0},
)

FORMAT = Format(
    name="stanford",
    title=NOTATION.title,
    corpus=Relations,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut,
    write=NOTATION.write,
    aliases=("stanford-dependencies", "typeddependencies", "sd"),
)
