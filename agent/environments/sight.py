"""Observations of a role in a batch of games: the true facts, or in a game with `sees` (GDL-II) the role's percepts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.batch import Batch
from reasoner.language.terms import Term


def check_render_mode(mode: str | None) -> None:
    """Raise ValueError for a render mode that no environment has."""
    if mode not in (None, "ansi"):
        raise ValueError(f'unknown render_mode {mode!r:.40}: give "ansi" for text, or None')


def sights_of(batch: Batch, role: int) -> tuple[Term, ...]:
    """Return the term of each bit of a role's observations: facts, or with `sees` the role's possible percepts."""
    return batch.percept_terms[role] if batch.machine.hides else batch.facts


def width_of(batch: Batch, role: int) -> int:
    """Return the number of bits of a role's observation; at least 1 (always 0), as libraries do not support 0."""
    return max(len(sights_of(batch, role)), 1)


def seen_by(batch: Batch, role: int) -> NDArray[np.int8]:
    """Return a role's observations: the true facts, or its percepts of the last joint move.  # [N, F]."""
    bits = batch.percepts[role] if batch.machine.hides else batch.observation
    return bits.astype(np.int8) if bits.shape[1] else np.zeros((batch.games, 1), np.int8)


def listed(batch: Batch, role: int) -> str:
    """Format a role's observation in the first game, one line per term."""
    bits = seen_by(batch, role)[0]
    return "\n".join(str(term) for term, true in zip(sights_of(batch, role), bits, strict=False) if true)
