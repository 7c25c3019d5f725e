"""The review of probable errors: each word as it stands, and as it is proposed."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.evaluation.inputs import find_inputs
from commonground.formats import read
from commonground.plurals import number_of
from commonground.proofreading.suspects import AnnotationErrors, Suspect
from commonground.report.decision_sheets import errors_sheet
from commonground.report.drawing import draw, draw_difference
from commonground.report.page.review import WIDTH, Review, ReviewItem
from commonground.report.visible import visible

__all__ = ["errors_review", "review"]

_ACTS = (("a", "accept"), ("r", "reject"), ("s", "skip"))


def review(errors: AnnotationErrors) -> Review:
    """Return the review of a saved result, whose treebank is still there as it was."""
    name = (errors.request.versions or {}).get("treebank", "")
    inputs = find_inputs(errors.request, errors.origin.path)
    if inputs.missing:
        raise UsageError(f"{inputs.missing[0]}; run errors again")
    treebank = read(inputs.path(name), errors.request.options.format)
    if not isinstance(treebank, Dependencies):
        raise UsageError(f"{name} has {treebank.kind}; errors are looked for in dependencies")
    return errors_review(errors, treebank, name)


def errors_review(errors: AnnotationErrors, treebank: Dependencies, name: str) -> Review:
    """Return the review of the suspects of a treebank, which is called `name`."""
    places = {name: place for place, name in enumerate(treebank.sent_id.tolist())}
    places |= {f"#{place}": place - 1 for place in range(1, len(treebank) + 1)}
    lost = [each for each in errors.suspects if not _stands(each, treebank, places)]
    if lost:
        word = f"{lost[0].sentence}:{lost[0].word}"
        raise UsageError(f"{name} has no word {word} as the result has it; run errors again")
    sentences = [treebank[[places[each.sentence]]] for each in errors.suspects]
    pairs = list(zip(errors.suspects, sentences, strict=True))
    return Review(
        f"Probable errors in {visible(name)}",
        f"{number_of(len(errors), 'word')} of {errors.words:,}, the most doubtful first.",
        "Above the words: as it stands; below: as proposed.",
        errors_sheet(errors), _ACTS,
        tuple(_item(each, sentence, place) for place, (each, sentence) in enumerate(pairs)),
        tuple(_drawing(each, sentence) for each, sentence in pairs),
        patch=True,
    )  # fmt: skip


def _stands(each: Suspect, treebank: Dependencies, places: dict[str, int]) -> bool:
    """Tell whether the words of a suspect are there; a result may come from anywhere."""
    place = places.get(each.sentence, -1)
    if place < 0:
        return False
    words = int(treebank.offsets[place + 1] - treebank.offsets[place])
    return 1 <= each.word <= words and 0 <= each.head <= words and each.new_head <= words


def _item(each: Suspect, sentence: Dependencies, place: int) -> ReviewItem:
    forms = ["ROOT", *sentence.form.tolist()]

    def arc(label: str, head: int) -> str:
        return visible(f"{label} of {forms[head]} ({head})" if head else f"{label} of ROOT")

    new = arc(each.new_deprel, each.new_head) if each.proposed else "no proposal"
    changes = tuple((each.sentence, c.word, c.column, c.old, c.new) for c in each.changes())
    return ReviewItem(
        visible(f"{each.form} (word {each.word} of {each.sentence})"),
        visible(each.text),
        (("as it stands", arc(each.deprel, each.head)), ("proposed", new)),
        tuple((reason.kind, visible(reason.text)) for reason in each.reasons),
        changes,
        bool(changes),
        place,
    )


def _drawing(each: Suspect, sentence: Dependencies) -> str:
    if not each.proposed:
        return draw(sentence, standalone=False, widest=WIDTH)
    head = sentence.head.copy()
    label = sentence.deprel.tolist()
    head[each.word - 1], label[each.word - 1] = each.new_head, each.new_deprel
    proposed = sentence.replace("words", head=head.astype(np.int32), deprel=Strings.of(label))
    names = ("as it stands", "proposed")
    return draw_difference(proposed, sentence, standalone=False, widest=WIDTH, names=names)
