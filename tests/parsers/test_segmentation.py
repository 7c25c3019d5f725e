"""From plain text to words and lemmas: what is learned, what is kept, what is refused."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from command import assert_refused, run, write
from hypothesis import example, given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus.raw_text import raw_text, surface
from commonground.errors import InputError
from commonground.formats.storage import raw_pieces
from commonground.formats.storage.raw_pieces import pieces_of
from commonground.parsers.edit_scripts import LOWERED, applies, apply, script_of
from commonground.parsers.lemmatiser import train_lemmatiser
from commonground.parsers.model_file import ModelError, Stored, model_bytes
from commonground.parsers.segmentation.characters import characters
from commonground.parsers.segmentation.segmenter import (
    SegmenterSettings,
    load_segmenter,
    train_segmenter,
)

FRENCH = """\
# text = Il parle du chat.
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tchat\tchat\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# text = Elle donne du lait.
1\tElle\tlui\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tdonne\tdonner\tVERB\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tlait\tlait\tNOUN\t_\t_\t2\tobj\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def treebank():
    return cg.read("example:ud")


@pytest.fixture(scope="module")
def tagger(treebank):
    return cg.train(treebank, "tagger", settings={"iterations": 2})


@pytest.fixture(scope="module")
def segmenter(tagger):
    return tagger.segmenter


