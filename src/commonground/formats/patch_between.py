"""The patch that turns one CoNLL-U file into another.

Sentences are paired by their ids, or by their lines where they have none. Where a sentence has the
same words, its changes are those of single columns; comments and words that come or go are hunks of
lines. A patch is tried before it is returned, so that it makes the new file byte for byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from commonground.errors import UsageError
from commonground.formats.patch import (
    ADD,
    EMPTY_LINES,
    REMOVE,
    ColumnChange,
    Hunk,
    Patch,
    SentenceLines,
    SentencePatch,
    apply_patch,
    column_places,
    file_lines,
    sentences_of,
)

__all__ = ["patch_between", "sentence_patch"]


def patch_between(old: bytes, new: bytes) -> Patch:
    r"""Return the patch that makes `new` of `old`.

    >>> old = b"# sent_id = s1\n1\tBirds\t_\t_\t_\t_\t2\tobj\t_\t_\n\n"
    >>> patch_between(old, old.replace(b"obj", b"nsubj")).text()
    '# commonground patch 1\n@ s1\n1\tDEPREL\tobj\tnsubj\n'
    """
    before, after = file_lines(old), file_lines(new)
    patch = Patch(tuple(_changes(before, after)))
    if apply_patch(old, patch)[0] != new:
        raise UsageError(
            "no patch can say how these files differ: their line ends, empty lines before the "
            "first sentence, or the order of sentences with the same id"
        )
    return patch


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[SentencePatch]:
    names = {place: name for name, place in column_places(before).items()}
    old, new = _Version(before), _Version(after)
    added: list[SentencePatch] = []
    removed: list[SentencePatch] = []
    last = ""  # what a sentence that comes stands after
    for tag, first, end, start, stop in SequenceMatcher(
        None, old.keys, new.keys, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            for one, other in zip(range(first, end), range(start, stop), strict=True):
                last = old.called(one)
                if made := sentence_patch(last, old.sentences[one], new.sentences[other], names):
                    yield made
            continue
        for one in range(first, end):
            hunk = Hunk(tuple(("-", line) for line in old.sentences[one].bare))
            removed.append(SentencePatch(old.called(one), (), (hunk,), REMOVE, old.called(one - 1)))
        for other in range(start, stop):
            hunk = Hunk(tuple(("+", line) for line in new.sentences[other].bare))
            added.append(SentencePatch(new.called(other, "+"), (), (hunk,), ADD, last))
            last = added[-1].sentence
    moved = {each.sentence for each in removed} & {each.sentence for each in added}
    for each in removed:  # what comes again elsewhere has its name there, and a number here
        yield replace(each, sentence=old.number(each.sentence)) if each.sentence in moved else each
    yield from added


class _Version:
    """The sentences of a file, what they are paired by, and what they are called."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.sentences = list(sentences_of(lines))
        ids = Counter(each.name for each in self.sentences)
        self.names = [each.name if ids[each.name] == 1 else "" for each in self.sentences]
        self.keys = [
            f"@{name}" if name else "\n".join(each.bare)
            for name, each in zip(self.names, self.sentences, strict=True)
        ]

    def called(self, place: int, sign: str = "#") -> str:
        """Return what a sentence is called: by id, or by place; nothing before the first."""
        return "" if place < 0 else self.names[place] or f"{sign}{place + 1}"

    def number(self, name: str) -> str:
        """Return what a sentence with an id is called by its place."""
        return f"#{self.names.index(name) + 1}"


def sentence_patch(
    name: str, one: SentenceLines, other: SentenceLines, columns: Mapping[int, str]
) -> SentencePatch | None:
    """Return what has happened to a sentence, if anything."""
    old, new = one.bare, other.bare
    if old == new and len(one.end) == len(other.end):
        return None
    changes: list[ColumnChange] = []
    words, words_new = (
        [line for line in lines if not line.startswith("#")] for lines in (old, new)
    )
    if _same_words(words, words_new):
        for before, after in zip(words, words_new, strict=True):
            was, now = before.split("\t"), after.split("\t")
            changes += [
                ColumnChange(was[0], columns[place], was[place], now[place])
                for place in range(1, len(was))
                if was[place] != now[place]
            ]
        changed = dict(zip(words, words_new, strict=True))
        old = [line if line.startswith("#") else changed[line] for line in old]
    if len(one.end) != len(other.end):
        changes.append(ColumnChange(*EMPTY_LINES, str(len(one.end)), str(len(other.end))))
    hunks = () if old == new else (_hunk(old, new),)
    return SentencePatch(name, tuple(changes), hunks)


def _same_words(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two lists of lines have the same IDs, each once, and as many columns."""
    rows = [[(line.partition("\t")[0], line.count("\t")) for line in lines] for lines in (old, new)]
    ids = {name for name, _ in rows[0]}
    return rows[0] == rows[1] and len(ids) == len(old) and all(count <= 9 for _, count in rows[0])


def _hunk(old: Sequence[str], new: Sequence[str]) -> Hunk:
    """Return the lines from the first to the last that come or go, and where these may stand.

    Lines are looked for from the top of the sentence, on the way back, too, so that what stands
    before them belongs to the hunk until no earlier lines are the same.
    """
    lines: list[tuple[str, str]] = []
    for tag, first, end, start, stop in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        lines += [(" " if tag == "equal" else "-", line) for line in old[first:end]]
        lines += [("+", line) for line in new[start:stop] if tag != "equal"]
    while lines and lines[-1][0] == " ":
        lines.pop()
    lead = next((place for place, (mark, _) in enumerate(lines) if mark != " "), 0)
    for start in range(lead, -1, -1):
        hunk = Hunk(tuple(lines[start:]))
        if _first_place(old, hunk.old) == _first_place(new, hunk.new) == start:
            return hunk
    return Hunk(tuple(lines))


def _first_place(lines: Sequence[str], wanted: Sequence[str]) -> int:
    places = range(len(lines) - len(wanted) + 1) if wanted else ()
    return next((p for p in places if list(lines[p : p + len(wanted)]) == wanted), -1)
