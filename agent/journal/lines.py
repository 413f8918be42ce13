"""Line format of journals: a checksum, a space, one JSON object, a line feed.

    5f0c1d2e {"is":"play","at":1795248009.8,"n":1,"moves":null}

The checksum is the CRC-32 of the object's bytes in eight hexadecimal digits. An incomplete line (after a crash or on a
full disk) does not match its checksum; reading stops there.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

Entry = dict[str, Any]


def encode(entry: Entry) -> bytes:
    """Format an entry as one line."""
    body = json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def decode(data: bytes) -> tuple[list[Entry], int]:
    """Parse the entries before the first invalid line; return them and their length in bytes."""
    entries: list[Entry] = []
    good = 0
    while (end := data.find(b"\n", good)) >= 0:
        entry = _entry(data[good:end])
        if entry is None:
            break
        entries.append(entry)
        good = end + 1
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
