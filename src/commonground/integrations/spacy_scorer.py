"""A scorer for spaCy's parsers, named in a config and used by ``spacy train`` and ``evaluate``.

    [components.parser.scorer]
    @scorers = "commonground.parser_scorer.v1"
    metrics = ["uas", "las", "ned"]

    [training.score_weights]
    commonground_ned = 1.0

It adds its scores, as fractions of 1, to those of spaCy's own scorer. Sentences and words that the
pipeline has split in another way than the gold standard are aligned by their characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from commonground.evaluation.evaluate import evaluate
from commonground.metrics.settings import Settings, preset

__all__ = ["make", "scores"]


def make(
    metrics: Sequence[str] = ("uas", "las", "ned"), scheme_preset: str = ""
) -> Callable[..., dict[str, Any]]:
    """Return a scorer: a function of spaCy's examples that returns scores by their names.

    `scheme_preset` is one of ``evaluate --preset``, such as conllx to leave punctuation out.
    """

    def score(examples: Iterable[Any], **options: Any) -> dict[str, Any]:
        from spacy.pipeline.dep_parser import parser_score  # noqa: PLC0415  # an extra

        known = list(examples)
        return {**parser_score(known, **options), **scores(known, metrics, scheme_preset)}

    return score


def scores(
    examples: Iterable[Any], metrics: Sequence[str], scheme_preset: str = ""
) -> dict[str, float | None]:
    """Return the scores of spaCy's examples as ``commonground_las`` and so on.

    Documents whose gold standard has no tree are left out; without any other, scores are None.
    """
    pairs = [
        (example.reference, example.predicted)
        for example in examples
        if example.reference.has_annotation("DEP") and example.predicted.has_annotation("DEP")
    ]
    if not pairs:
        return {f"commonground_{name}": None for name in metrics}
    settings = preset(scheme_preset) if scheme_preset else Settings(on_mismatch="realign")
    golds, parses = zip(*pairs, strict=True)
    result = evaluate(list(golds), list(parses), metrics=list(metrics), settings=settings)
    return {f"commonground_{name}": result[name].value for name in metrics}
