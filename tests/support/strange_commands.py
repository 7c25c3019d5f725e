"""What a stranger would try who knows nothing but ``--help`` and the files that he found.

Command lines are drawn from all commands and all of their options, as click knows them, with files
of every kind crossed; requests to the server are drawn from methods, paths, headers and forms. What
is drawn is JSON, so that it can be kept and tried again.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from random import Random

import click
from command import run
from mutant_seeds import kinds, seeds

from commonground.cli import commands
from commonground.cli.options import InputPath
from commonground.cli.output_files import OutputPath

STRANGE = ("command", "visit")
"""Kinds of attempts that are no files."""

_LEFT_OUT = {
    ("serve",): "it does not end",
    ("demo",): "it has a test of its own, and takes a minute",
    ("parsers", "install"): "it fetches a program",
    ("train",): "it takes seconds; models have mutants of their own",
    ("validate",): "the same, ten times",
    ("experiment", "run"): "the same; recipes have mutants of their own",
    ("align",): "the same",
}
"""Commands that are not tried, and why."""

_TEXTS = (
    *(
        "",
        "x",
        "all",
        "uas,las",
        "las",
        "a=b",
        "=",
        "a=",
        "1..2",
        "2..1",
        "../x",
        "%s",
        "[/b]",
        "é",
    ),
    *(
        "deprel",
        "upos,deprel",
        "ud",
        "sud",
        "conllu",
        "brackets",
        "head",
        "{}",
        ":",
        "a:b",
        "-",
        "~",
    ),
    *(
        "X -[nsubj]-> Y",
        "V; V << W",
        "deprel=nsubj",
        "las=0.5",
        "A->B",
        "ud:coordination",
        "shuffle",
    ),
    *("a=x:y", "\x1b[31m", "NN", "cg-01", "1", "-1", "nan", "0.5", "10000000000000000000000000"),
)
_WHOLE = ("-1", "0", "1", "2", "3", "7", "x", "1.5", "")
_LARGE = ("999999999", "1" + "0" * 30)
_REAL = ("0", "1", "0.5", "-1", "nan", "inf", "1e308", "x", "")
_COSTLY = ("iterations", "samples", "restarts", "rounds", "folds", "jobs", "sample", "resamples")


_OTHER_PROCESSES = ("jobs", "engine", "scheduler")
"""Options that start processes, which takes a hundred times as long as the rest."""


@cache
def _leaves():
    """All commands with something to do: their words, and what click knows of them."""

    def below(command, words):
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                yield from below(command.get_command(context, name), (*words, name))
        elif words not in _LEFT_OUT:
            yield words, command

    return tuple(below(commands, ()))


def drawn(kind: str, random: Random) -> bytes:
    """Return an attempt, as JSON."""
    return json.dumps(_visit(random) if kind == "visit" else _command(random)).encode()


def _file(random, files):
    """Name a file, and say how it is made: its kind, which seed, and which damage (0 is none)."""
    usual = random.random() < 0.6
    kind = random.choice(["conllu", "conllu", "brackets"]) if usual else random.choice(kinds())
    damage = random.randrange(1, 1 << 30) if random.random() < 0.3 else 0
    files.append([kind, random.randrange(len(seeds(kind))), damage])
    return f"FILE{len(files) - 1}"


def _command(random):
    words, command = random.choice(_leaves())
    files, line = [], []
    options = [
        each
        for each in command.params
        if isinstance(each, click.Option) and each.name not in _OTHER_PROCESSES
    ]
    for argument in (each for each in command.params if isinstance(each, click.Argument)):
        count = random.choice([1, 2, 2, 3]) if argument.nargs < 0 else argument.nargs
        line += [_value(argument, random, files) for _ in range(count)]
    for option in random.sample(options, min(len(options), random.choice([0, 1, 1, 2, 3]))):
        if option.is_eager and option.name in ("help", "version"):
            continue
        flag = random.choice(option.opts)
        line += [flag] if option.is_flag else [flag, _value(option, random, files)]
    return {"words": [*words, *line], "files": files}


def _value(parameter, random, files):  # noqa: PLR0911  # one for each type
    kind, metavar = parameter.type, str(parameter.metavar or "")
    if isinstance(kind, OutputPath):
        suffix = random.choice(["conllu", "json", "svg", "html", "tex", "model", "x", "mrg"])
        return random.choice(["-", f"OUT/out.{suffix}"])
    if isinstance(kind, InputPath) or "FILE" in metavar or "GOLD" in metavar or "PARSE" in metavar:
        name = _file(random, files)
        if "NAME=" in metavar and ":" in metavar:
            return f"{random.choice('ab')}={name}:{_file(random, files)}"
        return f"{random.choice('abc')}={name}" if "=" in metavar else name
    if isinstance(kind, click.Choice):
        return random.choice([*map(str, kind.choices), "x"])
    if isinstance(kind, click.types.IntParamType):
        costly = any(word in parameter.name for word in _COSTLY)
        return random.choice(_WHOLE if costly or random.random() < 0.9 else _LARGE)
    if isinstance(kind, click.types.FloatParamType):
        return random.choice(_REAL)
    return _file(random, files) if random.random() < 0.3 else random.choice(_TEXTS)


def attempt_command(data: bytes, folder, damaged) -> tuple[str, str]:
    """Run a command line that was drawn; return it, and what was wrong."""
    asked = json.loads(data)
    words = list(asked["words"])
    for number, (kind, place, damage) in reversed(list(enumerate(asked["files"]))):
        path = folder / f"file{number}.{kind}"
        seed = seeds(kind)[place % len(seeds(kind))]
        path.write_bytes(damaged(kind, Random(damage)).data if damage else seed)
        words = [word.replace(f"FILE{number}", str(path)) for word in words]
    (folder / "OUT").mkdir(exist_ok=True)
    words = [word.replace("OUT/", f"{folder}/OUT/") for word in words]
    line = " ".join(words)
    try:
        done = run(*words, cwd=folder)
    except UnicodeDecodeError:
        return line, ""  # a picture on standard output
    if done.returncode not in (0, 1, 2):
        return line, f"exit code {done.returncode}: {done.stderr}"
    if "Traceback" in done.stderr:
        return line, done.stderr
    several = words[0] in ("unify", "check", "label-unify")
    if done.returncode == 2 and not done.stdout and error_lines(done.stderr) != 1 and not several:
        return line, f"not one line: {done.stderr!r}"
    if "\x1b" in done.stderr:
        return line, "standard error steers the terminal"
    return line, ""


def error_lines(text: str) -> int:
    """Return how many lines tell of errors; that an encoding was guessed is a remark."""
    return sum("it is not in UTF-8, and is read as" not in line for line in text.splitlines())


# ── requests ─────────────────────────────────────────────────────────────────────────────────────

TOKEN, HOST = "token", "127.0.0.1:1"
_PATHS = (
    *("", "result/r.json", "result/none.json", "result/../r.json", "result/%2e%2e/x", "evaluate"),
    *(
        "test",
        "test?result=r.json&result=r.json",
        "test?result=r.json",
        "result/",
        "result//r.json",
    ),
    *("test?result=" + "&result=".join("ab" * 30), "x", "result/" + "a" * 300, "result/\u00e9"),
)
_HEADERS = (
    *({}, {}, {"origin": f"http://{HOST}"}, {"origin": "null"}, {"host": "example.org"}),
    *({"content-length": "99999999999"}, {"content-type": "multipart/form-data"}, {"range": "x"}),
    *({"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-origin"}, {"cookie": "a" * 3000}),
    {"content-type": 'multipart/form-data; boundary="x'},
)


def _visit(random):
    files, parts = [], []
    for _ in range(random.choice([0, 1, 2, 2, 2, 3, 5])):
        name = random.choice(["gold", "parse", "gold1", "parse1", "gold2", "parse2", "x", ""])
        called = random.choice(
            ["a.conllu", "a.conllu", "b.mrg", "../x", "", "a/b", "\x00", ".", "é"]
        )
        parts.append([name, called, _file(random, files)])
    fields = {
        name: random.choice(_TEXTS)
        for name in ("preset", "on-mismatch", "schemes", "x")
        if random.random() < 0.2
    }
    return {
        "method": random.choice(["GET", "GET", "POST", "POST", "HEAD", "PUT", "OPTIONS", "X"]),
        "path": random.choice([f"/{TOKEN}/", f"/{TOKEN}/", "/", f"/{TOKEN}"])
        + random.choice(_PATHS),
        "headers": random.randrange(len(_HEADERS)),
        "files": files,
        "parts": parts,
        "fields": fields,
    }


def attempt_visit(data: bytes, folder, damaged) -> tuple[str, str]:
    """Send a request that was drawn to the application; return it, and what was wrong."""
    import httpx

    asked = json.loads(data)
    contents = [
        damaged(kind, Random(damage)).data if damage else seeds(kind)[place % len(seeds(kind))]
        for kind, place, damage in asked["files"]
    ]
    sent = [(name, (called, contents[int(file[4:])])) for name, called, file in asked["parts"]]
    posted = {"files": sent, "data": asked["fields"]} if asked["method"] == "POST" else {}

    async def ask():
        transport = httpx.ASGITransport(_application(folder))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            headers = _HEADERS[asked["headers"] % len(_HEADERS)]
            return await client.request(asked["method"], asked["path"], headers=headers, **posted)

    line = f"{asked['method']} {asked['path']}"
    try:
        answer = asyncio.run(ask())
    except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeEncodeError):
        return line, ""  # no client would send it
    if answer.status_code >= 500 and answer.status_code != 503:
        return line, f"status {answer.status_code}"
    if str(folder) in answer.text:
        return line, "the page names a folder of the server"
    return line, ""


def _application(folder):
    """Return a new application for each request: limits are not what is tried here."""
    import shutil

    from commonground.serve.app import application
    from commonground.serve.folder import Folder

    place = folder / "served"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "r.json").write_bytes(seeds("result")[0])
    return application(Folder.at(str(place)), TOKEN, frozenset({HOST}), 200_000)
