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
from collections.abc import Iterable

from commonground.corpus.corpus import Corpus
from commonground.corpus.strings import Strings

__all__ = ["documents", "documents_named", "openings"]

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
    >>> found = documents(corpus.replace("sentences", comments=Strings.of(ids)))
    >>> found.tolist(), found.codes.tolist()
    (['art', 'art', 'bio'], [0, 0, 1])
    >>> documents(corpus) is None
    True
    """
    paths = corpus.tables["origin"].strings("path")
    return documents_named(openings(corpus), paths, corpus.sent_id)


def openings(corpus: Corpus) -> Strings:
    """Return the name of the document that each sentence opens, a space if that has no name."""
    return corpus.comments.map(_opened)


def documents_named(opened: Strings, paths: Strings, ids: Strings) -> Strings | None:
    """Return the name of each sentence's document, given the :func:`openings`, paths and ids."""
    return _from_comments(opened, paths) or _from_ids(ids)


def _from_comments(opened: Strings, paths: Iterable[str]) -> Strings | None:
    if not any(opened):
        return None
    names: list[str] = []
    path, count = None, 0
    for comment, its_path in zip(opened, paths, strict=True):
        if comment or its_path != path:
            count += 1
            name = comment.strip() or f"document {count}"
        names.append(name)
        path = its_path
    return Strings.of(names)


def _opened(comments: str) -> str:
    """Return the name of the document that comments open, a space if it has none, or nothing."""
    for found in _NEWDOC.finditer(comments):
        key, _, name = found[1].partition("=")
        if key.strip() in ("", "id"):
            return name.strip() or " "
    return ""


def _from_ids(ids: Strings) -> Strings | None:
    found = [_NUMBERED.fullmatch(name) for name in ids]
    names = Strings.of(match[1] for match in found if match)
    several = len(names.vocabulary) > 1
    return names if several and len(names) == len(ids) else None
