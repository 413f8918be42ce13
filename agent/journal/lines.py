"""Line format of journals: a checksum, a space, one JSON object, a line feed.

    5f0c1d2e {"is":"play","at":1795248009.8,"n":1,"moves":null}

The checksum is the CRC-32 of the object's bytes in eight hexadecimal digits. An incomplete last line (after a crash or
on a full disk) does not match its checksum, nor does a line in which a disk changed a bit.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

Entry = dict[str, Any]
DAMAGED: Entry = {"is": "damaged"}
"""The entry in place of invalid lines between valid ones."""


def encode(entry: Entry) -> bytes:
    """Format an entry as one line."""
    body = json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def decode(data: bytes) -> tuple[list[Entry], int]:
    """Parse the valid lines; return their entries and the number of bytes to the end of the last one.

    Invalid lines before it become one entry `DAMAGED`.
    """
    entries: list[Entry] = []
    good, begin, damaged = 0, 0, False
    while (end := data.find(b"\n", begin)) >= 0:
        entry = _entry(data[begin:end])
        begin = end + 1
        if entry is None:
            damaged = True
            continue
        entries += [DAMAGED, entry] if damaged else [entry]
        good, damaged = begin, False
    return entries, good


def _entry(line: bytes) -> Entry | None:
    checksum, _, body = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        entry = json.loads(body)
    except (ValueError, RecursionError):  # journals contain no deeply nested JSON
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("is"), str) else None
