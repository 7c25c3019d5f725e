"""The folder of an encoder, as small as can be: BERT with random weights, written by hand."""

from __future__ import annotations

import json

import numpy as np

HIDDEN, PLACES = 16, 24
WORDS = ("the", "a", "house", "book", "das", "ein", "haus", "buch", "sing", "##s", "##ing")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = tuple(
    dict.fromkeys(
        ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *_LETTERS, *(f"##{one}" for one in _LETTERS))
    )
)


def config(**changes):
    """What the network is."""
    return {
        "model_type": "bert",
        "vocab_size": len(PIECES),
        "hidden_size": HIDDEN,
        "intermediate_size": 20,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "max_position_embeddings": PLACES,
        "type_vocab_size": 2,
        "pad_token_id": 0,
    } | changes


def weights(seed=1):
    """All weights, by the names that they have in files; words of the same meaning are similar."""
    random = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), HIDDEN),
        "embeddings.position_embeddings.weight": (PLACES, HIDDEN),
        "embeddings.token_type_embeddings.weight": (2, HIDDEN),
    }
    for layer in range(3):
        for name, out, into in (
            *((f"attention.self.{role}", HIDDEN, HIDDEN) for role in ("query", "key", "value")),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", 20, HIDDEN),
            ("output.dense", HIDDEN, 20),
        ):
            shapes[f"encoder.layer.{layer}.{name}.weight"] = (out, into)
            shapes[f"encoder.layer.{layer}.{name}.bias"] = (out,)
    made = {name: random.normal(0, 0.02, shape) for name, shape in shapes.items()}
    table = made["embeddings.word_embeddings.weight"]
    table[:] = random.normal(0, 1, table.shape)
    for one, two in (("the", "das"), ("a", "ein"), ("house", "haus"), ("book", "buch")):
        table[PIECES.index(two)] = table[PIECES.index(one)] + random.normal(0, 0.1, HIDDEN)
    norms = ["embeddings.LayerNorm"]
    norms += [
        f"encoder.layer.{n}.{part}output.LayerNorm" for n in range(3) for part in ("attention.", "")
    ]
    for name in norms:
        made[f"{name}.weight"], made[f"{name}.bias"] = np.ones(HIDDEN), np.zeros(HIDDEN)
    return {name: array.astype(np.float32) for name, array in made.items()}


def safetensors(arrays):
    """The bytes of a file of weights: length of the header, header, numbers."""
    header, blobs, end = {}, [], 0
    for name, array in arrays.items():
        blobs.append(array.tobytes())
        header[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [end, end + len(blobs[-1])],
        }
        end += len(blobs[-1])
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + b"".join(blobs)


def tokenizer():
    """How words are cut into pieces: WordPiece, with marks around the sentence."""

    def mark(text):
        return {"id": text, "ids": [PIECES.index(text)], "tokens": [text]}

    around = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    return {
        "version": "1.0",
        "truncation": {
            "direction": "Right",
            "max_length": 8,
            "strategy": "LongestFirst",
            "stride": 0,
        },
        "padding": None,
        "added_tokens": [
            {
                "id": at,
                "content": text,
                "special": True,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
            }
            for at, text in enumerate(PIECES[:4])
        ],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": around,
            "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {text: mark(text) for text in ("[CLS]", "[SEP]")},
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {text: at for at, text in enumerate(PIECES)},
        },
    }


def write_encoder(folder, *, seed=1, **changes):
    """Write the folder of an encoder, with changes of its config."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config(**changes)))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))
    (folder / "model.safetensors").write_bytes(safetensors(weights(seed)))
    return folder
