"""Large files are cut into pieces, and nobody can tell from the results."""

from __future__ import annotations

import gc
import gzip
import json
import random
import re
import tracemalloc
from dataclasses import replace
from math import inf

import pytest
from command import assert_refused, assert_silent_success, run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import conllu_sentences, examples, heads

import commonground
from commonground.engine import engine_for
from commonground.errors import CommonGroundError
from commonground.evaluation.evaluation_plan import EvaluationPlan
from commonground.evaluation.from_tallies import evaluation
from commonground.evaluation.pairs import Pair
from commonground.evaluation.read_options import ReadOptions
from commonground.evaluation.run import tallies_of
from commonground.evaluation.tasks import LARGE, SIZE, grouped, tasks
from commonground.formats.format import FormatOptions
from commonground.formats.storage.files import open_bytes
from commonground.formats.storage.pieces import Cutter, in_step
from commonground.metrics.settings import PRESETS, Settings

SKIP = Settings(on_mismatch="skip")
SOME_BY = (("deprel",), ("upos", "direction"), ("sentence",), ("depth", "sentence"), ("distance",))
SIZES = st.sampled_from([1, 30, 100, 300, 1000, 10_000])


def plan(format=None, settings=None, **asked):
    asked = {"metrics": ("all",), "by": (), "confusions": (), "sentences": True, **asked}
    return EvaluationPlan(settings=settings or Settings(), reading=ReadOptions(format), **asked)


def outcome(pairs, asked, size=None, jobs=1):
    """Return the result as JSON, or the error, of whole files or of pieces of some size."""
    large = 0 if size else inf
    try:
        result = tallies_of(pairs, asked, engine=engine_for(jobs), large=large, size=size or SIZE)
        return evaluation(pairs, result, asked).to_json(scores=asked.sentences)
    except CommonGroundError as error:
        return str(error)


def written(folder, **texts):
    """Write files, and return the pairs of the gold standard and each parse."""
    paths = {name: folder / f"{name}.txt" for name in texts}
    for name, text in texts.items():
        paths[name].write_bytes(text if isinstance(text, bytes) else text.encode())
    return [Pair(str(paths["gold"]), str(path), n) for n, path in paths.items() if n != "gold"]


def sentence(words, tree, *comments):
    """Return a sentence as CoNLL-U."""
    rows = [
        f"{place}\t{word}\t_\t{'XYZ'[place % 3]}\t_\t_\t{head}\t{label}\t_\t_"
        for place, (word, (head, label)) in enumerate(zip(words, tree, strict=True), 1)
    ]
    return "\n".join([*comments, *rows, "", ""])


@st.composite
def treebanks(draw, parses=1):
    """A gold standard with or without ids and documents, and parses of it; some words may differ."""
    texts = [[] for _ in range(parses + 1)]
    named = draw(st.sampled_from(["", "s{}", "doc-{}", "same", "{1}-{0}"]))
    for number in range(draw(st.integers(1, 12))):
        words = draw(st.lists(st.sampled_from(["a", "b", "."]), min_size=1, max_size=6))
        comments = [f"# sent_id = {named.format(number, number // 3)}"] * bool(named)
        comments += draw(st.sampled_from([[]] * 6 + [["# newdoc"], ["# newdoc id = d"]]))
        for side in texts:
            tree = [
                (head, draw(st.sampled_from(["x", "y", "x:z"]))) for head in draw(heads(len(words)))
            ]
            own = words[:-1] if len(words) > 1 and draw(st.integers(0, 9)) == 0 else words
            tree = [(head if head <= len(own) else 0, label) for head, label in tree]
            side.append(sentence(own, tree[: len(own)], *comments))
    ends = draw(st.sampled_from(["", "\n", "\n\n"]))
    return ["".join(side)[:-1].rstrip("\n") + "\n" + ends for side in texts]


# ── nobody can tell ──────────────────────────────────────────────────────────────────────────────


@settings(max_examples=examples(20))
@given(treebanks(parses=2), SIZES, st.sampled_from([*PRESETS.values(), Settings(), SKIP]))
def test_pieces_of_dependencies_give_the_same(tmp_path_factory, texts, size, chosen):
    if chosen.evalb:
        chosen = replace(SKIP, longest=4, punctuation="unicode")
    pairs = written(tmp_path_factory.mktemp("d"), gold=texts[0], a=texts[1], b=texts[2])
    asked = plan("conllu", chosen, by=SOME_BY, confusions=("label", "head-tag"))
    whole, pieces = outcome(pairs, asked), outcome(pairs, asked, size)
    if isinstance(whole, str):  # of several errors another one may come first
        assert isinstance(pieces, str)
    else:
        assert pieces == whole
    sums = asked._replace(sentences=False)
    if not isinstance(whole, str):
        assert outcome(pairs, sums, size) == outcome(pairs, sums)


