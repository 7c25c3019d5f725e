r"""F-structures as triples, as in the PARC 700 Dependency Bank.

A sentence is ``sentence(``, its fields ``id(…)``, ``date(…)``, ``validators(…)`` and
``sentence_form(…)``, which become the comments ``sent_id``, ``date``, ``validators`` and ``text``,
and ``structure(`` with a feature a line: ``subj(sing~0, bird~1)`` is a relation between two nodes,
which are a lemma and a number each; ``num(bird~1, pl)`` has an atom, the value of the relation. The
two closing parentheses stand on lines of their own or after the last feature. A backslash in a
field is an escape (``In this study\, we …``).

A feature or a field may go on on the next line, and a node may have no number (``pro~``).

The numbers are names, not positions, so that a node stands for no known word. Further comments,
words and subtypes have no place in the format and are not written. King, T. H., et al. (2003), The
PARC 700 Dependency Bank.

>>> from commonground.formats import read_text
>>> features = "subj(sing~0, bird~1)\nnum(bird~1, pl)"
>>> corpus = read_text(f"sentence(\nid(1)\nstructure(\n{features})\n)\n", "parc")
>>> corpus.nodes.strings("text").tolist(), corpus.nodes.numbers("number").tolist()
(['sing', 'bird'], [0, 1])
>>> corpus.dependent.tolist(), corpus.relations.strings("value").tolist()
([1, -1], ['_', 'pl'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from commonground.corpus import Relations
from commonground.errors import Problem, quoted
from commonground.formats.format import Format
from commonground.formats.notation.line_reader import text_lines
from commonground.formats.notation.relation_builder import (
    Analysis,
    Notation,
    Relation,
    RelationNode,
)

__all__ = ["FORMAT"]

_FIELDS = {"id": "sent_id", "date": "date", "validators": "validators", "sentence_form": "text"}
_FIELD = re.compile(r"(id|date|validators|sentence_form)\((.*)\),?")
_AFTER_HEAD = re.compile(r"~([0-9]{0,9}),\s*")
_NUMBER = re.compile(r"~([0-9]{0,9})\Z")
_NO_NUMBER = -1
_MOST_LINES = 8
_CLOSING = re.compile(r"[)\s]+")
_EXPECTED = "a feature such as subj(sing~0, bird~1) or num(bird~1, pl) is expected"


class _FactLine(NamedTuple):
    number: int
    text: str


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file has such f-structures: it says so."""
    rows = [row.strip() for row in start.split("\n") if row.strip()]
    structured = any(row.startswith("structure(") for row in rows)
    return 1.0 if structured and rows[0] == "sentence(" else 0.0


