"""What is to be seen about agreement: scores, α, where analyses differ, and a page to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.evaluation.agreement import Agreement
from commonground.evaluation.construction_groups import Question, questions_of
from commonground.evaluation.inputs import find_inputs
from commonground.formats import read
from commonground.plurals import number_of
from commonground.report.decision_sheets import adjudication_sheet
from commonground.report.drawing import draw, draw_difference
from commonground.report.drawing.svg import escaped
from commonground.report.page.review import WIDTH, Review, ReviewItem
from commonground.report.page.sections import Chapter, Section, TableBlock
from commonground.report.visible import visible

__all__ = ["chapter", "disagreement_review", "review"]

_MOST_DRAWN = 2_000
"""Maximum number of sentences that are drawn on a page of disagreements."""


def chapter(agreement: Agreement, metric: str = "") -> Chapter:
    """Return what is to be seen about a result of ``agreement``."""
    del metric
    grids = agreement.grids()
    more = len(agreement.differences) + len(agreement.pieces) + len(agreement.confusions)
    first = grids[: len(grids) - more]
    sections = [Section("How far they agree", tuple(map(TableBlock, first)))]
    if more:
        sections.append(Section("Where they differ", tuple(map(TableBlock, grids[len(first) :]))))
    return Chapter(
        f"Agreement of {', '.join(agreement.names)}",
        tuple(sections),
        facts={"Analyses": ", ".join(agreement.names)},
        signature=agreement.signature,
        command=agreement.origin.command,
    )


# ── a page to decide ─────────────────────────────────────────────────────────────────────────────


def review(agreement: Agreement) -> Review:
    """Return the review of a saved result, whose files are still there as they were."""
    inputs = find_inputs(agreement.request, agreement.origin.path)
    if inputs.missing:
        raise UsageError(f"{inputs.missing[0]}; run agreement again")
    analyses = agreement.request.analyses or {}
    if len(analyses) < 2:
        raise UsageError("one file in several schemes is nothing that annotators disagree about")
    paths = {name: inputs.path(path) for name, path in analyses.items()}
    return disagreement_review(questions_of(paths), paths)


def disagreement_review(questions: Sequence[Question], paths: Mapping[str, str]) -> Review:
    """Return the review of what annotators disagree about, from their files by their names."""
    names = list(paths)
    corpora = [each for each in map(read, paths.values()) if isinstance(each, Dependencies)]
    asked = dict.fromkeys(each.disagreement.sentence for each in questions)
    drawings: dict[str, str] = {}
    places = [_places(each) for each in corpora]
    for sentence in asked:
        if len(drawings) < _MOST_DRAWN and all(sentence in each for each in places):
            trees = [each[[at[sentence]]] for each, at in zip(corpora, places, strict=True)]
            drawings[sentence] = _drawings(trees, names)
    order = {sentence: place for place, sentence in enumerate(drawings)}
    numbers = [str(place) if place < 10 else "" for place in range(1, len(names) + 1)]
    note = f"Above the words: {names[0]}; below: {names[1]}." if len(names) == 2 else ""
    return Review(
        f"What {visible(', '.join(names))} disagree about",
        f"{number_of(len(questions), 'disagreement')}, like beside like.",
        visible(note), adjudication_sheet(questions, names),
        tuple(zip(numbers, names, strict=True)),
        tuple(_item(each, names, order) for each in questions),
        tuple(drawings.values()), other=True,
    )  # fmt: skip


def _item(question: Question, names: Sequence[str], order: Mapping[str, int]) -> ReviewItem:
    each = question.disagreement
    where = f"word {each.word} of {each.sentence}" if each.word else each.sentence
    return ReviewItem(
        visible(f"{each.column} of {each.form or 'the sentence'} ({where})"),
        visible(question.text),
        tuple((visible(a), visible(value)) for a, value in zip(names, each.values, strict=True)),
        (("construction", visible(question.construction)),) if question.construction else (),
        drawing=order.get(each.sentence, -1),
        asked=each,
    )  # fmt: skip


def _places(corpus: Dependencies) -> dict[str, int]:
    """Return sentences by the names that disagreements have for them."""
    places = {name: place for place, name in enumerate(corpus.sent_id.tolist())}
    return places | {f"#{place}": place - 1 for place in range(1, len(corpus) + 1)}


def _drawings(trees: Sequence[Dependencies], names: Sequence[str]) -> str:
    """Return two trees in one drawing, or more one below the other, the same ones once."""
    if len(trees) == 2:
        both = (visible(names[0]), visible(names[1]))
        return draw_difference(trees[1], trees[0], standalone=False, widest=WIDTH, names=both)
    drawn: dict[str, list[str]] = {}
    for name, tree in zip(names, trees, strict=True):
        drawn.setdefault(draw(tree, standalone=False, widest=WIDTH), []).append(name)
    return "".join(
        f"<p>{escaped(visible(', '.join(some)))}</p>{svg}" for svg, some in drawn.items()
    )
