"""Commands and sentences in blocks of code are wrapped where they are too long for the page.

Tables are not, as their columns stand below each other: they scroll.
"""

from __future__ import annotations

import html
import re
from typing import Any

_BLOCK = re.compile(r"(<pre[^>]*>(?:<span></span>)?<code[^>]*>)(.*?)(?=</code></pre>)", re.DOTALL)
_COLUMNS = re.compile(r" {2,}\S|\t|[\u2500-\u257f]")
_OPTION = re.compile(r"(?<=[\s>])--?[a-z][\w-]*")  # which a browser would break after its hyphens


def on_page_content(content: str, **_: Any) -> str:
    r"""Mark what may be wrapped in the code of a page.

    >>> page = "<code>LAS</code>:\n<pre><code>a is better than b\n1   a   94.81\n</code></pre>"
    >>> print(on_page_content(page))
    <code>LAS</code>:
    <pre><code><span class="sentence">a is better than b</span>
    1   a   94.81
    </code></pre>
    """
    return _BLOCK.sub(lambda block: block[1] + "\n".join(map(_line, block[2].split("\n"))), content)


def _line(line: str) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", "", line))
    if not text.strip() or (_COLUMNS.search(text) and not text.startswith("$ ")):
        return line
    line = _OPTION.sub(r'<span class="option">\g<0></span>', line)
    return f'<span class="sentence">{line}</span>'
