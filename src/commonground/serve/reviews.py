"""Decisions made on served pages, kept beside the result in a sheet that ``apply`` reads."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import msgspec

from commonground.dispatch import can, perform
from commonground.errors import InputError, UsageError
from commonground.evaluation.saved import read_result
from commonground.formats.storage.files import read_utf8, write_bytes
from commonground.report.decision_sheets import made_decisions, read_sheet
from commonground.report.page.review import Review
from commonground.serve.page_cache import PageCache

__all__ = ["MOST_BYTES", "Reviews", "decisions_file"]

MOST_BYTES = 4_000_000
"""The maximum size of decisions that are sent at once."""

_MOST_KEPT = 64_000_000


def decisions_file(result: Path) -> Path:
    """Return the file of the decisions about a result.

    >>> decisions_file(Path("errors.json")).name
    'errors.decisions.tsv'
    """
    return result.with_name(f"{result.stem}.decisions.tsv")


class Reviews:
    """The reviews of saved results, and what is decided in them."""

    def __init__(self) -> None:
        self._made = PageCache(_review, _MOST_KEPT, lambda each: sum(map(len, each.drawings)))
        self._pages = PageCache(lambda path: self._made.page(path).page(served=True))
        self._lock = Lock()

    def page(self, result: Path) -> str:
        """Return the page on which people decide about a result."""
        return self._pages.page(result)

    def decisions(self, result: Path) -> dict[str, str]:
        """Return what was decided about a result so far."""
        return self._kept(self._made.page(result), decisions_file(result))

    def decide(self, result: Path, sent: bytes) -> None:
        """Add decisions, a JSON object by the keys of questions, to those that are kept."""
        try:
            new = msgspec.json.decode(sent, type=dict[str, str])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(f"these are no decisions: {error}") from error
        review, file = self._made.page(result), decisions_file(result)
        review.checked(new)
        with self._lock:
            made = self._kept(review, file) | new
            write_bytes(file, [review.decided(made).encode("utf-8", "backslashreplace")])

    def _kept(self, review: Review, file: Path) -> dict[str, str]:
        if file.is_symlink():  # it would lead out of the folder
            raise InputError(file.name, 0, "it is a link; decisions need a file of their own")
        if not file.exists():
            return {}
        made = made_decisions(read_sheet(read_utf8(file, "a sheet"), file.name))
        try:
            review.checked(made)
        except UsageError as error:
            raise InputError(
                file.name, 0, f"{error}; it is of another result: move it elsewhere to begin anew"
            ) from error
        return made


def _review(path: Path) -> Review:
    result = read_result(path)
    if not can("review", result):
        raise UsageError("there is nothing to decide about this result; errors and agreement have")
    review: Review = perform("review", result)
    return review
