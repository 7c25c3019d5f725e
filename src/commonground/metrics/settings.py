"""What a score depends on besides the treebanks, and the presets that repeat other programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Literal, get_args

from commonground.errors import UsageError, nearest
from commonground.metrics.constituents.evalb import Evalb, published

if TYPE_CHECKING:
    from commonground.metrics.training import TrainingData

__all__ = ["PRESETS", "Settings", "preset"]

Punctuation = Literal["keep", "unicode", "tag", "xpos"]
Mismatch = Literal["fail", "skip", "zero", "realign"]

NED_TAGS = frozenset(
    [",", ".", ":", "#", "(", ")", "-LRB-", "-RRB-", "``", "''", "LS", "SYM", "PUNCT"]
)
"""The tags that the NED program leaves out."""


_TREES = {"of": ("dependencies", "constituents", "functions")}
_PHRASES = {"of": ("constituents", "comparison")}
"""Fields say which kinds of comparisons use them, if not all do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to compare.

    What a kind of comparison does not use, it refuses; see :meth:`refuse_unused`.

    `punctuation`: ``keep`` scores it; ``unicode`` ignores words that consist only of Unicode
    punctuation; ``tag`` ignores words with one of the `punctuation_tags` (in XPOS or in UPOS),
    ``xpos`` those that have it in XPOS. The gold standard decides, for both sides.

    `shortest` and `longest`: the length of gold sentences that count, without ignored punctuation.

    `where`: a pattern; only the words that it names count, in the gold standard (words that only
    the parse has: in the parse).

    `subtypes`: whether ``nsubj:pass`` and ``nsubj`` are different labels. `ignore_case`: whether
    ``SBJ`` is the same as ``sbj``. `equivalent`: labels that stand for others.

    `repeated_arcs`: whether EULAS counts every pair of an arc of the gold standard and one of the
    parse that are equal without their subtypes, as the scorer of IWPT 2020 does: if a word has two
    such arcs on both sides, they count as four right ones, and the score can exceed 1.

    `universal_features`: whether only the features that Universal Dependencies define count.

    `functions`: whether ``NP-SBJ`` and ``NP`` are different labels. `function_nodes`: the labels of
    nodes that are no phrases but functions, as in relational-realizational trees.

    `evalb`: parameters of evalb; constituents are then compared as by that program, and the
    settings above do not apply.

    `tedeval`: the version of the original TedEval whose scores are repeated, if any.

    `attributes`: whether values without a dependent (``num(cat, sg)``) count as relations.

    `on_mismatch`: what to do where gold standard and parse have other words: ``fail``, ``skip`` the
    sentence, ``zero`` counts it as wrong, or ``realign`` over the characters of the text.

    `any_forms`: whether words of dependencies belong together by their numbers, whatever their
    forms, as in the scorer of CoNLL 2007; sentences with other forms are noted.

    `training`: what the parser was trained on, for scores of what it has seen and not seen.

    `trees`: whether dependencies with a cycle, or without exactly one root, are refused.

    `metrics`: what is computed when nothing is asked for; without any, the kind of corpus decides.
    """

    name: str = field(default="", metadata={"key": "preset"})
    punctuation: Punctuation = field(default="keep", metadata=_TREES)
    punctuation_tags: frozenset[str] = field(default=NED_TAGS, metadata=_TREES)
    shortest: int = field(default=0, metadata=_TREES)
    longest: int | None = field(default=None, metadata=_TREES)
    where: str = field(default="", metadata={"of": ("dependencies",), "if set": True})
    subtypes: bool = True
    ignore_case: bool = False
    equivalent: Mapping[str, str] = field(default_factory=dict)
    repeated_arcs: bool = field(default=False, metadata={"of": ("dependencies",), "if set": True})
    universal_features: bool = field(default=False, metadata={"of": ("dependencies",)})
    functions: bool = field(default=False, metadata={"of": ("constituents",)})
    function_nodes: tuple[str, ...] = field(
        default=(), metadata={"of": ("constituents", "comparison")}
    )
    evalb: Evalb | None = field(default=None, metadata={"of": ("constituents",)})
    tedeval: Literal["", "2.1", "2.2"] = field(default="", metadata=_TREES)
    attributes: bool = field(default=False, metadata={"of": ("relations",)})
    on_mismatch: Mismatch = "fail"
    any_forms: bool = field(default=False, metadata={"if set": True})
    trees: bool = field(default=False, metadata={"of": ("dependencies",)})
    training: TrainingData | None = field(
        default=None, metadata={"of": ("dependencies",), "if set": True}
    )
    metrics: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, known in (("punctuation", Punctuation), ("on_mismatch", Mismatch)):
            choices, value = get_args(known), getattr(self, name)
            if value not in choices:
                raise UsageError(f"{name} can be {', '.join(choices)}, not {value!r}")
        if self.where:
            from commonground.patterns.nodes import naming_pattern  # noqa: PLC0415  # seldom asked

            naming_pattern(self.where)

    def refuse_unused(self, kind: str) -> None:
        """Raise an error where something is set that this kind of comparison does not use.

        >>> Settings(attributes=True).refuse_unused("dependencies")
        Traceback (most recent call last):
        commonground.errors.UsageError: attributes has no effect on dependencies, only on relations
        """
        for each in fields(self):
            kinds = each.metadata.get("of", (kind,))
            if kind not in kinds and getattr(self, each.name) != each.default:
                why = f" (the preset {self.name} sets it)" if self.name else ""
                raise UsageError(
                    f"{each.name} has no effect on {kind}{why}, only on {' and '.join(kinds)}"
                )

    def label(self, text: str) -> str:
        """Return a label as it is compared.

        >>> Settings(subtypes=False, ignore_case=True, equivalent={"sub": "sbj"}).label("SUB:x")
        'sbj'
        """
        if not self.subtypes:
            text = text.partition(":")[0]
        if self.ignore_case:
            text = text.lower()
        return self.equivalent.get(text, text)


_TEDEVAL = ("tedeval", "tedeval_unlabelled")
_MRP = (
    *("mrp_precision", "mrp_recall", "mrp_f1", "mrp_tops", "mrp_labels", "mrp_properties"),
    *("mrp_anchors", "mrp_edges", "mrp_attributes"),
)
_CONLL18 = Settings(
    "conll18",
    subtypes=False,
    repeated_arcs=True,
    universal_features=True,
    on_mismatch="realign",
    trees=True,
    metrics=("uas", "las", "clas", "mlas", "blex"),
)

PRESETS = {
    "conll18": _CONLL18,
    "iwpt20": replace(_CONLL18, name="iwpt20", metrics=("uas", "las", "elas", "eulas")),
    "conllx": Settings("conllx", punctuation="unicode"),
    "conll07": Settings("conll07", any_forms=True),
    "conll2009": Settings(
        "conll2009",
        any_forms=True,
        metrics=(
            *("las", "uas", "la", "semantic_precision", "semantic_recall", "semantic_f1"),
            *("semantic_unlabelled_precision", "semantic_unlabelled_recall"),
            *("semantic_unlabelled_f1", "semantic_sense_f1", "semantic_proposition_f1"),
            *("semantic_exact_match", "semantic_macro_f1", "semantic_unlabelled_macro_f1"),
        ),
    ),
    "ned": Settings("ned", punctuation="xpos"),
    "evalb-collins": Settings("evalb-collins", evalb=published("COLLINS")),
    "evalb-new": Settings("evalb-new", evalb=published("new")),
    "tedeval-2.1": Settings("tedeval-2.1", tedeval="2.1", metrics=_TEDEVAL),
    "tedeval-2.2": Settings("tedeval-2.2", tedeval="2.2", metrics=_TEDEVAL),
    "mrp2019": Settings("mrp2019", metrics=_MRP),
    "mrp2020": Settings("mrp2020", metrics=_MRP),
    "smatch": Settings("smatch", metrics=("smatch_precision", "smatch_recall", "smatch")),
    "sdp2015": Settings(
        "sdp2015",
        metrics=(
            *("sdp_precision", "sdp_recall", "sdp_f1", "sdp_exact_match"),
            *("sdp_predications_f1", "sdp_frames_f1"),
        ),
    ),
    "edm": Settings(
        "edm", metrics=("edm_all", "edm_names", "edm_arguments", "edm_properties", "edm_tops")
    ),
}
"""The scorers of CoNLL 2018, IWPT 2020, CoNLL-X and CoNLL 2007, Schwartz's NED, evalb, TedEval;
of graphs, those of MRP 2019 and 2020, Smatch, SDP 2015 and EDM.
"""


ALIASES = {"evalb": "evalb-collins"}
"""Other names of presets: evalb is run with COLLINS.prm unless one says otherwise."""


def preset(name: str, **changes: object) -> Settings:
    """Return a preset, with changes; ``evalb`` is ``evalb-collins``, and is called so."""
    name = ALIASES.get(name, name)
    if name not in PRESETS:
        near = nearest(name, PRESETS)
        raise UsageError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}{near}")
    return replace(PRESETS[name], **changes)  # type: ignore[arg-type]  # the fields of Settings
