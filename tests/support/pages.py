"""Pages of reports, made and taken apart."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser

from commonground.cli import main


def saved(path, *arguments):
    """Run a verb and save its result; return the path."""
    assert main([*map(str, arguments), "--output-format", "json", "-o", str(path)]) == 0
    return path


def block(html, name):
    """What is packed into a page."""
    packed = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', html)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


class Seen(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, html):
        super().__init__()
        self.elements = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def of(self, tag, name=None):
        return [a for t, a in self.elements if t == tag and (name is None or name in a)]
