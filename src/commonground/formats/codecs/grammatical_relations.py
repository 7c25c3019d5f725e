r"""Grammatical relations of Briscoe and Carroll, as C&C, RASP and the DepBank files write them.

A relation a line, ``(ncsubj sings:2 Birds:1 _)``, and a blank line after each sentence. Each of the
three programs has its way to write a word, and the three are told apart in each sentence:

- ``word:1``, counted from 1 (RASP's evaluation output, the shared task of 2008). A node of several
  words has the first and the last: ``type_I:5:6``.
- ``word_0``, counted from 0 (C&C), with the words after the relations:
  ``<c> Birds|bird|NNS|I-NP|O|N sing|…``, or only ``word|tag|category``.
- ``|word:1_TAG|``, counted from 1 (RASP), with the words before the relations:
  ``(|Birds| |sing|) 1 ; (-2.5)``; of several ``gr-list:`` the first, which is the best, is read.

In the corpus positions count from 1 in any case. A sentence that does not write ``word:1`` has a
comment that says so (``# nodes = word_0``), so that it is written as it was. The other comments are
the lines that begin with ``#`` or ``%``, those at the head of the file being comments of the first
sentence; before the relations there may be a line with the id of the sentence (``# sent_id = …``)
and one with its words. The number of parses and their scores, which RASP tells, are the comments
``# parses = …`` (if it is not 1) and ``# scores = …``.

Slots: of the arguments of a relation, modifiers, complements and ``ta`` have a subtype before the
head (``(xcomp to wants:2 go:4)``), subjects have their initial relation after the dependent
(``(ncsubj seen:4 He:1 obj)``), others have neither or, in the older form of the scheme, both. An
argument without a position is a node that stands for no word (``ellip``). Briscoe, T. (2006), An
introduction to tag sequence grammars and the RASP system parser.

>>> from commonground.formats import read_text
>>> corpus = read_text("(ncsubj sing_1 Birds_0 _)\n", "gr")
>>> corpus.comments.tolist(), corpus.nodes.strings("text").tolist()
(['# nodes = word_0'], ['sing', 'Birds'])
>>> corpus.nodes.numbers("first").tolist(), corpus.relations.strings("value").tolist()
([2, 1], ['_'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from commonground.corpus import Relations
from commonground.errors import Problem, quoted
from commonground.formats.format import Format
from commonground.formats.notation.line_reader import split_at_spaces, text_lines
from commonground.formats.notation.node_styles import BARS, COLON, NO_TAG, UNDERSCORE, NodeStyle
from commonground.formats.notation.relation_builder import Analysis, Notation, Relation
from commonground.plurals import number_of

__all__ = ["FORMAT"]

MODIFIERS = frozenset({"arg_mod", "cmod", "dependent", "mod", "ncmod", "ta", "xmod"})
COMPLEMENTS = frozenset({"arg", "ccomp", "clausal", "xcomp"})
SUBJECTS = frozenset({"csubj", "ncsubj", "subj", "xsubj"})
OBJECTS = frozenset({"comp", "dobj", "iobj", "obj", "obj2", "pcomp", "pmod"})
OTHERS = frozenset({"aux", "conj", "det", "passive", "quant"})
WITH_SUBTYPE = MODIFIERS | COMPLEMENTS
KNOWN = WITH_SUBTYPE | SUBJECTS | OBJECTS | OTHERS

_RELATION = re.compile(r"\(([^\s()]+)( .*)?\)")
_WORDS_OF_RASP = re.compile(r"\((.*)\) ([0-9]{1,9}) ;(?: \(([^()]*)\))?\s*")
_LIST = re.compile(r"(?:gr-list|[a-z]+-weighted): [0-9]+\s*")
_IN_BARS = re.compile(r"\|((?:[^|\\]|\\.)*)\|(?= |\Z)")
_ID = re.compile(r"# sent_id = ([^\s(#%<]\S*)")
_PARSES = re.compile(r"# parses = ([0-9]{1,9})")
_SCORES = re.compile(r"# scores = ([^()]+)")
_STARTS = ("#", "%", "(", "<c>", "gr-list")
_CANDC_COLUMNS = ("form", "tag", "lemma", "chunk", "entity", "supertag")


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file has such relations: most lines are known ones."""
    rows = [row for row in start.split("\n") if row.strip() and row[0] not in "#%"]
    relations = sum(1 for row in rows if _is_known(row))
    others = sum(
        1 for r in rows if r.startswith("<c> ") or _LIST.fullmatch(r) or _WORDS_OF_RASP.fullmatch(r)
    )
    fitting = relations + others
    return fitting / len(rows) if relations and 2 * fitting >= len(rows) else 0.0


