"""Possible moves of all roles given the observations of one role, and draws among them."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints
from search.belief.games import STAY, Games
from search.belief.state_set import Observation

Masks = list[Bools]
"""Per role, by number, which of its moves may have been made.  # R times [games, moves]."""


def choices(games: Games, roles: int, role: int, seen: Observation, count: int) -> Masks:
    """Return the possible moves in the first `count` games: legal moves of the others, and our own move.

    All our legal moves are possible if our move is unknown or if the requested move is not legal.
    """
    masks = [games.legal(one)[:count] for one in range(roles)]
    if seen.move is not None:
        masks[role] = _own(masks[role], games.number(role, seen.move), asked=seen.asked)
    return masks


def _own(legal: Bools, number: int, *, asked: bool) -> Bools:
    made = np.zeros_like(legal)
    if 0 <= number < legal.shape[1]:
        made[:, number] = legal[:, number]
    return np.where(made.any(axis=1, keepdims=True), made, legal) if asked else made


def drawn_among(mask: Bools, rng: np.random.Generator) -> Ints:
    """Draw a move per game uniformly; STAY if there is none.  # [games]."""
    games, moves = np.nonzero(mask)
    counts = np.bincount(games, minlength=len(mask))
    first = np.cumsum(counts) - counts
    places = first + (rng.random(len(mask)) * counts).astype(np.int64)
    return np.where(counts > 0, np.append(moves, STAY)[np.minimum(places, len(moves))], STAY).astype(np.int32)


def among(mask: Bools, numbers: Ints) -> Bools:
    """Whether each game's move is possible.  # [games]."""
    if not mask.shape[1]:
        return np.zeros(len(numbers), np.bool_)
    found: Bools = mask[np.arange(len(numbers)), np.clip(numbers, 0, mask.shape[1] - 1)]
    found &= (numbers >= 0) & (numbers < mask.shape[1])
    return found
