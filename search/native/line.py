"""One player alone: the moves that led to the best end seen, taken from the path and from the last sweeps' moves."""

from __future__ import annotations

import numpy as np

from reasoner.kernels import subkernel
from reasoner.lanes.rows import WORDS
from search.native.backup import path_of
from search.native.layout import LONGEST, Record, Words, cell
from search.native.memory import edge_at, job_at, lane_at, put_int, put_word, step_at, word_at

_ONE = np.uint64(1)


@subkernel
def note_moves(crew: Record, values: Words) -> None:
    """Remember the moves made in this sweep; runs when they are final."""
    width, first = crew.moves * WORDS, (1 + crew.bases) * WORDS
    row = crew.history + 8 * width * (crew.sweep_now % crew.history_sweeps)
    for i in range(width):
        put_word(row, i, values[first + i])


@subkernel
def keep_line(tree: Record, crew: Record, number: int, value: float) -> None:
    """Keep the moves of a lane that came to an end of `value`, 0..1, if it is the best.

    Of lines to the same end below the best, the longer one leaves more time to find a better.
    """
    lane = lane_at(crew.lanes, number)
    job = job_at(crew.jobs, lane.job)
    begin = lane.begun + (1 if job.link else 0)  # the first move of a link is the last of the path
    total = job.length + lane.over - begin
    longer = value == crew.line_value and value < 1 and total > crew.line_length
    forgotten = crew.sweep_now - begin > crew.history_sweeps
    if not (value > crew.line_value or longer) or total > LONGEST or forgotten:
        return
    for i in range(job.length):
        put_int(crew.line, i, edge_at(tree.edges, step_at(path_of(crew, lane.job), i).link).move)
    for sweep in range(begin, lane.over):
        put_int(crew.line, job.length + sweep - begin, _move_made(crew, sweep, number))
    crew.line_value = value
    crew.line_length = total


@subkernel
def _move_made(crew: Record, sweep: int, number: int) -> int:
    """The move that a lane made in a sweep."""
    row, bit = sweep % crew.history_sweeps, _ONE << np.uint64(number & 63)
    for move in range(crew.moves):
        if word_at(crew.history, cell(row, crew.moves, move) * WORDS + (number >> 6)) & bit:
            return move
    return -1
