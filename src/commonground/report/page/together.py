"""The chapter of several results together: their systems, tested against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from commonground.evaluation.combined_results import together
from commonground.evaluation.saved import Saved
from commonground.report.page.sections import Chapter
from commonground.report.page.summary import chosen_metric, summary, to_test
from commonground.statistics.testing import significance_tests

__all__ = ["together_chapter"]


def together_chapter(results: Mapping[str, Saved], metric: str = "") -> Chapter:
    """Return the systems of saved results, by the names to call the results by, and their tests.

    They are refused where their scores cannot be compared: other gold standards, settings or verbs.
    """
    found = together(_called(results))
    first = next(iter(results.values()))
    saved = replace(first, systems=found.tested(), signature=found.signature)
    main = chosen_metric(saved, metric)
    claims = significance_tests(*to_test(saved, saved.systems, found.files), skip=True)
    return Chapter(
        f"{_and([system.name for system in saved.systems])} tested together",
        (summary(saved, claims, main, found.files),),
        facts=_facts(saved, results.values(), main),
        signature=claims.signed(found.signature),
    )


def _called(results: Mapping[str, Saved]) -> dict[str, Saved]:
    """Return results by their paths where the names of their systems tell them apart."""
    times = Counter(system.name for saved in results.values() for system in saved.systems)
    return {
        saved.path if all(times[s.name] == 1 for s in saved.systems) else name: saved
        for name, saved in results.items()
    }


def _facts(saved: Saved, results: Iterable[Saved], main: str) -> dict[str, str]:
    golds = {PurePath(each.request.gold).name for each in results if each.request.gold}
    told = {"Gold standard": ", ".join(sorted(golds))} if golds else {}
    return told | {"Main metric": saved.systems[0][main].metric.title}


def _and(names: Sequence[str]) -> str:
    """Join names as a sentence does.

    >>> _and(["a", "b", "c"])
    'a, b and c'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
