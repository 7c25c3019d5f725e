"""Steps on dependency models with valence: their parameters turned, and what that changes."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from commonground.errors import UsageError
from commonground.experiments.steps.files import keep_grids, keep_records, treebank
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import TEXT, TEXTS, accepted
from commonground.grid import Cell, Column, Grid

__all__ = ["KINDS"]


def _flip(values: Values, folder: Path) -> None:
    from commonground.parsers.dmv.flips import PUBLISHED, ParameterFlips
    from commonground.parsers.dmv.parser import read_dmv
    from commonground.parsers.dmv.studies import flip_model, found_flips

    model = read_dmv(values["model"] / "model")
    published, edges = values.get("published"), values.get("edges", [])
    if published:
        flips = PUBLISHED[published]
    elif edges:
        flips = ParameterFlips.parse(edges)
    else:
        flips = found_flips(model, treebank(values["gold"]))
    text = values.get("of")
    known = set(model.grammar.tags)
    possible = [
        tuple(edge for edge in each if {edge.left, edge.right} <= known)
        for each in (flips.edges, flips.forbidden)
    ]
    turned = flip_model(model, ParameterFlips(*possible), treebank(text) if text else None)
    (folder / "model").write_text(turned.text(), encoding="utf-8")


def _measures(values: Values, folder: Path) -> None:
    """Keep the three measures of a parse: attachment, undirected, NED.

    With another parse `before`, keep how much they have changed, too.
    """
    from commonground.parsers.dmv.studies import SHORT, measured

    gold, parse = treebank(values["gold"]), treebank(values["parse"])
    measures = {"short": measured(gold, parse, SHORT), "all": measured(gold, parse)}
    if "before" in values:
        before = treebank(values["before"])
        measures["short_change"] = measures["short"] - measured(gold, before, SHORT)
        measures["all_change"] = measures["all"] - measured(gold, before)
    keep_records({name: asdict(each) for name, each in measures.items()}, folder)


_COUNTED = {
    "coordination": "penn:coordination",
    "prepositional phrase": "penn:preposition",
    "modal verb": "penn:modal",
    "infinitive": "penn:infinitive",
    "proper names": "penn:name",
    "any of them": "penn",
}
"""The rows of Table 3.1, and the structures that are counted for them."""


def _published_flips(values: Values, folder: Path) -> None:
    """Keep which edges are turned for which algorithm, and how frequent their structures are."""
    from commonground.parsers.dmv.flips import PUBLISHED, STRUCTURES
    from commonground.schemes.structures import frequencies

    counted = frequencies(treebank(values["of"]), "penn")
    shares = {name: counted.share(of) for name, of in _COUNTED.items()}
    turned = {name: {*each.edges, *each.forbidden} for name, each in PUBLISHED.items()}
    rows: list[list[Cell | str]] = [
        [
            name if edge == edges[0] else "",
            Cell(100 * shares[name] if edge == edges[0] else "", 1),
            str(edge),
            *("+" if edge in each else "–" for each in turned.values()),
        ]
        for name, edges in STRUCTURES.items()
        for edge in edges
    ]
    rows.append(["any of them", Cell(100 * shares["any of them"], 1), *[""] * (1 + len(turned))])
    (folder / "result.json").write_text(json.dumps(shares, indent=1), encoding="utf-8")
    share = Column("% of words", "right", 1)
    columns: list[Column | str] = ["structure", share, "edge", *turned]
    note = "An edge with + is reversed in the parameters of the algorithm; IN->DT is forbidden."
    keep_grids([Grid.of("Parameter changes", columns, rows, [note])], folder)


def _learnability(values: Values, folder: Path) -> None:
    from commonground.parsers.dmv.flips import PUBLISHED
    from commonground.parsers.dmv.own_annotation import PHRASES
    from commonground.parsers.dmv.studies import learnability

    name = values["algorithm"]
    measured = learnability(
        treebank(values["train"]), treebank(values["test"]), PUBLISHED[name], PHRASES[name]
    )
    keep_records(asdict(measured), folder)


def _find_published(name: str) -> None:
    from commonground.parsers.dmv.flips import PUBLISHED

    if name not in PUBLISHED:
        raise UsageError(f"nothing was published of {name!r}, but of {', '.join(PUBLISHED)}")


_ALGORITHM = accepted(TEXT, _find_published)

KINDS = (
    StepKind("flip-parameters", "Turn parameters of a DMV", _flip, ("model", "of", "gold"),
             {"published": _ALGORITHM, "edges": TEXTS}, ("of", "gold")),
    StepKind("measures", "Attachment, undirected, NED", _measures, ("gold", "parse", "before"),
             optional=("before",)),
    StepKind("published-flips", "The parameter changes of Schwartz (2011)", _published_flips,
             ("of",), version=3),
    StepKind("learnability", "Supervised DMV on two annotations", _learnability, ("train", "test"),
             {"algorithm": _ALGORITHM}, needed=("algorithm",)),
)  # fmt: skip
