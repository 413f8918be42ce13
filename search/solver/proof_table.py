"""Transposition table of a solver: proven bounds and proof numbers of positions, shared by all threads without locks.

An entry has two words. The first is the hash of the position XOR the second (Hyatt & Mann 2002, "A lock-less
transposition table implementation for parallel search"), so an entry that two threads write at once matches no hash.
The second has

    bits 0-7    the lowest score of the first role
    bits 8-15   the highest
    bits 16-23  the threshold of the proof numbers
    bits 24-31  the effort: the binary logarithm of the number of expansions below the position, plus 1; 0: free
    bits 32-47  the proof number
    bits 48-63  the disproof number

A bucket has four entries, which are one cache line. A new position replaces the entry of least effort.
"""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np

from reasoner.arrays import Bytes, Words
from reasoner.kernels import device_function_norefcount
from reasoner.kernels.bits import ZERO
from reasoner.kernels.memory import prefetch
from reasoner.kernels.scalars import int64, uint64
from search.errors import StorageError

BUCKET = 4
ENTRY_BYTES = 16
LINE_BYTES = 64
KIND, FORMAT, HEAD_BYTES = "ggp-agent positions", 2, 4096
"""The first words of a file with a table, the number of its format, and the bytes before the entries."""
BLOCK_BYTES = 512
"""The unit of `st_blocks`, see stat(2)."""
INFINITE = 2**16 - 1
"""The proof number of a disproven position; those of other positions are at most INFINITE - 1."""

KEPT_EFFORT = 255
"""The effort of entries that no other position replaces."""

_BYTE, _NUMBER = uint64(255), uint64(INFINITE)


def new_table(mebibytes: int) -> Words:
    """Return an empty table of at most this size.  # [entries, 2], a power of two."""
    return table_of(entries_in(mebibytes))


