"""What is done about heads that nobody has written."""

from __future__ import annotations

from commonground.errors import UsageError, nearest

__all__ = ["OPEN", "POLICIES", "RIGHT_BRANCHING", "known_policy"]

RIGHT_BRANCHING = "right-branching"
OPEN = "open"

POLICIES = {
    RIGHT_BRANCHING: "every sentence becomes a tree; a word without a head hangs on the one before",
    OPEN: "words without a head stay without one; precision is over the heads that are there",
}
"""The policies, and what they say."""


def known_policy(name: str) -> str:
    """Return the name of a policy, or refuse it.

    >>> known_policy("open")
    'open'
    """
    if name in POLICIES:
        return name
    known = ", ".join(POLICIES)
    raise UsageError(
        f"there is no policy {name!r} of repair; there are {known}{nearest(name, POLICIES)}"
    )
