"""What a role sees of the games of a batch: the facts, or in a game with `sees` (GDL-II) its percepts alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.batch import Batch
from reasoner.language.terms import Term


def sights_of(batch: Batch, role: int) -> tuple[Term, ...]:
    """What a role's observation has a bit for: facts, or in a game with `sees` the percepts that it can have."""
    return batch.percept_terms[role] if batch.machine.hides else batch.facts


def width_of(batch: Batch, role: int) -> int:
    """Bits of a role's observation; one, always 0, of a role that sees nothing, as libraries know no empty ones."""
    return max(len(sights_of(batch, role)), 1)


def seen_by(batch: Batch, role: int) -> NDArray[np.int8]:
    """Which of its `sights_of` a role sees: what is true, or what it saw of the last joint move.  # [N, F]."""
    bits = batch.percepts[role] if batch.machine.hides else batch.observation
    return bits.astype(np.int8) if bits.shape[1] else np.zeros((batch.games, 1), np.int8)


def listed(batch: Batch, role: int) -> str:
    """What a role sees in the first game, a line each."""
    bits = seen_by(batch, role)[0]
    return "\n".join(str(term) for term, true in zip(sights_of(batch, role), bits, strict=False) if true)
