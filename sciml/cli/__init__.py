"""The command line."""

from __future__ import annotations


def main() -> None:
    """Run the command line and leave with its exit code."""
    from .commands import run_cli

    raise SystemExit(run_cli())
