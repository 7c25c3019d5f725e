"""Constituency parsing: spans with labels, and a probabilistic grammar to compare with."""
