"""Order of moves by playouts, for positions whose search is long.

The history of `alpha_beta` knows nothing at the beginning of a search, and little of the first moves of a long game. A
wrong first move near the root costs as much as the rest of the search. So the children of a position are ordered by the
mean result of random games, if the position is near the root, or if others of its level needed many expansions: then
the games cost little beside them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Bytes, Ints, Longs, Singles, Words
from reasoner.kernels import device_function_norefcount
from reasoner.kernels.bits import ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.play import Lanes, play, scratch
from reasoner.lanes.rows import LANES, WORDS
from search.solver.expansion import Rules, Work

GAMES = 2 * LANES
"""Random games from a position."""
MAX_STEPS = 256
"""Joint moves of a random game."""
MIN_EXPANSIONS = 500
"""Mean number of expansions below a position, for each child, from which the games cost little beside them."""
FIRST_LEVELS = 12
"""Levels on which a position is sampled even if none of its level is decided yet."""
MAX_SWEEPS = 2_000
"""Maximum joint moves of the random games from the children of a position, those played side by side counted once."""
SCALE = 1_000
"""Parts of a point in a mean score."""


class Sampler(NamedTuple):
    """Memory for random games, and the sizes of the searches so far; D levels, R roles."""

    sizes: Longs  # [D, 2] of each level: the expansions below its decided positions, and their number
    steps: Longs  # [1] the mean joint moves of the last random games; 0 before them; over MAX_SWEEPS to prevent them
    turned: Words  # see `reasoner.lanes.play.scratch`
    picks: Ints  # likewise
    start: Bytes  # [searched] a position
    goals: Singles  # [GAMES, R]
    lengths: Ints  # [GAMES]
    finished: Bools  # [GAMES]


def new_sampler(program: Lanes, levels: int, *, active: bool = True) -> Sampler:
    """Allocate the memory for a search of `levels` levels; without `active`, no position is worth games."""
    turned, picks = scratch(program.drawn)
    return Sampler(
        sizes=np.zeros((levels, 2), np.int64),
        steps=np.full(1, 0 if active else MAX_SWEEPS + 1),
        turned=turned,
        picks=picks,
        start=np.zeros(program.searched, np.uint8),
        goals=np.zeros((GAMES, program.roles), np.float32),
        lengths=np.zeros(GAMES, np.int32),
        finished=np.zeros(GAMES, np.bool_),
    )


@device_function_norefcount
def note_size(sampler: Sampler, level: int, expansions: int) -> None:
    """Count a decided position of a level."""
    sampler.sizes[level, 0] += expansions
    sampler.sizes[level, 1] += 1


@device_function_norefcount
def is_worth_games(sampler: Sampler, level: int, children: int) -> bool:
    """Return whether a position with this number of children is worth random games."""
    expansions, decided = int64(sampler.sizes[level, 0]), int64(sampler.sizes[level, 1])
    if children < 2 or children * int64(sampler.steps[0]) > MAX_SWEEPS:
        return False
    return expansions >= MIN_EXPANSIONS * children * decided if decided else level < FIRST_LEVELS


@device_function_norefcount
def mean_score(program: Lanes, rules: Rules, work: Work, sampler: Sampler, state: Words) -> int:
    """Return the mean goal of the first role in random games from a packed state, in parts of SCALE."""
    start, values = sampler.start, work.values
    for base in range(program.searched):
        start[uint64(base)] = (state[uint64(base >> 6)] >> uint64(base & 63)) & ONE
    play(
        values,
        program,
        sampler.turned,
        sampler.picks,
        start,
        MAX_STEPS,
        LANES,
        sampler.goals,
        sampler.lengths,
        sampler.finished,
    )
    values[(1 + program.bases) * WORDS : (program.hold + 1) * WORDS] = ZERO  # no moves, and no lane keeps its state
    total, steps = 0.0, int64(0)
    for game in range(GAMES):
        total += sampler.goals[game, rules.first]
        steps += sampler.lengths[game]
    sampler.steps[0] = steps // GAMES
    return int64(total * SCALE / GAMES)
