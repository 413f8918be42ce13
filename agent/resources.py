"""Location of the default settings, and a test for writable folders. `reasoner.language.bundled` locates games.

In a checkout and an editable install, they are in the folder `config` beside the packages. A regular install has this
folder inside the package `agent`, where no other distribution can overwrite it.
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).parent
INSTALLED = "bundled"
"""Folder inside the package for the files of a regular install; `setup.py` creates it."""


def resources(name: str) -> Path:
    """Return the path of the folder `name`."""
    inside = PACKAGE / INSTALLED / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def writable(folder: Path) -> bool:
    """Test whether a folder, or its nearest existing parent, is writable."""
    existing = next((path for path in (folder, *folder.absolute().parents) if path.exists()), folder)
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