def table_of(entries: int) -> Words:
    """Return an empty table of this number of entries, a power of two.  # [entries, 2]."""
    words = 2 * entries
    memory = np.zeros(words + LINE_BYTES // 8, np.uint64)
    skip = (-memory.ctypes.data % LINE_BYTES) // 8
    return memory[skip : skip + words].reshape(-1, 2)


def table_in(file: Path, mebibytes: int, game: str) -> Words:
    """Return a table in a file, which keeps what is proven even if the process is killed.

    A new file gets the given size, an existing one keeps its own. `game` identifies the game. Raises StorageError if
    the file is not a table, if it is the table of another game, or if the disk has too little room.
    """
    other = StorageError(f"{file} is not a table of positions: name another file")
    foreign = StorageError(f"{file} is the table of another game or version: name another file")
    if file.exists() and not file.is_file():  # the opening of a pipe would wait for its writer
        raise other
    head = f"{KIND} {FORMAT} {game}\n".encode()
    size = HEAD_BYTES + entries_in(mebibytes) * ENTRY_BYTES
    _check_room(file, size)
    with suppress(FileExistsError), file.open("xb") as new:  # another process may create it at the same time
        new.write(head)
        new.truncate(size)
    with file.open("rb") as known:
        found = known.readline(HEAD_BYTES)
    entries = (file.stat().st_size - HEAD_BYTES) // ENTRY_BYTES
    if not found.startswith(f"{KIND} ".encode()):
        raise other
    if found != head:
        raise foreign
    if entries < BUCKET or entries & (entries - 1):
        raise other
    _reserve(file)
    return np.memmap(file, np.uint64, "r+", HEAD_BYTES, (entries, 2))


def _check_room(file: Path, size: int) -> None:
    """Raise StorageError if the disk is too full for the file."""
    if file.exists():
        status = file.stat()
        size = status.st_size - BLOCK_BYTES * status.st_blocks
    if (free := shutil.disk_usage(file.parent).free) < size:
        raise StorageError(
            f"{file} may need {size >> 20:,} MiB and its disk has {free >> 20:,}; make room or take less memory"
        )


def _reserve(file: Path) -> None:
    """Fill the holes of a file where the system can; a write into one kills the process once the disk is full.

    Raises StorageError if the disk is full.
    """
    if not hasattr(os, "posix_fallocate"):
        return
    with file.open("r+b") as table:
        try:
            os.posix_fallocate(table.fileno(), 0, file.stat().st_size)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise StorageError(f"the disk of {file} is full; make room or take less memory") from None


def entries_in(mebibytes: int) -> int:
    """Return the number of entries of a table of at most this size, a power of two."""
    return 1 << max(10, (mebibytes * 2**20 // ENTRY_BYTES).bit_length() - 1)


def place_proofs(table: Words, hashes: Words, bounds: Bytes) -> None:
    """Put proven bounds into an empty table, those of the first positions if not all fit.

    They stay there: each bucket has an entry for other positions.

    hashes: [N], the smallest of each position. bounds: [N, 2], lowest and highest score.
    """
    count = min(len(hashes), len(table) // BUCKET)
    buckets = (hashes[:count] >> np.uint64(8)).astype(np.int64) & (len(table) - 1) & ~(BUCKET - 1)
    order = np.argsort(buckets, kind="stable")
    starts = np.searchsorted(buckets[order], buckets[order])
    places = np.arange(count) - starts
    order, places = order[places < BUCKET - 1], (buckets[order] + places)[places < BUCKET - 1]
    low, high = bounds[order].astype(np.uint64).T
    data = low | (high << np.uint64(8)) | (np.uint64(KEPT_EFFORT) << np.uint64(24))
    table[places, 0], table[places, 1] = hashes[order] ^ data, data


@device_function_norefcount
def _bucket(table: Words, code: int) -> int:
    """Return the first entry of the bucket of a hash."""
    return int64((code >> uint64(8)) & uint64(len(table) - 1)) & ~(BUCKET - 1)


@device_function_norefcount
def fetch(table: Words, code: int) -> None:
    """Begin to load the bucket of a hash into the cache."""
    prefetch(table, 2 * _bucket(table, code))


@device_function_norefcount
def find(table: Words, code: int) -> tuple[int, int]:
    """Return the number of the entry of a position, and its second word; -1, 0: it is not in the table.

    Use this word instead of the entry: another thread may give the entry to another position at any time.
    """
    first = _bucket(table, code)
    for i in range(first, first + BUCKET):
        entry = table[uint64(i)]
        mixed, data = entry[0], entry[1]
        if mixed ^ data == code and data != ZERO:
            return i, data
    return -1, ZERO


@device_function_norefcount
def bounds_in(data: int) -> tuple[int, int]:
    """Return the lowest and the highest score in the second word of an entry."""
    return int64(data & _BYTE), int64((data >> uint64(8)) & _BYTE)


@device_function_norefcount
def numbers_in(data: int, threshold: int) -> tuple[int, int]:
    """Return the proof and the disproof number for a threshold; 0, 0: unknown."""
    if int64((data >> uint64(16)) & _BYTE) != threshold:
        return 0, 0
    return int64((data >> uint64(32)) & _NUMBER), int64(data >> uint64(48))


@device_function_norefcount
def _effort_in(data: int) -> int:
    return int64((data >> uint64(24)) & _BYTE)


@device_function_norefcount
def _logarithm(number: int) -> int:
    found = 0
    while number > 1:
        number >>= 1
        found += 1
    return found


@device_function_norefcount
def store(
    table: Words, code: int, low: int, high: int, threshold: int, proof: int, disproof: int, expansions: int
) -> None:
    """Store the results for a position; better bounds that are already in its entry stay."""
    effort = 1 + _logarithm(expansions)
    place, known = find(table, code)
    if place >= 0:
        known_low, known_high = bounds_in(known)
        low, high = max(low, known_low), min(high, known_high)
        effort = max(effort, _effort_in(known))
    else:
        place = _bucket(table, code)
        for i in range(place + 1, place + BUCKET):
            if _effort_in(table[i, 1]) < _effort_in(table[place, 1]):
                place = i
    data = (
        uint64(low) | (uint64(high) << uint64(8)) | (uint64(threshold) << uint64(16)) | (uint64(effort) << uint64(24))
    )
    data |= (uint64(proof) << uint64(32)) | (uint64(disproof) << uint64(48))
    table[place, 0], table[place, 1] = code ^ data, data