@pytest.fixture(scope="module")
def model(tagger, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "tagger.model"
    tagger.save(path)
    return path


def forms(corpus):
    words, offsets = corpus.form.tolist(), corpus.offsets.tolist()
    return [" ".join(words[a:b]) for a, b in pairwise(offsets)]


# ── what is learned ──────────────────────────────────────────────────────────────────────────────


def test_the_text_of_a_treebank_is_split_as_the_treebank_is(treebank, segmenter):
    again = segmenter.segment(raw_text(treebank))
    assert (len(again), again.form.tolist()) == (len(treebank), treebank.form.tolist())
    assert again.tokens.strings("form").tolist() == treebank.tokens.strings("form").tolist()


def test_text_that_was_never_seen_is_split_too(segmenter):
    result = segmenter.segment("Tom saw the harbor. She kept a lamp, he said.")
    assert forms(result) == ["Tom saw the harbor .", "She kept a lamp , he said ."]


def test_a_blank_line_ends_a_sentence_and_begins_a_paragraph(segmenter):
    result = segmenter.segment("The old house\n \nThe tower\nstood here.")
    assert forms(result) == ["The old house", "The tower stood here ."]
    assert [block.count("# newpar") for block in result.comments.tolist()] == [1, 1]
    assert "# sent_id = p2-s1" in result.comments[1]


def test_multiword_tokens_are_split_and_keep_their_case():
    segmenter = train_segmenter(cg.read_text(FRENCH * 4, "conllu"))
    result = segmenter.segment("Du lait. Il donne du chat.")
    assert forms(result) == ["De le lait .", "Il donne de le chat ."]
    assert result.tokens.numbers("first").tolist() == [1, 3]
    assert result.tokens.strings("form").tolist() == ["Du", "du"]


def test_tokens_of_a_script_without_spaces_are_found():
    rows = [("我们", "我们"), ("去", "去"), ("北京", "北京"), ("。", "。")]
    lines = [
        f"{n}\t{w}\t{w}\tX\t_\t_\t{n - 1}\tx\t_\tSpaceAfter=No" for n, (w, _) in enumerate(rows, 1)
    ]
    text = "# text = 我们去北京。\n" + "\n".join(lines) + "\n\n"
    segmenter = train_segmenter(cg.read_text(text * 6, "conllu"))
    assert forms(segmenter.segment("北京去我们。我们去北京。")) == [
        "北京 去 我们 。",
        "我们 去 北京 。",
    ]


def test_tokens_with_spaces_in_them_are_found_again():
    line = "{}\t{}\t_\tX\t_\t_\t{}\tx\t_\t_"
    words = ["Tôi", "gặp", "chủ tịch", "xã", "."]
    text = "\n".join(line.format(n, word, n - 1) for n, word in enumerate(words, 1))
    segmenter = train_segmenter(
        cg.read_text(f"# text = {' '.join(words)}\n{text}\n\n" * 6, "conllu")
    )
    result = segmenter.segment("Tôi gặp chủ \n tịch xã .")
    assert result.form.tolist() == words
    assert raw_text(result) == "Tôi gặp chủ \n tịch xã ."


def test_a_treebank_that_does_not_tell_of_its_text_gives_no_segmentation(treebank):
    bare = cg.read_text("1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n", "conllu")
    assert train_segmenter(bare) is None
    assert cg.train(treebank, gold_tags=True, settings={"iterations": 1}).segmenter is None
    without = cg.train(treebank, "tagger", settings={"iterations": 1}, segmentation=False)
    assert without.segmenter is None


def test_segmentation_is_the_same_bytes_each_time_and_with_plain_kernels(monkeypatch):
    corpus = cg.read_text(FRENCH * 2, "conllu")
    compiled = b"".join(model_bytes(train_segmenter(corpus).store()))
    monkeypatch.setenv("COMMONGROUND_KERNELS", "python")
    plain = train_segmenter(corpus)
    assert b"".join(model_bytes(plain.store())) == compiled
    assert forms(plain.segment("Il parle du lait.")) == ["Il parle de le lait ."]


ODD_FORMS = st.sampled_from(["a", "Ab", "a\u00a0", "\u00a0a", "b c", "。", "İ", "\u200b", ".", '"'])
ODD_MISC = st.sampled_from(
    ["_", "SpaceAfter=No", r"SpacesAfter=\n\n", "SpacesInToken=", r"SpacesBefore=\s|SpacesAfter="]
)
ODD_HEADS = st.sampled_from(["", "# newpar\n", "# text = a b c\n", "# text = a\n# newdoc\n"])


@given(st.lists(st.tuples(ODD_HEADS, st.lists(st.tuples(ODD_FORMS, ODD_MISC), min_size=1, max_size=4)),
                min_size=1, max_size=4), st.booleans())  # fmt: skip
def test_any_treebank_can_be_learned_from(sentences, joined):
    text = ""
    for head, words in sentences:
        lines = [f"{n}\t{form}\t{form}\tX\t_\t_\t{n - 1}\tx\t_\t{misc}"
                 for n, (form, misc) in enumerate(words, 1)]  # fmt: skip
        if joined and len(words) > 1:
            lines.insert(0, f"1-2\tdu{words[0][0]}\t_\t_\t_\t_\t_\t_\t_\t{words[0][1]}")
        text += head + "\n".join(lines) + "\n\n"
    segmenter = train_segmenter(cg.read_text(text, "conllu"), SegmenterSettings(iterations=1))
    if segmenter is not None:
        assert raw_text(segmenter.segment("dua b c. Ab")) == "dua b c. Ab"


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────


@given(st.text(max_size=60))
@example("\ufeffa  b\r\n\r\n\tc\u2028d \u00a0e\n\n\n")
@example("don't  \\s | # text = \x00_\x85")
@example("\ud800 a")
def test_a_text_is_restored_character_by_character(segmenter, text):
    result = segmenter.segment(text)
    assert raw_text(result) == text or not any(not _space(c) for c in text)
    starts = [int(mark.partition("TokenRange=")[2].partition(":")[0]) for mark in _marks(result)]
    assert starts == surface(result).start.tolist()
    written = cg.write_text(result, "conllu") if len(result) and "\ud800" not in text else None
    if written:
        assert raw_text(cg.read_text(written, "conllu", partial=True)) == text


def _space(character):
    return character.isspace() or character == "\ufeff"


def _marks(corpus):
    """Return MISC of each token."""
    marks, tokens = dict(enumerate(corpus.misc.tolist())), corpus.tokens
    start = corpus.offsets[tokens.sentence_of_row()] + tokens.numbers("first") - 1
    marks.update(zip(start.tolist(), tokens.strings("misc").tolist(), strict=True))
    return [marks[row] for row in surface(corpus).first.tolist()]


@given(st.text(alphabet=" \n\ta\ufeff\x85.", max_size=80), st.integers(2, 9), st.integers(10, 30))
def test_pieces_of_a_text_are_the_text_and_know_their_places(text, size, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raw_pieces, "SIZE", size)
        patch.setattr(raw_pieces, "MOST", most)
        pieces = list(pieces_of(text))
    assert "".join(piece.text for piece in pieces) == text
    assert all(len(piece.text) <= max(size, most) for piece in pieces[:-1])
    for piece in pieces:
        assert piece.character == sum(len(p.text) for p in pieces if p.character < piece.character)
        assert raw_pieces._paragraphs(piece.text) == sum(
            not characters(piece.text).space[a:b].all()
            for a, b in characters(piece.text).paragraphs
        )


def test_the_text_of_a_file_is_restored_from_what_tag_writes(model, tmp_path):
    content = "\ufeffTom saw it.\r\n\r\n  She kept\tthe lamp. It\u00a0was old.\n".encode()
    text = tmp_path / "a.txt"
    text.write_bytes(content)
    assert run("tag", model, text, tmp_path / "a.conllu").returncode == 0
    tagged = cg.read(tmp_path / "a.conllu", partial=True)
    assert raw_text(tagged).encode() == content
    assert "_" not in tagged.upos.tolist()


def test_raw_text_believes_text_where_misc_says_nothing():
    line = "1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n2\t!\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert raw_text(cg.read_text(f"# text = Hi!\n{line}", "conllu", partial=True)) == "Hi! "
    assert raw_text(cg.read_text(f"# text = Ho!\n{line}", "conllu", partial=True)) == "Hi ! "


# ── files ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_a_large_text_is_cut_into_pieces_and_the_same_whatever_the_jobs(
    model, tmp_path, monkeypatch
):
    monkeypatch.setattr(raw_pieces, "SIZE", 300)
    text = write(tmp_path / "a.txt", "Tom saw it. She kept the lamp.\n\nIt was old.\n\n" * 40)
    one, two = tmp_path / "1.conllu", tmp_path / "2.conllu"
    assert run("tag", model, text, one).returncode == 0
    assert run("tag", model, text, two, "--jobs", 2).returncode == 0
    assert one.read_bytes() == two.read_bytes()
    tagged = cg.read(one, partial=True)
    assert raw_text(tagged) == text.read_text(encoding="utf-8")
    assert one.read_text(encoding="utf-8").count("# sent_id = p80-s1\n") == 1


