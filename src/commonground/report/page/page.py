"""A report as one self-contained HTML page.

Style and script are in the page, and nothing is loaded from anywhere. A Content-Security-Policy
names them by their hashes, so that nothing else in the page can act, whatever the treebanks hold.
Without the script the page is all there but for the drawings; with it tables are sorted and
filtered, examples open and sentences are searched.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files

from commonground import __version__
from commonground.report.drawing.style import STYLE
from commonground.report.drawing.svg import escaped
from commonground.report.page.data import Openings, packed_albums, packed_drawings
from commonground.report.page.sections import (
    Album,
    Block,
    Browser,
    Chapter,
    Example,
    Examples,
    Figure,
    ReportPage,
    Section,
    TableBlock,
    Text,
)
from commonground.report.page.table import table_html

__all__ = ["document", "page", "resource", "style"]

_SCRIPTS = ("theme", "tables", "data", "examples", "sentences", "copy")


def page(report: ReportPage) -> str:
    """Return a report as HTML."""
    openings = Openings()
    several = len(report.chapters) > 1
    chapters = [
        _chapter(chapter, number, openings, several=several)
        for number, chapter in enumerate(report.chapters)
    ]
    albums = [chapter.album for chapter in report.chapters]
    body = (
        '<a class="skip" href="#main">Skip to the results</a>\n'
        f"<header>\n{_back(report)}<h1>{escaped(report.title)}</h1>\n</header>\n"
        f'<nav aria-label="Contents">\n{_contents(report)}</nav>\n'
        f'<main id="main">\n{"".join(chapters)}</main>\n'
        f"<footer>Made by commonground {__version__}</footer>\n"
        f"{_DIALOG}"
        f'<script type="text/plain" id="albums">{packed_albums(albums, openings)}</script>\n'
        f'<script type="text/plain" id="drawings">{packed_drawings(albums)}</script>\n'
    )
    return document(report.title, body, style(), "\n".join(map(_script, _SCRIPTS)))


def _back(report: ReportPage) -> str:
    if report.back is None:
        return ""
    title, address = report.back
    return f'<p class="back"><a href="{escaped(address)}">← {escaped(title)}</a></p>\n'


def document(
    title: str, body: str, style: str, script: str, form: str = "'none'", connect: str = "'none'"
) -> str:
    """Return a page in which nothing acts but this style and this script.

    `form` is where forms may be sent to, and `connect` what the script may ask, in the words of a
    Content-Security-Policy.
    """
    first = resource("chosen_theme.js")
    policy = (
        f"default-src 'none'; script-src {_hash(first)} {_hash(script)}; style-src {_hash(style)}; "
        f"img-src data:; base-uri 'none'; form-action {form}; connect-src {connect}"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escaped(title)}</title>\n<script>{first}</script>\n"
        f"<style>{style}</style>\n</head>\n<body>\n"
        f'{body}<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def resource(name: str) -> str:
    """Return a file that belongs to the page."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def style() -> str:
    """Return the style of all pages, drawings included."""
    return f"{resource('page.css')}{STYLE}"


def _script(name: str) -> str:
    return resource(f"{name}.js")


_DIALOG = (
    '<dialog id="examples" aria-labelledby="examples-title">\n'
    '<div class="bar"><h2 id="examples-title"></h2>'
    '<button type="button" id="examples-close" aria-label="Close">✕</button></div>\n'
    '<div id="examples-list"></div>\n</dialog>\n'
)


# ── contents ─────────────────────────────────────────────────────────────────────────────────────


def _contents(report: ReportPage) -> str:
    several = len(report.chapters) > 1
    lines = ["<ul>"]
    for number, chapter in enumerate(report.chapters):
        links = "".join(
            f'<li><a href="#{_anchor(number, section)}">{escaped(section.title)}</a></li>'
            for section in chapter.sections
        )
        if several:
            title = f'<a href="#chapter-{number}">{escaped(chapter.title)}</a>'
            links = f"<li>{title}<ul>{links}</ul></li>"
        lines.append(links)
    return "\n".join([*lines, "</ul>", ""])


