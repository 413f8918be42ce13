"""The solver beside the tree search proves exact moves, takes only its share of the time, and is never late."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

from agent.cli.moves import state_after
from agent.gamemaster.games import bundled_game
from reasoner.identity import Symmetries, symmetries
from reasoner.identity.identify import SEARCH_WORK
from reasoner.language.parse import read_term
from search import MonotonicClock, SearchOptions
from search.native.search import NativeSearch
from search.search import Search
from search.solver import Solver, prover
from search.solver.prover import DECAY, MAX_SHARE, MIN_SECONDS, MIN_SHARE, TURN_SECONDS, Proof, Prover
from search.subgames.compound import CompoundSearch
from tests.clocks import FakeClock
from tests.machines import built
from tests.search.solver.games import Duel, duels

OPTIONS = SearchOptions(memory_mib=8, threads=1)
SLICE = 0.02
"""Seconds of a slice of the other search."""


@contextmanager
def compiled() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(prover, "all_kept", lambda _: True)
        yield


def connect_four(clock: FakeClock | None = None) -> tuple[Prover, FakeClock]:
    machine, clock = built(bundled_game("connectFour").text), clock or FakeClock(0.0001, 0.0)
    with compiled():
        return Prover(machine, 0, machine.initial(), OPTIONS, clock), clock


def proof_of(duel: Duel, role: int) -> Proof | None:
    machine = built(duel.rules)
    with compiled():
        solver = Prover(machine, role, machine.initial(), OPTIONS, MonotonicClock())
    while solver.active:
        solver.turn(None)
    return solver.proof


def exact_moves(duel: Duel) -> set[str]:
    return {f"m{move}" for move, value in enumerate(duel.values_of_moves()) if value == duel.value()}


@given(duels())
@settings(max_examples=40, deadline=None)
def test_proven_moves_keep_the_value_of_an_exhaustive_search(duel: Duel):
    owner = duel.owner[0]
    proof, of_other_role = proof_of(duel, owner), proof_of(duel, 1 - owner)
    assert of_other_role is None
    if proof is not None:
        assert proof.goals == (duel.value(), 100 - duel.value())
        assert proof.moves
        assert set(map(str, proof.moves)) <= exact_moves(duel)
    else:
        assert duel.value() == (min, max)[owner](duel.goals_of_ends())


@given(duels())
@settings(max_examples=20, deadline=None)
def test_a_proof_in_the_tree_is_played(duel: Duel):
    proof, machine, role = proof_of(duel, duel.owner[0]), built(duel.rules), duel.owner[0]
    options = SearchOptions(memory_mib=8, threads=1, simulations=4)
    search = NativeSearch(machine, role, machine.initial(), options, MonotonicClock())
    if proof is None:
        return
    assert not search.prove(*proof), "no move was visited yet"
    search.think(inf)
    if not search.solved:
        assert search.prove(*proof)
    assert search.solved
    assert str(search.best()) in exact_moves(duel)


def spent(solver: Prover, clock: FakeClock, seconds: float) -> float:
    """Take turns in a position that is not solved; return the solver's share of the time."""
    began, own, end = clock.time, 0.0, clock.time + 2 * seconds
    while clock.time < began + seconds:
        before = clock.time
        if solver.due(end):
            solver.turn(None)
            own += clock.time - before
        clock.time += SLICE
        solver.note(SLICE)
    return own / (clock.time - began)


def test_the_share_of_the_time_is_bounded_and_falls_without_success():
    solver, clock = connect_four(FakeClock(TURN_SECONDS / 40, 0.0))
    state = solver._state
    for number in range(5):
        share = max(MAX_SHARE * DECAY**number, MIN_SHARE)
        assert spent(solver, clock, 2.0) == pytest.approx(share, abs=0.01)
        solver.enter(state)
    assert solver.active


def test_no_turn_is_late():
    """A look at the clock costs a fifth of a turn here, so a turn is as long as it gets."""
    solver, clock = connect_four(FakeClock(TURN_SECONDS / 5, 0.0))
    for _ in range(20):
        deadline = clock.time + 1.0
        while clock.time < deadline:
            if solver.due(deadline):
                solver.turn(None)
                assert clock.time < deadline
            solver.note(SLICE)


def test_slow_expansions_end_turns_earlier():
    """A look at the clock costs two turns here, so a turn takes more than the usual reserve."""
    solver, clock = connect_four(FakeClock(2 * TURN_SECONDS, 0.0))
    solver.note(SLICE)
    solver.turn(None)
    taken = clock.time
    solver.turn(None)
    taken = clock.time - taken
    solver.note(100)
    assert taken > 4 * TURN_SECONDS
    assert not solver.due(clock.time + 2 * taken)
    assert solver.due(clock.time + 9 * taken)


def test_a_short_clock_does_not_wait_for_a_solver():
    solver, clock = connect_four()
    solver.note(100)
    assert not solver.due(clock.time + MIN_SECONDS / 2)
    assert not solver.due(inf)
    assert solver.due(clock.time + 2 * MIN_SECONDS)


def test_what_is_proven_after_a_committed_move_is_no_proof_of_the_position_before_it():
    machine, clock = built(bundled_game("connectFour").text), MonotonicClock()
    search = Search(machine, 0, machine.initial(), OPTIONS, clock)
    search.think(clock.now() + 100, lambda: search.report().simulations > 10)
    move = search.best()
    thinker = search._thinker
    assert isinstance(thinker, CompoundSearch)
    thinker.commit(move)
    proof = Proof(frozenset([move]), (100, 0))
    thinker._prover = SimpleNamespace(proof=proof, due=lambda _: False, active=True, note=lambda _: None)
    assert not thinker._proven()
    thinker._committed = False
    assert thinker._proven()
    assert search.solved
    assert search.best() == move


def test_solvers_can_be_switched_off():
    machine = built(bundled_game("connectFour").text)
    with compiled():
        off = Prover(machine, 0, machine.initial(), SearchOptions(solvers=False), MonotonicClock())
    assert not off.active


def test_the_search_for_symmetries_is_limited(monkeypatch: pytest.MonkeyPatch):
    """A complete search for symmetries takes seconds in some games, and nothing interrupts it."""
    works = list[int]()

    def recorded(*asked: Any) -> Symmetries:
        works.append(asked[-1])
        return symmetries(*asked)

    monkeypatch.setattr("search.solver.hashes.symmetries", recorded)
    solver, _ = connect_four()
    solver.turn(None)
    assert works == [prover.SYMMETRY_WORK]
    assert works[0] < SEARCH_WORK / 10


def test_stored_proofs_solve_a_position_in_a_few_expansions():
    solver, _ = connect_four(FakeClock(0.01, 0.0))  # a turn is over after one expansion
    state = state_after(solver._machine, [f"(drop {column})" for column in "361351112176613456"])
    whole = Solver(solver._machine, state, memory_mib=4)
    assert whole.run(60)
    solver.enter(state)
    for _ in range(5):
        solver.turn(None)
    assert solver.active
    solver.use_proofs(whole.kept_proofs())
    for _ in range(5):
        solver.turn(None)
    assert not solver.active
    assert solver.proof == Proof(frozenset([read_term("(drop 4)")]), (100, 0))
