"""What is wrong with a corpus that could be read: what is no tree, and what contradicts itself.

A format's reader refuses what it cannot make sense of. What is left is found here, with whole
columns; only where something is wrong, a loop says what it is:

- Dependencies: heads that run in a circle, no root or several, words without a head, an enhanced
  graph (DEPS) that cannot be read or is not in order, ``# text`` that is not what the words say, a
  ``sent_id`` that another sentence has, and, where the parts of speech are the universal ones,
  features that are not in alphabetical order or given twice. Labels are everybody's own business.
- Constituents: a trace or a gap (``NP=1``) whose index no phrase has, and an index that two phrases
  have. Several phrases at the top and phrases that cross are well-formed.
- Relations and alignments: what stands for a word that the sentence does not have.
- Graphs: anchors that are not in the text, and two graphs of a sentence in the same framework.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import singledispatch
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.alignments import Alignments
from commonground.corpus.constituents import Constituents
from commonground.corpus.corpus import Corpus
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.deps import EnhancedArc, arcs_in
from commonground.corpus.graphs import Graphs
from commonground.corpus.labels import split_label
from commonground.corpus.relations import Relations
from commonground.corpus.strings import Strings, Vocabulary
from commonground.corpus.table import Table, offsets_of
from commonground.errors import Problem, quoted, setting
from commonground.kernels import load
from commonground.plurals import number_of

__all__ = ["FirstLines", "deps_message", "feats_message", "problems"]

Rows = NDArray[np.int64]
Problems = Iterator[tuple[int, int, str]]
"""What is wrong: in which sentence (from 0), on which line, and what it is."""

MOST_NAMED = 8
"""Maximum number of words that a message names; the rest is dots."""

UNIVERSAL = frozenset(
    {
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON"),
        *("PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "_"),
    }
)
_FEATURE = re.compile(r"([A-Z0-9][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=[A-Z0-9][A-Za-z0-9]*(?:,[^|]+)?")
_TRACE = re.compile(r"\*.*-([0-9]+)", re.DOTALL)
_INDICES = 1 << 32
"""More than there are different indices in a corpus."""


FirstLines = dict[tuple[str, str], int]
"""The lines where graphs begin (0: in no file), by their frameworks and ids."""


def problems(
    corpus: Corpus, *, partial: bool = False, ids: FirstLines | None = None
) -> Iterator[Problem]:
    """Find everything that is wrong with a corpus, in the order of its sentences.

    With `partial`, words may be without a head. `ids` are those of the graphs before these in the
    same file; these are added. A sentence that comes from no file has no line; it
    is named in the message.

    >>> for problem in problems(Dependencies.of([(["a", "b", "c"], [2, 1, 0], ["_"] * 3)])):
    ...     print(problem.message)
    sentence 1: the heads of 1 'a' → 2 'b' → 1 form a cycle; every word must lead to the root
    """
    found = _found(corpus, partial)
    if isinstance(corpus, Graphs):
        found = chain(_same_graphs(corpus, {} if ids is None else ids), found)
    ordered = sorted(found, key=lambda item: item[:2])
    for sentence, line, message in ordered:
        yield Problem(line, message if line else f"sentence {sentence + 1}: {message}")


@singledispatch
def _found(corpus: Corpus, partial: bool) -> Problems:  # noqa: ARG001, FBT001  # as its variants
    return _repeated_ids(corpus)


def _repeated_ids(corpus: Corpus) -> Problems:
    ids, lines = corpus.metadata("sent_id"), corpus.lines
    named = np.flatnonzero(ids.where(bool))
    _, first, code = np.unique(ids.codes[named], return_index=True, return_inverse=True)
    before = named[first[code]]
    for sentence, other in zip(
        named[before != named].tolist(), before[before != named].tolist(), strict=True
    ):
        where = f"on line {lines[other]}" if lines[other] else f"{other + 1}"
        message = f"sent_id {quoted(ids[sentence])} is also that of the sentence {where}"
        line = int(lines[sentence])
        if isinstance(corpus, Dependencies):  # other formats have no comments, only metadata
            line = _comment_line(corpus.comments[sentence], line, "sent_id")
        yield sentence, line, f"{message}; every sentence needs its own"


def _comment_line(comments: str, line: int, key: str) -> int:
    r"""Return the line of the comment ``# key = …`` of a sentence that begins on `line`.

    >>> _comment_line("# sent_id = 1\n# text = Hi", 10, "text")
    11
    """
    pattern = re.compile(rf"#\s*{key}\s*=")
    return line and line + [bool(pattern.match(c)) for c in comments.split("\n")].index(True)


# ── dependencies ─────────────────────────────────────────────────────────────────────────────────


@_found.register
def _(corpus: Dependencies, partial: bool) -> Problems:  # noqa: FBT001  # as its variants
    yield from _repeated_ids(corpus)
    yield from _tree_problems(corpus, partial=partial)
    yield from _graph_problems(corpus)
    yield from _feature_problems(corpus)
    yield from _text_problems(corpus)


def _tree_problems(corpus: Dependencies, *, partial: bool) -> Problems:
    words, lines = corpus.words, corpus.lines_of_words()
    sentence = words.sentence_of_row()
    length = np.repeat(words.lengths, words.lengths)
    outside = (corpus.head < -1) | (corpus.head > length)
    heads = np.where(outside, -1, corpus.head).astype(np.int32)
    for row in np.flatnonzero(outside).tolist():
        message = (
            f"HEAD is {corpus.head[row]}; the sentence has {number_of(int(length[row]), 'word')}"
        )
        yield int(sentence[row]), int(lines[row]), message
    on_cycle = load("trees").cycles(heads, words.offsets)
    for cycle in _cycles(heads, on_cycle, words.offsets[sentence]):
        start = int(words.offsets[sentence[cycle[0]]])
        yield int(sentence[cycle[0]]), int(lines[cycle[0]]), _cycle_message(corpus, cycle, start)
    unknown = corpus.head == -1
    if not partial:
        for rows in _together(np.flatnonzero(unknown), sentence):
            named = _places(rows - words.offsets[sentence[rows[0]]])
            message = (
                f"no HEAD for {named}; give every word one, or allow partial trees "
                f"({setting('partial')})"
            )
            yield int(sentence[rows[0]]), int(lines[rows[0]]), message
    roots = np.bincount(sentence[heads == 0], minlength=words.sentences)
    whole = np.bincount(sentence[heads == -1], minlength=words.sentences) == 0
    for place in np.flatnonzero((roots == 0) & whole & (words.lengths > 0)).tolist():
        line = int(lines[words.offsets[place]])
        yield place, line, "no word has HEAD 0; one word of a sentence must be the root"
    # In the Prague treebanks the final stop hangs on the technical root, beside the predicate.
    final = (heads == 0) & corpus.deprel.where(lambda label: label == "AuxK")
    roots -= np.minimum(np.bincount(sentence[final], minlength=words.sentences), roots - 1)
    for rows in _together(np.flatnonzero((heads == 0) & (roots > 1)[sentence]), sentence):
        named = _places(rows - words.offsets[sentence[rows[0]]])
        message = f"HEAD is 0 for {named}; only one word can be the root"
        yield int(sentence[rows[0]]), int(lines[rows[1]]), message


def _cycles(
    heads: NDArray[np.int32], on_cycle: NDArray[np.bool_], start: Rows
) -> Iterator[list[int]]:
    """Return the rows of each cycle, from its first word from head to head."""
    seen: set[int] = set()
    for row in np.flatnonzero(on_cycle).tolist():
        cycle: list[int] = []
        at = row
        while at not in seen:
            seen.add(at)
            cycle.append(at)
            at = int(start[at] + heads[at] - 1)
        if cycle:
            yield cycle


def _cycle_message(corpus: Dependencies, cycle: list[int], start: int) -> str:
    named = [f"{row - start + 1} {quoted(corpus.form[row], 20)}" for row in cycle[:MOST_NAMED]]
    if len(cycle) == 1:
        return f"word {named[0]} is its own head; every word must lead to the root"
    dots = ["…"] if len(cycle) > MOST_NAMED else []
    way = " → ".join([*named, *dots, str(cycle[0] - start + 1)])
    return f"the heads of {way} form a cycle; every word must lead to the root"


def _together(rows: Rows, sentence: Rows) -> Iterator[Rows]:
    """Return the rows in groups that are in the same sentence."""
    if len(rows):
        yield from np.split(rows, np.flatnonzero(np.diff(sentence[rows])) + 1)


def _places(rows: Rows) -> str:
    """Name words by their numbers in their sentence.

    >>> _places(np.array([0, 4]))
    'words 1, 5'
    """
    return f"word{'s' if len(rows) > 1 else ''} {_listed([str(row + 1) for row in rows.tolist()])}"


def _listed(names: list[str]) -> str:
    return ", ".join([*names[:MOST_NAMED], *["…"][: len(names) > MOST_NAMED]])


def _nodes(corpus: Dependencies) -> Iterator[tuple[Table, Rows, Rows, Rows]]:
    """Return the words, then the empty nodes: the table, the lines, and the parts of the IDs."""
    words, empties = corpus.words, corpus.empties
    place = words.row_in_sentence() + 1
    yield words, corpus.lines_of_words(), place, np.zeros_like(place)
    if empties.rows:
        major, minor = empties.numbers("major"), empties.numbers("minor")
        yield empties, corpus.lines_of_empties(), major.astype(np.int64), minor.astype(np.int64)


def _graph_problems(corpus: Dependencies) -> Problems:
    """Find what is wrong with the enhanced graph, at most one thing for each node."""
    for table, lines, own_major, own_minor in _nodes(corpus):
        if "deps" not in table:
            continue
        deps, sentence = table.strings("deps"), table.sentence_of_row()
        told: dict[int, str] = {
            row: deps_message(deps[row])
            for row in np.flatnonzero(deps.where(lambda text: bool(deps_message(text)))).tolist()
        }
        row, major, minor = _arcs(deps)
        for arc in np.flatnonzero((major == own_major[row]) & (minor == own_minor[row])).tolist():
            told.setdefault(int(row[arc]), "DEPS names the node itself as its head")
        for arc in _without_head(corpus, sentence[row], major, minor):
            head = f"{major[arc]}.{minor[arc]}" if minor[arc] else f"{major[arc]}"
            message = f"DEPS names the head {head}, which the sentence does not have"
            told.setdefault(int(row[arc]), message)
        for at, message in told.items():
            yield int(sentence[at]), int(lines[at]), message


def deps_message(text: str) -> str:
    """Return what is wrong with a text in DEPS, or the empty string.

    >>> deps_message("5.1:nsubj|2:conj:and")
    "DEPS is '5.1:nsubj|2:conj:and'; its heads must be in ascending order"
    """
    arcs = _parse_deps(text)
    if arcs is None:
        return f"DEPS is {quoted(text)}; pairs head:label, joined by |, or _ are expected"
    if arcs != sorted(arcs):
        return f"DEPS is {quoted(text)}; its heads must be in ascending order"
    if len(set(arcs)) < len(arcs):
        return f"DEPS is {quoted(text)}; it has an arc twice"
    return ""


def _parse_deps(text: str) -> list[EnhancedArc] | None:
    """Return the arcs of a text in DEPS, or None where it is no list of arcs."""
    arcs = arcs_in(text)
    return None if None in arcs else [arc for arc in arcs if arc]


def _arcs(deps: Strings) -> tuple[Rows, Rows, Rows]:
    """Return the arcs of all rows: the row, and the two parts of the head's ID."""
    parsed = [_parse_deps(text) or [] for text in deps.vocabulary]
    counts = np.array([len(arcs) for arcs in parsed], np.int64)
    heads = np.array([arc[:2] for arcs in parsed for arc in arcs], np.int64).reshape(-1, 2)
    distinct = Table(offsets_of(counts), head=np.arange(len(heads)))
    arcs = distinct.take(deps.codes)  # the rows of the corpus are its sentences
    major, minor = heads[arcs.numbers("head")].T
    return arcs.sentence_of_row(), major, minor


