"""One language to find things in trees: words, tags, labels, features, order, paths."""

from commonground.patterns.language import Pattern, PatternError, parse_pattern
from commonground.patterns.search import Matches, find

__all__ = ["Matches", "Pattern", "PatternError", "find", "parse_pattern"]
