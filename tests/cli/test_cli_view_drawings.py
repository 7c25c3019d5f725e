"""``commonground view``: pictures, and what differs from a gold standard."""

from __future__ import annotations

import pytest
from command import assert_refused, assert_silent_success, run, write
from seen import Seen, skip_without_cairo

import commonground as cg
from commonground.report.drawing import draw, draw_difference
from commonground.report.drawing.sheet import file_name


def drawn(path):
    return Seen(path.read_text(encoding="utf-8"))


@pytest.fixture
def target(tmp_path):
    return tmp_path / "tree.svg"


def test_the_suffix_of_the_output_tells_the_format(target):
    assert_silent_success(run("view", "example:ud", "--sentence", "1", "-o", target))
    assert target.read_text(encoding="utf-8") == draw(cg.read("example:ud")[0])


def test_a_drawing_can_be_written_to_standard_output():
    done = run("view", "example:ptb", "--sentence", "1", "--draw", "svg")
    assert_silent_success(done)
    assert done.stdout == draw(cg.read("example:ptb")[0])


def test_several_sentences_stand_on_one_sheet_with_their_ids(target):
    assert_silent_success(run("view", "example:ud", "--sentence", "cg-03..cg-05", "-o", target))
    assert {"cg-03", "cg-04", "cg-05"} <= set(drawn(target).words)
    assert "cg-06" not in drawn(target).words


def test_a_folder_has_a_file_for_each_sentence(tmp_path):
    folder = tmp_path / "new" / "drawings"
    assert_silent_success(run("view", "example:ud", "--all", "-o", f"{folder}/"))
    assert len(list(folder.iterdir())) == 64
    assert drawn(folder / "cg-64.svg").words
    assert_silent_success(run("view", "example:ud", "--first", "1", "--draw", "tikz", "-o", folder))
    assert (folder / "cg-01.tex").exists()


def test_a_folder_cannot_hold_text(tmp_path):
    done = run("view", "example:ud", "--draw", "text", "-o", f"{tmp_path}/")
    assert_refused(done, "a folder needs pictures")


def test_ids_cannot_lead_out_of_the_folder():
    assert file_name("../../etc/passwd", "svg") == "_.._etc_passwd.svg"
    assert file_name("/a", "svg") == "_a.svg"
    assert file_name("\x00", "svg") == "_.svg"
    assert file_name(".hidden", "svg") == "hidden.svg"


def test_a_difference_is_drawn(target):
    done = run(
        "view", "example:ud-parse", "--against", "example:ud", "--sentence", "13", "-o", target
    )
    assert_silent_success(done)
    gold, parse = cg.read("example:ud")[12], cg.read("example:ud-parse")[12]
    assert target.read_text(encoding="utf-8") == draw_difference(gold, parse)


def test_a_difference_is_told_as_text():
    done = run("view", "example:ud-parse", "--against", "example:ud", "--sentence", "13")
    assert_silent_success(done)
    assert "≠ gold: ccomp" in done.stdout
    assert "✗ gold: 8 hidden  obl" in done.stdout
    plain = run("view", "example:ud-parse", "--against", "example:ud", "--all", "--ascii").stdout
    assert plain.isascii()
    assert "x gold: 8 hidden  obl" in plain


def test_different_kinds_are_compared_as_function_trees():
    done = run("view", "example:ptb", "--against", "example:ud", "--sentence", "1")
    assert_silent_success(done)
    assert "{nsubj}" in done.stdout


def test_sentences_of_a_larger_gold_standard_are_found_by_their_ids(tmp_path):
    one = "# sent_id = cg-02\n1\tHi\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    path = write(tmp_path / "a.conllu", one)
    done = run("view", path, "--against", "example:ud")
    assert_silent_success(done)
    assert "tower" in done.stdout
    missing = write(tmp_path / "b.conllu", one.replace("cg-02", "x"))
    assert_refused(run("view", missing, "--against", "example:ud"), "example:ud: no sentence 'x'")


def test_the_suffix_tells_the_format_or_that_there_is_none(tmp_path):
    line = ["view", "example:ud", "--sentence", "2", "-o"]
    assert_silent_success(run(*line, str(tmp_path / "a.SVG")))
    assert (tmp_path / "a.SVG").read_text(encoding="utf-8").startswith("<svg")
    assert_refused(run(*line, str(tmp_path / "a.jpg")), "a picture can be .svg, .png, .pdf, .tex")


def test_tags_and_enhanced_graphs(target):
    run("view", "example:ud", "--sentence", "2", "--tags", "xpos,lemma", "--enhanced", "-o", target)
    assert {"NN", "wall", "nmod:with"} <= set(drawn(target).words)
    run("view", "example:ud", "--sentence", "2", "--tags", "none", "-o", target)
    assert "NOUN" not in drawn(target).words
    done = run("view", "example:ud", "--tags", "colour", "-o", target)
    assert_refused(done, "words have no column 'colour'")


def test_the_width_of_a_picture_is_a_choice(target):
    run("view", "example:ud", "--sentence", "5", "--width", "400", "-o", target)
    assert drawn(target).width < 500


@pytest.mark.long
def test_png_and_pdf_are_written(tmp_path):
    skip_without_cairo()
    for suffix, start in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        path = tmp_path / f"a.{suffix}"
        assert_silent_success(run("view", "example:ud", "--first", "2", "-o", path))
        assert path.read_bytes().startswith(start)
        again = run("view", "example:ud", "--first", "2", "-o", tmp_path / f"b.{suffix}")
        assert_silent_success(again)
        assert path.read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_a_picture_that_is_too_large_is_refused(tmp_path):
    skip_without_cairo()
    path = tmp_path / "a.png"
    done = run("view", "example:ptb", "--all", "--width", "100", "-o", path)
    assert_refused(done, "too large for PNG")
    assert not path.exists()


def test_latex_is_written(tmp_path):
    path = tmp_path / "a.tex"
    assert_silent_success(run("view", "example:ud", "--first", "2", "-o", path))
    assert path.read_text(encoding="utf-8").count(r"\begin{dependency}") == 2


def test_rows_are_not_drawn():
    done = run("view", "example:ud", "--draw", "svg", "--output-format", "json")
    assert_refused(done, "cannot be combined with a drawing")


def test_relations_have_no_pictures(tmp_path):
    path = write(tmp_path / "a.sd", "nsubj(sing-2, Birds-1)\nroot(ROOT-0, sing-2)\n")
    assert_refused(run("view", path, "--draw", "svg"), "relations cannot be drawn")


def test_hostile_ids_and_comments_show_as_text(tmp_path, target):
    word = "1\t<script>\t_\t\"'&\t_\t_\t0\t<b>\t_\t_"
    evil = f"# sent_id = <script>alert(1)</script>\n# text = \x1b[31m\u202e\n{word}\n\n"
    path = write(tmp_path / "a.conllu", evil + evil.replace("alert", "other"))
    assert_silent_success(run("view", path, "-o", target))
    assert "<script>alert(1)</script>" in drawn(target).words
    folder = tmp_path / "all"
    assert_silent_success(run("view", path, "-o", f"{folder}/"))
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_picture_of_no_sentence_is_empty_but_a_picture(form, tmp_path):
    if form != "svg":
        pytest.importorskip("cairosvg")
    picture = tmp_path / f"none.{form}"
    assert_silent_success(run("view", "example:ud", "--first", "0", "-o", picture))
    assert picture.stat().st_size
