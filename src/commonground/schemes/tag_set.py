"""Sets of tags, and which of them a treebank has: told by its tags.

All rules of schemes speak of the parts of speech of Universal Dependencies (UPOS). A **tag set**
says which of them each tag of a treebank can be, and which features come along: ``VBZ`` of the Penn
Treebank is a verb, and finite. A tag that can be several (``IN`` is a preposition or a
subordinator) has them all; the arcs tell which it is (see :mod:`commonground.schemes.ambiguous`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from commonground.corpus import Dependencies
from commonground.errors import UsageError, quoted, setting
from commonground.schemes.hub import TAGS

__all__ = [
    "NO_TAGS",
    "UNIVERSAL",
    "TagSet",
    "Tagging",
    "find_tag_set",
    "recognise",
    "tag_set_names",
]

_FOLDER = Path(__file__).parent / "tagsets"
_BLANK = "_"
_ENOUGH = 0.9
"""The share of tagged words that must have a tag of a set for it to be recognised."""


@dataclass(frozen=True)
class TagSet:
    """The tags of some treebanks: the UPOS that each can be, the most frequent one first.

    ``ADJ|POSS`` is the tag ``ADJ`` of a word with the feature ``POSS``. The groups of the regular
    expression `pattern` are the parts of a longer tag that are looked up where the tag itself is
    not known, together or, if there is nothing so long, the first one (``PS`` and ``P`` of
    ``PSNS1-S1-------``); named groups, and the rest of such a tag, are features (``case=2``,
    ``WW(pv,tgw,ev)``). `features` translates
    features and tags to features of Universal Dependencies. `copulas` has the forms of a verb that
    is an auxiliary nearly always, where the tags of verbs do not tell.

    >>> stts = find_tag_set("stts")
    >>> stts.options("PPER"), stts.knows("NOUN")
    (('PRON',), False)
    >>> find_tag_set("alpino").options("WW(pv,tgw,ev)"), find_tag_set("penn").options("IN")
    (('VERB', 'AUX'), ('ADP', 'SCONJ'))
    """

    name: str
    title: str = ""
    reference: str = ""
    map: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    features: Mapping[str, str] = field(default_factory=dict)
    pattern: str = ""
    copulas: frozenset[str] = frozenset()

    @cached_property
    def _longer(self) -> re.Pattern[str] | None:
        return re.compile(self.pattern) if self.pattern else None

    def main(self, tag: str) -> str:
        """Return the part of a tag that is looked up."""
        if tag in self.map or self._longer is None:
            return tag
        first, *more = self._groups(tag) or [tag]
        whole = "".join([first, *more])
        return whole if whole in self.map else first

    def _groups(self, tag: str) -> list[str]:
        match = self._longer.fullmatch(tag) if self._longer else None
        if match is None:
            return []
        named = match.re.groupindex.values()
        return [one for place, one in enumerate(match.groups(), 1) if one and place not in named]

    def knows(self, tag: str) -> bool:
        """Tell whether a tag belongs to the set."""
        return self.main(tag) in self.map

    def options(self, tag: str, feats: str = _BLANK) -> tuple[str, ...]:
        """Return the UPOS that a word with a tag and features can be; what is not known is ``X``.

        A tag that is no longer one of the set, but a UPOS, is that.
        """
        main = self.main(tag)
        more = self.parts(feats) if "(" in feats else ()
        for feature in (*feats.split("|"), *more, *self.parts(tag)):
            special = self.map.get(f"{main}|{feature}")
            if special:
                return special
        return self.map.get(main) or ((tag,) if tag in TAGS else ("X",))

    def parts(self, tag: str) -> list[str]:
        """Return the features that are part of a tag.

        >>> find_tag_set("alpino").parts("VG(neven)")
        ['VG', 'neven']
        """
        if tag in self.map or self._longer is None:
            return []
        match = self._longer.fullmatch(tag)
        named = match.groupdict().items() if match else ()
        features = [f"{name}={value}" for name, value in named if value]
        return [*dict.fromkeys(["".join(self._groups(tag)), *re.findall(r"\w+", tag), *features])]


UNIVERSAL = TagSet("ud", "Universal Dependencies (UPOS)", map={tag: (tag,) for tag in TAGS})
"""The parts of speech of the hub itself."""

NO_TAGS = TagSet("none", "no tags: labels only")
"""What a treebank has whose words have no tags."""


def tag_set_names() -> list[str]:
    """Return the names of the tag sets that come along.

    >>> tag_set_names()
    ['alpino', 'eagles', 'parole', 'penn', 'prague', 'stts', 'tut', 'ud']
    """
    return sorted([UNIVERSAL.name, *(path.stem for path in _FOLDER.glob("*.toml"))])


@lru_cache
def find_tag_set(name: str) -> TagSet:
    """Return a tag set by its name."""
    for known in (UNIVERSAL, NO_TAGS):
        if name == known.name:
            return known
    if name not in tag_set_names():
        raise UsageError(
            f"there is no tag set {quoted(name)}; there are {', '.join(tag_set_names())}, and none"
        )
    table = tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))
    options: dict[str, tuple[str, ...]] = {}
    for upos, tags in table["map"].items():
        for tag in tags:
            options[tag] = (*options.get(tag, ()), upos)
    return TagSet(
        table["name"],
        table["title"],
        table["reference"],
        options,
        table.get("features", {}),
        table.get("pattern", ""),
        frozenset(table.get("copulas", ())),
    )


@dataclass(frozen=True, slots=True)
class Tagging:
    """The tag set of a treebank, the column that has its tags, and how many tags are not in it."""

    tags: TagSet
    column: str = "upos"
    unknown: int = 0


def recognise(
    corpus: Dependencies, own: TagSet | None = None, *, untagged: bool = False
) -> Tagging:
    """Tell by its tags which tag set a treebank has, and in which column.

    It is the set that has most of the tags; of several, that of the scheme (`own`), then UPOS. A
    treebank that has tags of no set is refused, and one without any tags unless it may be
    `untagged`.

    >>> from commonground.corpus import Strings
    >>> words = Dependencies.of([(["the", "city"], [2, 0], ["NMOD", "ROOT"])]).words
    >>> penn = Dependencies({"words": words.replace(xpos=Strings.of(["DT", "NN"]))})
    >>> recognise(penn).tags.name, recognise(penn).column
    ('penn', 'xpos')
    """
    sets = [own] if own else []
    sets += [UNIVERSAL, *(find_tag_set(name) for name in tag_set_names() if name != "ud")]
    best, likeliest = 0.0, None
    for column in ("upos", "xpos"):
        counts = corpus.words.strings(column).counts()
        total = sum(count for tag, count in counts.items() if tag != _BLANK)
        for tags in sets if total else ():
            known = sum(count for tag, count in counts.items() if tags.knows(tag))
            if known / total > best + (likeliest is not None and likeliest.column != column) * 0.05:
                best, likeliest = known / total, Tagging(tags, column, total - known)
    if likeliest is not None and best >= _ENOUGH:
        return likeliest
    if likeliest is None and not any(_tags_of(corpus)):
        if untagged or not corpus.words.rows:
            return Tagging(NO_TAGS)
        raise UsageError(
            "the words have no tags, which this scheme needs; tag them first, or use "
            f"{setting('tagset', 'none')} to rely on labels only"
        )
    shown = ", ".join(sorted(_tags_of(corpus))[:5])
    raise UsageError(
        f"the tags ({shown}, …) belong to no known tag set: {', '.join(tag_set_names())}; "
        f"{setting('tagset', 'NAME')} names the nearest one, a scheme in a TOML file can map "
        f"them under [tags.map], and {setting('tagset', 'none')} relies on labels only"
    )


def _tags_of(corpus: Dependencies) -> set[str]:
    columns = (corpus.upos.counts(), corpus.xpos.counts())
    return {tag for counts in columns for tag in counts} - {_BLANK}
