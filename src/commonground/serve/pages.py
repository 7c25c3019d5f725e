"""The pages of the server besides the reports: the list of results, and errors."""

from __future__ import annotations

from urllib.parse import quote

from commonground.metrics.settings import PRESETS
from commonground.report.drawing.svg import escaped
from commonground.report.page.page import document, resource, style
from commonground.serve.folder import Folder, Listed

__all__ = ["error_page", "index_page"]


def index_page(folder: Folder, limit: int) -> str:
    """Return the page with the results of a folder, and the form for files to evaluate."""
    results = folder.results()
    rows = "".join(map(_row, results)) or "<p>There are no saved results in this folder yet.</p>\n"
    body = (
        f"{_HEADER}"
        '<main id="main">\n<section aria-labelledby="results">\n'
        f'<h2 id="results">Results</h2>\n<p class="note">{escaped(str(folder.path))}</p>\n'
        f'<ul class="results">\n{rows}</ul>\n</section>\n{_form(limit)}</main>\n'
    )
    return _document("Common Ground", body)


_HEADER = "<header>\n<h1>Common Ground</h1>\n</header>\n"


def _row(result: Listed) -> str:
    return (
        f'<li><a href="result/{escaped(quote(result.name))}">{escaped(result.name)}</a> '
        f'<span class="remark">{escaped(result.written)}</span>'
        f'<code class="said">{escaped(result.command)}</code></li>\n'
    )


def _form(limit: int) -> str:
    presets = "".join(f"<option>{escaped(name)}</option>" for name in PRESETS)
    return (
        '<section aria-labelledby="evaluate">\n<h2 id="evaluate">Evaluate files</h2>\n'
        '<form method="post" action="evaluate" enctype="multipart/form-data" '
        f'data-limit="{limit}">\n<div class="drops">\n'
        '<label class="drop">Gold standard '
        '<span class="chosen">Choose a file, or drop it here</span>'
        '<input type="file" name="gold" required></label>\n'
        '<label class="drop">Parses '
        '<span class="chosen">Choose one or more, or drop them here</span>'
        '<input type="file" name="parse" multiple required></label>\n</div>\n'
        '<p><label>Compare as <select name="preset"><option value="">the files are</option>'
        f"{presets}</select></label> <button>Evaluate</button></p>\n"
        '<p class="notice" role="alert" hidden></p>\n'
        f'<p class="note">At most {limit / 1e6:,.0f} MB. The files stay on this computer, in the '
        "folder uploads beside the results.</p>\n</form>\n</section>\n"
    )


def error_page(title: str, message: str, back: str) -> str:
    """Return a page that says what went wrong, with a link back to the list at an address."""
    body = (
        f'{_HEADER}<main id="main">\n<h2>{escaped(title)}</h2>\n'
        f'<p class="notice" role="alert">{escaped(message)}</p>\n'
        f'<p><a href="{escaped(back)}">Back to the results</a></p>\n</main>\n'
    )
    return _document(title, body)


def _document(title: str, body: str) -> str:
    script = resource("theme.js") + resource("upload.js")
    return document(title, body, style(), script, form="'self'")
