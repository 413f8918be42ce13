"""Ends and bounds, against what random play comes to."""

from __future__ import annotations

from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.gamemaster.games import find_game
from search.clock import MonotonicClock
from search.factoring import factor
from search.options import SearchOptions
from search.subgames.plan import Planner
from search.subgames.plan.best_first import leaf_of
from search.subgames.plan.lower_bound import DEAD, steps_to_end
from tests.search.subgames.plan.compounds import compounds
from tests.search.subgames.plan.games import machine_of


class Played:
    """A random play, with what the planner's tables say of its states."""

    def __init__(self, text: str, seed: int) -> None:
        self.machine = machine_of(text)
        planner = Planner(
            self.machine, factor(self.machine.circuit), self.machine.initial(), SearchOptions(), MonotonicClock()
        )
        planner.think(inf)
        self.preparation, random = planner._preparation, Random(seed)
        self.states, state = [self.machine.initial()], self.machine.initial()
        while not self.over(state):
            state = self.machine.next(state, (random.choice(self.machine.legal(state)[0]),))
            self.states.append(state)

    def over(self, state) -> bool:
        return self.machine.terminal(state) or not self.machine.legal(state)[0]

    def keys(self):
        """Where each state is in the tables."""
        keys = [self.preparation.here]
        for state in self.states[1:]:
            assert self.preparation.advance(state)
            keys.append(self.preparation.here)
        return keys


def check(played: Played) -> None:
    if played.preparation is None:  # there is nothing to plan
        return
    board, keys = played.preparation.whole.board, played.keys()
    for state, key in zip(played.states, keys, strict=True):
        leaf = leaf_of(board, key)
        assert (leaf != DEAD and board.over[leaf]) == played.machine.terminal(state)
        if played.over(state):
            assert board.value[leaf] == (played.machine.goal(state)[0] or 0)
    target = played.preparation.whole.target(played.machine.goal(played.states[-1])[0] or 0)
    for steps, key in enumerate(reversed(keys)):
        assert steps_to_end(board, target, int(key[0]), key[1:], 0) <= steps


@settings(max_examples=25, deadline=None)
@given(compounds(), st.integers(0, 9))
def test_tables_tell_the_end_of_random_compound_games_and_never_rule_out_one_that_play_reaches(text, seed):
    check(Played(text, seed))


@pytest.mark.parametrize("name", ["bestButtons", "fusedButtons", "jointButtons", "allButtons"])
def test_so_they_do_in_the_bundled_games(name):
    for seed in range(3):
        check(Played(find_game(name).text, seed))
