"""A package that is installed beside commonground and adds to it, as other people's packages do."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

CODE = '''
"""Things that commonground does not have."""

from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import Problem
from commonground.formats.format import Format, line_cut
from commonground.formats.notation.line_reader import problems_among, sound, text_lines
from commonground.metrics.by.property import Property
from commonground.metrics.metric import Metric
from commonground.parsers.model_file import Stored
from commonground.parsers.parser import Parser
from commonground.report.plots.registry import Plot

HERE = Path(__file__).parent


# A metric: words whose head is right or one word off.

def near_head(pair):
    head = pair.gold_head[pair.gold_at]
    near = (head >= 0) & (pair.chosen_head >= 0) & (abs(head - pair.chosen_head) == 1)
    return pair.items(pair.same_head | near, system=pair.attached)


NEAR = Metric(
    "near_head", "NEAR", near_head, "The share of words whose head is right or next to the right "
    "one.\\nExample: heads 2 0 and 2 1 give 1.", of=("dependencies",),
)


# A property for breakdowns: the first letter of a word.

FIRST = Property(
    "first-letter", "first letter", "words", ("dependencies",),
    lambda corpus, _: corpus.form.map(lambda form: form[:1].lower()),
)


# A format: a sentence a line, form/head/label for each word.

def _find(data, options):
    lines, wrong = text_lines(data)
    yield from wrong
    for number, line in enumerate(lines, 1):
        words = [word.rsplit("/", 2) for word in line.split()]
        if any(len(word) != 3 or not word[1].isdigit() for word in words):
            yield Problem(number, "a word is not form/head/label")
        elif words:
            yield number, words


def read(data, path, line, options):
    found = sound(_find(data, options), path, line)
    rows = [([w[0] for w in s], [int(w[1]) for w in s], [w[2] for w in s]) for _, s in found]
    lines = np.array([line + number - 1 for number, _ in found], np.int64)
    return Dependencies({"words": Dependencies.of(rows).words}, path=path, lines=lines)


def write(corpus):
    for sentence in corpus:
        words = zip(sentence.form, sentence.head, sentence.deprel)
        yield (" ".join(f"{f}/{h}/{d}" for f, h, d in words) + "\\n").encode()


SLASHES = Format(
    "slashes", "words with slashes", Dependencies,
    looks_like=lambda start: 0.9 if "/0/root" in start else 0.0,
    read=read, problems=lambda data, options: problems_among(_find(data, options)),
    cut=line_cut, write=write, suffixes=(".slashes",),
)


# A parser: every word hangs on the one before it.

@dataclass(frozen=True)
class Chain:
    label: str = "dep"

    def parse(self, corpus):
        heads = [place for sentence in corpus for place in range(len(sentence.form))]
        labels = Strings.of([self.label if head else "root" for head in heads])
        return corpus.replace("words", head=np.array(heads, np.int32), deprel=labels)

    def store(self):
        return Stored("chain", {"label": self.label})


@dataclass(frozen=True)
class ChainSettings:
    label: str = "dep"


CHAIN = Parser(
    "chain", "every word hangs on the one before it", Dependencies, ChainSettings,
    train=lambda task: Chain(task.settings.label),
    load=lambda stored: Chain(stored.metadata["label"]), tags=False,
)


# A plot: how many systems a result has.

def bars(source, *, size, title):
    from matplotlib.figure import Figure

    figure = Figure(figsize=size or (3, 2))
    figure.subplots().bar(["all"], [1])
    figure.suptitle(title)
    return figure


BARS = Plot("one bar", bars)


# A verb.

@click.command()
@click.argument("name")
def greet(name):
    """Greet somebody."""
    click.echo(f"Hello {name}")


SCHEME = HERE / "leftish.toml"
MAPPING = HERE / "plain.toml"
RECIPE = HERE / "tiny.toml"
'''

SCHEME = """
name = "leftish"
title = "UD with adpositions as heads"
reference = "nowhere"
like = "ud"

[choices]
adposition = "function"
"""

MAPPING = """
name = "plain"
title = "Any relation"
like = "ud"
"""

RECIPE = """
title = "A tiny study"

[inputs]
gold = "example:ud"
parse = "example:ud-parse"

[steps.scores]
do = "evaluate"
gold = "gold"
parses = { mine = "parse" }
metrics = ["near_head"]
"""

ENTRY_POINTS = """
[commonground.metrics]
near_head = outside_things:NEAR
[commonground.properties]
first-letter = outside_things:FIRST
[commonground.formats]
slashes = outside_things:SLASHES
[commonground.parsers]
chain = outside_things:CHAIN
[commonground.plots]
bars = outside_things:BARS
[commonground.verbs]
greet = outside_things:greet
[commonground.schemes]
leftish = outside_things:SCHEME
[commonground.mappings]
plain = outside_things:MAPPING
[commonground.recipes]
tiny = outside_things:RECIPE
"""


def install(folder: Path, entry_points: str = ENTRY_POINTS, name: str = "outside_things") -> Path:
    """Put a package, and what tells about it, into a folder that is to be on ``sys.path``."""
    package = folder / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(dedent(CODE), encoding="utf-8")
    for file, text in (("leftish", SCHEME), ("plain", MAPPING), ("tiny", RECIPE)):
        (package / f"{file}.toml").write_text(text.lstrip(), encoding="utf-8")
    about = folder / f"{name}-1.2.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1.2\n"
    (about / "METADATA").write_text(metadata, encoding="utf-8")
    (about / "entry_points.txt").write_text(entry_points.lstrip(), encoding="utf-8")
    return folder


def forget(name: str = "outside_things") -> None:
    """Forget a package that was imported from a folder that is no longer there."""
    sys.modules.pop(name, None)
