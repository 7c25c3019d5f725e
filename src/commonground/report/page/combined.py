"""The chapter of several results together: their systems, tested against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from commonground.evaluation.combined_results import combine_results
from commonground.evaluation.main_metric import chosen_metric
from commonground.evaluation.result import Result
from commonground.evaluation.scores import Evaluation
from commonground.report.material.claims import to_test
from commonground.report.page.sections import Chapter
from commonground.report.page.summary import summary
from commonground.statistics.testing import significance_tests

__all__ = ["combined_chapter"]


def combined_chapter(results: Mapping[str, Result], metric: str = "") -> Chapter:
    """Return the systems of saved results, by the names to call the results by, and their tests.

    They are refused where their scores cannot be compared: other gold standards, settings or verbs.
    """
    combined = combine_results(_called(results))
    first = next(iter(results.values()))
    systems = combined.tested
    main = chosen_metric(systems, first.origin.path, metric)
    claims = significance_tests(*to_test(first.request, systems, combined.files), skip=True)
    evaluation = Evaluation.of_files(combined.signature, systems, combined.files)
    return Chapter(
        f"{_and([system.name for system in systems])} tested together",
        (summary(evaluation, claims, main),),
        facts=_facts(results.values(), systems[0][main].metric.title),
        signature=claims.signed(combined.signature),
    )


def _called(results: Mapping[str, Result]) -> dict[str, Result]:
    """Return results by their paths where the names of their systems tell them apart."""
    times = Counter(system.name for each in results.values() for system in each.scored())
    return {
        each.origin.path if all(times[s.name] == 1 for s in each.scored()) else name: each
        for name, each in results.items()
    }


def _facts(results: Iterable[Result], main: str) -> dict[str, str]:
    golds = {PurePath(each.request.gold).name for each in results if each.request.gold}
    gold_standard = {"Gold standard": ", ".join(sorted(golds))} if golds else {}
    return gold_standard | {"Main metric": main}


def _and(names: Sequence[str]) -> str:
    """Join names as a sentence does.

    >>> _and(["a", "b", "c"])
    'a, b and c'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
