"""Sentences as somebody wrote them, before anything is mended."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.repair.defects import Defect
from commonground.repair.nearest_tree import MISSING, tree_defects

__all__ = ["Draft", "DraftToken", "DraftWord", "Draftings", "with_tree_defects"]


@dataclass(frozen=True, slots=True)
class DraftWord:
    """A word: its columns, and its head as a place among the words of its draft, from 1.

    `number` is the ID that it was given (0 for none), `wanted` the ID of a head that no word has.
    """

    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: int = MISSING
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"
    number: int = 0
    wanted: int = 0
    line: int = 0


@dataclass(frozen=True, slots=True)
class DraftToken:
    """A multiword token: its first and last word, and its columns after the ID."""

    first: int
    last: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence: comments, words, multiword tokens, and what is wrong with them.

    `source` has the lines as they stand, if they can stay as they are. The words of a draft that is
    `unordered` may stand in any order.
    """

    words: tuple[DraftWord, ...]
    comments: tuple[str, ...] = ()
    tokens: tuple[DraftToken, ...] = ()
    defects: tuple[Defect, ...] = ()
    source: str = ""
    line: int = 0
    unordered: bool = False

    @property
    def sent_id(self) -> str:
        """The ``sent_id`` in the comments, if any."""
        for comment in self.comments:
            key, equals, value = comment.lstrip("# ").partition("=")
            if equals and key.strip() == "sent_id":
                return value.strip()
        return ""

    def surface(self) -> list[str]:
        """Return what stands in the text: multiword tokens in place of their words."""
        inside = {
            word: token for token in self.tokens for word in range(token.first, token.last + 1)
        }
        return [
            inside[place].fields[0] if place in inside else word.form
            for place, word in enumerate(self.words, 1)
            if place not in inside or inside[place].first == place
        ]


@dataclass(frozen=True, slots=True)
class Draftings:
    """The drafts of a file, and the defects that belong to none of them."""

    drafts: tuple[Draft, ...]
    defects: tuple[Defect, ...] = ()


def with_tree_defects(words: tuple[DraftWord, ...]) -> list[Defect]:
    """Return what keeps the words of a draft from being a tree."""
    heads = [word.head for word in words]
    wrong = tree_defects(heads, [word.deprel for word in words])
    defects = [
        Defect(
            "cycle", words[circle[0] - 1].line, f"the heads of {_named(words, circle)} form a cycle"
        )
        for circle in wrong.circles
    ]
    defects += [
        Defect("own-head", words[word - 1].line, f"{_named(words, (word,))} is its own head")
        for word in wrong.own
    ]
    if wrong.roots:
        line = words[wrong.roots[1] - 1].line
        defects.append(Defect("several-roots", line, f"{_named(words, wrong.roots)} are roots"))
    if wrong.rootless:
        defects.append(Defect("no-root", words[0].line, "no word is the root"))
    return defects


_NAMED = 5


def _named(words: tuple[DraftWord, ...], places: tuple[int, ...]) -> str:
    named = [f"{place} {words[place - 1].form[:20]!r}" for place in places[:_NAMED]]
    return ", ".join([*named, *["…"][: len(places) > _NAMED]])
