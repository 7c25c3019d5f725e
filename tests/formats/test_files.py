"""Bytes in and out."""

import gzip
import lzma
import subprocess
import sys

import pytest
import zstandard

from commonground.errors import InputError, UsageError
from commonground.formats import read, read_text, write
from commonground.formats.storage.files import block_reader, read_bytes, write_bytes

TEXT = "# sent_id = a\n1\tHä\thi\tINTJ\tUH\t_\t0\troot\t0:root\t_\n\n"
PACK = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
    "": lambda data: data,
}


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_file_is_read_like_a_plain_one(tmp_path, suffix):
    path = tmp_path / f"a.conllu{suffix}"
    path.write_bytes(PACK[suffix](TEXT.encode()))
    assert read(path) == read_text(TEXT)


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_file_is_recognised_whatever_its_name(tmp_path, suffix):
    path = tmp_path / "mystery"
    path.write_bytes(PACK[suffix](TEXT.encode()))
    assert read(path) == read_text(TEXT)


@pytest.mark.parametrize("suffix", PACK)
def test_what_is_written_packed_is_read_again(tmp_path, suffix):
    path = tmp_path / f"a.conllu{suffix}"
    write(read_text(TEXT), path)
    assert read(path) == read_text(TEXT)
    first = path.read_bytes()
    write(read_text(TEXT), path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_a_damaged_packed_file_is_said_to_be_damaged(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    packed = bytearray(PACK[suffix](TEXT.encode() * 100))
    for cut in (len(packed) // 2, len(packed) - 3):
        path.write_bytes(packed[:cut])
        with pytest.raises(InputError):
            read(path, "conllu")
    packed[len(packed) // 2] ^= 255
    path.write_bytes(packed)
    with pytest.raises(InputError):
        read(path, "conllu")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.rstrip("\n").encode(),
        TEXT.rstrip("\n").replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
    ],
    ids=["bom", "crlf", "no final newline", "crlf and no final newline", "line ends of old Macs"],
)
def test_marks_of_other_editors_are_read_over(tmp_path, data):
    path = tmp_path / "a.conllu"
    path.write_bytes(data)
    assert read(path) == read_text(TEXT)
    assert b"".join(block_reader(path, size=7)) == read_bytes(path)


def test_standard_input_and_output_are_a_dash():
    program = "import commonground.formats as f; f.write(f.read('-'), '-', 'conllu')"
    done = subprocess.run(
        [sys.executable, "-c", program], input=TEXT.encode(), capture_output=True, check=True
    )
    assert done.stdout == TEXT.encode()


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match=r"no.conllu: cannot be read: No such file"):
        read(tmp_path / "no.conllu")


def test_a_folder_is_said_to_be_one(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("old")

    def parts():
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_bytes(path, parts())
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.conllu"]


def test_a_rewritten_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("old")
    path.chmod(0o600)
    write_bytes(path, [b"new"])
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_is_written_under_the_longest_name_that_a_folder_takes(tmp_path):
    path = tmp_path / f"{'ä' * 120}.conllu"
    write_bytes(path, [b"a"])
    assert path.read_bytes() == b"a"
    assert list(tmp_path.iterdir()) == [path]


def test_an_unwritable_place_is_said_to_be_one(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        write(read_text(TEXT), tmp_path / "no" / "a.conllu")


def test_the_suffix_of_the_output_must_tell_a_format(tmp_path):
    with pytest.raises(UsageError, match="does not tell the format"):
        write(read_text(TEXT), tmp_path / "a.txt")
