"""Labels of inventories as tables: learned maps, translations to the hub, and equivalences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonground.grid import Grid, Value
from commonground.ground.inventory import HubTrees
from commonground.ground.label_learning import CrossFitted

__all__ = ["held_out", "hub_grid", "hub_json", "map_grid", "map_json", "same_grid"]


def map_grid(fitted: CrossFitted) -> Grid:
    """Return the entries of a map."""
    label_map = fitted.whole
    rows: list[list[Value]] = [
        [
            *(entry.label, entry.tag, entry.above, entry.other),
            *(entry.count, entry.total, 100 * entry.share),
        ]
        for entry in label_map.entries
    ]
    notes = [held_out(fitted)]
    if label_map.undecided:
        notes.append(f"undecided: {', '.join(e.label for e in label_map.undecided)}")
    return Grid.of("", ["label", "tag", "above", "other", "nodes", "of", "share (%)"], rows, notes)


def held_out(fitted: CrossFitted) -> str:
    """Say how much maps know and get right of sentences that they were not learned from."""
    known = f"{100 * fitted.known / max(fitted.labels, 1):.1f} % of the labels are known"
    right = "" if fitted.accuracy is None else f", {100 * fitted.accuracy:.1f} % of these right"
    return f"where held out, {known}{right}"


def map_json(fitted: CrossFitted) -> dict[str, Any]:
    """Return the entries of a map as JSON has them."""
    label_map = fitted.whole
    tables = {
        key: [
            {
                "label": entry.label,
                "tag": entry.tag,
                "above": entry.above,
                "other": entry.other,
                "count": entry.count,
                "total": entry.total,
                "share": entry.share,
            }
            for entry in entries
        ]
        for key, entries in (("entries", label_map.entries), ("undecided", label_map.undecided))
    }
    share = fitted.known / fitted.labels if fitted.labels else None
    return {**tables, "held_out": {"known": share, "accuracy": fitted.accuracy}}


def hub_grid(trees: HubTrees) -> Grid:
    """Return what labels became in the hub, the most frequent first."""
    counts = sorted(trees.mapping.items(), key=lambda item: (-item[1], item[0]))
    rows: list[list[Value]] = [[label, hub or "–", count] for (label, hub), count in counts]
    name = trees.inventory or "no known inventory"
    note = (
        f"{name}: {trees.known:,} of {trees.labels:,} labels ({100 * trees.coverage:.1f} %) known"
    )
    return Grid.of("", ["label", "hub", "nodes"], rows, [note])


def hub_json(trees: HubTrees) -> dict[str, Any]:
    """Return what labels became in the hub as JSON has it."""
    return {
        "inventory": trees.inventory,
        "coverage": trees.coverage,
        "mapping": [
            {"label": label, "hub": hub, "count": count}
            for (label, hub), count in sorted(trees.mapping.items())
        ],
    }


def same_grid(relations: Mapping[str, str]) -> Grid:
    """Return labels by the relation of the hub that they are."""
    labels: dict[str, list[str]] = {}
    for label, hub in relations.items():
        labels.setdefault(hub, []).append(label)
    rows = [[hub, " ".join(sorted(labels[hub]))] for hub in sorted(labels)]
    return Grid.of("", ["hub", "labels"], rows)
