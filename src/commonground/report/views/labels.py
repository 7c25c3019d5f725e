"""Labels of inventories as tables: learned maps, translations to the hub, and equivalences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonground.grid import Grid, Value
from commonground.ground.inventory import HubTrees
from commonground.ground.label_map import LabelMap

__all__ = ["hub_grid", "hub_json", "map_grid", "map_json", "same_grid"]


def map_grid(label_map: LabelMap) -> Grid:
    """Return the entries of a map."""
    rows: list[list[Value]] = [
        [
            *(entry.label, entry.tag, entry.above, entry.other),
            *(entry.count, entry.total, 100 * entry.share),
        ]
        for entry in label_map.entries
    ]
    notes = (
        [f"undecided: {', '.join(e.label for e in label_map.undecided)}"]
        if label_map.undecided
        else []
    )
    return Grid.of("", ["label", "tag", "above", "other", "nodes", "of", "share (%)"], rows, notes)


def map_json(label_map: LabelMap) -> dict[str, Any]:
    """Return the entries of a map as JSON has them."""
    return {
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
