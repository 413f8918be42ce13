"""Compound games are searched subgame by subgame, and the moves put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random
from typing import Any

import pytest

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from search import MonotonicClock, SearchOptions
from search.search import Search
from search.subgames import compound
from search.subgames.compound import CompoundSearch
from search.subgames.subgame_search import Advice, SubgameSearch
from tests.machines import built
from tests.search.subgames.games import compiled
from tests.shared import needs_shared

OPTIONS = SearchOptions(memory_mib=32, threads=1, seed=1)


def played(name: str, seconds: float, moves: int) -> tuple[list[list[Term]], list[Sequence[Sequence[Term]]]]:
    """The joint moves of a match in which the first role searches; what was legal."""
    machine, clock, random = compiled(name), MonotonicClock(), Random(5)
    state = machine.initial()
    search = Search(machine, 0, state, OPTIONS, clock)
    joints: list[list[Term]] = []
    legals: list[Sequence[Sequence[Term]]] = []
    while not machine.terminal(state) and len(joints) < moves:
        search.think(clock.now() + seconds)
        legal = machine.legal(state)
        joint = [search.best(), *(random.choice(own) for own in legal[1:])]
        state = machine.next(state, joint)
        search.commit(joint[0])
        search.advance(joint, state)
        joints.append(joint)
        legals.append(legal)
    return joints, legals


@pytest.mark.parametrize("name", ["hodgepodge", "multipleTicTacToe", "jointTicTacToe", "ticTacToe", "nim"])
def test_every_move_put_together_is_legal(name: str) -> None:
    joints, legals = played(name, seconds=0.1, moves=8)
    assert all(joint[0] in legal[0] for joint, legal in zip(joints, legals, strict=True))


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("multipleTicTacToe", "independent: 1 subgame"),
        ("hodgepodge", "interdependent actions: 2 subgames"),
        ("ticTacToe", ""),
    ],
)
def test_what_was_factored_is_reported(name: str, reported: str) -> None:
    machine, clock = compiled(name), MonotonicClock()
    search = Search(machine, 0, machine.initial(), OPTIONS, clock)
    search.think(clock.now() + 100, lambda: search.report().simulations > 0)
    assert search.report().factors == reported


@pytest.mark.parametrize(
    ("most_mib", "factors"),
    [(8, "interdependent actions: 2 subgames"), (0, "given up: there is no memory for the searches of the subgames")],
)
def test_without_memory_for_subgames_they_are_searched_with_less_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, most_mib: int, factors: str
) -> None:
    class Limited(SubgameSearch):
        def __init__(self, *args: Any) -> None:
            if args[4].memory_mib > most_mib:
                raise MemoryError
            super().__init__(*args)

    monkeypatch.setattr(compound, "SubgameSearch", Limited)
    machine, clock = compiled("hodgepodge"), MonotonicClock()
    search = Search(machine, 0, machine.initial(), replace(OPTIONS, memory_mib=64), clock)
    search.think(clock.now() + 100, lambda: search.report().simulations > 0)
    assert search.report().factors == factors
    assert search.best() in machine.legal(machine.initial())[0]


def test_factoring_can_be_switched_off() -> None:
    machine, clock = compiled("hodgepodge"), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(memory_mib=32, factoring=False), clock)
    search.think(clock.now() + 100, lambda: search.report().simulations > 0)
    assert not search.report().factors


def searched(name: str) -> tuple[CircuitMachine, Search, CompoundSearch]:
    machine, clock = compiled(name), MonotonicClock()
    search = Search(machine, 0, machine.initial(), OPTIONS, clock)
    search.think(clock.now() + 100, lambda: search.report().simulations > 500)
    compound = search._thinker
    assert isinstance(compound, CompoundSearch)
    return machine, search, compound


@needs_shared
@pytest.mark.parametrize(
    ("name", "words"),
    [("connectFourSimultaneous", 6 * [("(drop 1 1)", "(drop 1 2)")]), ("nim", [("(take b 1)",)])],
)
def test_the_searches_of_subgames_stay_where_what_is_read_of_them_means_the_same(
    name: str, words: list[tuple[str, ...]]
) -> None:
    machine, search, compound = searched(name)
    before, split, state = compound._locals, compound._split, machine.initial()
    assert split is not None
    signals = compound._signals(split)
    for wanted in words:
        joint = [next((move for move in own if str(move) in wanted), own[0]) for own in machine.legal(state)]
        state = machine.next(state, joint)
        search.advance(joint, state)
    assert compound._signals(split) != signals
    assert compound._locals is before


def test_where_a_subgame_goes_another_way_than_predicted_the_search_continues_whole_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine, search, compound = searched("hodgepodge")
    monkeypatch.setattr(compound._locals[1], "follows", lambda *_: False)
    joint = [search.best(), *(own[0] for own in machine.legal(machine.initial())[1:])]
    search.advance(joint, machine.next(machine.initial(), joint))
    assert search.report().factors == "given up: a subgame did not develop as predicted"
    search.think(MonotonicClock().now() + 0.1)
    assert not compound._locals
    assert compound._split is None


def test_advice_that_no_legal_move_follows_ends_the_split_and_a_legal_move_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine, search, compound = searched("hodgepodge")
    nothing = Advice(moves=frozenset(), acting=frozenset(), gain=0.0)
    monkeypatch.setattr(compound._locals[0], "advice", lambda: nothing)
    best = search.best()
    assert best in machine.legal(machine.initial())[0]
    assert search.report().factors.startswith("given up: no legal move")
    joint = [best, *(own[0] for own in machine.legal(machine.initial())[1:])]
    search.advance(joint, machine.next(machine.initial(), joint))
    assert compound._split is None


@pytest.mark.parametrize("name", ["nim", "hodgepodge"])
def test_a_move_that_loses_by_a_proof_of_the_whole_game_is_not_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search stops to visit such a move, so that its few visits did not count against it."""
    _, search, compound = searched(name)
    advised = search.best()
    reports = [
        replace(each, visits=0, value=0.0, proven=True) if each.move == advised else each
        for each in compound._whole.moves()
    ]
    other = next(each.move for each in reports if each.move != advised)
    monkeypatch.setattr(compound._whole, "moves", lambda: reports)
    monkeypatch.setattr(compound._whole, "best", lambda: other)
    assert search.best() != advised


