"""Graph-based parsing: a tree is as good as its arcs and pairs of neighbouring arcs."""