def _find(data: bytes) -> Iterator[Analysis | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    sentence: list[_FactLine] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text == "sentence(":
            if sentence:
                yield from _sentence(sentence)
            sentence = [_FactLine(number, text)]
        elif text and sentence:
            sentence.append(_FactLine(number, text))
        elif text:
            yield Problem(number, f"{quoted(text)}; sentence( is expected")
    if sentence:
        yield from _sentence(sentence)


def _sentence(lines: Sequence[_FactLine]) -> Iterator[Analysis | Problem]:
    fields: dict[str, str] = {}
    start = next((at for at, line in enumerate(lines) if line.text.startswith("structure(")), None)
    for number, text in _whole(lines[1:start]):
        field = _FIELD.fullmatch(text)
        if not field:
            expected = "id(…), date(…), validators(…), sentence_form(…) or structure( is expected"
            yield Problem(number, f"{quoted(text)}; {expected}")
        elif field[1] in fields:
            yield Problem(number, f"{field[1]}(…) a second time")
        else:
            fields[field[1]] = _unescaped(field[2])
    if start is None:
        yield Problem(lines[0].number, "a sentence without structure(")
        return
    told = {comment: fields.get(field, "") for field, comment in _FIELDS.items()}
    analysis = Analysis(lines[0].number, _comments(told))
    first = _FactLine(lines[start].number, lines[start].text.removeprefix("structure("))
    features = [line for line in (first, *lines[start + 1 :]) if line.text]
    closed, features = _without_closing(features)
    if not closed:
        expected = "two ), which close structure and sentence, are expected at the end"
        yield Problem(lines[-1].number, f"{quoted(lines[-1].text)}; {expected}")
    for number, text in _whole(features):
        relation = _relation(text)
        if relation:
            analysis.relations.append(relation)
        else:
            yield Problem(number, f"{quoted(text)}; {_EXPECTED}")
    yield analysis


def _whole(lines: Sequence[_FactLine]) -> Iterator[_FactLine]:
    """Put lines together that go on on the next one: they do not end with a parenthesis."""
    at = 0
    while at < len(lines):
        number, text = lines[at]
        at += 1
        end = min(len(lines), at + _MOST_LINES)
        stop = next((i for i in range(at - 1, end) if _ended(lines[i].text)), at - 1)
        if stop >= at and not any(_starts(line.text) for line in lines[at : stop + 1]):
            text = " ".join([text, *(line.text for line in lines[at : stop + 1])])
            at = stop + 1
        yield _FactLine(number, text)


def _ended(text: str) -> bool:
    return text.removesuffix(",").endswith(")")


def _starts(text: str) -> bool:
    """Tell whether a line is a field or feature of its own."""
    return bool(_FIELD.fullmatch(text)) or _relation(text) is not None


def _comments(told: Mapping[str, str]) -> list[str]:
    return [f"# {name} = {text.strip()}" for name, text in told.items() if text.strip()]


def _without_closing(lines: list[_FactLine]) -> tuple[bool, list[_FactLine]]:
    """Take away the two parentheses that close structure and sentence, wherever they stand."""
    missing = 2
    while lines and missing and _CLOSING.fullmatch(lines[-1].text):
        missing -= lines[-1].text.count(")")
        lines = lines[:-1]
    if lines and missing > 0:
        number, text = lines[-1]
        closed = text.endswith(")" * (missing + 1))
        return closed, [*lines[:-1], _FactLine(number, text[:-missing] if closed else text)]
    return missing == 0, lines


def _relation(text: str) -> Relation | None:
    """Read a feature.

    >>> _relation("obj(of~20, I kappa B~26)").dependent
    RelationNode(text='I kappa B', first=-1, last=-1, more=(26,))
    """
    label, parenthesis, rest = text.removesuffix(",").partition("(")
    head = _AFTER_HEAD.search(rest)
    if not (head and head.start() and parenthesis and rest.endswith(")")):
        return None
    if not label or re.search(r"\s", label):
        return None
    second = rest[head.end() : -1]
    node = _node(rest[: head.start()], head)
    match = _NUMBER.search(second)
    if match and match.start():
        return Relation(label, node, _node(second[: match.start()], match))
    return Relation(label, node, value=second) if second else None


def _node(text: str, match: re.Match[str]) -> RelationNode:
    return RelationNode(text, more=(int(match[1] or _NO_NUMBER),))


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def cut(block: bytes) -> int:
    """Cut before the last sentence."""
    return block.rfind(b"\nsentence(") + 1


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def _carried(analysis: Analysis) -> Analysis:
    told = dict(line.partition(" = ")[::2] for line in reversed(analysis.comments))
    return Analysis(
        0,
        _comments({name: told.get(f"# {name}", "") for name in _FIELDS.values()}),
        relations=[
            Relation(label, head, dependent, value="_" if dependent else value)
            for label, head, dependent, _, value in analysis.relations
        ],
    )


def _text(analysis: Analysis) -> str:
    names = {f"# {name}": field for field, name in _FIELDS.items()}
    lines = ["sentence("]
    for comment in analysis.comments:
        name, _, content = comment.partition(" = ")
        indent = "" if name == "# text" else "  "
        escaped = content.replace("\\", "\\\\")
        lines.append(f"{indent}{names[name]}({escaped})")
    lines.append("structure(")
    lines += [f"   {_shown(relation)}" for relation in analysis.relations]
    return "\n".join([*lines, ")", ")", "", "", ""])


def _shown(relation: Relation) -> str:
    head, dependent = (
        node and f"{node.text}~{'' if node.more[0] == _NO_NUMBER else node.more[0]}"
        for node in (relation.head, relation.dependent)
    )
    return f"{relation.label}({head or ''}, {dependent or relation.value})"


NOTATION = Notation(
    title="f-structure triples",
    find=_find,
    render=_text,
    carried=_carried,
    node_columns={"number": -1},
)

FORMAT = Format(
    name="parc",
    title="PARC f-structure triples",
    corpus=Relations,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut,
    write=NOTATION.write,
    aliases=("parc700", "f-structures", "xle"),
)
