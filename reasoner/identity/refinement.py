"""Colours that say all that the neighbourhood of a vertex says (Weisfeiler and Leman 1968), as hashes.

A round gives every vertex the hash of its colour and of the multiset of its neighbours' colours, until no more colours
appear. Hashes depend on the structure alone, so that two graphs that differ in numbering get the same ones.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Words
from reasoner.errors import LimitError
from reasoner.identity.rule_graph import RuleGraph
from reasoner.kernels.hashing import scrambled_words
from reasoner.kernels.random import GOLDEN

_MARK = np.uint64(0x94D049BB133111EB)


class Work:
    """Counts edges looked at, in all rounds; the same for the same graph, unlike time."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, edges: int) -> None:
        """Raises LimitError past the limit."""
        self.left -= edges
        if self.left < 0:
            raise LimitError("the rules are too large or too symmetric to be compared", "time")


def refined(graph: RuleGraph, colors: Words, work: Work) -> Words:
    """The stable colours that `colors` lead to.  # [V]."""
    count = len(np.unique(colors))
    while count < len(colors):
        work.take(len(graph.targets))
        around = np.add.reduceat(scrambled_words(colors)[graph.targets], graph.starts)
        found = scrambled_words(colors * GOLDEN + scrambled_words(around))
        if (now := len(np.unique(found))) == count:
            break
        colors, count = found, now
    return colors


def marked(colors: Words, vertex: int) -> Words:
    """The colours with that of one vertex made its own."""
    changed = colors.copy()
    changed[vertex] = scrambled_words(changed[vertex : vertex + 1] ^ _MARK)[0]
    return changed


def summary(colors: Words) -> int:
    """A hash of the multiset of colours."""
    return int(np.sum(scrambled_words(colors), dtype=np.uint64))
