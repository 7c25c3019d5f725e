"""Result tables in every output format."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import UsageError
from commonground.grid import Cell, Column, Grid, Note
from commonground.report.table_formats.html import html_table
from commonground.report.tables import FORMATS, render
from commonground.streamed_json import json_text

TABLES = [name for name in FORMATS if name != "json"]
HOSTILE = 'a|b & 5% of <x> {y} \\z $n$ [i] P_OBJ ~ ^ # `t` *u* "v"'
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def grid(**changes):
    values = {
        "title": "Scores",
        "columns": ["parser", Column("LAS", "right", 2), Column("words", "right")],
        "rows": [["A", Cell(91.506, bold=True, mark="a"), 12345], ["B", None, 7]],
        "notes": [Note("better than B", "a"), "punctuation counts"],
        "signature": "version:0.1.0",
    }
    return Grid.of(**{**values, **changes})


def only(text):
    """A table of one cell."""
    return Grid.of("", ["t"], [[text]])


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "html"])
def test_people_see_separators_decimals_and_a_dash_for_no_value(output_format):
    written = render([grid()], output_format)
    assert "12,345" in written
    assert "91.51" in written
    assert "91.506" not in written
    assert ("--" if output_format == "latex" else "–") in written


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "html"])
def test_title_notes_and_signature_are_shown(output_format):
    written = render([grid()], output_format)
    for text in ("Scores", "better than B", "punctuation counts", "version:0.1.0"):
        assert text in written


def test_a_page_is_not_called_after_its_second_table():
    written = render([grid(title=""), grid(title="Differences")], "html")
    assert "<title>Scores</title>" in written


def test_tsv_has_titles_and_full_values_and_nothing_else():
    assert render([grid()], "tsv") == "parser\tLAS\twords\nA\t91.506\t12345\nB\t\t7\n"


def test_a_cell_can_have_decimals_of_its_own():
    written = render([grid(rows=[["A", Cell(0.12345, decimals=4), 1]])], "markdown")
    assert "| 0.1235 |" in written


def test_markdown_table():
    assert render([grid()], "markdown").splitlines()[:6] == [
        "**Scores**",
        "",
        "| parser | LAS | words |",
        "| :--- | ---: | ---: |",
        "| A | **91.51**<sup>a</sup> | 12,345 |",
        "| B | – | 7 |",
    ]


def test_latex_table_is_set_with_booktabs():
    lines = render([grid()], "latex").splitlines()
    assert lines[3] == r"  \label{tab:scores}"
    assert lines[4] == r"  \begin{tabular}{lrr}"
    assert r"    A & \textbf{91.51}\textsuperscript{a} & 12,345 \\" in lines
    assert [line.strip() for line in lines if "rule" in line] == [
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
    ]


def test_signs_in_notes_are_such_that_latex_knows():
    noted = Grid.of("", ["A → B"], [["−"]], ['p ≤ 0.05, "≠"'], "a:1|b:2|c:3")
    written = render([noted], "latex")
    assert written.isascii()
    assert r"p \ensuremath{\leq} 0.05, \char34{}\ensuremath{\neq}\char34{}" in written
    assert r"a:1\textbar\allowbreak{}b:2\textbar\allowbreak{}c:3" in written


def test_text_of_a_pipe_has_no_colours_and_no_trailing_spaces():
    written = render([grid()], "text")
    assert "\x1b" not in written
    assert written == re.sub(r" +$", "", written, flags=re.MULTILINE)


def test_text_of_a_terminal_is_styled():
    assert "\x1b[1m" in render([grid()], "text", styled=True)


def test_a_mark_is_raised_in_text():
    assert "91.51ᵃ" in render([grid()], "text")


def test_a_table_too_wide_is_cut_between_columns_and_repeats_the_first():
    wide = Grid.of("", ["parser", *(f"metric{n}" for n in range(9))], [["A", *range(9)]])
    written = render([wide], "text", width=40)
    assert max(map(len, written.splitlines())) <= 40
    assert written.count("parser") > 1
    assert all(f"metric{n}" in written for n in range(9))


def test_text_is_as_wide_as_it_needs_to_be_in_a_pipe():
    assert "x" * 500 in render([only("x" * 500)], "text")


def test_several_tables_follow_each_other():
    assert render([grid(), grid()], "text").count("Scores") == 2
    assert render([grid(), grid()], "html").count("<table>") == 2
    assert render([grid(), grid()], "html").count("<html") == 1


def test_no_text_can_steer_the_terminal():
    assert "\x1b" not in render([only("a\x1b[31mb\rc\x9b2J")], "text")


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="2 cells in a table of 1 columns"):
        Grid.of("", ["a"], [["b", "c"]])


def test_an_unknown_output_format_is_named_with_those_there_are():
    with pytest.raises(UsageError, match=r"xlsx.*text, json, tsv"):
        render([grid()], "xlsx")


def test_a_piece_of_html_is_no_page():
    assert html_table(grid()).startswith("<table>")


def test_json_keeps_order_and_letters():
    assert json.loads(json_text({"b": "ü", "a": 1})) == {"b": "ü", "a": 1}
    assert json_text({"b": "ü", "a": 1}) == '{\n  "b": "ü",\n  "a": 1\n}\n'


def test_latex_escapes_everything_special():
    row = render([only(HOSTILE)], "latex").splitlines()[6]
    assert (
        re.sub(r"\\(text[a-z]+|char34)\{\}|\{[\[\]*]\}|\\[{}$&#_%]", "", row).count("\\") == 2
    )  # the \\


@given(TEXTS)
def test_any_text_survives_html(text):
    class Texts(HTMLParser):
        found = ""

        def handle_data(self, data):
            self.found += data

    parser = Texts()
    parser.feed(html_table(only(text)))
    assert "<" not in re.sub(r"</?(table|thead|tbody|tr|th|td)[^<>]*>", "", html_table(only(text)))
    assert printable(text).split() == parser.found.split()[1:]


@given(TEXTS)
def test_any_text_is_one_cell_of_a_markdown_table(text):
    row = render([only(text)], "markdown").splitlines()[2]
    inner = row.removeprefix("| ").removesuffix(" |")
    assert re.sub(r"\\(.)", r"\1", inner) == printable(text)
    assert not re.search(r"(?<!\\)(\\\\)*[|<*_`]", inner)


@given(TEXTS)
def test_any_text_is_one_cell_of_a_tsv_table(text):
    rows = render([only(text)], "tsv").split("\n")
    assert rows == ["t", printable(text), ""]


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=3), st.integers(10, 80))
def test_text_can_always_be_rendered(rows, width):
    for output_format in TABLES:
        assert render([Grid.of("t", ["a", "b"], rows)], output_format, width=width).endswith("\n")


def printable(text):
    """What is left of a text when control characters became spaces."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", " ", text)


def test_csv_readers_read_the_tsv():
    rows = list(csv.DictReader(io.StringIO(render([grid()], "tsv")), delimiter="\t"))
    assert rows[0] == {"parser": "A", "LAS": "91.506", "words": "12345"}


def test_what_goes_on_below_repeats_the_names():
    columns = ["rank", "parse", *(Column(f"metric{n}", "right", 2) for n in range(6))]
    table = Grid.of("", columns, [["1", "mine", *[91.5] * 6], ["2", "yours", *[90.5] * 6]])
    text = render([table], "text", width=40)
    heads = [line.split()[:2] for line in text.splitlines() if "metric" in line]
    assert len(heads) > 1
    assert all(names == ["rank", "parse"] for names in heads)
    assert max(map(len, text.splitlines())) <= 40
