"""``check --baseline``: what was acknowledged stays quiet, what is new fails, what is gone is told."""

from __future__ import annotations

from command import assert_refused, run, write

ROW = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
GOOD = "# sent_id = s{0}\n# text = a\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
CYCLE = "# sent_id = s{0}\n# text = a b\n" + ROW.format(1, "a", 2) + ROW.format(2, "b", 1) + "\n"


def test_acknowledged_problems_stay_quiet_wherever_they_move(tmp_path):
    write(tmp_path / "t.conllu", CYCLE.format(1) + GOOD.format(2))
    assert run("check", "t.conllu", cwd=tmp_path).returncode == 2
    done = run("check", "t.conllu", "--acknowledge", "known.tsv", cwd=tmp_path)
    assert done.returncode == 0
    listed = (tmp_path / "known.tsv").read_text().splitlines()
    assert listed[0].split("\t") == ["file", "sent_id", "problem", "reason"]
    assert all(line.startswith("t.conllu\ts1\t") for line in listed[1:])
    write(tmp_path / "t.conllu", GOOD.format(0) * 3 + CYCLE.format(1))
    done = run("check", "t.conllu", "--baseline", "known.tsv", cwd=tmp_path)
    assert "left out" in done.stderr
    assert "s1" not in done.stdout


def test_only_new_problems_fail(tmp_path):
    write(tmp_path / "t.conllu", CYCLE.format(1))
    run("check", "t.conllu", "--acknowledge", "known.tsv", cwd=tmp_path)
    write(tmp_path / "t.conllu", CYCLE.format(1) + CYCLE.format(2))
    done = run(
        "check", "t.conllu", "--baseline", "known.tsv", "--output-format", "json", cwd=tmp_path
    )
    assert done.returncode == 2
    before = run("check", "t.conllu", "--output-format", "json", cwd=tmp_path)
    assert done.stdout.count('"line"') * 2 == before.stdout.count('"line"')


def test_what_is_no_longer_a_problem_is_told_and_reasons_are_kept(tmp_path):
    write(tmp_path / "t.conllu", CYCLE.format(1))
    run("check", "t.conllu", "--acknowledge", "known.tsv", cwd=tmp_path)
    known = (tmp_path / "known.tsv").read_text().replace("\t\n", "\ta real cycle\n")
    write(tmp_path / "known.tsv", known)
    line = ("check", "t.conllu", "--baseline", "known.tsv")
    run(*line, "--acknowledge", "again.tsv", cwd=tmp_path)
    assert (tmp_path / "again.tsv").read_text() == known
    write(tmp_path / "t.conllu", GOOD.format(1))
    done = run(*line, cwd=tmp_path)
    assert done.returncode == 0
    assert "known.tsv: no longer a problem: t.conllu s1:" in done.stderr


def test_a_bad_baseline_is_refused_with_its_line(tmp_path):
    write(tmp_path / "known.tsv", "file\tsent_id\tproblem\treason\nonly one column\n")
    done = run("check", "example:ud", "--baseline", "known.tsv", cwd=tmp_path)
    assert_refused(done, "known.tsv:2: 1 columns; file, sent_id, problem, reason are expected")