def _is_known(row: str) -> bool:
    match = _RELATION.fullmatch(row)
    if not match or match[1].strip("|") not in KNOWN:
        return False
    arguments = (argument.strip("|") for argument in (match[2] or "").split(" "))
    return any(
        pattern.search(argument)
        for argument in arguments
        for pattern in (COLON.pattern, UNDERSCORE.pattern, BARS.pattern)
    )


class _RelationLine(NamedTuple):
    number: int
    text: str


@dataclass(slots=True)
class _RelationBlock:
    """The lines of a sentence, sorted by what they are."""

    line: int
    comments: list[str] = field(default_factory=list)
    texts: list[_RelationLine] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # how many comments stand before each text
    words: _RelationLine | None = None
    relations: list[_RelationLine] = field(default_factory=list)
    lists: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def has_only_comments(self) -> bool:
        return not (self.texts or self.words or self.relations or self.lists)


def _find(data: bytes) -> Iterator[Analysis | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    numbered = (_RelationLine(number, line) for number, line in enumerate(lines, 1))
    waiting: list[str] = []  # comments with a blank line after them belong to what follows
    for blank, group in groupby(numbered, lambda line: not line.text.strip()):
        if blank:
            continue
        block = _block(list(group), waiting)
        yield from block.problems
        if block.has_only_comments:
            waiting = block.comments
        else:
            waiting = []
            yield from _analysis(block)


def _block(lines: Sequence[_RelationLine], comments: list[str]) -> _RelationBlock:
    block = _RelationBlock(lines[0].number, comments)
    for line in lines:
        number, text = line
        if _LIST.fullmatch(text):
            block.lists += 1
        elif block.lists > 1:
            continue  # less probable parses, and weights
        elif text.startswith(("#", "%")):
            block.comments.append(text if text.startswith("#") else f"# {text}")
        elif (rasp := _WORDS_OF_RASP.fullmatch(text)) or text.startswith("<c>"):
            if block.words:
                block.problems.append(Problem(number, "the words a second time"))
            block.words = line
            block.comments += _rasp_comments(rasp) if rasp else []
        elif _RELATION.fullmatch(text):
            block.relations.append(line)
        elif block.relations or len(block.texts) == 2:
            expected = "a relation such as (dobj of:5 it:6) or a blank line is expected"
            block.problems.append(Problem(number, f"{quoted(text)}; {expected}"))
        else:
            block.texts.append(line)
            block.places.append(len(block.comments))
    return block


def _rasp_comments(match: re.Match[str]) -> list[str]:
    parses = [] if match[2] == "1" else [f"# parses = {match[2]}"]
    return [*parses, f"# scores = {match[3]}"] if match[3] else parses


def _analysis(block: _RelationBlock) -> Iterator[Analysis | Problem]:
    parsed = []
    told = _told_style(block)
    for number, text in block.relations:
        label, *arguments = (_barred if told == BARS else split_at_spaces)(text[1:-1])
        if 1 <= len(arguments) <= 4:
            parsed.append((label, arguments))
        else:
            found_so_many = f"{number_of(len(arguments), 'argument')} in {quoted(text)}"
            yield Problem(number, f"{found_so_many}; from 1 to 4 are expected")
    style = told or _shown_style([argument for _, arguments in parsed for argument in arguments])
    words, problems = _words(block)
    yield from problems
    comments = block.comments
    if style != COLON and style.comment not in comments:
        comments = [*comments, style.comment]
    relations = [_relation(label, arguments, style) for label, arguments in parsed]
    yield Analysis(block.line, comments, words, relations)


def _barred(text: str) -> list[str]:
    r"""Split at spaces, except between bars.

    >>> _barred(r"|ta| |quote| _ |a b\|:2_NN1|")
    ['ta', 'quote', '_', 'a b|:2_NN1']
    """
    arguments: list[str] = []
    place = 0
    while place < len(text):
        end = text.find(" ", place)
        end = len(text) if end < 0 else end
        if match := _IN_BARS.match(text, place):
            arguments.append(re.sub(r"\\(.)", r"\1", match[1]))
            end = match.end()
        elif end > place:
            arguments.append(text[place:end])
        place = end + 1
    return arguments


def _told_style(block: _RelationBlock) -> NodeStyle | None:
    """Return the style that a comment, the words or the labels tell, if any."""
    for style in (UNDERSCORE, BARS):
        if style.comment in block.comments:
            return style
    if block.words:
        return UNDERSCORE if block.words.text.startswith("<c>") else BARS
    return BARS if any(line.text.startswith("(|") for line in block.relations) else None


def _shown_style(arguments: Sequence[str]) -> NodeStyle:
    """Return the style of most of the arguments."""
    colons = sum(1 for argument in arguments if COLON.pattern.search(argument))
    underscores = sum(1 for argument in arguments if UNDERSCORE.pattern.search(argument))
    return UNDERSCORE if underscores > colons else COLON


def _words(block: _RelationBlock) -> tuple[list[tuple[str, ...]], list[Problem]]:
    """Return the words, if they are told, and make a comment of the id."""
    texts = [line.text for line in block.texts]
    with_id = bool(texts and (len(texts) == 2 or block.words or not re.search(r"\s", texts[0])))
    if with_id and texts[0].strip() != "_":
        block.comments.insert(block.places[0], f"# sent_id = {texts[0].strip()}")
    if len(texts) > with_id:
        again = [Problem(block.words.number, "the words a second time")] if block.words else []
        return [(word,) for word in split_at_spaces(texts[-1])], again
    if block.words is None:
        return [], []
    if rasp := _WORDS_OF_RASP.fullmatch(block.words.text):
        return [(word,) for word in _barred(rasp[1])], []
    tokens = split_at_spaces(block.words.text[3:])
    words = [_candc_word(token) for token in tokens]
    expected = "word|lemma|tag|chunk|entity|category or word|tag|category is expected"
    return [word for word in words if word], [
        Problem(block.words.number, f"{quoted(token)}; {expected}")
        for token, word in zip(tokens, words, strict=True)
        if not word
    ]


def _candc_word(token: str) -> tuple[str, ...] | None:
    """Read a word of C&C; bars in the word are bars in the lemma, too.

    >>> _candc_word("sings|sing|VBZ|I-VP|O|N/N")
    ('sings', 'VBZ', 'sing', 'I-VP', 'O', 'N/N')
    >>> _candc_word("a|b|a|b|NN|I-NP|O|N")[:3], _candc_word("Birds|NNS|N")[:2], _candc_word("a|b")
    (('a|b', 'NN', 'a|b'), ('Birds', 'NNS'), None)
    """
    fields = token.split("|")
    if len(fields) == 3:
        return (fields[0], fields[1], "_", "_", "_", fields[2])
    half, odd = divmod(len(fields) - 4, 2)
    if half < 1 or odd:
        return None
    form, lemma = "|".join(fields[:half]), "|".join(fields[half : 2 * half])
    tag, chunk, entity, supertag = fields[2 * half :]
    return (form, tag, lemma, chunk, entity, supertag)


def _relation(label: str, arguments: list[str], style: NodeStyle) -> Relation:
    """Put the arguments of a relation into their slots.

    >>> _relation("xcomp", ["to", "want:2", "go:4"], COLON).subtype
    'to'
    >>> _relation("ncsubj", ["seen:4", "He:1", "obj"], COLON).value
    'obj'
    """
    subtype = value = "_"
    if len(arguments) == 4:
        subtype, *arguments, value = arguments
    elif len(arguments) == 3:
        before, _, after = (style.node(argument).first > 0 for argument in arguments)
        at_end = label in SUBJECTS or arguments[2] == "_" or (before and not after)
        if at_end and label not in WITH_SUBTYPE:
            *arguments, value = arguments
        else:
            subtype, *arguments = arguments
    nodes = [None if argument == "_" else style.node(argument) for argument in arguments]
    return Relation(label, nodes[0], nodes[1] if len(nodes) > 1 else None, subtype, value)


def cut(block: bytes) -> int:
    """Cut after the last blank line that does not follow the comments at the head of the file."""
    place = block.rfind(b"\n\n")
    while place > 0:
        start = block.rfind(b"\n", 0, place) + 1
        if block[start : start + 1] not in (b"#", b"%", b"\n"):
            return place + 2
        place = block.rfind(b"\n\n", 0, place)
    return 0


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def _style_of(analysis: Analysis) -> NodeStyle:
    return next((s for s in (UNDERSCORE, BARS) if s.comment in analysis.comments), COLON)


def _carried(analysis: Analysis) -> Analysis:
    """Leave out the tags of nodes and of words where the style has no place for them."""
    style = _style_of(analysis)
    more = any(text != "_" for word in analysis.words for text in word[1:])
    return replace(
        analysis,
        words=[word if more and style == UNDERSCORE else word[:1] for word in analysis.words],
        relations=analysis.relations if style == BARS else list(map(_untagged, analysis.relations)),
    )


def _untagged(relation: Relation) -> Relation:
    head, dependent = (
        node and node._replace(more=NO_TAG) for node in (relation.head, relation.dependent)
    )
    return relation._replace(head=head, dependent=dependent)


def _text(analysis: Analysis) -> str:
    """Return the text of a sentence, with its comments unchanged if nothing else is understood."""
    text = _lines(analysis, _heading(analysis))
    if list(_find(text.encode("utf-8", "surrogatepass"))) == [analysis]:
        return text
    return _lines(analysis, analysis.comments)


def _heading(analysis: Analysis) -> list[str]:
    """Return the comments as lines; an id is a line of its own, and the style need not be said."""
    lines = list(analysis.comments)
    if lines and lines[-1] == _style_of(analysis).comment:
        lines.pop()
    identity = next((line for line in lines if _ID.fullmatch(line)), None)
    if identity:
        lines[lines.index(identity)] = identity.removeprefix("# sent_id = ")
    return [line.removeprefix("# ") if line.startswith("# %") else line for line in lines]


def _lines(analysis: Analysis, heading: list[str]) -> str:
    style = _style_of(analysis)
    words = [word[0] for word in analysis.words]
    relations = [_shown(relation, style) for relation in analysis.relations]
    has_id = any(not line.startswith(("#", "%")) for line in heading)
    if style == BARS:
        lines = [*_rasp_heading(heading, words), "gr-list: 1", *relations]
    elif any(len(word) > 1 for word in analysis.words):
        lines = [*heading, *relations, " ".join(["<c>", *map(_candc_shown, analysis.words)])]
    elif words:
        text = " ".join(words)
        mistakable = text.startswith(_STARTS) or (len(words) == 1 and not has_id)
        lines = [*heading, f" {text}" if mistakable else text, *relations]
    else:
        lines = [*heading, *([] if has_id or relations else ["_"]), *relations]
    return "\n".join([*lines, "", ""])


def _rasp_heading(heading: list[str], words: list[str]) -> list[str]:
    """Return the heading with the line of the words in the place of the parses and scores."""
    shown = " ".join(map(_in_bars, words))
    for place, line in enumerate(heading):
        parses, scores = _PARSES.fullmatch(line), _SCORES.fullmatch(line)
        if parses and place + 1 < len(heading):
            scores = _SCORES.fullmatch(heading[place + 1])
        if parses or scores:
            told = f"({shown}) {parses[1] if parses else 1} ; ({scores[1] if scores else ''})"
            return [*heading[:place], told, *heading[place + bool(parses) + bool(scores) :]]
    return [*heading, f"({shown}) 1 ; ()"]


def _candc_shown(word: tuple[str, ...]) -> str:
    form, tag, lemma, chunk, entity, supertag = word
    if (lemma, chunk, entity) == ("_", "_", "_"):
        return f"{form}|{tag}|{supertag}"
    return f"{form}|{lemma}|{tag}|{chunk}|{entity}|{supertag}"


def _shown(relation: Relation, style: NodeStyle) -> str:
    label, head, dependent, subtype, value = relation
    nodes = ["_" if node is None else style.shown(node) for node in (head, dependent)]
    if dependent is None and subtype == value == "_":
        arguments = nodes[:1]
    elif label in WITH_SUBTYPE and dependent and value == "_":
        arguments = [subtype, *nodes]
    elif label in SUBJECTS and dependent and subtype == "_":
        arguments = [*nodes, value]
    elif subtype == value == "_":
        arguments = nodes
    else:
        arguments = [subtype, *nodes, value]
    if style == BARS:
        label = _in_bars(label)
        arguments = ["_" if argument == "_" else _in_bars(argument) for argument in arguments]
    return f"({' '.join([label, *arguments])})"


def _in_bars(text: str) -> str:
    return "|" + re.sub(r"([|\\])", r"\\\1", text) + "|"


NOTATION = Notation(
    title="grammatical relations",
    find=_find,
    render=_text,
    carried=_carried,
    node_columns={"tag": "_"},
    word_columns=_CANDC_COLUMNS,
)

FORMAT = Format(
    name="gr",
    title="grammatical relations (C&C, RASP, DepBank)",
    corpus=Relations,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut,
    write=NOTATION.write,
    aliases=("grs", "grammatical-relations", "candc", "c&c", "rasp", "depbank"),
)
