"""The aligner by vectors of an encoder: from similarities to links, and from words to similarities."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise, permutations

import numpy as np
import pytest
import tiny_encoder
from command import assert_refused, run, write
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from commonground.alignment import Bitext, EmbeddingSettings, align
from commonground.alignment.embeddings import _linked, _probabilities, itermax, matching
from commonground.corpus import Table
from commonground.errors import UsageError

SIMILARITIES = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float32, shape, elements=st.integers(-64, 64), unique=True).map(
        lambda whole: whole / np.float32(64)
    )
)


def links(alike, way):
    """The links of one pair, as a mask."""
    sides = [Table([0, size], form=np.zeros(size, np.int32)) for size in alike.shape]
    table = _linked([alike], *sides, way)
    found = np.zeros(alike.shape, bool)
    found[table.numbers("source"), table.numbers("target")] = True
    return found


@given(SIMILARITIES)
def test_the_intersection_links_words_that_are_most_similar_to_each_other(alike):
    expected = (alike == alike.max(0)) & (alike == alike.max(1, keepdims=True))
    assert (links(alike, "intersection") == expected).all()


@given(SIMILARITIES)
def test_itermax_adds_to_the_intersection_and_leaves_no_word_of_both_sides_that_had_none(alike):
    first = links(alike, "intersection")
    found = itermax(alike)
    assert (found >= first).all()
    both = first.any(1)[:, None] & first.any(0)
    assert not (found & both & ~first).any()


@given(SIMILARITIES)
def test_no_other_pairs_of_words_are_more_similar_together_than_those_of_matching(alike):
    found = matching(alike)
    short = alike if len(alike) <= alike.shape[1] else alike.T
    best = max(
        sum(float(short[row, column]) for row, column in enumerate(columns))
        for columns in permutations(range(short.shape[1]), len(short))
    )
    assert found.sum() == len(short)
    assert found.sum(0).max() <= 1
    assert float(alike[found].sum()) == pytest.approx(best, abs=1e-4)


@given(SIMILARITIES)
def test_probabilities_of_each_word_are_one_together_and_rise_with_similarity(alike):
    forward, backward = (part.reshape(alike.shape) for part in _probabilities([alike], 0.1))
    assert np.allclose(forward.sum(0), 1, atol=1e-4)
    assert np.allclose(backward.sum(1), 1, atol=1e-4)
    assert (forward.argmax(0) == alike.argmax(0)).all()


def test_a_side_without_words_has_no_links():
    for way in ("intersection", "union", "itermax", "matching", "forward"):
        for shape in ((0, 3), (3, 0), (0, 0)):
            assert not links(np.zeros(shape, np.float32), way).any()


@pytest.mark.parametrize("way", ["itermax", "matching"])
def test_ways_of_embeddings_are_refused_for_other_aligners(way):
    with pytest.raises(UsageError, match=f"there is no way '{way}'"):
        align(Bitext.of([]), way=way)


def test_the_aligner_needs_an_encoder_and_others_take_none(tmp_path):
    with pytest.raises(UsageError, match=r"learns nothing; it needs .*encoder"):
        align(Bitext.of([]), aligner="embeddings")
    with pytest.raises(UsageError, match="only with the aligner embeddings"):
        align(Bitext.of([]), settings=EmbeddingSettings("x"))
    with pytest.raises(UsageError, match="temperature"):
        EmbeddingSettings("x", temperature=0)
    pairs = write(tmp_path / "p", "a\tb\n")
    for line, told in (
        (["--aligner", "embeddings"], "must be given together"),
        (["--encoder", tmp_path], "must be given together"),
        (["--layer", 3], "must be given together"),
        (
            ["--aligner", "embeddings", "--encoder", tmp_path, "--rounds", 2],
            "--rounds has no effect",
        ),
        (
            ["--aligner", "embeddings", "--encoder", tmp_path, "--save-model", tmp_path / "m"],
            "--save-model has no effect",
        ),
        (["--aligner", "embeddings", "--encoder", tmp_path / "none"], "none"),
    ):
        assert_refused(run("align", pairs, *line), told)


if find_spec("transformers") and find_spec("torch"):  # extras of hundreds of megabytes
    PAIRS = [
        ("the house", "das haus"),
        ("a book", "ein buch"),
        ("the book a house", "ein haus das buch"),
    ]
    RIGHT = [{(0, 0), (1, 1)}, {(0, 0), (1, 1)}, {(0, 2), (1, 3), (2, 0), (3, 1)}]

    @pytest.fixture(scope="module")
    def settings(tmp_path_factory):
        return EmbeddingSettings(
            str(tiny_encoder.write_encoder(tmp_path_factory.mktemp("e") / "tiny"))
        )

    def found(pairs, settings, **options):
        bitext = Bitext.of([(one.split(), two.split()) for one, two in pairs])
        aligned = align(bitext, aligner="embeddings", settings=settings, **options)
        table = aligned.links.links
        both = list(zip(aligned.links.source.tolist(), aligned.links.target.tolist(), strict=True))
        return [set(both[a:b]) for a, b in pairwise(table.offsets.tolist())], aligned

    @pytest.mark.parametrize("way", ["intersection", "itermax", "matching"])
    def test_words_of_the_same_meaning_are_linked_wherever_they_stand(settings, way):
        assert found(PAIRS, settings, way=way, confidence=0)[0] == RIGHT

    def test_pairs_are_aligned_one_by_one_whatever_the_jobs(settings):
        many = PAIRS * 100
        once = found(many, settings)[0]
        assert once == found(many, settings, jobs=2)[0]
        assert once[:3] == once[-3:]

    def test_links_that_are_not_sure_are_left_out(settings):
        every = found(PAIRS, settings, way="union", confidence=0)[0]
        sure = found(PAIRS, settings, way="union", confidence=0.9)[0]
        assert all(one <= two for one, two in zip(sure, every, strict=True))

    def test_pairs_that_are_empty_or_too_long_have_no_links_and_are_counted(settings):
        links, aligned = found([("", "das"), ("a " * 1001, "ein"), *PAIRS], settings)
        assert links[:2] == [set(), set()]
        assert all(links[2:])
        assert (aligned.empty, aligned.too_long) == ((0,), (1,))
        assert found([], settings)[0] == []

    def test_the_verb_writes_links(settings, tmp_path):
        pairs = write(tmp_path / "p", "the house\tdas haus\na book\tein buch\n")
        done = run(
            "align",
            pairs,
            "--aligner",
            "embeddings",
            "--encoder",
            settings.encoder,
            "--symmetrise",
            "matching",
            "--min-probability",
            0,
        )
        assert (done.returncode, done.stdout) == (0, "0-0 1-1\n0-0 1-1\n")

    def test_a_recipe_aligns_by_an_encoder(settings, tmp_path):
        recipe = write(
            tmp_path / "r.toml",
            f"""title = "Links"
[inputs]
one = "example:ud"
two = "example:sud"
encoder = "{settings.encoder}"
[steps.links]
do = "align"
source = "one"
target = "two"
encoder = "encoder"
aligner = "embeddings"
way = "itermax"
layer = 2
""",
        )
        done = run("experiment", "run", recipe, "--into", tmp_path / "study")
        assert done.returncode == 0, done.stderr
        [links] = (tmp_path / "study").rglob("links.align")
        assert links.read_text().count("\n") == 64
