"""Patches: changes of the columns of single words, as a text that people can read and edit.

A patch names sentences and, for each, what is to change. All that it does not name stays as it is,
byte for byte::

    # commonground patch 1
    @ weblog-17
    7<TAB>HEAD<TAB>4<TAB>9
    7<TAB>DEPREL<TAB>nmod<TAB>obl

``@`` is followed by the ``sent_id``, or by ``#12``: the twelfth sentence of the file that is
patched. A line below it is the ID of a word (or token ``5-6``, or empty node ``8.1``), the column,
its old value and its new one. Where lines come or go (comments, words), a hunk has them as ``diff
-u`` does: lines that begin with a blank stay, ``-`` go, ``+`` come; the lines of a hunk stand one
after another in the sentence, those that stay or go are looked for from the top, and the columns of
a sentence are changed before its hunks. ``end<TAB>EMPTY<TAB>1<TAB>2`` says how many empty lines
stand after the sentence.

``@-`` removes a sentence, whose lines follow with ``-``; ``@+`` adds one, whose lines follow with
``+``. Both give the name of the sentence and, after a TAB, the name of the one before it (nothing:
it is the first one). Lines that begin with ``#`` between sentences are remarks.

Applied to a file that has not the old values, a patch is refused as a whole, with the line, or what
does not fit is left alone and told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from commonground.errors import InputError, UsageError

__all__ = [
    "EMPTY_LINES",
    "ColumnChange",
    "Conflict",
    "Hunk",
    "Patch",
    "SentenceLines",
    "SentencePatch",
    "apply_patch",
    "column_places",
    "file_lines",
    "parse_patch",
    "sentences_of",
]

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
HEADER = "# commonground patch 1"
_GLOBAL = "# global.columns ="
EMPTY_LINES = ("end", "EMPTY")
"""What stands for ID and column where the empty lines after a sentence change."""

CHANGE, REMOVE, ADD = "@", "@-", "@+"
_MOST_EMPTY = 100
"""More empty lines no patch makes."""

_NEXT = "…"
"""The line between two hunks of a sentence."""


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """One column of one word: its ID, the name of the column, the old value and the new one."""

    word: str
    column: str
    old: str
    new: str

    def reversed(self) -> ColumnChange:
        """Return the change that undoes this one."""
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of a sentence, each with what happens to it: a blank, ``-`` or ``+``."""

    lines: tuple[tuple[str, str], ...]

    @property
    def old(self) -> list[str]:
        """The lines before."""
        return [line for mark, line in self.lines if mark != "+"]

    @property
    def new(self) -> list[str]:
        """The lines after."""
        return [line for mark, line in self.lines if mark != "-"]

    def reversed(self) -> Hunk:
        """Return the hunk that undoes this one."""
        turned = {"-": "+", "+": "-", " ": " "}
        return Hunk(tuple((turned[mark], line) for mark, line in self.lines))


