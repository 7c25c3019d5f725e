"""Three-way merge of CoNLL-U files, by sentences, words and columns.

Two people have changed the same file. What only one of them has changed is taken from that one;
what both have changed in the same way is taken once. Only what they have changed
differently is a conflict, on the smallest scale that makes sense:

- of a sentence with the same words in all three files: a word's head together with its label, each
  feature of FEATS and entry of MISC, every other column, and the comments that come first;
- of a sentence whose words one of them has changed: the sentence;
- of a sentence that one has removed and the other changed: the sentence.

In a conflict, ours stays, and :attr:`Merge.conflicts` has theirs, as a patch that takes it instead;
nothing is lost. Heads that are taken from different sides may close a circle: such a sentence is a
conflict, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from commonground.formats.patch import (
    COLUMNS,
    ColumnChange,
    Patch,
    SentenceLines,
    SentencePatch,
    file_lines,
    sentences_of,
)
from commonground.formats.patch_between import sentence_patch
from commonground.formats.tree_lines import no_tree

__all__ = ["Merge", "MergeConflict", "merge_files"]

_HEAD, _DEPREL = COLUMNS.index("HEAD"), COLUMNS.index("DEPREL")
_LISTS = (COLUMNS.index("FEATS"), COLUMNS.index("MISC"))
_WIDTH = len(COLUMNS)

_Place = tuple[int, str, str]
_Conflict = tuple[str, str, list[list[str]], list[_Place]]
"""A word, what it is, the values of base, ours and theirs, and columns with ours and theirs."""


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """Where both have changed something differently: the sentence, the word, and the three values.

    `word` and `what` are empty where it is the whole sentence.
    """

    sentence: str
    word: str
    what: str
    base: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merge:
    """The merged file, the conflicts, and the patch that takes theirs in all of them."""

    data: bytes
    conflicts: tuple[MergeConflict, ...]
    theirs: Patch
    from_ours: int
    from_theirs: int


def merge_files(base: bytes, ours: bytes, theirs: bytes) -> Merge:
    r"""Merge the changes that two files make to the same one.

    >>> base = b"# sent_id = s1\n1\tBirds\tbird\tNOUN\t_\t_\t0\tdep\t_\t_\n\n"
    >>> ours, theirs = base.replace(b"dep", b"root"), base.replace(b"bird", b"birds")
    >>> merge_files(base, ours, theirs).data
    b'# sent_id = s1\n1\tBirds\tbirds\tNOUN\t_\t_\t0\troot\t_\t_\n\n'
    """
    sides = [_Side(data) for data in (base, ours, theirs)]
    merger = _Merger(*sides)
    sentences = list(merger.sentences())
    text = "".join(f"{line}\n" for each in sentences for line in (*each.lines, *each.end))
    if not ours.endswith(b"\n") and ours:
        text = text.removesuffix("\n")
    return Merge(
        text.encode("utf-8", "surrogateescape"),
        tuple(merger.conflicts),
        Patch(tuple(merger.patches)),
        merger.taken["ours"],
        merger.taken["theirs"],
    )


class _Side:
    """The sentences of a file by what they are called: by id, or by their place and words."""

    def __init__(self, data: bytes) -> None:
        self.sentences = list(sentences_of(file_lines(data)))
        ids = Counter(each.name for each in self.sentences)
        again: Counter[str] = Counter()
        self.by_key: dict[str, SentenceLines] = {}
        for each in self.sentences:
            key = each.name if each.name and ids[each.name] == 1 else _words(each)
            again[key] += 1
            self.by_key[f"{key} {again[key]}" if again[key] > 1 else key] = each

    @property
    def keys(self) -> list[str]:
        return list(self.by_key)


def _words(each: SentenceLines) -> str:
    forms = (line.split("\t")[1:2] for line in each.bare if not line.startswith("#"))
    return "\t" + " ".join(form[0] for form in forms if form)


class _Merger:
    def __init__(self, base: _Side, ours: _Side, theirs: _Side) -> None:
        self.base, self.ours, self.theirs = base, ours, theirs
        self.conflicts: list[MergeConflict] = []
        self.patches: list[SentencePatch] = []
        self.taken: Counter[str] = Counter()

    def sentences(self) -> Iterator[SentenceLines]:
        """Return the merged sentences, in our order; theirs come after what they stand after."""
        before: dict[str, list[str]] = {}
        last = ""
        for key in self.theirs.keys:
            if key in self.ours.by_key:
                last = key
            elif key not in self.base.by_key or self._removed_by_us(key):
                before.setdefault(last, []).append(key)
        yield from self._added(before.get("", ()))
        for key in self.ours.keys:
            merged = self._merged(key)
            if merged is not None:
                yield merged
            yield from self._added(before.get(key, ()))

    def _removed_by_us(self, key: str) -> bool:
        """Tell of a sentence that we have removed and they have changed: it is kept, as theirs."""
        old, new = self.base.by_key[key], self.theirs.by_key[key]
        if old.bare == new.bare:
            return False
        self._whole(key, old, None, new)
        return True

    def _added(self, keys: Iterable[str]) -> Iterator[SentenceLines]:
        for key in keys:
            self.taken["theirs"] += 1
            yield self.theirs.by_key[key]

    def _merged(self, key: str) -> SentenceLines | None:
        """Return one of our sentences as it becomes, None where they have removed it."""
        mine = self.ours.by_key[key]
        old, new = self.base.by_key.get(key), self.theirs.by_key.get(key)
        if old is None or new is None or old.bare == mine.bare or new.bare in (mine.bare, old.bare):
            return self._one_sided(key, old, mine, new)
        merged = _by_columns(old, mine, new)
        if merged is None or (
            no_tree(merged[0]) and not no_tree(mine.bare) and not no_tree(new.bare)
        ):
            self._whole(key, old, mine, new)
            return mine
        self.taken.update(["ours", "theirs"])
        self._note(key, merged[1])
        return SentenceLines(mine.name, mine.first, _ending(merged[0], mine), mine.end)

    def _one_sided(
        self, key: str, old: SentenceLines | None, mine: SentenceLines, new: SentenceLines | None
    ) -> SentenceLines | None:
        """Return a sentence that at most one side has changed, or that is not in all files."""
        untouched = old is not None and old.bare == mine.bare
        if new is not None and untouched and new.bare != mine.bare:
            self.taken["theirs"] += 1
            return SentenceLines(new.name, mine.first, _ending(new.bare, mine), mine.end)
        if new is None and untouched:
            self.taken["theirs"] += 1
            return None
        if (new is None) != (old is None) and (new is None or new.bare != mine.bare):
            self._whole(key, old, mine, new)  # removed and changed, or added twice
        self.taken["ours"] += not untouched
        return mine

    def _note(self, key: str, conflicts: Iterable[_Conflict]) -> None:
        """Note the conflicts of single columns."""
        changes = []
        for word, what, values, places in conflicts:
            self.conflicts.append(MergeConflict(key, word, what, *map("; ".join, values)))
            changes += [
                ColumnChange(word, COLUMNS[place], ours, theirs)
                for place, ours, theirs in places
                if ours != theirs
            ]
        if changes:
            self.patches.append(SentencePatch(key, tuple(changes)))

    def _whole(
        self,
        key: str,
        old: SentenceLines | None,
        mine: SentenceLines | None,
        new: SentenceLines | None,
    ) -> None:
        """Note that a whole sentence is a conflict."""
        texts = ("\n".join(each.bare) if each else "" for each in (old, mine, new))
        self.conflicts.append(MergeConflict(key, "", "", *texts))
        if mine is not None and new is not None:
            names = dict(enumerate(COLUMNS))
            if patch := sentence_patch(key, mine, new, names):
                self.patches.append(patch)


def _ending(lines: Iterable[str], like: SentenceLines) -> list[str]:
    end = "\r" if like.lines and like.lines[0].endswith("\r") else ""
    return [line + end for line in lines]


# ── columns ──────────────────────────────────────────────────────────────────────────────────────


def _by_columns(
    old: SentenceLines, mine: SentenceLines, new: SentenceLines
) -> tuple[list[str], list[_Conflict]] | None:
    """Merge a sentence column by column; None where its words or comments do not allow it."""
    rows = [
        [line.split("\t") for line in each.bare if not line.startswith("#")]
        for each in (old, mine, new)
    ]
    ids = [[(row[0], row[1:2]) for row in side] for side in rows]
    whole = all(len(row) == _WIDTH for side in rows for row in side)
    if (
        not whole
        or not ids[0] == ids[1] == ids[2]
        or len({name for name, _ in ids[0]}) < len(ids[0])
    ):
        return None
    comments = _three(
        *([line for line in each.bare if line.startswith("#")] for each in (old, mine, new))
    )
    if comments is None:
        return None
    conflicts: list[_Conflict] = []
    words = []
    for base, ours, theirs in zip(*rows, strict=True):
        merged, found = _word(base, ours, theirs)
        words.append("\t".join(merged))
        conflicts += found
    return [*comments, *words], conflicts


def _three(old: list[str], mine: list[str], new: list[str]) -> list[str] | None:
    """Return what one side has changed; None where both have, differently."""
    if new in (mine, old):
        return mine
    return new if mine == old else None


def _word(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> tuple[list[str], list[_Conflict]]:
    merged = list(ours)
    conflicts: list[_Conflict] = []
    units: list[tuple[int, ...]] = [
        (place,) for place in range(1, _WIDTH) if place not in (_HEAD, _DEPREL, *_LISTS)
    ]
    for places in [*units, (_HEAD, _DEPREL)]:
        values = [[side[place] for place in places] for side in (base, ours, theirs)]
        result = _three(*values)
        if result is None:
            what = " and ".join(COLUMNS[place] for place in places)
            differing = [(place, ours[place], theirs[place]) for place in places]
            conflicts.append((ours[0], what, values, differing))
        else:
            for place, value in zip(places, result, strict=True):
                merged[place] = value
    for place in _LISTS:
        text, keys = _list(base[place], ours[place], theirs[place])
        merged[place] = text
        if keys:
            with_theirs = _list(base[place], theirs[place], ours[place])[0]
            what = f"{COLUMNS[place]} {', '.join(keys)}"
            values = [[side[place]] for side in (base, ours, theirs)]
            conflicts.append((ours[0], what, values, [(place, text, with_theirs)]))
    return merged, conflicts


def _list(base: str, ours: str, theirs: str) -> tuple[str, list[str]]:
    """Merge FEATS or MISC entry by entry; return the text and the keys of conflicts.

    >>> _list("Case=Nom|Number=Sing", "Case=Acc|Number=Sing", "Case=Nom|Number=Plur")
    ('Case=Acc|Number=Plur', [])
    >>> _list("_", "Gloss=a", "Gloss=b")
    ('Gloss=a', ['Gloss'])
    """
    if theirs in (ours, base):
        return ours, []
    if ours == base:
        return theirs, []
    sides = [_entries(text) for text in (base, ours, theirs)]
    entries: dict[str, str | None] = dict(sides[1])
    conflicts = []
    for key in (*sides[0], *sides[2]):
        before, mine, new = (side.get(key) for side in sides)
        if new in (before, mine):
            continue
        if mine == before:
            entries[key] = new
        elif key not in conflicts:
            conflicts.append(key)
    kept = [
        key if value == key else f"{key}={value}"
        for key, value in entries.items()
        if value is not None
    ]
    return "|".join(sorted(kept, key=str.casefold)) or "_", conflicts


def _entries(text: str) -> dict[str, str]:
    """Return the entries of a list by their keys; one without a value stands for itself."""
    if text == "_":
        return {}
    pairs = (entry.partition("=") for entry in text.split("|"))
    return {key: value if equals else key for key, equals, value in pairs}
