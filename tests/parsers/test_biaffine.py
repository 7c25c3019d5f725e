"""The biaffine parser: what surrounds the network everywhere, the network where PyTorch is."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from itertools import product

import numpy as np
import pytest
import tiny_encoder

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError, UsageError
from commonground.parsers.model_file import ModelError, Stored, write_model
from commonground.parsers.neural.biaffine import BiaffineSettings, _batches, _tree, load
from commonground.parsers.neural.needed_encoder import loaded_encoder
from commonground.parsers.neural.network import MOST, Sizes, make_network, shapes
from commonground.parsers.neural.vocabulary import LETTERS, UNKNOWN, Vocabulary
from commonground.parsers.registry import find_parser, parser_names

TINY = {"embedding": 16, "hidden": 16, "layers": 1, "arc": 16, "label": 8, "threads": 1}


def trees(*sentences):
    """Sentences given as words, heads and labels, without tags."""
    return Dependencies.of(
        [(words.split(), heads, ["x"] * len(heads)) for words, heads in sentences]
    )


# ── words as numbers ─────────────────────────────────────────────────────────────────────────────


def test_words_of_the_training_corpus_are_known_in_any_case_if_they_are_not_rare():
    words = Vocabulary.of(trees(("The cat the dog", [2, 0, 4, 2])))
    assert words.texts["form"] == ("the",)
    numbers = words.codes(trees(("THE cat bird", [2, 0, 2])))["form"]
    assert numbers.tolist() == [3, UNKNOWN, UNKNOWN]


def test_tags_are_known_once_they_were_seen_and_keep_their_case():
    corpus = trees(("a b", [0, 1])).replace("words", upos=Strings.of(["X", "x"]))
    words = Vocabulary.of(corpus)
    assert words.texts["upos"] == ("X", "x")
    assert words.codes(corpus)["upos"].tolist() == [3, 4]
    assert words.sizes["upos"] == 5


def test_of_a_long_word_the_beginning_and_the_end_are_looked_at():
    words = Vocabulary({}, ("a", "b", "c"))
    table = words.codes(trees((f"a{'c' * 40}b ä", [0, 1])))["letters"]
    assert table.shape == (2, LETTERS)
    assert table[0].tolist() == [3, *[5] * 14, 4]
    assert table[1].tolist() == [UNKNOWN, *[0] * 15]


def test_a_vocabulary_is_read_from_the_metadata_that_it_is_stored_in():
    words = Vocabulary.of(cg.read("example:ud"))
    assert Vocabulary.read(Stored("biaffine", words.stored())) == words


@pytest.mark.parametrize("wrong", [{"letters": [3]}, {"known_form": None}, {"known_upos": "NOUN"}])
def test_a_vocabulary_that_is_not_text_is_refused(wrong):
    metadata = Vocabulary.of(trees(("a", [0]))).stored() | wrong
    with pytest.raises(ModelError, match=r"letters|known_"):
        Vocabulary.read(Stored("biaffine", metadata))


# ── trees and batches ────────────────────────────────────────────────────────────────────────────


def all_trees(words):
    """All heads of so many words that make a tree with one root."""
    for heads in product(range(words + 1), repeat=words):
        above = [0, *heads]
        places = list(range(words + 1))
        for _ in range(words):
            places = [above[place] for place in places]
        if heads.count(0) == 1 and not any(places):
            yield heads


def total(scores, heads):
    return sum(scores[word, head] for word, head in enumerate(heads, 1))


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_the_tree_is_the_best_one_with_one_root(kernels, words):
    random = np.random.default_rng(words)
    for _ in range(10):
        scores = random.normal(scale=4, size=(words + 1, words + 1)).astype(np.float32)
        found = tuple(_tree(scores).tolist())
        best = max(all_trees(words), key=lambda heads: total(scores, heads))
        assert found in set(all_trees(words))
        assert total(scores, found) == pytest.approx(total(scores, best), abs=words / 1024)


def test_scores_of_any_size_make_a_tree(kernels):
    for value in (np.nan, np.inf, -np.inf, 1e38, -1e38):
        heads = _tree(np.full((4, 4), value, np.float32))
        assert tuple(heads.tolist()) in set(all_trees(3))


def test_batches_have_each_sentence_once_among_others_of_its_length():
    lengths = np.array([3, 0, 9, 1, 30, 9, 3, 9])
    batches = [batch.tolist() for batch in _batches(lengths, 20)]
    assert batches == [[3], [0, 6], [2, 5], [7], [4]]
    assert _batches(np.array([], np.int64), 20) == []
    assert _batches(np.array([5000, 0]), 20) == []


# ── settings, models, PyTorch that is missing ────────────────────────────────────────────────────


def test_it_is_among_the_parsers_and_learns_partial_trees():
    assert "biaffine" in parser_names()
    assert find_parser("biaffine").partial


@pytest.mark.parametrize(
    "setting", ["iterations", "batch", "threads", "embedding", "hidden", "layers", "arc", "label"]
)
def test_a_size_of_nothing_is_refused(setting):
    with pytest.raises(ValueError, match=f"{setting} is 0; 1 or more is needed"):
        BiaffineSettings(**{setting: 0})


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan")])
def test_a_rate_that_learns_nothing_is_refused(rate):
    with pytest.raises(ValueError, match="more than 0"):
        BiaffineSettings(rate=rate)


def test_the_sizes_of_the_network_are_those_of_the_settings():
    assert BiaffineSettings().sizes() == Sizes()
    assert BiaffineSettings(layers=3).sizes() == Sizes(layers=3)


def test_where_pytorch_is_missing_the_command_that_installs_it_is_told(monkeypatch):
    monkeypatch.setattr("commonground.parsers.outside.places.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UsageError, match=r"biaffine needs a package; pip .*commonground\[neural\]"):
        cg.train("example:ud", "biaffine", gold_tags=True)


def stored(arrays=None, **metadata):
    """A model as a file would hold it, which has learned nothing."""
    words = Vocabulary.of(trees(("a", [0])))
    sizes = {name: TINY[name] for name in MOST}
    wanted = shapes(Sizes(**sizes), words.sizes, 1)
    given = {name: np.zeros(shape, np.float32) for name, shape in wanted.items()}
    metadata = {**words.stored(), **sizes, "labels": ["x"], **metadata}
    return Stored("biaffine", metadata, given | (arrays or {}))


def test_what_a_file_holds_becomes_a_model_and_the_same_again():
    model = load(stored())
    assert model.labels == ("x",)
    assert model.store().metadata == stored().metadata


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hidden": 0}, "sizes are impossible"),
        ({"arc": -5}, "sizes are impossible"),
        ({"embedding": 1 << 40}, "sizes are impossible"),
        ({"layers": 60000}, "sizes are impossible"),
        ({"layers": 2}, "do not fit its sizes"),
        ({"label": 16}, "do not fit its sizes"),
        ({"labels": ["x", "y"]}, "do not fit its sizes"),
        ({"letters": ["x", "y"]}, "do not fit its sizes"),
        ({"arrays": {"more": np.zeros(3, np.float32)}}, "do not fit its sizes"),
        ({"arrays": {"encoder.w": np.zeros(3, np.float32)}}, "do not fit its sizes"),
        ({"hidden": "16"}, "no right 'hidden'"),
        ({"hidden": 16.0}, "no right 'hidden'"),
        ({"labels": []}, "no labels"),
        ({"labels": [1]}, "not text"),
        ({"labels": None}, "no right 'labels'"),
        ({"arrays": {"w": np.zeros(3, np.int32)}}, "another kind"),
        ({"arrays": {"w": np.zeros(3)}}, "another kind"),
        ({"arrays": {"w": np.array([1, np.nan], np.float32)}}, "not numbers"),
        ({"arrays": {"w": np.array([np.inf], np.float32)}}, "not numbers"),
    ],
)
def test_a_model_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(ModelError, match=message):
        load(stored(**wrong))


def file_of(tmp_path, model):
    """The file of a parser with such a model."""
    about = {"tags": "gold", "encoding": "", "log": []}
    write_model(Stored("biaffine", about, {}, {"model": model}), tmp_path / "a.model")
    return tmp_path / "a.model"


def test_damage_is_told_before_pytorch_is_missed(tmp_path, monkeypatch):
    monkeypatch.setattr("commonground.parsers.outside.places.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"a\.model: not a good model: .* do not fit its sizes"):
        cg.load_parser(file_of(tmp_path, stored(layers=2)))
    with pytest.raises(InputError, match=r"a\.model: this is a model of biaffine, which needs"):
        cg.load_parser(file_of(tmp_path, stored()))
    with pytest.raises(UsageError, match="biaffine needs a package"):
        load(stored()).parse(trees(("a", [0])))


# ── the network ──────────────────────────────────────────────────────────────────────────────────

if find_spec("torch"):  # an extra of hundreds of megabytes
    ENOUGH = {"iterations": 60, "rate": 0.01, "batch": 40, "hidden": 64, "arc": 64}

    def trained(corpus, **settings):
        return cg.train(corpus, "biaffine", gold_tags=True, settings=TINY | settings, seed=3)

    def part(share=1.0):
        """The first sentences of the example, with so many of their heads."""
        corpus = cg.read("example:ud")[:16]
        gone = np.random.default_rng(1).random(corpus.words.rows) >= share
        return corpus.replace("words", head=np.where(gone, -1, corpus.head).astype(np.int32))

    def test_it_learns_what_it_has_seen():
        parsed = trained(part(), **ENOUGH).parse(part())
        assert (parsed.head == part().head).mean() > 0.9
        assert (np.array(parsed.deprel.tolist()) == part().deprel.tolist()).mean() > 0.9

    def test_every_sentence_gets_one_root():
        parsed = trained(part(), iterations=1).parse(part())
        assert (np.add.reduceat(parsed.head == 0, parsed.offsets[:-1]) == 1).all()

    def test_a_model_trained_twice_is_the_same_bytes_and_is_read_again(tmp_path):
        for name in ("one", "two"):
            trained(part(), iterations=2, layers=2).save(tmp_path / name)
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
        again = cg.load_parser(tmp_path / "one").parse(part())
        assert again == trained(part(), iterations=2, layers=2).parse(part())

    def test_partial_trees_are_learned_from_the_arcs_that_are_there():
        parsed = trained(part(0.6), **ENOUGH).parse(part())
        assert (parsed.head == part().head).mean() > 0.7

    def test_words_and_letters_that_were_never_seen_do_no_harm():
        other = trees(("Ünseen ẅörds", [2, 0]), ("¿", [0]))
        other = other.replace("words", upos=Strings.of(["ZZ", "YY", "ZZ"]))
        parsed = trained(part(), iterations=1).parse(other)
        assert parsed.head.tolist().count(0) == 2

    @pytest.mark.parametrize(
        "sizes", [Sizes(), Sizes(layers=1, encoder=7), Sizes(layers=3, encoder=7, alone=True)]
    )
    def test_the_shapes_that_a_file_must_have_are_those_of_the_network(sizes):
        known = Vocabulary.of(part()).sizes
        made = make_network(sizes, known, 5).state_dict()
        assert {name: tuple(one.shape) for name, one in made.items()} == shapes(sizes, known, 5)

    def test_many_labels_are_looked_at_a_few_words_at_a_time(monkeypatch):
        parser = trained(part(), iterations=2)
        once = parser.parse(part())
        monkeypatch.setattr("commonground.parsers.neural.biaffine._NUMBERS", 1000)
        assert parser.parse(part()) == once

    def test_a_device_that_is_not_there_is_told(monkeypatch):
        for device in ("abacus", "cuda:99", "meta", "xla", "cpu:7", "opengl"):
            with pytest.raises(UsageError, match=f"no device '{device}' here; there (is|are) cpu"):
                trained(part(), device=device)
        parser = trained(part(), iterations=1)
        monkeypatch.setenv("COMMONGROUND_DEVICE", "abacus")
        with pytest.raises(UsageError, match=r"no device 'abacus' here; there (is|are) cpu"):
            parser.parse(part())


# ── vectors of an encoder ────────────────────────────────────────────────────────────────────────

ENCODER = {"name": "x", "digest": "0" * 64, "layer": 1, "pieces": "mean", "tuned": False}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"size": 0}, {"size": 1 << 20}, {"size": "16"}, {"digest": "x"}, {"layer": 0}),
        *({"size": 17}, {"alone": 1}, {"more": 1}),
    ],
)
def test_a_model_with_an_encoder_that_cannot_be_is_refused(wrong):
    with pytest.raises(ModelError, match=r"impossible|not described as it should be|do not fit"):
        load(stored(encoder=ENCODER | {"size": 16, "alone": False} | wrong))


def test_a_model_without_an_encoder_says_nothing_of_one():
    assert "encoder" not in load(stored()).store().metadata


if find_spec("torch") and find_spec("transformers"):

    @pytest.fixture
    def encoder(tmp_path, monkeypatch):
        monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path / "data"))
        return tiny_encoder.write_encoder(tmp_path / "tiny")

    def saved(folder, corpus=None, **settings):
        """The file of a model that was trained with an encoder."""
        path = folder.parent / "a.model"
        corpus = part() if corpus is None else corpus
        trained(corpus, **({"encoder": str(folder), "iterations": 2} | settings)).save(path)
        return path

    @pytest.mark.long
    @pytest.mark.parametrize(
        "settings", [{}, {"alone": "yes"}, {"tune": "yes"}, {"pieces": "first"}]
    )
    def test_a_model_with_an_encoder_is_the_same_bytes_and_is_read_again(encoder, settings):
        model = saved(encoder, **settings)
        before = model.read_bytes()
        once = cg.load_parser(model).parse(part())
        assert saved(encoder, **settings).read_bytes() == before
        assert str(encoder).encode() not in before
        assert once == trained(part(), encoder=str(encoder), iterations=2, **settings).parse(part())

    def without_words(corpus):
        """The same sentences, of which only the encoder can tell something."""
        columns = {
            name: Strings.constant("_", corpus.words.rows)
            for name in ("lemma", "upos", "xpos", "feats")
        }
        return corpus.replace("words", **columns)

    @pytest.mark.long
    def test_vectors_of_an_encoder_alone_are_enough_to_learn_what_was_seen(encoder):
        corpus = without_words(part())
        parser = trained(corpus, encoder=str(encoder), alone="yes", **ENOUGH)
        assert (parser.parse(corpus).head == corpus.head).mean() > 0.8

    @pytest.mark.long
    def test_an_encoder_learns_only_if_it_is_to_be_tuned(encoder):
        frozen, tuned = (cg.load_parser(saved(encoder, tune=tune)).model for tune in ("no", "yes"))
        assert not any(name.startswith("encoder.") for name in frozen.weights)
        given = tiny_encoder.weights()
        learned = {
            name.removeprefix(
                "encoder.",
            ): array
            for name, array in tuned.weights.items()
            if name.startswith("encoder.encoder.layer.0")
        }
        assert learned
        assert all(
            not np.array_equal(given[name], array)
            for name, array in learned.items()
            if "key.bias" not in name
        )

    def test_an_encoder_that_has_moved_is_found_where_the_variable_says(encoder, monkeypatch):
        model = saved(encoder)
        parsed = cg.load_parser(model).parse(part())
        moved = encoder.rename(encoder.with_name("moved"))
        loaded_encoder.cache_clear()
        with pytest.raises(
            UsageError, match=r"needs the encoder 'tiny' .* set COMMONGROUND_ENCODER"
        ):
            cg.load_parser(model).parse(part())
        other = tiny_encoder.write_encoder(encoder.with_name("other"), seed=2)
        monkeypatch.setenv("COMMONGROUND_ENCODER", str(other))
        with pytest.raises(
            UsageError, match=r"is another one .* the model was trained with 'tiny'"
        ):
            cg.load_parser(model).parse(part())
        monkeypatch.setenv("COMMONGROUND_ENCODER", f"{other}:{moved}")
        assert cg.load_parser(model).parse(part()) == parsed

    def test_a_changed_encoder_is_another_one(encoder):
        model = saved(encoder)
        tiny_encoder.write_encoder(encoder, seed=3)
        loaded_encoder.cache_clear()
        with pytest.raises(UsageError, match="was not found"):
            cg.load_parser(model).parse(part())

    def test_a_folder_that_is_no_encoder_is_refused(tmp_path):
        with pytest.raises(InputError, match=r"config\.json"):
            trained(part(), encoder=str(tmp_path))