@settings(max_examples=examples(20))
@given(st.lists(conllu_sentences(), min_size=1, max_size=6), SIZES)
def test_pieces_of_any_dependencies_give_the_same(tmp_path_factory, sentences, size):
    pairs = written(tmp_path_factory.mktemp("d"), gold="".join(sentences), a="".join(sentences))
    asked = plan("conllu")
    assert outcome(pairs, asked, size) == outcome(pairs, asked)


def test_what_is_disputed_is_told_by_the_whole_file(tmp_path):
    plain = sentence(["a", "b"], [(0, "root"), (1, "x")])
    labelled = sentence(["a", "b"], [(0, "root"), (1, "det")])
    for text in (plain * 9 + labelled, labelled + plain * 9):
        pairs = written(tmp_path, gold=text, a=text)
        asked = plan("conllu", by=(("construction",),))
        assert outcome(pairs, asked, 60) == outcome(pairs, asked)


TREES = ["(S (NP (D the) (N dog)) (V barks))", "(S (V stop) (. !))", "( (S\n  (N it)\n (V is)))"]


@settings(max_examples=examples(50))
@given(
    st.lists(st.tuples(*[st.sampled_from(TREES)] * 2), min_size=1, max_size=7),
    st.sampled_from([" ", "\n", "\n\n", "\n# sent_id = a\n", "\n*x* (\n"]),
    SIZES,
    st.sampled_from([PRESETS["evalb-new"], SKIP, replace(SKIP, longest=2)]),
)
def test_pieces_of_constituents_give_the_same(tmp_path_factory, trees, between, size, chosen):
    gold, parse = (between.join(side) + "\n" for side in zip(*trees, strict=True))
    pairs = written(tmp_path_factory.mktemp("c"), gold=gold, a=parse)
    asked = plan("brackets", chosen, by=(("label",), ("sentence",), ("depth",)))
    assert outcome(pairs, asked, size) == outcome(pairs, asked)


def test_sentences_may_be_other_ones_where_words_are_aligned(tmp_path):
    tree = [(0, "root"), (1, "x")]
    gold = "".join(sentence(["a", "b"], tree) for _ in range(9))
    other = "".join(sentence(["a", "b"], [tree[0], (1, label)]) for label in "xyx")
    joined = sentence(list("ababab"), [(0, "root"), *[(1, "x")] * 5])
    pairs = written(tmp_path, gold=gold, a=other + joined + other)
    asked = plan("conllu", PRESETS["conll18"])
    whole = outcome(pairs, asked)
    assert whole["systems"][0]["metrics"]["sentences"]["counts"]["system"] == 7
    assert all(outcome(pairs, asked, size) == whole for size in (1, 100, 200, 1000))


def test_documents_go_on_in_the_next_piece(tmp_path):
    opened = ["# newdoc id = a", "# text = b", "# newdoc", "# text = c", "# text = d"]
    gold = "".join(sentence(["a"], [(0, "root")], comment) for comment in opened)
    pairs = written(tmp_path, gold=gold, a=gold)
    result = outcome(pairs, plan("conllu"), size=1)["systems"][0]
    assert result["documents"] == ["a", "a", "document 2", "document 2", "document 2"]
    assert result["sentences"] == ["1", "2", "3", "4", "5"]


def test_sentences_keep_their_numbers_when_others_are_skipped(tmp_path):
    words = ["a", "b", "c", "d"]
    gold = "".join(sentence([word], [(0, "x")]) for word in words)
    parse = "".join(sentence([word], [(0, "y")]) for word in ["a", "B", "c", "d"])
    pairs = written(tmp_path, gold=gold, a=parse)
    asked = plan("conllu", SKIP, by=(("sentence",),), confusions=("label",))
    for size in (None, 1):
        result = outcome(pairs, asked, size)
        assert result["systems"][0]["skipped"] == ["2"]
        assert result["systems"][0]["sentences"] == ["1", "3", "4"]
        buckets = result["breakdowns"][0]["buckets"]
        assert [bucket["values"] for bucket in buckets] == [["1"], ["3"], ["4"]]
        examples = result["confusions"][0]["cells"][0]["examples"]
        assert [example["sentence"] for example in examples] == ["1", "3", "4"]


