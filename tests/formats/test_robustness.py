"""A thousand broken files: each is read, or refused with the line and the reason.

Every format that the registry knows is tried. The files are small sound ones, as the format's own
writer makes them, with something broken in them; everything is drawn with a fixed seed.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from format_samples import BY_HAND
from graph_samples import GRAPH_SAMPLES, TWO_GRAPHS

from commonground.corpus import (
    Alignments,
    Constituents,
    Dependencies,
    Functions,
    Graphs,
    Relations,
    Strings,
    Table,
)
from commonground.corpus.arcs import to_relations
from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, read_text
from commonground.formats.registry import formats

BROKEN_PER_FORMAT = 200
"""With the formats there are, more than a thousand in all."""

UD = """\
# sent_id = one
# text = Vámonos al mar
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\tV\tMood=Imp\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\tP\t_\t1\tobj\t1:obj\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\tS\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\tD\tGender=Masc|Number=Sing\t5\tdet\t5:det\t_
5\tmar\tmar\tNOUN\tN\t_\t1\tobl\t1:obl\tSpaceAfter=No

# sent_id = two
1\tSí\tsí\tINTJ\tI\t_\t0\troot\t0:root\t_
1.1\tnada\tnada\tNOUN\tN\t_\t_\t_\t1:dep\t_
2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_

"""

PLAIN_UD = """\
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tListen\tlisten\tVERB\tVB\t_\t0\troot\t_\t_

