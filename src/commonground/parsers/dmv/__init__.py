"""Unsupervised dependency parsing: the dependency model with valence and its successors."""
