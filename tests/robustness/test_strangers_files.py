"""Files from strangers, given to verbs that show, read or write them: each once went wrong."""

from __future__ import annotations

import json
import re
import struct
import zipfile

import pytest
from chromium import CHROMIUM
from command import assert_refused, run, write

from commonground.errors import InputError
from commonground.formats.notation.toml import parse_toml

SCRIPT = "<script>document.title='owned'</script>"
TREE = f"# sent_id = 1\n1\t{SCRIPT}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def scripted(tmp_path):
    """A treebank whose only word is a script."""
    return write(tmp_path / "x.conllu", TREE)


# ── what a browser shows ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["x.html", "x.HTM", "x.xhtml"])
def test_a_drawing_in_a_page_shows_what_is_in_the_treebank_and_runs_none_of_it(
    tmp_path, scripted, name
):
    assert run("view", scripted, "-o", tmp_path / name).returncode == 0
    page = (tmp_path / name).read_text()
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.long
@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium")
def test_no_script_of_a_treebank_runs_in_a_browser(tmp_path, scripted, chromium):
    run("view", scripted, "-o", tmp_path / "x.html")
    page = chromium.new_page()
    page.goto((tmp_path / "x.html").as_uri())
    assert page.title() == "commonground"
    assert SCRIPT in page.inner_text("body")


@pytest.mark.parametrize(
    "arguments",
    [
        ("view", "{x}"),
        ("view", "{x}", "--output-format", "html"),
        ("info", "{x}"),
        ("check", "{x}"),
        ("structures", "{x}", "--family", "ud"),
        ("evaluate", "{x}", "{x}"),
        ("evaluate", "{x}", "{x}", "--sentences", "--by", "upos,deprel"),
        ("agreement", "a={x}", "b={x}"),
    ],
    ids=" ".join,
)
def test_no_verb_writes_markup_of_a_treebank_into_a_page(tmp_path, scripted, arguments):
    given = [each.format(x=scripted) for each in arguments]
    done = run(*given, "-o", tmp_path / "page.html")
    assert done.returncode in (0, 1), done.stderr
    assert "<script>document" not in (tmp_path / "page.html").read_text()


# ── TOML ─────────────────────────────────────────────────────────────────────────────────────────

DEEP = {
    "lists": "a = " + "[" * 1000 + "]" * 1000,
    "tables": "a = " + "{a = " * 1000 + "1" + "}" * 1000,
    "dots": ".".join("a" * 1000) + " = 1",
    "headers": f"[{'.'.join('a' * 1000)}]",
    "a little too deep": "a = " + "[" * 40 + "]" * 40,
}

READERS = {
    "experiment show": ("experiment", "show", "{x}"),
    "transform --from": ("transform", "example:ud", "-", "--from", "{x}", "--to", "ud"),
    "phenomena score --mapping": (
        *("phenomena", "score", "example:phenomena", "example:phenomena-ud", "--mapping", "{x}"),
    ),
    "phenomena mine --patterns": ("phenomena", "mine", "example:ud", "--patterns", "{x}"),
    "compare --costs": (
        *("compare", "a=example:ud:example:ud-parse", "b=example:ud:example:ud-parse"),
        *("--protocol", "2011", "--costs", "{x}"),
    ),
    "convert --rules": ("convert", "example:ptb", "-", "--to", "conllu", "--rules", "{x}"),
    "project --repair": ("project", "{x}", "{x}", "{x}", "-", "--repair", "{x}"),
}


@pytest.mark.parametrize("arguments", READERS.values(), ids=READERS)
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_toml_that_is_nested_without_end_is_refused_in_one_line(tmp_path, arguments, text):
    path = write(tmp_path / "deep.toml", text)
    done = run(*(each.format(x=path) for each in arguments))
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1, done.stderr
    if "project" not in arguments:
        assert re.search(r"nested more than 32 deep|not TOML", done.stderr), done.stderr


def test_what_is_wrong_with_toml_has_its_line():
    for text, line in (("a = 1\nb = ", 2), ("a = 1\nb ? 2\nc = 3", 2), ("a = [\n1,\n\n", 2)):
        with pytest.raises(InputError) as error:
            parse_toml(text, "x.toml")
        assert error.value.line == line
        assert "at line" not in str(error.value)


def test_a_number_without_end_is_no_toml():
    with pytest.raises(InputError, match="not TOML"):
        parse_toml("a = " + "9" * 5000, "x.toml")


# ── results, links, disks ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("verb", [[], {}, 1, None, [{}], "none"])
def test_a_result_whose_verb_is_none_is_shown_or_refused(tmp_path, verb):
    path = write(tmp_path / "r.json", json.dumps({"request": {"verb": verb}}))
    done = run("report", path, "-o", tmp_path / "r.html")
    assert done.returncode in (0, 2)
    assert done.stderr.count("\n") <= 1, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "example:ud", "example:ud-parse", "-o", "{x}"),
        ("convert", "example:ud", "{x}", "--to", "conllu"),
        ("view", "example:ud", "-o", "{x}"),
    ],
    ids=lambda each: each[0],
)
def test_an_output_that_is_a_loop_of_links_is_refused(tmp_path, arguments):
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    done = run(*(each.format(x=tmp_path / "one") for each in arguments))
    assert_refused(done, "one: cannot be written: Too many levels of symbolic links")
    assert (tmp_path / "one").is_symlink()


def test_a_full_disk_is_told_with_the_file_that_could_not_be_written(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    target = tmp_path / "out.conllu"
    done = run("convert", "example:ud", target)
    assert_refused(done, f"{target}: cannot be written: No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_a_full_device_is_told_with_its_name():
    assert_refused(
        run("convert", "example:ud", "/dev/full", "--to", "conllu"),
        "/dev/full: cannot be written: No space left on device",
    )


def test_an_archive_that_lies_about_the_size_of_a_file_is_refused(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.conllu", b"\n" * (9 << 20))
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.rindex(b"PK\x01\x02") + 20, 0x7FFFFFFF)
    path.write_bytes(data)
    assert_refused(run("info", f"{path}:a.conllu"), "damaged compressed file")


# ── systems that are left out ────────────────────────────────────────────────────────────────────


def test_the_one_system_that_is_left_has_its_name_in_the_table(tmp_path, scripted):
    for folder in ("gold", "good", "bad"):
        (tmp_path / folder).mkdir()
    for folder, source in (("gold", "example:ud"), ("good", "example:ud-parse")):
        run("convert", source, tmp_path / folder / "1.conllu")
    scripted.rename(tmp_path / "bad" / "1.conllu")
    done = run("evaluate", "gold", "good", "bad", "--on-error", "skip", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert re.match(r"file +parse +UAS", lines[0])
    assert re.match(r"1 +good +97\.95", lines[2])
