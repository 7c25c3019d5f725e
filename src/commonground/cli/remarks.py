"""What is said on standard error: remarks and errors, a line each."""

from __future__ import annotations

import click

from commonground.report.visible import visible

__all__ = ["remark"]


def remark(line: str) -> None:
    """Say a line on standard error, in which nothing from a file can steer the terminal."""
    click.echo(visible(line), err=True)
