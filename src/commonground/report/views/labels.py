"""Labels of inventories as tables: learned maps, translations to the hub, and equivalences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonground.grid import Grid, Value
from commonground.ground.inventory import HubTrees
from commonground.ground.label_map import LabelMap

__all__ = ["hub_grid", "hub_json", "map_grid", "map_json", "same_grid"]


def map_grid(found: LabelMap) -> Grid:
    """Return the entries of a map."""
    rows: list[list[Value]] = [
        [
            *(entry.label, entry.tag, entry.above, entry.other),
            *(entry.count, entry.total, 100 * entry.share),
        ]
        for entry in found.entries
    ]
    notes = [f"undecided: {', '.join(e.label for e in found.undecided)}"] if found.undecided else []
    return Grid.of("", ["label", "tag", "above", "other", "nodes", "of", "share (%)"], rows, notes)


def map_json(found: LabelMap) -> dict[str, Any]:
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
        for key, entries in (("entries", found.entries), ("undecided", found.undecided))
    }


def hub_grid(found: HubTrees) -> Grid:
    """Return what labels became in the hub, the most frequent first."""
    counts = sorted(found.mapping.items(), key=lambda item: (-item[1], item[0]))
    rows: list[list[Value]] = [[label, hub or "–", count] for (label, hub), count in counts]
    name = found.inventory or "no known inventory"
    note = (
        f"{name}: {found.known:,} of {found.labels:,} labels ({100 * found.coverage:.1f} %) known"
    )
    return Grid.of("", ["label", "hub", "nodes"], rows, [note])


def hub_json(found: HubTrees) -> dict[str, Any]:
    """Return what labels became in the hub as JSON has it."""
    return {
        "inventory": found.inventory,
        "coverage": found.coverage,
        "mapping": [
            {"label": label, "hub": hub, "count": count}
            for (label, hub), count in sorted(found.mapping.items())
        ],
    }


def same_grid(found: Mapping[str, str]) -> Grid:
    """Return labels by the relation of the hub that they are."""
    labels: dict[str, list[str]] = {}
    for label, hub in found.items():
        labels.setdefault(hub, []).append(label)
    rows = [[hub, " ".join(sorted(labels[hub]))] for hub in sorted(labels)]
    return Grid.of("", ["hub", "labels"], rows)
