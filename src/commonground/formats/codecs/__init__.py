"""One module per format, and nothing else; each has a ``FORMAT``."""
