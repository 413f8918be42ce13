"""An exercise has one best move, by exhaustive search."""

from __future__ import annotations

from functools import cache
from itertools import islice
from math import inf
from random import Random

import pytest

from search import exercises as module
from search.clock import MonotonicClock
from search.errors import UnsolvableError
from search.exercises import LEVELS, exercises
from tests.machines import BUNDLED, built

TIC_TAC_TOE = next(p.values[0] for p in BUNDLED if p.values[0].stem == "ticTacToe")


def test_one_move_keeps_the_value_and_all_others_lose_some():
    machine = built(TIC_TAC_TOE)

    @cache
    def value(state: object) -> int:
        """The goal of the first role if both play perfectly."""
        if machine.terminal(state):
            return machine.goal(state)[0]
        return (max if len(machine.legal(state)[0]) > 1 else min)(value(after) for _, after in following(state))

    def following(state):
        legal = machine.legal(state)
        role = 0 if len(legal[0]) > 1 else 1
        for move in legal[role]:
            joint = [move if each == role else own[0] for each, own in enumerate(legal)]
            yield str(move), machine.next(state, joint)

    found = [each for each in islice(exercises(machine, seed=1), 40) if each is not None]
    assert len(found) >= 3
    for each in found:
        state = machine.initial()
        for joint in each.history:
            state = machine.next(state, joint)
        assert set(each.facts) == set(map(str, machine.facts(state)))
        role = machine.roles.index(each.role)
        goals = {move: value(after) if role == 0 else 100 - value(after) for move, after in following(state)}
        assert [move for move, goal in goals.items() if goal == max(goals.values())] == [each.move]
        assert goals[each.move] == each.goal
        assert each.level in (0, *LEVELS)


COUNTING = """
(role a) (role b) (init (n 0)) (init (control a)) (other a b) (other b a) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r go) (true (control ?r))) (<= (legal ?r stay) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
(<= (next won) (does a go)) (<= terminal (true (n 3)))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))
"""


def test_a_game_whose_positions_are_all_known_yields_on():
    """So that the caller can stop: no position of this game gives an exercise, and none is tried twice."""
    assert set(islice(exercises(built(COUNTING)), 40)) == {None}


def test_a_game_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr(module, "MAX_STEPS", 6)
    endless = built(COUNTING.replace("(succ 2 3)", "(succ 2 0)"))
    _, history = module._game(endless, Random(1), MonotonicClock(), inf)
    assert len(history) == 6


def test_roles_that_move_at_the_same_time_are_refused_before_a_game_is_played(monkeypatch):
    monkeypatch.setattr(module, "_game", None)
    with pytest.raises(UnsolvableError, match="at the same time"):
        next(exercises(built(COUNTING.replace("(legal ?r go) (true (control ?r))", "(legal ?r go) (role ?r)"))))


class Ticking:
    """A clock that goes on by a second each time it is read."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        self.time += 1
        return self.time


def test_a_game_in_progress_ends_with_the_time():
    machine = built(ENDLESS)
    assert list(exercises(machine, seconds=1, clock=(clock := Ticking()), until=60)) == []
    assert clock.time < 90  # a game of MAX_STEPS steps reads the clock 500 times and more


ENDLESS = """
(role a) (role b) (init (control a)) (other a b) (other b a)
(<= (legal ?r go) (true (control ?r))) (<= (legal ?r stay) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control ?s)) (true (control ?r)) (other ?r ?s)) (<= (next won) (does a go)) (<= (next lost) (does b go))
(<= terminal (true over)) (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))
"""
