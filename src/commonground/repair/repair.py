"""The nearest valid file: what is wrong is classed and counted, and mended by a policy.

A file without defects stays as it is, byte for byte, and so does every sentence without any. The
rest becomes CoNLL-U, or brackets where the trees are constituents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.errors import InputError, UsageError, setting
from commonground.formats.format import FormatOptions
from commonground.formats.registry import detect, find_format, format_of_path, write
from commonground.formats.storage.files import STANDARD, open_bytes, plain, shown, write_bytes
from commonground.repair.bracket_trees import mended_brackets
from commonground.repair.columns import HEAD
from commonground.repair.defects import Defect, counted
from commonground.repair.drafts import Draft, Draftings, DraftWord
from commonground.repair.json_trees import drafts_of_json, looks_like_json
from commonground.repair.nearest_tree import MISSING, TreeDefects, cut, nearest_tree, tree_defects
from commonground.repair.policy import OPEN, known_policy
from commonground.repair.rows import drafts_of_rows
from commonground.repair.sentences import fitted, right_sentences

__all__ = ["Repaired", "defects_in", "repair_bytes", "repair_file", "write_repaired"]

_ROWS = ("conllu", "conllx", "text")
"""Formats that a file with rows may look like."""


@dataclass(frozen=True)
class Repaired:
    """A mended file: its content, its format, and what was done.

    `defects` belong to the file as a whole, `by_sentence` to its sentences; `heads` is the number
    of words whose head is not as written, since the policy gave it or took it away.
    """

    path: str
    policy: str
    format: str
    data: bytes
    defects: tuple[Defect, ...] = ()
    by_sentence: tuple[tuple[Defect, ...], ...] = ()
    heads: int = 0

    @cached_property
    def all_defects(self) -> tuple[Defect, ...]:
        """All defects in the order of their lines."""
        every = [*self.defects, *(defect for each in self.by_sentence for defect in each)]
        return tuple(sorted(every, key=lambda defect: defect.line))

    @property
    def counts(self) -> dict[str, int]:
        """How many defects there are of each class."""
        return counted(self.all_defects)

    @property
    def flawed(self) -> tuple[int, ...]:
        """The places of the sentences that have defects."""
        return tuple(place for place, each in enumerate(self.by_sentence) if each)

    def corpus(self) -> Corpus:
        """Return the trees."""
        options = FormatOptions(partial=self.policy == OPEN)
        made: Corpus = find_format(self.format).read(self.data, self.path, 1, options)
        return made


def repair_bytes(
    data: bytes,
    policy: str,
    *,
    gold: Corpus | None = None,
    path: str = "<text>",
    format: str | None = None,
) -> Repaired:
    r"""Return the content of a file with everything mended, by a policy (:data:`POLICIES`).

    With a `gold` standard, the sentences and words become its own; nothing else of it is looked at.

    >>> text = b"Sure!\n1\tHi\thi\tINTJ\t_\t_\t7\troot\t_\t_\n"
    >>> made = repair_bytes(text, "right-branching")
    >>> made.counts, made.data
    ({'prose': 1, 'head-range': 1}, b'1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n')
    """
    known_policy(policy)
    if gold is not None and not isinstance(gold, Dependencies | Constituents):
        raise UsageError(
            f"{setting('repair')} is for dependencies and constituents, not {gold.kind}"
        )
    content = plain(data)
    text, wrong = _decoded(content)
    if _are_brackets(text, path, gold, format):
        words = _right_words(gold) if isinstance(gold, Constituents) else None
        brackets, outside, by_tree = mended_brackets(text, words)
        changed = bool(wrong or outside or any(by_tree))
        result = brackets.encode() if changed else data
        return Repaired(path, policy, "brackets", result, (*wrong, *outside), by_tree)
    name = _format_of(content, path, format)
    clean = _clean(content, path, name)
    if isinstance(gold, Constituents):
        raise UsageError(f"{path} has rows, but the gold standard has {gold.kind}")
    if clean is not None and (gold is None or _same_words(clean, gold)):
        return Repaired(path, policy, name, data, (), ((),) * len(clean))
    made = drafts_of_json(text) if looks_like_json(text) else drafts_of_rows(text)
    if not made.drafts and gold is None:
        raise InputError(path, 0, "there is no tree that can be read, whole or in part")
    if gold is not None:
        made = fitted(made, right_sentences(gold))
    return _written(made, wrong, path, policy)


def repair_file(
    path: str | os.PathLike[str],
    policy: str,
    *,
    gold: Corpus | None = None,
    format: str | None = None,
) -> Repaired:
    """Return a file with everything mended; nothing is written. See :func:`repair_bytes`."""
    with open_bytes(path) as file:
        data = file.read()
    return repair_bytes(data, policy, gold=gold, path=shown(path), format=format)


def write_repaired(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    policy: str,
    *,
    gold: Corpus | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
) -> Repaired:
    """Mend a file and write it; one without defects stays as it is, byte for byte."""
    made = repair_file(source, policy, gold=gold, format=source_format)
    standard = os.fspath(target) == STANDARD
    entry = format_of_path(target, made.format if standard else None)
    entry = find_format(target_format) if target_format else entry
    if entry.name == made.format:
        write_bytes(target, [made.data])
    else:
        write(made.corpus(), target, entry.name)
    return made


def defects_in(path: str | os.PathLike[str], format: str | None = None) -> tuple[Defect, ...]:
    """Return the defects of a file, classed, in the order of its lines."""
    return repair_file(path, OPEN, format=format).all_defects


def _decoded(data: bytes) -> tuple[str, tuple[Defect, ...]]:
    """Return the text of a file; lines that are not UTF-8 are read as Windows-1252."""
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        pass
    lines, wrong = [], []
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            lines.append(line.decode("cp1252", "replace"))
            wrong.append(Defect("encoding", number, f"byte {error.start + 1} is not UTF-8"))
    return "\n".join(lines), tuple(wrong)


def _are_brackets(text: str, path: str, gold: Corpus | None, format: str | None) -> bool:
    """Tell whether a file has constituents: as the gold standard, or as it looks."""
    if gold is not None:
        return isinstance(gold, Constituents)
    if format:
        return find_format(format).name == "brackets"
    if path.endswith((".mrg", ".ptb", ".brackets", ".penn", ".psd")):
        return True
    lines = [line.lstrip() for line in text.split("\n") if line.strip()]
    begin = sum(line.startswith("(") for line in lines)
    return begin > 0 and "\t" not in text and not looks_like_json(text)


def _format_of(data: bytes, path: str, format: str | None) -> str:
    """Return the name of the format that a file with rows is in, or is mended to."""
    if format:
        name = find_format(format).name
    else:
        try:
            name = detect(data, path).name
        except InputError:
            name = "conllu"
    if name in _ROWS or (not format and name == "brackets"):
        return name if name == "conllx" else "conllu"
    raise UsageError(
        f"{path}: {setting('repair')} is for CoNLL-U, CoNLL-X, JSON and brackets, not for {name}"
    )


def _clean(data: bytes, path: str, name: str) -> Dependencies | None:
    """Return the corpus of a file without defects, or None."""
    try:
        corpus = find_format(name).read(data, path, 1, FormatOptions())
    except InputError:
        return None
    assert isinstance(corpus, Dependencies), "rows are dependencies"
    heads, labels, bounds = corpus.head.tolist(), corpus.deprel.tolist(), corpus.offsets.tolist()
    trees = all(
        tree_defects(heads[first:last], labels[first:last]) == TreeDefects()
        for first, last in pairwise(bounds)
    )
    return corpus if trees and len(corpus) else None


def _same_words(corpus: Dependencies, gold: Corpus) -> bool:
    assert isinstance(gold, Dependencies)
    return corpus.form == gold.form and corpus.offsets.tolist() == gold.offsets.tolist()


def _right_words(gold: Constituents) -> list[list[str]]:
    forms, traces = gold.words.strings("form").tolist(), gold.traces.tolist()
    bounds = gold.words.offsets.tolist()
    return [
        [form for form, trace in zip(forms[a:b], traces[a:b], strict=True) if not trace]
        for a, b in pairwise(bounds)
    ]


# ── what is written ──────────────────────────────────────────────────────────────────────────────


def _written(made: Draftings, wrong: Sequence[Defect], path: str, policy: str) -> Repaired:
    blocks: list[str] = []
    heads = 0
    for draft in made.drafts:
        if draft.source and not draft.defects:
            blocks.append(draft.source)
            continue
        tree, labels = _tree(draft.words, policy)
        heads += sum(word.head != head for word, head in zip(draft.words, tree, strict=True))
        blocks.append("".join(f"{line}\n" for line in _lines(draft, tree, labels)))
    data = "".join(f"{block}\n" for block in blocks).encode()
    by_sentence = tuple(draft.defects for draft in made.drafts)
    return Repaired(path, policy, "conllu", data, (*wrong, *made.defects), by_sentence, heads)


def _tree(words: Sequence[DraftWord], policy: str) -> tuple[list[int], list[str]]:
    """Return the heads and labels of words as a policy has them.

    >>> _tree((DraftWord("a", head=2), DraftWord("b", head=1, deprel="root")), "right-branching")
    ([2, 0], ['_', 'root'])
    """
    heads, labels = [word.head for word in words], [word.deprel for word in words]
    mend = cut if policy == OPEN else nearest_tree
    tree = mend(heads, labels)
    for place, (head, before) in enumerate(zip(tree, heads, strict=True)):
        if head != before and head > 0 and labels[place] == "root":
            labels[place] = "dep"
        elif head != before and head == 0:
            labels[place] = "root"
    return tree, labels


_UNFIT = str.maketrans("\t\n\r", "   ")


def _lines(draft: Draft, heads: Sequence[int], labels: Sequence[str]) -> Iterator[str]:
    """Return the lines of a draft with the heads of its tree."""
    yield from draft.comments
    tokens = {token.first: token for token in draft.tokens}
    rows = zip(draft.words, heads, labels, strict=True)
    for place, (word, head, label) in enumerate(rows, 1):
        if token := tokens.get(place):
            fields = [f"{token.first}-{token.last}", *token.fields]
            fields[HEAD] = "_"
            yield "\t".join(fields)
        columns = (word.form, word.lemma, word.upos, word.xpos, word.feats)
        ends = (label, "_" if head != word.head else word.deps, word.misc)
        texts = (text.translate(_UNFIT).strip() or "_" for text in (*columns, *ends))
        form, lemma, upos, xpos, feats, deprel, deps, misc = texts
        number = "_" if head == MISSING else str(head)
        yield "\t".join([str(place), form, lemma, upos, xpos, feats, number, deprel, deps, misc])
