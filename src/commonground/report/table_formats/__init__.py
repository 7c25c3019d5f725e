"""How each output format writes the tables of results.

A :class:`~commonground.grid.Grid` holds values, not strings: what a number looks like (thousands
separators, decimals, bold, a superscript) is decided in ``cells.py``, and each other module writes
one format. Text that comes from files is escaped, so that a label cannot break a table, a page or a
terminal. :func:`commonground.report.tables.render` chooses among them.
"""
