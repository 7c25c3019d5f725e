"""Trees across languages: projection over word alignments, fragments, validation by k samples."""

from commonground.corpus.delexicalised import delexicalise
from commonground.projection.direct import REASONS, Projection, project
from commonground.projection.fragments import Filter, Fragmentation, fragmentation, kept
from commonground.projection.policies import POLICIES, Policies
from commonground.projection.repairs import RepairRule, read_rules, repair, usual_rules
from commonground.projection.voting import guided_vote, vote

__all__ = [
    "POLICIES",
    "REASONS",
    "Filter",
    "Fragmentation",
    "Policies",
    "Projection",
    "RepairRule",
    "delexicalise",
    "fragmentation",
    "guided_vote",
    "kept",
    "project",
    "read_rules",
    "repair",
    "usual_rules",
    "vote",
]
