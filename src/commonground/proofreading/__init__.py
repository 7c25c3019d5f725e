"""Proofreading of treebanks: which words are probably annotated wrongly, why, and what is right."""
