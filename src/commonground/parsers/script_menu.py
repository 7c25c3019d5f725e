"""Which edit scripts can be chosen for a text: those that apply to it, and are general enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from commonground.parsers.edit_scripts import applies
from commonground.parsers.model_file import ModelError

__all__ = ["ScriptMenu"]

_MOST_CHOICES = 400
"""More scripts are not tried on one text; those that many texts had come first."""


@dataclass(frozen=True)
class ScriptMenu:
    """Scripts by number, of which the first `general` ones are for all texts that they apply to.

    The others are for the texts, in lower case, that they were seen with (`own`). Number 0 always
    applies; what it means is up to the caller.
    """

    scripts: tuple[str, ...]
    general: int
    own: dict[str, tuple[int, ...]]
    _by_cuts: dict[tuple[str, str], list[int]] = field(init=False, repr=False, compare=False)
    _lengths: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_cuts: dict[tuple[str, str], list[int]] = {}
        for number, script in enumerate(self.scripts[1 : self.general], 1):
            fields = script.split("\t")
            if len(fields) == 7:
                by_cuts.setdefault((fields[2], fields[4]), []).append(number)
        longest = tuple(max((len(cuts[side]) for cuts in by_cuts), default=0) for side in (0, 1))
        object.__setattr__(self, "_by_cuts", by_cuts)
        object.__setattr__(self, "_lengths", longest)

    @classmethod
    def of(cls, seen: Mapping[str, Iterable[str]], first: str, least: int) -> ScriptMenu:
        """Make the menu of scripts, each with the texts (in lower case) that it was seen with.

        Scripts of fewer than `least` texts are for these texts only.
        """
        texts = {script: set(each) for script, each in seen.items() if script != first}
        order = sorted(texts, key=lambda script: (-len(texts[script]), script))
        general = 1 + sum(len(texts[script]) >= least for script in order)
        own: dict[str, list[int]] = {}
        for number, script in enumerate(order, 1):
            if number >= general:
                for text in sorted(texts[script]):
                    own.setdefault(text, []).append(number)
        return cls(
            (first, *order), general, {text: tuple(each) for text, each in sorted(own.items())}
        )

    def choices(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the scripts that can be chosen for a text, in rising order."""
        lower = text.lower()
        known = [0, *self.own.get(lower, ())]
        front, back = (min(length, len(lower)) for length in self._lengths)
        for start in range(front + 1):
            for end in range(min(back, len(lower) - start) + 1):
                known += self._by_cuts.get((lower[:start], lower[len(lower) - end :]), ())
        return tuple(sorted(n for n in known if not n or applies(self.scripts[n], text)))[
            :_MOST_CHOICES
        ]


def menu_from(scripts: list[str], general: int, own: Mapping[str, object]) -> ScriptMenu:
    """Return the menu that a file holds."""
    numbers: dict[str, tuple[int, ...]] = {}
    for text, each in own.items():
        if not isinstance(each, list) or not all(
            type(number) is int and 0 < number < len(scripts) for number in each
        ):
            raise ModelError("it has scripts for a text that are none")
        numbers[text] = tuple(each)
    if not scripts or not 1 <= general <= len(scripts) < 65536:
        raise ModelError("it has no scripts, or too many")
    return ScriptMenu(tuple(scripts), general, numbers)