@pytest.mark.parametrize("name", ["hodgepodge", "multipleTicTacToe"])
def test_what_each_subgame_advises_is_reported_with_why_the_move_is_played(name: str) -> None:
    """A reader must see one ranking for each subgame, and which of them the move to play comes from."""
    _, search, compound = searched(name)
    reported = search.report()
    assert reported.moves[0].move == search.best()
    assert reported.reason
    if reported.reason == "the subgame searches recommend it":
        assert any(part.played for part in reported.parts)
    assert all(
        part.moves[0].move == reported.moves[0].move for part in reported.parts if part.played
    )  # one name for one move
    advised = [local.advice() for local in compound._locals]
    assert len(reported.parts) == sum(each is not None for each in advised)
    assert all(part.moves for part in reported.parts)


PRESSING_LOSES = """
(role a) (role b) (other a b) (other b a) (init (turn a)) (init (step 0)) (then 0 1) (then 1 2) (then 2 3) (then 3 4)
(lamp 1) (lamp 2) (lamp 3) (lamp 4)
(<= (legal ?r (press ?r)) (true (turn ?r)) (not (true (pressed ?r))))
(<= (legal ?r (switch ?x)) (true (turn ?r)) (lamp ?x))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
(<= (next (pressed ?r)) (does ?r (press ?r))) (<= (next (pressed ?r)) (true (pressed ?r)))
(<= (next (lit ?x)) (lamp ?x) (does ?r (switch ?x)) (not (true (lit ?x))))
(<= (next (lit ?x)) (true (lit ?x)) (not (switched ?x)))
(<= (switched ?x) (does ?r (switch ?x)))
(<= (lost ?r) (true (pressed ?r)) (other ?r ?s) (not (true (pressed ?s))))
(<= terminal (true (step 4)))
(<= (goal ?r 0) (lost ?r)) (<= (goal ?r 100) (lost ?s) (other ?r ?s))
(<= (goal ?r 50) (role ?r) (not (lost a)) (not (lost b)))
"""
"""The only subgame is two buttons, and who presses one may lose; lamps, which nobody needs, are a way to pass."""


def test_where_every_move_in_the_only_subgame_is_worse_than_idling_the_agent_idles() -> None:
    """The search of the subgame has proven it; that of the whole game knows nothing."""
    machine, clock = built(PRESSING_LOSES), MonotonicClock()
    search = Search(machine, 0, machine.initial(), replace(OPTIONS, solvers=False), clock, learns=False)
    compound = search._thinker
    assert isinstance(compound, CompoundSearch)
    compound.look(clock.now() + 1_000)
    (buttons,) = compound._locals
    buttons.think(inf, lambda: buttons.solved)
    assert "switch" in str(search.best())
    (part,) = search.report().parts
    assert (part.played, part.gain) == (True, 0.0)


def test_a_game_that_is_searched_whole_tells_no_subgames() -> None:
    _, search, _ = searched("ticTacToe")
    assert (search.report().parts, search.report().reason) == ((), "")
