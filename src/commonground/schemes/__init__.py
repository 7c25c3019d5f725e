"""Annotation schemes: one choice per contested construction, and the way from any to any."""
