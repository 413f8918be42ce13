"""How much is looked at before factoring gives up, so that a start clock is never spent on it."""

from __future__ import annotations


class TooLargeError(Exception):
    """A limit was passed; the text says which, for people."""


MAX_WORDS = 20_000_000
"""Words of 64 bases, one row a node: 160 MB."""

MAX_GATES = 3_000_000
"""Gates visited, or made, while moves are tried out."""

MAX_EFFECTS = 1_000_000
"""Pairs of a move and a base whose next value it changes."""

MAX_PHASES = 64
"""Different settings of the clock that legality or dynamics read."""

MAX_CLOCK = 1_000_000
"""Gates evaluated to run the clock through."""

MAX_SIGNALS = 20_000
"""Formulas that goals and termination are taken apart into."""

MAX_CLASSES = 4_000_000
"""Moves times subgames times phases, each time moves are told apart."""
