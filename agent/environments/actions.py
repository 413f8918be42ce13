"""Validation of external actions, before any game changes.

An action is an index into its role's moves; -1 (`NONE`) means a random legal move. Any other value is
invalid, including -2 (`STAY`), which only batches use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reasoner.arrays import Bools
from reasoner.batch import NONE, Batch
from reasoner.errors import IllegalMoveError, StateError

Actions = NDArray[np.int32]


def checked(batch: Batch, role: int, given: ArrayLike, asked: Bools) -> Actions:
    """Validate a role's actions, one per game, and convert them for the batch.  # [N].

    Actions of games that are not `asked` are ignored.

    An illegal action raises IllegalMoveError or becomes NONE, depending on the batch's `wrong`.
    Raises IllegalMoveError for other types than integers, StateError for a wrong shape.
    """
    array = np.asarray(given)
    if array.shape != (batch.games,):
        raise StateError(f"actions of shape {array.shape}: give one for each of {batch.games} games")
    if array.dtype.kind not in "iu":
        raise IllegalMoveError(f"an action must be an integer, not {given!r:.60}")
    fine = (array == NONE) | _legal(batch, role, array)
    refused = np.flatnonzero(asked & ~fine)
    if batch.wrong == "raise" and len(refused):
        game = int(refused[0])
        raise batch.refusal(game, role, int(array[game]))
    return np.where(fine, array, NONE).astype(np.int32)


def width_of(batch: Batch, role: int) -> int:
    """Return the number of a role's actions; at least 1 (never legal), as libraries do not support 0."""
    return max(len(batch.moves[role]), 1)


def mask_of(batch: Batch, role: int) -> NDArray[np.int8]:
    """Return the mask of a role's legal actions.  # [N, M]."""
    legal = batch.legal_of(role)
    return legal.astype(np.int8) if legal.shape[1] else np.zeros((batch.games, 1), np.int8)


def _legal(batch: Batch, role: int, array: NDArray[np.integer]) -> Bools:
    """Test which actions are legal.  # [N]."""
    known = (array >= 0) & (array < len(batch.moves[role]))
    legal = np.zeros(len(array), np.bool_)
    games = np.flatnonzero(known)
    legal[games] = batch.legal_of(role)[games, array[games].astype(np.int64)]
    return legal
