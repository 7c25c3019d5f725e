"""What Universal Dependencies asks of a CoNLL-U file in any language: level 2 of its validator.

The 17 parts of speech and the 37 relations, the form of features, enhanced graphs in which every
node hangs on the root, and metadata: a sent_id and a text for every sentence, and a text that is
what the words say, space by space. Trees and numbers are checked elsewhere: by ``conll_problems``
where a file cannot be read, by ``corpus/wellformed`` where it can.

The names of the rules are those of https://universaldependencies.org/contributing/validation.html.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from commonground.corpus.wellformed import UNIVERSAL, deps_message, feats_message
from commonground.errors import Problem, quoted, setting
from commonground.formats.codecs.conllu import TITLES
from commonground.formats.notation.conll_lines import EMPTY, TOKEN, WORD, parse_id

__all__ = ["RELATIONS", "problems"]

RELATIONS = frozenset(
    {
        *("acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf"),
        *("compound", "conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl"),
        *("fixed", "flat", "goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod", "obj"),
        *("obl", "orphan", "parataxis", "punct", "reparandum", "root", "vocative", "xcomp"),
    }
)
"""The relations of Universal Dependencies, without subtypes."""

_ID, _FORM, _UPOS, _FEATS, _DEPREL, _DEPS, _MISC = 0, 1, 3, 5, 7, 8, 9
_TAGS = UNIVERSAL - {"_"}
_NAME = re.compile(r"[A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?")
_VALUE = re.compile(r"[A-Z0-9][A-Za-z0-9]*")
_LABEL = re.compile(r"[a-z]+(?::[a-z]+)?")
_ENHANCED = re.compile(r"[a-z]+(:[a-z]+)?(:[a-zé]+(?:_[a-zé]+)*)?(:[a-z]+)?")
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(\S+)")
_PARALLEL_ID = re.compile(
    r"#\s*parallel_id\s*=\s*(([a-z]+/[-0-9a-z]+)"
    r"(?:/(?=alt|part)(?:alt([1-9][0-9]*))?(?:part([1-9][0-9]*))?)?)"
)
_BREAK = re.compile(r"#\s*(newdoc|newpar)(?:\s+\S+)?")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
_ONCE = ("SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref")
"""What MISC can have only once."""

_MANY = 1 << 16

Row = tuple[int, list[str]]
Said = tuple[str, str]
"""A message and the name of its rule."""


@dataclass(slots=True)
class _UniversalSentence:
    """The lines of a sentence, numbered; `rows` are those with ten columns."""

    comments: list[tuple[int, str]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    whole: bool = True

    @property
    def line(self) -> int:
        return self.comments[0][0] if self.comments else self.rows[0][0]


@dataclass(slots=True)
class _Before:
    """What is remembered of the sentences before."""

    lang: str
    parallel: dict[str, tuple[int, int]] = field(default_factory=dict)  # the last alt and part
    parallel_ids: set[str] = field(default_factory=set)
    enhanced: dict[bool, int] = field(default_factory=dict)  # where the first (un)enhanced one is
    closed: bool = False  # the last word says SpaceAfter=No


def problems(data: bytes, lang: str = "ud") -> Iterator[Problem]:
    r"""Find what level 2 asks for and the content of a file does not have.

    With the code of a language, a ``/`` in a sent_id is a problem, too.

    >>> row = "1\tHi\thi\tintj\tUH\tnumber=Sing\t0\troot\t_\t_\n\n"
    >>> for problem in problems(f"# sent_id = 1\n# text = Hi\n{row}".encode()):
    ...     print(problem.line, problem.message)
    3 UPOS is 'intj'; one of the 17 universal tags is expected: did you mean 'INTJ'?
    3 FEATS has 'number=Sing'; Name=Value is expected, each beginning with a capital letter
    """
    before = _Before(lang)
    for sentence in _sentences(data.decode("utf-8", "replace")):
        if not sentence.rows:
            continue
        for line, row in sentence.rows:
            yield from (Problem(line, text, rule) for text, rule in _row(row))
        yield from _graph(sentence, before)
        yield from _ids(sentence, before)
        yield from _parallel_ids(sentence, before)
        yield from _breaks(sentence, before)
        yield from _text(sentence, before)


def _sentences(text: str) -> Iterator[_UniversalSentence]:
    sentence = _UniversalSentence()
    for number, line in enumerate(chain(text.split("\n"), [""]), 1):
        if not line.strip():
            if sentence.rows:
                yield sentence
            sentence = _UniversalSentence()
        elif line.startswith("#"):
            sentence.comments.append((number, line))
        else:
            fields = line.split("\t")
            if len(fields) == len(TITLES):
                sentence.rows.append((number, fields))
            sentence.whole &= len(fields) == len(TITLES)


# ── one line ─────────────────────────────────────────────────────────────────────────────────────


def _row(row: list[str]) -> Iterator[Said]:
    kind = parse_id(row[_ID])[0]
    if kind == TOKEN:
        yield from _token(row)
    elif kind in (WORD, EMPTY):
        if row[_UPOS] not in _TAGS and not (kind == EMPTY and row[_UPOS] == "_"):
            yield _tag(row[_UPOS]), "unknown-upos"
        yield from _feats(row[_FEATS])
        if kind == WORD:
            yield from _relation(row[_DEPREL])
        elif row[_DEPREL] != "_":
            message = f"DEPREL of an empty node is {quoted(row[_DEPREL])}; write _, and use DEPS"
            yield message, "empty-node-nonempty-field"
        yield from _arcs(row[_DEPS])
    yield from _misc(row[_MISC])


def _token(row: list[str]) -> Iterator[Said]:
    for title, value in zip(TITLES[2:-1], row[2:-1], strict=True):
        if value == "_" or title == "HEAD" or (title == "FEATS" and value == "Typo=Yes"):
            continue  # a HEAD cannot even be read
        message = (
            f"{title} of a multiword token is {quoted(value)}; write _, and annotate its words"
        )
        yield message, "mwt-nonempty-field"


def _tag(tag: str) -> str:
    hint = f": did you mean {tag.upper()!r}?" if tag.upper() in _TAGS else ""
    return f"UPOS is {quoted(tag)}; one of the 17 universal tags is expected{hint}"


@lru_cache(_MANY)
def _feats(text: str) -> tuple[Said, ...]:
    """Return what is wrong with FEATS.

    >>> [rule for _, rule in _feats("Case=Nom,Acc|number=Sing|Tense=past")]
    ['unsorted-feature-values', 'invalid-feature', 'invalid-feature']
    """
    if text == "_":
        return ()
    said: list[Said] = []
    if message := feats_message(text):
        said.append((message, "repeated-feature" if "twice" in message else "unsorted-features"))
    for feature in text.split("|"):
        name, _, value = feature.partition("=")
        values = value.split(",")
        if not _NAME.fullmatch(name) or not all(map(_VALUE.fullmatch, values)):
            message = f"FEATS has {quoted(feature)}; Name=Value is expected"
            said.append((f"{message}, each beginning with a capital letter", "invalid-feature"))
        elif len(set(values)) < len(values):
            message = f"FEATS has {quoted(feature)}; a value can occur only once"
            said.append((message, "repeated-feature-value"))
        elif [v.lower() for v in values] != sorted(v.lower() for v in values):
            message = f"FEATS has {quoted(feature)}; its values must be in alphabetical order"
            said.append((message, "unsorted-feature-values"))
    return tuple(said)


@lru_cache(_MANY)
def _relation(label: str) -> tuple[Said, ...]:
    """Return what is wrong with DEPREL.

    >>> _relation("nsubj:pass"), _relation("subj")[0][1]
    ((), 'unknown-udeprel')
    """
    if not _LABEL.fullmatch(label):
        hint = f": did you mean {label.lower()!r}?" if _known(label.lower()) else ""
        message = (
            f"DEPREL is {quoted(label)}; small letters a-z are expected, and : before a subtype"
        )
        return ((f"{message}{hint}", "invalid-deprel"),)
    if not _known(label):
        message = f"DEPREL is {quoted(label)}; one of the 37 universal relations is expected"
        return ((f"{message}, alone or with a subtype after :", "unknown-udeprel"),)
    return ()


def _known(label: str) -> bool:
    return label.partition(":")[0] in RELATIONS


@lru_cache(_MANY)
def _arcs(text: str) -> tuple[Said, ...]:
    """Return what is wrong with the labels in DEPS; its heads are checked elsewhere.

    >>> _arcs("2:obl:trotz_alledem:dat|0:root"), _arcs("4:Nsubj")[0][1]
    ((), 'invalid-edeprel')
    """
    said: list[Said] = []
    for arc in () if text == "_" else text.split("|"):
        _, colon, label = arc.partition(":")
        if not colon:
            continue
        if not _ENHANCED.fullmatch(_letters(label)):
            message = f"DEPS has {quoted(arc)}; small letters are expected in its label"
            said.append((message, "invalid-edeprel"))
        elif not _known(label) and label.partition(":")[0] != "ref":
            message = (
                f"DEPS has {quoted(arc)}; one of the 37 universal relations, or ref, is expected"
            )
            said.append((message, "unknown-eudeprel"))
    return tuple(said)


def _letters(label: str) -> str:
    """Return a label with é for all small letters, and letters without case, beyond a–z.

    >>> _letters("obl:über"), _letters("nmod:на"), _letters("conj:Ü")
    ('obl:éber', 'nmod:éé', 'conj:Ü')
    """
    if label.isascii():
        return label
    return "".join("é" if not c.isascii() and _small(c) else c for c in label)


def _small(character: str) -> bool:
    return unicodedata.category(character) in {"Ll", "Lm", "Lo", "Mn", "Mc", "Me"}


@lru_cache(_MANY)
def _misc(text: str) -> tuple[Said, ...]:
    """Return what is wrong with MISC.

    >>> [rule for _, rule in _misc("NoSpaceAfter=Yes|Gloss=a|Gloss=b")]
    ['nospaceafter-yes', 'repeated-misc']
    """
    if text == "_":
        return ()
    said: list[Said] = []
    pairs = [pair.partition("=") for pair in text.split("|")]
    if "NoSpaceAfter=Yes" in text:
        said.append(("MISC has NoSpaceAfter=Yes; write SpaceAfter=No", "nospaceafter-yes"))
    for name, _, value in pairs:
        if name == "SpaceAfter" and value != "No":
            message = f"MISC has SpaceAfter={value}; the only value is No (SpacesAfter has others)"
            said.append((message, "spaceafter-value"))
    for name, times in Counter(name for name, _, _ in pairs).items():
        if times > 1 and name in _ONCE:
            said.append((f"MISC has {name} {times} times; it can occur only once", "repeated-misc"))
    return tuple(said)


# ── the enhanced graph ───────────────────────────────────────────────────────────────────────────


def _graph(sentence: _UniversalSentence, before: _Before) -> Iterator[Problem]:
    nodes = {
        row[_ID]: (line, row[_DEPS])
        for line, row in sentence.rows
        if parse_id(row[_ID])[0] in (WORD, EMPTY)
    }
    enhanced = any(deps != "_" or "." in name for name, (_, deps) in nodes.items())
    first = sentence.rows[0][0]
    before.enhanced.setdefault(enhanced, first)
    other = before.enhanced.get(not enhanced, 0)
    if other and before.enhanced[enhanced] == first:
        has = "has an enhanced graph (DEPS)" if enhanced else "has no enhanced graph (DEPS)"
        message = f"the sentence {has}, unlike that on line {other}; give it to all or to none"
        yield Problem(first, message, "edeps-only-sometimes")
    if not enhanced or any(deps_message(deps) for _, deps in nodes.values()):
        return  # what cannot be read is told elsewhere
    if names := _unreached({name: deps for name, (_, deps) in nodes.items()}):
        listed = ", ".join(names[:8]) + " …" * (len(names) > 8)
        message = f"the enhanced graph (DEPS) does not connect {listed} with the root 0"
        yield Problem(nodes[names[0]][0], message, "unconnected-egraph")


def _unreached(deps: dict[str, str]) -> list[str]:
    """Return the nodes that cannot be reached from the root.

    >>> _unreached({"1": "0:root", "2": "1:obj", "3": "3.1:conj", "3.1": "3:conj"})
    ['3', '3.1']
    """
    below: dict[str, list[str]] = {}
    for node, text in deps.items():
        for arc in () if text == "_" else text.split("|"):
            below.setdefault(arc.partition(":")[0], []).append(node)
    seen: set[str] = set()
    waiting = ["0"]
    while waiting:
        fresh = [node for node in below.get(waiting.pop(), ()) if node not in seen]
        seen.update(fresh)
        waiting += fresh
    return [node for node in deps if node not in seen]


# ── names of sentences ───────────────────────────────────────────────────────────────────────────


def _ids(sentence: _UniversalSentence, before: _Before) -> Iterator[Problem]:
    ids, wrong = _named(sentence, "sent_id", _SENT_ID)
    for line, comment in wrong:
        message = f"{quoted(comment)}; # sent_id = NAME is expected, NAME without white space"
        yield Problem(line, message, "invalid-sent-id")
    if not ids and not wrong:
        message = "the sentence has no # sent_id; every sentence needs its own"
        yield Problem(sentence.line, message, "missing-sent-id")
    for line, match in ids[:1]:
        if match[1].count("/") > (before.lang == "ud"):
            message = f"sent_id is {quoted(match[1])}; / is reserved for parallel treebanks"
            yield Problem(line, message, "slash-in-sent-id")
    for line, _ in ids[1:]:
        yield Problem(line, "a second # sent_id; a sentence has one", "multiple-sent-id")


def _parallel_ids(sentence: _UniversalSentence, before: _Before) -> Iterator[Problem]:
    ids, wrong = _named(sentence, "parallel_id", _PARALLEL_ID)
    for line, comment in wrong:
        message = f"{quoted(comment)}; # parallel_id = corpus/sentence is expected, of a-z, digits"
        message += " and -, perhaps with /alt1 or /part1 after it"
        yield Problem(line, message, "invalid-parallel-id")
    for line, _ in ids[1:]:
        yield Problem(line, "a second # parallel_id; a sentence has one", "multiple-parallel-id")
    if len(ids) == 1:
        yield from _parallel(*ids[0], before)


def _named(
    sentence: _UniversalSentence, key: str, pattern: re.Pattern[str]
) -> tuple[list[tuple[int, re.Match[str]]], list[tuple[int, str]]]:
    """Return the comments with a key that are as they should be, and the others."""
    there = [(n, c) for n, c in sentence.comments if c[1:].lstrip().startswith(key)]
    matches = [(line, comment, pattern.fullmatch(comment)) for line, comment in there]
    return (
        [(line, match) for line, _, match in matches if match],
        [(line, comment) for line, comment, match in matches if not match],
    )


def _parallel(line: int, match: re.Match[str], before: _Before) -> Iterator[Problem]:
    """Check that the variants and parts of a parallel sentence are counted from 1."""
    whole, name = match[1], match[2]
    if whole in before.parallel_ids:
        message = f"parallel_id {quoted(whole)} is also that of an earlier sentence"
        yield Problem(line, message, "non-unique-parallel-id")
        return
    before.parallel_ids.add(whole)
    numbers = (int(match[3] or 0), int(match[4] or 0))
    last = before.parallel.get(name)
    for what, number, earlier in zip(("alt", "part"), numbers, last or (0, 0), strict=True):
        if last is not None and bool(number) != bool(earlier):
            message = (
                f"parallel_id is {quoted(whole)}; {name} has {what} in all sentences or in none"
            )
            yield Problem(line, message, f"parallel-id-{what}")
        elif number and number != earlier + 1:
            message = f"parallel_id is {quoted(whole)}; {what}{earlier + 1} is expected"
            yield Problem(line, message, f"parallel-id-{what}")
    before.parallel[name] = numbers


# ── the text ─────────────────────────────────────────────────────────────────────────────────────


def _breaks(sentence: _UniversalSentence, before: _Before) -> Iterator[Problem]:
    """Check the beginnings of documents and paragraphs."""
    seen: set[str] = set()
    for line, comment in sentence.comments:
        match = _BREAK.fullmatch(comment)
        if match and match[1] in seen:
            message = f"a second # {match[1]} before the same sentence; one is enough"
            yield Problem(line, message, f"multiple-{match[1]}")
        seen |= {match[1]} if match else set()
    if seen and before.closed:
        message = "a document or paragraph begins, but the last word before it has SpaceAfter=No"
        yield Problem(sentence.line, message, "spaceafter-newdocpar")


def _text(sentence: _UniversalSentence, before: _Before) -> Iterator[Problem]:
    texts = [(n, match[1]) for n, c in sentence.comments if (match := _TEXT.fullmatch(c))]
    if not texts:
        message = "the sentence has no # text; the words and the spaces between them are expected"
        yield Problem(sentence.line, message, "missing-text")
    for line, _ in texts[1:]:
        yield Problem(line, "a second # text; a sentence has one", "multiple-text")
    if len(texts) != 1 or not sentence.whole:
        return
    line, text = texts[0]
    if not text:
        yield Problem(line, "# text is empty; the words are expected", "empty-text")
        return
    if text[-1].isspace():
        message = f"# text ends with white space; {setting('fix')} removes it"
        yield Problem(line, message, "text-trailing-whitespace", mechanical=True)
    yield from _spelled(sentence, line, text, before)


def _spelled(
    sentence: _UniversalSentence, line: int, text: str, before: _Before
) -> Iterator[Problem]:
    """Compare the text with the words, one after the other; one difference is told."""
    rest, end, told = text, 0, False
    for number, row in sentence.rows:
        kind, first, last = parse_id(row[_ID])
        closed = "SpaceAfter=No" in row[_MISC].split("|")
        if kind == EMPTY or (kind == WORD and first <= end):
            if closed:
                where = "an empty node" if kind == EMPTY else "a word inside a multiword token"
                rule = "spaceafter-empty-node" if kind == EMPTY else "spaceafter-mwt-node"
                yield Problem(number, f"SpaceAfter=No at {where}; it has no effect there", rule)
            continue
        end = last if kind == TOKEN else end
        if told:
            continue
        if not rest.startswith(row[_FORM]):
            hint = "; is SpaceAfter=No at the word before right?" if rest[:1].isspace() else ""
            here = quoted(rest[: len(row[_FORM]) + 20])
            message = f"FORM is {quoted(row[_FORM])}, but # text goes on with {here}{hint}"
            yield Problem(number, message, "text-form-mismatch")
            told = True
            continue
        rest, before.closed = rest[len(row[_FORM]) :], closed
        if not closed and rest and not rest[0].isspace():
            message = f"# text has no space after {quoted(row[_FORM])}; MISC needs SpaceAfter=No"
            yield Problem(number, message, "missing-spaceafter")
        if not closed:
            rest = rest.lstrip()
    if rest.strip() and not told:
        message = f"# text ends with {quoted(rest)}, which no word has"
        yield Problem(line, message, "text-extra-chars")