def test_text_that_is_split_already_stays_as_it_is(model, tmp_path):
    text = write(tmp_path / "a.txt", "Tom saw it. She kept\nthe lamp.\n")
    done = run("tag", model, text, "-", "--pretokenised")
    assert [line.split("\t")[1] for line in done.stdout.split("\n") if "\t" in line] == (
        "Tom saw it. She kept the lamp.".split()
    )
    assert_refused(run("tag", model, "example:ud", "-", "--pretokenised"), "plain text")


def test_a_model_without_segmentation_refuses_text_and_says_what_to_do(treebank, tmp_path):
    path = tmp_path / "gold.model"
    cg.train(treebank, gold_tags=True, settings={"iterations": 1}).save(path)
    text = write(tmp_path / "a.txt", "Tom saw it.\n")
    assert_refused(run("parse", path, text, "-"), "--pretokenised if each line is a sentence")
    assert_refused(run("parse", path, "-", "-", "--format", "text", stdin=b"Hi."), "--pretokenised")
    with pytest.raises(InputError, match="cannot split text"):
        cg.load_parser(path).segment("Tom saw it.")


def test_text_that_is_not_utf8_is_refused_with_its_line(model, tmp_path):
    text = tmp_path / "a.txt"
    text.write_bytes(b"Tom.\nT\xff\n")
    assert_refused(run("tag", model, text, "-"), "a.txt:2: ")


