"""The page on which probable errors are reviewed: both analyses, the reasons, and three keys.

Decisions are kept in the browser as they are made, so that none is lost when the page is loaded
again. They can be downloaded, as a patch of what was accepted or as a table of everything, and a
table can be loaded to go on elsewhere.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.plurals import number_of
from commonground.proofreading.suspects import AnnotationErrors, Suspect
from commonground.report.drawing import draw, draw_difference
from commonground.report.drawing.svg import escaped
from commonground.report.page.data import packed
from commonground.report.page.page import document, resource, style
from commonground.report.visible import visible

__all__ = ["review_page"]

WIDTH = 900
"""The width of drawings."""


def review_page(errors: AnnotationErrors, treebank: Dependencies, name: str) -> str:
    """Return the page for the suspects of a treebank, which is called `name`."""
    places = _places(treebank)
    items = [_item(each, treebank, places) for each in errors.suspects]
    digest = hashlib.sha256(errors.signature.encode()).hexdigest()[:16]
    data = {"key": digest, "items": items}
    body = (
        f"<header>\n<h1>Probable errors in {escaped(visible(name))}</h1>\n</header>\n"
        f'<main id="main" class="review">\n'
        f"<p>{number_of(len(errors), 'word')} of {errors.words:,}, the most doubtful first.</p>\n"
        f"{_FRAME}</main>\n"
        f'<script type="text/plain" id="review-data">{packed(data)}</script>\n'
    )
    script = "\n".join(resource(f"{part}.js") for part in ("theme", "data", "review"))
    sheet = f"{style()}{resource('review.css')}"
    return document("Probable errors", body, sheet, script)


_FRAME = """<div class="review-bar" role="status" aria-live="polite">
<progress id="review-progress" value="0"></progress> <span id="review-count"></span>
</div>
<article id="review-item" tabindex="-1">
<h2 id="review-title"></h2>
<p id="review-text"></p>
<table><tbody>
<tr><th scope="row">as it stands</th><td id="review-old"></td></tr>
<tr><th scope="row">proposed</th><td id="review-new"></td></tr>
</tbody></table>
<ul id="review-reasons"></ul>
<div id="review-drawing" class="scroll"></div>
<p class="note">Above the words: as it stands; below: as proposed.</p>
</article>
<div class="review-keys">
<button type="button" data-act="accept"><kbd>a</kbd> accept</button>
<button type="button" data-act="reject"><kbd>r</kbd> reject</button>
<button type="button" data-act="skip"><kbd>s</kbd> skip</button>
<button type="button" data-act="clear"><kbd>u</kbd> take back</button>
<button type="button" data-act="previous"><kbd>←</kbd> before</button>
<button type="button" data-act="next"><kbd>→</kbd> next</button>
<button type="button" data-act="open"><kbd>n</kbd> next undecided</button>
</div>
<p class="review-keys">
<button type="button" data-act="patch">Download the patch</button>
<button type="button" data-act="table">Download all decisions</button>
<label>Load decisions <input type="file" id="review-load" accept=".tsv,text/plain"></label>
</p>
<noscript><p>This page needs its script.</p></noscript>
"""


def _places(treebank: Dependencies) -> dict[str, int]:
    """Return the sentences by the names that suspects have for them."""
    ids = {name: place for place, name in enumerate(treebank.sent_id.tolist())}
    return ids | {f"#{place}": place - 1 for place in range(1, len(treebank) + 1)}


def _item(each: Suspect, treebank: Dependencies, places: dict[str, int]) -> dict[str, Any]:
    """Return a suspect as the script reads it."""
    sentence = treebank[[places[each.sentence]]]
    forms = ["ROOT", *sentence.form.tolist()]

    def arc(label: str, head: int) -> str:
        return visible(f"{label} of {forms[head]} ({head})" if head else f"{label} of ROOT")

    changes = [[c.word, c.column, c.old, c.new] for c in each.changes()]
    return {
        "sentence": each.sentence, "word": each.word, "form": visible(each.form),
        "text": visible(each.text), "doubt": round(each.doubt, 3),
        "old": arc(each.deprel, each.head),
        "new": arc(each.new_deprel, each.new_head) if each.proposed else "",
        "reasons": [[reason.kind, visible(reason.text)] for reason in each.reasons],
        "changes": changes, "drawing": _drawing(each, sentence),
    }  # fmt: skip


def _drawing(each: Suspect, sentence: Dependencies) -> str:
    if not each.proposed:
        return draw(sentence, standalone=False, widest=WIDTH)
    head = sentence.head.copy()
    label = sentence.deprel.tolist()
    head[each.word - 1], label[each.word - 1] = each.new_head, each.new_deprel
    proposed = sentence.replace("words", head=head.astype(np.int32), deprel=Strings.of(label))
    names = ("as it stands", "proposed")
    return draw_difference(proposed, sentence, standalone=False, widest=WIDTH, names=names)
