"""What the page's script needs, packed into the page: sentences, openings, drawings.

Everything is one JSON value, deflated and written in base64, which can break no page whatever is in
it. Drawings stand by themselves, because they are many and are unpacked only when one is opened.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from commonground.report.page.sections import Album, Example, Opening
from commonground.report.visible import visible

__all__ = ["Openings", "packed", "packed_albums", "packed_drawings"]


class Openings:
    """Numbers what cells open, in the order in which the page comes across it."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []

    def number(self, opening: Opening, chapter: int) -> int:
        """Return the number by which the script finds an opening."""
        self.entries.append(
            {
                "title": visible(opening.title),
                "chapter": chapter,
                "examples": [example_json(example) for example in opening.examples],
            }
        )
        return len(self.entries) - 1


def example_json(example: Example) -> list[Any]:
    """Return an example as the script reads it; what is missing at its end is left out."""
    values: list[Any] = [
        example.sentence,
        list(example.pictures),
        list(example.word) if example.word else 0,
        visible(example.remark),
    ]
    while not values[-1]:
        values.pop()
        if len(values) == 1:
            break
    return values


def packed_albums(albums: Sequence[Album], openings: Openings) -> str:
    """Return all but the drawings: the sentences of each chapter, and what cells open."""
    return packed({"chapters": list(map(_album_json, albums)), "openings": openings.entries})


def _album_json(album: Album) -> dict[str, Any]:
    return {
        "ids": list(map(visible, album.ids)),
        "texts": list(map(visible, album.texts)),
        "pictures": list(map(visible, album.pictures)),
        "scales": [
            {
                "title": visible(scale.title),
                "decimals": scale.decimals,
                "listed": scale.listed,
                "values": [_rounded(value, scale.decimals) for value in scale.values],
            }
            for scale in album.scales
        ],
        "commands": list(map(visible, album.commands)),
    }


def _rounded(value: float | None, decimals: int) -> float | None:
    if value is None:
        return None
    return round(value, decimals) if decimals else round(value)


def packed_drawings(albums: Sequence[Album]) -> str:
    """Return the drawings by ``chapter.sentence.picture``."""
    return packed(
        {
            f"{chapter}.{sentence}.{picture}": svg
            for chapter, album in enumerate(albums)
            for (sentence, picture), svg in album.drawings.items()
        }
    )


def packed(value: Any) -> str:
    """Return a value as deflated JSON in base64.

    >>> zlib.decompress(base64.b64decode(packed(["</script>"])))
    b'["</script>"]'
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(written.encode())).decode()
