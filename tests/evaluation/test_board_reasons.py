"""Boards show why a submission lost points that have nothing to do with its trees."""

from __future__ import annotations

import re

import pytest
from command import assert_refused, run, write

from commonground.evaluation.leaderboard import result_files
from commonground.report.page.board_pages import board_pages
from commonground.report.page.leaderboard import board_of

GOLD = "".join(
    f"# sent_id = s{n}\n1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb{n}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    for n in range(8)
)
SENTENCES = GOLD.split("\n\n")[:-1]


def joined(sentences):
    return "".join(f"{each}\n\n" for each in sentences)


SUBMISSIONS = {
    "whole": GOLD,
    "few": joined(SENTENCES[:3]),
    "others": joined([each.replace("\tb1\t", "\tc\t") for each in SENTENCES]),
    "circles": joined([SENTENCES[0].replace("0\troot", "1\tx"), *SENTENCES[1:]]),
    "nothing": "1\tw\n\n",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder of results on two treebanks, of which only the first has anything odd."""
    folder = tmp_path_factory.mktemp("board")
    (folder / "results").mkdir()
    for treebank in ("t1", "t2"):
        write(folder / f"{treebank}.conllu", GOLD)
        for name, text in SUBMISSIONS.items():
            write(folder / f"{name}.conllu", text if treebank == "t1" else GOLD)
            options = ["--on-mismatch", "zero", "--on-error", "zero", "--metrics", "las,uas", "-q"]
            output = folder / f"results/{treebank}-{name}.json"
            pair = [str(folder / f"{treebank}.conllu"), f"{name}={folder / name}.conllu"]
            assert run("evaluate", *pair, *options, "-o", str(output)).returncode == 0
    return folder / "results"


@pytest.fixture(scope="module")
def board(results):
    return board_of(result_files(str(results)))


def test_a_board_knows_what_happened_to_each_submission(board):
    known = {each.system: (each.treebank, each.kind, each.sentences) for each in board.reasons}
    assert known == {
        "few": ("t1.conllu", "missing", 5),
        "others": ("t1.conllu", "retokenised", 1),
        "circles": ("t1.conllu", "rootless", 1),
        "nothing": ("t1.conllu", "broken", 0),
    }


def test_the_board_says_so_beside_the_scores(board):
    grid = board.grid()
    assert [column.title for column in grid.columns][2:4] == ["parse", "what happened"]
    said = {name: row[3].value for name, row in zip(board.order, grid.rows, strict=True)}
    assert said["few"] == "5 of 8 missing (t1.conllu)"
    assert said["whole"] == ""
    assert said["nothing"] == "broken (t1.conllu)"


def test_a_board_where_nothing_happened_has_no_such_column(results):
    whole = [file for file in result_files(str(results)) if "whole" in file]
    grid = board_of(whole).grid()
    assert grid.columns[-1].title == "UAS"


def test_a_baseline_has_no_rank_and_takes_none(results):
    grid = board_of(result_files(str(results)), baselines=["whole"]).grid()
    ranks = {row[2].value: row[0].value for row in grid.rows}
    assert ranks["whole (baseline)"] == "–"
    assert not any("5" in rank for rank in ranks.values())


def test_a_baseline_that_is_no_system_is_refused(results):
    assert_refused(
        run("report", str(results), "--baseline-system", "x", "-o", "-"), "no system 'x'"
    )


@pytest.fixture(scope="module")
def pages(results, module_without_plots):
    return dict(board_pages(str(results)))


def test_every_system_has_a_page_that_the_board_leads_to(pages):
    assert set(pages) == {"index.html", *(f"team-{name}.html" for name in SUBMISSIONS)}
    assert re.search(r'<a href="team-few.html">few</a>', pages["index.html"])
    assert "5 of 8 missing" in pages["index.html"]
    assert "few has rank" in pages["team-few.html"]
    assert "Sentences are missing, and count as wrong." in pages["team-few.html"]


def test_cells_of_treebanks_carry_the_mark_of_the_reason(pages):
    marked = re.search(r"t1\.conllu</th>.*?</tr>", pages["index.html"], re.DOTALL)
    assert marked is not None
    assert marked[0].count("<sup>") == 4


def test_pages_are_written_into_a_folder(results, tmp_path, without_plots):
    assert run("report", str(results), "-o", f"{tmp_path}/site/").returncode == 0
    assert (tmp_path / "site/index.html").is_file()
    one = next(results.iterdir())
    assert_refused(run("report", str(one), "-o", f"{tmp_path}/"), "only the leaderboard")
