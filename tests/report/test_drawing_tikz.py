"""Drawings for LaTeX, and as PNG and PDF."""

from __future__ import annotations

import builtins
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seen import skip_without_cairo
from strategies import TEXTS
from test_text_trees import GELESEN, PHRASES, constituents

import commonground as cg
from commonground.corpus import Dependencies, Functions
from commonground.errors import MissingExtraError, UsageError
from commonground.report.drawing import DrawingOptions, differing, draw, subject
from commonground.report.drawing.export import pdf, png
from commonground.report.drawing.tikz import tikz

BIRDS = Dependencies.of([("Birds sing".split(), [2, 0], ["nsubj", "root"])])
PLAIN = DrawingOptions()


def test_dependencies_are_written_for_tikz_dependency():
    assert (
        tikz(subject(BIRDS, PLAIN))
        == r"""% Birds sing
% \usepackage{tikz-dependency}
\begin{dependency}
  \begin{deptext}[column sep=0.6em]
    Birds \& sing \\
  \end{deptext}
  \depedge{2}{1}{nsubj}
  \deproot{2}{root}
\end{dependency}
"""
    )


def test_constituents_are_written_for_forest():
    tree = cg.read_text("(S (NP-SBJ (PRP I)) (VP (VBP sing) (NP (-NONE- *))))")
    assert (
        tikz(subject(tree, PLAIN))
        == r"""% I sing
% \usepackage{forest}
\begin{forest}
  [{S}
    [{NP-SBJ}
      [{PRP} [{I}]]
    ]
    [{VP}
      [{VBP} [{sing}]]
      [{NP}
        [{\textit{{*}}}]
      ]
    ]
  ]
\end{forest}
"""
    )


def test_a_tree_with_gaps_is_a_picture_with_places():
    result = tikz(subject(constituents(GELESEN, PHRASES), PLAIN))
    assert r"\begin{tikzpicture}" in result
    assert result.count(r"\node") == 9
    assert result.count(r"\draw") == 7


def test_function_trees_are_written_for_forest():
    tree = Functions.of([(["a", "b"], [("1-2", "root"), ("1", "x"), ("2", "y")])])
    assert r"[{\{x\}}" in tikz(subject(tree, PLAIN))


def test_differences_have_styles():
    parse = Dependencies.of([("Birds sing".split(), [0, 1], ["root", "x"])])
    result = tikz(differing(BIRDS, parse, PLAIN))
    assert r"\depstyle{cg-wrong}" in result
    assert r"\depedge[edge below, cg-right]{2}{1}{nsubj}" in result
    tree, other = cg.read_text("(S (NP (N a)) (VP (V b)))"), cg.read_text("(S (QP (N a)) (V b))")
    result = tikz(differing(tree, other, PLAIN))
    assert "% parse" in result
    assert "[{VP}, draw=" in result
    assert "dashed" in result


def test_multiword_tokens_are_grouped():
    corpus = cg.read("example:ud")[24]
    assert r"\wordgroup{1}{2}{3}{token1}" in tikz(subject(corpus, PLAIN))


def test_words_from_right_to_left_stand_in_that_order():
    corpus = Dependencies.of([("ספר ישן".split(), [0, 1], ["root", "amod"])])
    result = tikz(subject(corpus, PLAIN))
    assert "ישן \\& ספר" in result
    assert r"\depedge{2}{1}{amod}" in result


SPECIAL = re.compile(r"(?<!\\)[$#_%^~&]")


@given(st.lists(TEXTS | st.sampled_from(["&", "%", "\\", "}", "]", "$x$"]), min_size=1, max_size=4))
def test_any_text_is_escaped(forms):
    corpus = Dependencies.of([(forms, list(range(len(forms))), forms)])
    lines = tikz(subject(corpus, PLAIN)).split("\n")
    for line in lines:
        if not line.startswith("%"):
            assert not SPECIAL.search(line), line
            bare = re.sub(r"\\[{}]", "", line)
            assert bare.count("{") == bare.count("}")


def test_a_deep_tree_is_written():
    deep = constituents([("w", "T", "_", 2999)], [("X", "_", n) for n in range(-1, 2999)])
    assert tikz(subject(deep, PLAIN)).count("[{X}") == 3000


@pytest.mark.parametrize("package", ["tikz-dependency", "forest"])
def test_latex_understands_it(package, latex, tmp_path):
    ugly = ["\\input{x}", "a&b", "100%", "{}", "$x_1^2$", "~#", "[a],b=c", "<|>"]
    trees = {
        "tikz-dependency": [
            Dependencies.of([(ugly, [2, 0, 2, 3, 2, 2, 2, 2], ugly)]),
            cg.read("example:ud")[24],
        ],
        "forest": [
            Functions.of([(ugly, [("1-8", "a_b"), ("1-2", "%"), ("3", "{")])]),
            cg.read("example:ptb")[4],
            constituents(GELESEN, PHRASES),
        ],
    }
    body = "\n\n".join(tikz(subject(tree, PLAIN)) for tree in trees[package])
    head = rf"\documentclass{{article}}\usepackage[T1]{{fontenc}}\usepackage{{{package}}}"
    path = tmp_path / "a.tex"
    path.write_text(rf"{head}\begin{{document}}{body}\end{{document}}", encoding="utf-8")
    done = subprocess.run(
        [latex, "-interaction=nonstopmode", "-halt-on-error", "-draftmode", path.name],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]


# ── PNG and PDF ──────────────────────────────────────────────────────────────────────────────────


def test_a_drawing_becomes_png_and_pdf():
    skip_without_cairo()
    picture = png(draw(BIRDS))
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20]) == 200
    assert pdf(draw(BIRDS)).startswith(b"%PDF")
    assert b"20000101000000" in pdf(draw(BIRDS))


def test_scripts_that_cairo_cannot_write_are_refused():
    skip_without_cairo()
    assert png(draw(Dependencies.of([(["Ünï", "Ωδ", "Жук", "e\u0301", "…"], [0] * 5, ["x"] * 5)])))
    for text in ("ספר", "語", "क्"):
        with pytest.raises(UsageError, match="Latin, Greek and Cyrillic"):
            png(draw(Dependencies.of([([text], [0], ["x"])])))


def test_the_extra_is_asked_for(monkeypatch):
    load = builtins.__import__

    def without(name, *arguments, **more):
        if name == "cairosvg":
            raise ImportError(name)
        return load(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'commonground\[drawing\]'"):
        png(draw(BIRDS))
