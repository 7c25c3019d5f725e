"""What to do where words of two languages are not linked one to one."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.errors import UsageError
from commonground.evaluation.signature import signed

__all__ = ["POLICIES", "Policies"]

POLICIES: dict[str, dict[str, str]] = {
    "tags": {
        "any": "all links are used",
        "same": "only links between words with the same part of speech (UPOS) are used",
    },
    "one_to_many": {
        "first": "the first of the target words represents the source word",
        "last": "the last of them does",
        "drop": "none of them does: such links are not used",
    },
    "extra": {
        "attach": "the other target words are attached to the one that represents the source word",
        "leave": "the other target words get no head",
    },
    "many_to_one": {
        "top": "the target word represents the source word that is highest in its tree",
        "first": "it represents the first of them",
        "last": "it represents the last of them",
        "drop": "it represents none: such links are not used",
    },
    "unaligned_head": {
        "leave": "a word whose source head is not linked gets no head",
        "climb": "it is attached to the nearest linked ancestor",
    },
    "unaligned": {
        "leave": "a target word without a link gets no head",
        "left": "it is attached to the word before it, with the label dep",
        "right": "it is attached to the word after it, with the label dep",
    },
    "crossing": {
        "keep": "arcs may cross",
        "drop": "of arcs that cross, the longer one is dropped, until none cross",
    },
}
"""The choices of each policy, and what they mean; the first is the one of direct correspondence."""


@signed
@dataclass(frozen=True, slots=True)
class Policies:
    """One choice for each policy; those of direct correspondence where nothing is chosen.

    >>> Policies(unaligned_head="climb").many_to_one
    'top'
    """

    tags: str = "any"
    one_to_many: str = "first"
    extra: str = "attach"
    many_to_one: str = "top"
    unaligned_head: str = "leave"
    unaligned: str = "leave"
    crossing: str = "keep"

    def __post_init__(self) -> None:
        for name, choices in POLICIES.items():
            if getattr(self, name) not in choices:
                raise UsageError(
                    f"{name.replace('_', '-')} can be {', '.join(choices)}, not "
                    f"{getattr(self, name)!r}"
                )
