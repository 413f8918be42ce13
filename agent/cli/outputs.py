"""Output files of commands."""

from __future__ import annotations

from pathlib import Path

import click


def keep_input(source: str | Path, *outputs: str | Path | None) -> None:
    """Raise UsageError if an output file is the input file, which would be lost."""
    for output in outputs:
        if output is not None and Path(source).exists() and Path(output).exists() and Path(source).samefile(output):
            raise click.UsageError(f"{output} is the file that the command reads: name another file for the output")
