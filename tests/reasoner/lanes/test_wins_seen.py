"""Preferring moves is worth its price where random play passes many wins by."""

from pathlib import Path
from random import Random

import numpy as np

from reasoner.lanes import play
from reasoner.lanes.rows import aligned
from reasoner.lanes.wins_seen import wins_seen
from tests.machines import built
from tests.reasoner.lanes.test_preferred_moves import winning_moves

GAMES = Path(__file__).parents[3] / "games"


def seen_in_lanes(machine, sweeps):
    code = machine.program.code.load()  # owns the memory of the code
    lanes = play.lanes(machine.program, code)
    values, (turned, picks) = aligned(machine.rows), play.scratch(machine.program.drawn)
    play.seed_generators(values, lanes.random, 3)
    start = machine.circuit.initial[: machine.circuit.searched].astype(np.uint8)
    return wins_seen(values, lanes, turned, picks, start, sweeps)


def seen_one_by_one(machine, games):
    """How many states of each random game give the one who chooses a move that wins."""
    random = Random(5)
    for _ in range(games):
        state, seen = machine.initial(), 0
        while not machine.terminal(state):
            legal = machine.legal(state)
            role = max(range(len(legal)), key=lambda one: len(legal[one]))
            seen += any(True for _ in winning_moves(machine, state, role, [100, 100]))
            state = machine.next(state, [random.choice(own) for own in legal])
        yield seen


def test_states_with_a_win_are_counted_as_one_by_one():
    machine = built(GAMES / "ticTacToe.kif")
    twin = np.array(list(seen_one_by_one(machine, 300)), float)
    error = twin.std() * (1 / 300 + 1 / 512) ** 0.5
    assert abs(seen_in_lanes(machine, 200) - twin.mean()) < 4 * error


def test_games_are_followed_to_their_end_and_no_further():
    machine = built(GAMES / "ticTacToe.kif")
    assert seen_in_lanes(machine, 4) == 0  # nobody has two in a row, and the move
    assert seen_in_lanes(machine, 10) == seen_in_lanes(machine, 1000) > 0


def test_it_pays_in_connect_four():
    assert built(GAMES / "connectFour.kif").decisive


def test_it_pays_nowhere_where_no_move_wins_alone():
    machine = built(GAMES / "goofspiel.kif")
    assert not machine.program.decisive
    assert not machine.decisive
