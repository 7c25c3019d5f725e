r"""Sentences drawn as SVG: trees, graphs, and what differs between two of them.

Drawings are plain SVG (see :mod:`commonground.report.drawing.svg`): nothing in them is executed or
loaded, all text from files is shown as text, and the same sentence gives the same bytes.

>>> from commonground.corpus import Dependencies
>>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
>>> print(draw(birds, standalone=False).partition(" viewBox")[0])
<svg class="cg-drawing" width="100" height="91"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from commonground.corpus import (
    Alignments,
    Constituents,
    Corpus,
    Dependencies,
    Functions,
    Graphs,
    Sentence,
)
from commonground.errors import UsageError
from commonground.kernels.compiled_modules import prefer_compiled

prefer_compiled(__name__)  # before any of its modules is imported

from commonground.report.drawing.arc_diagram import Diagram
from commonground.report.drawing.dependencies import (
    DrawingOptions,
    dependency_diagram,
    runs_from_right,
)
from commonground.report.drawing.dependency_differences import dependency_difference
from commonground.report.drawing.style import STYLE
from commonground.report.drawing.svg import Picture, heading, stacked

if TYPE_CHECKING:
    from commonground.evaluation.explained_sentence import Explained
    from commonground.report.drawing.alignments import AlignmentGrid
    from commonground.report.drawing.graphs import GraphDrawing
    from commonground.report.drawing.tree_diagram import TreeDiagram

# What draws other things than dependencies is imported where there are such things.

__all__ = [
    "STYLE",
    "WIDEST",
    "DrawingOptions",
    "difference_picture",
    "differing",
    "draw",
    "draw_alignment",
    "draw_difference",
    "draw_explanation",
    "draw_generalization",
    "subject",
]

WIDEST = 960
"""Width of a drawing in pixels; a sentence that needs more goes on in a second line."""

Drawable = Corpus | Sentence[Any]
"""A sentence, or a corpus of one sentence."""


def draw(
    corpus: Drawable,
    *,
    standalone: bool = True,
    widest: int = WIDEST,
    tags: Sequence[str] | None = None,
    enhanced: bool = False,
) -> str:
    """Draw a sentence, or a corpus of one sentence, as SVG.

    A `standalone` drawing is a whole file; one that is not takes its style from :data:`STYLE` in
    the page that it stands in. `tags` are the columns of dependencies that stand below the words
    (the part of speech if it is None); with `enhanced`, they are drawn with their enhanced graph.
    """
    return (
        subject(corpus, DrawingOptions(tags, enhanced)).picture(widest).svg(standalone=standalone)
    )


def draw_difference(
    gold: Drawable,
    system: Drawable,
    *,
    standalone: bool = True,
    widest: int = WIDEST,
    tags: Sequence[str] | None = None,
    enhanced: bool = False,
    names: tuple[str, str] = ("parse", "gold"),
) -> str:
    """Draw what a gold standard and a parse say about a sentence, together, as SVG.

    The parse is above the words and the gold standard below them; `names` calls them something
    else. Analyses of different kinds are compared as function trees. Where the words are not the
    same, two drawings stand one below the other.
    """
    picture = difference_picture(gold, system, DrawingOptions(tags, enhanced, names), widest)
    return picture.svg(standalone=standalone)


def draw_alignment(
    source: Drawable, target: Drawable, links: Drawable, *, standalone: bool = True
) -> str:
    """Draw two dependency trees, with lines between the words that are linked, as SVG."""
    from commonground.report.drawing.alignments import tree_pair  # noqa: PLC0415

    picture = tree_pair(_sentence(source), _sentence(target), _sentence(links))
    return picture.svg(standalone=standalone)


def draw_generalization(
    golds: Mapping[str, Functions], *, standalone: bool = True, widest: int = WIDEST
) -> str:
    """Draw what the function trees of a sentence agree on, and what each of them loses."""
    from commonground.report.drawing.generalization import generalization_picture  # noqa: PLC0415

    return generalization_picture(golds, widest=widest).svg(standalone=standalone)


def draw_explanation(
    explanation: Explained, *, standalone: bool = True, widest: int = WIDEST
) -> str:
    """Draw why a parse gets its TedEval score, as :func:`explain_sentence` found it."""
    from commonground.report.drawing.generalization import explanation_picture  # noqa: PLC0415

    return explanation_picture(explanation, widest=widest).svg(standalone=standalone)


def subject(
    corpus: Drawable, options: DrawingOptions
) -> Diagram | TreeDiagram | AlignmentGrid | GraphDrawing:
    """Return what there is to draw of a sentence."""
    sentence = _sentence(corpus)
    if isinstance(sentence.corpus, Dependencies):
        return dependency_diagram(sentence, options)
    if isinstance(sentence.corpus, Alignments):
        from commonground.report.drawing.alignments import alignment_grid  # noqa: PLC0415

        return alignment_grid(sentence)
    if isinstance(sentence.corpus, Graphs):
        from commonground.report.drawing.graphs import graph_drawing  # noqa: PLC0415

        return graph_drawing(sentence)
    return _tree_diagram(sentence)


def _tree_diagram(sentence: Sentence[Any]) -> TreeDiagram:
    from commonground.report.drawing.constituents import constituent_tree  # noqa: PLC0415
    from commonground.report.drawing.functions import function_tree  # noqa: PLC0415
    from commonground.report.drawing.tree_diagram import TreeDiagram  # noqa: PLC0415

    if isinstance(sentence.corpus, Constituents):
        tree = constituent_tree(sentence)
    elif isinstance(sentence.corpus, Functions):
        tree = function_tree(sentence)
    else:
        raise UsageError(f"{sentence.corpus.kind} cannot be drawn as a picture")
    turned = runs_from_right(sentence.column("form"))
    return TreeDiagram(sentence.text, tree, right_to_left=turned)


def differing(
    gold: Drawable, system: Drawable, options: DrawingOptions
) -> Diagram | TreeDiagram | GraphDrawing | None:
    """Return what there is to draw of two analyses together, None where the words differ."""
    one, two = _sentence(gold), _sentence(system)
    if isinstance(one.corpus, Dependencies) and isinstance(two.corpus, Dependencies):
        return dependency_difference(one, two, options)
    if isinstance(one.corpus, Graphs) and isinstance(two.corpus, Graphs):
        from commonground.report.drawing.graphs import graph_drawing_of_both  # noqa: PLC0415

        return graph_drawing_of_both(one, two, options)
    return _tree_difference(one, two, options)


def _tree_difference(
    one: Sentence[Any], two: Sentence[Any], options: DrawingOptions
) -> TreeDiagram | None:
    from commonground.ground import to_functions  # noqa: PLC0415
    from commonground.report.drawing.node_differences import (  # noqa: PLC0415
        constituent_difference,
        function_difference,
    )

    if isinstance(one.corpus, Constituents) and isinstance(two.corpus, Constituents):
        return constituent_difference(one, two)
    trees = (to_functions(side.alone, enhanced=options.enhanced)[0] for side in (one, two))
    return function_difference(*trees)


def difference_picture(
    gold: Drawable, system: Drawable, options: DrawingOptions, widest: int = WIDEST
) -> Picture:
    """Return the drawing of two analyses of a sentence, without its frame."""
    both = differing(gold, system, options)
    if both is not None:
        return both.picture(widest)
    one, two = (subject(side, options).picture(widest) for side in (gold, system))
    above, below = options.names
    return stacked([heading(above), two, heading(below), one], gap=0)


def _sentence(corpus: Drawable) -> Sentence[Any]:
    """Return the one sentence of a corpus."""
    if isinstance(corpus, Sentence):
        return corpus
    if len(corpus) != 1:
        raise UsageError(f"one sentence can be drawn, not {len(corpus):,}")
    return corpus[0]
