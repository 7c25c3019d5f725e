"""Files in and out: one module per format, found by name, by content or by suffix."""

from commonground.formats.format import Format, FormatOptions
from commonground.formats.registry import (
    detect,
    find_format,
    format_names,
    read_text,
    write,
    write_text,
)
from commonground.formats.storage.chunks import read_chunks
from commonground.formats.storage.folders import read

__all__ = [
    "Format",
    "FormatOptions",
    "detect",
    "find_format",
    "format_names",
    "read",
    "read_chunks",
    "read_text",
    "write",
    "write_text",
]