def _anchor(chapter: int, section: Section) -> str:
    """Return the name of a section in addresses.

    >>> _anchor(0, Section("Worst sentences", ()))
    'c0-worst-sentences'
    """
    return f"c{chapter}-{re.sub(r'[^a-z0-9]+', '-', section.title.lower()).strip('-')}"


# ── chapters, sections, blocks ───────────────────────────────────────────────────────────────────


def _chapter(chapter: Chapter, number: int, openings: Openings, *, several: bool) -> str:
    heading = 3 if several else 2
    title = f"<h2>{escaped(chapter.title)}</h2>\n" if several else ""
    sections = "".join(
        _section(section, chapter, number, openings, heading) for section in chapter.sections
    )
    return (
        f'<article id="chapter-{number}" data-chapter="{number}">\n{title}{_facts(chapter)}'
        f"{sections}{_origin(chapter, heading)}</article>\n"
    )


def _facts(chapter: Chapter) -> str:
    if not chapter.facts:
        return ""
    pairs = (
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>"
        for name, value in chapter.facts.items()
    )
    return f'<dl class="facts">{"".join(pairs)}</dl>\n'


def _section(
    section: Section, chapter: Chapter, number: int, openings: Openings, heading: int
) -> str:
    anchor = _anchor(number, section)
    blocks = "".join(
        _block(block, chapter.album, number, openings, f"{anchor}-{place}")
        for place, block in enumerate(section.blocks)
    )
    return (
        f'<section aria-labelledby="{anchor}">\n'
        f'<h{heading} id="{anchor}">{escaped(section.title)}</h{heading}>\n{blocks}</section>\n'
    )


def _origin(chapter: Chapter, heading: int) -> str:
    """Return where the numbers come from: the command that makes them again, the signature."""
    parts = []
    if chapter.command:
        parts.append(
            f'<div class="code"><pre><code>{escaped(chapter.command)}</code></pre></div>\n'
        )
    if chapter.signature:
        parts.append(
            f'<details class="signature"><summary>Signature</summary>'
            f"<dl>{''.join(_signature(chapter.signature))}</dl>"
            f'<div class="code"><pre><code>{escaped(chapter.signature)}</code></pre></div>'
            "</details>\n"
        )
    if not parts:
        return ""
    title = f"<h{heading}>How to make it again</h{heading}>\n"
    return f'<section class="origin">\n{title}{"".join(parts)}</section>\n'


def _signature(signature: str) -> Iterator[str]:
    for part in signature.split("|"):
        name, _, value = part.partition(":")
        yield f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>"


def _block(block: Block, album: Album, chapter: int, openings: Openings, anchor: str) -> str:
    match block:
        case Text():
            kind = ' class="notice" role="note"' if block.notice else ""
            return f"<p{kind}>{escaped(block.text)}</p>\n"
        case TableBlock():
            return table_html(block, anchor, lambda opening: openings.number(opening, chapter))
        case Figure():
            return _figure(block)
        case Examples():
            examples = (_example(example, album) for example in block.examples)
            title = f'<p class="title">{escaped(block.title)}</p>\n' if block.title else ""
            return f'{title}<div class="examples">\n{"".join(examples)}</div>\n'
        case Browser():
            return f'<div class="browser" data-title="{escaped(block.title)}">{_NEEDS_SCRIPT}</div>'


_NEEDS_SCRIPT = "<noscript><p>The list of all sentences needs JavaScript.</p></noscript>\n"


def _figure(figure: Figure) -> str:
    """Return a plot as an image, which cannot act and brings a style of its own."""
    source = base64.b64encode(figure.svg.encode()).decode()
    words = escaped(" ".join(part for part in (figure.title, figure.caption) if part))
    return (
        f'<figure><img src="data:image/svg+xml;base64,{source}" alt="{words}">'
        f"<figcaption>{words}</figcaption></figure>\n"
    )


def _example(example: Example, album: Album) -> str:
    pictures = ",".join(map(str, example.pictures))
    remark = f' <span class="remark">{escaped(example.remark)}</span>' if example.remark else ""
    return (
        f'<details data-sentence="{example.sentence}" data-pictures="{pictures}">'
        f'<summary><span class="id">{escaped(album.ids[example.sentence])}</span>{remark}'
        f'<bdi class="said">{escaped(album.texts[example.sentence])}</bdi></summary></details>\n'
    )
