"""Writing of files."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically: a power cut or a full disk leaves the old or the new file. Raises OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # before the rename
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
