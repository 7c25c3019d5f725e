"""Schemes, what they choose and where they differ, and transformations as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from commonground.grid import Column, Grid, Value
from commonground.plurals import number_of
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.learning.learn import OTHER, Learned
from commonground.schemes.learning.recognition import Recognition
from commonground.schemes.library import find_scheme
from commonground.schemes.report import Report
from commonground.schemes.scheme import Scheme

__all__ = [
    "choices_grid",
    "learned_grids",
    "learned_json",
    "recognised_grids",
    "recognised_json",
    "report_grids",
    "scheme_grids",
    "scheme_json",
    "schemes_grid",
]

_SHOWN = 3
"""How many sentences a table names where JSON has them all."""


def schemes_grid(schemes: Mapping[str, Scheme]) -> Grid:
    """Return a table of schemes by name, with their titles and where they are described."""
    rows = [[name, scheme.title, scheme.reference] for name, scheme in schemes.items()]
    return Grid.of("Schemes", ["name", "title", "reference"], rows)


def choices_grid(schemes: Sequence[Scheme], *, all_rows: bool = False) -> Grid:
    """Return a table with a row per construction and a column per scheme.

    Rows in which all schemes agree are left out, unless `all_rows` is true.

    >>> one = Scheme("one", choices={"adposition": "function"})
    >>> grid = choices_grid([one, Scheme("two")])
    >>> [[cell.value for cell in row] for row in grid.rows]
    [['Adposition', 'in Rome', 'function', 'content']]
    """
    rows = []
    same = []
    for name, construction in CONSTRUCTIONS.items():
        ways = [scheme.usual_way(name) for scheme in schemes]
        if all_rows or len(set(ways)) > 1:
            rows.append([construction.title, construction.example, *ways])
        else:
            same.append(f"{construction.title.lower()} ({ways[0]})")
    return Grid.of(
        "What heads what",
        ["construction", "example", *(scheme.name for scheme in schemes)],
        rows,
        [f"the same in all: {', '.join(same)}"] if same else (),
    )


def scheme_grids(scheme: Scheme) -> list[Grid]:
    """Return all that a scheme says as tables: choices, heads, labels, tags."""
    choices = Grid.of(
        scheme.name if "+" in scheme.name else scheme.title,  # a mixture has the title of its base
        ["construction", "way", "meaning"],
        [
            [entry.title, scheme.way(name), entry.ways[scheme.way(name)]]
            for name, entry in CONSTRUCTIONS.items()
        ],
        [scheme.reference] if scheme.reference else (),
    )
    rules = [
        Grid.of(
            title,
            ["from", "to", "where"],
            [[", ".join(r.old), r.new, _conditions(r.conditions)] for r in entries],
        )
        for title, entries in (
            ("Labels, from the hub", scheme.write_rules),
            ("Labels, to the hub", scheme.read_rules),
        )
        if entries
    ]
    tables = [
        Grid.of(title, columns, table.items())
        for title, columns, table in (
            ("Labels, both ways", ["hub", scheme.name], scheme.table),
            ("Tags", [scheme.name, "UPOS"], _tags(scheme)),
            ("Features", [scheme.name, "hub"], _features(scheme)),
        )
        if table
    ]
    return [choices, *_head_grids(scheme), *rules, *tables]


def _head_grids(scheme: Scheme) -> list[Grid]:
    """Return which function words are heads, and how those are found."""
    conditions: list[list[Value]] = [
        [name, _listed(when.labels), when.side, _listed(when.unless), _listed(when.across)]
        for name, when in scheme.when.items()
    ]
    finds: list[list[Value]] = [
        [
            name,
            *(_listed(sorted(values)) for values in (find.labels, find.tags, find.feats)),
            *(_listed(sorted(values)) for values in (find.partner, find.without)),
            find.side,
        ]
        for name, ways in scheme.find.items()
        for find in ways
    ]
    of_words = ["label", "side", "unless there is", "across"]
    of_heads = ["label of the partner", "UPOS", "features", "partner", "without", "side"]
    return [
        Grid.of(title, ["construction", *columns], rows)
        for title, columns, rows in (
            ("Which words are heads", of_words, conditions),
            ("How heads are found", of_heads, finds),
        )
        if rows
    ]


def _tags(scheme: Scheme) -> dict[str, str]:
    """Return the tags of a scheme's treebanks, each with all that it can be."""
    own = scheme.own_tags
    return {tag: ", ".join(upos) for tag, upos in own.map.items()} if own else {}


def _features(scheme: Scheme) -> dict[str, str]:
    return dict(scheme.own_tags.features) if scheme.own_tags else {}


def _listed(values: Sequence[str]) -> str:
    return ", ".join(values)


def _conditions(conditions: Any) -> str:
    return "; ".join(f"{name} {', '.join(values)}" for name, values in conditions.items())


def scheme_json(scheme: Scheme) -> dict[str, Any]:
    """Return what a scheme says as JSON has it."""
    return {
        "name": scheme.name,
        "title": scheme.title,
        "reference": scheme.reference,
        "choices": {name: scheme.way(name) for name in CONSTRUCTIONS},
        "write": [_rule_json(rule.old, rule.new, rule.conditions) for rule in scheme.write_rules],
        "read": [_rule_json(rule.old, rule.new, rule.conditions) for rule in scheme.read_rules],
        "map": dict(scheme.table),
        "tags": _tags(scheme),
        "features": _features(scheme),
    }