@dataclass(frozen=True, slots=True)
class SentencePatch:
    """What happens to one sentence; `after` is the sentence before one that comes or goes.

    `line` is where this stands in the file of the patch, 0 if it comes from no file.
    """

    sentence: str
    changes: tuple[ColumnChange, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    action: str = CHANGE
    after: str = ""
    line: int = field(default=0, compare=False)

    def reversed(self) -> SentencePatch:
        """Return what undoes this."""
        return replace(
            self,
            changes=tuple(change.reversed() for change in self.changes),
            hunks=tuple(hunk.reversed() for hunk in self.hunks),
            action={CHANGE: CHANGE, REMOVE: ADD, ADD: REMOVE}[self.action],
        )

    def text(self) -> Iterator[str]:
        """Return the lines of a patch that say this."""
        yield f"{self.action} {self.sentence}" + (
            "" if self.action == CHANGE else f"\t{self.after}"
        )
        for change in self.changes:
            yield f"{change.word}\t{change.column}\t{change.old}\t{change.new}"
        for number, hunk in enumerate(self.hunks):
            if number:
                yield _NEXT
            yield from (f"{mark}{line}" for mark, line in hunk.lines)


@dataclass(frozen=True, slots=True)
class Patch:
    """Changes of sentences, in the order of the file; each sentence is there at most once."""

    sentences: tuple[SentencePatch, ...] = ()

    def __len__(self) -> int:
        """Return the number of changes: columns, hunks, and sentences that come or go."""
        return sum(
            len(each.changes) + len(each.hunks) if each.action == CHANGE else 1
            for each in self.sentences
        )

    def text(self) -> str:
        r"""Return the patch as a file has it.

        >>> change = ColumnChange("1", "DEPREL", "obj", "nsubj")
        >>> Patch((SentencePatch("s1", (change,)),)).text()
        '# commonground patch 1\n@ s1\n1\tDEPREL\tobj\tnsubj\n'
        """
        lines = [HEADER, *(line for each in self.sentences for line in each.text())]
        return "\n".join(lines) + "\n"

    def reversed(self) -> Patch:
        """Return the patch that undoes this one."""
        places = any(each.sentence.startswith("#") for each in self.sentences)
        if places and any(each.action != CHANGE for each in self.sentences):
            raise UsageError(
                "a patch that adds or removes sentences and names others by their places (#12) "
                "cannot be reversed; give the sentences of the treebank ids (# sent_id)"
            )
        return Patch(tuple(each.reversed() for each in reversed(self.sentences)))


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def parse_patch(text: str, path: str = "<patch>") -> Patch:
    r"""Read a patch.

    >>> patch = parse_patch("# commonground patch 1\n@ s1\n1\tDEPREL\tobj\tnsubj\n")
    >>> patch.sentences[0].changes[0].new
    'nsubj'
    """
    lines = text.split("\n")
    if lines[0].rstrip("\r") != HEADER:
        raise InputError(path, 1, f"this is no patch; its first line is {HEADER!r}")
    sentences: list[SentencePatch] = []
    body: list[tuple[int, str]] = []
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("@"):
            _complete(sentences, body, path)
            sentences.append(_header(line, path, number))
        elif line and not line.startswith("#"):
            body.append((number, line))
    _complete(sentences, body, path)
    _check(sentences, path)
    return Patch(tuple(sentences))


def _complete(sentences: list[SentencePatch], body: list[tuple[int, str]], path: str) -> None:
    """Give the last sentence what stands below its name."""
    if body and not sentences:
        raise InputError(path, body[0][0], "a sentence comes first: a line with @ and its name")
    changes: list[ColumnChange] = []
    hunks: list[list[tuple[str, str]]] = [[]]
    for number, line in body:
        if line == _NEXT:
            hunks.append([])
        elif line[0] in "+- ":
            hunks[-1].append((line[0], line[1:]))
        else:
            changes.append(_change(line, path, number))
    if body:
        made = tuple(Hunk(tuple(lines)) for lines in hunks if lines)
        sentences[-1] = replace(sentences[-1], changes=tuple(changes), hunks=made)
    body.clear()


def _header(line: str, path: str, number: int) -> SentencePatch:
    action, _, rest = line.rstrip("\r").partition(" ")
    name, tab, after = rest.partition("\t")
    if action not in (CHANGE, REMOVE, ADD) or not name or bool(tab) == (action == CHANGE):
        raise InputError(
            path, number, f"{line[:60]!r} names no sentence; @ NAME, or @- or @+ NAME<TAB>BEFORE do"
        )
    return SentencePatch(name, action=action, after=after, line=number)


def _change(line: str, path: str, number: int) -> ColumnChange:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != 4:
        raise InputError(
            path, number, f"{len(fields)} fields; ID, column, old and new value are 4 of them"
        )
    return ColumnChange(*fields)


def _check(sentences: Sequence[SentencePatch], path: str) -> None:
    """Refuse what cannot be carried out whatever the file is."""
    seen: set[str] = set()
    for each in sentences:
        if each.sentence in seen:
            raise InputError(path, each.line, f"the sentence {each.sentence!r} comes again")
        seen.add(each.sentence)
        marks = {mark for hunk in each.hunks for mark, _ in hunk.lines}
        wanted = {REMOVE: {"-"}, ADD: {"+"}}.get(each.action)
        if wanted and (marks != wanted or each.changes or len(each.hunks) != 1):
            only = "".join(wanted)
            raise InputError(path, each.line, f"below {each.action} only lines with {only} stand")


# ── applying ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something of a patch that does not fit a file: the line of the file, and why."""

    line: int
    message: str


@dataclass(slots=True)
class SentenceLines:
    """A sentence of a file: its name, its first line, its lines, and the empty ones after it."""

    name: str
    first: int
    lines: list[str]
    end: list[str]

    @property
    def bare(self) -> list[str]:
        """The lines without what ends them."""
        return [line.removesuffix("\r") for line in self.lines]


def apply_patch(
    data: bytes, patch: Patch, path: str = "<file>", *, skip: bool = False
) -> tuple[bytes, list[Conflict]]:
    r"""Carry out a patch; return the file, and what did not fit, which is refused unless `skip`.

    >>> file = b"# sent_id = s1\n1\tBirds\t_\t_\t_\t_\t2\tobj\t_\t_\n\n"
    >>> patch = Patch((SentencePatch("s1", (ColumnChange("1", "DEPREL", "obj", "nsubj"),)),))
    >>> apply_patch(file, patch)[0]
    b'# sent_id = s1\n1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\t_\n\n'
    """
    lines = file_lines(data)
    columns = column_places(lines)
    blocks = list(sentences_of(lines))
    ids = Counter(block.name for block in blocks)
    known = {f"#{number}": block for number, block in enumerate(blocks, 1)}
    known |= {block.name: block for block in blocks if block.name and ids[block.name] == 1}
    conflicts: list[Conflict] = []
    for each in patch.sentences:
        conflicts += _carry_out(each, blocks, known, columns)
    if conflicts and not skip:
        more = f" ({len(conflicts) - 1:,} more)" if len(conflicts) > 1 else ""
        raise InputError(path, conflicts[0].line, conflicts[0].message + more)
    text = "".join(f"{line}\n" for block in blocks for line in (*block.lines, *block.end))
    text = text if data.endswith(b"\n") else text.removesuffix("\n")
    return text.encode("utf-8", "surrogateescape"), conflicts


def file_lines(data: bytes) -> list[str]:
    """Return the lines of a file, whatever its encoding."""
    *lines, rest = data.decode("utf-8", "surrogateescape").split("\n")
    return [*lines, *([rest] * bool(rest))]  # the last line may have no end


def column_places(lines: Sequence[str]) -> dict[str, int]:
    """Return the place of each column, by its name."""
    names: Sequence[str] = COLUMNS
    if lines and lines[0].startswith(_GLOBAL):
        names = lines[0][len(_GLOBAL) :].split()
    return {name.upper(): place for place, name in enumerate(names)}


def sentences_of(lines: Sequence[str]) -> Iterator[SentenceLines]:
    """Return the sentences of a file; together they have all of its lines."""
    block = SentenceLines("", 1, [], [])
    for number, line in enumerate(lines, 1):
        if not line.strip("\r"):
            block.end.append(line)
            continue
        if block.end:
            yield block
            block = SentenceLines("", number, [], [])
        block.lines.append(line)
        if line.startswith("# sent_id") and not block.name:
            block.name = line.partition("=")[2].strip()
    if block.lines or block.end:
        yield block


def _carry_out(
    each: SentencePatch,
    blocks: list[SentenceLines],
    known: dict[str, SentenceLines],
    columns: dict[str, int],
) -> Iterator[Conflict]:
    """Change the blocks as a patch says of one sentence."""
    if each.action == ADD:
        before = known.get(each.after)
        if each.after and before is None:
            yield Conflict(0, f"no sentence {each.after!r}, after which one is to be added")
            return
        ending = "\r" if blocks and blocks[0].lines and blocks[0].lines[0].endswith("\r") else ""
        new = SentenceLines(
            each.sentence, 0, [line + ending for line in each.hunks[0].new], [ending]
        )
        known[each.sentence] = new
        if before and not before.end:  # it was the last one
            before.end.append(ending)
        blocks.insert(_place(blocks, before) + 1 if before else 0, new)
        return
    block = known.get(each.sentence)
    if block is None:
        yield Conflict(0, f"there is no sentence {each.sentence!r}, or there are several")
    elif each.action == REMOVE:
        if [line.rstrip("\r") for line in block.lines] != each.hunks[0].old:
            yield Conflict(block.first, f"the sentence {each.sentence!r} is not as it was")
        else:
            del blocks[_place(blocks, block)]
    else:
        yield from _change_columns(block, each.changes, columns)
        for hunk in each.hunks:
            yield from _change_lines(block, hunk)


def _place(blocks: Sequence[SentenceLines], wanted: SentenceLines) -> int:
    return next(place for place, block in enumerate(blocks) if block is wanted)


def _change_columns(
    block: SentenceLines, changes: Iterable[ColumnChange], columns: dict[str, int]
) -> Iterator[Conflict]:
    rows = {
        line.partition("\t")[0]: place
        for place, line in enumerate(block.lines)
        if not line.startswith("#")
    }
    for change in changes:
        if (change.word, change.column) == EMPTY_LINES:
            yield from _change_end(block, change)
            continue
        row, column = rows.get(change.word), columns.get(change.column.upper())
        if row is None or not column:
            what = "column" if row is not None else "word"
            name = change.column if row is not None else change.word
            yield Conflict(block.first, f"the sentence {block.name!r} has no {what} {name!r}")
            continue
        line = block.lines[row]
        ending = "\r" if line.endswith("\r") else ""
        fields = line.removesuffix("\r").split("\t")
        is_now = fields[column] if column < len(fields) else None
        if is_now != change.old:
            yield Conflict(
                block.first + row,
                f"{change.column} of the word {change.word} is {is_now!r}; the patch is for "
                f"{change.old!r}",
            )
            continue
        fields[column] = change.new
        block.lines[row] = "\t".join(fields) + ending


def _change_end(block: SentenceLines, change: ColumnChange) -> Iterator[Conflict]:
    if str(len(block.end)) != change.old or change.new not in map(str, range(_MOST_EMPTY + 1)):
        yield Conflict(
            block.first,
            f"{len(block.end)} empty lines follow the sentence {block.name!r}; the patch is for "
            f"{change.old!r} and {change.new!r}, at most {_MOST_EMPTY}",
        )
        return
    ending = "\r" if block.lines and block.lines[0].endswith("\r") else ""
    block.end[:] = [*block.end, *([ending] * _MOST_EMPTY)][: int(change.new)]


def _change_lines(block: SentenceLines, hunk: Hunk) -> Iterator[Conflict]:
    ending = "\r" if block.lines and block.lines[0].endswith("\r") else ""
    bare = [line.removesuffix("\r") for line in block.lines]
    old = hunk.old
    for start in range(len(bare) - len(old) + 1):
        if bare[start : start + len(old)] == old:
            block.lines[start : start + len(old)] = [line + ending for line in hunk.new]
            return
    line = old[0] if old else ""
    yield Conflict(block.first, f"the sentence {block.name!r} has no lines {line[:40]!r} …")
