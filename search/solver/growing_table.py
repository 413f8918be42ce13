"""Memory for a table of positions that grows as it fills.

To touch memory for the first time takes some 2 ms for each 2 MiB, so a large table would make short searches slow.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Words
from search.solver.proof_table import entries_in, table_of

FIRST_MIB = 4
"""The first size of a table."""
GROWTH = 8
"""Factor on the size of a table that is crowded."""
SAMPLE, CHUNK = 4096, 1 << 20
"""Entries that tell whether a table is crowded, and entries that are copied at once."""


class GrowingTable:
    """A table of at most a given size. While a larger one is filled, both need up to 1/8 more memory.

    words: the table.
    """

    def __init__(self, words: Words, most: int) -> None:
        self.words = words
        self._most = most  # entries

    @classmethod
    def new(cls, mebibytes: int, entries: int = 0) -> GrowingTable:
        """Return an empty table of at most `mebibytes`, with room for `entries` if they fit.

        Raises MemoryError if the machine has less memory.
        """
        most = entries_in(mebibytes)
        table_of(most)  # is not touched
        least = max(entries_in(FIRST_MIB), 1 << max(entries - 1, 0).bit_length())
        return cls(table_of(min(least, most)), most)

    @property
    def grows(self) -> bool:
        """Whether the table may still grow."""
        return len(self.words) < self._most

    def make_room(self) -> None:
        """Let the table grow if about half of its entries are used. No thread may use it meanwhile.

        A machine with too little memory ends its growth.
        """
        if self.grows and 2 * np.count_nonzero(self.words[:SAMPLE, 1]) > min(SAMPLE, len(self.words)):
            try:
                self.words = _larger(self.words, min(GROWTH * len(self.words), self._most))
            except MemoryError:
                self._most = len(self.words)


def _larger(table: Words, entries: int) -> Words:
    """Return a table of more entries with the entries of `table`.

    The place of an entry consists of bits of its hash. The bits that a larger table adds are the highest, so entries
    that had different places get different places.
    """
    found, added = table_of(entries), np.uint64(entries - len(table))
    for first in range(0, len(table), CHUNK):
        own = table[first : first + CHUNK]
        used = np.flatnonzero(own[:, 1])
        kept = own[used]
        codes = kept[:, 0] ^ kept[:, 1]
        found[first + used + ((codes >> np.uint64(8)) & added).astype(np.int64)] = kept
    return found
