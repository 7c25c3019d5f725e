r"""Compare syntactic parsers across treebanks, schemes and frameworks.

Everything a program needs is an attribute of this module; each is loaded when it is first used, so
that ``import commonground`` costs nothing.

>>> import commonground as cg
>>> treebank = cg.read_text("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
>>> treebank.deprel.tolist()
['root']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonground.alignment import (
        Aligned,
        AlignerSettings,
        Bitext,
        align,
        read_bitext,
        symmetrise,
    )
    from commonground.corpus import (
        Alignments,
        Constituents,
        Corpus,
        Dependencies,
        Functions,
        Relations,
        Sentence,
        Strings,
        Table,
    )
    from commonground.corpus.documents import documents
    from commonground.corpus.graph import relations_of
    from commonground.corpus.stripping import stripped
    from commonground.corpus.summary import Summary, sample, summary
    from commonground.errors import (
        CommonGroundError,
        InputError,
        MissingExtraError,
        Problem,
        UsageError,
    )
    from commonground.evaluation.agreement import Agreement, agreement, scheme_agreement
    from commonground.evaluation.alpha import Alpha, alpha
    from commonground.evaluation.conventions import Conventions, conventions
    from commonground.evaluation.cross import CompareResult, compare
    from commonground.evaluation.evaluate import evaluate
    from commonground.evaluation.pairs import find_pairs
    from commonground.evaluation.result import Result, Score, System
    from commonground.evaluation.run import evaluate_files
    from commonground.evaluation.saved import Saved, read_result
    from commonground.evaluation.scores import Evaluation
    from commonground.formats import (
        detect,
        find_format,
        format_names,
        read,
        read_chunks,
        read_text,
        write,
        write_text,
    )
    from commonground.formats.check import Checked, check
    from commonground.formats.describe import Description, describe
    from commonground.formats.fix import Change, Fixed, fix
    from commonground.ground import (
        ClashError,
        CrossingError,
        functions_of,
        generalize,
        label_unify,
        subsumes,
        unify,
    )
    from commonground.ground.convert import convert
    from commonground.ground.costs import Costs, read_costs
    from commonground.ground.inventory import hub_trees
    from commonground.ground.label_map import LabelMap, learn_labels, read_label_map
    from commonground.integrations.huggingface import huggingface_module
    from commonground.integrations.nltk_trees import to_nltk
    from commonground.metrics.settings import Settings, preset
    from commonground.parsers.files import parse_file, tag_file
    from commonground.parsers.registry import find_parser, parser_names
    from commonground.parsers.trained import Trained, cross_parse, load_parser, train
    from commonground.patterns import Matches, Pattern, PatternError, find, parse_pattern
    from commonground.phenomena.gold import Gold, read_gold
    from commonground.phenomena.result import Phenomena, score_phenomena
    from commonground.projection import (
        Filter,
        Fragmentation,
        Policies,
        Projection,
        fragmentation,
        project,
    )
    from commonground.projection.validation import (
        Training,
        Validation,
        cross_validate,
        validate,
    )
    from commonground.report.drawing import draw, draw_alignment, draw_difference
    from commonground.report.page.make import report_html
    from commonground.schemes.flips import flip
    from commonground.schemes.library import find_scheme, scheme_names
    from commonground.schemes.nonprojectivity import nonprojectivity
    from commonground.schemes.projectivity import deprojectivize, projectivize
    from commonground.schemes.recognition import Recognised, recognised
    from commonground.schemes.scheme import Scheme
    from commonground.schemes.to_constituents import to_constituents
    from commonground.schemes.to_dependencies import to_dependencies
    from commonground.schemes.transform import transform
    from commonground.statistics.results import Asked, Claims, claims_of
    from commonground.statistics.run_results import RunClaims

__version__ = "0.1.0"

__all__ = [
    "Agreement",
    "Aligned",
    "AlignerSettings",
    "Alignments",
    "Alpha",
    "Asked",
    "Bitext",
    "Change",
    "Checked",
    "Claims",
    "ClashError",
    "CommonGroundError",
    "CompareResult",
    "Constituents",
    "Conventions",
    "Corpus",
    "Costs",
    "CrossingError",
    "Dependencies",
    "Description",
    "Evaluation",
    "Filter",
    "Fixed",
    "Fragmentation",
    "Functions",
    "Gold",
    "InputError",
    "LabelMap",
    "Matches",
    "MissingExtraError",
    "Pattern",
    "PatternError",
    "Phenomena",
    "Policies",
    "Problem",
    "Projection",
    "Recognised",
    "Relations",
    "Result",
    "RunClaims",
    "Saved",
    "Scheme",
    "Score",
    "Sentence",
    "Settings",
    "Strings",
    "Summary",
    "System",
    "Table",
    "Trained",
    "Training",
    "UsageError",
    "Validation",
    "__version__",
    "agreement",
    "align",
    "alpha",
    "check",
    "claims_of",
    "compare",
    "conventions",
    "convert",
    "cross_parse",
    "cross_validate",
    "deprojectivize",
    "describe",
    "detect",
    "documents",
    "draw",
    "draw_alignment",
    "draw_difference",
    "evaluate",
    "evaluate_files",
    "find",
    "find_format",
    "find_pairs",
    "find_parser",
    "find_scheme",
    "fix",
    "flip",
    "format_names",
    "fragmentation",
    "functions_of",
    "generalize",
    "hub_trees",
    "huggingface_module",
    "label_unify",
    "learn_labels",
    "load_parser",
    "nonprojectivity",
    "parse_file",
    "parse_pattern",
    "parser_names",
    "preset",
    "project",
    "projectivize",
    "read",
    "read_bitext",
    "read_chunks",
    "read_costs",
    "read_gold",
    "read_label_map",
    "read_result",
    "read_text",
    "recognised",
    "relations_of",
    "report_html",
    "sample",
    "scheme_agreement",
    "scheme_names",
    "score_phenomena",
    "stripped",
    "subsumes",
    "summary",
    "symmetrise",
    "tag_file",
    "to_constituents",
    "to_dependencies",
    "to_nltk",
    "train",
    "transform",
    "unify",
    "validate",
    "write",
    "write_text",
]

_HOMES = {
    "projection.validation": "Training Validation cross_validate validate",
    "projection": "Filter Fragmentation Policies Projection fragmentation project",
    "alignment": "Aligned AlignerSettings Bitext align read_bitext symmetrise",
    "corpus": "Alignments Constituents Corpus Dependencies Functions Relations Sentence Strings "
    "Table",
    "corpus.documents": "documents",
    "corpus.graph": "relations_of",
    "corpus.stripping": "stripped",
    "corpus.summary": "Summary sample summary",
    "errors": "CommonGroundError InputError MissingExtraError Problem UsageError",
    "formats": "detect find_format format_names read read_chunks read_text write write_text",
    "formats.check": "Checked check",
    "formats.fix": "Change Fixed fix",
    "integrations.huggingface": "huggingface_module",
    "integrations.nltk_trees": "to_nltk",
    "formats.describe": "Description describe",
    "ground": "ClashError CrossingError functions_of generalize label_unify subsumes unify",
    "ground.convert": "convert",
    "evaluation.agreement": "Agreement agreement scheme_agreement",
    "evaluation.alpha": "Alpha alpha",
    "evaluation.conventions": "Conventions conventions",
    "evaluation.pairs": "find_pairs",
    "evaluation.run": "evaluate_files",
    "evaluation.cross": "CompareResult compare",
    "evaluation.evaluate": "evaluate",
    "evaluation.result": "Result Score System",
    "evaluation.saved": "Saved read_result",
    "evaluation.scores": "Evaluation",
    "statistics.run_results": "RunClaims",
    "metrics.settings": "Settings preset",
    "parsers.files": "parse_file tag_file",
    "parsers.registry": "find_parser parser_names",
    "parsers.trained": "Trained cross_parse load_parser train",
    "phenomena.gold": "Gold read_gold",
    "phenomena.result": "Phenomena score_phenomena",
    "patterns": "Matches Pattern PatternError find parse_pattern",
    "statistics.results": "Asked Claims claims_of",
    "report.drawing": "draw draw_alignment draw_difference",
    "report.page.make": "report_html",
    "ground.costs": "Costs read_costs",
    "ground.inventory": "hub_trees",
    "ground.label_map": "LabelMap learn_labels read_label_map",
    "schemes.flips": "flip",
    "schemes.nonprojectivity": "nonprojectivity",
    "schemes.projectivity": "deprojectivize projectivize",
    "schemes.library": "find_scheme scheme_names",
    "schemes.recognition": "Recognised recognised",
    "schemes.scheme": "Scheme",
    "schemes.to_constituents": "to_constituents",
    "schemes.to_dependencies": "to_dependencies",
    "schemes.transform": "transform",
}
"""Where each attribute lives."""

ACTS = {
    "draw": "report.drawing",
    "grids": "report.views",
    "html": "report.views",
    "plot": "report.plots.kinds",
    "test": "statistics.results",
}
"""Where each act on treebanks and results lives; see :mod:`commonground.dispatch`."""

RESULTS = {
    "evaluation": "Evaluation",
    "comparison": "CompareResult",
    "agreement": "Agreement",
    "conventions": "Conventions",
    "claims": "Claims",
    "runs": "RunClaims",
    "phenomena": "Phenomena",
    "projection": "Projection",
    "validation": "Validation",
}
"""The classes of the kinds of results, by the name that JSON has for the kind."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            value = globals()[name] = getattr(import_module(f"commonground.{home}"), name)
            return value
    raise AttributeError(f"module 'commonground' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
