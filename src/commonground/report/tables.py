"""How each output format writes the tables of results.

A :class:`~commonground.grid.Grid` holds values, not strings: what a number looks like (thousands
separators, decimals, bold, a superscript) is decided here. Text that comes from files is escaped,
so that a label cannot break a table, a page or a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from commonground.errors import UsageError
from commonground.grid import Align, Cell, Column, Grid

__all__ = [
    "FORMATS",
    "html_table",
    "interval_text",
    "latex_text",
    "number_text",
    "printable",
    "render",
    "stretches",
    "text_page",
    "with_safe_cells",
]

FORMATS = ("text", "json", "tsv", "markdown", "latex", "html")
"""The output formats of the command line; all but json are ways to write a :class:`Grid`."""


def render(
    grids: Sequence[Grid], output_format: str, *, width: int | None = None, styled: bool = False
) -> str:
    """Return tables in an output format: text, tsv, markdown, latex or html (a whole page).

    A text table that is wider than `width` is cut into several; `styled` text has bold and colours.
    """
    if output_format == "text":
        return _text(grids, width, styled=styled)
    if output_format == "html":
        return _page(grids)
    if output_format not in _WRITERS:
        raise UsageError(f"no output format {output_format!r}; there are {', '.join(FORMATS)}")
    return "\n".join(map(_WRITERS[output_format], grids))


def number_text(cell: Cell, column: Column) -> str:
    """Return a value as people read it."""
    value = cell.value
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    decimals = column.decimals if cell.decimals is None else cell.decimals
    if decimals is None or isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.{decimals}f}" if decimals >= 0 else f"{value:.{-decimals}g}"
    return text if text.strip("-0.") else text.lstrip("-")  # no −0.00


def interval_text(cell: Cell, column: Column) -> str:
    """Return the interval around a value as people read it, with a space in front.

    >>> interval_text(Cell(90.5, interval=(89.7, 91.2)), Column("LAS", decimals=1))
    ' [89.7, 91.2]'
    """
    if cell.interval is None:
        return ""
    low, high = (number_text(Cell(end, cell.decimals), column) for end in cell.interval)
    return f" [{low}, {high}]"


def stretches(text: str, stressed: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """Return a text in pieces, each with whether it is stressed.

    >>> list(stretches("Birds sing", [(6, 10)]))
    [('Birds ', False), ('sing', True)]
    """
    done = 0
    for first, end in (*stressed, (len(text), len(text))):
        pieces = ((text[done:first], False), (text[first:end], True))
        yield from (piece for piece in pieces if piece[0])
        done = end


def _written_row(
    row: Sequence[Cell],
    columns: Sequence[Column],
    escape: Callable[[str], str],
    bold: str,
    mark: str,
    interval: str = "{}",
    stressed: str = "",
) -> list[str]:
    """Return the cells of a row in a format where bold, superscripts and stress are templates."""
    texts = []
    for cell, column in zip(row, columns, strict=True):
        pieces = stretches(number_text(cell, column), cell.stressed)
        text = "".join(
            (stressed or bold if stands_out else "{}").format(escape(piece))
            for piece, stands_out in pieces
        )
        text = bold.format(text) if cell.bold else text
        text += mark.format(escape(cell.mark)) if cell.mark else ""
        around = escape(interval_text(cell, column))
        texts.append(text + (interval.format(around) if around else ""))
    return texts


def _below(grid: Grid, escape: Callable[[str], str], mark: str) -> list[str]:
    """Return the lines under a table: its notes and its signature."""
    notes = [(mark.format(escape(n.mark)) if n.mark else "") + escape(n.text) for n in grid.notes]
    return [*notes, escape(grid.signature)] if grid.signature else notes


# ── text ─────────────────────────────────────────────────────────────────────────────────────────

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_RAISED = str.maketrans(
    "0123456789+-–abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
)


_UNLIMITED = 1 << 16
_GAP = "   "


def printable(text: str) -> str:
    r"""Return text without the characters that steer a terminal.

    >>> printable("NP\x1b[31m")
    'NP�[31m'
    """
    return _CONTROL.sub("\ufffd", text)


def _text(grids: Sequence[Grid], width: int | None, *, styled: bool) -> str:
    once = _explained_once(grids)
    return "\n".join(_text_table(grid, width or _UNLIMITED, styled=styled) for grid in once)


_EXPLANATION = 60
"""A note of at least so many characters explains a table; a shorter one counts something in it."""


def _explained_once(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Return tables without the explanations that an earlier one has, word for word."""
    before: set[str] = set()
    for grid in grids:
        new = [note for note in grid.notes if note.mark or note.text not in before]
        yield replace(grid, notes=tuple(new))
        before |= {note.text for note in grid.notes if len(note.text) >= _EXPLANATION}


