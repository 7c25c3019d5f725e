"""What a verb does beside reading: Python itself tells of every file, process and connection."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from command import run, write

WATCHED = """
import contextlib, io, json, os, sys
from pathlib import Path

folder, events = sys.argv[1], []
os.chdir(folder)

def noted(event, arguments):
    if not watching:
        return
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile"):
        events.append(f"runs {arguments[0]}")
    elif event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "urllib.Request"):
        events.append(f"reaches {arguments}")
    elif event == "pickle.find_class" and arguments[0].split(".")[0] not in ("commonground", "numpy"):
        events.append(f"loads {arguments}")  # counts that were put aside are its own arrays
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        path, mode, flags = os.fsdecode(arguments[0]), arguments[1], arguments[2] or 0
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and "__pycache__" not in path:
            if not os.path.abspath(path).startswith(os.path.abspath("out")) and path != os.devnull:
                events.append(f"writes {path}")
    elif event in ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.symlink", "os.chmod"):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if not path.startswith(os.path.abspath("out")):
            events.append(f"{event} {path}")
    elif event == "compile" and arguments[1] is not None:
        name = os.fsdecode(arguments[1])
        if name.startswith(folder):
            events.append(f"compiles {name}")

watching = False
sys.addaudithook(noted)
from commonground.cli import main

told = {}
for line in json.loads(sys.argv[2]):
    del events[:]
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True) for _ in range(2)]
    watching = True
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = main(line)
    watching = False
    told[" ".join(line)] = [code, streams[1].buffer.getvalue().decode(), sorted(set(events))]
print(json.dumps(told))
"""

EVIL = "$(touch pwned);`touch pwned`|touch pwned\t__import__('os').system('touch pwned')"
WORD = EVIL.replace("\t", "").replace(" ", "+")
TREE = f"# sent_id = {EVIL}\n# text = {EVIL}\n1\t{WORD}\t_\tX\t_\t_\t0\troot\t_\tx={WORD}\n\n"

LINES = {
    "treebank": [
        "info t.conllu",
        "check t.conllu",
        "view t.conllu",
        "view t.conllu -o out/v.svg",
        "evaluate t.conllu t.conllu --sentences",
        "evaluate t.conllu t.conllu -o out/r.html",
        "compare a=t.conllu:t.conllu b=t.conllu:t.conllu",
        "convert t.conllu out/c.conllu",
        "transform t.conllu out/u.conllu --to sud",
    ],
    "result": [
        "report r.json -o out/report.html",
        "test r.json r.json",
    ],
    "model": ["parse m.model t.conllu out/p.conllu", "tag m.model t.conllu out/t.conllu"],
    "recipe": ["experiment show r.toml", "experiment show r.toml --text"],
    "scheme": ["schemes show s.toml", "transform t.conllu out/s.conllu --to s.toml"],
    "mapping": ["phenomena score example:phenomena example:phenomena-ud --mapping m.toml"],
    "archive": ["experiment show study", "experiment export study -o out/a.tar.gz"],
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What each verb did, with files that strangers have made."""
    folder = tmp_path_factory.mktemp("strangers")
    (folder / "out").mkdir()
    write(folder / "t.conllu", TREE)
    run("train", "example:ud", "--set", "iterations=1", "-o", folder / "m.model")
    run("evaluate", "example:ud", "example:ud-parse", "--sentences", "-o", folder / "r.json")
    data = json.loads((folder / "r.json").read_text())
    data["command"] = EVIL
    data["request"]["gold"] = "/etc/passwd"
    write(folder / "r.json", json.dumps(data))
    recipe = (
        f'title = "{EVIL}"\n[inputs]\nt = "t.conllu"\n[steps.m]\ndo = "train"\nof = "t"\n'
        'parser = "mstparser"\nsettings = { jar = "pwned.jar" }\n'
    ).replace("\t", " ")
    write(folder / "r.toml", recipe)
    write(folder / "s.toml", 'name = "mine"\n[choices]\nadposition = "function"\n')
    write(folder / "m.toml", f'name = "{EVIL}"\n'.replace("\t", " "))
    (folder / "study").mkdir()
    write(folder / "study" / "recipe.toml", recipe)
    notes = {"recipe": "r", "inputs": {"t": str(folder / "t.conllu")}, "outcomes": []}
    write(folder / "study" / "study.json", json.dumps(notes))
    lines = [line.split(" ") for each in LINES.values() for line in each]
    done = subprocess.run(
        [sys.executable, "-B", "-c", WATCHED, folder, json.dumps(lines)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MPLCONFIGDIR": str(folder / "out")},  # it keeps what fonts there are
    )
    assert done.returncode == 0, done.stderr
    assert not list(folder.rglob("pwned"))
    return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("what", LINES)
def test_a_strangers_file_runs_nothing_reaches_nobody_and_writes_only_what_was_named(told, what):
    for line in LINES[what]:
        code, errors, events = told[line]
        # matplotlib asks the system for its fonts, whatever is drawn
        assert [event for event in events if event != "runs fc-list"] == [], line
        assert code in (0, 1, 2), line
        assert "Traceback" not in errors
        assert errors.count("\n") <= 1 or code == 0, errors


def test_the_watch_would_notice(tmp_path):
    """A control: a verb that must run something is seen to do so."""
    (tmp_path / "out").mkdir()
    line = ["parsers", "install", "malt"]
    watched = WATCHED.replace(
        "from commonground.cli import main",
        "import subprocess\n"
        "def main(_):\n"
        "    subprocess.run(['true']); open('x', 'w').close(); return 0\n",
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", watched, tmp_path, json.dumps([line])],
        capture_output=True,
        text=True,
        check=True,
    )
    (_, _, events) = json.loads(done.stdout)[" ".join(line)]
    assert [event.split()[0] for event in events][:1] == ["runs"]
    assert "writes x" in events
