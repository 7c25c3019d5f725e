"""What all verbs share: help, versions, errors, interruptions."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from command import assert_refused, assert_silent_success, run, run_apart, run_line, run_line_apart

from commonground.cli import TASKS, VERBS, commands, main
from commonground.cli.verbs import evaluate
from commonground.kernels import in_use

DEMO = "commonground demo"
SENTENCE = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"


@cache
def examples():
    """The lines that the help texts print as examples."""
    results = []
    context = click.Context(commands)
    for verb in VERBS:
        if verb == "serve":  # it runs until it is ended, which test_serve.py does
            continue
        text = commands.get_command(context, verb).get_help(context)
        lines = re.findall(r"^ +(commonground .*)$", text, re.MULTILINE)
        results += [pytest.param(line, id=line) for line in lines] or [pytest.param(verb, id=verb)]
    return results


@cache
def first_examples():
    """The first example in which each verb is called."""
    names = {}
    for example in examples():
        for verb in re.findall(r"commonground (\w+)", example.values[0]):
            names.setdefault(verb, example)
    return list({example.id: example for example in names.values()}.values())


@pytest.mark.parametrize("line", [each for each in first_examples() if each.id != DEMO])
def test_the_installed_command_does_the_same_as_the_function(line, tmp_path):
    folders = [tmp_path / "here", tmp_path / "apart"]
    for folder in folders:
        folder.mkdir()
    here, apart = run_line(line, folders[0]), run_line_apart(line, folders[1])
    assert_works_as_printed(here, folders[0])
    assert_the_same(here, apart, *folders)


def assert_the_same(here, apart, *folders):
    shown = [
        done.stdout.replace(str(f), "") for done, f in zip((here, apart), folders, strict=True)
    ]
    assert (here.returncode, here.stderr, shown[0]) == (apart.returncode, apart.stderr, shown[1])


@pytest.mark.parametrize(
    "line", [each for each in examples() if each.id not in {first.id for first in first_examples()}]
)
def test_an_example_of_the_help_works_as_printed(line, tmp_path):
    assert line.startswith("commonground "), f"{line} has no example"
    assert_works_as_printed(run_line(line, tmp_path), tmp_path)


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory):
    """What the demonstration prints, and its folder."""
    folder = tmp_path_factory.mktemp("demo")
    return run_line(DEMO, folder), folder


def test_the_installed_demonstration_does_the_same_as_the_function(demonstration, tmp_path):
    """Its parsers are not trained again, for it goes on in a copy of the folder."""
    done, folder = demonstration
    assert_works_as_printed(done, folder)
    copy = shutil.copytree(folder, tmp_path / "copy")
    assert_the_same(done, run_line_apart(DEMO, copy), folder, copy)


def test_the_demonstration_shows_a_significant_difference_a_common_ground_and_a_report(
    demonstration,
):
    done, folder = demonstration
    assert re.search(r"^1 +a +arc-standard +[\d.]+ᵇ", done.stdout, re.MULTILINE)
    (row,) = re.findall(r"^Penn +– +[\d.]+ +– +([\d.]+) +([\d.]+)$", done.stdout, re.MULTILINE)
    assert all(0 < float(score) < 100 for score in row)
    assert done.stdout.splitlines()[-1].startswith(f"The report is {folder}")
    page = (folder / "commonground-demo" / "report.html").read_text(encoding="utf-8")
    assert "Comparison of UD, SUD, LTH, TUT, Penn" in page
    assert "Worst sentences" in page  # the treebanks of the steps were read again


def assert_works_as_printed(done, folder):
    assert_silent_success(done)
    assert done.stdout or list(folder.iterdir())


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_begins_with_its_line_in_the_list(verb):
    done = run(verb, "--help")
    assert_silent_success(done)
    assert done.stdout.splitlines()[2].strip() == VERBS[verb]


def test_the_list_of_verbs_is_the_help():
    done = run("--help")
    assert_silent_success(done)
    for verb, line in VERBS.items():
        assert re.search(rf"^  {verb} +{re.escape(line)}$", done.stdout, re.MULTILINE)


def test_verbs_are_listed_by_task():
    text = run("--help").stdout
    places = [text.index(f"\n{task}:\n") for task in TASKS]
    assert places == sorted(places)
    assert sum(map(len, TASKS.values())) == len(VERBS)  # no verb is in two tasks
    for task, start, end in zip(TASKS, places, [*places[1:], len(text)], strict=True):
        assert re.findall(r"^  ([a-z-]+)  ", text[start:end], re.MULTILINE) == list(TASKS[task])


def test_the_help_of_evaluate_begins_with_ten_options():
    text = run("evaluate", "--help").stdout
    first = text.partition("\nOptions:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (?:-\w, )?--([a-z-]+)", first, re.MULTILINE) == [
        *("metrics", "preset", "punctuation", "on-mismatch", "by", "test"),
        *("confidence", "explain", "output-format", "output"),
    ]


def test_every_option_is_in_one_section_of_the_help():
    flags = [
        option.opts[-1]
        for option in evaluate.command.get_params(click.Context(evaluate.command))
        if isinstance(option, click.Option) and not option.hidden
    ]
    placed = [flag for flags in evaluate.SECTIONS.values() for flag in flags]
    assert sorted(placed) == sorted(set(placed))
    assert set(placed) == {"--help", *flags}


@pytest.mark.parametrize("arguments", [["--help"], ["info", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys; from commonground.cli import main; main(sys.argv[1:]);"
        "print([m for m in ('numpy', 'rich', 'commonground.corpus') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_list_of_verbs_imports_no_verb():
    code = (
        "import sys; from commonground.cli import main; main(['--help']);"
        "print([m for m in sys.modules if m.startswith('commonground.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_tells_which_kernels_are_in_use():
    done = run("--version")
    assert_silent_success(done)
    kinds = {"compiled": "compiled kernels", "python": "plain Python kernels"}
    assert re.match(rf"commonground \d+\.\d+\.\d+ \({kinds[in_use()]}", done.stdout)


def test_the_version_tells_that_plain_kernels_were_asked_for():
    assert "plain Python kernels" in run("--version", COMMONGROUND_KERNELS="python").stdout


def test_a_wrong_choice_of_kernels_is_refused():
    assert_refused(run("--version", COMMONGROUND_KERNELS="fast"), "it can be python or compiled")


def test_the_script_is_the_same_command():
    script = Path(sys.executable).parent / "commonground"
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == run("--version").stdout == run_apart("--version").stdout


def test_without_a_verb_the_help_is_shown_and_the_exit_code_is_2():
    done = run()
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Score parsers:" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inof"], "there is no verb 'inof'; did you mean info?"),
        (["zzz"], "there is no verb 'zzz'; there are agreement"),
        (["info"], "commonground info: Missing argument 'FILE…' (see commonground info --help)"),
        (["info", "example:ud", "--formt", "conllu"], "--format"),
        (["info", "example:ud", "--jobs", "-1"], "--jobs"),
        (["info", "example:ud", "--jobs", "two"], "'--jobs': 'two' is not a whole number"),
        (["align", "a", "b", "--min-probability", "x"], "'x' is not a number"),
        (["info", "example:ud", "--output-format", "pdf"], "pdf"),
        (["info", "example:ud", "--format", "word"], "commonground: there is no format 'word'; there are"),
        (["info", "example:nix"], "example:nix: there is no such example; there are example:amr"),
        (["convert", "example:ud"], "Missing argument 'OUT'"),
    ],
)  # fmt: skip
def test_bad_usage_is_one_line_and_exit_code_2(arguments, message):
    assert_refused(run(*arguments), message)


VERB_LINES = [
    ["info", "FILE"],
    ["view", "FILE"],
    ["convert", "FILE", "-", "--to", "conllu"],
]


@pytest.mark.parametrize("line", VERB_LINES, ids=lambda line: line[0])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_code_2(line, tmp_path):
    garbage = tmp_path / "garbage"
    garbage.write_bytes(bytes(range(256)) * 40)
    damaged = tmp_path / "damaged.conllu.gz"
    damaged.write_bytes(b"\x1f\x8b\x08\x00 damaged")
    broken = tmp_path / "broken.conllu"
    broken.write_text(SENTENCE + SENTENCE.replace("\t0\t", "\tx\t"))
    (tmp_path / "empty").mkdir()
    for path, message in (
        (tmp_path / "missing", f"{tmp_path / 'missing'}: cannot be read: No such file"),
        (tmp_path / "empty", f"{tmp_path / 'empty'}: cannot be read"),
        (garbage, f"{garbage}:1: "),
        (damaged, f"{damaged}: damaged compressed file"),
        (broken, f"{broken}:3: HEAD is 'x'"),
    ):
        assert_refused(run(*(path if word == "FILE" else word for word in line)), message)


@pytest.mark.parametrize("line", VERB_LINES, ids=lambda line: line[0])
def test_every_verb_takes_the_options_that_scripts_give_to_all(line):
    called = ["example:ud" if word == "FILE" else word for word in line]
    assert_silent_success(run(*called, "--jobs", "2", "--seed", "3", "--quiet"))


def test_main_returns_the_exit_code(capsys):
    assert main(["--version"]) == 0
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_shells_can_complete_verbs():
    done = run(
        _COMMONGROUND_COMPLETE="bash_complete", COMP_WORDS="commonground inf", COMP_CWORD="1"
    )
    assert "info" in done.stdout
