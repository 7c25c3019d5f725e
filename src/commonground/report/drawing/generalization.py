"""What gold standards agree on, what each of them loses, and why a parse gets its score.

The trees are function trees over the same words. A node that the generalized tree has not is in a
dotted box, a label that it has not is crossed out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from commonground.corpus import Functions
from commonground.evaluation.explained_sentence import Explained
from commonground.ground import generalize
from commonground.ground.scripts import Explanation, Operation
from commonground.report.drawing.dependencies import runs_from_right
from commonground.report.drawing.functions import Marks, function_tree, label_sets
from commonground.report.drawing.legend import LOST, NODES, legend
from commonground.report.drawing.style import LABEL
from commonground.report.drawing.svg import Picture, heading, stacked
from commonground.report.drawing.tree_diagram import TreeDiagram
from commonground.report.visible import visible

__all__ = ["explanation_picture", "generalization_picture"]


def generalization_picture(golds: Mapping[str, Functions], *, widest: int) -> Picture:
    """Draw what corpora of one sentence agree on, and each of them with what it loses."""
    general = generalize(*golds.values())
    kept = label_sets(general[0])
    parts = [heading("what all agree on"), _panel(general, widest)]
    for name, gold in golds.items():
        parts += [heading(name), _panel(gold, widest, _lost(kept))]
    return legend(LOST, stacked(parts, gap=0))


def _lost(kept: Mapping[str, Sequence[str]]) -> Marks:
    def marks(words: str, labels: Sequence[str]) -> tuple[str, Sequence[str]]:
        if words not in kept:
            return "lost", [""] * len(labels)
        return "", ["" if label in kept[words] else "lost" for label in labels]

    return marks


def explanation_picture(explained_sentence: Explained, *, widest: int) -> Picture:
    """Draw a parse and the generalized gold standard, with the edits that lead to it.

    What is deleted from the parse is marked in it, what is added to it is marked in the generalized
    tree; what is forgiven, because the own gold standard would have to be edited too, is dotted.
    The whole script stands below.
    """
    explanation = explained_sentence.explanation
    parts = [
        heading(f"{explained_sentence.name}: parse"),
        _panel(
            explained_sentence.parse, widest, _edited(explanation, "wrong", ("delete", "relabel"))
        ),
        heading("generalized gold"),
        _panel(explained_sentence.general, widest, _edited(explanation, "right", ("add",))),
        *_script("counted", explanation.charged, widest),
        *_script("forgiven", explanation.forgiven, widest),
    ]
    return legend((*NODES[1:4:2], LOST[1]._replace(meaning="forgiven")), stacked(parts, gap=0))


def _edited(explanation: Explanation, side: str, kinds: Sequence[str]) -> Marks:
    """Mark the nodes with labels that some kinds of operations touch."""
    touched: dict[str, dict[str, str]] = {}
    for script, kind in ((explanation.charged, side), (explanation.forgiven, "lost")):
        for each in script:
            if each.kind in kinds:
                touched.setdefault(each.yields, {})[each.label] = kind

    def marks(words: str, labels: Sequence[str]) -> tuple[str, Sequence[str]]:
        edits = touched.get(words, {})
        names = [edits.get(label, "") for label in labels]
        whole = set(names) if edits else {""}
        return (whole.pop() if len(whole) == 1 else ""), names

    return marks


def _script(title: str, script: Sequence[Operation], widest: int) -> list[Picture]:
    """Return the operations of a script, in lines of about the width of the drawing."""
    edits = "; ".join(map(str, script)) or "nothing"
    lines = wrap(f"{title}: {visible(edits)}", max(widest // LABEL * 2, 40))
    return [heading(line, "note") for line in lines]


def _panel(tree: Functions, widest: int, marks: Marks | None = None) -> Picture:
    sentence = tree[0]
    turned = runs_from_right(sentence.column("form"))
    drawn = TreeDiagram(sentence.text, function_tree(sentence, marks), right_to_left=turned)
    return drawn.picture(widest)