def _text_table(grid: Grid, width: int, *, styled: bool) -> str:
    titles = [printable(column.title) for column in grid.columns]
    marks = [_raised(row[c].mark for row in grid.rows) for c in range(len(titles))]
    texts = [
        [
            printable(number_text(cell, column)) + marks[c][r] + interval_text(cell, column)
            for c, (cell, column) in enumerate(zip(row, grid.columns, strict=True))
        ]
        for r, row in enumerate(grid.rows)
    ]
    widths = [
        max(map(_cells, [title, *(row[c] for row in texts)])) for c, title in enumerate(titles)
    ]
    lines = [*_folded(printable(grid.lead), width), ""] if grid.lead else []
    lines = [_inked(line, "1", styled=styled) for line in lines]
    lines += [_inked(printable(grid.title), "1", styled=styled)] if grid.title else []
    for place, page in enumerate(_pages(widths, width, _names(grid.columns))):
        if place:
            lines.append("")
        fitted = _fitted([widths[c] for c in page], width)
        aligned = [grid.columns[c].align for c in page]
        if any(titles[c] for c in page):
            lines += _lines([titles[c] for c in page], fitted, aligned)
            lines.append("─" * (sum(fitted) + len(_GAP) * (len(page) - 1)))
        for row, cells in zip(texts, grid.rows, strict=True):
            inks = [_ink(cells[c]) if styled else () for c in page]
            lines += _lines([row[c] for c in page], fitted, aligned, inks)
    lines += [_inked(line, "2", styled=styled) for line in _below(grid, printable, "{}: ")]
    return "".join(line.rstrip(" ") + "\n" for line in lines)


def _raised(marks: Iterable[str]) -> list[str]:
    """Return the superscripts of a column, all of the same width, so that numbers stand in line."""
    raised = [printable(mark).translate(_RAISED) for mark in marks]
    width = max(map(_cells, raised), default=0)
    return [mark + " " * (width - _cells(mark)) for mark in raised]


def _ink(cell: Cell) -> tuple[tuple[int, int], ...]:
    """Return the stretches of a cell that are in bold."""
    return ((0, _UNLIMITED),) if cell.bold else cell.stressed


