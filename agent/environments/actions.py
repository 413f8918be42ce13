"""Actions as they are given from outside, checked before anything changes.

An action is a place among its role's moves; -1 (`NONE`) is a legal move drawn at random. Anything else, -2 of the
batch too, is no action.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reasoner.arrays import Bools
from reasoner.batch import NONE, Batch
from reasoner.errors import IllegalMoveError, StateError

Actions = NDArray[np.int32]


def checked(batch: Batch, role: int, given: ArrayLike, asked: Bools) -> Actions:
    """A role's actions in all games as the batch takes them; those of games not `asked` are not looked at.  # [N].

    An action that is no legal move raises IllegalMoveError, or becomes NONE, as the batch's `wrong` says.
    Raises IllegalMoveError on what is no whole number, StateError on another shape.
    """
    array = np.asarray(given)
    if array.shape != (batch.games,):
        raise StateError(f"actions of shape {array.shape}: give one for each of {batch.games} games")
    if array.dtype.kind not in "iu":
        raise IllegalMoveError(f"an action is a whole number, and {given!r:.60} is none")
    fine = (array == NONE) | _legal(batch, role, array)
    refused = np.flatnonzero(asked & ~fine)
    if batch.wrong == "raise" and len(refused):
        game = int(refused[0])
        raise batch.refusal(game, role, int(array[game]))
    return np.where(fine, array, NONE).astype(np.int32)


def width_of(batch: Batch, role: int) -> int:
    """How many actions a role has; one, never legal, where no rule gives it any, as libraries know no empty choice."""
    return max(len(batch.moves[role]), 1)


def mask_of(batch: Batch, role: int) -> NDArray[np.int8]:
    """Which of a role's actions are legal.  # [N, M]."""
    legal = batch.legal_of(role)
    return legal.astype(np.int8) if legal.shape[1] else np.zeros((batch.games, 1), np.int8)


def _legal(batch: Batch, role: int, array: NDArray[np.integer]) -> Bools:
    """Which actions are legal moves.  # [N]."""
    known = (array >= 0) & (array < len(batch.moves[role]))
    legal = np.zeros(len(array), np.bool_)
    games = np.flatnonzero(known)
    legal[games] = batch.legal_of(role)[games, array[games].astype(np.int64)]
    return legal
