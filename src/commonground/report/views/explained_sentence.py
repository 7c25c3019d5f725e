"""How the scores of a sentence come about in a comparison, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from commonground.corpus import Functions
from commonground.evaluation.explained_sentence import Explained
from commonground.evaluation.explanation import Block
from commonground.formats import write_text
from commonground.ground.scripts import Operation, Script
from commonground.report.drawing import draw_explanation, draw_generalization
from commonground.report.table_formats.cells import printable
from commonground.report.text_trees import draw

__all__ = ["explanation_files", "explanation_html", "explanation_json", "explanation_text"]


def explanation_text(explanations: Sequence[Explained]) -> str:
    """Return the trees of a sentence and how its scores come about, for people to read."""
    general = printable(_last_line(explanations[0].general))
    drawn = draw(explanations[0].general[0])
    blocks = [f"── what all gold standards agree on (G) ──\n{general}\n\n{drawn}"]
    for system in explanations:
        trees = (("parse (P)", system.parse), ("own gold (O)", system.gold))
        lines = [f"{title:12}  {_last_line(tree)}" for title, tree in trees]
        for what, block in _all_blocks(system):
            lines += ["", f"{block.kind} MULTIPLE{what}: {block.formula}", *_edits(block)]
        blocks.append("\n".join([f"── {system.name} ──", *map(printable, lines)]))
    return "\n\n".join(blocks) + "\n"


def explanation_files(explanations: Mapping[str, Sequence[Explained]]) -> dict[str, str]:
    """Return the stages of a comparison as files: trees, what the golds agree on, and edits.

    `explanations` are by the ids of sentences. The files of trees have a line for each sentence.
    """
    files: dict[str, list[str]] = {}
    for sent_id, systems in explanations.items():
        files.setdefault("generalized.functions", []).append(_last_line(systems[0].general))
        for each in systems:
            for what, tree in (("gold", each.gold), ("parse", each.parse)):
                files.setdefault(f"{each.name}.{what}.functions", []).append(_last_line(tree))
            lines = [f"── {sent_id} ──"]
            for what, block in _all_blocks(each):
                lines += [f"{block.kind} MULTIPLE{what}: {block.formula}", *_edits(block)]
            files.setdefault(f"{each.name}.edits.txt", []).append("\n".join([*lines, ""]))
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


def explanation_json(explanations: Sequence[Explained]) -> dict[str, Any]:
    """Return how the scores of a sentence come about, with the generalized tree."""
    general = explanations[0].general
    tree = {"brackets": _last_line(general), "drawing": draw(general[0]).split("\n")}
    return {"generalized": tree, "systems": [each.to_json() for each in explanations]}


def explanation_html(explanations: Sequence[Explained]) -> str:
    """Return the generalized tree and how it came about as pictures, and the edits as text."""
    golds = {each.name: each.gold for each in explanations}
    pictures = [draw_generalization(golds), *map(draw_explanation, explanations)]
    figures = "".join(f"<figure>{picture}</figure>" for picture in pictures)
    return f"<div>{figures}<pre>{escape(explanation_text(explanations))}</pre></div>\n"


def _all_blocks(each: Explained) -> list[tuple[str, Block]]:
    """Return the blocks of a system, with what they are about where it is not nodes."""
    return [
        *(("", block) for block in each.blocks),
        *((" of relations", block) for block in each.relations),
    ]


def _edits(block: Block) -> Iterator[str]:
    """Return the edits that count, and those that are forgiven with the golds without the node."""
    yield f"  counted   {_script(block.charged)}"
    theories: dict[tuple[str, ...], list[Operation]] = {}
    for edit, golds in block.forgiven:
        theories.setdefault(golds, []).append(edit)
    if not theories:
        yield "  forgiven  nothing"
    for golds, edits in theories.items():
        where = f" (not in {', '.join(golds)})" if golds else ""
        yield f"  forgiven  {_script(tuple(edits))}{where}"


def _last_line(tree: Functions) -> str:
    """Return a tree without the comments before it."""
    return write_text(tree, "functions").strip().rpartition("\n")[2]


def _script(script: Script) -> str:
    return "; ".join(str(edit).replace(" _ ", " ") for edit in script) or "nothing"
