"""The names that the validator of Universal Dependencies has for problems that readers find.

See https://universaldependencies.org/contributing/validation.html for what each of them means.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.errors import Problem

__all__ = ["named"]

_RULES = {
    r"\d+ column": "number-of-columns",
    r"\w+ is empty": "empty-column",
    r"FORM is only white space": "empty-column",
    r"white space where a blank line": "pseudo-empty-line",
    r"a comment inside a sentence": "misplaced-comment",
    r"comments without words": "empty-sentence",
    r"ID is '[1-9][0-9]*'": "word-id-sequence",
    r"ID is ": "invalid-word-id",
    r"empty node ": "misplaced-empty-node",
    r"multiword token .* must stand before": "misplaced-word-interval",
    r"multiword token .* ends before": "reversed-word-interval",
    r"multiword token .* the sentence has": "word-interval-out",
    r"multiword token .* overlaps": "overlapping-word-intervals",
    r"multiword token .* not followed": "misplaced-empty-node",
    r"HEAD is .* only words have one": "nonempty-head",
    r"HEAD is .*(?:from 0 is expected|partial trees)": "invalid-head",
    r"HEAD is 0 for ": "multiple-roots",
    r"HEAD is ": "unknown-head",
    r"no HEAD for ": "invalid-head",
    r"no word has HEAD 0": "non-tree",
    r"the heads of .* form a cycle": "non-tree",
    r"word .* is its own head": "head-self-loop",
    r"sent_id .* is also that": "non-unique-sent-id",
    r"# text has ": "text-form-mismatch",
    r"DEPS names the node itself": "deps-self-loop",
    r"DEPS names the head ": "unknown-ehead",
    r"DEPS is .* or _ are expected": "invalid-deps",
    r"DEPS is .* in ascending order": "unsorted-deps",
    r"DEPS is .* has an arc twice": "repeated-deps",
    r"FEATS is .* in alphabetical order": "unsorted-features",
    r"FEATS is .* twice": "repeated-feature",
}
"""How messages begin, and the names of their rules; the first that fits is taken."""

_MECHANICAL = {
    *("empty-column", "pseudo-empty-line", "unsorted-deps", "repeated-deps", "unsorted-features"),
    *("unsorted-feature-values", "repeated-feature-value", "nospaceafter-yes"),
}
"""The rules that a program can restore without a decision (``fix`` does)."""

_DECISION = re.compile(r"(?:ID|FORM|HEAD) is ")


def named(problem: Problem) -> Problem:
    """Return a problem with the name of its rule, and whether it is mechanical.

    >>> named(Problem(3, "FEATS is 'B=1|A=1'; the names must be in alphabetical order")).rule
    'unsorted-features'
    """
    message = problem.message
    rules = (rule for start, rule in _RULES.items() if re.match(start, message))
    rule = problem.rule or next(rules, "")
    mechanical = rule in _MECHANICAL and not _DECISION.match(message)
    return replace(problem, rule=rule, mechanical=problem.mechanical or mechanical)
