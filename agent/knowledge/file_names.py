"""The names of the files of studied games; without loading kernels."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

NETWORK, EVALUATION = ".npz", ".evaluation.json"
"""Suffixes of the files of a network and of an evaluation, after the key of the game."""
_KEY = re.compile(r"[0-9]+-[0-9a-f]{40}")


def is_key(text: str) -> bool:
    """Whether a text has the form of a game's key (`reasoner.identity`)."""
    return _KEY.fullmatch(text) is not None


def key_of(name: str) -> str:
    """Return the key in the name of a file; the empty text for other files."""
    suffix = next((suffix for suffix in (NETWORK, EVALUATION) if name.endswith(suffix)), name)
    return name.removesuffix(suffix)


def stored_files(folder: Path) -> Iterator[Path]:
    """Yield the paths of all files of studied games; none if there is no folder. Raises OSError."""
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if is_key(key_of(entry.name)) and entry.is_file():
                yield Path(entry.path)


def nothing_stored(folder: Path) -> bool:
    """Whether no games are stored, as far as the folder can be read; reads at most one entry."""
    try:
        return next(stored_files(folder), None) is None
    except OSError:
        return False
