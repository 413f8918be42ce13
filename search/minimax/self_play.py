"""Self-play in lanes: each move of many games is chosen by a small search, and the searched positions are recorded."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bytes, Ints, Longs, Singles, Words
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.random import GOLDEN, scrambled
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import LANES
from search.minimax.descent import back_up, descend, unsettled
from search.minimax.expansion import MOST, Game, Pack, expand_pack
from search.minimax.positions import PENDING, SOLVED, USED, Positions


class Games(NamedTuple):
    """Self-play games, of which G are played at the same time, with a record of up to N positions.

    The current position of the game at a place has the place's number among the searched positions.
    """

    number: Ints  # [G] the number of the game that is played at this place
    steps: Ints  # [G] joint moves made
    opening: Ints  # [G] the number of first moves that are random
    left: Ints  # [G] the number of positions that may still be expanded before the move
    opened: Ints  # [G] the position whose line of best moves is followed
    states: Words  # [N, W] the recorded positions
    values: Singles  # [N] the values of the positions that were searched, for the first role
    strayed: Bytes  # [N] 1: a random move followed
    played: Ints  # [N] the number of the position's game
    step: Ints  # [N] joint moves of its game before the searched position
    results: Singles  # [games] of the first role, 0..1; below 0: not ended
    counts: Longs  # [2] positions recorded, games begun
    random: Words  # [1]


class Manner(NamedTuple):
    """How games are played."""

    expansions: int  # number of positions expanded for a move; 1: moves are random, and the positions themselves kept
    bonus: float  # of `descent.grow`
    quiet: float  # of `descent.grow`
    openings: int  # maximum number of random first moves
    temperature: float  # size of the noise in the choice of moves, in logits
    stray: float  # share of later moves that are random
    logit: float  # the evaluation of the initial state, before the logistic function


def new_games(places: int, size: int, words: int, seed: int) -> Games:
    """Allocate the memory of `size` positions."""
    return Games(
        number=np.full(places, -1, np.int32),
        steps=np.zeros(places, np.int32),
        opening=np.zeros(places, np.int32),
        left=np.zeros(places, np.int32),
        opened=np.zeros(places, np.int32),
        states=np.zeros((size, words), np.uint64),
        values=np.zeros(size, np.float32),
        strayed=np.zeros(size, np.uint8),
        played=np.zeros(size, np.int32),
        step=np.zeros(size, np.int32),
        results=np.full(size + places, -1.0, np.float32),
        counts=np.zeros(2, np.int64),
        random=np.array([seed % 2**64], np.uint64),
    )


@device_function_norefcount
def _uniform(random: Words) -> float:
    random[0] += GOLDEN
    return np.float64(scrambled(random[0]) >> uint64(11)) * 2.0**-53


@device_function_norefcount
def _begin(positions: Positions, games: Games, place: int, manner: Manner) -> None:
    """Begin a game at the place; its initial state is the last position of the memory."""
    games.number[place] = games.counts[1]
    games.counts[1] += 1
    games.steps[place] = 0
    games.opening[place] = int64(_uniform(games.random) * (manner.openings + 1))
    for w in range(positions.states.shape[1]):
        positions.states[place, w] = positions.states[len(positions.sizes) - 1, w]
    positions.logits[place] = np.float32(manner.logit)


@device_function_norefcount
def _leaf(positions: Positions, games: Games, place: int, manner: Manner) -> int:
    """Return the next position to expand below the place; -1: none."""
    if games.left[place] <= 0 or positions.marks[place] & SOLVED:
        return -1
    if games.opened[place] >= 0:
        node = unsettled(positions, games.opened[place], manner.quiet)
        if node >= 0:
            positions.marks[node] |= PENDING
            return int64(node)
    games.opened[place] = descend(positions, place, manner.bonus)
    return int64(games.opened[place])


@device_function_norefcount
def _search(program: Lanes, game: Game, positions: Positions, pack: Pack, games: Games, manner: Manner) -> None:
    """Expand positions below all places, one of each place at a time."""
    places, start = len(games.number), int64(0)
    while True:
        size, lanes, seen = int64(0), int64(0), int64(0)
        while seen < places and size < MOST and lanes < LANES:
            place = (start + seen) % places
            seen += 1
            node = _leaf(positions, games, place, manner)
            if node >= 0:
                pack.asked[size] = node
                size += 1
                lanes += max(int64(positions.sizes[positions.parents[node]]), 1)
        if size == 0:
            return
        done = expand_pack(program, game, positions, pack, size)
        for k in range(size):
            positions.marks[pack.asked[k]] &= ~PENDING
        for k in range(done):
            root = int64(pack.asked[k])
            while root >= places:
                root = int64(positions.parents[root])
            games.left[root] -= 1
            back_up(positions, pack.asked[k], root)
        if done == 0:
            return
        start = (start + seen) % places


@device_function_norefcount
def _choose(positions: Positions, games: Games, place: int, temperature: float) -> int:
    """Return the child with the best value and noise, of those that were searched if there are any."""
    first, count = positions.first[place], positions.sizes[place]
    best, at, among = -1e30, int64(first), False
    for child in range(first, first + count):
        searched = positions.sizes[child] > 0 or positions.marks[child] & SOLVED != 0
        if among and not searched:
            continue
        value = min(max(np.float64(positions.values[child]), 1e-6), 1 - 1e-6)
        worth = np.log(value / (1 - value))
        worth = worth if positions.movers[place] == 0 else -worth
        worth -= temperature * np.log(-np.log(max(_uniform(games.random), 1e-300)))
        if worth > best or (searched and not among):
            best, at, among = worth, int64(child), searched
    return at


@device_function_norefcount
def _record(positions: Positions, games: Games, place: int, whole: bool) -> int:
    """Record the end of the line of best moves, or the position itself if that is exact or `whole`; return where."""
    at, node = games.counts[0], int64(place)
    while not whole and positions.sizes[node]:
        first, mover, best, chosen = positions.first[node], positions.movers[node], np.float32(-1.0), int64(0)
        for child in range(first, first + positions.sizes[node]):
            value = positions.values[child] if mover == 0 else np.float32(1.0) - positions.values[child]
            if value > best:
                best, chosen = value, int64(child)
        node = chosen
    if positions.marks[node] & SOLVED:
        node = int64(place)
    for w in range(positions.states.shape[1]):
        games.states[at, w] = positions.states[node, w]
    games.values[at] = positions.values[place]
    games.played[at], games.step[at] = games.number[place], games.steps[place]
    games.counts[0] += 1
    return int64(at)


@device_function_norefcount
def _move(positions: Positions, games: Games, place: int, manner: Manner) -> None:
    """Record the position, and make a move: to a child, or to the result if that is known."""
    chance = manner.expansions == 1
    at = _record(positions, games, place, chance)
    strays = games.steps[place] < games.opening[place] or _uniform(games.random) < manner.stray
    games.strayed[at] = strays and not chance
    first, count = positions.first[place], positions.sizes[place]
    if strays or chance:
        child = int64(first + min(int64(_uniform(games.random) * count), count - 1))
    else:
        child = int64(_choose(positions, games, place, manner.temperature))
    if positions.marks[child] & SOLVED:
        games.results[games.number[place]] = positions.values[child]
        games.number[place] = -1
        return
    games.steps[place] += 1
    for w in range(positions.states.shape[1]):
        positions.states[place, w] = positions.states[child, w]
    positions.logits[place] = positions.logits[child]


@kernel_norefcount
def play_on(
    program: Lanes, game: Game, positions: Positions, pack: Pack, games: Games, manner: Manner, rounds: int
) -> bool:
    """Make `rounds` moves in every game; False if memory is full or the game has a fault."""
    places = len(games.number)
    for _ in range(rounds):
        if games.counts[0] + places > len(games.states) or games.counts[1] + places > len(games.results):
            return False
        for place in range(places):
            if games.number[place] < 0:
                _begin(positions, games, place, manner)
            positions.values[place] = 0.5
            positions.parents[place] = place
            positions.sizes[place] = positions.visits[place] = positions.marks[place] = 0
            games.opened[place] = -1
            games.left[place] = 1 if games.steps[place] < games.opening[place] else manner.expansions
        positions.counts[USED] = places
        _search(program, game, positions, pack, games, manner)
        moved = False
        for place in range(places):
            if positions.sizes[place]:
                _move(positions, games, place, manner)
                moved = True
        if not moved:
            return False
    return True
