"""The docs show each construction in each scheme, as the program draws it today."""

import re

import pytest
from scheme_gallery import DOCS, picture

import commonground as cg
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.learning.moving import constructions_of
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.transform import tagging_of, trees_in_hub


@pytest.mark.parametrize("name", scheme_names())
def test_the_picture_of_a_scheme_is_what_the_program_draws(name, tmp_path):
    kept = (DOCS / "img" / f"schemes-{name}.svg").read_text(encoding="utf-8")
    assert picture(name, tmp_path) == kept


@pytest.mark.parametrize("name", scheme_names())
def test_the_gallery_shows_every_scheme(name):
    page = (DOCS / "schemes-drawn.md").read_text(encoding="utf-8")
    assert f"(img/schemes-{name}.svg)" in page


def test_every_construction_is_shown_in_two_languages():
    corpus = cg.read("example:schemes")
    seen: dict[str, set[str]] = {name: set() for name in CONSTRUCTIONS}
    trees = trees_in_hub(corpus, find_scheme("ud"), tagging_of(corpus, find_scheme("ud")))
    for sentence, tree in zip(corpus.sent_id, trees, strict=True):
        language = re.search(r"-([a-z]{2})$", sentence)
        for construction in constructions_of(tree):
            seen[construction].add(language[1] if language else "en")
    assert not [name for name, languages in seen.items() if len(languages) < 2]
