"""Proven pairs of exclusive facts are never true together in play."""

from pathlib import Path
from random import Random

import pytest

from reasoner import load
from reasoner.circuit.exclusive_pairs import exclusive_pairs
from tests.machines import built
from tests.shared import SHARED, needs_shared

GAMES = Path(__file__).parents[3] / "games"

LIGHTS = """
(role a) (base (red)) (base (green)) (base (blue)) (init (red))
(input a one) (input a both) (legal a one) (legal a both)
(<= (next (light ?c)) (does a one) (was ?c))
(base (light red)) (base (light green)) (base (light blue)) (init (light red))
(<= (was ?c) (true (light ?c)))
(<= (next (light green)) (does a both) (true (light red)))
(<= (next (light blue)) (does a both) (true (light red)))
(<= (next (light red)) (does a both) (true (light green)))
(<= terminal (true (light blue)) (not (true (light green))))
(goal a 50)
"""


def pairs_of(machine):
    facts = [str(fact) for fact in machine.circuit.bases]
    return [(facts[a], facts[b]) for a, b in exclusive_pairs(machine.circuit)]


def played(machine, games):
    for seed in range(games):
        random, state = Random(seed), machine.initial()
        for _ in range(60):
            yield {str(fact) for fact in machine.facts(state)}
            if machine.terminal(state):
                break
            state = machine.next(state, [random.choice(own) for own in machine.legal(state)])


def test_a_cell_holds_one_piece_where_stones_are_laid():
    pairs = pairs_of(built(GAMES / "connectFour.kif"))
    assert len(pairs) == 3 * 42
    assert ("(cell 1 1 b)", "(cell 1 1 red)") in pairs


def test_what_one_move_makes_true_together_is_not_said_to_exclude_each_other():
    assert ("(light blue)", "(light green)") not in pairs_of(load(LIGHTS, engine="circuit"))


@pytest.mark.parametrize("name", ["connectFour", "breakthrough", "trio"])
def test_no_state_of_random_play_has_both_of_a_pair(name):
    machine = built(GAMES / f"{name}.kif")
    pairs = pairs_of(machine)
    for facts in played(machine, 8):
        assert not any({*pair} <= facts for pair in pairs)


@needs_shared
@pytest.mark.parametrize("name", ["connectFour_9x6", "dualConnect4"])
def test_no_state_of_shared_games_has_both_of_a_pair(name):
    machine = load(SHARED / "games" / f"{name}.kif", engine="circuit")
    pairs = pairs_of(machine)
    for facts in played(machine, 8):
        assert not any({*pair} <= facts for pair in pairs)


def test_a_state_with_two_pieces_in_a_cell_is_asked_of_the_rules():
    machine = built(GAMES / "connectFour.kif")
    start = {str(fact) for fact in machine.facts(machine.initial())}
    assert isinstance(machine.state(start), bytes)
    assert not isinstance(machine.state(start | {"(cell 1 1 red)"}), bytes)
