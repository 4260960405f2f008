"""Text on the standard output, and complaints beside it."""

from __future__ import annotations

import sys

import click


def show(text: str) -> None:
    """Print text; where the shell closed the output the command fails as for a closed pipe."""
    if sys.stdout is None:
        raise BrokenPipeError
    click.echo(text)


def complain(message: str) -> None:
    """Print one line on the standard error output."""
    click.echo(f"sciml: {' '.join(message.split())}", err=True)
