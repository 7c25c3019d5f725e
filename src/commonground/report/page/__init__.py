"""The report: what was found, as one self-contained page to look at.

A report is a value: chapters of sections of blocks (``sections.py``). How it looks is decided in
one place (``page.py`` with its style and script), and what it says in one module for each kind of
result, which ``registry.py`` knows by the verb that made the result.
"""
