from typing import Any

from commonground.alignment import (
    AlignedBitext as AlignedBitext,
    AlignerSettings as AlignerSettings,
    Bitext as Bitext,
    EmbeddingSettings as EmbeddingSettings,
    align as align,
    read_bitext as read_bitext,
    symmetrise as symmetrise,
)
from commonground.corpus import (
    Alignments as Alignments,
    Constituents as Constituents,
    Corpus as Corpus,
    Dependencies as Dependencies,
    Functions as Functions,
    Relations as Relations,
    Sentence as Sentence,
    Strings as Strings,
    Table as Table,
)
from commonground.corpus.documents import documents as documents
from commonground.corpus.arcs import to_relations as to_relations
from commonground.corpus.raw_text import raw_text as raw_text
from commonground.corpus.stripping import strip as strip
from commonground.corpus.summary import (
    Summary as Summary,
    sample as sample,
    summary as summary,
)
from commonground.errors import (
    CommonGroundError as CommonGroundError,
    InputError as InputError,
    MissingExtraError as MissingExtraError,
    Problem as Problem,
    UsageError as UsageError,
)
from commonground.evaluation.agreement import (
    Agreement as Agreement,
    agreement as agreement,
    scheme_agreement as scheme_agreement,
)
from commonground.evaluation.alpha import (
    Alpha as Alpha,
    alpha as alpha,
)
from commonground.evaluation.conventions import (
    Conventions as Conventions,
    conventions as conventions,
)
from commonground.evaluation.conventions_by_system import (
    ConventionsBySystem as ConventionsBySystem,
)
from commonground.evaluation.conventions_by_system import (
    conventions_by_system as conventions_by_system,
)
from commonground.evaluation.comparison_result import CompareResult as CompareResult
from commonground.evaluation.compare import compare as compare
from commonground.evaluation.evaluate import evaluate as evaluate
from commonground.evaluation.pairs import find_pairs as find_pairs
from commonground.evaluation.metric_score import Score as Score
from commonground.evaluation.result import Result as Result, System as System
from commonground.evaluation.run import evaluate_files as evaluate_files
from commonground.evaluation.saved import (
    read_result as read_result,
    write_result as write_result,
)
from commonground.evaluation.scores import Evaluation as Evaluation
from commonground.evaluation.overlap import Overlap as Overlap
from commonground.evaluation.overlap import overlap as overlap
from commonground.evaluation.search_result import SearchResult as SearchResult
from commonground.evaluation.treebank_changes import TreebankChanges as TreebankChanges
from commonground.evaluation.treebank_changes import treebank_changes as treebank_changes
from commonground.formats import (
    detect as detect,
    find_format as find_format,
    format_names as format_names,
    read as read,
    read_chunks as read_chunks,
    read_text as read_text,
    write as write,
    write_text as write_text,
)
from commonground.formats.checking.check import (
    CheckResult as CheckResult,
    check as check,
)
from commonground.formats.checking.describe import (
    Description as Description,
    describe as describe,
)
from commonground.formats.checking.fix import (
    Change as Change,
    FixResult as FixResult,
    fix as fix,
)
from commonground.repair.defects import Defect as Defect
from commonground.repair.repair import (
    Repaired as Repaired,
    defects_in as defects_in,
    repair_bytes as repair_bytes,
    repair_file as repair_file,
)
from commonground.ground import (
    ClashError as ClashError,
    CrossingError as CrossingError,
    to_functions as to_functions,
    generalize as generalize,
    label_unify as label_unify,
    subsumes as subsumes,
    unify as unify,
)
from commonground.ground.convert import convert as convert
from commonground.ground.costs import (
    Costs as Costs,
    read_costs as read_costs,
)
from commonground.ground.inventory import hub_trees as hub_trees
from commonground.ground.label_learning import (
    learn_labels as learn_labels,
)
from commonground.ground.label_map import (
    LabelMap as LabelMap,
    read_label_map as read_label_map,
)
from commonground.integrations.huggingface import huggingface_module as huggingface_module
from commonground.integrations.nltk_trees import to_nltk as to_nltk
from commonground.metrics.metric import Metric as Metric
from commonground.metrics.registry import metric_names as metric_names
from commonground.metrics.settings import (
    Settings as Settings,
    preset as preset,
)
from commonground.parsers.files import (
    parse_file as parse_file,
    tag_file as tag_file,
)
from commonground.parsers.registry import (
    find_parser as find_parser,
    parser_names as parser_names,
)
from commonground.parsers.systems import (
    load_system as load_system,
)
from commonground.parsers.trained import (
    TrainedParser as TrainedParser,
    cross_parse as cross_parse,
    load_parser as load_parser,
    train as train,
)
from commonground.patterns import (
    Matches as Matches,
    Pattern as Pattern,
    PatternError as PatternError,
    find as find,
    parse_pattern as parse_pattern,
)
from commonground.phenomena.gold import (
    Gold as Gold,
    read_gold as read_gold,
)
from commonground.phenomena.result import (
    Phenomena as Phenomena,
    score_phenomena as score_phenomena,
)
from commonground.plugins import PluginWarning as PluginWarning
from commonground.projection import (
    Filter as Filter,
    Fragmentation as Fragmentation,
    Policies as Policies,
    Projection as Projection,
    fragmentation as fragmentation,
    project as project,
)
from commonground.projection.training_runs import (
    Training as Training,
    cross_validate as cross_validate,
    validate as validate,
)
from commonground.projection.validation import Validation as Validation
from commonground.proofreading.suspects import AnnotationErrors as AnnotationErrors
from commonground.proofreading.suspects import annotation_errors as annotation_errors
from commonground.report.drawing import (
    draw as draw,
    draw_alignment as draw_alignment,
    draw_difference as draw_difference,
)
from commonground.report.page.make import report as report, report_html as report_html
from commonground.report.plots.kinds import plot as plot
from commonground.schemes.flips import flip as flip
from commonground.schemes.library import (
    find_scheme as find_scheme,
    scheme_names as scheme_names,
)
from commonground.schemes.nonprojectivity import nonprojectivity as nonprojectivity
from commonground.schemes.projectivity import (
    deprojectivize as deprojectivize,
    projectivize as projectivize,
)
from commonground.schemes.learning.recognition import (
    Recognition as Recognition,
    recognise_scheme as recognise_scheme,
)
from commonground.schemes.scheme import Scheme as Scheme
from commonground.conversion.to_constituents import to_constituents as to_constituents
from commonground.conversion.to_dependencies import to_dependencies as to_dependencies
from commonground.schemes.transform import transform as transform
from commonground.statistics.test_plan import TestPlan as TestPlan
from commonground.statistics.claims import Claims as Claims
from commonground.statistics.testing import significance_tests as significance_tests
from commonground.statistics.run_claims import RunClaims as RunClaims
from commonground.trials.decision import (
    Decision as Decision,
    decision as decision,
)
from commonground.trials.disagreement import (
    Disagreement as Disagreement,
    disagreement as disagreement,
    sheet as sheet,
)
from commonground.trials.trial import (
    Trial as Trial,
    trial as trial,
)

__version__: str
ACTS: dict[str, str]
FORMER: dict[str, str]
RESULTS: dict[str, str]

def __getattr__(name: str) -> Any: ...
