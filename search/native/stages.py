"""Stages of a batch, each with a queue; sweeps move batches from one stage to the next.

    IDLE       not in use
    FRESH      has a leaf and lanes, after an update of the tree
    LOADED     the state of its origin is in its lanes; it makes its first move in this sweep
    ARRIVED    the state after that move is visible in this sweep
    READ       this state is known, but not in the tree yet
    FINISHED   all lanes have ended, but the results are not backed up yet

A batch in playouts is in no queue. A batch may be in the queues of READ and FINISHED at the same time.
"""

from __future__ import annotations

from reasoner.kernels import device_function
from reasoner.kernels.memory import int_at, put_int
from reasoner.lanes.rows import LANES
from search.native.layout import Record, batch_at, cell

IDLE, FRESH, LOADED, ARRIVED, READ, FINISHED = range(6)
STAGES = 6


@device_function
def count_in(thread: Record, stage: int) -> int:
    """Count the batches in the queue of a stage."""
    return int_at(thread.counts, stage)


@device_function
def batch_in(thread: Record, stage: int, i: int) -> int:
    """Return the batch at place `i` in the queue of a stage."""
    return int_at(thread.queues, cell(stage, LANES, i))


@device_function
def enter_stage(thread: Record, stage: int, batch: int) -> None:
    """Put a batch at the end of the queue of a stage."""
    count = count_in(thread, stage)
    put_int(thread.queues, cell(stage, LANES, count), batch)
    put_int(thread.counts, stage, count + 1)
    batch_at(thread.batches, batch).stage = stage


@device_function
def leave_last(thread: Record, stage: int) -> None:
    """Remove the last batch from the queue of a stage."""
    put_int(thread.counts, stage, count_in(thread, stage) - 1)


@device_function
def clear_stage(thread: Record, stage: int) -> None:
    """Empty the queue of a stage."""
    put_int(thread.counts, stage, 0)
