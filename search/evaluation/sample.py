"""Sampling of positions of random games in lanes, and of the results of these games.

One batch plays 512 games from one state, all at the same time and each once, so that short games count as often as long
ones. In some sweeps the terms of all running games are recorded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Bytes, Ints, Singles, Words
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import uint64
from reasoner.lanes.draw import transpose
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT
from reasoner.lanes.play import Lanes, choose, forget_moves, load, score, section
from reasoner.lanes.rows import LANES, WORDS
from search.evaluation.lane_terms import BLOCK, gather_terms


class Places(NamedTuple):
    """Location of the terms, as `search.evaluation.lane_terms.gather_terms` takes it."""

    block: int  # the first of 64 free rows
    ors: int  # addresses
    ands: int
    literals: int
    terms: int


@kernel
def record(
    values: Words,
    program: Lanes,
    turned: Words,  # memory for drawing moves
    picks: Ints,  # likewise
    start: Bytes,  # [searched]
    places: Places,
    first: int,  # the sweep that is recorded first
    every: int,  # sweeps between records
    max_steps: int,
    seen: Words,  # [snapshots, LANES, blocks] the terms, one bit each; written
    running: Bytes,  # [snapshots, LANES] whether the lane's game was not over; written
    goals: Singles,  # [LANES, roles] written
    over: Bools,  # [LANES] whether the game ended within `max_steps`; written
) -> None:
    """Play one game a lane; `seen` and `running` must be zeros."""
    hold, snapshot = program.hold * WORDS, 0
    forget_moves(values, program, picks)
    lanes = np.full(WORDS, ALL)
    load(values, start, lanes)
    for w in range(WORDS):
        values[hold + w] = ZERO
    for sweep in range(max_steps + 1):
        section(values, program, LEGAL)
        playing = ZERO
        for w in range(WORDS):
            values[hold + w] |= values[program.stop * WORDS + w]
            playing |= ~values[hold + w]
        if playing == ZERO:
            break
        if sweep >= first and (sweep - first) % every == 0 and snapshot < len(seen):
            _note(values, program, places, seen[snapshot], running[snapshot])
            snapshot += 1
        choose(values, program, turned, picks)
        section(values, program, NEXT)
    section(values, program, LEGAL)
    section(values, program, GOAL)
    score(values, program, lanes, np.arange(LANES).astype(np.int32), goals, over)


@subkernel
def _note(values: Words, program: Lanes, places: Places, seen: Words, running: Bytes) -> None:
    """Record the terms of all lanes, and which lanes are still playing."""
    for lane in range(LANES):
        running[lane] = 1 - ((values[program.hold * WORDS + (lane >> 6)] >> uint64(lane & 63)) & ONE)
    for index in range(seen.shape[1]):
        gather_terms(values, places.block, places.ors, places.ands, places.literals, BLOCK * index, places.terms)
        transpose(values, places.block)
        for lane in range(LANES):
            seen[lane, index] = values[(places.block + (lane & 63)) * WORDS + (lane >> 6)]
