"""Output files of commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click


def check_outputs(source: str | Path, *outputs: str | Path | None) -> None:
    """Raise UsageError before the work if an output cannot be written, is the input, or is another output."""
    named = [Path(output) for output in outputs if output is not None]
    given = [file for file in named if file.is_file() or not file.exists()]  # not terminals, pipes
    files = [Path(os.path.realpath(file)) for file in given]  # `resolve` fails at a link to itself
    for file in files:
        if files.count(file) > 1:
            raise click.UsageError(f"two outputs are written to {file}: name another file for one of them")
    for output in outputs:
        if output is not None and Path(source).exists() and Path(output).exists() and Path(source).samefile(output):
            raise click.UsageError(f"{output} is the file that the command reads: name another file for the output")
    for file in given:
        if not file.parent.is_dir():
            raise click.UsageError(f"cannot write {file}: there is no folder {file.parent}; create it first")
        if not all(os.access(place, os.W_OK) for place in (file.parent, file) if place.exists()):
            raise click.UsageError(f"cannot write {file}: permission denied; name another file")


@contextmanager
def writing(file: Path | None) -> Iterator[None]:
    """Turn an error of the operating system into a message that names the file; None: nothing is written to one."""
    try:
        yield
    except OSError as error:
        if file is None:
            raise
        raise click.ClickException(f"cannot write {file}: {error.strerror or error}; name another file") from None
