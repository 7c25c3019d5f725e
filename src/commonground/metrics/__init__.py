"""Scores: whole numbers per sentence, and a formula over their sums."""