def _without_head(corpus: Dependencies, sentence: Rows, major: Rows, minor: Rows) -> Iterator[int]:
    """Return the arcs whose heads are neither words nor empty nodes of their sentences."""
    yield from np.flatnonzero((minor == 0) & (major > corpus.words.lengths[sentence])).tolist()
    empties = corpus.empties
    there = set(
        zip(
            empties.sentence_of_row().tolist(),
            empties.numbers("major").tolist(),
            empties.numbers("minor").tolist(),
            strict=True,
        )
    )
    for arc in np.flatnonzero(minor).tolist():
        if (int(sentence[arc]), int(major[arc]), int(minor[arc])) not in there:
            yield arc


def _feature_problems(corpus: Dependencies) -> Problems:
    if not all(tag in UNIVERSAL for tag in corpus.upos.counts()):
        return
    for table, lines, _, _ in _nodes(corpus):
        if "feats" not in table:
            continue
        feats, sentence = table.strings("feats"), table.sentence_of_row()
        for row in np.flatnonzero(feats.where(lambda text: bool(feats_message(text)))).tolist():
            yield int(sentence[row]), int(lines[row]), feats_message(feats[row])


def feats_message(text: str) -> str:
    """Return what is wrong with features that are given as names and values, or the empty string.

    >>> feats_message("Number=Sing|Case=Nom")
    "FEATS is 'Number=Sing|Case=Nom'; the names must be in alphabetical order"
    >>> feats_message("Case=Nom|Number=Sing"), feats_message("SING|M")
    ('', '')
    """
    features = [_FEATURE.fullmatch(feature) for feature in text.split("|")]
    if None in features:
        return ""
    names = [feature[1].lower() + "=" for feature in features if feature]  # A1= comes before A=
    if names != sorted(names):
        return f"FEATS is {quoted(text)}; the names must be in alphabetical order"
    if len(set(names)) < len(names):
        return f"FEATS is {quoted(text)}; a name must not occur twice"
    return ""


