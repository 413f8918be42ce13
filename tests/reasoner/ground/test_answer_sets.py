"""Legal moves and next states by clingo are those of the relational engine."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings

from agent.gamemaster.games import bundled_game
from reasoner.ground.answer_sets import AnswerSetGame
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.percepts import is_percept
from reasoner.rules.read import read_program
from tests.conformance import RACE, TOWER
from tests.reasoner.relational.programs import DERIVED, programs

STEPS = 4
HIDDEN = bundled_game("hiddenCoin").text


def both(text):
    program, _ = read_program(text)
    return AnswerSetGame(program), RelationalMachine(program)


def visible(machine, state):
    return frozenset(fact for fact in machine.facts(state) if not is_percept(fact))


@pytest.mark.parametrize("name", ["RACE", "TOWER", "chess", "goofspiel", "jointTicTacToe", "lanterns", "hiddenCoin"])
def test_random_play_has_the_same_facts_and_legal_moves(name):
    """In KIF and infix, with functions in functions, simultaneous moves and hidden information."""
    text = {"RACE": RACE, "TOWER": TOWER}.get(name) or bundled_game(name).text
    (game, machine), rng = both(text), Random(1)
    position, state = game.initial(), machine.initial()
    for _ in range(STEPS):
        assert position == visible(machine, state)
        if machine.terminal(state):
            break
        legal = machine.legal(state)
        assert game.legal(position) == legal
        joint = tuple(map(rng.choice, legal))
        (position,), state = game.successors(position, joint), machine.next(state, joint)


@given(programs())
@settings(max_examples=25, deadline=None)
def test_random_rules_have_the_same_legal_moves_and_next_facts(case):
    text, facts = case
    for name, arity in DERIVED.items():
        atom = f"({name} {' '.join(['?a', '?b'][:arity])})"
        text += f"\n(<= (legal me {atom}) {atom}) (<= (next {atom}) {atom} (does me ?m))"
    game, machine = both(text + "\n".join(f"(init {fact})" for fact in facts))
    position, state = game.initial(), machine.initial()
    assert position == machine.facts(state)
    legal = machine.legal(state)
    assert game.legal(position) == legal
    move = Random(1).choice(legal[0])
    assert game.successors(position, (move,)) == [machine.facts(machine.next(state, (move,)))]


def test_the_states_after_an_unknown_move_are_those_with_the_percepts_received():
    """Every role, and every set of percepts that some joint move gives it."""
    game, machine = both(HIDDEN)
    state = machine.initial()
    legal, position = machine.legal(state), game.initial()
    after = [machine.next(state, joint) for joint in product(*legal)]
    for number, role in enumerate(game.roles):
        for percepts in {machine.percepts(one)[number] for one in after}:
            expected = {visible(machine, one) for one in after if machine.percepts(one)[number] == percepts}
            found = game.successors(position, (None,) * len(legal), (role, percepts), most=100)
            assert set(found) == expected
            assert len(game.successors(position, (None,) * len(legal), (role, percepts), most=1)) == 1
