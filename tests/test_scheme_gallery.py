"""The docs show each construction in each scheme, as the program draws it today."""

import pytest

from commonground.schemes.library import scheme_names
from scheme_gallery import DOCS, picture


@pytest.mark.parametrize("name", scheme_names())
def test_the_picture_of_a_scheme_is_what_the_program_draws(name, tmp_path):
    kept = (DOCS / "img" / f"schemes-{name}.svg").read_text(encoding="utf-8")
    assert picture(name, tmp_path) == kept


@pytest.mark.parametrize("name", scheme_names())
def test_the_gallery_shows_every_scheme(name):
    page = (DOCS / "schemes-drawn.md").read_text(encoding="utf-8")
    assert f"(img/schemes-{name}.svg)" in page
