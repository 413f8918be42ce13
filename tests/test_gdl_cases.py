"""ggp-base's test rulesheets: every reachable state is as its prover recorded or docs/reference/language.md says."""

from __future__ import annotations

import json
import re

import pytest

from reasoner import load
from reasoner.errors import RulesError
from reasoner.language.terms import Compound
from reasoner.rules.read import read_program
from tests.naive import read, show
from tests.shared import SHARED, needs_shared

pytestmark = needs_shared

ENGINES = ("relational", "circuit")
ORACLE = json.loads((SHARED / "gdl_tests" / "oracle.json").read_text()) if SHARED else {}
UNSAFE = {"test_case_3b.kif", "test_case_3e.kif", "test_case_3f.kif"}
OWN_READING = {"test_case_3a.kif"}
EXPLORED = sorted(name for name, game in ORACLE.items() if "states" in game and name not in UNSAFE | OWN_READING)


def machine(name, engine):
    return load(SHARED / "gdl_tests" / name, engine=engine)


def reachable(machine):
    """Every reachable state, as (facts, legal moves per role, terminal, goals); no move is made after the end."""
    waiting, seen = [machine.initial()], set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        legal = machine.legal(state)
        facts = frozenset(map(str, machine.facts(state)))
        yield facts, tuple(frozenset(map(str, moves)) for moves in legal), machine.terminal(state), machine.goal(state)
        if not machine.terminal(state):
            joints = [[]]
            for moves in legal:
                joints = [[*joint, move] for joint in joints for move in moves]
            waiting.extend(machine.next(state, joint) for joint in joints)


def recorded(name, roles):
    """The oracle's states in the same form. Its text is like ``[( cell 1 b ), p]`` and ``x:[a, b] y:none``."""
    for state in ORACLE[name]["states"]:
        legal = dict(re.findall(r"(\S+):(none|\[.*?\])(?: |$)", state["legal"]))
        goals = tuple(None if goal == "undef" else int(goal) for goal in re.findall(r"undef|\d+", state["goals"]))
        yield terms(state["state"]), tuple(terms(legal[role]) for role in roles), state["terminal"], goals


def terms(text):
    """The terms of a bracketed list as KIF."""
    return frozenset() if text == "none" else frozenset(map(show, read(text.strip("[]").replace(",", " "))))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", EXPLORED)
def test_every_reachable_state_is_as_recorded(name, engine):
    game = machine(name, engine)
    assert set(reachable(game)) == set(recorded(name, game.roles))


@pytest.mark.parametrize("name", sorted(UNSAFE))
def test_unsafe_rules_are_refused_though_the_prover_plays_them(name):
    with pytest.raises(RulesError, match="unsafe-variable"):
        machine(name, "relational")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_bare_word_and_the_same_in_parentheses_are_one_atom(engine):
    game = machine("test_case_3a.kif", engine)
    states = list(reachable(game))
    assert [set(*legal) for _, legal, terminal, _ in states if not terminal] == [{"(move correct_correct)"}]
    assert [goal for _, _, terminal, goal in states if terminal] == [(100,)]


@pytest.mark.parametrize("engine", ENGINES)
def test_tic_tac_toe_plays_to_a_win(engine):
    game = machine("ticTacToe.kif", engine)
    assert game.roles == ("xplayer", "oplayer")
    state = game.initial()
    assert [len(moves) for moves in game.legal(state)] == [9, 1]
    for turn, cell in enumerate(["1 1", "2 2", "1 2", "3 3", "1 3"]):
        assert not game.terminal(state)
        joint = [f"(mark {cell})", "noop"]
        state = game.next(state, joint if turn % 2 == 0 else joint[::-1])
    assert game.terminal(state)
    assert game.goal(state) == (100, 0)


def test_connect_four_is_without_errors():
    read_program((SHARED / "gdl_tests" / "connectFour.kif").read_text())


def test_functions_of_one_name_and_two_arities_are_two_functions():
    game = machine("test_invalid_function_arities_differ.kif", "relational")
    moves = [move for move in game.legal(game.initial())[0] if isinstance(move, Compound)]
    assert {(move.functor, len(move.arguments)) for move in moves} == {("a", 1), ("a", 2)}
