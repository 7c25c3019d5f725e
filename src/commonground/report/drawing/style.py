"""How drawings look: the sizes of texts, the colours on light and on dark paper, the style sheets.

What matters is told by shape as well as by colour (thin, dashed, thick, boxed, crossed out), so
that drawings can be read in print and by people who do not see colours; the colours are those of
Okabe and Ito, darker on light paper and lighter on dark paper, for contrast.
"""

from __future__ import annotations

__all__ = ["FORM", "LABEL", "NODE", "SHEET", "SMALL", "STYLE"]

FORM, NODE, LABEL, SMALL = 15, 12, 11, 10
"""The sizes of words, of the labels of nodes and of arcs, and of tags, numbers and the rest."""

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b1f24",
    "soft": "#667080",
    "line": "#4f5a68",
    "faint": "#b3bac4",
    "extra": "#8a4fb0",
    "wrong": "#c24a00",
    "right": "#0068ad",
}
_DARK = {
    "paper": "#15181d",
    "ink": "#e9ebee",
    "soft": "#98a2b0",
    "line": "#a9b3c0",
    "faint": "#535c68",
    "extra": "#d3a6ee",
    "wrong": "#ff9d5c",
    "right": "#6bb8f2",
}

_RULES = """\
text{{font-family:Arial,Helvetica,"Liberation Sans","Noto Sans",sans-serif;\
font-size:{small}px;fill:{ink};stroke:none;text-anchor:middle}}
path,rect{{fill:none;stroke:{line};stroke-width:1.2}}
.paper{{fill:{paper};stroke:none}}
.form text{{font-size:{form}px}}
.label{{font-size:{label}px}}
.node .label{{font-size:{node}px}}
.soft text,.soft{{fill:{soft}}}
.start{{text-anchor:start}}
.end{{text-anchor:end}}
.form .trace{{font-style:italic;fill:{soft}}}
.tip{{fill:{line};stroke:none}}
.extra text,tspan.extra,text.extra{{fill:{extra}}}
.extra path{{stroke:{extra};stroke-dasharray:5 2}}
.extra path.tip{{fill:{extra};stroke:none}}
.same path,.node.renamed path{{stroke:{faint};stroke-width:1}}
.same path.tip{{fill:{faint};stroke:none}}
.same text{{fill:{soft}}}
.wrong path,.wrong rect{{stroke:{wrong};stroke-width:2}}
.right path,.right rect{{stroke:{right};stroke-width:2}}
.wrong text,text.wrong,tspan.wrong{{fill:{wrong}}}
.right text,text.right,tspan.right{{fill:{right}}}
.wrong path.tip{{fill:{wrong};stroke:none}}
.right path.tip{{fill:{right};stroke:none}}
.arc.wrong .label,.arc.right .label{{font-weight:bold}}
.arc.renamed path,.renamed rect{{stroke-width:1.6;stroke-dasharray:4 3}}
.lost path,.lost rect{{stroke:{extra};stroke-dasharray:2 3}}
.lost text,tspan.lost{{fill:{extra};text-decoration:line-through}}
.heading,.note{{font-size:{label}px;text-anchor:start}}
.heading{{font-weight:bold}}
"""


def _rules(colours: dict[str, str]) -> str:
    """Return the rules, which hold inside drawings only, in these colours."""
    sheet = _RULES.format(form=FORM, label=LABEL, node=NODE, small=SMALL, **colours)
    lines = (line.partition("{") for line in sheet.splitlines())
    return "".join(
        ",".join(f".cg-drawing {part}" for part in names.split(",")) + "{" + body + "\n"
        for names, _, body in lines
    )


def _variables(colours: dict[str, str]) -> str:
    return "{" + ";".join(f"--cg-{name}:{colour}" for name, colour in colours.items()) + "}"


SHEET = f"{_rules(_LIGHT)}@media (prefers-color-scheme:dark){{\n{_rules(_DARK)}}}\n"
"""The style sheet of a drawing that is a file: plain colours, which every program understands."""

STYLE = (
    f".cg-drawing{_variables(_LIGHT)}\n"
    f"@media (prefers-color-scheme:dark){{.cg-drawing{_variables(_DARK)}}}\n"
    f'[data-theme="light"] .cg-drawing{_variables(_LIGHT)}\n'
    f'[data-theme="dark"] .cg-drawing{_variables(_DARK)}\n'
    f"@media print{{.cg-drawing,[data-theme] .cg-drawing{_variables(_LIGHT)}}}\n"
    + _rules({name: f"var(--cg-{name},{colour})" for name, colour in _LIGHT.items()})
)
"""The style sheet of a page with drawings: light or dark as the reader's system is, or as the
attribute ``data-theme`` of an element around them says. The colours are variables (``--cg-ink``)
that a page can change."""
