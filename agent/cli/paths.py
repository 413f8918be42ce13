"""Types of options that name files and folders."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import click


class _NamedPath(click.Path):
    """A path that is not empty.

    click accepts "", as from a variable of a shell that is not set; `Path` would take it for the current folder.
    """

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """Convert a value. Raises click.BadParameter."""
        if value == "":
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)


FILE = _NamedPath(dir_okay=False, path_type=Path)
FOLDER = _NamedPath(file_okay=False, path_type=Path)
READABLE_FILE = _NamedPath(exists=True, dir_okay=False, path_type=Path)
