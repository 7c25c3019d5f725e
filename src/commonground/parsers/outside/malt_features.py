"""A feature model of MaltParser for one treebank: which features help, found by trying.

As MaltOptimizer does (Ballesteros & Nivre 2012): beginning with MaltParser's own model of an
algorithm, groups of features are added one after the other, and each stays if the labelled
attachment score on sentences that were held out rises. What is tried depends on the columns that
the treebank fills.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from commonground.corpus import Dependencies
from commonground.errors import UsageError, quoted

__all__ = ["FeatureGroup", "candidates", "default_features", "searched"]


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features that are tried together: a name, and the lines of a feature model."""

    name: str
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    """What an algorithm calls the two words that it may join, and those around them."""

    model: str
    one: str
    other: str
    before: str
    after: str


_WORDS: Mapping[str, _Words] = {
    "nivreeager": _Words("NivreEager", "Stack[0]", "Input[0]", "Stack[1]", "Input[1]"),
    "nivrestandard": _Words("NivreStandard", "Stack[0]", "Input[0]", "Stack[1]", "Input[1]"),
    "stackproj": _Words("StackProjective", "Stack[1]", "Stack[0]", "Stack[2]", "Lookahead[0]"),
    "stackeager": _Words("StackSwap", "Stack[1]", "Stack[0]", "Stack[2]", "Lookahead[0]"),
    "stacklazy": _Words("StackSwap", "Stack[1]", "Stack[0]", "Stack[2]", "Lookahead[0]"),
}


def default_features(jar: str, algorithm: str) -> str:
    """Return MaltParser's own feature model of an algorithm, from its jar."""
    words = _words(algorithm)
    place = f"appdata/features/liblinear/conllx/{words.model}.xml"
    try:
        with zipfile.ZipFile(jar) as archive:
            return archive.read(place).decode("utf-8")
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise UsageError(f"{jar} has no feature model {place}, to begin the search with") from error


def candidates(corpus: Dependencies, algorithm: str) -> list[FeatureGroup]:
    """Return the groups of features to try for a treebank, by what its columns have.

    >>> trees = Dependencies.of([(["a", "b"], [0, 1], ["root", "dep"])])
    >>> [group.name for group in candidates(trees, "nivreeager")][:3]
    ['words with tags', 'tags of dependents', 'words around']
    """
    words = _words(algorithm)
    one, other, before, after = words.one, words.other, words.before, words.after
    groups = [
        FeatureGroup(
            "words with tags",
            (
                _merged(_tag(one), _form(other)),
                _merged(_form(one), _tag(other)),
                _merged(_form(one), _form(other)),
            ),
        ),
        FeatureGroup(
            "tags of dependents",
            (_tag(f"ldep({one})"), _tag(f"rdep({one})"), _tag(f"ldep({other})")),
        ),
        FeatureGroup("words around", (_form(before), _form(after))),
        FeatureGroup("neighbours in the sentence", (_tag(f"pred({one})"), _tag(f"succ({one})"))),
        FeatureGroup("the head above", (_tag(f"head({one})"),)),
        FeatureGroup(
            "labels with both tags",
            (_merged(_tag(one), _tag(other), f"OutputColumn(DEPREL, {one})"),),
        ),
    ]
    for column, name in (("lemma", "LEMMA"), ("upos", "CPOSTAG")):
        if len(corpus.words.strings(column).vocabulary) > 1:
            pair = tuple(f"InputColumn({name}, {word})" for word in (one, other))
            groups.append(FeatureGroup(f"column {name}", (*pair, _merged(*pair))))
    if len(corpus.words.strings("feats").vocabulary) > 1:
        split = tuple(f"Split(InputColumn(FEATS, {word}),\\|)" for word in (one, other))
        groups.append(FeatureGroup("column FEATS", split))
    return groups


def searched(
    start: str, groups: Sequence[FeatureGroup], score: Callable[[str], float]
) -> tuple[str, tuple[str, ...], float]:
    r"""Return the feature model with all groups that helped, their names, and its score.

    `score` says how good a feature model is.

    >>> start = "<featuremodels><featuremodel>\n</featuremodel></featuremodels>"
    >>> groups = [FeatureGroup(name, (name,)) for name in ("good", "bad")]
    >>> _, chosen, best = searched(start, groups, lambda text: ("good" in text) - ("bad" in text))
    >>> chosen, best
    (('good',), 1)
    """
    chosen: tuple[str, ...] = ()
    model, best = start, score(start)
    for group in groups:
        longer = _added(model, group)
        reached = score(longer)
        if reached > best:
            model, best, chosen = longer, reached, (*chosen, group.name)
    return model, chosen, best


def _added(model: str, group: FeatureGroup) -> str:
    """Return a feature model with further features."""
    lines = "".join(f"\t\t<feature>{each}</feature>\n" for each in group.features)
    if "</featuremodel>" not in model:
        raise UsageError("the feature model has no </featuremodel>")
    head, end, tail = model.rpartition("</featuremodel>")
    return f"{head.rstrip()}\n{lines}\t{end}{tail}"


def _words(algorithm: str) -> _Words:
    if algorithm not in _WORDS:
        known = ", ".join(_WORDS)
        raise UsageError(
            f"features of {quoted(algorithm)} cannot be searched; those of {known} can"
        )
    return _WORDS[algorithm]


def _tag(word: str) -> str:
    return f"InputColumn(POSTAG, {word})"


def _form(word: str) -> str:
    return f"InputColumn(FORM, {word})"


def _merged(*features: str) -> str:
    """Return what stands for several features at once."""
    return f"Merge{len(features) if len(features) > 2 else ''}({', '.join(features)})"
