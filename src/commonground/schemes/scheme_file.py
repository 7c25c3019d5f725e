"""Schemes as TOML files: read, and refuse with file and line what makes no sense.

The tables of a file, all but the name and the choices optional:

    name = "mine"                 # short, for the command line
    title = "My scheme"
    reference = "where it is described"
    like = "sud"                  # all that is not said here is as in that scheme; rules for labels
                                  # are asked before its own
    commas = "above"              # those of a clause may hang on the clause above it
    roots = "several"             # a sentence may have more than one, of which one is made

    [choices]                     # a way per construction; the hub's where none is given
    adposition = "function"

    [climb.auxiliary]             # what a function word takes along; see Climb
    always = ["nsubj"]

    [find]                        # how a function word that heads its partner is found; see Find
    adposition = [{ label = ["comp"], tag = ["ADP"], partner = ["NOUN"] }]
    other = [{ label = ["AMOD"], tag = ["ADV"], partner = ["NUM"] }]  # heads without a construction

    [when]                        # which function words head their partners; see When
    determiner = { label = ["*", "!det:predet"], side = "left", unless = ["det"] }
    classifier = { over = ["NUM", "DET"] }

    [coordination]
    shared = "last"               # first, last or head
    nested = "conj:coord@emb"
    comma = true
    label = "Coord"               # of a conjunction that heads conjuncts; they have that of the
    member = "_Co"                # whole with this behind it
    apposed = "Apos"              # the same for a mark that heads the parts of an apposition
    aside = "_Ap"

    [idiom]                       # entries of MISC that tell fixed expressions; see idiom.py
    head = "Idiom=Yes"
    part = "InIdiom=Yes"

    [classes]                     # names for sets of tags or labels, to be used in lists
    nominal = ["NOUN", "PROPN"]

    [labels]
    separator = "@"               # before subtypes; "" drops those of the hub
    own = ["flat"]                # labels of what belongs to a function word itself
    technical = "AuxK"            # of marks that hang on the root, beside the predicate
    alias = { SBJ = "Sb" }        # other names of labels
    stay = ["adposition"]         # constructions whose words keep their labels; see settled.py
    same = ["det", "punct"]       # those of the hub that the scheme has too; all, if not given
    write = [{ hub = "obj", label = "comp:obj" }]                  # from the hub, the first counts
    read = [{ label = "comp:obj", hub = "ccomp", word = "VERB" }]  # to the hub

    [labels.map]                  # for both directions, where no rule fits
    nsubj = "SBJ"

    [tags]                        # what the tags of the scheme's treebanks mean
    set = "penn"                  # one of those that come along, and what it has not:
    map = { PREP = "ADP", "ADJ|POSS" = "DET" }                    # the second with a feature
    features = { MD = "VerbType=Mod" }                            # of tags in XPOS, and of features
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from commonground.errors import InputError, quoted
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_utf8, shown
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.hub import RELATIONS, TAGS
from commonground.schemes.labels import CONDITIONS, LabelRule
from commonground.schemes.scheme import OTHER, OWN, Climb, Find, Idiom, Locution, Scheme, When
from commonground.schemes.tag_set import tag_set_names

__all__ = ["PRESETS", "parse_scheme", "read_scheme"]

_TOP = (
    *("name", "title", "reference", "like", "commas", "roots", "choices", "climb", "find", "when"),
    *("coordination", "locution", "idiom", "classes", "labels", "tags"),
)
_COORDINATION = ("shared", "nested", "comma", "label", "member", "apposed", "aside")
_LOCUTION = ("label", "feature", "argument", "modifier")
_IDIOM = ("head", "part")
_PLACES = ("always", "beyond", "between", "behind")
_LABELS = (
    "separator",
    "own",
    "stay",
    "technical",
    "clause",
    "alias",
    "same",
    "write",
    "read",
    "map",
)
_TAGGED = {"word": TAGS, "over": TAGS, "head": (*TAGS, "ROOT"), "governor": (*TAGS, "ROOT")}


def read_scheme(path: str | os.PathLike[str]) -> Scheme:
    """Read a scheme from a TOML file; see :func:`parse_scheme`."""
    return parse_scheme(read_utf8(path, "a scheme in TOML is"), shown(path))


def parse_scheme(text: str, path: str = "<text>") -> Scheme:
    r"""Return the scheme that the text of a TOML file describes.

    >>> mine = parse_scheme('name = "mine"\n[choices]\nadposition = "function"')
    >>> mine.name, mine.way("adposition"), mine.way("copula")
    ('mine', 'function', 'content')
    >>> parse_scheme('name = "mine"\n[choices]\ncoupla = "content"')
    Traceback (most recent call last):
        ...
    commonground.errors.InputError: <text>:3: no construction 'coupla'; did you mean copula?
    """
    table = parse_toml(text, path)
    if "like" in table:
        table = _merged(table, _preset(table["like"], text, path))
    return _SchemeFile(text, path, table).scheme()


PRESETS = Path(__file__).parent / "presets"


def _preset(name: Any, text: str, path: str) -> dict[str, Any]:
    """Return the tables of a scheme that comes along."""
    names = sorted(preset.stem for preset in PRESETS.glob("*.toml"))
    if name not in names:
        line = _SchemeFile(text, path, {}).line(("like",))
        raise InputError(
            path, line, f"there is no scheme {quoted(str(name))}; {_hint(name, names)}"
        )
    return tomllib.loads((PRESETS / f"{name}.toml").read_text("utf-8"))


def _merged(table: Any, base: Any) -> Any:
    """Return what a file says, and what another one says that it does not; rules come first."""
    if isinstance(table, dict) and isinstance(base, dict):
        both = {name: _merged(value, base[name]) for name, value in table.items() if name in base}
        return {**base, **table, **both}
    if isinstance(table, list) and table and isinstance(table[0], dict) and isinstance(base, list):
        return [*table, *base]
    return table


class _SchemeFile:
    """A file that is being checked; every complaint names the line that it is about."""

    def __init__(self, text: str, path: str, table: dict[str, Any]) -> None:
        self.lines = text.split("\n")
        self.path = path
        self.table = table
        self.classes: dict[str, tuple[str, ...]] = {}

    def scheme(self) -> Scheme:
        self.known((), self.table, _TOP)
        name = self.text(("name",), required=True)
        if not re.fullmatch(r"[\w.-]+", name):
            self.refuse(
                ("name",), f"{quoted(name)} is not a name; letters, digits, - and . are right"
            )
        self.classes = {
            key: self.texts(("classes", key), value)
            for key, value in self.section("classes").items()
        }
        labels, coordination = self.section("labels"), self.section("coordination")
        self.known(("labels",), labels, _LABELS)
        self.known(("coordination",), coordination, _COORDINATION)
        tags = self.section("tags")
        self.known(("tags",), tags, ("set", "map", "features"))
        comma = coordination.get("comma", False)
        if not isinstance(comma, bool):
            self.refuse(("coordination", "comma"), "comma is true or false")
        own = self.texts(("labels", "own"), labels["own"]) if "own" in labels else OWN
        return Scheme(
            name=name,
            title=self.text(("title",)) or name,
            reference=self.text(("reference",)),
            path=self.path,
            choices=self.choices(),
            climb={key: self.climb(key) for key in self.section("climb")},
            find={key: self.find(key) for key in self.section("find")},
            when={key: self.when(key) for key in self.section("when")},
            shared=self.one_of(("coordination", "shared"), ("first", "last", "head")),
            nested=self.label_part(("coordination", "nested")),
            comma=comma,
            joint=self.label_part(("coordination", "label")),
            member=self.label_part(("coordination", "member")) or "_Co",
            settled=frozenset(self.settled()),
            apposed=self.label_part(("coordination", "apposed")),
            aside=self.label_part(("coordination", "aside")) or "_Ap",
            above=self.one_of(("commas",), ("inside", "above")) == "above",
            roots=self.one_of(("roots",), ("one", "several")) == "several",
            locution=self.locution(),
            idiom=self.idiom(),
            technical=self.label_part(("labels", "technical")),
            clause=self.label_part(("labels", "clause")),
            aliases=self.mapping(("labels", "alias")),
            write_rules=self.rules("write", "hub", "label"),
            read_rules=self.rules("read", "label", "hub"),
            table=self.label_map(),
            same=frozenset(self.same()),
            separator=self.label_part(("labels", "separator")) if "separator" in labels else ":",
            tags=self.tag_map(),
            tag_set=self.one_of(("tags", "set"), ("", *tag_set_names())),
            features=self.mapping(("tags", "features")),
            own=own,
        )

    # ── parts ────────────────────────────────────────────────────────────────────────────────────

    def choices(self) -> dict[str, str]:
        chosen = {}
        for key, value in self.section("choices", required=True).items():
            self.construction(("choices", key), key)
            ways = CONSTRUCTIONS[key].ways
            if not isinstance(value, str) or value not in ways:
                message = f"{key} has no way {quoted(str(value))}; there are {', '.join(ways)}"
                self.refuse(("choices", key), message)
            chosen[key] = str(value)
        return chosen

    def climb(self, key: str) -> Climb:
        self.construction(("climb", key), key)
        table = dict(self.section("climb", key))
        after = table.pop("after", None)
        if after is not None and not isinstance(after, dict):
            self.refuse(("climb", key, "after"), 'it is right as { beyond = ["…"] }')
        climb = self.places(("climb", key), table)
        if after is None:
            return climb
        return replace(climb, after=self.places(("climb", key, "after"), {**table, **after}))

    def places(self, key: tuple[str | int, ...], table: Mapping[str, Any]) -> Climb:
        self.known(key, table, (*_PLACES, "crossing"))
        always, beyond, between, behind = (
            self.texts((*key, place), table.get(place, ["*"] if place == "beyond" else []))
            for place in _PLACES
        )
        for place, patterns in zip(_PLACES, (always, beyond, between, behind), strict=True):
            self.patterns((*key, place), patterns)
        crossing = table.get("crossing", False)
        if not isinstance(crossing, bool):
            self.refuse((*key, "crossing"), "crossing is true or false")
        return Climb(always, beyond, between, behind, crossing)

    def find(self, key: str) -> tuple[Find, ...]:
        if key != OTHER:
            self.construction(("find", key), key)
        entries = self.section("find")[key]
        return tuple(
            self.one_find(key, f) for f in (entries if isinstance(entries, list) else [entries])
        )

    def one_find(self, key: str, table: Any) -> Find:
        if not isinstance(table, dict) or "label" not in table:
            self.refuse(("find", key), 'it is right as { label = ["…"], tag = ["…"] }')
        names = ("label", "tag", "partner", "feats", "without", "labelled", "partner_feats")
        self.known(("find", key), table, (*names, "side"))
        labels, tags, partner, feats, without, labelled, partner_feats = (
            frozenset(self.members(("find", key, name), table.get(name, []))) for name in names
        )
        for name, values in (("tag", tags), ("partner", partner), ("without", without)):
            self.tags(("find", key, name), sorted(values), TAGS)
        side = table.get("side", "")
        if side not in ("", "left", "right"):
            self.refuse(("find", key), "side is left or right")
        return Find(labels, tags, partner, "", feats, without, side, labelled, partner_feats)

    def when(self, key: str) -> When:
        self.construction(("when", key), key)
        table = self.section("when", key)
        patterns = {"label": ["*"], "unless": [], "across": ["*"], "also": []}
        self.known(("when", key), table, (*patterns, "side", "never", "over"))
        labels, unless, across, also = (
            self.members(("when", key, name), table.get(name, default))
            for name, default in patterns.items()
        )
        for name, given in zip(patterns, (labels, unless, across, also), strict=True):
            self.patterns(("when", key, name), given)
        side = self.one_of(("when", key, "side"), ("", "left", "right"))
        never, over = (
            self.members(("when", key, name), table.get(name, [])) for name in ("never", "over")
        )
        for name, tags in (("never", never), ("over", over)):
            self.tags(("when", key, name), tags, TAGS)
        return When(labels, side, unless, across, frozenset(never), frozenset(over), also)

    def locution(self) -> Locution | None:
        table = self.section("locution")
        self.known(("locution",), table, _LOCUTION)
        if not table:
            return None
        label, feature, argument, modifier = (
            self.text(("locution", name), required=True) for name in _LOCUTION
        )
        return Locution(label, feature, argument, modifier)

    def idiom(self) -> Idiom | None:
        table = self.section("idiom")
        self.known(("idiom",), table, _IDIOM)
        if not table:
            return None
        return Idiom(*(self.text(("idiom", name), required=True) for name in _IDIOM))

    def rules(self, direction: str, old: str, new: str) -> tuple[LabelRule, ...]:
        entries = self.section("labels").get(direction, [])
        if not isinstance(entries, list):
            self.refuse(("labels", direction), f"{direction} is a list of rules")
        return tuple(
            self.rule(("labels", direction, number), rule, old, new)
            for number, rule in enumerate(entries)
        )

    def rule(self, key: tuple[str | int, ...], rule: Any, old: str, new: str) -> LabelRule:
        if not isinstance(rule, dict) or old not in rule or new not in rule:
            self.refuse(key, f'a rule is right as {{ {old} = "…", {new} = "…" }}')
        self.known(key, rule, (old, new, *CONDITIONS))
        if not isinstance(rule[new], str):
            self.refuse(key, f"{new} is one label")
        conditions = {
            name: self.condition(key, name, value)
            for name, value in rule.items()
            if name not in (old, new)
        }
        labels = self.members(key, rule[old])
        for label in (*labels, rule[new]):
            self.label(key, label)
        for label in labels if old == "hub" else (rule[new],):
            self.relation(key, label)
        return LabelRule(labels, rule[new], conditions)

    def condition(self, key: tuple[str | int, ...], name: str, value: Any) -> tuple[str, ...]:
        if name == "function":
            if not isinstance(value, bool):
                self.refuse(key, "function is true or false")
            return (str(value).lower(),)
        values = self.members(key, value)
        if name == "side" and values not in (("left",), ("right",)):
            self.refuse(key, "side is left or right")
        if name in _TAGGED:
            self.tags(key, values, _TAGGED[name])
        if name in ("child", "no_child"):
            for label, slash, tag in (value.partition("/") for value in values):
                self.relation(key, label)
                self.tags(key, [tag] if slash else [], TAGS)
        return values

    def settled(self) -> tuple[str, ...]:
        names = self.texts(("labels", "stay"), self.section("labels").get("stay", []))
        for name in names:
            self.construction(("labels", "stay"), name)
        return names

    def same(self) -> tuple[str, ...]:
        """Return the labels that are those of the hub; where nothing is said, all are."""
        labels = self.section("labels")
        if "same" not in labels:
            return RELATIONS
        texts = self.texts(("labels", "same"), labels["same"])
        for label in texts:
            self.relation(("labels", "same"), label)
        return texts

    def label_map(self) -> dict[str, str]:
        table = self.mapping(("labels", "map"))
        for hub, label in table.items():
            self.label(("labels", "map", hub), hub)
            self.label(("labels", "map", hub), label)
            self.relation(("labels", "map", hub), hub)
        return table

    def tag_map(self) -> dict[str, str]:
        table = self.mapping(("tags", "map"))
        for own, tag in table.items():
            self.tags(("tags", "map", own), [tag], TAGS)
        return table

    # ── values ───────────────────────────────────────────────────────────────────────────────────

    def section(self, *keys: str, required: bool = False) -> dict[str, Any]:
        table: Any = self.table
        for place, key in enumerate(keys):
            if key not in table:
                if required:
                    self.refuse((), f"there is no table [{'.'.join(keys)}]")
                return {}
            table = table[key]
            if not isinstance(table, dict):
                self.refuse(keys[: place + 1], f"{key} is a table: [{'.'.join(keys[: place + 1])}]")
        return dict(table)

    def value(self, key: tuple[str, ...]) -> Any:
        return self.section(*key[:-1]).get(key[-1])

    def text(self, key: tuple[str, ...], *, required: bool = False) -> str:
        value = self.value(key)
        if value is None and not required:
            return ""
        if not isinstance(value, str):
            self.refuse(
                key if value is not None else (), f'{key[-1]} is missing or not a text: "…"'
            )
        return value

    def label_part(self, key: tuple[str, ...]) -> str:
        """Return a text that is, or becomes part of, a label; it may be empty."""
        text = self.text(key)
        if text:
            self.label(key, text)
        return text

    def one_of(self, key: tuple[str, ...], values: tuple[str, ...]) -> str:
        value = self.value(key) or values[0]
        if value not in values:
            self.refuse(key, f"{key[-1]} is {quoted(str(value))}; it is {' or '.join(values)}")
        return str(value)

    def mapping(self, key: tuple[str, ...]) -> dict[str, str]:
        table = self.section(*key)
        for name, value in table.items():
            if not isinstance(value, str):
                self.refuse((*key, name), f'{quoted(name)} is one text: "…"')
        return table

    def texts(self, key: tuple[str | int, ...], value: Any) -> tuple[str, ...]:
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            self.refuse(key, 'a text or a list of texts is expected: ["…", "…"]')
        return tuple(values)

    def members(self, key: tuple[str | int, ...], value: Any) -> tuple[str, ...]:
        """Return texts of which some may be names of classes."""
        return tuple(t for name in self.texts(key, value) for t in self.classes.get(name, (name,)))

    # ── complaints ───────────────────────────────────────────────────────────────────────────────

    def construction(self, key: tuple[str | int, ...], name: str) -> None:
        if name not in CONSTRUCTIONS:
            self.refuse(key, f"no construction {quoted(name)}; {_hint(name, CONSTRUCTIONS)}")

    def label(self, key: tuple[str | int, ...], label: str) -> None:
        """Refuse a label that would break the columns of a file in which it is written."""
        if not label:
            self.refuse(key, "a label is empty; every word needs one")
        if re.search(r"[\s\x00-\x1f\x7f-\x9f]", label):
            self.refuse(key, f"{quoted(label)} is not a label; white space would break columns")

    def relation(self, key: tuple[str | int, ...], label: str) -> None:
        """Refuse a label that the hub does not have; subtypes are free."""
        main = label.partition(":")[0]
        if main not in RELATIONS:
            message = f"{quoted(label)} is not a label of Universal Dependencies"
            self.refuse(key, f"{message}; {_hint(main, RELATIONS)}")

    def patterns(self, key: tuple[str | int, ...], patterns: Iterable[str]) -> None:
        """Refuse patterns for labels that the hub does not have; ``!`` excludes others too."""
        for pattern in patterns:
            if pattern != "*" and not pattern.startswith("!"):
                label, _, tag = pattern.partition("/")
                self.relation(key, label)
                self.tags(key, [tag] if tag else [], TAGS)

    def tags(self, key: tuple[str | int, ...], tags: Iterable[str], known: tuple[str, ...]) -> None:
        for tag in tags:
            if tag not in known:
                message = f"{quoted(tag)} is neither a part of speech (UPOS) nor a class"
                self.refuse(key, f"{message}; {_hint(tag, (*known, *self.classes))}")

    def known(
        self, key: tuple[str | int, ...], table: Mapping[str, Any], names: Iterable[str]
    ) -> None:
        names = tuple(names)
        for name in table:
            if name not in names:
                place = key if key and isinstance(key[-1], int) else (*key, name)
                self.refuse(place, f"{quoted(name)} has no meaning here; {_hint(name, names)}")

    def refuse(self, key: tuple[str | int, ...], message: str) -> NoReturn:
        raise InputError(self.path, self.line(key), message)

    def line(self, key: tuple[str | int, ...]) -> int:
        """Return the line on which a key of the file stands, as well as it can be told."""
        if not key:
            return 1
        names = [part for part in key if isinstance(part, str)]
        lines = (self._key_line(names[:count]) for count in range(len(names), 0, -1))
        line = next((line for line in lines if line), 1)
        number = next((part for part in key if isinstance(part, int)), None)
        if number is None:
            return line
        rules = [n for n, text in enumerate(self.lines[line:], line + 1) if "{" in text]
        return rules[number] if number < len(rules) else line

    def _key_line(self, names: list[str]) -> int:
        """Return the line of a key or a table, 0 where there is none."""
        table = ""
        wanted = ".".join(names)
        for number, text in enumerate(self.lines, 1):
            header = re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]", text)
            if header:
                table = header[1].replace('"', "")
                if table == wanted:
                    return number
                continue
            entry = re.match(r"""\s*("[^"]*"|'[^']*'|[\w."':@-]+)\s*=""", text)
            if entry:
                key = entry[1].strip("\"'")
                if (f"{table}.{key}" if table else key) == wanted:
                    return number
        return 0


def _hint(name: str, names: Iterable[str]) -> str:
    names = list(names)
    near = get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
