"""One name of an option has one meaning over all verbs, and former names still work."""

from __future__ import annotations

from collections import defaultdict

import click
import pytest
from command import assert_silent_success, run, write

from commonground.cli import commands
from commonground.cli.options import Renamed

SAME_IDEA = {
    *("--all", "--enhanced", "--folder", "--format", "--sample", "--subtypes", "--top", "--window"),
    *("--against", "--draw", "--into", "--only", "--report", "--system", "--title", "--with"),
    *("-o", "--output"),
}
"""Names whose help differs from verb to verb, because the verbs do, but whose meaning is the same."""


def everything(command=commands, name=""):
    """Return the options of all verbs: the verb and the option."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for verb in command.list_commands(context):
            yield from everything(command.get_command(context, verb), f"{name} {verb}".strip())
    else:
        yield from ((name, p) for p in command.params if isinstance(p, click.Option))


def by_name(options):
    result = defaultdict(list)
    for verb, option in options:
        for name in option.opts:
            result[name].append((verb, option))
    return result


def test_an_option_is_a_flag_everywhere_or_nowhere():
    for name, uses in by_name(everything()).items():
        assert len({option.is_flag for _, option in uses}) == 1, (name, uses)


def test_an_option_takes_the_same_kind_of_value_everywhere():
    """Told by what help shows: a SCHEME is not a NAME of a format."""
    for name, uses in by_name(everything()).items():
        kinds = {option.metavar for _, option in uses if not option.is_flag and option.metavar}
        if name not in SAME_IDEA:
            assert len({kind.rstrip(",…") for kind in kinds}) <= 1, (name, kinds)


def test_no_former_name_means_something_else_now_in_its_verb():
    for verb, option in everything():
        if isinstance(option, Renamed):
            others = {name for v, o in everything() if v == verb for name in o.opts}
            assert not others & set(option.former)


@pytest.mark.parametrize(
    ("present", "former"),
    [
        (["convert", "example:ud", "-", "--target-format", "conllx"], {"--target-format": "--to"}),
        (["flip", "example:ud", "-", "--edges", "ud:infinitive"], {"--edges": "--kind"}),
        (["view", "example:ud", "--sentence", "2", "--columns", "upos"], {"--columns": "--tags"}),
        (
            ["transform", "example:ud", "-", "--from", "ud", "--to", "sud", "--tagset", "ud"],
            {"--tagset": "--tags"},
        ),
    ],
)
def test_a_former_name_still_works(present, former):
    then = [former.get(word, word) for word in present]
    now, before = run(*present), run(*then)
    assert now.returncode == before.returncode == 0, before.stderr
    assert now.stdout == before.stdout != ""


def test_former_names_are_neither_shown_nor_completed():
    told = run("flip", "--help").stdout
    assert "--edges" in told
    assert "--kind" not in told
    shell = {"_COMMONGROUND_COMPLETE": "bash_complete", "COMP_CWORD": "2"}
    assert "--kind" not in run(COMP_WORDS="commonground flip --", **shell).stdout


def test_the_report_has_a_file_of_its_own(tmp_path):
    line = ["flip", "example:ud", tmp_path / "o.conllu", "--edges", "ud:infinitive"]
    assert_silent_success(run(*line, "--report-file", tmp_path / "a.txt"))
    assert_silent_success(run(*line, "-o", tmp_path / "b.txt"))
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "b.txt").read_text() != ""


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_a_shell_is_told_how_to_complete(shell):
    done = run("completion", shell)
    assert_silent_success(done)
    assert f"_COMMONGROUND_COMPLETE={shell}_complete" in done.stdout


def test_the_help_of_all_verbs_is_one_page():
    page = run("--help-all").stdout
    for verb in ("evaluate", "check", "schemes learn", "experiment run"):
        assert f"Usage: commonground {verb} " in page


@pytest.mark.parametrize("verb", [["check"], ["info"], ["view", "--sentence", "1"]])
@pytest.mark.parametrize("given", ["", "*.conllu"])
def test_folders_and_patterns_are_taken(verb, given, tmp_path):
    row = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
    write(tmp_path / "a.conllu", row)
    write(tmp_path / "b.conllu", row)
    write(tmp_path / "README.md", "# A treebank")
    write(tmp_path / "a.txt", "Hi")
    assert_silent_success(run(verb[0], tmp_path / given if given else tmp_path, *verb[1:]))
