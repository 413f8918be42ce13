"""Faults that only play shows, each with the moves that lead to it."""

from __future__ import annotations

import re

import pytest

from reasoner.machine import State
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from reasoner.verify import FAULTS, Fault, verify

GAME = """
(role r) (role s) (init (at 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal r go) (true (at ?n)))
(<= (legal r stay) (true (at ?n)))
(<= (legal s noop) (true (at ?n)))
(<= (next (at ?m)) (does r go) (true (at ?n)) (succ ?n ?m))
(<= (next (at ?n)) (does r stay) (true (at ?n)))
(<= terminal (true (at 3)))
(<= (goal ?r 50) (role ?r))
(base (at 0)) (base (at 1)) (base (at 2)) (base (at 3))
(input r go) (input r stay) (input s noop)
"""

DOUBLING = """
(role a) (init (tree leaf)) (legal a go) (<= (next (tree (t ?x ?x))) (true (tree ?x)))
(<= terminal (true (tree end))) (goal a 50)
"""


def machine(text: str) -> RelationalMachine:
    return RelationalMachine(read_program(text)[0])


def reached(game: RelationalMachine, fault: Fault) -> State:
    state = game.initial()
    for joint in fault.moves:
        state = game.next(state, joint)
    return state


def test_a_good_game_has_figures_and_no_faults():
    found = verify(machine(GAME), games=20, steps=100, seed=1)
    assert found.faults == {}
    assert len(found.lengths) == len(found.goals) == 20
    assert min(found.lengths) == 3
    assert set(found.choices) == {1, 2}
    assert set(found.goals) == {(50, 50)}
    assert found.declared == {"base": True, "input": True}


@pytest.mark.parametrize(
    ("code", "change", "detail", "length"),
    [
        ("endless-play", ("terminal (true (at 3))", "terminal (true (at 4))"), "9 joint moves", 9),
        ("no-legal-move", ("(legal s noop) (true (at ?n))", "(legal s noop) (true (at 0))"), "s cannot move", 1),
        ("no-goal", ("(goal ?r 50) (role ?r)", "(goal ?r 50) (role ?r) (distinct ?r s)"), "s has none", 3),
        ("several-goals", ("(<= (goal ?r 50)", "(goal s 1) (<= (goal ?r 50)"), "s has 1, 50", 3),
        ("goal-out-of-range", ("(goal ?r 50) (role ?r)", "(goal ?r ?n) (role ?r) (g ?n)) (<= (g 101)"), "r has 101", 3),
        ("undeclared-fact", ("(base (at 2))", ""), "(at 2)", 2),
        ("undeclared-move", ("(input r stay)", ""), "stay of r", 0),
    ],
)
def test_each_fault_is_found_with_the_shortest_way_to_it(code: str, change: tuple[str, str], detail: str, length: int):
    game = machine(GAME.replace(*change))
    found = verify(game, games=40, steps=9, seed=1)
    fault = found.faults[code]
    assert detail in fault.detail
    assert len(fault.moves) == length
    assert reached(game, fault)
    assert 0 < found.games_with[code] <= 40


def test_a_term_that_doubles_in_each_step_is_found_where_it_passes_the_limit():
    found = verify(machine(DOUBLING), games=2, steps=100, seed=1)
    fault = found.faults["term-too-large"]
    assert fault.detail == "relation next/1 builds terms of more than 10000 words"
    assert len(fault.moves) == 13
    assert found.lengths == [13, 13]


@pytest.mark.parametrize("chance", ["random", "Random"])
def test_chance_needs_no_goal(chance: str):
    """A player without a goal is a fault, the role that chance plays is none."""
    rules = GAME.replace("(goal ?r 50) (role ?r)", "(goal ?r 50) (role ?r) (distinct ?r s)")
    assert set(verify(machine(rules), 2, 9, seed=1).faults) == {"no-goal"}
    assert verify(machine(re.sub(r"\bs\b", chance, rules)), 2, 9, seed=1).faults == {}


def test_every_kind_of_fault_is_reported():
    reported = {"term-too-large", "endless-play", "no-legal-move", "no-goal", "several-goals", "goal-out-of-range"}
    assert set(FAULTS) == reported | {"terminal-at-start", "stuck-play", "undeclared-fact", "undeclared-move"}


def test_the_same_seed_plays_the_same_games_and_a_stop_ends_them():
    assert verify(machine(GAME), 5, 100, 7).lengths == verify(machine(GAME), 5, 100, 7).lengths
    assert verify(machine(GAME), 5, 100, 7, stop=lambda: True).lengths == []


def test_a_rulesheet_without_declarations_has_no_declaration_faults():
    bare = "\n".join(line for line in GAME.splitlines() if not line.startswith(("(base", "(input")))
    found = verify(machine(bare), 5, 100, 1)
    assert found.declared == {"base": False, "input": False}
    assert found.faults == {}


def test_a_state_that_can_never_change_again_is_a_fault_although_the_game_may_just_be_long():
    """Without a rule for the turn of s, r and s can only wait after the first move."""
    text = """
    (role r) (role s) (init (turn r)) (other r s)
    (<= (legal ?p go) (true (turn ?p)))
    (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
    (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
    (<= terminal (true (over)))
    (goal r 50) (goal s 50)
    """
    fault = verify(machine(text), games=3, steps=50, seed=1).faults["stuck-play"]
    assert (fault.detail, len(fault.moves)) == ("only noop noop can be played", 2)


def test_roles_that_can_only_pass_in_turn_never_end_the_game():
    """The turn changes, so no state follows itself, but the same two states come back without a choice of a role."""
    text = """
    (role r) (role s) (init (turn r)) (init (stones 1)) (other r s) (other s r)
    (<= (legal ?p go) (true (turn ?p)) (true (stones 1)))
    (<= (legal ?p stay) (true (turn ?p)) (true (stones 1)))
    (<= (legal ?p pass) (true (turn ?p)) (not (true (stones 1))))
    (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
    (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
    (<= (next (stones 1)) (true (stones 1)) (not (does r go)) (not (does s go)))
    (<= terminal (true (over)))
    (goal r 50) (goal s 50)
    """
    fault = verify(machine(text), games=10, steps=50, seed=1).faults["stuck-play"]
    assert re.fullmatch("only (noop pass, then pass noop|pass noop, then noop pass) can be played", fault.detail)
    assert 0 < len(fault.moves) < 50


def test_a_state_that_a_choice_of_moves_can_leave_is_no_fault():
    text = GAME.replace("(<= (legal r stay) (true (at ?n)))", "(<= (legal r stay) (true (at ?n)))\n(legal s rest)")
    found = verify(machine(text), games=20, steps=100, seed=1)
    assert "stuck-play" not in found.faults
