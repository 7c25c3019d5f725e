"""A module for Hugging Face ``evaluate``: the scores of parsers by commonground.

import commonground, evaluate
scores = evaluate.load(commonground.huggingface_module())
scores.compute(predictions=[conllu], references=[conllu], metrics=["las", "ned"])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
import evaluate

import commonground

_DESCRIPTION = """\
Scores of syntactic parsers: attachment scores, neutral edge direction (NED), CoNLL 2018, PARSEVAL,
TedEval, for dependencies and constituents.
"""
_INPUTS = """\
Args:
    predictions: parses, each the text of one or more sentences: CoNLL-U, brackets or another format
        that commonground knows.
    references: the gold standards of the same sentences.
    metrics: names of metrics (default: uas, las for dependencies, parseval_f1 for constituents).
    preset: score as another program does: conll18, conllx, evalb-collins, …
Returns:
    A dictionary of scores as fractions of 1, and the signature that names all they depend on.
"""
_CITATION = """\
@inproceedings{tsarfaty-etal-2012-cross,
    title = "Cross-Framework Evaluation for Statistical Parsing",
    author = "Tsarfaty, Reut and Nivre, Joakim and Andersson, Evelina",
    booktitle = "Proceedings of EACL",
    year = "2012",
}
"""
_USUAL = {"dependencies": ("uas", "las"), "constituents": ("parseval_f1",)}


class ParsingScores(evaluate.Metric):  # type: ignore[misc]  # it has no types
    """The scores of parsers."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": text, "references": text}),
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str],
        metrics: Sequence[str] = (),
        preset: str = "",
    ) -> dict[str, Any]:
        gold, parse = (commonground.read_text(_joined(t)) for t in (references, predictions))
        names = list(metrics) or list(_USUAL.get(gold.kind, ()))
        settings = commonground.preset(preset) if preset else None
        result = commonground.evaluate(gold, parse, metrics=names, settings=settings)
        scores = {name: result[name].value for name in names or result.systems[0].scores}
        return {**scores, "signature": result.signature}


def _joined(texts: Sequence[str]) -> str:
    return "".join(text.strip("\n") + "\n\n" for text in texts)
