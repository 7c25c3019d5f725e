"""What a text must be for a condition of a pattern to hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller

from commonground.patterns.expressions import compile_expression
from commonground.patterns.language import Condition, Labels

__all__ = ["Predicate", "feature_value", "label_predicate", "predicate"]

Predicate = Callable[[str], bool]

LABELS = ("deprel", "label", "edge")
"""The columns of labels, which can go on with a subtype, a function or an index."""

LISTS = {"feats": "|", "misc": "|"}
"""The columns that hold names with values, and what stands between them."""

_SUBTYPE = (":", "@", "-", "=", "/")


def predicate(condition: Condition) -> Predicate:
    """Return what a condition asks of the text of its column.

    >>> holds = predicate(Condition("Case", ("Acc", "Dat")))
    >>> holds("Case=Dat|Number=Sing"), holds("Case=Nom"), holds("_")
    (True, False, False)
    >>> predicate(Condition("deprel", ("nsubj",)))("nsubj:pass")
    True
    """
    name = condition.column
    if name[0].isupper():
        return _feature("feats", name, condition)
    column, dot, feature = name.partition(".")
    if dot:
        return _feature(column, feature, condition)
    if condition.expression:
        return _denied(_searching(condition.values), denied=condition.denied)
    if column == "function":
        return _denied(_one_of(",", condition.values), denied=condition.denied)
    if condition.exact:
        return _denied(frozenset(condition.values).__contains__, denied=condition.denied)
    return _denied(_matching(condition.values, labels=column in LABELS), denied=condition.denied)


def label_predicate(labels: Labels) -> Predicate:
    """Return what the labels of an arc must be.

    >>> allowed = label_predicate(Labels(("obj", "iobj"), denied=True))
    >>> allowed("iobj:agent"), allowed("obl")
    (False, True)
    """
    if labels.expression:
        return _denied(_searching(labels.values), denied=labels.denied)
    if labels.exact:
        return _denied(frozenset(labels.values).__contains__, denied=labels.denied)
    return _denied(_matching(labels.values, labels=True), denied=labels.denied)


def _denied(holds: Predicate, *, denied: bool) -> Predicate:
    return (lambda text: not holds(text)) if denied else holds


def _searching(values: Sequence[str]) -> Predicate:
    expressions = [compile_expression(value) for value in values]
    return lambda text: any(each.search(text) is not None for each in expressions)


def _one_of(between: str, values: Sequence[str]) -> Predicate:
    one = _matching(values, labels=False)
    return lambda text: any(map(one, text.split(between)))


def _matching(values: Sequence[str], *, labels: bool) -> Predicate:
    """Return whether a text is one of some values; ``*`` stands for anything in them."""
    whole = frozenset(value for value in values if "*" not in value)
    anything = "*" in values
    pieces = [value.split("*") for value in values if "*" in value and value != "*"]
    starts = tuple(first for first, *rest in pieces if rest == [""])
    ends = tuple(rest[0] for first, *rest in pieces if not first and len(rest) == 1)
    globs = [each for each in pieces if len(each) > 2 or (each[0] and each[1])]
    begins = tuple(value + sign for value in whole for sign in _SUBTYPE) if labels else ()
    if not (begins or anything or globs or starts or ends):
        return whole.__contains__
    if not (whole or anything or globs or starts):
        return methodcaller("endswith", ends)
    if not (whole or anything or globs or ends):
        return methodcaller("startswith", starts)

    def holds(text: str) -> bool:
        return (
            text in whole
            or text.startswith(begins)
            or text.startswith(starts)
            or text.endswith(ends)
            or any(_fits(text, pieces) for pieces in globs)
            or (anything and text not in ("", "_"))
        )

    return holds


def _fits(text: str, pieces: Sequence[str]) -> bool:
    """Tell whether a text consists of the pieces with anything between them; linear.

    >>> _fits("walked", ["", "ed"]), _fits("VBZ", ["VB", ""]), _fits("aba", ["ab", "ba"])
    (True, True, False)
    """
    first, *middle, last = pieces
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    place, end = len(first), len(text) - len(last)
    for piece in middle:
        place = text.find(piece, place, end)
        if place < 0:
            return False
        place += len(piece)
    return True


def feature_value(text: str, name: str) -> str:
    """Return the value of a feature in the text of FEATS or MISC, the empty string if it has none.

    >>> feature_value("Case=Nom|Number=Sing", "Number"), feature_value("_", "Number")
    ('Sing', '')
    """
    pairs = (entry.partition("=") for entry in text.split("|"))
    return next((value for key, _, value in pairs if key == name), "")


def _feature(column: str, name: str, condition: Condition) -> Predicate:
    """Return what a feature, or an entry of MISC, must be; of several values, one must be it.

    >>> of_both = "Gender=Fem,Masc"
    >>> [predicate(Condition("Gender", ("Fem",), exact=exact))(of_both) for exact in (False, True)]
    [True, False]
    """
    between, begin = LISTS.get(column, "|"), name + "="
    if condition.expression:
        one = _searching(condition.values)
    elif condition.exact:
        one = frozenset(condition.values).__contains__
    elif condition.values == ("*",):
        one = bool
    else:
        one = _one_of(",", condition.values)

    def holds(text: str) -> bool:
        return any(
            one(entry[len(begin) :]) for entry in text.split(between) if entry.startswith(begin)
        )

    return _denied(holds, denied=condition.denied)
