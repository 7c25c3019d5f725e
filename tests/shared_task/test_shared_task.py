"""A shared task from its folder to the archive, and the same numbers on Codabench."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import site
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest
from command import assert_refused, run

import commonground as cg
from commonground.errors import InputError
from commonground.evaluation.reasons import all_reasons
from commonground.formats import write_text
from commonground.shared_task import read_task
from commonground.shared_task.board import task_board
from commonground.shared_task.codabench import bundle, main
from commonground.shared_task.scoring import check_submission
from commonground.shared_task.task_file import find_preset, preset_names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def task(tmp_path_factory, module_without_plots):
    """The folder of a task with two treebanks, a good team and one whose files are broken."""
    place = tmp_path_factory.mktemp("tasks")
    folder = place / "demo"
    whole = cg.read("example:ud")
    words = ["task", "new", str(folder), "-q", "--baseline-parser", "left-branching"]
    for name, parts in {"one": (0, 10, 14, 24), "two": (24, 34, 38, 48)}.items():
        files = []
        for split, first, last in zip("abc", parts, parts[1:], strict=False):
            files.append(str(place / f"{name}-{split}.conllu"))
            cg.write(whole[first:last], files[-1])
        words += ["--treebank", name, *files]
    assert run(*words).returncode == 0
    parse = cg.read("example:ud-parse")
    for team in ("good", "broken"):
        (place / team).mkdir()
        cg.write(parse[14:24], place / team / "one.conllu")
    cg.write(parse[38:48], place / "good/two.conllu")
    (place / "broken/two.conllu").write_text("1\tw\n\n", encoding="utf-8")
    for team in ("good", "broken"):
        done = run("task", "score", str(place / team), "--task", str(folder))
        assert done.returncode == 0, done.stderr
    return folder


# ── the folder ───────────────────────────────────────────────────────────────────────────────────


def test_the_starter_kit_tells_nothing_about_the_trees_of_the_test_sets(task):
    kit = [file for file in (task / "starter-kit").rglob("*") if file.is_file()]
    assert not any("gold" in file.parts for file in kit)
    blind = cg.read(task / "starter-kit/data/input/one.conllu", partial=True)
    assert set(blind.head.tolist()) == {-1}
    assert {*blind.deprel, *blind.upos, *blind.lemma, *blind.feats, *blind.deps} == {"_"}
    assert not any("constructions" in comments for comments in blind.comments)


def test_the_baseline_is_on_the_board_without_a_rank(task):
    grid = task_board(read_task(task)).grid()
    ranks = {row[2].value: row[0].value for row in grid.rows}
    assert ranks["baseline (baseline)"] == "–"
    assert set(ranks) == {"baseline (baseline)", "good", "broken"}


def test_the_board_has_the_scores_of_evaluate(task):
    board = task_board(read_task(task))
    pairs = cg.find_pairs(str(task / "gold"), {"good": str(task / "submissions/good/1")})
    assert board.evaluation.macro("good", "las") == cg.evaluate_files(pairs).macro("good", "las")


def test_a_task_is_not_made_where_something_is(task):
    assert_refused(run("task", "new", str(task)), "it is there already")


# ── checking ─────────────────────────────────────────────────────────────────────────────────────


def test_a_whole_submission_will_be_scored(task):
    done = run(
        "task", "check", str(task / "starter-kit/baseline"), "--task", str(task / "starter-kit")
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("This submission will be scored.\n")
    assert done.stdout.count("\n") < 10  # one screen


def damaged(task, tmp_path, name, change):
    shutil.copytree(task / "starter-kit/baseline", tmp_path / name)
    file = tmp_path / name / "one.conllu"
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    return str(tmp_path / name)


@pytest.mark.parametrize(
    ("change", "counts", "said"),
    [
        (lambda text: text.split("\n\n")[0] + "\n\n", True, "9 of 10 missing"),
        (lambda text: text.replace("\t0\t", "\t1\t", 1), True, "1 of 10 rootless"),
        (lambda text: text.replace("\t", " ", 3), False, "one.conllu:"),
        (lambda _: "", False, ""),
    ],
)
def test_a_check_says_what_the_scorer_will_do(task, tmp_path, change, counts, said):
    folder = damaged(task, tmp_path, "mine", change)
    [one, two] = check_submission(read_task(task / "starter-kit"), folder).files
    assert (one.counts, two.counts) == (counts, True)
    assert said in "; ".join(one.remarks)
    done = run("task", "check", folder, "--task", str(task))
    assert done.returncode == (0 if counts else 1)


def test_a_missing_file_and_one_too_many_are_told(task, tmp_path):
    folder = Path(damaged(task, tmp_path, "mine", str))
    (folder / "two.conllu").rename(folder / "tow.conllu")
    done = run("task", "check", str(folder), "--task", str(task))
    assert done.returncode == 1
    assert "there is no file two.conllu" in done.stdout
    assert "Files that belong to no treebank: tow.conllu" in done.stdout


def test_an_archive_is_a_submission_and_writes_nothing_elsewhere(task, tmp_path):
    archive = tmp_path / "team.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for name in ("one", "two"):
            text = (task / f"starter-kit/baseline/{name}.conllu").read_text(encoding="utf-8")
            written.writestr(f"../../{name}.conllu", text)
    assert run("task", "check", str(archive), "--task", str(task)).returncode == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["team.zip"]


# ── the board and the archive ────────────────────────────────────────────────────────────────────


def test_the_board_has_a_page_for_each_team_and_the_history(task, tmp_path):
    done = run("task", "board", "--task", str(task), "-o", f"{tmp_path}/board")
    assert done.returncode == 0, done.stderr
    pages = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "board").iterdir()}
    assert set(pages) == {
        "index.html", "team-baseline.html", "team-broken.html", "team-good.html"
    }  # fmt: skip
    assert "All submissions" in pages["index.html"]
    assert "2 columns; 10 are expected" in pages["team-broken.html"]
    teams = {name for name in pages if name != "index.html"}
    assert all(name in pages["index.html"] for name in teams)
    assert all('<a href="index.html">← ' in pages[name] for name in teams)


def test_the_board_of_one_treebank_tests_its_sentences(tmp_path):
    folder = tmp_path / "task"
    assert run("task", "new", str(folder), "-q").returncode == 0
    gold = (folder / "gold/example.conllu").read_text(encoding="utf-8")
    (tmp_path / "late").mkdir()
    late = gold.split("\n\n", 4)[-1]
    (tmp_path / "late/example.conllu").write_text(late, encoding="utf-8")
    for name in (str(folder / "gold"), str(tmp_path / "late")):
        assert run("task", "score", name, "--task", str(folder)).returncode == 0
    board = task_board(read_task(folder))
    assert [each.short for each in board.reasons] == ["4 of 16 missing"]
    assert board.claims is not None
    assert board.claims.worse_than("gold", "las") == ["baseline"]


def test_the_board_says_what_was_repaired(tmp_path):
    (tmp_path / "results").mkdir()
    text = write_text(cg.read("example:ud-parse"), "conllu")
    broken = tmp_path / "odd.conllu"
    broken.write_text(text.replace("\t0\troot\t", "\t1\troot\t", 1), encoding="utf-8")
    result = str(tmp_path / "results/odd.json")
    done = run("evaluate", "example:ud", f"odd={broken}", "--repair", "open", "-o", result)
    assert done.returncode == 0, done.stderr
    (reason,) = all_reasons(cg.read_result(result))
    assert (reason.kind, bool(reason.which)) == ("repaired", True)
    done = run("report", str(tmp_path / "results"), "-o", str(tmp_path / "board.html"))
    assert "1 of 64 repaired" in (tmp_path / "board.html").read_text(encoding="utf-8")


def test_the_last_or_the_best_submission_counts(task, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(task, folder)
    worse = str(folder / "starter-kit/baseline")
    assert run("task", "score", worse, "--team", "good", "--task", str(folder)).returncode == 0
    last = task_board(read_task(folder)).evaluation.macro("good", "las")
    file = folder / "task.toml"
    file.write_text(file.read_text().replace('counts = "last"', 'counts = "best"'))
    best = task_board(read_task(folder)).evaluation.macro("good", "las")
    assert best == task_board(read_task(task)).evaluation.macro("good", "las") > last


def test_the_archive_has_submissions_results_and_signatures(task, tmp_path):
    out = tmp_path / "archive.zip"
    assert run("task", "archive", "--task", str(task), "-o", str(out)).returncode == 0
    with zipfile.ZipFile(out) as archive:
        names = archive.namelist()
        rows = list(
            csv.DictReader(archive.read("signatures.tsv").decode().splitlines(), delimiter="\t")
        )
    assert not any(name.startswith("gold/") for name in names)
    assert {"submissions/good/1/one.conllu", "results/good-1.json", "board/index.html"} <= set(
        names
    )
    assert [row["team"] for row in rows] == ["baseline", "broken", "good"]
    assert all(row["signature"].startswith("commonground:") for row in rows)


# ── Codabench ────────────────────────────────────────────────────────────────────────────────────


def unpacked(content, folder):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def competition(task, tmp_path_factory):
    """The bundle of the task, unpacked as Codabench does it, with a good submission."""
    place = unpacked(bundle(read_task(task)), tmp_path_factory.mktemp("bundle"))
    for name, target in (("reference_data", "input/ref"), ("scoring_program", "program")):
        unpacked((place / f"{name}.zip").read_bytes(), place / target)
    shutil.copytree(task / "submissions/good/1", place / "input/res")
    return place


def board_numbers(task, team):
    evaluation = task_board(read_task(task)).evaluation
    scores = {name: 100 * evaluation.macro(team, name) for name in ("las", "uas")}
    return scores | {
        f"las_{name}": 100 * evaluation.pairs[name].system(team)["las"].value
        for name in ("one", "two")
    }


def test_the_bundle_is_as_the_manual_of_codabench_has_it(competition):
    yaml = pytest.importorskip("yaml")
    data = yaml.safe_load((competition / "competition.yaml").read_text(encoding="utf-8"))
    assert data["version"] == 2
    assert {"title", "image", "terms", "pages", "tasks", "phases", "leaderboards"} <= set(data)
    named = [data["image"], data["terms"], *(page["file"] for page in data["pages"])]
    named += [data["tasks"][0]["scoring_program"], data["tasks"][0]["reference_data"]]
    named += [data["phases"][0]["starting_kit"], data["solutions"][0]["path"]]
    assert all((competition / name).is_file() for name in named)
    [board] = data["leaderboards"]
    assert [column["key"] for column in board["columns"]] == ["las", "uas", "las_one", "las_two"]
    assert (competition / "program/metadata.yaml").read_text().startswith("command: ")


def test_the_scoring_program_gives_the_numbers_of_the_board(task, competition, tmp_path):
    assert main([str(competition / "input"), str(tmp_path)]) == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores == pytest.approx(board_numbers(task, "good"))
    page = (tmp_path / "detailed_results.html").read_text(encoding="utf-8")
    assert "Scores" in page
    assert not any(form in page for form in cg.read(task / "gold/one.conllu").form if len(form) > 8)


@pytest.mark.long
def test_it_does_so_in_an_environment_with_this_package_only(task, competition, tmp_path):
    """A new virtual environment sees this package and what it requires, and nothing else."""
    place = tmp_path / "clean"
    venv.create(place, with_pip=False, symlinks=os.name != "nt")
    [packages] = place.glob("lib/python*/site-packages") or place.glob("Lib/site-packages")
    known = [Path(path) for path in site.getsitepackages()]
    for name in (
        "numpy",
        "numpy.libs",
        "click",
        "rich",
        "msgspec",
        "markdown_it",
        "mdurl",
        "pygments",
    ):
        for path in known:
            if (path / name).exists():
                (packages / name).symlink_to(path / name)
    (packages / "commonground").symlink_to(Path(cg.__file__).parent)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    words = [str(python), "score.py", str(competition / "input"), str(tmp_path / "out")]
    done = subprocess.run(
        words, check=False, cwd=competition / "program", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    scores = json.loads((tmp_path / "out/scores.json").read_text())
    assert scores == pytest.approx(board_numbers(task, "good"))
    assert (tmp_path / "out/detailed_results.html").is_file()


def test_a_broken_submission_scores_as_on_the_board(task, competition, tmp_path):
    place = tmp_path / "input"
    shutil.copytree(competition / "input/ref", place / "ref")
    shutil.copytree(task / "submissions/broken/1", place / "res")
    assert main([str(place), str(tmp_path / "out")]) == 0
    scores = json.loads((tmp_path / "out/scores.json").read_text())
    assert scores == pytest.approx(board_numbers(task, "broken"))
    assert scores["las_two"] == 0
    assert "broken" in (tmp_path / "out/detailed_results.html").read_text(encoding="utf-8")


def test_what_cannot_be_scored_at_all_is_one_line_and_exit_code_1(tmp_path, capsys):
    (tmp_path / "ref").mkdir()
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


# ── the task file ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = 1", "task.toml.title: Expected `str`"),
        ('title = "x"\nmetrix = []', "unknown field `metrix`"),
        ('title = "x"\ngold = "../secret"', "outside of the folder"),
        ('title = "x"\ntreebanks = ["a/b"]', "is no name of a file"),
        ('title = "x"\n[rules]\ncounts = "first"', "Invalid enum value 'first'"),
        ("title =", "task.toml:1: not TOML"),
    ],
)
def test_a_bad_task_file_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "task.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message.replace("[", r"\[")):
        read_task(tmp_path)


def test_a_folder_without_a_task_is_refused(tmp_path):
    assert_refused(run("task", "board", "--task", str(tmp_path)), "there is no task.toml here")


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_a_task_with_known_metrics(name):
    task = find_preset(name)
    assert task.rank_by in task.metrics
    assert task.settings()
    assert task.source
