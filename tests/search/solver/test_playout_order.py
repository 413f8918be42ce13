"""The order of moves by playouts: right means, lanes ready for the next expansion, and use only where it pays."""

from __future__ import annotations

from random import Random

import pytest

from agent.gamemaster.games import bundled_game
from reasoner.kernels import kernel
from search.solver import Solver
from search.solver.playout_order import (
    FIRST_LEVELS,
    GAMES,
    MAX_SWEEPS,
    MIN_EXPANSIONS,
    SCALE,
    is_worth_games,
    mean_score,
    new_sampler,
    note_size,
)
from tests.machines import built


@kernel
def means(program, rules, work, sampler, state, count):
    return [mean_score(program, rules, work, sampler, state) for _ in range(count)]


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour"])
def test_the_mean_is_that_of_random_games_and_an_expansion_may_follow(name: str):
    machine, rng = built(bundled_game(name).text), Random(1)
    solver, sampler = Solver(machine, memory_mib=1), None
    for _ in range(4):
        state = machine.initial()
        for _ in range(rng.randrange(5)):
            state = machine.next(state, [rng.choice(moves) for moves in machine.legal(state)])
        position, thread = solver.position(state), solver._threads[0]
        sampler = sampler or new_sampler(thread.program, 10)
        before = solver.children(position)[1]
        found = means(thread.program, thread.rules, thread.work, sampler, position.words, 8)
        after = solver.children(position)[1]
        assert (before.hashes == after.hashes).all()
        assert (before.bounds == after.bounds).all()
        goals = machine.playouts(state, 8 * GAMES, seed=1).goals[:, 0]
        error = float(goals.std()) * (2 / len(goals)) ** 0.5
        assert sum(found) / len(found) / SCALE == pytest.approx(float(goals.mean()), abs=5 * error + 1 / SCALE)


def test_a_position_is_sampled_near_the_root_and_where_searches_are_long_and_games_are_short():
    program = Solver(built(bundled_game("ticTacToe").text), memory_mib=1)._threads[0].program
    sampler, worth = new_sampler(program, FIRST_LEVELS + 1), is_worth_games.py_func
    assert worth(sampler, 0, 7)
    assert not worth(sampler, 0, 1)
    assert not worth(sampler, FIRST_LEVELS, 7)
    note_size.py_func(sampler, FIRST_LEVELS, 7 * MIN_EXPANSIONS)
    assert worth(sampler, FIRST_LEVELS, 7)
    note_size.py_func(sampler, FIRST_LEVELS, 7 * MIN_EXPANSIONS - 2)
    assert not worth(sampler, FIRST_LEVELS, 7)
    assert worth(sampler, FIRST_LEVELS, 6)
    sampler.steps[0] = MAX_SWEEPS // 7 + 1
    assert not worth(sampler, 0, 7)
    assert worth(sampler, 0, 6)
    assert not worth(new_sampler(program, 1, active=False), 0, 2)
