"""Blocks of code that can be read whole: sentences are wrapped, tables small enough for the page.

The columns of a table stand below each other, so its lines are not wrapped: the block says how many
characters its longest line has, and docs/assets/code.css chooses the size of the letters. Where
that would be too small to read, on a telephone, the table scrolls.
"""

from __future__ import annotations

import html
import re
from typing import Any

_BLOCK = re.compile(r"(<pre[^>]*>(?:<span></span>)?)<code([^>]*)>(.*?)(?=</code></pre>)", re.DOTALL)
_COLUMNS = re.compile(r" {2,}\S|\t|[\u2500-\u257f]")
_LONGEST_CELL = 90
_OPTION = re.compile(r"(?<=[\s>])--?[a-z][\w-]*")  # which a browser would break after its hyphens


def on_page_content(content: str, **_: Any) -> str:
    r"""Mark what may be wrapped in the code of a page, and say how wide the rest is.

    >>> page = "<code>LAS</code>:\n<pre><code>a is better than b\n1   a   94.81\n</code></pre>"
    >>> print(on_page_content(page))
    <code>LAS</code>:
    <pre><code style="--columns: 13" tabindex="0"><span class="sentence">a is better than b</span>
    1   a   94.81
    </code></pre>
    """
    return _BLOCK.sub(_block, content)


def _block(block: re.Match[str]) -> str:
    columns, shown = 0, []
    for line in block[3].split("\n"):
        text = html.unescape(re.sub(r"<[^>]*>", "", line))
        if text.strip() and not _in_columns(text):
            shown.append(_sentence(line))
        else:
            shown.append(line)
            columns = max(columns, len(text.expandtabs(4)))
    width = f' style="--columns: {columns}" tabindex="0"' if columns else ""
    return f"{block[1]}<code{block[2]}{width}>" + "\n".join(shown)


def _in_columns(text: str) -> bool:
    if text.startswith("$ ") or not _COLUMNS.search(text):
        return False
    # No cell is as long as this: what stands behind the gap is a sentence or code.
    return max(map(len, re.split(r" {2,}", text))) < _LONGEST_CELL or "\u2500" in text


def _sentence(line: str) -> str:
    line = _OPTION.sub(r'<span class="option">\g<0></span>', line)
    return f'<span class="sentence">{line}</span>'