def _inked(text: str, code: str, *, styled: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if styled and text else text


def _cells(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> _cells("nsubj"), _cells("主語")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415  # seldom needed

    return cell_len(text)


def _names(columns: Sequence[Column]) -> int:
    """Return how many columns say what a row is about: those before the first number.

    >>> _names([Column("rank"), Column("parse"), Column("LAS", "right")])
    2
    """
    first = next((at for at, column in enumerate(columns) if column.align != "left"), 1)
    return max(1, first)


def _pages(widths: Sequence[int], width: int, names: int = 1) -> list[list[int]]:
    """Return the columns in groups that fit into the width, each with the names in front.

    Where the names take more than two thirds of the width, only the last of them is repeated.
    """
    front = list(range(names))
    repeated = front if _needed(front, widths) <= 2 * width // 3 else front[-1:]
    pages: list[list[int]] = [front] if widths else []
    for column in range(names, len(widths)):
        wider = [*pages[-1], column]
        if _needed(wider, widths) <= width or pages[-1] in (front, repeated):
            pages[-1] = wider
        else:
            pages.append([*repeated, column])
    return pages


def _needed(columns: Sequence[int], widths: Sequence[int]) -> int:
    return sum(widths[c] for c in columns) + len(_GAP) * (len(columns) - 1)


def _fitted(widths: Sequence[int], width: int) -> list[int]:
    """Return the widths of columns, made narrower where together they are too wide."""
    room = width - len(_GAP) * (len(widths) - 1)
    fair = max(2, room // len(widths))
    excess = sum(widths) - room
    fitted = list(widths)
    for c in sorted(range(len(widths)), key=lambda c: -widths[c]):
        cut = max(0, min(excess, fitted[c] - fair))
        fitted[c] -= cut
        excess -= cut
    return fitted


def _lines(
    texts: Sequence[str],
    widths: Sequence[int],
    aligned: Sequence[Align],
    inks: Sequence[Sequence[tuple[int, int]]] = (),
) -> list[str]:
    """Return the lines of a row; a text that is wider than its column goes on below."""
    folded = [_folded(text, width) for text, width in zip(texts, widths, strict=True)]
    lines = []
    seen = [0] * len(texts)
    for number in range(max(map(len, folded), default=0)):
        parts = []
        for c, pieces in enumerate(folded):
            piece = pieces[number] if number < len(pieces) else ""
            free = widths[c] - _cells(piece)
            left = {"left": 0, "right": free, "center": free // 2}[aligned[c]]
            here = texts[c].index(piece, seen[c])
            seen[c] = here + len(piece)
            inside = (
                ((max(a - here, 0), min(b - here, len(piece))) for a, b in inks[c]) if inks else ()
            )
            inked = "".join(
                _inked(text, "1", styled=stands_out)
                for text, stands_out in stretches(piece, [(a, b) for a, b in inside if a < b])
            )
            parts.append(" " * left + inked + " " * (free - left))
        lines.append(_GAP.join(parts))
    return lines


def _folded(text: str, width: int) -> list[str]:
    """Cut a text into pieces that fit, at spaces where there are any.

    >>> _folded("one three", 4)
    ['one', 'thre', 'e']
    """
    if _cells(text) <= width:
        return [text]
    pieces = [""]
    for word in text.split(" "):
        joined = f"{pieces[-1]} {word}" if pieces[-1] else word
        if _cells(joined) <= width:
            pieces[-1] = joined
            continue
        pieces.append("")
        for character in word:
            if _cells(pieces[-1] + character) > width:
                pieces.append("")
            pieces[-1] += character
    return [piece for piece in pieces if piece] or [""]


# ── TSV, Markdown, LaTeX, HTML ───────────────────────────────────────────────────────────────────


def _tsv(grid: Grid) -> str:
    """Return the titles and the values alone, the numbers in full."""
    places = range(len(grid.columns))
    wide = {c for row in grid.rows for c in places if row[c].interval is not None}
    titles = [_tsv_text(column.title) for column in grid.columns]
    rows = [[text for c in places for text in _tsv_cell(row[c], c in wide)] for row in grid.rows]
    ends = {c: [f"{titles[c]} low", f"{titles[c]} high"] for c in wide}
    head = [text for c in places for text in (titles[c], *ends.get(c, ()))]
    return "".join("\t".join(row) + "\n" for row in [head, *rows])


_FORMULA = re.compile(r"[=+\-@\t\r]")


def with_safe_cells(grids: Iterable[Grid]) -> list[Grid]:
    """Return tables in which no text is a formula to a spreadsheet: such texts get a ``'`` before.

    >>> table = Grid.of("", ["word"], [["=1+1"], ["dog"], [-2]])
    >>> [row[0].value for row in with_safe_cells([table])[0].rows]
    ["'=1+1", 'dog', -2]
    """
    return [
        replace(grid, rows=tuple(tuple(map(_safe, row)) for row in grid.rows)) for grid in grids
    ]


def _safe(cell: Cell) -> Cell:
    if isinstance(cell.value, str) and _FORMULA.match(cell.value):
        moved = tuple((first + 1, end + 1) for first, end in cell.stressed)
        return replace(cell, value=f"'{cell.value}", stressed=moved)
    return cell


def _tsv_cell(cell: Cell, wide: bool) -> list[str]:  # noqa: FBT001  # whether it has an interval
    ends = (cell.interval or ("", "")) if wide else ()
    return [_tsv_text("" if text is None else str(text)) for text in (cell.value, *ends)]


def _tsv_text(text: str) -> str:
    return _CONTROL.sub(" ", text)


_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$#])")
_RULES = {"left": ":---", "right": "---:", "center": ":---:"}


def _markdown_text(text: str) -> str:
    r"""Return text as Markdown reads it back.

    >>> print(_markdown_text("P_OBJ|x"))
    P\_OBJ\|x
    """
    return _MARKDOWN.sub(r"\\\1", _CONTROL.sub(" ", text))


def _markdown(grid: Grid) -> str:
    lines = [f"**{_markdown_text(grid.lead)}**", ""] if grid.lead else []
    lines += [f"**{_markdown_text(grid.title)}**", ""] if grid.title else []
    rows = [
        _written_row(r, grid.columns, _markdown_text, "**{}**", "<sup>{}</sup>") for r in grid.rows
    ]
    titles = [_markdown_text(column.title) for column in grid.columns]
    rules = [_RULES[column.align] for column in grid.columns]
    lines += [f"| {' | '.join(row)} |" for row in [titles, rules, *rows]]
    for line in _below(grid, _markdown_text, "<sup>{}</sup> "):
        lines += ["", line]
    return "\n".join([*lines, ""])


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
    return _CONTROL.sub(" ", text).translate(str.maketrans(_LATEX))


_MINUS = re.compile(r"(?<![^\s}])-(?=\d)")  # a bracket is written as {[}


def _latex_cell(text: str) -> str:
    r"""Return a cell as LaTeX sets it, where a hyphen before a number is a minus.

    >>> print(_latex_cell("-0.34"), _latex_cell("[-0.34, 2.32]"), _latex_cell("arc-2"))
    $-$0.34 {[}$-$0.34, 2.32{]} arc-2
    """
    return _MINUS.sub("$-$", latex_text(text))


_CAPTION = "Scores"
"""The caption of a table that has no title."""


def _slug(text: str) -> str:
    """Return the name of a table in references.

    >>> _slug("LAS by deprel, upos")
    'las-by-deprel-upos'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "table"


def _latex(grid: Grid) -> str:
    """Return a table for a document that uses the package booktabs."""
    rows = [
        _written_row(
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
    below = _below(grid, latex_text, r"\textsuperscript{{{}}} ")
    if grid.signature:  # it has hardly a space, and a line has to end somewhere
        below[-1] = below[-1].replace(r"\textbar{}", r"\textbar\allowbreak{}")
    lines = [
        *([f"% {_CONTROL.sub(' ', grid.lead)}"] if grid.lead else []),
        r"\begin{table}  % \usepackage{booktabs}",
        r"  \centering",
        rf"  \caption{{{latex_text(grid.title or _CAPTION)}}}",
        rf"  \label{{tab:{_slug(grid.title or _CAPTION)}}}",
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


def html_table(grid: Grid) -> str:
    """Return a table as a piece of HTML."""
    rows = [
        _written_row(
            r,
            grid.columns,
            _html_text,
            "<strong>{}</strong>",
            "<sup>{}</sup>",
            stressed="<mark>{}</mark>",
        )
        for r in grid.rows
    ]
    titles = [_html_text(column.title) for column in grid.columns]
    lines = [
        *([f"<p><strong>{_html_text(grid.lead)}</strong></p>"] if grid.lead else []),
        "<table>",
        *([f"<caption>{_html_text(grid.title)}</caption>"] if grid.title else []),
        f"<thead><tr>{_html_cells('th', titles, grid)}</tr></thead>",
        "<tbody>",
        *(f"<tr>{_html_cells('td', row, grid)}</tr>" for row in rows),
        "</tbody>",
        "</table>",
        *(f"<p>{line}</p>" for line in _below(grid, _html_text, "<sup>{}</sup> ")),
    ]
    return "\n".join(lines) + "\n"


def _html_text(text: str) -> str:
    from html import escape  # noqa: PLC0415  # only for pages

    return escape(_CONTROL.sub(" ", text))


def _html_cells(tag: str, texts: Sequence[str], grid: Grid) -> str:
    return "".join(
        f'<{tag} style="text-align: {column.align}">{text}</{tag}>'
        for column, text in zip(grid.columns, texts, strict=True)
    )


def _page(grids: Sequence[Grid]) -> str:
    title = grids[0].title or _CAPTION if grids else "commonground"
    return _document(title, "".join(map(html_table, grids)))


def text_page(text: str) -> str:
    """Return text as a page that shows it, letter by letter.

    >>> "<pre>&lt;script&gt;</pre>" in text_page("<script>")
    True
    """
    from html import escape  # noqa: PLC0415  # only for pages

    return _document("commonground", f"<pre>{escape(text)}</pre>\n")


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_html_text(title)}</title>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


_WRITERS: dict[str, Callable[[Grid], str]] = {"tsv": _tsv, "markdown": _markdown, "latex": _latex}
