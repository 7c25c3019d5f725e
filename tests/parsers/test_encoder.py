"""Encoders from the user's disk: what a folder may hold, and the vectors of its words."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec

import numpy as np
import pytest
import tiny_encoder
from command import assert_refused, run

import commonground as cg
from commonground.errors import CommonGroundError, InputError, UsageError
from commonground.parsers.model_file import ModelError
from commonground.parsers.neural.encoder_folder import KINDS, read_folder
from commonground.parsers.neural.needed_encoder import NeededEncoder


@pytest.fixture
def folder(tmp_path):
    return tiny_encoder.write_encoder(tmp_path / "tiny")


@pytest.fixture(autouse=True)
def _own_data(tmp_path, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_DATA", str(tmp_path / "data"))


def changed(folder, name, **entries):
    """Change entries of a JSON file of the folder."""
    path = folder / name
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(known | entries))
    return folder


# ── the folder ───────────────────────────────────────────────────────────────────────────────────


def test_the_digest_is_that_of_what_numbers_depend_on(folder, tmp_path):
    one = read_folder(folder)
    assert one.name == "tiny"
    assert one.tensors == len(tiny_encoder.weights())
    (folder / "README.md").write_text("nothing of weight")
    assert read_folder(folder).digest == one.digest
    folder.rename(tmp_path / "moved")
    assert read_folder(tmp_path / "moved").digest == one.digest
    other = tiny_encoder.write_encoder(tmp_path / "other", seed=2)
    assert read_folder(other).digest != one.digest


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match=r"there is no folder .*nowhere; an encoder is a folder"):
        read_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_code_of_an_encoder_is_refused(folder, name):
    changed(folder, name, auto_map={"AutoModel": "modeling.Evil"})
    with pytest.raises(InputError, match=f"{name}.*code of its own .auto_map., which is never run"):
        read_folder(folder)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt"])
def test_pickled_weights_are_refused_and_it_is_told_how_to_convert_them(folder, name):
    (folder / "model.safetensors").rename(folder / name)
    with pytest.raises(
        InputError, match=r"pickled .* python -c .*from_pretrained.*save_pretrained"
    ):
        read_folder(folder)


def test_pickled_weights_beside_others_are_not_looked_at(folder):
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04cos\nsystem\n")
    assert [file.name for file in read_folder(folder).weights] == ["model.safetensors"]


@pytest.mark.parametrize("kind", ["gpt2", "t5", None, 3, "../evil"])
def test_a_network_that_does_not_see_the_whole_sentence_is_refused(folder, kind):
    with pytest.raises(InputError, match=r"config.json.*model_type is .*bert.* can be used"):
        read_folder(changed(folder, "config.json", model_type=kind))


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_what_is_missing_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        read_folder(folder)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\udc80", '"bert"'])
def test_a_config_that_is_no_object_is_refused(folder, text):
    (folder / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"config\.json"):
        read_folder(folder)


def test_an_encoder_that_needs_more_memory_than_is_allowed_is_not_loaded(folder, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_MODEL_MEMORY", "0.000001")
    with pytest.raises(InputError, match="more than a model may have; COMMONGROUND_MODEL_MEMORY"):
        read_folder(folder)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"[]",
        b"{",
        b'{"w": 3}',
        b'{"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 4]}}',
        b'{"w": {"dtype": "F32", "shape": [-4], "data_offsets": [0, 4]}}',
        b'{"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 400]}}',
        b'{"w": {"dtype": "F32", "shape": ["a"], "data_offsets": [0, 4]}}',
        b'{"w": {"dtype": "F32", "shape": [1e300], "data_offsets": [0, 4]}}',
        b'{"w": {"dtype": "I64", "shape": [Infinity], "data_offsets": [0, 8]}}',
        b'{"w": {"dtype": ["F32"], "shape": [2], "data_offsets": [0, 8]}}',
        b'{"w": {"dtype": "F32", "shape": [2], "data_offsets": []}}',
        b'{"w": ' + b"[" * 100_000,
    ],
)
def test_weights_that_are_damaged_are_refused(folder, header):
    data = len(header).to_bytes(8, "little") + header + b"\0" * 8
    (folder / "model.safetensors").write_bytes(data)
    with pytest.raises(InputError, match=r"model\.safetensors.*no weights in safetensors"):
        read_folder(folder)


def test_weights_that_are_cut_off_are_refused(folder):
    whole = (folder / "model.safetensors").read_bytes()
    for length in (0, 5, 100, len(whole) - 1):
        (folder / "model.safetensors").write_bytes(whole[:length])
        with pytest.raises(InputError, match="no weights in safetensors"):
            read_folder(folder)


def replacing(content, pattern="a"):
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"normalizer": replacing("b" * 10**6)}, "many times as long"),
        ({"normalizer": {"type": "Prepend", "prepend": "b" * 10**6}}, "many times as long"),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [replacing("aa")] * 2}},
            "many times as long",
        ),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [replacing("a", "")] * 30}},
            "many times as long",
        ),
        ({"model": {"continuing_subword_prefix": "#" * 10**6}}, "marks of pieces"),
        ({"model": {"max_input_chars_per_word": 10**9}}, "more than 1,000 characters"),
        ({"model": {"max_input_chars_per_word": "x"}}, "more than 1,000 characters"),
    ],
)
def test_a_tokenizer_that_makes_much_of_a_short_text_is_refused(folder, entries, message):
    """The library that reads it ends the whole process where memory does not suffice."""
    with pytest.raises(InputError, match=rf"tokenizer\.json: .*{message}"):
        read_folder(changed(folder, "tokenizer.json", **entries))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_is_no_file_is_not_waited_for(folder):
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")
    with pytest.raises(InputError, match=r"config\.json: it is no file"):
        read_folder(folder)


def in_parts(folder, **places):
    """Cut the weights into two files, which an index names."""
    arrays = tiny_encoder.weights()
    names = sorted(arrays)
    parts = {"one.safetensors": names[::2], "two.safetensors": names[1::2]}
    for file, own in parts.items():
        (folder / file).write_bytes(tiny_encoder.safetensors({name: arrays[name] for name in own}))
    (folder / "model.safetensors").unlink()
    weight_map = {name: file for file, own in parts.items() for name in own} | places
    return changed(folder, "model.safetensors.index.json", weight_map=weight_map)


def test_weights_can_be_in_several_files(folder):
    found = read_folder(in_parts(folder))
    assert [file.name for file in found.weights] == ["one.safetensors", "two.safetensors"]
    assert found.tensors == len(tiny_encoder.weights())


@pytest.mark.parametrize(
    "place", ["../x.safetensors", "/etc/passwd", "x.bin", "none.safetensors", 3]
)
def test_an_index_names_files_of_the_folder_alone(folder, place):
    with pytest.raises(InputError, match="does not name files of this folder"):
        read_folder(in_parts(folder, w=place))


# ── the encoder of a model ───────────────────────────────────────────────────────────────────────

NEEDED = {"name": "x", "digest": "0" * 64, "layer": 2, "pieces": "mean", "tuned": False}


def test_what_a_model_says_of_its_encoder_is_read():
    assert NeededEncoder.read(NEEDED).layer == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"digest": "../../x"},
        {"digest": 3},
        {"layer": 0},
        {"layer": True},
        {"pieces": "all"},
        {"tuned": 1},
        {"name": None},
        {"folder": "/etc"},
    ],
)
def test_an_encoder_that_cannot_be_is_refused(wrong):
    with pytest.raises(ModelError, match="not described as it should be"):
        NeededEncoder.read(NEEDED | wrong)


def test_an_encoder_that_is_not_here_is_named():
    with pytest.raises(UsageError, match=r"needs the encoder 'x' .* set COMMONGROUND_ENCODER"):
        NeededEncoder.read(NEEDED).load("cpu")


def test_another_encoder_is_refused(folder, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_ENCODER", str(folder))
    with pytest.raises(UsageError, match=r"is another one .* the model was trained with 'x'"):
        NeededEncoder.read(NEEDED).load("cpu")


def test_where_transformers_is_missing_the_command_that_installs_it_is_told(folder, monkeypatch):
    monkeypatch.setattr("commonground.parsers.outside.places.find_spec", lambda _: None)
    told = r"needs a package; pip .*commonground\[encoders\]"
    with pytest.raises(UsageError, match=told):
        cg.train("example:ud", "biaffine", settings={"encoder": str(folder)})
    done = run("align", "example:ud", "example:sud", "--aligner", "embeddings", "--encoder", folder)
    assert_refused(done, "commonground[encoders]")


def test_settings_of_an_encoder_need_one():
    for name, value in (("alone", "yes"), ("tune", "yes"), ("encoder_layer", 2)):
        with pytest.raises(UsageError, match="need an encoder; name its folder"):
            cg.train("example:ud", "biaffine", settings={name: value})


# ── vectors ──────────────────────────────────────────────────────────────────────────────────────

if find_spec("transformers") and find_spec("torch"):  # extras of hundreds of megabytes
    from commonground.parsers.neural.encoder import load_encoder

    SENTENCE = ["The", "house", "sings", "ing", "xyz"]

    def reference(folder, layer, pieces):
        """The states of pieces by transformers itself."""
        import torch
        from transformers import AutoModel

        network = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        with torch.inference_mode():
            states = network(torch.tensor([pieces]), output_hidden_states=True).hidden_states
        return states[layer][0].numpy()

    def vectors(encoder, *sentences):
        corpus = cg.Dependencies.of(
            [(list(words), [-1] * len(words), ["_"] * len(words)) for words in sentences]
        )
        return encoder.vectors(corpus.words)

    def test_a_word_is_the_mean_of_its_pieces_or_the_first_of_them(folder):
        cut = [
            "[CLS]",
            "the",
            "house",
            "sing",
            "##s",
            "i",
            "##n",
            "##g",
            "x",
            "##y",
            "##z",
            "[SEP]",
        ]
        pieces = reference(folder, 2, [tiny_encoder.PIECES.index(piece) for piece in cut])[1:-1]
        spans = [(0, 1), (1, 2), (2, 4), (4, 7), (7, 10)]
        means = np.array([pieces[a:b].mean(0) for a, b in spans])
        assert np.allclose(vectors(load_encoder(folder), SENTENCE), means, atol=1e-5)
        first = vectors(load_encoder(folder, pieces="first"), SENTENCE)
        assert np.allclose(first, [pieces[a] for a, _ in spans], atol=1e-5)

    @pytest.mark.parametrize("layer", [1, 2, 3])
    def test_vectors_are_those_of_a_layer(folder, layer):
        pieces = reference(folder, layer, [2, tiny_encoder.PIECES.index("book"), 3])
        assert np.allclose(
            vectors(load_encoder(folder, layer=layer), ["book"])[0], pieces[1], atol=1e-5
        )

    def test_without_a_word_the_layer_is_two_thirds_of_the_way_up(folder):
        assert load_encoder(folder).layer == 2

    def test_vectors_do_not_depend_on_other_sentences_or_jobs(folder):
        encoder = load_encoder(folder)
        alone = vectors(encoder, SENTENCE)
        both = vectors(encoder, ["a", "book"] * 9, SENTENCE)
        assert (both[-len(SENTENCE) :] == alone).all()
        many = cg.read("example:ud").words
        assert (encoder.vectors(many) == encoder.vectors(many, jobs=2)).all()

    def test_a_word_without_a_piece_is_nothing_and_spaces_inside_of_words_cut_none(folder):
        made = vectors(load_encoder(folder), ["a", "\u200b", "", "the house", "b"])
        assert np.abs(made).sum(1).astype(bool).tolist() == [True, False, False, True, True]
        assert not vectors(load_encoder(folder), []).size

    def test_a_long_sentence_is_read_in_windows_that_overlap(folder):
        encoder = load_encoder(folder)
        assert encoder.room == tiny_encoder.PLACES - 2
        words = ["the", "house", "a", "book", "das"] * 20
        made = vectors(encoder, words)
        assert made.shape == (100, tiny_encoder.HIDDEN)
        first = vectors(encoder, words[: encoder.room])
        assert np.allclose(made[:16], first[:16], atol=1e-6)
        assert (np.abs(made).sum(1) > 0).all()
        assert vectors(encoder, ["x" * 99, "y" * 99]).any(1).all()

    @pytest.mark.long
    @pytest.mark.parametrize("kind", KINDS)
    def test_every_kind_gives_the_states_of_transformers(tmp_path, kind):
        import torch
        from transformers import AutoConfig, AutoModel

        small = {name: size for name, size in tiny_encoder.config().items() if name != "model_type"}
        if kind == "modernbert":
            small |= {"layer_types": ["full_attention", "sliding_attention", "full_attention"]}
        config = AutoConfig.for_model(kind, **small)
        config.num_hidden_layers = 3
        config.pad_token_id, config.max_position_embeddings = 0, 40
        torch.manual_seed(1)
        folder = tiny_encoder.write_encoder(tmp_path / kind)
        AutoModel.from_config(config).save_pretrained(folder)
        encoder = load_encoder(folder, layer=3)
        pieces = [2, *(tiny_encoder.PIECES.index(word) for word in ("the", "book")), 3]
        assert np.allclose(
            vectors(encoder, ["the", "book"]), reference(folder, 3, pieces)[1:-1], atol=1e-5
        )

    @pytest.mark.parametrize(
        ("entries", "message"),
        [
            ({"num_hidden_layers": 1 << 40}, "has not"),
            ({"num_hidden_layers": 0}, "has not"),
            ({"num_hidden_layers": 5}, "do not fit|needs"),
            ({"vocab_size": 1 << 40}, "a larger encoder than its weights"),
            ({"max_position_embeddings": 1 << 50}, "a larger encoder than its weights"),
            ({"hidden_size": 32}, "do not fit config.json: .* has another shape"),
            ({"num_attention_heads": 0}, "cannot make an encoder"),
            ({"hidden_size": "16"}, "cannot make an encoder"),
            ({"hidden_act": "../evil"}, "cannot make an encoder"),
        ],
    )
    def test_a_config_that_does_not_fit_its_weights_is_refused_before_memory_is_taken(
        folder, entries, message
    ):
        with pytest.raises(CommonGroundError, match=message):
            load_encoder(
                str(changed(folder, "config.json", **entries)),
                layer=entries.get("num_hidden_layers", 0)
                if entries.get("num_hidden_layers") == 5
                else 0,
            )

    @pytest.mark.parametrize(
        "entries",
        [
            {"_attn_implementation": "stranger/kernel"},
            {"attn_implementation": "stranger/kernel", "_name_or_path": "stranger/model"},
            {"quantization_config": {"quant_method": "gptq"}, "torch_dtype": "float16"},
            {"num_labels": 10**9, "id2label": {"0": "a"}, "problem_type": "none"},
            {"return_dict": False, "output_hidden_states": True, "chunk_size_feed_forward": 7},
            {"is_decoder": True, "add_cross_attention": True, "pruned_heads": {"0": [0]}},
        ],
    )
    def test_what_a_config_says_of_other_uses_is_not_looked_at(folder, entries):
        plain = vectors(load_encoder(folder), SENTENCE)
        assert (
            vectors(load_encoder(changed(folder, "config.json", **entries)), SENTENCE) == plain
        ).all()

    @pytest.mark.parametrize(
        "text", ["", "{}", "[]", '{"model": {"type": "WordPiece"}}', "x" * 1000]
    )
    def test_a_tokenizer_that_is_none_is_refused_in_one_line(folder, text):
        (folder / "tokenizer.json").write_text(text)
        told = r"cannot make an encoder of it|tokenizer\.json: it is"
        with pytest.raises(InputError, match=told) as refused:
            load_encoder(folder)
        assert "\n" not in str(refused.value)

    @pytest.mark.parametrize(
        "entries",
        [
            {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b", "b c"]}},
            {"model": tiny_encoder.tokenizer()["model"] | {"vocab": {"[UNK]": 10**6}}},
            {"post_processor": tiny_encoder.tokenizer()["post_processor"] | {"special_tokens": {}}},
        ],
    )
    def test_a_tokenizer_of_no_use_is_refused_in_one_line_and_nothing_else(folder, capfd, entries):
        changed(folder, "tokenizer.json", **entries)
        with pytest.raises(InputError, match="cannot make an encoder of it") as refused:
            load_encoder(folder)
        assert "\n" not in str(refused.value)
        assert capfd.readouterr() == ("", "")

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_weights_that_are_not_numbers_are_refused(folder, value):
        arrays = tiny_encoder.weights()
        arrays["embeddings.word_embeddings.weight"][3, 3] = value
        (folder / "model.safetensors").write_bytes(tiny_encoder.safetensors(arrays))
        with pytest.raises(InputError, match=r"model\.safetensors: .* not a number"):
            load_encoder(folder)

    def test_vectors_that_are_not_numbers_are_refused(folder):
        changed(folder, "config.json", layer_norm_eps=float("nan"))
        with pytest.raises(InputError, match="its vectors are not numbers"):
            load_encoder(folder)

    def test_sentences_that_are_read_at_once_have_the_vectors_that_they_have_alone(folder):
        encoder = load_encoder(folder)
        sentences = [SENTENCE, [*SENTENCE[:-1], "housesing"], ["a"] * len(SENTENCE)]
        long = [["x" * 90, *SENTENCE[1:]], SENTENCE]
        for several in (sentences, long):
            both = encoder.batch(several)
            for words, found in zip(several, both, strict=True):
                assert np.allclose(found, vectors(encoder, words), atol=1e-5)

    def test_names_of_old_files_and_of_whole_models_are_understood(folder):
        plain = vectors(load_encoder(folder), SENTENCE)
        old = {
            "bert."
            + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            ): array
            for name, array in tiny_encoder.weights().items()
        }
        old["cls.predictions.bias"] = np.zeros(3, np.float32)
        (folder / "model.safetensors").write_bytes(tiny_encoder.safetensors(old))
        assert (vectors(load_encoder(folder), SENTENCE) == plain).all()
