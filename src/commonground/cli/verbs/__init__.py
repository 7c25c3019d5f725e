"""One module per verb, and nothing else; each has a ``command``."""
