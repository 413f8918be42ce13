"""Archive format for files from untrusted sources: a zip of uncompressed members (numpy's npz) with a checksum.

Members: ``header.json``, a text; ``NAME.npy``, float32 arrays; ``sha256``, the digest of all other members in sorted
order. No member is compressed, so reading needs no more memory than the file's size. Nothing is pickled, so reading
runs no code.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from tokenize import TokenError

import numpy as np

from reasoner.arrays import Singles
from search.errors import StorageError

MAX_BYTES = 1 << 28
"""Maximum size of a file."""
MAX_MEMBERS = 256
MAX_HEADER_CHARACTERS = 1 << 26
"""Maximum length of the header."""
HEADER = "header.json"
DIGEST = "sha256"
_ARRAY = ".npy"
_END = struct.Struct("<4s4H2LH")
"""End record of a zip: field 0 is its signature, 4 the number of members, 5 the bytes of the directory."""
_DIRECTORY_BYTES = MAX_MEMBERS * 1000
_LOCATOR = 20
"""Bytes of the ZIP64 locator, which precedes the end record in a zip of more than 4 GiB."""
_DAMAGES = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
"""Exceptions of zipfile and numpy on damaged files; EOFError: a member is shorter than its header says."""


@dataclass(frozen=True, eq=False)
class Archive:
    """The header and the arrays of a file."""

    header: str
    arrays: Mapping[str, Singles]


def pack(archive: Archive) -> bytes:
    """Return the bytes of a file; equal content gives equal bytes. Raises StorageError if the file is too large."""
    members = {HEADER: archive.header.encode()} | {f"{n}{_ARRAY}": _array_bytes(a) for n, a in archive.arrays.items()}
    if sum(map(len, members.values())) > MAX_BYTES or len(members) >= MAX_MEMBERS:
        raise StorageError(f"larger than {MAX_BYTES >> 20} MiB or {MAX_MEMBERS} arrays: make the network smaller")
    members[DIGEST] = _digest(members).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as written:
        for name, data in members.items():
            written.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def unpack(data: bytes) -> Archive:
    """Check and unpack the bytes of a file. Raises StorageError, whose message says what is wrong."""
    if len(data) > MAX_BYTES:
        raise StorageError(f"larger than {MAX_BYTES >> 20} MiB")
    _check_directory(data)
    try:
        members = dict(_members(data))
    except _DAMAGES as damage:
        raise StorageError(f"damaged ({damage})") from None
    digest = members.pop(DIGEST, b"").decode("ascii", "replace")
    if digest != _digest(members):
        raise StorageError("damaged (wrong checksum)")
    header = members.pop(HEADER, b"")
    if not 0 < len(header) <= MAX_HEADER_CHARACTERS:
        raise StorageError(f"its header has {len(header)} bytes, not 1 to {MAX_HEADER_CHARACTERS}")
    arrays = {name.removesuffix(_ARRAY): _array(name, content) for name, content in members.items()}
    return Archive(header.decode("utf-8", "replace"), arrays)


def _check_directory(data: bytes) -> None:
    """Check the end record of a zip: zipfile itself would read as many members as a file claims to have."""
    if not data.startswith(b"PK") or len(data) < _END.size:
        raise StorageError("not a file of a studied game")
    end = _END.unpack_from(data, len(data) - _END.size)
    large = data[-_END.size - _LOCATOR :].startswith(b"PK\x06\x07")
    if end[0] != b"PK\x05\x06" or large or end[4] > MAX_MEMBERS or end[5] > _DIRECTORY_BYTES:
        raise StorageError("damaged or cut off, or not written by this program")


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        infos = file.infolist()
        if any(info.compress_type != zipfile.ZIP_STORED for info in infos):
            raise ValueError("a member is compressed")
        if sum(info.file_size for info in infos) > len(data) or len({i.filename for i in infos}) < len(infos):
            raise ValueError("its members overlap")
        for info in infos:
            yield info.filename, file.read(info)


def _digest(members: Mapping[str, bytes]) -> str:
    found = hashlib.sha256()
    for name, data in sorted(members.items()):
        found.update(f"{name} {len(data)}\n".encode("utf-8", "surrogateescape"))
        found.update(data)
    return found.hexdigest()


def _array_bytes(array: Singles) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array, np.float32), allow_pickle=False)
    return file.getvalue()


def _array(name: str, content: bytes) -> Singles:
    """Return the array of one member; its header is checked before memory is allocated."""
    file = io.BytesIO(content)
    try:
        if not name.endswith(_ARRAY) or np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("not a NumPy array file")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=1000)
        if fortran or dtype != np.float32 or not all(0 <= size <= MAX_BYTES for size in shape):
            raise ValueError("not float32")
        flat = np.frombuffer(content, np.float32, offset=file.tell())
        array = flat.reshape(shape).copy()
    except (*_DAMAGES, SyntaxError, TokenError) as fault:
        raise StorageError(f"member {name[:40]!r} is not a valid array ({fault})") from None
    if not np.isfinite(array).all():
        raise StorageError(f"member {name[:40]!r} has numbers that are not finite")
    return array
