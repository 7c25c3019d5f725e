"""Model files: what is written is read again, and everything else is refused with one line."""

from __future__ import annotations

import re
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.parsers.model_file import Stored, model_bytes, read_model, write_model


def a_model():
    inner = Stored("tagger", {"tags": ["NN", "ü"]}, {"w": np.arange(4, dtype=np.int16)})
    arrays = {"w": np.zeros((50, 3), np.int32), "empty": np.empty(0, np.float32)}
    return Stored("arc-eager", {"labels": ["a"], "x": 0.5}, arrays, {"tagger": inner})


def test_a_model_comes_back_as_it_was(tmp_path):
    write_model(a_model(), tmp_path / "m")
    result = read_model(tmp_path / "m")
    assert (result.parser, result.metadata) == ("arc-eager", {"labels": ["a"], "x": 0.5})
    assert result.arrays["w"].dtype == np.int32
    assert result.arrays["w"].shape == (50, 3)
    assert result.arrays["empty"].shape == (0,)
    assert result.parts["tagger"].metadata["tags"] == ["NN", "ü"]
    assert result.parts["tagger"].arrays["w"].tolist() == [0, 1, 2, 3]


def test_the_same_model_makes_the_same_bytes():
    assert b"".join(model_bytes(a_model())) == b"".join(model_bytes(a_model()))


def test_big_endian_arrays_are_stored_as_the_others_are():
    big = Stored("x", {}, {"w": np.arange(3, dtype=">i4")})
    little = Stored("x", {}, {"w": np.arange(3, dtype="<i4")})
    assert b"".join(model_bytes(big)) == b"".join(model_bytes(little))


@pytest.mark.parametrize("content", [b"", b"\x89CGMO", b"1\tHi\n", b"\x80\x04\x95 pickled"])
def test_a_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(InputError, match="it is not a model"):
        read_model(tmp_path / "m")


def test_a_model_cut_off_anywhere_is_refused(tmp_path):
    data = b"".join(model_bytes(a_model()))
    for end in range(0, len(data), 7):
        (tmp_path / "m").write_bytes(data[:end])
        with pytest.raises(InputError, match=r"not a model|not a good model"):
            read_model(tmp_path / "m")


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_model_with_one_wrong_bit_is_refused(tmp_path_factory, place, bit):
    data = bytearray(b"".join(model_bytes(a_model())))
    data[place % len(data)] ^= 1 << bit
    path = tmp_path_factory.mktemp("wrong") / "m"
    path.write_bytes(bytes(data))
    with pytest.raises(InputError):
        read_model(path)


@pytest.mark.parametrize("length", ['"<u2"', "Infinity", "1.5", "null", "[]", "1" * 5000])
def test_a_length_that_is_no_whole_number_is_refused(tmp_path, length):
    data = b"".join(model_bytes(a_model()))
    size = int.from_bytes(data[12:20], "little")
    header = re.sub(rb'"length":\d+', b'"length":' + length.encode(), data[24 : 24 + size])
    start = data[:12] + len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(4, "little")
    (tmp_path / "m").write_bytes(start + header + data[24 + size :])
    with pytest.raises(InputError, match="its header does not describe a model"):
        read_model(tmp_path / "m")


def test_a_model_with_more_at_its_end_is_refused(tmp_path):
    (tmp_path / "m").write_bytes(b"".join(model_bytes(a_model())) + b"x")
    with pytest.raises(InputError, match="1 superfluous bytes"):
        read_model(tmp_path / "m")


def test_a_model_from_the_future_is_refused(tmp_path):
    data = bytearray(b"".join(model_bytes(a_model())))
    data[8] = 2
    (tmp_path / "m").write_bytes(bytes(data))
    with pytest.raises(InputError, match="it has version 2; this program reads 1"):
        read_model(tmp_path / "m")


def test_a_model_may_be_compressed(tmp_path):
    write_model(a_model(), tmp_path / "m.gz")
    assert read_model(tmp_path / "m.gz").parser == "arc-eager"


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        write_model(a_model(), tmp_path / "no" / "m")
