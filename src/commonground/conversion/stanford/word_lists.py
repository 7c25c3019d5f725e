"""Words that relations are told by."""

from __future__ import annotations

__all__ = ["AUXILIARIES", "COPULAS", "PASSIVE", "TIMES"]

_BE = "am is are r be being 's 're 'm was were been s ai m art ar wase"
COPULAS = frozenset(_BE.split())
"""Forms of 'be', beside which the predicate is the head."""

PASSIVE = frozenset(f"{_BE} get got getting gets gotten".split())
"""What makes a passive before a participle."""

AUXILIARIES = frozenset(
    f"{_BE} do does did done doing have has had having 've ve v 'd d hav of 'll wo ca get got "
    "getting gets gotten to".split()
)
"""Verbs that are auxiliaries before another verb."""

TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays second seconds minute minutes hour hours day days week "
    "weeks month months year years decade decades century centuries january february march april "
    "may june july august september october november december today yesterday tomorrow spring "
    "summer fall autumn winter morning afternoon evening night time".split()
)
"""Nouns that tell a time."""
