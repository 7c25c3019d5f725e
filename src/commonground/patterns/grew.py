r"""Requests of Grew-match, translated into the pattern language.

``pattern { V [upos=VERB]; V -[obj]-> N; N << V } without { V -[nsubj]-> S }`` becomes
``V: upos=VERB; V -[obj]-> N; N << V; not { V -[nsubj]-> S }``. Nodes with features, arcs with
labels, immediate and distant order, equations of features, ``with`` and ``without`` are translated;
what has no counterpart (``global``, names of arcs used again, commands) is refused by name.
See https://grew.fr/doc/request for the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.patterns.language import PatternError

__all__ = ["from_grew", "is_grew"]

_BLOCK = re.compile(r"\s*(pattern|request|match|with|without|global)\s*\{", re.IGNORECASE)
_NODE = re.compile(r"(\w+)\s*\[(.*)\]$", re.DOTALL)
_ARC = re.compile(r"(?:(\w+)\s*:\s*)?(\w+|\*)\s*-(?:\[(.*?)\]-)?>\s*(\w+|\*)$", re.DOTALL)
_ORDER = re.compile(r"(\w+)\s*(<<|>>|<|>)\s*(\w+)$")
_EQUATION = re.compile(r"(\w+)\.(\w+)\s*(<>|=)\s*(\w+)\.(\w+)$")
_FEATURE = re.compile(r"(!?)\s*([\w.\[\]]+)\s*(?:(<>|=)\s*(.+))?$", re.DOTALL)
_COLUMNS = {"form", "lemma", "upos", "xpos", "cat", "pos", "word"}
_OTHER_NAMES = {"cat": "upos", "pos": "xpos", "phon": "form"}


def is_grew(text: str) -> bool:
    """Tell whether a text is a request of Grew-match.

    >>> is_grew("pattern { V [upos=VERB] }"), is_grew("V: upos=VERB")
    (True, False)
    """
    return _BLOCK.match(text) is not None


def from_grew(text: str) -> str:
    """Return a request of Grew-match as a pattern.

    >>> from_grew('pattern { e: V -[obj|iobj]-> N; V [upos=VERB, lemma="see"] }')
    'V -[=obj|iobj]-> N; V: upos=VERB lemma="see"'
    >>> from_grew("pattern { A -[^punct]-> B; A.lemma = B.lemma } without { A [!Number] }")
    'A -[!=punct]-> B; A.lemma = B.lemma; not { A: Number!=* }'
    >>> from_grew("pattern { V [upos=VERB] } with { V -[obj]-> N }")
    'V: upos=VERB; not { not { V -[=obj]-> N } }'
    """
    place, parts = 0, []
    text = re.sub(r"%[^\n]*", "", text)
    while place < len(text) and text[place:].strip():
        block = _BLOCK.match(text, place)
        if not block:
            raise PatternError(f"Grew request, character {place + 1}: a block {{ … }} is expected")
        end = text.find("}", block.end())
        if end < 0:
            raise PatternError("Grew request: '}' is missing")
        kind, place = block[1].lower(), end + 1
        if kind == "global":
            raise PatternError("Grew request: 'global' has no counterpart here")
        items = "; ".join(_items(text[block.end() : end]))
        parts.append(_FRAMES.get(kind, "{}").format(items))
    return "; ".join(part for part in parts if part)


_FRAMES = {"without": "not {{ {} }}", "with": "not {{ not {{ {} }} }}"}
"""What is there (``with``) is not missing, and is counted once, however often it is there."""


def _items(text: str) -> Iterator[str]:
    for item in map(str.strip, re.split(r";|\n", text)):
        if not item:
            continue
        if node := _NODE.match(item):
            yield f"{node[1]}: {' '.join(map(_feature, _split(node[2])))}".rstrip()
        elif arc := _ARC.match(item):
            yield f"{arc[2]} -{_labels(arc[3])}> {arc[4]}"
        elif order := _ORDER.match(item):
            one, sign, other = order.groups()
            yield f"{one} {sign} {other}" if "<" in sign else f"{other} {'<' * len(sign)} {one}"
        elif equation := _EQUATION.match(item):
            one, first, sign, other, second = equation.groups()
            yield f"{one}.{first} {'!=' if sign == '<>' else '='} {other}.{second}"
        else:
            raise PatternError(f"Grew request: {item!r} has no counterpart here")


def _split(text: str) -> list[str]:
    """Return the features between commas that are in no quotation marks."""
    return [each.strip() for each in re.findall(r'(?:"[^"]*"|[^,"])+', text) if each.strip()]


def _feature(text: str) -> str:
    feature = _FEATURE.match(text)
    if not feature:
        raise PatternError(f"Grew request: {text!r} is not a feature")
    denied, name, sign, value = feature.groups()
    name = _OTHER_NAMES.get(name, name)
    if name not in _COLUMNS and not name[0].isupper():
        name = f"misc.{name}"
    if value is None:
        return f"{name}!=*" if denied else f"{name}=*"
    value = value.strip()
    if re.match(r're"|/', value):
        expression = value.removeprefix("re").strip('"/')
        return f'{name}{"!~" if sign == "<>" else "~"}"^(?:{expression})$"'
    values = [each.strip() for each in value.split("|")]
    if len(values) > 1:
        values = [each.strip('"') for each in values]
    return f"{name}{'!=' if sign == '<>' else '='}{'|'.join(values)}"


def _labels(text: str | None) -> str:
    """Return the labels of an arc; Grew takes a label literally, without its subtypes."""
    if not text:
        return ""
    denied = text.startswith("^")
    if "=" in text:
        text = "|".join(re.findall(r"\b1\s*=\s*([\w|]+)", text)) or text
        return f"[{'!' if denied else ''}{text}]-"
    return f"[{'!' if denied else ''}={text.lstrip('^').strip()}]-"
