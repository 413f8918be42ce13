"""A table that grows keeps its entries, and a search goes on in it."""

from __future__ import annotations

import numpy as np
import pytest

from agent.cli.moves import state_after
from agent.gamemaster.games import bundled_game
from reasoner.kernels import kernel
from search.solver import Solver, growing_table
from search.solver.growing_table import GrowingTable
from search.solver.proof_table import bounds_in, entries_in, find, store
from tests.machines import built


@kernel
def store_all(table, codes):
    for i in range(len(codes)):
        store(table, codes[i], i & 127, 255, 50, 0, 9, 1)


@kernel
def count_kept(table, codes):
    """Count the positions whose bounds `store_all` stored."""
    kept = 0
    for i in range(len(codes)):
        entry, data = find(table, codes[i])
        if entry >= 0:
            low, high = bounds_in(data)
            kept += low == i & 127 and high == 255
    return kept


@pytest.mark.parametrize("chunk", [1 << 20, 1000])
def test_entries_are_found_in_the_larger_table(chunk: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(growing_table, "FIRST_MIB", 1)
    monkeypatch.setattr(growing_table, "CHUNK", chunk)
    table = GrowingTable.new(32)
    small = table.words
    table.make_room()
    assert table.words is small  # it is empty
    codes = np.random.default_rng(1).integers(1, 2**64, len(small), np.uint64)
    store_all(small, codes)
    before = count_kept(small, codes)
    for entries in (8 * len(small), 32 * len(small)):
        table.make_room()
        assert len(table.words) == entries
        assert count_kept(table.words, codes) == before > len(small) / 2
        store_all(table.words, np.random.default_rng(2).integers(1, 2**64, len(table.words), np.uint64))
        store_all(table.words, codes)
        before = count_kept(table.words, codes)
    assert not table.grows
    table.make_room()
    assert len(table.words) == entries_in(32)


def test_a_new_table_has_room_for_what_is_kept_if_its_limit_allows():
    assert len(GrowingTable.new(1024).words) < len(GrowingTable.new(1024, 3_000_000).words) == 1 << 22
    assert len(GrowingTable.new(1, 3_000_000).words) == entries_in(1)


def test_the_result_of_a_search_in_a_growing_table_is_that_in_a_fixed_one(monkeypatch: pytest.MonkeyPatch):
    machine = built(bundled_game("connectFour").text)
    state = state_after(machine, [f"(drop {column})" for column in "3613511121766134"])
    fixed = Solver(machine, state, memory_mib=1)
    assert fixed.run(60)
    monkeypatch.setattr(growing_table, "FIRST_MIB", 0)
    monkeypatch.setattr("search.solver.solver.GROW_SECONDS", 0.0)
    for threads in (1, 2):
        growing = Solver(machine, state, memory_mib=64, threads=threads)
        first = len(growing._table.words)
        assert growing.run(60)
        assert growing.low == fixed.low
        assert len(growing._table.words) > first


def test_a_machine_without_memory_ends_the_growth(monkeypatch: pytest.MonkeyPatch):
    table = GrowingTable.new(64)
    store_all(table.words, np.random.default_rng(1).integers(1, 2**64, len(table.words), np.uint64))

    def refuse(_: int) -> None:
        raise MemoryError

    monkeypatch.setattr(growing_table, "table_of", refuse)
    before = table.words
    table.make_room()
    assert table.words is before
    assert not table.grows
