"""The drawings of the example corpus that are pinned; ``python tests/golden_drawings.py`` redraws.

The folder has some drawings in full (all but one without the style sheet, as pages have them), and
``digests.txt`` with the beginnings of the SHA-256 of all drawings of all sentences. The script also
redraws the pictures of docs/drawings.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from command import run_line

import commonground as cg
from commonground.evaluation.explained_sentence import explain_sentence
from commonground.report.drawing import (
    DrawingOptions,
    differing,
    draw,
    draw_difference,
    draw_explanation,
    draw_generalization,
    subject,
)
from commonground.report.drawing.tikz import tikz

PAGE = Path(__file__).parents[2] / "docs" / "drawings.md"
FOLDER = Path(__file__).parents[1] / "golden" / "drawings"


def corpora():
    """The example corpus, by name."""
    return {name: cg.read(f"example:{name}") for name in ("ud", "ud-parse", "ptb", "ptb-parse")}


def full() -> Iterator[tuple[str, str]]:
    """Return the drawings that are kept in full: the names of their files, and the drawings."""
    result = corpora()
    ud, ptb = result["ud"], result["ptb"]
    words, phrases = cg.to_functions(ud), cg.to_functions(ptb)
    empty = next(sentence for sentence in ud if sentence.alone.empties.rows)
    yield "dependencies.svg", draw(ud[0])
    yield "multiword.svg", draw(ud[24], standalone=False)
    yield "lines.svg", draw(ud[4], standalone=False, widest=420)
    yield "enhanced.svg", draw(empty, standalone=False, enhanced=True)
    yield "constituents.svg", draw(ptb[4], standalone=False)
    yield "sideways.svg", draw(ptb[4], standalone=False, widest=600)
    yield "functions.svg", draw(words[0], standalone=False)
    yield "arcs-differ.svg", draw_difference(ud[12], result["ud-parse"][12], standalone=False)
    yield "brackets-differ.svg", draw_difference(ptb[0], result["ptb-parse"][0], standalone=False)
    yield "kinds-differ.svg", draw_difference(ptb[0], ud[0], standalone=False)
    yield (
        "generalized.svg",
        draw_generalization({"ptb": phrases[:1], "ud": words[:1]}, standalone=False),
    )
    sides = {"ud": (ud, result["ud-parse"]), "ptb": (ptb, result["ptb-parse"])}
    yield "explained.svg", draw_explanation(explain_sentence(sides, "cg-13")[0], standalone=False)
    yield "dependencies.tex", tikz(differing(ud[12], result["ud-parse"][12], DrawingOptions()))
    yield "constituents.tex", tikz(subject(ptb[4], DrawingOptions()))


def digests() -> str:
    """Return a line for each sentence: its id, and digests of its drawings."""
    result = corpora()
    lines = ["# sent_id ud enhanced ud-differs ptb ptb-differs functions"]
    trees = cg.to_functions(result["ptb"])
    for place, sentence in enumerate(result["ud"]):
        drawings = [
            draw(sentence, standalone=False),
            draw(sentence, standalone=False, enhanced=True),
            draw_difference(sentence, result["ud-parse"][place], standalone=False),
            draw(result["ptb"][place], standalone=False),
            draw_difference(result["ptb"][place], result["ptb-parse"][place], standalone=False),
            draw(trees[place], standalone=False),
        ]
        short = [hashlib.sha256(svg.encode()).hexdigest()[:12] for svg in drawings]
        lines.append(" ".join([sentence.sent_id, *short]))
    return "\n".join([*lines, ""])


def pictures() -> list[tuple[str, str]]:
    """Return the commands of docs/drawings.md that draw its pictures, with the names of these."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(r"^\$ (commonground view .* -o (\S+\.svg))$", text, re.MULTILINE)


def main() -> None:
    """Write all of them."""
    for command, _ in pictures():
        run_line(command, PAGE.parent / "img")
    trees = {name: cg.to_functions(cg.read(f"example:{name}")[:1]) for name in ("ud", "ptb")}
    (PAGE.parent / "img" / "generalized.svg").write_text(
        draw_generalization(trees), encoding="utf-8", newline="\n"
    )
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in (*full(), ("digests.txt", digests())):
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
