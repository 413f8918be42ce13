"""Colour refinement (Weisfeiler and Leman 1968), with hashes as colours.

A round gives every vertex the hash of its colour and of the multiset of its neighbours' colours, until the number of
colours stays the same. Hashes depend only on the structure, so that isomorphic graphs get the same ones.
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
    """Counts the edges visited in all rounds; unlike time, equal for equal graphs."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, edges: int) -> None:
        """Count edges; raise LimitError past the limit."""
        self.left -= edges
        if self.left < 0:
            raise LimitError("the rules are too large or too symmetric to be compared", "time")


def refined(graph: RuleGraph, colors: Words, work: Work) -> Words:
    """Return the stable refinement of `colors`.  # [V]."""
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
    """Return the colours with one vertex individualised."""
    changed = colors.copy()
    changed[vertex] = scrambled_words(changed[vertex : vertex + 1] ^ _MARK)[0]
    return changed


def summary(colors: Words) -> int:
    """Return a hash of the multiset of colours."""
    return int(np.sum(scrambled_words(colors), dtype=np.uint64))
