"""Tables as LaTeX, for documents with the package booktabs."""

from __future__ import annotations

import re

from commonground.grid import Grid
from commonground.report.table_formats.cells import (
    CAPTION,
    lines_below,
    without_controls,
    written_row,
)

__all__ = ["latex", "latex_text"]

_LATEX: dict[str, str | int | None] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # \textquotedbl is unknown to the encoding that documents have by default
    "[": "{[}",  # a row that begins with [ or * would be an argument of the \\ before it
    "]": "{]}",
    "*": "{*}",
    "–": "--",
    **{  # the signs in titles and notes that pdfTeX does not know as text
        sign: rf"\ensuremath{{{name}}}"
        for sign, name in {
            "±": r"\pm",
            "≤": r"\leq",
            "≠": r"\neq",
            "≈": r"\approx",
            "≥": r"\geq",
            "→": r"\rightarrow",
            "−": "-",
            "∩": r"\cap",
            "δ": r"\delta",
            "′": "'",
        }.items()
    },
    **{character: f"\\{character}" for character in "$&#_%"},
}


def latex_text(text: str) -> str:
    r"""Return text as LaTeX sets it.

    >>> print(latex_text("100% of P_OBJ"))
    100\% of P\_OBJ
    """
    return without_controls(text).translate(str.maketrans(_LATEX))


_MINUS = re.compile(r"(?<![^\s}])-(?=\d)")  # a bracket is written as {[}


def _latex_cell(text: str) -> str:
    r"""Return a cell as LaTeX sets it, where a hyphen before a number is a minus.

    >>> print(_latex_cell("-0.34"), _latex_cell("[-0.34, 2.32]"), _latex_cell("arc-2"))
    $-$0.34 {[}$-$0.34, 2.32{]} arc-2
    """
    return _MINUS.sub("$-$", latex_text(text))


def _slug(text: str) -> str:
    """Return the name of a table in references.

    >>> _slug("LAS by deprel, upos")
    'las-by-deprel-upos'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "table"


def latex(grid: Grid) -> str:
    """Return a table for a document that uses the package booktabs."""
    rows = [
        written_row(
            row,
            grid.columns,
            _latex_cell,
            r"\textbf{{{}}}",
            r"\textsuperscript{{{}}}",
            r" {{\scriptsize{}}}",
        )
        for row in grid.rows
    ]
    body = [f"    {' & '.join(row)} \\\\" for row in rows]
    below = lines_below(grid, latex_text, r"\textsuperscript{{{}}} ")
    if grid.signature:  # it has hardly a space, and a line has to end somewhere
        below[-1] = below[-1].replace(r"\textbar{}", r"\textbar\allowbreak{}")
    lines = [
        *([f"% {without_controls(grid.lead)}"] if grid.lead else []),
        r"\begin{table}  % \usepackage{booktabs}",
        r"  \centering",
        rf"  \caption{{{latex_text(grid.title or CAPTION)}}}",
        rf"  \label{{tab:{_slug(grid.title or CAPTION)}}}",
        rf"  \begin{{tabular}}{{{''.join(column.align[0] for column in grid.columns)}}}",
        r"    \toprule",
        f"    {' & '.join(latex_text(column.title) for column in grid.columns)} \\\\",
        r"    \midrule",
        *body,
        r"    \bottomrule",
        r"  \end{tabular}",
        *([r"  \par\footnotesize " + r" \\ ".join(below)] if below else []),
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)
