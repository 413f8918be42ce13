"""Wins and defences are preferred where random games show a gain, and nowhere else."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from reasoner import load
from reasoner.lanes.choice_plan import choices_of
from reasoner.lanes.lane_graph import DRAWN, PREFER
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.tactics.trials import blunder_rate, missed_wins, simultaneous_share
from tests.machines import built
from tests.reasoner.lanes.tactics.test_preferred_moves import drawn_moves, winning_moves

GAMES = Path(__file__).parents[4] / "games"

DOORS = """
(role x) (role o) (init start) (init (open 1))
(<= (legal x (shut ?d)) (true start) (door ?d)) (<= (legal o noop) (true start))
(<= (legal o (enter ?d)) (not (true start)) (true (open ?d))) (<= (legal o wait) (not (true start)))
(<= (legal x noop) (not (true start)))
(door 1) (door 2) (door 3) (door 4)
(<= (next (open ?d)) (true (open ?d)) (not (does x (shut ?d))))
{another}
(<= (next won) (does o (enter ?d)))
(<= (next tried) (not (true start)))
(<= terminal (true tried))
(<= (goal o 100) (true won)) (<= (goal o 0) (not (true won)))
(<= (goal x 0) (true won)) (<= (goal x 100) (not (true won)))
"""
OPENS = "(<= (next (open 2)) (does x (shut 1)))"


RACE = """
(role x) (role o) (init (at x 1)) (init (at o 1))
(<= (legal ?r (go ?n)) (role ?r) (ahead ?n)) (ahead 1) (ahead 2)
(succ 1 1 2) (succ 1 2 3) (succ 2 1 3) (succ 2 2 4) (succ 3 1 4) (succ 3 2 4)
(<= (next (at ?r ?there)) (does ?r (go ?n)) (true (at ?r ?here)) (succ ?here ?n ?there))
(<= terminal (true (at ?r 4)))
(<= (goal ?r 100) (true (at ?r 4))) (<= (goal ?r 0) (role ?r) (not (true (at ?r 4))))
"""


def drawn(rules):
    """The lane graph, and how many moves of x are drawn in the initial state by preference."""
    machine = load(rules, engine="circuit")
    graph = lane_graph(machine.circuit)
    assert graph.preferred[0] != DRAWN
    return graph, sorted(str(move) for move in first_moves(machine))


def first_moves(machine):
    counts, _ = drawn_moves(machine, machine.initial())
    return [move for move, count in counts[0].items() if count]


def test_a_door_that_is_shut_gives_no_win_and_is_shut():
    graph, moves = drawn(DOORS.format(another=""))
    preferred, uniform, asked = blunder_rate(graph)
    assert (preferred, asked) == (0, 2 * 512)  # the second states have no win, as the door is shut
    assert uniform == pytest.approx(0.75 * 512, abs=40)  # four deviations
    assert moves == ["(shut 1)"]


def test_where_another_door_opens_then_all_moves_are_alike():
    graph, moves = drawn(DOORS.format(another=OPENS))
    assert blunder_rate(graph) == (512, 512, 512)
    assert len(moves) == 4


@pytest.mark.parametrize(("another", "kept"), [("", True), (OPENS, False)])
def test_dear_wins_are_preferred_only_beside_defences_that_help(another, kept, monkeypatch):
    circuit = load(DOORS.format(another=another), engine="circuit").circuit
    assert len(lane_graph(circuit).sections[PREFER])
    monkeypatch.setattr("reasoner.lanes.lane_graph_builder.MAX_WINS_COST", 0)
    assert bool(len(lane_graph(circuit).sections[PREFER])) == kept


def test_wins_alone_are_not_preferred_where_all_choose_at_once(monkeypatch):
    circuit = load(RACE, engine="circuit").circuit
    monkeypatch.setattr("reasoner.lanes.lane_graph_builder.MAX_WINS_COST", 100)  # so small a game's steps are cheap
    assert not len(lane_graph(circuit).sections[PREFER])
    monkeypatch.setattr("reasoner.lanes.lane_graph_builder.MAX_SIMULTANEOUS", 1)
    assert len(lane_graph(circuit).sections[PREFER])


@pytest.mark.parametrize(("rules", "share"), [(RACE, 1), (DOORS.format(another=""), 0), ((GAMES / "nim.kif"), 0)])
def test_states_are_counted_in_which_several_choose(rules, share):
    circuit = load(rules, engine="circuit").circuit
    assert simultaneous_share(lane_graph(circuit), choices_of(circuit).of_role) == share


def test_in_mancala_winning_moves_would_take_eleven_times_a_step():
    assert built(GAMES / "mancala.kif").program.decisive == 0


def states_with_a_win(machine, games):
    """For each of some random games the number of states in which the role that chooses has a winning move."""
    random = Random(5)
    for _ in range(games):
        state, seen = machine.initial(), 0
        while not machine.terminal(state):
            legal = machine.legal(state)
            role = max(range(len(legal)), key=lambda one: len(legal[one]))
            seen += any(True for _ in winning_moves(machine, state, role, [100, 100]))
            state = machine.next(state, [random.choice(own) for own in legal])
        yield seen


def test_states_with_a_win_are_counted_as_by_playing_each_move():
    machine = built(GAMES / "ticTacToe.kif")
    twin = np.array(list(states_with_a_win(machine, 300)), float)
    error = twin.std() * (1 / 300 + 1 / 512) ** 0.5
    assert abs(missed_wins(lane_graph(machine.circuit)) - twin.mean()) < 4 * error


def test_games_are_followed_to_their_end_and_no_further():
    graph = lane_graph(built(GAMES / "ticTacToe.kif").circuit)
    assert missed_wins(graph, 4) == 0  # no role has two in a row and the move
    assert missed_wins(graph, 10) == missed_wins(graph, 1000) > 0


@pytest.mark.parametrize(("game", "preferred"), [("connectFour", True), ("goofspiel", False)])
def test_wins_are_preferred_where_one_role_can_make_them(game, preferred):
    assert built(GAMES / f"{game}.kif").decisive == preferred
