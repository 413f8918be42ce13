"""Best line of a one-player game: the moves to the best end seen, from the path and the recorded moves."""

from __future__ import annotations

from reasoner.arrays import Words
from reasoner.kernels import subkernel
from reasoner.kernels.bits import ONE
from reasoner.kernels.memory import put_int, put_word, word_at
from reasoner.kernels.scalars import uint64
from reasoner.lanes.rows import WORDS
from search.native.backup import path_of
from search.native.layout import MAX_LINE_MOVES, Record, batch_at, cell, edge_at, lane_at, step_at


@subkernel
def note_moves(thread: Record, values: Words) -> None:
    """Record the moves of this sweep; runs when they are final."""
    width, first = thread.moves * WORDS, (1 + thread.bases) * WORDS
    row = thread.history + 8 * width * (thread.sweep_now % thread.history_sweeps)
    for i in range(width):
        put_word(row, i, values[first + i])


@subkernel
def keep_line(tree: Record, thread: Record, number: int, value: float) -> None:
    """Keep the moves of a lane that reached an end of `value`, 0..1, if that is the best so far.

    Of two lines of the same value below 1 the longer one is kept: it leaves more time to find a better one.
    """
    lane = lane_at(thread.lanes, number)
    batch = batch_at(thread.batches, lane.batch)
    begin = lane.begun + (1 if batch.edge else 0)  # the move of an edge is the last move of the path
    total = batch.length + lane.over - begin
    longer = value == thread.line_value and value < 1 and total > thread.line_length
    forgotten = thread.sweep_now - begin > thread.history_sweeps
    if not (value > thread.line_value or longer) or total > MAX_LINE_MOVES or forgotten:
        return
    for i in range(batch.length):
        put_int(thread.line, i, edge_at(tree.edges, step_at(path_of(thread, lane.batch), i).edge).move)
    for sweep in range(begin, lane.over):
        put_int(thread.line, batch.length + sweep - begin, _move_made(thread, sweep, number))
    thread.line_value = value
    thread.line_length = total


@subkernel
def _move_made(thread: Record, sweep: int, number: int) -> int:
    """Return the move that a lane made in a sweep; -1 if there is none."""
    row, bit = sweep % thread.history_sweeps, ONE << uint64(number & 63)
    for move in range(thread.moves):
        if word_at(thread.history, cell(row, thread.moves, move) * WORDS + (number >> 6)) & bit:
            return move
    return -1