def _text_problems(corpus: Dependencies) -> Problems:
    """Find the sentences whose ``# text`` is not what their words say.

    Runs of white space are all the same here. Where no word of the corpus is marked with
    SpaceAfter=No, nothing is known about spaces, and only the rest is compared.
    """
    texts, lines = corpus.metadata("text").tolist(), corpus.lines
    if not any(texts):
        return
    pieces, spaces_known = _surface(corpus)
    bounds = corpus.offsets.tolist()
    normal = _single_spaces if spaces_known else _no_spaces
    for place, text in enumerate(texts):
        if not text:
            continue
        said, written = normal(text), normal("".join(pieces[bounds[place] : bounds[place + 1]]))
        if said != written:
            line = _comment_line(corpus.comments[place], int(lines[place]), "text")
            yield place, line, _text_message(said, written)


def _text_message(said: str, written: str) -> str:
    """Return how a text and what the words say differ.

    >>> _text_message("A bad idea", "A bat idea")
    "# text has 'bad idea' where the words spell 'bat idea'"
    """
    unlike = (i for i, (a, b) in enumerate(zip(said, written, strict=False)) if a != b)
    common = next(unlike, min(len(said), len(written)))
    at = said.rfind(" ", 0, common) + 1
    message = f"# text has {quoted(said[at:], 20)} where the words spell {quoted(written[at:], 20)}"
    if _no_spaces(said) == _no_spaces(written):
        return f"{message}; SpaceAfter=No is for words that no space follows"
    return message


