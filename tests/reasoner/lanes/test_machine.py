"""What is special about the circuit machine; what every machine must do stands in tests/conformance.py."""

import numpy as np
import pytest

from reasoner import load
from reasoner.errors import IllegalMoveError, StateError
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.parse import read_term

GAME = """
(role r) (role s)
(init (at 0)) (init (wall 3)) (init (shown 0)) (init (turn r))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y) (not (true (wall ?y))))
(<= (next (at ?x)) (does r stay) (true (at ?x)))
(<= (next (wall ?x)) (true (wall ?x)))
(<= (next (shown ?y)) (true (shown ?x)) (succ ?x ?y))
(<= (next (turn s)) (true (turn r))) (<= (next (turn r)) (true (turn s)))
(<= (legal r stay)) (<= (legal r go) (true (at ?x)) (not (true (at 2))))
(<= (legal s noop) (true (turn r))) (<= (legal s (jump ?x)) (true (turn s)) (succ ?x ?y))
(<= terminal (true (at 2)))
(<= (goal r 100) (true (at 2))) (<= (goal r 10) (true (at 1))) (<= (goal r 20) (true (at 1)))
(goal s 50)
"""


@pytest.fixture(scope="module")
def machine():
    return load(GAME, engine="circuit")


def texts(terms):
    return sorted(map(str, terms))


def test_a_fact_that_never_changes_is_folded_and_still_shows(machine):
    assert isinstance(machine, CircuitMachine)
    assert texts(machine.circuit.always) == ["(wall 3)"]
    assert "(wall 3)" in texts(machine.facts(machine.initial()))


def test_a_fact_that_play_does_not_need_costs_no_playout_time_and_still_shows(machine):
    needed = machine.circuit.bases[: machine.circuit.searched]
    assert "(shown 0)" not in texts(needed)
    state = machine.next(machine.initial(), ["stay", "noop"])
    assert "(shown 1)" in texts(machine.facts(state))


def test_a_state_outside_the_circuit_is_answered_by_the_relational_engine(machine):
    state = machine.state(["(at 1)", "(turn s)", read_term("(unheard of)")])
    assert texts(machine.facts(state)) == ["(at 1)", "(turn s)", "(unheard of)"]
    assert texts(machine.legal(state)[1]) == ["(jump 0)", "(jump 1)", "(jump 2)"]
    assert not machine.terminal(state)
    assert machine.goal(state) == (None, 50)
    assert machine.query(state, "(true (at ?x))")
    assert machine.playouts(state, 2, seed=1).goals.shape == (2, 2)
    assert texts(machine.facts(machine.next(state, ["stay", "(jump 0)"]))) == ["(at 1)", "(turn r)"]


def test_a_written_fact_that_no_rule_can_make_is_no_state(machine):
    with pytest.raises(StateError, match="7 is none of 0, 1, 2, 3"):
        machine.state(["(at 7)", "(turn s)"])


def test_play_from_outside_returns_into_the_circuit(machine):
    state = machine.state(["(at 0)", "(wall 3)", "(turn s)", read_term("(unheard of)")])
    assert isinstance(machine.next(state, ["go", "(jump 0)"]), bytes)


def test_a_move_that_is_not_legal_here_is_refused_by_name(machine):
    with pytest.raises(IllegalMoveError, match=r"\(jump 1\) is not a legal move of s here; legal: noop"):
        machine.next(machine.initial(), ["go", "(jump 1)"])


def test_a_missing_move_is_refused(machine):
    with pytest.raises(IllegalMoveError, match="1 moves for 2 roles"):
        machine.next(machine.initial(), ["go"])


def test_several_goals_at_once_are_none(machine):
    state = machine.next(machine.initial(), ["go", "noop"])
    assert machine.goal(state) == (None, 50)


LOOPS = """
(role r) (init (on a)) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge d e))
(<= (reach ?x) (true (on ?x))) (<= (reach ?y) (reach ?x) (true (edge ?x ?y)))
(<= (legal r (cut ?x ?y)) (true (edge ?x ?y)))
(<= (next (edge ?x ?y)) (true (edge ?x ?y)) (does r (cut ?u ?v)) (distinct ?x ?u)) (<= (next (on ?x)) (true (on ?x)))
(<= (goal r 100) (reach c)) (<= (goal r 0) (not (reach c))) (<= terminal (not (reach c)))
"""


def test_relations_that_depend_on_themselves_reach_their_least_fixpoint():
    machine = load(LOOPS, engine="circuit")
    state = machine.initial()
    assert machine.goal(state) == (100,)
    cut = machine.next(state, ["(cut b c)"])
    assert machine.goal(cut) == (0,)
    assert machine.terminal(cut)
    assert machine.goal(machine.next(state, ["(cut d e)"])) == (100,)


def test_playouts_with_one_seed_are_the_same_games(machine):
    first, again = (machine.playouts(machine.initial(), 50, seed=5) for _ in range(2))
    assert first.lengths.tolist() == again.lengths.tolist()
    assert first.lengths.tolist() != machine.playouts(machine.initial(), 50, seed=6).lengths.tolist()
    numpy = machine.playouts(machine.initial(), np.int64(50), seed=np.int64(5))
    assert numpy.lengths.tolist() == first.lengths.tolist()


def test_a_negative_number_of_playouts_is_refused(machine):
    for each in (machine, machine.relational):
        with pytest.raises(ValueError, match="count=-1: give at least 0"):
            each.playouts(each.initial(), -1, seed=1)


def test_the_step_limit_leaves_a_game_unfinished(machine):
    cut = machine.playouts(machine.initial(), 20, seed=1, max_steps=1)
    assert cut.lengths.tolist() == [1] * 20
    assert not cut.finished.any()


def test_a_role_without_a_move_ends_a_playout_unfinished():
    stuck = load(
        "(role r) (init (p a)) (<= (legal r go) (true (p a))) (<= terminal (true (p c))) (goal r 7)"
        "(<= (next (p b)) (does r go))",
        engine="circuit",
    )
    played = stuck.playouts(stuck.initial(), 3, seed=1)
    assert played.lengths.tolist() == [1, 1, 1]
    assert not played.finished.any()
    assert played.goals.tolist() == [[7], [7], [7]]


@pytest.mark.parametrize("state", [b"", b"\0" * 99], ids=["shorter", "longer"])
@pytest.mark.parametrize(
    "ask",
    [
        lambda m, s: m.facts(s),
        lambda m, s: m.legal(s),
        lambda m, s: m.next(s, ["stay", "noop"]),
        lambda m, s: m.terminal(s),
        lambda m, s: m.goal(s),
        lambda m, s: m.query(s, "(true (at ?x))"),
        lambda m, s: m.counts([m.initial(), *[s] * 9], [("(true (at ?x))", ["?x"])]),
        lambda m, s: m.playouts(s, 1, seed=1),
    ],
)
def test_bytes_of_another_length_are_no_state(machine, ask, state):
    """The state of another game's circuit has as many bytes as that game needs."""
    machine.compile_counts([("(true (at ?x))", ["?x"])])
    with pytest.raises(StateError, match="not a state of this machine"):
        ask(machine, state)
