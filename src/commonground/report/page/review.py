"""The page on which people decide, one question at a time: analyses, reasons, a key for each.

It is about a sheet (`report/decision_sheets.py`): of probable errors, or of what annotators
disagree about. Decisions are kept in the browser as they are made, so that none is lost when the
page is loaded again; ``commonground serve`` keeps them in a file. They can be downloaded, as the
sheet with the decisions, and such a sheet can be loaded to go on elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from commonground.errors import UsageError
from commonground.formats.disagreement import Disagreement, unfit
from commonground.report.decision_sheets import Sheet, decided_sheet, keys_of, read_sheet
from commonground.report.drawing.svg import escaped
from commonground.report.page.data import packed
from commonground.report.page.page import document, resource, style

__all__ = ["WIDTH", "Review", "ReviewItem"]

WIDTH = 900
"""The width of drawings."""

_MOST_OWN = 300


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One question: what it is about, the analyses by name, and what is to be seen.

    `changes` are what a patch does if the first decision is made; `possible` tells whether it can
    be. `drawing` is the place of a drawing in those of the review, -1 for none. `asked` is what
    annotators disagree about, if they do; it tells which values of one's own are an answer.
    """

    title: str
    text: str
    analyses: tuple[tuple[str, str], ...]
    reasons: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, ...], ...] = ()
    possible: bool = True
    drawing: int = -1
    asked: Disagreement | None = None


@dataclass(frozen=True)
class Review:
    """Questions, one for each row of a sheet.

    `acts` are the decisions that can be made, with the key of each; where `other` is said, a value
    of one's own can be given instead, and is written after ``=``.
    """

    title: str
    lead: str
    note: str
    sheet: str
    acts: tuple[tuple[str, str], ...]
    items: tuple[ReviewItem, ...]
    drawings: tuple[str, ...]
    patch: bool = False
    other: bool = False

    @cached_property
    def _read(self) -> Sheet:
        return read_sheet(self.sheet, "sheet")

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """What each question is called, the same as long as it is the same question."""
        return keys_of(self._read)

    def checked(self, decisions: Mapping[str, str]) -> None:
        """Refuse decisions about other questions than these, or that nobody can make."""
        acts = [name for _, name in self.acts]
        known = dict(zip(self.keys, self.items, strict=True))
        for key, decision in decisions.items():
            if key not in known:
                raise UsageError("a decision is about something that is not on this page")
            asked, own = known[key].asked, decision[1:].strip()
            if asked is not None and decision[:1] == "=" and own and len(own) < _MOST_OWN:
                if why := unfit(asked, own):
                    raise UsageError(why)
            elif decision and decision not in acts:
                raise UsageError(f"{decision[:40]!r} is no decision here; {', '.join(acts)} are")

    def decided(self, decisions: Mapping[str, str]) -> str:
        """Return the sheet with decisions."""
        return decided_sheet(self._read, decisions)

    def page(self, *, served: bool = False) -> str:
        """Return the page; one that is `served` asks the address that it is from for decisions."""
        digest = hashlib.sha256(self.sheet.encode()).hexdigest()[:16]
        header, *rows = self.sheet.rstrip("\n").split("\n")
        blank = "\t" * header.split("\t").index("key") if self.other else "\t"
        data = {
            "key": digest, "served": served, "other": self.other, "header": header,
            "acts": [list(act) for act in self.acts], "drawings": self.drawings,
            "items": [
                _item(item, key, row.removeprefix(blank))
                for item, key, row in zip(self.items, self.keys, rows, strict=True)
            ],
        }  # fmt: skip
        body = (
            f"<header>\n<h1>{escaped(self.title)}</h1>\n</header>\n"
            f'<main id="main" class="review">\n<p>{escaped(self.lead)}</p>\n'
            f"{self._frame()}</main>\n"
            f'<script type="text/plain" id="review-data">{packed(data)}</script>\n'
        )
        script = "\n".join(resource(f"{part}.js") for part in ("theme", "data", "review"))
        sheet = f"{style()}{resource('review.css')}"
        return document(self.title, body, sheet, script, connect="'self'" if served else "'none'")

    def _frame(self) -> str:
        buttons = "".join(
            f'<button type="button" data-{what}="{escaped(name)}"><kbd>{key}</kbd> '
            f"{escaped(said)}</button>\n"
            for what, key, name, said in [
                *(("decision", key, name, name) for key, name in self.acts),
                *(("act", key, name, said) for key, name, said in _MOVES),
            ]
        )
        other = _OTHER if self.other else ""
        patch = _PATCH if self.patch else ""
        return _FRAME.format(note=escaped(self.note), buttons=buttons, other=other, patch=patch)


def _item(item: ReviewItem, key: str, row: str) -> dict[str, Any]:
    """Return a question as the script reads it."""
    return {
        "key": key, "title": item.title, "text": item.text, "analyses": item.analyses,
        "reasons": item.reasons, "changes": item.changes, "possible": item.possible,
        "drawing": item.drawing, "row": row,
        "free": item.asked is not None and not item.asked.whole,
    }  # fmt: skip


_MOVES = (
    ("u", "clear", "take back"),
    ("←", "previous", "before"),
    ("→", "next", "next"),
    ("n", "open", "next undecided"),
)
_OTHER = (
    '<form id="review-other" class="review-keys"><label>Another value <kbd>o</kbd> '
    '<input id="review-value" autocomplete="off" maxlength="200"></label></form>\n'
)
_PATCH = '<button type="button" data-act="patch">Download the patch</button>\n'
_FRAME = """<div class="review-bar" role="status" aria-live="polite">
<progress id="review-progress" value="0" aria-label="decided"></progress>
<span id="review-count"></span>
</div>
<p id="review-problem" class="notice" role="alert" hidden></p>
<article id="review-item" tabindex="-1">
<h2 id="review-title"></h2>
<p id="review-text"></p>
<table><tbody id="review-analyses"></tbody></table>
<ul id="review-reasons"></ul>
<div id="review-drawing" class="scroll"></div>
<p class="note">{note}</p>
</article>
<div class="review-keys">
{buttons}</div>
{other}<p class="review-keys">
{patch}<button type="button" data-act="table">Download all decisions</button>
<label>Load decisions <input type="file" id="review-load" accept=".tsv,text/plain"></label>
</p>
<noscript><p>This page needs its script.</p></noscript>
"""