def test_a_file_of_text_can_be_given_to_a_model_in_python(tagger, tmp_path):
    text = write(tmp_path / "a.txt", "Tom saw it. She kept the lamp.")
    assert forms(tagger.parse(text)) == ["Tom saw it .", "She kept the lamp ."]


def test_a_sentence_without_end_is_cut(segmenter):
    result = segmenter.segment("word " * 2500)
    assert np.diff(result.offsets).max() <= 1000


@pytest.mark.parametrize(
    "text", ["", " \n\n ", "a" * 3000, "(" * 3000, "\n" * 3000 + "a", "é́" * 900]
)
def test_hostile_text_is_split_in_time(segmenter, text):
    assert raw_text(segmenter.segment(text)) in (text, "")


# ── model files ──────────────────────────────────────────────────────────────────────────────────


def _changed(stored, part, **metadata):
    old = stored.parts[part]
    new = Stored(old.parser, {**old.metadata, **metadata}, old.arrays, old.parts)
    return Stored(stored.parser, stored.metadata, stored.arrays, {**stored.parts, part: new})


def test_a_stored_segmenter_that_does_not_fit_together_is_refused(segmenter):
    stored = segmenter.store()
    assert forms(load_segmenter(stored).segment("Tom saw it.")) == ["Tom saw it ."]
    for part, metadata in (
        ("tokens", {"words": [1]}),
        ("tokens", {"spaced": "yes"}),
        ("sentences", {"ends": {"a": 1}}),
        ("words", {"scripts": []}),
        ("words", {"general": 99}),
        ("words", {"own": {"a": [99]}}),
        ("words", {"known": {"a": "x"}}),
        ("words", {"scripts": ["", "=\tno script"], "general": 2, "own": {"tom": [1]}}),
    ):
        with pytest.raises(ModelError):
            load_segmenter(_changed(stored, part, **metadata))
    with pytest.raises(ModelError):
        load_segmenter(Stored("segmenter", stored.metadata, {}, {}))


# ── lemmas ───────────────────────────────────────────────────────────────────────────────────────


@given(
    st.text(min_size=1, max_size=12),
    st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3),
)
@example("İzin", ["izin"])
def test_a_script_makes_what_it_was_made_from(text, words):
    for cases in (None, LOWERED):
        script = script_of(text, words) if cases is None else script_of(text, words, cases)
        if script:
            assert applies(script, text)
            assert apply(script, text) == words


def test_lemmas_of_other_forms_are_made_by_scripts(treebank):
    lemmatiser = train_lemmatiser(treebank)
    column = cg.read_text(
        "1\tpainted\t_\tVERB\t_\tMood=Ind|Tense=Past|VerbForm=Fin\t0\t_\t_\t_\n"
        "2\tlamps\t_\tNOUN\t_\tNumber=Plur\t1\t_\t_\t_\n"
        "3\tWere\t_\tAUX\t_\t_\t1\t_\t_\t_\n\n",
        "conllu",
    )
    lemmas = lemmatiser.lemmas(column.form, column.upos, column.feats)
    assert lemmas.tolist() == ["paint", "lamp", "be"]


def test_seen_lemmas_are_given_again(treebank):
    lemmatiser = train_lemmatiser(treebank)
    values = lemmatiser.lemmas(treebank.form, treebank.upos, treebank.feats).tolist()
    right = sum(a == b for a, b in zip(values, treebank.lemma.tolist(), strict=True))
    assert right / len(values) > 0.99


def test_a_treebank_without_lemmas_gives_none(treebank):
    bare = treebank.replace("words", lemma=treebank.lemma.map(lambda _: "_"))
    assert train_lemmatiser(bare) is None
