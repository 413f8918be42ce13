"""Compound games are searched subgame by subgame, and the moves put together."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from reasoner.language.terms import Term
from search import MonotonicClock, SearchOptions
from search.handle import Search
from search.subgames.compound import CompoundSearch
from tests.search.subgames.games import compiled

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
    ("name", "told"),
    [
        ("multipleTicTacToe", "independent: 1 subgame"),
        ("hodgepodge", "interdependent actions: 2 subgames"),
        ("ticTacToe", ""),
    ],
)
def test_what_was_factored_is_told(name: str, told: str) -> None:
    machine, clock = compiled(name), MonotonicClock()
    search = Search(machine, 0, machine.initial(), OPTIONS, clock)
    search.think(clock.now() + 100, lambda: search.report().simulations > 0)
    assert search.report().factors == told


def test_factoring_can_be_switched_off() -> None:
    machine, clock = compiled("hodgepodge"), MonotonicClock()
    whole = Search(machine, 0, machine.initial(), SearchOptions(memory_mib=32, factoring=False), clock)
    assert not isinstance(whole._thinker, CompoundSearch)
