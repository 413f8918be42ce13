"""Reading and writing of files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from search.errors import StorageError


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically: a power cut or a full disk leaves the old or the new file. Raises OSError."""
    with replacing(path) as draft:
        draft.write_bytes(data)


def store(path: Path, data: bytes) -> None:
    """Write a file atomically. Raises StorageError."""
    try:
        write_atomically(path, data)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}.") from error


def is_stored(path: Path) -> bool:
    """Whether there is a file of our own. Raises StorageError if it is no regular file: a pipe may never be read."""
    try:
        if path.is_file() or not path.exists():
            return path.is_file()
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}.") from error
    raise StorageError(f"{path} is not a regular file: remove it.")


def read_stored(path: Path, most: int) -> bytes:
    """Read a file of our own as `read_given` does. Raises StorageError, also if it is no regular file."""
    is_stored(path)
    return read_given(path, most)


def read_given(path: Path, most: int) -> bytes:
    """Read a file that the user names, which may be a pipe. Raises StorageError.

    At most `most` + 1 bytes are read, by which the caller notices a larger file.
    """
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}.") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a draft to write; at the end of the block it replaces the file `path` atomically. Raises OSError.

    If the block raises, the old file stays. A link stays a link. A device, a pipe and a file in a folder that is not
    writable are written without a draft.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_file() and os.access(target.parent, os.W_OK)):
        yield path
        return
    draft = target.with_name(f".{target.name[:40]}.{os.getpid()}.draft")  # short: names have at most 255 bytes
    try:
        yield draft
        with draft.open("rb") as written:
            os.fsync(written.fileno())  # before the rename
        with suppress(OSError):  # there is no old file
            shutil.copymode(target, draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
