"""``commonground tag``: tags for a file."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.model_command import model_arguments, rewrite


@click.command()
@model_arguments
def command(**given: Any) -> None:
    """Tag files with a trained model.

    MODEL is a tagger (commonground train --parser tagger) or a parser trained on predicted tags.
    UPOS, XPOS, FEATS and lemmas are replaced; trees stay as they are. IN can be plain text, as with
    'commonground parse'. If IN is a folder or a
    pattern, OUT is a folder that gets a file of the same name for each.

    \b
    Examples:
      commonground train example:ud --parser tagger -o m && commonground tag m example:ud -
    """
    from commonground.parsers.files import tag_file

    rewrite(tag_file, **given)
