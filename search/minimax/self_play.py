"""Self-play in lanes: both roles choose the child with the best evaluation, with noise, or a random child."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Longs, Singles, Words
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.random import GOLDEN, scrambled
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.play import Lanes
from search.minimax.expansion import MOST, Game, Pack, expand_pack
from search.minimax.positions import SOLVED, USED, Positions


class Games(NamedTuple):
    """Self-play games, of which G are played at the same time, with a record of up to N positions."""

    number: Ints  # [G] the number of the game that is played at this place
    steps: Ints  # [G] joint moves made
    opening: Ints  # [G] the number of first moves that are random
    states: Words  # [N, W] the recorded positions
    played: Ints  # [N] the number of the position's game
    step: Ints  # [N] joint moves of its game before the position
    results: Singles  # [games] of the first role, 0..1; below 0: not ended
    counts: Longs  # [3] positions recorded, games begun, the next place
    random: Words  # [1]


def new_games(places: int, size: int, words: int, seed: int) -> Games:
    """Allocate the memory of `size` positions."""
    return Games(
        number=np.full(places, -1, np.int32),
        steps=np.zeros(places, np.int32),
        opening=np.zeros(places, np.int32),
        states=np.zeros((size, words), np.uint64),
        played=np.zeros(size, np.int32),
        step=np.zeros(size, np.int32),
        results=np.full(size + places, -1.0, np.float32),
        counts=np.zeros(3, np.int64),
        random=np.array([seed], np.uint64),
    )


@device_function_norefcount
def _uniform(random: Words) -> float:
    random[0] += GOLDEN
    return np.float64(scrambled(random[0]) >> uint64(11)) * 2.0**-53


@device_function_norefcount
def _begin(positions: Positions, games: Games, place: int, openings: int, logit: float) -> None:
    """Begin a game at the place; its initial state is the last position of the memory."""
    games.number[place] = games.counts[1]
    games.counts[1] += 1
    games.steps[place] = 0
    games.opening[place] = int64(_uniform(games.random) * (openings + 1))
    for w in range(positions.states.shape[1]):
        positions.states[place, w] = positions.states[len(positions.sizes) - 1, w]
    positions.logits[place] = np.float32(logit)


@device_function_norefcount
def _choose(positions: Positions, games: Games, place: int, temperature: float, stray: float) -> int:
    """Return the child to play: by the evaluation with noise, or at random."""
    first, count = positions.first[place], positions.sizes[place]
    if games.steps[place] < games.opening[place] or _uniform(games.random) < stray:
        return int64(first + min(int64(_uniform(games.random) * count), count - 1))
    best, at = -1e30, int64(first)
    for child in range(first, first + count):
        worth = np.float64(positions.logits[child])
        if positions.marks[child] & SOLVED:
            worth = 1e6 * (np.float64(positions.values[child]) - 0.5)
        worth = worth if positions.movers[place] == 0 else -worth
        worth -= temperature * np.log(-np.log(max(_uniform(games.random), 1e-300)))
        if worth > best:
            best, at = worth, int64(child)
    return at


@device_function_norefcount
def _move(positions: Positions, games: Games, place: int, child: int) -> None:
    """Make the move to the child: record it, or the result if the game is over."""
    if positions.marks[child] & SOLVED:
        games.results[games.number[place]] = positions.values[child]
        games.number[place] = -1
        return
    at, games.steps[place] = games.counts[0], games.steps[place] + 1
    for w in range(positions.states.shape[1]):
        positions.states[place, w] = games.states[at, w] = positions.states[child, w]
    positions.logits[place] = positions.logits[child]
    games.played[at], games.step[at] = games.number[place], games.steps[place]
    games.counts[0] += 1


@kernel_norefcount
def play_on(
    program: Lanes,
    game: Game,
    positions: Positions,
    pack: Pack,
    games: Games,
    packs: int,
    openings: int,
    temperature: float,
    stray: float,
    logit: float,
) -> bool:
    """Make a move in one pack of games after another; False if memory is full or the game has a fault.

    packs: number of packs, each as many games as fit in the lanes. openings: limit of the random first moves.
    temperature: size of the noise in the choice of moves. stray: share of later moves that are random.
    logit: the evaluation of the initial state, before the logistic function.
    """
    places = len(games.number)
    for _ in range(packs):
        if games.counts[0] + MOST > len(games.states) or games.counts[1] + MOST > len(games.results):
            return False
        size = min(MOST, places)
        for k in range(size):
            place = (games.counts[2] + k) % places
            pack.asked[k] = place
            if games.number[place] < 0:
                _begin(positions, games, place, openings, logit)
        positions.counts[USED] = places
        done = expand_pack(program, game, positions, pack, size)
        if done == 0:
            return False
        for k in range(done):
            place = pack.asked[k]
            _move(positions, games, place, _choose(positions, games, place, temperature, stray))
        games.counts[2] = (games.counts[2] + done) % places
    return True
