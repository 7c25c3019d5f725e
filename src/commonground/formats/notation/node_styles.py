"""The three ways in which grammatical relations write a node: a word, its position and its tag."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from commonground.formats.notation.relation_builder import RelationNode

__all__ = ["BARS", "COLON", "NO_TAG", "UNDERSCORE", "NodeStyle"]

_COLON = re.compile(r":([0-9]{1,9})(?::([0-9]{1,9}))?:?\Z")
_UNDERSCORE = re.compile(r"_([0-9]{1,9})\Z")
_COLON_AND_TAG = re.compile(r":([0-9]{1,9})(?:_([^_]*))?\Z")

NO_TAG = ("_",)
"""What is there besides the word and its position, where nothing is."""


class NodeStyle(NamedTuple):
    """A way: its name, what the end of a node looks like, how nodes are read and how shown."""

    name: str
    pattern: re.Pattern[str]
    node: Callable[[str], RelationNode]
    shown: Callable[[RelationNode], str]

    @property
    def comment(self) -> str:
        """The comment that tells it, where a treebank is not written in the usual way."""
        return f"# nodes = {self.name}"


def _colon_node(text: str) -> RelationNode:
    """Read ``word:1``.

    >>> _colon_node("type_I:5:6")[:3], _colon_node("array:29:")[:3], _colon_node("10:30:4")[:3]
    (('type_I', 5, 6), ('array', 29, 29), ('10:30', 4, 4))
    """
    match = _COLON.search(text)
    if not match or not match.start():
        return RelationNode(text, more=NO_TAG)
    first, last = int(match[1]), int(match[2] or match[1])
    word = text[: match.start()]
    if match[2] and not (first <= last and "_" in word):  # a word with a colon, at one position
        return RelationNode(text[: match.start(2) - 1], last, last, NO_TAG)
    return RelationNode(word, first, last, NO_TAG)


def _colon_shown(node: RelationNode) -> str:
    if node.first < 0:
        return node.text
    return f"{node.text}:{node.first}" + (f":{node.last}" if node.last != node.first else "")


def _underscore_node(text: str) -> RelationNode:
    """Read ``word_0``.

    >>> _underscore_node("Act_1")[:3], _underscore_node("obj")[:3]
    (('Act', 2, 2), ('obj', -1, -1))
    """
    match = _UNDERSCORE.search(text)
    if not match or not match.start():
        return RelationNode(text, more=NO_TAG)
    position = int(match[1]) + 1
    return RelationNode(text[: match.start()], position, position, NO_TAG)


def _underscore_shown(node: RelationNode) -> str:
    return node.text if node.first < 0 else f"{node.text}_{node.first - 1}"


def _barred_node(text: str) -> RelationNode:
    """Read what stands in the bars of ``|word:1_TAG|``.

    >>> _barred_node("be+s:4_VBZ")
    RelationNode(text='be+s', first=4, last=4, more=('VBZ',))
    """
    match = _COLON_AND_TAG.search(text)
    if not match or not match.start():
        return RelationNode(text, more=NO_TAG)
    position = int(match[1])
    return RelationNode(text[: match.start()], position, position, (match[2] or "_",))


def _barred_shown(node: RelationNode) -> str:
    if node.first < 0:
        return node.text
    tag = "" if node.more == NO_TAG else f"_{node.more[0]}"
    return f"{node.text}:{node.first}{tag}"


COLON = NodeStyle("word:1", _COLON, _colon_node, _colon_shown)
UNDERSCORE = NodeStyle("word_0", _UNDERSCORE, _underscore_node, _underscore_shown)
BARS = NodeStyle("|word:1_TAG|", _COLON_AND_TAG, _barred_node, _barred_shown)