def test_sentences_with_the_same_id_are_told_apart_when_one_is_skipped(tmp_path):
    gold = "".join(sentence([word], [(0, "x")], f"# sent_id = {word}") for word in "aba")
    parse = "".join(sentence([word], [(0, "x")]) for word in "abc")
    for size in (None, 1):
        result = outcome(written(tmp_path, gold=gold, a=parse), plan("conllu", SKIP), size)
        assert result["systems"][0]["sentences"] == ["a", "b"]


# ── errors ───────────────────────────────────────────────────────────────────────────────────────

GOOD = "".join(sentence(["a", "b"], [(0, "x"), (1, "y")], f"# text = {n}") for n in range(6))


def damaged(number, old, new):
    """Return the good treebank with something else in one of its sentences."""
    sentences = GOOD.split("\n\n")
    sentences[number] = sentences[number].replace(old, new)
    return "\n\n".join(sentences)


@pytest.mark.parametrize(
    ("gold", "parse", "message"),
    [
        (damaged(3, "\t1\ty", "\t9\ty"), GOOD, "gold.txt:15: HEAD is 9"),
        (GOOD, damaged(4, "2\tb", "7\tb"), "a.txt:19: ID is '7'; 2 is expected"),
        (GOOD, damaged(2, "\tb\t", "\tc\t"), "a.txt:9: sentence 3 has 'c' as word 2"),
        (GOOD, damaged(5, "\ta\t", "\tc\t"), "gold.txt:21); --on-mismatch skip"),
        (GOOD, GOOD + GOOD, "a.txt: 12 sentences, but the gold standard"),
        (GOOD + GOOD, GOOD, "a.txt: 6 sentences, but the gold standard"),
        (GOOD, "", "a.txt: it has no sentences, but"),
        ("\n\n", GOOD, "gold.txt: it has no sentences, but"),
        (GOOD, GOOD.replace("\n", "\r\n") + "x\r\n", "a.txt:25: 1 column"),
    ],
)
def test_errors_know_their_lines_and_sentences(tmp_path, gold, parse, message):
    pairs = written(tmp_path, gold=gold, a=parse)
    for chosen in (Settings(), SKIP, Settings(on_mismatch="realign")):
        asked = plan("conllu", chosen, metrics=("las",))
        whole = outcome(pairs, asked)
        assert message in whole or chosen != Settings()
        assert all(outcome(pairs, asked, size) == whole for size in (1, 60, 130))


def test_the_first_error_is_told_whatever_the_jobs(tmp_path):
    parse = damaged(2, "\tb\t", "\tc\t") + "x\n"
    pairs = written(tmp_path, gold=GOOD, a=parse)
    asked = plan("conllu", metrics=("las",))
    results = [outcome(pairs, asked, 60, jobs) for jobs in (1, 2)]
    # Sentences are paired by their text once the whole file is read, and it cannot be.
    assert "a.txt:25: 1 column; 10 are expected" in results[0]
    assert results[0] == results[1]
    pairs = written(tmp_path, gold=GOOD, a=GOOD + GOOD)
    assert "12 sentences, but the gold standard" in outcome(pairs, asked, 60, jobs=2)


def test_trees_without_one_root_are_refused_by_their_number(tmp_path):
    pairs = written(tmp_path, gold=GOOD, a=damaged(4, "\t1\ty", "\t0\ty"))
    asked = plan("conllu", replace(PRESETS["conll18"], on_mismatch="fail"))
    result = outcome(pairs, asked, 60)
    assert "a.txt:17: sentence 5 has 2 roots" in result
    assert result == outcome(pairs, asked)


