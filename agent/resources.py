"""Location of the default settings. `reasoner.language.bundled` locates the bundled games.

In a checkout and an editable install, they are in the folder `config` beside the packages. A regular install has this
folder inside the package `agent`, where no other distribution can overwrite it.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
INSTALLED = "bundled"
"""Folder inside the package for the files of a regular install; `setup.py` creates it."""


def resources(name: str) -> Path:
    """Return the path of the folder `name`."""
    inside = PACKAGE / INSTALLED / name
    return inside if inside.is_dir() else PACKAGE.parent / name