"""

"""Files of the formats that cannot be written, or cannot hold any of the corpora below."""


def number(*values):
    return np.array(values, np.int32)


def constituents(word_parents):
    """Two sentences; in the first, the words hang on the nodes with these numbers."""
    return Constituents(
        {
            "words": Table(
                [0, 4, 5],
                form=Strings.of(["Birds", "always", "sing", ".", "Listen"]),
                tag=Strings.of(["NNS", "RB", "VBP", ".", "VB"]),
                parent=number(*word_parents, 0),
            ),
            "nodes": Table(
                [0, 3, 4],
                label=Strings.of(["S", "NP", "VP", "S"]),
                parent=number(-1, 0, 0, -1),
            ),
        },
        comments=["# sent_id = 1", "# sent_id = 2"],
    )


def links():
    return Alignments(
        {"links": Table([0, 3, 4], source=number(0, 1, 2, 0), target=number(1, 0, 2, 0))}
    )


CORPORA = {
    Dependencies: [read_text(UD, "conllu"), read_text(PLAIN_UD, "conllu")],
    Constituents: [constituents([1, 2, 2, 0]), constituents([1, 2, 1, 0])],
    Relations: [to_relations(read_text(PLAIN_UD, "conllu"))],
    Alignments: [links()],
    Graphs: [read_text(TWO_GRAPHS, "mrp")],
    Functions: [
        Functions.of([(["We", "sing"], [("1-2", "root"), ("1", "sbj")]), (["Ja"], [("1", "")])]),
        Functions.of([(["a", "b", "c"], [("1,3", "x"), ("2-3", "y")]), (["(", "#"], [])]),
    ],
}


def samples(entry):
    """Sound files in a format."""
    results = [BY_HAND[entry.name]] if entry.name in BY_HAND else []
    if entry.corpus is Graphs and entry.name != "mrp":
        results.append(GRAPH_SAMPLES[entry.name].encode())
    for corpus in CORPORA[entry.corpus] if entry.write else []:
        try:
            results.append(b"".join(entry.write(corpus)))
        except UsageError:
            continue  # not every format can hold everything
    return results


def flip(data, random):
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]


def drop_bytes(data, random):
    start = random.randrange(len(data))
    return data[:start] + data[start + random.randint(1, 4) :]


def insert(data, random):
    odd = (b"\0", b"\xff", b"\xc3", b"\t", b"\n", b"(", b")", b"<", b"&", b"#", b'"', b"-", b"\x1b",
           b"9999999999", b"-1", "\u2028".encode(), b"\xed\xa0\x80", b"\r", b"  ", b"|", b":")  # fmt: skip
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(odd) + data[place:]


def truncate(data, random):
    return data[: random.randrange(len(data))]


def behead(data, random):
    return data[random.randrange(len(data)) :]


def double(data, random):
    return data + data[random.randrange(len(data)) :]


def on_lines(change):
    def changed(data, random):
        lines = data.split(b"\n")
        change(lines, random.randrange(len(lines)), random)
        return b"\n".join(lines)

    return changed


def cut_line(lines, place, random):
    lines[place] = lines[place][: random.randrange(len(lines[place]) + 1)]


def drop_line(lines, place, _):
    del lines[place]


def double_line(lines, place, _):
    lines.insert(place, lines[place])


def swap_lines(lines, place, random):
    other = random.randrange(len(lines))
    lines[place], lines[other] = lines[other], lines[place]


def drop_column(lines, place, random):
    for separator in (b"\t", b" "):
        columns = lines[place].split(separator)
        if len(columns) > 1:
            del columns[random.randrange(len(columns))]
            lines[place] = separator.join(columns)
            return


def drop_bracket(data, random):
    places = [place for place, byte in enumerate(data) if byte in b"()<>[]{}\"'"]
    if not places:
        return b""
    place = random.choice(places)
    return data[:place] + data[place + 1 :]


def change_number(data, random):
    places = [place for place, byte in enumerate(data) if byte in b"0123456789"]
    if not places:
        return data[::-1]
    place = random.choice(places)
    return data[:place] + random.choice((b"0", b"7", b"-3", b"99", b"x", b"", b"\xd9\xa3")) + data[place + 1 :]  # fmt: skip


BREAKS = (
    flip,
    drop_bytes,
    insert,
    truncate,
    behead,
    double,
    drop_bracket,
    change_number,
    *map(on_lines, (cut_line, drop_line, double_line, swap_lines, drop_column)),
)


def broken_files(entry):
    """Return so many broken files, each with one to three things wrong."""
    random = Random(f"broken {entry.name}")
    sound = samples(entry)
    for _ in range(BROKEN_PER_FORMAT):
        data = random.choice(sound)
        for _ in range(random.randint(1, 3)):
            data = random.choice(BREAKS)(data or b"x", random)
        yield data.replace(b"\r\n", b"\n")


@pytest.fixture(params=formats(), ids=lambda entry: entry.name)
def entry(request):
    """Each format in turn."""
    return request.param


def test_there_are_a_thousand_broken_files():
    assert BROKEN_PER_FORMAT * len(formats()) >= 1000


def test_there_are_sound_files(entry):
    assert samples(entry), f"write a small file in {entry.name} into BY_HAND"
    for data in samples(entry):
        options = FormatOptions(partial=entry.name == "text")  # which has no heads
        assert len(entry.read(data, "sound", 1, options)) == 2
        assert list(entry.problems(data, options)) == []


@pytest.mark.parametrize("partial", [False, True], ids=["whole", "partial"])
def test_a_broken_file_is_read_or_refused(entry, partial):
    options = FormatOptions(partial=partial)
    for data in broken_files(entry):
        assert_read_or_refused(entry, data, options)


def assert_read_or_refused(entry, data, options):
    """What is read can be written and read again; what is refused has a line and problems."""
    result = outcome(entry, data, options)
    problems = list(entry.problems(data, options))
    if isinstance(result, InputError):
        assert result.path == "broken", data
        assert result.line >= 0, data
        assert problems, data
    else:
        assert problems == [], data
        if entry.write:
            try:
                written = b"".join(entry.write(result))
            except UsageError:
                assert entry.name == "rr", data  # which has no way to write trees without functions
            else:
                assert outcome(entry, written, options) == result, data


def outcome(entry, data, options):
    """The corpus, or the error; any other exception is a bug."""
    try:
        return entry.read(data, "broken", 1, options)
    except InputError as error:
        return error


def test_no_bytes_at_all_are_read_or_refused(entry):
    for data in (b"", b"\n", b"\n\n\n", b" ", b"\0", b"\xff\xfe"):
        assert_read_or_refused(entry, data, FormatOptions())


def test_the_content_of_one_format_is_read_or_refused_as_another(entry):
    for other in formats():
        for data in samples(other):
            assert_read_or_refused(entry, data, FormatOptions(partial=True))
