"""Claims as tables: superscripts and intervals of scores, all pairs, groups, and power."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from commonground.grid import Cell, Column, Grid, Note
from commonground.metrics.metric import Metric
from commonground.plurals import number_of
from commonground.statistics.ranking import rank_text, ranks
from commonground.statistics.verdict import verdict_of

if TYPE_CHECKING:
    from commonground.statistics.claims import Claims
    from commonground.statistics.pairs import TestedPair

__all__ = ["CORRECTIONS", "claimed_comparison", "claimed_scores", "grids", "p_cell"]

_LETTERS = "abcdefghijklmnoprstuvwxyz"
"""What systems are called in superscripts; there is no raised q."""

CORRECTIONS = {
    "none": "no correction",
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
}
TESTS = {
    "shuffle": "shuffling test",
    "bootstrap": "paired bootstrap",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "sign test",
    "mcnemar": "McNemar's test",
}


def markers(claims: Claims) -> dict[str, str]:
    """Return the letter of each system, with which superscripts name it; none without a test.

    With more systems than letters they have numbers, and a superscript has commas between them.
    """
    if not claims.pairs:
        return {}
    many = len(claims.systems) > len(_LETTERS)
    return {
        name: str(place + 1) if many else _LETTERS[place]
        for place, name in enumerate(claims.systems)
    }


def claimed_scores(grid: Grid, claims: Claims | None) -> Grid:
    """Return a table of scores, whose last rows are the systems, with what was found about them.

    Each system has its letter in a column of its own, before its name.
    """
    if claims is None:
        return grid
    first = len(grid.rows) - len(claims.systems)
    titles = [column.title for column in grid.columns]
    claimed = _claimed(
        grid,
        {
            (first + row, titles.index(metric.title)): (system, metric)
            for row, system in enumerate(claims.systems)
            for metric in claims.metrics.values()
        },
        claims,
    )
    letters = markers(claims)
    if not letters:
        return claimed
    at = int(titles[0] == "file" and titles[1] == "parse")
    numbers = [""] * first + [letters[system] for system in claims.systems]
    rows = (
        [*row[:at], Cell(number), *row[at:]]
        for row, number in zip(claimed.rows, numbers, strict=True)
    )
    columns = [*claimed.columns[:at], Column("#"), *claimed.columns[at:]]
    return Grid.of(claimed.title, columns, rows, claimed.notes, claimed.signature)


def claimed_comparison(grid: Grid, claims: Claims | None) -> Grid:
    """Return the table of a comparison: its rows are metrics, its last columns the systems.

    The notes say which letter is which system.
    """
    if claims is None:
        return grid
    left = len(grid.columns) - len(claims.systems)
    metrics = {metric.title: metric for metric in claims.metrics.values()}
    places = {
        (place, left + column): (system, metrics[title])
        for place, row in enumerate(grid.rows)
        for column, system in enumerate(claims.systems)
        if (title := str(row[left - 1].value)) in metrics
    }
    return _claimed(grid, places, claims, legend=True)


def _claimed(
    grid: Grid,
    places: Mapping[tuple[int, int], tuple[str, Metric]],
    claims: Claims,
    *,
    legend: bool = False,
) -> Grid:
    """Return a table with superscripts and intervals at some places, and notes that explain them.

    `places` are rows and columns, with the system and the metric whose score stands there.
    """
    rows = [
        [
            _marked(cell, *places[r, c], claims) if (r, c) in places else cell
            for c, cell in enumerate(row)
        ]
        for r, row in enumerate(grid.rows)
    ]
    notes = [*grid.notes, *_notes(claims, legend=legend)]
    return Grid.of(grid.title, grid.columns, rows, notes, claims.signed(grid.signature))


def _marked(cell: Cell, system: str, metric: Metric, claims: Claims) -> Cell:
    """Return the cell of a score with its interval and the systems that it is better than."""
    worse = set(claims.worse_than(system, metric.name))
    known = claims.intervals.get((system, metric.name))
    scale = metric.scale
    interval = (scale * known.low, scale * known.high) if known else None
    return replace(cell, mark=_superscript(markers(claims), worse), interval=interval)


def _superscript(letters: Mapping[str, str], worse: Container[str]) -> str:
    """Return the letters of some systems; of three or more in a row the first and the last.

    >>> _superscript(dict(zip("ABCDEF", "abcdef", strict=True)), "ACDEF")
    'ac–f'
    """
    rows = [
        [letter for _, letter in row]
        for is_worse, row in groupby(letters.items(), lambda each: each[0] in worse)
        if is_worse
    ]
    parts = [part for row in rows for part in ([f"{row[0]}–{row[-1]}"] if len(row) > 2 else row)]
    return ("," if any(len(letter) > 1 for letter in letters.values()) else "").join(parts)


def _notes(claims: Claims, *, legend: bool) -> Iterator[Note]:
    """Return what stands below a table of scores; a `legend` says which letter is which system."""
    plan = claims.asked
    if claims.pairs:
        if legend:
            for name, letter in markers(claims).items():
                yield Note(name, letter)
        yield Note(f"Superscripts: significantly better than these ({_how(claims)}).")
        yield from map(Note, _too_few(claims))
    if claims.intervals:
        sizes = sorted({interval.units for interval in claims.intervals.values()})
        units = " to ".join(f"{size:,}" for size in dict.fromkeys((sizes[0], sizes[-1])))
        yield Note(
            f"Intervals at {100 * plan.confidence:g} %: {_method(plan.method)} bootstrap of "
            f"{units} {plan.resample}{' within files' if plan.within else ''}, "
            f"{plan.iterations:,} iterations, seed {plan.seed}."
        )
    if claims.left_out:
        few = ("sentence that not all systems have is", "sentences that not all systems have are")
        yield Note(
            f"{number_of(claims.left_out, *few)} left out of the tests, but not of the scores "
            "above."
        )


def _how(claims: Claims) -> str:
    """Say by what test and with what certainty."""
    plan = claims.asked
    first = [pairs for (_, test), pairs in claims.pairs.items() if test == plan.tests[0]]
    pairs, count = first[0], len(first[0].pairs)
    claim = pairs.pairs[0].claim
    within = f" within {number_of(len(plan.within), 'file')}" if plan.within else ""
    units = f"{claim.units:,} {claim.unit}s{within}"
    parts = [TESTS[plan.tests[0]], claim.alternative, units]
    if all(pair.claim.exact for each in first for pair in each.pairs):
        parts.append("exact")
    elif plan.tests[0] in ("shuffle", "bootstrap"):
        parts += [f"{plan.iterations:,} iterations", f"seed {plan.seed}"]
    if count > 1:
        parts.append(f"{CORRECTIONS[plan.correction]} for {number_of(count, 'pair')}")
    outside = " and 0 outside the interval" if claims.differences else ""
    return ", ".join([*parts, f"p ≤ {pairs.alpha:g}{outside}"])


def _method(method: str) -> str:
    return {"bca": "BCa"}.get(method, method)


# ── tables of their own ──────────────────────────────────────────────────────────────────────────


def grids(claims: Claims, *, verdict: bool = True) -> list[Grid]:
    """Return the table of all pairs, that of the groups, and that of what could be detected.

    The first one begins with the `verdict`, unless it stands above another table. Claims that have
    the scores that they are about are shown with these.
    """
    if claims.about is not None:
        return claims.about.grids(claims=replace(claims, about=None), verdict=False)
    tables = [
        *([_pair_grid(claims)] if claims.pairs else []),
        *_across_grids(claims),
        *_group_grids(claims),
        *([_detectable_grid(claims)] if claims.detectable else []),
    ]
    conclusion = verdict_of(claims) if verdict and claims.pairs else None
    return [replace(tables[0], lead=conclusion.sentence), *tables[1:]] if conclusion else tables


def _across_grids(claims: Claims) -> Iterator[Grid]:
    """Return the table of all pairs with files as units, beside that of sentences within files."""
    if claims.across is not None and claims.across.pairs:
        grid = _pair_grid(claims.across)
        title = "Differences across files: would they be found on other treebanks?"
        few = map(Note, _too_few_files(claims.across))
        yield replace(grid, title=title, notes=(*grid.notes, *few))


def _pair_grid(claims: Claims) -> Grid:
    """Return a row per metric and pair of systems."""
    plan = claims.asked
    several = len(plan.tests) > 1
    corrected = plan.correction != "none" and len(claims.systems) > 2
    columns = [
        *map(Column, ("metric", *(["test"] if several else []), "system", "other")),
        Column("difference", "right", 2),
        Column("p", "right", 4),
        *([Column(f"p ({plan.correction})", "right", 4)] if corrected else []),
        *(Column(title, "right") for title in ("wins", "ties", "losses")),
        Column("d", "right", 2),
    ]
    rows = [
        [
            claims.metrics[metric].title,
            *([test] if several else []),
            *_pair_row(claims, claims.metrics[metric], pair, corrected=corrected),
        ]
        for (metric, test), pairs in claims.pairs.items()
        for pair in pairs.pairs
    ]
    share = all(metric.share for metric in claims.metrics.values())
    scale = " in percentage points" if share else ""
    level = f"{100 * plan.confidence:g} % ({_method(plan.method)} bootstrap)"
    outcomes = f"the number of {plan.resample} on which the first system is better, equal or worse"
    how = _how(claims)
    if several:
        article = "" if how[0].isupper() else "the "  # by Wilcoxon's test, by the sign test
        how = f"superscripts and ranks by {article}{how}"
    notes = [
        f"Differences{scale} with their intervals at {level}; {how}.",
        f"wins, ties, losses: {outcomes}; d: Cohen's d for pairs.",
    ]
    return Grid.of("Differences between systems", columns, rows, notes)


def _pair_row(
    claims: Claims, metric: Metric, pair: TestedPair, *, corrected: bool
) -> list[Cell | str | int | float | None]:
    scale = metric.scale
    around = claims.differences.get((metric.name, pair.one, pair.other))
    interval = (scale * around.low, scale * around.high) if around else None
    return [
        pair.one,
        pair.other,
        Cell(scale * pair.claim.difference, interval=interval),
        p_cell(pair.claim.p, bold=pair.different and not corrected),
        *([p_cell(pair.corrected, bold=pair.different)] if corrected else []),
        pair.outcomes.wins,
        pair.outcomes.ties,
        pair.outcomes.losses,
        pair.outcomes.d_z,
    ]


def p_cell(p: float, *, bold: bool = False) -> Cell:
    """Return the cell of a p-value, with four decimals, or with two digits where it is very small.

    >>> p_cell(0.25).decimals, p_cell(0.0000018).decimals
    (4, -2)
    """
    return Cell(p, 4 if p >= 0.0001 else -2, bold)


def _too_few(claims: Claims) -> Iterator[str]:
    """Warn where a random test has too few iterations to find anything after the correction."""
    yield from _too_few_files(claims)
    needed = max(pairs.iterations_needed for pairs in claims.pairs.values())
    random = {"shuffle", "bootstrap"} & set(claims.asked.tests)
    if random and claims.asked.iterations < needed:
        yield f"Too few iterations: with fewer than {needed:,}, no difference can be significant."


def _too_few_files(claims: Claims) -> Iterator[str]:
    """Warn where so few files cannot show anything: with n, the smallest p is 2 / 2ⁿ."""
    pairs = next(iter(claims.pairs.values()))
    claim = pairs.pairs[0].claim
    sides = 2 if claim.alternative == "two-sided" else 1
    factor = 1 if pairs.correction == "none" else len(pairs.pairs)
    if claim.unit == "file" and factor * sides / 2**claim.units > pairs.alpha:
        yield (
            f"Too few files: no difference over {number_of(claim.units, 'file')} can be "
            "significant."
        )


def _group_grids(claims: Claims) -> Iterator[Grid]:
    """Return the ranks of systems by all metrics, where there are more than two systems."""
    test = claims.asked.tests[0] if claims.asked.tests else ""
    by_metric = {metric: pairs for (metric, each), pairs in claims.pairs.items() if each == test}
    if len(claims.systems) < 3 or not by_metric:
        return
    columns = [Column("system"), *(Column(claims.metrics[metric].title) for metric in by_metric)]
    placed = {
        metric: ranks(
            dict(zip(pairs.systems, pairs.scores, strict=True)), claims.metrics[metric], claims
        )
        for metric, pairs in by_metric.items()
    }
    rows = [
        [name, *(rank_text(placed[metric][name]) for metric in by_metric)]
        for name in claims.systems
    ]
    note = (
        "A system ranks below those that are significantly better, and above those that are "
        "significantly worse."
    )
    yield Grid.of("Ranks", columns, rows, [note])


def _detectable_grid(claims: Claims) -> Grid:
    """Return the smallest differences that the test set could show."""
    first = next(iter(claims.detectable.values()))
    rows = []
    for name, each in claims.detectable.items():
        scale = claims.metrics[name].scale
        size = None if each.difference is None else scale * each.difference
        error = None if each.error is None else scale * each.error
        rows.append([claims.metrics[name].title, size, error, each.churn])
    columns = [
        Column("metric"),
        Column("difference", "right", 2),
        Column("standard error", "right", 2),
        Column("churn", "right", 4),
    ]
    several = len(claims.systems) > 1
    seen = (
        "as observed between the two best systems"
        if several
        else ("assumed to be 1, because there is no other system")
    )
    note = (
        "A system that is better than the best one by this difference is found to be better with "
        f"a probability of {100 * first.power:g} % ({TESTS[first.test]}, {first.units:,} "
        f"{first.unit}s, p ≤ {first.alpha:g}; {first.simulations:,} simulations of "
        f"{first.iterations:,} iterations, seed {first.seed}). churn: the share of its decisions "
        f"that are independent of those of the best one, {seen}."
    )
    never = any(each.difference is None for each in claims.detectable.values())
    notes = [
        note,
        *(["–: not even a perfect system is found that often."] if never else []),
    ]
    return Grid.of("Smallest difference that can be detected", columns, rows, notes)
