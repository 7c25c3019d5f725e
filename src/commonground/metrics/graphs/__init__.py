"""Metrics of graphs of meaning."""
