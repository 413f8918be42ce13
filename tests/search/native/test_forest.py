"""Searches of many positions that share lanes, against searches of single positions."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from search.clock import MonotonicClock
from search.native.forest import PENDING_PER_TREE, Forest
from search.native.search import NativeSearch
from search.options import SearchOptions
from search.study.selfplay import machine_of
from tests.search.study.games import misled, rules

GAMES = ["ticTacToe", "connectFour", "trio", "jointTicTacToe", "goofspiel", "diceRace"]


def forest(machine, count=6, simulations=60, model=None, **given):
    options = SearchOptions(simulations=simulations, memory_mib=8, seed=3, **given)
    return Forest(machine, 0, count, options, model)


def put(trees, numbers, states, simulations=60, keep=True):
    machine, numbering = trees._numbering.machine, trees._numbering
    words = np.array([numbering.packed(state, machine.legal(state)) for state in states])
    trees.put(np.array(numbers), words, simulations, keep=keep)


def after(machine, moves):
    """States along a line of first legal moves."""
    states = [machine.initial()]
    for _ in range(moves):
        states.append(machine.next(states[-1], tuple(own[0] for own in machine.legal(states[-1]))))
    return states


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("used", [None, (0.5, 0.7), (1.0, 0.7)])
def test_every_tree_makes_its_simulations_from_its_own_position(name, used):
    machine = machine_of(rules(name))
    trees = forest(machine, model=used and replace(misled(machine), weight=used[0], prior=used[1]))
    states = after(machine, 2)
    put(trees, range(6), [states[number % 2] for number in range(6)])
    finished = trees.run(6)
    assert finished.tolist() == [*range(6)]
    found = trees.roots(finished)
    for number in range(6):
        legal = machine.legal(states[number % 2])
        choosing = [role for role, own in enumerate(legal) if len(own) > 1 and str(machine.roles[role]) != "random"]
        groups = np.flatnonzero(found.places == number)
        assert found.roles[groups].tolist() == choosing
        assert 0 < found.visits[number] <= 60  # refuted moves are not visits
        for group, role in zip(groups, choosing, strict=True):
            own = slice(found.starts[group], found.starts[group + 1])
            names = {str(trees._numbering.term(move)) for move in found.moves[own].tolist()}
            assert names == {str(move) for move in legal[role]}
            assert found.move_visits[own].sum() <= 60
            assert (found.move_totals[own] <= found.move_visits[own] + 1e-9).all()


def test_a_proven_position_is_finished_with_the_values_and_moves_of_a_single_search():
    machine = machine_of(rules("ticTacToe"))
    state = after(machine, 4)[-1]
    trees = forest(machine, simulations=100_000)
    put(trees, [2], [state], 100_000)
    found = trees.roots(trees.run(1))
    options = SearchOptions(simulations=100_000, memory_mib=8, threads=1)
    alone = NativeSearch(machine, 0, state, options, MonotonicClock())
    alone.think(inf)
    proof = alone.statistics().proof
    assert proof is not None
    assert found.proofs[0].tolist() == [*proof.values]


def test_a_tree_keeps_what_leads_from_its_new_position_unless_it_begins_anew():
    machine = machine_of(rules("connectFour"))
    trees = forest(machine, 2)
    states = after(machine, 1)
    put(trees, [0, 1], [states[0]] * 2)
    trees.run(2)
    for number, keep in ((0, True), (1, False)):
        put(trees, [number], [states[1]], 40, keep=keep)
    visits = trees.roots(trees.run(2)).visits
    assert visits[0] > visits[1] == 40


def test_a_full_tree_is_freed_and_the_search_goes_on():
    machine = machine_of(rules("connectFour"))
    trees = forest(machine, 2, max_nodes=100)
    for state in after(machine, 6):
        put(trees, [0, 1], [state] * 2, 300)
        found = trees.roots(trees.run(2))
        assert (found.visits >= 300).all()
        assert trees._records["node_count"].max() <= 101


def test_the_lanes_are_shared_by_many_positions_and_few_descents_of_each_are_pending():
    machine = machine_of(rules("connectFour"))
    trees = forest(machine, 40, simulations=2000)
    put(trees, range(40), [machine.initial()] * 40, 2000)
    thread, rules_ = trees.lanes, trees._rules
    thread.record["needs_update"], thread.record["enough"] = 1, 40
    thread.drive(rules_, 200, 10**9)
    assert thread.pending.max() <= PENDING_PER_TREE
    assert int(thread.record["running"]) > 350
    trees.run(40)
    assert not thread.pending.any()


def test_without_positions_nothing_is_searched():
    trees = forest(machine_of(rules("ticTacToe")))
    assert len(trees.run(3)) == 0
    put(trees, [4], [machine_of(rules("ticTacToe")).initial()])
    trees.drop(np.array([4]))
    assert len(trees.run(3)) == 0