def test_a_file_that_changes_meanwhile_is_told(tmp_path):
    path = tmp_path / "gold.conllu"
    path.write_text(GOOD)
    piece = Cutter(str(path), None, SIZE).take(6)
    path.write_text(GOOD[: len(GOOD) // 2])
    with pytest.raises(CommonGroundError, match="the file changed while it was read"):
        piece.read(FormatOptions())


# ── cutting ──────────────────────────────────────────────────────────────────────────────────────


def read_in_pieces(path, format, size):
    pieces = [
        piece.read(FormatOptions()) for (piece,) in in_step([Cutter(str(path), format, size)])
    ]
    return type(pieces[0]).concatenate(pieces)


def assert_same(path, format, size):
    whole, pieces = commonground.read(path, format), read_in_pieces(path, format, size)
    assert pieces == whole
    assert pieces.lines.tolist() == whole.lines.tolist()
    assert pieces.numbers.tolist() == list(range(1, len(whole) + 1))


@pytest.mark.parametrize("content", [GOOD, GOOD.rstrip(), 50 * GOOD])
def test_a_file_that_is_smaller_than_a_block_is_one_piece(tmp_path, content):
    path = tmp_path / "gold.conllu"
    path.write_text(content)
    size = 2 * len(content)
    assert Cutter(str(path), None, size).whole
    assert not Cutter(str(path), None, size // 4).whole
    assert len([*in_step([Cutter(str(path), None, size)])]) == 1


@given(
    st.lists(conllu_sentences(), max_size=5),
    st.sampled_from(["", "\n", "\n\n\n"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    SIZES,
)
def test_pieces_are_the_file(tmp_path_factory, sentences, blank, newline, bom, size):
    path = tmp_path_factory.mktemp("p") / "a.conllu"
    text = (blank + blank.join(sentences)).replace("\n", newline)
    path.write_bytes(bom + text.encode())
    assert_same(path, "conllu", size)
    path.write_bytes(bom + text.rstrip("\r\n").encode())
    assert_same(path, "conllu", size)


def test_every_piece_is_read_with_the_header(tmp_path):
    path = tmp_path / "a.conllup"
    rows = "".join(f"1\tw{n}\t0\n\n" for n in range(9))
    path.write_text(f"# global.columns = ID FORM HEAD\n\n{rows}")
    for size in (1, 50, 1000):
        assert_same(path, None if size > 1 else "conllup", size)


@pytest.mark.parametrize("name", ["ud", "ud-parse", "ptb", "ptb-parse"])
def test_the_example_in_pieces(name):
    for size in (10, 1000, 4000):
        assert_same(f"example:{name}", "conllu" if name.startswith("ud") else "brackets", size)


def test_formats_that_cannot_be_cut_are_read_whole(tmp_path):
    path = tmp_path / "a.export"
    commonground.write(commonground.read("example:ptb")[:3], path)
    pairs = [Pair(str(path), str(path), "a")]
    assert outcome(pairs, plan(), 10) == outcome(pairs, plan())


def test_small_files_are_read_whole_and_large_ones_in_pieces(tmp_path):
    small, large, packed = (tmp_path / name for name in ("a.conllu", "b.conllu", "c.conllu.gz"))
    small.write_text(GOOD)
    limit = LARGE // 32
    large.write_bytes(b"\n" * limit)
    packed.write_bytes(random.Random(0).randbytes(limit // 8))

    def whole(gold, parse):
        (first, *_) = tasks(0, [Pair(str(gold), str(parse), "")], plan("conllu"), limit, SIZE)
        return isinstance(first.sources[0], str) if first.sources else False

    assert whole(small, small)
    assert not whole(large, small)
    assert not whole(small, packed)


def test_small_parses_of_one_gold_standard_are_read_together_or_at_the_same_time(tmp_path):
    pairs = written(tmp_path, gold=GOOD, a=GOOD, b=GOOD)
    assert list(map(len, grouped(pairs, LARGE))) == [2]
    assert list(map(len, grouped(pairs, LARGE, alone=True))) == [1, 1]
    assert list(map(len, grouped(pairs, 1, alone=True))) == [2]


# ── the command ──────────────────────────────────────────────────────────────────────────────────


TIMES = 300
"""So often the example is repeated, to be some pieces large."""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A folder with a gold standard and a parse of some pieces each."""
    folder = tmp_path_factory.mktemp("large")
    texts = {name: open_bytes(f"example:{name}") for name in ("ud", "ud-parse")}
    for name, opened in texts.items():
        with opened as file:
            (folder / f"{name}.conllu").write_bytes(file.read() * TIMES)
    return folder


def evaluated(folder, gold, parse, *options, **how):
    done = run("evaluate", gold, f"a={parse}", *options, cwd=folder, **how)
    assert_silent_success(done)
    return done.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--by", "upos,direction", "--confusion", "label"),
        ("--preset", "conll18", "--output-format", "json"),
    ],
)
def test_the_same_bytes_whatever_the_jobs(large, options):
    once, twice = (
        evaluated(large, "ud.conllu", "ud-parse.conllu", *options, "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert once == twice
    if "json" in options:
        metrics = json.loads(once)["systems"][0]["metrics"]
        at_once = commonground.evaluate(
            large / "ud.conllu", large / "ud-parse.conllu", settings=PRESETS["conll18"]
        )
        assert {name: result["by_sentence"] for name, result in metrics.items()} == {
            name: score.counts.to_json() for name, score in at_once.systems[0].scores.items()
        }


def test_pipes_and_compressed_files_are_cut_as_well(large, tmp_path):
    expected = evaluated(large, "ud.conllu", "ud-parse.conllu")
    parse = (large / "ud-parse.conllu").read_bytes()
    assert evaluated(large, "ud.conllu", "-", "--jobs", 2, stdin=parse) == expected
    packed = tmp_path / "parse.conllu.gz"
    packed.write_bytes(gzip.compress(parse, 1))
    assert evaluated(large, "ud.conllu", packed, "--jobs", 2) == expected
    assert "100.00" in evaluated(
        large, "-", "ud.conllu", "--preset", "conll18", stdin=(large / "ud.conllu").read_bytes()
    )


def test_what_is_wrong_at_the_end_of_a_large_file(large, tmp_path):
    text = (large / "ud-parse.conllu").read_text(encoding="utf-8")
    path = tmp_path / "parse.conllu"
    path.write_text(text + "1\tx\n", encoding="utf-8")
    line = text.count("\n") + 1
    for jobs in (1, 2):
        done = run("evaluate", large / "ud.conllu", path, "--jobs", jobs)
        assert_refused(done, f"parse.conllu:{line}: 2 columns; 10 are expected")


# ── real treebanks ───────────────────────────────────────────────────────────────────────────────


def test_ewt_in_pieces(shared, tmp_path):
    sentences = (shared / "data/ewt/dev.conllu").read_text(encoding="utf-8").split("\n\n")
    text = "\n\n".join(sentences[:350])
    chance = random.Random(1)
    lines = [
        re.sub(r"(\t[0-9]+\t)[a-z:]+", r"\1dep", line, count=1)
        if line[:1].isdigit() and chance.random() < 0.1
        else line
        for line in text.split("\n")
    ]
    pairs = written(tmp_path, gold=text, a="\n".join(lines))
    asked = plan("conllu", by=SOME_BY, confusions=("label", "head-tag"))
    whole = outcome(pairs, asked)
    assert whole["systems"][0]["documents"]
    assert outcome(pairs, asked, 1 << 17) == whole


def test_gum_in_pieces(shared, tmp_path):
    paths = sorted((shared / "data/gum/const").glob("*.ptb"))[:4]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    pairs = written(tmp_path, gold=text, a=text.replace("(PP", "(NP"))
    for chosen in (PRESETS["evalb-collins"], Settings()):
        asked = plan("brackets", chosen, by=(("label",), ("sentence",)))
        assert outcome(pairs, asked, 1 << 15) == outcome(pairs, asked)


# ── memory ───────────────────────────────────────────────────────────────────────────────────────


def peak(pairs, asked):
    tracemalloc.start()
    tallies_of(pairs, asked, large=0, size=1 << 12)
    result = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return result


def test_memory_does_not_grow_with_the_corpus(tmp_path):
    asked = plan(metrics=(), by=(("deprel",),), confusions=("label",), sentences=False)
    peaks = []
    for times in (450, 1000):
        pairs = written(tmp_path, gold=GOOD * times, a=damaged(1, "\ty", "\tz") * times)
        # What is made once, at any time, does not count.
        peaks.append(min(peak(pairs, asked) for _ in range(2)))
    assert peaks[1] < 1.3 * peaks[0]


def test_memory_does_not_grow_with_the_constituents(tmp_path):
    """Comparisons are circles of objects, and the command looks for these but seldom."""
    tree = "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NN me))))\n"
    asked = plan(metrics=(), settings=PRESETS["evalb-collins"], sentences=False)
    peaks = []
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)
    try:
        for times in (450, 1000):
            pairs = written(tmp_path, gold=tree * times, a=tree * times)
            peaks.append(min(peak(pairs, asked) for _ in range(2)))
    finally:
        gc.set_threshold(*before)
    assert peaks[1] < 1.3 * peaks[0]