def _surface(corpus: Dependencies) -> tuple[list[str], bool]:
    """Return what each word adds to the text, and whether any word says that no space follows.

    What a multiword token adds is told at its first word; its other words add nothing.
    """
    words, tokens = corpus.words, corpus.tokens
    closed = words.strings("misc").where(_no_space_after)
    pieces = _with_spaces(words.strings("form"), closed)
    if not tokens.rows:
        return pieces, bool(closed.any())
    start = corpus.offsets[tokens.sentence_of_row()] - 1
    first, last = start + tokens.numbers("first"), start + tokens.numbers("last")
    token_closed = np.zeros(tokens.rows, np.bool_)
    if "misc" in tokens:
        token_closed = tokens.strings("misc").where(_no_space_after)
    token_pieces = _with_spaces(tokens.strings("form"), token_closed)
    for one, end, piece in zip(first.tolist(), last.tolist(), token_pieces, strict=True):
        pieces[one : end + 1] = [piece] + [""] * (end - one)
    return pieces, bool(closed.any() or token_closed.any())


def _no_space_after(misc: str) -> bool:
    return "SpaceAfter=No" in misc.split("|")


def _with_spaces(forms: Strings, closed: NDArray[np.bool_]) -> list[str]:
    return [form if c else form + " " for form, c in zip(forms, closed.tolist(), strict=True)]


def _single_spaces(text: str) -> str:
    return " ".join(text.split())


def _no_spaces(text: str) -> str:
    return "".join(text.split())


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


@_found.register
def _(corpus: Constituents, partial: bool) -> Problems:  # noqa: ARG001, FBT001  # as its variants
    yield from _repeated_ids(corpus)
    lines, numbers = corpus.lines, Vocabulary({"": 0})
    phrases = _indexed(corpus.nodes, "label", lambda label: split_label(label).index, numbers)
    tags = _indexed(corpus.words, "tag", lambda tag: split_label(tag).index, numbers)
    gaps = _indexed(corpus.nodes, "label", lambda label: split_label(label).gap, numbers)
    traces = _indexed(corpus.words, "form", _trace_index, numbers)
    traces = traces[:, corpus.traces[traces[0]]]
    index = list(numbers)
    for (rows, keys), column, what in (
        (traces, corpus.form, "trace"),
        (gaps, corpus.label, "label"),
    ):
        for at in np.flatnonzero(~np.isin(keys, np.concatenate([phrases[1], tags[1]]))).tolist():
            sentence, number = divmod(int(keys[at]), _INDICES)
            named = f"{what} {quoted(column[int(rows[at])])}"
            message = f"{named}; no phrase of the sentence has the index {quoted(index[number])}"
            yield sentence, int(lines[sentence]), message
    for rows, key in _shared(*phrases):
        sentence, number = divmod(key, _INDICES)
        labels = _listed([quoted(corpus.label[row]) for row in rows])
        message = f"{len(rows)} phrases have the index {quoted(index[number])}: {labels}"
        yield sentence, int(lines[sentence]), f"{message}; only one phrase can have it"


