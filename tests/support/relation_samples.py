"""What the tests of the relation and alignment formats share: small files, damaged and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, find_format, read, read_chunks
from commonground.formats.notation.relation_builder import Analysis, Relation
from commonground.formats.storage.files import read_bytes

SAMPLES = {
    "stanford": (
        "Birds ( sing ) .\n\n---------- dependencies ----------\n"
        "nsubj(sing-3, Birds-1)\nroot(ROOT-0, sing-3)\npunct(sing-3, -LRB--2)\n\n"
        "conj_and(sings-2, sings-2')\npunct(sings-2, ,-4)\n\n"
    ),
    "gr": (
        "a.1\nSmall birds sing .\n(ncsubj sing:3 Small_birds:1:2 _)\n(passive sing:3)\n\n"
        "# generated\n(xcomp to_1 want_0 sing_2)\n<c> want|want|VB|I-VP|O|X to|to|TO|O|O|Y\n\n"
        "(|Birds| |sing|) 1 ; (-2.5)\ngr-list: 1\n(|ncsubj| |sing:2_VV0| |bird+s:1_NN2| _)\n\n"
    ),
    "enju": (
        "ROOT\tROOT\tROOT\tROOT\t-1\tROOT\tROOT\tsing\tsing\tVBP\tVB\t1\n"
        "sing\tsing\tVBP\tVB\t1\tverb_arg12\tARG1\tBirds\tbird\tNNS\tNN\t0\n"
        "sing\tsing\tVBP\tVB\t1\tverb_arg12\tARG2\tUNKNOWN\tUNKNOWN\tUNKNOWN\tUNKNOWN\t-1\n\n"
        "a\ta\tDT\tDT\t0\tdet_arg1\tARG1\tsong\tsong\tNN\tNN\t1\n\n"
    ),
    "parc": (
        "sentence(\n  id(1)\n  date(2008.4.1)\n  validators(A. B, C. D)\n"
        "sentence_form(Small (grey) birds sing.)\nstructure(\n"
        "   subj(sing~0, small bird~1001)\n   num(small bird~1001, pl)\n)\n)\n\n\n"
        "sentence(\n  id(2)\nstructure(\n   coord_form(coord~0, ;)\n)\n)\n\n\n"
    ),
    "ccgbank": (
        '<s id="a.1"> 2\n0\t1\tS[dcl]\\NP\t1\tBirds sing\n1\t2\tX\\X\t1\tsing <c> <XB>\n<\\s>\n'
        '<s id="a.2"> 0\n<\\s>\n'
    ),
    "pharaoh": "0-0 1-2\n\n2p3\n",
    "giza": (
        "# Sentence pair (1) source length 2 target length 3 alignment score : 1.2e-05\n"
        "Die Vögel singen \nNULL ({ 1 }) Birds ({ 2 }) sing ({ 3 }) \n"
        "# Sentence pair (2) source length 0 target length 0 alignment score : 1\n\nNULL ({ }) \n"
    ),
}

ODD = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=6)
WORDS = st.sampled_from(
    ["birds", "a-b", ",", "(", ")", "10:30", "x_1", "'", "#", "%", "|", "~2", "é"]
)
NAMES = st.sampled_from(["nsubj", "ncmod", "ncsubj", "ta", "prep_of", "ARG1", "conj:and"])


def other_starts(shared, *own):
    """The beginning of each file at hand that is in another format than the named ones."""
    for path in sorted((shared / "data").rglob("*")):
        if path.is_file() and path.name not in own:
            yield path, read_bytes(path)[: 1 << 16].decode("utf-8", "replace")


def other_samples(name):
    """The samples of the other formats."""
    return [text for other, text in SAMPLES.items() if other != name]


@st.composite
def damaged(draw, name):
    """A sample with a few bytes or lines changed, doubled or taken away."""
    data = SAMPLES[name].encode()
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            lines = data.split(b"\n")
            place = draw(st.integers(0, len(lines) - 1))
            lines[place : place + 1] = [lines[place]] * draw(st.sampled_from([0, 2]))
            data = b"\n".join(lines)
        else:
            place = draw(st.integers(0, len(data)))
            end = place + draw(st.integers(0, 3))
            data = data[:place] + draw(st.binary(max_size=2)) + data[end:]
    return data


def check_damaged(name, data):
    """Reading fails exactly if there is a problem, with that problem; else writing is safe."""
    entry = find_format(name)
    problems = list(entry.problems(data, FormatOptions()))
    try:
        corpus = entry.read(data, "a", 1, FormatOptions())
    except InputError as error:
        read_problem = (error.line, error.message)
    else:
        read_problem = None
    assert read_problem == ((problems[0].line, problems[0].message) if problems else None)
    if problems:
        return
    if entry.write:
        assert entry.read(b"".join(entry.write(corpus)), "a", 1, FormatOptions()) == corpus


def check_pieces(name, text, folder):
    """A file that is read in pieces of any size gives the same corpus."""
    path = folder / "file"
    path.write_text(text, encoding="utf-8", newline="")
    whole = read(path, name)
    for size in (1, 30, 100, 500):
        pieces = list(read_chunks(path, name, size=size))
        assert type(whole).concatenate(pieces) == whole
        assert [line for piece in pieces for line in piece.lines.tolist()] == whole.lines.tolist()


@st.composite
def analyses(draw, nodes, words):
    """A random sentence of relations between `nodes` (a strategy)."""
    texts = st.one_of(st.just("_"), words)
    relations = st.builds(Relation, NAMES, nodes, nodes, texts, texts)
    return Analysis(
        0,
        draw(
            st.lists(
                st.builds("# {} = {}".format, st.sampled_from(["sent_id", "x"]), words), max_size=2
            )
        ),
        [(word,) for word in draw(st.lists(words, max_size=4))],
        draw(st.lists(relations, min_size=1, max_size=4)),
    )


def check_written(notation, analysis):
    """A sentence is written so that it comes back, as far as the format can carry it, or refused."""
    corpus = notation._corpus([analysis], "a", 1)
    try:
        text = b"".join(notation.write(corpus))
    except UsageError as error:
        assert "cannot be written" in str(error)  # noqa: PT017  # either way is right
        return False
    (result,) = notation.find(text)
    padding = ("_",) * (len(notation.word_columns) - 1)
    whole = [word + padding for word in analysis.words]
    comments = corpus.comments[0].split("\n") if corpus.comments[0] else []
    carried = notation.carried(Analysis(0, comments, whole, analysis.relations))
    assert result == carried
    return True
