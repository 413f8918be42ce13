"""Proofs of a solved game in a file: the positions whose search was longest, with their proven bounds.

A later search of the same game, under any spelling of its rules, begins with them. The file has no positions but their
hashes, and the words of each fact that the hashes consist of, so that a reader computes the same hashes. If it finds
fewer symmetries than the writer, it finds fewer of the positions.

The file is a line of JSON, then the words of the facts, then the hashes, then the bounds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from reasoner.arrays import Bytes, Longs, Words
from reasoner.errors import TermError
from reasoner.identity import Translation
from reasoner.language.terms import Term
from search.errors import StorageError
from search.files import read_stored, store
from search.network.storage import MAX_TERMS, Terms, Text, listed, terms
from search.network.translate import terms_in

MOST = 1 << 19
"""Positions of a file, 9 MiB."""
MAX_BYTES = 1 << 26
"""Maximum size of a file."""
CHUNK = 1 << 22
"""Entries of a table that are read at once."""


class KeptProofs(NamedTuple):
    """Proven positions of a game; F facts, N positions."""

    role: Term  # the role whose score has the bounds
    facts: tuple[Term, ...]
    words: Words  # [F] the hash of a position is the XOR of the words of its facts
    hashes: Words  # [N] of positions, those of the longest searches first
    bounds: Bytes  # [N, 2] lowest and highest score
    key: str = ""  # as in `reasoner.identity.Identity`
    symbols: tuple[Term, ...] = ()

    def translated(self, symbols: Sequence[Term]) -> KeptProofs:
        """Return it in the words of another rulesheet with the same key. Raises StorageError if they do not match."""
        names = Translation.between(self.symbols, symbols)
        if names is None:
            raise StorageError("its symbols do not match its game")
        (role,) = terms_in(names, (self.role,))
        return self._replace(role=role, facts=terms_in(names, self.facts), symbols=tuple(symbols))

    def scores_of(self, role: str, scores: Sequence[int], total: int) -> tuple[Words, Bytes]:
        """Return the hashes, and the bounds of the score of `role`, whose possible `scores` are sorted.

        total: the sum of the scores of both roles.
        """
        if str(self.role) == role:
            return self.hashes, self.bounds
        bounds = total - self.bounds[:, ::-1].astype(np.int64)
        own = (bounds[:, 0] >= scores[0]) & (bounds[:, 1] <= scores[-1])  # others are bounds of distances
        return self.hashes[own], bounds[own].astype(np.uint8)


class _Head(msgspec.Struct):
    format: Literal["ggp-agent proofs"]
    version: Literal[2]
    key: Text
    symbols: Terms
    role: Terms
    facts: Terms
    positions: Annotated[int, Meta(ge=0, le=MOST)]
    sha256: Text = ""  # of the file in which this field is empty


def longest(table: Words, lowest: int, highest: int, most: int = MOST) -> tuple[Words, Bytes]:
    """Return the hashes and bounds of the positions in a table whose search was longest, the longest first.

    A position without better bounds than `lowest` and `highest` is left out.
    """
    least, hashes, data = 1, np.zeros(0, np.uint64), np.zeros(0, np.uint64)
    for first in range(0, len(table), CHUNK):
        own = np.asarray(table[first : first + CHUNK])
        words = own[:, 1]
        bounds = _bounds(words)
        useful = (_effort(words) >= least) & ((bounds[:, 0] > lowest) | (bounds[:, 1] < highest))
        hashes = np.concatenate((hashes, own[useful, 0] ^ words[useful]))
        data = np.concatenate((data, words[useful]))
        while len(data) > 2 * most and least < _effort(data).max():
            least += 1
            kept = _effort(data) >= least
            hashes, data = hashes[kept], data[kept]
    order = np.argsort(-_effort(data), kind="stable")[:most]
    return hashes[order], _bounds(data[order])


def _effort(data: Words) -> Longs:
    return ((data >> np.uint64(24)) & np.uint64(255)).astype(np.int64)


def _bounds(data: Words) -> Bytes:
    return np.stack((data & np.uint64(255), (data >> np.uint64(8)) & np.uint64(255)), axis=1).astype(np.uint8)


def save(path: Path, proofs: KeptProofs) -> None:
    """Write a file atomically. Raises StorageError."""
    body = b"".join(array.tobytes() for array in _little(proofs))
    head = _Head(
        format="ggp-agent proofs",
        version=2,
        key=proofs.key,
        symbols=listed(proofs.symbols),
        role=listed((proofs.role,)),
        facts=listed(proofs.facts),
        positions=len(proofs.hashes),
    )
    head.sha256 = _checksum(head, body)
    store(path, msgspec.json.encode(head) + b"\n" + body)


def load(path: Path) -> KeptProofs:
    """Read a file that `save` wrote. Raises StorageError."""
    data = read_stored(path, MAX_BYTES)
    try:
        if len(data) > MAX_BYTES:
            raise ValueError("it is too large")
        line, _, body = data.partition(b"\n")
        return _read(msgspec.json.decode(line, type=_Head), body)
    except (ValueError, RecursionError, TermError) as fault:
        raise StorageError(f"{path} is damaged: remove it, and solve the game again ({str(fault)[:200]}).") from None


def _read(head: _Head, body: bytes) -> KeptProofs:
    """Return the content of a file. Raises ValueError or TermError."""
    if _checksum(head, body) != head.sha256:
        raise ValueError("wrong checksum")
    facts, role, count = terms(head.facts), terms(head.role), head.positions
    if len(facts) > MAX_TERMS or len(role) != 1 or len(body) != 8 * len(facts) + 10 * count:
        raise ValueError("its parts do not fit together")
    words, hashes = np.split(np.frombuffer(body, "<u8", len(facts) + count).astype(np.uint64), [len(facts)])
    bounds = np.frombuffer(body, np.uint8, 2 * count, 8 * (len(facts) + count)).reshape(count, 2)
    return KeptProofs(role[0], facts, words, hashes, bounds, head.key, terms(head.symbols))


def _checksum(head: _Head, body: bytes) -> str:
    return hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(head, sha256="")) + body).hexdigest()


def _little(proofs: KeptProofs) -> tuple[np.ndarray, ...]:
    return proofs.words.astype("<u8"), proofs.hashes.astype("<u8"), proofs.bounds
