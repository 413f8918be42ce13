"""The table of positions gives a position only what was proven of it, whatever other threads store meanwhile."""

from __future__ import annotations

import threading

import numpy as np

from reasoner.kernels import kernel_norefcount
from reasoner.kernels.scalars import int64, uint64
from search.solver.proof_table import BUCKET, bounds_in, find, numbers_in, store, table_of

POSITIONS = 61
READS, WRITES = 2_000_000, 1_000_000


@kernel_norefcount
def found_before(table, first, second):
    """Find a position, let others take all entries of its bucket, and return what was found."""
    _, data = find(table, first)
    for i in range(BUCKET):
        store(table, second + uint64(i), 70, 80, 75, 3, 4, 1000)
    low, high = bounds_in(data)
    proof, disproof = numbers_in(data, 25)
    return low, high, proof, disproof


def test_what_was_found_of_a_position_stays_true_if_its_entry_is_replaced():
    table = table_of(BUCKET)
    stored(table)
    assert found_before(table, np.uint64(1), np.uint64(2)) == (20, 30, 1, 2)
    assert missing(table, np.uint64(1))


@kernel_norefcount
def stored(table):
    store(table, uint64(1), 20, 30, 25, 1, 2, 1)


@kernel_norefcount
def missing(table, code):
    return find(table, code)[0] < 0


@kernel_norefcount
def store_many(table, count):
    for k in range(count):
        i = (7 * k + 3) % POSITIONS
        store(table, uint64(i + 1), i, i, 5, 1, 1, 1)


@kernel_norefcount
def count_wrong(table, count):
    wrong = int64(0)
    for k in range(count):
        i = k % POSITIONS
        place, data = find(table, uint64(i + 1))
        low, high = bounds_in(data)
        wrong += place >= 0 and (low != i or high != i)
    return wrong


def test_a_position_never_gets_the_bounds_that_another_thread_stores_for_another_one():
    """All positions share a bucket, so each store replaces an entry that the other thread may be reading."""
    table = table_of(BUCKET)
    store_many(table, 1)  # compiles it, as the next line does
    count_wrong(table, 1)
    writer = threading.Thread(target=store_many, args=(table, WRITES))
    writer.start()
    wrong = count_wrong(table, READS)
    writer.join()
    assert wrong == 0
