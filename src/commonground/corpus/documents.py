"""Which document each sentence belongs to, where the treebank says so.

Sentences of one document resemble each other, so that a test which resamples sentences one by one
finds more than there is; resampling whole documents does not. Treebanks name documents in one of
two ways:

- a comment ``# newdoc id = NAME`` or ``# newdoc`` opens a document, which ends before the next one
  and at the end of its file;
- ids of sentences are the document's name, a hyphen and a number, as in EWT
  (``weblog-blogspot.com_nominations-0001``) and GUM (``GUM_academic_art-12``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from commonground.corpus.corpus import Corpus
from commonground.corpus.strings import Strings

__all__ = ["Said", "documents", "documents_named", "said_by"]

_NEWDOC = re.compile(r"^#[^\S\n]*newdoc\b(.*)$", re.MULTILINE)
_NUMBERED = re.compile(r"(.+)-[0-9]+", re.DOTALL)


def documents(corpus: Corpus) -> Strings | None:
    r"""Return the name of each sentence's document, or None where nothing names documents.

    The codes of the column are the documents' numbers. Comments say more than ids, so that ids
    count only where there is no ``newdoc``. Ids name documents only if all of them end in a hyphen
    and a number, and if what stands before differs: ``1 2 3``, ``s1 s2`` and ``dev-1 dev-2`` name
    none. What opens without a name is called by its place, ``document 2``.

    A corpus of some sentences of a treebank may have lost the comments that open its documents;
    take the sentences from the column of the whole treebank then, as from any column.

    >>> from commonground.corpus import Dependencies
    >>> corpus = Dependencies.of([(["Hi"], [0], ["root"])] * 3)
    >>> ids = ["# sent_id = art-1", "# sent_id = art-2", "# sent_id = bio-1"]
    >>> result = documents(corpus.replace("sentences", comments=Strings.of(ids)))
    >>> result.tolist(), result.codes.tolist()
    (['art', 'art', 'bio'], [0, 0, 1])
    >>> documents(corpus) is None
    True
    """
    names = documents_named([Said(*said_by(corpus))])
    return None if names is None else Strings.of(chain.from_iterable(names))


@dataclass(frozen=True, slots=True)
class Said:
    """What sentences say about their documents.

    `openings` are the names of the documents that they open, a space if one has no name, `paths`
    the files that they stand in.
    """

    openings: Strings
    paths: Strings
    ids: Strings


def said_by(corpus: Corpus) -> tuple[Strings, Strings, Strings]:
    """Return what the sentences of a corpus say, in the order of :class:`Said`."""
    paths = corpus.tables["origin"].strings("path")
    return corpus.comments.map(_opened), paths, corpus.sent_id


def documents_named(parts: Iterable[Said]) -> Iterator[list[str]] | None:
    """Return the name of each sentence's document, or None; a treebank may come in `parts`.

    All that was said before is needed to name a document, and all ids to know that they name any,
    so that parts are gone through several times.
    """
    if any(any(part.openings) for part in parts):
        return _from_comments(parts)
    if _name_documents(name for part in parts for name in part.ids):
        return ([name.rpartition("-")[0] for name in part.ids] for part in parts)
    return None


def _from_comments(parts: Iterable[Said]) -> Iterator[list[str]]:
    path, count = None, 0
    for part in parts:
        names: list[str] = []
        for comment, its_path in zip(part.openings, part.paths, strict=True):
            if comment or its_path != path:
                count += 1
                name = comment.strip() or f"document {count}"
            names.append(name)
            path = its_path
        yield names


def _opened(comments: str) -> str:
    """Return the name of the document that comments open, a space if it has none, or nothing."""
    for match in _NEWDOC.finditer(comments):
        key, _, name = match[1].partition("=")
        if key.strip() in ("", "id"):
            return name.strip() or " "
    return ""


def _name_documents(ids: Iterable[str]) -> bool:
    """Tell whether all ids name documents, and several."""
    first, several = "", False
    for name in ids:
        match = _NUMBERED.fullmatch(name)
        if match is None:
            return False
        first = first or match[1]
        several = several or match[1] != first
    return several
