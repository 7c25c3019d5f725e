"""The page of what was measured about schemes is what its tables say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_generated():
    """``python docs/scheme_tables.py`` writes it anew."""
    spec = importlib.util.spec_from_file_location("scheme_tables", DOCS / "scheme_tables.py")
    assert spec is not None
    assert spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    assert tables.PAGE.read_text(encoding="utf-8") == tables.page()