def _indexed(table: Table, column: str, index: Callable[[str], str], numbers: Vocabulary) -> Rows:
    """Return the rows that have an index, and a key for each: the sentence and the index in one."""
    codes = table.strings(column).values(lambda text: numbers[index(text)])
    rows = np.flatnonzero(codes)
    return np.stack([rows, table.sentence_of_row()[rows] * _INDICES + codes[rows]])


def _shared(rows: Rows, keys: Rows) -> Iterator[tuple[list[int], int]]:
    """Return the keys that several rows have, with these rows."""
    _, which, times = np.unique(keys, return_inverse=True, return_counts=True)
    several = np.flatnonzero(times[which] > 1)
    order = several[np.argsort(keys[several], kind="stable")]
    for group in _together(order, keys):
        yield rows[group].tolist(), int(keys[group[0]])


def _trace_index(form: str) -> str:
    """Return the index of a trace.

    >>> _trace_index("*T*-1"), _trace_index("*-12"), _trace_index("*U*"), _trace_index("0")
    ('1', '12', '', '')
    """
    match = _TRACE.fullmatch(form)
    return match[1] if match else ""


# ── relations and alignments ─────────────────────────────────────────────────────────────────────


@_found.register
def _(corpus: Relations, partial: bool) -> Problems:  # noqa: ARG001, FBT001  # as its variants
    yield from _repeated_ids(corpus)
    lines, nodes = corpus.lines, corpus.nodes
    sentence = nodes.sentence_of_row()
    length = corpus.words.lengths[sentence]
    first, last = nodes.numbers("first"), nodes.numbers("last")
    wrong = (length > 0) & ((first < -1) | (last < first) | (last > length))
    for row in np.flatnonzero(wrong).tolist():
        text = quoted(nodes.strings("text")[row])
        words = f"{first[row]}" if first[row] == last[row] else f"{first[row]} to {last[row]}"
        has = number_of(int(length[row]), "word")
        message = f"{text} stands for word {words}; the sentence has {has}"
        yield int(sentence[row]), int(lines[sentence[row]]), message


@_found.register
def _(corpus: Alignments, partial: bool) -> Problems:  # noqa: ARG001, FBT001  # as its variants
    yield from _repeated_ids(corpus)
    lines, links = corpus.lines, corpus.links
    sentence = links.sentence_of_row()
    for side in ("source", "target"):
        word, length = links.numbers(side), corpus.tables[f"{side}_words"].lengths[sentence]
        wrong = (word < 0) | ((length > 0) & (word >= length))
        for row in np.flatnonzero(wrong).tolist():
            there = f"has the words 0 to {length[row] - 1}" if length[row] else "counts from 0"
            message = f"link {links['source'][row]}-{links['target'][row]}; the {side} {there}"
            yield int(sentence[row]), int(lines[sentence[row]]), message


# ── graphs ───────────────────────────────────────────────────────────────────────────────────────


@_found.register
def _(corpus: Graphs, partial: bool) -> Problems:  # noqa: ARG001, FBT001  # as its variants
    lines, anchors = corpus.lines, corpus.anchors
    sentence = anchors.sentence_of_row()
    length = corpus.metadata("text").values(len)[sentence]
    start, end = anchors.numbers("start"), anchors.numbers("end")
    for row in np.flatnonzero((length > 0) & (end > length)).tolist():
        place, node = int(sentence[row]), int(anchors.numbers("node")[row])
        name = quoted(corpus.nodes.strings("id")[int(corpus.nodes.offsets[place]) + node])
        span = f"{start[row]}:{end[row]}"
        message = f"node {name} is anchored at {span}; the text has {length[row]} characters"
        yield place, int(lines[place]), message


def _same_graphs(corpus: Graphs, ids: FirstLines) -> Problems:
    lines = corpus.lines.tolist()
    names = zip(corpus.metadata("framework"), corpus.metadata("sent_id"), strict=True)
    for place, (framework, name) in enumerate(names):
        if name and (framework, name) in ids:
            before = ids[framework, name]
            what = f"the sent_id {quoted(name)} is also that of another graph"
            where = f" on line {before}" if before else ""
            kind = f" in {quoted(framework)}" if framework else ""
            yield place, lines[place], f"{what}{kind}{where}; they must differ"
        elif name:
            ids[framework, name] = lines[place]