def learned_grids(learned: Learned) -> list[Grid]:
    """Return the choices that were read off a treebank, and the schemes that are nearest."""
    old = learned.reference
    gains = {name: gain for (name, _), gain in zip(learned.moves, learned.gains, strict=True)}
    rows: list[list[Value]] = [
        [entry.title, old.way(name), learned.told(name), gains.get(name, 0)]
        for name, entry in CONSTRUCTIONS.items()
    ]
    if OTHER in gains:
        rows.append(["Other", old.name, learned.rest, gains[OTHER]])
    near = sorted(learned.shares.items(), key=lambda pair: -pair[1])
    looks = f"looks like {learned.nearest}, {100 * learned.shares[learned.nearest]:.1f} %"
    return [
        Grid.of(
            "Choices", ["construction", old.name, "here", Column("heads gained", "right")], rows
        ),
        Grid.of(
            "Heads in common with the other file in each scheme",
            ["scheme", Column("per cent", "right", 2)],
            [[name, 100 * share] for name, share in near],
            [looks],
        ),
    ]


def learned_json(learned: Learned) -> dict[str, Any]:
    """Return the choices that were read off a treebank as JSON has them."""
    gains = {name: gain for (name, _), gain in zip(learned.moves, learned.gains, strict=True)}
    return {
        "reference": learned.reference.name,
        "nearest": learned.nearest,
        "choices": {name: learned.way(name) for name in CONSTRUCTIONS},
        "gained": gains,
        "schemes": learned.shares,
    }


def recognised_grids(recognition: Recognition) -> list[Grid]:
    """Return the choices that a treebank makes, with the evidence, and the schemes by nearness."""
    near, *_ = ranked = recognition.ranked()
    scheme = find_scheme(near)
    rows: list[list[Value]] = [
        [
            entry.title,
            recognition.way(name) or "–",
            scheme.usual_way(name),
            recognition.votes(name).get(recognition.way(name) or "", 0),
            recognition.total(name),
            ", ".join(f"{way} {number}" for way, number in recognition.votes(name).items()),
        ]
        for name, entry in CONSTRUCTIONS.items()
    ]
    numbers = [Column(title, "right") for title in ("seen", "of")]
    shares = [Column(title, "right", 2) for title in ("choices", "labels")]
    return [
        Grid.of(
            "Choices",
            ["construction", "here", near, *numbers, "evidence for"],
            rows,
        ),
        Grid.of(
            "Schemes, by choices and labels in common, in per cent",
            ["scheme", *shares],
            [
                [name, 100 * recognition.choices[name], 100 * recognition.labels[name]]
                for name in ranked
            ],
            [recognition.looks()],
        ),
    ]


def recognised_json(recognition: Recognition) -> dict[str, Any]:
    """Return what was recognised as JSON has it."""
    return {
        "nearest": recognition.nearest,
        "share": recognition.share,
        "enough": recognition.enough,
        "choices": {name: recognition.way(name) for name in CONSTRUCTIONS},
        "evidence": {name: recognition.votes(name) for name in recognition.counts},
        "pieces": {name: recognition.total(name) for name in recognition.counts},
        "schemes": {
            name: {"choices": recognition.choices[name], "labels": recognition.labels[name]}
            for name in recognition.ranked()
        },
    }


def _rule_json(old: Sequence[str], new: str, conditions: Any) -> dict[str, Any]:
    return {"from": list(old), "to": new, **{name: list(v) for name, v in conditions.items()}}


def report_grids(report: Report) -> list[Grid]:
    """Return what a transformation did as tables."""
    rows: list[list[Value]] = [
        [
            entry.title,
            *report.ways[name],
            report.found[name],
            report.changed(name),
            sum(len(ids) for (failed, _), ids in report.failed.items() if failed == name),
        ]
        for name, entry in CONSTRUCTIONS.items()
        if report.found[name]
    ]
    total = (
        f"{number_of(report.sentences, 'sentence')}, {number_of(report.words, 'word')}; "
        f"{number_of(report.heads, 'head')} and {number_of(report.labels, 'label')} were changed"
    )
    left = [f"left as they were ({why}): {_named(ids)}" for why, ids in report.skipped.items()]
    numbers = [Column(title, "right") for title in ("found", "changed", "not done")]
    grids = [
        Grid.of(
            f"From {report.source} to {report.target}",
            ["construction", "from", "to", *numbers],
            rows,
            [total, *report.remarks, *report.label_remarks(), *left],
        )
    ]
    if report.failed:
        grids.append(
            Grid.of(
                "Not done",
                ["construction", "why", Column("times", "right"), "sentences"],
                [
                    [CONSTRUCTIONS[name].title, why, len(ids), _named(ids)]
                    for (name, why), ids in report.failed.items()
                ],
            )
        )
    if report.losses:
        grids.append(_losses_grid(report))
    return grids


def _losses_grid(report: Report) -> Grid:
    losses = report.losses
    assert losses is not None
    titles = {name: entry.title for name, entry in CONSTRUCTIONS.items()} | {"-": "none of these"}
    total = (
        f"{losses.either.total():,} of {losses.words:,} words ({100 * losses.share:.2f} %): "
        f"{number_of(losses.heads, 'head')}, {number_of(losses.labels, 'label')}"
    )
    where = [f"sentences: {_named(losses.sentences)}"] if losses.sentences else []
    return Grid.of(
        "Lost on the way back",
        ["construction of the word", Column("words", "right")],
        [[titles[name], losses.either[name]] for name in titles if losses.either[name]],
        [total, *where],
    )


def _named(ids: Sequence[str]) -> str:
    names = list(dict.fromkeys(ids))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
